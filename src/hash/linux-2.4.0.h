/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * linux-2.4.0 - the name hash of Linux 2.2 and the first 2.4
 *
 * A rotation and an xor a byte: it is linear, so that equal bytes eight apart cancel,
 * and a name's last eight bytes are in the low bits as they stand.
 * Bucket: the first formula of 2.4, 32 bits, lines of 128 bytes (P4 Xeon).
 */
#ifndef HASH_LINUX_2_4_0_H
#define HASH_LINUX_2_4_0_H

#include "hash/buckets.h"
#include "hash/hash.h"

enum { linux_2_4_0_flags = 0 };

static inline uint32_t linux_2_4_0_step(uint32_t h, uint8_t c)
{
	return (h << 4 | h >> 28) ^ c;
}

static inline uint32_t linux_2_4_0_hash(const char *name, uint32_t len, uint64_t parent,
					const uint64_t key[2])
{
	uint32_t h = 0;

	(void)parent;
	(void)key;
	for (uint32_t i = 0; i < len; i++)
		h = linux_2_4_0_step(h, (uint8_t)name[i]);
	return h;
}

static inline uint32_t linux_2_4_0_component(const char *path, uint32_t *len, uint64_t parent,
					     const uint64_t key[2])
{
	uint32_t h = 0, n = 0;

	(void)parent;
	(void)key;
	for (; path[n] && path[n] != '/'; n++)
		h = linux_2_4_0_step(h, (uint8_t)path[n]);
	*len = n;
	return h;
}

static inline uint32_t linux_2_4_0_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	return bucket_first_2_4(hash, (uint32_t)parent, bits, 128);
}

#endif
