/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * store-free.h - store-free walking: d_seq is checked hand over hand
 *
 * Stores nothing that another thread reads. Each step samples the child's d_seq,
 * reads the child, checks the child's count, and then that of the directory that
 * it was found in: so at one instant the child had that name, inode and type, and
 * at a later one the directory was still what it had been found to be. What is
 * reached is kept alive by the read-side section alone.
 *
 * Where it must sleep or write, or a count moved, it gives up (-ECHILD), counts
 * why, and the walk is done again by ref-walk. A hit does not look at rename_lock;
 * a miss is not believed, and gives up.
 */
#ifndef WALK_STORE_FREE_H
#define WALK_STORE_FREE_H

#include "walk/ref-walk.h"

static int rcu_give_up(struct nameidata *nd, enum dcs_exit why)
{
	count_add(&nd->task->counters.exits[why], 1);
	return -ECHILD;
}

/*
 * Read @d, whose d_seq was sampled as p->seq; false if it moved.
 * order: rcu-inode: pairs with dentry-inode. The inode is seen with its fields.
 */
static force_inline bool rcu_place(struct place *p, struct dentry *d)
{
	p->dentry = d;
	p->inode = LINKED(struct inode, load_dependent(&d->d_inode));
	preempt_point();
	p->flags = load_relaxed(&d->d_flags);
	return !seq_retry(&d->d_seq, p->seq);
}

static force_inline int rcu_start(struct nameidata *nd, bool at_root)
{
	struct fs *fs = nd->task->fs;
	struct dentry *d;
	unsigned seq;

	mount_rcu_begin(nd->task);
	/* Another lock than a sequence count is a store to a line that the tasks share. */
	if (lock_kind(FS) != LOCK_SEQ)
		fs_read_lock(nd->task);
	/* order: fs-read: pairs with fs-write. */
	do {
		seq = seq_begin(&fs->lock.seq);
		nd->root = load_dependent(&fs->root);
		d = at_root ? nd->root : load_dependent(&fs->pwd);
		nd->at.seq = seq_sample(&d->d_seq);
	} while (seq_retry(&fs->lock.seq, seq));
	if (lock_kind(FS) != LOCK_SEQ)
		fs_read_unlock(nd->task);
	return likely(rcu_place(&nd->at, d)) ? 0 : rcu_give_up(nd, DCS_EXIT_SEQ);
}

static int rcu_jump_root(struct nameidata *nd)
{
	nd->at.seq = seq_sample(&nd->root->d_seq);
	if (unlikely(!rcu_place(&nd->at, nd->root) || !nd->at.inode))
		return rcu_give_up(nd, DCS_EXIT_SEQ);
	return 0;
}

static force_inline int rcu_lookup(struct nameidata *nd, const char *name, uint64_t hash_len)
{
	struct dentry *parent = nd->at.dentry, *d;
	struct bucket *bucket = hash_bucket(nd->cache, parent, hash_len);

	for_each_chain (d, bucket) {
		nd->next.seq = seq_sample(&d->d_seq);
		if (!d_match(d, parent, name, hash_len) || d_unhashed(d))
			continue;
		if (unlikely(!rcu_place(&nd->next, d) || seq_retry(&parent->d_seq, nd->at.seq)))
			return rcu_give_up(nd, DCS_EXIT_SEQ);
		return 0;
	}
	return rcu_give_up(nd, DCS_EXIT_NODENTRY);
}

/* To ask is to sleep. */
static int rcu_revalidate(struct nameidata *nd, const char *name, uint64_t hash_len)
{
	(void)name, (void)hash_len;
	return rcu_give_up(nd, DCS_EXIT_REVALIDATE);
}

static force_inline void rcu_step(struct nameidata *nd)
{
	nd->at = nd->next;
}

static void rcu_forget(struct nameidata *nd)
{
	(void)nd;
}

static int rcu_dotdot(struct nameidata *nd)
{
	struct dentry *d = nd->at.dentry, *parent;
	unsigned seq = nd->at.seq;

	if (d == nd->root)
		return 0;
	if (mount_is_shared())
		mount_dotdot(nd->task);
	parent = LINKED(struct dentry, load_dependent(&d->d_parent));
	nd->at.seq = seq_sample(&parent->d_seq);
	if (unlikely(!rcu_place(&nd->at, parent) || seq_retry(&d->d_seq, seq)))
		return rcu_give_up(nd, DCS_EXIT_SEQ);
	return 0;
}

/* The body goes with the inode, and the inode after a grace period. To touch it is to write. */
static int rcu_hold_link(struct nameidata *nd, const char **body)
{
	if (atime_due(nd->cache, nd->next.inode))
		return rcu_give_up(nd, DCS_EXIT_ATIME);
	*body = load_relaxed(&nd->next.inode->i_link);
	return 0;
}

static force_inline int rcu_confirm(struct nameidata *nd)
{
	if (unlikely(seq_retry(&nd->at.dentry->d_seq, nd->at.seq)))
		return rcu_give_up(nd, DCS_EXIT_SEQ);
	return 0;
}

static const struct walk rcu_walk = {
	.name = "rcu-walk",
	.start = rcu_start,
	.jump_root = rcu_jump_root,
	.lookup = rcu_lookup,
	.revalidate = rcu_revalidate,
	.step = rcu_step,
	.forget = rcu_forget,
	.dotdot = rcu_dotdot,
	.hold_link = rcu_hold_link,
	.confirm = rcu_confirm,
};

/* Or not: the walk is done again by ref-walk. */
static force_inline void rcu_gave_up(struct nameidata *nd)
{
	mount_rcu_end(nd->task);
}

/* Resolve @path without references. On success @at holds none and must be confirmed after use. */
static force_inline int rcu_walk_path(struct nameidata *nd, const char *path)
{
	nd->depth = nd->links = nd->components = 0;
	return walk_path(nd, path, &rcu_walk);
}

/* Each rcu_walk_path() ends with one of these two: here, as a store-free walk. */
static force_inline void rcu_done(struct nameidata *nd)
{
	struct dcs_counters *c = &nd->task->counters;

	mount_rcu_end(nd->task);

	count_add(&c->rcu_walks, 1);
	count_add(&c->components, nd->components);
	count_add(&c->links, nd->links);
}

#endif
