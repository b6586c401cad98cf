/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "dcb.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/options.h"
#include "made.h"
#include "names.h"
#include "rng.h"

#define LONG_NAME 64 /* bytes of --names long: more than a dentry holds inside */

struct filler {
	const struct dcb *opt;
	const struct tree *beside;
	struct rng rng;
	struct made made;
};

void dcb_directory(const struct dcb *opt, unsigned id, char *path)
{
	if (!strcmp(opt->directories, "shared"))
		snprintf(path, DCS_PATH_MAX, "%s", opt->base);
	else
		snprintf(path, DCS_PATH_MAX, "%s/w%04u", opt->base, id);
}

/* How many names there will be: a sum of powers, in floating point since it may be any. */
static double count(const struct dcb *opt)
{
	double dirs = 1, level = 1;

	for (uint64_t i = 0; i < opt->depth; i++)
		dirs += level *= (double)opt->dirs;
	dirs *= 1 + (double)opt->files;
	return strcmp(opt->directories, "shared") ? dirs * (double)opt->processes : dirs;
}

/* Adds the directories that lead to the base, where the tree has none, and the base. */
static void add_base(struct filler *f)
{
	const char *base = f->opt->base, *end = base;
	char path[DCB_BASE_MAX + 1];

	if (!*base || strlen(base) > DCB_BASE_MAX)
		fail(EXIT_USAGE, "dcachebench: --base '%s': give a path of 1 to %d bytes", base,
		     DCB_BASE_MAX);
	do {
		size_t len = strcspn(end, "/");
		uint32_t there;

		if (!len || len > DCS_NAME_MAX || (len == 1 && *end == '.') ||
		    (len == 2 && !memcmp(end, "..", 2)))
			fail(EXIT_USAGE,
			     "dcachebench: --base '%s': give a path from the cache's root, of "
			     "names of at most %d bytes, without '.', '..', '//' or a '/' at an "
			     "end",
			     base, DCS_NAME_MAX);
		end += len;
		there = names_find(f->beside, base, (size_t)(end - base));
		if (there != NAMES_NONE && (!*end || !S_ISDIR(f->beside->entry[there].mode)))
			fail(EXIT_USAGE,
			     "dcachebench: --base '%s': '%s' is in the tree %s: give another", base,
			     f->beside->entry[there].path, f->beside->spec);
		memcpy(path, base, (size_t)(end - base));
		path[end - base] = '\0';
		if (there == NAMES_NONE)
			made_add(&f->made, S_IFDIR | 0755, path);
	} while (*end++ == '/');
}

/* The last component of a name of the tree, drawn at random. */
static const char *draw_name(struct filler *f)
{
	const char *path = f->beside->entry[rng_below(&f->rng, f->beside->n)].path;
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Writes name @i, of a directory or a file, to @name: no two of one directory are equal. */
static void make_name(struct filler *f, bool dir, uint64_t i, char *name)
{
	int len =
		snprintf(name, DCS_NAME_MAX + 1, "%c%llu", dir ? 'd' : 'f', (unsigned long long)i);

	if (!strcmp(f->opt->names, "tree")) {
		/* A drawn name may come twice: the number behind it tells them apart. */
		snprintf(name, DCS_NAME_MAX + 1, "%.200s.%c%llx", draw_name(f), dir ? 'd' : 'f',
			 (unsigned long long)i);
	} else if (!strcmp(f->opt->names, "long")) {
		memset(name + len, '-', LONG_NAME);
		name[LONG_NAME] = '\0';
	}
}

/* Adds what is in the directory that is the @len bytes at @path, @depth levels of directories. */
static void fill(struct filler *f, char *path, size_t len, uint64_t depth)
{
	path[len] = '/';
	for (uint64_t i = 0; i < f->opt->files; i++) {
		make_name(f, false, i, path + len + 1);
		made_add(&f->made, S_IFREG | 0644, path);
	}
	for (uint64_t i = 0; depth && i < f->opt->dirs; i++) {
		make_name(f, true, i, path + len + 1);
		made_add(&f->made, S_IFDIR | 0755, path);
		fill(f, path, strlen(path), depth - 1);
	}
}

struct tree *dcb_tree(const struct dcb *opt, const struct tree *beside, uint64_t seed)
{
	struct filler f = {.opt = opt, .beside = beside, .rng = rng_new(seed, 0)};
	bool shared = !strcmp(opt->directories, "shared");
	char path[DCS_PATH_MAX];
	struct tree *tree;
	int err;

	if (count(opt) > DCB_NAMES_MAX)
		fail(EXIT_USAGE,
		     "dcachebench: --depth, --dirs and --files make %.3g names: give less, at "
		     "most %d",
		     count(opt), DCB_NAMES_MAX);
	add_base(&f);
	made_add_tree(&f.made, beside);
	for (unsigned id = 0; id < (shared ? 1 : opt->processes); id++) {
		dcb_directory(opt, id, path);
		if (!shared)
			made_add(&f.made, S_IFDIR | 0755, path);
		fill(&f, path, strlen(path), opt->depth);
	}
	err = made_tree(&f.made, beside->spec, &tree);
	if (err)
		fail(EXIT_LACKS, "dcachebench: cannot make the base directory: %s", strerror(-err));
	return tree;
}
