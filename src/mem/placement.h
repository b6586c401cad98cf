/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * placement.h - where things lie in memory, varied on purpose
 *
 * An effect of a few percent can come from which lines share a set of a cache. So runs
 * that are compared move what the cache and the threads use by whole lines within a huge
 * page, each part by its own draw from one number; no answer and no chain depends on it.
 * What it cannot move is code, which the linker places; address randomisation moves
 * that, and what malloc gives, by whole pages.
 */
#ifndef MEM_PLACEMENT_H
#define MEM_PLACEMENT_H

#include "mem/mem.h"
#include "mem/pages.h"
#include "rng.h"

#define PLACEMENT_PAGE	    ((size_t)4096)
#define PLACEMENT_HUGE_PAGE HUGE_PAGE

/* What is moved, each by its own. */
enum placed { PLACED_DENTRIES, PLACED_INODES, PLACED_NAMES, PLACED_TABLE, PLACED_STACK };

/* Bytes below @range, whole lines, that @part is moved up by; @nth: which of several. 0: none. */
static inline size_t placement_shift(uint64_t placement, enum placed part, unsigned nth,
				     size_t range)
{
	struct rng rng = rng_new(placement, (uint64_t)nth << 8 | part);

	return placement ? MEM_LINE * rng_below(&rng, range / MEM_LINE) : 0;
}

#endif
