/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * hash-claim.c - does the xor of 2004 change the chains?
 *
 * It came with the "new" bucket formula, was said in 2004 to slow dcachebench, and was taken
 * out in 2013 as something that only moves names around in the table. Part of that is exact, by
 * the algebra of xor, and checked for every name here:
 *
 *	h ^ (h ^ G) >> B  =  (h ^ h >> B) ^ G >> B	buckets get other numbers
 *	(parent ^ G) / L  =  parent / L ^ G / L		parents get other numbers
 *
 * The first leaves each chain as it was. The second does not: what parents are added to
 * is not moved with them. So chains are compared over placements of the dentries, each
 * with directories in other slots from another page on, the same for both:
 *
 *	Mann-Whitney	over the placements' dentries looked at a hit
 *	chi-squared	of two samples: the chains by length of one placement by one formula and
 *			by the other; the sum over placements. The number of chains and
 *			of names is given, so that two degrees of freedom are lost in each.
 *
 * Two controls: one where the names fall into half of the buckets must be told apart, and one
 * keyed hash with two keys must not.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/chains.h"
#include "bench/chisq.h"
#include "hash/bytes.h"
#include "hash/linux-3.12.h"
#include "hash/siphash13.h"
#include "lab.h"

enum { PLACEMENTS = 20, LONGEST = 63, BITS = 17, POOL = 10, SLOT = 160 };

#define BASE 0xffff8880c1000000ull /* the low half is where a 32-bit kernel has its dentries */

typedef uint32_t place_fn(const struct pair *p);

static uint32_t bytes_of(const struct pair *p)
{
	return bytes_hash(p->name, p->len, 0, hash_default_key);
}

static uint32_t words_of(const struct pair *p)
{
	return linux_3_12_hash(p->name, p->len, 0, hash_default_key);
}

static uint32_t place_old(const struct pair *p)
{
	return bucket_old(bytes_of(p), (uint32_t)p->parent, BITS, 128);
}

static uint32_t place_new(const struct pair *p)
{
	return bucket_new32(bytes_of(p), (uint32_t)p->parent, BITS, 128);
}

static uint32_t place_words_new(const struct pair *p)
{
	return bucket_new64(words_of(p), p->parent, BITS, 64);
}

static uint32_t place_words_2013(const struct pair *p)
{
	return bucket_2013(words_of(p), p->parent, BITS, 64);
}

static uint32_t place_half(const struct pair *p)
{
	return place_old(p) & ~1u;
}

static uint32_t place_keyed(const struct pair *p)
{
	return siphash13_bucket(siphash13_hash(p->name, p->len, p->parent, hash_default_key),
				p->parent, BITS);
}

static uint32_t place_other_key(const struct pair *p)
{
	static const uint64_t key[2] = {1, 2};

	return siphash13_bucket(siphash13_hash(p->name, p->len, p->parent, key), p->parent, BITS);
}

static const struct pairing {
	const char *name, *a, *b;
	place_fn *place[2];
} pairings[] = {
	{"2004, bytes, 32 bits", "old", "new", {place_old, place_new}},
	{"2013, words, 64 bits", "new", "without", {place_words_new, place_words_2013}},
	{"control: bytes, 32 bits", "old", "half", {place_old, place_half}},
	{"control: siphash13", "one key", "other", {place_keyed, place_other_key}},
};
#define PAIRINGS (sizeof(pairings) / sizeof(pairings[0]))

static struct compared {
	double hit[2][PLACEMENTS];
	double chisq, df, p_chisq;
	struct ratio ratio; /* of b's to a's; its p is Mann and Whitney's */
} compared[PAIRINGS];

/* ---- placements */

/* Puts the parents of @to, copies of the tree's pairs, where placement @number has them. */
static void place(const struct lab *lab, struct pair *to, unsigned number)
{
	struct rng rng = rng_new(lab->b->opt->seed, number);
	uint64_t base = BASE + (rng_below(&rng, 1 << 10) << 12);
	size_t slots = lab->pairs->n + 1;
	uint32_t *slot = allocate(slots, sizeof(*slot));

	for (size_t i = 0; i < slots; i++)
		slot[i] = (uint32_t)i;
	rng_shuffle(&rng, slot, slots);
	for (size_t i = 0; i < lab->pairs->n; i++)
		to[i].parent =
			base + SLOT * (uint64_t)slot[(lab->pairs->pair[i].parent - PAIRS_BASE) /
						     PAIRS_SIZE];
	free(slot);
}

/* ---- the exact part */

static void check_algebra(const struct pair *pair, size_t n)
{
	uint32_t moved = BUCKETS_GOLDEN32 >> BITS & bucket_mask(BITS);

	for (size_t i = 0; i < n; i++) {
		uint32_t parent = (uint32_t)pair[i].parent, hash = bytes_of(&pair[i]);
		uint32_t renamed = (parent / 128 ^ BUCKETS_GOLDEN32 / 128) * 128;

		if ((bucket_old(hash, renamed, BITS, 128) ^ moved) != place_new(&pair[i]))
			fail(EXIT_WRONG, "hash: claim: the new formula is not the old one with "
					 "other numbers for parents and buckets");
	}
}

/* ---- the statistical part */

struct histogram {
	uint32_t of[LONGEST + 1];
};

static struct histogram histogram_of(const uint32_t *length, size_t buckets)
{
	struct histogram h = {0};

	for (size_t i = 0; i < buckets; i++)
		h.of[length[i] < LONGEST ? length[i] : LONGEST]++;
	return h;
}

/* Cells of POOL chains of both together, or more; what is left joins the last. */
static void two_samples(const struct histogram *a, const struct histogram *b, double *chisq,
			double *df)
{
	double x = 0, y = 0, left = 0;
	unsigned cells = 0;

	for (unsigned k = 0; k <= LONGEST; k++)
		left += a->of[k] + b->of[k];
	for (unsigned k = 0; k <= LONGEST && left > 0; k++) {
		x += a->of[k];
		y += b->of[k];
		left -= a->of[k] + b->of[k];
		if (x + y < POOL || (left > 0 && left < POOL))
			continue;
		*chisq += (x - y) * (x - y) / (x + y);
		cells++;
		x = y = 0;
	}
	*df += cells > 2 ? cells - 2 : 0;
}

static void compare_at(struct compared *c, const struct pairing *pairing, const struct pair *pair,
		       size_t n, unsigned placement)
{
	size_t buckets = (size_t)1 << BITS;
	uint32_t *length = allocate(buckets, sizeof(*length));
	struct histogram histogram[2];
	struct chains chains;

	for (int side = 0; side < 2; side++) {
		memset(length, 0, buckets * sizeof(*length));
		for (size_t i = 0; i < n; i++)
			length[pairing->place[side](&pair[i])]++;
		chains_compare(length, buckets, &chains);
		c->hit[side][placement] = chains.hit;
		histogram[side] = histogram_of(length, buckets);
	}
	two_samples(&histogram[0], &histogram[1], &c->chisq, &c->df);
	free(length);
}

static void claim_set_up(struct lab *lab)
{
	size_t n = lab->pairs->n;
	struct pair *pair = allocate(n, sizeof(*pair));

	memset(compared, 0, sizeof(compared));
	memcpy(pair, lab->pairs->pair, n * sizeof(*pair));
	for (unsigned i = 0; i < PLACEMENTS; i++) {
		place(lab, pair, i);
		check_algebra(pair, n);
		for (size_t j = 0; j < PAIRINGS; j++)
			compare_at(&compared[j], &pairings[j], pair, n, i);
	}
	for (size_t j = 0; j < PAIRINGS; j++) {
		struct compared *c = &compared[j];

		c->p_chisq = chisq_p(c->chisq, c->df);
		stats_ratio(c->hit[0], PLACEMENTS, c->hit[1], PLACEMENTS, lab->b->opt->seed,
			    &c->ratio);
	}
	free(pair);
}

/* Four pairings by two tests each: what is said of one holds at 1 % for all. */
#define P_DIFFERS (0.01 / (2.0 * PAIRINGS))

static const char *said(const struct compared *c)
{
	bool by_rank = c->ratio.p < P_DIFFERS, by_length = c->p_chisq < P_DIFFERS;

	if (isnan(c->p_chisq))
		return "too few names to tell";
	if (!by_rank && !by_length)
		return "no difference seen";
	if (!by_rank)
		return "differ in lengths, not in what a hit costs";
	return c->ratio.ratio > 1 ? "differ: the second has longer chains"
				  : "differ: the second has shorter chains";
}

static void claim_print(struct lab *lab)
{
	struct table *t = table_new("compared", "first", "second", "hit>", "hit>", "ratio>",
				    "Mann-Whitney p>", "chi2>", "df>", "p>", "so they", NULL);

	printf("The claim of 2013: the xor of 2004 changes nothing in the chains. %zu names, 2^%d "
	       "buckets, %d placements.\nExact: the new formula is the old one with other numbers "
	       "for parents and for buckets; so it was for each name and placement.\nOther numbers "
	       "for buckets leave every chain as it is; what those for parents do, tests have to "
	       "say.\n",
	       lab->pairs->n, BITS, PLACEMENTS);
	for (size_t j = 0; j < PAIRINGS; j++) {
		const struct compared *c = &compared[j];

		table_row(t);
		table_put(t, "%s", pairings[j].name);
		table_put(t, "%s", pairings[j].a);
		table_put(t, "%s", pairings[j].b);
		for (int side = 0; side < 2; side++)
			table_put(t, "%.4f", stats_quantile(c->hit[side], PLACEMENTS, 0.5));
		table_put(t, "%.4f", c->ratio.ratio);
		table_put(t, "%.2g", c->ratio.p);
		table_put(t, "%.0f", c->chisq);
		table_put(t, "%.0f", c->df);
		if (isnan(c->p_chisq))
			table_put(t, "%s", "");
		else
			table_put(t, "%.2g", c->p_chisq);
		table_put(t, "%s", said(c));
	}
	table_print(t, stdout);
}

static void claim_results(struct lab *lab, json_t *results)
{
	for (size_t j = 0; j < PAIRINGS; j++) {
		static const struct hash_ops none = {.name = "formulas"};
		const struct compared *c = &compared[j];
		json_t *counters = lab_result(lab, results, &none, pairings[j].name,
					      lab->tree->spec, BITS, "ratio", c->ratio.ratio);

		lab_counter(counters, "p_mann_whitney", c->ratio.p);
		lab_counter(counters, "chisq", c->chisq);
		lab_counter(counters, "df", c->df);
		lab_counter(counters, "p_chisq", c->p_chisq);
		lab_counter(counters, "placements", PLACEMENTS);
		for (int side = 0; side < 2; side++)
			lab_counter(counters, side ? "hit_second" : "hit_first",
				    stats_quantile(c->hit[side], PLACEMENTS, 0.5));
		json_object_set_new(counters, "so_they", json_string(said(c)));
	}
}

const struct lab_part lab_claim = {
	.name = "claim",
	.set_up = claim_set_up,
	.print = claim_print,
	.results = claim_results,
};
