/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * linux-2.6.32 - the byte hash, with the "new" formula
 *
 * 64 bits, lines of 64 bytes. The same as `bytes`, by the name of a kernel.
 */
#ifndef HASH_LINUX_2_6_32_H
#define HASH_LINUX_2_6_32_H

#include "hash/bytes.h"

enum { linux_2_6_32_flags = 0 };

HASH_NAMES_AS(linux_2_6_32, bytes)

static inline uint32_t linux_2_6_32_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	return bytes_bucket(hash, parent, bits);
}

#endif
