/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * names.h - questions to a tree that workloads ask before the clock starts
 */
#ifndef WORKLOADS_NAMES_H
#define WORKLOADS_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "tree/tree.h"

#define NAMES_NONE UINT32_MAX

/* The index of the entry whose path is the @len bytes at @path, or NAMES_NONE. */
uint32_t names_find(const struct tree *tree, const char *path, size_t len);

/* The index of the directory that holds entry @i, or NAMES_NONE for the root. */
uint32_t names_parent(const struct tree *tree, uint32_t i);

/*
 * names_unused - a path that the tree does not have, beside entry @i
 *
 * Writes it to @path, DCS_PATH_MAX bytes: the entry's path, cut where a name or a
 * path would be too long, @suffix, and a number where one is needed.
 */
void names_unused(const struct tree *tree, uint32_t i, const char *suffix, char *path);

/* What lies below directory @i: entries from the result on, *@n of them. */
uint32_t names_below(const struct tree *tree, uint32_t i, size_t *n);

/*
 * names_hot_dirs - directories that many of some names lie in
 * @name: the @n names, as indices
 * @out:  room for @want indices
 *
 * Chooses among directories that hold no directory, those with the most of the
 * names first and equal ones in index order. Returns how many, or -ENOMEM.
 */
long names_hot_dirs(const struct tree *tree, const uint32_t *name, size_t n, size_t want,
		    uint32_t *out);

#endif
