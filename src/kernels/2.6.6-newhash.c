/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * 2.6.6-newhash.c - 2.6.6 with the new hash put in, as Raghavan measured it
 */
#define KERNEL	    kernel_2_6_6_newhash
#define KERNEL_NAME "2.6.6-newhash"
#define KERNEL_WHAT "May 2004: 2.6.6 with the new hash"
#define KERNEL_LACKS                                                                       \
	"the dcache_lock over changes of chains, of which a bucket lock takes the place; " \
	"read-copy-update of that time: memory goes back by today's grace periods; "       \
	"mounts, but for their count and lock"

#define ENGINE_WALK   "ref-walk"
#define ENGINE_WALK_H "walk/ref-walk.h"
#define ENGINE_PREFIX ref
#define ENGINE_LAYOUT "dcache/linux-2.6.6.h"
#define ENGINE_HASH   linux_2_6_6_bk
#define ENGINE_CHOICES                                            \
	{                                                         \
		.lock = {[DCS_LOCK_D] = LOCK_FAS,                 \
			 [DCS_LOCK_BUCKET] = LOCK_FAS,            \
			 [DCS_LOCK_DCACHE] = LOCK_FAS,            \
			 [DCS_LOCK_MOUNT] = LOCK_FAS,             \
			 [DCS_LOCK_FS] = LOCK_RWLOCK},            \
		.refs = REFS_ATOMIC, .compare = COMPARE_UNLOCKED, \
	}

#include "hash/linux-2.6.6-bk.h"
#include "kernels/kernel.h"
