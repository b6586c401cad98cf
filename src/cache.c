/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * cache.c - making a cache: what is chosen, where its memory is, and its end
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "config.h"
#include "inode/disk.h"
#include "mem/pages.h"
#include "mem/placement.h"
#include "walk/engine.h"

size_t cache_table_bytes(const struct dcs_cache *cache)
{
	size_t huge = PLACEMENT_HUGE_PAGE;
	size_t bytes = (size_t)cache->engine->bucket_size << cache->table_bits;

	return bytes < huge ? bytes : (bytes + huge - 1) & ~(huge - 1);
}

/* The mapping that holds the table, with the room to shift it in. */
static size_t table_room(const struct dcs_cache *cache)
{
	return cache_table_bytes(cache) + (cache->placement ? PLACEMENT_HUGE_PAGE : 0);
}

static void *table_mapping(const struct dcs_cache *cache)
{
	return (char *)cache->table - cache->table_shift;
}

static int table_allocate(struct dcs_cache *cache)
{
	size_t shift = placement_shift(cache->placement, PLACED_TABLE, 0, PLACEMENT_HUGE_PAGE);
	char *map = map_pages(table_room(cache), cache->engine->dentry.low);

	if (!map)
		return -ENOMEM;
	madvise(map, table_room(cache), MADV_HUGEPAGE);
	cache->table = (struct bucket *)(map + shift);
	cache->table_shift = shift;
	return 0;
}

/* Chains do not depend on it: a parent is hashed by its place behind the base. */
static void place(struct dcs_cache *cache)
{
	struct arena *const arenas[] = {
		[PLACED_DENTRIES] = &cache->dentries.arena,
		[PLACED_INODES] = &cache->inodes.arena,
		[PLACED_NAMES] = &cache->names,
	};

	for (enum placed i = PLACED_DENTRIES; i <= PLACED_NAMES; i++)
		arena_shift(arenas[i],
			    placement_shift(cache->placement, i, 0, PLACEMENT_HUGE_PAGE));
}

/* Object caches, names and the RAM disk. */
static int objects_allocate(struct dcs_cache *cache, const struct dcs_config *config)
{
	const struct engine *e = cache->engine;
	uint64_t capacity = config_capacity(config, e), prefault = config->prefault;
	bool constructors = cache->constructors;

	if (slab_init(&cache->dentries, &e->dentry, MEM_LINE, capacity,
		      constructors ? e->construct_dentry : NULL, cache) ||
	    slab_init(&cache->inodes, &e->inode, MEM_LINE, capacity,
		      constructors ? e->construct_inode : NULL, cache) ||
	    arena_init(&cache->names, &e->name, capacity))
		return -ENOMEM;
	place(cache);
	if (config->disk_size && disk_new(config->disk_size, config_block_size(config),
					  constructors, prefault, &cache->disk))
		return -ENOMEM;
	if (prefault) {
		slab_prefault(&cache->dentries, prefault);
		slab_prefault(&cache->inodes, prefault);
		arena_prefault(&cache->names, prefault);
	}
	return 0;
}

static int cache_allocate(struct dcs_cache *cache, const struct dcs_config *config)
{
	if (table_allocate(cache))
		return -ENOMEM;
	if (cache->store) {
		cache->icache.table =
			calloc((size_t)1 << cache->table_bits, sizeof(*cache->icache.table));
		if (!cache->icache.table)
			return -ENOMEM;
	}
	if (objects_allocate(cache, config))
		return -ENOMEM;
	if (cache->dentries.arena.base)
		cache->address_bias =
			cache->engine->kernel_base - (uintptr_t)cache->dentries.arena.base;
	return cache->engine->init(cache);
}

/* Where the layout's links are short, all that they link to has short addresses. */
static struct dcs_cache *cache_move_low(struct dcs_cache *cache)
{
	struct dcs_cache *low = map_pages(sizeof(*cache), true);

	if (low)
		memcpy(low, cache, sizeof(*cache));
	free(cache);
	return low;
}

static void cache_release(struct dcs_cache *cache)
{
	slab_destroy(&cache->dentries);
	slab_destroy(&cache->inodes);
	arena_destroy(&cache->names);
	disk_free(cache->disk);
	free(cache->icache.table);
	if (cache->table)
		munmap(table_mapping(cache), table_room(cache));
	sleep_lock_destroy(&cache->rename_mutex);
	pthread_mutex_destroy(&cache->tasks_lock);
	if (cache->engine->dentry.low)
		munmap(cache, sizeof(*cache));
	else
		free(cache);
}

static void cache_init(struct dcs_cache *cache)
{
	seqlock_init(&cache->rename_lock);
	lock_init(&cache->dcache_lock);
	lock_init(&cache->mount.lock);
	cache->mount.count = 1;
	sleep_lock_init(&cache->rename_mutex);
	pthread_mutex_init(&cache->tasks_lock, NULL);
	for (size_t i = 0; i < BUCKET_LOCKS; i++)
		lock_init(&cache->bucket_locks[i]);
	for (size_t i = 0; i < ICACHE_LOCKS; i++)
		spin_init(&cache->icache.locks[i]);
	cache->next_ino = 1;
}

/* Returns a configured cache without memory for objects, or NULL and what is wrong. */
static struct dcs_cache *cache_configured(const struct dcs_config *config, int *err,
					  const char **why)
{
	struct dcs_cache *cache;

	*err = -ENOMEM;
	*why = "out of memory";
	if (posix_memalign((void **)&cache, MEM_LINE, sizeof(*cache)))
		return NULL;
	memset(cache, 0, sizeof(*cache));
	*why = configure(cache, config);
	if (*why) {
		*err = -EINVAL;
		free(cache);
		return NULL;
	}
	if (cache->engine->dentry.low) {
		cache = cache_move_low(cache);
		*why = "out of memory below 4 GiB, where this layout's links reach";
	}
	return cache;
}

int dcs_cache_new(const struct dcs_config *config, struct dcs_cache **out, const char **why)
{
	static const struct dcs_config defaults;
	struct dcs_cache *cache;
	const char *wrong;
	int err;

	if (!config)
		config = &defaults;
	cache = cache_configured(config, &err, &wrong);
	if (cache) {
		cache_init(cache);
		cache->store = config->store;
		cache->store_data = config->store_data;
		err = rcu_flavour_start(cache->rcu);
		wrong = "no thread can be started to free what is deferred";
		if (!err) {
			err = cache_allocate(cache, config);
			wrong = err == -ENOMEM ? "out of memory"
					       : "the store does not give its root";
		}
		if (!err) {
			*out = cache;
			return 0;
		}
		cache_release(cache);
	}
	if (config->store && config->store->free)
		config->store->free(config->store_data);
	if (why)
		*why = wrong;
	return err;
}

void dcs_cache_free(struct dcs_cache *cache)
{
	if (!cache)
		return;
	dcs_barrier(cache);
	cache->engine->destroy(cache);
	while (load_relaxed(&cache->registrations)) /* the caller's: no other has any */
		dcs_thread_unregister(cache);
	if (cache->store && cache->store->free)
		cache->store->free(cache->store_data);
	cache_release(cache);
}

static int protect_all(struct dcs_cache *cache, int read_only)
{
	int err = arena_protect(&cache->dentries.arena, read_only);

	if (!err)
		err = arena_protect(&cache->inodes.arena, read_only);
	if (!err)
		err = arena_protect(&cache->names, read_only);
	if (!err && mprotect(table_mapping(cache), table_room(cache),
			     read_only ? PROT_READ : PROT_READ | PROT_WRITE))
		err = -errno;
	return err;
}

int dcs_protect(struct dcs_cache *cache, int read_only)
{
	int err = protect_all(cache, read_only);

	/* What was made read-only before that failed: it was writable. */
	if (err && read_only)
		protect_all(cache, false);
	return err;
}
