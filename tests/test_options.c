// SPDX-License-Identifier: LGPL-2.1-or-later
/* test_options.c - what the parser takes, what it refuses, and in which words */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* the program has one too */
#include <stdio.h>
#include <string.h>

#include "cli/parse.h"

struct own {
	bool cold;
	uint64_t misses, tasks;
	double skew;
	const char *base, *order;
	struct opt_names orders, more;
	struct opt_numbers sizes;
};

static const struct dcs_name orders[] = {
	{"inorder", ""}, {"shuffled", ""}, {"zipf", ""}, {NULL, NULL}};

static uint64_t seven(void)
{
	return 7;
}

static const struct opt own_options[] = {
	{"cold", 'c', OPT_FLAG, OPT_AT(struct own, cold), .help = ""},
	{"misses", 0, OPT_NUMBER, OPT_AT(struct own, misses), .def = "5", .max = 100, .help = ""},
	{"tasks", 'p', OPT_NUMBER, OPT_AT(struct own, tasks), .def = "1", .min = 1, .max = 1e12,
	 .help = ""},
	{"skew", 0, OPT_REAL, OPT_AT(struct own, skew), .def = "0.99", .max = 5, .help = ""},
	{"base", 'b', OPT_STRING, OPT_AT(struct own, base), .arg = "DIR", .help = ""},
	{"order", 0, OPT_NAME, OPT_AT(struct own, order), .def = "inorder", .choices = orders,
	 .help = ""},
	{"orders", 0, OPT_NAMES, OPT_AT(struct own, orders), .kind = "orders", .help = ""},
	{"more", 0, OPT_NAMES, OPT_AT(struct own, more), .kind = "orders", .adds = true,
	 .help = ""},
	{"sizes", 0, OPT_NUMBERS, OPT_AT(struct own, sizes), .def = "1,all", .min = 1, .max = 64,
	 .all = seven, .help = ""},
	{.name = NULL},
};

static const struct workload storm = {
	.name = "storm",
	.options = own_options,
	.defaults = (const char *const[]){"runs=3", "duration=2", NULL},
	.without = (const char *const[]){"seed", NULL},
};

/* What parse.c needs from the rest of the program. */
const struct opt common_options[] = {
	{"runs", 'r', OPT_NUMBER, OPT_AT(struct options, runs), .def = "10", .min = 1, .max = 1000,
	 .help = ""},
	{"loops", 0, OPT_NUMBER, OPT_AT(struct options, loops), .def = "1", .min = 1, .max = 1e9,
	 .help = ""},
	{"duration", 0, OPT_REAL, OPT_AT(struct options, duration), .max = 3600, .help = ""},
	{"seed", 0, OPT_NUMBER, OPT_AT(struct options, seed), .def = "1", .max = 9, .help = ""},
	{.name = NULL},
};

const struct dcs_name *catalogue(const char *kind)
{
	return strcmp(kind, "orders") ? NULL : orders;
}

static unsigned helped;

void help_workload(const struct workload *w, FILE *f)
{
	(void)w, (void)f;
	helped++;
}

static jmp_buf failed;
static char said[512];

_Noreturn void fail(int status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(said, sizeof(said), fmt, ap);
	va_end(ap);
	longjmp(failed, status);
}

static struct options common;
static struct own own;

/* Parses the blank-separated @line; the status it failed with, or 0. */
static int parse(const char *line)
{
	static char copy[512];
	char *argv[32] = {"storm"}, *rest = copy, *word;
	volatile int argc = 1;
	int status;

	snprintf(copy, sizeof(copy), "%s", line);
	while ((word = strsep(&rest, " ")))
		if (*word)
			argv[argc++] = word;
	memset(&common, 0, sizeof(common));
	memset(&own, 0, sizeof(own));
	said[0] = '\0';
	status = setjmp(failed);
	if (!status)
		parse_workload(&storm, argc, argv, &common, &own);
	return status;
}

static void refused(const char *line, const char *words)
{
	assert_int_equal(parse(line), EXIT_USAGE);
	if (!strstr(said, words))
		print_error("%s: said \"%s\", not \"%s\"\n", line, said, words);
	assert_non_null(strstr(said, words));
	assert_null(strchr(said, '\n'));
}

static void defaults(void **state)
{
	(void)state;
	assert_int_equal(parse(""), 0);
	assert_int_equal(own.misses, 5);
	assert_true(own.skew > 0.98 && own.skew < 1);
	assert_null(own.base);
	assert_string_equal(own.order, "inorder");
	assert_int_equal(own.sizes.n, 2);
	assert_int_equal(own.sizes.v[1], 7);
	assert_int_equal(own.orders.n, 0);
	/* The workload's own defaults of common options. */
	assert_int_equal(common.runs, 3);
	assert_true(common.duration == 2 && common.loops == 0);
}

static void forms(void **state)
{
	(void)state;
	assert_int_equal(parse("-p32 -b dir --misses=7 -c --skew 1.5"), 0);
	assert_int_equal(own.tasks, 32);
	assert_string_equal(own.base, "dir");
	assert_int_equal(own.misses, 7);
	assert_true(own.cold && own.skew == 1.5);
	assert_int_equal(parse("-p 8 --cold=false -r 9"), 0);
	assert_int_equal(own.tasks, 8);
	assert_false(own.cold);
	assert_int_equal(common.runs, 9);
	assert_int_equal(parse("-p 2k"), 0);
	assert_int_equal(own.tasks, 2000);
	assert_int_equal(parse("-p 3Mi"), 0);
	assert_int_equal(own.tasks, 3 << 20);
	assert_int_equal(parse("-p 1 -p 2"), 0);
	assert_int_equal(own.tasks, 2);
}

static void lists(void **state)
{
	(void)state;
	assert_int_equal(parse("--orders zipf,inorder,zipf --sizes 3,7,all,3"), 0);
	assert_int_equal(own.orders.n, 2);
	assert_string_equal(own.orders.v[0], "zipf");
	assert_int_equal(own.sizes.n, 2);
	assert_int_equal(own.sizes.v[0], 3);
	assert_int_equal(parse("--orders all"), 0);
	assert_int_equal(own.orders.n, 3);
	assert_int_equal(parse("--orders all --orders zipf --more zipf --more inorder,zipf"), 0);
	assert_int_equal(own.orders.n, 1);
	assert_int_equal(own.more.n, 2);
	assert_string_equal(own.more.v[1], "inorder");
	refused("--orders zipf,", "--orders: \"\" is not known");
	refused("--sizes 1,65", "--sizes: \"65\" is out of range; right is a number from 1 to 64");
}

static void loops_or_duration(void **state)
{
	(void)state;
	assert_int_equal(parse("--loops 4"), 0);
	assert_true(common.loops == 4 && common.duration == 0);
	refused("--loops 4 --duration 1", "--loops and --duration");
}

static void numbers(void **state)
{
	(void)state;
	refused("-p 0", "--tasks: \"0\" is out of range; right is a number from 1 to");
	refused("-p -1", "\"-1\" is not a whole number");
	refused("-p 1.5", "\"1.5\" is not a whole number");
	refused("-p 5x", "not a whole number");
	refused("-p 5kk", "not a whole number");
	refused("-p 99999999999999999999", "out of range");
	refused("-p 99999999999999999G", "out of range");
	refused("--misses 101", "from 0 to 100");
	refused("--misses=", "not a whole number");
	refused("--skew nan", "not a number");
	refused("--skew 6", "out of range");
	refused("--cold=yes", "right is true or false");
}

static void names(void **state)
{
	(void)state;
	refused("--order zpif", "--order: \"zpif\" is not known; did you mean zipf?");
	refused("--order quite-other", "right is one of inorder, shuffled, zipf");
	refused("--mises 3", "option \"mises\" is not known; did you mean misses, sizes?");
	refused("--run 3", "did you mean runs?");
	refused("-x", "option \"-x\" is not known");
	refused("--p 3", "is not known");
	refused("extra", "\"extra\" is not an option");
	refused("-", "\"-\" is not an option");
	refused("--tasks", "--tasks: the value is missing");
	refused("--base=", "the value is empty; right is DIR");
	refused("-cx", "-c takes no value");
	refused("--seed 3", "--seed has no meaning here");
}

static void help(void **state)
{
	(void)state;
	helped = 0;
	assert_int_equal(parse("--help"), 0);
	assert_int_equal(parse("-p 3 -h"), 0);
	assert_int_equal(helped, 2);
}

static void distances(void **state)
{
	(void)state;
	assert_int_equal(edit_distance("", ""), 0);
	assert_int_equal(edit_distance("", "abc"), 3);
	assert_int_equal(edit_distance("kitten", "sitting"), 3);
	assert_int_equal(edit_distance("wlak", "walk"), 1);
	assert_int_equal(edit_distance("ca", "abc"), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults), cmocka_unit_test(forms),
		cmocka_unit_test(lists),    cmocka_unit_test(loops_or_duration),
		cmocka_unit_test(numbers),  cmocka_unit_test(names),
		cmocka_unit_test(help),	    cmocka_unit_test(distances),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
