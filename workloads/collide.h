/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * collide.h - names that a hash puts into one bucket of one directory
 *
 * Found in this order, by whoever knows the parent's address, the size of the table and, of
 * a keyed hash, the key:
 *
 *	solved	by the structure of one hash: its rounds are inverted, or a factor of its
 *		product is made 0. Names of full collisions at the cost of writing them.
 *	chained	where the state after a prefix is no wider than the hash, as trial shows: a
 *		pair of blocks that meet is found by birthday, 2^16 trials; then one that
 *		follows it, and so on. n pairs make 2^n names (Joux, 2004). Full collisions.
 *	tried	names at random, 2^bits trials each. Meet in the bucket only.
 */
#ifndef WORKLOADS_COLLIDE_H
#define WORKLOADS_COLLIDE_H

#include "dcs/dcs.h"
#include "hash/hash.h"

struct collision {
	const char *how; /* "solved", "chained" or "tried" */
	size_t n;
	char (*name)[DCS_NAME_MAX + 1 + HASH_PAD]; /* all different, without NUL, `/`, newline */
	uint32_t len;				   /* of each */
	uint64_t trials;			   /* hashes computed to find them */
};

/* @n names in @parent for a table of 2^@bits buckets; @n is at most 65536. Freed by the caller. */
void collide(const struct hash_ops *hash, uint64_t parent, unsigned bits, size_t n,
	     const uint64_t key[2], struct collision *c);

/* The most names in one bucket, or with one 32-bit hash (@bits 0), of this @parent and @key. */
size_t collide_most(const struct collision *c, const struct hash_ops *hash, uint64_t parent,
		    unsigned bits, const uint64_t key[2]);

#endif
