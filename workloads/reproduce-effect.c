// SPDX-License-Identifier: LGPL-2.1-or-later
/* reproduce-effect.c - effects of a post and of ours, and whether they go the same way */
#include <math.h>
#include <string.h>

#include "reproduce.h"

/* By rule: the interval leaves out 1, and the rank test, where there is one, sees it too. */
enum direction direction_of(const struct ratio *r)
{
	if (!r->differ)
		return NO_DIFFERENCE;
	return r->lo > 1 ? MORE : r->hi < 1 ? LESS : NO_DIFFERENCE;
}

enum verdict verdict_of(bool given, const struct ratio *post, const struct ratio *ours,
			unsigned runs)
{
	enum direction theirs, own;

	if (!given)
		return NOT_GIVEN;
	if (runs < EFFECT_LEAST)
		return TOO_FEW;
	theirs = direction_of(post);
	own = direction_of(ours);
	if (own == theirs)
		return SAME;
	if (own == NO_DIFFERENCE)
		return NONE;
	return theirs == NO_DIFFERENCE ? OURS_ALONE : OTHER;
}

const char *verdict_name(enum verdict v)
{
	static const char *const names[] = {
		[NOT_GIVEN] = "", [TOO_FEW] = "too few runs", [SAME] = "same",
		[NONE] = "none",  [OTHER] = "other",	      [OURS_ALONE] = "ours alone",
	};

	return names[v];
}

/* With three runs a side no rank test can see a difference: the interval decides alone. */
static void without_ranks(struct ratio *r, unsigned runs)
{
	if (runs < RANK_LEAST)
		r->differ = r->lo > 1 || r->hi < 1;
}

static size_t terms_of(const struct effect *effect)
{
	size_t k = 0;

	while (k < TERMS && effect->term[k].power != 0)
		k++;
	return k;
}

/* The 97.5 % quantile of Student's t: Cornish-Fisher's expansion, right to 1 % from 4 on. */
static double student(double df)
{
	double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z;

	return z + (z3 + z) / (4 * df) + (5 * z5 + 16 * z3 + 3 * z) / (96 * df * df);
}

/* Of means whose deviations are known: the logarithm's, by Welch. */
static void spread_of_means(const struct figures *const *f, const struct term *term, size_t k,
			    struct ratio *r)
{
	double variance = 0, by_df = 0, width;

	for (size_t i = 0; i < k; i++) {
		double part = term[i].power * f[i]->sd / f[i]->mean;

		part *= part / f[i]->n;
		variance += part;
		by_df += part * part / (f[i]->n - 1);
	}
	width = student(variance * variance / by_df) * sqrt(variance);
	r->lo = r->ratio * exp(-width);
	r->hi = r->ratio * exp(width);
	r->differ = r->lo > 1 || r->hi < 1;
}

bool effect_of_post(const struct experiment *e, const struct effect *effect, unsigned post,
		    struct ratio *r, bool *spread)
{
	const struct figures *f[TERMS];
	struct stats_factor factor[TERMS] = {0};
	size_t k = terms_of(effect);
	bool runs = true, means = true;
	unsigned fewest = RANK_LEAST;

	*r = (struct ratio){.ratio = 1, .p = NAN};
	for (size_t i = 0; i < k; i++) {
		f[i] = &e->row[effect->term[i].row].post[post][effect->column];
		if (!f[i]->n)
			return false;
		runs = runs && f[i]->v;
		fewest = f[i]->n < fewest ? f[i]->n : fewest;
		means = means && !f[i]->v && f[i]->sd > 0;
		factor[i] = (struct stats_factor){f[i]->v, f[i]->n, effect->term[i].power};
		if (!f[i]->v)
			r->ratio *= pow(f[i]->mean, effect->term[i].power);
	}
	*spread = runs || means;
	if (runs) {
		stats_product(factor, k, 1, r);
		without_ranks(r, fewest);
	} else if (means) {
		spread_of_means(f, effect->term, k, r);
	} else {
		r->lo = r->hi = r->ratio;
		r->differ = r->ratio != 1;
	}
	return true;
}

void effect_compare(const struct outcome *o, const struct effect *effect, unsigned long seed,
		    struct compared *c)
{
	struct stats_factor factor[TERMS] = {0};
	size_t k = terms_of(effect);

	memset(c, 0, sizeof(*c));
	for (size_t i = 0; i < k; i++)
		factor[i] = (struct stats_factor){o->v[effect->term[i].row][effect->column],
						  o->runs, effect->term[i].power};
	stats_product(factor, k, seed, &c->ours);
	without_ranks(&c->ours, o->runs);
	for (unsigned p = 0; p < POSTS; p++) {
		c->given[p] = effect_of_post(o->e, effect, p, &c->post[p], &c->spread[p]);
		c->verdict[p] = verdict_of(c->given[p], &c->post[p], &c->ours, o->runs);
	}
}

void figures_sum(const struct figures *f, struct summary *s)
{
	if (f->v) {
		stats_summary(f->v, f->n, s);
		return;
	}
	*s = (struct summary){.n = f->n, .median = f->mean, .mean = f->mean, .stddev = f->sd};
	if (f->sd > 0) {
		double width = student(f->n - 1) * f->sd / sqrt(f->n);

		s->lo = f->mean - width;
		s->hi = f->mean + width;
	} else {
		s->lo = s->hi = NAN;
	}
}
