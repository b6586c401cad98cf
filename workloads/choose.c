/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "choose.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/zipf.h"

/* Streams of the generator: one that all threads share, and one for each. */
#define STREAM_COMMON	      0
#define STREAM_THREAD(thread) (1 + (uint64_t)(thread))

static size_t slice(const struct choice *choice, unsigned thread)
{
	return (size_t)((unsigned __int128)choice->names * thread / choice->threads);
}

size_t choose_count(const struct choice *choice, unsigned thread)
{
	if (choice->scope != SCOPE_PRIVATE)
		return choice->names;
	return slice(choice, thread + 1) - slice(choice, thread);
}

/* Turns @out, which holds the names by rank, into draws from them. */
static int draw(const struct choice *choice, struct rng *rng, uint32_t *out, size_t n)
{
	struct zipf *zipf = zipf_new(n, choice->exponent);
	uint32_t *drawn = malloc(n * sizeof(*drawn));
	int err = zipf && drawn ? 0 : -ENOMEM;

	if (!err) {
		for (size_t i = 0; i < n; i++)
			drawn[i] = out[zipf_draw(zipf, rng)];
		memcpy(out, drawn, n * sizeof(*out));
	}
	free(drawn);
	zipf_free(zipf);
	return err;
}

static void rotate(uint32_t *v, size_t n, size_t by)
{
	for (size_t i = 0; i < n; i++)
		v[i] = (uint32_t)((i + by) % n);
}

int choose(const struct choice *choice, unsigned thread, uint32_t *out)
{
	size_t n = choose_count(choice, thread);
	size_t first = choice->scope == SCOPE_PRIVATE ? slice(choice, thread) : 0;
	struct rng common = rng_new(choice->seed, STREAM_COMMON);
	struct rng own = rng_new(choice->seed, STREAM_THREAD(thread));
	struct rng *rng = choice->scope == SCOPE_SHARED ? &common : &own;

	for (size_t i = 0; i < n; i++)
		out[i] = (uint32_t)(first + i);
	switch (choice->order) {
	case ORDER_INORDER:
		if (choice->scope == SCOPE_RANDOM)
			rotate(out, n, rng_below(rng, n));
		return 0;
	case ORDER_SHUFFLED:
		rng_shuffle(rng, out, n);
		return 0;
	case ORDER_ZIPF:
		/* Popularity does not go by the alphabet, and all threads agree on it. */
		rng_shuffle(&common, out, n);
		return draw(choice, rng, out, n);
	}
	return -EINVAL;
}
