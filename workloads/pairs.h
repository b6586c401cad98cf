/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pairs.h - a tree as a dentry table sees it: every (parent, name)
 *
 * A parent is the address that its dentry would have in today's kernel: a base in
 * the direct map and 192 bytes a dentry, in the order of loading. So a hash makes
 * the same chains in each run, whatever this system does with addresses.
 */
#ifndef WORKLOADS_PAIRS_H
#define WORKLOADS_PAIRS_H

#include "tree/tree.h"

#define PAIRS_BASE \
	0xffff888100000000ull /* the root's dentry; entry i of the tree is i + 1 behind */
#define PAIRS_SIZE 192
#define PAIRS_NONE UINT32_MAX

struct pair {
	const char *name; /* its NUL and TREE_PAD bytes behind it; the next lies there */
	uint64_t parent;
	uint32_t len;
	uint32_t elsewhere; /* a pair in a directory that lacks this name; or PAIRS_NONE */
};

struct pairs {
	size_t n, n_dirs; /* the root is a directory too */
	struct pair *pair;
	char *strings;
};

struct pairs *pairs_new(const struct tree *tree);
struct pairs *pairs_of(const struct tree *tree); /* without `elsewhere`, which takes a while */
void pairs_free(struct pairs *pairs);

/* @n zeroed items; memory that runs out ends the program. */
void *allocate(size_t n, size_t size);

#endif
