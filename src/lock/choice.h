/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * choice.h - which locks an engine uses, and how it counts references
 *
 * An engine has its choices compiled in, which then cost nothing; or (ENGINE_ANY) it
 * asks for each what the cache was made with. That is the cache of the operation that the
 * thread is in: whatever enters an operation says so (choose), and no call site in
 * between has to carry it.
 */
#ifndef LOCK_CHOICE_H
#define LOCK_CHOICE_H

#include <stdbool.h>

#include "lock/lock.h"

struct choices {
	enum lock_kind lock[DCS_LOCK_ROLES];
	enum refcount {
		REFS_LOCKREF,  /* count and d_lock are one word, changed by one compare-and-swap */
		REFS_SEPARATE, /* the count changes under d_lock only */
		REFS_ATOMIC,   /* it changes by itself, but to and from 0 under d_lock */
	} refs;
	enum compare {
		COMPARE_LOCKED,	  /* a lookup that counts itself in compares under d_lock */
		COMPARE_UNLOCKED, /* before, and looks under it only whether d_seq moved */
	} compare;
};

/* What an engine has compiled in: a kernel's, or the defaults, which are those of today. */
#ifndef ENGINE_CHOICES
#define ENGINE_CHOICES                                 \
	{                                              \
		.lock = {[DCS_LOCK_D] = LOCK_FAS,      \
			 [DCS_LOCK_BUCKET] = LOCK_FAS, \
			 [DCS_LOCK_DCACHE] = LOCK_FAS, \
			 [DCS_LOCK_MOUNT] = LOCK_SEQ,  \
			 [DCS_LOCK_FS] = LOCK_SEQ},    \
	}
#endif
static const struct choices compiled_choices __attribute__((unused)) = ENGINE_CHOICES;

#ifdef ENGINE_ANY
static __thread const struct choices *chosen;
#define choose(choices) (chosen = (choices))
#else
#define chosen		(&compiled_choices)
#define choose(choices) ((void)(choices))
#endif

#define lock_kind(role) (chosen->lock[DCS_LOCK_##role])

#endif
