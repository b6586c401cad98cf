/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * hash-attack.c - names made to collide, and what they cost a walk
 *
 * The attacker knows the program, the size of the table and the address of the root's
 * dentry, and puts names into the root: collide.h finds them. Of a keyed hash it knows the
 * function and not the key: names are found for another key than the cache has.
 *
 * A walk is a stat of each of these names, in a cache of its own; it is compared with a walk
 * over as many names of that length at random.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "collide.h"
#include "lab.h"
#include "made.h"

/* What the attacker takes for the key of a keyed hash, and what it is. */
static const uint64_t guessed_key[2] = {1, 2};

static struct attack {
	const struct hash_ops *hash;
	struct collision found;
	double seconds;
	size_t same_bucket, same_hash; /* as the cache has them: its key, its root */
	size_t elsewhere;	       /* most in a bucket when put into another directory */
	size_t guessed;		       /* most in a bucket, were the key the guessed one */
	struct tree *tree[2];	       /* made to collide, at random */
	struct plan *plan[2];
	struct cell *cell[2];
} * attacks;

static size_t n_attacks;

enum { MADE, RANDOM };

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void find(const struct lab *lab, struct attack *a)
{
	const uint64_t *guess = a->hash->flags & HASH_KEYED ? guessed_key : hash_default_key;
	uint64_t other = PAIRS_BASE + 4321 * PAIRS_SIZE;
	double begin = seconds();

	collide(a->hash, PAIRS_BASE, lab->bits, lab->collide, guess, &a->found);
	a->seconds = seconds() - begin;
	a->guessed = collide_most(&a->found, a->hash, PAIRS_BASE, lab->bits, guess);
	a->same_bucket = collide_most(&a->found, a->hash, PAIRS_BASE, lab->bits, hash_default_key);
	a->same_hash = collide_most(&a->found, a->hash, PAIRS_BASE, 0, hash_default_key);
	a->elsewhere = collide_most(&a->found, a->hash, other, lab->bits, hash_default_key);
	if (a->guessed != a->found.n)
		fail(EXIT_WRONG, "hash: attack: %s: only %zu of %zu names that were found collide",
		     a->hash->name, a->guessed, a->found.n);
}

/* ---- in a walk */

static struct tree *make_tree(const struct lab *lab, const struct attack *a, int which)
{
	struct rng rng = rng_new(lab->b->opt->seed, 0x72616e646f6d);
	struct made made = {0};
	struct tree *tree;
	char name[DCS_NAME_MAX + 1];
	int err;

	for (size_t i = 0; i < a->found.n; i++) {
		for (uint32_t j = 0; which == RANDOM && j < a->found.len; j++)
			name[j] = (char)('a' + rng_below(&rng, 26));
		name[a->found.len] = '\0';
		made_add(&made, S_IFREG | 0644, which == RANDOM ? name : a->found.name[i]);
	}
	err = made_tree(&made, which == RANDOM ? "names at random" : "names made to collide",
			&tree);
	if (err)
		fail(EXIT_LACKS, "hash: attack: %s: its names cannot be made: %s", a->hash->name,
		     strerror(-err));
	return tree;
}

static int run_walk(struct cell *cell, struct sample *sample)
{
	struct worker *w = crew_workers(1);
	struct crew crew = bench_crew(cell, 1, w);
	const struct plan *plan = cell->own;
	int err;

	w->task = cell->sut->root;
	w->stat = cell->sut->stat;
	w->plan = plan;
	w->loops = cell->bench->opt->loops * (1 + 8192 / plan->n);
	w->flags = DCS_NOFOLLOW | DCS_PADDED;
	err = crew_run(&crew, sample);
	free(w);
	return err;
}

static void add_walk(struct lab *lab, struct attack *a, int which)
{
	const struct options *o = lab->b->opt;
	struct dcs_config config = {
		.walk = o->walk.n ? o->walk.v[0] : NULL,
		.layout = o->layout.n ? o->layout.v[0] : NULL,
		.flavour = o->flavour.n ? o->flavour.v[0] : NULL,
		.hash = a->hash->name,
		.table_bits = lab->bits,
	};
	struct sut *sut;
	struct cell *cell;

	a->tree[which] = make_tree(lab, a, which);
	sut = bench_system(lab->b, &config, a->tree[which]);
	a->plan[which] = plan_new(sut);
	for (size_t i = 0; i < sut->tree->n; i++)
		plan_entry(a->plan[which], i);
	plan_seal(a->plan[which]);
	a->cell[which] = cell = bench_cell(lab->b, sut, 1);
	cell->variant = which == RANDOM ? "names at random" : "names made to collide";
	cell->run = run_walk;
	cell->own = a->plan[which];
	if (which == RANDOM)
		return;
	cell->base = a->cell[RANDOM];
	bench_figure(cell, "names", (double)a->found.n);
	bench_figure(cell, "length", a->found.len);
	bench_figure(cell, "trials", (double)a->found.trials);
	bench_figure(cell, "seconds", a->seconds);
	bench_figure(cell, "same_bucket", (double)a->same_bucket);
	bench_figure(cell, "same_hash", (double)a->same_hash);
	bench_figure(cell, "elsewhere", (double)a->elsewhere);
	bench_figure(cell, "keyed", a->hash->flags & HASH_KEYED ? 1 : 0);
}

/* ---- the part */

static void attack_set_up(struct lab *lab)
{
	attacks = allocate(lab->n, sizeof(*attacks));
	for (size_t h = 0; h < lab->n; h++) {
		struct attack *a = &attacks[n_attacks];

		if (lab->hash[h]->flags & HASH_FLOOR)
			continue;
		n_attacks++;
		a->hash = lab->hash[h];
		find(lab, a);
		add_walk(lab, a, RANDOM);
		add_walk(lab, a, MADE);
	}
}

static const char *reach(const struct attack *a)
{
	if (a->hash->flags & HASH_KEYED)
		return "nothing: the key is not known";
	return a->elsewhere == a->found.n ? "any directory"
					  : "a directory whose dentry's address is known";
}

static void attack_print(struct lab *lab)
{
	struct table *t =
		table_new("hash", "found", "trials>", "seconds>", "bytes>", "one bucket>",
			  "one hash>", "ns/path>", "95 %>", "ratio>", "random>", "reaches", NULL);

	printf("%llu names made to collide in the root, for 2^%u buckets. found: how (solved from "
	       "the hash's structure,\nchained from pairs found by birthday, tried one by one); "
	       "one "
	       "bucket, one hash: of them, in the cache;\nns/path: a stat of each; ratio: to as "
	       "many "
	       "names at random (random: their ns/path).\n",
	       (unsigned long long)lab->collide, lab->bits);
	for (size_t i = 0; i < n_attacks; i++) {
		const struct attack *a = &attacks[i];

		table_row(t);
		table_put(t, "%s", a->hash->name);
		table_put(t, "%s", a->found.how);
		table_put(t, "%llu", (unsigned long long)a->found.trials);
		table_put(t, "%.2g", a->seconds);
		table_put(t, "%u", a->found.len);
		table_put(t, "%zu", a->same_bucket);
		table_put(t, "%zu", a->same_hash);
		bench_put_median(t, a->cell[MADE], 1);
		table_put(t, "%.1f", a->cell[RANDOM]->summary.median);
		table_put(t, "%s", reach(a));
	}
	table_print(t, stdout);
}

static void attack_tear_down(void)
{
	for (size_t i = 0; i < n_attacks; i++) {
		for (int which = MADE; which <= RANDOM; which++) {
			plan_free(attacks[i].plan[which]);
			tree_free(attacks[i].tree[which]);
		}
		free(attacks[i].found.name);
	}
	free(attacks);
	n_attacks = 0;
}

const struct lab_part lab_attack = {
	.name = "attack",
	.set_up = attack_set_up,
	.print = attack_print,
	.tear_down = attack_tear_down,
};
