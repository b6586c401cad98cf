/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* storm.h - what the parts of statstorm share: statstorm.c sets up, storm-run.c runs */
#ifndef WORKLOADS_STORM_H
#define WORKLOADS_STORM_H

#include "bench/bench.h"
#include "choose.h"
#include "sampler.h"
#include "writers.h"

#define STORM_WRITERS 64 /* most */

struct storm { /* the options */
	struct opt_names scope, order, fxmark;
	const char *cwd, *rename_where;
	uint64_t names, misses, writers, rename_dirs, sample;
	double zipf, rename_rate;
};

/* The names that the cells of one variant walk. */
struct pool {
	char *variant;
	enum scope scope;
	enum order order;
	bool one_each; /* MRPL: as many names as threads */
	uint32_t *name;
	size_t n;
	uint32_t *dir; /* those that --rename-where path exchanges */
	size_t n_dirs;
};

struct reader {
	struct plan *plan;
	uint64_t *other; /* [plan->n]: answers that are right as well; NULL: none */
	struct sampler *sampler;
	uint64_t moved; /* answers in the last run that were such */
} __attribute__((aligned(128)));

struct storm_cell { /* cell->own */
	const struct storm *storm;
	const struct pool *pool;
	struct reader *reader; /* [cell->threads], made for the first run */
	struct writer *writer; /* [n_writers] */
	unsigned n_writers;
	uint64_t *twin; /* [tree->n] of the system: see writer_path() */
	struct latency latency;
	double scaling; /* rate to that of one thread; 0: not known */
};

/* Names what storm_run() measures beside the time. */
void storm_measures(struct bench *b);
extern unsigned storm_least, storm_most, storm_renames, storm_moved;

/* cell->run. */
int storm_run(struct cell *cell, struct sample *s);

/* One more run, in which calls are timed: own->latency. */
void storm_latency(struct cell *cell);

void storm_free(struct cell *cell);

/* Ends the program where memory ran out, or @err says that @what failed. */
void *storm_allocate(size_t n, size_t size);
void storm_check(int err, const char *what);

#endif
