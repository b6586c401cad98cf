/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * 6.12.c - Linux 6.12, November 2024: the count two lines behind what lookups read
 *
 * What is chosen where nothing is said. Mounts are under a sequence count; the name's hash is
 * salted with the parent. A queued spinlock is a word that is exchanged, while nobody waits.
 */
#define KERNEL	    kernel_6_12
#define KERNEL_NAME "6.12"
#define KERNEL_WHAT "November 2024: rcu-walk, lockref in a line of its own"
#define KERNEL_LACKS                                                                            \
	"mounts; lookups that share one miss by a table of their own (here by the directory's " \
	"lock)"

#define ENGINE_WALK   "rcu-walk"
#define ENGINE_WALK_H "walk/rcu-walk.h"
#define ENGINE_PREFIX rcu
#define ENGINE_LAYOUT "dcache/linux-6.h"
#define ENGINE_HASH   words
#define ENGINE_CHOICES                                           \
	{                                                        \
		.lock = {[DCS_LOCK_D] = LOCK_FAS,                \
			 [DCS_LOCK_BUCKET] = LOCK_FAS,           \
			 [DCS_LOCK_DCACHE] = LOCK_FAS,           \
			 [DCS_LOCK_MOUNT] = LOCK_SEQ,            \
			 [DCS_LOCK_FS] = LOCK_SEQ},              \
		.refs = REFS_LOCKREF, .compare = COMPARE_LOCKED, \
	}

#include "hash/words.h"
#include "kernels/kernel.h"
