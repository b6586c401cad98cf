/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* arena.c - objects of one size, in one stretch of address space */
#include "mem/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "mem/pages.h"
#include "mem/poison.h"

/* Between the objects of a low arena, where a sanitizer looks. */
#define RED_ZONE (MEM_ASAN ? MEM_LINE : 0)

/* Is each object a block of its own? */
static bool apart(const struct arena *a)
{
	return MEM_ASAN && !a->shape.low;
}

static size_t slot_offset(const struct arena *a, size_t slot)
{
	const struct shape *s = &a->shape;

	if (MEM_ASAN || !s->page.per_page)
		return slot * (s->object + RED_ZONE);
	return slot / s->page.per_page * SLAB_PAGE + s->page.first +
	       slot % s->page.per_page * s->object;
}

/* Of address space, with the room to shift in. */
static size_t arena_bytes(const struct arena *a)
{
	size_t bytes = slot_offset(a, a->capacity) + SLAB_PAGE;

	return (bytes + 2 * HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
}

int arena_init(struct arena *a, const struct shape *shape, size_t capacity)
{
	*a = (struct arena){.shape = *shape, .capacity = capacity};
	spin_init(&a->lock);
	if (apart(a))
		return 0;
	a->base = map_pages(arena_bytes(a), shape->low);
	if (!a->base)
		return -ENOMEM;
	madvise(a->base, arena_bytes(a), MADV_HUGEPAGE);
	poison(a->base, arena_bytes(a));
	return 0;
}

void arena_shift(struct arena *a, size_t bytes)
{
	if (!a->base)
		return;
	a->shift = bytes;
	a->base += bytes;
}

void arena_destroy(struct arena *a)
{
	if (a->base) {
		unpoison(a->base - a->shift, arena_bytes(a));
		munmap(a->base - a->shift, arena_bytes(a));
	}
	a->base = NULL;
}

/* Freed slots: the last first; under AddressSanitizer the oldest, when no other is left. */
static void *free_pop(struct arena *a)
{
	void *p = a->free;

	if (!p || (MEM_ASAN && a->used < a->capacity))
		return NULL;
	unpoison(p, sizeof(void *));
	a->free = *(void **)p;
	return p;
}

static void free_push(struct arena *a, void *p)
{
	unpoison(p, sizeof(void *));
	*(void **)p = MEM_ASAN ? NULL : a->free;
	poison(p, a->shape.object);
	if (MEM_ASAN && a->free) {
		unpoison(a->last, sizeof(void *));
		*(void **)a->last = p;
		poison(a->last, sizeof(void *));
	} else {
		a->free = p;
	}
	a->last = p;
}

void *arena_alloc(struct arena *a)
{
	void *p = NULL;

	spin_lock(&a->lock);
	if (a->live == a->capacity) {
		;
	} else if (apart(a)) {
		if (posix_memalign(&p, MEM_LINE, a->shape.object))
			p = NULL;
	} else if (!(p = free_pop(a))) {
		p = a->base + slot_offset(a, a->used++);
	}
	if (p) {
		if (!apart(a))
			unpoison(p, a->shape.object);
		store_relaxed(&a->live, a->live + 1);
		store_relaxed(&a->allocated, a->allocated + 1);
	}
	spin_unlock(&a->lock);
	return p;
}

void arena_free(struct arena *a, void *p)
{
	if (apart(a))
		free(p);
	else if (MEM_TSAN)
		memset(p, 0x6b, a->shape.object); /* plain stores: a reader that is there races */
	spin_lock(&a->lock);
	if (!apart(a))
		free_push(a, p);
	store_relaxed(&a->live, a->live - 1);
	spin_unlock(&a->lock);
}

void arena_prefault(struct arena *a, size_t n)
{
	if (a->base && !MEM_ASAN)
		memset(a->base, 0, slot_offset(a, n < a->capacity ? n : a->capacity));
}

int arena_protect(struct arena *a, bool read_only)
{
	if (MEM_ASAN)
		return -EOPNOTSUPP;
	if (mprotect(a->base - a->shift, arena_bytes(a),
		     read_only ? PROT_READ : PROT_READ | PROT_WRITE))
		return -errno;
	return 0;
}

size_t arena_live(struct arena *a)
{
	return load_relaxed(&a->live);
}

size_t arena_allocated(struct arena *a)
{
	return load_relaxed(&a->allocated);
}
