/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * linux-2.6.6 - the byte hash, with the "old" formula of 2.4.18 and 2.6.0 to 2.6.6
 *
 * 32 bits, lines of 128 bytes (P4 Xeon).
 */
#ifndef HASH_LINUX_2_6_6_H
#define HASH_LINUX_2_6_6_H

#include "hash/bytes.h"

enum { linux_2_6_6_flags = 0 };

HASH_NAMES_AS(linux_2_6_6, bytes)

static inline uint32_t linux_2_6_6_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	return bucket_old(hash, (uint32_t)parent, bits, 128);
}

#endif
