/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* statstorm - as many lstats as parallel threads can do: options, names, report */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fxmark.h"
#include "names.h"
#include "storm.h"

static const struct dcs_name scopes[] = {
	[SCOPE_PRIVATE] = {"private", "a slice of the names for each thread"},
	[SCOPE_RANDOM] = {"random", "all names, each thread in an order of its own"},
	[SCOPE_SHARED] = {"shared", "all names, all threads in one order"},
	{NULL, NULL},
};

static const struct dcs_name orders[] = {
	[ORDER_INORDER] = {"inorder", "as in git's index"},
	[ORDER_SHUFFLED] = {"shuffled", "a permutation"},
	[ORDER_ZIPF] = {"zipf", "drawn, few names often"},
	{NULL, NULL},
};

static const struct dcs_name tests[] = {
	[FXMARK_MRPL] = {"MRPL", "each thread its own path"},
	[FXMARK_MRPM] = {"MRPM", "any path of an 8^5 tree"},
	[FXMARK_MRPH] = {"MRPH", "one path for all"},
	{NULL, NULL},
};

static const struct dcs_name cwds[] = {
	{"own", "each task its own, as processes have"},
	{"shared", "one for all, as threads have"},
	{NULL, NULL},
};

static const struct dcs_name places[] = {
	{"elsewhere", "in directories that no reader walks"},
	{"path", "of directories on the readers' paths"},
	{NULL, NULL},
};

#define AT(member) OPT_AT(struct storm, member)

static const struct opt options[] = {
	{"scope", 's', OPT_NAMES, AT(scope), .arg = "S,...", .def = "random", .choices = scopes,
	 .help = "names that a thread walks"},
	{"order", 'o', OPT_NAMES, AT(order), .arg = "O,...", .def = "inorder", .choices = orders,
	 .help = "order of the names"},
	{"zipf", 0, OPT_REAL, AT(zipf), .arg = "S", .def = "1", .min = 0.01, .max = 10,
	 .help = "exponent of --order zipf"},
	{"names", 'n', OPT_NUMBER, AT(names), .arg = "N", .def = "0", .min = 0, .max = 0x1p24,
	 .help = "walk no more than N names of the tree, picked at random; 0: all"},
	{"misses", 'm', OPT_NUMBER, AT(misses), .arg = "PERCENT", .def = "0", .min = 0, .max = 100,
	 .help = "share of names that are not there, in directories that are"},
	{"fxmark", 0, OPT_NAMES, AT(fxmark), .arg = "TEST,...", .choices = tests,
	 .help = "FxMark's path resolution tests, in place of --tree, --scope and --order"},
	{"cwd", 0, OPT_NAME, AT(cwd), .arg = "C", .def = "own", .choices = cwds,
	 .help = "working directory of the readers"},
	{"writers", 'w', OPT_NUMBER, AT(writers), .arg = "N", .def = "0", .min = 0,
	 .max = STORM_WRITERS, .help = "threads beside the readers that rename"},
	{"rename-rate", 0, OPT_REAL, AT(rename_rate), .arg = "R", .def = "10000", .min = 0.1,
	 .max = 1e7, .help = "renames a second, of all writers together"},
	{"rename-where", 0, OPT_NAME, AT(rename_where), .arg = "W", .def = "elsewhere",
	 .choices = places, .help = "what is renamed"},
	{"rename-dirs", 0, OPT_NUMBER, AT(rename_dirs), .arg = "N", .def = "16", .min = 1,
	 .max = 65536, .help = "with --rename-where path: how many directories, fullest first"},
	{"sample", 0, OPT_NUMBER, AT(sample), .arg = "N", .def = "64", .min = 0, .max = 1e6,
	 .help = "latencies: time one call in N, in a run of its own; 0: no such run"},
	{.name = NULL},
};

/* The rate of @cell to that of one thread doing the same. */
static void measure_scaling(const struct bench *b, struct cell *cell)
{
	struct storm_cell *own = cell->own;

	for (size_t i = 0; i < b->n_cells; i++) {
		const struct cell *one = b->cell[i];
		const struct storm_cell *o = one->own;

		if (one->sut != cell->sut || o->pool != own->pool || one->threads != 1)
			continue;
		own->scaling = cell->threads * one->summary.median / cell->summary.median;
		bench_figure(cell, "scaling", own->scaling);
		return;
	}
}

/* ---- the report */

static void put_unless_zero(struct table *t, int digits, double value)
{
	if (value > 0)
		table_put(t, "%.*f", digits, value);
	else
		table_put(t, "%s", "");
}

static void put_row(struct table *t, const struct bench *b, const struct cell *cell)
{
	const struct storm_cell *own = cell->own;

	table_row(t);
	table_put(t, "%s", own->pool->variant);
	table_put(t, "%zu", own->pool->n);
	table_put(t, "%u", cell->threads);
	bench_put_axes(t, b, cell->sut, true);
	table_put(t, "%.3f", cell->threads * 1e3 / cell->summary.median);
	bench_put_median(t, cell, 1);
	put_unless_zero(t, 2, cell->threads > 1 ? own->scaling : 0);
	table_put(t, "%.3f", bench_median_measure(cell, storm_least));
	table_put(t, "%.3f", bench_median_measure(cell, storm_most));
	put_unless_zero(t, 0, own->latency.p50);
	put_unless_zero(t, 0, own->latency.p90);
	put_unless_zero(t, 0, own->latency.p99);
	put_unless_zero(t, 0, bench_median_measure(cell, storm_renames));
	put_unless_zero(t, 2, bench_median_measure(cell, storm_moved));
}

static void print_table(struct bench *b)
{
	struct table *t = table_new("walked", "names>", "threads>", "kernel", "walk", "layout",
				    "hash", "flavour", "final", "with", "Mops/s>", "ns/path>",
				    "95 %>", "ratio>", "scaling>", "least>", "most>", "p50>",
				    "p90>", "p99>", "renames/s>", "moved %>", NULL);

	printf("lstat over names of %s. ns/path: a path and thread; ratio: of it to the first "
	       "walk's, ~ no difference;\nscaling: of Mops/s to one thread's; least, most: Mops/s "
	       "of a thread; p50 to p99: ns of single calls, from runs of their own.\n%s",
	       b->tree->spec,
	       ((const struct storm *)b->own)->writers
		       ? "renames: made; moved: answers by a name that an exchange had moved.\n"
		       : "");
	for (size_t i = 0; i < b->n_cells; i++)
		put_row(t, b, b->cell[i]);
	table_print(t, stdout);
}

/* ---- set up */

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Keeps @keep of the pool's names, picked at random, in index order. */
static void thin(struct pool *pool, size_t keep, uint64_t seed)
{
	struct rng rng = rng_new(seed + 2, 0);

	if (!keep || keep >= pool->n)
		return;
	rng_shuffle(&rng, pool->name, pool->n);
	qsort(pool->name, keep, sizeof(*pool->name), by_number);
	pool->n = keep;
}

static unsigned most_threads(const struct bench *b)
{
	uint64_t most = 0;

	for (size_t i = 0; i < b->opt->threads.n; i++)
		if (b->opt->threads.v[i] > most)
			most = b->opt->threads.v[i];
	return (unsigned)most;
}

static void pool_finish(struct pool *pool, const struct bench *b, const struct storm *storm)
{
	unsigned most = most_threads(b);
	long dirs;

	if (pool->scope == SCOPE_PRIVATE && pool->n < most)
		fail(EXIT_USAGE,
		     "statstorm: --scope private: %zu names are too few for %u threads: "
		     "give at most %zu --threads",
		     pool->n, most, pool->n);
	if (!storm->writers || strcmp(storm->rename_where, "path") != 0)
		return;
	pool->dir = storm_allocate(storm->rename_dirs, sizeof(*pool->dir));
	dirs = names_hot_dirs(b->tree, pool->name, pool->n, storm->rename_dirs, pool->dir);
	storm_check(dirs < 0 ? (int)dirs : 0, "cannot choose directories to rename");
	if (!dirs)
		fail(EXIT_USAGE, "statstorm: --rename-where path: no directory on the paths holds "
				 "files only: give --rename-where elsewhere or another tree");
	pool->n_dirs = (size_t)dirs;
}

static struct pool *pool_of_tree(const struct bench *b, const struct storm *storm, enum scope scope,
				 enum order order)
{
	struct pool *pool = storm_allocate(1, sizeof(*pool));

	pool->scope = scope;
	pool->order = order;
	pool->name = storm_allocate(b->tree->n, sizeof(*pool->name));
	pool->n = b->tree->n;
	for (uint32_t i = 0; i < pool->n; i++)
		pool->name[i] = i;
	thin(pool, storm->names, b->opt->seed);
	if (asprintf(&pool->variant, "%s %s", scopes[scope].name, orders[order].name) < 0)
		storm_check(-ENOMEM, "variant");
	pool_finish(pool, b, storm);
	return pool;
}

static struct pool *pool_of_test(const struct bench *b, const struct storm *storm, enum fxmark test)
{
	static const struct pool shapes[] = {
		[FXMARK_MRPL] = {.scope = SCOPE_PRIVATE, .order = ORDER_INORDER, .one_each = true},
		[FXMARK_MRPM] = {.scope = SCOPE_RANDOM, .order = ORDER_SHUFFLED},
		[FXMARK_MRPH] = {.scope = SCOPE_SHARED, .order = ORDER_INORDER},
	};
	struct pool *pool = storm_allocate(1, sizeof(*pool));

	*pool = shapes[test];
	pool->variant = strdup(tests[test].name);
	pool->name = storm_allocate(b->tree->n, sizeof(*pool->name));
	for (uint32_t i = 0; i < b->tree->n; i++)
		if (fxmark_asks(test, &b->tree->entry[i]))
			pool->name[pool->n++] = i;
	pool_finish(pool, b, storm);
	return pool;
}

static unsigned choice_of(const struct dcs_name *choices, const char *name)
{
	unsigned i = 0;

	while (strcmp(choices[i].name, name) != 0)
		i++;
	return i;
}

/* All pools; returns how many. */
static size_t make_pools(const struct bench *b, const struct storm *storm, struct pool **pool)
{
	size_t n = 0;

	for (size_t i = 0; i < storm->fxmark.n; i++)
		pool[n++] = pool_of_test(b, storm, choice_of(tests, storm->fxmark.v[i]));
	if (n)
		return n;
	for (size_t i = 0; i < storm->scope.n; i++)
		for (size_t j = 0; j < storm->order.n; j++)
			pool[n++] = pool_of_tree(b, storm, choice_of(scopes, storm->scope.v[i]),
						 choice_of(orders, storm->order.v[j]));
	return n;
}

static struct tree *fxmark_tree(const struct bench *b, const struct storm *storm)
{
	struct made made = {0};
	struct tree *tree;

	for (size_t i = 0; i < storm->fxmark.n; i++)
		fxmark_add(&made, choice_of(tests, storm->fxmark.v[i]), most_threads(b));
	storm_check(made_tree(&made, "FxMark", &tree), "cannot make FxMark's names");
	return tree;
}

/* Writers share the directories out: two that exchange one undo each other. */
static int path_writer(struct storm_cell *own, struct sut *sut, unsigned id, double rate)
{
	const struct pool *pool = own->pool;
	uint32_t *dir = storm_allocate(pool->n_dirs, sizeof(*dir));
	size_t n = 0;
	int err;

	for (size_t i = id % pool->n_dirs; i < pool->n_dirs; i += own->n_writers)
		dir[n++] = pool->dir[i];
	err = writer_path(&own->writer[id], sut, dir, n, own->twin, rate);
	free(dir);
	return err;
}

static void add_writers(struct cell *cell, const struct storm *storm)
{
	static unsigned made; /* each has a directory of its own */
	struct storm_cell *own = cell->own;
	double rate = storm->rename_rate / (double)storm->writers;
	struct sut *sut = cell->sut;

	own->writer = storm_allocate(storm->writers, sizeof(*own->writer));
	own->n_writers = (unsigned)storm->writers;
	storm_check(dcs_thread_register(sut->cache), "cannot register a thread");
	for (unsigned i = 0; i < own->n_writers; i++)
		storm_check(own->twin ? path_writer(own, sut, i, rate)
				      : writer_elsewhere(&own->writer[i], sut, made++, rate),
			    "cannot set up a writer");
	dcs_thread_unregister(sut->cache);
}

static void add_cell(struct bench *b, const struct storm *storm, const struct pool *pool,
		     struct sut *sut, unsigned threads, uint64_t *twin)
{
	struct cell *cell = bench_cell(b, sut, threads);
	struct storm_cell *own = storm_allocate(1, sizeof(*own));

	own->storm = storm;
	own->pool = pool;
	own->twin = twin;
	cell->run = storm_run;
	cell->own = own;
	cell->variant = pool->variant;
	if (sut_is_reference(sut))
		cell->base = cell;
	else if (storm->writers)
		add_writers(cell, storm);
}

/* Answers that are right as well, where readers' directories are exchanged; else NULL. */
static uint64_t *twins_of(const struct storm *storm, const struct sut *sut)
{
	uint64_t *twin;

	if (!storm->writers || strcmp(storm->rename_where, "path") != 0 || sut_is_reference(sut))
		return NULL;
	twin = storm_allocate(sut->tree->n, sizeof(*twin));
	memcpy(twin, sut->ino, sut->tree->n * sizeof(*twin));
	return twin;
}

static void pool_free(struct pool *pool)
{
	free(pool->variant);
	free(pool->name);
	free(pool->dir);
	free(pool);
}

static int statstorm(struct bench *b, void *options_of)
{
	const struct storm *storm = options_of;
	struct pool *pool[OPT_LIST_MAX] = {NULL};
	uint64_t **twin;
	size_t n_pools;

	if (storm->fxmark.n)
		b->tree = fxmark_tree(b, storm);
	bench_systems(b, bench_tree(b));
	storm_measures(b);
	n_pools = make_pools(b, storm, pool);
	twin = storm_allocate(b->n_suts, sizeof(*twin));
	for (size_t s = 0; s < b->n_suts; s++)
		twin[s] = twins_of(storm, b->sut[s]);
	for (size_t p = 0; p < n_pools; p++)
		for (size_t t = 0; t < b->opt->threads.n; t++)
			for (size_t s = 0; s < b->n_suts; s++)
				add_cell(b, storm, pool[p], b->sut[s],
					 (unsigned)b->opt->threads.v[t], twin[s]);
	bench_measure(b);
	for (size_t i = 0; i < b->n_cells; i++) {
		measure_scaling(b, b->cell[i]);
		if (storm->sample)
			storm_latency(b->cell[i]);
	}
	b->table = print_table;
	bench_report(b);
	for (size_t i = 0; i < b->n_cells; i++)
		storm_free(b->cell[i]);
	for (size_t i = 0; i < n_pools; i++)
		pool_free(pool[i]);
	for (size_t i = 0; i < b->n_suts; i++)
		free(twin[i]);
	free(twin);
	return 0;
}

static const char *const defaults[] = {"duration=0.2", NULL};

const struct workload workload_statstorm = {
	.name = "statstorm",
	.summary = "as many lstats as parallel threads can do",
	.about = "Each thread has a task of its own and walks its names over and over, for "
		 "--duration. Every answer is checked. Renames of --writers are paced: a writer "
		 "sleeps between them. With --rename-where path, directories are exchanged with "
		 "twins that hold the same names, so that each path always leads to one of two "
		 "files. Reference rows have no writers beside them.\n\n"
		 "FxMark's tests are by C. Min et al., USENIX ATC 2016; theirs open and close the "
		 "file, here it is lstat, the path resolution alone.",
	.options = options,
	.size = sizeof(struct storm),
	.defaults = defaults,
	.main = statstorm,
};
