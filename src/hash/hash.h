/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * hash.h - name hashes: from (parent, name) to a 32-bit hash, and to a bucket
 *
 * One file a hash, src/hash/NAME.h; list.h names them all. A hash named N defines
 *
 *   static inline uint32_t N_hash(const char *name, uint32_t len, uint64_t parent,
 *				   const uint64_t key[2]);
 *	The hash of the @len bytes at @name, which are followed by at least
 *	HASH_PAD readable bytes, so that whole words may be loaded. Bytes behind
 *	@len do not change the result. @parent is the parent dentry's address as
 *	the modelled kernel would have it; a hash with a seed or salt takes it in
 *	here, another ignores it here and takes it in N_bucket().
 *
 *   static inline uint32_t N_bucket(uint32_t hash, uint64_t parent, unsigned bits);
 *	The bucket, below 1 << bits.
 *
 *   static inline uint32_t N_component(const char *path, uint32_t *len,
 *				        uint64_t parent, const uint64_t key[2]);
 *	The hash of the component that begins at @path and ends before the first
 *	`/` or NUL, and its length: what a walk calls. HASH_COMPONENT(N) defines
 *	it as a search for the end and N_hash(); a hash that can do both in one
 *	pass over the words writes its own. Both must agree.
 *
 *   enum { N_flags = 0 };
 *	Or HASH_KEYED, HASH_FLOOR.
 *
 * A dentry stores the hash; the bucket is made from it again when it is needed.
 * Results do not depend on the byte order: words are taken as little-endian.
 */
#ifndef HASH_HASH_H
#define HASH_HASH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define HASH_PAD 8

/* The key where none is given ("dcs-defa", "hash-key"): fixed, so that runs repeat. */
static const uint64_t hash_default_key[2] = {0x6463732d64656661ull, 0x686173682d6b6579ull};

#define HASH_KEYED 1u /* the key changes the result; all other hashes ignore it */
#define HASH_FLOOR 2u /* measures the harness: hashes nothing, unfit for a table */

static inline uint64_t hash_load64(const void *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	w = __builtin_bswap64(w);
#endif
	return w;
}

#define HASH_ONES  0x0101010101010101ull
#define HASH_HIGHS 0x8080808080808080ull

/* The high bit of each byte of @w that is 0; above the lowest such byte there may be false ones. */
static inline uint64_t hash_zero_bytes(uint64_t w)
{
	return (w - HASH_ONES) & ~w & HASH_HIGHS;
}

/* Marks the first byte of @w that ends a component. */
static inline uint64_t hash_end_bytes(uint64_t w)
{
	return hash_zero_bytes(w) | hash_zero_bytes(w ^ HASH_ONES * '/');
}

/* From the result of hash_end_bytes(): how many bytes come before the end, 0 to 7. */
static inline unsigned hash_end_index(uint64_t marks)
{
	return (unsigned)__builtin_ctzll(marks) >> 3;
}

/* A mask of the @n low bytes, @n from 0 to 7. */
static inline uint64_t hash_low_bytes(unsigned n)
{
	return ~(~0ull << 8 * n);
}

static inline uint32_t hash_component_length(const char *path)
{
	uint32_t len = 0;
	uint64_t marks;

	while (!(marks = hash_end_bytes(hash_load64(path + len))))
		len += 8;
	return len + hash_end_index(marks);
}

/* A hash behind pointers, for engines that have none compiled in, and for whoever compares. */
struct hash_ops {
	const char *id, *name, *what; /* id: in C */
	unsigned flags;
	uint32_t (*hash)(const char *name, uint32_t len, uint64_t parent, const uint64_t key[2]);
	uint32_t (*component)(const char *path, uint32_t *len, uint64_t parent,
			      const uint64_t key[2]);
	uint32_t (*bucket)(uint32_t hash, uint64_t parent, unsigned bits);
};

extern const struct hash_ops dcs_hashes[]; /* ends with one without a name; hashes.c */

#define HASH_COMPONENT(N)                                                                      \
	static inline uint32_t N##_component(const char *path, uint32_t *len, uint64_t parent, \
					     const uint64_t key[2])                            \
	{                                                                                      \
		*len = hash_component_length(path);                                            \
		return N##_hash(path, *len, parent, key);                                      \
	}

/* @N hashes names as @BASE does, and differs in the bucket. */
#define HASH_NAMES_AS(N, BASE)                                                                 \
	static inline uint32_t N##_hash(const char *name, uint32_t len, uint64_t parent,       \
					const uint64_t key[2])                                 \
	{                                                                                      \
		return BASE##_hash(name, len, parent, key);                                    \
	}                                                                                      \
	static inline uint32_t N##_component(const char *path, uint32_t *len, uint64_t parent, \
					     const uint64_t key[2])                            \
	{                                                                                      \
		return BASE##_component(path, len, parent, key);                               \
	}

#endif
