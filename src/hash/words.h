/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * words - the name hash of Linux 4.7 to today on 64-bit machines
 *
 * A word at a time. The parent is the salt. The end of the name and its hash are
 * found in one pass: the words are needed for both.
 * Bucket: the top bits (4.8 on).
 */
#ifndef HASH_WORDS_H
#define HASH_WORDS_H

#include "hash/hash.h"

#define WORDS_GOLDEN 0x61C8864680B583EBull

enum { words_flags = 0 };

static inline uint64_t words_rol(uint64_t x, unsigned by)
{
	return x << by | x >> (64 - by);
}

static inline void words_mix(uint64_t *x, uint64_t *y, uint64_t a)
{
	*y ^= *x ^= a;
	*x = words_rol(*x, 12) + *y;
	*y = words_rol(*y, 45) * 9;
}

static inline uint32_t words_fold(uint64_t x, uint64_t y)
{
	y ^= x * WORDS_GOLDEN;
	return (uint32_t)(y * WORDS_GOLDEN >> 32);
}

static inline uint32_t words_hash(const char *name, uint32_t len, uint64_t parent,
				  const uint64_t key[2])
{
	uint64_t x = 0, y = parent;

	(void)key;
	for (; len >= 8; name += 8, len -= 8)
		words_mix(&x, &y, hash_load64(name));
	return words_fold(x ^ (hash_load64(name) & hash_low_bytes(len)), y);
}

static inline uint32_t words_component(const char *path, uint32_t *len, uint64_t parent,
				       const uint64_t key[2])
{
	uint64_t x = 0, y = parent, a, marks;
	uint32_t n = 0;
	unsigned rest;

	(void)key;
	while (!(marks = hash_end_bytes(a = hash_load64(path + n)))) {
		words_mix(&x, &y, a);
		n += 8;
	}
	rest = hash_end_index(marks);
	*len = n + rest;
	return words_fold(x ^ (a & hash_low_bytes(rest)), y);
}

static inline uint32_t words_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	(void)parent;
	return hash >> (32 - bits);
}

#endif
