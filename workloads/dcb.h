/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* dcb.h - what the parts of dcachebench share: dcb-tree.c fills the base directory */
#ifndef WORKLOADS_DCB_H
#define WORKLOADS_DCB_H

#include "bench/bench.h"

struct dcb { /* the options */
	uint64_t processes;
	const char *base, *directories, *cwd, *order, *names;
	uint64_t depth, dirs, files;
	uint64_t ops, hits, misses, creates;
	bool parts;
};

#define DCB_NAMES_MAX 4000000 /* in the base directory: what a cache holds by default */

/* Most bytes of a base directory's path: what is below it then fits a path. */
#define DCB_BASE_MAX 1024

/*
 * A tree of @beside and, in it, the base directory and what the options fill it
 * with. Bad options end the program. @seed: of names drawn from @beside.
 */
struct tree *dcb_tree(const struct dcb *opt, const struct tree *beside, uint64_t seed);

/* Writes the directory of worker @id to @path, DCS_PATH_MAX bytes: shared: the base's. */
void dcb_directory(const struct dcb *opt, unsigned id, char *path);

/* dcb-parts.c: adds the times of a plan's lookups; tells of them. Ends the program where none
 * can be had. */
void dcb_parts_add(struct dcs_parts *parts, struct sut *sut, struct dcs_task *task,
		   const struct plan *plan);
size_t dcb_parts_quantile(const uint64_t *bins, double share); /* the bin below which it lies */
void dcb_parts_json(const struct dcs_parts *parts, struct json_t *result);
void dcb_parts_print(const struct dcs_parts *parts, const char *label);

#endif
