// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * reproduce-plot.c - panels of a post's figures and of ours, in gnuplot's language
 *
 * A panel a column, each row relative to the first, and one of the effects: of each a point
 * and the interval, the post's above ours.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/output.h"
#include "reproduce.h"

struct panels {
	FILE *f;
	size_t height;
	double least, most; /* on the axis of the panel that is drawn */
};

/* The data of one who is shown: a line a label, with nothing where there is no figure. */
static void begin_data(struct panels *p, unsigned who)
{
	fprintf(p->f, "$who%u << END_OF_DATA\n", who);
}

static void put_point(struct panels *p, size_t y, unsigned who, double x, double lo, double hi)
{
	if (!isfinite(lo) || !isfinite(hi))
		lo = hi = x;
	p->least = fmin(p->least, lo);
	p->most = fmax(p->most, hi);
	fprintf(p->f, "%g %.10g %.10g %.10g\n", (double)y + 0.18 * (double)who - 0.18, x, lo, hi);
}

static void end_data(struct panels *p)
{
	fputs("END_OF_DATA\n", p->f);
}

/* In quotes for gnuplot, where a quote ends them. */
static void put_text(FILE *f, const char *s)
{
	putc('\'', f);
	for (; *s; s++)
		fprintf(f, *s == '\'' ? "''" : "%c", *s);
	putc('\'', f);
}

static void put_tic(struct panels *p, const char *label, size_t y)
{
	fputs(y ? ", " : "set ytics noenhanced (", p->f);
	put_text(p->f, label);
	fprintf(p->f, " %zu", y);
}

/* Draws what begin_data() to end_data() gave of @posts posts and of ours. */
static void draw(struct panels *p, const struct experiment *e, const char *title, size_t lines)
{
	static const char *const colours[] = {"#b35806", "#e08214", "#2166ac"};
	size_t height = 110 + 34 * lines;
	const char *before = "plot ";

	p->height += height;
	fprintf(p->f, ")\ntop = top - %zu / total\n", height);
	fprintf(p->f, "set origin 0, top\nset size 1, %zu / total\nset title ", height);
	put_text(p->f, title);
	fprintf(p->f, " noenhanced\nset yrange [%zu.5:-0.5]\n", lines - 1);
	fputs(p->most / p->least > 3 ? "set logscale x\n" : "unset logscale\n", p->f);
	fputs("set format x '%g'\nset grid xtics\nset key outside right top\n"
	      "set arrow 1 from 1, graph 0 to 1, graph 1 nohead dashtype 2\n",
	      p->f);
	for (unsigned who = 0; who <= POSTS; who++) {
		const char *name = who < POSTS ? e->post[who].who : "ours";

		if (!name)
			continue;
		fprintf(p->f,
			"%s$who%u using 2:1:3:4 with xerrorbars linecolor '%s' pointtype %u "
			"pointsize 0.6 title '%s'",
			before, who, colours[who], who < POSTS ? 6 : 7, name);
		before = ", ";
	}
	putc('\n', p->f);
}

static void draw_column(struct panels *p, const struct outcome *o, unsigned column)
{
	const struct experiment *e = o->e;
	char title[256];

	p->least = p->most = 1;
	for (unsigned who = 0; who <= POSTS; who++) {
		double first = 0;

		begin_data(p, who);
		for (size_t r = 0; r < e->rows; r++) {
			struct summary s;

			if (who == POSTS)
				stats_summary(o->v[r][column], o->runs, &s);
			else if (e->row[r].post[who][column].n)
				figures_sum(&e->row[r].post[who][column], &s);
			else
				continue;
			first = first > 0 ? first : s.median;
			put_point(p, r, who, s.median / first, s.lo / first, s.hi / first);
		}
		end_data(p);
	}
	for (size_t r = 0; r < e->rows; r++)
		put_tic(p, e->row[r].name, r);
	snprintf(title, sizeof(title), "%s: %s, relative to the first row", e->name,
		 e->column[column].name);
	draw(p, e, title, e->rows);
}

static void draw_effects(struct panels *p, const struct outcome *o, unsigned long seed)
{
	const struct experiment *e = o->e;
	char label[160];

	p->least = p->most = 1;
	for (unsigned who = 0; who <= POSTS; who++) {
		begin_data(p, who);
		for (size_t i = 0; i < e->effects; i++) {
			struct compared c;

			effect_compare(o, &e->effect[i], seed, &c);
			if (who == POSTS)
				put_point(p, i, who, c.ours.ratio, c.ours.lo, c.ours.hi);
			else if (c.given[who])
				put_point(p, i, who, c.post[who].ratio, c.post[who].lo,
					  c.post[who].hi);
		}
		end_data(p);
	}
	for (size_t i = 0; i < e->effects; i++) {
		snprintf(label, sizeof(label), "%s: %s", e->effect[i].name,
			 e->column[e->effect[i].column].name);
		put_tic(p, label, i);
	}
	snprintf(label, sizeof(label), "%s: effects, as ratios", e->name);
	draw(p, e, label, e->effects);
}

char *outcome_plot(const struct outcome *o, unsigned long seed, size_t *size)
{
	struct panels p = {0};
	char *script, *svg;
	size_t script_size;

	p.f = open_memstream(&script, &script_size);
	if (!p.f)
		fail(EXIT_LACKS, "out of memory");
	for (unsigned c = 0; c < o->e->columns; c++)
		if (o->e->column[c].drawn)
			draw_column(&p, o, c);
	draw_effects(&p, o, seed);
	p.height += parts_draw(o, p.f);
	if (fclose(p.f))
		fail(EXIT_LACKS, "out of memory");
	svg = plot_draw(script, p.height, size);
	free(script);
	return svg;
}
