/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * test_backlog - what waits for a grace period: bounded, timed, counted; each flavour
 *
 * Writers make names, move one over another and remove them, two at once in one directory. The
 * reader that holds up grace periods is the main thread: in a section, or online and silent
 * under urcu-qsbr.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "dcache/cache.h"
#include "variants.h"

#define WRITERS	   2
#define ROUNDS	   1000
#define ROUND	   3 /* objects that a round defers: a dentry and two inodes, */
#define OP_DEFERS  4 /* and one operation at most: dentry, inode, two names */
#define LIMIT	   200
#define NO_LIMIT   (1 << 20)
#define MS	   1000000ull
#define READER_MS  50
#define BOUND(max) ((max) + WRITERS * OP_DEFERS + 1) /* and the probe */

struct writer {
	pthread_t thread;
	int id, rounds;
};

static void must(int err)
{
	if (err)
		abort(); /* cmocka's checks are for its own thread */
}

static void *write_names(void *arg)
{
	struct writer *w = arg;
	char from[32], to[32];
	struct dcs_task *mine;

	must(dcs_thread_register(cache));
	must(dcs_task_new(cache, task, 0, &mine));
	sprintf(from, "/d/from%d", w->id);
	sprintf(to, "/d/to%d", w->id);
	for (int i = 0; i < w->rounds; i++) {
		must(dcs_create(mine, from, 0644));
		must(dcs_create(mine, to, 0644));
		must(dcs_rename(mine, from, to, 0));
		must(dcs_unlink(mine, to));
	}
	dcs_task_free(mine);
	dcs_thread_unregister(cache);
	return NULL;
}

static void start(struct writer w[WRITERS], int rounds)
{
	for (int i = 0; i < WRITERS; i++) {
		w[i] = (struct writer){.id = i, .rounds = rounds};
		assert_int_equal(pthread_create(&w[i].thread, NULL, write_names, &w[i]), 0);
	}
}

static void join(struct writer w[WRITERS])
{
	dcs_thread_offline(cache);
	for (int i = 0; i < WRITERS; i++)
		pthread_join(w[i].thread, NULL);
	dcs_thread_online(cache);
}

static void open_cache(const char *flavour, uint64_t limit)
{
	config = (struct dcs_config){
		.walk = "rcu-walk",
		.flavour = flavour,
		.table_bits = 6,
		.backlog_limit = limit,
	};
	IS(dcs_cache_new(&config, &cache, NULL), 0);
	IS(dcs_thread_register(cache), 0);
	IS(dcs_task_new(cache, NULL, 0, &task), 0);
	IS(dcs_mkdir(task, "/d", 0755), 0);
	dcs_barrier(cache);
}

/* Everything has been given back, and what is left is a tree. */
static struct dcs_census close_cache(void)
{
	struct dcs_census c = counted();
	char why[200];

	IS(c.pending, 0);
	IS(c.inodes, 2);
	if (dcs_check(cache, why, sizeof(why)))
		fail_msg("%s: %s", variant(), why);
	dcs_task_free(task);
	dcs_cache_free(cache);
	return c;
}

static void for_each_flavour(void (*body)(const char *flavour))
{
	for (const struct dcs_name *flavour = dcs_list("flavours"); flavour->name; flavour++)
		body(flavour->name);
}

static bool stop;

/* Returns the most that a census showed. */
static void *sample(void *arg)
{
	uint64_t *most = arg;
	struct dcs_census c;

	must(dcs_thread_register(cache));
	while (!load_relaxed(&stop)) {
		dcs_census(cache, &c);
		if (c.pending > *most)
			*most = c.pending;
		sched_yield();
	}
	dcs_thread_unregister(cache);
	return NULL;
}

static void bounded(const char *flavour)
{
	struct writer w[WRITERS];
	uint64_t most = 0, spent;
	struct dcs_census c;
	pthread_t sampler;

	open_cache(flavour, LIMIT);
	dcs_census(cache, &c);
	spent = c.reclaim_ns;
	store_relaxed(&stop, false);
	assert_int_equal(pthread_create(&sampler, NULL, sample, &most), 0);
	start(w, ROUNDS);
	join(w);
	store_relaxed(&stop, true);
	dcs_thread_offline(cache);
	pthread_join(sampler, NULL);
	dcs_thread_online(cache);
	c = close_cache();
	assert_in_range(most, 1, BOUND(LIMIT));
	assert_in_range(c.peak_pending, most, BOUND(LIMIT));
	IS(c.freed_inodes, WRITERS * ROUNDS * 2);
	assert_true(c.grace_periods && c.grace_longest_ns <= c.grace_ns);
	assert_true(c.grace_ns <= c.grace_periods * c.grace_longest_ns);
	assert_true(c.reclaim_ns > spent);
}

static void test_bounded(void **state)
{
	(void)state;
	for_each_flavour(bounded);
}

/* In a section until @pending objects wait, and a while longer. Returns how many wait then. */
static uint64_t hold_up(uint64_t pending)
{
	while (backlog_pending(&cache->backlog) < pending)
		usleep(1000);
	usleep(READER_MS * 1000);
	return backlog_pending(&cache->backlog);
}

/*
 * A reader that stays holds those who change, and neither memory nor them for good. The
 * probe was sent before the limit was reached, so it was on its way for all of the time.
 */
static void held_up(const char *flavour)
{
	struct writer w[WRITERS];
	struct dcs_census c;
	uint64_t pending;

	open_cache(flavour, LIMIT);
	rcu_enter(cache->rcu_id);
	start(w, ROUNDS);
	pending = hold_up(LIMIT + 1);
	rcu_exit(cache->rcu_id);
	join(w);
	c = close_cache();
	assert_in_range(pending, LIMIT + 1, BOUND(LIMIT));
	assert_in_range(c.peak_pending, pending, BOUND(LIMIT));
	assert_true(c.grace_longest_ns >= READER_MS * MS);
	assert_true(c.backlog_waits >= WRITERS);
	assert_true(c.backlog_wait_ns >= READER_MS * MS);
	IS(c.freed_inodes, WRITERS * ROUNDS * 2);
}

static void test_held_up(void **state)
{
	(void)state;
	for_each_flavour(held_up);
}

/* The same load with no limit in its way: far more wait, and nobody for them. */
static void unlimited(const char *flavour)
{
	uint64_t all = WRITERS * ROUNDS * ROUND;
	struct writer w[WRITERS];
	struct dcs_census c;
	uint64_t pending;

	open_cache(flavour, NO_LIMIT);
	rcu_enter(cache->rcu_id);
	start(w, ROUNDS);
	pending = hold_up(all);
	rcu_exit(cache->rcu_id);
	join(w);
	c = close_cache();
	assert_true(pending >= all && all > BOUND(LIMIT));
	assert_true(c.peak_pending >= pending);
	IS(c.backlog_waits, 0);
	IS(c.backlog_wait_ns, 0);
}

static void test_unlimited(void **state)
{
	(void)state;
	for_each_flavour(unlimited);
}

/* Under ck-epoch a thread frees its own, and waits for readers when it has too much of it. */
static void test_ck_own_bound(void **state)
{
	struct writer w[WRITERS];
	struct dcs_census c;
	uint64_t pending;

	(void)state;
	open_cache("ck-epoch", NO_LIMIT);
	rcu_enter(cache->rcu_id);
	start(w, CK_PENDING_MAX / ROUND + ROUNDS);
	pending = hold_up(WRITERS * CK_PENDING_MAX);
	rcu_exit(cache->rcu_id);
	join(w);
	c = close_cache();
	assert_in_range(pending, WRITERS * CK_PENDING_MAX, BOUND(WRITERS * CK_PENDING_MAX));
	assert_in_range(c.peak_pending, pending, BOUND(WRITERS * CK_PENDING_MAX));
	IS(c.backlog_waits, 0);
}

/* One operation that lets many go comes by while it does. */
static void tree_shrunk(const char *flavour)
{
	struct dcs_census c;
	struct dcs_stat st;
	char name[32];

	open_cache(flavour, LIMIT);
	for (int i = 0; i < 10 * LIMIT; i++) {
		sprintf(name, "/d/missing%d", i);
		IS(dcs_stat(task, name, 0, &st), -ENOENT);
	}
	IS(dcs_shrink_tree(task, "/d"), 0);
	c = close_cache();
	IS(c.freed_dentries, 10 * LIMIT);
	assert_in_range(c.peak_pending, 1, LIMIT + 2 * 64 + OP_DEFERS); /* it looks each 64 */
	/* Under ck-epoch it has freed its own on the way. */
	assert_true(c.backlog_waits > 0 || !strcmp(flavour, "ck-epoch"));
}

static void test_tree_shrunk(void **state)
{
	(void)state;
	for_each_flavour(tree_shrunk);
}

/* A cache ends with a probe on its way, and with what threads that are gone have left. */
static void ended(const char *flavour)
{
	for (int i = 0; i < 10; i++) {
		struct writer w[WRITERS];

		open_cache(flavour, 0);
		start(w, 10);
		join(w);
		IS(dcs_create(task, "/d/last", 0644), 0);
		IS(dcs_unlink(task, "/d/last"), 0);
		dcs_task_free(task);
		dcs_cache_free(cache);
	}
}

static void test_ended(void **state)
{
	(void)state;
	for_each_flavour(ended);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bounded),	    cmocka_unit_test(test_held_up),
		cmocka_unit_test(test_unlimited),   cmocka_unit_test(test_ck_own_bound),
		cmocka_unit_test(test_tree_shrunk), cmocka_unit_test(test_ended),
	};

	alarm(240); /* who waits for good is killed */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
