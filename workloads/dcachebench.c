/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * dcachebench - processes that exercise the cache below a base directory
 *
 * A replica of the interface and of the kind of load of the program of this name
 * (W. Hartner, IBM, 2004), whose source is lost: never a reproduction of it. What
 * is known: `-p N` workers behind a start barrier, `-b DIR`, hits for the most
 * part, microseconds an iteration. All else is an option with a stated default.
 *
 * In an iteration each worker does --ops operations, the same in each iteration.
 * A create is undone at once, so that the tree stays as it is.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/output.h"
#include "dcb.h"
#include "names.h"

static const struct dcs_name directories[] = {
	{"private", "each worker its own"},
	{"shared", "one for all"},
	{NULL, NULL},
};

static const struct dcs_name cwds[] = {
	{"root", "paths begin with the base directory"},
	{"base", "the base directory"},
	{"own", "the worker's directory"},
	{NULL, NULL},
};

static const struct dcs_name orders[] = {
	{"inorder", "index order"},
	{"shuffled", "each name as often as another"},
	{"random", "drawn"},
	{NULL, NULL},
};

static const struct dcs_name shapes[] = {
	{"numbered", "f0, d0"},
	{"long", "numbered, of 64 bytes"},
	{"tree", "those of --tree, numbered"},
	{NULL, NULL},
};

#define AT(member) OPT_AT(struct dcb, member)

static const struct opt options[] = {
	{"processes", 'p', OPT_NUMBER, AT(processes), .arg = "N", .def = "32", .min = 1,
	 .max = 4096, .help = "workers"},
	{"base", 'b', OPT_STRING, AT(base), .arg = "DIR", .def = "testdir",
	 .help = "directory that is made in the cache, beside --tree, and filled"},
	{"directories", 0, OPT_NAME, AT(directories), .arg = "D", .def = "private",
	 .choices = directories, .help = "directories that a worker's paths go through"},
	{"cwd", 0, OPT_NAME, AT(cwd), .arg = "C", .def = "root", .choices = cwds,
	 .help = "working directory of the workers"},
	{"depth", 0, OPT_NUMBER, AT(depth), .arg = "N", .def = "3", .min = 0, .max = 8,
	 .help = "levels of directories below a worker's directory, or the shared one"},
	{"dirs", 0, OPT_NUMBER, AT(dirs), .arg = "N", .def = "3", .min = 1, .max = 1000,
	 .help = "directories in each directory but the deepest"},
	{"files", 0, OPT_NUMBER, AT(files), .arg = "N", .def = "10", .min = 1, .max = 100000,
	 .help = "files in each directory"},
	{"names", 0, OPT_NAME, AT(names), .arg = "SHAPE", .def = "numbered", .choices = shapes,
	 .help = "shape of the names"},
	{"order", 0, OPT_NAME, AT(order), .arg = "O", .def = "shuffled", .choices = orders,
	 .help = "order of the names in an iteration"},
	{"ops", 0, OPT_NUMBER, AT(ops), .arg = "N", .def = "400", .min = 1, .max = 1e6,
	 .help = "operations of a worker in an iteration"},
	{"hits", 0, OPT_NUMBER, AT(hits), .arg = "N", .def = "90", .min = 0, .max = 1e6,
	 .help = "share of lstats of files that are there"},
	{"misses", 0, OPT_NUMBER, AT(misses), .arg = "N", .def = "8", .min = 0, .max = 1e6,
	 .help = "share of lstats of files that are not"},
	{"creates", 0, OPT_NUMBER, AT(creates), .arg = "N", .def = "2", .min = 0, .max = 1e6,
	 .help = "share of files created and unlinked"},
	{"parts", 0, OPT_FLAG, AT(parts),
	 .help = "after the runs, on one thread: histograms of the cycles that a component's hash "
		 "and lookup take"},
	{.name = NULL},
};

enum kind { HIT, MISS, CREATE };

struct seat { /* a worker's */
	struct plan *plan;
	uint8_t *kind; /* [plan->n] */
	bool (*create)(struct worker *w, const struct step *step);
};

struct dcb_cell { /* cell->own */
	const struct dcb *opt;
	struct seat *seat;	 /* [processes], of the cell's system: cells share them */
	struct dcs_parts *parts; /* NULL: not asked for */
};

static void *allocate(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		fail(EXIT_LACKS, "out of memory");
	return p;
}

static void check(int err, const char *what)
{
	if (err)
		fail(err == -ENOMEM ? EXIT_LACKS : EXIT_WRONG, "dcachebench: %s: %s", what,
		     strerror(-err));
}

/* ---- operations */

static bool create_cache(struct worker *w, const struct step *step)
{
	return !dcs_create(w->task, step->path, 0644) && !dcs_unlink(w->task, step->path);
}

static bool create_lstat(struct worker *w, const struct step *step)
{
	int fd = open(step->path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);

	(void)w;
	if (fd < 0)
		return false;
	close(fd);
	return !unlink(step->path);
}

/* What has no names cannot make one: it does its work once for each of the two walks. */
static bool create_other(struct worker *w, const struct step *step)
{
	bool right = true;

	for (int walk = 0; walk < 2; walk++)
		right &= sut_ask(w->stat, w->task, step->path, w->flags) == step->want;
	return right;
}

static bool turn(struct worker *w, uint64_t n)
{
	const struct seat *seat = w->own;
	const struct step *step = w->plan->step;
	bool right, more = true;

	for (; n && more; n--) {
		size_t at = w->at;

		if (seat->kind[at] == CREATE)
			right = seat->create(w, &step[at]);
		else
			right = sut_ask(w->stat, w->task, step[at].path, w->flags) == step[at].want;
		w->wrong += !right;
		w->ops++;
		if (++w->at == w->plan->n) {
			w->at = 0;
			more = ++w->pass != w->loops;
		}
	}
	return more;
}

/* ---- plans */

/* The kinds of an iteration's operations: exact shares, mixed. */
static uint8_t *mix(const struct dcb *opt, struct rng *rng)
{
	double all = (double)(opt->hits + opt->misses + opt->creates);
	uint64_t misses = (uint64_t)((double)(opt->ops * opt->misses) / all + 0.5);
	uint64_t creates = (uint64_t)((double)(opt->ops * opt->creates) / all + 0.5);
	uint32_t *at = allocate(opt->ops, sizeof(*at));
	uint8_t *kind = allocate(opt->ops, 1);

	for (uint32_t i = 0; i < opt->ops; i++)
		at[i] = i;
	rng_shuffle(rng, at, opt->ops);
	for (uint64_t i = 0; i < opt->ops && i < misses + creates; i++)
		kind[at[i]] = i < misses ? MISS : CREATE;
	free(at);
	return kind;
}

/* The files below a worker's directory. */
static uint32_t *files_of(const struct dcb *opt, const struct tree *tree, unsigned id, size_t *n)
{
	char path[DCS_PATH_MAX];
	uint32_t first, *file;
	size_t all;

	dcb_directory(opt, id, path);
	first = names_below(tree, names_find(tree, path, strlen(path)), &all);
	file = allocate(all, sizeof(*file));
	*n = 0;
	for (uint32_t i = first; i < first + all; i++)
		if (S_ISREG(tree->entry[i].mode))
			file[(*n)++] = i;
	if (!*n)
		fail(EXIT_WRONG, "dcachebench: '%s' was not filled", path);
	return file;
}

/* Bytes of a path that a worker's cwd makes unnecessary; lstat(2) goes by the process's. */
static size_t strip_of(const struct dcb *opt, const struct sut *sut, unsigned id)
{
	char path[DCS_PATH_MAX];

	if (sut->kind == SUT_LSTAT || !strcmp(opt->cwd, "root"))
		return 0;
	if (!strcmp(opt->cwd, "base"))
		return strlen(opt->base) + 1;
	dcb_directory(opt, id, path);
	return strlen(path) + 1;
}

static void add_step(struct plan *plan, enum kind kind, uint32_t file, size_t strip, unsigned id)
{
	const struct sut *sut = plan->sut;
	const char *name = sut->tree->entry[file].path;
	char path[DCS_PATH_MAX + 32];

	if (kind == HIT) {
		plan_path(plan, name + strip, sut->ino[file]);
		return;
	}
	if (kind == MISS)
		names_unused(sut->tree, file, "~", path);
	else
		snprintf(path, sizeof(path), "%.*s/new-%u-%zu", (int)(strrchr(name, '/') - name),
			 name, id, plan->n);
	plan_path(plan, path + strip, 0);
}

static void make_seat(const struct bench *b, const struct dcb *opt, struct sut *sut, unsigned id,
		      struct seat *seat)
{
	struct rng rng = rng_new(b->opt->seed + 1, id);
	bool shuffled = !strcmp(opt->order, "shuffled"), random = !strcmp(opt->order, "random");
	size_t n, strip = strip_of(opt, sut, id);
	uint32_t *file = files_of(opt, sut->tree, id, &n);

	seat->plan = plan_new(sut);
	seat->kind = mix(opt, &rng);
	seat->create = sut->kind == SUT_CACHE	? create_cache
		       : sut->kind == SUT_LSTAT ? create_lstat
						: create_other;
	for (size_t i = 0; i < opt->ops; i++) {
		if (shuffled && i % n == 0)
			rng_shuffle(&rng, file, n);
		add_step(seat->plan, seat->kind[i], file[random ? rng_below(&rng, n) : i % n],
			 strip, id);
	}
	plan_seal(seat->plan);
	free(file);
}

/* ---- runs */

static struct worker *hire(struct cell *cell)
{
	const struct dcb_cell *own = cell->own;
	const struct dcb *opt = own->opt;
	const struct options *common = cell->bench->opt;
	struct worker *worker = crew_workers((unsigned)opt->processes);
	char path[DCS_PATH_MAX] = "";

	if (cell->sut->cache)
		check(dcs_thread_register(cell->sut->cache), "cannot register a thread");
	for (unsigned i = 0; i < opt->processes; i++) {
		struct worker *w = &worker[i];

		check(sut_task(cell->sut, NULL, 0, &w->task), "cannot make a task");
		if (!strcmp(opt->cwd, "base"))
			snprintf(path, sizeof(path), "%s", opt->base);
		else if (!strcmp(opt->cwd, "own"))
			dcb_directory(opt, i, path);
		if (*path && cell->sut->kind == SUT_CACHE)
			check(dcs_chdir(w->task, path), "cannot change to a worker's directory");
		w->stat = cell->sut->stat;
		w->plan = own->seat[i].plan;
		w->loops = common->duration > 0 ? 0 : common->loops;
		w->flags = DCS_NOFOLLOW | DCS_PADDED;
		w->own = &own->seat[i];
	}
	if (cell->sut->cache)
		dcs_thread_unregister(cell->sut->cache);
	return worker;
}

static int run(struct cell *cell, struct sample *s)
{
	const struct dcb_cell *own = cell->own;
	unsigned n = (unsigned)own->opt->processes;
	struct worker *worker = hire(cell);
	struct crew crew = bench_crew(cell, n, worker);
	int err;

	crew.turn = turn;
	err = crew_run(&crew, s);
	for (unsigned i = 0; i < n; i++)
		sut_task_free(cell->sut, worker[i].task);
	free(worker);
	if (!err && s->ops)
		s->value = s->wall * 1e6 * (double)(n * own->opt->ops) / (double)s->ops;
	return err;
}

static uint64_t live_inodes(struct sut *sut)
{
	struct dcs_census census;

	dcs_barrier(sut->cache); /* what was unlinked is given back */
	check(dcs_thread_register(sut->cache), "cannot register a thread");
	dcs_census(sut->cache, &census);
	dcs_thread_unregister(sut->cache);
	return census.inodes;
}

#define PART_PASSES 5

static void time_parts(struct cell *cell)
{
	struct dcb_cell *own = cell->own;
	struct worker *worker;

	if (!own->opt->parts || own->parts || cell->sut->kind != SUT_CACHE)
		return;
	own->parts = allocate(1, sizeof(*own->parts));
	worker = hire(cell);
	for (unsigned pass = 0; pass < PART_PASSES; pass++)
		for (unsigned i = 0; i < own->opt->processes; i++)
			dcb_parts_add(own->parts, cell->sut, worker[i].task, worker[i].plan);
	for (unsigned i = 0; i < own->opt->processes; i++)
		sut_task_free(cell->sut, worker[i].task);
	free(worker);
}

static void tell_parts(const struct cell *cell, struct json_t *result)
{
	const struct dcb_cell *own = cell->own;

	if (own->parts)
		dcb_parts_json(own->parts, result);
}

/* ---- the report */

static void print_table(struct bench *b)
{
	const struct dcb *opt = b->own;
	struct table *t = table_new("kernel", "walk", "layout", "hash", "flavour", "final", "with",
				    "threads>", "Mean>", "Standard Deviation>", "median>", "95 %>",
				    "ratio>", "Mops/s>", NULL);

	printf("dcachebench -p %llu -b %s: microseconds an iteration, in which each process does "
	       "%llu operations\n(%llu : %llu : %llu hits, misses, creates). ratio: of medians to "
	       "the first walk's, ~ no difference.\n",
	       (unsigned long long)opt->processes, opt->base, (unsigned long long)opt->ops,
	       (unsigned long long)opt->hits, (unsigned long long)opt->misses,
	       (unsigned long long)opt->creates);
	for (size_t i = 0; i < b->n_cells; i++) {
		const struct cell *cell = b->cell[i];
		const struct summary *s = &cell->summary;

		table_row(t);
		bench_put_axes(t, b, cell->sut, false);
		table_put(t, "%u", cell->threads);
		table_put(t, "%.0f", s->mean);
		table_put(t, "%.1f", s->stddev);
		bench_put_median(t, cell, 0);
		table_put(t, "%.3f", (double)(opt->processes * opt->ops) / s->median);
	}
	table_print(t, stdout);
	for (size_t i = 0; i < b->n_suts && opt->parts; i++) {
		const struct dcb_cell *own = b->cell[i]->own;
		char label[256];

		sut_label(b, b->cell[i]->sut, false, label, sizeof(label));
		if (own->parts)
			dcb_parts_print(own->parts, label);
	}
}

/* ---- set up */

static void add_cell(struct bench *b, struct sut *sut, unsigned threads, struct dcb_cell *own)
{
	struct cell *cell = bench_cell(b, sut, threads);

	cell->unit = "us/iteration";
	cell->run = run;
	cell->own = own;
	cell->tell = tell_parts;
	if (sut_is_reference(sut))
		cell->base = cell;
}

static void make_seats(const struct bench *b, const struct dcb *opt, struct sut *sut,
		       struct dcb_cell *own)
{
	own->opt = opt;
	own->seat = allocate(opt->processes, sizeof(*own->seat));
	for (unsigned i = 0; i < opt->processes; i++)
		make_seat(b, opt, sut, i, &own->seat[i]);
}

static void free_seats(const struct dcb *opt, struct dcb_cell *own)
{
	for (unsigned i = 0; own->seat && i < opt->processes; i++) {
		plan_free(own->seat[i].plan);
		free(own->seat[i].kind);
	}
	free(own->seat);
	free(own->parts);
}

static int dcachebench(struct bench *b, void *options_of)
{
	const struct dcb *opt = options_of;
	struct tree *beside;
	struct dcb_cell *own;
	uint64_t *inodes;

	if (!(opt->hits + opt->misses + opt->creates))
		fail(EXIT_USAGE, "dcachebench: --hits, --misses and --creates are all 0: give one "
				 "of them a share");
	beside = bench_tree(b);
	b->tree = dcb_tree(opt, beside, b->opt->seed);
	tree_free(beside);
	bench_systems(b, b->tree);
	own = allocate(b->n_suts, sizeof(*own));
	inodes = allocate(b->n_suts, sizeof(*inodes));
	for (size_t i = 0; i < b->n_suts; i++) {
		make_seats(b, opt, b->sut[i], &own[i]);
		if (b->sut[i]->kind == SUT_CACHE)
			inodes[i] = live_inodes(b->sut[i]);
	}
	for (size_t t = 0; t < b->opt->threads.n; t++)
		for (size_t i = 0; i < b->n_suts; i++)
			add_cell(b, b->sut[i], (unsigned)b->opt->threads.v[t], &own[i]);
	bench_measure(b);
	for (size_t i = 0; i < b->n_suts; i++)
		if (b->sut[i]->kind == SUT_CACHE && live_inodes(b->sut[i]) != inodes[i])
			fail(EXIT_WRONG,
			     "dcachebench: %s: %llu inodes before, %llu after: creates were not "
			     "undone",
			     b->sut[i]->walk, (unsigned long long)inodes[i],
			     (unsigned long long)live_inodes(b->sut[i]));
	for (size_t i = 0; i < b->n_cells; i++)
		time_parts(b->cell[i]);
	b->table = print_table;
	bench_report(b);
	for (size_t i = 0; i < b->n_suts; i++)
		free_seats(opt, &own[i]);
	free(own);
	free(inodes);
	return 0;
}

static const char *const defaults[] = {"loops=100", NULL};

const struct workload workload_dcachebench = {
	.name = "dcachebench",
	.summary = "processes that exercise the cache below a base directory, as in 2004",
	.about = "A replica of the interface and of the kind of load of the dcachebench of 2004, "
		 "whose source is lost; it reproduces no figure of it. N workers start together "
		 "and repeat an iteration: --ops operations each, the same every time. The result "
		 "is microseconds an iteration, mean and standard deviation over the runs. What "
		 "is not known of the original is an option here.",
	.options = options,
	.size = sizeof(struct dcb),
	.defaults = defaults,
	.main = dcachebench,
};
