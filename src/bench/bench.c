// SPDX-License-Identifier: LGPL-2.1-or-later
/* bench.c - systems for the axes, and the interleaved runs of the cells */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

#include "bench/output.h"
#include "bench/progress.h"
#include "bench/reference.h"
#include "dcs/store.h"

static void *need(void *p)
{
	if (!p)
		fail(EXIT_LACKS, "out of memory");
	return p;
}

/* Two outputs to one place would leave the later one only. */
static void check_apart(const char *a, const char *to_a, const char *b, const char *to_b)
{
	if (to_a && to_b && !strcmp(to_a, to_b))
		fail(EXIT_USAGE, "--%s and --%s both go to %s: give each its own", a, b,
		     strcmp(to_a, "-") ? to_a : "standard output");
}

void bench_open(struct bench *b)
{
	const struct options *o = b->opt;

	check_apart("json", o->json, "csv", o->csv);
	check_apart("json", o->json, "plot", o->plot);
	check_apart("csv", o->csv, "plot", o->plot);
	output_check("json", o->json);
	output_check("csv", o->csv);
	output_check("plot", o->plot);
	if (o->plot)
		plot_check("--plot");
}

void bench_close(struct bench *b)
{
	for (size_t i = 0; i < b->n_cells; i++) {
		free(b->cell[i]->sample);
		free(b->cell[i]);
	}
	for (size_t i = 0; i < b->n_suts; i++)
		sut_free(b->sut[i]);
	free(b->cell);
	free(b->sut);
	b->cell = NULL;
	b->sut = NULL;
	b->n_cells = b->n_suts = 0;
	if (b->tree)
		tree_free(b->tree);
	b->tree = NULL;
}

struct tree *bench_tree(struct bench *b)
{
	char why[DCS_PATH_MAX + 256] = "";
	int err;

	if (b->tree)
		return b->tree;
	err = tree_open(b->opt->tree, &b->tree, why, sizeof(why));
	if (err)
		fail(err == -ENOMEM || err == -EIO ? EXIT_LACKS : EXIT_USAGE, "--tree %s: %s",
		     b->opt->tree, *why ? why : strerror(-err));
	if (*why && !b->opt->quiet)
		warn("--tree %s: %s", b->opt->tree, why);
	return b->tree;
}

struct sut *bench_keep(struct bench *b, struct sut *sut)
{
	b->sut = need(realloc(b->sut, (b->n_suts + 1) * sizeof(struct sut *)));
	return b->sut[b->n_suts++] = sut;
}

struct sut *bench_system(struct bench *b, const struct dcs_config *config, struct tree *tree)
{
	return bench_keep(b, sut_new(config, tree));
}

/* How many values an axis has; none given means one, the default. */
static size_t values(const struct opt_names *axis)
{
	return axis->n ? axis->n : 1;
}

/* Takes a digit off *@point: the axis's value at that point. */
static const char *coordinate(const struct opt_names *axis, size_t *point)
{
	size_t n = values(axis), i = *point % n;

	*point /= n;
	return axis->n ? axis->v[i] : NULL;
}

/* At least a bucket a name, within bounds: 128Ki for the built-in tree. */
static unsigned bits_for(const struct tree *tree)
{
	unsigned bits = SUT_TABLE_BITS;

	while (tree && bits < SUT_MOST_BITS && (size_t)1 << bits < tree->n)
		bits++;
	return bits;
}

unsigned buckets_bits(const struct options *o, const struct tree *tree)
{
	if (!o->buckets)
		return bits_for(tree);
	if (o->buckets == 1)
		fail(EXIT_USAGE, "--buckets: 1 is too few; right is 2 or more, or 0: by the tree");
	if (o->buckets & (o->buckets - 1))
		fail(EXIT_USAGE,
		     "--buckets: %llu is not a power of two; right is %llu or %llu, say",
		     (unsigned long long)o->buckets, 1ull << (63 - __builtin_clzll(o->buckets)),
		     2ull << (63 - __builtin_clzll(o->buckets)));
	return (unsigned)__builtin_ctzll(o->buckets);
}

/* The choices of --lock that are for a role: an axis of its own. */
static struct opt_names locks_for(const struct options *o, int role)
{
	const char *name = dcs_list("lock-roles")[role].name;
	struct opt_names axis = {0};

	for (size_t i = 0; i < o->lock.n; i++)
		if (!strncmp(o->lock.v[i], name, strlen(name)) && o->lock.v[i][strlen(name)] == '=')
			axis.v[axis.n++] = o->lock.v[i] + strlen(name) + 1;
	return axis;
}

static void open_store(const struct options *o, const char *store, struct dcs_config *c)
{
	int err = 0;

	if (!strcmp(store, "dir")) {
		if (strncmp(o->tree, "dir:", 4) != 0)
			fail(EXIT_USAGE, "--store dir serves --tree dir:PATH, and --tree is %s",
			     o->tree);
		err = dcs_store_dir(c, o->tree + 4, 0);
	} else if (!strcmp(store, "memory")) {
		err = dcs_store_memory(c);
	}
	if (err)
		fail(EXIT_LACKS, "--store %s: %s", store, strerror(-err));
}

/* The configuration at a point of the axes, --final varying fastest and --kernel slowest. */
static struct dcs_config config_at(const struct options *o, const struct tree *tree, size_t point)
{
	const char *final = coordinate(&o->final, &point);
	struct dcs_config c = {
		.final = final && !strcmp(final, "none") ? DCS_FINAL_NONE : DCS_FINAL_REF,
		.table_bits = buckets_bits(o, tree),
		.limit = o->limit,
		.negative_limit = o->negative_limit,
		.store_latency = o->store_latency,
		.placement = o->placement,
	};
	const char *store = coordinate(&o->store, &point);

	c.atime = coordinate(&o->atime, &point);
	c.negatives = coordinate(&o->negatives, &point);
	c.refcount = coordinate(&o->refcount, &point);
	c.compare = coordinate(&o->compare, &point);
	c.objects = coordinate(&o->objects, &point);
	for (int role = 0; role < DCS_LOCK_ROLES; role++) {
		struct opt_names axis = locks_for(o, role);

		c.lock[role] = coordinate(&axis, &point);
	}
	c.flavour = coordinate(&o->flavour, &point);
	c.hash = coordinate(&o->hash, &point);
	c.layout = coordinate(&o->layout, &point);
	c.walk = coordinate(&o->walk, &point);
	c.kernel = coordinate(&o->kernel, &point);
	open_store(o, store, &c);
	return c;
}

static size_t count_points(const struct options *o)
{
	const struct opt_names *const axes[] = {
		&o->kernel, &o->walk,	   &o->layout,	 &o->hash,    &o->flavour, &o->final,
		&o->store,  &o->negatives, &o->refcount, &o->compare, &o->objects, &o->atime,
	};
	size_t points = 1;

	for (size_t i = 0; i < sizeof(axes) / sizeof(axes[0]); i++)
		points *= values(axes[i]);
	for (int role = 0; role < DCS_LOCK_ROLES; role++) {
		struct opt_names axis = locks_for(o, role);

		points *= values(&axis);
	}
	return points;
}

void bench_systems(struct bench *b, struct tree *tree)
{
	const struct options *o = b->opt;

	for (size_t i = 0; i < count_points(o); i++) {
		struct dcs_config config = config_at(o, tree, i);

		bench_system(b, &config, tree);
	}
	for (int kind = SUT_LSTAT; o->reference && kind <= SUT_CHASE; kind++) {
		struct dcs_config first = config_at(o, tree, 0);

		bench_keep(b, reference_new((enum sut_kind)kind, &first, tree));
	}
}

struct cell *bench_cell(struct bench *b, struct sut *sut, unsigned threads)
{
	struct cell *cell = need(calloc(1, sizeof(*cell)));

	b->cell = need(realloc(b->cell, (b->n_cells + 1) * sizeof(struct cell *)));
	b->cell[b->n_cells++] = cell;
	cell->bench = b;
	cell->sut = sut;
	cell->threads = threads;
	cell->sample = need(calloc(b->opt->runs, sizeof(*cell->sample)));
	return cell;
}

unsigned bench_measure_name(struct bench *b, const char *name, const char *unit)
{
	if (b->n_measures == BENCH_MEASURES)
		abort();
	b->measure[b->n_measures] = (struct measure){name, unit};
	return b->n_measures++;
}

void bench_figure(struct cell *cell, const char *name, double value)
{
	if (cell->n_figures == BENCH_FIGURES)
		abort();
	cell->figure[cell->n_figures++] = (struct figure){name, value};
}

struct crew bench_crew(struct cell *cell, unsigned n_workers, struct worker *worker)
{
	const struct options *o = cell->bench->opt;

	return (struct crew){
		.sut = cell->sut,
		.threads = cell->threads,
		.n_workers = n_workers,
		.worker = worker,
		.switch_every = o->switch_every,
		.placement = o->placement,
		.os_threads = o->os_threads,
		.duration = o->duration,
	};
}

static void run_cell(struct cell *cell, struct sample *s, size_t round)
{
	const struct bench *b = cell->bench;
	char label[256];
	int err = cell->run(cell, s);

	cell_label(b, cell, true, label, sizeof(label));
	if (err)
		fail(EXIT_LACKS, "%s: %s: the run failed: %s", b->workload->name, label,
		     strerror(-err));
	if (s->wrong)
		fail(EXIT_WRONG, "%s: %s: %llu of %llu answers were wrong", b->workload->name,
		     label, (unsigned long long)s->wrong, (unsigned long long)s->ops);
	if (!s->ops || !(s->value > 0))
		fail(EXIT_WRONG, "%s: %s: the run measured nothing", b->workload->name, label);
	if (b->opt->verbose)
		fprintf(stderr, "round %zu: %s: %.4g %s, %.4g s, %.4g s of processor time\n",
			round + 1, label, s->value, cell->unit ? cell->unit : "ns/path", s->wall,
			s->cpu);
}

static struct cell *base_of(const struct bench *b, struct cell *cell)
{
	const char *variant = cell->variant ? cell->variant : "";

	if (cell->base)
		return cell->base;
	for (size_t i = 0; i < b->n_cells; i++) {
		struct cell *c = b->cell[i];

		if (c->threads == cell->threads && !strcmp(c->variant ? c->variant : "", variant))
			return c;
	}
	return cell;
}

static double *values_of(const struct cell *cell)
{
	size_t runs = cell->bench->opt->runs;
	double *v = need(malloc(runs * sizeof(*v)));

	for (size_t i = 0; i < runs; i++)
		v[i] = cell->sample[i].value;
	return v;
}

void bench_compare(const struct cell *to, const struct cell *cell, struct ratio *ratio)
{
	const struct options *o = cell->bench->opt;
	double *a = values_of(to), *b = values_of(cell);

	stats_ratio(a, o->runs, b, o->runs, o->seed, ratio);
	free(b);
	free(a);
}

static void sum_up(struct bench *b)
{
	for (size_t i = 0; i < b->n_cells; i++) {
		struct cell *cell = b->cell[i];
		double *v = values_of(cell);

		stats_summary(v, b->opt->runs, &cell->summary);
		free(v);
		cell->base = base_of(b, cell);
		bench_compare(cell->base, cell, &cell->ratio);
	}
}

void bench_measure(struct bench *b)
{
	const struct options *o = b->opt;
	uint32_t *order = need(malloc((b->n_cells + 1) * sizeof(*order)));
	struct rng rng = rng_new(o->seed, 0x6f72646572);
	char label[256], head[64] = "";
	struct progress p;

	for (size_t i = 0; i < b->n_cells; i++)
		order[i] = (uint32_t)i;
	progress_begin(&p, o, (o->warmup + o->runs) * b->n_cells);
	if (b->suite) {
		p.before = b->suite->before;
		p.share = b->suite->share;
		p.begin = b->suite->begin;
		snprintf(head, sizeof(head), "part %u of %u, %s ", b->suite->part, b->suite->parts,
			 b->workload->name);
	}
	for (size_t round = 0; round < o->warmup + o->runs; round++) {
		rng_shuffle(&rng, order, b->n_cells);
		for (size_t i = 0; i < b->n_cells; i++, p.done++) {
			struct cell *cell = b->cell[order[i]];
			struct sample warm,
				*s = round < o->warmup ? &warm : &cell->sample[round - o->warmup];

			cell_label(b, cell, false, label, sizeof(label));
			progress_show(&p, head, label);
			run_cell(cell, s, round);
		}
	}
	progress_end(&p);
	free(order);
	sum_up(b);
}

/* What few runs have: questions to a store, whose time is in no other figure; yields. */
static void print_notes(const struct bench *b)
{
	double runs = (double)b->opt->runs;

	for (size_t i = 0; i < b->n_cells; i++) {
		const struct cell *cell = b->cell[i];
		uint64_t asks = 0, ns = 0, yields = 0;
		char label[256];

		for (size_t r = 0; r < b->opt->runs; r++) {
			asks += cell->sample[r].counters.store_asks;
			ns += cell->sample[r].counters.store_ns;
			yields += cell->sample[r].counters.yields;
		}
		cell_label(b, cell, false, label, sizeof(label));
		if (asks)
			printf("%s: %.0f questions to the store a run, %.3g s of simulated time\n",
			       label, (double)asks / runs, (double)ns / runs / 1e9);
		if (yields)
			printf("%s: %.0f yields a run by waiters\n", label, (double)yields / runs);
	}
}

/* Of each cache, since it was made: what giving memory back took. */
static void print_reclamation(const struct bench *b)
{
	for (size_t i = 0; i < b->n_suts; i++) {
		struct dcs_census c;
		char label[256];

		if (b->sut[i]->kind != SUT_CACHE)
			continue;
		sut_census(b->sut[i], &c);
		if (!c.peak_pending) /* nothing was changed */
			continue;
		sut_label(b, b->sut[i], false, label, sizeof(label));
		printf("%s: reclamation: ", label);
		if (c.grace_periods)
			printf("grace periods of %.3g ms in the mean, the longest %.3g ms; ",
			       (double)c.grace_ns / (double)c.grace_periods / 1e6,
			       (double)c.grace_longest_ns / 1e6);
		printf("at most %llu objects waited", (unsigned long long)c.peak_pending);
		if (c.backlog_waits)
			printf(", threads %llu times for them, %.3g s together",
			       (unsigned long long)c.backlog_waits,
			       (double)c.backlog_wait_ns / 1e9);
		printf("; %.3g s of processor time, for all caches of %s\n",
		       (double)c.reclaim_ns / 1e9, b->sut[i]->flavour);
	}
}

void bench_report(struct bench *b)
{
	if (b->suite) {
		output_add(b->suite->output, b);
		b->suite->learn(b, b->suite->own);
	} else {
		struct output *output = output_new();

		output_add(output, b);
		output_files(output, b);
		if (b->opt->csv)
			report_csv(b, b->opt->csv);
	}
	if (b->suite ? b->suite->prints : bench_prints(b)) {
		(b->table ? b->table : bench_table)(b);
		print_notes(b);
		if (b->opt->verbose)
			print_reclamation(b);
	}
}

bool bench_prints(const struct bench *b)
{
	const struct options *o = b->opt;

	return (!o->json || strcmp(o->json, "-") != 0) && (!o->csv || strcmp(o->csv, "-") != 0) &&
	       (!o->plot || strcmp(o->plot, "-") != 0);
}

int bench_finish(struct bench *b)
{
	bench_measure(b);
	bench_report(b);
	return 0;
}

double bench_median(const struct cell *cell, double (*get)(const struct sample *, void *),
		    void *arg)
{
	size_t runs = cell->bench->opt->runs;
	double *v = need(malloc(runs * sizeof(*v))), median;

	for (size_t i = 0; i < runs; i++)
		v[i] = get(&cell->sample[i], arg);
	median = stats_quantile(v, runs, 0.5);
	free(v);
	return median;
}

static double get_measure(const struct sample *s, void *arg)
{
	return s->measure[*(unsigned *)arg];
}

double bench_median_measure(const struct cell *cell, unsigned measure)
{
	return bench_median(cell, get_measure, &measure);
}
