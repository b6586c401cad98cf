/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * slab.h - object caches, without a constructor and with one
 *
 * Without: who allocates an object constructs it, and zeroes it first, so that its lines are
 * hot. The pointer that links free objects lies inside them. They lie in an arena, one
 * behind the other.
 *
 * With: a fresh page is cut into objects, and each is constructed once, then. Objects are
 * freed in constructed state, and an allocation writes only what differs from it. Nothing of
 * a free object may be overwritten, so the pointer lies behind it, maybe in another line.
 * Pages come from an arena and stay.
 *
 * The most recently freed object goes first. Under AddressSanitizer an object is a block of
 * its own without a constructor; with one, free objects are poisoned.
 * Locking: slab->lock, inside; the arena's below it.
 */
#ifndef INODE_SLAB_H
#define INODE_SLAB_H

#include "mem/arena.h"

typedef void slab_construct(void *object, void *context);

struct slab {
	struct arena arena;	   /* of objects; with a constructor, of pages */
	slab_construct *construct; /* NULL: none */
	void *context;		   /* is given to it */
	size_t object, stride;	   /* bytes; the stride is with the pointer behind */
	size_t capacity;
	/* With a constructor. */
	spin_t lock;
	size_t live, allocated, constructed; /* objects */
	void *free;
	char *pages; /* under AddressSanitizer: all of them, linked behind */
};

struct slab_figures {
	size_t live;	    /* objects */
	size_t allocated;   /* since the slab was made */
	size_t constructed; /* by a constructor: those of all pages */
	size_t zeroed;	    /* bytes, at allocations */
};

/*
 * At most @capacity objects, with a constructor each at a multiple of @align, else as @shape says.
 * Returns 0 or -ENOMEM.
 */
int slab_init(struct slab *s, const struct shape *shape, size_t align, size_t capacity,
	      slab_construct *construct, void *context);
void slab_destroy(struct slab *s); /* all objects are gone, or forgotten */
void *slab_alloc_constructed(struct slab *s);
void slab_free_constructed(struct slab *s, void *p);
/* Faults in the memory of the first @n objects of a slab that nobody uses yet. */
void slab_prefault(struct slab *s, size_t n);
struct slab_figures slab_figures(struct slab *s);
/* With a constructor, at rest: calls @see for each free object until it returns nonzero. */
int slab_each_free(struct slab *s, int (*see)(const void *object, void *own), void *own);

/*
 * NULL when capacity or memory is used up. Without a constructor the content is undefined, and
 * the caller is to construct it whole: `if (!s->construct) ...`.
 */
static inline void *slab_alloc(struct slab *s)
{
	return unlikely(s->construct) ? slab_alloc_constructed(s) : arena_alloc(&s->arena);
}

/* With a constructor, @p is in constructed state. */
static inline void slab_free(struct slab *s, void *p)
{
	if (unlikely(s->construct))
		slab_free_constructed(s, p);
	else
		arena_free(&s->arena, p);
}

/* Live objects now; may be read at any time. */
static inline size_t slab_live(struct slab *s)
{
	return s->construct ? load_relaxed(&s->live) : arena_live(&s->arena);
}

#endif
