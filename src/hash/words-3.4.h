/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * words-3.4.h - names a word at a time as in Linux 3.4 to 4.6, 64 bits, not yet folded to 32
 *
 * A multiplication by 9 a word. The parent is no part of it. What is left of the last
 * word is added as it is, and no multiplication follows.
 */
#ifndef HASH_WORDS_3_4_H
#define HASH_WORDS_3_4_H

#include "hash/hash.h"

static inline uint64_t words34_sum(const char *name, uint32_t len)
{
	uint64_t h = 0;

	for (; len >= 8; name += 8, len -= 8)
		h = (h + hash_load64(name)) * 9;
	return h + (hash_load64(name) & hash_low_bytes(len));
}

static inline uint64_t words34_sum_component(const char *path, uint32_t *len)
{
	uint64_t h = 0, a, marks;
	uint32_t n = 0;
	unsigned rest;

	while (!(marks = hash_end_bytes(a = hash_load64(path + n)))) {
		h = (h + a) * 9;
		n += 8;
	}
	rest = hash_end_index(marks);
	*len = n + rest;
	return h + (a & hash_low_bytes(rest));
}

/* A hash N of such a sum, folded by N_fold(). */
#define HASH_WORDS34(N)                                                                        \
	static inline uint32_t N##_hash(const char *name, uint32_t len, uint64_t parent,       \
					const uint64_t key[2])                                 \
	{                                                                                      \
		(void)parent;                                                                  \
		(void)key;                                                                     \
		return N##_fold(words34_sum(name, len));                                       \
	}                                                                                      \
	static inline uint32_t N##_component(const char *path, uint32_t *len, uint64_t parent, \
					     const uint64_t key[2])                            \
	{                                                                                      \
		(void)parent;                                                                  \
		(void)key;                                                                     \
		return N##_fold(words34_sum_component(path, len));                             \
	}

#endif
