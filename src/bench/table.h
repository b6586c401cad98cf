/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * table.h - aligned columns for people
 *
 *	struct table *t = table_new("walk", "threads>", "ns/path>", NULL);
 *	table_row(t);
 *	table_put(t, "%s", walk); table_put(t, "%u", n); table_put(t, "%.1f", ns);
 *	table_print(t, stdout);		-- prints and frees
 *
 * A heading that ends in `>` makes a column of numbers, aligned right. A column
 * whose cells are all empty is left out. table_group() names the columns that follow it,
 * in a line above their headings, up to the next group.
 */
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#include <stdio.h>

struct table;

struct table *table_new(const char *heading, ...) __attribute__((sentinel));
void table_column(struct table *t, const char *heading); /* one more, before the first row */
void table_group(struct table *t, const char *name);	 /* before the first row */
void table_row(struct table *t);
void table_put(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void table_print(struct table *t, FILE *f);

#endif
