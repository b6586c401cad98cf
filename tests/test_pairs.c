/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* test_pairs - names find their parents, and directories that lack them */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* the program has its own */

#include "../workloads/pairs.h"
#include "cli/options.h"

/* The program's, for tests: pairs.c calls it where memory runs out. */
_Noreturn void fail(int status, const char *fmt, ...)
{
	(void)status;
	print_error("%s\n", fmt);
	abort();
}

enum { MOST = 16 };

/* What an importer would make of these paths, all that pairs need. */
static struct tree make_tree(const char *const *path, size_t n)
{
	static struct tree_entry entry[MOST];
	struct tree tree = {.n = n, .entry = entry};

	assert_true(n <= MOST);
	for (size_t i = 0; i < n; i++)
		entry[i] = (struct tree_entry){.path = path[i], .len = (uint32_t)strlen(path[i])};
	return tree;
}

/* Byte order puts `a-b` between `a` and what is in it. */
static void test_parents(void **state)
{
	static const char *const path[] = {"a", "a-b", "a-b/x", "a/x", "a/y", "a/y/z", "b"};
	static const char *const name[] = {"a", "a-b", "x", "x", "y", "z", "b"};
	static const int slot[] = {0, 0, 2, 1, 1, 5, 0}; /* of the parent */
	struct tree tree = make_tree(path, 7);
	struct pairs *pairs = pairs_new(&tree);

	(void)state;
	assert_int_equal(pairs->n, 7);
	for (size_t i = 0; i < pairs->n; i++) {
		const struct pair *p = &pairs->pair[i];

		assert_string_equal(p->name, name[i]);
		assert_int_equal(p->len, strlen(name[i]));
		assert_int_equal(p->parent, 0xffff888100000000 + (uint64_t)slot[i] * 192);
		if (i)
			assert_ptr_equal(p->name, p[-1].name + p[-1].len + 1);
	}
	pairs_free(pairs);
}

static void test_elsewhere(void **state)
{
	static const char *const path[] = {"a", "a/x", "b", "b/x", "c", "c/y"};
	static const char *const flat[] = {"a", "b", "c"};
	struct tree tree = make_tree(path, 6);
	struct pairs *pairs = pairs_new(&tree);

	(void)state;
	for (size_t i = 0; i < pairs->n; i++) {
		const struct pair *p = &pairs->pair[i];
		uint64_t other;

		assert_true(p->elsewhere < pairs->n);
		other = pairs->pair[p->elsewhere].parent;
		for (size_t j = 0; j < pairs->n; j++)
			assert_false(pairs->pair[j].parent == other &&
				     !strcmp(pairs->pair[j].name, p->name));
	}
	pairs_free(pairs);

	tree = make_tree(flat, 3);
	pairs = pairs_new(&tree);
	for (size_t i = 0; i < pairs->n; i++)
		assert_int_equal(pairs->pair[i].elsewhere, PAIRS_NONE);
	pairs_free(pairs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parents),
		cmocka_unit_test(test_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
