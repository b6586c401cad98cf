/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * rng.h - random numbers whose consecutive draws do not correlate
 *
 * xoshiro256** 1.0 seeded by splitmix64, after Blackman and Vigna, "Scrambled
 * linear pseudorandom number generators", ACM TOMS 47 (2021). The same seed gives
 * the same numbers on every machine.
 */
#ifndef RNG_H
#define RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
	uint64_t s[4];
};

static inline uint64_t rng_splitmix(uint64_t *x)
{
	uint64_t z = *x += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

/* @stream: generators of one seed and different streams are independent. */
static inline struct rng rng_new(uint64_t seed, uint64_t stream)
{
	uint64_t x = seed, y = stream ^ 0x5851f42d4c957f2dull;
	struct rng r;

	for (int i = 0; i < 4; i++)
		r.s[i] = rng_splitmix(&x) ^ rng_splitmix(&y);
	r.s[0] |= !(r.s[0] | r.s[1] | r.s[2] | r.s[3]);
	return r;
}

static inline uint64_t rng_rotl(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

static inline uint64_t rng_next(struct rng *r)
{
	uint64_t *s = r->s, result = rng_rotl(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rng_rotl(s[3], 45);
	return result;
}

/* Uniform below @n, which is not 0, without bias (Lemire, 2019). */
static inline uint64_t rng_below(struct rng *r, uint64_t n)
{
	unsigned __int128 m = (unsigned __int128)rng_next(r) * n;

	if ((uint64_t)m < n) {
		uint64_t floor = -n % n;

		while ((uint64_t)m < floor)
			m = (unsigned __int128)rng_next(r) * n;
	}
	return (uint64_t)(m >> 64);
}

/* Uniform in [0, 1). */
static inline double rng_unit(struct rng *r)
{
	return (double)(rng_next(r) >> 11) * 0x1p-53;
}

/* Fisher and Yates. */
static inline void rng_shuffle(struct rng *r, uint32_t *v, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = rng_below(r, i);
		uint32_t t = v[i - 1];

		v[i - 1] = v[j];
		v[j] = t;
	}
}

#endif
