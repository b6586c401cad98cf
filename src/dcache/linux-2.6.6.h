/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * linux-2.6.6.h - the dentry of 2.6.6: 160 bytes, not aligned
 *
 * The objects of a page follow the slab's own records and begin at a multiple of a word, which
 * was 124 there (of memory). A word is 8 bytes on this machine: here they begin at 120.
 */
#ifndef DCACHE_LINUX_2_6_6_H
#define DCACHE_LINUX_2_6_6_H

#define LAYOUT_NAME	"linux-2.6.6"
#define LAYOUT_WHAT	"160 B, 32-bit, not aligned, 32 B of name inline: Linux 2.6.6"
#define LAYOUT_ALIGN	8
#define LAYOUT_PER_PAGE 24
#define LAYOUT_FIRST	120
#define DNAME_WORDS	8

#include "dcache/linux-2.6.0-fields.h"

_Static_assert(sizeof(struct dentry) == 160, "the dentry of 2.6.6 is 160 bytes");

#endif
