/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bench/chains.h"

#include <math.h>

#include "bench/chisq.h"

#define EXPECTED_IN_CELL 5

/* The chance that the longest of @m chains is longer than @k. */
static double longest_above(unsigned k, double load, size_t m)
{
	return -expm1((double)m * log1p(-poisson_above(k, load)));
}

static unsigned median_longest(double load, size_t m)
{
	unsigned k = (unsigned)load;

	while (longest_above(k, load, m) > 0.5)
		k++;
	return k;
}

static double count_of(uint32_t k, const uint32_t *length, size_t m)
{
	size_t n = 0;

	for (size_t i = 0; i < m; i++)
		n += length[i] == k;
	return (double)n;
}

/*
 * After each cell that is not the last, at least EXPECTED_IN_CELL chains are left
 * to expect, so that the last has as many too.
 */
static void chisq_of_lengths(const uint32_t *length, size_t m, struct chains *c)
{
	double expected = 0, observed = 0, left, left_observed = (double)m;
	unsigned cells = 0, k = 0;

	do {
		double here = count_of(k, length, m);

		expected += (double)m * poisson_is(k, c->load);
		observed += here;
		left = (double)m * poisson_above(k++, c->load);
		left_observed -= here;
		if (left < EXPECTED_IN_CELL) {
			expected += left;
			observed += left_observed;
		} else if (expected < EXPECTED_IN_CELL) {
			continue;
		}
		c->chisq += (observed - expected) * (observed - expected) / expected;
		cells++;
		expected = observed = 0;
	} while (left >= EXPECTED_IN_CELL);
	c->df = cells > 2 ? cells - 2.0 : 0;
	c->p = chisq_p(c->chisq, c->df);
}

void chains_compare(const uint32_t *length, size_t m, struct chains *c)
{
	double n = 0, probes = 0;

	*c = (struct chains){0};
	for (size_t i = 0; i < m; i++) {
		n += length[i];
		probes += length[i] * (length[i] + 1.0) / 2;
		if (length[i] > c->longest)
			c->longest = length[i];
	}
	c->load = n / (double)m;
	c->hit = probes / n;
	c->random_hit = 1 + (n - 1) / (2 * (double)m);
	c->random_longest = median_longest(c->load, m);
	c->p_longest = longest_above(c->longest - 1, c->load, m);
	chisq_of_lengths(length, m, c);
}
