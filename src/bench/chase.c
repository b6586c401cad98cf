// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * chase.c - as many dependent cache misses as a walk has, and nothing else
 *
 * For each component a walk reads a bucket, at a place that a hash gave; a dentry
 * and an inode, which lie in the order in which the tree was loaded. The chase reads
 * one line of each. All hold 0, and each address is a number from the record plus
 * what the line before held, so that no load can begin before the last has ended.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <xxhash.h>

#include "bench/reference.h"
#include "cli/options.h"

#define LINE	     64
#define DENTRY_LINES 3 /* from one dentry to the next */
#define INODE_LINES  4

struct line {
	uint64_t zero, unused[7];
};

struct chase {
	uint32_t buckets, slots; /* lines of the table; dentries */
	size_t bytes;
	/* Which slot a prefix has, by its hash: open addressing; slot 0 marks a free place. */
	uint64_t *key;
	uint32_t *slot;
	uint64_t mask;
};

/* One chase at a time: its base is not loaded from the record's side. */
static struct line *lines;

/* Where @key is, or the free place where it would be. */
static uint64_t place(const struct chase *c, uint64_t key)
{
	uint64_t i = key & c->mask;

	while (c->slot[i] && c->key[i] != key)
		i = (i + 1) & c->mask;
	return i;
}

static void add_prefix(struct chase *c, const char *path, size_t len)
{
	uint64_t key = XXH3_64bits(path, len), i = place(c, key);

	c->key[i] = key;
	c->slot[i] = c->slots++;
}

struct chase *chase_new(const struct tree *tree, unsigned table_bits)
{
	struct chase *c = calloc(1, sizeof(*c));
	uint64_t room = 64;

	while (room < 2 * tree->n)
		room *= 2;
	if (c) {
		c->mask = room - 1;
		c->key = calloc(room, sizeof(*c->key));
		c->slot = calloc(room, sizeof(*c->slot));
	}
	if (!c || !c->key || !c->slot)
		fail(EXIT_LACKS, "out of memory");
	c->slots = 1; /* slot 0 is for names that the tree lacks */
	c->buckets = table_bits > 3 ? 1u << (table_bits - 3) : 1;
	for (size_t i = 0; i < tree->n; i++)
		add_prefix(c, tree->entry[i].path, tree->entry[i].len);
	c->bytes = ((size_t)c->buckets + (size_t)c->slots * (DENTRY_LINES + INODE_LINES)) * LINE;
	lines = mmap(NULL, c->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (lines == MAP_FAILED)
		fail(EXIT_LACKS, "out of memory");
	memset(lines, 0, c->bytes); /* a page of its own each: a read alone maps the zero page */
	return c;
}

void chase_free(struct chase *c)
{
	if (!c)
		return;
	munmap(lines, c->bytes);
	free(c->key);
	free(c->slot);
	free(c);
}

size_t chase_record(const struct chase *c, const char *path, uint32_t *record)
{
	size_t n = 1;

	for (size_t end = strcspn(path, "/");; end += 1 + strcspn(path + end + 1, "/")) {
		uint64_t key = XXH3_64bits(path, end);
		uint32_t slot = c->slot[place(c, key)];

		record[n++] = (uint32_t)(key >> 32) % c->buckets;
		record[n++] = c->buckets + slot * DENTRY_LINES;
		record[n++] = c->buckets + c->slots * DENTRY_LINES + slot * INODE_LINES;
		if (!path[end])
			break;
	}
	record[0] = (uint32_t)(n - 1);
	return n;
}

int stat_chase(struct dcs_task *task, const char *path, unsigned flags, struct dcs_stat *st)
{
	const uint32_t *record = (const uint32_t *)path, n = record[0];
	const struct line *base = lines;
	uint64_t carry = 0;

	(void)task, (void)flags;
	for (uint32_t i = 1; i <= n; i++)
		carry = base[record[i] + carry].zero;
	st->ino = n + carry;
	return 0;
}
