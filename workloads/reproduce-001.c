// SPDX-License-Identifier: LGPL-2.1-or-later
/* reproduce-001.c - a kernel's build under three atime policies, cold and warm, 2007 */
#include "reproduce.h"

/* The post's cells; then policies that it does not have. */
enum {
	COLD_NOATIME,
	COLD_RELATIME,
	COLD_ATIME,
	WARM_NOATIME,
	WARM_RELATIME,
	WARM_ATIME,
	COLD_RELATIME_24H,
	COLD_LAZYTIME,
	COLD_NODIRATIME,
	WARM_RELATIME_24H,
	WARM_LAZYTIME,
	WARM_NODIRATIME,
	ROWS,
};
enum { NOATIME, RELATIME, ATIME, RELATIME_24H, LAZYTIME, NODIRATIME, POLICIES };
enum { REAL, USER, SYS, WAIT, STORES, OF_WALKS, OF_OPENS, TOLD };

static const char *const commands[][MOST_WORDS] = {
	[NOATIME] = {"kbuild", "--atime=noatime"},
	[RELATIME] = {"kbuild", "--atime=relatime-2007"},
	[ATIME] = {"kbuild", "--atime=strictatime"},
	[RELATIME_24H] = {"kbuild", "--atime=relatime"},
	[LAZYTIME] = {"kbuild", "--atime=lazytime"},
	[NODIRATIME] = {"kbuild", "--atime=nodiratime"},
};

static const struct column columns[] = {
	[REAL] = {.name = "real", .unit = "s", .digits = 3, .our_digits = 3, .drawn = true},
	[USER] = {.name = "user", .unit = "s", .measure = "user", .digits = 3, .our_digits = 3},
	[SYS] = {.name = "sys",
		 .ours = "walk",
		 .unit = "s",
		 .measure = "walk",
		 .digits = 3,
		 .our_digits = 3},
	[WAIT] = {.name = "wait", .unit = "s", .measure = "wait", .our_digits = 3},
	[STORES] = {.name = "stores", .unit = "", .measure = "stores", .counted = true},
	[OF_WALKS] = {.name = "% of walks",
		      .unit = "%",
		      .measure = "stores_of_walks",
		      .our_digits = 3,
		      .counted = true},
	[OF_OPENS] = {.name = "% of opens",
		      .unit = "%",
		      .measure = "stores_of_opens",
		      .our_digits = 2,
		      .counted = true},
	[TOLD] = {.name = "told to the disk", .unit = "", .measure = "told", .counted = true},
};

static const struct row rows[] = {
	[COLD_NOATIME] = {"cold, noatime",
			  NOATIME,
			  "cold",
			  {{[REAL] = RUNS_OF(130.242, 131.270, 131.601),
			    [USER] = RUNS_OF(106.886, 106.940, 106.920),
			    [SYS] = RUNS_OF(8.243, 8.139, 8.246)}}},
	[COLD_RELATIME] = {"cold, relatime",
			   RELATIME,
			   "cold",
			   {{[REAL] = RUNS_OF(130.549, 131.212, 134.861),
			     [USER] = RUNS_OF(106.680, 106.776, 107.103),
			     [SYS] = RUNS_OF(8.423, 8.283, 8.266)}}},
	[COLD_ATIME] = {"cold, atime",
			ATIME,
			"cold",
			{{[REAL] = RUNS_OF(130.388, 134.280, 134.335),
			  [USER] = RUNS_OF(107.000, 106.670, 106.846),
			  [SYS] = RUNS_OF(8.239, 8.503, 8.349)}}},
	[WARM_NOATIME] = {"warm, noatime",
			  NOATIME,
			  "warm",
			  {{[REAL] = RUNS_OF(115.894, 115.823, 115.789),
			    [USER] = RUNS_OF(106.683, 106.583, 106.803),
			    [SYS] = RUNS_OF(8.186, 8.259, 8.053)}}},
	[WARM_RELATIME] = {"warm, relatime",
			   RELATIME,
			   "warm",
			   {{[REAL] = RUNS_OF(116.053, 116.093, 116.214),
			     [USER] = RUNS_OF(106.600, 106.913, 106.753),
			     [SYS] = RUNS_OF(8.349, 7.966, 8.113)}}},
	[WARM_ATIME] = {"warm, atime",
			ATIME,
			"warm",
			{{[REAL] = RUNS_OF(116.905, 117.077, 117.224),
			  [USER] = RUNS_OF(106.853, 106.590, 106.953),
			  [SYS] = RUNS_OF(8.249, 8.523, 8.113)}}},
	[COLD_RELATIME_24H] = {"cold, relatime of 2009", RELATIME_24H, "cold", {{{0}}}},
	[COLD_LAZYTIME] = {"cold, lazytime", LAZYTIME, "cold", {{{0}}}},
	[COLD_NODIRATIME] = {"cold, nodiratime", NODIRATIME, "cold", {{{0}}}},
	[WARM_RELATIME_24H] = {"warm, relatime of 2009", RELATIME_24H, "warm", {{{0}}}},
	[WARM_LAZYTIME] = {"warm, lazytime", LAZYTIME, "warm", {{{0}}}},
	[WARM_NODIRATIME] = {"warm, nodiratime", NODIRATIME, "warm", {{{0}}}},
};

#define SIMULATED                                                                                  \
	"Waiting for the disk is simulated, the same in each run; walk is measured, and moves by " \
	"more."

static const struct effect effects[] = {
	{"cold: relatime to noatime", REAL, {{COLD_RELATIME, 1}, {COLD_NOATIME, -1}}, NULL},
	{"cold: atime to noatime", REAL, {{COLD_ATIME, 1}, {COLD_NOATIME, -1}}, NULL},
	{"warm: relatime to noatime", REAL, {{WARM_RELATIME, 1}, {WARM_NOATIME, -1}}, NULL},
	{"warm: atime to noatime", REAL, {{WARM_ATIME, 1}, {WARM_NOATIME, -1}}, NULL},
	{"cold: atime to noatime", WAIT, {{COLD_ATIME, 1}, {COLD_NOATIME, -1}}, SIMULATED},
	{"noatime: cold to warm", REAL, {{COLD_NOATIME, 1}, {WARM_NOATIME, -1}}, NULL},
};

const struct experiment experiment_001 = {
	.name = "001",
	.title = "a kernel's build under noatime, relatime and atime, cold and warm caches, 2007",
	.post = {{"Engel",
		  "\"Re: [PATCH 00/23] per device dirty throttling -v8\", linux-kernel, "
		  "August 2007, 3 runs a cell",
		  "Thinkpad T40, 1.5 GHz, 2 GiB, IDE disk of 60 GB, ext3"}},
	.ours = "the system calls of a part of a build of Linux 6.1, replayed with each policy "
		"over "
		"ide-2005, a disk in simulated\ntime that `dcsim kbuild` describes. real is user, "
		"which "
		"is stated and not measured, walk, and wait for the disk:\nonly ratios compare. An "
		"open "
		"for reading counts as one read. atime is strictatime, relatime that of 2007.",
	.runs = 3,
	.quick_runs = 3,
	.command = commands,
	.commands = POLICIES,
	.column = columns,
	.columns = sizeof(columns) / sizeof(columns[0]),
	.row = rows,
	.rows = ROWS,
	.effect = effects,
	.effects = sizeof(effects) / sizeof(effects[0]),
	.by_run = true,
};
