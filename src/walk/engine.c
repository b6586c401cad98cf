/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * engine.c - one engine: a walk, a layout and a way to hash, in one translation unit
 *
 * Compiled once for each, by itself or included by a kernel's file (src/kernels), with
 *	ENGINE		the name of the table that it exports
 *	ENGINE_WALK	the walk's name: "rcu-walk"
 *	ENGINE_WALK_H	its file: "walk/rcu-walk.h"
 *	ENGINE_PREFIX	what its functions begin with: rcu
 *	ENGINE_LAYOUT	the layout's file: "dcache/linux-6.h"
 *	ENGINE_ANY	defined: any hash, locks and counting, asked for each time; else those are
 *			compiled in: ENGINE_HASH, its name in C, included before (words, where
 *			none is), and ENGINE_CHOICES (choice.h)
 */
#include "walk/paste.h"

/* clang-format off */
#include ENGINE_WALK_H
/* clang-format on */

/* Resolve a path with a reference on its end; and stat it. What a walk's file ends with. */
#define path_lookup PASTE(ENGINE_PREFIX, _path_lookup)
#define path_stat   PASTE(ENGINE_PREFIX, _path_stat)

#include "dcache/fields.h"
#include "walk/change.h"
#include "walk/engine.h"
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
	lru_init(&cache->lru);
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

/* What of a dentry lies where. */
static const struct dcs_field layout_fields[] = {
#define FIELD(F, KERNEL) \
	{#F, KERNEL, F##_used, offsetof(struct dentry, F), sizeof(((struct dentry *)0)->F)},
	LAYOUT_FIELDS(FIELD)
#undef FIELD
		{NULL, NULL, NULL, 0, 0},
};

const struct engine ENGINE = {
	.walk = ENGINE_WALK,
	.layout = LAYOUT_NAME,
	.layout_what = LAYOUT_WHAT,
#ifndef ENGINE_ANY
	.hash = STRING(ENGINE_HASH),
	.choices = &compiled_choices,
#endif
	.bucket_size = sizeof(struct bucket),
	.align = LAYOUT_ALIGN,
	.dentry = {sizeof(struct dentry), {LAYOUT_PER_PAGE, LAYOUT_FIRST}, LAYOUT_BITS == 32},
	.inode = {.object = sizeof(struct inode), .low = LAYOUT_BITS == 32},
	.name = {.object = (sizeof(struct ext_name) + MEM_LINE - 1) & ~(size_t)(MEM_LINE - 1),
		 .low = LAYOUT_BITS == 32},
	.kernel_base = LAYOUT_BASE,
	.fields = layout_fields,
	.construct_dentry = d_construct,
	.construct_inode = inode_construct,
	.init = op_init,
	.destroy = op_destroy,
	.get = op_get,
	.put = op_put,
	.census = op_census,
	.check = op_check,
	.shrink = op_shrink,
	.sync = op_sync,
	.shrink_tree = op_shrink_tree,
	.hash_only = op_hash_only,
	.time_parts = op_time_parts,
	.stat = op_stat,
	.readlink = op_readlink,
	.make = op_make,
	.open = op_open,
	.fstat = op_fstat,
	.pread = op_pread,
	.pwrite = op_pwrite,
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
