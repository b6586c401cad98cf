/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * atime.h - when reading a file stores its access time, and who is told
 *
 * Reading a file or a directory, readlink(2) and following a symbolic link touch an inode;
 * a walk through directories and a stat do not. The policy (dcs_config.atime) says whether
 * a touch is due. One that is due stores i_atime, under i_lock, and tells the store: at once,
 * or with lazytime when the inode changes otherwise, at a sync, or when it is let go
 * (inode_write_atime). So a store-free walk that comes by a link whose touch is due drops to
 * ref-walk, and one whose touch is not due goes on: noatime costs it one load.
 *
 * Behaviour: mount(8), "noatime" to "lazytime". A store that takes no times (ops->touch NULL)
 * is like a mount that is read-only: nothing is touched.
 */
#ifndef INODE_ATIME_H
#define INODE_ATIME_H

#include "inode/inode.h"

#define ATIME_DAY ((uint64_t)24 * 60 * 60 << 30) /* as packed times */

/* Is @atime to become @now, which differs? Since 2.6.20; since 2.6.30 (@daily) also when it is old.
 */
static inline bool atime_is_relevant(uint64_t atime, uint64_t mtime, uint64_t ctime, uint64_t now,
				     bool daily)
{
	if (mtime >= atime || ctime >= atime)
		return true;
	return daily && now >= atime + ATIME_DAY;
}

/* A touch at @now: does it change i_atime? */
static inline bool atime_changes(const struct atime_policy *policy, const struct inode *inode,
				 uint64_t now)
{
	uint64_t atime = load_relaxed(&inode->i_atime);

	if (policy->not_dirs && inode_is_dir(inode))
		return false;
	if (atime == now)
		return false;
	return policy->rule == ATIME_STRICT ||
	       atime_is_relevant(atime, load_relaxed(&inode->i_mtime),
				 load_relaxed(&inode->i_ctime), now,
				 policy->rule == ATIME_RELATIVE);
}

static __attribute__((noinline)) bool atime_due_now(struct dcs_cache *cache,
						    const struct inode *inode)
{
	if (cache->store && !cache->store->touch)
		return false;
	return atime_changes(&cache->atime, inode, inode_now(cache));
}

static force_inline bool atime_due(struct dcs_cache *cache, const struct inode *inode)
{
	return unlikely(cache->atime.rule != ATIME_NEVER) && atime_due_now(cache, inode);
}

static __attribute__((noinline)) void atime_store(struct dcs_task *task, struct inode *inode)
{
	struct dcs_cache *cache = task->cache;
	uint64_t now = inode_now(cache);
	bool late = cache->atime.lazy && cache->store;

	spin_lock(&inode->i_lock);
	store_relaxed(&inode->i_atime, now);
	if (late)
		store_relaxed(&inode->i_atime_late, 1);
	spin_unlock(&inode->i_lock);
	count_add(&task->counters.atime_stores, 1);
	if (late || !cache->store)
		return;
	count_add(&task->counters.atime_writes, 1);
	inode_tell_atime(inode, now);
}

/* The inode was read. Takes i_lock; does not sleep but as the store does. */
static force_inline void atime_touch(struct dcs_task *task, struct inode *inode)
{
	if (atime_due(task->cache, inode))
		atime_store(task, inode);
}

#endif
