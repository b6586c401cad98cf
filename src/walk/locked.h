/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * locked.h - what the walks share that hold a reference on each dentry they stand on
 *
 * A walk that does so differs from another in how it looks a name up.
 */
#ifndef WALK_LOCKED_H
#define WALK_LOCKED_H

#include "walk/path.h"

/*
 * @d is referenced, so what is positive stays as it is.
 * order: ref-inode: pairs with dentry-inode. A type is never seen without its inode.
 */
static inline void ref_place(struct place *p, struct dentry *d)
{
	p->dentry = d;
	p->flags = load_acquire(&d->d_flags);
	p->inode = p->flags ? load_relaxed(&d->d_inode) : NULL;
}

static inline struct dentry *fs_get(struct fs *fs, struct dentry **which)
{
	struct dentry *d;

	spin_lock(&fs->lock.lock);
	d = *which;
	dget(d);
	spin_unlock(&fs->lock.lock);
	return d;
}

static inline void ref_set_root(struct nameidata *nd)
{
	if (!nd->root)
		nd->root = fs_get(nd->task->fs, &nd->task->fs->root);
}

static int ref_start(struct nameidata *nd, bool at_root)
{
	struct fs *fs = nd->task->fs;

	nd->root = NULL;
	ref_place(&nd->at, fs_get(fs, at_root ? &fs->root : &fs->pwd));
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

/* The name is missing: remember that, if there is room. The directory is locked. */
static int ref_add_negative(struct nameidata *nd, const char *name, uint64_t hash_len)
{
	struct dcs_cache *cache = nd->cache;
	struct dentry *d;

	if (nd->at.inode->i_flags & S_DEAD ||
	    load_relaxed(&cache->negatives) >= cache->negative_limit)
		return -ENOENT;
	d = d_alloc(cache, nd->at.dentry, name, hash_len);
	if (d) {
		d_rehash(d);
		dput(d);
	}
	return -ENOENT;
}

/* A name that is not cached: nobody else can answer, so unless it is there by now it is missing. */
static __attribute__((noinline)) int ref_lookup_slow(struct nameidata *nd, const char *name,
						     uint64_t hash_len, struct dentry **out)
{
	int err = 0;

	count_add(&nd->task->counters.slow_lookups, 1);
	inode_lock(nd->at.inode);
	*out = d_lookup(nd->cache, nd->at.dentry, name, hash_len, &nd->task->counters);
	if (!*out)
		err = ref_add_negative(nd, name, hash_len);
	inode_unlock(nd->at.inode);
	return err;
}

/* The lookup of the name gave @d, referenced, or NULL. */
static force_inline int ref_found(struct nameidata *nd, struct dentry *d, const char *name,
				  uint64_t hash_len)
{
	int err;

	if (unlikely(!d)) {
		err = ref_lookup_slow(nd, name, hash_len, &d);
		if (err)
			return err;
	}
	count_add(&nd->task->counters.refs, 1);
	ref_place(&nd->next, d);
	return 0;
}

static void ref_step(struct nameidata *nd)
{
	dput(nd->at.dentry);
	nd->at = nd->next;
}

static void ref_forget(struct nameidata *nd)
{
	dput(nd->next.dentry);
}

static int ref_hold_link(struct nameidata *nd, const char **body)
{
	nd->held[nd->n_held++] = nd->next.dentry;
	*body = nd->next.inode->i_link;
	return 0;
}

static int ref_confirm(struct nameidata *nd)
{
	(void)nd;
	return 0;
}

/* Resolve @path; on success @at holds a reference, for the caller to put. */
static force_inline int locked_path_lookup(struct nameidata *nd, const char *path,
					   const struct walk *w)
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
	count_add(&c->ref_walks, 1);
	count_add(&c->components, nd->components);
	count_add(&c->links, nd->links);
	return err;
}

/* What locked_path_lookup() gave, as a stat. */
static inline int locked_stat(struct nameidata *nd, int err, struct dcs_stat *st)
{
	if (likely(!err)) {
		inode_fill_stat(nd->at.inode, st);
		dput(nd->at.dentry);
	}
	return err;
}

#endif
