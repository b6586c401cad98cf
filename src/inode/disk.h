/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * disk.h - a RAM disk: blocks of one stretch of memory, and the heads that describe them
 *
 * It holds file data and nothing else: directories, inodes and the index of a file take no
 * room of it. Blocks are taken and given back one by one, the one given back last first.
 *
 * A buffer head is that of Linux 2.6.21 on 64-bit machines: 104 bytes, the kernel's fields in
 * its order. Who allocates one writes all but the list, as the kernel does.
 *
 * Locking: disk->lock, a leaf, of which blocks are free; heads are of their file (data.h).
 */
#ifndef INODE_DISK_H
#define INODE_DISK_H

#include "inode/slab.h"

#define DISK_PAGE 4096 /* a page of a file: that many bytes of it, in blocks */

/* b_state */
#define BH_UPTODATE 1u /* holds what the file has there */
#define BH_DIRTY    2u
#define BH_MAPPED   16u /* has a block */
#define BH_NEW	    32u /* which was taken for this write */

struct bh_list {
	struct bh_list *next, *prev;
};

struct buffer_head {
	unsigned long b_state;
	struct buffer_head *b_this_page; /* the next of the page's, in a ring */
	void *b_page;			 /* the file that the page is of */
	uint64_t b_blocknr;
	size_t b_size;
	char *b_data; /* the block; NULL: none */
	void *b_bdev; /* the disk */
	void (*b_end_io)(struct buffer_head *bh, int uptodate);
	void *b_private;
	struct bh_list b_assoc_buffers; /* of a mapping's metadata: always empty here */
	void *b_assoc_map;
	int32_t b_count;
};

_Static_assert(sizeof(struct buffer_head) == 104, "a buffer head of 2.6.21 is 104 bytes");

struct disk {
	/* Constant. */
	char *base;
	size_t bytes;
	uint32_t block_size;
	uint32_t n_blocks;
	spin_t lock on_own_line; /* of what follows */
	uint32_t n_free;
	uint32_t *free;	  /* [n_free]: the last goes first */
	uint64_t refused; /* times that a block was wanted and none was free */
	struct slab buffers;
};

/**
 * disk_new - @size bytes in blocks of @block_size, which divides DISK_PAGE
 * @constructor: buffer heads have one
 * @prefault: fault all of its memory in
 *
 * Returns 0 or -ENOMEM.
 */
int disk_new(uint64_t size, uint32_t block_size, bool constructor, bool prefault,
	     struct disk **out);
void disk_free(struct disk *disk); /* NULL is well */

/* Gives @bh a block of undefined content; false where none is free. And takes it away. */
bool disk_map(struct disk *disk, struct buffer_head *bh);
void disk_unmap(struct disk *disk, struct buffer_head *bh);

/* A head without a block, or NULL. */
struct buffer_head *bh_alloc(struct disk *disk);
void bh_free(struct disk *disk, struct buffer_head *bh);

#endif
