/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* test_slab.c - object caches by themselves, without a constructor and with one */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "inode/slab.h"

#if MEM_ASAN
#include <sanitizer/asan_interface.h>
#endif

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define MOST	 512 /* objects of a test */

static const struct {
	size_t object, align, stride, per_page;
} shapes[] = {
	/* The pointer lies behind, so that 8 bytes become 16 and 192 aligned ones 256. */
	{8, 8, 16, 256},    {24, 8, 32, 128},	{104, 8, 112, 36},
	{192, 64, 256, 16}, {128, 16, 144, 28}, {2048, 64, 2112, 1},
};

static struct slab slab;
static char context;
static const void *seen[4 * MOST]; /* each object that was constructed */
static size_t n_seen;

#define FRESH 0x5a

static void construct(void *object, void *own)
{
	assert_ptr_equal(own, &context);
	assert_true(n_seen < COUNT(seen));
	for (size_t i = 0; i < n_seen; i++)
		assert_ptr_not_equal(seen[i], object);
	seen[n_seen++] = object;
	memset(object, FRESH, slab.object);
}

static int is_dirty(const void *object, void *n_free)
{
	const unsigned char *byte = object;

	++*(size_t *)n_free;
	for (size_t i = 0; i < slab.object; i++)
		if (byte[i] != FRESH)
			return 1;
	return 0;
}

static size_t count_free(void)
{
	size_t n = 0;

	assert_int_equal(slab_each_free(&slab, is_dirty, &n), 0);
	return n;
}

static void open_slab(size_t shape, size_t capacity, bool constructor)
{
	n_seen = 0;
	assert_int_equal(slab_init(&slab, &(struct shape){.object = shapes[shape].object},
				   shapes[shape].align, capacity, constructor ? construct : NULL,
				   &context),
			 0);
}

/* All that there is room for, each filled with bytes of its own; then that none overlaps. */
static size_t take_all(unsigned char *object[MOST + 1], size_t align)
{
	size_t n = 0;

	while (n <= MOST && (object[n] = slab_alloc(&slab))) {
		assert_int_equal((uintptr_t)object[n] % align, 0);
		if (slab.construct)
			for (size_t i = 0; i < slab.object; i++)
				assert_int_equal(object[n][i], FRESH);
		memset(object[n], (int)n, slab.object);
		n++;
	}
	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < slab.object; i++)
			assert_int_equal(object[k][i], (unsigned char)k);
	return n;
}

/* Up to the capacity and no further, and once more when one is freed. */
static void test_exhaustion(void **state)
{
	unsigned char *object[MOST + 1] = {NULL};

	(void)state;
	for (size_t s = 0; s < COUNT(shapes); s++) {
		for (int constructor = 0; constructor < 2; constructor++) {
			size_t capacity = 3 * shapes[s].per_page / 2 + 1;

			open_slab(s, capacity, constructor);
			assert_int_equal(take_all(object, shapes[s].align), capacity);
			assert_int_equal(slab_live(&slab), capacity);
			assert_null(slab_alloc(&slab));
			memset(object[0], FRESH, slab.object);
			slab_free(&slab, object[0]);
			assert_int_equal(slab_live(&slab), capacity - 1);
			object[0] = slab_alloc(&slab);
			assert_non_null(object[0]);
			assert_null(slab_alloc(&slab));
			for (size_t i = 0; i < capacity; i++)
				slab_free(&slab, object[i]);
			assert_int_equal(slab_live(&slab), 0);
			slab_destroy(&slab);
		}
	}
}

/* A page at a time, each object once, whatever is allocated and freed later. */
static void test_constructed_once(void **state)
{
	(void)state;
	for (size_t s = 0; s < COUNT(shapes); s++) {
		size_t per_page = shapes[s].per_page;
		void *object[MOST] = {NULL};

		open_slab(s, 2 * per_page, true);
		assert_int_equal(slab.stride, shapes[s].stride);
		assert_int_equal(n_seen, 0);
		object[0] = slab_alloc(&slab);
		assert_int_equal(n_seen, per_page);
		assert_int_equal(count_free(), per_page - 1);
		for (size_t i = 1; i < per_page; i++)
			object[i] = slab_alloc(&slab);
		assert_int_equal(n_seen, per_page);
		assert_int_equal(count_free(), 0);
		for (size_t i = 0; i < per_page; i++)
			slab_free(&slab, object[i]);
		for (size_t i = 0; i < per_page; i++)
			object[i] = slab_alloc(&slab);
		assert_int_equal(n_seen, per_page);
		object[per_page] = slab_alloc(&slab);
		assert_int_equal(n_seen, 2 * per_page);
		assert_int_equal(slab_figures(&slab).constructed, 2 * per_page);
		assert_int_equal(slab_figures(&slab).allocated, 2 * per_page + 1);
		assert_int_equal(slab_figures(&slab).zeroed, 0);
		for (size_t i = 0; i <= per_page; i++)
			slab_free(&slab, object[i]);
		slab_destroy(&slab);
	}
}

/* What is freed keeps every byte: the pointer lies behind. One freed otherwise is told. */
static void test_free_state(void **state)
{
	size_t n = 0;
	char *a, *b;

	(void)state;
	open_slab(2, 8, true);
	a = slab_alloc(&slab);
	b = slab_alloc(&slab);
	slab_free(&slab, a);
	assert_int_equal(count_free(), shapes[2].per_page - 1);
	b[slab.object - 1] = 0;
	slab_free(&slab, b);
	assert_int_equal(slab_each_free(&slab, is_dirty, &n), 1);
	/* The last freed is the first to go, as it is. */
	assert_ptr_equal(slab_alloc(&slab), b);
	assert_int_equal(b[slab.object - 1], 0);
	b[slab.object - 1] = FRESH;
	slab_free(&slab, b);
#if MEM_ASAN
	assert_true(__asan_address_is_poisoned(b));
	assert_true(__asan_address_is_poisoned(b + slab.object - 1));
#endif
	slab_destroy(&slab);
}

/* Without a constructor the pointer lies inside. */
static void test_link_inside(void **state)
{
	struct slab_figures f;
	void **a, **b;

	(void)state;
	open_slab(3, 8, false);
	a = slab_alloc(&slab);
	b = slab_alloc(&slab);
	slab_free(&slab, a);
	slab_free(&slab, b);
	if (!MEM_ASAN) { /* else each is a block of its own */
		assert_ptr_equal((char *)b - (char *)a, slab.object);
		assert_ptr_equal(*b, a);
		assert_ptr_equal(slab_alloc(&slab), b);
		slab_free(&slab, b);
	}
	f = slab_figures(&slab);
	assert_int_equal(f.allocated, MEM_ASAN ? 2 : 3);
	assert_int_equal(f.zeroed, f.allocated * slab.object);
	assert_int_equal(f.constructed, 0);
	assert_int_equal(f.live, 0);
	slab_destroy(&slab);
}

/* Memory that was faulted in is handed out like any. */
static void test_prefault(void **state)
{
	unsigned char *object[MOST + 1] = {NULL};

	(void)state;
	for (int constructor = 0; constructor < 2; constructor++) {
		open_slab(2, 100, constructor);
		slab_prefault(&slab, 1000);
		assert_int_equal(take_all(object, 8), 100);
		for (size_t i = 0; i < 100; i++)
			slab_free(&slab, object[i]);
		slab_destroy(&slab);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exhaustion), cmocka_unit_test(test_constructed_once),
		cmocka_unit_test(test_free_state), cmocka_unit_test(test_link_inside),
		cmocka_unit_test(test_prefault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
