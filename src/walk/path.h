/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * path.h - the path logic, one text for every walk: path_resolution(7)
 *
 * Components, `.`, `..`, `//`, a trailing slash, symbolic links (40 at most,
 * without recursion), search permission on each directory.
 *
 * A path is resolved as a string with a stack of strings behind it: a link puts
 * what follows it on the stack, if anything does, and its body takes its place. So
 * a component is the last of the walk when its string ends behind it and the stack
 * is empty.
 */
#ifndef WALK_PATH_H
#define WALK_PATH_H

#include "walk/nameidata.h"

static __attribute__((noinline)) void hit_sample_now(struct nameidata *nd, struct dentry *d)
{
	/* Either may be read while it changes: then it is found on no chain. */
	struct dentry *parent = LINKED(struct dentry, load_dependent(&d->d_parent));
	struct bucket *bucket = hash_bucket(nd->cache, parent, d_hash_len(d));

	hit_note(&nd->task->hits, d, (uint64_t)(bucket - nd->cache->table));
}

/* The walk ends on @d: now and then, tell the shrinker. */
static force_inline void hit_sample(struct nameidata *nd, struct dentry *d)
{
	if (unlikely(nd->task->counters.walks >= nd->task->hits.sample_at))
		hit_sample_now(nd, d);
}

static force_inline enum last_type component_type(const char *name, uint32_t len)
{
	if (likely(name[0] != '.') || len > 2)
		return LAST_NORM;
	if (len == 1)
		return LAST_DOT;
	return name[1] == '.' ? LAST_DOTDOT : LAST_NORM;
}

/*
 * Take the link in @next: returns the string to go on with, or an error through
 * @err. @rest follows it in the path.
 */
static force_inline const char *follow_link(struct nameidata *nd, const struct walk *w,
					    const char *rest, int *err)
{
	const char *body = NULL;

	if (unlikely(nd->links++ >= DCS_MAXLINKS)) {
		w->forget(nd);
		*err = -ELOOP;
		return rest;
	}
	*err = w->hold_link(nd, &body);
	if (unlikely(*err))
		return rest;
	if (*rest)
		nd->rest[nd->depth++] = rest;
	if (*body == '/')
		*err = w->jump_root(nd);
	return body;
}

/*
 * Resolve @path, which is padded and not empty. On success @at is what it names;
 * with LOOKUP_PARENT the directory of its last component, which last* describe.
 */
static force_inline int walk_path(struct nameidata *nd, const char *path, const struct walk *w)
{
	bool must_be_dir = false;
	int err;

	err = w->start(nd, *path == '/');
	if (unlikely(err))
		return err;
	for (;;) {
		const char *name;
		uint64_t hash_len;
		uint32_t len;
		enum last_type type;
		bool slash, last;

		if (unlikely(*path == '/')) {
			path++;
			continue;
		}
		if (unlikely(!*path)) {
			if (!nd->depth)
				break;
			path = nd->rest[--nd->depth];
			continue;
		}
		if (unlikely(!(nd->at.flags & D_DIR)))
			return w->confirm(nd) ?: -ENOTDIR;
		if (unlikely(may_search(nd->task, nd->at.inode)))
			return w->confirm(nd) ?: -EACCES;

		name = path;
		hash_len = hash_component(nd->cache, nd->at.dentry, name);
		len = hash_len_len(hash_len);
		type = component_type(name, len);
		path += len;
		slash = *path == '/';
		while (*path == '/')
			path++;
		last = !*path && !nd->depth;
		if (last && nd->flags & LOOKUP_PARENT) {
			nd->last = name;
			nd->last_hash_len = hash_len;
			nd->last_type = type;
			nd->last_slash = slash;
			return 0;
		}
		if (unlikely(type != LAST_NORM)) {
			if (type == LAST_DOTDOT && unlikely(err = w->dotdot(nd)))
				return err;
			continue;
		}
		if (unlikely(len > DCS_NAME_MAX))
			return w->confirm(nd) ?: inode_long_name(nd->at.inode);
		nd->components++;
		err = w->lookup(nd, name, hash_len);
		if (unlikely(err))
			return err;
		if (unlikely(last && slash))
			must_be_dir = true;
		if (unlikely(nd->next.flags & D_SPECIAL)) {
			if (nd->next.flags & D_REVALIDATE) {
				err = w->revalidate(nd, name, hash_len);
				if (err)
					return err;
			}
			if (nd->next.flags & D_NEGATIVE) {
				hit_sample(nd, nd->next.dentry);
				w->forget(nd);
				count_add(&nd->task->counters.negative_hits, 1);
				return -ENOENT;
			}
			if (nd->next.flags & D_LNK &&
			    (!last || must_be_dir || nd->flags & LOOKUP_FOLLOW)) {
				path = follow_link(nd, w, path, &err);
				if (unlikely(err))
					return err;
				continue;
			}
		}
		w->step(nd);
	}
	if (unlikely(must_be_dir && !(nd->at.flags & D_DIR)))
		return w->confirm(nd) ?: -ENOTDIR;
	nd->last_type = LAST_ROOT;
	hit_sample(nd, nd->at.dentry);
	return 0;
}

#endif
