/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * stats.h - what is said of repeated runs
 *
 * No assumption about the shape of the distribution: medians, intervals from
 * order statistics, ranks. Mean and standard deviation stand beside them.
 */
#ifndef BENCH_STATS_H
#define BENCH_STATS_H

#include <stdbool.h>
#include <stddef.h>

struct summary {
	size_t n;
	double median, lo, hi; /* the median and its 95 % confidence interval */
	double mean, stddev;   /* of a sample: n - 1 */
	double min, max;
	bool covered; /* the interval does hold 95 %; with n < 6 it is [min, max] and holds less */
};

void stats_summary(const double *v, size_t n, struct summary *s);
/* The @q quantile, 0 to 1, by linear interpolation between order statistics (type 7). */
double stats_quantile(const double *v, size_t n, double q);

/*
 * Two-sided p of the Mann-Whitney U test that @a and @b come from one
 * distribution: exact, ties included, while the number of orders is small, else by
 * the normal approximation with ties and continuity corrected.
 */
double stats_mann_whitney(const double *a, size_t na, const double *b, size_t nb);

struct ratio {
	double ratio;  /* median of b / median of a */
	double lo, hi; /* its 95 % interval: percentile bootstrap */
	double p;      /* Mann-Whitney */
	bool differ;   /* p < 0.05; where not, a report says `~` */
};

/* Compares @b with the reference @a. The bootstrap's draws depend on @seed only. */
void stats_ratio(const double *a, size_t na, const double *b, size_t nb, unsigned long seed,
		 struct ratio *r);

struct stats_factor {
	const double *v;
	size_t n;
	double power;
};

/*
 * The product of the medians of @k factors, each to its power, as a ratio: an effect that is
 * a mean over others has powers of 1/2, say. Two with the powers 1 and -1 are compared by
 * stats_ratio(). Of others the interval decides alone: p is that of no test, NaN.
 */
void stats_product(const struct stats_factor *factor, size_t k, unsigned long seed,
		   struct ratio *r);

#endif
