/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * locked.h - what the walks share that hold a reference on each dentry they stand on
 *
 * A walk that does so differs from another in how it looks a name up.
 */
#ifndef WALK_LOCKED_H
#define WALK_LOCKED_H

#include "dcache/mount.h"
#include "inode/atime.h"
#include "walk/lookup.h"
#include "walk/path.h"

/*
 * @d is referenced, so what is positive stays as it is.
 * order: ref-inode: pairs with dentry-inode. A type is never seen without its inode.
 */
static force_inline void ref_place(struct place *p, struct dentry *d)
{
	p->dentry = d;
	p->flags = load_acquire(&d->d_flags);
	p->inode = p->flags & D_NEGATIVE ? NULL : LINKED(struct inode, load_relaxed(&d->d_inode));
}

/* Where cwd and root are read under a lock; a sequence count has a spinlock for that. */
static force_inline void fs_read_lock(struct dcs_task *task)
{
	if (lock_kind(FS) == LOCK_SEQ)
		spin_lock(&task->fs->lock.lock);
	else
		lock_read_acquire(&task->fs->other, lock_kind(FS), DCS_LOCK_FS, &task->readers.fs);
}

static force_inline void fs_read_unlock(struct dcs_task *task)
{
	if (lock_kind(FS) == LOCK_SEQ)
		spin_unlock(&task->fs->lock.lock);
	else
		lock_read_release(&task->fs->other, lock_kind(FS), DCS_LOCK_FS, &task->readers.fs);
}

static force_inline struct dentry *fs_get(struct dcs_task *task, struct dentry **which)
{
	struct dentry *d;

	fs_read_lock(task);
	d = *which;
	dget(d);
	fs_read_unlock(task);
	return d;
}

static inline void ref_set_root(struct nameidata *nd)
{
	if (!nd->root)
		nd->root = fs_get(nd->task, &nd->task->fs->root);
}

static force_inline int ref_start(struct nameidata *nd, bool at_root)
{
	struct fs *fs = nd->task->fs;

	nd->root = NULL;
	mount_get(nd->task);
	ref_place(&nd->at, fs_get(nd->task, at_root ? &fs->root : &fs->pwd));
	return 0;
}

static int ref_jump_root(struct nameidata *nd)
{
	ref_set_root(nd);
	dput(nd->at.dentry);
	dget(nd->root);
	ref_place(&nd->at, nd->root);
	return 0;
}

/* A name that is not cached. The walk goes on with what is so now, which is not asked again. */
static __attribute__((noinline)) int ref_lookup_slow(struct nameidata *nd, const char *name,
						     uint64_t hash_len)
{
	struct dentry *d;
	int err = 0;

	count_add(&nd->task->counters.slow_lookups, 1);
	inode_lock(nd->at.inode);
	d = d_lookup(nd->cache, nd->at.dentry, name, hash_len, &nd->task->counters);
	if (!d)
		err = lookup_ask(nd, name, hash_len, &d);
	inode_unlock(nd->at.inode);
	cache_balance(nd->cache);
	backlog_check(&nd->cache->backlog);
	if (err)
		return err;
	ref_place(&nd->next, d);
	if (nd->next.flags & D_NEGATIVE) {
		dput(d);
		return -ENOENT;
	}
	nd->next.flags &= ~D_REVALIDATE;
	return 0;
}

/* The lookup of the name gave @d, referenced, or NULL. */
static force_inline int ref_found(struct nameidata *nd, struct dentry *d, const char *name,
				  uint64_t hash_len)
{
	count_add(&nd->task->counters.refs, 1);
	if (unlikely(!d))
		return ref_lookup_slow(nd, name, hash_len);
	ref_place(&nd->next, d);
	return 0;
}

static __attribute__((noinline)) int ref_revalidate(struct nameidata *nd, const char *name,
						    uint64_t hash_len)
{
	struct dentry *d = nd->next.dentry;
	int valid = ask_revalidate(nd, nd->next.inode, false, name, hash_len_len(hash_len));

	if (valid > 0)
		return 0;
	if (!valid)
		d_invalidate(d);
	dput(d);
	return valid < 0 ? valid : ref_lookup_slow(nd, name, hash_len);
}

static int ref_dotdot(struct nameidata *nd)
{
	struct dentry *parent;

	ref_set_root(nd);
	if (nd->at.dentry == nd->root)
		return 0;
	mount_dotdot(nd->task);
	parent = dget_parent(nd->at.dentry);
	dput(nd->at.dentry);
	ref_place(&nd->at, parent);
	return 0;
}

static force_inline void ref_step(struct nameidata *nd)
{
	dput(nd->at.dentry);
	nd->at = nd->next;
}

static force_inline void ref_forget(struct nameidata *nd)
{
	dput(nd->next.dentry);
}

static int ref_hold_link(struct nameidata *nd, const char **body)
{
	nd->held[nd->n_held++] = nd->next.dentry;
	*body = nd->next.inode->i_link;
	atime_touch(nd->task, nd->next.inode);
	return 0;
}

static int ref_confirm(struct nameidata *nd)
{
	(void)nd;
	return 0;
}

/* Resolve @path; on success @at holds a reference, for the caller to put. */
static force_inline int locked_walk(struct nameidata *nd, const char *path, const struct walk *w)
{
	struct dcs_counters *c = &nd->task->counters;
	int err;

	nd->depth = nd->links = nd->components = nd->n_held = 0;
	err = walk_path(nd, path, w);
	while (unlikely(nd->n_held))
		dput(nd->held[--nd->n_held]);
	if (unlikely(nd->root))
		dput(nd->root);
	if (unlikely(err))
		dput(nd->at.dentry);
	mount_put(nd->task);
	count_add(&c->ref_walks, 1);
	count_add(&c->components, nd->components);
	count_add(&c->links, nd->links);
	return err;
}

static int ref_lookup(struct nameidata *nd, const char *name, uint64_t hash_len)
{
	struct dentry *d;

	d = d_lookup(nd->cache, nd->at.dentry, name, hash_len, &nd->task->counters);
	return ref_found(nd, d, name, hash_len);
}

/* The last rung: what is cached is asked about, each name. */
static int reval_lookup(struct nameidata *nd, const char *name, uint64_t hash_len)
{
	struct dentry *d;
	int err;

	d = d_lookup(nd->cache, nd->at.dentry, name, hash_len, &nd->task->counters);
	err = ref_found(nd, d, name, hash_len);
	if (!err && d)
		nd->next.flags |= D_REVALIDATE;
	return err;
}

static const struct walk reval_walk = {
	.name = "ref-walk with revalidation",
	.start = ref_start,
	.jump_root = ref_jump_root,
	.lookup = reval_lookup,
	.revalidate = ref_revalidate,
	.step = ref_step,
	.forget = ref_forget,
	.dotdot = ref_dotdot,
	.hold_link = ref_hold_link,
	.confirm = ref_confirm,
};

static __attribute__((noinline)) int reval_path_lookup(struct nameidata *nd, const char *path)
{
	return locked_walk(nd, path, &reval_walk);
}

static force_inline int locked_path_lookup(struct nameidata *nd, const char *path,
					   const struct walk *w)
{
	if (unlikely(nd->flags & LOOKUP_REVAL))
		return reval_path_lookup(nd, path);
	return locked_walk(nd, path, w);
}

/* What a lookup gave, as a stat, done again where something was stale. */
static inline int locked_stat(struct nameidata *nd, int err, const char *path, struct dcs_stat *st)
{
	if (unlikely(err == -ESTALE)) {
		count_add(&nd->task->counters.stale_retries, 1);
		nd->flags |= LOOKUP_REVAL;
		err = reval_path_lookup(nd, path);
	}
	if (likely(!err)) {
		inode_fill_stat(nd->at.inode, st);
		dput(nd->at.dentry);
	}
	return err;
}

#endif
