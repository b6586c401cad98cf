// SPDX-License-Identifier: LGPL-2.1-or-later
/* reproduce-000.c - files copied to a RAM disk, objects with and without a constructor, 2007 */
#include "reproduce.h"

enum { SMALL_PLAIN, SMALL_CONSTRUCTED, ONE_PLAIN, ONE_CONSTRUCTED, ROWS };
enum { REAL, USER, SYS };

static const char *const commands[][MOST_WORDS] = {
	[SMALL_PLAIN] = {"copytree", "--test=A", "--objects=zeroed"},
	[SMALL_CONSTRUCTED] = {"copytree", "--test=A", "--objects=constructed"},
	[ONE_PLAIN] = {"copytree", "--test=B", "--objects=zeroed"},
	[ONE_CONSTRUCTED] = {"copytree", "--test=B", "--objects=constructed"},
};

/* copytree tells milliseconds. */
static const struct column columns[] = {
	[REAL] = {.name = "real",
		  .unit = "s",
		  .measure = "real",
		  .factor = 1e-3,
		  .digits = 3,
		  .our_digits = 4,
		  .drawn = true},
	[USER] = {.name = "user",
		  .unit = "s",
		  .measure = "user",
		  .factor = 1e-3,
		  .digits = 3,
		  .our_digits = 4},
	[SYS] = {.name = "sys",
		 .ours = "walk",
		 .unit = "s",
		 .factor = 1e-3,
		 .digits = 3,
		 .our_digits = 4,
		 .drawn = true},
};

static const struct row rows[] = {
	[SMALL_PLAIN] = {"A: small files, no constructor",
			 SMALL_PLAIN,
			 NULL,
			 {{[REAL] = RUNS_OF(.104, .090, .089, .097, .091, .091, .098, .091, .090),
			   [USER] = RUNS_OF(.016, .008, .016, .004, .008, .004, .008, .000, .012),
			   [SYS] = RUNS_OF(.056, .056, .048, .064, .052, .060, .060, .064, .052)}}},
	[SMALL_CONSTRUCTED] =
		{"A: small files, constructor",
		 SMALL_CONSTRUCTED,
		 NULL,
		 {{[REAL] = RUNS_OF(.099, .098, .091, .091, .090, .090, 1.269, .095, .096),
		   [USER] = RUNS_OF(.004, .008, .016, .012, .012, .020, .012, .016, .020),
		   [SYS] = RUNS_OF(.100, .096, .080, .084, .080, .076, .084, .084, .084)}}},
	[ONE_PLAIN] = {"B: one file of 52 MB, no constructor",
		       ONE_PLAIN,
		       NULL,
		       {{[REAL] = RUNS_OF(2.095, .187, .186, .195, .177, .182, .186, .190, .174),
			 [USER] = RUNS_OF(.000, .008, .008, .008, .004, .004, .008, .004, .004),
			 [SYS] = RUNS_OF(.168, .124, .120, .128, .120, .120, .120, .128, .116)}}},
	[ONE_CONSTRUCTED] =
		{"B: one file of 52 MB, constructor",
		 ONE_CONSTRUCTED,
		 NULL,
		 {{[REAL] = RUNS_OF(.183, .183, .177, .186, .187, .184, .177, .183, .182),
		   [USER] = RUNS_OF(.004, .004, .012, .004, .008, .004, .012, .004, .004),
		   [SYS] = RUNS_OF(.188, .192, .176, .192, .188, .192, .176, .192, .188)}}},
};

#define LOWEST                                                                                    \
	"The post compares the lowest: 0.089 and 0.090 s in A, 0.174 and 0.177 in B. One run of " \
	"each test took over a second; none\n    is left out. Its sys is counted in ticks of 4 "  \
	"ms."

static const struct effect effects[] = {
	{"A: no constructor to one", SYS, {{SMALL_PLAIN, 1}, {SMALL_CONSTRUCTED, -1}}, NULL},
	{"B: no constructor to one", SYS, {{ONE_PLAIN, 1}, {ONE_CONSTRUCTED, -1}}, NULL},
	{"A: no constructor to one", REAL, {{SMALL_PLAIN, 1}, {SMALL_CONSTRUCTED, -1}}, LOWEST},
	{"B: no constructor to one", REAL, {{ONE_PLAIN, 1}, {ONE_CONSTRUCTED, -1}}, LOWEST},
};

const struct experiment experiment_000 = {
	.name = "000",
	.title = "files copied to a RAM disk, buffer heads with and without a constructor, 2007",
	.post = {{"Lameter",
		  "\"Re: Remove constructor from buffer_head\", linux-kernel, May 2007, "
		  "9 runs each",
		  "a machine that is not named"}},
	.ours = "the copy's calls in a cache with a RAM disk of its own, of 16 MB (A) and 128 MB "
		"(B), with a buffer head a block;\n`walk` is all but the loop itself, and stands "
		"beside the post's sys.",
	.runs = 9,
	.quick_runs = 5,
	.takes_tree = true,
	.command = commands,
	.commands = ROWS,
	.column = columns,
	.columns = 3,
	.row = rows,
	.rows = ROWS,
	.effect = effects,
	.effects = sizeof(effects) / sizeof(effects[0]),
	.by_run = true,
};
