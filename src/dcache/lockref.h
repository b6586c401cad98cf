/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lockref.h - a spinlock and a reference count in one word
 *
 * While the lock is free, the count changes by compare-and-swap on both at once,
 * which cannot succeed under anyone's lock. Under the lock it changes by stores.
 * A dead count (negative) never comes back to life. Where count and lock are two words, as
 * in older kernels, the count changes under the lock (REFS_SEPARATE), or by itself but for the
 * steps from and to 0 (REFS_ATOMIC); choice.h.
 */
#ifndef DCACHE_LOCKREF_H
#define DCACHE_LOCKREF_H

#include <stdbool.h>

#include "lock/choice.h"
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

static force_inline void lockref_lock(union lockref *l)
{
	union lock *lock = (union lock *)&l->lock; /* of a kind that is one word */

	switch (lock_kind(D)) {
	case LOCK_CAS:
		ck_spinlock_cas_lock(&lock->cas);
		break;
	case LOCK_TICKET:
		ck_spinlock_ticket_lock(&lock->ticket);
		break;
	default:
		spin_lock(&l->lock);
	}
}

static force_inline void lockref_unlock(union lockref *l)
{
	union lock *lock = (union lock *)&l->lock;

	switch (lock_kind(D)) {
	case LOCK_CAS:
		ck_spinlock_cas_unlock(&lock->cas);
		break;
	case LOCK_TICKET:
		ck_spinlock_ticket_unlock(&lock->ticket);
		break;
	default:
		spin_unlock(&l->lock);
	}
}

/* Does the word say that somebody holds the lock? A ticket lock is free at any equal halves. */
static force_inline bool lockref_is_locked(union lockref l)
{
	uint32_t value = l.lock.value;

	return lock_kind(D) == LOCK_TICKET ? value >> 16 != (value & 0xffff) : value != 0;
}

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

	/*
	 * Others change it without the lock.
	 * order: lockref-put: pairs with lockref-kill. Who takes the last one has seen all puts.
	 */
	if (chosen->refs == REFS_ATOMIC)
		return sub_fetch_acq_rel(&l->count, -by);
	store_relaxed(&l->count, count);
	return count;
}

static __attribute__((noinline)) int32_t lockref_add_under_lock(union lockref *l, int32_t by)
{
	int32_t count = LOCKREF_DEAD;

	lockref_lock(l);
	if (lockref_count(l) >= 0)
		count = lockref_add_locked(l, by);
	lockref_unlock(l);
	return count;
}

/* Both are one word: neither changes without the other being seen. */
static force_inline int32_t lockref_add_word(union lockref *l, int32_t by)
{
	union lockref old = {.word = load_relaxed(&l->word)}, new;

	while (likely(!lockref_is_locked(old))) {
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
	return lockref_add_under_lock(l, by);
}

/*
 * The count by itself. Who holds the lock and sees 0 may rely on it, so the steps from and to 0
 * are taken under the lock (atomic_dec_and_lock()).
 */
static force_inline int32_t lockref_add_count(union lockref *l, int32_t by)
{
	int32_t old = load_relaxed(&l->count);

	while (likely(old > 0 && old + by > 0)) {
		/* order: lockref-put: pairs with lockref-kill. */
		if (likely(cas_acq_rel(&l->count, &old, old + by)))
			return old + by;
	}
	return lockref_add_under_lock(l, by);
}

/* Add @by to a live count. Returns the new count, or LOCKREF_DEAD and adds nothing. */
static force_inline int32_t lockref_add(union lockref *l, int32_t by)
{
	switch (chosen->refs) {
	case REFS_SEPARATE:
		return lockref_add_under_lock(l, by);
	case REFS_ATOMIC:
		return lockref_add_count(l, by);
	case REFS_LOCKREF:
		break;
	}
	return lockref_add_word(l, by);
}

/* For a caller that holds a reference, or the lock of someone who does. */
static force_inline void lockref_get(union lockref *l)
{
	lockref_add(l, 1);
}

/* For a caller that holds none: who has the lock and sees how many there are may rely on it. */
static force_inline bool lockref_get_not_dead(union lockref *l)
{
	if (chosen->refs == REFS_ATOMIC)
		return lockref_add_under_lock(l, 1) >= 0;
	return lockref_add(l, 1) >= 0;
}

/* Returns the count that is left. */
static force_inline int32_t lockref_put(union lockref *l)
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
