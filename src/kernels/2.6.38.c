/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * 2.6.38.c - Linux 2.6.38, March 2011: rcu-walk
 *
 * d_seq hand over hand; the last dentry's count is taken under its d_lock. A big-reader lock
 * over mounts is held for the whole walk.
 */
#define KERNEL	     kernel_2_6_38
#define KERNEL_NAME  "2.6.38"
#define KERNEL_WHAT  "March 2011: rcu-walk, the last dentry counted under its d_lock"
#define KERNEL_LACKS "mounts, but for their lock; lookups that share one miss"

#define ENGINE_WALK   "rcu-walk"
#define ENGINE_WALK_H "walk/rcu-walk.h"
#define ENGINE_PREFIX rcu
#define ENGINE_LAYOUT "dcache/linux-2.6.38.h"
#define ENGINE_HASH   linux_2_6_32
#define ENGINE_CHOICES                                            \
	{                                                         \
		.lock = {[DCS_LOCK_D] = LOCK_TICKET,              \
			 [DCS_LOCK_BUCKET] = LOCK_TICKET,         \
			 [DCS_LOCK_DCACHE] = LOCK_TICKET,         \
			 [DCS_LOCK_MOUNT] = LOCK_BRLOCK,          \
			 [DCS_LOCK_FS] = LOCK_SEQ},               \
		.refs = REFS_SEPARATE, .compare = COMPARE_LOCKED, \
	}

#include "hash/linux-2.6.32.h"
#include "kernels/kernel.h"
