/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "collide.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "hash/linux-3.12.h"
#include "hash/words.h"
#include "hash/wyhash.h"
#include "hash/xxh3.h"
#include "pairs.h"
#include "rng.h"

#define INVERSE_OF_9 0x8e38e38e38e38e39ull /* modulo 2^64 */

static void store64(char *to, uint64_t word)
{
	for (unsigned i = 0; i < 8; i++, word >>= 8)
		to[i] = (char)word;
}

static bool is_name(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!p[i] || p[i] == '/' || p[i] == '\n')
			return false;
	return true;
}

/* Eight letters that are the number @i. */
static uint64_t letters(uint64_t i)
{
	uint64_t word = 0;

	for (unsigned at = 0; at < 8; at++, i /= 26)
		word = word << 8 | ('a' + i % 26);
	return word;
}

static uint64_t ror(uint64_t x, unsigned by)
{
	return x >> by | x << (64 - by);
}

/* ---- solved: the name of number @i in @parent; returns its length */

/*
 * Two words lead from any state to any other: the round is inverted twice. They make the
 * same state of whatever the first word was.
 */
static uint32_t solve_words(uint64_t i, uint64_t parent, char *name)
{
	const uint64_t goal_x = 0x676f616c2d78, goal_y = 0x676f616c2d79;
	uint64_t x = 0, y = parent, first = letters(i);
	uint64_t last_y = ror(goal_y * INVERSE_OF_9, 45), last_x = ror(goal_x - last_y, 12);
	uint64_t before_y = ror((last_y ^ last_x) * INVERSE_OF_9, 45), second;

	words_mix(&x, &y, first);
	second = before_y ^ y ^ x;
	words_mix(&x, &y, second);
	store64(name, first);
	store64(name + 8, second);
	store64(name + 16, last_x ^ x);
	return 24;
}

/* A sum times 9 is a sum that can be reached from any other. */
static uint32_t solve_words34(uint64_t i, uint64_t parent, char *name)
{
	const uint64_t goal = 0x676f616c676f616c;
	uint64_t first = letters(i);

	(void)parent;
	store64(name, first);
	store64(name + 8, goal * INVERSE_OF_9 - first * 9);
	return 16;
}

/* Bytes 0 to 3 and 8 to 11 make one factor: the secret's own bytes make it 0, for any seed. */
static uint32_t solve_wyhash(uint64_t i, uint64_t parent, char *name)
{
	uint64_t secret = wyhash_secret[1], free = letters(i);

	(void)parent;
	store64(name, secret >> 32 | free << 32);
	store64(name + 8, (secret & 0xffffffff) | (free >> 32) << 32);
	return 16;
}

/* Each half of 32 bytes is a product of two words, each xored with secret and seed. */
static uint32_t solve_xxh3(uint64_t i, uint64_t parent, char *name)
{
	memset(name, 'x', 32);
	for (unsigned half = 0; half < 2; half++) {
		const char *secret = (const char *)XXH3_kSecret + 16 * half;
		char *low = name + 16 * half, *high = low + 8;

		store64(low, hash_load64(secret) + parent);
		store64(high, letters(i));
		if (is_name(low, 8))
			break;
		store64(low, letters(i));
		store64(high, hash_load64(secret + 8) - parent);
		if (is_name(high, 8))
			break;
		memset(low, 'x', 16);
	}
	return 32;
}

static const struct {
	const char *hash;
	uint32_t (*solve)(uint64_t i, uint64_t parent, char *name);
} solvers[] = {
	{"words", solve_words},	  {"linux-3.12", solve_words34}, {"linux-3.17", solve_words34},
	{"wyhash", solve_wyhash}, {"xxh3", solve_xxh3},
};

struct search {
	const struct hash_ops *hash;
	uint64_t parent;
	unsigned bits;
	size_t n;
	const uint64_t *key;
	struct collision *c;
};

static uint32_t hash_of(const struct search *s, const char *name, uint32_t len)
{
	s->c->trials++;
	return s->hash->hash(name, len, s->parent, s->key);
}

static bool solve(struct search *s)
{
	struct collision *c = s->c;

	for (size_t k = 0; k < sizeof(solvers) / sizeof(solvers[0]); k++) {
		if (strcmp(solvers[k].hash, s->hash->name) != 0)
			continue;
		/* One in some is no name. None at all: this parent has none. */
		for (uint64_t i = 0; c->n < s->n && i < 64 * s->n; i++) {
			char *name = c->name[c->n];

			c->len = solvers[k].solve(i, s->parent, name);
			c->n += is_name(name, c->len);
		}
		return c->n == s->n;
	}
	return false;
}

/* ---- chained */

enum { BLOCK = 8, SLOTS = 1 << 18, MOST = SLOTS / 2, PAIRS = 16, EXTENSIONS = 8, CHANCES = 3 };

struct slot {
	uint32_t hash;
	bool used;
	char block[BLOCK];
};

static void draw_block(struct rng *rng, char *block)
{
	static const char of[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

	for (unsigned i = 0; i < BLOCK; i++)
		block[i] = of[rng_next(rng) >> 58];
}

/* Two blocks that have one hash behind the first @len bytes of @name, which has room for them. */
static bool find_pair(struct search *s, struct rng *rng, struct slot *table, char *name,
		      uint32_t len, char pair[2][BLOCK])
{
	memset(table, 0, SLOTS * sizeof(*table));
	for (unsigned t = 0; t < MOST; t++) {
		struct slot *slot;
		uint32_t h;

		draw_block(rng, name + len);
		h = hash_of(s, name, len + BLOCK);
		slot = &table[h * 0x9e3779b1u >> 14];
		while (slot->used && slot->hash != h)
			slot = slot + 1 < table + SLOTS ? slot + 1 : table;
		if (slot->used && memcmp(slot->block, name + len, BLOCK) != 0) {
			memcpy(pair[0], slot->block, BLOCK);
			memcpy(pair[1], name + len, BLOCK);
			return true;
		}
		slot->used = true;
		slot->hash = h;
		memcpy(slot->block, name + len, BLOCK);
	}
	return false;
}

/* Do the names still meet when something follows, so that it was the state that met? */
static bool states_meet(struct search *s, struct rng *rng, char *name, uint32_t len,
			char pair[2][BLOCK])
{
	for (unsigned i = 0; i < EXTENSIONS; i++) {
		uint32_t h[2];

		draw_block(rng, name + len + BLOCK);
		for (unsigned side = 0; side < 2; side++) {
			memcpy(name + len, pair[side], BLOCK);
			h[side] = hash_of(s, name, len + 2 * BLOCK);
		}
		if (h[0] != h[1])
			return false;
	}
	return true;
}

static bool find_chain(struct search *s, struct rng *rng, char pair[PAIRS][2][BLOCK],
		       unsigned pairs)
{
	char name[(PAIRS + 1) * BLOCK + HASH_PAD] = "";
	struct slot *table = allocate(SLOTS, sizeof(*table));
	unsigned at = 0, chances = CHANCES;

	while (at < pairs && chances) {
		if (find_pair(s, rng, table, name, at * BLOCK, pair[at]) &&
		    states_meet(s, rng, name, at * BLOCK, pair[at])) {
			at++;
			chances = CHANCES;
		} else {
			chances--;
		}
	}
	free(table);
	return at == pairs;
}

static bool chain(struct search *s)
{
	struct rng rng = rng_new(1, 0x636861696e);
	char pair[PAIRS][2][BLOCK];
	unsigned pairs = 1;

	while ((size_t)1 << pairs < s->n)
		pairs++;
	if (!find_chain(s, &rng, pair, pairs))
		return false;
	s->c->len = pairs * BLOCK;
	for (size_t i = 0; i < s->n; i++)
		for (unsigned p = 0; p < pairs; p++)
			memcpy(s->c->name[i] + p * BLOCK, pair[p][i >> p & 1], BLOCK);
	s->c->n = s->n;
	return true;
}

/* ---- tried */

static void try(struct search *s)
{
	struct collision *c = s->c;
	uint32_t goal = 0;

	c->len = 2 * BLOCK;
	for (uint64_t i = 0; c->n < s->n; i++) {
		char *name = c->name[c->n];
		uint32_t bucket;

		store64(name, letters(i));
		store64(name + BLOCK, letters(i * 0x9e3779b9));
		bucket = s->hash->bucket(hash_of(s, name, c->len), s->parent, s->bits);
		if (!i)
			goal = bucket;
		c->n += bucket == goal;
	}
}

void collide(const struct hash_ops *hash, uint64_t parent, unsigned bits, size_t n,
	     const uint64_t key[2], struct collision *c)
{
	struct search s = {hash, parent, bits, n, key, c};

	*c = (struct collision){.how = "solved", .name = allocate(n, sizeof(*c->name))};
	if (solve(&s))
		return;
	c->n = 0;
	c->how = "chained";
	if (chain(&s))
		return;
	memset(c->name, 0, n * sizeof(*c->name));
	c->how = "tried";
	try(&s);
}

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

size_t collide_most(const struct collision *c, const struct hash_ops *hash, uint64_t parent,
		    unsigned bits, const uint64_t key[2])
{
	uint32_t *value = allocate(c->n, sizeof(*value));
	size_t most = 0, run = 0;

	for (size_t i = 0; i < c->n; i++) {
		value[i] = hash->hash(c->name[i], c->len, parent, key);
		if (bits)
			value[i] = hash->bucket(value[i], parent, bits);
	}
	qsort(value, c->n, sizeof(*value), by_value);
	for (size_t i = 0; i < c->n; i++) {
		run = i && value[i] == value[i - 1] ? run + 1 : 1;
		most = run > most ? run : most;
	}
	free(value);
	return most;
}
