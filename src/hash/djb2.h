/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * djb2 - Bernstein's h * 33 + c
 *
 * A byte at a time; the parent is no part of it. Equal for names such as "bB" and "ac", whatever
 * stands before and behind.
 * Bucket: the parent's line is added, and a multiplication brings all bits to the top
 * (the formula of Linux 3.17).
 */
#ifndef HASH_DJB2_H
#define HASH_DJB2_H

#include "hash/buckets.h"
#include "hash/hash.h"

enum { djb2_flags = 0 };

static inline uint32_t djb2_hash(const char *name, uint32_t len, uint64_t parent,
				 const uint64_t key[2])
{
	uint32_t h = 5381;

	(void)parent;
	(void)key;
	for (uint32_t i = 0; i < len; i++)
		h = h * 33 + (uint8_t)name[i];
	return h;
}

static inline uint32_t djb2_component(const char *path, uint32_t *len, uint64_t parent,
				      const uint64_t key[2])
{
	uint32_t h = 5381, n = 0;

	(void)parent;
	(void)key;
	for (; path[n] && path[n] != '/'; n++)
		h = h * 33 + (uint8_t)path[n];
	*len = n;
	return h;
}

static inline uint32_t djb2_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	return bucket_hash_32(hash, parent, bits, 64);
}

#endif
