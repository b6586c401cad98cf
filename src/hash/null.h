/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * null - no hash: what finding the end of a name and calling a hash cost
 *
 * The value is made from the length and the parent, so that neither can be left
 * out; names of one length in one directory all collide. It shows the floor of a
 * measurement, and a quality test that lets it pass is broken.
 * Bucket: the low bits.
 */
#ifndef HASH_NULL_H
#define HASH_NULL_H

#include "hash/hash.h"

enum { null_flags = HASH_FLOOR };

static inline uint32_t null_hash(const char *name, uint32_t len, uint64_t parent,
				 const uint64_t key[2])
{
	(void)name;
	(void)key;
	return (uint32_t)(parent >> 6) + len;
}

HASH_COMPONENT(null)

static inline uint32_t null_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	(void)parent;
	return hash & ((1u << bits) - 1);
}

#endif
