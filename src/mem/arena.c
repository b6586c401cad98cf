/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* arena.c - objects of one size, in one stretch of address space */
#include "mem/arena.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "mem/placement.h"

#define HUGE_PAGE PLACEMENT_HUGE_PAGE

/* Of address space, with the room to shift in. */
static size_t arena_bytes(const struct arena *a)
{
	return (a->object * a->capacity + 2 * HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
}

int arena_init(struct arena *a, size_t object, size_t capacity)
{
	char *map, *base;
	size_t bytes;

	*a = (struct arena){.object = object, .capacity = capacity};
	spin_init(&a->lock);
	if (MEM_ASAN)
		return 0;
	/* One huge page more than needed, so that a whole number of them can be cut out. */
	bytes = arena_bytes(a);
	map = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (map == MAP_FAILED)
		return -ENOMEM;
	base = (char *)(((uintptr_t)map + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1));
	if (base > map)
		munmap(map, (size_t)(base - map));
	if (base < map + HUGE_PAGE)
		munmap(base + bytes, (size_t)(map + HUGE_PAGE - base));
	madvise(base, bytes, MADV_HUGEPAGE);
	a->base = base;
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
	if (a->base)
		munmap(a->base - a->shift, arena_bytes(a));
	a->base = NULL;
}

void *arena_alloc(struct arena *a)
{
	void *p = NULL;

	spin_lock(&a->lock);
	if (a->live == a->capacity) {
		;
	} else if (MEM_ASAN) {
		if (posix_memalign(&p, MEM_LINE, a->object))
			p = NULL;
	} else if (a->free) {
		p = a->free;
		a->free = *(void **)p;
	} else {
		p = a->base + a->object * a->used++;
	}
	if (p)
		store_relaxed(&a->live, a->live + 1);
	spin_unlock(&a->lock);
	return p;
}

void arena_free(struct arena *a, void *p)
{
	if (MEM_ASAN)
		free(p);
	else if (MEM_TSAN)
		memset(p, 0x6b, a->object); /* plain stores: a reader that is still there races */
	spin_lock(&a->lock);
	if (!MEM_ASAN) {
		*(void **)p = a->free;
		a->free = p;
	}
	store_relaxed(&a->live, a->live - 1);
	spin_unlock(&a->lock);
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
