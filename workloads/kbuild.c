/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * kbuild.c - the calls of a kernel's build under each policy of access times
 *
 * A run makes the tree that the log implies on a disk in simulated time, reads all of it once
 * (that is the last read before the build, --last-read hours before), drops caches for `cold`,
 * and replays the log. Its time is
 *
 *	user	what the build computed: --user microseconds a line of the log
 *	walk	the replay, measured here
 *	wait	for the disk, counted (store/disk.c)
 *
 * The clock of files and disk moves by user and wait alone. Engel measured the same job in
 * August 2007 on a disk of which little is known, so the seconds are this disk's; what a policy
 * stores, and when, is what compares.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/output.h"
#include "cli/parse.h"
#include "kbuild-replay.h"

#define NS	 1000000000ull
#define BEGINS	 (1186340000 * NS) /* of the build: August 2007 */
#define UNPACKED (BEGINS - 30 * 86400 * NS)

struct kbuild {
	const char *trace, *disk;
	struct opt_names caches;
	double user, last_read;
};

static const struct dcs_name caches[] = {
	{"cold", "drop_caches 1, 2, 3 after the last read, then the build"},
	{"warm", "what the last read left is cached"},
	{NULL, NULL},
};

static const struct opt options[] = {
	{"trace", 0, OPT_STRING, OPT_AT(struct kbuild, trace), .arg = "FILE",
	 .help = "log of strace -f -e trace=%file,%process,fchdir,getdents64, plain or .xz; none "
		 "given: the part of a build that is built in"},
	{"disk", 0, OPT_STRING, OPT_AT(struct kbuild, disk), .arg = "D", .def = "ide-2005",
	 .help = "what stands behind the cache: ide-2005, ssd-2015"},
	{"caches", 0, OPT_NAMES, OPT_AT(struct kbuild, caches), .arg = "cold,warm",
	 .def = "cold,warm", .choices = caches, .help = "what is cached when the build begins"},
	{"user", 0, OPT_REAL, OPT_AT(struct kbuild, user), .arg = "US", .def = "38.43", .min = 0,
	 .max = 1e6,
	 .help = "microseconds that the build computes, a line of the log; the default is 106.7 s "
		 "for the whole build's 2.78 M lines"},
	{"last-read", 0, OPT_REAL, OPT_AT(struct kbuild, last_read), .arg = "HOURS", .def = "1",
	 .min = 0, .max = 700, .help = "before the build, that everything was read"},
	{.name = NULL},
};

/* What all cells have in common. */
struct job {
	const struct kbuild *k;
	const struct dcs_disk *disk;
	struct strace *trace;
	struct implied_tree tree;
	int16_t *expected; /* [trace->n]: the outcome of each call, from the first replay */
	uint64_t calls, skipped, differences, of_call[CALLS];
	uint64_t first_line[CALLS];
	uint64_t user_ns;
};

static unsigned USER, WALK, WAIT, STORES, OF_WALKS, OF_OPENS, WRITES, JOURNAL, IN_PLACE, BUSY,
	LATER;

static void *need(void *p)
{
	if (!p)
		fail(EXIT_LACKS, "out of memory");
	return p;
}

static void need_zero(int err, const char *what)
{
	if (err)
		fail(EXIT_LACKS, "kbuild: cannot %s: %s", what, strerror(-err));
}

/* ---- the first replay: what each call gives here, and where that is not what the log has */

static void judge(struct job *job, size_t i, int got)
{
	const struct strace_event *e = &job->trace->event[i];

	job->expected[i] = (int16_t)got;
	if (got == REPLAY_SKIPPED) {
		job->skipped++;
		return;
	}
	job->calls++;
	if (got == replay_wanted(e))
		return;
	job->differences++;
	if (!job->of_call[e->call]++)
		job->first_line[e->call] = e->line;
}

static void first_replay(struct job *job)
{
	struct dcs_config config = {0};
	struct dcs_cache *cache;
	struct replay r;

	need_zero(dcs_cache_new(&config, &cache, NULL), "make a cache");
	dcs_thread_register(cache);
	need_zero(replay_begin(&r, job->trace, cache, NULL), "begin a replay");
	need_zero(implied_tree_load(&job->tree, r.mother), "make the tree");
	job->expected = need(calloc(job->trace->n + 1, sizeof(*job->expected)));
	for (size_t i = 0; i < job->trace->n; i++)
		judge(job, i, replay_event(&r, &job->trace->event[i]));
	replay_end(&r);
	dcs_cache_free(cache);
}

/* ---- a run */

struct world {
	uint64_t clock;
	struct dcs_disk_usage usage;
	struct replay replay;
};

/* Everything up to the build, by the clock: unpacked, read, dropped. */
static void prepare(struct job *job, struct cell *cell, struct world *w)
{
	struct dcs_config config = cell->sut->config;
	struct replay *r = &w->replay;

	*w = (struct world){.clock = UNPACKED};
	config.clock = &w->clock;
	need_zero(dcs_store_disk(&config, job->disk, &w->usage), "make a disk");
	sut_renew(cell->sut, &config);
	dcs_thread_register(cell->sut->cache);
	need_zero(replay_begin(r, job->trace, cell->sut->cache, config.store_data),
		  "begin a replay");
	need_zero(implied_tree_load(&job->tree, r->mother), "make the tree");
	need_zero(dcs_sync(r->cache), "sync");
	w->clock = BEGINS - (uint64_t)(job->k->last_read * 3600 * (double)NS);
	need_zero(implied_tree_read(&job->tree, r->mother, r->disk), "read the tree");
	need_zero(dcs_sync(r->cache), "sync");
	w->clock = BEGINS;
	if (!strcmp(cell->variant, "cold")) {
		for (unsigned what = 1; what <= 3; what++)
			dcs_drop_caches(r->cache, what);
		dcs_disk_drop(r->disk);
	}
	w->usage = (struct dcs_disk_usage){0};
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void replay_all(struct job *job, struct world *w, struct sample *s)
{
	uint64_t waited = 0;

	for (size_t i = 0; i < job->trace->n; i++) {
		const struct strace_event *e = &job->trace->event[i];
		uint64_t computed = (uint64_t)((double)job->user_ns * (double)e->line /
					       (double)job->trace->lines);

		waited += w->usage.unclaimed_ns;
		w->usage.unclaimed_ns = 0;
		__atomic_store_n(&w->clock, BEGINS + computed + waited, __ATOMIC_RELAXED);
		s->wrong += replay_event(&w->replay, e) != job->expected[i];
	}
	s->ops = job->calls;
}

static void measure(const struct job *job, const struct world *w, struct sample *s, uint64_t walks)
{
	double *m = s->measure;

	m[USER] = (double)job->user_ns / 1e9;
	m[WALK] = s->cpu;
	m[WAIT] = (double)w->usage.wait_ns / 1e9;
	m[STORES] = (double)s->counters.atime_stores;
	m[OF_WALKS] = 100 * m[STORES] / (double)(walks ? walks : 1);
	m[OF_OPENS] = 100 * m[STORES] / (double)(w->replay.opens ? w->replay.opens : 1);
	m[WRITES] = (double)s->counters.atime_writes;
	s->value = s->wall = m[USER] + m[WALK] + m[WAIT];
}

static int run(struct cell *cell, struct sample *s)
{
	struct job *job = cell->own;
	struct dcs_counters before, after;
	struct world w;
	double begin;

	*s = (struct sample){0};
	prepare(job, cell, &w);
	dcs_counters(w.replay.cache, &before);
	begin = seconds();
	replay_all(job, &w, s);
	s->cpu = seconds() - begin;
	dcs_counters(w.replay.cache, &after);
	for (size_t i = 0; i < sizeof(after) / sizeof(uint64_t); i++)
		((uint64_t *)&s->counters)[i] = ((uint64_t *)&after)[i] - ((uint64_t *)&before)[i];
	s->counters.store_ns = w.usage.wait_ns;
	measure(job, &w, s, s->counters.walks);
	need_zero(dcs_sync(w.replay.cache), "sync");
	dcs_counters(w.replay.cache, &after);
	s->measure[JOURNAL] = (double)w.usage.journal_blocks;
	s->measure[IN_PLACE] = (double)w.usage.written_blocks;
	s->measure[BUSY] = (double)w.usage.busy_ns / 1e9;
	s->measure[LATER] = (double)(after.atime_writes - before.atime_writes) - s->measure[WRITES];
	replay_end(&w.replay);
	/* The clock and the disk's sums end with this function. */
	sut_renew(cell->sut, &cell->sut->config);
	return 0;
}

/* ---- what is printed */

static void print_disk(const struct dcs_disk *d)
{
	printf("Disk %s (%s), assumed: average seek %.3g ms, within %llu blocks of inodes %.3g ms, "
	       "half a turn %.3g ms, %.3g ms a block of %llu bytes, %llu inodes a block; journal "
	       "committed each %llu s, written in place each %llu s. It does one thing at a time; "
	       "readers wait for it, writers do not.\n",
	       d->name, d->description, (double)d->seek_ns / 1e6, (unsigned long long)d->near,
	       (double)d->near_seek_ns / 1e6, (double)d->half_turn_ns / 1e6,
	       (double)d->block_ns / 1e6, (unsigned long long)d->block_size,
	       (unsigned long long)d->inodes_per_block, (unsigned long long)d->commit_s,
	       (unsigned long long)d->writeback_s);
}

static void print_job(const struct job *job)
{
	printf("%llu lines, %llu calls replayed, %llu passed over; the log implies %zu files, %zu "
	       "directories, %zu links. %llu results differ from the log's",
	       (unsigned long long)job->trace->lines, (unsigned long long)job->calls,
	       (unsigned long long)(job->trace->lines - job->calls), job->tree.files,
	       job->tree.dirs, job->tree.links, (unsigned long long)job->differences);
	for (int c = 0; c < CALLS; c++)
		if (job->of_call[c])
			printf(", %llu of %s (first in line %llu)",
			       (unsigned long long)job->of_call[c], strace_call_names[c],
			       (unsigned long long)job->first_line[c]);
	printf(".\nuser: %.4g s, %.4g us a line; everything was read last %.4g h before.\n",
	       (double)job->user_ns / 1e9, job->k->user, job->k->last_read);
}

/* The policy, and what else tells systems apart. */
static void put_system(struct table *t, const struct cell *cell)
{
	char label[256];

	sut_label(cell->bench, cell->sut, false, label, sizeof(label));
	table_put(t, "%s", cell->sut->atime);
	table_put(t, "%s", axis_varies(cell->bench, 0) ? cell->sut->walk : "");
	table_put(t, "%s", cell->variant);
}

static void print_stores(const struct bench *b)
{
	struct table *t = table_new("atime", "walk", "caches", "stores>", "% of walks>",
				    "% of opens>", "told the store>", "at a sync after>",
				    "journal blocks>", "in place>", "disk busy s>", NULL);

	for (size_t i = 0; i < b->n_cells; i++) {
		const struct cell *c = b->cell[i];

		table_row(t);
		put_system(t, c);
		table_put(t, "%.0f", bench_median_measure(c, STORES));
		table_put(t, "%.2f", bench_median_measure(c, OF_WALKS));
		table_put(t, "%.2f", bench_median_measure(c, OF_OPENS));
		table_put(t, "%.0f", bench_median_measure(c, WRITES));
		table_put(t, "%.0f", bench_median_measure(c, LATER));
		table_put(t, "%.0f", bench_median_measure(c, JOURNAL));
		table_put(t, "%.0f", bench_median_measure(c, IN_PLACE));
		table_put(t, "%.3g", bench_median_measure(c, BUSY));
	}
	table_print(t, stdout);
}

/* Medians of Engel's three runs a cell, of the whole build, as ratios to noatime. */
static const struct {
	const char *atime;
	double cold, warm; /* seconds */
} post[] = {
	{"noatime", 131.270, 115.823},
	{"relatime-2007", 131.212, 116.093},
	{"strictatime", 134.280, 117.077},
};

static void put_post(struct table *t, const struct cell *cell)
{
	bool cold = !strcmp(cell->variant, "cold");

	for (size_t i = 0; i < sizeof(post) / sizeof(post[0]); i++)
		if (!strcmp(post[i].atime, cell->sut->atime)) {
			table_put(t, "%.3f", cold ? post[i].cold : post[i].warm);
			table_put(t, "%.3f",
				  cold ? post[i].cold / post[0].cold : post[i].warm / post[0].warm);
			return;
		}
	table_put(t, "%s", "");
	table_put(t, "%s", "");
}

static void print_times(const struct bench *b)
{
	struct table *t =
		table_new("atime", "walk", "caches", "elapsed s>", "95 %>", "ratio>", "user s>",
			  "walk s>", "wait s>", "post's s>", "post's ratio>", NULL);

	for (size_t i = 0; i < b->n_cells; i++) {
		const struct cell *c = b->cell[i];

		table_row(t);
		put_system(t, c);
		bench_put_median(t, c, 4);
		table_put(t, "%.3f", bench_median_measure(c, USER));
		table_put(t, "%.4f", bench_median_measure(c, WALK));
		table_put(t, "%.4f", bench_median_measure(c, WAIT));
		put_post(t, c);
	}
	table_print(t, stdout);
}

static void print(struct bench *b)
{
	print_job(b->cell[0]->own);
	print_disk(((const struct job *)b->cell[0]->own)->disk);
	puts("\nAccess times: stored by reads, and what of them the store was told; % of walks and "
	     "of opens that stored one; blocks of inodes written, for "
	     "other changes too, up to a sync behind the build.");
	print_stores(b);
	puts("\nElapsed: user, walk (measured) and wait (for the disk, counted). Ratios to the "
	     "first "
	     "policy with these caches, ~ no difference. post: Engel, August 2007, a whole build.");
	print_times(b);
	if (b->opt->runs < 4)
		printf("With %llu runs no difference can be seen at 5 %%: give --runs 4 or more.\n",
		       (unsigned long long)b->opt->runs);
}

/* ---- */

static const struct dcs_disk *find_disk(const char *name)
{
	const char *names[16];
	size_t n = 0;

	for (const struct dcs_disk *d = dcs_disks; d->name; d++) {
		if (!strcmp(d->name, name))
			return d;
		names[n++] = d->name;
	}
	fail_unknown("--disk:", name, names, n);
}

static void open_job(struct bench *b, struct job *job)
{
	char why[DCS_PATH_MAX + 256];
	int err = strace_open(job->k->trace, &job->trace, why, sizeof(why));

	if (err)
		fail(err == -ENOMEM || err == -EIO ? EXIT_LACKS : EXIT_USAGE, "--trace %s",
		     *why ? why : strerror(-err));
	if (*why && !b->opt->quiet)
		warn("--trace %s", why);
	need_zero(implied_tree_of(job->trace, &job->tree), "infer the tree");
	first_replay(job);
	job->user_ns = (uint64_t)(job->k->user * 1000 * (double)job->trace->lines);
	if (!job->calls)
		fail(EXIT_USAGE, "--trace %s: holds no call that can be replayed",
		     job->trace->name);
}

static int kbuild_main(struct bench *b, void *own)
{
	struct job job = {.k = own};
	int status;

	job.disk = find_disk(job.k->disk);
	open_job(b, &job);
	USER = bench_measure_name(b, "user", "s");
	WALK = bench_measure_name(b, "walk", "s");
	WAIT = bench_measure_name(b, "wait", "s");
	STORES = bench_measure_name(b, "stores", "");
	OF_WALKS = bench_measure_name(b, "stores_of_walks", "%");
	OF_OPENS = bench_measure_name(b, "stores_of_opens", "%");
	WRITES = bench_measure_name(b, "told", "");
	LATER = bench_measure_name(b, "told_at_sync", "");
	JOURNAL = bench_measure_name(b, "journal_blocks", "");
	IN_PLACE = bench_measure_name(b, "in_place_blocks", "");
	BUSY = bench_measure_name(b, "disk_busy", "s");
	bench_systems(b, NULL);
	for (size_t v = 0; v < job.k->caches.n; v++)
		for (size_t i = 0; i < b->n_suts; i++) {
			struct cell *cell = bench_cell(b, b->sut[i], 1);

			cell->variant = job.k->caches.v[v];
			cell->unit = "s";
			cell->run = run;
			cell->own = &job;
			bench_figure(cell, "differences", (double)job.differences);
			bench_figure(cell, "lines", (double)job.trace->lines);
		}
	b->table = print;
	status = bench_finish(b);
	free(job.expected);
	implied_tree_free(&job.tree);
	strace_free(job.trace);
	return status;
}

const struct workload workload_kbuild = {
	.name = "kbuild",
	.summary = "the system calls of a kernel's build, under each policy of access times",
	.about =
		"Replays a log of strace on a tree that the log implies, with cold and with warm "
		"caches, over a disk in simulated time; counts the access times that reads store, "
		"then compares times. The log that is built in is a part of `make -j1` after `make "
		"allnoconfig` of Linux 6.1: the lines in which kernel/sched, locking, power, "
		"printk, irq and rcu are built, without the arguments of programs. It has no "
		"read(2): an open for reading, or an execution, counts as one read of the file.",
	.options = options,
	.size = sizeof(struct kbuild),
	.defaults = (const char *const[]){"atime=all", "runs=3", "warmup=0", "threads=1", NULL},
	.without = (const char *const[]){"tree", "store", "store-latency", "threads", "loops",
					 "duration", "switch", "os-threads", "reference", NULL},
	.main = kbuild_main,
};
