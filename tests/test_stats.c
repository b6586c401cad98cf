// SPDX-License-Identifier: LGPL-2.1-or-later
/* test_stats.c - statistics against values from published tables and from other programs */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "bench/stats.h"
#include "bench/zipf.h"
#include "rng.h"

#define N(v) (sizeof(v) / sizeof((v)[0]))

#define assert_near(a, b, eps)                                                    \
	do {                                                                      \
		if (!(fabs((double)(a) - (double)(b)) <= (eps)))                  \
			fail_msg("%.12g is not %.12g", (double)(a), (double)(b)); \
	} while (0)

static void summary_of_ten(void **state)
{
	const double v[] = {7, 1, 10, 3, 9, 2, 8, 5, 4, 6};
	struct summary s;

	(void)state;
	stats_summary(v, N(v), &s);
	assert_near(s.median, 5.5, 0);
	/* Ten values: the second and the ninth, which hold the median with 97.9 %. */
	assert_near(s.lo, 2, 0);
	assert_near(s.hi, 9, 0);
	assert_true(s.covered);
	assert_near(s.mean, 5.5, 1e-12);
	assert_near(s.stddev, 3.0276503540974917, 1e-12);
	assert_near(s.min, 1, 0);
	assert_near(s.max, 10, 0);
}

/* Ranks of the interval as in tables of the sign test at 5 %, two-sided. */
static void interval_ranks(void **state)
{
	static const struct {
		size_t n, rank;
	} table[] = {{6, 1},  {8, 1},  {9, 2},	{11, 2},  {12, 3},
		     {15, 4}, {20, 6}, {25, 8}, {50, 18}, {100, 40}};
	double v[100];

	(void)state;
	for (size_t i = 0; i < N(table); i++) {
		struct summary s;

		for (size_t k = 0; k < table[i].n; k++)
			v[k] = (double)(k + 1);
		stats_summary(v, table[i].n, &s);
		assert_near(s.lo, (double)table[i].rank, 0);
		assert_near(s.hi, (double)(table[i].n + 1 - table[i].rank), 0);
		assert_true(s.covered);
	}
}

static void few_runs_do_not_cover(void **state)
{
	const double v[] = {3, 1, 2, 5, 4};
	struct summary s;

	(void)state;
	stats_summary(v, N(v), &s);
	assert_false(s.covered);
	assert_near(s.lo, 1, 0);
	assert_near(s.hi, 5, 0);
	stats_summary(v, 1, &s);
	assert_near(s.median, 3, 0);
	assert_near(s.stddev, 0, 0);
}

static void quantiles(void **state)
{
	const double v[] = {40, 10, 30, 20};

	(void)state;
	assert_near(stats_quantile(v, N(v), 0), 10, 0);
	assert_near(stats_quantile(v, N(v), 0.25), 17.5, 1e-12);
	assert_near(stats_quantile(v, N(v), 0.5), 25, 1e-12);
	assert_near(stats_quantile(v, N(v), 1), 40, 0);
}

/* Apart: two of C(6, 3) = 20 orders are as extreme; of C(20, 10) = 184756. */
static void mann_whitney_exact(void **state)
{
	const double a[] = {1, 2, 3}, b[] = {4, 5, 6}, c[] = {2, 4, 6}, d[] = {1, 3, 5};
	double low[10], high[10];

	(void)state;
	assert_near(stats_mann_whitney(a, 3, b, 3), 0.1, 1e-12);
	assert_near(stats_mann_whitney(b, 3, a, 3), 0.1, 1e-12);
	/* U = 3: 14 of the 20 orders lie as far from 4.5. */
	assert_near(stats_mann_whitney(c, 3, d, 3), 0.7, 1e-12);
	for (int i = 0; i < 10; i++) {
		low[i] = i;
		high[i] = 100 + i;
	}
	assert_near(stats_mann_whitney(low, 10, high, 10), 2.0 / 184756, 1e-15);
	assert_near(stats_mann_whitney(low, 10, low, 10), 1, 1e-12);
}

/* The critical value of U for 10 and 10 at 5 %, two-sided, is 23 in every table. */
static void mann_whitney_critical(void **state)
{
	double a[10], b[10];
	size_t na, nb;

	(void)state;
	for (int u = 23; u <= 24; u++) {
		/* a below all of b, then moved up past u of them: U is the number of pairs out of
		 * order. */
		int left = u;

		na = nb = 0;
		for (int i = 0; i < 10; i++)
			b[nb++] = 10 * (i + 1);
		for (int i = 0; i < 10; i++) {
			int past = left < 10 ? left : 10;

			a[na++] = 10 * past + 5 + 0.1 * i;
			left -= past;
		}
		if (u == 23)
			assert_true(stats_mann_whitney(a, na, b, nb) <= 0.05);
		else
			assert_true(stats_mann_whitney(a, na, b, nb) > 0.05);
	}
}

static void mann_whitney_ties(void **state)
{
	/* Pooled ranks 1.5 1.5 3 4 4 ... by hand: sums of three of {1.5 1.5 4 4 4 6}. */
	const double a[] = {1, 1, 2}, b[] = {2, 2, 3};

	(void)state;
	/* Mean 10.5, here 7: {1.5 1.5 4} three times and its mirror {4 4 6} three times, of 20. */
	assert_near(stats_mann_whitney(a, 3, b, 3), 6.0 / 20, 1e-12);
}

/* Many values go by the normal law: near the exact answer where both can be had. */
static void mann_whitney_many(void **state)
{
	double a[40], b[40];

	(void)state;
	for (int i = 0; i < 40; i++) {
		a[i] = 2 * i;
		b[i] = 2 * i + 1;
	}
	/* U = 780 of mean 800, sd 103.92: z = 19.5 / 103.92. */
	assert_near(stats_mann_whitney(a, 40, b, 40),
		    erfc(19.5 / sqrt(40 * 40 * 81 / 12.0) / sqrt(2)), 1e-12);
	for (int i = 0; i < 40; i++)
		b[i] += 60;
	assert_true(stats_mann_whitney(a, 40, b, 40) < 1e-6);
}

static void ratios(void **state)
{
	const double a[] = {100, 101, 99, 102, 98, 100, 101, 99, 100, 100};
	const double b[] = {200, 202, 198, 204, 196, 200, 202, 198, 200, 200};
	struct ratio r, again;

	(void)state;
	stats_ratio(a, N(a), b, N(b), 1, &r);
	assert_near(r.ratio, 2, 1e-12);
	assert_true(r.lo <= 2 && r.lo > 1.95 && r.hi >= 2 && r.hi < 2.05);
	assert_true(r.differ);
	stats_ratio(a, N(a), b, N(b), 1, &again);
	assert_true(again.lo == r.lo && again.hi == r.hi);
	stats_ratio(a, N(a), a, N(a), 1, &r);
	assert_false(r.differ);
	assert_near(r.ratio, 1, 0);
}

/* First outputs of splitmix64 from 0 and of xoshiro256** from state 1, 2, 3, 4. */
static void rng_vectors(void **state)
{
	static const uint64_t mixed[] = {0xe220a8397b1dcdafull, 0x6e789e6aa1b965f4ull,
					 0x06c45d188009454full};
	static const uint64_t drawn[] = {11520, 0, 1509978240, 1215971899390074240ull};
	struct rng r = {{1, 2, 3, 4}};
	uint64_t x = 0;

	(void)state;
	for (size_t i = 0; i < N(mixed); i++)
		assert_true(rng_splitmix(&x) == mixed[i]);
	for (size_t i = 0; i < N(drawn); i++)
		assert_true(rng_next(&r) == drawn[i]);
}

static void rng_streams(void **state)
{
	struct rng a = rng_new(1, 0), b = rng_new(1, 1), c = rng_new(1, 0), d = rng_new(0, 0);
	double cross = 0, serial = 0, last = 0;

	(void)state;
	assert_true(rng_next(&a) == rng_next(&c));
	assert_true(rng_next(&d) != rng_next(&d));
	for (int i = 0; i < 100000; i++) {
		double x = rng_unit(&a) - 0.5, y = rng_unit(&b) - 0.5;

		cross += x * y;
		serial += x * last;
		last = x;
	}
	/* Each sum has a standard deviation of sqrt(100000) / 12 = 26. */
	assert_true(fabs(cross) < 130 && fabs(serial) < 130);
}

static void rng_bounds(void **state)
{
	struct rng r = rng_new(7, 7);
	unsigned count[6] = {0};
	uint32_t v[100], seen[100] = {0}, moved = 0;
	double chi = 0;

	(void)state;
	for (int i = 0; i < 60000; i++) {
		uint64_t x = rng_below(&r, 6);

		assert_true(x < 6);
		count[x]++;
	}
	for (int i = 0; i < 6; i++)
		chi += (count[i] - 10000.0) * (count[i] - 10000.0) / 10000;
	assert_true(chi < 25.7); /* five degrees of freedom: once in ten thousand */
	assert_true(rng_below(&r, 1) == 0);
	for (uint32_t i = 0; i < 100; i++)
		v[i] = i;
	rng_shuffle(&r, v, 100);
	for (uint32_t i = 0; i < 100; i++) {
		seen[v[i]]++;
		moved += v[i] != i;
	}
	for (uint32_t i = 0; i < 100; i++)
		assert_int_equal(seen[i], 1);
	assert_true(moved > 80);
}

static void zipf_shares(void **state)
{
	struct zipf *z = zipf_new(1000, 1), *flat = zipf_new(10, 0);
	struct rng r = rng_new(3, 3);
	unsigned count[1000] = {0}, even[10] = {0};
	double harmonic = 0;

	(void)state;
	for (int i = 1; i <= 1000; i++)
		harmonic += 1.0 / i;
	for (int i = 0; i < 100000; i++) {
		size_t rank = zipf_draw(z, &r);

		assert_true(rank < 1000);
		count[rank]++;
		even[zipf_draw(flat, &r)]++;
	}
	assert_near(count[0], 100000 / harmonic, 600);
	assert_near(count[9], 10000 / harmonic, 200);
	for (int i = 0; i < 10; i++)
		assert_near(even[i], 10000, 500);
	zipf_free(z);
	zipf_free(flat);
}

static void product_of_powers(void **state)
{
	const double a[] = {1, 2, 3}, b[] = {10, 20, 30}, c[] = {4, 4, 4}, d[] = {9, 9, 9};
	const struct stats_factor two[] = {{b, 3, 1}, {a, 3, -1}};
	const struct stats_factor mean[] = {{c, 3, 0.5}, {d, 3, 0.5}};
	const struct stats_factor none[] = {{a, 3, 1}, {b, 3, 1}, {a, 3, -1}, {b, 3, -1}};
	struct ratio r, plain;

	(void)state;
	stats_product(two, 2, 1, &r);
	stats_ratio(a, 3, b, 3, 1, &plain);
	assert_near(r.ratio, plain.ratio, 0);
	assert_near(r.lo, plain.lo, 0);
	assert_near(r.hi, plain.hi, 0);
	assert_near(r.p, plain.p, 0);
	stats_product(mean, 2, 1, &r);
	assert_near(r.ratio, 6, 1e-12);
	assert_near(r.lo, 6, 1e-12);
	assert_near(r.hi, 6, 1e-12);
	assert_true(r.differ);
	stats_product(none, 4, 1, &r);
	assert_near(r.ratio, 1, 1e-12);
	assert_true(r.lo < 1 && r.hi > 1);
	assert_false(r.differ);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(product_of_powers),
		cmocka_unit_test(summary_of_ten),
		cmocka_unit_test(interval_ranks),
		cmocka_unit_test(few_runs_do_not_cover),
		cmocka_unit_test(quantiles),
		cmocka_unit_test(mann_whitney_exact),
		cmocka_unit_test(mann_whitney_critical),
		cmocka_unit_test(mann_whitney_ties),
		cmocka_unit_test(mann_whitney_many),
		cmocka_unit_test(ratios),
		cmocka_unit_test(rng_vectors),
		cmocka_unit_test(rng_streams),
		cmocka_unit_test(rng_bounds),
		cmocka_unit_test(zipf_shares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
