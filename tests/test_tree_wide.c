/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A directory of as many entries as the argument says: made, loaded, walked, read, emptied.
 *
 * Each step is a pass over all names: one that takes time with the number of names for each
 * of them does not end before the test's time is over.
 */
#include <errno.h>
#include <time.h>

#include "test_tree.h"

static size_t n_names;

/* Says what the step that is over took. */
static void done(const char *step)
{
	static struct timespec last;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (last.tv_sec)
		printf("%s: %.2f s\n", step,
		       (double)(now.tv_sec - last.tv_sec) +
			       (double)(now.tv_nsec - last.tv_nsec) * 1e-9);
	last = now;
}

static void walk(struct dcs_task *task, const struct tree *tree)
{
	struct dcs_stat st;

	for (size_t i = 0; i < tree->n; i++) {
		assert_int_equal(dcs_stat(task, tree->entry[i].path, DCS_PADDED, &st), 0);
		assert_int_equal(st.ino, tree->entry[i].ino);
	}
	assert_int_equal(dcs_stat(task, "no such name", 0, &st), -ENOENT);
}

/* Every name once: as many, and of the same inode numbers in sum and in exclusive or. */
static void read_all(struct dcs_task *task, const struct tree *tree)
{
	static char buf[1 << 16] __attribute__((aligned(8)));
	uint64_t sum = 0, mix = 0;
	size_t n = 0;
	int fd = dcs_open(task, ".", O_RDONLY | O_DIRECTORY, 0);
	ssize_t got;

	assert_true(fd >= 0);
	while ((got = dcs_getdents(task, fd, buf, sizeof(buf))) > 0) {
		for (ssize_t at = 0; at < got;) {
			const struct dcs_dirent *d = (const struct dcs_dirent *)(buf + at);

			at += d->size;
			if (!strcmp(d->name, ".") || !strcmp(d->name, ".."))
				continue;
			n++;
			sum += d->ino;
			mix ^= d->ino * d->ino;
		}
	}
	assert_int_equal(got, 0);
	assert_int_equal(dcs_close(task, fd), 0);
	assert_int_equal(n, tree->n);
	for (size_t i = 0; i < tree->n; i++) {
		sum -= tree->entry[i].ino;
		mix ^= tree->entry[i].ino * tree->entry[i].ino;
	}
	assert_int_equal(sum, 0);
	assert_int_equal(mix, 0);
}

static void a_wide_directory_is_no_slower_a_name(void **state)
{
	struct dcs_config config = {.table_bits = 20};
	char arguments[80], why[WHY];
	struct dcs_cache *cache;
	struct dcs_task *task;
	struct tree *tree;

	(void)state;
	snprintf(arguments, sizeof(arguments), "depth=0,fanout=%zu,names=words", n_names);
	done("start");
	assert_int_equal(import("synth:", arguments, &tree, why), 0);
	assert_int_equal(tree->n, n_names);
	done("make the names");
	assert_int_equal(dcs_cache_new(&config, &cache, NULL), 0);
	assert_int_equal(dcs_thread_register(cache), 0);
	assert_int_equal(dcs_task_new(cache, NULL, 0, &task), 0);
	assert_int_equal(tree_load(tree, task), 0);
	done("load them");
	walk(task, tree);
	done("walk to them");
	read_all(task, tree);
	done("read the directory");
	assert_int_equal(dcs_check(cache, why, sizeof(why)), 0);
	done("check the cache");
	for (size_t i = 0; i < tree->n; i += 2)
		assert_int_equal(dcs_unlink(task, tree->entry[i].path), 0);
	done("unlink a half");
	dcs_task_free(task);
	dcs_cache_free(cache);
	done("free the rest");
	tree_free(tree);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wide_directory_is_no_slower_a_name),
	};

	n_names = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
	return cmocka_run_group_tests_name("tree-wide", tests, NULL, NULL);
}
