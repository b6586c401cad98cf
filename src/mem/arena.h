/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * arena.h - objects of one size, in one stretch of address space
 *
 * Slots are handed out in order, then the most recently freed first. So an
 * object's address is that of the arena and a function of the slot's number, the same in every
 * run whatever the system's randomisation does, and what is written read-only is one
 * mprotect(2). Slots lie side by side, or as a slab's lie in its pages. Huge pages are asked
 * for, as the kernel's slabs lie in its direct map.
 *
 * Under AddressSanitizer each object is allocated by itself, up to the same capacity; a low
 * arena keeps its place there, with poison between and in free objects, and uses a slot
 * again only when all have been used.
 * Locking: arena->lock, inside; a leaf.
 */
#ifndef MEM_ARENA_H
#define MEM_ARENA_H

#include <stdbool.h>

#include "lock/spin.h"
#include "mem/mem.h"

#define SLAB_PAGE 4096

/* How the slots of a page lie; per_page 0: side by side, without pages. */
struct slab_page {
	unsigned per_page;
	unsigned first; /* bytes before the first */
};

struct shape {
	size_t object; /* bytes */
	struct slab_page page;
	bool low; /* below 4 GiB */
};

struct arena {
	char *base;
	struct shape shape;
	size_t capacity; /* objects */
	spin_t lock;
	size_t shift;	  /* of base from where the mapping begins */
	size_t used;	  /* slots ever handed out */
	size_t live;	  /* objects now */
	size_t allocated; /* in all */
	void *free;	  /* the list of freed slots, linked by their first word */
	void *last;	  /* of it, where the oldest is used again first */
};

/* Reserves address space for @capacity objects. Returns 0 or -ENOMEM. */
int arena_init(struct arena *a, const struct shape *shape, size_t capacity);
/* Moves the first object up by @bytes, whole lines below a huge page; nothing is allocated yet. */
void arena_shift(struct arena *a, size_t bytes);
void arena_destroy(struct arena *a); /* all objects are gone, or forgotten */
/* NULL when the capacity or memory is used up. The content is undefined. */
void *arena_alloc(struct arena *a);
void arena_free(struct arena *a, void *p);
int arena_protect(struct arena *a, bool read_only);
/* Faults in the memory of the first @n objects, of which nobody has one yet. */
void arena_prefault(struct arena *a, size_t n);
/* Live objects now; may be read at any time. */
size_t arena_live(struct arena *a);
size_t arena_allocated(struct arena *a);

#endif
