/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * siphash.h - SipHash-c-d, a keyed hash (Aumasson and Bernstein, 2012)
 *
 * Who does not know the key cannot make names that collide. The message is the
 * parent, as its first word, and then the name: what is published of SipHash
 * holds for the pair as it stands, at the price of c rounds a name. (A parent
 * folded into the key would save them and rest on related keys, of which
 * nothing is claimed.) The words are needed to find the end of the name, so both
 * are one pass.
 */
#ifndef HASH_SIPHASH_H
#define HASH_SIPHASH_H

#include "hash/hash.h"

struct siphash {
	uint64_t v0, v1, v2, v3;
};

static inline uint64_t siphash_rol(uint64_t x, unsigned by)
{
	return x << by | x >> (64 - by);
}

static inline void siphash_rounds(struct siphash *s, unsigned n)
{
	while (n--) {
		s->v0 += s->v1;
		s->v2 += s->v3;
		s->v1 = siphash_rol(s->v1, 13) ^ s->v0;
		s->v3 = siphash_rol(s->v3, 16) ^ s->v2;
		s->v0 = siphash_rol(s->v0, 32) + s->v3;
		s->v2 += s->v1;
		s->v3 = siphash_rol(s->v3, 21) ^ s->v0;
		s->v1 = siphash_rol(s->v1, 17) ^ s->v2;
		s->v2 = siphash_rol(s->v2, 32);
	}
}

static inline struct siphash siphash_begin(const uint64_t key[2])
{
	return (struct siphash){
		.v0 = key[0] ^ 0x736f6d6570736575ull,
		.v1 = key[1] ^ 0x646f72616e646f6dull,
		.v2 = key[0] ^ 0x6c7967656e657261ull,
		.v3 = key[1] ^ 0x7465646279746573ull,
	};
}

static inline void siphash_word(struct siphash *s, uint64_t word, unsigned rounds)
{
	s->v3 ^= word;
	siphash_rounds(s, rounds);
	s->v0 ^= word;
}

/* @tail holds the last @size % 8 bytes of a message of @size bytes. */
static inline uint64_t siphash_end(struct siphash *s, uint64_t tail, uint32_t size, unsigned c,
				   unsigned d)
{
	siphash_word(s, tail | (uint64_t)size << 56, c);
	s->v2 ^= 0xff;
	siphash_rounds(s, d);
	return s->v0 ^ s->v1 ^ s->v2 ^ s->v3;
}

/* @done bytes, a multiple of 8, are already in @s. */
static inline uint64_t siphash_rest(struct siphash *s, uint32_t done, const char *p, uint32_t len,
				    unsigned c, unsigned d)
{
	uint32_t size = done + len;

	for (; len >= 8; p += 8, len -= 8)
		siphash_word(s, hash_load64(p), c);
	return siphash_end(s, hash_load64(p) & hash_low_bytes(len), size, c, d);
}

static inline uint32_t siphash_pair(const char *name, uint32_t len, uint64_t parent,
				    const uint64_t key[2], unsigned c, unsigned d)
{
	struct siphash s = siphash_begin(key);

	siphash_word(&s, parent, c);
	return (uint32_t)siphash_rest(&s, sizeof(parent), name, len, c, d);
}

static inline uint32_t siphash_pair_component(const char *path, uint32_t *len, uint64_t parent,
					      const uint64_t key[2], unsigned c, unsigned d)
{
	struct siphash s = siphash_begin(key);
	uint64_t word, marks;
	uint32_t n = 0;
	unsigned rest;

	siphash_word(&s, parent, c);
	while (!(marks = hash_end_bytes(word = hash_load64(path + n)))) {
		siphash_word(&s, word, c);
		n += 8;
	}
	rest = hash_end_index(marks);
	*len = n + rest;
	return (uint32_t)siphash_end(&s, word & hash_low_bytes(rest), sizeof(parent) + *len, c, d);
}

/* A hash N of @C rounds a word and @D at the end. Bucket: the top bits; all are alike. */
#define HASH_SIPHASH(N, C, D)                                                                  \
	enum { N##_flags = HASH_KEYED };                                                       \
	static inline uint32_t N##_hash(const char *name, uint32_t len, uint64_t parent,       \
					const uint64_t key[2])                                 \
	{                                                                                      \
		return siphash_pair(name, len, parent, key, C, D);                             \
	}                                                                                      \
	static inline uint32_t N##_component(const char *path, uint32_t *len, uint64_t parent, \
					     const uint64_t key[2])                            \
	{                                                                                      \
		return siphash_pair_component(path, len, parent, key, C, D);                   \
	}                                                                                      \
	static inline uint32_t N##_bucket(uint32_t hash, uint64_t parent, unsigned bits)       \
	{                                                                                      \
		(void)parent;                                                                  \
		return hash >> (32 - bits);                                                    \
	}

#endif
