/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pages.c - memory for what is to have a known place */
#include "mem/pages.h"

#include <stdint.h>
#include <sys/mman.h>

#include "mem/mem.h"

#define LOW_FIRST ((uintptr_t)16 << 20)
#define LOW_STEP  (4 * HUGE_PAGE)
#define LOW_END	  (MEM_ASAN ? (uintptr_t)0x7fff8000 : (uintptr_t)1 << 32)

static char *map_at(uintptr_t where, size_t bytes, int flags)
{
	void *map = mmap((void *)where, bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);

	return map == MAP_FAILED ? NULL : map;
}

/* The first free place. An old kernel takes the address for a hint. */
static void *map_low(size_t bytes)
{
	for (uintptr_t at = LOW_FIRST; at + bytes <= LOW_END; at += LOW_STEP) {
		char *map = map_at(at, bytes, MAP_FIXED_NOREPLACE);

		if ((uintptr_t)map == at)
			return map;
		if (map)
			munmap(map, bytes);
	}
	return NULL;
}

void *map_pages(size_t bytes, bool low)
{
	size_t whole = (bytes + 4095) & ~(size_t)4095;
	char *map, *base;

	if (low)
		return map_low(bytes);
	if (bytes < HUGE_PAGE)
		return map_at(0, bytes, 0);
	/* One huge page more than needed, so that a whole number of them can be cut out. */
	map = map_at(0, whole + HUGE_PAGE, 0);
	if (!map)
		return NULL;
	base = (char *)(((uintptr_t)map + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1));
	if (base > map)
		munmap(map, (size_t)(base - map));
	if (base < map + HUGE_PAGE)
		munmap(base + whole, (size_t)(map + HUGE_PAGE - base));
	return base;
}
