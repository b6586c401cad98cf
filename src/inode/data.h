/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * data.h - what is in a file that lies on a RAM disk
 *
 * A file is pages of DISK_PAGE bytes, found by a radix tree; a page is a ring of buffer
 * heads, made together when one of its blocks is first written, and gone when none of them has
 * a block. A head without a block, and a page that is not there, is a hole.
 *
 * Invariant: bytes of a block at and behind the file's size are zero, so that a file which
 * grows shows zeros there.
 *
 * Locking: the file's i_rwsem, for readers too, in a cache that has a disk.
 */
#ifndef INODE_DATA_H
#define INODE_DATA_H

#include "inode/disk.h"
#include "inode/inode.h"

/*
 * Of a cache with a disk. Writes block by block; the size stays the caller's to set. Returns
 * the bytes written, which are fewer where the disk is full or memory used up, -ENOSPC or
 * -ENOMEM where that is none.
 */
ssize_t data_write(struct inode *inode, const void *buf, size_t n, uint64_t at);

/* Copies out at most @n bytes from @at on, up to the file's size: zeros where it has no data. */
size_t data_read(const struct inode *inode, void *buf, size_t n, uint64_t at);

/* Gives back what lies at @size and behind. The size stays the caller's to set. */
void data_truncate(struct inode *inode, uint64_t size);

/* All of it; of an inode that nobody else uses. */
void data_free(struct inode *inode);

#endif
