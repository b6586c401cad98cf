/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * nameidata.h - where a walk stands, and the verbs that a locking scheme gives it
 *
 * A scheme is one file of this folder: a constant struct walk. The path logic
 * (path.h) is one function that takes it as a constant, so that each scheme gets a
 * copy with its verbs inlined.
 */
#ifndef WALK_NAMEIDATA_H
#define WALK_NAMEIDATA_H

#include "dcache/dentry.h"
#include "inode/permission.h"

/*
 * A dentry with its inode and flags, as they were together at one instant. In a
 * store-free walk d_seq was @seq then; in a locked one the dentry is referenced.
 */
struct place {
	struct dentry *dentry;
	struct inode *inode;
	uint32_t flags;
	unsigned seq;
};

enum last_type { LAST_NORM, LAST_ROOT, LAST_DOT, LAST_DOTDOT };

#define LOOKUP_FOLLOW 1u /* follow a final symbolic link */
#define LOOKUP_PARENT 2u /* stop at the last component and say what it is */
#define LOOKUP_REVAL  4u /* ask the store about each name: something was stale */

struct nameidata {
	struct dcs_task *task;
	struct dcs_cache *cache;
	struct place at;     /* a directory, or where the walk ended */
	struct place next;   /* what a lookup found */
	struct dentry *base; /* of file.h: where a link's body starts from */
	struct dentry *root; /* NULL: not asked for yet */
	unsigned flags;

	/* The last component, with LOOKUP_PARENT. */
	const char *last;
	uint64_t last_hash_len;
	enum last_type last_type;
	bool last_slash; /* a slash follows it */

	unsigned components, links;
	unsigned depth;			   /* paths in rest[] */
	const char *rest[DCS_MAXLINKS];	   /* what follows the links that are being walked */
	unsigned n_held;		   /* references in held[] */
	struct dentry *held[DCS_MAXLINKS]; /* links whose bodies are being walked (ref-walk) */
};

/*
 * The verbs. Each returns 0 or a negative errno; -ECHILD ends a store-free walk,
 * which the reason for it has been counted for, and nothing needs to be undone.
 * @at is a directory on entry.
 */
struct walk {
	const char *name;
	/* at = the task's cwd, or its root. */
	int (*start)(struct nameidata *nd, bool at_root);
	/* at = the task's root. */
	int (*jump_root)(struct nameidata *nd);
	/* next = the child called @name, which may be negative. */
	int (*lookup)(struct nameidata *nd, const char *name, uint64_t hash_len);
	/* next is still what it was when it was looked up, or becomes what is so now. */
	int (*revalidate)(struct nameidata *nd, const char *name, uint64_t hash_len);
	/* at = next */
	void (*step)(struct nameidata *nd);
	/* Done with a negative or otherwise unwanted next. */
	void (*forget)(struct nameidata *nd);
	/* at = the parent, or at where it is the root. */
	int (*dotdot)(struct nameidata *nd);
	/* The body of the link in next stays readable until the walk ends; done with next. */
	int (*hold_link)(struct nameidata *nd, const char **body);
	/* Before an error is returned that was read off @at. */
	int (*confirm)(struct nameidata *nd);
};

#endif
