// SPDX-License-Identifier: LGPL-2.1-or-later
/* catalogue.c - everything that has a name: for options, help and `dcsim list` */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/parse.h"
#include "tree/tree.h"

#define WORKLOAD(name) extern const struct workload workload_##name;
#include "../../workloads/list.h"
#undef WORKLOAD

static const struct workload *const all_workloads[] = {
#define WORKLOAD(name) &workload_##name,
#include "../../workloads/list.h"
#undef WORKLOAD
	NULL,
};

static const struct dcs_name finals[] = {
	{"ref", "takes the last dentry's reference and drops it, as Linux does for stat too"},
	{"none", "copies what a stat wants under d_seq and takes nothing"},
	{NULL, NULL},
};

static const struct dcs_name stores[] = {
	{"none", "nothing: the cache is the tree, and pins it, as ramfs does"},
	{"memory", "a tree in memory, which forgets nothing; see --store-latency"},
	{"dir", "the directory of --tree dir:PATH, read on demand and never changed"},
	{NULL, NULL},
};

/* Each lock in each role, those too that dcs_cache_new() will refuse, and say why. */
static const struct dcs_name *lock_choices(void)
{
	static struct dcs_name choices[64];
	static char names[64][32];
	size_t n = 0;

	for (const struct dcs_name *role = dcs_list("lock-roles"); role->name; role++)
		for (const struct dcs_name *lock = dcs_list("locks"); lock->name; lock++) {
			snprintf(names[n], sizeof(names[n]), "%s=%s", role->name, lock->name);
			choices[n] = (struct dcs_name){names[n], lock->description};
			n++;
		}
	return choices;
}

static const struct dcs_name machines[] = {
	{"native", "the machine that dcsim runs on"},
	{NULL, NULL},
};

const struct workload *const *workloads(void)
{
	return all_workloads;
}

static const struct dcs_name *workload_names(void)
{
	static struct dcs_name names[sizeof(all_workloads) / sizeof(all_workloads[0])];

	for (size_t i = 0; all_workloads[i]; i++)
		names[i] = (struct dcs_name){all_workloads[i]->name, all_workloads[i]->summary};
	return names;
}

const struct dcs_name *catalogue(const char *kind)
{
	const struct dcs_name *of_library = dcs_list(kind);

	if (of_library)
		return of_library;
	if (!strcmp(kind, "workloads"))
		return workload_names();
	if (!strcmp(kind, "trees"))
		return tree_kinds;
	if (!strcmp(kind, "machines"))
		return machines;
	if (!strcmp(kind, "lock-choices"))
		return lock_choices();
	if (!strcmp(kind, "stores"))
		return stores;
	return strcmp(kind, "finals") ? NULL : finals;
}
