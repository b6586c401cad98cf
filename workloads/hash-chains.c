/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * hash-chains.c - chain lengths in tables from 1Ki to 1Mi buckets, against random hashing
 *
 * The names are those of the tree, so that a small table is full and a large one empty. A
 * hash may pass with one size and fail with another: the size says which bits count.
 */
#include <math.h>
#include <stdlib.h>

#include "bench/chains.h"
#include "bench/chisq.h"
#include "lab.h"

static const unsigned sizes[] = {10, 12, 14, 16, 17, 18, 20};
#define SIZES (sizeof(sizes) / sizeof(sizes[0]))

enum { LONGEST = 256 }; /* of a histogram; what is longer counts as this */

struct chains_of {
	struct chains chains;
	uint32_t count[LONGEST + 1]; /* chains by their length */
};

static struct chains_of *found; /* [hash][size] */

static void judge(const struct lab *lab, const struct hash_ops *hash, unsigned bits,
		  struct chains_of *c)
{
	size_t buckets = (size_t)1 << bits;
	uint32_t *length = allocate(buckets, sizeof(*length));

	for (size_t i = 0; i < lab->pairs->n; i++)
		length[lab_bucket(hash, &lab->pairs->pair[i], bits)]++;
	chains_compare(length, buckets, &c->chains);
	for (size_t i = 0; i < buckets; i++)
		c->count[length[i] < LONGEST ? length[i] : LONGEST]++;
	free(length);
}

static void chains_set_up(struct lab *lab)
{
	found = allocate(lab->n * SIZES, sizeof(*found));
	for (size_t h = 0; h < lab->n; h++)
		for (size_t s = 0; s < SIZES; s++)
			judge(lab, lab->hash[h], sizes[s], &found[h * SIZES + s]);
}

/* "1.32 (6)": dentries looked at a hit, and the longest chain; `!` where chance does not do that.
 */
static void put_chains(struct table *t, const struct chains *c)
{
	bool longer = c->p < LAB_P_TELLS && c->hit > c->random_hit;

	table_put(t, "%.4g (%u)%s", c->hit, c->longest,
		  longer || c->p_longest < LAB_P_TELLS ? "!" : "");
}

static void chains_print(struct lab *lab)
{
	struct table *t = table_new("hash", NULL);

	printf("%zu names: dentries looked at a hit (longest chain) by 2^n buckets; ! where chains "
	       "are longer than random (p < %g).\n",
	       lab->pairs->n, LAB_P_TELLS);
	for (size_t s = 0; s < SIZES; s++) {
		char heading[16];

		snprintf(heading, sizeof(heading), "2^%u>", sizes[s]);
		table_column(t, heading);
	}
	table_row(t);
	table_put(t, "random");
	for (size_t s = 0; s < SIZES; s++)
		table_put(t, "%.4g (%u)", found[s].chains.random_hit,
			  found[s].chains.random_longest);
	for (size_t h = 0; h < lab->n; h++) {
		table_row(t);
		table_put(t, "%s", lab->hash[h]->name);
		for (size_t s = 0; s < SIZES; s++)
			put_chains(t, &found[h * SIZES + s].chains);
	}
	table_print(t, stdout);
}

static void chains_results(struct lab *lab, json_t *results)
{
	for (size_t i = 0; i < lab->n * SIZES; i++) {
		const struct chains *c = &found[i].chains;
		json_t *counters =
			lab_result(lab, results, lab->hash[i / SIZES], "chains", lab->tree->spec,
				   sizes[i % SIZES], "dentries/hit", c->hit);
		json_t *histogram = json_array();

		lab_counter(counters, "random_hit", c->random_hit);
		lab_counter(counters, "longest", c->longest);
		lab_counter(counters, "random_longest", c->random_longest);
		lab_counter(counters, "p_longest", c->p_longest);
		lab_counter(counters, "chisq", c->chisq);
		lab_counter(counters, "df", c->df);
		lab_counter(counters, "p_chains", c->p);
		for (unsigned k = 0; k <= c->longest && k <= LONGEST; k++)
			json_array_append_new(histogram,
					      json_integer((json_int_t)found[i].count[k]));
		json_object_set_new(counters, "chains_by_length", histogram);
	}
}

/* One panel a size: chains by length, on a logarithmic scale, and what random hashing gives. */
static size_t chains_panel(struct lab *lab, FILE *f)
{
	enum { HEIGHT = 360 };

	for (size_t s = 0; s < SIZES; s++) {
		double buckets = (double)(1u << sizes[s]);
		unsigned longest = found[s].chains.random_longest;

		fputs("$chains << END_OF_CHAINS\n", f);
		for (unsigned k = 0; k <= longest + 1; k++)
			fprintf(f, "%u %.10g\n", k, buckets * poisson_is(k, found[s].chains.load));
		fputs("\n\n", f);
		for (size_t h = 0; h < lab->n; h++) {
			const struct chains_of *c = &found[h * SIZES + s];

			for (unsigned k = 0; k <= c->chains.longest && k <= LONGEST; k++)
				if (c->count[k])
					fprintf(f, "%u %u\n", k, c->count[k]);
			fputs("\n\n", f);
		}
		fputs("END_OF_CHAINS\n", f);
		plot_place(f, HEIGHT);
		fprintf(f,
			"set title 'chains of 2^%u buckets' noenhanced\nset logscale y\nset yrange "
			"[0.5:*]\nset xrange [0:%u]\nset key outside noenhanced\nset grid\nset "
			"xlabel "
			"'length'\nset ylabel 'chains'\nplot $chains index 0 with lines linewidth "
			"3 "
			"linecolor 'gray' title 'random'",
			sizes[s], longest + 8);
		for (size_t h = 0; h < lab->n; h++)
			fprintf(f, ", $chains index %zu with linespoints title '%s'", h + 1,
				lab->hash[h]->name);
		fputs("\n", f);
	}
	return SIZES * HEIGHT;
}

static void chains_tear_down(void)
{
	free(found);
}

const struct lab_part lab_chains = {
	.name = "chains",
	.set_up = chains_set_up,
	.print = chains_print,
	.results = chains_results,
	.panel = chains_panel,
	.tear_down = chains_tear_down,
};
