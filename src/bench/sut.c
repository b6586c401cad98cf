// SPDX-License-Identifier: LGPL-2.1-or-later
/* sut.c - caches as systems under test */
#include "bench/sut.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/reference.h"
#include "cli/options.h"
#include "dcs/store.h"

int stat_null(struct dcs_task *task, const char *path, unsigned flags, struct dcs_stat *st)
{
	(void)task, (void)path, (void)flags;
	st->ino = 0;
	return 0;
}

/* Threads are registered with a cache only while they use it: a wait never holds up a grace period.
 */
static void enter(struct sut *sut)
{
	int err = sut->cache ? dcs_thread_register(sut->cache) : 0;

	if (err)
		fail(EXIT_LACKS, "%s: cannot register a thread: %s", sut->walk, strerror(-err));
}

static void leave(struct sut *sut)
{
	if (sut->cache)
		dcs_thread_unregister(sut->cache);
}

int sut_task(struct sut *sut, struct dcs_task *like, unsigned flags, struct dcs_task **out)
{
	int err;

	*out = NULL;
	if (!sut->cache)
		return 0;
	enter(sut);
	err = dcs_task_new(sut->cache, like, flags, out);
	leave(sut);
	return err;
}

void sut_task_free(struct sut *sut, struct dcs_task *task)
{
	if (!task)
		return;
	enter(sut);
	dcs_task_free(task);
	leave(sut);
}

/* The tree is there already, behind the cache: each name is looked up, and so cached. */
static int tree_find(struct tree *tree, struct dcs_task *root)
{
	struct dcs_stat st;
	int err = 0;

	for (size_t i = 0; i < tree->n && !err; i++) {
		err = dcs_stat(root, tree->entry[i].path, DCS_NOFOLLOW, &st);
		tree->entry[i].ino = err ? 0 : st.ino;
	}
	return err;
}

static void load(struct sut *sut, struct tree *tree)
{
	int err;

	sut->tree = tree;
	sut->ino = calloc(tree->n + 1, sizeof(*sut->ino));
	if (!sut->ino)
		fail(EXIT_LACKS, "out of memory");
	enter(sut);
	err = !strcmp(sut->store, "dir") ? tree_find(tree, sut->root) : tree_load(tree, sut->root);
	leave(sut);
	if (err < 0)
		fail(EXIT_LACKS, "--tree %s: cannot load it: %s", tree->spec, strerror(-err));
	for (size_t i = 0; i < tree->n; i++)
		sut->ino[i] = tree->entry[i].ino;
}

static void open_cache(struct sut *sut, const struct dcs_config *config)
{
	const char *why = NULL;
	int err = dcs_cache_new(config, &sut->cache, &why);

	if (err)
		fail(err == -EINVAL ? EXIT_USAGE : EXIT_LACKS,
		     "cannot make a cache of %s, %s, %s, %s: %s", sut->walk, sut->layout, sut->hash,
		     sut->flavour, why ? why : strerror(-err));
	err = sut_task(sut, NULL, 0, &sut->root);
	if (err)
		fail(EXIT_LACKS, "cannot make a task: %s", strerror(-err));
}

static const char *or_first(const char *name, const char *kind)
{
	return name ? name : dcs_list(kind)[0].name;
}

static const char *or_this(const char *name, const char *other)
{
	return name ? name : other;
}

void sut_census(struct sut *sut, struct dcs_census *census)
{
	enter(sut);
	dcs_census(sut->cache, census);
	leave(sut);
}

/* Without a store every file and directory is pinned: no limit can be kept below that. */
static void check_limit(struct sut *sut, const struct dcs_config *config)
{
	struct dcs_census c;

	if (!config->limit || config->store)
		return;
	sut_census(sut, &c);
	if (c.dentries - c.unused > config->limit)
		fail(EXIT_USAGE,
		     "--limit %llu is below the %llu dentries that are pinned, since there is no "
		     "store; right is a greater limit, or --store memory",
		     (unsigned long long)config->limit,
		     (unsigned long long)(c.dentries - c.unused));
}

static void name_locks(struct sut *sut, const struct dcs_config *config)
{
	const struct dcs_name *role = dcs_list("lock-roles");
	size_t n = 0;

	for (int i = 0; i < DCS_LOCK_ROLES; i++)
		if (config->lock[i])
			n += (size_t)snprintf(sut->lock + n, sizeof(sut->lock) - n, "%s%s=%s",
					      n ? " " : "", role[i].name, config->lock[i]);
}

struct sut *sut_new(const struct dcs_config *wanted, struct tree *tree)
{
	struct dcs_config sized = *wanted, *config = &sized;
	struct sut *sut = calloc(1, sizeof(*sut));
	struct dcs_kernel kernel;

	if (!sut)
		fail(EXIT_LACKS, "out of memory");
	dcs_kernel(or_first(config->kernel, "kernels"), &kernel);
	*sut = (struct sut){
		.kind = SUT_CACHE,
		.kernel = kernel.name,
		.walk = or_this(config->walk, kernel.walk),
		.layout = or_this(config->layout, kernel.layout),
		.hash = or_this(config->hash, kernel.hash),
		.flavour = or_first(config->flavour, "flavours"),
		.final = config->final == DCS_FINAL_REF ? "ref" : "none",
		.refcount = or_this(config->refcount, kernel.refcount),
		.compare = or_this(config->compare, kernel.compare),
		.objects = or_first(config->objects, "objects"),
		.negatives = or_first(config->negatives, "negatives"),
		.store = config->store ? config->store->name : "none",
		.atime = or_first(config->atime, "atimes"),
		.stat = dcs_stat,
		.table_bits = config->table_bits ? config->table_bits : SUT_TABLE_BITS,
		.dir = -1,
	};
	name_locks(sut, config);
	/* Room for the tree, what a run adds, and what waits for a grace period. */
	if (!config->capacity && tree && tree->n > SUT_CAPACITY / 2)
		config->capacity = 2 * tree->n;
	open_cache(sut, config);
	sut->config = *config;
	sut->config.store = NULL;
	sut->config.store_data = NULL;
	if (tree) {
		load(sut, tree);
		check_limit(sut, config);
	}
	return sut;
}

static void close_cache(struct sut *sut)
{
	sut_task_free(sut, sut->root);
	enter(sut);
	dcs_cache_free(sut->cache);
}

void sut_renew(struct sut *sut, const struct dcs_config *config)
{
	close_cache(sut);
	open_cache(sut, config);
}

void sut_free(struct sut *sut)
{
	if (sut->cache)
		close_cache(sut);
	reference_close(sut);
	free(sut->ino);
	free(sut);
}
