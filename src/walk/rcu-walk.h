/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rcu-walk.h - the store-free walk of Linux since 2.6.38
 *
 * The last dentry's reference is taken by one compare-and-swap (final=ref), as Linux
 * does since 3.12, or not at all (final=none).
 */
#ifndef WALK_RCU_WALK_H
#define WALK_RCU_WALK_H

#include "walk/store-free.h"

/*
 * Take a reference on where the walk ended, if it is still what it was (unlazy).
 * Linux's order: the count first, then the check, then out again if it failed.
 */
static int rcu_legitimize(struct nameidata *nd)
{
	struct dentry *d = nd->at.dentry;

	if (unlikely(!lockref_get_not_dead(&d->d_lockref)))
		return rcu_give_up(nd, DCS_EXIT_LEGITIMIZE);
	if (unlikely(seq_retry(&d->d_seq, nd->at.seq))) {
		dput(d);
		return rcu_give_up(nd, DCS_EXIT_LEGITIMIZE);
	}
	mount_get(nd->task);
	mount_put(nd->task);
	count_add(&nd->task->counters.refs, 1);
	return 0;
}

/* Resolve @path; on success @at holds a reference, for the caller to put. */
static int rcu_path_lookup(struct nameidata *nd, const char *path)
{
	int err;

	if (unlikely(nd->flags & LOOKUP_REVAL))
		return ref_path_lookup(nd, path);
	err = rcu_walk_path(nd, path);
	if (likely(!err))
		err = rcu_legitimize(nd);
	if (unlikely(err == -ECHILD)) {
		rcu_gave_up(nd);
		return ref_path_lookup(nd, path);
	}
	rcu_done(nd);
	return err;
}

static int rcu_path_stat(struct nameidata *nd, const char *path, struct dcs_stat *st)
{
	int err = rcu_walk_path(nd, path);

	if (likely(!err)) {
		if (nd->cache->final == DCS_FINAL_NONE) {
			inode_fill_stat(nd->at.inode, st);
			err = rcu_confirm(nd);
		} else if (likely(!(err = rcu_legitimize(nd)))) {
			inode_fill_stat(nd->at.inode, st);
			dput(nd->at.dentry);
		}
	}
	if (unlikely(err == -ECHILD)) {
		rcu_gave_up(nd);
		return ref_path_stat(nd, path, st);
	}
	rcu_done(nd);
	return err;
}

#endif
