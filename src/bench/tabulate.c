// SPDX-License-Identifier: LGPL-2.1-or-later
/* tabulate.c - what tells cells apart, and the table for people */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/output.h"

enum {
	KERNEL,
	WALK,
	LAYOUT,
	HASH,
	FLAVOUR,
	FINAL,
	LOCK,
	REFCOUNT,
	COMPARE,
	OBJECTS,
	NEGATIVES,
	STORE,
	ATIME,
	AXES
};

const char *axis_name(unsigned axis)
{
	static const char *const names[] = {
		"kernel",   "walk",    "layout",  "hash",      "flavour", "final", "lock",
		"refcount", "compare", "objects", "negatives", "store",	  "atime",
	};

	return axis < AXES ? names[axis] : NULL;
}

const char *axis_value(const struct sut *sut, unsigned axis)
{
	const char *const v[] = {sut->kernel,  sut->walk,    sut->layout,    sut->hash,
				 sut->flavour, sut->final,   sut->lock,	     sut->refcount,
				 sut->compare, sut->objects, sut->negatives, sut->store,
				 sut->atime};

	return v[axis] ? v[axis] : "";
}

/* Whether a kernel says it all: several are compared, and the axis was not named. */
static bool axis_of_kernel(const struct bench *b, unsigned axis)
{
	const struct options *o = b->opt;
	const struct opt_names *const named[AXES] = {
		[WALK] = &o->walk,	   [LAYOUT] = &o->layout,   [HASH] = &o->hash,
		[REFCOUNT] = &o->refcount, [COMPARE] = &o->compare,
	};

	return o->kernel.n > 1 && named[axis] && !named[axis]->n;
}

/* Whether two caches differ there; reference rows have no such axes. */
bool axis_varies(const struct bench *b, unsigned axis)
{
	const char *seen = NULL;

	if (axis_of_kernel(b, axis))
		return false;
	for (size_t i = 0; i < b->n_cells; i++) {
		const char *value = axis_value(b->cell[i]->sut, axis);

		if (sut_is_reference(b->cell[i]->sut))
			continue;
		if (seen && strcmp(seen, value) != 0)
			return true;
		seen = value;
	}
	return false;
}

int sut_label(const struct bench *b, const struct sut *sut, bool full, char *buf, size_t size)
{
	int n = 0;

	for (unsigned a = KERNEL; a < AXES && n >= 0 && (size_t)n < size; a++) {
		bool shown = full || axis_varies(b, a);

		/* By the walk, unless it is by the kernel. */
		if (a == WALK)
			shown |= sut_is_reference(sut) || !axis_of_kernel(b, a);
		if (*axis_value(sut, a) && shown)
			n += snprintf(buf + n, size - (size_t)n, "%s%s", n ? ", " : "",
				      axis_value(sut, a));
	}
	return n;
}

void cell_label(const struct bench *b, const struct cell *cell, bool full, char *buf, size_t size)
{
	int n = snprintf(buf, size, "%s%s", cell->variant ? cell->variant : "",
			 cell->variant ? ", " : "");

	if (n >= 0 && (size_t)n < size)
		n += sut_label(b, cell->sut, full, buf + n, size - (size_t)n);
	if (n >= 0 && (size_t)n < size)
		snprintf(buf + n, size - (size_t)n, ", %u thread%s", cell->threads,
			 cell->threads == 1 ? "" : "s");
}

const char *axis_with(const struct bench *b, const struct sut *sut)
{
	static char text[256];
	int n = 0;

	*text = '\0';
	for (unsigned a = FINAL + 1; a < AXES && (size_t)n < sizeof(text); a++)
		if (*axis_value(sut, a) && axis_varies(b, a))
			n += snprintf(text + n, sizeof(text) - (size_t)n, "%s%s%s%s", n ? " " : "",
				      a == LOCK ? "" : axis_name(a), a == LOCK ? "" : "=",
				      axis_value(sut, a));
	return text;
}

void bench_put_axes(struct table *t, const struct bench *b, const struct sut *sut, bool final)
{
	const struct options *opt = b->opt;

	bool by_kernel = axis_of_kernel(b, WALK) && !sut_is_reference(sut);

	table_put(t, "%s", opt->kernel.n > 1 ? sut->kernel : "");
	table_put(t, "%s", by_kernel ? "" : sut->walk);
	table_put(t, "%s", opt->layout.n > 1 ? sut->layout : "");
	table_put(t, "%s", opt->hash.n > 1 ? sut->hash : "");
	table_put(t, "%s", opt->flavour.n > 1 ? sut->flavour : "");
	table_put(t, "%s", final || opt->final.n > 1 ? sut->final : "");
	table_put(t, "%s", axis_with(b, sut));
}

void bench_put_ratio(struct table *t, const struct cell *cell, int digits)
{
	bool own = !cell->base || cell->base == cell;

	if (own)
		table_put(t, "%s", sut_is_reference(cell->sut) ? "" : "1");
	else if (!cell->ratio.differ)
		table_put(t, "~");
	else
		table_put(t, "%.*f", digits, cell->ratio.ratio);
}

void bench_put_median(struct table *t, const struct cell *cell, int digits)
{
	const struct summary *s = &cell->summary;

	table_put(t, "%.*f", digits, s->median);
	table_put(t, "%.*f-%.*f", digits, s->lo, digits, s->hi);
	bench_put_ratio(t, cell, 2);
}

void bench_put_measure_ratio(struct table *t, const struct cell *cell, unsigned measure)
{
	size_t runs = cell->bench->opt->runs;
	double *v = malloc(2 * runs * sizeof(*v));
	struct ratio r;

	if (!v)
		fail(EXIT_LACKS, "out of memory");
	for (size_t i = 0; i < runs; i++) {
		v[i] = cell->base->sample[i].measure[measure];
		v[runs + i] = cell->sample[i].measure[measure];
	}
	stats_ratio(v, runs, v + runs, runs, cell->bench->opt->seed, &r);
	free(v);
	if (cell != cell->base && !r.differ)
		table_put(t, "~");
	else
		table_put(t, "%.2f", r.ratio);
}

static double get_rate(const struct sample *s, void *unused)
{
	(void)unused;
	return s->wall > 0 ? (double)s->ops / s->wall : 0;
}

/* Four significant digits, without an exponent. */
static void put(struct table *t, double x)
{
	int digits = x != 0 && isfinite(x) ? 3 - (int)floor(log10(fabs(x))) : 0;

	table_put(t, "%.*f", digits < 0 ? 0 : digits > 6 ? 6 : digits, x);
}

static void put_statistics(struct table *t, const struct cell *cell)
{
	const struct summary *s = &cell->summary;
	const struct ratio *r = &cell->ratio;

	put(t, s->median);
	table_put(t, "[%.4g, %.4g]", s->lo, s->hi);
	table_put(t, "%.4g ± %.2g", s->mean, s->stddev);
	bench_put_ratio(t, cell, 3);
	if (cell->base == cell)
		table_put(t, "%s", "");
	else
		table_put(t, "[%.3f, %.3f]", r->lo, r->hi);
}

static void put_cell(struct table *t, const struct bench *b, const struct cell *cell)
{
	table_row(t);
	table_put(t, "%s", cell->variant ? cell->variant : "");
	for (unsigned a = 0; a < AXES; a++)
		table_put(t, "%s",
			  (a == WALK && !axis_of_kernel(b, a)) || axis_varies(b, a)
				  ? axis_value(cell->sut, a)
				  : "");
	table_put(t, "%u", cell->threads);
	put_statistics(t, cell);
	put(t, bench_median(cell, get_rate, NULL) / 1e6);
	for (unsigned m = 0; m < b->n_measures; m++)
		put(t, bench_median_measure(cell, m));
}

static const char *unit_of(const struct cell *cell)
{
	return cell->unit ? cell->unit : "ns/path";
}

void bench_table(struct bench *b)
{
	const char *unit = b->n_cells ? unit_of(b->cell[0]) : "";
	struct table *t = table_new("variant", NULL);
	char heading[96];

	for (unsigned a = 0; a < AXES; a++)
		table_column(t, axis_name(a));
	table_column(t, "threads>");
	snprintf(heading, sizeof(heading), "%s>", unit);
	table_column(t, heading);
	table_column(t, "95 % interval>");
	table_column(t, "mean ± sd>");
	table_column(t, "ratio>");
	table_column(t, "95 % interval>");
	table_column(t, "M/s>");
	for (unsigned m = 0; m < b->n_measures; m++) {
		snprintf(heading, sizeof(heading), "%s%s%s>", b->measure[m].name,
			 *b->measure[m].unit ? " " : "", b->measure[m].unit);
		table_column(t, heading);
	}
	for (size_t i = 0; i < b->n_cells; i++)
		put_cell(t, b, b->cell[i]);
	table_print(t, stdout);
	if (b->n_cells && !b->cell[0]->summary.covered)
		puts("With fewer than 6 runs the intervals hold less than 95 %: give --runs 6 or "
		     "more.");
}
