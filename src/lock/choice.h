/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * choice.h - which locks an engine uses, and how it counts references
 *
 * An engine has the defaults compiled in, which then cost nothing; or (ENGINE_ANY) it
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
	bool refs_apart; /* a count changes under d_lock only, as in Linux 2.6.38 to 3.11 */
};

static const struct choices default_choices __attribute__((unused)) = {
	.lock = {[DCS_LOCK_D] = LOCK_FAS,
		 [DCS_LOCK_BUCKET] = LOCK_FAS,
		 [DCS_LOCK_DCACHE] = LOCK_FAS,
		 [DCS_LOCK_MOUNT] = LOCK_SEQ,
		 [DCS_LOCK_FS] = LOCK_SEQ},
};

#ifdef ENGINE_ANY
static __thread const struct choices *chosen;
#define choose(choices) (chosen = (choices))
#else
#define chosen		(&default_choices)
#define choose(choices) ((void)(choices))
#endif

#define lock_kind(role) (chosen->lock[DCS_LOCK_##role])

#endif
