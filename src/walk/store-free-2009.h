/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * store-free-2009.h - the walk of the patch of October 2009
 *
 * Store-free for all components but the last, whose reference is taken under its
 * d_lock, and dropped again, for a stat too: final=none is not heeded.
 *
 * Left out: the patch's own way to tell that a dentry is still what it was. Here that is
 * d_seq, as in rcu-walk, so that the two differ in how they end and in nothing else.
 */
#ifndef WALK_STORE_FREE_2009_H
#define WALK_STORE_FREE_2009_H

#include "walk/store-free.h"

/* Under d_lock nobody renames, unhashes or kills the dentry. */
static int store_free_2009_reference(struct nameidata *nd)
{
	struct dentry *d = nd->at.dentry;
	bool same;

	d_lock(d);
	same = lockref_count(&d->d_lockref) >= 0 && !seq_retry(&d->d_seq, nd->at.seq);
	if (likely(same))
		lockref_add_locked(&d->d_lockref, 1);
	d_unlock(d);
	if (unlikely(!same))
		return rcu_give_up(nd, DCS_EXIT_LEGITIMIZE);
	mount_get(nd->task);
	mount_put(nd->task);
	count_add(&nd->task->counters.refs, 1);
	return 0;
}

/* Resolve @path; on success @at holds a reference, for the caller to put. */
static int store_free_2009_path_lookup(struct nameidata *nd, const char *path)
{
	int err;

	if (unlikely(nd->flags & LOOKUP_REVAL))
		return ref_path_lookup(nd, path);
	err = rcu_walk_path(nd, path);
	if (likely(!err))
		err = store_free_2009_reference(nd);
	if (unlikely(err == -ECHILD)) {
		rcu_gave_up(nd);
		return ref_path_lookup(nd, path);
	}
	rcu_done(nd);
	return err;
}

static int store_free_2009_path_stat(struct nameidata *nd, const char *path, struct dcs_stat *st)
{
	return locked_stat(nd, store_free_2009_path_lookup(nd, path), path, st);
}

#endif
