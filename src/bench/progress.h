/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* progress.h - one line that is written over, on a terminal only: what is done, time left */
#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

#include <time.h>

#include "cli/options.h"

struct progress {
	bool shown;
	size_t done, all;
	double before, share;  /* of the time of the whole command: spent before this, in this */
	struct timespec begin; /* of the whole command */
};

/* Of a command by itself; who is a part of one sets before, share and begin. */
void progress_begin(struct progress *p, const struct options *o, size_t all);
/* @head stands before the numbers: "part 2 of 5, hash ", or nothing. */
void progress_show(const struct progress *p, const char *head, const char *what);
void progress_end(const struct progress *p);

#endif
