/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parts of workloads that decide what is walked: names, orders, trees, latencies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* a function of the program's */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../workloads/choose.h"
#include "../workloads/dcb.h"
#include "../workloads/fxmark.h"
#include "../workloads/made.h"
#include "../workloads/names.h"
#include "../workloads/sampler.h"

#define FILE_MODE (S_IFREG | 0644)
#define DIR_MODE  (S_IFDIR | 0755)

/* In index order `a-b` stands between `a` and `a/...`. */
static const char *const some[] = {"a", "a-b", "a/1", "a/2", "a/d", "a/d/3", "b", "b/4", "c", "c~"};
#define SOME (sizeof(some) / sizeof(some[0]))

static struct tree *some_tree(void)
{
	struct made made = {0};
	struct tree *tree;

	for (size_t i = SOME; i-- > 0;) {
		bool dir =
			!strcmp(some[i], "a") || !strcmp(some[i], "a/d") || !strcmp(some[i], "b");

		made_add(&made, dir ? DIR_MODE : FILE_MODE, some[i]);
	}
	assert_int_equal(made_tree(&made, "some", &tree), 0);
	return tree;
}

static void made_trees_are_in_index_order(void **state)
{
	struct tree *tree = some_tree();

	(void)state;
	assert_int_equal(tree->n, SOME);
	assert_int_equal(tree->n_dirs, 3);
	assert_int_equal(tree->n_files, SOME - 3);
	for (size_t i = 0; i < SOME; i++) {
		assert_string_equal(tree->entry[i].path, some[i]);
		assert_int_equal(tree->entry[i].len, strlen(some[i]));
		if (i)
			assert_true(tree->entry[i].path > tree->entry[i - 1].path);
	}
	tree_free(tree);
}

static void made_trees_keep_what_they_take_over(void **state)
{
	struct tree_entry entry[] = {
		{.path = "l", .len = 1, .target = "to/there", .mode = S_IFLNK | 0777, .uid = 7}};
	struct tree other = {.entry = entry, .n = 1};
	struct made made = {0};
	struct tree *tree;

	(void)state;
	made_add(&made, FILE_MODE, "k");
	made_add_tree(&made, &other);
	assert_int_equal(made_tree(&made, "both", &tree), 0);
	assert_int_equal(tree->n_links, 1);
	assert_string_equal(tree->entry[1].path, "l");
	assert_string_equal(tree->entry[1].target, "to/there");
	assert_null(tree->entry[0].target);
	assert_int_equal(tree->entry[1].uid, 7);
	tree_free(tree);
}

static void made_trees_refuse_a_path_twice(void **state)
{
	struct made made = {0};
	struct tree *tree;

	(void)state;
	made_add(&made, FILE_MODE, "x");
	made_add(&made, FILE_MODE, "y");
	made_add(&made, FILE_MODE, "x");
	assert_int_equal(made_tree(&made, "twice", &tree), -EEXIST);
}

static void names_are_found(void **state)
{
	struct tree *tree = some_tree();
	size_t n;

	(void)state;
	for (uint32_t i = 0; i < SOME; i++)
		assert_int_equal(names_find(tree, some[i], strlen(some[i])), i);
	assert_int_equal(names_find(tree, "a/", 2), NAMES_NONE);
	assert_int_equal(names_find(tree, "", 0), NAMES_NONE);
	assert_int_equal(names_find(tree, "zz", 2), NAMES_NONE);
	assert_int_equal(names_parent(tree, 5), 4);
	assert_int_equal(names_parent(tree, 1), NAMES_NONE);
	/* Not `a-b`, although it begins with `a`. */
	assert_int_equal(names_below(tree, 0, &n), 2);
	assert_int_equal(n, 4);
	tree_free(tree);
}

static void unused_names_are_unused(void **state)
{
	char long_name[DCS_NAME_MAX + 3] = "b/", path[DCS_PATH_MAX];
	struct made made = {0};
	struct tree *tree = some_tree();

	(void)state;
	names_unused(tree, 7, "~", path);
	assert_string_equal(path, "b/4~");
	names_unused(tree, 8, "~", path); /* c~ is there */
	assert_string_equal(path, "c~1");
	tree_free(tree);

	memset(long_name + 2, 'n', DCS_NAME_MAX);
	long_name[DCS_NAME_MAX + 2] = '\0';
	made_add(&made, DIR_MODE, "b");
	made_add(&made, FILE_MODE, long_name);
	assert_int_equal(made_tree(&made, "long", &tree), 0);
	names_unused(tree, 1, "~", path);
	assert_int_equal(names_find(tree, path, strlen(path)), NAMES_NONE);
	assert_true(strlen(path) - 2 <= DCS_NAME_MAX);
	assert_memory_equal(path, "b/nnn", 5);
	tree_free(tree);
}

static void hot_directories_hold_files_only(void **state)
{
	const uint32_t name[] = {2, 3, 5, 7}; /* a/1 a/2 a/d/3 b/4 */
	struct tree *tree = some_tree();
	uint32_t dir[4];

	(void)state;
	/* `a` has most, but holds a directory. */
	assert_int_equal(names_hot_dirs(tree, name, 4, 4, dir), 2);
	assert_int_equal(dir[0], 4);
	assert_int_equal(dir[1], 6);
	assert_int_equal(names_hot_dirs(tree, name + 3, 1, 4, dir), 1);
	assert_int_equal(dir[0], 6);
	assert_int_equal(names_hot_dirs(tree, name, 2, 4, dir), 0);
	tree_free(tree);
}

static void fxmark_trees_have_their_shapes(void **state)
{
	struct made made = {0};
	struct tree *tree;
	size_t asked[3] = {0};

	(void)state;
	for (enum fxmark test = FXMARK_MRPL; test <= FXMARK_MRPH; test++)
		fxmark_add(&made, test, 12);
	assert_int_equal(made_tree(&made, "FxMark", &tree), 0);
	for (uint32_t i = 0; i < tree->n; i++) {
		unsigned slashes = 0;

		for (const char *p = tree->entry[i].path; *p; p++)
			slashes += *p == '/';
		assert_int_equal(!S_ISDIR(tree->entry[i].mode), slashes == FXMARK_DEPTH - 1);
		assert_true(!slashes || names_parent(tree, i) != NAMES_NONE);
		for (enum fxmark test = FXMARK_MRPL; test <= FXMARK_MRPH; test++)
			asked[test] += fxmark_asks(test, &tree->entry[i]);
	}
	assert_int_equal(asked[FXMARK_MRPL], 12);
	assert_int_equal(asked[FXMARK_MRPM], 8 * 8 * 8 * 8 * 8);
	assert_int_equal(asked[FXMARK_MRPH], 1);
	assert_int_equal(tree->n_files, 12 + 32768 + 1);
	assert_int_equal(tree->n_dirs, 12 * 4 + (8 + 64 + 512 + 4096) + 4);
	tree_free(tree);
}

static uint32_t *chosen(const struct choice *choice, unsigned thread, size_t *n)
{
	uint32_t *out;

	*n = choose_count(choice, thread);
	out = malloc(*n * sizeof(*out));
	assert_non_null(out);
	assert_int_equal(choose(choice, thread, out), 0);
	return out;
}

/* Together the slices are all names, each once, in whatever order. */
static void private_slices_share_out_the_names(void **state)
{
	(void)state;
	for (enum order order = ORDER_INORDER; order <= ORDER_SHUFFLED; order++) {
		struct choice choice = {.scope = SCOPE_PRIVATE,
					.order = order,
					.seed = 3,
					.names = 1001,
					.threads = 7};
		unsigned seen[1001] = {0};

		for (unsigned thread = 0; thread < 7; thread++) {
			size_t n;
			uint32_t *name = chosen(&choice, thread, &n);

			assert_in_range(n, 143, 143);
			for (size_t i = 0; i < n; i++) {
				assert_true(name[i] / 143 == thread);
				seen[name[i]]++;
			}
			free(name);
		}
		for (size_t i = 0; i < 1001; i++)
			assert_int_equal(seen[i], 1);
	}
}

static void scopes_say_who_walks_the_same(void **state)
{
	(void)state;
	for (enum order order = ORDER_INORDER; order <= ORDER_ZIPF; order++)
		for (enum scope scope = SCOPE_RANDOM; scope <= SCOPE_SHARED; scope++) {
			struct choice choice = {.scope = scope,
						.order = order,
						.exponent = 1,
						.seed = 1,
						.names = 5000,
						.threads = 2};
			size_t n;
			uint32_t *a = chosen(&choice, 0, &n), *b = chosen(&choice, 1, &n);
			uint32_t *again = chosen(&choice, 0, &n);

			assert_int_equal(n, 5000);
			assert_memory_equal(a, again, n * sizeof(*a));
			assert_int_equal(!memcmp(a, b, n * sizeof(*a)), scope == SCOPE_SHARED);
			free(a);
			free(b);
			free(again);
		}
}

static void random_orders_are_permutations(void **state)
{
	(void)state;
	for (enum order order = ORDER_INORDER; order <= ORDER_SHUFFLED; order++) {
		struct choice choice = {
			.scope = SCOPE_RANDOM, .order = order, .names = 777, .threads = 3};
		unsigned seen[777] = {0}, steps = 0;
		size_t n;
		uint32_t *name = chosen(&choice, 2, &n);

		for (size_t i = 0; i < n; i++) {
			seen[name[i]]++;
			steps += i && name[i] == name[i - 1] + 1;
		}
		for (size_t i = 0; i < 777; i++)
			assert_int_equal(seen[i], 1);
		/* In order, but for the one place where the end meets the beginning. */
		if (order == ORDER_INORDER)
			assert_in_range(steps, 775, 776);
		else
			assert_in_range(steps, 0, 20);
		free(name);
	}
}

/* With exponent 1 over n names the first has a share of 1 / H(n): for 1000, 13.4 %. */
static void zipf_draws_the_same_names_often(void **state)
{
	struct choice choice = {.scope = SCOPE_RANDOM,
				.order = ORDER_ZIPF,
				.exponent = 1,
				.names = 1000,
				.threads = 4};
	unsigned count[4][1000] = {{0}}, top[4] = {0};

	(void)state;
	for (unsigned thread = 0; thread < 4; thread++) {
		size_t n;
		uint32_t *name = chosen(&choice, thread, &n);

		for (size_t i = 0; i < n; i++)
			count[thread][name[i]]++;
		for (unsigned i = 0; i < 1000; i++)
			if (count[thread][i] > count[thread][top[thread]])
				top[thread] = i;
		assert_in_range(count[thread][top[thread]], 90, 180);
		free(name);
	}
	for (unsigned thread = 1; thread < 4; thread++)
		assert_int_equal(top[thread], top[0]);
	assert_int_not_equal(top[0], 0); /* the popular name is not the first of the alphabet */
}

static const struct dcb dcb_small = {
	.processes = 3,
	.base = "b/deep/er",
	.directories = "private",
	.names = "numbered",
	.depth = 2,
	.dirs = 2,
	.files = 5,
};

static void base_directories_are_filled(void **state)
{
	struct tree *beside = some_tree();
	static const char *const shapes[] = {"numbered", "long", "tree"};
	struct dcb opt = dcb_small;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		char path[DCS_PATH_MAX];
		struct tree *tree;
		size_t n;

		opt.names = shapes[i];
		opt.directories = "private";
		tree = dcb_tree(&opt, beside, 1);
		/* `b` is there already. A worker has 1 + 2 + 4 directories, 5 files in each. */
		assert_int_equal(tree->n_dirs, 3 + 2 + 3 * 7);
		assert_int_equal(tree->n_files, SOME - 3 + 3 * 7 * 5);
		dcb_directory(&opt, 2, path);
		names_below(tree, names_find(tree, path, strlen(path)), &n);
		assert_int_equal(n, 6 + 7 * 5);
		tree_free(tree);

		opt.directories = "shared";
		tree = dcb_tree(&opt, beside, 1);
		assert_int_equal(tree->n_files, SOME - 3 + 7 * 5);
		tree_free(tree);
	}
	tree_free(beside);
}

static void samplers_pick_one_call_in_so_many(void **state)
{
	struct sampler *sampler = calloc(1, sizeof(*sampler));
	struct latency latency;
	unsigned picked = 0;

	(void)state;
	assert_non_null(sampler);
	sampler_start(sampler, 10, 1, 0);
	assert_int_equal(sampler_read(&sampler, 1, &latency), -ENODATA);
	for (unsigned i = 0; i < 100000; i++)
		picked += sampler_picks(sampler);
	assert_in_range(picked, 9700, 10300);
	sampler_start(sampler, 1, 1, 0);
	for (unsigned i = 1; i <= 1000; i++) {
		assert_true(sampler_picks(sampler));
		sampler_take(sampler, 100000 + 1000 * i);
	}
	assert_int_equal(sampler_read(&sampler, 1, &latency), 0);
	assert_int_equal(latency.n, 1000);
	/* Less the clock's own, which is far below the distance between two samples here. */
	assert_in_range(latency.p50, 580000, 602000);
	assert_in_range(latency.p90, 980000, 1002000);
	assert_in_range(latency.p99, 1070000, 1092000);
	free(sampler);
}

static void full_samplers_take_no_more(void **state)
{
	struct sampler *sampler = calloc(1, sizeof(*sampler));

	(void)state;
	assert_non_null(sampler);
	sampler_start(sampler, 1, 1, 0);
	for (unsigned i = 0; i < SAMPLER_MAX + 10; i++)
		if (sampler_picks(sampler))
			sampler_take(sampler, 1);
	assert_int_equal(sampler->n, SAMPLER_MAX);
	free(sampler);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(made_trees_are_in_index_order),
		cmocka_unit_test(made_trees_keep_what_they_take_over),
		cmocka_unit_test(made_trees_refuse_a_path_twice),
		cmocka_unit_test(names_are_found),
		cmocka_unit_test(unused_names_are_unused),
		cmocka_unit_test(hot_directories_hold_files_only),
		cmocka_unit_test(fxmark_trees_have_their_shapes),
		cmocka_unit_test(private_slices_share_out_the_names),
		cmocka_unit_test(scopes_say_who_walks_the_same),
		cmocka_unit_test(random_orders_are_permutations),
		cmocka_unit_test(zipf_draws_the_same_names_often),
		cmocka_unit_test(base_directories_are_filled),
		cmocka_unit_test(samplers_pick_one_call_in_so_many),
		cmocka_unit_test(full_samplers_take_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
