/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mem.h - the verbs for shared memory, with the memory order in the name
 *
 * Whatever one thread writes while another may read it without a lock goes
 * through these. What a lock protects on both sides stays plain, so that a race
 * detector sees misuse. They are __atomic builtins and nothing else.
 *
 * ThreadSanitizer does not model fences and dependencies; there they are acquire
 * loads. That is enough, since all that is read between two looks at a sequence
 * count is read with verbs.
 */
#ifndef MEM_MEM_H
#define MEM_MEM_H

#include <stddef.h>
#include <stdint.h>

#if defined(__SANITIZE_THREAD__)
#define MEM_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define MEM_TSAN 1
#endif
#endif
#ifndef MEM_TSAN
#define MEM_TSAN 0
#endif

#if defined(__SANITIZE_ADDRESS__)
#define MEM_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MEM_ASAN 1
#endif
#endif
#ifndef MEM_ASAN
#define MEM_ASAN 0
#endif

#define MEM_LINE 64 /* bytes that move between caches together */

#define likely(x)    __builtin_expect(!!(x), 1)
#define unlikely(x)  __builtin_expect(!!(x), 0)
#define force_inline inline __attribute__((always_inline))
#define on_own_line  __attribute__((aligned(MEM_LINE)))

#define load_relaxed(p)		__atomic_load_n(p, __ATOMIC_RELAXED)
#define load_acquire(p)		__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define store_relaxed(p, v)	__atomic_store_n(p, v, __ATOMIC_RELAXED)
#define store_release(p, v)	__atomic_store_n(p, v, __ATOMIC_RELEASE)
#define fetch_add_relaxed(p, v) __atomic_fetch_add(p, v, __ATOMIC_RELAXED)
#define fetch_add_release(p, v) __atomic_fetch_add(p, v, __ATOMIC_RELEASE)
#define sub_fetch_acq_rel(p, v) __atomic_sub_fetch(p, v, __ATOMIC_ACQ_REL)

/* Returns whether *p was *old and is now new; else *old is what it was. */
#define cas_acq_rel(p, old, new) \
	__atomic_compare_exchange_n(p, old, new, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)

#if MEM_TSAN
#define load_dependent(p)   load_acquire(p)
#define load_after_loads(p) load_acquire(p)
#else
/* A pointer through which the loads that follow go: ordered by the address dependency. */
#define load_dependent(p)   load_relaxed(p)
/* A load ordered behind all loads before it. */
#define load_after_loads(p) (__atomic_thread_fence(__ATOMIC_ACQUIRE), load_relaxed(p))
#endif

/* A counter that one thread at a time adds to and any thread may read. */
#define count_add(p, n) store_relaxed(p, *(p) + (n))

/*
 * The edges that ThreadSanitizer cannot see, since liburcu is not built with it:
 * memory_release(x) in one thread is ordered before memory_acquire(x) in another.
 */
#if MEM_TSAN
void __tsan_acquire(void *addr);
void __tsan_release(void *addr);
#define memory_acquire(x) __tsan_acquire(x)
#define memory_release(x) __tsan_release(x)
#else
#define memory_acquire(x) ((void)(x))
#define memory_release(x) ((void)(x))
#endif

/*
 * Where it matters that a thread can lose its core: tests build the core so that it
 * does now and then, and interleavings that are rare become frequent.
 */
#ifdef DCS_PREEMPT
void preempt_point(void);
#else
#define preempt_point() ((void)0)
#endif

#endif
