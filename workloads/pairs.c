/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pairs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

void *allocate(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		fail(EXIT_LACKS, "no memory for %zu items of %zu bytes", n, size);
	return p;
}

/* The index of the entry with this path, which is in byte order; tree->n if there is none. */
static size_t find_entry(const struct tree *tree, const char *path, size_t len)
{
	size_t lo = 0, hi = tree->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct tree_entry *e = &tree->entry[mid];
		int order = memcmp(path, e->path, len < e->len ? len : e->len);

		if (!order && len == e->len)
			return mid;
		if (order < 0 || (!order && len < e->len))
			hi = mid;
		else
			lo = mid + 1;
	}
	return tree->n;
}

static uint32_t dirname_length(const struct tree_entry *e)
{
	const char *slash = memrchr(e->path, '/', e->len);

	return slash ? (uint32_t)(slash - e->path) : 0;
}

/* The root has slot 0, entry i slot i + 1. */
static uint64_t dentry_address(size_t slot)
{
	return PAIRS_BASE + slot * PAIRS_SIZE;
}

static bool has_name(const struct tree *tree, const struct tree_entry *sibling,
		     const struct pair *p)
{
	char path[DCS_PATH_MAX + DCS_NAME_MAX];
	uint32_t len = dirname_length(sibling);

	memcpy(path, sibling->path, len);
	if (len)
		path[len++] = '/';
	memcpy(path + len, p->name, p->len);
	return find_entry(tree, path, len + p->len) < tree->n;
}

/* Half a tree away; a few are tried, for names such as Makefile. */
static uint32_t find_elsewhere(const struct tree *tree, size_t i, const struct pair *p)
{
	for (size_t step = 0; step < 64 && step < tree->n; step++) {
		size_t j = (i + tree->n / 2 + step) % tree->n;

		if (!has_name(tree, &tree->entry[j], p))
			return (uint32_t)j;
	}
	return PAIRS_NONE;
}

struct pairs *pairs_of(const struct tree *tree)
{
	struct pairs *pairs = allocate(1, sizeof(*pairs));
	size_t bytes = TREE_PAD;
	char *string;

	pairs->n = tree->n;
	pairs->n_dirs = tree->n_dirs + 1;
	for (size_t i = 0; i < tree->n; i++)
		bytes += tree->entry[i].len + 1;
	pairs->strings = string = allocate(bytes, 1);
	pairs->pair = allocate(tree->n, sizeof(*pairs->pair));
	for (size_t i = 0; i < tree->n; i++) {
		const struct tree_entry *e = &tree->entry[i];
		uint32_t dir = dirname_length(e), at = dir ? dir + 1 : 0;
		struct pair *p = &pairs->pair[i];

		p->name = string;
		p->len = e->len - at;
		p->parent = dentry_address(dir ? find_entry(tree, e->path, dir) + 1 : 0);
		p->elsewhere = PAIRS_NONE;
		string = (char *)mempcpy(string, e->path + at, p->len) + 1;
	}
	return pairs;
}

struct pairs *pairs_new(const struct tree *tree)
{
	struct pairs *pairs = pairs_of(tree);

	for (size_t i = 0; i < tree->n; i++)
		pairs->pair[i].elsewhere = find_elsewhere(tree, i, &pairs->pair[i]);
	return pairs;
}

void pairs_free(struct pairs *pairs)
{
	free(pairs->strings);
	free(pairs->pair);
	free(pairs);
}
