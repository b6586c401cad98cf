/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lockref.h - a spinlock and a reference count in one word
 *
 * While the lock is free, the count changes by compare-and-swap on both at once,
 * which cannot succeed under anyone's lock. Under the lock it changes by stores.
 * A dead count (negative) never comes back to life.
 */
#ifndef DCACHE_LOCKREF_H
#define DCACHE_LOCKREF_H

#include <stdbool.h>

#include "lock/spin.h"
#include "mem/mem.h"

#define LOCKREF_DEAD (-128)

union lockref {
	uint64_t word;
	struct {
		spin_t lock;
		int32_t count;
	};
};

_Static_assert(sizeof(union lockref) == 8, "lock and count are one word");

/*
 * The count and changes of it under the lock. Relaxed, since others try to change it
 * meanwhile, and fail.
 */
static inline int32_t lockref_count(const union lockref *l)
{
	return load_relaxed(&l->count);
}

static inline int32_t lockref_add_locked(union lockref *l, int32_t by)
{
	int32_t count = lockref_count(l) + by;

	store_relaxed(&l->count, count);
	return count;
}

/* Add @by to a live count. Returns the new count, or LOCKREF_DEAD and adds nothing. */
static inline int32_t lockref_add(union lockref *l, int32_t by)
{
	union lockref old = {.word = load_relaxed(&l->word)}, new;

	while (likely(!old.lock.value)) {
		if (unlikely(old.count < 0))
			return LOCKREF_DEAD;
		new.lock = old.lock;
		new.count = old.count + by;
		/*
		 * order: lockref-put: pairs with lockref-kill. What was done under a
		 * reference happens before the object is taken apart.
		 */
		if (likely(cas_acq_rel(&l->word, &old.word, new.word)))
			return new.count;
	}
	spin_lock(&l->lock);
	new.count = LOCKREF_DEAD;
	if (lockref_count(l) >= 0)
		new.count = lockref_add_locked(l, by);
	spin_unlock(&l->lock);
	return new.count;
}

/* For a caller that holds a reference, or the lock of someone who does. */
static inline void lockref_get(union lockref *l)
{
	lockref_add(l, 1);
}

static inline bool lockref_get_not_dead(union lockref *l)
{
	return lockref_add(l, 1) >= 0;
}

/* Returns the count that is left. */
static inline int32_t lockref_put(union lockref *l)
{
	return lockref_add(l, -1);
}

/*
 * Under the lock, with a count of 0.
 * order: lockref-kill: pairs with lockref-put. The lock was taken behind every put.
 */
static inline void lockref_mark_dead(union lockref *l)
{
	store_relaxed(&l->count, LOCKREF_DEAD);
}

#endif
