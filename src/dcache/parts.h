/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* parts.h - what each layout's struct dentry is made of; included by it, LAYOUT_BITS known */
#ifndef DCACHE_PARTS_H
#define DCACHE_PARTS_H

#include <stddef.h>

#include "dcache/cache.h"
#include "dcache/link.h"
#include "dcache/lockref.h"

#endif
