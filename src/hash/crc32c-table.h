/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * crc32c-table - the CRC of Castagnoli's polynomial, a byte at a time by a table
 *
 * The message is the parent's eight bytes and the name. It is linear: what two names
 * differ in is what their hashes differ in, whatever the parent is.
 * Bucket: the low bits, which the last byte reaches by the table.
 */
#ifndef HASH_CRC32C_TABLE_H
#define HASH_CRC32C_TABLE_H

#include "hash/hash.h"

enum { crc32c_table_flags = 0 };

/* An entry is the xor of those of its bits; these are of 1, 2, 4, ..., 0x80. */
#define CRC32C_ENTRY(I)                                                \
	(((I) >> 0 & 1) * 0xf26b8303u ^ ((I) >> 1 & 1) * 0xe13b70f7u ^ \
	 ((I) >> 2 & 1) * 0xc79a971fu ^ ((I) >> 3 & 1) * 0x8ad958cfu ^ \
	 ((I) >> 4 & 1) * 0x105ec76fu ^ ((I) >> 5 & 1) * 0x20bd8edeu ^ \
	 ((I) >> 6 & 1) * 0x417b1dbcu ^ ((I) >> 7 & 1) * 0x82f63b78u)
#define CRC32C_4(I)  CRC32C_ENTRY(I), CRC32C_ENTRY(I + 1), CRC32C_ENTRY(I + 2), CRC32C_ENTRY(I + 3)
#define CRC32C_16(I) CRC32C_4(I), CRC32C_4(I + 4), CRC32C_4(I + 8), CRC32C_4(I + 12)
#define CRC32C_64(I) CRC32C_16(I), CRC32C_16(I + 16), CRC32C_16(I + 32), CRC32C_16(I + 48)

static const uint32_t crc32c_table[256] = {CRC32C_64(0), CRC32C_64(64), CRC32C_64(128),
					   CRC32C_64(192)};

static inline uint32_t crc32c_step(uint32_t crc, uint8_t c)
{
	return crc >> 8 ^ crc32c_table[(crc ^ c) & 0xff];
}

static inline uint32_t crc32c_parent(uint64_t parent)
{
	uint32_t crc = ~0u;

	for (unsigned i = 0; i < 8; i++, parent >>= 8)
		crc = crc32c_step(crc, (uint8_t)parent);
	return crc;
}

static inline uint32_t crc32c_table_hash(const char *name, uint32_t len, uint64_t parent,
					 const uint64_t key[2])
{
	uint32_t crc = crc32c_parent(parent);

	(void)key;
	for (uint32_t i = 0; i < len; i++)
		crc = crc32c_step(crc, (uint8_t)name[i]);
	return ~crc;
}

static inline uint32_t crc32c_table_component(const char *path, uint32_t *len, uint64_t parent,
					      const uint64_t key[2])
{
	uint32_t crc = crc32c_parent(parent), n = 0;

	(void)key;
	for (; path[n] && path[n] != '/'; n++)
		crc = crc32c_step(crc, (uint8_t)path[n]);
	*len = n;
	return ~crc;
}

static inline uint32_t crc32c_table_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	(void)parent;
	return hash & ((1u << bits) - 1);
}

#endif
