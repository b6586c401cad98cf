/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * test_cache_dir - a cache over a directory of the system: it gives what lstat(2) gives,
 * whatever others do to that directory and however little is kept
 */
#include <errno.h>
#include <ftw.h>
#include <unistd.h>

#include "dcs/store.h"
#include "variants.h"

static char top[64];

static const char *below(const char *name)
{
	static char path[4][300];
	static unsigned turn;
	char *p = path[turn++ % 4];

	snprintf(p, sizeof(path[0]), "%s/%s", top, name);
	return p;
}

static void same_as_lstat(const char *name)
{
	struct dcs_stat st;
	struct stat real;
	int err = lstat(below(name), &real) ? -errno : 0;

	IS(dcs_stat(task, name, DCS_NOFOLLOW, &st), err);
	if (err)
		return;
	IS(st.ino, real.st_ino);
	IS(st.mode, real.st_mode);
	IS(st.nlink, real.st_nlink);
	IS(st.uid, real.st_uid);
	IS(st.size, real.st_size);
	IS(st.mtime.tv_sec, real.st_mtim.tv_sec);
	IS(st.mtime.tv_nsec, real.st_mtim.tv_nsec);
	IS(st.ctime.tv_nsec, real.st_ctim.tv_nsec);
}

static void touch(const char *name)
{
	FILE *f = fopen(below(name), "w");

	assert_non_null(f);
	fclose(f);
}

static void make_tree(void)
{
	char name[64];

	for (int d = 0; d < 8; d++) {
		sprintf(name, "d%d", d);
		IS(mkdir(below(name), 0755), 0);
		for (int f = 0; f < 20; f++) {
			sprintf(name, "d%d/f%d", d, f);
			touch(name);
		}
		sprintf(name, "d%d/up", d);
		IS(symlink("..", below(name)), 0);
	}
}

static void walk_all(void)
{
	char name[64];

	for (int i = 0; i < 8 * 21; i++) {
		sprintf(name, "d%d/f%d", i % 8, i % 21); /* f20 is missing */
		same_as_lstat(name);
		sprintf(name, "d%d/up/d%d/up/d%d", i % 8, i % 7, i % 5);
		same_as_lstat(name);
	}
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static void body(bool revalidate)
{
	struct dcs_stat st;

	walk_all();
	walk_all();
	IS(dcs_create(task, "d0/new", 0644), -EROFS);
	IS(dcs_unlink(task, "d0/f1"), -EROFS);
	IS(dcs_rename(task, "d0/f1", "d1/x", 0), -EROFS);
	IS(dcs_chmod(task, "d0/f1", 0600, 0), -EROFS);
	walk_all();
	/* What others change is seen: at once, or when the store has to be asked. */
	same_as_lstat("d0/f0");
	IS(rename(below("d0"), below("moved")), 0);
	IS(unlink(below("d1/f1")), 0);
	touch("d1/f20");
	if (!revalidate) {
		/* Known names still are; a name that is not shows that the directory has gone. */
		IS(dcs_stat(task, "d0/f0", 0, &st), 0);
		same_as_lstat("d0/no-such-name");
		same_as_lstat("d0");
		dcs_drop_caches(cache, 2);
	}
	same_as_lstat("d0/f0");
	same_as_lstat("moved/f0");
	same_as_lstat("d1/f1");
	same_as_lstat("d1/f20");
	/* A link in its place is what it is. */
	IS(symlink("moved", below("d0")), 0);
	if (!revalidate)
		dcs_drop_caches(cache, 2);
	same_as_lstat("d0");
	same_as_lstat("d0/f3");
	IS(unlink(below("d0")), 0);
	IS(rename(below("moved"), below("d0")), 0);
	touch("d1/f1");
	IS(unlink(below("d1/f20")), 0);
}

static void run(const char *walk, bool revalidate, uint64_t limit)
{
	char why[300] = "";

	snprintf(top, sizeof(top), "/tmp/test_cache_dir.XXXXXX");
	assert_non_null(mkdtemp(top));
	make_tree();
	config = (struct dcs_config){
		.walk = walk, .table_bits = 6, .capacity = 4096, .limit = limit};
	IS(dcs_store_dir(&config, top, revalidate), 0);
	IS(dcs_cache_new(&config, &cache, NULL), 0);
	IS(dcs_thread_register(cache), 0);
	IS(dcs_task_new(cache, NULL, 0, &task), 0);
	body(revalidate);
	dcs_task_free(task);
	if (dcs_check(cache, why, sizeof(why)))
		fail_msg("%s: %s", variant(), why);
	if (limit)
		assert_true(counted().evicted > 100);
	dcs_cache_free(cache);
	IS(nftw(top, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static void test_dir(void **state)
{
	(void)state;
	for (const struct dcs_name *walk = dcs_list("walks"); walk->name; walk++)
		for (int i = 0; i < 4; i++)
			run(walk->name, i & 1, i & 2 ? 30 : 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_dir)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
