/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * linux-2.6.0.h - the dentry of 2.6.0 to 2.6.6-rc3 on a Pentium 4: 256 bytes
 *
 * Aligned to the 128 bytes of its cache's lines, and what that leaves goes to the name.
 */
#ifndef DCACHE_LINUX_2_6_0_H
#define DCACHE_LINUX_2_6_0_H

#define LAYOUT_NAME "linux-2.6.0"
#define LAYOUT_WHAT \
	"256 B, 32-bit, aligned to lines of 128, 128 B of name inline: Linux 2.6.0 to 2.6.6-rc3"
#define LAYOUT_ALIGN	128
#define LAYOUT_PER_PAGE 15
#define LAYOUT_FIRST	128
#define DNAME_WORDS	32

#include "dcache/linux-2.6.0-fields.h"

_Static_assert(sizeof(struct dentry) == 256, "the dentry of 2.6.0 is 256 bytes on a Pentium 4");

#endif
