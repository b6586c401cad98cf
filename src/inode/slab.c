/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* slab.c - object caches with a constructor; what both kinds have in common */
#include "inode/slab.h"

#include <stdlib.h>

#include "mem/poison.h"

#if MEM_TSAN
/* As if all of it were overwritten: a reader that is still there races. */
void __tsan_write_range(void *p, unsigned long n);
#else
#define __tsan_write_range(p, n) ((void)(p), (void)(n))
#endif

/* Where each page is a block of its own, the list of them needs a place. */
#define PAGE_BYTES (SLAB_PAGE + (MEM_ASAN ? MEM_LINE : 0))

static void **link_of(const struct slab *s, void *p)
{
	size_t behind = (s->object + sizeof(void *) - 1) & ~(sizeof(void *) - 1);

	return (void **)((char *)p + behind);
}

static size_t per_page(const struct slab *s)
{
	return SLAB_PAGE / s->stride;
}

int slab_init(struct slab *s, const struct shape *shape, size_t align, size_t capacity,
	      slab_construct *construct, void *context)
{
	size_t object = shape->object, end = (object + sizeof(void *) - 1) & ~(sizeof(void *) - 1);

	*s = (struct slab){
		.construct = construct,
		.context = context,
		.object = object,
		.stride = (end + sizeof(void *) + align - 1) & ~(align - 1),
		.capacity = capacity,
	};
	spin_init(&s->lock);
	if (!construct)
		return arena_init(&s->arena, shape, capacity);
	return arena_init(&s->arena, &(struct shape){.object = PAGE_BYTES, .low = shape->low},
			  (capacity + per_page(s) - 1) / per_page(s));
}

void slab_destroy(struct slab *s)
{
	char *page, *next;

	for (page = s->pages; page; page = next) {
		next = *(char **)(page + SLAB_PAGE);
		unpoison(page, SLAB_PAGE);
		free(page);
	}
	s->pages = NULL;
	arena_destroy(&s->arena);
}

static bool slab_grow(struct slab *s)
{
	char *page = arena_alloc(&s->arena);

	if (!page)
		return false;
	if (MEM_ASAN && !s->arena.shape.low) {
		*(char **)(page + SLAB_PAGE) = s->pages;
		s->pages = page;
	}
	for (size_t i = per_page(s); i--;) {
		void *p = page + i * s->stride;

		s->construct(p, s->context);
		*link_of(s, p) = s->free;
		s->free = p;
		poison(p, s->object);
	}
	s->constructed += per_page(s);
	return true;
}

void *slab_alloc_constructed(struct slab *s)
{
	void *p = NULL;

	spin_lock(&s->lock);
	if (s->live < s->capacity && (s->free || slab_grow(s))) {
		p = s->free;
		s->free = *link_of(s, p);
		s->allocated++;
		store_relaxed(&s->live, s->live + 1);
		unpoison(p, s->object);
	}
	spin_unlock(&s->lock);
	return p;
}

void slab_free_constructed(struct slab *s, void *p)
{
	__tsan_write_range(p, s->object);
	spin_lock(&s->lock);
	poison(p, s->object);
	*link_of(s, p) = s->free;
	s->free = p;
	store_relaxed(&s->live, s->live - 1);
	spin_unlock(&s->lock);
}

void slab_prefault(struct slab *s, size_t n)
{
	size_t pages = (n + per_page(s) - 1) / per_page(s);

	arena_prefault(&s->arena, s->construct ? pages : n);
}

struct slab_figures slab_figures(struct slab *s)
{
	struct slab_figures f = {.live = slab_live(s)};

	if (s->construct) {
		spin_lock(&s->lock);
		f.allocated = s->allocated;
		f.constructed = s->constructed;
		spin_unlock(&s->lock);
	} else {
		f.allocated = arena_allocated(&s->arena);
		f.zeroed = f.allocated * s->object;
	}
	return f;
}

int slab_each_free(struct slab *s, int (*see)(const void *object, void *own), void *own)
{
	int result = 0;

	for (void *p = s->free; p && !result; p = *link_of(s, p)) {
		unpoison(p, s->object);
		result = see(p, own);
		poison(p, s->object);
	}
	return result;
}
