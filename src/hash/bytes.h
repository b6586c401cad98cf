/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * bytes - the name hash of Linux 2.6, with the bucket formula of 2.6.7 on
 *
 * A byte at a time; the parent is no part of it, so that the hash of a name can
 * be had before the parent is known.
 * Bucket: the "new" formula, 64-bit machine, lines of 64 bytes. Linux computes in
 * 64 bits and cuts to 32; sums and products below 2^32 are the same in 32.
 */
#ifndef HASH_BYTES_H
#define HASH_BYTES_H

#include "hash/buckets.h"
#include "hash/hash.h"

enum { bytes_flags = 0 };

static inline uint32_t bytes_step(uint32_t h, uint8_t c)
{
	return (h + ((uint32_t)c << 4) + (c >> 4)) * 11;
}

static inline uint32_t bytes_hash(const char *name, uint32_t len, uint64_t parent,
				  const uint64_t key[2])
{
	uint32_t h = 0;

	(void)parent;
	(void)key;
	for (uint32_t i = 0; i < len; i++)
		h = bytes_step(h, (uint8_t)name[i]);
	return h;
}

static inline uint32_t bytes_component(const char *path, uint32_t *len, uint64_t parent,
				       const uint64_t key[2])
{
	uint32_t h = 0, n = 0;

	(void)parent;
	(void)key;
	for (; path[n] && path[n] != '/'; n++)
		h = bytes_step(h, (uint8_t)path[n]);
	*len = n;
	return h;
}

static inline uint32_t bytes_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	return bucket_new64(hash, parent, bits, 64);
}

#endif
