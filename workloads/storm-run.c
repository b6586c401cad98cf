/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * storm-run.c - the runs of statstorm
 *
 * Each thread has one task and a plan, which it walks over and over. Before a
 * run's clock starts each walks its plan once: every path of it is then in the
 * cache, missing ones as negative dentries, and every answer has been checked
 * once. Rates and latencies come from different runs.
 */
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "storm.h"

unsigned storm_least, storm_most, storm_renames, storm_moved;

void *storm_allocate(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		fail(EXIT_LACKS, "out of memory");
	return p;
}

void storm_check(int err, const char *what)
{
	if (err)
		fail(err == -ENOMEM ? EXIT_LACKS : EXIT_WRONG, "statstorm: %s: %s", what,
		     strerror(-err));
}

/* As turn_plan(), with two right answers for a step, and single calls timed. */
static bool turn_watched(struct worker *w, uint64_t n)
{
	struct reader *reader = w->own;
	const struct plan *plan = w->plan;
	struct sampler *sampler = reader->sampler;

	for (; n; n--) {
		const struct step *step = &plan->step[w->at];
		bool timed = sampler && sampler_picks(sampler);
		uint64_t start = timed ? sampler_clock() : 0;
		uint64_t ino = sut_ask(w->stat, w->task, step->path, w->flags);

		if (timed)
			sampler_take(sampler, sampler_clock() - start);
		if (ino != step->want) {
			bool moved = reader->other && ino == reader->other[w->at];

			reader->moved += moved;
			w->wrong += !moved;
		}
		w->ops++;
		if (++w->at == plan->n) {
			w->at = 0;
			if (++w->pass == w->loops)
				return false;
		}
	}
	return true;
}

static void make_plan(const struct cell *cell, unsigned thread, struct reader *reader)
{
	const struct storm_cell *own = cell->own;
	const struct pool *pool = own->pool;
	const struct choice choice = {
		.scope = pool->scope,
		.order = pool->order,
		.exponent = own->storm->zipf,
		.seed = cell->bench->opt->seed,
		.names = pool->one_each ? cell->threads : pool->n,
		.threads = cell->threads,
	};
	size_t n = choose_count(&choice, thread);
	uint32_t *chosen = storm_allocate(n, sizeof(*chosen));
	struct rng rng = rng_new(choice.seed + 1, pool->scope == SCOPE_SHARED ? 0 : thread);
	char missing[DCS_PATH_MAX];

	storm_check(choose(&choice, thread, chosen), "cannot choose names");
	reader->plan = plan_new(cell->sut);
	if (own->twin)
		reader->other = storm_allocate(n, sizeof(*reader->other));
	for (size_t i = 0; i < n; i++) {
		uint32_t name = pool->name[chosen[i]];

		if (rng_below(&rng, 100) < own->storm->misses) {
			names_unused(cell->sut->tree, name, "~", missing);
			plan_path(reader->plan, missing, 0);
		} else {
			plan_entry(reader->plan, name);
			if (own->twin)
				reader->other[i] = own->twin[name];
		}
	}
	plan_seal(reader->plan);
	free(chosen);
}

/* Plans are made when all cells are: until then, directories may still get twins. */
static void make_plans(struct cell *cell)
{
	struct storm_cell *own = cell->own;

	if (own->reader)
		return;
	own->reader = aligned_alloc(128, cell->threads * sizeof(*own->reader));
	if (!own->reader)
		storm_check(-ENOMEM, "readers");
	memset(own->reader, 0, cell->threads * sizeof(*own->reader));
	for (unsigned i = 0; i < cell->threads; i++)
		make_plan(cell, i, &own->reader[i]);
}

static struct worker *hire(struct cell *cell)
{
	const struct storm_cell *own = cell->own;
	struct worker *worker = crew_workers(cell->threads);
	bool shared = !strcmp(own->storm->cwd, "shared");
	unsigned flags = shared ? DCS_SHARE_FS : 0;

	for (unsigned i = 0; i < cell->threads; i++) {
		struct worker *w = &worker[i];

		storm_check(sut_task(cell->sut, shared ? cell->sut->root : NULL, flags, &w->task),
			    "cannot make a task");
		w->stat = cell->sut->stat;
		w->plan = own->reader[i].plan;
		w->flags = DCS_NOFOLLOW | DCS_PADDED;
		w->own = &own->reader[i];
	}
	return worker;
}

static void dismiss(struct cell *cell, struct worker *worker)
{
	for (unsigned i = 0; i < cell->threads; i++)
		sut_task_free(cell->sut, worker[i].task);
	free(worker);
}

static int pass_once(struct crew *crew, uint64_t *wrong)
{
	struct crew once = *crew;
	struct sample s;
	int err;

	for (unsigned i = 0; i < crew->n_workers; i++)
		crew->worker[i].loops = 1;
	once.duration = 0;
	once.n_sides = 0;
	err = crew_run(&once, &s);
	*wrong = s.wrong;
	return err;
}

/* Fails where a writer did, or did nothing: what it costs was not paid then. */
static void check_writers(const struct storm_cell *own)
{
	for (unsigned i = 0; i < own->n_writers; i++) {
		storm_check(own->writer[i].err, "a writer's rename failed");
		if (!own->writer[i].made)
			fail(EXIT_WRONG, "statstorm: a writer made no rename in a run: give it a "
					 "longer --duration");
	}
}

int storm_run(struct cell *cell, struct sample *s)
{
	struct storm_cell *own = cell->own;
	struct side side[STORM_WRITERS];
	const struct options *opt = cell->bench->opt;
	struct worker *worker;
	struct crew crew;
	uint64_t wrong, renames = 0, moved = 0;
	int err;

	make_plans(cell);
	worker = hire(cell);
	crew = bench_crew(cell, cell->threads, worker);
	if (own->twin || own->reader[0].sampler)
		crew.turn = turn_watched;
	crew.side = side;
	crew.n_sides = own->n_writers;
	for (unsigned i = 0; i < own->n_writers; i++)
		side[i] = (struct side){.main = writer_main, .own = &own->writer[i]};
	err = pass_once(&crew, &wrong);
	for (unsigned i = 0; i < cell->threads; i++) {
		worker[i].loops = opt->duration > 0 ? 0 : opt->loops;
		own->reader[i].moved = 0;
	}
	if (!err)
		err = crew_run(&crew, s);
	dismiss(cell, worker);
	if (!err || err == -EIO)
		check_writers(own);
	if (err)
		return err;
	s->wrong += wrong;
	for (unsigned i = 0; i < own->n_writers; i++)
		renames += own->writer[i].made;
	for (unsigned i = 0; i < cell->threads; i++)
		moved += own->reader[i].moved;
	s->measure[storm_least] = (double)s->least / s->wall * 1e-6;
	s->measure[storm_most] = (double)s->most / s->wall * 1e-6;
	s->measure[storm_renames] = (double)renames / s->wall;
	s->measure[storm_moved] = s->ops ? 100 * (double)moved / (double)s->ops : 0;
	return 0;
}

/* One more run, in which calls are timed. */
void storm_latency(struct cell *cell)
{
	struct storm_cell *own = cell->own;
	struct sampler **sampler = storm_allocate(cell->threads, sizeof(struct sampler *));
	struct sample s = {0};

	for (unsigned i = 0; i < cell->threads; i++) {
		sampler[i] = storm_allocate(1, sizeof(**sampler));
		sampler_start(sampler[i], own->storm->sample, cell->bench->opt->seed, i);
		own->reader[i].sampler = sampler[i];
	}
	storm_check(storm_run(cell, &s), "a sampled run failed");
	if (s.wrong)
		fail(EXIT_WRONG, "statstorm: %s: %llu wrong answers in a sampled run",
		     cell->sut->walk, (unsigned long long)s.wrong);
	storm_check(sampler_read(sampler, cell->threads, &own->latency), "no latencies");
	for (unsigned i = 0; i < cell->threads; i++) {
		own->reader[i].sampler = NULL;
		free(sampler[i]);
	}
	free(sampler);
	bench_figure(cell, "p50", own->latency.p50);
	bench_figure(cell, "p90", own->latency.p90);
	bench_figure(cell, "p99", own->latency.p99);
	bench_figure(cell, "latency samples", (double)own->latency.n);
}

void storm_measures(struct bench *b)
{
	storm_least = bench_measure_name(b, "least", "Mops/s");
	storm_most = bench_measure_name(b, "most", "Mops/s");
	storm_renames = bench_measure_name(b, "renames", "1/s");
	storm_moved = bench_measure_name(b, "moved", "%");
}

void storm_free(struct cell *cell)
{
	struct storm_cell *own = cell->own;

	for (unsigned i = 0; own->reader && i < cell->threads; i++) {
		plan_free(own->reader[i].plan);
		free(own->reader[i].other);
	}
	for (unsigned i = 0; i < own->n_writers; i++)
		writer_free(&own->writer[i], cell->sut);
	free(own->reader);
	free(own->writer);
	free(own);
}
