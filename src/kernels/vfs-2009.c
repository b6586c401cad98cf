/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * vfs-2009.c - 2.6.32-rc3 with the vfs patches of October 2009: the store-free walk
 *
 * Store-free but for the last dentry, referenced under its d_lock. A mount is counted by core.
 * Assumed: cwd and root are read under a sequence count, as later.
 */
#define KERNEL	    kernel_vfs_2009
#define KERNEL_NAME "vfs-2009"
#define KERNEL_WHAT "October 2009: 2.6.32-rc3 with store-free path walking"
#define KERNEL_LACKS                                                               \
	"how the patch told that a dentry is still what it was: d_seq does here; " \
	"the other vfs patches of that tree, but for the mount's"

#define ENGINE_WALK   "store-free-2009"
#define ENGINE_WALK_H "walk/store-free-2009.h"
#define ENGINE_PREFIX store_free_2009
#define ENGINE_LAYOUT "dcache/linux-2.6.26.h"
#define ENGINE_HASH   linux_2_6_32
#define ENGINE_CHOICES                                          \
	{                                                       \
		.lock = {[DCS_LOCK_D] = LOCK_TICKET,            \
			 [DCS_LOCK_BUCKET] = LOCK_TICKET,       \
			 [DCS_LOCK_DCACHE] = LOCK_TICKET,       \
			 [DCS_LOCK_MOUNT] = LOCK_BRLOCK,        \
			 [DCS_LOCK_FS] = LOCK_SEQ},             \
		.refs = REFS_ATOMIC, .compare = COMPARE_LOCKED, \
	}

#include "hash/linux-2.6.32.h"
#include "kernels/kernel.h"
