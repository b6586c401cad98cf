/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * test_lock.c - each kind of lock behind the verbs of lock.h, and what each is refused for
 *
 * Without an argument all tests; with `readers`, a mutant that changes the counter under
 * a lock for readers: counts are lost, and ThreadSanitizer must see the race.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dcs/dcs.h"
#include "lock/lock.h"
#include "lock/wait.h"

#define THREADS 4
#define TURNS	500

static const char *const names[] = {
#define NAME_OF(N, NAME, ROLES, WHAT) NAME,
	DCS_LOCKS(NAME_OF)
#undef NAME_OF
};

static struct {
	union lock lock;
	enum lock_kind kind;
	bool as_reader; /* the mutant: writers take it as readers */
	long counter;	/* plain, under the lock */
} shared;

static unsigned inside; /* readers that hold the lock */

struct worker {
	pthread_t thread;
	ck_brlock_reader_t reader;
	bool failed;
};

static void write_lock(struct worker *w)
{
	if (shared.as_reader)
		lock_read_acquire(&shared.lock, shared.kind, DCS_LOCK_FS, &w->reader);
	else
		lock_acquire(&shared.lock, shared.kind, DCS_LOCK_FS);
}

static void write_unlock(struct worker *w)
{
	if (shared.as_reader)
		lock_read_release(&shared.lock, shared.kind, DCS_LOCK_FS, &w->reader);
	else
		lock_release(&shared.lock, shared.kind, DCS_LOCK_FS);
}

/* Adds one, with room between load and store for whoever is not kept out. */
static void *count_up(void *arg)
{
	struct worker *w = arg;
	long seen, last = 0;

	for (int i = 0; i < TURNS; i++) {
		write_lock(w);
		seen = shared.counter;
		if (i % 50 == 0)
			sched_yield();
		shared.counter = seen + 1;
		write_unlock(w);

		lock_read_acquire(&shared.lock, shared.kind, DCS_LOCK_FS, &w->reader);
		seen = shared.counter;
		lock_read_release(&shared.lock, shared.kind, DCS_LOCK_FS, &w->reader);
		w->failed |= seen <= last;
		last = seen;
	}
	return NULL;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Holds the lock as a reader until all do; gives up after a while. */
static void *meet(void *arg)
{
	struct worker *w = arg;
	double end = seconds() + 20;

	lock_read_acquire(&shared.lock, shared.kind, DCS_LOCK_FS, &w->reader);
	fetch_add_relaxed(&inside, 1);
	while (load_relaxed(&inside) != THREADS && seconds() < end)
		sched_yield();
	w->failed = load_relaxed(&inside) != THREADS;
	lock_read_release(&shared.lock, shared.kind, DCS_LOCK_FS, &w->reader);
	return NULL;
}

static void start(struct worker *workers, int n, void *(*fn)(void *))
{
	memset(workers, 0, (size_t)n * sizeof(*workers));
	if (shared.kind == LOCK_BRLOCK)
		for (int i = 0; i < n; i++)
			ck_brlock_read_register(&shared.lock.br, &workers[i].reader);
	for (int i = 0; i < n; i++)
		assert_int_equal(pthread_create(&workers[i].thread, NULL, fn, &workers[i]), 0);
}

static int finish(struct worker *workers, int n)
{
	int failed = 0;

	for (int i = 0; i < n; i++) {
		pthread_join(workers[i].thread, NULL);
		failed += workers[i].failed;
	}
	return failed;
}

static int in_threads(enum lock_kind kind, void *(*fn)(void *))
{
	struct worker workers[THREADS];

	shared.kind = kind;
	shared.counter = 0;
	inside = 0;
	lock_init(&shared.lock);
	start(workers, THREADS, fn);
	return finish(workers, THREADS);
}

/* Each count of each thread is there, and what a reader sees does not go back. */
static void excludes(void **state)
{
	(void)state;
	dcs_yield_after(100); /* fair locks on few cores */
	for (int kind = 0; kind < LOCK_SEQ; kind++) {
		int failed = in_threads((enum lock_kind)kind, count_up);

		if (failed || shared.counter != (long)THREADS * TURNS)
			fail_msg("%s: counts lost: %ld of %d, %d readers saw old ones", names[kind],
				 shared.counter, THREADS * TURNS, failed);
	}
}

static void readers_meet(void **state)
{
	static const enum lock_kind with_readers[] = {LOCK_RWLOCK, LOCK_BRLOCK, LOCK_PFLOCK};

	(void)state;
	for (int i = 0; i < 3; i++)
		if (in_threads(with_readers[i], meet))
			fail_msg("%s: readers keep each other out", names[with_readers[i]]);
}

/* A thread may hold locks of several roles at once: each has a queue node of its own. */
static void roles_nest(void **state)
{
	union lock outer, inner;

	(void)state;
	for (int kind = 0; kind < LOCK_SEQ; kind++) {
		lock_init(&outer);
		lock_init(&inner);
		for (int i = 0; i < 3; i++) {
			lock_acquire(&outer, (enum lock_kind)kind, DCS_LOCK_DCACHE);
			lock_acquire(&inner, (enum lock_kind)kind, DCS_LOCK_BUCKET);
			lock_release(&inner, (enum lock_kind)kind, DCS_LOCK_BUCKET);
			lock_release(&outer, (enum lock_kind)kind, DCS_LOCK_DCACHE);
		}
	}
}

static void *wait_once(void *arg)
{
	struct worker *w = arg;

	(void)w;
	lock_acquire(&shared.lock, shared.kind, DCS_LOCK_FS);
	lock_release(&shared.lock, shared.kind, DCS_LOCK_FS);
	return NULL;
}

static void *wait_to_read(void *arg)
{
	struct worker *w = arg;

	lock_read_acquire(&shared.lock, shared.kind, DCS_LOCK_FS, &w->reader);
	lock_read_release(&shared.lock, shared.kind, DCS_LOCK_FS, &w->reader);
	return NULL;
}

/* The yields of one thread that has to wait while another holds the lock. */
static uint64_t yields_of(enum lock_kind kind, void *(*fn)(void *), unsigned patience)
{
	struct worker waiter;
	uint64_t before = load_relaxed(&lock_yields), until;

	shared.kind = kind;
	lock_init(&shared.lock);
	dcs_yield_after(patience);
	lock_acquire(&shared.lock, kind, DCS_LOCK_FS);
	memset(&waiter, 0, sizeof(waiter));
	/* A big-reader lock's registration takes it for writing: without the verbs, then. */
	if (kind == LOCK_BRLOCK)
		shared.lock.br.readers = &waiter.reader;
	assert_int_equal(pthread_create(&waiter.thread, NULL, fn, &waiter), 0);
	if (patience)
		for (double end = seconds() + 20; seconds() < end; usleep(1000))
			if (load_relaxed(&lock_yields) != before)
				break;
	usleep(patience ? 0 : 20000);
	until = load_relaxed(&lock_yields);
	lock_release(&shared.lock, kind, DCS_LOCK_FS);
	finish(&waiter, 1);
	return until - before;
}

static void waiters_yield(void **state)
{
	(void)state;
	for (int k = 0; k < LOCK_SEQ; k++) {
		enum lock_kind kind = (enum lock_kind)k;

		if (!yields_of(kind, wait_once, 10) || !yields_of(kind, wait_to_read, 10))
			fail_msg("%s: a waiter does not yield", names[k]);
		if (yields_of(kind, wait_once, 0) || yields_of(kind, wait_to_read, 0))
			fail_msg("%s: a waiter yields unasked", names[k]);
	}
}

/* Which locks serve for a role, as a user is told: not from the list that decides it. */
static const struct {
	const char *role, *right;
} roles[] = {
#if defined(__x86_64__) || defined(__i386__)
	{"d_lock", "fas, cas, ticket"},
#else
	{"d_lock", "fas, cas"},
#endif
	{"bucket", "fas, cas, ticket, mcs"},
	{"dcache_lock", "fas, cas, ticket, mcs, rwlock, brlock, pflock"},
	{"mount", "fas, cas, ticket, mcs, rwlock, brlock, pflock, seq"},
	{"fs", "fas, cas, ticket, mcs, rwlock, brlock, pflock, seq"},
};

static bool listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (; *list; list += strcspn(list, " "), list += *list == ' ')
		if (!strncmp(list, name, n) && (list[n] == ',' || !list[n]))
			return true;
	return false;
}

static void one_choice(int role, const char *lock)
{
	struct dcs_config config = {.capacity = 1024, .table_bits = 4, .walk = "global-lock"};
	bool right = listed(roles[role].right, lock);
	struct dcs_cache *cache = NULL;
	const char *why = "";
	int err;

	config.lock[role] = lock;
	err = dcs_cache_new(&config, &cache, &why);
	if (right && err)
		fail_msg("%s=%s is refused: %s", roles[role].role, lock, why);
	if (!right && (err != -EINVAL || !strstr(why, roles[role].right) ||
		       !strstr(why, roles[role].role) || !strstr(why, lock) || strchr(why, '\n')))
		fail_msg("%s=%s: %d, \"%s\" and not -EINVAL and \"right are %s\"", roles[role].role,
			 lock, err, why, roles[role].right);
	dcs_cache_free(cache);
}

static void refusals(void **state)
{
	(void)state;
	for (int role = 0; role < DCS_LOCK_ROLES; role++) {
		assert_string_equal(dcs_list("lock-roles")[role].name, roles[role].role);
		for (int kind = 0; kind < LOCK_KINDS; kind++)
			one_choice(role, names[kind]);
		one_choice(role, "mutex");
	}
}

/* One thread in two caches of other choices, by turns, the second gone before the end. */
static void two_caches(void **state)
{
	struct dcs_config configs[2] = {
		{.capacity = 1024, .refcount = "separate", .lock = {[DCS_LOCK_D] = "ticket"}},
		{.capacity = 1024, .lock = {[DCS_LOCK_D] = "cas", [DCS_LOCK_MOUNT] = "brlock"}},
	};
	struct dcs_cache *cache[2];
	struct dcs_task *task[2];
	struct dcs_stat st;
	char why[200] = "";

	(void)state;
	if (!listed(roles[DCS_LOCK_D].right, "ticket"))
		configs[0].lock[DCS_LOCK_D] = "cas";
	for (int i = 0; i < 2; i++) {
		assert_int_equal(dcs_cache_new(&configs[i], &cache[i], NULL), 0);
		assert_int_equal(dcs_thread_register(cache[i]), 0);
		assert_int_equal(dcs_task_new(cache[i], NULL, 0, &task[i]), 0);
	}
	for (int turn = 0; turn < 100; turn++)
		for (int i = 0; i < 2; i++) {
			assert_int_equal(dcs_mkdir(task[i], "d", 0755), 0);
			assert_int_equal(dcs_stat(task[i], "d/../d", 0, &st), 0);
			assert_int_equal(dcs_rmdir(task[i], "d"), 0);
		}
	for (int i = 1; i >= 0; i--) {
		dcs_task_free(task[i]);
		if (dcs_check(cache[i], why, sizeof(why)))
			fail_msg("cache %d: %s", i, why);
		dcs_cache_free(cache[i]);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest mutant[] = {cmocka_unit_test(excludes)};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(excludes),   cmocka_unit_test(readers_meet),
		cmocka_unit_test(roles_nest), cmocka_unit_test(waiters_yield),
		cmocka_unit_test(refusals),   cmocka_unit_test(two_caches),
	};

	if (argc > 1 && !strcmp(argv[1], "readers")) {
		shared.as_reader = true;
		return cmocka_run_group_tests(mutant, NULL, NULL);
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
