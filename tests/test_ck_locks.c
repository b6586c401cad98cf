/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * test_ck_locks.c - ck's locks over src/mem/ck/ck_pr.h protect a plain counter
 *
 * Without an argument it runs each lock, and no count may be lost; under
 * ThreadSanitizer that also shows that locks give happens-before edges. With the
 * name of a mutant it runs that one, which must fail: `unlocked` and `relaxed` are
 * data races that ThreadSanitizer must report (no other build need see them),
 * `unchecked` is a sequence reader that must meet a torn pair in every build.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <ck_brlock.h>
#include <ck_pflock.h>
#include <ck_pr.h>
#include <ck_rwlock.h>
#include <ck_sequence.h>
#include <ck_spinlock.h>

#define THREADS 4
#define TURNS	2000
#define FEW	100 /* turns of a fair lock: beyond one thread a core each costs a time slice */
#define CHANGES 500 /* of the pair, seen by each reader */

static struct {
	ck_spinlock_fas_t fas;
	ck_spinlock_ticket_t ticket;
	ck_spinlock_mcs_t mcs;
	ck_rwlock_t rwlock;
	ck_brlock_t brlock;
	ck_pflock_t pflock;
	ck_sequence_t sequence;
	long counter;	      /* plain, protected by the lock under test */
	unsigned int pair[2]; /* equal, unless the writer is between its two stores */
	bool unchecked;	      /* the mutant: readers do not retry */
} shared;

static _Thread_local ck_brlock_reader_t *reader;

/* One critical section: a reading one returns the counter, another adds one to it. */
typedef long section_fn(bool read);

static long section(bool read)
{
	return read ? shared.counter : ++shared.counter;
}

static long section_fas(bool read)
{
	long count;

	ck_spinlock_fas_lock(&shared.fas);
	count = section(read);
	ck_spinlock_fas_unlock(&shared.fas);
	return count;
}

static long section_ticket(bool read)
{
	long count;

	ck_spinlock_ticket_lock(&shared.ticket);
	count = section(read);
	ck_spinlock_ticket_unlock(&shared.ticket);
	return count;
}

static long section_mcs(bool read)
{
	ck_spinlock_mcs_context_t node;
	long count;

	ck_spinlock_mcs_lock(&shared.mcs, &node);
	count = section(read);
	ck_spinlock_mcs_unlock(&shared.mcs, &node);
	return count;
}

#define SECTION_RW(name, read_lock, read_unlock)                \
	static long section_##name(bool read)                   \
	{                                                       \
		long count;                                     \
                                                                \
		if (read) {                                     \
			read_lock;                              \
			count = section(true);                  \
			read_unlock;                            \
		} else {                                        \
			ck_##name##_write_lock(&shared.name);   \
			count = section(false);                 \
			ck_##name##_write_unlock(&shared.name); \
		}                                               \
		return count;                                   \
	}

SECTION_RW(rwlock, ck_rwlock_read_lock(&shared.rwlock), ck_rwlock_read_unlock(&shared.rwlock))
SECTION_RW(pflock, ck_pflock_read_lock(&shared.pflock), ck_pflock_read_unlock(&shared.pflock))
SECTION_RW(brlock, ck_brlock_read_lock(&shared.brlock, reader), ck_brlock_read_unlock(reader))

/* Mutant: no lock at all. */
static long section_unlocked(bool read)
{
	return section(read);
}

/* Mutant: a lock whose unlock does not release. */
static long section_relaxed(bool read)
{
	long count;

	while (__atomic_exchange_n(&shared.fas.value, 1, __ATOMIC_ACQUIRE))
		ck_pr_stall();
	count = section(read);
	__atomic_store_n(&shared.fas.value, 0, __ATOMIC_RELAXED);
	return count;
}

struct worker {
	pthread_t thread;
	ck_brlock_reader_t reader;
	section_fn *run;
	int turns;
	bool failed;
};

/* Counts up, and reads between; fails if the counter did not move on. */
static void *count_up(void *arg)
{
	struct worker *worker = arg;
	long seen = 0, now;

	reader = &worker->reader;
	for (int i = 0; i < worker->turns; i++) {
		worker->run(false);
		now = worker->run(true);
		worker->failed |= now <= seen;
		seen = now;
	}
	return NULL;
}

/* Runs @fn in THREADS threads; returns how many of them failed. */
static int in_threads(void *(*fn)(void *), section_fn *run, int turns)
{
	struct worker workers[THREADS] = {0};
	int failed = 0;

	/* Readers are known before the threads start, so that threads share the lock alone. */
	for (int i = 0; i < THREADS; i++)
		ck_brlock_read_register(&shared.brlock, &workers[i].reader);
	for (int i = 0; i < THREADS; i++) {
		workers[i].run = run;
		workers[i].turns = turns;
		if (pthread_create(&workers[i].thread, NULL, fn, &workers[i]))
			abort();
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		failed += workers[i].failed;
	}
	ck_brlock_init(&shared.brlock);
	return failed;
}

static void counts(section_fn *run, int turns)
{
	shared.counter = 0;
	assert_int_equal(in_threads(count_up, run, turns), 0);
	assert_int_equal(shared.counter, THREADS * turns);
}

#define TEST_LOCK(name, turns)                 \
	static void lock_##name(void **state)  \
	{                                      \
		(void)state;                   \
		counts(section_##name, turns); \
	}
TEST_LOCK(fas, TURNS)
TEST_LOCK(ticket, FEW)
TEST_LOCK(mcs, FEW)
TEST_LOCK(rwlock, TURNS)
TEST_LOCK(pflock, FEW)
TEST_LOCK(brlock, TURNS)

/* Writes pairs until *@arg is set. */
static void *write_pairs(void *arg)
{
	unsigned int n = 0;

	while (!ck_pr_load_uint((unsigned int *)arg)) {
		n++;
		ck_sequence_write_begin(&shared.sequence);
		ck_pr_store_uint(&shared.pair[0], n);
		ck_pr_stall();
		ck_pr_store_uint(&shared.pair[1], n);
		ck_sequence_write_end(&shared.sequence);
		for (int i = 0; i < 50; i++)
			ck_pr_stall();
	}
	return NULL;
}

/* Reads until the pair has changed often; fails if one that it accepted was torn. */
static void *read_pairs(void *arg)
{
	struct worker *worker = arg;
	unsigned int version, a, b, last = 0;

	for (int changes = 0; changes < CHANGES; changes += a != last, last = a) {
		do {
			version = ck_sequence_read_begin(&shared.sequence);
			a = ck_pr_load_uint(&shared.pair[0]);
			b = ck_pr_load_uint(&shared.pair[1]);
		} while (ck_sequence_read_retry(&shared.sequence, version) && !shared.unchecked);
		worker->failed |= a != b;
	}
	return NULL;
}

static void sequence(void **state)
{
	pthread_t writer;
	unsigned int stop = 0;
	int torn;

	(void)state;
	assert_int_equal(pthread_create(&writer, NULL, write_pairs, &stop), 0);
	torn = in_threads(read_pairs, NULL, 0);
	ck_pr_store_uint(&stop, 1);
	assert_int_equal(pthread_join(writer, NULL), 0);
	if (torn)
		fail_msg("%d readers met a torn pair", torn);
}

static int run_mutant(const char *name)
{
	const struct CMUnitTest unchecked[] = {cmocka_unit_test(sequence)};
	section_fn *run = NULL;

	if (!strcmp(name, "unlocked"))
		run = section_unlocked;
	else if (!strcmp(name, "relaxed"))
		run = section_relaxed;
	if (run)
		return in_threads(count_up, run, TURNS);
	shared.unchecked = true;
	return cmocka_run_group_tests(unchecked, NULL, NULL);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lock_fas),    cmocka_unit_test(lock_ticket),
		cmocka_unit_test(lock_mcs),    cmocka_unit_test(lock_rwlock),
		cmocka_unit_test(lock_pflock), cmocka_unit_test(lock_brlock),
		cmocka_unit_test(sequence),
	};

	if (argc > 1)
		return run_mutant(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
