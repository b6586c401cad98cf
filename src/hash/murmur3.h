/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * murmur3 - MurmurHash3, x86, 32 bits (Appleby)
 *
 * Four bytes a round, two multiplications each. The parent's line is the seed; names that
 * collide for each seed are known since 2012 (Aumasson, Bernstein, Bosslet).
 * Bucket: the top bits; all are alike.
 */
#ifndef HASH_MURMUR3_H
#define HASH_MURMUR3_H

#include "hash/hash.h"

enum { murmur3_flags = 0 };

static inline uint32_t murmur3_rol(uint32_t x, unsigned by)
{
	return x << by | x >> (32 - by);
}

static inline uint32_t murmur3_scatter(uint32_t k)
{
	return murmur3_rol(k * 0xcc9e2d51u, 15) * 0x1b873593u;
}

static inline uint32_t murmur3_end(uint32_t h)
{
	h = (h ^ h >> 16) * 0x85ebca6bu;
	h = (h ^ h >> 13) * 0xc2b2ae35u;
	return h ^ h >> 16;
}

static inline uint32_t murmur3_seed(uint64_t parent)
{
	return (uint32_t)(parent >> 6);
}

static inline uint32_t murmur3_hash(const char *name, uint32_t len, uint64_t parent,
				    const uint64_t key[2])
{
	uint32_t h = murmur3_seed(parent), left = len;

	(void)key;
	for (; left >= 4; name += 4, left -= 4) {
		h ^= murmur3_scatter((uint32_t)hash_load64(name));
		h = murmur3_rol(h, 13) * 5 + 0xe6546b64u;
	}
	h ^= murmur3_scatter((uint32_t)(hash_load64(name) & hash_low_bytes(left)));
	return murmur3_end(h ^ len);
}

HASH_COMPONENT(murmur3)

static inline uint32_t murmur3_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	(void)parent;
	return hash >> (32 - bits);
}

#endif
