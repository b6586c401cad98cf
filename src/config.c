/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * config.c - what a cache makes of a dcs_config
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "inode/disk.h"
#include "names.h"

#define DEFAULT_TABLE_BITS 17
#define DEFAULT_CAPACITY   ((uint64_t)4 << 20)
#define LOW_CAPACITY	   ((uint64_t)256 << 10) /* of short links: several caches share 4 GiB */
#define DEFAULT_BACKLOG	   ((uint64_t)64 << 10)
#define MAX_CAPACITY	   ((uint64_t)1 << 31)
#define MAX_BLOCKS	   ((uint64_t)1 << 31)
#define MAX_NEGATIVE_LIMIT ((uint64_t)1 << 20) /* where none is given */

/* What a role needs that a lock has not. */
static const char *lock_misfit(enum dcs_lock_role role, int kind)
{
	if (kind < 0)
		return "there is no such lock";
	if (role == DCS_LOCK_DCACHE)
		return "a lookup takes a reference under it, so readers cannot retry";
	if (kind == LOCK_SEQ)
		return "a sequence count keeps no other thread out";
	if (role == DCS_LOCK_BUCKET)
		return "a chain is read without its lock, so readers have no use for one";
	if (kind == LOCK_MCS)
		return "an mcs lock is 8 bytes and needs a queue node for each waiter, and d_lock "
		       "is one 4-byte word beside the count";
	return "d_lock is one 4-byte word beside the count, and this lock is more";
}

/* One line: which choice, why not, and what is right. The thread's until its next. */
static const char *refuse_lock(enum dcs_lock_role role, const char *name, int kind)
{
	static __thread char line[320];
	char right[80] = "";

	for (int i = 0; i < LOCK_KINDS; i++)
		if (locks[i].roles & 1u << role)
			list_add(right, sizeof(right), locks[i].name);
	snprintf(line, sizeof(line), "lock %s=%.40s: %s; right are %s", role_names[role].name, name,
		 lock_misfit(role, kind), right);
	return line;
}

/* Overrides a kernel's @choices. Returns NULL or what is wrong; @any: one was named. */
static const char *choose_locks(struct choices *choices, const struct dcs_config *c, bool *any)
{
	int refcount = find_name(refcount_names, c->refcount);
	int compare = find_name(compare_names, c->compare);

	*any = c->refcount || c->compare;
	if (refcount < 0)
		return "unknown refcount; right are lockref, separate, atomic";
	if (compare < 0)
		return "unknown compare; right are locked, unlocked";
	if (c->refcount)
		choices->refs = (enum refcount)refcount;
	if (c->compare)
		choices->compare = (enum compare)compare;
	for (int role = 0; role < DCS_LOCK_ROLES; role++) {
		int kind = find_name(lock_names, c->lock[role]);

		if (!c->lock[role])
			continue;
		if (kind < 0 || !(locks[kind].roles & 1u << role))
			return refuse_lock((enum dcs_lock_role)role, c->lock[role], kind);
		choices->lock[role] = (enum lock_kind)kind;
		*any = true;
	}
	return NULL;
}

uint64_t config_capacity(const struct dcs_config *c, const struct engine *engine)
{
	return c->capacity ?: engine->dentry.low ? LOW_CAPACITY : DEFAULT_CAPACITY;
}

uint32_t config_block_size(const struct dcs_config *c)
{
	return c->block_size ?: DISK_PAGE;
}

/* Returns NULL or what is wrong. */
static const char *check_disk(const struct dcs_config *c)
{
	uint32_t block = config_block_size(c);

	if (block != 1024 && block != 2048 && block != 4096)
		return "block_size is not 1024, 2048 or 4096";
	if (!c->disk_size)
		return NULL;
	if (c->disk_size < block)
		return "disk_size is less than a block";
	if (c->disk_size / block > MAX_BLOCKS)
		return "disk_size is over 2^31 blocks";
	if (c->store)
		return "a RAM disk is for a cache without a store: what a store lets go would "
		       "lose its data";
	return NULL;
}

/* What waits for a grace period takes room as well. */
static uint64_t limit_of(const struct dcs_config *c, uint64_t capacity)
{
	return c->limit ?: capacity - capacity / 8;
}

/* Names that are not there may not crowd out those that are. */
static uint64_t negative_limit_of(const struct dcs_config *c, uint64_t capacity)
{
	uint64_t share = limit_of(c, capacity) / 4;

	return c->negative_limit ?: share < MAX_NEGATIVE_LIMIT ? share : MAX_NEGATIVE_LIMIT;
}

/* The engine with all of it compiled in, but for @any; else one that asks. NULL: there is none. */
static const struct engine *find_engine(const struct kernel *own, const char *walk,
					const char *layout, const char *hash,
					const struct choices *choices, bool any)
{
	const struct engine *asks = NULL;

	/* Equals of a kernel have engines of their own, so that they are placed apart. */
	if (!any && own->engine && !strcmp(own->walk, walk) && !strcmp(own->layout, layout))
		return own->engine;
	for (size_t i = 0; engines[i]; i++) {
		const struct engine *e = engines[i];

		if (strcmp(e->walk, walk) || strcmp(e->layout, layout))
			continue;
		if (!e->hash)
			asks = e;
		else if (!any && !strcmp(e->hash, hash) &&
			 !memcmp(e->choices, choices, sizeof(*choices)))
			return e;
	}
	return asks;
}

static const char *no_engine(const char *walk, const char *layout)
{
	static __thread char line[200];

	snprintf(line, sizeof(line), "walk %.40s is not compiled for layout %.40s in this build",
		 walk, layout);
	return line;
}

/* What names an engine, from the kernel and what overrides it. Returns NULL or what is wrong. */
static const char *choose_engine(struct dcs_cache *cache, const struct dcs_config *c)
{
	int kernel = find_name(kernel_names, c->kernel), walk = find_name(walk_names, c->walk);
	int layout = find_name(layout_names, c->layout), hash = find_name(hash_names, c->hash);
	const char *walk_name, *layout_name, *wrong;
	const struct kernel *k;
	bool any;

	if (kernel < 0)
		return "unknown kernel";
	if (walk < 0)
		return "unknown walk";
	if (layout < 0)
		return "unknown layout";
	if (hash < 0)
		return "unknown hash";
	k = kernels[kernel];
	cache->choices = k->choices;
	wrong = choose_locks(&cache->choices, c, &any);
	if (wrong)
		return wrong;
	walk_name = c->walk ? walk_names[walk].name : k->walk;
	layout_name = c->layout ? layout_names[layout].name : k->layout;
	cache->hash = c->hash ? &dcs_hashes[hash] : hash_of(k->hash);
	cache->engine = find_engine(k, walk_name, layout_name, cache->hash->id, &cache->choices,
				    any || c->hash);
	return cache->engine ? NULL : no_engine(walk_name, layout_name);
}

/* Checks @c and fills in what it chooses. Returns NULL or what is wrong. */
const char *configure(struct dcs_cache *cache, const struct dcs_config *c)
{
	int flavour = find_name(flavour_names, c->flavour);
	int negatives = find_name(negative_names, c->negatives);
	int objects = find_name(object_names, c->objects);
	int atime = find_name(atime_names, c->atime);
	const char *wrong = choose_engine(cache, c);
	uint64_t capacity;

	if (wrong)
		return wrong;
	if (flavour < 0)
		return "unknown flavour";
	if (negatives < 0)
		return "unknown policy of negatives";
	if (objects < 0)
		return "unknown kind of object caches; right are zeroed, constructed";
	if (atime < 0)
		return "unknown policy of atime";
	wrong = check_disk(c);
	if (wrong)
		return wrong;
	capacity = config_capacity(c, cache->engine);
	if (c->table_bits > 30)
		return "table_bits is over 30";
	if (capacity > MAX_CAPACITY)
		return "capacity is over 2^31";
	if (c->limit > capacity)
		return "limit is over the capacity";
	if (c->store && (!c->store->root || !c->store->lookup || !c->store->readdir))
		return "the store lacks root, lookup or readdir";
	if (c->negative_limit >= capacity)
		return "negative_limit is not below the capacity";
	if (c->final != DCS_FINAL_REF && c->final != DCS_FINAL_NONE)
		return "final is neither DCS_FINAL_REF nor DCS_FINAL_NONE";
	cache->rcu = rcu_flavours[flavour];
	cache->rcu_id = cache->rcu->id;
	cache->final = c->final;
	cache->table_bits = c->table_bits ?: DEFAULT_TABLE_BITS;
	cache->limit = limit_of(c, capacity);
	cache->negative_policy = (enum negative_policy)negatives;
	cache->negative_limit = negative_limit_of(c, capacity);
	cache->store_latency = c->store_latency;
	cache->constructors = objects;
	cache->placement = c->placement;
	cache->atime = atime_policies[atime];
	cache->clock = c->clock;
	cache->backlog.rcu = cache->rcu;
	cache->backlog.limit = c->backlog_limit ?: DEFAULT_BACKLOG;
	if (c->hash_key[0] || c->hash_key[1])
		memcpy(cache->hash_key, c->hash_key, sizeof(cache->hash_key));
	else
		memcpy(cache->hash_key, hash_default_key, sizeof(cache->hash_key));
	return NULL;
}
