/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* linux-2.6.6-mm1.h - the dentry of 2.6.6-mm1: 160 bytes, aligned to 16, 24 a page */
#ifndef DCACHE_LINUX_2_6_6_MM1_H
#define DCACHE_LINUX_2_6_6_MM1_H

#define LAYOUT_NAME	"linux-2.6.6-mm1"
#define LAYOUT_WHAT	"160 B, 32-bit, aligned to 16, 24 a page, 32 B of name inline: Linux 2.6.6-mm1"
#define LAYOUT_ALIGN	16
#define LAYOUT_PER_PAGE 24
#define LAYOUT_FIRST	128
#define DNAME_WORDS	8

#include "dcache/linux-2.6.0-fields.h"

_Static_assert(sizeof(struct dentry) == 160, "the dentry of 2.6.6-mm1 is 160 bytes");

#endif
