/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * 2.6.6-rc3.c - Linux 2.6.6-rc3, April 2004: the baseline of the dentry bloat thread
 *
 * Chains are walked under RCU; names are compared unlocked, then d_lock is taken and
 * d_move_count looked at. Dentries are aligned to the lines of a Pentium 4.
 */
#define KERNEL	    kernel_2_6_6_rc3
#define KERNEL_NAME "2.6.6-rc3"
#define KERNEL_WHAT "April 2004: d_lock for each component, aligned dentries of 256 bytes"
#define KERNEL_LACKS                                                                       \
	"the dcache_lock over changes of chains, of which a bucket lock takes the place; " \
	"read-copy-update of that time: memory goes back by today's grace periods; "       \
	"mounts, but for their count and lock"

#define ENGINE_WALK   "ref-walk"
#define ENGINE_WALK_H "walk/ref-walk.h"
#define ENGINE_PREFIX ref
#define ENGINE_LAYOUT "dcache/linux-2.6.0.h"
#define ENGINE_HASH   linux_2_6_6
#define ENGINE_CHOICES                                            \
	{                                                         \
		.lock = {[DCS_LOCK_D] = LOCK_FAS,                 \
			 [DCS_LOCK_BUCKET] = LOCK_FAS,            \
			 [DCS_LOCK_DCACHE] = LOCK_FAS,            \
			 [DCS_LOCK_MOUNT] = LOCK_FAS,             \
			 [DCS_LOCK_FS] = LOCK_RWLOCK},            \
		.refs = REFS_ATOMIC, .compare = COMPARE_UNLOCKED, \
	}

#include "hash/linux-2.6.6.h"
#include "kernels/kernel.h"
