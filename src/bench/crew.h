/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * crew.h - workers on threads: who does the operations of a run
 *
 * A worker is a task with something to do. Workers are dealt out over pinned
 * threads, one a core (more threads than cores wrap around); a thread lets each
 * of its workers do `switch_every` operations in turn, between operations, until
 * all are done or the time is up. With os_threads each worker has its own thread.
 *
 * Threads are registered with the cache, wait for each other behind a barrier
 * (offline: no thread waits while online under urcu-qsbr), and read their clocks
 * outside the loop only.
 */
#ifndef BENCH_CREW_H
#define BENCH_CREW_H

#include <stdatomic.h>

#include "bench/sut.h"
#include "rng.h"

struct worker {
	/* Given by the workload. */
	struct dcs_task *task;
	stat_fn *stat;
	const struct plan *plan; /* what turn_plan() does; a turn of one's own may do without */
	uint64_t loops;		 /* passes of a run over the plan; 0: until the time is up */
	unsigned flags;		 /* of each stat */
	void *own;
	/* The state of a run; crew_run() zeroes it and numbers the workers. */
	unsigned id;
	size_t at;	/* the next step */
	uint64_t pass;	/* passes done */
	uint64_t ops;	/* operations done */
	uint64_t wrong; /* answers that were not what they had to be */
} __attribute__((aligned(128)));

/*
 * Does up to @n operations of @w, counts them in w->ops and wrong answers in
 * w->wrong. Returns false when @w has nothing more to do.
 */
typedef bool turn_fn(struct worker *w, uint64_t n);

/* Walks w->plan, w->loops times: what most workloads want. */
turn_fn turn_plan;

/* A thread beside the workers, a paced writer say: not timed, unpinned, registered and online. */
struct side {
	/* Runs until @stop is set; sleeps offline. Returns 0, or nonzero: the run has failed. */
	int (*main)(struct side *side, const atomic_bool *stop);
	struct dcs_cache *cache; /* set by crew_run(); may be NULL */
	void *own;
	int result;
};

struct crew {
	struct sut *sut;
	unsigned threads;
	unsigned n_workers;
	struct worker *worker; /* crew_workers() */
	turn_fn *turn;	       /* NULL: turn_plan */
	uint64_t switch_every;
	uint64_t placement; /* of stacks: mem/placement.h */
	bool os_threads;
	double duration; /* seconds; 0: until the workers are done */
	unsigned n_sides;
	struct side *side;
};

#define BENCH_MEASURES 12

/* What a run gave. */
struct sample {
	double wall; /* seconds, from the first start to the last end */
	double cpu;  /* seconds, of all the crew's threads; sides apart */
	uint64_t ops, wrong;
	uint64_t least, most;		/* operations of the worker with fewest and most */
	struct dcs_counters counters;	/* of the cache, during this run */
	double value;			/* in the cell's unit: what is compared */
	double measure[BENCH_MEASURES]; /* the workload's own, as named by bench_measure_name() */
};

/* @n zeroed workers, aligned; free() gives them back. */
struct worker *crew_workers(unsigned n);

/*
 * One run. Sets all of @s but measure; value is nanoseconds an operation and
 * thread. Returns 0, or a negative errno where threads cannot be had or a side failed.
 */
int crew_run(struct crew *crew, struct sample *s);

/* The same run over stat_null: processor seconds of the workload's own loop (`user`). */
int crew_user(struct crew *crew, double *cpu);

/* Calls @call with the stack moved up by whole lines within a page, as @placement has it. */
void *crew_call_placed(uint64_t placement, unsigned thread, void *(*call)(void *), void *arg);

unsigned crew_cores(void); /* that this process may use */

#endif
