/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * jhash - hashlittle() of lookup3 (Jenkins, 2006)
 *
 * Twelve bytes a round, 32-bit sums, xors and rotations only. The parent's line is the
 * initial value. Bucket: the top bits; all are alike.
 */
#ifndef HASH_JHASH_H
#define HASH_JHASH_H

#include "hash/hash.h"

enum { jhash_flags = 0 };

static inline uint32_t jhash_rol(uint32_t x, unsigned by)
{
	return x << by | x >> (32 - by);
}

/* One step of a mix: @x gives @z up, takes it in again rotated, and @z moves on by @y. */
static inline void jhash_step(uint32_t *x, uint32_t *y, uint32_t *z, unsigned by)
{
	*x -= *z;
	*x ^= jhash_rol(*z, by);
	*z += *y;
}

static inline void jhash_mix(uint32_t v[3])
{
	jhash_step(&v[0], &v[1], &v[2], 4);
	jhash_step(&v[1], &v[2], &v[0], 6);
	jhash_step(&v[2], &v[0], &v[1], 8);
	jhash_step(&v[0], &v[1], &v[2], 16);
	jhash_step(&v[1], &v[2], &v[0], 19);
	jhash_step(&v[2], &v[0], &v[1], 4);
}

static inline void jhash_end(uint32_t v[3])
{
	static const uint8_t by[] = {14, 11, 25, 16, 4, 14, 24};

	for (unsigned i = 0; i < sizeof(by); i++) {
		uint32_t from = v[(i + 1) % 3];

		v[(i + 2) % 3] ^= from;
		v[(i + 2) % 3] -= jhash_rol(from, by[i]);
	}
}

static inline uint32_t jhash_start(uint64_t parent)
{
	return (uint32_t)(parent >> 6);
}

static inline uint32_t jhash_hash(const char *name, uint32_t len, uint64_t parent,
				  const uint64_t key[2])
{
	uint32_t start = 0xdeadbeef + len + jhash_start(parent);
	uint32_t v[3] = {start, start, start};
	uint64_t low, high = 0;

	(void)key;
	for (; len > 12; name += 12, len -= 12) {
		low = hash_load64(name);
		v[0] += (uint32_t)low;
		v[1] += (uint32_t)(low >> 32);
		v[2] += (uint32_t)hash_load64(name + 8);
		jhash_mix(v);
	}
	if (!len)
		return v[2];
	low = hash_load64(name);
	if (len < 8)
		low &= hash_low_bytes(len);
	else
		high = hash_load64(name + 8) & hash_low_bytes(len - 8);
	v[0] += (uint32_t)low;
	v[1] += (uint32_t)(low >> 32);
	v[2] += (uint32_t)high;
	jhash_end(v);
	return v[2];
}

HASH_COMPONENT(jhash)

static inline uint32_t jhash_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	(void)parent;
	return hash >> (32 - bits);
}

#endif
