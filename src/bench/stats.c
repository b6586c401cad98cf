// SPDX-License-Identifier: LGPL-2.1-or-later
/* stats.c - medians, their intervals, ranks */
#include "bench/stats.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "rng.h"

#define RESAMPLES   2000
#define EXACT_LIMIT 50 /* pooled values up to which every order is counted */

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void *need(void *p)
{
	if (!p)
		fail(EXIT_LACKS, "out of memory");
	return p;
}

static double *sorted_copy(const double *v, size_t n)
{
	double *copy = need(malloc(n * sizeof(*copy)));

	memcpy(copy, v, n * sizeof(*copy));
	qsort(copy, n, sizeof(*copy), compare_doubles);
	return copy;
}

static double sorted_quantile(const double *v, size_t n, double q)
{
	double at = q * (double)(n - 1);
	size_t i = (size_t)at;

	return i + 1 < n ? v[i] + (at - (double)i) * (v[i + 1] - v[i]) : v[n - 1];
}

double stats_quantile(const double *v, size_t n, double q)
{
	double *s = sorted_copy(v, n), x = sorted_quantile(s, n, q);

	free(s);
	return x;
}

/*
 * The largest k such that [x(k), x(n + 1 - k)] holds the median with 95 %: fewer
 * than k of n fair coins fall on one side at most once in forty. 0: none does.
 */
static size_t median_rank(size_t n)
{
	long double term = ldexpl(1, -(int)n), tail = term;
	size_t k = 0;

	while (tail <= 0.025L) {
		k++;
		term = term * (long double)(n - k + 1) / (long double)k;
		tail += term;
	}
	return k;
}

void stats_summary(const double *v, size_t n, struct summary *s)
{
	double *sorted = sorted_copy(v, n), squares = 0;
	size_t k = median_rank(n);

	*s = (struct summary){.n = n, .covered = k > 0};
	if (!k)
		k = 1;
	s->median = sorted_quantile(sorted, n, 0.5);
	s->lo = sorted[k - 1];
	s->hi = sorted[n - k];
	s->min = sorted[0];
	s->max = sorted[n - 1];
	for (size_t i = 0; i < n; i++)
		s->mean += v[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (v[i] - s->mean) * (v[i] - s->mean);
	s->stddev = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
	free(sorted);
}

/* Twice the midrank of each of @n pooled values: whole numbers, ties included. */
static void double_ranks(const double *pool, size_t n, unsigned *rank)
{
	for (size_t i = 0; i < n; i++) {
		unsigned below = 0, equal = 0;

		for (size_t j = 0; j < n; j++) {
			below += pool[j] < pool[i];
			equal += pool[j] == pool[i];
		}
		rank[i] = 2 * below + equal + 1;
	}
}

/*
 * How likely a sum of @k of the @n ranks lies as far from its mean as @sum: counts
 * all choices of k, by sum. Counts stay below C(50, 25), which a double holds.
 */
static double exact_p(const unsigned *rank, size_t n, size_t k, unsigned sum)
{
	unsigned total = 0;
	double all = 0, far = 0, mean, *ways;

	for (size_t i = 0; i < n; i++)
		total += rank[i];
	ways = need(calloc((k + 1) * (total + 1), sizeof(*ways)));
#define WAYS(chosen, s) ways[(chosen) * (total + 1) + (s)]
	WAYS(0, 0) = 1;
	for (size_t i = 0; i < n; i++)
		for (size_t c = i + 1 < k ? i + 1 : k; c > 0; c--)
			for (unsigned s = total; s >= rank[i]; s--)
				WAYS(c, s) += WAYS(c - 1, s - rank[i]);
	mean = (double)k * total / (double)n;
	for (unsigned s = 0; s <= total; s++) {
		all += WAYS(k, s);
		if (fabs(s - mean) >= fabs(sum - mean) - 1e-9)
			far += WAYS(k, s);
	}
#undef WAYS
	free(ways);
	return far / all;
}

static double normal_p(const unsigned *rank, size_t na, size_t nb, double sum)
{
	double n = (double)(na + nb), mean = (double)na * (n + 1), squares = 0, variance, z;

	for (size_t i = 0; i < na + nb; i++)
		squares += (rank[i] - (n + 1)) * (rank[i] - (n + 1));
	variance = (double)na * (double)nb / (n * (n - 1)) * squares;
	if (variance <= 0)
		return 1;
	z = fmax(fabs(sum - mean) - 1, 0) / sqrt(variance);
	return erfc(z / sqrt(2));
}

double stats_mann_whitney(const double *a, size_t na, const double *b, size_t nb)
{
	size_t n = na + nb;
	double *pool = need(malloc(n * sizeof(*pool))), p;
	unsigned *rank = need(malloc(n * sizeof(*rank))), sum = 0;

	memcpy(pool, a, na * sizeof(*pool));
	memcpy(pool + na, b, nb * sizeof(*pool));
	double_ranks(pool, n, rank);
	for (size_t i = 0; i < na; i++)
		sum += rank[i];
	p = n <= EXACT_LIMIT ? exact_p(rank, n, na, sum) : normal_p(rank, na, nb, sum);
	free(rank);
	free(pool);
	return p;
}

static double resampled_median(struct rng *rng, const double *v, size_t n, double *room)
{
	for (size_t i = 0; i < n; i++)
		room[i] = v[rng_below(rng, n)];
	qsort(room, n, sizeof(*room), compare_doubles);
	return sorted_quantile(room, n, 0.5);
}

void stats_ratio(const double *a, size_t na, const double *b, size_t nb, unsigned long seed,
		 struct ratio *r)
{
	double *room = need(malloc((na > nb ? na : nb) * sizeof(*room)));
	double *drawn = need(malloc(RESAMPLES * sizeof(*drawn)));
	struct rng rng = rng_new(seed, 0x626f6f74);

	for (size_t i = 0; i < RESAMPLES; i++) {
		double to = resampled_median(&rng, a, na, room);

		drawn[i] = resampled_median(&rng, b, nb, room) / to;
	}
	qsort(drawn, RESAMPLES, sizeof(*drawn), compare_doubles);
	r->ratio = stats_quantile(b, nb, 0.5) / stats_quantile(a, na, 0.5);
	r->lo = sorted_quantile(drawn, RESAMPLES, 0.025);
	r->hi = sorted_quantile(drawn, RESAMPLES, 0.975);
	r->p = stats_mann_whitney(a, na, b, nb);
	r->differ = r->p < 0.05;
	free(drawn);
	free(room);
}

/* With medians of resamples by @rng, or of the values themselves without one. */
static double product(struct rng *rng, const struct stats_factor *factor, size_t k, double *room)
{
	double all = 1;

	for (size_t i = 0; i < k; i++) {
		const struct stats_factor *f = &factor[i];
		double median = rng ? resampled_median(rng, f->v, f->n, room)
				    : stats_quantile(f->v, f->n, 0.5);

		all *= pow(median, f->power);
	}
	return all;
}

void stats_product(const struct stats_factor *factor, size_t k, unsigned long seed, struct ratio *r)
{
	double *drawn = need(malloc(RESAMPLES * sizeof(*drawn))), *room;
	struct rng rng = rng_new(seed, 0x626f6f74);
	size_t most = 1;

	if (k == 2 && factor[0].power == 1 && factor[1].power == -1) {
		free(drawn);
		stats_ratio(factor[1].v, factor[1].n, factor[0].v, factor[0].n, seed, r);
		return;
	}
	for (size_t i = 0; i < k; i++)
		most = factor[i].n > most ? factor[i].n : most;
	room = need(malloc(most * sizeof(*room)));
	for (size_t i = 0; i < RESAMPLES; i++)
		drawn[i] = product(&rng, factor, k, room);
	qsort(drawn, RESAMPLES, sizeof(*drawn), compare_doubles);
	*r = (struct ratio){
		.ratio = product(NULL, factor, k, NULL),
		.lo = sorted_quantile(drawn, RESAMPLES, 0.025),
		.hi = sorted_quantile(drawn, RESAMPLES, 0.975),
		.p = NAN,
	};
	r->differ = r->lo > 1 || r->hi < 1;
	free(room);
	free(drawn);
}
