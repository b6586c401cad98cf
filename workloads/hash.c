/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * hash - the laboratory of name hashes: cost alone, chains, cost in a walk
 *
 * Input is every (parent, name) of a tree, as pairs.h makes them.
 *
 * Alone: each name to its bucket, in the order of the tree, strings in that order.
 *	throughput	names do not wait for each other
 *	latency		a parent depends on the bucket before, as in a walk, where
 *			it comes out of the lookup of the component before; the
 *			name does not, for the path lies there. So a hash whose
 *			parent enters in the bucket only is mostly hidden.
 * Chains: as src/bench/chains.h says; a miss asks each name of a directory, half a
 * tree away, that lacks it.
 * In a walk: a stat of each path in order, each hash in a cache of its own and all
 * through the same switch.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/chains.h"
#include "hash/list.h"
#include "pairs.h"

#define P_TELLS 1e-3 /* below this, chains are said not to be random */

/* One chosen hash. */
struct subject {
	const struct pairs *pairs;
	const struct kind *kind;
	unsigned bits;
	struct sut sut; /* stands for it in reports; no cache behind it */
	struct chains chains;
	double miss; /* dentries looked at before a miss is known; random: the load */
	uint64_t checksum;
	struct cell *throughput, *latency;
};

/* ---- the timed loops, compiled for each hash */

static inline uint64_t checksum_of(uint32_t bucket, uint32_t len)
{
	return bucket + ((uint64_t)len << 32);
}

struct kind {
	const char *name;
	unsigned flags;
	turn_fn *throughput, *latency;
	uint32_t (*bucket)(const char *name, uint32_t len, uint64_t parent, unsigned bits);
};

/*
 * A turn is a whole pass: one worker alternates with none. `nothing` is 0, but no
 * compiler knows. Flattened, and so with direct calls in a macro: what a
 * compiler finds long is inlined too, and all hashes are called alike.
 */
#define TURN(N, HOW, DEPENDENT)                                                       \
	static __attribute__((flatten)) bool N##_##HOW(struct worker *w, uint64_t n)  \
	{                                                                             \
		const struct subject *s = w->own;                                     \
		const struct pair *p = s->pairs->pair, *end = p + s->pairs->n;        \
		uint64_t sum = 0, nothing = 0;                                        \
		uint32_t at = 0, len;                                                 \
                                                                                      \
		(void)n;                                                              \
		__asm__("" : "+r"(nothing));                                          \
		for (; p < end; p++) {                                                \
			uint64_t parent = p->parent + (DEPENDENT ? at & nothing : 0); \
                                                                                      \
			at = N##_component(p->name, &len, parent, hash_default_key);  \
			at = N##_bucket(at, parent, s->bits);                         \
			sum += checksum_of(at, len);                                  \
		}                                                                     \
		w->ops += s->pairs->n;                                                \
		w->wrong += sum != s->checksum;                                       \
		return ++w->pass < w->loops;                                          \
	}

#define KIND_FUNCTIONS(N, NAME, WHAT)                                                             \
	TURN(N, throughput, false)                                                                \
	TURN(N, latency, true)                                                                    \
	static uint32_t N##_place(const char *name, uint32_t len, uint64_t parent, unsigned bits) \
	{                                                                                         \
		return N##_bucket(N##_hash(name, len, parent, hash_default_key), parent, bits);   \
	}
DCS_HASHES(KIND_FUNCTIONS)

static const struct kind kinds[] = {
#define KIND(N, NAME, WHAT) {NAME, N##_flags, N##_throughput, N##_latency, N##_place},
	DCS_HASHES(KIND)};

/* ---- chains */

static void judge_chains(struct subject *s)
{
	const struct pairs *pairs = s->pairs;
	size_t buckets = (size_t)1 << s->bits, misses = 0, seen = 0;
	uint32_t *length = allocate(buckets, sizeof(*length));

	for (size_t i = 0; i < pairs->n; i++) {
		const struct pair *p = &pairs->pair[i];
		uint32_t at = s->kind->bucket(p->name, p->len, p->parent, s->bits);

		length[at]++;
		s->checksum += checksum_of(at, p->len);
	}
	chains_compare(length, buckets, &s->chains);
	for (size_t i = 0; i < pairs->n; i++) {
		const struct pair *p = &pairs->pair[i];

		if (p->elsewhere == PAIRS_NONE)
			continue;
		seen += length[s->kind->bucket(p->name, p->len, pairs->pair[p->elsewhere].parent,
					       s->bits)];
		misses++;
	}
	s->miss = misses ? (double)seen / (double)misses : NAN;
	free(length);
}

static void verdict(const struct subject *s, char *text, size_t size)
{
	const struct chains *c = &s->chains;
	const char *keyed = s->kind->flags & HASH_KEYED ? ", keyed" : "";

	if (s->kind->flags & HASH_FLOOR)
		snprintf(text, size, "floor: what measuring costs, no hash");
	else if (c->p < P_TELLS)
		snprintf(text, size, "chains: %s than random (p=%.1g)%s",
			 c->hit > c->random_hit ? "longer" : "shorter", c->p, keyed);
	else if (c->p_longest < P_TELLS)
		snprintf(text, size, "chains: one of %u, random has %u (p=%.1g)%s", c->longest,
			 c->random_longest, c->p_longest, keyed);
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
		{"keyed", s->kind->flags & HASH_KEYED ? 1 : 0},
		{"floor", s->kind->flags & HASH_FLOOR ? 1 : 0},
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
	struct worker *w = crew_workers(1);
	struct crew crew = bench_crew(cell, 1, w);
	int err;

	w->own = s;
	w->loops = cell->bench->opt->loops;
	crew.turn = cell == s->latency ? s->kind->latency : s->kind->throughput;
	err = crew_run(&crew, sample);
	free(w);
	return err;
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

static struct experiment { /* what the table shows: its hook is given the bench alone */
	struct pairs *pairs;
	size_t n;
	struct subject *subject;
	size_t n_plans;
	struct plan **plan;
} experiment;

static struct subject *subject_of(const char *hash)
{
	for (size_t i = 0; i < experiment.n; i++)
		if (!strcmp(experiment.subject[i].kind->name, hash))
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
	char text[96];

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

static void print_table(struct bench *b)
{
	struct table *t = table_new("hash", "walk", "layout", "flavour", "final", "ns/path>",
				    "95 %>", "ratio>", "ns/name>", "latency>", "chi2 p>",
				    "longest>", "hit>", "miss>", "verdict", NULL);
	const struct chains *c = &experiment.subject[0].chains;
	size_t n;
	struct row *row = collect_rows(b, &n);

	printf("%zu names in %zu directories, 2^%u buckets. Random hashing: longest chain %u, "
	       "dentries looked at %.3f a hit, %.3f a miss.\n",
	       experiment.pairs->n, experiment.pairs->n_dirs, experiment.subject[0].bits,
	       c->random_longest, c->random_hit, c->load);
	for (size_t i = 0; i < n; i++) {
		table_row(t);
		table_put(t, "%s", row[i].subject ? row[i].subject->kind->name : "");
		put_axes(t, b->opt, row[i].walk ? row[i].walk->sut : NULL);
		put_walk(t, row[i].walk);
		put_subject(t, row[i].subject);
	}
	table_print(t, stdout);
	free(row);
}

/* ---- set up */

static struct cell *alone_cell(struct bench *b, struct subject *s, const char *variant)
{
	struct cell *cell = bench_cell(b, &s->sut, 1);

	cell->variant = variant;
	cell->unit = "ns/name";
	cell->run = run_alone;
	cell->own = s;
	add_figures(s, cell);
	return cell;
}

static void add_subject(struct bench *b, const struct kind *kind, const struct tree *tree)
{
	struct subject *s = &experiment.subject[experiment.n++];

	*s = (struct subject){
		.pairs = experiment.pairs,
		.kind = kind,
		.bits = buckets_bits(b->opt, tree),
		.sut = {.kind = SUT_HASH_ONLY,
			.walk = "hash-only",
			.layout = "",
			.hash = kind->name,
			.flavour = "",
			.final = "",
			.refcount = "",
			.negatives = "",
			.store = "",
			.tree = tree,
			.table_bits = buckets_bits(b->opt, tree),
			.dir = -1},
	};
	judge_chains(s);
	s->throughput = alone_cell(b, s, "throughput");
	s->latency = alone_cell(b, s, "latency");
}

static const struct kind *kind_of(const char *hash)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, hash))
			return &kinds[i];
	return NULL;
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

static void set_up(struct bench *b, struct options *opt, struct tree *tree)
{
	struct opt_names chosen = opt->hash;

	experiment.pairs = pairs_new(tree);
	experiment.subject = allocate(chosen.n, sizeof(*experiment.subject));
	opt->hash.n = 0;
	for (size_t i = 0; i < chosen.n; i++) {
		const struct kind *kind = kind_of(chosen.v[i]);

		add_subject(b, kind, tree);
		if (!(kind->flags & HASH_FLOOR))
			opt->hash.v[opt->hash.n++] = chosen.v[i];
	}
	if (!opt->hash.n) /* would mean the layout's own */
		return;
	bench_systems(b, tree);
	experiment.plan = allocate(b->n_suts, sizeof(struct plan *));
	for (size_t i = 0; i < b->n_suts; i++)
		add_walk(b, b->sut[i]);
}

static void tear_down(void)
{
	for (size_t i = 0; i < experiment.n_plans; i++)
		plan_free(experiment.plan[i]);
	free(experiment.plan);
	free(experiment.subject);
	pairs_free(experiment.pairs);
}

static int hash_main(struct bench *b, void *own)
{
	struct tree *tree = bench_tree(b);
	const struct options *given = b->opt;
	struct options opt = *given; /* less the hashes that no walk takes */
	int status;

	(void)own;
	if (!tree->n)
		fail(EXIT_USAGE, "--tree %s: there is no name in it to hash", opt.tree);
	b->opt = &opt;
	b->table = print_table;
	set_up(b, &opt, tree);
	status = bench_finish(b);
	b->opt = given;
	tear_down();
	return status;
}

const struct workload workload_hash = {
	.name = "hash",
	.summary = "compare name hashes: cost alone, chains against random ones, cost in a walk",
	.about =
		"Takes every (parent, name) of the tree. ns/name is the cost of a hash with names\n"
		"that do not wait for each other, latency with each parent known only after the\n"
		"bucket before. Chains are compared with those of random hashing; p is the chance\n"
		"that random chains look as bad. ns/path is a stat of each path through a cache\n"
		"with that hash. `null` hashes nothing and shows what measuring costs.",
	.defaults = (const char *const[]){"hash=all", "threads=1", "loops=2", NULL},
	.without = (const char *const[]){"threads", "duration", "switch", "os-threads", NULL},
	.main = hash_main,
};
