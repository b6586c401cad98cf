/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * crc32c - the same CRC by the processor's instruction, eight bytes a step
 *
 * Where the processor has none, by the table: the values are the same. The end of the name and
 * its hash are found in one pass. The last n bytes of a name are one step too: zeros do not
 * move a CRC that is zero, so the n bytes are put at the end of a word of zeros, and what is
 * in the CRC is xored to them first; if they are less than 4, the rest of it stays.
 * The instruction is written as such: it inlines where a function compiled for another
 * processor would not.
 */
#ifndef HASH_CRC32C_H
#define HASH_CRC32C_H

#include "hash/crc32c-table.h"

enum { crc32c_flags = 0 };

#ifdef __x86_64__
static inline bool crc32c_has(void)
{
	return __builtin_cpu_supports("sse4.2");
}

static inline uint64_t crc32c_word(uint64_t crc, uint64_t word)
{
	__asm__("crc32q %1, %0" : "+r"(crc) : "r"(word));
	return crc;
}
#else
static inline bool crc32c_has(void)
{
	return false;
}

static inline uint64_t crc32c_word(uint64_t crc, uint64_t word)
{
	for (unsigned i = 0; i < 8; i++, word >>= 8)
		crc = crc32c_step((uint32_t)crc, (uint8_t)word);
	return crc;
}
#endif

/* @word holds the last @n bytes, 0 to 7, and others. */
static inline uint32_t crc32c_end(uint64_t crc, uint64_t word, unsigned n)
{
	uint64_t last = (word ^ crc) & hash_low_bytes(n);

	return ~(uint32_t)(crc >> 8 * n ^ crc32c_word(0, last << (56 - 8 * n) << 8));
}

static inline uint32_t crc32c_hash(const char *name, uint32_t len, uint64_t parent,
				   const uint64_t key[2])
{
	uint64_t crc = ~0u;

	if (!crc32c_has())
		return crc32c_table_hash(name, len, parent, key);
	crc = crc32c_word(crc, parent);
	for (; len >= 8; name += 8, len -= 8)
		crc = crc32c_word(crc, hash_load64(name));
	return crc32c_end(crc, hash_load64(name), len);
}

static inline uint32_t crc32c_component(const char *path, uint32_t *len, uint64_t parent,
					const uint64_t key[2])
{
	uint64_t crc = ~0u, word, marks;
	uint32_t n = 0;
	unsigned rest;

	if (!crc32c_has())
		return crc32c_table_component(path, len, parent, key);
	crc = crc32c_word(crc, parent);
	while (!(marks = hash_end_bytes(word = hash_load64(path + n)))) {
		crc = crc32c_word(crc, word);
		n += 8;
	}
	rest = hash_end_index(marks);
	*len = n + rest;
	return crc32c_end(crc, word, rest);
}

static inline uint32_t crc32c_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	return crc32c_table_bucket(hash, parent, bits);
}

#endif
