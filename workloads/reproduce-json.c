// SPDX-License-Identifier: LGPL-2.1-or-later
/* reproduce-json.c - an outcome for programs: the posts' figures, ours, the effects of both */
#include <math.h>

#include "reproduce.h"

static json_t *number(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

static json_t *ratio_json(const struct ratio *r, bool spread)
{
	return json_pack("{s:o, s:[o, o], s:o}", "ratio", number(r->ratio), "ci95",
			 number(spread ? r->lo : NAN), number(spread ? r->hi : NAN), "p",
			 number(r->p));
}

static json_t *figures_json(const struct figures *f)
{
	json_t *runs = json_array();

	for (unsigned i = 0; f->v && i < f->n; i++)
		json_array_append_new(runs, number(f->v[i]));
	if (f->v)
		return json_pack("{s:o}", "runs", runs);
	json_decref(runs);
	return json_pack("{s:i, s:o, s:o}", "n", f->n, "mean", number(f->mean), "stddev",
			 number(f->sd > 0 ? f->sd : NAN));
}

static json_t *ours_json(const struct outcome *o, size_t row, unsigned column)
{
	json_t *runs = json_array();
	struct summary s;

	for (unsigned i = 0; i < o->runs; i++)
		json_array_append_new(runs, number(o->v[row][column][i]));
	stats_summary(o->v[row][column], o->runs, &s);
	return json_pack("{s:o, s:o, s:[o, o], s:o, s:o}", "runs", runs, "median", number(s.median),
			 "ci95", number(s.lo), number(s.hi), "mean", number(s.mean), "stddev",
			 number(s.stddev));
}

static json_t *row_json(const struct outcome *o, size_t row)
{
	const struct experiment *e = o->e;
	json_t *j = json_object();

	for (unsigned c = 0; c < e->columns; c++) {
		json_t *column = json_pack("{s:s, s:o}", "unit", e->column[c].unit, "ours",
					   ours_json(o, row, c));

		for (unsigned p = 0; p < POSTS; p++)
			if (e->row[row].post[p][c].n)
				json_object_set_new(column, e->post[p].who,
						    figures_json(&e->row[row].post[p][c]));
		json_object_set_new(j, e->column[c].name, column);
	}
	return json_pack("{s:s, s:s, s:o}", "row", e->row[row].name, "ours_is", o->is[row],
			 "columns", j);
}

static json_t *effect_json(const struct outcome *o, const struct effect *effect, unsigned long seed)
{
	const struct experiment *e = o->e;
	struct compared c;
	json_t *j;

	effect_compare(o, effect, seed, &c);
	j = json_pack("{s:s, s:s, s:o}", "effect", effect->name, "of",
		      e->column[effect->column].name, "ours", ratio_json(&c.ours, true));
	for (unsigned p = 0; p < POSTS; p++) {
		json_t *post;

		if (!c.given[p])
			continue;
		post = ratio_json(&c.post[p], c.spread[p]);
		json_object_set_new(post, "ours_shows", json_string(verdict_name(c.verdict[p])));
		json_object_set_new(j, e->post[p].who, post);
	}
	if (effect->note)
		json_object_set_new(j, "note", json_string(effect->note));
	return j;
}

json_t *outcome_json(const struct outcome *o, unsigned long seed)
{
	const struct experiment *e = o->e;
	json_t *rows = json_array(), *effects = json_array(), *posts = json_array();

	for (unsigned p = 0; p < POSTS && e->post[p].who; p++)
		json_array_append_new(posts,
				      json_pack("{s:s, s:s, s:s}", "who", e->post[p].who, "source",
						e->post[p].source, "machine", e->post[p].machine));
	for (size_t r = 0; r < e->rows; r++)
		json_array_append_new(rows, row_json(o, r));
	for (size_t i = 0; i < e->effects; i++)
		json_array_append_new(effects, effect_json(o, &e->effect[i], seed));
	return json_pack("{s:s, s:s, s:o, s:s, s:i, s:I, s:o, s:o}", "experiment", e->name, "title",
			 e->title, "posts", posts, "ours", e->ours, "runs", (int)o->runs, "loops",
			 (json_int_t)o->loops, "rows", rows, "effects", effects);
}
