/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* data.c - what is in a file that lies on a RAM disk: pages of blocks in a radix tree */
#include "inode/data.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RADIX_BITS  6
#define RADIX_SLOTS (1u << RADIX_BITS)

/* A slot of height 0 is the ring of a page; of a greater one, a node. */
struct radix_node {
	void *slot[RADIX_SLOTS];
};

struct file_data {
	void *root;
	unsigned height; /* the tree holds pages below 2^(RADIX_BITS * height) */
};

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* ---- the radix tree */

static bool radix_holds(const struct file_data *f, uint64_t page)
{
	return !(page >> (RADIX_BITS * f->height)); /* offsets are below 2^63: no overflow */
}

/* Returns false if memory is used up. */
static bool radix_grow(struct file_data *f)
{
	struct radix_node *node;

	if (f->root) {
		node = calloc(1, sizeof(*node));
		if (!node)
			return false;
		node->slot[0] = f->root;
		f->root = node;
	}
	f->height++;
	return true;
}

/* The slot of @page; NULL where there is none, and with @make where memory is used up. */
static void **radix_slot(struct file_data *f, uint64_t page, bool make)
{
	void **slot = &f->root;

	while (!radix_holds(f, page))
		if (!make || !radix_grow(f))
			return NULL;
	for (unsigned h = f->height; h--;) {
		if (!*slot && make)
			*slot = calloc(1, sizeof(struct radix_node));
		if (!*slot)
			return NULL;
		slot = &((struct radix_node *)*slot)
				->slot[page >> (RADIX_BITS * h) & (RADIX_SLOTS - 1)];
	}
	return slot;
}

static void page_free(struct disk *disk, struct buffer_head *head);

/* Frees pages from @first on, which counts from where @slot, of @height, begins. */
static void radix_prune(struct disk *disk, void **slot, unsigned height, uint64_t first)
{
	struct radix_node *node = *slot;
	uint64_t each; /* pages in a slot of the node */

	if (!node)
		return;
	if (!height) {
		page_free(disk, *slot);
		*slot = NULL;
		return;
	}
	each = 1ull << RADIX_BITS * (height - 1);
	for (uint64_t i = first / each; i < RADIX_SLOTS; i++)
		radix_prune(disk, &node->slot[i], height - 1,
			    i * each < first ? first - i * each : 0);
	if (!first) {
		free(node);
		*slot = NULL;
	}
}

/* ---- a page */

static void page_free(struct disk *disk, struct buffer_head *head)
{
	struct buffer_head *bh = head, *next;

	do {
		next = bh->b_this_page;
		if (bh->b_state & BH_MAPPED)
			disk_unmap(disk, bh);
		bh_free(disk, bh);
		bh = next;
	} while (bh != head);
}

/* All heads of a page, none with a block. NULL: no memory. */
static struct buffer_head *page_new(struct inode *inode)
{
	struct disk *disk = inode->i_cache->disk;
	struct buffer_head *head = NULL, *tail = NULL;

	for (size_t at = 0; at < DISK_PAGE; at += disk->block_size) {
		struct buffer_head *bh = bh_alloc(disk);

		if (!bh) {
			if (head)
				page_free(disk, head);
			return NULL;
		}
		bh->b_page = inode;
		bh->b_this_page = head ? head : bh;
		if (tail)
			tail->b_this_page = bh;
		else
			head = bh;
		tail = bh;
	}
	return head;
}

/* Returns how many of the @n bytes are written: fewer where the disk is full. */
static size_t page_write(struct disk *disk, struct buffer_head *bh, size_t at, const char *from,
			 size_t n)
{
	size_t done = 0, size = disk->block_size;

	for (; at >= size; at -= size)
		bh = bh->b_this_page;
	for (; done < n; at = 0, bh = bh->b_this_page) {
		size_t part = least(n - done, size - at);

		if (!(bh->b_state & BH_MAPPED)) {
			if (!disk_map(disk, bh))
				break;
			memset(bh->b_data, 0, at);
			memset(bh->b_data + at + part, 0, size - at - part);
		}
		memcpy(bh->b_data + at, from + done, part);
		bh->b_state |= BH_UPTODATE | BH_DIRTY;
		done += part;
	}
	return done;
}

static void page_read(const struct buffer_head *bh, size_t at, char *to, size_t n)
{
	for (; at >= bh->b_size; at -= bh->b_size)
		bh = bh->b_this_page;
	for (; n; at = 0, bh = bh->b_this_page) {
		size_t part = least(n, bh->b_size - at);

		if (bh->b_state & BH_MAPPED)
			memcpy(to, bh->b_data + at, part);
		else
			memset(to, 0, part);
		to += part;
		n -= part;
	}
}

/* Nothing is left in the page from @at on. */
static void page_cut(struct disk *disk, struct buffer_head *bh, size_t at)
{
	for (size_t begin = 0; begin < DISK_PAGE; begin += bh->b_size, bh = bh->b_this_page) {
		if (!(bh->b_state & BH_MAPPED) || at >= begin + bh->b_size)
			continue;
		if (at <= begin)
			disk_unmap(disk, bh);
		else
			memset(bh->b_data + (at - begin), 0, bh->b_size - (at - begin));
	}
}

/* Frees the page at @slot if it has no block. */
static void page_settle(struct disk *disk, void **slot)
{
	struct buffer_head *head = *slot, *bh = head;

	do {
		if (bh->b_state & BH_MAPPED)
			return;
		bh = bh->b_this_page;
	} while (bh != head);
	page_free(disk, head);
	*slot = NULL;
}

/* ---- a file */

/* The slot of the page with the byte at @at, which is made if need be. NULL: no memory. */
static void **page_of(struct inode *inode, uint64_t at)
{
	void **slot;

	if (!inode->i_data)
		inode->i_data = calloc(1, sizeof(*inode->i_data));
	if (!inode->i_data)
		return NULL;
	slot = radix_slot(inode->i_data, at / DISK_PAGE, true);
	if (slot && !*slot)
		*slot = page_new(inode);
	return slot && *slot ? slot : NULL;
}

ssize_t data_write(struct inode *inode, const void *buf, size_t n, uint64_t at)
{
	struct disk *disk = inode->i_cache->disk;
	size_t done = 0;

	while (done < n) {
		size_t in_page = (at + done) % DISK_PAGE;
		size_t part = least(n - done, DISK_PAGE - in_page), written;
		void **slot = page_of(inode, at + done);

		if (!slot)
			return done ? (ssize_t)done : -ENOMEM;
		written = page_write(disk, *slot, in_page, (const char *)buf + done, part);
		done += written;
		if (written < part) {
			page_settle(disk, slot);
			return done ? (ssize_t)done : -ENOSPC;
		}
	}
	return (ssize_t)done;
}

size_t data_read(const struct inode *inode, void *buf, size_t n, uint64_t at)
{
	uint64_t size = load_relaxed(&inode->i_size);

	if (at >= size)
		return 0;
	n = n < size - at ? n : size - at;
	for (size_t done = 0, part; done < n; done += part) {
		size_t in_page = (at + done) % DISK_PAGE;
		void **slot = NULL;

		part = least(n - done, DISK_PAGE - in_page);
		if (inode->i_data)
			slot = radix_slot(inode->i_data, (at + done) / DISK_PAGE, false);
		if (slot && *slot)
			page_read(*slot, in_page, (char *)buf + done, part);
		else
			memset((char *)buf + done, 0, part);
	}
	return n;
}

void data_truncate(struct inode *inode, uint64_t size)
{
	struct file_data *f = inode->i_data;
	struct disk *disk = inode->i_cache->disk;
	uint64_t pages = size / DISK_PAGE + (size % DISK_PAGE != 0);
	void **slot;

	if (!f)
		return;
	if (radix_holds(f, pages))
		radix_prune(disk, &f->root, f->height, pages);
	if (size % DISK_PAGE) {
		slot = radix_slot(f, size / DISK_PAGE, false);
		if (slot && *slot) {
			page_cut(disk, *slot, size % DISK_PAGE);
			page_settle(disk, slot);
		}
	}
}

void data_free(struct inode *inode)
{
	data_truncate(inode, 0);
	free(inode->i_data);
	inode->i_data = NULL;
}
