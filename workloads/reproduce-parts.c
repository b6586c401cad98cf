// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * reproduce-parts.c - histograms of the cycles of hash and lookup, as drawn in 2004
 *
 * Of a row they are summed over its runs, whose placements differ.
 */
#include <stdlib.h>
#include <string.h>

#include "dcb.h"
#include "reproduce.h"

static const struct {
	const char *name, *what;
	size_t offset;
} series[] = {
	{"hash", "from the hash of a name and its parent to the bucket",
	 offsetof(struct dcs_parts, hash)},
	{"lookup", "to the dentry, referenced", offsetof(struct dcs_parts, lookup)},
	{"empty", "", offsetof(struct dcs_parts, empty)},
};
#define SERIES (sizeof(series) / sizeof(series[0]))
#define DRAWN  2

static uint64_t *bins_of(struct dcs_parts *parts, size_t which)
{
	return (uint64_t *)((char *)parts + series[which].offset);
}

void parts_take(struct outcome *o, size_t row, const json_t *result)
{
	const json_t *parts = json_object_get(result, "parts");

	if (!parts)
		return;
	if (!o->parts[row] && !(o->parts[row] = calloc(1, sizeof(struct dcs_parts))))
		fail(EXIT_LACKS, "out of memory");
	for (size_t s = 0; s < SERIES; s++)
		for (size_t i = 0; i < DCS_PART_BINS; i++)
			bins_of(o->parts[row], s)[i] += (uint64_t)json_integer_value(
				json_array_get(json_object_get(parts, series[s].name), i));
}

static bool any(const struct outcome *o)
{
	for (size_t r = 0; r < o->e->rows; r++)
		if (o->parts[r])
			return true;
	return false;
}

void parts_print(const struct outcome *o, FILE *f)
{
	struct table *t;

	if (!any(o))
		return;
	t = table_new("", NULL);
	for (size_t s = 0; s < SERIES; s++) {
		table_group(t, series[s].name);
		table_column(t, "half below>");
		table_column(t, "90 % below>");
	}
	for (size_t r = 0; r < o->e->rows; r++) {
		if (!o->parts[r])
			continue;
		table_row(t);
		table_put(t, "%s", o->e->row[r].name);
		for (size_t s = 0; s < SERIES; s++)
			for (int q = 0; q < 2; q++)
				table_put(t, "%zu",
					  (1 + dcb_parts_quantile(bins_of(o->parts[r], s),
								  q ? 0.9 : 0.5)) *
						  DCS_PART_CYCLES);
	}
	fprintf(f,
		"\nCycles of the parts of a component's lookup, by the cycle counter in bins of "
		"%d, on "
		"one thread; hash: %s;\nlookup: %s; empty: what reading the counter takes. The "
		"plot has "
		"the histograms.\n",
		DCS_PART_CYCLES, series[0].what, series[1].what);
	table_print(t, f);
}

/* A histogram in percent of all, a line a bin. */
static void put_data(FILE *f, size_t row, const uint64_t *bins)
{
	uint64_t all = 0;

	for (size_t i = 0; i < DCS_PART_BINS; i++)
		all += bins[i];
	fprintf(f, "$row%zu << END_OF_DATA\n", row);
	for (size_t i = 0; i < DCS_PART_BINS && all; i++)
		fprintf(f, "%zu %.6g\n", i * DCS_PART_CYCLES, 100. * (double)bins[i] / (double)all);
	fputs("END_OF_DATA\n", f);
}

/* To where nearly all of each row lies. */
static size_t end_of(const struct outcome *o, size_t which)
{
	size_t end = 0, bin;

	for (size_t r = 0; r < o->e->rows; r++) {
		if (!o->parts[r])
			continue;
		bin = 2 + dcb_parts_quantile(bins_of(o->parts[r], which), 0.98);
		end = bin > end ? bin : end;
	}
	return end * DCS_PART_CYCLES;
}

static size_t draw(const struct outcome *o, size_t which, FILE *f)
{
	size_t height = 360;
	const char *before = "plot ";

	for (size_t r = 0; r < o->e->rows; r++)
		if (o->parts[r])
			put_data(f, r, bins_of(o->parts[r], which));
	fprintf(f, "top = top - %zu / total\nset origin 0, top\nset size 1, %zu / total\n", height,
		height);
	fprintf(f, "set title '%s: %s: %s' noenhanced\n", o->e->name, series[which].name,
		series[which].what);
	fprintf(f,
		"unset logscale\nunset arrow\nset ytics autofreq\nset yrange [0:*]\n"
		"set xrange [0:%zu]\nset xlabel 'cycles, in bins of %d'\nset ylabel '%% of "
		"components'\n",
		end_of(o, which), DCS_PART_CYCLES);
	for (size_t r = 0; r < o->e->rows; r++) {
		if (!o->parts[r])
			continue;
		fprintf(f,
			"%s$row%zu using 1:2 with fsteps linewidth 1.5 dashtype %zu title '%s' "
			"noenhanced",
			before, r, 1 + r / 8, o->e->row[r].name);
		before = ", ";
	}
	fputs("\nset xrange [*:*]\nunset xlabel\nunset ylabel\n", f);
	return height;
}

size_t parts_draw(const struct outcome *o, FILE *f)
{
	size_t height = 0;

	for (size_t s = 0; s < DRAWN && any(o); s++)
		height += draw(o, s, f);
	return height;
}
