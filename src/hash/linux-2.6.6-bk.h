/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * linux-2.6.6-bk - the byte hash, with the "new" formula of 2004
 *
 * 32 bits, lines of 128 bytes (P4 Xeon).
 */
#ifndef HASH_LINUX_2_6_6_BK_H
#define HASH_LINUX_2_6_6_BK_H

#include "hash/bytes.h"

enum { linux_2_6_6_bk_flags = 0 };

HASH_NAMES_AS(linux_2_6_6_bk, bytes)

static inline uint32_t linux_2_6_6_bk_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	return bucket_new32(hash, (uint32_t)parent, bits, 128);
}

#endif
