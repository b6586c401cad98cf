/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* names.h - what can be chosen, by name: engines, kernels and lists */
#ifndef NAMES_H
#define NAMES_H

#include "kernels/kernel.h"

extern const struct engine *const engines[]; /* ends with NULL */

extern const struct dcs_name walk_names[], refcount_names[], compare_names[], object_names[],
	role_names[], negative_names[], atime_names[];
extern const struct atime_policy atime_policies[]; /* of atime_names */
extern struct dcs_name kernel_names[], layout_names[], lock_names[], hash_names[], flavour_names[];

struct lock_fact {
	const char *name, *what;
	unsigned roles; /* a bit for each that it serves */
};
extern const struct lock_fact locks[LOCK_KINDS];

/* The index of @name in @list; 0 for NULL; -1 if it is not there. */
int find_name(const struct dcs_name *list, const char *name);
/* By its name in C. */
const struct hash_ops *hash_of(const char *id);
/* Adds @word to the comma-separated @list of @size bytes. */
void list_add(char *list, size_t size, const char *word);

#endif
