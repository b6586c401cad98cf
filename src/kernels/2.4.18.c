/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * 2.4.18.c - Linux 2.4.18, February 2002: one dcache_lock
 *
 * Each component is looked up with the dcache_lock held, and counted in and out by atomic
 * operations. A spinlock is a byte that is exchanged.
 */
#define KERNEL	    kernel_2_4_18
#define KERNEL_NAME "2.4.18"
#define KERNEL_WHAT "February 2002: each component looked up under one dcache_lock"
#define KERNEL_LACKS                                                                       \
	"the big kernel lock around changes; d_lock and bucket locks are taken below the " \
	"dcache_lock, where that kernel had none; mounts, but for their count"

#define ENGINE_WALK   "global-lock"
#define ENGINE_WALK_H "walk/global-lock.h"
#define ENGINE_PREFIX global
#define ENGINE_LAYOUT "dcache/linux-2.4.h"
#define ENGINE_HASH   linux_2_6_6
#define ENGINE_CHOICES                                          \
	{                                                       \
		.lock = {[DCS_LOCK_D] = LOCK_FAS,               \
			 [DCS_LOCK_BUCKET] = LOCK_FAS,          \
			 [DCS_LOCK_DCACHE] = LOCK_FAS,          \
			 [DCS_LOCK_MOUNT] = LOCK_FAS,           \
			 [DCS_LOCK_FS] = LOCK_RWLOCK},          \
		.refs = REFS_ATOMIC, .compare = COMPARE_LOCKED, \
	}

#include "hash/linux-2.6.6.h"
#include "kernels/kernel.h"
