/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * reproduce.h - the experiment of a post, and what runs of ours give beside it
 *
 * An experiment is data: the figures of one or two posts by row and column, the commands
 * that give ours, and effects. An effect is a product of powers of rows in one
 * column (a ratio has two, a mean of two ratios has four), taken of the posts' figures and
 * of ours, so that what is compared is free of the machine's speed.
 */
#ifndef REPRODUCE_H
#define REPRODUCE_H

#include <jansson.h>

#include "bench/bench.h"

#define POSTS	     2
#define MOST_ROWS    16
#define COLUMNS	     8
#define TERMS	     4
#define MOST_WORDS   12
#define EFFECT_LEAST 3 /* fewest runs a row with which anything is said of an effect */
#define RANK_LEAST   4 /* and with which the rank test can see any at 5 % */

/* What a post says of a row in a column: runs, or their mean and deviation, or one figure. */
struct figures {
	unsigned n;	 /* runs; 0: it says nothing */
	double mean, sd; /* sd 0: not known */
	const double *v; /* [n], or NULL */
};

/* clang-format off */
#define FIGURE(x)    {1, x, 0, NULL}
#define MEAN(x, sd)  {10, x, sd, NULL}
#define RUNS_OF(...) {sizeof((double[]){__VA_ARGS__}) / sizeof(double), 0, 0, \
		      (const double[]){__VA_ARGS__}}
/* clang-format on */

struct column {
	const char *name; /* the post's word for it */
	const char *ours; /* ours, where it differs */
	const char *unit;
	const char *measure; /* of the command's result; NULL: what it leads with */
	double factor;	     /* from the command's unit to this; 0: 1 */
	int digits;	     /* behind the point: of the post */
	int our_digits;
	bool adds;    /* grows with the loops: ours is scaled to as many as the post's */
	bool counted; /* by ours alone, and more telling than times: in a table of its own */
	bool drawn;   /* a panel of the plot */
};

struct row {
	const char *name;
	unsigned command;
	const char *variant; /* which of the command's results; NULL: the first */
	struct figures post[POSTS][COLUMNS];
};

struct term {
	unsigned row;
	double power;
};

struct effect {
	const char *name;
	unsigned column;
	struct term term[TERMS]; /* up to the first power of 0 */
	const char *note;	 /* where a post's figure is an artefact, say; or NULL */
};

struct post {
	const char *who;    /* short: heads a column */
	const char *source; /* list, date, subject */
	const char *machine;
};

struct experiment {
	const char *name, *title;
	struct post post[POSTS];
	const char *ours;     /* what ours is, and that it is no more */
	const char *artefact; /* of the post's figures, in words */
	unsigned runs;	      /* fresh processes a command */
	unsigned quick_runs;
	unsigned loops, quick_loops; /* of a row, over all its processes, or in each; 0: none */
	bool loops_in_all;
	const char *threads; /* NULL: one, whatever --threads says */
	bool takes_tree;
	const char *const (*command)[MOST_WORDS];
	size_t commands;
	const struct column *column;
	size_t columns;
	const struct row *row;
	size_t rows;
	const struct effect *effect;
	size_t effects;
	bool by_run; /* the table has a line a run, as the post */
};

extern const struct experiment experiment_000, experiment_001, experiment_003, experiment_004;

struct reproduce { /* its options */
	struct opt_names experiment;
	const char *results, *tree;
	uint64_t runs, loops;
	struct opt_numbers threads;
	bool quick;
};

/* ---- reproduce-run.c: runs it */

struct outcome {
	const struct experiment *e;
	unsigned runs;
	uint64_t loops;			    /* of a process */
	double scale;			    /* of columns that add up */
	double *v[MOST_ROWS][COLUMNS];	    /* [runs] */
	char *is[MOST_ROWS];		    /* what ours is: walk, layout, hash */
	struct dcs_parts *parts[MOST_ROWS]; /* summed over the runs; NULL: none were timed */
	json_t *results;		    /* all rows of all commands */
};

struct outcome *outcome_run(const struct bench *b, const struct reproduce *r,
			    const struct experiment *e, const char *head);
void outcome_free(struct outcome *o);

/* ---- reproduce-effect.c: compares */

enum direction { LESS = -1, NO_DIFFERENCE, MORE };

enum verdict {
	NOT_GIVEN,  /* the post does not say */
	TOO_FEW,    /* runs of ours to say */
	SAME,	    /* both the same way, or both without a difference */
	NONE,	    /* the post sees a difference, ours none */
	OTHER,	    /* the other way */
	OURS_ALONE, /* ours sees one, the post none */
};

struct compared {
	struct ratio post[POSTS], ours;
	bool given[POSTS], spread[POSTS]; /* spread: the post's figures have an interval */
	enum verdict verdict[POSTS];
};

enum direction direction_of(const struct ratio *r);
enum verdict verdict_of(bool given, const struct ratio *post, const struct ratio *ours,
			unsigned runs);
const char *verdict_name(enum verdict v);

/* The post's side of an effect. Returns whether it has one; *@spread: with an interval. */
bool effect_of_post(const struct experiment *e, const struct effect *effect, unsigned post,
		    struct ratio *r, bool *spread);
void effect_compare(const struct outcome *o, const struct effect *effect, unsigned long seed,
		    struct compared *c);

/* Median and interval of a figure of a post; the interval is NaN where it has none. */
void figures_sum(const struct figures *f, struct summary *s);

/* ---- reproduce-parts.c: histograms of the parts of a lookup, where commands give them */

void parts_take(struct outcome *o, size_t row, const json_t *result);
void parts_print(const struct outcome *o, FILE *f);
size_t parts_draw(const struct outcome *o, FILE *f); /* panels; returns their height */

/* ---- reproduce-report.c, reproduce-json.c, reproduce-plot.c: tell */

void outcome_table(const struct outcome *o, unsigned long seed, FILE *f);
json_t *outcome_json(const struct outcome *o, unsigned long seed);
char *outcome_plot(const struct outcome *o, unsigned long seed, size_t *size);

#endif
