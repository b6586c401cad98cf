/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * backlog.h - what a cache has deferred and not been given back yet: bounded, and timed
 *
 * Whoever changes a cache comes by backlog_check() at the end, and goes on when it has seen
 * no more than @limit objects wait for reclamation. So no more do than that, what each
 * thread's one operation defers, and a probe; a reader that blocks holds up those who change,
 * not memory. What defers many in one operation comes by in between; a directory that is
 * removed lets its unused names go at once.
 *
 * A grace period is timed by a probe, an object that is deferred like any other by who
 * comes by while none is on its way: what it takes from there to its callback is what
 * memory waits. Clocks are read for that and for waits, and for nothing else.
 */
#ifndef RCU_BACKLOG_H
#define RCU_BACKLOG_H

#include "rcu/rcu.h"

struct probe {
	union rcu_node node;
	uint64_t began;
	uint32_t on_its_way;
	uint64_t n, ns, longest; /* written by the callback alone */
};

struct backlog {
	const struct rcu_flavour *rcu;
	uint64_t limit;
	uint64_t pending on_own_line; /* deferred, and not freed yet */
	uint64_t peak;		      /* the most that it was */
	uint64_t waits, wait_ns;
	struct probe probe on_own_line;
};

static inline uint64_t backlog_clock(void)
{
	return rcu_clock(CLOCK_MONOTONIC);
}

static inline void backlog_defer(struct backlog *b, union rcu_node *node, rcu_callback *callback)
{
	uint64_t pending = fetch_add_relaxed(&b->pending, 1) + 1, peak = load_relaxed(&b->peak);

	while (pending > peak && !cas_acq_rel(&b->peak, &peak, pending))
		;
	rcu_defer(b->rcu, node, callback);
}

/* order: freed: pairs with pending. Behind it a callback touches nothing of the cache. */
static inline void backlog_freed(struct backlog *b)
{
	fetch_add_release(&b->pending, (uint64_t)-1);
}

/*
 * How much waits for a grace period. It is one count: of two that are read in turn, a thread
 * that loses its core in between would make a backlog that never was.
 * order: pending: pairs with freed. Without it a cache that looks at rest could be given
 * back under the last callback.
 */
static inline uint64_t backlog_pending(const struct backlog *b)
{
	return load_acquire(&b->pending);
}

static inline void probe_arrived(union rcu_node *node)
{
	struct probe *p = (struct probe *)((char *)node - offsetof(struct probe, node));
	struct backlog *b = (struct backlog *)((char *)p - offsetof(struct backlog, probe));
	uint64_t ns;

	rcu_callback_begin(node);
	ns = backlog_clock() - p->began;
	store_relaxed(&p->n, p->n + 1);
	store_relaxed(&p->ns, p->ns + ns);
	if (ns > p->longest)
		store_relaxed(&p->longest, ns);
	/* order: probe-back: pairs with probe-go. The next one's start is not mixed with this. */
	store_release(&p->on_its_way, 0);
	backlog_freed(b);
}

static inline void probe_send(struct backlog *b)
{
	struct probe *p = &b->probe;
	uint32_t idle = 0;

	/* order: probe-go: pairs with probe-back. */
	if (load_relaxed(&p->on_its_way) || !cas_acq_rel(&p->on_its_way, &idle, 1))
		return;
	p->began = backlog_clock();
	backlog_defer(b, &p->node, probe_arrived);
}

/*
 * Once is not enough: under ck-epoch another waiter may have taken all that is pending and
 * not freed it yet, and others defer meanwhile.
 */
static inline void backlog_wait(struct backlog *b)
{
	uint64_t began = backlog_clock();

	rcu_sleep_begin(b->rcu);
	do
		rcu_wait(b->rcu);
	while (backlog_pending(b) > b->limit);
	rcu_sleep_end(b->rcu);
	fetch_add_relaxed(&b->waits, 1);
	fetch_add_relaxed(&b->wait_ns, backlog_clock() - began);
}

/*
 * Behind what may have deferred something, in a section, holding no spinlock. May sleep: what
 * is to outlast it is held by reference.
 */
static inline void backlog_check(struct backlog *b)
{
	if (!backlog_pending(b))
		return;
	probe_send(b);
	if (unlikely(backlog_pending(b) > b->limit))
		backlog_wait(b);
}

#endif
