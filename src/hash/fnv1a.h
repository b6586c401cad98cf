/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fnv1a - FNV-1a of 64 bits, folded to 32 (Fowler, Noll, Vo)
 *
 * A byte at a time, one multiplication a byte on the critical path. The parent
 * changes the offset basis. It is scattered first: taken as it is, its low byte
 * and the first byte of the name would meet in one xor, and siblings' children
 * whose first bytes differ as their parents do would collide in full.
 * Bucket: the low bits, where the last byte's multiplication reaches.
 */
#ifndef HASH_FNV1A_H
#define HASH_FNV1A_H

#include "hash/hash.h"

#define FNV1A_BASIS   0xcbf29ce484222325ull
#define FNV1A_PRIME   0x00000100000001b3ull
#define FNV1A_SCATTER 0x9e3779b97f4a7c15ull /* 2^64 over the golden ratio */

enum { fnv1a_flags = 0 };

static inline uint64_t fnv1a_basis(uint64_t parent)
{
	return FNV1A_BASIS ^ parent * FNV1A_SCATTER;
}

static inline uint64_t fnv1a_step(uint64_t h, uint8_t c)
{
	return (h ^ c) * FNV1A_PRIME;
}

static inline uint32_t fnv1a_fold(uint64_t h)
{
	return (uint32_t)(h ^ h >> 32);
}

static inline uint32_t fnv1a_hash(const char *name, uint32_t len, uint64_t parent,
				  const uint64_t key[2])
{
	uint64_t h = fnv1a_basis(parent);

	(void)key;
	for (uint32_t i = 0; i < len; i++)
		h = fnv1a_step(h, (uint8_t)name[i]);
	return fnv1a_fold(h);
}

static inline uint32_t fnv1a_component(const char *path, uint32_t *len, uint64_t parent,
				       const uint64_t key[2])
{
	uint64_t h = fnv1a_basis(parent);
	uint32_t n = 0;

	(void)key;
	for (; path[n] && path[n] != '/'; n++)
		h = fnv1a_step(h, (uint8_t)path[n]);
	*len = n;
	return fnv1a_fold(h);
}

static inline uint32_t fnv1a_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	(void)parent;
	return hash & ((1u << bits) - 1);
}

#endif
