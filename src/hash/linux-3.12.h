/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * linux-3.12 - the word hash of Linux 3.4, with the bucket formula of 2013
 *
 * The two halves of the sum are added: bytes of a last word that lie four apart
 * cancel where one goes up as the other goes down.
 * Bucket: 64-bit machine, lines of 64 bytes.
 */
#ifndef HASH_LINUX_3_12_H
#define HASH_LINUX_3_12_H

#include "hash/buckets.h"
#include "hash/words-3.4.h"

enum { linux_3_12_flags = 0 };

static inline uint32_t linux_3_12_fold(uint64_t sum)
{
	return (uint32_t)(sum + (sum >> 32));
}

HASH_WORDS34(linux_3_12)

static inline uint32_t linux_3_12_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	return bucket_2013(hash, parent, bits, 64);
}

#endif
