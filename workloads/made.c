/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "made.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Offsets in text stand in for pointers until the text stays where it is. */
static const char *as_pointer(size_t offset)
{
	return (const char *)(uintptr_t)offset;
}

static const char *text_at(const char *text, const char *offset)
{
	return text + (uintptr_t)offset;
}

static bool grow(void **block, size_t *room, size_t need, size_t size)
{
	size_t more = *room ? *room : 1024;
	void *bigger;

	if (need <= *room)
		return true;
	while (more < need)
		more *= 2;
	bigger = reallocarray(*block, more, size);
	if (!bigger)
		return false;
	*block = bigger;
	*room = more;
	return true;
}

static const char *add_text(struct made *made, const char *string)
{
	size_t size = strlen(string) + 1;
	void *text = made->text;

	made->failed |= !grow(&text, &made->text_room, made->used + size, 1);
	if (made->failed)
		return NULL;
	made->text = text;
	memcpy(made->text + made->used, string, size);
	made->used += size;
	return as_pointer(made->used - size);
}

static void add_entry(struct made *made, const struct tree_entry *like, const char *path,
		      const char *target)
{
	void *entry = made->entry;

	made->failed |= !grow(&entry, &made->room, made->n + 1, sizeof(*made->entry));
	if (made->failed)
		return;
	made->entry = entry;
	made->entry[made->n] = *like;
	made->entry[made->n].path = add_text(made, path);
	made->entry[made->n].len = (uint32_t)strlen(path);
	/* An offset of 0 is a path's: the first text is one. So NULL is still no link. */
	made->entry[made->n].target = target ? add_text(made, target) : NULL;
	made->n++;
}

void made_add(struct made *made, uint32_t mode, const char *path)
{
	add_entry(made, &(struct tree_entry){.mode = mode}, path, NULL);
}

void made_add_tree(struct made *made, const struct tree *tree)
{
	for (size_t i = 0; i < tree->n; i++)
		add_entry(made, &tree->entry[i], tree->entry[i].path, tree->entry[i].target);
}

static int by_path(const void *a, const void *b)
{
	const struct tree_entry *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static char *put_string(char **to, const char *from)
{
	char *start = *to;

	*to = stpcpy(start, from) + 1 + TREE_PAD;
	return start;
}

/* Copies the strings into the tree, in the order of the entries. */
static int lay_out(struct tree *tree, struct tree_entry *entry, size_t n)
{
	char *to;

	for (size_t i = 0; i < n; i++) {
		tree->strings_size += entry[i].len + 1 + TREE_PAD;
		if (entry[i].target)
			tree->strings_size += strlen(entry[i].target) + 1 + TREE_PAD;
	}
	tree->entry = calloc(n, sizeof(*entry));
	tree->strings = to = calloc(1, tree->strings_size);
	if (!tree->entry || !tree->strings)
		return -ENOMEM;
	tree->n = n;
	memcpy(tree->entry, entry, n * sizeof(*entry));
	for (size_t i = 0; i < n; i++) {
		tree->entry[i].path = put_string(&to, entry[i].path);
		tree->n_dirs += S_ISDIR(entry[i].mode);
		tree->n_links += S_ISLNK(entry[i].mode);
		tree->n_files += !S_ISDIR(entry[i].mode) && !S_ISLNK(entry[i].mode);
	}
	for (size_t i = 0; i < n; i++)
		if (entry[i].target)
			tree->entry[i].target = put_string(&to, entry[i].target);
	return 0;
}

static int finish(struct made *made, struct tree *tree)
{
	if (made->failed || !made->n)
		return -ENOMEM;
	for (size_t i = 0; i < made->n; i++) {
		struct tree_entry *entry = &made->entry[i];

		entry->path = text_at(made->text, entry->path);
		if (entry->target)
			entry->target = text_at(made->text, entry->target);
	}
	qsort(made->entry, made->n, sizeof(*made->entry), by_path);
	for (size_t i = 1; i < made->n; i++)
		if (!by_path(&made->entry[i - 1], &made->entry[i]))
			return -EEXIST;
	return lay_out(tree, made->entry, made->n);
}

int made_tree(struct made *made, const char *spec, struct tree **out)
{
	struct tree *tree = calloc(1, sizeof(*tree));
	int err = -ENOMEM;

	if (tree)
		tree->spec = strdup(spec);
	if (tree && tree->spec)
		err = finish(made, tree);
	free(made->entry);
	free(made->text);
	*made = (struct made){0};
	if (err) {
		tree_free(tree);
		return err;
	}
	*out = tree;
	return 0;
}
