/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * bench.h - from options to figures: systems, cells, interleaved runs, reports
 *
 * A workload's main() does four things:
 *
 *	struct tree *tree = bench_tree(b);	  -- or one of its own making
 *	bench_systems(b, tree);			  -- b->sut[]: the axes, the reference rows
 *	for each system, number of threads, variant:
 *		cell = bench_cell(b, sut, threads);
 *		cell->run = storm_run, cell->own = ...;
 *	return bench_finish(b);			  -- measures, checks, reports; exit status
 *
 * where storm_run() does one run: it sets up a crew, calls crew_run() and fills
 * what it likes into the sample. Cells run interleaved: `warmup` rounds that
 * are thrown away and `runs` that count, each round in an order of its own.
 * A run with a wrong answer, or with no operation, ends the program (status 1).
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <time.h>

#include "bench/crew.h"
#include "bench/stats.h"
#include "bench/sut.h"
#include "bench/table.h"
#include "cli/options.h"
#include "rng.h"

#define BENCH_FIGURES 16

struct json_t;

struct figure { /* of a cell, the same in every run */
	const char *name;
	double value;
};

struct cell {
	/* Given by the workload; sut, threads, bench by bench_cell(). */
	struct bench *bench;
	struct sut *sut;
	unsigned threads;
	const char *variant; /* "serial", "MRPL", ...: what else tells cells apart; or NULL */
	const char *unit;    /* of sample.value; NULL: "ns/path" */
	int (*run)(struct cell *cell, struct sample *s); /* 0 or a negative errno */
	void *own;
	bool own_panel;	   /* no bar in the common panel of a plot: the workload draws it */
	struct cell *base; /* ratios are to this one; NULL: the first cell with the same
			    * variant and threads. A cell may be its own base */
	/* Adds to the cell's result in JSON; or NULL. */
	void (*tell)(const struct cell *cell, struct json_t *result);
	unsigned n_figures;
	struct figure figure[BENCH_FIGURES];
	/* Filled in by bench_finish(). */
	struct sample *sample;	/* [runs] */
	struct summary summary; /* of sample[].value */
	struct ratio ratio;	/* to base */
};

struct measure {
	const char *name, *unit;
};

/*
 * Several workloads run as one command: what each of their benches is given. Its
 * reports go to @output, which the command writes at the end, in place of files.
 */
struct suite {
	unsigned part, parts; /* which of how many, from 1 on */
	double before, share; /* of the time of all parts: spent before this one, in it */
	struct timespec begin;
	bool prints; /* tables, on standard output */
	struct output *output;
	void (*learn)(const struct bench *b, void *own); /* sees a part's figures */
	void *own;
};

struct bench {
	const struct options *opt;
	const struct workload *workload;
	const void *own; /* the workload's options, for the report's `config` */
	int argc;
	char **argv;
	size_t n_suts, n_cells;
	struct sut **sut;
	struct cell **cell;
	unsigned n_measures;
	struct measure measure[BENCH_MEASURES];
	/* Prints the table for people, one that readers of a post know, say; NULL: bench_table().
	 */
	void (*table)(struct bench *b);
	/* Adds results and panels that are no cell's; NULL: there are none. */
	void (*more)(const struct bench *b, struct output *output);
	struct tree *tree;
	struct suite *suite; /* NULL: a command of its own */
};

/* For the program: checks that the files can be written; frees what a bench holds. */
void bench_open(struct bench *b);
void bench_close(struct bench *b);

/* "negatives=quota store=memory": what tells a system apart besides the first five axes. Static. */
const char *axis_with(const struct bench *b, const struct sut *sut);

/* log2 of --buckets, or what suits the tree (NULL: none). What is no power of two ends the program.
 */
unsigned buckets_bits(const struct options *o, const struct tree *tree);

/* The tree of --tree. Bad ones end the program with one line. */
struct tree *bench_tree(struct bench *b);

/*
 * Makes b->sut[]: a cache with @tree loaded for each point on the axes, --walk
 * varying slowest; then, with --reference, the reference rows. @tree stays the caller's.
 */
void bench_systems(struct bench *b, struct tree *tree);
/* One more, for a workload that needs it: a cache of @config, NULL tree: empty. */
struct sut *bench_system(struct bench *b, const struct dcs_config *config, struct tree *tree);
/* One that the workload made itself, by calloc(); the bench frees it. Returns @sut. */
struct sut *bench_keep(struct bench *b, struct sut *sut);

struct cell *bench_cell(struct bench *b, struct sut *sut, unsigned threads);

/* Names sample.measure[@return]: shown in JSON and CSV, and in the table as medians. */
unsigned bench_measure_name(struct bench *b, const char *name, const char *unit);
void bench_figure(struct cell *cell, const char *name, double value);

/* A crew as the options say: threads of the cell, --switch, --os-threads, --duration. */
struct crew bench_crew(struct cell *cell, unsigned n_workers, struct worker *worker);

/* Runs all cells, interleaved; fills in samples, summaries and ratios. */
void bench_measure(struct bench *b);
/* The table and the files. */
void bench_report(struct bench *b);
bool bench_prints(const struct bench *b); /* standard output is not a file's */
/* Both; returns the exit status. Frees systems and cells. */
int bench_finish(struct bench *b);

/* The columns that tell cells apart, then value, interval, mean, ratio, rate, measures. */
void bench_table(struct bench *b);

/* Cells of a table that workloads have in common. What a system is: walk, layout, hash, flavour,
 * final and with, each but the walk where several are compared; final always, with @final. */
void bench_put_axes(struct table *t, const struct bench *b, const struct sut *sut, bool final);
/* Median, interval and ratio. */
void bench_put_median(struct table *t, const struct cell *cell, int digits);
/* "1": the one that others are compared to; "~": no difference; "": nothing to compare. */
void bench_put_ratio(struct table *t, const struct cell *cell, int digits);

/* Median of a measure over that of the base, whose samples are there too; or "~". */
void bench_put_measure_ratio(struct table *t, const struct cell *cell, unsigned measure);

/* "serial, rcu-walk, 2 threads": all axes with @full, else only those in which cells differ. */
void cell_label(const struct bench *b, const struct cell *cell, bool full, char *buf, size_t size);

/* Compares the values of @cell with those of @to. */
void bench_compare(const struct cell *to, const struct cell *cell, struct ratio *ratio);

/* Median over the runs of a measure, or of what @get takes from each sample. */
double bench_median(const struct cell *cell, double (*get)(const struct sample *, void *),
		    void *arg);
double bench_median_measure(const struct cell *cell, unsigned measure);

#endif
