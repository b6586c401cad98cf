/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sampler.h - latencies of single calls, in runs of their own
 *
 * Two reads of a clock cost as much as a call, so that a sampled run is not one to
 * take rates from. Calls are picked at random distances: no period in the names or
 * in the machine is in step with them.
 */
#ifndef WORKLOADS_SAMPLER_H
#define WORKLOADS_SAMPLER_H

#include <stdbool.h>
#include <time.h>

#include "rng.h"

#define SAMPLER_MAX (1u << 16) /* latencies that one sampler keeps: later ones are not taken */

struct sampler {
	struct rng rng;
	uint64_t every; /* calls a sample, on average */
	uint64_t gap;	/* calls until the next one */
	size_t n;
	uint32_t ns[SAMPLER_MAX];
};

struct latency {
	size_t n;	      /* samples */
	double p50, p90, p99; /* ns, less the clock's own */
};

void sampler_start(struct sampler *sampler, uint64_t every, uint64_t seed, uint64_t stream);

/* What the samplers at @sampler[0..n-1] took. Errors: -ENOMEM, -ENODATA (nothing was taken). */
int sampler_read(struct sampler *const *sampler, size_t n, struct latency *latency);

static inline uint64_t sampler_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Whether to time the next call. Distances are uniform from 1 to 2 every - 1. */
static inline bool sampler_picks(struct sampler *sampler)
{
	if (--sampler->gap)
		return false;
	sampler->gap = 1 + rng_below(&sampler->rng, 2 * sampler->every - 1);
	return sampler->n < SAMPLER_MAX;
}

static inline void sampler_take(struct sampler *sampler, uint64_t ns)
{
	sampler->ns[sampler->n++] = ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX;
}

#endif
