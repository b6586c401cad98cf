/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * engine.c - one engine: a walk, a layout and a way to hash, in one translation unit
 *
 * Compiled once for each, with
 *	ENGINE		the name of the table that it exports
 *	ENGINE_WALK	the walk's name, which is its file's: rcu-walk
 *	ENGINE_PREFIX	what its functions begin with: rcu
 *	ENGINE_HASH_ANY	defined: any hash through a switch; else the layout's own
 */
#define PASTE_(a, b) a##b
#define PASTE(a, b)  PASTE_(a, b)
#define STRING_(x)   #x
#define STRING(x)    STRING_(x)

/* clang-format off */
#include STRING(walk/ENGINE_WALK.h)
/* clang-format on */

/* Resolve a path with a reference on its end; and stat it. What a walk's file ends with. */
#define path_lookup PASTE(ENGINE_PREFIX, _path_lookup)
#define path_stat   PASTE(ENGINE_PREFIX, _path_stat)

#include "walk/engine.h"
#include "walk/change.h"
#include "walk/inspect.h"

static int op_init(struct dcs_cache *cache)
{
	static const char name[] = "/\0\0\0\0\0\0\0";
	struct inode *inode = inode_alloc(cache, S_IFDIR | 0755, 0, 0, NULL);
	struct dentry *root = inode ? d_alloc(cache, NULL, name, hash_len_make(0, 1)) : NULL;

	if (!root) {
		if (inode)
			arena_free(&cache->inodes, inode);
		return -ENOMEM;
	}
	inode->i_nlink = 2;
	d_instantiate(root, inode);
	cache->root = root;
	return 0;
}

/* What the hash-only row runs: the components of a path, without a lookup. */
static uint64_t op_hash_only(struct dcs_cache *cache, const char *path)
{
	uint64_t sum = 0, hash_len;

	for (;;) {
		while (*path == '/')
			path++;
		if (!*path)
			return sum;
		hash_len = hash_component(cache, cache->root, path);
		sum += hash_len;
		path += hash_len_len(hash_len);
	}
}

const struct engine ENGINE = {
	.walk = STRING(ENGINE_WALK),
	.layout = LAYOUT_NAME,
#ifdef ENGINE_HASH_ANY
	.any_hash = true,
#endif
	.dentry_size = sizeof(struct dentry),
	.inode_size = sizeof(struct inode),
	.name_size = (sizeof(struct ext_name) + MEM_LINE - 1) & ~(size_t)(MEM_LINE - 1),
	.init = op_init,
	.destroy = op_destroy,
	.get = dget,
	.put = dput,
	.census = op_census,
	.check = op_check,
	.hash_only = op_hash_only,
	.stat = op_stat,
	.readlink = op_readlink,
	.make = op_make,
	.link = op_link,
	.remove = op_remove,
	.rename = op_rename,
	.chdir = op_chdir,
	.chmod = op_chmod,
	.chown = op_chown,
	.setsize = op_setsize,
};
