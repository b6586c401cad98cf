// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * test_enomem.c - each allocation fails once, in turn: -ENOMEM, nothing changed, no leak
 *
 * The linker puts the functions below before those of the same name (--wrap, for what
 * libdcs itself calls). An operation is tried with its first allocation failing, then
 * its second, until it makes so few that it succeeds; a case says how many that were, so
 * that a test in which nothing fails is noticed. Leaks are for LeakSanitizer and the
 * census.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "dcs/dcs.h"
#include "mem/arena.h"
#include "rcu/rcu.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define LONG	 "a-name-of-more-than-forty-bytes-that-lies-outside-of-its-dentry"

static unsigned fail_at; /* counts down; the allocation that makes it 0 fails */
static bool failed;

static bool fails(void)
{
	if (!fail_at || --fail_at)
		return false;
	failed = true;
	return true;
}

#define WRAP(type, name, parameters, arguments, failure)              \
	type __real_##name parameters;                                \
	type __wrap_##name parameters;                                \
	type __wrap_##name parameters                                 \
	{                                                             \
		return fails() ? (failure) : __real_##name arguments; \
	}

WRAP(void *, arena_alloc, (struct arena * a), (a), NULL)
WRAP(void *, calloc, (size_t n, size_t size), (n, size), NULL)
WRAP(int, posix_memalign, (void **p, size_t align, size_t size), (p, align, size), ENOMEM)
WRAP(void *, mmap, (void *at, size_t size, int prot, int flags, int fd, off_t offset),
     (at, size, prot, flags, fd, offset), MAP_FAILED)
WRAP(int, pthread_create,
     (pthread_t * thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg),
     (thread, attr, start, arg), EAGAIN)

static struct dcs_cache *cache;
static struct dcs_task *task;

static int make_directory(void)
{
	return dcs_mkdir(task, "/d/new", 0755);
}

static int make_long(void)
{
	return dcs_create(task, "/d/" LONG, 0644);
}

static int make_link(void)
{
	return dcs_symlink(task, "target", "/d/" LONG);
}

static int link_file(void)
{
	return dcs_link(task, "/d/f", "/e/" LONG, 0);
}

static int rename_file(void)
{
	return dcs_rename(task, "/d/f", "/e/" LONG, 0);
}

static int rename_directory(void)
{
	return dcs_rename(task, "/d/s", "/e/s", 0);
}

static int fork_task(void)
{
	struct dcs_task *child;
	int err = dcs_task_new(cache, task, 0, &child);

	if (!err)
		dcs_task_free(child);
	return err;
}

static int write_file(void)
{
	int fd = dcs_open(task, "/d/f", O_WRONLY, 0), err;

	if (fd < 0)
		return fd;
	err = (int)dcs_pwrite(task, fd, "data", 4, 100000);
	dcs_close(task, fd);
	return err == 4 ? 0 : err;
}

static const struct op {
	const char *name;
	int (*run)(void);
	unsigned least; /* allocations */
} ops[] = {
	{"mkdir", make_directory, 2},	{"create", make_long, 3},
	{"symlink", make_link, 4},	{"link", link_file, 2},
	{"rename", rename_file, 2},	{"rename of a directory", rename_directory, 1},
	{"dcs_task_new", fork_task, 2}, {"open and pwrite", write_file, 5},
};

/*
 * What can be seen: each name with all that a stat says, times too, and the numbers of
 * objects. Not the names that are to be made: a look would leave them cached as missing.
 */
struct view {
	struct dcs_stat st[5];
	int err[5];
	uint64_t positive, inodes;
};

static void look(struct view *v)
{
	static const char *const paths[] = {"/", "/d", "/e", "/d/f", "/d/s"};
	struct dcs_census census;

	_Static_assert(COUNT(paths) == COUNT(v->st), "a place for each");
	memset(v, 0, sizeof(*v));
	for (size_t i = 0; i < COUNT(paths); i++)
		v->err[i] = dcs_stat(task, paths[i], DCS_NOFOLLOW, &v->st[i]);
	dcs_barrier(cache);
	dcs_census(cache, &census);
	v->positive = census.dentries - census.negative;
	v->inodes = census.inodes;
}

static void open_cache(const struct dcs_config *config)
{
	assert_int_equal(dcs_cache_new(config, &cache, NULL), 0);
	assert_int_equal(dcs_thread_register(cache), 0);
	assert_int_equal(dcs_task_new(cache, NULL, 0, &task), 0);
	assert_int_equal(dcs_mkdir(task, "/d", 0755), 0);
	assert_int_equal(dcs_mkdir(task, "/d/s", 0755), 0);
	assert_int_equal(dcs_mkdir(task, "/e", 0755), 0);
	assert_int_equal(dcs_create(task, "/d/f", 0644), 0);
}

static void close_cache(void)
{
	dcs_task_free(task);
	dcs_cache_free(cache);
}

static void try_op(const struct dcs_config *config, const struct op *op)
{
	struct view before, after;
	char why[256] = "";
	unsigned n = 0;
	int err;

	do {
		open_cache(config);
		look(&before);
		failed = false;
		fail_at = ++n;
		err = op->run();
		fail_at = 0;
		look(&after);
		/* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): zeroed whole before */
		if (failed && (err != -ENOMEM || memcmp(&before, &after, sizeof(before)) != 0))
			fail_msg("%s, %s, allocation %u: %s", config->walk, op->name, n,
				 err != -ENOMEM ? strerror(-err) : "something changed");
		if (dcs_check(cache, why, sizeof(why)))
			fail_msg("%s, %s, allocation %u: %s", config->walk, op->name, n, why);
		/* And then it works. */
		if (failed)
			assert_int_equal(op->run(), 0);
		close_cache();
	} while (failed);
	assert_int_equal(err, 0);
	if (n <= op->least)
		fail_msg("%s: only %u allocations failed", op->name, n - 1);
}

static void test_operations(void **state)
{
	(void)state;
	for (const struct dcs_name *walk = dcs_list("walks"); walk->name; walk++) {
		struct dcs_config config = {
			.walk = walk->name, .table_bits = 4, .capacity = 64, .disk_size = 1 << 20};

		for (size_t i = 0; i < COUNT(ops); i++)
			try_op(&config, &ops[i]);
	}
}

/* What takes names away needs no memory where the name is cached. */
static void test_removal(void **state)
{
	static const struct dcs_config config = {.capacity = 64};

	(void)state;
	open_cache(&config);
	failed = false;
	fail_at = 1;
	assert_int_equal(dcs_unlink(task, "/d/f"), 0);
	assert_int_equal(dcs_rmdir(task, "/d/s"), 0);
	assert_int_equal(dcs_rename(task, "/d", "/e", DCS_RENAME_EXCHANGE), 0);
	fail_at = 0;
	assert_false(failed);
	close_cache();
}

/* A missing name wants a dentry, as in Linux. */
static void test_lookup(void **state)
{
	static const struct dcs_config config = {.capacity = 64};
	struct dcs_stat st;

	(void)state;
	open_cache(&config);
	failed = false;
	fail_at = 1;
	assert_int_equal(dcs_stat(task, "/none", 0, &st), -ENOMEM);
	assert_true(failed);
	fail_at = 0;
	assert_int_equal(dcs_stat(task, "/none", 0, &st), -ENOENT);
	assert_int_equal(dcs_check(cache, NULL, 0), 0);
	close_cache();
}

static void try_cache(const struct dcs_config *config)
{
	struct dcs_cache *none = NULL;
	const char *why;
	unsigned n = 0;
	int err;

	do {
		why = NULL;
		failed = false;
		fail_at = ++n;
		err = dcs_cache_new(config, &none, &why);
		fail_at = 0;
		if (!failed)
			continue;
		assert_true(err == -ENOMEM || err == -EAGAIN);
		assert_null(none);
		assert_non_null(strstr(why, err == -ENOMEM ? "memory" : "thread"));
	} while (failed);
	assert_int_equal(err, 0);
	assert_true(n > 4); /* cache, thread, table, root inode and dentry */
	dcs_cache_free(none);
}

static void test_cache(void **state)
{
	const struct dcs_config whole = {.objects = "constructed", .disk_size = 1 << 20};

	(void)state;
	try_cache(NULL);
	try_cache(&whole);
}

/* A full cache, too: its negatives leave room for names. */
static void test_capacity(void **state)
{
	struct dcs_config config = {.capacity = 40, .table_bits = 4};
	struct dcs_stat st;
	const char *why;
	char path[32];
	int made = 0;

	(void)state;
	open_cache(&config);
	for (int i = 0; i < 100; i++) {
		snprintf(path, sizeof(path), "/none%d", i);
		assert_int_equal(dcs_stat(task, path, 0, &st), -ENOENT);
	}
	for (int err = 0; !err; made += !err) {
		snprintf(path, sizeof(path), "/d/%d", made);
		err = dcs_create(task, path, 0644);
		assert_true(!err || err == -ENOMEM);
	}
	assert_in_range(made, 20, 40);
	assert_int_equal(dcs_check(cache, NULL, 0), 0);
	assert_int_equal(dcs_unlink(task, "/d/0"), 0);
	close_cache();
	config.negative_limit = 40;
	assert_int_equal(dcs_cache_new(&config, &cache, &why), -EINVAL);
	assert_non_null(strstr(why, "negative_limit"));
}

/* Registrations are a cache's: the end of one does not end those with another. */
static void test_registration(void **state)
{
	static const struct dcs_config config = {.flavour = "urcu-qsbr", .capacity = 64};
	struct dcs_cache *other;

	(void)state;
	open_cache(&config);
	assert_int_equal(dcs_cache_new(&config, &other, NULL), 0);
	dcs_cache_free(other);
	assert_true(urcu_qsbr_read_ongoing());
	assert_int_equal(dcs_cache_new(&config, &other, NULL), 0);
	assert_int_equal(dcs_thread_register(other), 0);
	assert_int_equal(dcs_thread_register(other), 0);
	dcs_cache_free(other);
	assert_true(urcu_qsbr_read_ongoing());
	close_cache();
	assert_false(urcu_qsbr_read_ongoing());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_operations), cmocka_unit_test(test_removal),
		cmocka_unit_test(test_lookup),	   cmocka_unit_test(test_cache),
		cmocka_unit_test(test_capacity),   cmocka_unit_test(test_registration),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
