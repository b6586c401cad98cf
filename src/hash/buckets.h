/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * buckets.h - the formulas of Linux from (parent, hash of the name) to a bucket
 *
 * For kernels whose name hash knows no parent. @line is L1_CACHE_BYTES, a constant
 * of the machine; @bits the logarithm of the number of buckets. Where a formula is
 * of two word widths, the one of 32 bits has the dentry's address cut to 32, as
 * such a kernel has it: there dentries begin at 0xc... .
 */
#ifndef HASH_BUCKETS_H
#define HASH_BUCKETS_H

#include <stdint.h>

#define BUCKETS_GOLDEN32 0x9e370001u
#define BUCKETS_GOLDEN64 0x9e37fffffffc0001ull

static inline uint32_t bucket_mask(unsigned bits)
{
	return (1u << bits) - 1;
}

/*
 * The first 2.4, 32 bits. From 2^16 buckets on, the second shift is by 32 or more, which
 * C leaves open: here as on x86, whose shifts are by the count modulo 32. With 2^16
 * buckets it is by 0, so that the sum cancels and its high half is the bucket.
 */
static inline uint32_t bucket_first_2_4(uint32_t hash, uint32_t parent, unsigned bits,
					unsigned line)
{
	uint32_t h = hash + parent / line;

	h ^= h >> bits ^ h >> (2 * bits & 31);
	return h & bucket_mask(bits);
}

/* 2.4.18, and 2.6.0 to 2.6.6, 32 bits: the "old" formula of 2004. */
static inline uint32_t bucket_old(uint32_t hash, uint32_t parent, unsigned bits, unsigned line)
{
	uint32_t h = hash + parent / line;

	h ^= h >> bits;
	return h & bucket_mask(bits);
}

/* The "new" one: trees after 2.6.6, and 2.6.7 on. The golden ratio is xored in twice. */
static inline uint32_t bucket_new32(uint32_t hash, uint32_t parent, unsigned bits, unsigned line)
{
	uint32_t h = hash + (parent ^ BUCKETS_GOLDEN32) / line;

	h ^= (h ^ BUCKETS_GOLDEN32) >> bits;
	return h & bucket_mask(bits);
}

static inline uint32_t bucket_new64(uint32_t hash, uint64_t parent, unsigned bits, unsigned line)
{
	uint64_t h = hash + (parent ^ BUCKETS_GOLDEN64) / line;

	h ^= (h ^ BUCKETS_GOLDEN64) >> bits;
	return (uint32_t)h & bucket_mask(bits);
}

/* 2013: without the golden ratio, and a sum. The hash is 32 bits wide on each machine by then. */
static inline uint32_t bucket_2013(uint32_t hash, uint64_t parent, unsigned bits, unsigned line)
{
	uint32_t h = hash + (uint32_t)(parent / line);

	h += h >> bits;
	return h & bucket_mask(bits);
}

/* 3.17: the top bits of a product. */
static inline uint32_t bucket_hash_32(uint32_t hash, uint64_t parent, unsigned bits, unsigned line)
{
	return (hash + (uint32_t)(parent / line)) * BUCKETS_GOLDEN32 >> (32 - bits);
}

#endif
