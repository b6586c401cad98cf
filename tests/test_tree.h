/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the tests of trees share. */
#ifndef TESTS_TEST_TREE_H
#define TESTS_TEST_TREE_H

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h> /* needs what is above */

#include "tree/tree.h"

#define WHY 500

static char test_dir[64]; /* where a test's files are; everyone may read it */

static inline int make_test_dir(void **state)
{
	(void)state;
	/* In memory where it can be: the tests make thousands of files. */
	strcpy(test_dir, "/dev/shm/test-tree-XXXXXX");
	if (!mkdtemp(test_dir)) {
		strcpy(test_dir, "/tmp/test-tree-XXXXXX");
		if (!mkdtemp(test_dir))
			return -1;
	}
	return chmod(test_dir, 0755);
}

static inline int remove_test_dir(void **state)
{
	char command[96];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", test_dir);
	return system(command);
}

/* Writes @size bytes to a file in test_dir and returns its path. */
static inline const char *write_file(const char *name, const void *text, size_t size)
{
	static char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", test_dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, size), size);
	close(fd);
	return path;
}

/* Opens KIND and PATH as one spec. */
static inline int import(const char *kind, const char *path, struct tree **tree, char why[WHY])
{
	char spec[256];

	snprintf(spec, sizeof(spec), "%s%s", kind, path);
	return tree_open(spec, tree, why, WHY);
}

static inline const struct tree_entry *find_entry(const struct tree *tree, const char *path)
{
	for (size_t i = 0; i < tree->n; i++) {
		if (!strcmp(tree->entry[i].path, path))
			return &tree->entry[i];
	}
	return NULL;
}

/* What holds for every tree: order, parents, lengths, counts, where the strings lie. */
static inline void check_tree(const struct tree *tree)
{
	const char *at = tree->strings, *end = tree->strings + tree->strings_size - TREE_PAD;
	size_t dirs = 0, links = 0;

	assert_true(tree->n > 0);
	for (size_t i = 0; i < tree->n; i++) {
		const struct tree_entry *e = &tree->entry[i];

		assert_ptr_equal(e->path, at);
		assert_int_equal(strlen(e->path), e->len);
		assert_in_range(e->len, 1, DCS_PATH_MAX - 1);
		assert_true(!i || strcmp(tree->entry[i - 1].path, e->path) < 0);
		assert_int_equal(!!e->target, S_ISLNK(e->mode));
		assert_true(S_ISREG(e->mode) || S_ISDIR(e->mode) || S_ISLNK(e->mode));
		dirs += S_ISDIR(e->mode);
		links += S_ISLNK(e->mode);
		at += e->len + 1;
	}
	for (size_t i = 0; i < tree->n; i++) {
		if (!tree->entry[i].target)
			continue;
		assert_ptr_equal(tree->entry[i].target, at);
		assert_int_equal(strlen(at), tree->entry[i].size);
		at += tree->entry[i].size + 1;
	}
	assert_ptr_equal(at, end);
	assert_int_equal(tree->n_dirs, dirs);
	assert_int_equal(tree->n_links, links);
	assert_int_equal(tree->n_files, tree->n - dirs - links);
}

#endif
