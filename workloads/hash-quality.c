/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * hash-quality.c - chains over sets of names that hashes fail on, bits used, avalanche
 *
 * Each set stands for a use; parents are where a dcache would have them. A set has about a
 * bucket a name, and its chains are held against random ones (chains.h).
 *
 * Bits used: a table of 2^b buckets has one pair of names in a bucket for each 2^b pairs
 * there are. A hash that makes twice as many does as well as a random one of b - 1 bits.
 *
 * Avalanche: a bit of the name, or of the parent's address, is turned; each bit of the bucket
 * should turn half of the time. What is given is the share of the pair of bits that is
 * farthest from that, so 0.5 is a bit that never, or always, turns another. Chains may be
 * well in spite of it: real names do not differ by one bit.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/chains.h"
#include "lab.h"

static const struct set {
	const char *name, *tree;
} sets[] = {
	{"numbers", "synth:depth=1,fanout=64,files=800,names=numbers"}, /* a mail spool */
	{"wide", "synth:depth=0,fanout=50000,names=numbers"},
	{"modules", "synth:depth=1,fanout=4000,files=12,names=modules"}, /* node_modules */
	{"uuid", "synth:depth=1,fanout=16,files=3000,names=uuid"},
	{"prefix", "synth:depth=0,fanout=50000,names=prefix"},
	{"words", "synth:depth=2,fanout=40,files=30,names=words"},
};
#define SETS (sizeof(sets) / sizeof(sets[0]))

/* Over so many sets, each hash is judged by the chance that any looks as bad. */
#define P_OF_SET (LAB_P_TELLS / (double)SETS)

struct judged {
	struct chains chains;
	unsigned bits;
	double miss; /* names with a `~` behind, which are not there */
};

/* The tree's own names come last. */
static struct judged *judged; /* [hash][set] */
static struct avalanche {
	double name, parent;
} * avalanche; /* [hash] */

static struct judged judge(const struct hash_ops *hash, const struct pairs *pairs, unsigned bits)
{
	size_t buckets = (size_t)1 << bits, seen = 0;
	uint32_t *length = allocate(buckets, sizeof(*length));
	struct judged j = {.bits = bits};
	char name[DCS_NAME_MAX + 1 + HASH_PAD] = "";

	for (size_t i = 0; i < pairs->n; i++)
		length[lab_bucket(hash, &pairs->pair[i], bits)]++;
	chains_compare(length, buckets, &j.chains);
	for (size_t i = 0; i < pairs->n; i++) {
		struct pair p = pairs->pair[i];

		memcpy(name, p.name, p.len);
		name[p.len] = '~';
		p.name = name;
		p.len++;
		seen += length[lab_bucket(hash, &p, bits)];
	}
	j.miss = (double)seen / (double)pairs->n;
	free(length);
	return j;
}

static unsigned bits_of(size_t n)
{
	unsigned bits = 10;

	while ((size_t)1 << bits < n)
		bits++;
	return bits;
}

static void judge_sets(struct lab *lab)
{
	judged = allocate(lab->n * (SETS + 1), sizeof(*judged));
	for (size_t s = 0; s < SETS; s++) {
		struct tree *tree;
		struct pairs *pairs;
		char why[512];

		if (tree_open(sets[s].tree, &tree, why, sizeof(why)))
			fail(EXIT_LACKS, "%s: %s", sets[s].tree, why);
		pairs = pairs_of(tree);
		for (size_t h = 0; h < lab->n; h++)
			judged[h * (SETS + 1) + s] = judge(lab->hash[h], pairs, bits_of(pairs->n));
		pairs_free(pairs);
		tree_free(tree);
	}
	for (size_t h = 0; h < lab->n; h++)
		judged[h * (SETS + 1) + SETS] = judge(lab->hash[h], lab->pairs, lab->bits);
}

/* Dentries looked at beyond the one that is sought, to what random hashing has. */
static double excess(const struct chains *c)
{
	return (c->hit - 1) / (c->random_hit - 1);
}

static bool fails(const struct chains *c)
{
	return (c->p < P_OF_SET && c->hit > c->random_hit) || c->p_longest < P_OF_SET;
}

bool lab_failures(struct lab *lab, const struct hash_ops *hash, char *buf, size_t size)
{
	size_t h = 0, used = 0;

	if (!judged)
		judge_sets(lab);
	while (lab->hash[h] != hash)
		h++;
	buf[0] = '\0';
	for (size_t s = 0; s < SETS; s++) {
		const struct chains *c = &judged[h * (SETS + 1) + s].chains;

		if (fails(c) && used < size)
			used += (size_t)snprintf(buf + used, size - used, "%s%s x%.*f",
						 used ? ", " : "fails on ", sets[s].name,
						 excess(c) < 10 ? 1 : 0, excess(c));
	}
	return used;
}

void lab_forget(void)
{
	free(judged);
	judged = NULL;
}

/* ---- avalanche */

enum { TRIALS = 1024, NAME = 16, OUT = 16, PARENT_LOW = 6, PARENT_BITS = 24 };

struct flips {
	unsigned of[OUT];
};

static void count_flips(struct flips *f, uint32_t turned)
{
	for (unsigned b = 0; b < OUT; b++)
		f->of[b] += turned >> b & 1;
}

static double worst(const struct flips *f, size_t n)
{
	double far = 0;

	for (size_t i = 0; i < n; i++)
		for (unsigned b = 0; b < OUT; b++)
			far = fmax(far, fabs((double)f[i].of[b] / TRIALS - 0.5));
	return far;
}

static struct avalanche measure_avalanche(const struct hash_ops *hash, uint64_t parent)
{
	struct flips name[NAME * 8] = {0}, address[PARENT_BITS] = {0};
	struct rng rng = rng_new(1, 0x6176616c);

	for (unsigned t = 0; t < TRIALS; t++) {
		char text[NAME + HASH_PAD] = "";
		struct pair p = {.name = text, .len = NAME};
		uint32_t at;

		for (unsigned i = 0; i < NAME; i++)
			text[i] = (char)rng_next(&rng);
		p.parent = parent + (rng_below(&rng, 1 << PARENT_BITS) << PARENT_LOW);
		at = lab_bucket(hash, &p, OUT);
		for (unsigned i = 0; i < NAME * 8; i++) {
			text[i / 8] ^= (char)(1 << i % 8);
			count_flips(&name[i], at ^ lab_bucket(hash, &p, OUT));
			text[i / 8] ^= (char)(1 << i % 8);
		}
		for (unsigned i = 0; i < PARENT_BITS; i++) {
			struct pair q = p;

			q.parent ^= 1ull << (PARENT_LOW + i);
			count_flips(&address[i], at ^ lab_bucket(hash, &q, OUT));
		}
	}
	return (struct avalanche){worst(name, NAME * 8), worst(address, PARENT_BITS)};
}

/* ---- the part */

static void quality_set_up(struct lab *lab)
{
	if (!judged)
		judge_sets(lab);
	avalanche = allocate(lab->n, sizeof(*avalanche));
	for (size_t h = 0; h < lab->n; h++)
		avalanche[h] = measure_avalanche(lab->hash[h], lab->pairs->pair[0].parent);
}

static double bits_used(const struct judged *j)
{
	return j->bits - log2(excess(&j->chains));
}

/* Where the tree has too few names there is nothing to divide by. */
static void put_number(struct table *t, int digits, double x, const char *mark)
{
	if (isfinite(x))
		table_put(t, "%.*f%s", digits, x, mark);
	else
		table_put(t, "%s", "");
}

static void quality_print(struct lab *lab)
{
	struct table *t = table_new("hash", NULL);

	puts("Dentries looked at beyond the one sought, to random hashing's (1.00), by the names:\n"
	     "numbers: 64 directories of 1 to 800; wide: 1 to 50000 in one; modules: 12 names in "
	     "each "
	     "of 4000;\nuuid; prefix: 32 bytes in common; words; tree: --tree. !: chains are "
	     "longer "
	     "than random.\nbits: of the tree's table that count; avalanche: the bit of name or "
	     "parent that is farthest\nfrom turning a bit of the bucket half of the time.");
	for (size_t s = 0; s < SETS; s++) {
		char heading[32];

		snprintf(heading, sizeof(heading), "%s>", sets[s].name);
		table_column(t, heading);
	}
	table_column(t, "tree>");
	table_column(t, "bits>");
	table_column(t, "name>");
	table_column(t, "parent>");
	for (size_t h = 0; h < lab->n; h++) {
		const struct judged *own = &judged[h * (SETS + 1)];

		table_row(t);
		table_put(t, "%s", lab->hash[h]->name);
		for (size_t s = 0; s <= SETS; s++)
			put_number(t, 2, excess(&own[s].chains), fails(&own[s].chains) ? "!" : "");
		put_number(t, 1, bits_used(&own[SETS]), "");
		put_number(t, 2, avalanche[h].name, "");
		put_number(t, 2, avalanche[h].parent, "");
	}
	table_print(t, stdout);
}

static void quality_results(struct lab *lab, json_t *results)
{
	for (size_t i = 0; i < lab->n * (SETS + 1); i++) {
		const struct judged *j = &judged[i];
		const struct chains *c = &j->chains;
		size_t s = i % (SETS + 1), h = i / (SETS + 1);
		json_t *counters = lab_result(
			lab, results, lab->hash[h], s < SETS ? sets[s].name : "tree",
			s < SETS ? sets[s].tree : lab->tree->spec, j->bits, "dentries/hit", c->hit);

		lab_counter(counters, "random_hit", c->random_hit);
		lab_counter(counters, "miss", j->miss);
		lab_counter(counters, "random_miss", c->load);
		lab_counter(counters, "chisq", c->chisq);
		lab_counter(counters, "df", c->df);
		lab_counter(counters, "p_chains", c->p);
		lab_counter(counters, "longest", c->longest);
		lab_counter(counters, "random_longest", c->random_longest);
		lab_counter(counters, "p_longest", c->p_longest);
		lab_counter(counters, "excess", excess(c));
		lab_counter(counters, "bits_used", bits_used(j));
		lab_counter(counters, "avalanche_name", avalanche[h].name);
		lab_counter(counters, "avalanche_parent", avalanche[h].parent);
	}
}

static void quality_tear_down(void)
{
	free(avalanche);
}

const struct lab_part lab_quality = {
	.name = "quality",
	.set_up = quality_set_up,
	.print = quality_print,
	.results = quality_results,
	.tear_down = quality_tear_down,
};
