// SPDX-License-Identifier: LGPL-2.1-or-later
/* crew.c - threads, pinned, started together, and their clocks */
#include "bench/crew.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/options.h"
#include "mem/placement.h"

/* All hands arrive, then the door opens, or it is called off because a hand is missing. */
struct gate {
	pthread_mutex_t lock;
	pthread_cond_t moved;
	unsigned arrived;
	enum { SHUT, OPEN, CALLED_OFF } state;
};

struct hand { /* a thread of the crew */
	pthread_t thread;
	struct run *run;
	struct side *side; /* or NULL: does workers first, first + step, ... */
	unsigned first, step, core;
	int err;
	double begin, end, cpu;
} __attribute__((aligned(128)));

struct run {
	struct crew *crew;
	turn_fn *turn;
	struct gate gate;
	atomic_bool stop __attribute__((aligned(128))); /* time is up */
	atomic_bool stop_sides;
};

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

unsigned crew_cores(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 : (unsigned)CPU_COUNT(&set);
}

/* Pins to the @nth core that the process may use; without effect where that is refused. */
static void pin(unsigned nth)
{
	cpu_set_t allowed, one;

	if (sched_getaffinity(getpid(), sizeof(allowed), &allowed))
		return;
	for (int core = 0; core < CPU_SETSIZE; core++) {
		if (!CPU_ISSET(core, &allowed) || nth--)
			continue;
		CPU_ZERO(&one);
		CPU_SET(core, &one);
		pthread_setaffinity_np(pthread_self(), sizeof(one), &one);
		return;
	}
}

static bool gate_pass(struct gate *g)
{
	bool open;

	pthread_mutex_lock(&g->lock);
	g->arrived++;
	pthread_cond_broadcast(&g->moved);
	while (g->state == SHUT)
		pthread_cond_wait(&g->moved, &g->lock);
	open = g->state == OPEN;
	pthread_mutex_unlock(&g->lock);
	return open;
}

static void gate_open(struct gate *g, unsigned expected, bool off)
{
	pthread_mutex_lock(&g->lock);
	while (g->arrived < expected)
		pthread_cond_wait(&g->moved, &g->lock);
	g->state = off ? CALLED_OFF : OPEN;
	pthread_cond_broadcast(&g->moved);
	pthread_mutex_unlock(&g->lock);
}

bool turn_plan(struct worker *w, uint64_t n)
{
	const struct step *step = w->plan->step;
	size_t at = w->at, end = w->plan->n;
	uint64_t wrong = 0, left = n;
	stat_fn *stat = w->stat;
	bool more = end > 0;

	while (more && left) {
		size_t stop = end - at < left ? end : at + left;

		left -= stop - at;
		for (; at < stop; at++)
			wrong += sut_ask(stat, w->task, step[at].path, w->flags) != step[at].want;
		if (at == end) {
			at = 0;
			more = ++w->pass != w->loops;
		}
	}
	w->at = at;
	w->ops += n - left;
	w->wrong += wrong;
	return more;
}

/* Gives each worker of the hand its turn until all are done or the time is up. */
static void take_turns(struct hand *h, struct worker **mine)
{
	const struct crew *crew = h->run->crew;
	turn_fn *turn = h->run->turn;
	unsigned n = 0;

	for (unsigned i = h->first; i < crew->n_workers; i += h->step)
		mine[n++] = &crew->worker[i];
	while (n && !atomic_load_explicit(&h->run->stop, memory_order_relaxed)) {
		unsigned kept = 0;

		for (unsigned i = 0; i < n; i++)
			if (turn(mine[i], crew->switch_every))
				mine[kept++] = mine[i];
		n = kept;
	}
}

static void work(struct hand *h)
{
	struct worker **mine = calloc(h->run->crew->n_workers / h->step + 1, sizeof(*mine));
	struct dcs_cache *cache = h->run->crew->sut->cache;
	double cpu;

	if (!mine)
		h->err = -ENOMEM;
	if (cache)
		dcs_thread_offline(cache);
	if (gate_pass(&h->run->gate) && mine) {
		if (cache)
			dcs_thread_online(cache);
		cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
		h->begin = seconds(CLOCK_MONOTONIC);
		take_turns(h, mine);
		h->end = seconds(CLOCK_MONOTONIC);
		h->cpu = seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
	} else if (cache) {
		dcs_thread_online(cache);
	}
	free(mine);
}

static void stand_aside(struct hand *h)
{
	struct dcs_cache *cache = h->run->crew->sut->cache;
	bool open;

	h->side->cache = cache;
	if (cache)
		dcs_thread_offline(cache);
	open = gate_pass(&h->run->gate);
	if (cache)
		dcs_thread_online(cache);
	if (open)
		h->side->result = h->side->main(h->side, &h->run->stop_sides);
}

static void *hand_work(void *arg)
{
	struct hand *h = arg;
	struct dcs_cache *cache = h->run->crew->sut->cache;

	if (!h->side)
		pin(h->core);
	h->err = cache ? dcs_thread_register(cache) : 0;
	if (h->err) {
		gate_pass(&h->run->gate);
		return NULL;
	}
	if (h->side)
		stand_aside(h);
	else
		work(h);
	if (cache)
		dcs_thread_unregister(cache);
	return NULL;
}

void *crew_call_placed(uint64_t placement, unsigned thread, void *(*call)(void *), void *arg)
{
	size_t shift = placement_shift(placement, PLACED_STACK, thread, PLACEMENT_PAGE);
	volatile char *room = __builtin_alloca(shift + 1);
	void *result;

	room[0] = 0;
	result = call(arg);
	room[shift] = 0; /* the room is held to here */
	return result;
}

static void *hand_main(void *arg)
{
	struct hand *h = arg;

	return crew_call_placed(h->run->crew->placement, 1 + h->first, hand_work, h);
}

static void sleep_until(double t)
{
	struct timespec until = {.tv_sec = (time_t)t};

	until.tv_nsec = (long)((t - (double)until.tv_sec) * 1e9);
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

/* Starts @n hands, runs them to the end. Returns the first error. */
static int run_hands(struct run *run, struct hand *hand, unsigned n)
{
	const struct crew *crew = run->crew;
	unsigned started = 0;
	int err = 0;

	for (; started < n && !err; started += !err)
		err = -pthread_create(&hand[started].thread, NULL, hand_main, &hand[started]);
	gate_open(&run->gate, started, err);
	if (crew->duration > 0 && !err)
		sleep_until(seconds(CLOCK_MONOTONIC) + crew->duration);
	if (crew->duration > 0)
		atomic_store(&run->stop, true);
	for (unsigned i = crew->n_sides; i < started; i++)
		pthread_join(hand[i].thread, NULL);
	atomic_store(&run->stop_sides, true);
	for (unsigned i = 0; i < crew->n_sides && i < started; i++)
		pthread_join(hand[i].thread, NULL);
	for (unsigned i = 0; i < started && !err; i++)
		err = hand[i].err ? hand[i].err : hand[i].side && hand[i].side->result ? -EIO : 0;
	return err;
}

/* lstat(2) goes by the process's cwd, as git's threads do. Returns what to go back to, or -1. */
static int go_to(const struct sut *sut)
{
	int back;

	if (sut->dir < 0)
		return -1;
	back = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (back < 0 || fchdir(sut->dir))
		fail(EXIT_LACKS, "cannot change the working directory: %s", strerror(errno));
	return back;
}

static void go_back(int back)
{
	if (back < 0)
		return;
	if (fchdir(back))
		fail(EXIT_LACKS, "cannot go back to the working directory: %s", strerror(errno));
	close(back);
}

/* All counters of a cache are sums of uint64_t, so their difference can be taken by index. */
_Static_assert(sizeof(struct dcs_counters) % sizeof(uint64_t) == 0, "counters are uint64_t");

static void counters_since(struct dcs_cache *cache, const struct dcs_counters *before,
			   struct dcs_counters *since)
{
	const uint64_t *b = (const uint64_t *)before;
	uint64_t *s = (uint64_t *)since;

	if (!cache)
		return;
	dcs_counters(cache, since);
	for (size_t i = 0; i < sizeof(*since) / sizeof(*s); i++)
		s[i] -= b[i];
}

static void sum_up(const struct crew *crew, const struct hand *hand, unsigned hands,
		   unsigned working, struct sample *s)
{
	double begin = 0, end = 0;

	for (unsigned i = crew->n_sides; i < hands; i++) {
		const struct hand *h = &hand[i];

		if (i == crew->n_sides || h->begin < begin)
			begin = h->begin;
		if (h->end > end)
			end = h->end;
		s->cpu += h->cpu;
	}
	s->wall = end - begin;
	s->least = UINT64_MAX;
	for (unsigned i = 0; i < crew->n_workers; i++) {
		const struct worker *w = &crew->worker[i];

		s->ops += w->ops;
		s->wrong += w->wrong;
		s->least = w->ops < s->least ? w->ops : s->least;
		s->most = w->ops > s->most ? w->ops : s->most;
	}
	s->value = s->ops ? s->wall * 1e9 * working / (double)s->ops : 0;
}

static void deal(struct run *run, struct hand *hand, unsigned hands)
{
	struct crew *crew = run->crew;
	unsigned cores = crew_cores(), used = crew->os_threads ? crew->threads : cores;

	if (used > cores)
		used = cores;
	for (unsigned i = 0; i < hands; i++) {
		hand[i].run = run;
		if (i < crew->n_sides) {
			hand[i].side = &crew->side[i];
			continue;
		}
		hand[i].first = i - crew->n_sides;
		hand[i].step = hands - crew->n_sides;
		hand[i].core = hand[i].first % used;
	}
	for (unsigned i = 0; i < crew->n_workers; i++) {
		struct worker *w = &crew->worker[i];

		w->id = i;
		w->at = 0;
		w->pass = w->ops = w->wrong = 0;
	}
}

#define YIELD_AFTER 128 /* pauses: some microseconds */

int crew_run(struct crew *crew, struct sample *s)
{
	struct run run = {.crew = crew, .turn = crew->turn ? crew->turn : turn_plan};
	unsigned threads = crew->os_threads ? crew->n_workers : crew->threads;
	struct dcs_counters before;
	unsigned hands, working;
	struct hand *hand;
	int err, back;

	if (threads > crew->n_workers)
		threads = crew->n_workers;
	/* Who is waited for may have no core. */
	dcs_yield_after(crew->os_threads ? YIELD_AFTER : 0);
	working = threads < crew->threads ? threads : crew->threads;
	hands = threads + crew->n_sides;
	hand = aligned_alloc(128, (hands + !hands) * sizeof(*hand));
	if (!hand)
		return -ENOMEM;
	memset(hand, 0, hands * sizeof(*hand));
	pthread_mutex_init(&run.gate.lock, NULL);
	pthread_cond_init(&run.gate.moved, NULL);
	deal(&run, hand, hands);
	*s = (struct sample){0};
	if (crew->sut->cache)
		dcs_counters(crew->sut->cache, &before);
	back = go_to(crew->sut);
	err = run_hands(&run, hand, hands);
	go_back(back);
	counters_since(crew->sut->cache, &before, &s->counters);
	sum_up(crew, hand, hands, working, s);
	pthread_cond_destroy(&run.gate.moved);
	pthread_mutex_destroy(&run.gate.lock);
	free(hand);
	return err;
}

int crew_user(struct crew *crew, double *cpu)
{
	stat_fn **real = calloc(crew->n_workers + 1, sizeof(*real));
	struct sample s;
	int err;

	if (!real)
		return -ENOMEM;
	for (unsigned i = 0; i < crew->n_workers; i++) {
		real[i] = crew->worker[i].stat;
		crew->worker[i].stat = stat_null;
	}
	err = crew_run(crew, &s);
	for (unsigned i = 0; i < crew->n_workers; i++)
		crew->worker[i].stat = real[i];
	*cpu = s.cpu;
	free(real);
	return err;
}

struct worker *crew_workers(unsigned n)
{
	struct worker *w = aligned_alloc(128, (n + !n) * sizeof(*w));

	if (!w)
		fail(EXIT_LACKS, "out of memory");
	memset(w, 0, n * sizeof(*w));
	return w;
}
