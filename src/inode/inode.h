/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * inode.h - inodes of directories, files and symbolic links
 *
 * Line 0 is what permission checks and link following read, line 1 the rest of a
 * stat, line 2 what is written by users: as in Linux, where these are two lines
 * that a stat reads and others that it does not.
 *
 * Fields of lines 0 and 1 are written under i_lock and read without it, each by
 * itself whole; a time is one word (seconds << 30 | nanoseconds, seconds of 34
 * bits) so that it is never torn. i_ino, the type and i_link never change.
 * i_nlink of a directory is 2 plus its subdirectories.
 *
 * An inode lives while a positive dentry holds it (i_count), and a grace period
 * longer, for the walks that found it before (icache.h). A directory has one dentry,
 * which it knows.
 */
#ifndef INODE_INODE_H
#define INODE_INODE_H

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "dcache/cache.h"

#define S_DEAD 1u /* i_flags: a removed directory, which takes no new names */

struct inode {
	/* Line 0: permission and links. */
	uint32_t i_mode;
	uint32_t i_uid, i_gid;
	uint32_t i_flags; /* S_DEAD; written under i_rwsem */
	char *i_link;	  /* the body of a symbolic link, padded */
	struct dcs_cache *i_cache;
	struct file_data *i_data; /* of a file on a RAM disk, under i_rwsem; NULL: none */
	uint32_t i_atime_late;	  /* the store does not know i_atime yet; under i_lock */
	uint32_t i_room[5];
	/* Line 1: the rest of a stat. */
	uint64_t i_ino;
	uint64_t i_size;
	uint32_t i_nlink;
	uint32_t i_lookups; /* answers of the store that are to be forgotten: icache.h */
	uint64_t i_atime, i_mtime, i_ctime;
	uint64_t i_rdev;
	struct dentry *i_dentry; /* of a directory, while it has one; under that one's d_lock */
	/* Line 2: written by users. */
	int32_t i_count;
	spin_t i_lock;
	union {
		struct sleep_lock i_rwsem; /* of a directory, exclusive: its names */
		union rcu_node i_rcu;
	};
	struct inode *i_next, **i_pprev; /* the chain of its number; NULL: on none */
} on_own_line;

_Static_assert(offsetof(struct inode, i_ino) == MEM_LINE, "a permission check reads one line");
_Static_assert(offsetof(struct inode, i_count) == 2 * MEM_LINE, "a stat reads two lines");
_Static_assert(sizeof(struct inode) == 3 * MEM_LINE, "an inode is three lines");

static inline uint64_t inode_pack_time(const struct timespec *t)
{
	return (uint64_t)t->tv_sec << 30 | ((uint64_t)t->tv_nsec & ((1u << 30) - 1));
}

/* The cache's clock, whose ticks are as long as the kernel's or the caller's (dcs_config.clock). */
static inline uint64_t inode_now(const struct dcs_cache *cache)
{
	struct timespec t;

	dcs_clock_read(cache->clock, &t);
	return inode_pack_time(&t);
}

static inline struct timespec inode_time(uint64_t packed)
{
	return (struct timespec){
		.tv_sec = (int64_t)packed >> 30,
		.tv_nsec = (long)(packed & ((1u << 30) - 1)),
	};
}

/* The state in which a free inode is kept where there are constructors (slab.h). */
static inline void inode_construct(void *object, void *cache)
{
	struct inode *inode = object;

	*inode = (struct inode){.i_cache = cache};
	spin_init(&inode->i_lock);
	sleep_lock_init(&inode->i_rwsem);
}

/* Whether what inode_alloc() does not write is as inode_construct() made it. */
static inline bool inode_constructed(const struct inode *inode)
{
	return inode->i_cache && !inode->i_flags && !inode->i_data && !inode->i_lookups &&
	       !inode->i_atime_late && !inode->i_dentry && !inode->i_next && !inode->i_pprev;
}

static inline void inode_give_back(struct dcs_cache *cache, struct inode *inode)
{
	if (unlikely(cache->inodes.construct)) {
		inode->i_flags = 0;
		inode->i_lookups = 0;
		inode->i_atime_late = 0;
		inode->i_dentry = NULL;
		inode->i_next = NULL;
		inode->i_pprev = NULL;
		sleep_lock_init(&inode->i_rwsem); /* which shared its place */
	}
	slab_free(&cache->inodes, inode);
}

/*
 * @link: NULL, or the body of a symbolic link, copied. Returns an inode with one
 * reference and no links, or NULL.
 */
static inline struct inode *inode_alloc(struct dcs_cache *cache, uint32_t mode, uint32_t uid,
					uint32_t gid, const char *link)
{
	struct inode *inode = slab_alloc(&cache->inodes);
	size_t size = link ? strlen(link) : 0;

	if (unlikely(!inode))
		return NULL;
	if (likely(!cache->inodes.construct))
		inode_construct(inode, cache);
	inode->i_mode = mode;
	inode->i_uid = uid;
	inode->i_gid = gid;
	inode->i_ino = fetch_add_relaxed(&cache->next_ino, 1);
	inode->i_size = size;
	inode->i_nlink = 0;
	inode->i_rdev = 0;
	inode->i_count = 1;
	inode->i_link = NULL;
	if (link) {
		inode->i_link = calloc(1, size + DCS_PATH_PAD + 1);
		if (!inode->i_link) {
			slab_free(&cache->inodes, inode);
			return NULL;
		}
		memcpy(inode->i_link, link, size);
	}
	inode->i_atime = inode->i_mtime = inode->i_ctime = inode_now(cache);
	return inode;
}

/* One that nobody else has seen. */
static inline void inode_discard(struct inode *inode)
{
	sleep_lock_destroy(&inode->i_rwsem);
	free(inode->i_link);
	inode_give_back(inode->i_cache, inode);
}

static inline void inode_free(struct inode *inode)
{
	struct dcs_cache *cache = inode->i_cache;

	free(inode->i_link);
	inode_give_back(cache, inode);
	fetch_add_relaxed(&cache->freed_inodes, 1);
}

static inline void inode_rcu_free(union rcu_node *node)
{
	struct inode *inode = (struct inode *)((char *)node - offsetof(struct inode, i_rcu));
	struct dcs_cache *cache;

	rcu_callback_begin(node);
	cache = inode->i_cache;
	inode_free(inode);
	backlog_freed(&cache->backlog);
}

static inline void iget(struct inode *inode)
{
	fetch_add_relaxed(&inode->i_count, 1);
}

static inline void inode_lock(struct inode *dir)
{
	sleep_lock(&dir->i_rwsem, dir->i_cache->rcu);
}

static inline void inode_unlock(struct inode *dir)
{
	sleep_unlock(&dir->i_rwsem);
}

static inline bool inode_is_dir(const struct inode *inode)
{
	return S_ISDIR(load_relaxed(&inode->i_mode));
}

/* Why a name of more than NAME_MAX bytes is not found: in a removed directory none is looked up. */
static inline int inode_long_name(const struct inode *dir)
{
	return load_relaxed(&dir->i_flags) & S_DEAD ? -ENOENT : -ENAMETOOLONG;
}

/* Any context: the store is told, as it is told to forget. */
static inline void inode_tell_atime(const struct inode *inode, uint64_t atime)
{
	struct dcs_cache *cache = inode->i_cache;
	struct timespec time = inode_time(atime);

	cache->store->touch(cache->store_data, inode->i_ino, &time);
}

/* What lazytime has kept goes with another change, at a sync, or with the inode. */
static inline void inode_write_atime(struct inode *inode)
{
	struct dcs_cache *cache = inode->i_cache;
	uint64_t atime;
	bool late;

	if (likely(!load_relaxed(&inode->i_atime_late)))
		return;
	spin_lock(&inode->i_lock);
	late = inode->i_atime_late;
	atime = inode->i_atime;
	store_relaxed(&inode->i_atime_late, 0);
	spin_unlock(&inode->i_lock);
	if (!late)
		return;
	fetch_add_relaxed(&cache->late_atimes, 1);
	inode_tell_atime(inode, atime);
}

/* Change the link count by @by and stamp ctime. */
static inline void inode_add_links(struct inode *inode, int by)
{
	inode_write_atime(inode);
	spin_lock(&inode->i_lock);
	store_relaxed(&inode->i_nlink, inode->i_nlink + (uint32_t)by);
	store_relaxed(&inode->i_ctime, inode_now(inode->i_cache));
	spin_unlock(&inode->i_lock);
}

/* The names of @dir changed: its subdirectories by @subdirs. */
static inline void inode_dir_changed(struct inode *dir, int subdirs)
{
	uint64_t now = inode_now(dir->i_cache);

	inode_write_atime(dir);
	spin_lock(&dir->i_lock);
	store_relaxed(&dir->i_nlink, dir->i_nlink + (uint32_t)subdirs);
	store_relaxed(&dir->i_mtime, now);
	store_relaxed(&dir->i_ctime, now);
	spin_unlock(&dir->i_lock);
}

static inline void inode_fill_stat(const struct inode *inode, struct dcs_stat *st)
{
	st->ino = load_relaxed(&inode->i_ino);
	st->mode = load_relaxed(&inode->i_mode);
	st->nlink = load_relaxed(&inode->i_nlink);
	st->uid = load_relaxed(&inode->i_uid);
	st->gid = load_relaxed(&inode->i_gid);
	st->rdev = load_relaxed(&inode->i_rdev);
	st->size = load_relaxed(&inode->i_size);
	st->atime = inode_time(load_relaxed(&inode->i_atime));
	st->mtime = inode_time(load_relaxed(&inode->i_mtime));
	st->ctime = inode_time(load_relaxed(&inode->i_ctime));
}

#endif
