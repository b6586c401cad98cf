/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * murmur64a - MurmurHash64A (Appleby): the hash that ck's tables come with
 *
 * Eight bytes a round, two multiplications each. The parent is the seed.
 * Bucket: the top bits of the low half; all are alike.
 */
#ifndef HASH_MURMUR64A_H
#define HASH_MURMUR64A_H

#include "hash/hash.h"

enum { murmur64a_flags = 0 };

#define MURMUR64A_FACTOR 0xc6a4a7935bd1e995ull

static inline uint64_t murmur64a_full(const char *name, uint32_t len, uint64_t seed)
{
	uint64_t h = seed ^ len * MURMUR64A_FACTOR;

	for (; len >= 8; name += 8, len -= 8) {
		uint64_t k = hash_load64(name) * MURMUR64A_FACTOR;

		h = (h ^ (k ^ k >> 47) * MURMUR64A_FACTOR) * MURMUR64A_FACTOR;
	}
	if (len)
		h = (h ^ (hash_load64(name) & hash_low_bytes(len))) * MURMUR64A_FACTOR;
	h = (h ^ h >> 47) * MURMUR64A_FACTOR;
	return h ^ h >> 47;
}

static inline uint32_t murmur64a_hash(const char *name, uint32_t len, uint64_t parent,
				      const uint64_t key[2])
{
	(void)key;
	return (uint32_t)murmur64a_full(name, len, parent);
}

HASH_COMPONENT(murmur64a)

static inline uint32_t murmur64a_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	(void)parent;
	return hash >> (32 - bits);
}

#endif
