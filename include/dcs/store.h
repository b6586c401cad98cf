/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * store.h - what stands behind a cache and is asked on a miss
 *
 * A store is a table of functions and the data that they are given. It names files by
 * inode numbers, which are its own, never 0, and not used again while the cache
 * holds one. The cache asks it for a name that it does not hold, tells it of each
 * change before it makes the change itself, and takes its word: a change that the
 * store refuses has not happened.
 *
 * Context: any thread, outside of read-side sections, so a function may sleep. Of one
 * directory, one thread at a time: lookup, changes and readdir are called under the
 * lock of each directory concerned, and threads that miss one name ask once. Calls
 * about different directories and different files run at once.
 * Not called back into: a function makes no call on the cache that it serves.
 *
 * Results: 0 or a negative errno. The cache believes no nonsense: a result that is no
 * errno, attributes with an unknown type or inode number 0, a file that changed its type,
 * or a directory that is found in two places, give -EIO or -ESTALE to the caller and
 * change nothing. -ESTALE makes the operation start again once, with every name on its
 * path looked up anew.
 *
 * Counting: each answer that brings an inode number (root, lookup, create, and a
 * revalidate that says 1) counts as one lookup of it. forget() takes them back, as in
 * FUSE, when the cache has let the inode go; until then the store must know the number,
 * though the file may have lost its last name.
 */
#ifndef DCS_STORE_H
#define DCS_STORE_H

#include "dcs/dcs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A directory's entry, to @context. Returns nonzero when there is no room for more. */
typedef int dcs_emit(void *context, const char *name, size_t len, uint64_t ino, uint32_t mode,
		     uint64_t next);

/* What dcs_store_ops.setattr sets. */
#define DCS_SET_MODE  1u
#define DCS_SET_OWNER 2u /* uid and gid */
#define DCS_SET_SIZE  4u
#define DCS_SET_MTIME 8u

/* NULL functions: lookup, root and readdir must be there; changes that are not give -EROFS. */
struct dcs_store_ops {
	const char *name;
	/* The attributes of the root, a directory. */
	int (*root)(void *store, struct dcs_stat *attr);
	/* -ENOENT: there is no such name, which may be remembered. Names are not NUL-terminated. */
	int (*lookup)(void *store, uint64_t dir, const char *name, size_t len,
		      struct dcs_stat *attr);
	/*
	 * Is what was looked up still so? @ino is 0 where the name was missing. 1: yes, with the
	 * attributes of now. 0: no. NULL: names change through the cache alone.
	 */
	int (*revalidate)(void *store, uint64_t dir, const char *name, size_t len, uint64_t ino,
			  struct dcs_stat *attr);
	/* The body of a link, without a NUL: its length. */
	ssize_t (*readlink)(void *store, uint64_t ino, char *buf, size_t size);
	/*
	 * Entries from @cookie on (0: the first), `.` and `..` apart, in an order in which each
	 * that is there all the time is given once; @emit gets the cookie of the next.
	 */
	int (*readdir)(void *store, uint64_t dir, uint64_t cookie, dcs_emit *emit, void *context);
	/* A new file as @attr says: mode with its type, uid, gid, rdev; @target of a link. */
	int (*create)(void *store, uint64_t dir, const char *name, size_t len, const char *target,
		      struct dcs_stat *attr);
	int (*link)(void *store, uint64_t ino, uint64_t dir, const char *name, size_t len);
	/* A file's name, or an empty directory: -ENOTEMPTY. */
	int (*remove)(void *store, uint64_t dir, const char *name, size_t len, uint64_t ino);
	/* @flags: DCS_RENAME_*. A directory that is replaced is empty, or -ENOTEMPTY. */
	int (*rename)(void *store, uint64_t dir, const char *name, size_t len, uint64_t to_dir,
		      const char *to, size_t to_len, unsigned flags);
	int (*setattr)(void *store, uint64_t ino, const struct dcs_stat *attr, unsigned what);
	/* The file was read at @atime. Never fails and does not sleep long. NULL: no atime is kept.
	 */
	void (*touch)(void *store, uint64_t ino, const struct timespec *atime);
	/* Writes what is not written. May be NULL. */
	int (*sync)(void *store);
	/* Takes @lookups of @ino back. Never fails and does not sleep long. */
	void (*forget)(void *store, uint64_t ino, uint64_t lookups);
	/* With the cache, after every inode was forgotten. */
	void (*free)(void *store);
};

/* What time it is for a store: by dcs_config.clock. */
void dcs_clock_read(const uint64_t *clock, struct timespec *now);

/**
 * dcs_store_memory - a tree in memory, which forgets nothing until it is freed
 *
 * Its times are by config->clock. Sets config->store and store_data; dcs_cache_new() takes it over,
 * and frees it with the cache, or when it fails. Returns 0 or -ENOMEM.
 */
int dcs_store_memory(struct dcs_config *config);

/* A disk and the file system on it: what dcs_store_disk() counts with. */
struct dcs_disk {
	const char *name, *description;
	uint64_t seek_ns, near_seek_ns; /* on an average; within `near` blocks */
	uint64_t near;
	uint64_t half_turn_ns;
	uint64_t block_ns; /* to read or write one that is under the head */
	uint64_t block_size, inodes_per_block;
	uint64_t commit_s,
		writeback_s; /* seconds between commits of the journal, and writes in place */
};

extern const struct dcs_disk dcs_disks[]; /* ends with a NULL name */

/* What the disk did: sums, which the caller may set to 0. */
struct dcs_disk_usage {
	uint64_t reads, read_blocks;
	uint64_t wait_ns;      /* of those who read, for the disk */
	uint64_t unclaimed_ns; /* and which the clock does not show yet: add it there, and set it to
				  0 */
	uint64_t busy_ns;
	uint64_t commits, journal_blocks; /* of the journal */
	uint64_t written_blocks;	  /* in place */
};

/**
 * dcs_store_disk - the store in memory, and what a disk would have to do for it, not slept
 * @config: clock must be set (-EINVAL): simulated time, which the caller moves on
 * @usage:  filled in from then on
 *
 * See src/store/disk.c. Else as dcs_store_memory().
 */
int dcs_store_disk(struct dcs_config *config, const struct dcs_disk *disk,
		   struct dcs_disk_usage *usage);
/* Of such a store (config->store_data): a file's data, @size bytes, are read, if they were not. */
void dcs_disk_read(void *store, uint64_t ino, uint64_t size);
/* Of such a store: whatever is clean leaves its page cache. */
void dcs_disk_drop(void *store);

/**
 * dcs_store_dir - a directory of the system, read on demand and never written
 * @path:      the directory
 * @revalidate: ask again at each use whether a name is still what it was; else what others
 *	       change is seen when the cache asks anew
 *
 * Mount points below it are crossed as they are. Returns 0 or a negative errno.
 */
int dcs_store_dir(struct dcs_config *config, const char *path, int revalidate);

#ifdef __cplusplus
}
#endif
#endif
