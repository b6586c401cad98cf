/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * xxh32 - XXH32 of libxxhash, its header inlined
 *
 * 32-bit arithmetic only: four bytes, then one at a time at the end of a name.
 * The parent's line is the seed. Bucket: the top bits; all are alike.
 */
#ifndef HASH_XXH32_H
#define HASH_XXH32_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "hash/hash.h"

enum { xxh32_flags = 0 };

static inline uint32_t xxh32_seed(uint64_t parent)
{
	return (uint32_t)(parent >> 6);
}

/* nonnull: the header has a branch for NULL, which analysers follow. */
__attribute__((nonnull)) static inline uint32_t xxh32_hash(const char *name, uint32_t len,
							   uint64_t parent, const uint64_t key[2])
{
	(void)key;
	return XXH32(name, len, xxh32_seed(parent));
}

HASH_COMPONENT(xxh32)

static inline uint32_t xxh32_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	(void)parent;
	return hash >> (32 - bits);
}

#endif
