/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * names.c - what can be chosen, by name
 */
#include "names.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Which there are: what meson made of its lists. DCS_ENGINES(X), DCS_KERNELS(X), names in C. */
#include DCS_ENGINES_H

#define DECLARE_ENGINE(E) extern const struct engine E;
#define DECLARE_KERNEL(K) extern const struct kernel K;
#define ENTRY(E)	  &E,
DCS_ENGINES(DECLARE_ENGINE)
DCS_KERNELS(DECLARE_KERNEL)
const struct engine *const engines[] = {DCS_ENGINES(ENTRY) NULL};
const struct kernel *const kernels[] = {DCS_KERNELS(ENTRY) NULL};

const struct dcs_name walk_names[] = {
	{"rcu-walk", "store-free, d_seq checked hand over hand; drops to ref-walk"},
	{"ref-walk", "a reference on each dentry, under its d_lock"},
	{"store-free-2009", "store-free but for the last dentry, referenced under its d_lock"},
	{"global-lock", "each component looked up under one dcache_lock, as in Linux 2.4"},
	{NULL, NULL},
};

/* By the engines; the newest first, as they are listed. */
struct dcs_name layout_names[16];
struct dcs_name kernel_names[32];

static __attribute__((constructor)) void list_layouts(void)
{
	size_t n = 0;

	for (size_t i = 0; engines[i]; i++)
		if (find_name(layout_names, engines[i]->layout) < 0)
			layout_names[n++] =
				(struct dcs_name){engines[i]->layout, engines[i]->layout_what};
}

static __attribute__((constructor)) void list_kernels(void)
{
	for (size_t i = 0; kernels[i]; i++)
		kernel_names[i] = (struct dcs_name){kernels[i]->name, kernels[i]->what};
}

const struct dcs_name refcount_names[] = {
	[REFS_LOCKREF] = {"lockref", "count and d_lock are one word, changed by one "
				     "compare-and-swap, as since Linux 3.12"},
	[REFS_SEPARATE] = {"separate",
			   "the count is changed under d_lock only, as in Linux 2.6.38 to 3.11"},
	[REFS_ATOMIC] = {"atomic", "the count is changed by itself, but from and to 0 under "
				   "d_lock, as in Linux 2.4 to 2.6.37"},
	{NULL, NULL},
};

const struct dcs_name compare_names[] = {
	[COMPARE_LOCKED] = {"locked", "ref-walk compares names under d_lock"},
	[COMPARE_UNLOCKED] = {"unlocked", "ref-walk compares before it takes d_lock, and looks "
					  "whether it moved, as in Linux 2.6.0 to 2.6.6"},
	{NULL, NULL},
};

const struct dcs_name object_names[] = {
	{"zeroed", "an object is zeroed at each allocation; free ones are linked inside"},
	{"constructed",
	 "an object is constructed once, with its page; free ones are linked behind"},
	{NULL, NULL},
};

const struct dcs_name role_names[] = {
	[DCS_LOCK_D] = {"d_lock", "a dentry"},
	[DCS_LOCK_BUCKET] = {"bucket", "a chain of the hash table, to change it"},
	[DCS_LOCK_DCACHE] = {"dcache_lock", "all lookups and changes of walk global-lock"},
	[DCS_LOCK_MOUNT] = {"mount", "mounts, at `..` and crossings"},
	[DCS_LOCK_FS] = {"fs", "cwd and root of a task, or of tasks that share them"},
	{NULL, NULL},
};

const struct lock_fact locks[LOCK_KINDS] = {
#define LOCK_LINE(N, NAME, ROLES, WHAT) {NAME, WHAT, ROLES},
	DCS_LOCKS(LOCK_LINE)
#undef LOCK_LINE
};

struct dcs_name lock_names[LOCK_KINDS + 1];

const struct dcs_name negative_names[] = {
	[NEGATIVE_KEEP] = {"keep", "as other dentries, least recently used first (ext4)"},
	[NEGATIVE_NONE] = {"none", "none is cached (tmpfs)"},
	[NEGATIVE_QUOTA] = {"quota", "among themselves, those asked for again last (FreeBSD)"},
	{NULL, NULL},
};

const struct dcs_name atime_names[] = {
	{"noatime", "reading stores no time"},
	{"relatime", "where atime is not after mtime and ctime, or 24 h old: since Linux 2.6.30"},
	{"relatime-2007", "where atime is not after mtime and ctime: Linux 2.6.20 to 2.6.29"},
	{"strictatime", "at each read, once a tick of the clock"},
	{"lazytime",
	 "strictatime in memory; the store is told with another change of the inode, at "
	 "a sync, or when it is let go"},
	{"nodiratime", "strictatime, but for directories"},
	{NULL, NULL},
};

const struct atime_policy atime_policies[] = {
	{ATIME_NEVER, false, false},	     {ATIME_RELATIVE, false, false},
	{ATIME_RELATIVE_2007, false, false}, {ATIME_STRICT, false, false},
	{ATIME_STRICT, true, false},	     {ATIME_STRICT, false, true},
};

struct dcs_name hash_names[64];

static __attribute__((constructor)) void list_hashes(void)
{
	for (size_t i = 0; dcs_hashes[i].name; i++)
		hash_names[i] = (struct dcs_name){dcs_hashes[i].name, dcs_hashes[i].what};
}

struct dcs_name flavour_names[8];

static __attribute__((constructor)) void list_flavours(void)
{
	for (size_t i = 0; rcu_flavours[i]; i++)
		flavour_names[i] =
			(struct dcs_name){rcu_flavours[i]->name, rcu_flavours[i]->description};
}

/* Adds @word to the comma-separated @list. */
void list_add(char *list, size_t size, const char *word)
{
	size_t n = strlen(list);

	snprintf(list + n, size - n, "%s%s", n ? ", " : "", word);
}

static __attribute__((constructor)) void list_locks(void)
{
	static char text[LOCK_KINDS][160];

	for (int kind = 0; kind < LOCK_KINDS; kind++) {
		char roles[80] = "";

		for (int role = 0; role < DCS_LOCK_ROLES; role++)
			if (locks[kind].roles & 1u << role)
				list_add(roles, sizeof(roles), role_names[role].name);
		snprintf(text[kind], sizeof(text[kind]), "%s. For %s", locks[kind].what, roles);
		lock_names[kind] = (struct dcs_name){locks[kind].name, text[kind]};
	}
}

const struct dcs_name *dcs_list(const char *kind)
{
	static const struct {
		const char *kind;
		const struct dcs_name *names;
	} lists[] = {
		{"kernels", kernel_names},     {"walks", walk_names},
		{"layouts", layout_names},     {"hashes", hash_names},
		{"flavours", flavour_names},   {"negatives", negative_names},
		{"locks", lock_names},	       {"lock-roles", role_names},
		{"refcounts", refcount_names}, {"compares", compare_names},
		{"objects", object_names},     {"atimes", atime_names},
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (!strcmp(kind, lists[i].kind))
			return lists[i].names;
	return NULL;
}

const struct hash_ops *hash_of(const char *id)
{
	for (size_t i = 0; dcs_hashes[i].name; i++)
		if (!strcmp(dcs_hashes[i].id, id))
			return &dcs_hashes[i];
	return NULL;
}

/* The index of @name in @list; 0 for NULL; -1 if it is not there. */
int find_name(const struct dcs_name *list, const char *name)
{
	if (!name)
		return 0;
	for (int i = 0; list[i].name; i++)
		if (!strcmp(list[i].name, name))
			return i;
	return -1;
}

int dcs_kernel(const char *name, struct dcs_kernel *out)
{
	int i = find_name(kernel_names, name);
	const struct kernel *k;

	if (i < 0 || !name)
		return -ENOENT;
	k = kernels[i];
	*out = (struct dcs_kernel){
		.name = k->name,
		.what = k->what,
		.lacks = k->lacks,
		.walk = k->walk,
		.layout = k->layout,
		.hash = hash_of(k->hash)->name,
		.refcount = refcount_names[k->choices.refs].name,
		.compare = compare_names[k->choices.compare].name,
		.final = k->final,
	};
	for (int role = 0; role < DCS_LOCK_ROLES; role++)
		out->lock[role] = lock_names[k->choices.lock[role]].name;
	return 0;
}

int dcs_layout(const char *name, struct dcs_layout *out)
{
	for (size_t i = 0; engines[i]; i++) {
		const struct engine *e = engines[i];

		if (strcmp(e->layout, name))
			continue;
		*out = (struct dcs_layout){
			.name = e->layout,
			.what = e->layout_what,
			.size = e->dentry.object,
			.align = e->align,
			.link_bits = e->dentry.low ? 32 : 64,
			.bucket_size = e->bucket_size,
			.per_page = e->dentry.page.per_page,
			.first = e->dentry.page.first,
			.fields = e->fields,
		};
		return 0;
	}
	return -ENOENT;
}
