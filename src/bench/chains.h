/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * chains.h - the chains that a hash makes in a table, against those of random hashing
 *
 * Random hashing throws n names into m buckets; the number of chains of length k
 * is then m times the Poisson probability of k with mean n/m. The comparison is
 * Pearson's chi-squared over the lengths, neighbours pooled until 5 or more chains
 * are expected in each cell. Both the number of chains and the sum of their
 * lengths are given, so that two degrees of freedom are lost.
 * The tail is pooled, and a handful of long chains is not seen there: the longest
 * has a probability of its own.
 */
#ifndef BENCH_CHAINS_H
#define BENCH_CHAINS_H

#include <stddef.h>
#include <stdint.h>

struct chains {
	double load;		 /* names a bucket */
	double chisq, df, p;	 /* p: that random chains fit as badly; NaN: too few names to say */
	double hit, random_hit;	 /* dentries looked at to find a name, itself among them */
	unsigned longest;	 /* chain */
	unsigned random_longest; /* its median */
	double p_longest;	 /* that a longest chain of random hashing is as long */
};

/* @length[m]: names in each bucket. The sum of lengths is not 0. */
void chains_compare(const uint32_t *length, size_t m, struct chains *c);

#endif
