// SPDX-License-Identifier: LGPL-2.1-or-later
/* reproduce-004.c - git diff, serial and parallel: the store-free walk of 2009 */
#include "reproduce.h"

enum { OLD_SERIAL, OLD_PARALLEL, VFS_SERIAL, VFS_PARALLEL, ROWS };
enum { USER, SYSTEM, ELAPSED, CPU };

static const char *const commands[][MOST_WORDS] = {
	{"gitdiff", "--kernel=2.6.32-rc3", "--preload-index=both", "--warmup=1"},
	{"gitdiff", "--kernel=vfs-2009", "--preload-index=both", "--warmup=1"},
};

static const struct column columns[] = {
	[ELAPSED] = {.name = "elapsed",
		     .unit = "s",
		     .measure = "elapsed",
		     .digits = 2,
		     .our_digits = 3,
		     .adds = true,
		     .drawn = true},
	[USER] = {.name = "user",
		  .unit = "s",
		  .measure = "user",
		  .digits = 2,
		  .our_digits = 3,
		  .adds = true},
	[SYSTEM] = {.name = "system",
		    .ours = "walk",
		    .unit = "s",
		    .measure = "walk",
		    .digits = 2,
		    .our_digits = 3,
		    .adds = true,
		    .drawn = true},
	[CPU] = {.name = "CPU %", .unit = "%", .measure = "cpu"},
};

/* Piggin's seconds for 100 diffs; Axboe's, relative to his first row. */
#define PIGGIN(user, system, elapsed, cpu)                                                     \
	{                                                                                      \
		[USER] = FIGURE(user), [SYSTEM] = FIGURE(system), [ELAPSED] = FIGURE(elapsed), \
		[CPU] = FIGURE(cpu)                                                            \
	}
#define AXBOE(real, user, sys)                                                          \
	{                                                                               \
		[USER] = FIGURE(user), [SYSTEM] = FIGURE(sys), [ELAPSED] = FIGURE(real) \
	}

static const struct row rows[] = {
	[OLD_SERIAL] = {"2.6.32-rc3 serial",
			0,
			"serial",
			{PIGGIN(5.35, 7.12, 12.47, 100), AXBOE(1.00, 1.00, 1.00)}},
	[OLD_PARALLEL] = {"2.6.32-rc3 parallel",
			  0,
			  "parallel",
			  {PIGGIN(5.79, 17.69, 9.41, 249), AXBOE(0.80, 0.83, 8.38)}},
	[VFS_SERIAL] = {"vfs serial",
			1,
			"serial",
			{PIGGIN(5.30, 5.62, 10.92, 100), AXBOE(0.86, 0.93, 0.84)}},
	[VFS_PARALLEL] = {"vfs parallel",
			  1,
			  "parallel",
			  {PIGGIN(4.86, 0.68, 6.82, 81), AXBOE(0.43, 0.72, 0.13)}},
};

#define GITS_OWN                                                                                \
	"The posts' user time is git's own work, which ours does not do: its loop over a null " \
	"engine takes its place."
#define ARTEFACT                                                                                   \
	"An artefact of the posts: the same lookups cannot take a tenth of the processor time by " \
	"being done in\n    parallel. Accounting by ticks misses threads that live shortly (a "    \
	"guess). Elapsed time is what to compare."

static const struct effect effects[] = {
	{"2.6.32-rc3 parallel to serial", ELAPSED, {{OLD_PARALLEL, 1}, {OLD_SERIAL, -1}}, NULL},
	{"2.6.32-rc3 parallel to serial", USER, {{OLD_PARALLEL, 1}, {OLD_SERIAL, -1}}, GITS_OWN},
	{"2.6.32-rc3 parallel to serial", SYSTEM, {{OLD_PARALLEL, 1}, {OLD_SERIAL, -1}}, NULL},
	{"vfs serial to 2.6.32-rc3 serial", ELAPSED, {{VFS_SERIAL, 1}, {OLD_SERIAL, -1}}, NULL},
	{"vfs serial to 2.6.32-rc3 serial", USER, {{VFS_SERIAL, 1}, {OLD_SERIAL, -1}}, GITS_OWN},
	{"vfs serial to 2.6.32-rc3 serial", SYSTEM, {{VFS_SERIAL, 1}, {OLD_SERIAL, -1}}, NULL},
	{"vfs parallel to 2.6.32-rc3 serial", ELAPSED, {{VFS_PARALLEL, 1}, {OLD_SERIAL, -1}}, NULL},
	{"vfs parallel to 2.6.32-rc3 serial",
	 USER,
	 {{VFS_PARALLEL, 1}, {OLD_SERIAL, -1}},
	 GITS_OWN},
	{"vfs parallel to 2.6.32-rc3 serial",
	 SYSTEM,
	 {{VFS_PARALLEL, 1}, {OLD_SERIAL, -1}},
	 ARTEFACT},
	{"vfs parallel to serial", ELAPSED, {{VFS_PARALLEL, 1}, {VFS_SERIAL, -1}}, NULL},
	{"vfs parallel to serial", SYSTEM, {{VFS_PARALLEL, 1}, {VFS_SERIAL, -1}}, ARTEFACT},
	{"vfs to 2.6.32-rc3, parallel", ELAPSED, {{VFS_PARALLEL, 1}, {OLD_PARALLEL, -1}}, NULL},
	{"vfs to 2.6.32-rc3, parallel", SYSTEM, {{VFS_PARALLEL, 1}, {OLD_PARALLEL, -1}}, ARTEFACT},
};

const struct experiment experiment_004 = {
	.name = "004",
	.title = "git diff of a tree that is cached, 100 times: store-free path walking, 2009",
	.post = {{"Piggin", "\"[rfc][patch] store-free path walking\", linux-kernel, 8 Oct 2009",
		  "a machine that is not named, of 3 cores or more"},
		 {"Axboe",
		  "his answer, <20091008125746.GL9228@kernel.dk>, relative to the first row",
		  "another that is not named"}},
	.ours = "the lstats of git, serial and by its preload threads, over the names of the tree, "
		"without git's own work;\n`walk`, the rest of the processor time, stands beside "
		"the post's system time.",
	.artefact =
		"An artefact: Piggin's 0.68 s and 81 % of `vfs parallel`, and Axboe's 0.13; see "
		"the note.",
	.runs = 10,
	.quick_runs = 5,
	.loops = 100,
	.quick_loops = 20,
	.loops_in_all = true,
	.threads = "all",
	.takes_tree = true,
	.command = commands,
	.commands = 2,
	.column = columns,
	.columns = 4,
	.row = rows,
	.rows = ROWS,
	.effect = effects,
	.effects = sizeof(effects) / sizeof(effects[0]),
};
