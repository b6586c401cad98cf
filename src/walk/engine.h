/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * engine.h - what an engine is from outside: one table of whole operations
 *
 * An engine is a walk, a layout and a way to hash, compiled together as one
 * translation unit (engine.c), all static but this table. A cache has one engine;
 * an operation is one indirect call into it, and none a component.
 */
#ifndef WALK_ENGINE_H
#define WALK_ENGINE_H

#include "dcache/cache.h"

struct file;

struct engine {
	const char *walk, *layout;
	const char *layout_what;
	/* What is compiled in; NULL: every choice is asked for, hash, locks and references. */
	const char *hash;
	const struct choices *choices;
	size_t bucket_size, align; /* bytes; align: of a dentry */
	struct shape dentry, inode, name;
	uint64_t kernel_base; /* of the slabs of dentries, in the kernel that is modelled */
	const struct dcs_field *fields;
	slab_construct *construct_dentry, *construct_inode;

	int (*init)(struct dcs_cache *cache);	  /* makes the root */
	void (*destroy)(struct dcs_cache *cache); /* at rest, after the last grace period */
	void (*get)(struct dcs_cache *cache, struct dentry *d);
	void (*put)(struct dcs_cache *cache, struct dentry *d); /* in a read-side section */
	int (*census)(struct dcs_cache *cache, struct dcs_census *census);
	int (*check)(struct dcs_cache *cache, char *why, size_t size);
	uint64_t (*shrink)(struct dcs_cache *cache, uint64_t count, bool force);
	void (*sync)(struct dcs_cache *cache);
	int (*shrink_tree)(struct dcs_task *task, const char *path);
	uint64_t (*hash_only)(struct dcs_cache *cache, const char *path);

	int (*time_parts)(struct dcs_task *task, const char *path, struct dcs_parts *parts);
	int (*stat)(struct dcs_task *task, const char *path, unsigned flags, struct dcs_stat *st);
	ssize_t (*readlink)(struct dcs_task *task, const char *path, char *buf, size_t size);
	int (*make)(struct dcs_task *task, const char *path, uint32_t mode, const char *target,
		    uint64_t rdev);
	int (*open)(struct dcs_task *task, const char *path, unsigned flags, mode_t mode,
		    struct dentry **out);
	void (*fstat)(struct dcs_task *task, struct dentry *d, struct dcs_stat *st);
	ssize_t (*pread)(struct dcs_task *task, struct dentry *d, void *buf, size_t n, uint64_t at);
	ssize_t (*pwrite)(struct dcs_task *task, struct dentry *d, const void *buf, size_t n,
			  uint64_t at);
	ssize_t (*getdents)(struct dcs_task *task, struct file *f, void *buf, size_t size);
	void (*rewind)(struct dcs_task *task, struct file *f);
	int (*link)(struct dcs_task *task, const char *oldpath, const char *newpath,
		    unsigned flags);
	int (*remove)(struct dcs_task *task, const char *path, bool dir);
	int (*rename)(struct dcs_task *task, const char *oldpath, const char *newpath,
		      unsigned flags);
	int (*chdir)(struct dcs_task *task, const char *path, bool root);
	int (*chmod)(struct dcs_task *task, const char *path, mode_t mode, unsigned flags);
	int (*chown)(struct dcs_task *task, const char *path, uid_t uid, gid_t gid, unsigned flags);
	int (*setsize)(struct dcs_task *task, const char *path, uint64_t size, int64_t mtime_sec,
		       unsigned flags);
};

extern const struct engine *const engines[]; /* ends with NULL */

#endif
