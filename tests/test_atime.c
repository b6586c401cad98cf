/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * test_atime.c - which reads store an access time, and when the store is told
 *
 * A table of policies, ages and events, over a clock of the test's own, for each walk and with
 * and without a store; then what lazytime keeps and when it lets go.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above first */
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "dcs/dcs.h"
#include "dcs/store.h"

#define S    ((uint64_t)1000000000)
#define DAY  (24 * 60 * 60 * S)
#define MADE (1186340000 * S) /* when the files were made */

static uint64_t now;

struct world {
	struct dcs_cache *cache;
	struct dcs_task *task;
};

static int stat_of(struct world *w, const char *path, struct dcs_stat *st)
{
	return dcs_stat(w->task, path, DCS_NOFOLLOW, st);
}

/* Nanoseconds from MADE. */
static uint64_t atime_of(struct world *w, const char *path)
{
	struct dcs_stat st;

	assert_int_equal(stat_of(w, path, &st), 0);
	return (uint64_t)st.atime.tv_sec * S + (uint64_t)st.atime.tv_nsec - MADE;
}

static struct dcs_counters counters(struct world *w)
{
	struct dcs_counters c;

	dcs_counters(w->cache, &c);
	return c;
}

/* file, dir/, and link to file. */
static struct world open_world(const char *atime, const char *walk, bool store)
{
	struct dcs_config config = {.atime = atime, .walk = walk, .clock = &now, .table_bits = 8};
	struct world w;
	int fd;

	now = MADE;
	if (store)
		assert_int_equal(dcs_store_memory(&config), 0);
	assert_int_equal(dcs_cache_new(&config, &w.cache, NULL), 0);
	dcs_thread_register(w.cache);
	assert_int_equal(dcs_task_new(w.cache, NULL, 0, &w.task), 0);
	fd = dcs_open(w.task, "/file", O_CREAT | O_WRONLY, 0644);
	assert_int_equal(dcs_close(w.task, fd), 0);
	assert_int_equal(dcs_setsize(w.task, "/file", 10, MADE / S, 0), 0);
	assert_int_equal(dcs_mkdir(w.task, "/dir", 0755), 0);
	assert_int_equal(dcs_symlink(w.task, "file", "/link"), 0);
	return w;
}

static void close_world(struct world *w)
{
	char why[256];

	assert_int_equal(dcs_check(w->cache, why, sizeof(why)), 0);
	dcs_task_free(w->task);
	dcs_cache_free(w->cache);
}

static void read_file(struct world *w)
{
	char buf[16];
	int fd = dcs_open(w->task, "/file", O_RDONLY, 0);

	memset(buf, 'x', sizeof(buf));
	assert_int_equal(dcs_pread(w->task, fd, buf, sizeof(buf), 4), 6);
	assert_int_equal(buf[5], 0);
	assert_int_equal(buf[6], 'x');
	assert_int_equal(dcs_close(w->task, fd), 0);
}

static void read_dir(struct world *w)
{
	char buf[512];
	int fd = dcs_open(w->task, "/dir", O_RDONLY | O_DIRECTORY, 0);

	assert_true(dcs_getdents(w->task, fd, buf, sizeof(buf)) > 0);
	assert_int_equal(dcs_close(w->task, fd), 0);
}

static void follow(struct world *w)
{
	struct dcs_stat st;

	assert_int_equal(dcs_stat(w->task, "/link", 0, &st), 0);
}

static void read_body(struct world *w)
{
	char buf[16];

	assert_int_equal(dcs_readlink(w->task, "/link", buf, sizeof(buf)), 4);
}

/* What open() with O_CREAT follows it walks by itself. */
static void create_by_link(struct world *w)
{
	int fd = dcs_open(w->task, "/link", O_CREAT | O_WRONLY, 0644);

	assert_int_equal(dcs_close(w->task, fd), 0);
}

static void only_stat(struct world *w)
{
	struct dcs_stat st;

	assert_int_equal(stat_of(w, "/link", &st), 0);
	assert_int_equal(stat_of(w, "/dir/../file", &st), 0);
	assert_int_equal(stat_of(w, "/dir/nobody", &st), -ENOENT);
}

static const struct event {
	void (*happens)(struct world *w);
	const char *touches;
} events[] = {
	{read_file, "/file"}, {read_dir, "/dir"},	 {follow, "/link"},
	{read_body, "/link"}, {create_by_link, "/link"},
};

/*
 * Read at @first, then at @then, and the same tick once more: how often is a time stored? Of
 * the first read atime, mtime and ctime are equal; @changed: the mode is changed before @then.
 */
static const struct row {
	const char *atime;
	uint64_t first, then;
	bool changed;
	int file, dir, link; /* stores */
} rows[] = {
	{"noatime", S, DAY * 2, true, 0, 0, 0},
	{"relatime", S, 2 * S, false, 1, 1, 1},
	{"relatime", S, 2 * S, true, 2, 2, 1}, /* no mode of a link can be changed */
	{"relatime", S, S + DAY - 1, false, 1, 1, 1},
	{"relatime", S, S + DAY, false, 2, 2, 2},
	{"relatime-2007", S, 2 * S, false, 1, 1, 1},
	{"relatime-2007", S, 2 * S, true, 2, 2, 1},
	{"relatime-2007", S, S + 2 * DAY, false, 1, 1, 1},
	{"strictatime", S, 2 * S, false, 2, 2, 2},
	{"strictatime", S, S, false, 1, 1, 1},
	{"lazytime", S, 2 * S, false, 2, 2, 2},
	{"nodiratime", S, 2 * S, false, 2, 0, 2},
};

static int expected(const struct row *row, const char *path)
{
	return path[1] == 'f' ? row->file : path[1] == 'd' ? row->dir : row->link;
}

static void run_row(const struct row *row, const struct event *e, const char *walk, bool store)
{
	struct world w = open_world(row->atime, walk, store);
	uint64_t want = 0;
	int stores = expected(row, e->touches);

	now = MADE + row->first;
	only_stat(&w);
	e->happens(&w);
	if (stores)
		want = row->first;
	assert_int_equal(atime_of(&w, e->touches), want);
	now = MADE + row->then;
	if (row->changed && *e->touches && e->touches[1] != 'l')
		assert_int_equal(dcs_chmod(w.task, e->touches, 0755, 0), 0);
	e->happens(&w);
	e->happens(&w);
	if (stores == 2 || row->first == row->then)
		want = stores ? row->then : 0;
	assert_int_equal(atime_of(&w, e->touches), want);
	assert_int_equal(counters(&w).atime_stores, stores);
	close_world(&w);
}

static void test_rules(void **state)
{
	(void)state;
	for (const struct dcs_name *walk = dcs_list("walks"); walk->name; walk++)
		for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++)
			for (size_t e = 0; e < sizeof(events) / sizeof(events[0]); e++) {
				print_message("%s: row %zu, event %zu\n", walk->name, r, e);
				run_row(&rows[r], &events[e], walk->name, false);
				run_row(&rows[r], &events[e], walk->name, true);
			}
}

/* Dropping to ref-walk is only for a time that is due, and is counted. */
static void test_exits(void **state)
{
	struct world w = open_world("relatime", "rcu-walk", false);
	struct dcs_counters c;

	(void)state;
	now += S;
	follow(&w);
	c = counters(&w);
	assert_int_equal(c.exits[DCS_EXIT_ATIME], 1);
	assert_int_equal(c.atime_stores, 1);
	follow(&w);
	c = counters(&w);
	assert_int_equal(c.exits[DCS_EXIT_ATIME], 1);
	close_world(&w);
}

/* Does the store know? The cache lets go of what it believes, and asks. */
static void assert_store_has(struct world *w, const char *path, uint64_t atime)
{
	dcs_drop_caches(w->cache, 2);
	assert_int_equal(atime_of(w, path), atime);
}

static void chmod_file(struct world *w)
{
	assert_int_equal(dcs_chmod(w->task, "/file", 0600, 0), 0);
}

static void link_file(struct world *w)
{
	int err = dcs_link(w->task, "/file", "/other", 0);

	assert_true(!err || err == -EEXIST);
}

static void sync_all(struct world *w)
{
	assert_int_equal(dcs_sync(w->cache), 0);
}

static void evict(struct world *w)
{
	assert_true(dcs_drop_caches(w->cache, 3) >= 0);
}

static void test_lazy(void **state)
{
	static void (*const ends[])(struct world *) = {chmod_file, link_file, sync_all, evict};

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct world w = open_world("lazytime", "rcu-walk", true);

		for (int n = 0; n < 3; n++) {
			now += S;
			read_file(&w);
		}
		assert_int_equal(counters(&w).atime_stores, 3);
		assert_int_equal(counters(&w).atime_writes, 0);
		ends[i](&w);
		assert_int_equal(counters(&w).atime_writes, 1);
		ends[i](&w);
		assert_int_equal(counters(&w).atime_writes, 1);
		assert_store_has(&w, "/file", 3 * S);
		close_world(&w);
	}
}

static void test_told_at_once(void **state)
{
	struct world w = open_world("strictatime", "ref-walk", true);

	(void)state;
	for (int n = 0; n < 3; n++) {
		now += S;
		read_file(&w);
	}
	assert_int_equal(counters(&w).atime_writes, 3);
	assert_store_has(&w, "/file", 3 * S);
	close_world(&w);
}

static void test_errors(void **state)
{
	struct world w = open_world("strictatime", "rcu-walk", false);
	struct dcs_config wrong = {.atime = "sometimes"};
	struct dcs_cache *none;
	const char *why;
	char buf[8];
	int fd;

	(void)state;
	assert_int_equal(dcs_cache_new(&wrong, &none, &why), -EINVAL);
	assert_string_equal(why, "unknown policy of atime");
	assert_int_equal(dcs_pread(w.task, 7, buf, 8, 0), -EBADF);
	fd = dcs_open(w.task, "/file", O_WRONLY, 0);
	assert_int_equal(dcs_pread(w.task, fd, buf, 8, 0), -EBADF);
	fd = dcs_open(w.task, "/file", O_RDONLY, 0);
	assert_int_equal(dcs_pread(w.task, fd, buf, 8, -1), -EINVAL);
	assert_int_equal(dcs_pread(w.task, fd, buf, 8, 11), 0);
	fd = dcs_open(w.task, "/dir", O_RDONLY, 0);
	assert_int_equal(dcs_pread(w.task, fd, buf, 8, 0), -EISDIR);
	close_world(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),  cmocka_unit_test(test_exits),
		cmocka_unit_test(test_lazy),   cmocka_unit_test(test_told_at_once),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
