/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * variants.h - runs a test body in every kind of cache, one thread
 *
 * A body finds an empty cache and a task of root's, and leaves what it likes: at its
 * end dcs_check() must find nothing and nothing may be pending.
 */
#ifndef TESTS_VARIANTS_H
#define TESTS_VARIANTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "dcs/dcs.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct dcs_cache *cache;
static struct dcs_task *task; /* uid 0 */
static struct dcs_config config;

static const char *variant(void)
{
	static char text[120];

	snprintf(text, sizeof(text), "%s %s final=%s hash=%s objects=%s",
		 config.walk ? config.walk : config.kernel,
		 config.flavour ? config.flavour : "default", config.final ? "none" : "ref",
		 config.hash ? config.hash : "compiled in", config.objects ? config.objects : "");
	return text;
}

#define IS(CALL, EXPECTED) check_is(__LINE__, #CALL, (long)(CALL), (long)(EXPECTED))

static void check_is(int line, const char *call, long got, long expected)
{
	if (got != expected)
		fail_msg("line %d, %s: %s gave %ld and not %ld", line, variant(), call, got,
			 expected);
}

static struct dcs_census counted(void)
{
	struct dcs_census c;

	dcs_barrier(cache);
	dcs_census(cache, &c);
	return c;
}

static __attribute__((unused)) struct dcs_stat lstat_of(const char *path)
{
	struct dcs_stat st;

	IS(dcs_stat(task, path, DCS_NOFOLLOW, &st), 0);
	return st;
}

static __attribute__((unused)) int stat_error(struct dcs_task *t, const char *path)
{
	struct dcs_stat st;

	return dcs_stat(t, path, 0, &st);
}

#define MISSING(PATH) IS(stat_error(task, PATH), -ENOENT)
#define INO(PATH)     lstat_of(PATH).ino
#define NLINK(PATH)   lstat_of(PATH).nlink

static void run_one(void (*body)(void))
{
	char why[300] = "";

	IS(dcs_cache_new(&config, &cache, NULL), 0);
	IS(dcs_thread_register(cache), 0);
	IS(dcs_task_new(cache, NULL, 0, &task), 0);
	body();
	dcs_task_free(task);
	if (dcs_check(cache, why, sizeof(why)))
		fail_msg("%s: %s", variant(), why);
	IS(counted().pending, 0);
	dcs_cache_free(cache);
}

/*
 * @hashes: of those by name, all or one, where what is tested does not depend on it. All
 * meet each walk, with one flavour and one way to end: these never see a hash.
 */
enum hashes { ONE_HASH, ALL_HASHES };

static void run_hash(void (*body)(void), enum hashes hashes)
{
	bool first = config.flavour == dcs_list("flavours")->name && !config.final;

	config.hash = NULL;
	run_one(body);
	/* No hash asks for a flavour. */
	if (!first)
		hashes = ONE_HASH;
	for (const struct dcs_name *hash = dcs_list("hashes"); hash->name; hash++) {
		config.hash = hash->name;
		if (hashes == ALL_HASHES || !strcmp(hash->name, "bytes"))
			run_one(body);
	}
	config.objects = "constructed";
	run_one(body);
	config.objects = NULL;
}

static __attribute__((unused)) void run_all(void (*body)(void), enum hashes hashes,
					    uint64_t capacity, uint64_t negative_limit)
{
	const struct dcs_name *walk, *flavour;

	config = (struct dcs_config){
		.table_bits = 6,
		.capacity = capacity,
		.negative_limit = negative_limit,
	};
	for (walk = dcs_list("walks"); walk->name; walk++) {
		for (flavour = dcs_list("flavours"); flavour->name; flavour++) {
			config.walk = walk->name;
			config.flavour = flavour->name;
			for (int final = 0; final < 2; final++) {
				config.final = (enum dcs_final) final;
				run_hash(body, final || flavour != dcs_list("flavours") ? ONE_HASH
											: hashes);
			}
		}
	}
	config.walk = config.flavour = config.hash = NULL;
	config.final = DCS_FINAL_REF;
	for (const struct dcs_name *kernel = dcs_list("kernels"); kernel->name; kernel++) {
		config.kernel = kernel->name;
		run_one(body);
	}
}

/* The test of body_NAME(). */
#define TEST(NAME, HASHES, CAPACITY, LIMIT)                    \
	static void test_##NAME(void **state)                  \
	{                                                      \
		(void)state;                                   \
		run_all(body_##NAME, HASHES, CAPACITY, LIMIT); \
	}

#endif
