/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The first entry whose path is not before the @len bytes at @path. */
static size_t lower_bound(const struct tree *tree, const char *path, size_t len)
{
	size_t low = 0, high = tree->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct tree_entry *entry = &tree->entry[mid];
		int c = memcmp(entry->path, path, entry->len < len ? entry->len : len);

		if (c < 0 || (!c && entry->len < len))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

uint32_t names_find(const struct tree *tree, const char *path, size_t len)
{
	size_t i = lower_bound(tree, path, len);

	if (i < tree->n && tree->entry[i].len == len && !memcmp(tree->entry[i].path, path, len))
		return (uint32_t)i;
	return NAMES_NONE;
}

uint32_t names_parent(const struct tree *tree, uint32_t i)
{
	const char *path = tree->entry[i].path;
	const char *slash = strrchr(path, '/');

	return slash ? names_find(tree, path, (size_t)(slash - path)) : NAMES_NONE;
}

void names_unused(const struct tree *tree, uint32_t i, const char *suffix, char *path)
{
	const size_t room = strlen(suffix) + sizeof("4294967295");
	const struct tree_entry *entry = &tree->entry[i];
	const char *slash = strrchr(entry->path, '/');
	size_t dir = slash ? (size_t)(slash + 1 - entry->path) : 0;
	size_t keep = entry->len;
	int len;

	if (keep > dir + DCS_NAME_MAX - room)
		keep = dir + DCS_NAME_MAX - room;
	if (keep > DCS_PATH_MAX - room)
		keep = DCS_PATH_MAX - room;
	memcpy(path, entry->path, keep);
	len = snprintf(path + keep, room, "%s", suffix);
	for (unsigned k = 1; names_find(tree, path, keep + (size_t)len) != NAMES_NONE; k++)
		len = snprintf(path + keep, room, "%s%u", suffix, k);
}

uint32_t names_below(const struct tree *tree, uint32_t i, size_t *n)
{
	const struct tree_entry *entry = &tree->entry[i];
	char end[DCS_PATH_MAX + 1];
	size_t first;

	memcpy(end, entry->path, entry->len);
	end[entry->len] = '/';
	first = lower_bound(tree, end, entry->len + 1);
	end[entry->len] = '/' + 1;
	*n = lower_bound(tree, end, entry->len + 1) - first;
	return (uint32_t)first;
}

#define HOLDS_DIRECTORY UINT32_MAX

struct dir {
	uint32_t index, names;
};

static int by_names(const void *a, const void *b)
{
	const struct dir *x = a, *y = b;

	if (x->names != y->names)
		return x->names < y->names ? 1 : -1;
	return x->index < y->index ? -1 : x->index > y->index;
}

long names_hot_dirs(const struct tree *tree, const uint32_t *name, size_t n, size_t want,
		    uint32_t *out)
{
	struct dir *dir = calloc(tree->n, sizeof(*dir));
	size_t found = 0;

	if (!dir)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		uint32_t parent = names_parent(tree, name[i]);

		if (parent != NAMES_NONE)
			dir[parent].names++;
	}
	for (uint32_t i = 0; i < tree->n; i++) {
		uint32_t parent = S_ISDIR(tree->entry[i].mode) ? names_parent(tree, i) : NAMES_NONE;

		if (parent != NAMES_NONE)
			dir[parent].names = HOLDS_DIRECTORY;
	}
	for (uint32_t i = 0; i < tree->n; i++)
		if (dir[i].names && dir[i].names != HOLDS_DIRECTORY)
			dir[found++] = (struct dir){.index = i, .names = dir[i].names};
	qsort(dir, found, sizeof(*dir), by_names);
	if (found > want)
		found = want;
	for (size_t i = 0; i < found; i++)
		out[i] = dir[i].index;
	free(dir);
	return (long)found;
}
