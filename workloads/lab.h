/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lab.h - what the parts of the hash laboratory share
 *
 * A part (`--what`) is one file: it counts, or adds cells to the bench to be timed, and
 * prints a table. What it counted goes into the JSON as results like any other, with one
 * run: a count does not vary.
 */
#ifndef WORKLOADS_LAB_H
#define WORKLOADS_LAB_H

#include "bench/bench.h"
#include "bench/output.h"
#include "hash/hash.h"
#include "pairs.h"

struct lab {
	struct bench *b;
	struct tree *tree;
	struct pairs *pairs; /* of the tree */
	unsigned bits;	     /* log2 of the buckets that suit it */
	size_t n;
	const struct hash_ops *hash[OPT_LIST_MAX]; /* those chosen */
	const struct opt_numbers *lengths;	   /* --lengths */
	uint64_t collide;			   /* --collide */
};

struct lab_part {
	const char *name;
	void (*set_up)(struct lab *lab);
	void (*print)(struct lab *lab);
	void (*results)(struct lab *lab, json_t *results); /* what was counted; or NULL */
	size_t (*panel)(struct lab *lab, FILE *script);	   /* plot.c: its height; or NULL */
	void (*tear_down)(void);			   /* or NULL */
};

extern const struct lab_part lab_walk, lab_speed, lab_quality, lab_chains, lab_claim, lab_attack;

/* Below this, what is seen is not called chance. */
#define LAB_P_TELLS 1e-3

/* A system that stands for @hash in reports; no cache is behind it. */
struct sut *lab_stand_in(struct lab *lab, const struct hash_ops *hash);

/* Which bucket @p is in. */
static inline uint32_t lab_bucket(const struct hash_ops *hash, const struct pair *p, unsigned bits)
{
	return hash->bucket(hash->hash(p->name, p->len, p->parent, hash_default_key), p->parent,
			    bits);
}

/* Adds a result of one count, @value in @unit, and returns its `counters`, to be filled. */
json_t *lab_result(const struct lab *lab, json_t *results, const struct hash_ops *hash,
		   const char *what, const char *tree, unsigned bits, const char *unit,
		   double value);
void lab_counter(json_t *counters, const char *name, double value); /* not finite: is left out */

/*
 * What speaks against @hash: sets of names, other than the tree, whose chains are longer
 * than random, as text in @buf; false: nothing. Judged at the first call.
 */
bool lab_failures(struct lab *lab, const struct hash_ops *hash, char *buf, size_t size);
void lab_forget(void); /* what was judged */

/* The loops that are timed, compiled for each hash. */
struct lab_names {
	const struct pair *pair;
	size_t n;
	unsigned bits;
	uint64_t checksum; /* lab_check() */
};

struct lab_loops {
	const char *name;
	turn_fn *throughput, *latency; /* own: struct lab_names; a pass a turn */
};

extern const struct lab_loops lab_loops[]; /* ends with a NULL name */
const struct lab_loops *lab_loops_of(const struct hash_ops *hash);
void lab_check(struct lab_names *names, const struct hash_ops *hash);

/* One run of a loop, in nanoseconds a name. */
int lab_run_loop(struct cell *cell, struct lab_names *names, turn_fn *loop, uint64_t passes,
		 struct sample *sample);

#endif
