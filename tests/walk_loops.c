/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * walk_loops.c - stat every name of a tree in order, LOOPS times
 *
 *	walk_loops WALK ref|none|hash-only LOOPS TREE [protect]
 *
 * Prints paths and components of one loop. For counting under valgrind: the work of
 * one loop is that of a run with two loops less that of a run with one. With
 * `protect`, dentries, inodes, names and the table are mapped read-only meanwhile.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dcs/dcs.h"
#include "tree/tree.h"

static void require(int err, const char *what)
{
	if (err >= 0)
		return;
	fprintf(stderr, "walk_loops: %s: %s\n", what, strerror(-err));
	exit(err == -EOPNOTSUPP ? 77 : 1);
}

int main(int argc, char **argv)
{
	struct dcs_config config = {0};
	struct dcs_counters before, after;
	struct dcs_cache *cache;
	struct dcs_task *task;
	struct dcs_stat st;
	struct tree *tree;
	uint64_t sum = 0;
	char why[256];
	int loops;

	if (argc < 5 || (loops = atoi(argv[3])) < 1)
		return 2;
	config.walk = argv[1];
	config.final = strcmp(argv[2], "none") ? DCS_FINAL_REF : DCS_FINAL_NONE;
	require(dcs_cache_new(&config, &cache, NULL), "dcs_cache_new");
	require(dcs_thread_register(cache), "dcs_thread_register");
	require(dcs_task_new(cache, NULL, 0, &task), "dcs_task_new");
	require(tree_open(argv[4], &tree, why, sizeof(why)), why);
	require(tree_load(tree, task), "tree_load");
	if (argc > 5)
		require(dcs_protect(cache, 1), "dcs_protect");
	dcs_counters(cache, &before);
	for (int i = 0; i < loops; i++) {
		for (const struct tree_entry *e = tree->entry; e < tree->entry + tree->n; e++) {
			if (!strcmp(argv[2], "hash-only")) {
				sum += dcs_hash_only(task, e->path);
				continue;
			}
			require(dcs_stat(task, e->path, DCS_NOFOLLOW | DCS_PADDED, &st), e->path);
			if (st.ino != e->ino)
				require(-EUCLEAN, e->path);
		}
	}
	dcs_counters(cache, &after);
	if (argc > 5)
		require(dcs_protect(cache, 0), "dcs_protect");
	printf("%zu %lu %lu\n", tree->n,
	       (unsigned long)(after.components - before.components) / (unsigned)loops,
	       (unsigned long)sum);
	tree_free(tree);
	dcs_task_free(task);
	dcs_cache_free(cache);
	return 0;
}
