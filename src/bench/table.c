// SPDX-License-Identifier: LGPL-2.1-or-later
/* table.c - rows of strings, measured when they are printed */
#include "bench/table.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

#define COLUMNS 32

struct row {
	struct row *next;
	char *cell[COLUMNS];
};

struct table {
	unsigned columns, at; /* at: the next cell of the last row */
	char *heading[COLUMNS];
	bool right[COLUMNS];
	char *group[COLUMNS]; /* of this column and those behind it; NULL: as before it */
	char *next_group;
	struct row *first, *last;
};

/* Columns that a terminal gives to UTF-8 text: characters, not bytes. */
static int width(const char *s)
{
	int n = 0;

	for (; *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

void table_column(struct table *t, const char *heading)
{
	size_t len = strlen(heading);
	unsigned c = t->columns++;

	if (c == COLUMNS)
		abort();
	t->group[c] = t->next_group;
	t->next_group = NULL;
	t->right[c] = len && heading[len - 1] == '>';
	t->heading[c] = strndup(heading, len - t->right[c]);
	if (!t->heading[c])
		fail(EXIT_LACKS, "out of memory");
}

void table_group(struct table *t, const char *name)
{
	free(t->next_group);
	t->next_group = strdup(name);
	if (!t->next_group)
		fail(EXIT_LACKS, "out of memory");
}

struct table *table_new(const char *heading, ...)
{
	struct table *t = calloc(1, sizeof(*t));
	va_list ap;

	if (!t)
		fail(EXIT_LACKS, "out of memory");
	va_start(ap, heading);
	for (; heading; heading = va_arg(ap, const char *))
		table_column(t, heading);
	va_end(ap);
	return t;
}

void table_row(struct table *t)
{
	struct row *row = calloc(1, sizeof(*row));

	if (!row)
		fail(EXIT_LACKS, "out of memory");
	if (t->last)
		t->last->next = row;
	else
		t->first = row;
	t->last = row;
	t->at = 0;
}

void table_put(struct table *t, const char *fmt, ...)
{
	va_list ap;

	if (t->at == t->columns)
		abort();
	va_start(ap, fmt);
	if (vasprintf(&t->last->cell[t->at++], fmt, ap) < 0)
		fail(EXIT_LACKS, "out of memory");
	va_end(ap);
}

static void print_row(const struct table *t, char *const *cell, const int *wide, FILE *f)
{
	int pending = 0; /* blanks due before the next text: none at the end of a line */
	bool first = true;

	for (unsigned c = 0; c < t->columns; c++) {
		const char *s = cell[c] ? cell[c] : "";
		int room;

		if (!wide[c])
			continue;
		room = wide[c] - width(s);
		pending += first ? 0 : 2;
		first = false;
		if (*s) {
			fprintf(f, "%*s%s", pending + (t->right[c] ? room : 0), "", s);
			pending = t->right[c] ? 0 : room;
		} else {
			pending += wide[c];
		}
	}
	putc('\n', f);
}

/* The columns from @c on that are of its group: their number, and in *@room their width. */
static unsigned group_span(const struct table *t, unsigned c, const int *wide, int *room)
{
	unsigned n = 0;

	*room = -2;
	do {
		*room += wide[c + n] ? wide[c + n] + 2 : 0;
		n++;
	} while (c + n < t->columns && !t->group[c + n]);
	return n;
}

/* Each group's name in the middle of what it spans, which is made as wide as the name. */
static void print_groups(const struct table *t, int *wide, FILE *f)
{
	int blanks = 0, room;
	bool any = false, first = true;

	for (unsigned c = 0, n; c < t->columns; c += n) {
		const char *name = t->group[c] ? t->group[c] : "";
		int before, length = width(name);

		n = group_span(t, c, wide, &room);
		if (room < 0)
			continue;
		for (unsigned last = c + n - 1; room < length; last--)
			if (wide[last]) {
				wide[last] += length - room;
				room = length;
			}
		blanks += first ? 0 : 2;
		first = false;
		before = (room - length) / 2;
		if (length) {
			fprintf(f, "%*s%s", blanks + before, "", name);
			blanks = room - length - before;
			any = true;
		} else {
			blanks += room;
		}
	}
	if (any)
		putc('\n', f);
}

void table_print(struct table *t, FILE *f)
{
	int wide[COLUMNS] = {0};
	bool headed = false;

	for (const struct row *row = t->first; row; row = row->next)
		for (unsigned c = 0; c < t->columns; c++)
			if (row->cell[c] && width(row->cell[c]) > wide[c])
				wide[c] = width(row->cell[c]);
	for (unsigned c = 0; c < t->columns; c++)
		if (wide[c] && width(t->heading[c]) > wide[c])
			wide[c] = width(t->heading[c]);
	for (unsigned c = 0; c < t->columns; c++)
		headed |= *t->heading[c] != '\0';
	print_groups(t, wide, f);
	if (headed)
		print_row(t, t->heading, wide, f);
	for (struct row *row = t->first, *next; row; row = next) {
		next = row->next;
		print_row(t, row->cell, wide, f);
		for (unsigned c = 0; c < t->columns; c++)
			free(row->cell[c]);
		free(row);
	}
	for (unsigned c = 0; c < t->columns; c++) {
		free(t->heading[c]);
		free(t->group[c]);
	}
	free(t->next_group);
	free(t);
}
