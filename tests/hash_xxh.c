/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The library's own XXH functions, apart from test_hash.c, where the header is inlined. */
#include <xxhash.h>

#include "hash_xxh.h"

uint64_t library_xxh64(const void *p, size_t len, uint64_t seed)
{
	return XXH64(p, len, seed);
}

uint64_t library_xxh3(const void *p, size_t len, uint64_t seed)
{
	return XXH3_64bits_withSeed(p, len, seed);
}
