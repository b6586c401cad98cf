/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sleep.h - sleeping locks: of a directory, and of renames between directories
 *
 * A thread that has to wait leaves its read-side section and is offline
 * meanwhile, so that a waiter holds no grace period up. So whoever takes a sleeping
 * lock holds what it needs by reference, not by RCU.
 */
#ifndef LOCK_SLEEP_H
#define LOCK_SLEEP_H

#include <pthread.h>
#include <sched.h>

#include "rcu/rcu.h"

struct sleep_lock {
	pthread_mutex_t mutex;
};

static inline void sleep_lock_init(struct sleep_lock *lock)
{
	pthread_mutex_init(&lock->mutex, NULL);
}

static inline void sleep_lock_destroy(struct sleep_lock *lock)
{
	pthread_mutex_destroy(&lock->mutex);
}

/*
 * ThreadSanitizer takes the locks of two directories for an inversion, since it does
 * not know that rename_mutex is held around the two; a trylock it does not put into
 * its graph.
 */
static inline void sleep_lock_wait(struct sleep_lock *lock)
{
	if (!MEM_TSAN) {
		pthread_mutex_lock(&lock->mutex);
		return;
	}
	while (pthread_mutex_trylock(&lock->mutex))
		sched_yield();
}

static inline void sleep_lock(struct sleep_lock *lock, const struct rcu_flavour *rcu)
{
	if (likely(!pthread_mutex_trylock(&lock->mutex)))
		return;
	rcu_sleep_begin(rcu);
	sleep_lock_wait(lock);
	rcu_sleep_end(rcu);
}

static inline void sleep_unlock(struct sleep_lock *lock)
{
	pthread_mutex_unlock(&lock->mutex);
}

#endif
