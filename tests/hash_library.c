/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Hashes as libraries have them, apart from test_hash.c, where xxhash.h is inlined. */
#include <ck_ht.h>
#include <stdlib.h>
#include <xxhash.h>

#include "hash_library.h"

uint64_t library_xxh64(const void *p, size_t len, uint64_t seed)
{
	return XXH64(p, len, seed);
}

uint64_t library_xxh3(const void *p, size_t len, uint64_t seed)
{
	return XXH3_64bits_withSeed(p, len, seed);
}

uint32_t library_xxh32(const void *p, size_t len, uint32_t seed)
{
	return XXH32(p, len, seed);
}

static void *ht_malloc(size_t size)
{
	return malloc(size);
}

static void ht_free(void *p, size_t size, bool defer)
{
	(void)size, (void)defer;
	free(p);
}

uint64_t library_ck_ht(const void *p, size_t len, uint64_t seed)
{
	static struct ck_malloc allocator = {.malloc = ht_malloc, .free = ht_free};
	struct ck_ht_hash h = {0};
	struct ck_ht ht;

	if (!ck_ht_init(&ht, CK_HT_MODE_BYTESTRING, NULL, &allocator, 8, seed))
		return 0;
	ck_ht_hash(&h, &ht, p, (uint16_t)len);
	ck_ht_destroy(&ht);
	return h.value;
}
