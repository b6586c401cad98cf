/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * config.c - what can be chosen, by name, and what a cache makes of it
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "inode/disk.h"
#include "walk/engine.h"

#define DEFAULT_TABLE_BITS 17
#define DEFAULT_CAPACITY   ((uint64_t)4 << 20)
#define DEFAULT_BACKLOG	   ((uint64_t)64 << 10)
#define MAX_CAPACITY	   ((uint64_t)1 << 31)
#define MAX_BLOCKS	   ((uint64_t)1 << 31)
#define MAX_NEGATIVE_LIMIT ((uint64_t)1 << 20) /* where none is given */

/* An engine a line, in the order in which walks are listed; ENGINE(name in C). */
#define ENGINES(ENGINE)                \
	ENGINE(engine_rcu)             \
	ENGINE(engine_ref)             \
	ENGINE(engine_store_free_2009) \
	ENGINE(engine_global)

#if DCS_ANY
#define DECLARE(E) extern const struct engine E, E##_any;
#define ENTRY(E)   &E, &E##_any,
#else /* mutants have the defaults alone */
#define DECLARE(E) extern const struct engine E;
#define ENTRY(E)   &E,
#endif
ENGINES(DECLARE)
const struct engine *const engines[] = {ENGINES(ENTRY) NULL};

static const struct dcs_name walk_names[] = {
	{"rcu-walk", "store-free, d_seq checked hand over hand; drops to ref-walk"},
	{"ref-walk", "a reference on each dentry, under its d_lock"},
	{"store-free-2009", "store-free but for the last dentry, referenced under its d_lock"},
	{"global-lock", "each component looked up under one dcache_lock, as in Linux 2.4"},
	{NULL, NULL},
};

static const struct dcs_name layout_names[] = {
	{"linux-6",
	 "192 B dentry, one line for a lookup, 40 B of name inline: Linux 6.10 to today"},
	{NULL, NULL},
};

static const struct dcs_name refcount_names[] = {
	{"lockref", "count and d_lock are one word, changed by one compare-and-swap"},
	{"separate", "the count is changed under d_lock only, as in Linux 2.6.38 to 3.11"},
	{NULL, NULL},
};

static const struct dcs_name object_names[] = {
	{"zeroed", "an object is zeroed at each allocation; free ones are linked inside"},
	{"constructed",
	 "an object is constructed once, with its page; free ones are linked behind"},
	{NULL, NULL},
};

static const struct dcs_name role_names[] = {
	[DCS_LOCK_D] = {"d_lock", "a dentry"},
	[DCS_LOCK_BUCKET] = {"bucket", "a chain of the hash table, to change it"},
	[DCS_LOCK_DCACHE] = {"dcache_lock", "all lookups and changes of walk global-lock"},
	[DCS_LOCK_MOUNT] = {"mount", "mounts, at `..` and crossings"},
	[DCS_LOCK_FS] = {"fs", "cwd and root of a task, or of tasks that share them"},
	{NULL, NULL},
};

static const struct {
	const char *name, *what;
	unsigned roles; /* a bit for each */
} locks[LOCK_KINDS] = {
#define LOCK_LINE(N, NAME, ROLES, WHAT) {NAME, WHAT, ROLES},
	DCS_LOCKS(LOCK_LINE)
#undef LOCK_LINE
};

static struct dcs_name lock_names[LOCK_KINDS + 1];

static const struct dcs_name negative_names[] = {
	[NEGATIVE_KEEP] = {"keep", "as other dentries, least recently used first (ext4)"},
	[NEGATIVE_NONE] = {"none", "none is cached (tmpfs)"},
	[NEGATIVE_QUOTA] = {"quota", "among themselves, those asked for again last (FreeBSD)"},
	{NULL, NULL},
};

static struct dcs_name hash_names[64];

static __attribute__((constructor)) void list_hashes(void)
{
	for (size_t i = 0; dcs_hashes[i].name; i++)
		hash_names[i] = (struct dcs_name){dcs_hashes[i].name, dcs_hashes[i].what};
}

static struct dcs_name flavour_names[8];

static __attribute__((constructor)) void list_flavours(void)
{
	for (size_t i = 0; rcu_flavours[i]; i++)
		flavour_names[i] =
			(struct dcs_name){rcu_flavours[i]->name, rcu_flavours[i]->description};
}

/* Adds @word to the comma-separated @list. */
static void list_add(char *list, size_t size, const char *word)
{
	size_t n = strlen(list);

	snprintf(list + n, size - n, "%s%s", n ? ", " : "", word);
}

static __attribute__((constructor)) void list_locks(void)
{
	static char text[LOCK_KINDS][160];

	for (int kind = 0; kind < LOCK_KINDS; kind++) {
		char roles[80] = "";

		for (int role = 0; role < DCS_LOCK_ROLES; role++)
			if (locks[kind].roles & 1u << role)
				list_add(roles, sizeof(roles), role_names[role].name);
		snprintf(text[kind], sizeof(text[kind]), "%s. For %s", locks[kind].what, roles);
		lock_names[kind] = (struct dcs_name){locks[kind].name, text[kind]};
	}
}

const struct dcs_name *dcs_list(const char *kind)
{
	static const struct {
		const char *kind;
		const struct dcs_name *names;
	} lists[] = {
		{"walks", walk_names},	       {"layouts", layout_names},
		{"hashes", hash_names},	       {"flavours", flavour_names},
		{"negatives", negative_names}, {"locks", lock_names},
		{"lock-roles", role_names},    {"refcounts", refcount_names},
		{"objects", object_names},
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (!strcmp(kind, lists[i].kind))
			return lists[i].names;
	return NULL;
}

/* The index of @name in @list; 0 for NULL; -1 if it is not there. */
static int find_name(const struct dcs_name *list, const char *name)
{
	if (!name)
		return 0;
	for (int i = 0; list[i].name; i++)
		if (!strcmp(list[i].name, name))
			return i;
	return -1;
}

static const struct engine *find_engine(const char *walk, const char *layout, bool any)
{
	for (size_t i = 0; engines[i]; i++)
		if (!strcmp(engines[i]->walk, walk) && !strcmp(engines[i]->layout, layout) &&
		    engines[i]->any == any)
			return engines[i];
	return NULL;
}

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

/* Fills in the locks. Returns NULL or what is wrong; @any: one was named. */
static const char *choose_locks(struct choices *choices, const struct dcs_config *c, bool *any)
{
	int refcount = find_name(refcount_names, c->refcount);

	*choices = default_choices;
	*any = c->refcount;
	if (refcount < 0)
		return "unknown refcount; right are lockref, separate";
	choices->refs_apart = refcount;
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

uint64_t config_capacity(const struct dcs_config *c)
{
	return c->capacity ?: DEFAULT_CAPACITY;
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
static uint64_t limit_of(const struct dcs_config *c)
{
	return c->limit ?: config_capacity(c) - config_capacity(c) / 8;
}

/* Names that are not there may not crowd out those that are. */
static uint64_t negative_limit_of(const struct dcs_config *c)
{
	uint64_t share = limit_of(c) / 4;

	return c->negative_limit ?: share < MAX_NEGATIVE_LIMIT ? share : MAX_NEGATIVE_LIMIT;
}

/* Checks @c and fills in what it chooses. Returns NULL or what is wrong. */
const char *configure(struct dcs_cache *cache, const struct dcs_config *c)
{
	int walk = find_name(walk_names, c->walk), layout = find_name(layout_names, c->layout);
	int hash = find_name(hash_names, c->hash), flavour = find_name(flavour_names, c->flavour);
	int negatives = find_name(negative_names, c->negatives);
	int objects = find_name(object_names, c->objects);
	const char *wrong;
	bool any;

	if (walk < 0)
		return "unknown walk";
	if (layout < 0)
		return "unknown layout";
	if (hash < 0)
		return "unknown hash";
	if (flavour < 0)
		return "unknown flavour";
	if (negatives < 0)
		return "unknown policy of negatives";
	if (objects < 0)
		return "unknown kind of object caches; right are zeroed, constructed";
	wrong = check_disk(c);
	if (wrong)
		return wrong;
	wrong = choose_locks(&cache->choices, c, &any);
	if (wrong)
		return wrong;
	if (c->table_bits > 30)
		return "table_bits is over 30";
	if (c->capacity > MAX_CAPACITY)
		return "capacity is over 2^31";
	if (c->limit > config_capacity(c))
		return "limit is over the capacity";
	if (c->store && (!c->store->root || !c->store->lookup || !c->store->readdir))
		return "the store lacks root, lookup or readdir";
	if (c->negative_limit >= config_capacity(c))
		return "negative_limit is not below the capacity";
	if (c->final != DCS_FINAL_REF && c->final != DCS_FINAL_NONE)
		return "final is neither DCS_FINAL_REF nor DCS_FINAL_NONE";
	cache->engine =
		find_engine(walk_names[walk].name, layout_names[layout].name, c->hash || any);
	if (!cache->engine)
		return "this walk does not exist for this layout";
	cache->hash = &dcs_hashes[hash];
	cache->rcu = rcu_flavours[flavour];
	cache->rcu_id = cache->rcu->id;
	cache->final = c->final;
	cache->table_bits = c->table_bits ?: DEFAULT_TABLE_BITS;
	cache->limit = limit_of(c);
	cache->negative_policy = (enum negative_policy)negatives;
	cache->negative_limit = negative_limit_of(c);
	cache->store_latency = c->store_latency;
	cache->constructors = objects;
	cache->backlog.rcu = cache->rcu;
	cache->backlog.limit = c->backlog_limit ?: DEFAULT_BACKLOG;
	if (c->hash_key[0] || c->hash_key[1])
		memcpy(cache->hash_key, c->hash_key, sizeof(cache->hash_key));
	else
		memcpy(cache->hash_key, hash_default_key, sizeof(cache->hash_key));
	return NULL;
}
