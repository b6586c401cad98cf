/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * xxh3 - XXH3 of libxxhash (64 bits), its header inlined
 *
 * Branches on the length first: up to 3, 8, 16, 128 and 240 bytes and beyond each
 * have their own short code, so names of mixed lengths are mispredicted. Not
 * presented as keyed: a seed alone is no defence against names made to collide.
 * The parent is the seed. Bucket: the top bits of the low half; all are alike.
 */
#ifndef HASH_XXH3_H
#define HASH_XXH3_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "hash/hash.h"

enum { xxh3_flags = 0 };

/* nonnull: the header has a branch for NULL, which analysers follow. */
__attribute__((nonnull)) static inline uint32_t xxh3_hash(const char *name, uint32_t len,
							  uint64_t parent, const uint64_t key[2])
{
	(void)key;
	return (uint32_t)XXH3_64bits_withSeed(name, len, parent);
}

HASH_COMPONENT(xxh3)

static inline uint32_t xxh3_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	(void)parent;
	return hash >> (32 - bits);
}

#endif
