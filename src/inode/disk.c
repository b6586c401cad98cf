/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* disk.c - a RAM disk: blocks of one stretch of memory, and the heads that describe them */
#include "inode/disk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define WRITERS 4096 /* at once, more than there are */

static inline void bh_construct(void *object, void *unused)
{
	struct buffer_head *bh = object;

	(void)unused;
	memset(bh, 0, sizeof(*bh));
	bh->b_assoc_buffers.next = bh->b_assoc_buffers.prev = &bh->b_assoc_buffers;
}

struct buffer_head *bh_alloc(struct disk *disk)
{
	struct buffer_head *bh = slab_alloc(&disk->buffers);

	if (!bh)
		return NULL;
	if (!disk->buffers.construct)
		bh_construct(bh, NULL);
	bh->b_state = 0;
	bh->b_this_page = NULL;
	bh->b_page = NULL;
	bh->b_blocknr = UINT64_MAX;
	bh->b_size = disk->block_size;
	bh->b_data = NULL;
	bh->b_bdev = disk;
	bh->b_end_io = NULL;
	bh->b_private = NULL;
	bh->b_count = 0;
	return bh;
}

void bh_free(struct disk *disk, struct buffer_head *bh)
{
	slab_free(&disk->buffers, bh);
}

bool disk_map(struct disk *disk, struct buffer_head *bh)
{
	uint32_t block = 0;
	bool found;

	spin_lock(&disk->lock);
	found = disk->n_free;
	if (found)
		block = disk->free[--disk->n_free];
	else
		disk->refused++;
	spin_unlock(&disk->lock);
	if (!found)
		return false;
	bh->b_blocknr = block;
	bh->b_data = disk->base + (size_t)block * disk->block_size;
	bh->b_state |= BH_MAPPED | BH_NEW;
	return true;
}

void disk_unmap(struct disk *disk, struct buffer_head *bh)
{
	spin_lock(&disk->lock);
	disk->free[disk->n_free++] = (uint32_t)bh->b_blocknr;
	spin_unlock(&disk->lock);
	bh->b_blocknr = UINT64_MAX;
	bh->b_data = NULL;
	bh->b_state = 0;
}

static int disk_allocate(struct disk *disk, slab_construct *construct)
{
	/* As many heads as there can be: of pages of one block each, and of those being written. */
	size_t heads = (disk->n_blocks + WRITERS) * (size_t)(DISK_PAGE / disk->block_size);
	void *base = mmap(NULL, disk->bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (base == MAP_FAILED)
		return -ENOMEM;
	madvise(base, disk->bytes, MADV_HUGEPAGE);
	disk->base = base;
	disk->free = malloc(disk->n_blocks * sizeof(*disk->free));
	if (!disk->free)
		return -ENOMEM;
	return slab_init(&disk->buffers, &(struct shape){.object = sizeof(struct buffer_head)},
			 _Alignof(struct buffer_head), heads, construct, NULL);
}

int disk_new(uint64_t size, uint32_t block_size, bool constructor, bool prefault, struct disk **out)
{
	struct disk *disk;
	int err;

	if (posix_memalign((void **)&disk, MEM_LINE, sizeof(*disk)))
		return -ENOMEM;
	memset(disk, 0, sizeof(*disk));
	disk->block_size = block_size;
	disk->n_blocks = disk->n_free = (uint32_t)(size / block_size);
	disk->bytes = (size_t)disk->n_blocks * block_size;
	spin_init(&disk->lock);
	err = disk_allocate(disk, constructor ? bh_construct : NULL);
	if (err) {
		disk_free(disk);
		return err;
	}
	for (uint32_t i = 0; i < disk->n_blocks; i++)
		disk->free[i] = disk->n_blocks - 1 - i;
	if (prefault) {
		memset(disk->base, 0, disk->bytes);
		slab_prefault(&disk->buffers, disk->n_blocks);
	}
	*out = disk;
	return 0;
}

void disk_free(struct disk *disk)
{
	if (!disk)
		return;
	slab_destroy(&disk->buffers);
	free(disk->free);
	if (disk->base)
		munmap(disk->base, disk->bytes);
	free(disk);
}
