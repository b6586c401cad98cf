// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * gitdiff.c - what `git diff` asks of a tree in which nothing has changed
 *
 * For each file of the index, in index order: an lstat of each leading directory
 * that is new to the thread (git looks for symbolic links in the path and remembers
 * the last directory), then an lstat of the file. With core.preloadIndex, workers that
 * share the working directory do this for contiguous slices, and a serial pass
 * follows that skips what they found fresh. Piggin and Axboe compared kernels by it
 * in October 2009 ("store-free path walking").
 *
 * One pass is one `git diff`; its threads start anew, as git's do, and the time of
 * making them is not counted.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "bench/bench.h"

struct gitdiff {
	const char *preload;
	uint64_t workers, min_entries;
};

static const struct dcs_name preloads[] = {
	{"true", "parallel workers, then the serial pass"},
	{"false", "the serial pass only"},
	{"both", "one after the other"},
	{NULL, NULL},
};

static const struct opt options[] = {
	{"preload-index", 0, OPT_NAME, OPT_AT(struct gitdiff, preload), .arg = "WHEN",
	 .def = "both", .choices = preloads, .help = "as git's core.preloadIndex"},
	{"workers", 0, OPT_NUMBER, OPT_AT(struct gitdiff, workers), .arg = "N", .def = "20",
	 .min = 1, .max = 1024, .help = "most workers of a parallel diff"},
	{"min-entries", 0, OPT_NUMBER, OPT_AT(struct gitdiff, min_entries), .arg = "N",
	 .def = "500", .min = 1, .max = 1e9, .help = "fewest files a worker"},
	{.name = NULL},
};

/* A worker's slice. */
struct slice {
	struct plan *plan;
	uint32_t *file; /* the step's number in the index, NOT_A_FILE for a directory */
	uint8_t *fresh; /* of the whole index: which files were found unchanged */
};

#define NOT_A_FILE UINT32_MAX

struct diff { /* what a cell runs */
	unsigned n;
	struct worker *worker;
	struct slice *slice;
	struct dcs_task *main;
	uint8_t *fresh;
	size_t n_files;
	uint64_t stats; /* lstats a pass */
};

static unsigned USER, WALK, ELAPSED, CPU; /* measures */

static void *need(void *p)
{
	if (!p)
		fail(EXIT_LACKS, "out of memory");
	return p;
}

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* turn_plan() that also marks files fresh. */
static bool turn(struct worker *w, uint64_t n)
{
	const struct slice *slice = w->own;
	const struct step *step = slice->plan->step;
	size_t at = w->at, end = slice->plan->n - at < n ? slice->plan->n : at + n;

	for (; at < end; at++) {
		bool right = sut_ask(w->stat, w->task, step[at].path, w->flags) == step[at].want;

		w->wrong += !right;
		if (slice->file[at] != NOT_A_FILE)
			slice->fresh[slice->file[at]] = right;
	}
	w->ops += end - w->at;
	w->at = end;
	return end < slice->plan->n;
}

/* The serial pass over the index: how many files were not found fresh. */
static uint64_t stale(const struct diff *d)
{
	uint64_t n = 0;

	for (size_t i = 0; i < d->n_files; i++)
		n += !d->fresh[i];
	return n;
}

/* One `git diff`, and the same over the null engine; adds both up. */
static int diff_once(struct cell *cell, struct sample *sum)
{
	struct diff *d = cell->own;
	struct crew crew = bench_crew(cell, d->n, d->worker);
	double user, wall, cpu;
	struct sample s;
	int err;

	crew.turn = turn;
	memset(d->fresh, 0, d->n_files);
	err = crew_user(&crew, &user);
	if (!err)
		err = crew_run(&crew, &s);
	if (err)
		return err;
	wall = seconds(CLOCK_MONOTONIC);
	cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
	s.wrong += stale(d);
	cpu = seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
	wall = seconds(CLOCK_MONOTONIC) - wall;
	/* As many walks as were asked for, and the cache has seen each. */
	s.wrong += s.ops != d->stats;
	s.wrong += cell->sut->kind == SUT_CACHE && s.counters.walks != s.ops;
	sum->wall += s.wall + wall;
	sum->cpu += s.cpu + cpu;
	sum->ops += s.ops;
	sum->wrong += s.wrong;
	sum->measure[USER] += user + cpu;
	for (size_t i = 0; i < sizeof(s.counters) / sizeof(uint64_t); i++)
		((uint64_t *)&sum->counters)[i] += ((uint64_t *)&s.counters)[i];
	return 0;
}

static int run(struct cell *cell, struct sample *sum)
{
	unsigned busy = cell->threads < ((struct diff *)cell->own)->n
				? cell->threads
				: ((struct diff *)cell->own)->n;
	int err = 0;

	*sum = (struct sample){0};
	for (uint64_t i = 0; i < cell->bench->opt->loops && !err; i++)
		err = diff_once(cell, sum);
	if (err)
		return err;
	sum->value = sum->ops ? sum->wall * 1e9 * busy / (double)sum->ops : 0;
	sum->measure[WALK] = sum->cpu - sum->measure[USER];
	sum->measure[ELAPSED] = sum->wall;
	sum->measure[CPU] = sum->wall > 0 ? 100 * sum->cpu / sum->wall : 0;
	return 0;
}

static int compare_path(const void *path, const void *entry)
{
	return strcmp(path, ((const struct tree_entry *)entry)->path);
}

/* The directories of @path that are not the first @known bytes of it or above them. */
static size_t plan_directories(struct slice *s, const struct tree *tree, const char *path,
			       size_t known, size_t at)
{
	char dir[DCS_PATH_MAX];

	for (const char *end = strchr(path + known, '/'); end; end = strchr(end + 1, '/')) {
		const struct tree_entry *e;

		memcpy(dir, path, (size_t)(end - path));
		dir[end - path] = '\0';
		e = bsearch(dir, tree->entry, tree->n, sizeof(*e), compare_path);
		if (!e)
			fail(EXIT_WRONG, "--tree %s: %s has no entry of its own", tree->spec, dir);
		plan_entry(s->plan, (size_t)(e - tree->entry));
		s->file[at++] = NOT_A_FILE;
	}
	return at;
}

/* How many bytes of the directory of @last, with its slash, begin @path too, by components. */
static size_t common_directory(const char *last, const char *path)
{
	size_t common = 0;

	for (size_t i = 0; last[i] && last[i] == path[i]; i++)
		if (last[i] == '/')
			common = i + 1;
	return common;
}

/* Plans files @from to @to of the index, which holds numbers of entries. */
static void plan_slice(struct slice *s, struct sut *sut, const uint32_t *index, size_t from,
		       size_t to)
{
	const struct tree *tree = sut->tree;
	const char *last = "";
	size_t at = 0;

	s->plan = plan_new(sut);
	s->file = need(malloc((tree->n + 1) * sizeof(*s->file)));
	for (size_t i = from; i < to; i++) {
		const char *path = tree->entry[index[i]].path;

		at = plan_directories(s, tree, path, common_directory(last, path), at);
		plan_entry(s->plan, index[i]);
		s->file[at++] = (uint32_t)i;
		last = path;
	}
	plan_seal(s->plan);
}

static uint32_t *index_of(const struct tree *tree, size_t *n)
{
	uint32_t *index = need(malloc((tree->n + 1) * sizeof(*index)));

	*n = 0;
	for (size_t i = 0; i < tree->n; i++)
		if (!S_ISDIR(tree->entry[i].mode))
			index[(*n)++] = (uint32_t)i;
	return index;
}

static void add_worker(struct diff *d, struct sut *sut, const uint32_t *index, size_t from,
		       size_t to)
{
	struct worker *w = &d->worker[d->n];
	struct slice *s = &d->slice[d->n++];

	*s = (struct slice){.fresh = d->fresh};
	plan_slice(s, sut, index, from, to);
	d->stats += s->plan->n;
	w->own = s;
	w->stat = sut->stat;
	w->flags = DCS_NOFOLLOW | DCS_PADDED;
	if (sut_task(sut, d->main, DCS_SHARE_FS, &w->task))
		fail(EXIT_LACKS, "cannot make a task");
}

static struct diff *diff_new(struct sut *sut, const uint32_t *index, size_t n, unsigned workers)
{
	struct diff *d = need(calloc(1, sizeof(*d)));
	size_t each = (n + workers - 1) / workers;

	d->worker = crew_workers(workers);
	d->slice = need(calloc(workers, sizeof(*d->slice)));
	d->fresh = need(calloc(n, 1));
	d->n_files = n;
	if (sut_task(sut, NULL, 0, &d->main))
		fail(EXIT_LACKS, "cannot make a task");
	for (size_t from = 0; from < n; from += each)
		add_worker(d, sut, index, from, from + each < n ? from + each : n);
	return d;
}

static void diff_free(struct sut *sut, struct diff *d)
{
	for (unsigned i = 0; i < d->n; i++) {
		sut_task_free(sut, d->worker[i].task);
		plan_free(d->slice[i].plan);
		free(d->slice[i].file);
	}
	sut_task_free(sut, d->main);
	free(d->worker);
	free(d->slice);
	free(d->fresh);
	free(d);
}

/* The columns of the post: user, system (here the walk), elapsed, CPU; then what came later. */
static void print(struct bench *b)
{
	struct table *t = table_new("walk and index", "threads>", "user s>", "walk s>",
				    "elapsed s>", "CPU>", "ns/path>", "95 % interval>",
				    "mean ± sd>", "M/s>", "real>", "user>", "walk>", NULL);
	char label[256];

	for (size_t i = 0; i < b->n_cells; i++) {
		const struct cell *c = b->cell[i];
		const struct summary *s = &c->summary;

		cell_label(b, c, false, label, sizeof(label));
		*strrchr(label, ',') = '\0'; /* threads have a column */
		table_row(t);
		table_put(t, "%s", label);
		table_put(t, "%u", c->threads);
		table_put(t, "%.4f", bench_median_measure(c, USER));
		table_put(t, "%.4f", bench_median_measure(c, WALK));
		table_put(t, "%.4f", bench_median_measure(c, ELAPSED));
		table_put(t, "%.0f%%", bench_median_measure(c, CPU));
		table_put(t, "%.1f", s->median);
		table_put(t, "[%.1f, %.1f]", s->lo, s->hi);
		table_put(t, "%.1f ± %.1f", s->mean, s->stddev);
		table_put(t, "%.2f",
			  1e-6 * (double)c->sample[0].ops / bench_median_measure(c, ELAPSED));
		bench_put_measure_ratio(t, c, ELAPSED);
		bench_put_measure_ratio(t, c, USER);
		bench_put_measure_ratio(t, c, WALK);
	}
	printf("git diff, %llu times a run, %llu runs, medians; `walk` is what the posts call "
	       "system; "
	       "ratios are to the first row, ~ is no difference at 5 %%\n",
	       (unsigned long long)b->opt->loops, (unsigned long long)b->opt->runs);
	table_print(t, stdout);
}

static void add_cell(struct bench *b, struct sut *sut, struct diff *d, const char *variant,
		     unsigned threads)
{
	struct cell *cell = bench_cell(b, sut, threads);

	cell->variant = variant;
	cell->run = run;
	cell->own = d;
	cell->base = b->cell[0];
	bench_figure(cell, "workers", d->n);
	bench_figure(cell, "lstats", (double)d->stats);
}

static int gitdiff_main(struct bench *b, void *own)
{
	const struct gitdiff *g = own;
	struct tree *tree = bench_tree(b);
	bool serial = strcmp(g->preload, "true") != 0, parallel = strcmp(g->preload, "false") != 0;
	size_t n;
	uint32_t *index = index_of(tree, &n);
	uint64_t workers = n / g->min_entries < g->workers ? n / g->min_entries : g->workers;
	struct diff **diff;
	size_t made = 0;
	int status;

	if (!n)
		fail(EXIT_USAGE, "--tree %s: holds no file; git's index would be empty",
		     tree->spec);
	USER = bench_measure_name(b, "user", "s");
	WALK = bench_measure_name(b, "walk", "s");
	ELAPSED = bench_measure_name(b, "elapsed", "s");
	CPU = bench_measure_name(b, "cpu", "%");
	bench_systems(b, tree);
	diff = need(calloc(2 * b->n_suts, sizeof(struct diff *)));
	for (size_t i = 0; i < b->n_suts; i++) {
		if (serial) {
			diff[made] = diff_new(b->sut[i], index, n, 1);
			add_cell(b, b->sut[i], diff[made++], "serial", 1);
		}
		if (!parallel)
			continue;
		diff[made] = diff_new(b->sut[i], index, n, workers ? (unsigned)workers : 1);
		for (size_t t = 0; t < b->opt->threads.n; t++)
			add_cell(b, b->sut[i], diff[made], "parallel",
				 (unsigned)b->opt->threads.v[t]);
		made++;
	}
	b->table = print;
	status = bench_finish(b);
	for (size_t i = 0; i < made; i++)
		diff_free(b->sut[i / (made / b->n_suts)], diff[i]);
	free(diff);
	free(index);
	return status;
}

const struct workload workload_gitdiff = {
	.name = "gitdiff",
	.summary = "git diff of an unchanged tree: lstat of every file, serial and parallel",
	.about = "Asks what git asks: for each file in index order an lstat, before it one of each "
		 "leading directory that is new to the thread. Parallel as git's preload is: "
		 "contiguous slices, workers that share the working directory, then a serial pass "
		 "that skips what was found fresh.",
	.options = options,
	.size = sizeof(struct gitdiff),
	.defaults = (const char *const[]){"walk=ref-walk,rcu-walk", "threads=all", "loops=5", NULL},
	.without = (const char *const[]){"duration", NULL},
	.main = gitdiff_main,
};
