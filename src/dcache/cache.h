/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * cache.h - what a cache and a task are made of, whatever the layout and the walk
 *
 * Lock order, outermost first (a thread that holds one may take those below it):
 *
 *	cache->rename_mutex		renames between directories
 *	  inode->i_rwsem		sleeps; of a directory: its names. Ancestors first
 *	    cache->dcache_lock		walk global-lock only: lookups, and changes to chains
 *	    cache->rename_lock		every d_move; a seqlock
 *	      dentry->d_lock		parent before child; otherwise under rename_lock
 *		bucket lock
 *		inode->i_lock		a leaf
 *		icache lock		a leaf: of a chain of inodes by number
 *		lru->lock		a leaf
 *		disk->lock		a leaf: of a RAM disk's blocks
 *		slab->lock		of an object cache with a constructor
 *		  arena->lock		a leaf
 *	cache->tasks_lock		the list of tasks; nothing is taken below
 *	fs->lock			cwd and root of a task; d_lock may be taken below
 *
 * What a walk reads of a cache is written once, when the cache is made, and lies in
 * lines of its own.
 */
#ifndef DCACHE_CACHE_H
#define DCACHE_CACHE_H

#include "dcache/lru.h"
#include "dcs/dcs.h"
#include "dcs/store.h"
#include "hash/hash.h"
#include "inode/slab.h"
#include "lock/choice.h"
#include "lock/seq.h"
#include "lock/sleep.h"
#include "lock/spin.h"
#include "mem/arena.h"
#include "mem/mem.h"
#include "rcu/backlog.h"

struct dentry;
struct disk;
struct engine;

struct bucket; /* of the layout */

/* What becomes of negative dentries. */
enum negative_policy {
	NEGATIVE_KEEP,	/* as others: least recently used first, from each in proportion (ext4) */
	NEGATIVE_NONE,	/* none is cached (tmpfs) */
	NEGATIVE_QUOTA, /* among themselves, those asked for again last (FreeBSD) */
};

/* When reading stores an access time: see inode/atime.h. */
struct atime_policy {
	enum { ATIME_NEVER, ATIME_RELATIVE, ATIME_RELATIVE_2007, ATIME_STRICT } rule;
	bool lazy;     /* the store is told later */
	bool not_dirs; /* directories never */
};

#define BUCKET_LOCKS 1024 /* a bucket's lock is that of its index modulo this */

/*
 * Where slabs of dentries lie in the kernels that are modelled: parents hash by the address
 * that they would have there.
 */
#define KERNEL_BASE_64 0xffff888100000000ull
#define KERNEL_BASE_32 0xc1000000ull

#define ICACHE_LOCKS 256

/* The mount of the root. See mount.h. */
struct mount {
	union lock lock;
	uint64_t count;
};

/* Inodes by number: of a cache with a store behind it. See inode/icache.h. */
struct icache {
	struct inode **table; /* as many chains as the dcache has */
	spin_t locks[ICACHE_LOCKS];
};

struct dcs_cache {
	/* Read by walks, constant. */
	const struct engine *engine on_own_line;
	struct bucket *table;
	uint64_t address_bias; /* a dentry's address here plus this is its address in the kernel */
	uint64_t hash_key[2];
	unsigned table_bits;
	enum rcu_id rcu_id;
	const struct hash_ops *hash;
	enum dcs_final final;
	struct choices choices;
	struct dentry *root;
	const struct rcu_flavour *rcu;
	const struct dcs_store_ops *store; /* NULL: the cache is the tree, and pins it */
	void *store_data;
	uint64_t store_latency;
	struct disk *disk; /* of file data; NULL: files have a size and no data */
	bool constructors; /* of object caches */
	struct atime_policy atime;
	const uint64_t *clock;

	struct seqlock rename_lock on_own_line;
	union lock dcache_lock on_own_line; /* see change_lock() */
	struct mount mount on_own_line;
	struct sleep_lock rename_mutex on_own_line;

	struct slab dentries on_own_line, inodes;
	struct arena names on_own_line;
	enum negative_policy negative_policy;
	uint64_t limit, negative_limit;
	struct lru lru on_own_line;
	struct icache icache on_own_line;

	uint64_t live on_own_line; /* dentries that are not dead */
	uint64_t negatives;	   /* and negative */
	uint32_t shrinking;	   /* somebody is making room */
	uint64_t next_ino;
	uint64_t freed_dentries, freed_inodes;
	uint64_t placement;	/* see mem/placement.h */
	size_t table_shift;	/* of the table from where its mapping begins */
	uint64_t late_atimes;	/* told to the store after they were made */
	uint64_t registrations; /* of all threads, nested ones too */

	struct backlog backlog on_own_line;

	pthread_mutex_t tasks_lock on_own_line; /* of what follows */
	struct dcs_task *tasks;
	struct dcs_counters ended; /* of tasks that are gone */

	union lock bucket_locks[BUCKET_LOCKS] on_own_line;
};

/* An engine whose walk looks names up under the dcache_lock says so. */
#ifndef CHANGES_TAKE_DCACHE_LOCK
#define CHANGES_TAKE_DCACHE_LOCK 0
#endif

/* Around whatever changes a chain, or the name or parent of a dentry that is on one. */
static inline void change_lock(struct dcs_cache *cache)
{
	if (CHANGES_TAKE_DCACHE_LOCK)
		lock_acquire(&cache->dcache_lock, lock_kind(DCACHE), DCS_LOCK_DCACHE);
}

static inline void change_unlock(struct dcs_cache *cache)
{
	if (CHANGES_TAKE_DCACHE_LOCK)
		lock_release(&cache->dcache_lock, lock_kind(DCACHE), DCS_LOCK_DCACHE);
}

/* Does the cache itself hold the tree, so that positive dentries may not go (as in ramfs)? */
static force_inline bool cache_pins(const struct dcs_cache *cache)
{
	return !cache->store;
}

/* A working directory and a root, shared by the threads of a process. */
struct fs {
	struct seqlock lock on_own_line; /* of root and pwd; each holds a reference */
	union lock other;		 /* in its place, if --lock fs says so */
	struct dentry *root, *pwd;
	mode_t umask;
	unsigned users; /* under cache->tasks_lock */
};

/* The verbs for one who changes cwd or root, by the cache's choice of lock. */
static inline void fs_write_lock(struct fs *fs, enum lock_kind kind)
{
	if (kind == LOCK_SEQ)
		seqlock_write_lock(&fs->lock);
	else
		lock_acquire(&fs->other, kind, DCS_LOCK_FS);
}

static inline void fs_write_unlock(struct fs *fs, enum lock_kind kind)
{
	if (kind == LOCK_SEQ)
		seqlock_write_unlock(&fs->lock);
	else
		lock_release(&fs->other, kind, DCS_LOCK_FS);
}

#define NGROUPS 32

/* A task's records in the big-reader locks that it reads under. */
struct readers {
	ck_brlock_reader_t dcache, mount, fs;
};

/* One thread at a time uses a task, so its counters are that thread's own lines. */
struct dcs_task {
	struct dcs_cache *cache on_own_line;
	struct fs *fs;
	uid_t uid;
	gid_t gid;
	size_t ngroups;
	gid_t groups[NGROUPS];
	struct readers readers;
	struct file **files; /* by descriptor: walk/open-file.h */
	unsigned n_files;
	bool reval; /* the operation is done again, for something was stale */
	struct dcs_counters counters on_own_line;
	struct hit_ring hits on_own_line;
	struct dcs_task *next, **pprev;
};

#endif
