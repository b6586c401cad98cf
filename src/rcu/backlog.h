/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * backlog.h - what a cache has deferred and not been given back yet: bounded, and timed
 *
 * Whoever changes a cache comes by backlog_check() at the end, and waits for reclamation
 * where more than @limit objects wait for it. So no more do than that, and what each thread's
 * one operation defers; a reader that blocks holds up those who change, not memory.
 *
 * A grace period is timed by a probe, an object that is deferred like any other by who
 * comes by while none is on its way: what it takes from there to its callback is what
 * memory waits. Clocks are read for that and for waits, and for nothing else.
 */
#ifndef RCU_BACKLOG_H
#define RCU_BACKLOG_H

#include <time.h>

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
	uint64_t deferred on_own_line;
	uint64_t freed;
	uint64_t peak; /* that somebody saw */
	uint64_t waits, wait_ns;
	struct probe probe on_own_line;
};

static inline uint64_t backlog_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static inline void backlog_defer(struct backlog *b, union rcu_node *node, rcu_callback *callback)
{
	fetch_add_relaxed(&b->deferred, 1);
	rcu_defer(b->rcu, node, callback);
}

/* order: freed: pairs with pending. Behind it a callback touches nothing of the cache. */
static inline void backlog_freed(struct backlog *b)
{
	fetch_add_release(&b->freed, 1);
}

/*
 * How much waits for a grace period. What was freed is counted first, so that what is
 * deferred and freed meanwhile hides nothing.
 * order: pending: pairs with freed. Without it a cache that looks at rest could be given
 * back under the last callback.
 */
static inline uint64_t backlog_pending(const struct backlog *b)
{
	uint64_t freed = load_acquire(&b->freed);

	return load_relaxed(&b->deferred) - freed;
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

/* Outside of any section, holding no lock. */
static inline void backlog_wait(struct backlog *b)
{
	uint64_t began = backlog_clock();

	rcu_wait(b->rcu);
	fetch_add_relaxed(&b->waits, 1);
	fetch_add_relaxed(&b->wait_ns, backlog_clock() - began);
}

/* At the end of what may have deferred something, in a section, holding no lock. May sleep. */
static inline void backlog_check(struct backlog *b)
{
	uint64_t pending = backlog_pending(b);

	if (!pending)
		return;
	if (pending > load_relaxed(&b->peak))
		store_relaxed(&b->peak, pending);
	probe_send(b);
	if (unlikely(pending > b->limit)) {
		rcu_sleep_begin(b->rcu);
		backlog_wait(b);
		rcu_sleep_end(b->rcu);
	}
}

#endif
