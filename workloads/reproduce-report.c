// SPDX-License-Identifier: LGPL-2.1-or-later
/* reproduce-report.c - the post's table beside ours, and the effects beside each other */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce.h"

/* ---- figures */

static bool has_column(const struct experiment *e, unsigned post, unsigned column)
{
	for (size_t r = 0; r < e->rows; r++)
		if (e->row[r].post[post][column].n)
			return true;
	return false;
}

static bool has_spread(const struct experiment *e, unsigned post, unsigned column)
{
	for (size_t r = 0; r < e->rows; r++)
		if (e->row[r].post[post][column].sd > 0)
			return true;
	return false;
}

static const char *our_name(const struct column *column)
{
	return column->ours ? column->ours : column->name;
}

static __attribute__((format(printf, 2, 3))) void head(struct table *t, const char *fmt, ...)
{
	char heading[96];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(heading, sizeof(heading), fmt, ap);
	va_end(ap);
	table_column(t, heading);
}

/* The columns of a post, with the deviation where the post has it; the same of ours. */
static struct table *summary_heads(const struct experiment *e)
{
	struct table *t = table_new("", NULL);

	for (unsigned p = 0; p < POSTS && e->post[p].who; p++) {
		table_group(t, e->post[p].who);
		for (unsigned c = 0; c < e->columns; c++) {
			if (!has_column(e, p, c))
				continue;
			head(t, "%s>", e->column[c].name);
			if (has_spread(e, p, c))
				head(t, "sd>");
		}
	}
	table_group(t, "ours");
	for (unsigned c = 0; c < e->columns; c++) {
		head(t, "%s>", our_name(&e->column[c]));
		if (has_spread(e, 0, c)) {
			head(t, "sd>");
			head(t, "median>");
		}
	}
	table_group(t, "");
	head(t, "walk, layout, hash");
	return t;
}

static void put_post(struct table *t, const struct experiment *e, const struct row *row,
		     unsigned post)
{
	for (unsigned c = 0; c < e->columns; c++) {
		const struct figures *f = &row->post[post][c];

		if (!has_column(e, post, c))
			continue;
		if (f->n)
			table_put(t, "%.*f", e->column[c].digits, f->mean);
		else
			table_put(t, "%s", "");
		if (has_spread(e, post, c) && f->n)
			table_put(t, "%g", f->sd);
		else if (has_spread(e, post, c))
			table_put(t, "%s", "");
	}
}

static void put_ours(struct table *t, const struct outcome *o, size_t row)
{
	for (unsigned c = 0; c < o->e->columns; c++) {
		int digits = o->e->column[c].our_digits;
		struct summary s;

		stats_summary(o->v[row][c], o->runs, &s);
		if (has_spread(o->e, 0, c)) {
			table_put(t, "%.*f", digits, s.mean);
			table_put(t, "%.*f", digits, s.stddev);
		}
		table_put(t, "%.*f", digits, s.median);
	}
	table_put(t, "%s", o->is[row]);
}

static void print_summaries(const struct outcome *o, FILE *f)
{
	const struct experiment *e = o->e;
	struct table *t = summary_heads(e);

	for (size_t r = 0; r < e->rows; r++) {
		table_row(t);
		table_put(t, "%s", e->row[r].name);
		for (unsigned p = 0; p < POSTS; p++)
			put_post(t, e, &e->row[r], p);
		put_ours(t, o, r);
	}
	table_print(t, f);
}

/* ---- a line a run, as in posts that show them all */

static void put_line(struct table *t, const struct outcome *o, size_t row, const char *label,
		     size_t run)
{
	const struct experiment *e = o->e;

	table_row(t);
	table_put(t, "%s", run ? "" : e->row[row].name);
	table_put(t, "%s", label);
	for (unsigned c = 0; c < e->columns; c++) {
		const struct figures *f = &e->row[row].post[0][c];

		if (has_column(e, 0, c) && run < f->n)
			table_put(t, "%.*f", e->column[c].digits, f->v[run]);
		else if (has_column(e, 0, c))
			table_put(t, "%s", "");
	}
	for (unsigned c = 0; c < e->columns; c++) {
		if (e->column[c].counted)
			continue;
		if (run < o->runs)
			table_put(t, "%.*f", e->column[c].our_digits, o->v[row][c][run]);
		else
			table_put(t, "%s", "");
	}
}

static void put_sum(struct table *t, const struct outcome *o, size_t row, const char *label,
		    double quantile)
{
	const struct experiment *e = o->e;

	table_row(t);
	table_put(t, "%s", "");
	table_put(t, "%s", label);
	for (unsigned c = 0; c < e->columns; c++) {
		const struct figures *f = &e->row[row].post[0][c];

		if (has_column(e, 0, c) && f->n)
			table_put(t, "%.*f", e->column[c].digits,
				  stats_quantile(f->v, f->n, quantile));
		else if (has_column(e, 0, c))
			table_put(t, "%s", "");
	}
	for (unsigned c = 0; c < e->columns; c++)
		if (!e->column[c].counted)
			table_put(t, "%.*f", e->column[c].our_digits,
				  stats_quantile(o->v[row][c], o->runs, quantile));
}

/* What ours counts, and no post does: medians. */
static void print_counts(const struct outcome *o, FILE *f)
{
	const struct experiment *e = o->e;
	struct table *t = table_new("", NULL);
	bool any = false;

	for (unsigned c = 0; c < e->columns; c++)
		if (e->column[c].counted) {
			head(t, "%s>", e->column[c].name);
			any = true;
		}
	for (size_t r = 0; r < e->rows && any; r++) {
		table_row(t);
		table_put(t, "%s", e->row[r].name);
		for (unsigned c = 0; c < e->columns; c++)
			if (e->column[c].counted)
				table_put(t, "%.*f", e->column[c].our_digits,
					  stats_quantile(o->v[r][c], o->runs, 0.5));
	}
	table_print(t, f);
	if (any)
		putc('\n', f);
}

static void print_runs(const struct outcome *o, FILE *f)
{
	const struct experiment *e = o->e;
	struct table *t = table_new("", "run", NULL);

	table_group(t, e->post[0].who);
	for (unsigned c = 0; c < e->columns; c++)
		if (has_column(e, 0, c))
			head(t, "%s>", e->column[c].name);
	table_group(t, "ours");
	for (unsigned c = 0; c < e->columns; c++)
		if (!e->column[c].counted)
			head(t, "%s>", our_name(&e->column[c]));
	for (size_t r = 0; r < e->rows; r++) {
		size_t runs = o->runs > e->row[r].post[0][0].n ? o->runs : e->row[r].post[0][0].n;
		char label[24];

		for (size_t i = 0; i < runs; i++) {
			snprintf(label, sizeof(label), "%zu", i + 1);
			put_line(t, o, r, label, i);
		}
		put_sum(t, o, r, "median", 0.5);
		put_sum(t, o, r, "lowest", 0);
	}
	table_print(t, f);
}

/* ---- effects */

static void put_ratio(struct table *t, bool given, bool spread, const struct ratio *r)
{
	if (!given) {
		table_put(t, "%s", "");
		table_put(t, "%s", "");
		return;
	}
	table_put(t, "%.3f", r->ratio);
	if (spread)
		table_put(t, "[%.3f, %.3f]", r->lo, r->hi);
	else
		table_put(t, "%s", "");
}

/* The number of the effect's note among those that differ; 0: it has none. */
static unsigned note_number(const struct experiment *e, size_t effect)
{
	unsigned n = 0;

	for (size_t i = 0; i <= effect; i++) {
		bool is_new = e->effect[i].note;

		for (size_t j = 0; j < i && is_new; j++)
			is_new = e->effect[j].note != e->effect[i].note;
		n += is_new;
		if (e->effect[i].note && e->effect[i].note == e->effect[effect].note)
			return n;
	}
	return 0;
}

static void print_notes(const struct experiment *e, FILE *f)
{
	unsigned told = 0;

	for (size_t i = 0; i < e->effects; i++) {
		unsigned n = note_number(e, i);

		if (n > told)
			fprintf(f, "(%u) %s\n", told = n, e->effect[i].note);
	}
}

static void print_effects(const struct outcome *o, unsigned long seed, FILE *f)
{
	const struct experiment *e = o->e;
	struct table *t = table_new("effect, as a ratio", "of", NULL);

	for (unsigned p = 0; p < POSTS; p++) {
		head(t, "%s>", e->post[p].who ? e->post[p].who : "");
		head(t, "95 %%>");
	}
	head(t, "ours>");
	head(t, "95 %%>");
	for (unsigned p = 0; p < POSTS; p++)
		head(t, "to %s", e->post[p].who ? e->post[p].who : "");
	head(t, "note");
	for (size_t i = 0; i < e->effects; i++) {
		struct compared c;

		effect_compare(o, &e->effect[i], seed, &c);
		table_row(t);
		table_put(t, "%s", e->effect[i].name);
		table_put(t, "%s", e->column[e->effect[i].column].name);
		for (unsigned p = 0; p < POSTS; p++)
			put_ratio(t, c.given[p], c.spread[p], &c.post[p]);
		put_ratio(t, true, true, &c.ours);
		for (unsigned p = 0; p < POSTS; p++)
			table_put(t, "%s", verdict_name(c.verdict[p]));
		if (note_number(e, i))
			table_put(t, "(%u)", note_number(e, i));
	}
	fputs("\nAbove 1 is more. Ours shows the direction of the post's: same, none or other. A "
	      "direction is a 95 % interval that\nleaves out 1; where two rows are compared, the "
	      "Mann-Whitney test must see it too at 5 %, which it cannot with three runs.\n",
	      f);
	table_print(t, f);
	print_notes(e, f);
}

void outcome_table(const struct outcome *o, unsigned long seed, FILE *f)
{
	const struct experiment *e = o->e;

	fprintf(f, "%s %s\n", e->name, e->title);
	for (unsigned p = 0; p < POSTS && e->post[p].who; p++)
		fprintf(f, "%s: %s; %s\n", e->post[p].who, e->post[p].source, e->post[p].machine);
	fprintf(f, "Ours: %s\n", e->ours);
	fprintf(f, "%u run%s a row, each a fresh process", o->runs, o->runs == 1 ? "" : "s");
	if (o->loops)
		fprintf(f, " of %llu loop%s", (unsigned long long)o->loops,
			o->loops == 1 ? "" : "s");
	if (e->loops_in_all)
		fprintf(f, ", seconds scaled to %u", e->loops);
	fputs(", interleaved, each placed anew in memory (code stays where the linker put "
	      "it).\n",
	      f);
	if (e->artefact)
		fprintf(f, "%s\n", e->artefact);
	putc('\n', f);
	print_counts(o, f);
	(e->by_run ? print_runs : print_summaries)(o, f);
	print_effects(o, seed, f);
	parts_print(o, f);
}
