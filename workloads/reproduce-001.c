// SPDX-License-Identifier: LGPL-2.1-or-later
/* reproduce-001.c - a kernel's build under three atime policies, cold and warm, 2007 */
#include "reproduce.h"

enum {
	COLD_NOATIME,
	COLD_RELATIME,
	COLD_ATIME,
	WARM_NOATIME,
	WARM_RELATIME,
	WARM_ATIME,
	ROWS,
};
enum { REAL, USER, SYS };

static const char *const commands[][MOST_WORDS] = {
	{"kbuild"},
};

static const struct column columns[] = {
	[REAL] = {.name = "real",
		  .unit = "s",
		  .measure = "real",
		  .digits = 3,
		  .our_digits = 3,
		  .drawn = true},
	[USER] = {.name = "user", .unit = "s", .measure = "user", .digits = 3, .our_digits = 3},
	[SYS] = {.name = "sys",
		 .ours = "walk",
		 .unit = "s",
		 .measure = "walk",
		 .digits = 3,
		 .our_digits = 3},
};

static const struct row rows[] = {
	[COLD_NOATIME] = {"cold, noatime",
			  0,
			  NULL,
			  {{[REAL] = RUNS_OF(130.242, 131.270, 131.601),
			    [USER] = RUNS_OF(106.886, 106.940, 106.920),
			    [SYS] = RUNS_OF(8.243, 8.139, 8.246)}}},
	[COLD_RELATIME] = {"cold, relatime",
			   0,
			   NULL,
			   {{[REAL] = RUNS_OF(130.549, 131.212, 134.861),
			     [USER] = RUNS_OF(106.680, 106.776, 107.103),
			     [SYS] = RUNS_OF(8.423, 8.283, 8.266)}}},
	[COLD_ATIME] = {"cold, atime",
			0,
			NULL,
			{{[REAL] = RUNS_OF(130.388, 134.280, 134.335),
			  [USER] = RUNS_OF(107.000, 106.670, 106.846),
			  [SYS] = RUNS_OF(8.239, 8.503, 8.349)}}},
	[WARM_NOATIME] = {"warm, noatime",
			  0,
			  NULL,
			  {{[REAL] = RUNS_OF(115.894, 115.823, 115.789),
			    [USER] = RUNS_OF(106.683, 106.583, 106.803),
			    [SYS] = RUNS_OF(8.186, 8.259, 8.053)}}},
	[WARM_RELATIME] = {"warm, relatime",
			   0,
			   NULL,
			   {{[REAL] = RUNS_OF(116.053, 116.093, 116.214),
			     [USER] = RUNS_OF(106.600, 106.913, 106.753),
			     [SYS] = RUNS_OF(8.349, 7.966, 8.113)}}},
	[WARM_ATIME] = {"warm, atime",
			0,
			NULL,
			{{[REAL] = RUNS_OF(116.905, 117.077, 117.224),
			  [USER] = RUNS_OF(106.853, 106.590, 106.953),
			  [SYS] = RUNS_OF(8.249, 8.523, 8.113)}}},
};

static const struct effect effects[] = {
	{"cold: relatime to noatime", REAL, {{COLD_RELATIME, 1}, {COLD_NOATIME, -1}}, NULL},
	{"cold: atime to noatime", REAL, {{COLD_ATIME, 1}, {COLD_NOATIME, -1}}, NULL},
	{"warm: relatime to noatime", REAL, {{WARM_RELATIME, 1}, {WARM_NOATIME, -1}}, NULL},
	{"warm: atime to noatime", REAL, {{WARM_ATIME, 1}, {WARM_NOATIME, -1}}, NULL},
	{"noatime: cold to warm", REAL, {{COLD_NOATIME, 1}, {WARM_NOATIME, -1}}, NULL},
};

const struct experiment experiment_001 = {
	.name = "001",
	.title = "a kernel's build under noatime, relatime and atime, cold and warm caches, 2007",
	.post = {{"Engel",
		  "\"Re: [PATCH 00/23] per device dirty throttling -v8\", linux-kernel, "
		  "August 2007, 3 runs a cell",
		  "Thinkpad T40, 1.5 GHz, 2 GiB, IDE disk of 60 GB, ext3"}},
	.ours = "",
	.runs = 3,
	.quick_runs = 3,
	.command = commands,
	.commands = 1,
	.column = columns,
	.columns = 3,
	.row = rows,
	.rows = ROWS,
	.effect = effects,
	.effects = sizeof(effects) / sizeof(effects[0]),
	.by_run = true,
};
