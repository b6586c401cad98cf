/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* test_reproduce.c - the rule of directions, and effects of the posts' own figures */
#include "../workloads/reproduce.h" /* before cmocka.h, which has a macro named fail */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#define N(v) (sizeof(v) / sizeof((v)[0]))

static struct ratio interval(double lo, double hi, bool differ)
{
	return (struct ratio){.ratio = sqrt(lo * hi), .lo = lo, .hi = hi, .differ = differ};
}

static void directions(void **state)
{
	const struct ratio more = interval(1.01, 1.05, true), less = interval(0.9, 0.99, true);
	const struct ratio wide = interval(0.9, 1.1, true), unseen = interval(1.01, 1.05, false);

	(void)state;
	assert_int_equal(direction_of(&more), MORE);
	assert_int_equal(direction_of(&less), LESS);
	assert_int_equal(direction_of(&wide), NO_DIFFERENCE);
	assert_int_equal(direction_of(&unseen), NO_DIFFERENCE);
}

static void verdicts(void **state)
{
	const struct ratio more = interval(1.01, 1.05, true), less = interval(0.9, 0.99, true);
	const struct ratio no = interval(0.99, 1.01, false);
	const struct {
		const struct ratio *post, *ours;
		const char *says;
	} table[] = {
		{&more, &more, "same"},	 {&less, &less, "same"},     {&no, &no, "same"},
		{&more, &no, "none"},	 {&less, &no, "none"},	     {&more, &less, "other"},
		{&less, &more, "other"}, {&no, &more, "ours alone"}, {&no, &less, "ours alone"},
	};

	(void)state;
	for (size_t i = 0; i < N(table); i++)
		assert_string_equal(
			verdict_name(verdict_of(true, table[i].post, table[i].ours, 10)),
			table[i].says);
	assert_string_equal(verdict_name(verdict_of(true, &more, &more, 2)), "too few runs");
	assert_string_equal(verdict_name(verdict_of(false, &more, &more, 10)), "");
}

/* An effect of a post, by name; @column NULL: any. */
static bool post_effect(const struct experiment *e, const char *name, const char *column,
			unsigned post, struct ratio *r, bool *spread)
{
	for (size_t i = 0; i < e->effects; i++)
		if (!strcmp(e->effect[i].name, name) &&
		    (!column || !strcmp(e->column[e->effect[i].column].name, column)))
			return effect_of_post(e, &e->effect[i], post, r, spread);
	fail_msg("%s has no effect '%s'", e->name, name);
	return false;
}

/* Arithmetic on the rows of the post. */
static void effects_of_the_posts(void **state)
{
	static const struct {
		const struct experiment *e;
		const char *name, *column;
		unsigned post;
		double ratio;
	} table[] = {
		{&experiment_000, "A: no constructor to one", "sys", 0, 0.6667},
		{&experiment_000, "B: no constructor to one", "sys", 0, 0.6383},
		{&experiment_001, "cold: atime to noatime", "real", 0, 1.0229},
		{&experiment_001, "warm: atime to noatime", "real", 0, 1.0108},
		{&experiment_003, "new hash, on 2.6.6", NULL, 0, 1.021},
		{&experiment_003, "new hash, within -bk", NULL, 0, 1.017},
		{&experiment_003, "2.6.6-rc3 to 2.6.6", NULL, 0, 0.972},
		{&experiment_003, "-bk's other code, old hash", NULL, 0, 1.039},
		{&experiment_003, "2.6.6 to 2.6.6-mm1", NULL, 1, 1.036},
		{&experiment_004, "2.6.32-rc3 parallel to serial", "elapsed", 0, 0.755},
		{&experiment_004, "2.6.32-rc3 parallel to serial", "system", 1, 8.38},
		{&experiment_004, "vfs parallel to 2.6.32-rc3 serial", "elapsed", 1, 0.43},
		{&experiment_004, "vfs parallel to 2.6.32-rc3 serial", "system", 0, 0.096},
	};
	struct ratio r;
	bool spread;

	(void)state;
	for (size_t i = 0; i < N(table); i++) {
		assert_true(post_effect(table[i].e, table[i].name, table[i].column, table[i].post,
					&r, &spread));
		assert_true(fabs(r.ratio - table[i].ratio) < 0.0006);
		assert_true(spread == (table[i].e != &experiment_004));
	}
}

/* Welch's interval of a ratio: 10862 +- 30 to 10685 +- 34, ten runs each, by hand. */
static void spread_of_a_post(void **state)
{
	double a = 30. / 10862, b = 34. / 10685, width = 2.101 * sqrt((a * a + b * b) / 10);
	struct ratio r;
	bool spread;

	(void)state;
	assert_true(post_effect(&experiment_003, "new hash, within -bk", NULL, 0, &r, &spread));
	assert_true(spread);
	assert_true(fabs(r.lo - r.ratio * exp(-width)) < 1e-5);
	assert_true(fabs(r.hi - r.ratio * exp(width)) < 1e-5);
	assert_int_equal(direction_of(&r), MORE);
	assert_false(post_effect(&experiment_003, "new hash, within -bk", NULL, 1, &r, &spread));
}

/* Of runs: nine a side go by ranks too, three by the interval alone. */
static void directions_of_the_posts(void **state)
{
	static const struct {
		const struct experiment *e;
		const char *name, *column;
		enum direction direction;
	} table[] = {
		{&experiment_000, "A: no constructor to one", "sys", LESS},
		{&experiment_000, "A: no constructor to one", "real", NO_DIFFERENCE},
		{&experiment_000, "B: no constructor to one", "real", NO_DIFFERENCE},
		{&experiment_001, "cold: atime to noatime", "real", NO_DIFFERENCE},
		{&experiment_001, "warm: atime to noatime", "real", MORE},
		{&experiment_001, "noatime: cold to warm", "real", MORE},
	};
	struct ratio r;
	bool spread;

	(void)state;
	for (size_t i = 0; i < N(table); i++) {
		assert_true(
			post_effect(table[i].e, table[i].name, table[i].column, 0, &r, &spread));
		assert_int_equal(direction_of(&r), table[i].direction);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(directions),
		cmocka_unit_test(verdicts),
		cmocka_unit_test(effects_of_the_posts),
		cmocka_unit_test(spread_of_a_post),
		cmocka_unit_test(directions_of_the_posts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
