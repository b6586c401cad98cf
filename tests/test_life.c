/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * test_life - what stays in a cache and what goes: faults that others shipped
 *
 * Floods of missing names and of names that come and go, shrinkers that meet each
 * other, walks and renames, names made to collide. Under a sanitizer the floods are
 * smaller; the claims are the same.
 */
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "dcache/cache.h"
#include "dcs/store.h"
#include "hash/list.h"
#include "mem/mem.h"
#include "variants.h"

#define FLOOD (MEM_ASAN || MEM_TSAN ? 100000 : 1000000)
#define HOT   500
#define SLACK 256 /* what a limit may be overstepped by, for a moment */

/* Names that others use meanwhile: hot ones are asked for once in so many misses. */
static void hot_name(char *buf, int i)
{
	sprintf(buf, "/d%d/hot%d", i % 10, i);
}

static void stat_hot(int i, int expected)
{
	struct dcs_stat st;
	char name[64];

	hot_name(name, i);
	IS(dcs_stat(task, name, 0, &st), expected);
}

static uint64_t slow_lookups(void)
{
	struct dcs_counters c;

	dcs_counters(cache, &c);
	return c.slow_lookups;
}

/*
 * @n misses, each name once, and between them the hot names in turn, which answer @expected.
 * Returns how many hot names had been forgotten at the end.
 */
static uint64_t flood(int n, int expected)
{
	struct dcs_census c;
	struct dcs_stat st;
	uint64_t before;
	char name[64];

	for (int i = 0; i < n; i++) {
		sprintf(name, "/d%d/miss%d", i % 7, i);
		IS(dcs_stat(task, name, 0, &st), -ENOENT);
		stat_hot(i % HOT, expected);
		if (i % 1000)
			continue;
		dcs_census(cache, &c);
		assert_true(c.dentries <= config.limit + SLACK);
	}
	before = slow_lookups();
	for (int i = 0; i < HOT; i++)
		stat_hot(i, expected);
	return slow_lookups() - before;
}

static void make_dirs(void)
{
	char name[64];

	for (int i = 0; i < 10; i++) {
		sprintf(name, "/d%d", i);
		IS(dcs_mkdir(task, name, 0755), 0);
	}
}

static void open_cache(const char *negatives, uint64_t limit, bool store)
{
	const char *why;

	config.negatives = negatives;
	config.limit = limit;
	config.capacity = 1 << 20;
	if (store)
		IS(dcs_store_memory(&config), 0);
	IS(dcs_cache_new(&config, &cache, &why), 0);
	IS(dcs_thread_register(cache), 0);
	IS(dcs_task_new(cache, NULL, 0, &task), 0);
}

static void close_cache(void)
{
	char why[200];

	if (dcs_check(cache, why, sizeof(why)))
		fail_msg("%s: %s", variant(), why);
	IS(counted().pending, 0);
	dcs_task_free(task);
	dcs_cache_free(cache);
	memset(&config, 0, sizeof(config));
	config.walk = "rcu-walk";
	config.flavour = "urcu-memb";
}

/* A million misses against a limit: within it, and files that are in use survive. */
static void test_misses(void **state)
{
	static const char *const policies[] = {"keep", "none", "quota"};
	static const char *const walks[] = {"rcu-walk", "ref-walk"};

	(void)state;
	for (unsigned i = 0; i < 3 * COUNT(walks); i++) {
		struct dcs_census c;
		char name[64];

		config.walk = walks[i / 3];
		open_cache(policies[i % 3], 10000, true);
		make_dirs();
		for (int k = 0; k < HOT; k++) {
			hot_name(name, k);
			IS(dcs_create(task, name, 0644), 0);
		}
		/* They are used as often as all else together, but not each is noted. */
		assert_in_range(flood(FLOOD / 5, 0), 0, HOT / 50);
		c = counted();
		assert_true(c.dentries <= config.limit);
		if (i % 3 == 1)
			assert_int_equal(c.negative, 0);
		else
			assert_true(c.negative > 100 && c.evicted > 1000);
		close_cache();
	}
}

/*
 * Negatives that are asked for again survive a flood of those that are not, under `quota`;
 * under `none` they are asked for each time, which shows that the count counts.
 */
static void test_hot_negatives(void **state)
{
	(void)state;
	for (int quota = 0; quota < 2; quota++) {
		config.negative_limit = 2000;
		open_cache(quota ? "quota" : "none", 10000, false);
		make_dirs();
		if (quota)
			assert_in_range(flood(FLOOD, -ENOENT), 0, HOT / 50);
		else
			assert_int_equal(flood(FLOOD / 100, -ENOENT), HOT);
		assert_true(counted().negative <= 2000);
		close_cache();
	}
}

/* What is used once goes before what is used again; nobody notes a hit: no second chances. */
static void test_second_chance(void **state)
{
	struct dcs_census c;

	(void)state;
	config.negative_limit = 1900;
	open_cache("keep", 2000, true);
	make_dirs();
	flood(10000, -ENOENT);
	c = counted();
	assert_true(c.second_chances > 100);
	close_cache();
	config.negative_limit = 1900;
	open_cache("keep", 2000, true);
	make_dirs();
	for (int i = 0; i < 10000; i++) {
		struct dcs_stat st;
		char name[64];

		sprintf(name, "/d%d/once%d", i % 10, i);
		IS(dcs_stat(task, name, 0, &st), -ENOENT);
	}
	c = counted();
	assert_true(c.evicted > 7000 && c.second_chances < 100);
	close_cache();
}

/* Names that are made and removed again leave nothing that grows. */
static void test_create_unlink(void **state)
{
	(void)state;
	for (int store = 0; store < 2; store++) {
		open_cache("keep", 1000, store);
		make_dirs();
		for (int i = 0; i < FLOOD / 10; i++) {
			char name[64];

			sprintf(name, "/d%d/tmp%d", i % 10, i * 7919);
			IS(dcs_create(task, name, 0644), 0);
			IS(dcs_unlink(task, name), 0);
		}
		assert_true(counted().dentries <= 1000);
		assert_int_equal(counted().inodes, 11);
		close_cache();
	}
}

/* A million rename-overs of one name leave no dead records on its chain. */
static void test_rename_over(void **state)
{
	struct dcs_stat st;
	struct dcs_census c;

	(void)state;
	config.table_bits = 3;
	open_cache("keep", 1000, false);
	IS(dcs_create(task, "over", 0644), 0);
	for (int i = 0; i < FLOOD; i++) {
		IS(dcs_create(task, "new", 0644), 0);
		IS(dcs_rename(task, "new", "over", 0), 0);
	}
	c = counted();
	IS(dcs_stat(task, "over", 0, &st), 0);
	IS(dcs_stat(task, "new", 0, &st), -ENOENT);
	assert_true(c.dentries <= 4 && c.longest_chain <= 3 && c.inodes == 2);
	close_cache();
}

/* Shrinking by count, below a directory, and all; what is in use stays. */
static void test_shrink(void **state)
{
	struct dcs_task *other;
	struct dcs_stat st;
	char name[64];

	(void)state;
	open_cache("keep", 0, true);
	make_dirs();
	for (int i = 0; i < 1000; i++) {
		sprintf(name, "/d%d/f%d", i % 10, i);
		IS(dcs_create(task, name, 0644), 0);
	}
	IS(counted().dentries, 1011);
	/* With the directories, which were unused when they were made. */
	assert_in_range(counted().unused, 1000, 1010);
	IS(dcs_shrink(cache, 300), 300);
	IS(counted().dentries, 711);
	IS(dcs_task_new(cache, task, 0, &other), 0);
	IS(dcs_chdir(other, "/d3"), 0);
	IS(dcs_shrink_tree(task, "/d3"), 0);
	IS(dcs_stat(other, ".", 0, &st), 0);
	IS(dcs_drop_caches(cache, 0), -EINVAL);
	IS(dcs_drop_caches(cache, 4), -EINVAL);
	IS(dcs_drop_caches(cache, 1), 0);
	assert_true(dcs_drop_caches(cache, 3) > 500);
	/* The root, and the cwd of the other. */
	IS(counted().dentries, 2);
	IS(counted().inodes, 2);
	IS(dcs_stat(task, "/d7/f7", 0, &st), 0);
	IS(dcs_stat(other, "f3", 0, &st), 0);
	IS(dcs_stat(other, "f4", 0, &st), -ENOENT);
	IS(dcs_shrink_tree(task, "/none"), -ENOENT);
	dcs_task_free(other);
	close_cache();
}

/* Without a store, positive dentries are the tree: no shrinker takes them. */
static void test_pinned(void **state)
{
	struct dcs_stat st;
	char name[64];

	(void)state;
	open_cache("keep", 100, false);
	for (int i = 0; i < 500; i++) {
		sprintf(name, "f%d", i);
		IS(dcs_create(task, name, 0644), 0);
		sprintf(name, "none%d", i);
		IS(dcs_stat(task, name, 0, &st), -ENOENT);
	}
	dcs_drop_caches(cache, 2);
	IS(dcs_shrink_tree(task, "/"), 0);
	IS(counted().dentries, 501);
	close_cache();
}

/* ---- with threads */

static bool stop;

static void *shrinks(void *arg)
{
	unsigned *times = arg;
	struct dcs_task *mine;

	dcs_thread_register(cache);
	dcs_task_new(cache, task, 0, &mine);
	for (*times = 0; *times < 200 && !load_relaxed(&stop); ++*times)
		if (dcs_shrink_tree(mine, "/"))
			abort();
	dcs_task_free(mine);
	dcs_thread_unregister(cache);
	return NULL;
}

static void *renames(void *arg)
{
	unsigned *times = arg;
	struct dcs_task *mine;

	dcs_thread_register(cache);
	dcs_task_new(cache, task, 0, &mine);
	for (*times = 0; !load_relaxed(&stop); ++*times) {
		/* A directory with all that is below it, back and forth. */
		if (dcs_rename(mine, "/d0", "/d1/d0", 0) || dcs_rename(mine, "/d1/d0", "/d0", 0))
			abort();
	}
	dcs_task_free(mine);
	dcs_thread_unregister(cache);
	return NULL;
}

static void fill(void)
{
	struct dcs_stat st;
	char name[64];

	for (int i = 0; i < 500; i++) {
		sprintf(name, "/d%d/f%d", i % 10, i);
		if (dcs_create(task, name, 0644) == -EEXIST)
			dcs_stat(task, name, 0, &st);
	}
}

/*
 * Two threads that shrink one tree, a walk that fills it again and renames of directories
 * inside all end: an alarm kills the test otherwise.
 */
static void test_shrinkers_meet(void **state)
{
	unsigned times[3] = {0};
	pthread_t thread[3];

	(void)state;
	for (int store = 0; store < 2; store++) {
		alarm(120);
		store_relaxed(&stop, false);
		open_cache("keep", 0, store);
		make_dirs();
		fill();
		for (int i = 0; i < 3; i++)
			assert_int_equal(pthread_create(&thread[i], NULL, i < 2 ? shrinks : renames,
							&times[i]),
					 0);
		for (int i = 0; i < 20; i++)
			fill();
		dcs_thread_offline(cache);
		for (int i = 0; i < 2; i++)
			pthread_join(thread[i], NULL);
		store_relaxed(&stop, true);
		pthread_join(thread[2], NULL);
		dcs_thread_online(cache);
		assert_true(times[0] == 200 && times[1] == 200 && times[2] > 0);
		alarm(0);
		close_cache();
	}
}

/* ---- names made to collide */

#define COLLIDE_BITS 10
#define COLLIDERS    256

/* The next number from *@i on whose name falls into bucket 0 of the root's children. */
static void next_collider(uint64_t *i, char name[16 + DCS_PATH_PAD])
{
	const uint64_t root = KERNEL_BASE_64; /* the first dentry, by its address in the kernel */

	for (;; ++*i) {
		uint32_t len;

		memset(name, 0, 16 + DCS_PATH_PAD);
		sprintf(name, "%lx", *i);
		if (!words_bucket(words_component(name, &len, root, NULL), root, COLLIDE_BITS)) {
			++*i;
			return;
		}
	}
}

/* An unkeyed hash lets whoever chooses names make one chain of them; a keyed one does not. */
static void test_collisions(void **state)
{
	static const char *const hashes[] = {"words", "siphash13"};

	(void)state;
	if (MEM_ASAN)
		skip(); /* dentries lie where malloc puts them, and no parent is known */
	for (unsigned h = 0; h < COUNT(hashes); h++) {
		char name[16 + DCS_PATH_PAD];
		uint64_t at = 0;

		config.hash = hashes[h];
		config.table_bits = COLLIDE_BITS;
		config.hash_key[0] = 0x0123456789abcdef;
		open_cache("keep", 0, false);
		for (int i = 0; i < COLLIDERS; i++) {
			next_collider(&at, name);
			IS(dcs_create(task, name, 0644), 0);
		}
		if (h)
			assert_in_range(counted().longest_chain, 1, 8);
		else
			assert_true(counted().longest_chain >= COLLIDERS);
		close_cache();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_misses),	      cmocka_unit_test(test_hot_negatives),
		cmocka_unit_test(test_second_chance), cmocka_unit_test(test_create_unlink),
		cmocka_unit_test(test_rename_over),   cmocka_unit_test(test_shrink),
		cmocka_unit_test(test_pinned),	      cmocka_unit_test(test_shrinkers_meet),
		cmocka_unit_test(test_collisions),
	};

	config.walk = "rcu-walk";
	config.flavour = "urcu-memb";
	return cmocka_run_group_tests(tests, NULL, NULL);
}
