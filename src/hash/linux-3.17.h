/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * linux-3.17 - the word hash of Linux 3.4, its sum folded by a multiplication
 *
 * The answer to names of one shape that collided with what 3.12 has: the top half of
 * a product of 64 bits is the hash, the top bits of one of 32 the bucket.
 * Bucket: hash_32, 64-bit machine, lines of 64 bytes.
 */
#ifndef HASH_LINUX_3_17_H
#define HASH_LINUX_3_17_H

#include "hash/buckets.h"
#include "hash/words-3.4.h"

enum { linux_3_17_flags = 0 };

static inline uint32_t linux_3_17_fold(uint64_t sum)
{
	return (uint32_t)(sum * BUCKETS_GOLDEN64 >> 32);
}

HASH_WORDS34(linux_3_17)

static inline uint32_t linux_3_17_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	return bucket_hash_32(hash, parent, bits, 64);
}

#endif
