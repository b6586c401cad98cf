/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * wyhash - wyhash, final version 4.2 (Wang Yi)
 *
 * A product of 64 by 64 bits a 16 bytes, both halves xored; a name of up to 16 bytes is two
 * loads, which overlap, and two products. The parent is the seed, the secret the published one:
 * not presented as keyed.
 * Bucket: the top bits of the low half; all are alike.
 */
#ifndef HASH_WYHASH_H
#define HASH_WYHASH_H

#include "hash/hash.h"

enum { wyhash_flags = 0 };

static const uint64_t wyhash_secret[4] = {0x2d358dccaa6c78a5ull, 0x8bb84b93962eacc9ull,
					  0x4b33a62ed433d4a3ull, 0x4d5a2da51de1aa47ull};

static inline uint64_t wyhash_mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t wyhash_load32(const char *p)
{
	return (uint32_t)hash_load64(p);
}

/* Up to 16 bytes: the first and the last of them, and what lies between. */
static inline void wyhash_short(const char *p, uint32_t len, uint64_t *a, uint64_t *b)
{
	uint32_t step = len >> 3 << 2;

	if (len >= 4) {
		*a = wyhash_load32(p) << 32 | wyhash_load32(p + step);
		*b = wyhash_load32(p + len - 4) << 32 | wyhash_load32(p + len - 4 - step);
	} else if (len) {
		*a = (uint64_t)(uint8_t)p[0] << 16 | (uint64_t)(uint8_t)p[len >> 1] << 8 |
		     (uint8_t)p[len - 1];
		*b = 0;
	} else {
		*a = *b = 0;
	}
}

static inline uint64_t wyhash_fold16(const char *p, uint64_t secret, uint64_t seed)
{
	return wyhash_mix(hash_load64(p) ^ secret, hash_load64(p + 8) ^ seed);
}

static inline uint64_t wyhash_full(const char *p, uint32_t len, uint64_t seed)
{
	const uint64_t *secret = wyhash_secret;
	uint64_t a, b;
	uint32_t left = len;

	seed ^= wyhash_mix(seed ^ secret[0], secret[1]);
	if (len <= 16) {
		wyhash_short(p, len, &a, &b);
	} else {
		uint64_t second = seed, third = seed;

		for (; left >= 48; p += 48, left -= 48) {
			seed = wyhash_fold16(p, secret[1], seed);
			second = wyhash_fold16(p + 16, secret[2], second);
			third = wyhash_fold16(p + 32, secret[3], third);
		}
		seed ^= len >= 48 ? second ^ third : 0;
		for (; left > 16; p += 16, left -= 16)
			seed = wyhash_fold16(p, secret[1], seed);
		a = hash_load64(p + left - 16);
		b = hash_load64(p + left - 8);
	}
	a ^= secret[1];
	b ^= seed;
	{
		unsigned __int128 product = (unsigned __int128)a * b;

		return wyhash_mix((uint64_t)product ^ secret[0] ^ len,
				  (uint64_t)(product >> 64) ^ secret[1]);
	}
}

static inline uint32_t wyhash_hash(const char *name, uint32_t len, uint64_t parent,
				   const uint64_t key[2])
{
	(void)key;
	return (uint32_t)wyhash_full(name, len, parent);
}

HASH_COMPONENT(wyhash)

static inline uint32_t wyhash_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	(void)parent;
	return hash >> (32 - bits);
}

#endif
