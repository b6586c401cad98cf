// SPDX-License-Identifier: LGPL-2.1-or-later
/* show.c - dcsim kernels, dcsim layouts: what is modelled, in full */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "cli/parse.h"
#include "cli/show.h"

/* Names given that are of @kind, or all; --json. */
struct wanted {
	const char *kind;
	const char *const *name;
	size_t n;
	bool json;
};

static bool is_wanted(const struct wanted *w, const char *name)
{
	for (size_t i = 0; i < w->n; i++)
		if (!strcmp(w->name[i], name))
			return true;
	return !w->n;
}

static void check_name(const char *command, const char *kind, const char *name)
{
	const char *names[64];
	size_t n = 0;

	for (const struct dcs_name *k = dcs_list(kind); k->name; k++) {
		if (!strcmp(k->name, name))
			return;
		names[n++] = k->name;
	}
	fail_unknown(command, name, names, n);
}

static struct wanted parse(const char *command, const char *one, int argc, char **argv)
{
	static const char *names[64];
	struct wanted w = {.kind = command, .name = names};

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--json")) {
			w.json = true;
			continue;
		}
		if (argv[i][0] == '-')
			fail_unknown(one, argv[i], (const char *[]){"--json"}, 1);
		check_name(one, command, argv[i]);
		if (w.n < 64)
			names[w.n++] = argv[i];
	}
	return w;
}

/* ---- kernels */

static json_t *kernel_json(const struct dcs_kernel *k)
{
	json_t *locks = json_object();

	for (int role = 0; role < DCS_LOCK_ROLES; role++)
		json_object_set_new(locks, dcs_list("lock-roles")[role].name,
				    json_string(k->lock[role]));
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o}", "name", k->name,
			 "description", k->what, "lacks", k->lacks, "walk", k->walk, "layout",
			 k->layout, "hash", k->hash, "refcount", k->refcount, "compare", k->compare,
			 "final", k->final == DCS_FINAL_REF ? "ref" : "none", "locks", locks);
}

/* Spinlocks that a walk never takes are left out: dcache_lock is of global-lock alone. */
static void kernel_text(const struct dcs_kernel *k)
{
	bool global = !strcmp(k->walk, "global-lock");

	printf("%s: %s\n", k->name, k->what);
	printf("  walk %s%s, layout %s, hash %s\n", k->walk,
	       !strcmp(k->compare, "unlocked") ? " (compares unlocked, then looks at d_seq under "
						 "d_lock)"
					       : "",
	       k->layout, k->hash);
	printf("  references %s; d_lock %s, bucket %s%s%s, mount %s, cwd and root %s; final=%s\n",
	       k->refcount, k->lock[DCS_LOCK_D], k->lock[DCS_LOCK_BUCKET],
	       global ? ", dcache_lock " : "", global ? k->lock[DCS_LOCK_DCACHE] : "",
	       k->lock[DCS_LOCK_MOUNT], k->lock[DCS_LOCK_FS],
	       k->final == DCS_FINAL_REF ? "ref" : "none");
	printf("  left out: %s\n", k->lacks);
}

int show_kernels(int argc, char **argv)
{
	struct wanted w = parse("kernels", "kernel", argc, argv);
	json_t *array = json_array();

	for (const struct dcs_name *name = dcs_list("kernels"); name->name; name++) {
		struct dcs_kernel k;

		if (!is_wanted(&w, name->name) || dcs_kernel(name->name, &k))
			continue;
		if (w.json)
			json_array_append_new(array, kernel_json(&k));
		else
			kernel_text(&k);
	}
	if (w.json) {
		json_dumpf(array, stdout, JSON_INDENT(2));
		putchar('\n');
	}
	json_decref(array);
	return 0;
}

/* ---- layouts */

#define LINE 64

static json_t *layout_json(const struct dcs_layout *l)
{
	json_t *fields = json_array();

	for (const struct dcs_field *f = l->fields; f->name; f++)
		json_array_append_new(fields,
				      json_pack("{s:s, s:i, s:i, s:i, s:s, s:s}", "name", f->name,
						"offset", (int)f->offset, "size", (int)f->size,
						"line", (int)(f->offset / LINE), "kernel",
						f->kernel, "used", f->used));
	return json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:o}", "name", l->name,
			 "description", l->what, "size", (int)l->size, "align", (int)l->align,
			 "link_bits", (int)l->link_bits, "bucket", (int)l->bucket_size, "per_page",
			 (int)l->per_page, "first", (int)l->first, "fields", fields);
}

/* Where the lines of the first dentry of a slab begin in it. */
static size_t line_of(const struct dcs_layout *l, size_t offset)
{
	return (l->first % LINE + offset) / LINE;
}

static void layout_text(const struct dcs_layout *l)
{
	struct table *t = table_new("offset>", "size>", "line>", "field", "in the kernel",
				    "touched by", NULL);
	size_t line = SIZE_MAX;

	printf("%s: %s\n", l->name, l->what);
	printf("%zu bytes, at multiples of %zu", l->size, l->align);
	if (l->per_page)
		printf("; %u a page of 4096, the first at %u", l->per_page, l->first);
	printf("; links of %u bits, buckets of %zu bytes; lines of %d are those of the first in a "
	       "page\n",
	       l->link_bits, l->bucket_size, LINE);
	for (const struct dcs_field *f = l->fields; f->name; f++) {
		table_row(t);
		table_put(t, "%zu", f->offset);
		table_put(t, "%zu", f->size);
		if (line_of(l, f->offset) != line)
			table_put(t, "%zu", line = line_of(l, f->offset));
		else
			table_put(t, "%s", "");
		table_put(t, "%s", strstr(f->name, "d_room") ? "-" : f->name);
		table_put(t, "%s", f->kernel);
		table_put(t, "%s", f->used);
	}
	table_print(t, stdout);
	putchar('\n');
}

int show_layouts(int argc, char **argv)
{
	struct wanted w = parse("layouts", "layout", argc, argv);
	json_t *array = json_array();

	for (const struct dcs_name *name = dcs_list("layouts"); name->name; name++) {
		struct dcs_layout l;

		if (!is_wanted(&w, name->name) || dcs_layout(name->name, &l))
			continue;
		if (w.json)
			json_array_append_new(array, layout_json(&l));
		else
			layout_text(&l);
	}
	if (w.json) {
		json_dumpf(array, stdout, JSON_INDENT(2));
		putchar('\n');
	}
	json_decref(array);
	return 0;
}
