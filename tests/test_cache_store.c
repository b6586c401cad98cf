/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * test_cache_store - a cache over a store that answers: what it asks, and how often
 *
 * Every walk, both ends of one, every flavour where it matters. At the end of each
 * case all lookups that the store gave must have been forgotten.
 */
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "probe_store.h"

static struct dcs_counters counters_now(void)
{
	struct dcs_counters c;

	dcs_counters(cache, &c);
	return c;
}

/* Counts since the last mark(). */
static unsigned marked[QUESTIONS];
static uint64_t marked_retries;

static void mark(void)
{
	memcpy(marked, probe.asked, sizeof(marked));
	marked_retries = counters_now().stale_retries;
}

static unsigned asked(enum question q)
{
	return probe.asked[q] - marked[q];
}

static uint64_t retries(void)
{
	return counters_now().stale_retries - marked_retries;
}

static unsigned all_asked(void)
{
	unsigned sum = 0;

	for (int q = 0; q < QUESTIONS; q++)
		sum += probe.asked[q];
	return sum;
}

/* ---- a tree that does not fit */

#define TREE_DIRS  12
#define TREE_FILES 20

static void tree_name(char *name, int i)
{
	sprintf(name, "/dir%d/%s%d", i % TREE_DIRS,
		i % 5 ? "f" : "a-name-of-more-than-forty-bytes-", i);
}

static void body_small_limit(void)
{
	uint64_t ino[TREE_DIRS * TREE_FILES];
	struct timespec begin, end;
	char name[100];

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (int i = 0; i < TREE_DIRS; i++) {
		sprintf(name, "/dir%d", i);
		IS(dcs_mkdir(task, name, 0755), 0);
		sprintf(name, "/dir%d/up", i);
		IS(dcs_symlink(task, "..", name), 0);
	}
	for (int i = 0; i < TREE_DIRS * TREE_FILES; i++) {
		tree_name(name, i);
		IS(dcs_create(task, name, 0644), 0);
		ino[i] = INO(name);
	}
	for (int i = 0; i < 3 * TREE_DIRS * TREE_FILES; i++) {
		int n = i * 7 % (TREE_DIRS * TREE_FILES);

		tree_name(name, n);
		IS(INO(name), ino[n]);
		sprintf(name, "/dir%d/up/dir%d/none%d", n % TREE_DIRS, i % TREE_DIRS, n);
		MISSING(name);
	}
	assert_true(counted().dentries <= 40 + 64);
	assert_true(counted().evicted > 200);
	/* Time that is added and not slept. */
	clock_gettime(CLOCK_MONOTONIC, &end);
	IS(counters_now().store_asks, all_asked() - 1 /* the root, before there are counters */);
	IS(counters_now().store_ns, counters_now().store_asks * 1000000000ull);
	assert_true(counters_now().store_asks > 1000);
	assert_true((uint64_t)(end.tv_sec - begin.tv_sec) < counters_now().store_asks / 2);
}

static void test_small_limit(void **state)
{
	(void)state;
	in_caches(body_small_limit, false, false, 40);
}

/* ---- many who miss one name */

#define MISSERS 8

static pthread_barrier_t together;

struct misser {
	pthread_t thread;
	struct dcs_task *task;
	const char *path;
	int err;
	uint64_t ino;
};

static void *misses(void *arg)
{
	struct misser *m = arg;
	struct dcs_stat st = {0};

	dcs_thread_register(cache);
	dcs_thread_offline(cache);
	pthread_barrier_wait(&together);
	dcs_thread_online(cache);
	m->err = dcs_stat(m->task, m->path, 0, &st);
	m->ino = st.ino;
	dcs_thread_unregister(cache);
	return NULL;
}

static void take_time(void)
{
	usleep(20000);
}

/* How often the store is asked when all miss, half @even and half @odd. */
static void all_miss(const char *even, const char *odd, int expected, unsigned asks)
{
	struct misser m[MISSERS];

	dcs_drop_caches(cache, 2);
	probe.sleep = take_time;
	probe.slow = NULL;
	IS(stat_error(task, "/d"), 0);
	pthread_barrier_init(&together, NULL, MISSERS);
	mark();
	for (int i = 0; i < MISSERS; i++) {
		m[i].path = i % 2 ? odd : even;
		IS(dcs_task_new(cache, task, 0, &m[i].task), 0);
		pthread_create(&m[i].thread, NULL, misses, &m[i]);
	}
	dcs_thread_offline(cache);
	for (int i = 0; i < MISSERS; i++)
		pthread_join(m[i].thread, NULL);
	dcs_thread_online(cache);
	IS(asked(Q_LOOKUP), asks);
	pthread_barrier_destroy(&together);
	probe.sleep = NULL;
	for (int i = 0; i < MISSERS; i++) {
		IS(m[i].err, expected);
		if (!expected)
			IS(m[i].ino, INO(m[i].path));
		dcs_task_free(m[i].task);
	}
}

static void body_ask_once(void)
{
	IS(dcs_mkdir(task, "/d", 0755), 0);
	IS(dcs_create(task, "/d/one", 0644), 0);
	IS(dcs_create(task, "/d/two", 0644), 0);
	all_miss("/d/one", "/d/one", 0, 1);
	all_miss("/d/none", "/d/none", -ENOENT, 1);
	all_miss("/d/one", "/d/two", 0, 2);
}

static void test_ask_once(void **state)
{
	(void)state;
	in_caches(body_ask_once, false, false, 0);
}

/* ---- what is stale */

static void body_stale(void)
{
	IS(dcs_mkdir(task, "/d", 0755), 0);
	IS(dcs_create(task, "/d/x", 0644), 0);
	dcs_drop_caches(cache, 2);
	IS(stat_error(task, "/d"), 0);
	/* x, and once more from the start: d, which is asked about though it is cached, and x. */
	gives(Q_LOOKUP, "x", 1, -ESTALE);
	mark();
	IS(stat_error(task, "/d/x"), 0);
	IS(retries(), 1);
	IS(asked(Q_LOOKUP), 3);
	/* Once, and not for ever. */
	dcs_drop_caches(cache, 2);
	IS(stat_error(task, "/d"), 0);
	gives(Q_LOOKUP, "x", 100, -ESTALE);
	mark();
	IS(stat_error(task, "/d/x"), -ESTALE);
	IS(retries(), 1);
	IS(asked(Q_LOOKUP), 3);
	IS(dcs_unlink(task, "/d/x"), -ESTALE);
	IS(retries(), 2);
	gives(Q_REMOVE, "x", 1, -ESTALE);
	IS(dcs_unlink(task, "/d/x"), 0);
	IS(retries(), 3);
	/* A directory that was moved behind the cache's back is found to be. */
	IS(dcs_create(task, "/d/y", 0644), 0);
	dcs_drop_caches(cache, 2);
	IS(stat_error(task, "/d"), 0);
	IS(probe.memory->rename(config.store_data, INO("/"), "d", 1, INO("/"), "e", 1, 0), 0);
	gives(Q_LOOKUP, "y", 1, -ESTALE);
	IS(stat_error(task, "/d/y"), -ENOENT);
	IS(stat_error(task, "/e/y"), 0);
}

static void test_stale(void **state)
{
	(void)state;
	in_caches(body_stale, false, false, 0);
}

static void another_type(struct dcs_stat *attr)
{
	attr->mode = S_IFIFO | 0644;
}

static void body_revalidate(void)
{
	static const int nonsense[] = {2, 1000, -5000, INT32_MIN};
	struct dcs_stat set = {.size = 4711};
	uint64_t ino;

	IS(dcs_create(task, "/x", 0644), 0);
	ino = INO("/x");
	/* Still so, with the attributes of now. */
	IS(probe.memory->setattr(config.store_data, ino, &set, DCS_SET_SIZE), 0);
	mark();
	IS(lstat_of("/x").size, 4711);
	IS(asked(Q_REVALIDATE), 1);
	/* A name that is missing is asked about as well. */
	MISSING("/none");
	IS(asked(Q_LOOKUP), 1);
	MISSING("/none");
	IS(asked(Q_LOOKUP), 1);
	IS(asked(Q_REVALIDATE), 2);
	/* Not so any more: looked up anew. */
	gives(Q_REVALIDATE, "x", 1, 0);
	mark();
	IS(INO("/x"), ino);
	IS(asked(Q_REVALIDATE), 1);
	IS(asked(Q_LOOKUP), 1);
	/* Errors are the caller's; the name stays. */
	gives(Q_REVALIDATE, "x", 1, -EIO);
	IS(stat_error(task, "/x"), -EIO);
	for (unsigned i = 0; i < COUNT(nonsense); i++) {
		gives(Q_REVALIDATE, "x", 1, nonsense[i]);
		IS(stat_error(task, "/x"), -EIO);
	}
	lies(Q_REVALIDATE, "x", 1, another_type);
	IS(stat_error(task, "/x"), -EIO);
	IS(lstat_of("/x").mode, S_IFREG | 0644);
	gives(Q_REVALIDATE, "x", 1, -ESTALE);
	mark();
	IS(stat_error(task, "/x"), 0);
	IS(retries(), 1);
	/* What others do is seen at once. */
	IS(dcs_create(task, "/y", 0644), 0);
	IS(probe.memory->rename(config.store_data, INO("/"), "y", 1, INO("/"), "x", 1, 0), 0);
	MISSING("/y");
	assert_true(INO("/x") != ino);
	IS(dcs_unlink(task, "/x"), 0);
	MISSING("/x");
}

static void test_revalidate(void **state)
{
	(void)state;
	in_caches(body_revalidate, false, true, 0);
}

/* ---- a store that blocks */

static sem_t blocked, released;

static void block(void)
{
	sem_post(&blocked);
	sem_wait(&released);
}

static void *asks_slow(void *arg)
{
	struct dcs_task *mine = arg;

	dcs_thread_register(cache);
	IS(stat_error(mine, "/d/slow"), -ENOENT);
	dcs_thread_unregister(cache);
	return NULL;
}

/* All but misses in that directory goes on, and reclamation. */
static void body_block(void)
{
	struct dcs_task *other;
	pthread_t thread;
	uint64_t freed;

	IS(dcs_mkdir(task, "/d", 0755), 0);
	IS(dcs_mkdir(task, "/e", 0755), 0);
	IS(dcs_create(task, "/d/x", 0644), 0);
	IS(dcs_task_new(cache, task, 0, &other), 0);
	sem_init(&blocked, 0, 0);
	sem_init(&released, 0, 0);
	probe.slow = "slow";
	probe.sleep = block;
	pthread_create(&thread, NULL, asks_slow, other);
	dcs_thread_offline(cache);
	sem_wait(&blocked);
	dcs_thread_online(cache);
	for (int i = 0; i < 100; i++) {
		IS(stat_error(task, "/d/x"), 0);
		IS(stat_error(task, "/d"), 0);
		MISSING("/e/none");
	}
	IS(dcs_create(task, "/e/y", 0644), 0);
	IS(dcs_rename(task, "/e/y", "/e/z", 0), 0);
	IS(dcs_unlink(task, "/e/z"), 0);
	freed = counted().freed_dentries;
	dcs_drop_caches(cache, 2);
	assert_true(counted().freed_dentries > freed); /* after a barrier */
	IS(counted().pending, 0);
	IS(probe.slept, 0);
	sem_post(&released);
	dcs_thread_offline(cache);
	pthread_join(thread, NULL);
	dcs_thread_online(cache);
	IS(probe.slept, 1);
	dcs_task_free(other);
	sem_destroy(&blocked);
	sem_destroy(&released);
}

static void test_block(void **state)
{
	(void)state;
	alarm(120); /* instead of waiting for ever */
	in_caches(body_block, true, false, 0);
	alarm(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_limit), cmocka_unit_test(test_ask_once),
		cmocka_unit_test(test_stale),	    cmocka_unit_test(test_revalidate),
		cmocka_unit_test(test_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
