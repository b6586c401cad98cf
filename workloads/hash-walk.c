/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * hash-walk.c - each hash by itself and in a walk, and the verdict over it
 *
 * Input is every (parent, name) of a tree, as pairs.h makes them.
 *
 * Alone: each name to its bucket, in the order of the tree, strings in that order, by the
 * loops of hash-loops.c.
 * Chains: as src/bench/chains.h says; a miss asks each name of a directory, half a
 * tree away, that lacks it.
 * In a walk: a stat of each path in order, each hash in a cache of its own and all
 * called by pointer.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/chains.h"
#include "lab.h"

/* One chosen hash. */
struct subject {
	const struct hash_ops *hash;
	const struct lab_loops *loops;
	struct lab_names names;
	struct chains chains;
	double miss;	    /* dentries looked at before a miss is known; random: the load */
	char failures[160]; /* of other names; empty: none */
	struct cell *throughput, *latency;
};

/* ---- chains */

static void judge_chains(struct subject *s, const struct pairs *pairs)
{
	unsigned bits = s->names.bits;
	size_t buckets = (size_t)1 << bits, misses = 0, seen = 0;
	uint32_t *length = allocate(buckets, sizeof(*length));

	for (size_t i = 0; i < pairs->n; i++)
		length[lab_bucket(s->hash, &pairs->pair[i], bits)]++;
	chains_compare(length, buckets, &s->chains);
	for (size_t i = 0; i < pairs->n; i++) {
		struct pair p = pairs->pair[i];

		if (p.elsewhere == PAIRS_NONE)
			continue;
		p.parent = pairs->pair[p.elsewhere].parent;
		seen += length[lab_bucket(s->hash, &p, bits)];
		misses++;
	}
	s->miss = misses ? (double)seen / (double)misses : NAN;
	free(length);
}

static void verdict(const struct subject *s, char *text, size_t size)
{
	const struct chains *c = &s->chains;
	const char *keyed = s->hash->flags & HASH_KEYED ? ", keyed" : "";

	if (s->hash->flags & HASH_FLOOR)
		snprintf(text, size, "floor: what measuring costs, no hash");
	else if (c->p < LAB_P_TELLS)
		snprintf(text, size, "chains: %s than random (p=%.1g)%s",
			 c->hit > c->random_hit ? "longer" : "shorter", c->p, keyed);
	else if (c->p_longest < LAB_P_TELLS)
		snprintf(text, size, "chains: one of %u, random has %u (p=%.1g)%s", c->longest,
			 c->random_longest, c->p_longest, keyed);
	else if (*s->failures)
		snprintf(text, size, "%s%s", s->failures, keyed);
	else
		snprintf(text, size, "%s%s", isnan(c->p) ? "too few names to tell" : "good", keyed);
}

static void add_figures(const struct subject *s, struct cell *cell)
{
	const struct chains *c = &s->chains;
	const struct figure figures[] = {
		{"chisq", c->chisq},
		{"df", c->df},
		{"p_chains", c->p},
		{"longest", c->longest},
		{"random_longest", c->random_longest},
		{"p_longest", c->p_longest},
		{"hit", c->hit},
		{"random_hit", c->random_hit},
		{"miss", s->miss},
		{"random_miss", c->load},
		{"keyed", s->hash->flags & HASH_KEYED ? 1 : 0},
		{"floor", s->hash->flags & HASH_FLOOR ? 1 : 0},
	};

	_Static_assert(sizeof(figures) / sizeof(figures[0]) <= BENCH_FIGURES, "too many");
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		if (!isnan(figures[i].value)) /* JSON has none; absent is what it means */
			bench_figure(cell, figures[i].name, figures[i].value);
}

/* ---- runs */

static int run_alone(struct cell *cell, struct sample *sample)
{
	struct subject *s = cell->own;
	turn_fn *loop = cell == s->latency ? s->loops->latency : s->loops->throughput;

	return lab_run_loop(cell, &s->names, loop, cell->bench->opt->loops, sample);
}

static int run_walk(struct cell *cell, struct sample *sample)
{
	struct worker *w = crew_workers(1);
	struct crew crew = bench_crew(cell, 1, w);
	int err;

	w->task = cell->sut->root;
	w->stat = cell->sut->stat;
	w->plan = cell->own;
	w->loops = cell->bench->opt->loops;
	w->flags = DCS_NOFOLLOW | DCS_PADDED;
	err = crew_run(&crew, sample);
	free(w);
	return err;
}

/* ---- the report */

static struct experiment {
	size_t n;
	struct subject *subject;
	size_t n_plans;
	struct plan **plan;
} experiment;

static struct subject *subject_of(const char *hash)
{
	for (size_t i = 0; i < experiment.n; i++)
		if (!strcmp(experiment.subject[i].hash->name, hash))
			return &experiment.subject[i];
	return NULL;
}

struct row {
	const struct subject *subject; /* NULL: a reference row */
	const struct cell *walk;       /* NULL: a hash that no walk takes */
};

static int by_walk_time(const void *a, const void *b)
{
	const struct cell *x = ((const struct row *)a)->walk, *y = ((const struct row *)b)->walk;

	if (!x || !y)
		return !x - !y;
	return (x->summary.median > y->summary.median) - (x->summary.median < y->summary.median);
}

static bool has_row(const struct row *row, size_t n, const struct subject *s)
{
	for (size_t i = 0; i < n; i++)
		if (row[i].subject == s)
			return true;
	return false;
}

static struct row *collect_rows(const struct bench *b, size_t *n)
{
	size_t walks;
	struct row *row = allocate(b->n_cells + experiment.n, sizeof(*row));

	*n = 0;
	for (size_t i = 0; i < b->n_cells; i++)
		if (b->cell[i]->run == run_walk)
			row[(*n)++] =
				(struct row){.subject = sut_is_reference(b->cell[i]->sut)
								? NULL
								: subject_of(b->cell[i]->sut->hash),
					     .walk = b->cell[i]};
	walks = *n;
	for (size_t i = 0; i < experiment.n; i++)
		if (!has_row(row, walks, &experiment.subject[i]))
			row[(*n)++] = (struct row){.subject = &experiment.subject[i]};
	qsort(row, *n, sizeof(*row), by_walk_time);
	return row;
}

/* Axes other than the walk are shown where several points of them are compared. */
static void put_axes(struct table *t, const struct options *opt, const struct sut *sut)
{
	table_put(t, "%s", sut && opt->kernel.n > 1 ? sut->kernel : "");
	table_put(t, "%s", sut ? sut->walk : "");
	table_put(t, "%s", sut && opt->layout.n > 1 ? sut->layout : "");
	table_put(t, "%s", sut && opt->flavour.n > 1 ? sut->flavour : "");
	table_put(t, "%s", sut && opt->final.n > 1 ? sut->final : "");
}

static void put_walk(struct table *t, const struct cell *c)
{
	if (!c) {
		for (int i = 0; i < 3; i++)
			table_put(t, "%s", "");
		return;
	}
	bench_put_median(t, c, 1);
}

static void put_number(struct table *t, int digits, double x)
{
	if (isnan(x))
		table_put(t, "%s", "");
	else
		table_put(t, "%.*g", digits, x);
}

static void put_subject(struct table *t, const struct subject *s)
{
	char text[192];

	if (!s) {
		for (int i = 0; i < 7; i++)
			table_put(t, "%s", "");
		return;
	}
	verdict(s, text, sizeof(text));
	table_put(t, "%.1f", s->throughput->summary.median);
	table_put(t, "%.1f", s->latency->summary.median);
	put_number(t, 2, s->chains.p);
	table_put(t, "%u", s->chains.longest);
	put_number(t, 4, s->chains.hit);
	put_number(t, 4, s->miss);
	table_put(t, "%s", text);
}

static void walk_print(struct lab *lab)
{
	struct bench *b = lab->b;
	struct table *t = table_new("hash", "kernel", "walk", "layout", "flavour", "final",
				    "ns/path>", "95 %>", "ratio>", "ns/name>", "latency>",
				    "chi2 p>", "longest>", "hit>", "miss>", "verdict", NULL);
	const struct chains *c = &experiment.subject[0].chains;
	size_t n;
	struct row *row = collect_rows(b, &n);

	printf("%zu names in %zu directories, 2^%u buckets. Random hashing: longest chain %u, "
	       "dentries looked at %.3f a hit, %.3f a miss.\n",
	       lab->pairs->n, lab->pairs->n_dirs, lab->bits, c->random_longest, c->random_hit,
	       c->load);
	for (size_t i = 0; i < n; i++) {
		table_row(t);
		table_put(t, "%s", row[i].subject ? row[i].subject->hash->name : "");
		put_axes(t, b->opt, row[i].walk ? row[i].walk->sut : NULL);
		put_walk(t, row[i].walk);
		put_subject(t, row[i].subject);
	}
	table_print(t, stdout);
	free(row);
}

/* ---- set up */

static struct cell *alone_cell(struct lab *lab, struct subject *s, struct sut *sut,
			       const char *variant)
{
	struct cell *cell = bench_cell(lab->b, sut, 1);

	cell->variant = variant;
	cell->unit = "ns/name";
	cell->run = run_alone;
	cell->own = s;
	add_figures(s, cell);
	return cell;
}

static void add_subject(struct lab *lab, const struct hash_ops *hash)
{
	struct subject *s = &experiment.subject[experiment.n++];
	struct sut *sut = lab_stand_in(lab, hash);

	*s = (struct subject){
		.hash = hash,
		.loops = lab_loops_of(hash),
		.names = {.pair = lab->pairs->pair, .n = lab->pairs->n, .bits = lab->bits},
	};
	lab_check(&s->names, hash);
	judge_chains(s, lab->pairs);
	lab_failures(lab, hash, s->failures, sizeof(s->failures));
	s->throughput = alone_cell(lab, s, sut, "throughput");
	s->latency = alone_cell(lab, s, sut, "latency");
}

static struct plan *plan_in_order(struct sut *sut)
{
	struct plan *plan = plan_new(sut);

	for (size_t i = 0; i < sut->tree->n; i++)
		plan_entry(plan, i);
	plan_seal(plan);
	return plan;
}

/* The same as the subject's, if the cache's dentries lie as pairs.h has it: a release's do. */
static void add_census(struct cell *cell)
{
	struct dcs_cache *cache = cell->sut->cache;
	struct dcs_census census;

	if (dcs_thread_register(cache))
		fail(EXIT_LACKS, "a thread cannot be registered with a cache");
	dcs_census(cache, &census);
	dcs_thread_unregister(cache);
	bench_figure(cell, "cache_longest", (double)census.longest_chain);
}

static void add_walk(struct bench *b, struct sut *sut)
{
	struct cell *cell = bench_cell(b, sut, 1);

	cell->run = run_walk;
	cell->own = experiment.plan[experiment.n_plans++] = plan_in_order(sut);
	if (sut_is_reference(sut)) {
		cell->base = cell;
		return;
	}
	add_figures(subject_of(sut->hash), cell);
	add_census(cell);
}

/* A walk for each hash that a table can do with. */
static void walk_set_up(struct lab *lab)
{
	struct bench *b = lab->b;
	const struct options *given = b->opt;
	struct options opt = *given;
	size_t stand_ins;

	experiment.subject = allocate(lab->n, sizeof(*experiment.subject));
	opt.hash.n = 0;
	for (size_t i = 0; i < lab->n; i++) {
		add_subject(lab, lab->hash[i]);
		if (!(lab->hash[i]->flags & HASH_FLOOR))
			opt.hash.v[opt.hash.n++] = lab->hash[i]->name;
	}
	stand_ins = b->n_suts;
	if (!opt.hash.n) /* would mean the layout's own */
		return;
	b->opt = &opt;
	bench_systems(b, lab->tree);
	b->opt = given;
	experiment.plan = allocate(b->n_suts - stand_ins, sizeof(struct plan *));
	for (size_t i = stand_ins; i < b->n_suts; i++)
		add_walk(b, b->sut[i]);
}

static void walk_tear_down(void)
{
	for (size_t i = 0; i < experiment.n_plans; i++)
		plan_free(experiment.plan[i]);
	free(experiment.plan);
	free(experiment.subject);
	memset(&experiment, 0, sizeof(experiment));
}

const struct lab_part lab_walk = {
	.name = "walk",
	.set_up = walk_set_up,
	.print = walk_print,
	.tear_down = walk_tear_down,
};
