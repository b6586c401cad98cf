/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * arena.h - objects of one size, in one stretch of address space
 *
 * Slots are handed out in order, then the most recently freed first. So an
 * object's address is base + slot * size, the same in every run whatever the
 * system's randomisation does, and what is written read-only is one mprotect(2).
 * Huge pages are asked for, as the kernel's slabs lie in its direct map.
 *
 * Under AddressSanitizer each object is allocated by itself, up to the same capacity.
 * Locking: arena->lock, inside; a leaf.
 */
#ifndef MEM_ARENA_H
#define MEM_ARENA_H

#include <stdbool.h>

#include "lock/spin.h"
#include "mem/mem.h"

struct arena {
	char *base;
	size_t object;	 /* bytes, a multiple of MEM_LINE */
	size_t capacity; /* objects */
	spin_t lock;
	size_t shift; /* of base from where the mapping begins */
	size_t used;  /* slots ever handed out */
	size_t live;  /* objects now */
	void *free;   /* the list of freed slots, linked by their first word */
};

/* Reserves address space for @capacity objects. Returns 0 or -ENOMEM. */
int arena_init(struct arena *a, size_t object, size_t capacity);
/* Moves the first object up by @bytes, whole lines below a huge page; nothing is allocated yet. */
void arena_shift(struct arena *a, size_t bytes);
void arena_destroy(struct arena *a); /* all objects are gone, or forgotten */
/* NULL when the capacity or memory is used up. The content is undefined. */
void *arena_alloc(struct arena *a);
void arena_free(struct arena *a, void *p);
int arena_protect(struct arena *a, bool read_only);
/* Live objects now; may be read at any time. */
size_t arena_live(struct arena *a);

#endif
