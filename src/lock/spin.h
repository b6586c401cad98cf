/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * spin.h - the spinlock of d_lock, bucket, inode and fs: ck's fetch-and-store lock
 *
 * One word, so that it fits beside a count in a lockref. Not fair; with as many
 * threads as cores, and critical sections of some ten instructions, that is well.
 */
#ifndef LOCK_SPIN_H
#define LOCK_SPIN_H

#include <ck_spinlock.h>

typedef ck_spinlock_fas_t spin_t;

static inline void spin_init(spin_t *lock)
{
	ck_spinlock_fas_init(lock);
}

static inline void spin_lock(spin_t *lock)
{
	ck_spinlock_fas_lock(lock);
}

static inline void spin_unlock(spin_t *lock)
{
	ck_spinlock_fas_unlock(lock);
}

#endif
