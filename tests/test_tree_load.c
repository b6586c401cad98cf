/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Trees in a cache: all that the tree says is what a stat says. */
#include <errno.h>

#include "test_tree.h"

static struct dcs_cache *cache;
static struct dcs_task *task;

static int make_cache(void **state)
{
	struct dcs_config config = {.walk = *state};
	int err = dcs_cache_new(&config, &cache, NULL);

	if (!err)
		err = dcs_thread_register(cache);
	return err ? err : dcs_task_new(cache, NULL, 0, &task);
}

static int free_cache(void **state)
{
	(void)state;
	dcs_task_free(task);
	dcs_cache_free(cache);
	return 0;
}

static void check_cache(void)
{
	char why[200] = "";

	if (dcs_check(cache, why, sizeof(why)))
		fail_msg("%s", why);
}

/* Each entry is as the tree says, by its full path, and no two are the same inode. */
static void check_loaded(const struct tree *tree)
{
	uint64_t most = 0, sum = 0;

	for (size_t i = 0; i < tree->n; i++) {
		const struct tree_entry *e = &tree->entry[i];
		char target[DCS_PATH_MAX];
		struct dcs_stat st;

		assert_int_equal(dcs_stat(task, e->path, DCS_NOFOLLOW | DCS_PADDED, &st), 0);
		assert_int_equal(st.ino, e->ino);
		assert_int_equal(st.mode, e->mode);
		assert_int_equal(st.uid, e->uid);
		assert_int_equal(st.gid, e->gid);
		if (!S_ISDIR(e->mode))
			assert_int_equal(st.size, e->size);
		if (e->mtime)
			assert_int_equal(st.mtime.tv_sec, e->mtime);
		if (e->target) {
			assert_int_equal(dcs_readlink(task, e->path, target, sizeof(target)),
					 e->size);
			assert_memory_equal(target, e->target, e->size);
		}
		most = e->ino > most ? e->ino : most;
	}
	/* Distinct: as many as marks in a map of all numbers up to the highest. */
	assert_true(most < 64 * (tree->n + 64));
	uint8_t *seen = calloc(1, most + 1);
	for (size_t i = 0; i < tree->n; i++)
		sum += !seen[tree->entry[i].ino]++;
	free(seen);
	assert_int_equal(sum, tree->n);
}

static void linux_6_1_loads(void **state)
{
	struct dcs_census census;
	struct dcs_stat st;
	struct tree *tree;
	char why[WHY];

	(void)state;
	assert_int_equal(tree_open("linux-6.1", &tree, why, WHY), 0);
	assert_int_equal(tree_load(tree, task), 0);
	check_loaded(tree);
	dcs_census(cache, &census);
	assert_int_equal(census.inodes, tree->n + 1);
	assert_int_equal(census.dentries - census.negative, tree->n + 1);
	assert_int_equal(dcs_stat(task, "/fs/../fs/dcache.c", 0, &st), 0);
	assert_int_equal(st.ino, find_entry(tree, "fs/dcache.c")->ino);
	assert_int_equal(dcs_stat(task, "fs/dcache.h", 0, &st), -ENOENT);
	check_cache();
	assert_int_equal(tree_load(tree, task), -EEXIST);
	tree_free(tree);
}

/* Entries with all that loading could lose, most of it to the order of its steps. */
static void attributes_survive(void **state)
{
	static struct tree_entry entry[] = {
		{"closed", NULL, 6, S_IFDIR | 0000, 1, 2, 0, 5, 0},
		{"closed/in", NULL, 9, S_IFREG | 0400, 1, 2, 77, 6, 0},
		{"old", NULL, 3, S_IFDIR | 0755, 0, 0, 0, 1000, 0},
		{"old/dir", NULL, 7, S_IFDIR | 0555, 3, 0, 0, 2000, 0},
		{"old/dir/f", NULL, 9, S_IFREG | 0644, 0, 3, 1ull << 40, 3000, 0},
		{"setgid", NULL, 6, S_IFDIR | 02775, 0, 9, 0, 8, 0},
		{"setgid/dir", NULL, 10, S_IFDIR | 0755, 0, 0, 0, 8, 0},
		{"setgid/f", NULL, 8, S_IFREG | 0664, 0, 0, 0, 8, 0},
		{"sticky", NULL, 6, S_IFDIR | 01777, 7, 7, 0, 8, 0},
		{"su", NULL, 2, S_IFREG | 06755, 1000, 1000, 3, 9, 0},
		{"su0", NULL, 3, S_IFREG | 06755, 0, 0, 3, 9, 0},
		{"to-nowhere", "/x/y", 10, S_IFLNK | 0777, 1000, 4, 4, 9, 0},
		{"to-su", "su", 5, S_IFLNK | 0777, 0, 0, 2, 9, 0},
		{"zero", NULL, 4, S_IFREG | 0000, 0, 0, 0, 0, 0},
	};
	struct tree tree = {.n = sizeof(entry) / sizeof(entry[0]), .entry = entry};
	struct dcs_stat st;

	(void)state;
	/* Behind each path there must be padding: lay the paths out as an importer does. */
	static char strings[256];
	char *to = strings;
	for (size_t i = 0; i < tree.n; i++) {
		entry[i].path = memcpy(to, entry[i].path, entry[i].len + 1);
		to += entry[i].len + 1;
	}
	assert_int_equal(dcs_umask(task, 077), 022);
	assert_int_equal(tree_load(&tree, task), 0);
	assert_int_equal(dcs_umask(task, 022), 077); /* it is as it was */
	check_loaded(&tree);
	assert_int_equal(dcs_stat(task, "to-su", 0, &st), 0);
	assert_int_equal(st.ino, entry[9].ino);
	check_cache();
}

static void loading_needs_the_right(void **state)
{
	struct tree *tree;
	char why[WHY];

	(void)state;
	assert_int_equal(import("paths:", write_file("l", "d/f\n", 4), &tree, why), 0);
	assert_int_equal(dcs_setcred(task, 1000, 1000, 0, NULL), 0);
	assert_int_equal(tree_load(tree, task), -EACCES);
	check_cache();
	tree_free(tree);
}

/* Below the task's cwd, wherever that is, and more than once. */
static void a_tree_loads_below_the_cwd(void **state)
{
	struct dcs_stat st;
	struct tree *tree;
	char why[WHY];

	(void)state;
	assert_int_equal(import("paths:", write_file("l", "d/f\n", 4), &tree, why), 0);
	assert_int_equal(dcs_mkdir(task, "/a", 0755), 0);
	assert_int_equal(dcs_mkdir(task, "/b", 0755), 0);
	assert_int_equal(dcs_chdir(task, "/a"), 0);
	assert_int_equal(tree_load(tree, task), 0);
	assert_int_equal(dcs_stat(task, "/a/d/f", 0, &st), 0);
	assert_int_equal(st.ino, tree->entry[1].ino);
	assert_int_equal(dcs_chdir(task, "/b"), 0);
	assert_int_equal(tree_load(tree, task), 0);
	assert_true(st.ino != tree->entry[1].ino);
	check_cache();
	tree_free(tree);
}

#define BOTH(test)                                                           \
	{#test ", ref-walk", test, make_cache, free_cache, "ref-walk"},      \
	{                                                                    \
#test ", rcu-walk", test, make_cache, free_cache, "rcu-walk" \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH(linux_6_1_loads),
		BOTH(attributes_survive),
		BOTH(loading_needs_the_right),
		BOTH(a_tree_loads_below_the_cwd),
	};

	return cmocka_run_group_tests_name("tree-load", tests, make_test_dir, remove_test_dir);
}
