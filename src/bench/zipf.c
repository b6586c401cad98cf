// SPDX-License-Identifier: LGPL-2.1-or-later
/* zipf.c - draws from a table of cumulative shares by bisection */
#include "bench/zipf.h"

#include <math.h>
#include <stdlib.h>

struct zipf {
	size_t n;
	double below[]; /* share of the ranks up to and with each; the last is 1 */
};

struct zipf *zipf_new(size_t n, double s)
{
	struct zipf *z = malloc(sizeof(*z) + n * sizeof(z->below[0]));
	double sum = 0;

	if (!z)
		return NULL;
	z->n = n;
	for (size_t i = 0; i < n; i++)
		z->below[i] = sum += pow((double)(i + 1), -s);
	for (size_t i = 0; i < n; i++)
		z->below[i] /= sum;
	return z;
}

void zipf_free(struct zipf *z)
{
	free(z);
}

size_t zipf_draw(const struct zipf *z, struct rng *r)
{
	double u = rng_unit(r);
	size_t lo = 0, hi = z->n - 1;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (z->below[mid] > u)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}
