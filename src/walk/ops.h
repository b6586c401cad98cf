/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ops.h - operations that resolve a path and read, or change the inode at its end */
#ifndef WALK_OPS_H
#define WALK_OPS_H

#include "dcache/shrink.h"
#include "inode/atime.h"
#include "walk/nameidata.h"

/* A path of the caller's, copied and padded, as getname() copies from user space. */
struct pathname {
	char bytes[DCS_PATH_MAX + DCS_PATH_PAD];
};

/* Returns 0, -ENOENT (empty) or -ENAMETOOLONG. */
static inline int getname(struct pathname *name, const char *path)
{
	size_t len = strnlen(path, DCS_PATH_MAX);

	if (unlikely(!len))
		return -ENOENT;
	if (unlikely(len == DCS_PATH_MAX))
		return -ENAMETOOLONG;
	memcpy(name->bytes, path, len);
	memset(name->bytes + len, 0, DCS_PATH_PAD);
	return 0;
}

static force_inline void op_enter(struct dcs_task *task)
{
	choose(&task->cache->choices);
	rcu_enter(task->cache->rcu_id);
}

static force_inline void op_exit(struct dcs_task *task)
{
	rcu_exit(task->cache->rcu_id);
}

static force_inline void nd_init(struct nameidata *nd, struct dcs_task *task, unsigned flags)
{
	nd->task = task;
	nd->cache = task->cache;
	nd->flags = flags;
	count_add(&task->counters.walks, 1);
}

static force_inline unsigned lookup_flags(unsigned flags)
{
	return flags & DCS_NOFOLLOW ? 0 : LOOKUP_FOLLOW;
}

static int op_stat_padded(struct dcs_task *task, const char *path, unsigned flags,
			  struct dcs_stat *st)
{
	struct nameidata nd;
	int err;

	nd_init(&nd, task, lookup_flags(flags));
	op_enter(task);
	err = path_stat(&nd, path, st);
	op_exit(task);
	return err;
}

static __attribute__((noinline)) int op_stat_copied(struct dcs_task *task, const char *path,
						    unsigned flags, struct dcs_stat *st)
{
	struct pathname name;
	int err = getname(&name, path);

	return err ? err : op_stat_padded(task, name.bytes, flags, st);
}

static int op_stat(struct dcs_task *task, const char *path, unsigned flags, struct dcs_stat *st)
{
	if (likely(flags & DCS_PADDED && *path))
		return op_stat_padded(task, path, flags, st);
	return op_stat_copied(task, path, flags, st);
}

/* Resolve a path of the caller's to a referenced dentry, in an open read-side section. */
static int op_lookup(struct nameidata *nd, struct dcs_task *task, struct pathname *name,
		     const char *path, unsigned flags)
{
	int err = getname(name, path);

	if (err)
		return err;
	nd_init(nd, task, flags | (task->reval ? LOOKUP_REVAL : 0));
	return path_lookup(nd, name->bytes);
}

/* The same, opening the section, which op_end() closes. For operations that are not the hot one. */
static int op_begin(struct nameidata *nd, struct dcs_task *task, struct pathname *name,
		    const char *path, unsigned flags)
{
	int err;

	op_enter(task);
	err = op_lookup(nd, task, name, path, flags);
	if (err)
		op_exit(task);
	return err;
}

static int op_end(struct nameidata *nd, int err)
{
	dput(nd->at.dentry);
	cache_balance(nd->cache);
	backlog_check(&nd->cache->backlog);
	op_exit(nd->task);
	return err;
}

static ssize_t op_readlink(struct dcs_task *task, const char *path, char *buf, size_t size)
{
	struct pathname name;
	struct nameidata nd;
	ssize_t n;
	int err;

	if (!size)
		return -EINVAL;
	err = op_begin(&nd, task, &name, path, 0);
	if (err)
		return err;
	if (!(nd.at.flags & D_LNK)) {
		n = -EINVAL;
	} else {
		n = (ssize_t)strlen(nd.at.inode->i_link);
		if ((size_t)n > size)
			n = (ssize_t)size;
		memcpy(buf, nd.at.inode->i_link, (size_t)n);
		count_add(&task->counters.reads, 1);
		atime_touch(task, nd.at.inode);
	}
	dput(nd.at.dentry);
	op_exit(task);
	return n;
}

/* chdir(2), and chroot(2) with @root. */
static int op_chdir(struct dcs_task *task, const char *path, bool root)
{
	struct fs *fs = task->fs;
	struct pathname name;
	struct nameidata nd;
	struct dentry **which = root ? &fs->root : &fs->pwd, *old;
	int err = op_begin(&nd, task, &name, path, LOOKUP_FOLLOW);

	if (err)
		return err;
	if (!(nd.at.flags & D_DIR))
		return op_end(&nd, -ENOTDIR);
	err = inode_permission(task, nd.at.inode, MAY_EXEC);
	if (!err && root && task->uid)
		err = -EPERM;
	if (err)
		return op_end(&nd, err);
	/* order: fs-write: pairs with fs-read. A new cwd is seen with all that it was when it was
	 * found. */
	fs_write_lock(fs, lock_kind(FS));
	old = *which;
	store_release(which, nd.at.dentry);
	fs_write_unlock(fs, lock_kind(FS));
	nd.at.dentry = old;
	return op_end(&nd, 0);
}

/*
 * Set what @what says of a locked inode (inode_lock), in the store first. Readers see each
 * field whole.
 */
static int inode_set(struct nameidata *nd, struct inode *inode, const struct dcs_stat *attr,
		     unsigned what)
{
	int err = tell(nd->task, setattr, inode->i_ino, attr, what);

	if (err)
		return err;
	if (what & DCS_SET_SIZE && inode->i_data && attr->size < inode->i_size)
		data_truncate(inode, attr->size);
	inode_write_atime(inode);
	spin_lock(&inode->i_lock);
	if (what & DCS_SET_MODE)
		store_relaxed(&inode->i_mode, attr->mode);
	if (what & DCS_SET_OWNER) {
		store_relaxed(&inode->i_uid, attr->uid);
		store_relaxed(&inode->i_gid, attr->gid);
	}
	if (what & DCS_SET_SIZE)
		store_relaxed(&inode->i_size, attr->size);
	if (what & DCS_SET_MTIME)
		store_relaxed(&inode->i_mtime, inode_pack_time(&attr->mtime));
	store_relaxed(&inode->i_ctime, inode_now(nd->cache));
	spin_unlock(&inode->i_lock);
	return 0;
}

static int chmod_locked(struct nameidata *nd, struct inode *inode, mode_t mode)
{
	struct dcs_stat attr;

	if (!task_owns(nd->task, inode))
		return -EPERM;
	if (nd->task->uid && !task_in_group(nd->task, inode->i_gid))
		mode &= ~(mode_t)S_ISGID;
	attr.mode = (inode->i_mode & S_IFMT) | (mode & 07777);
	return inode_set(nd, inode, &attr, DCS_SET_MODE);
}

static int op_chmod(struct dcs_task *task, const char *path, mode_t mode, unsigned flags)
{
	struct pathname name;
	struct nameidata nd;
	int err = op_begin(&nd, task, &name, path, lookup_flags(flags));

	if (err)
		return err;
	if (nd.at.flags & D_LNK)
		return op_end(&nd, -EOPNOTSUPP);
	inode_lock(nd.at.inode);
	err = chmod_locked(&nd, nd.at.inode, mode);
	inode_unlock(nd.at.inode);
	return op_end(&nd, err);
}

/* The owner may give a group of its own; else only root gives away. */
static bool may_chown(const struct dcs_task *task, const struct inode *inode, uid_t uid, gid_t gid)
{
	bool owner = task->uid == inode->i_uid;

	if (!task->uid)
		return true;
	if (uid != (uid_t)-1 && !(owner && uid == inode->i_uid))
		return false;
	return gid == (gid_t)-1 || (owner && (gid == inode->i_gid || task_in_group(task, gid)));
}

/* A chown of a file, even one that changes nothing, ends its set-id bits. */
static uint32_t mode_after_chown(const struct dcs_task *task, const struct inode *inode)
{
	uint32_t mode = inode->i_mode;

	if (S_ISDIR(mode))
		return mode;
	if (mode & S_IXGRP || (task->uid && !task_in_group(task, inode->i_gid)))
		mode &= ~(uint32_t)S_ISGID;
	return mode & ~(uint32_t)S_ISUID;
}

static int chown_locked(struct nameidata *nd, struct inode *inode, uid_t uid, gid_t gid)
{
	struct dcs_stat attr = {
		.mode = mode_after_chown(nd->task, inode),
		.uid = uid != (uid_t)-1 ? uid : inode->i_uid,
		.gid = gid != (gid_t)-1 ? gid : inode->i_gid,
	};

	if (!may_chown(nd->task, inode, uid, gid) ||
	    (attr.mode != inode->i_mode && !task_owns(nd->task, inode)))
		return -EPERM;
	return inode_set(nd, inode, &attr, DCS_SET_MODE | DCS_SET_OWNER);
}

static int op_chown(struct dcs_task *task, const char *path, uid_t uid, gid_t gid, unsigned flags)
{
	struct pathname name;
	struct nameidata nd;
	int err = op_begin(&nd, task, &name, path, lookup_flags(flags));

	if (err)
		return err;
	inode_lock(nd.at.inode);
	err = chown_locked(&nd, nd.at.inode, uid, gid);
	inode_unlock(nd.at.inode);
	return op_end(&nd, err);
}

static int op_setsize(struct dcs_task *task, const char *path, uint64_t size, int64_t mtime_sec,
		      unsigned flags)
{
	struct dcs_stat attr = {.size = size, .mtime = {.tv_sec = mtime_sec}};
	struct pathname name;
	struct nameidata nd;
	struct inode *inode;
	int err = op_begin(&nd, task, &name, path, lookup_flags(flags));

	if (err)
		return err;
	inode = nd.at.inode;
	inode_lock(inode);
	err = !task_owns(task, inode)
		      ? -EPERM
		      : inode_set(&nd, inode, &attr,
				  DCS_SET_MTIME | (nd.at.flags & D_REG ? DCS_SET_SIZE : 0));
	inode_unlock(inode);
	return op_end(&nd, err);
}

/* ---- letting unused dentries go */

#define SHRINK_BATCH 128 /* in one read-side section */

/* Returns how many went, of @count at most. */
static uint64_t op_shrink(struct dcs_cache *cache, uint64_t count, bool force)
{
	uint64_t gone = 0, batch;

	choose(&cache->choices);
	do {
		rcu_enter(cache->rcu_id);
		hits_drain(cache);
		batch = count - gone < SHRINK_BATCH ? count - gone : SHRINK_BATCH;
		batch = shrink(cache, batch, false, force);
		backlog_check(&cache->backlog);
		rcu_exit(cache->rcu_id);
		gone += batch;
	} while (batch && gone < count);
	return gone;
}

/* Renames are held off if they have made it begin again too often. */
static int op_shrink_tree(struct dcs_task *task, const char *path)
{
	struct dcs_cache *cache = task->cache;
	struct pathname name;
	struct nameidata nd;
	uint64_t gone = 0;
	int err = op_begin(&nd, task, &name, path, LOOKUP_FOLLOW);

	if (err)
		return err;
	for (int i = 0; i < TREE_RESTARTS; i++)
		if (shrink_tree(nd.at.dentry, false, &gone))
			return op_end(&nd, 0);
	sleep_lock(&cache->rename_mutex, cache->rcu);
	shrink_tree(nd.at.dentry, true, &gone);
	sleep_unlock(&cache->rename_mutex);
	return op_end(&nd, 0);
}

/* ---- sync */

/* Under the lock of the chain: one whose atime the store does not know, referenced, or NULL. */
static struct inode *late_inode(struct dcs_cache *cache, size_t slot)
{
	struct inode *inode;
	int32_t count;

	spin_lock(icache_lock(cache, slot));
	for (inode = cache->icache.table[slot]; inode; inode = inode->i_next) {
		count = load_relaxed(&inode->i_count);
		while (load_relaxed(&inode->i_atime_late) && count)
			if (cas_acq_rel(&inode->i_count, &count, count + 1))
				goto found;
	}
found:
	spin_unlock(icache_lock(cache, slot));
	return inode;
}

/* Tells the store what lazytime has kept; whose last user goes meanwhile tells it himself. */
static void op_sync(struct dcs_cache *cache)
{
	struct inode *inode;

	if (!cache->atime.lazy)
		return;
	choose(&cache->choices);
	for (size_t slot = 0; slot < (size_t)1 << cache->table_bits; slot++) {
		rcu_enter(cache->rcu_id);
		while ((inode = late_inode(cache, slot))) {
			inode_write_atime(inode);
			iput(inode);
		}
		rcu_exit(cache->rcu_id);
	}
}

#endif
