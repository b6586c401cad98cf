/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sampler.h"

#include <errno.h>
#include <stdlib.h>

#include "bench/stats.h"

void sampler_start(struct sampler *sampler, uint64_t every, uint64_t seed, uint64_t stream)
{
	sampler->rng = rng_new(seed, stream);
	sampler->every = every;
	sampler->gap = 1 + rng_below(&sampler->rng, 2 * every - 1);
	sampler->n = 0;
}

/* What two reads of the clock with nothing between them give: the median of many. */
static double clock_cost(void)
{
	double ns[101];
	const size_t n = sizeof(ns) / sizeof(ns[0]);

	for (size_t i = 0; i < n; i++) {
		uint64_t start = sampler_clock();

		ns[i] = (double)(sampler_clock() - start);
	}
	return stats_quantile(ns, n, 0.5);
}

static double quantile(const double *ns, size_t n, double q, double less)
{
	double v = stats_quantile(ns, n, q) - less;

	return v > 0 ? v : 0;
}

int sampler_read(struct sampler *const *sampler, size_t n, struct latency *latency)
{
	double *ns, cost = clock_cost();
	size_t total = 0, at = 0;

	for (size_t i = 0; i < n; i++)
		total += sampler[i]->n;
	if (!total)
		return -ENODATA;
	ns = malloc(total * sizeof(*ns));
	if (!ns)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < sampler[i]->n; j++)
			ns[at++] = (double)sampler[i]->ns[j];
	*latency = (struct latency){
		.n = total,
		.p50 = quantile(ns, total, .50, cost),
		.p90 = quantile(ns, total, .90, cost),
		.p99 = quantile(ns, total, .99, cost),
	};
	free(ns);
	return 0;
}
