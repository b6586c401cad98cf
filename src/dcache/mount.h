/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mount.h - what a walk does to the mount that it is in, and what guards mounts
 *
 * There is one mount, that of the root, so nothing is crossed; this is what a walk pays
 * for mounts all the same, and where they will be guarded:
 *
 *	spinlocks, rwlock, pflock	vfsmount_lock, as until 2.6.35: taken at each `..`. The
 *				mount's count is one word, which each walk takes and drops
 *	brlock			as from 2.6.36 to 3.12: a store-free walk holds it from start to
 *				end, in a line of its task; a locked one at each `..`
 *	seq			since 3.13: nothing, until a mount is crossed
 *
 * With the last two, a mount is counted by task (by core, in Linux), which moves no line
 * and is left out.
 */
#ifndef DCACHE_MOUNT_H
#define DCACHE_MOUNT_H

#include "dcache/cache.h"
#include "lock/choice.h"

static force_inline bool mount_is_shared(void)
{
	return lock_kind(MOUNT) != LOCK_SEQ && lock_kind(MOUNT) != LOCK_BRLOCK;
}

static force_inline void mount_read_lock(struct dcs_task *task)
{
	if (lock_kind(MOUNT) != LOCK_SEQ)
		lock_read_acquire(&task->cache->mount.lock, lock_kind(MOUNT), DCS_LOCK_MOUNT,
				  &task->readers.mount);
}

static force_inline void mount_read_unlock(struct dcs_task *task)
{
	if (lock_kind(MOUNT) != LOCK_SEQ)
		lock_read_release(&task->cache->mount.lock, lock_kind(MOUNT), DCS_LOCK_MOUNT,
				  &task->readers.mount);
}

/* Around `..`, which may leave a mount; in a store-free walk a brlock is held already. */
static force_inline void mount_dotdot(struct dcs_task *task)
{
	mount_read_lock(task);
	mount_read_unlock(task);
}

static force_inline void mount_get(struct dcs_task *task)
{
	if (mount_is_shared())
		fetch_add_relaxed(&task->cache->mount.count, 1);
}

static force_inline void mount_put(struct dcs_task *task)
{
	if (mount_is_shared())
		fetch_add_release(&task->cache->mount.count, (uint64_t)-1);
}

/* Around a store-free walk. */
static force_inline void mount_rcu_begin(struct dcs_task *task)
{
	if (lock_kind(MOUNT) == LOCK_BRLOCK)
		mount_read_lock(task);
}

static force_inline void mount_rcu_end(struct dcs_task *task)
{
	if (lock_kind(MOUNT) == LOCK_BRLOCK)
		mount_read_unlock(task);
}

#endif
