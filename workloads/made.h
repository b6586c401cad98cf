/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * made.h - trees that a workload makes up, or puts beside an imported one
 *
 *	struct made made = {0};
 *	made_add(&made, S_IFDIR | 0755, "d");
 *	made_add(&made, S_IFREG | 0644, "d/f");
 *	err = made_tree(&made, "mine", &tree);
 *
 * Names are added in any order; the directory of each must be added too.
 */
#ifndef WORKLOADS_MADE_H
#define WORKLOADS_MADE_H

#include <stdbool.h>

#include "tree/tree.h"

struct made {
	struct tree_entry *entry; /* path: an offset in text, which moves as it grows */
	size_t n, room;
	char *text;
	size_t used, text_room;
	bool failed; /* memory ran out: adding does nothing more */
};

void made_add(struct made *made, uint32_t mode, const char *path);
/* All entries of @tree, with their attributes and links. */
void made_add_tree(struct made *made, const struct tree *tree);

/*
 * The tree of what was added; for tree_free(). Frees what @made holds, also on
 * failure. Errors: -ENOMEM, -EEXIST (a path was added twice).
 */
int made_tree(struct made *made, const char *spec, struct tree **out);

#endif
