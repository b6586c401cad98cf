/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * example - how to write a name hash: copy this file, rename, add a line to list.h
 *
 * Say here what the hash is and where it comes from, how the parent gets in, and
 * which bits make the bucket. This one is Bernstein's h * 33 + c, with
 * the parent in its start value (djb2.h takes it in by the bucket). It is no choice
 * of the program, but the tests hold it to the contract of hash.h as they hold all
 * others: tests/test_hash.c takes any hash in one line.
 */
#ifndef HASH_EXAMPLE_H
#define HASH_EXAMPLE_H

#include "hash/hash.h"

/* HASH_KEYED if the key changes the result; 0 for most. */
enum { example_flags = 0 };

static inline uint32_t example_hash(const char *name, uint32_t len, uint64_t parent,
				    const uint64_t key[2])
{
	/*
	 * A hash with a seed takes the parent in as that. This one has a start
	 * value; its 5381 is the author's. The division leaves out what is the same
	 * for all dentries: they lie on lines of 64 bytes.
	 */
	uint32_t h = 5381 + (uint32_t)(parent / 64);

	/* A parameter that is not needed is said to be so: builds are free of warnings. */
	(void)key;
	/*
	 * Bytes are unsigned, on every machine. Whole words may be loaded with
	 * hash_load64(): HASH_PAD bytes behind the name are readable, but may
	 * hold anything, so mask them away with hash_low_bytes().
	 */
	for (uint32_t i = 0; i < len; i++)
		h = h * 33 + (uint8_t)name[i];
	return h;
}

/*
 * Finds the end of the component and hashes it. Where one pass over the words can
 * do both, write it out, as words.h does.
 */
HASH_COMPONENT(example)

/*
 * Take the bits that are mixed best. Here a last character moves the low ones
 * only; the multiplication brings all of them to the top.
 */
static inline uint32_t example_bucket(uint32_t hash, uint64_t parent, unsigned bits)
{
	(void)parent; /* in the hash already */
	return hash * 0x9e3779b1u >> (32 - bits);
}

#endif
