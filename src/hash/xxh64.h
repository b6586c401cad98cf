/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * xxh64 - XXH64 of libxxhash, its header inlined
 *
 * Made for long input at the speed of memory: the last 31 bytes, which is all of
 * most names, are taken 8, then 4, then 1 at a time, a multiplication each on the
 * critical path, and two more end it.
 * The parent is the seed. Bucket: the top bits of the low half; all are alike.
 */
#ifndef HASH_XXH64_H
#define HASH_XXH64_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "hash/hash.h"

enum { xxh64_flags = 0 };

/* nonnull: the header has a branch for NULL, which analysers follow. */
__attribute__((nonnull)) static inline uint32_t xxh64_hash(const char *name, uint32_t len,
							   uint64_t parent, const uint64_t key[2])
{
	(void)key;
	return (uint32_t)XXH64(name, len, parent);
}

HASH_COMPONENT(xxh64)

static inline uint32_t xxh64_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	(void)parent;
	return hash >> (32 - bits);
}

#endif
