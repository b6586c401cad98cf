/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * engine.c - one engine: a walk, a layout and a way to hash, in one translation unit
 *
 * Compiled once for each, with
 *	ENGINE		the name of the table that it exports
 *	ENGINE_WALK	the walk's name, which is its file's: rcu-walk
 *	ENGINE_PREFIX	what its functions begin with: rcu
 *	ENGINE_ANY	defined: any hash, locks and counting, through switches; else the defaults
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
#include "walk/file.h"
#include "walk/inspect.h"
#include "walk/time-parts.h"

/* The inode of the root: the store's, or a new one. */
static int root_inode(struct dcs_cache *cache, struct inode **out)
{
	struct dcs_task task = {.cache = cache};
	struct dcs_stat attr = {0};
	int err;

	if (cache->store) {
		err = cache->store->root(cache->store_data, &attr);
		if (err)
			return (int)ask_result(err, 0);
		if (!S_ISDIR(attr.mode)) {
			ask_forget(cache, attr.ino, 1);
			return -EIO;
		}
		return iget_answer(&task, &attr, NULL, out);
	}
	*out = inode_alloc(cache, S_IFDIR | 0755, 0, 0, NULL);
	if (!*out)
		return -ENOMEM;
	(*out)->i_nlink = 2;
	return 0;
}

static void op_get(struct dcs_cache *cache, struct dentry *d)
{
	choose(&cache->choices);
	dget(d);
}

static void op_put(struct dcs_cache *cache, struct dentry *d)
{
	choose(&cache->choices);
	dput(d);
}

static int op_init(struct dcs_cache *cache)
{
	static const char name[] = "/\0\0\0\0\0\0\0";
	struct inode *inode;
	struct dentry *root;
	int err = root_inode(cache, &inode);

	choose(&cache->choices);
	if (err)
		return err;
	root = d_alloc(cache, NULL, name, hash_len_make(0, 1));
	if (!root) {
		icache_remove(inode);
		inode_discard(inode);
		return -ENOMEM;
	}
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
#ifdef ENGINE_ANY
	.any = true,
#endif
	.dentry_size = sizeof(struct dentry),
	.inode_size = sizeof(struct inode),
	.name_size = (sizeof(struct ext_name) + MEM_LINE - 1) & ~(size_t)(MEM_LINE - 1),
	.init = op_init,
	.destroy = op_destroy,
	.get = op_get,
	.put = op_put,
	.census = op_census,
	.check = op_check,
	.shrink = op_shrink,
	.shrink_tree = op_shrink_tree,
	.hash_only = op_hash_only,
	.time_parts = op_time_parts,
	.stat = op_stat,
	.readlink = op_readlink,
	.make = op_make,
	.open = op_open,
	.fstat = op_fstat,
	.getdents = op_getdents,
	.rewind = op_rewind,
	.link = op_link,
	.remove = op_remove,
	.rename = op_rename,
	.chdir = op_chdir,
	.chmod = op_chmod,
	.chown = op_chown,
	.setsize = op_setsize,
};
