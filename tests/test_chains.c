/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* test_chains - known values of the distributions, and chains that are random, and not */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/chains.h"
#include "bench/chisq.h"
#include "rng.h"

#define close_to(got, want) assert_true(fabs((got) - (want)) <= 1e-10 * fabs(want))

/* Closed forms: Q(1, x) = e^-x, P(1/2, x) = erf(sqrt x), Q(n, x) = e^-x sum of x^i / i!. */
static void test_gamma(void **state)
{
	static const double at[] = {1e-9, 0.01, 0.4, 0.99, 1, 1.01, 1.49, 1.51, 2, 3, 7.5, 30, 600};

	(void)state;
	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		double x = at[i], sum = 0, term = 1;

		close_to(gamma_q(1, x), exp(-x));
		close_to(gamma_p(1, x), -expm1(-x));
		close_to(gamma_p(0.5, x), erf(sqrt(x)));
		if (x > 1.5)
			close_to(gamma_q(0.5, x), erfc(sqrt(x)));
		for (int k = 1; k <= 12; k++) {
			sum += term;
			term *= x / k;
		}
		close_to(gamma_q(12, x), exp(-x) * sum);
	}
	assert_true(gamma_p(3, 0) == 0 && gamma_q(3, 0) == 1);
}

/* The 5 % points that every table has, in the digits that tables give. */
static void test_chisq(void **state)
{
	static const double five_percent[][2] = {{1, 3.841459},	  {2, 5.991465},
						 {5, 11.070498},  {10, 18.307038},
						 {30, 43.772972}, {100, 124.342113}};

	(void)state;
	for (size_t i = 0; i < sizeof(five_percent) / sizeof(five_percent[0]); i++)
		assert_true(fabs(chisq_p(five_percent[i][1], five_percent[i][0]) - 0.05) < 1e-7);
	assert_true(isnan(chisq_p(1, 0)));
}

static void test_poisson(void **state)
{
	double sum = 0;

	(void)state;
	close_to(poisson_is(0, 0.64), exp(-0.64));
	close_to(poisson_is(3, 0.64), exp(-0.64) * 0.64 * 0.64 * 0.64 / 6);
	for (unsigned k = 60; k > 2; k--)
		sum += poisson_is(k, 0.64);
	close_to(poisson_above(2, 0.64), sum);
	close_to(poisson_above(20, 0.64), 9.042565013319598e-25);
}

enum { BITS = 12, BUCKETS = 1 << BITS, NAMES = 2600 };

static void throw_names(struct rng *rng, uint32_t *length, unsigned names)
{
	memset(length, 0, BUCKETS * sizeof(*length));
	for (unsigned i = 0; i < names; i++)
		length[rng_next(rng) >> (64 - BITS)]++;
}

/*
 * Random chains: chi-squared has the mean of its degrees of freedom (one more or
 * less would be seen: the tolerance is four standard errors), and p is uniform.
 */
static void test_random_chains(void **state)
{
	enum { TRIALS = 2000 };
	static uint32_t length[BUCKETS];
	struct rng rng = rng_new(1, 0);
	double chisq = 0, hit = 0, df = 0;
	unsigned low = 0, half = 0, longer = 0;
	struct chains c;

	(void)state;
	for (unsigned i = 0; i < TRIALS; i++) {
		throw_names(&rng, length, NAMES);
		chains_compare(length, BUCKETS, &c);
		chisq += c.chisq;
		hit += c.hit;
		df = c.df;
		low += c.p < 0.05;
		half += c.p < 0.5;
		longer += c.longest > c.random_longest;
	}
	assert_true(fabs(chisq / TRIALS - df) < 4 * sqrt(2 * df / TRIALS));
	assert_true(fabs(hit / TRIALS - c.random_hit) < 1e-3);
	assert_in_range(low, TRIALS * 3 / 100, TRIALS * 7 / 100);
	assert_in_range(half, TRIALS * 46 / 100, TRIALS * 54 / 100);
	assert_true(longer <= TRIALS * 54 / 100);
}

static void test_known_chains(void **state)
{
	/* Ten names in chains of 4, 3, 2, 1 and four empty ones. */
	static const uint32_t length[] = {4, 0, 3, 0, 2, 0, 1, 0};
	struct chains c;

	(void)state;
	chains_compare(length, 8, &c);
	close_to(c.load, 1.25);
	close_to(c.hit, (10 + 6 + 3 + 1) / 10.0);
	close_to(c.random_hit, 1 + 9 / 16.0);
	assert_int_equal(c.longest, 4);
	assert_true(isnan(c.p)); /* eight chains say nothing */
}

/* What a bad hash does: half the buckets idle; a perfect spread; one long chain among random ones.
 */
static void test_bad_chains(void **state)
{
	static uint32_t length[BUCKETS];
	struct rng rng = rng_new(2, 0);
	struct chains c;

	(void)state;
	throw_names(&rng, length, NAMES);
	for (unsigned i = 0; i < BUCKETS; i += 2) {
		length[i] += length[i + 1];
		length[i + 1] = 0;
	}
	chains_compare(length, BUCKETS, &c);
	assert_true(c.p < 1e-12 && c.hit > c.random_hit);

	for (unsigned i = 0; i < BUCKETS; i++)
		length[i] = i < NAMES;
	chains_compare(length, BUCKETS, &c);
	assert_true(c.p < 1e-12 && c.hit < c.random_hit);

	throw_names(&rng, length, NAMES);
	length[7] = 14;
	chains_compare(length, BUCKETS, &c);
	assert_true(c.p > 1e-3 && c.p_longest < 1e-6 && c.longest == 14);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gamma),	     cmocka_unit_test(test_chisq),
		cmocka_unit_test(test_poisson),	     cmocka_unit_test(test_random_chains),
		cmocka_unit_test(test_known_chains), cmocka_unit_test(test_bad_chains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
