/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * global-lock.h - the walk of Linux 2.4: one dcache_lock for every lookup
 *
 * Each component is looked up with the cache's one dcache_lock held, compared without
 * a lock of its own, referenced by an atomic operation, and its directory let go
 * by another. Whatever changes a chain, a name or a parent holds the dcache_lock
 * too (change_lock in cache.h), so that a lookup under it is exact: it needs neither
 * d_seq nor rename_lock.
 *
 * Left out of that kernel: d_lock, bucket locks, directory locks and rename_lock are
 * still taken by changes, below the dcache_lock or above it, as they are in every walk;
 * memory is given back after a grace period; a name found missing is looked for a
 * second time as ref-walk does; the big kernel lock, mounts and their counts.
 */
#ifndef WALK_GLOBAL_LOCK_H
#define WALK_GLOBAL_LOCK_H

#define CHANGES_TAKE_DCACHE_LOCK 1
#include "walk/locked.h"

/* With a lock that has readers, lookups are those, and changes the writers. */
static force_inline void dcache_read_lock(struct dcs_task *task)
{
	lock_read_acquire(&task->cache->dcache_lock, lock_kind(DCACHE), DCS_LOCK_DCACHE,
			  &task->readers.dcache);
}

static force_inline void dcache_read_unlock(struct dcs_task *task)
{
	lock_read_release(&task->cache->dcache_lock, lock_kind(DCACHE), DCS_LOCK_DCACHE,
			  &task->readers.dcache);
}

static int global_lookup(struct nameidata *nd, const char *name, uint64_t hash_len)
{
	struct dcs_cache *cache = nd->cache;
	struct dentry *d, *parent = nd->at.dentry;
	struct bucket *bucket = hash_bucket(cache, parent, hash_len);
	uint64_t skipped = 0;

	dcache_read_lock(nd->task);
	for_each_chain (d, bucket) {
		if (d_match(d, parent, name, hash_len)) {
			dget(d);
			break;
		}
		skipped++;
	}
	dcache_read_unlock(nd->task);
	count_add(&nd->task->counters.chain, skipped);
	return ref_found(nd, d, name, hash_len);
}

static int global_dotdot(struct nameidata *nd)
{
	struct dentry *parent, *d = nd->at.dentry;

	ref_set_root(nd);
	if (d == nd->root)
		return 0;
	mount_dotdot(nd->task);
	dcache_read_lock(nd->task);
	parent = LINKED(struct dentry, load_relaxed(&d->d_parent));
	dget(parent);
	dcache_read_unlock(nd->task);
	dput(d);
	ref_place(&nd->at, parent);
	return 0;
}

static const struct walk global_walk = {
	.name = "global-lock",
	.start = ref_start,
	.jump_root = ref_jump_root,
	.lookup = global_lookup,
	.revalidate = ref_revalidate,
	.step = ref_step,
	.forget = ref_forget,
	.dotdot = global_dotdot,
	.hold_link = ref_hold_link,
	.confirm = ref_confirm,
};

static __attribute__((noinline)) int global_path_lookup(struct nameidata *nd, const char *path)
{
	return locked_path_lookup(nd, path, &global_walk);
}

static int global_path_stat(struct nameidata *nd, const char *path, struct dcs_stat *st)
{
	return locked_stat(nd, global_path_lookup(nd, path), path, st);
}

#endif
