/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* test_placement.c - what is moved in memory is moved by lines, and nothing else changes */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "dcache/cache.h"
#include "mem/placement.h"

/* A cache of some names; what it holds is told in @census. */
static struct dcs_cache *cache_placed(uint64_t placement, struct dcs_census *census)
{
	struct dcs_config config = {.table_bits = 8, .capacity = 4096, .placement = placement};
	struct dcs_cache *cache;
	struct dcs_task *task;
	struct dcs_stat st;
	char path[32];

	assert_int_equal(dcs_cache_new(&config, &cache, NULL), 0);
	assert_int_equal(dcs_thread_register(cache), 0);
	assert_int_equal(dcs_task_new(cache, NULL, 0, &task), 0);
	for (int i = 0; i < 2000; i++) {
		snprintf(path, sizeof(path), "file%d", i);
		assert_int_equal(dcs_create(task, path, 0644), 0);
		assert_int_equal(dcs_stat(task, path, 0, &st), 0);
	}
	dcs_census(cache, census);
	dcs_task_free(task);
	return cache;
}

static void moved_by_lines(void **state)
{
	uint64_t seen[5][4];

	(void)state;
	for (uint64_t placement = 0; placement < 5; placement++) {
		struct dcs_census census;
		struct dcs_cache *cache = cache_placed(placement, &census);
		const void *base[] = {cache->dentries.arena.base, cache->inodes.arena.base,
				      cache->names.base, cache->table};

		for (unsigned i = 0; i < 4; i++) {
			size_t shift = placement_shift(placement, (enum placed)i, 0, HUGE_PAGE);

			seen[placement][i] = shift;
			assert_int_equal(shift % MEM_LINE, 0);
			assert_true(shift < HUGE_PAGE);
			if (i == PLACED_TABLE)
				assert_int_equal((uintptr_t)base[i] % 4096, shift % 4096);
			else if (!MEM_ASAN)
				assert_int_equal((uintptr_t)base[i] % HUGE_PAGE, shift);
			for (uint64_t other = 0; other < placement; other++)
				assert_int_not_equal(seen[other][i], shift);
		}
		dcs_cache_free(cache);
	}
}

static void chains_stay(void **state)
{
	struct dcs_census still, moved;

	(void)state;
	dcs_cache_free(cache_placed(0, &still));
	dcs_cache_free(cache_placed(7, &moved));
	if (MEM_ASAN) /* addresses are the allocator's there, and chains go by them */
		return;
	assert_int_equal(still.used_buckets, moved.used_buckets);
	assert_int_equal(still.longest_chain, moved.longest_chain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moved_by_lines),
		cmocka_unit_test(chains_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
