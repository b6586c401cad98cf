/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rcu.h - read sides and grace periods, one flavour a cache
 *
 * A flavour is a file of this folder that fills a struct rcu_flavour, and a case
 * in rcu_enter() and rcu_exit(), which bracket a whole operation: the read side
 * is inlined, the rest is called. Nothing else of the core names a flavour.
 *
 * Order: what a reader did in its section happens before the callback of
 * whatever was deferred while the section was open.
 *
 * ThreadSanitizer sees no edge through liburcu, whose read side is not inlined for
 * it, and through libck; the functions below state them, here and nowhere else.
 */
#ifndef RCU_RCU_H
#define RCU_RCU_H

#include <pthread.h>
#include <time.h>

#include "mem/mem.h"

/*
 * Inline the read side. Not for sanitizers and analysers: they would see half of it, and that
 * liburcu 0.13 puts urcu-bp's readers 32 bytes off the alignment that it declares.
 */
#if !MEM_TSAN && !MEM_ASAN && !defined(__clang_analyzer__)
#define _LGPL_SOURCE
#endif
#include <urcu/urcu-bp.h>
#include <urcu/urcu-memb.h>
#include <urcu/urcu-qsbr.h>

#include "rcu/ck-epoch.h"

enum rcu_id { RCU_URCU_MEMB, RCU_URCU_QSBR, RCU_URCU_BP, RCU_CK_EPOCH };

/* Lies in whatever is freed after a grace period. */
union rcu_node {
	struct rcu_head urcu;
	ck_epoch_entry_t ck;
	void *room[2];
};

typedef void rcu_callback(union rcu_node *node);

struct rcu_flavour {
	enum rcu_id id;
	const char *name, *description;
	void (*start)(void); /* see rcu_flavour_start() */
	void (*register_thread)(void);
	void (*unregister_thread)(void);
	void (*offline)(void); /* around a wait: the thread reads nothing meanwhile */
	void (*online)(void);
	void (*defer)(union rcu_node *node, rcu_callback *callback);
	void (*barrier)(void); /* see rcu_wait() */
	/* Processor time of the whole process that went into reclamation, in ns. */
	uint64_t (*reclaim_ns)(void);
};

extern const struct rcu_flavour rcu_urcu_memb, rcu_urcu_qsbr, rcu_urcu_bp, rcu_ck_epoch;
extern const struct rcu_flavour *const rcu_flavours[]; /* ends with NULL; first is the default */

/*
 * Starts the thread that runs callbacks, if it does not run: before there is anything to
 * defer, since liburcu ends the program where it cannot. Returns 0 or -EAGAIN.
 */
int rcu_flavour_start(const struct rcu_flavour *rcu);

/* Nanoseconds by a clock; processor time of a thread. */
uint64_t rcu_clock(clockid_t clock);
uint64_t rcu_thread_ns(pthread_t thread);

extern char rcu_grace_edge; /* an address, for ThreadSanitizer */

static force_inline void rcu_enter(enum rcu_id id)
{
	switch (id) {
	case RCU_URCU_MEMB:
		urcu_memb_read_lock();
		break;
	case RCU_URCU_QSBR:
		break;
	case RCU_URCU_BP:
		urcu_bp_read_lock();
		break;
	case RCU_CK_EPOCH:
		ck_enter();
		break;
	}
}

/* Under urcu-qsbr the end of an operation is the quiescent state. */
static force_inline void rcu_exit(enum rcu_id id)
{
	memory_release(&rcu_grace_edge);
	switch (id) {
	case RCU_URCU_MEMB:
		urcu_memb_read_unlock();
		break;
	case RCU_URCU_QSBR:
		urcu_qsbr_quiescent_state();
		break;
	case RCU_URCU_BP:
		urcu_bp_read_unlock();
		break;
	case RCU_CK_EPOCH:
		ck_exit();
		break;
	}
}

static inline void rcu_defer(const struct rcu_flavour *rcu, union rcu_node *node,
			     rcu_callback *callback)
{
#ifdef DCS_MUTANT_EARLY_FREE
	(void)rcu;
	callback(node);
#else
	memory_release(node);
	rcu->defer(node, callback);
#endif
}

/* The first thing that a callback does. */
static inline void rcu_callback_begin(union rcu_node *node)
{
#ifndef DCS_MUTANT_EARLY_FREE
	memory_acquire(node);
	memory_acquire(&rcu_grace_edge);
#else
	(void)node;
#endif
}

/* Around whatever sleeps, in an open section: what is to outlast it is held by reference. */
static inline void rcu_sleep_begin(const struct rcu_flavour *rcu)
{
	rcu_exit(rcu->id);
	rcu->offline();
}

static inline void rcu_sleep_end(const struct rcu_flavour *rcu)
{
	rcu->online();
	rcu_enter(rcu->id);
}

#if MEM_TSAN
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
#endif

/* Waits for every callback deferred before; sleeps. What liburcu allocates for it is its own. */
static inline void rcu_wait(const struct rcu_flavour *rcu)
{
#if MEM_TSAN
	AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
	rcu->barrier();
	AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
#else
	rcu->barrier();
#endif
}

#endif
