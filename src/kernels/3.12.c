/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * 3.12.c - Linux 3.12, November 2013: lockref
 *
 * As 2.6.38, but count and d_lock are one word, changed by one compare-and-swap, and names
 * are hashed a word at a time.
 */
#define KERNEL	     kernel_3_12
#define KERNEL_NAME  "3.12"
#define KERNEL_WHAT  "November 2013: rcu-walk, lockref, names hashed by words"
#define KERNEL_LACKS "mounts, but for their lock; lookups that share one miss"

#define ENGINE_WALK   "rcu-walk"
#define ENGINE_WALK_H "walk/rcu-walk.h"
#define ENGINE_PREFIX rcu
#define ENGINE_LAYOUT "dcache/linux-2.6.38.h"
#define ENGINE_HASH   linux_3_12
#define ENGINE_CHOICES                                           \
	{                                                        \
		.lock = {[DCS_LOCK_D] = LOCK_TICKET,             \
			 [DCS_LOCK_BUCKET] = LOCK_TICKET,        \
			 [DCS_LOCK_DCACHE] = LOCK_TICKET,        \
			 [DCS_LOCK_MOUNT] = LOCK_BRLOCK,         \
			 [DCS_LOCK_FS] = LOCK_SEQ},              \
		.refs = REFS_LOCKREF, .compare = COMPARE_LOCKED, \
	}

#include "hash/linux-3.12.h"
#include "kernels/kernel.h"
