/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * copy.h - a tree that lies in memory, and `cp -a` of it into a cache with a RAM disk
 *
 * What a copy must give is known before: blocks are taken one by one in the order of the
 * files, so which of them no longer fit, and after how many bytes, follows from the sizes.
 */
#ifndef WORKLOADS_COPY_H
#define WORKLOADS_COPY_H

#include "bench/bench.h"

struct copy_item {
	const char *path; /* padded */
	const char *target;
	uint32_t mode, uid, gid;
	int64_t mtime;
	const char *data;
	uint64_t size; /* bytes to be copied */
	uint64_t kept; /* of them at @data: what is beyond cannot fit on the disk */
	uint64_t fits; /* of them on the disk, after the copy */
	uint64_t sum;  /* XXH3 of those */
};

struct copy {
	size_t n;
	struct copy_item *item; /* a directory before what it holds */
	char *data, *filler;
	uint64_t write_size;
	/* What is there, and what comes of it. */
	size_t n_files, unreadable, cut; /* cut: files that do not fit whole */
	uint64_t bytes, stored, blocks;	 /* stored: of the bytes; blocks: taken by them */
};

/*
 * The names of @tree; of dir:PATH with the bytes of its files, except those that may not be
 * read, which are left out and counted; of other kinds with made ones, as long as the tree
 * says. No more is read than fits on @disk bytes in blocks of @block.
 */
struct copy *copy_of_tree(const struct tree *tree, uint64_t disk, uint64_t block,
			  uint64_t write_size, uint64_t seed);
/* One file, `vmlinux`, of @size bytes. */
struct copy *copy_of_file(uint64_t size, uint64_t disk, uint64_t block, uint64_t write_size,
			  uint64_t seed);
void copy_free(struct copy *copy);

/* The whole copy, w->own, in one turn; over stat_null what cp itself does. */
turn_fn copy_turn;

/*
 * By a registered thread: how much of the copy in @cache is not as it has to be: names,
 * attributes, bytes, blocks, and dcs_check().
 */
uint64_t copy_check(const struct copy *copy, struct dcs_cache *cache, struct dcs_task *task);

/* Removes the copy, and gives its objects back. Returns how many names would not go. */
uint64_t copy_remove(const struct copy *copy, struct dcs_cache *cache, struct dcs_task *task);

#endif
