/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ref-walk.h - the walk that holds a reference on each dentry it stands on
 *
 * What Linux does where rcu-walk cannot: each component takes the dentry's d_lock,
 * compares under it and counts itself in, and counts itself out of the directory.
 * So every thread that walks through a directory writes to its dentry. May sleep:
 * a name that is not cached is looked up under the directory's lock.
 */
#ifndef WALK_REF_WALK_H
#define WALK_REF_WALK_H

#include "walk/locked.h"

static const struct walk ref_walk = {
	.name = "ref-walk",
	.start = ref_start,
	.jump_root = ref_jump_root,
	.lookup = ref_lookup,
	.revalidate = ref_revalidate,
	.step = ref_step,
	.forget = ref_forget,
	.dotdot = ref_dotdot,
	.hold_link = ref_hold_link,
	.confirm = ref_confirm,
};

static __attribute__((noinline)) int ref_path_lookup(struct nameidata *nd, const char *path)
{
	return locked_path_lookup(nd, path, &ref_walk);
}

static inline int ref_path_stat(struct nameidata *nd, const char *path, struct dcs_stat *st)
{
	return locked_stat(nd, ref_path_lookup(nd, path), path, st);
}

#endif
