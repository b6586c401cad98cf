/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * 2.6.32-rc3.c - Linux 2.6.32-rc3, October 2009: what store-free walking was measured against
 *
 * 64 bits. Names are compared under d_lock, a ticket lock; each walk counts the mount in and out
 * in one word and takes the vfsmount_lock at `..`; cwd and root are read under a rwlock that
 * threads share.
 */
#define KERNEL	    kernel_2_6_32_rc3
#define KERNEL_NAME "2.6.32-rc3"
#define KERNEL_WHAT "October 2009: names compared under d_lock, a ticket lock; 64 bits"
#define KERNEL_LACKS                                                                       \
	"the dcache_lock over changes of chains, of which a bucket lock takes the place; " \
	"mounts, but for their count and lock"

#define ENGINE_WALK   "ref-walk"
#define ENGINE_WALK_H "walk/ref-walk.h"
#define ENGINE_PREFIX ref
#define ENGINE_LAYOUT "dcache/linux-2.6.26.h"
#define ENGINE_HASH   linux_2_6_32
#define ENGINE_CHOICES                                          \
	{                                                       \
		.lock = {[DCS_LOCK_D] = LOCK_TICKET,            \
			 [DCS_LOCK_BUCKET] = LOCK_TICKET,       \
			 [DCS_LOCK_DCACHE] = LOCK_TICKET,       \
			 [DCS_LOCK_MOUNT] = LOCK_TICKET,        \
			 [DCS_LOCK_FS] = LOCK_RWLOCK},          \
		.refs = REFS_ATOMIC, .compare = COMPARE_LOCKED, \
	}

#include "hash/linux-2.6.32.h"
#include "kernels/kernel.h"
