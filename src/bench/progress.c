// SPDX-License-Identifier: LGPL-2.1-or-later
#include "bench/progress.h"

#include <stdio.h>
#include <unistd.h>

void progress_begin(struct progress *p, const struct options *o, size_t all)
{
	*p = (struct progress){
		.shown = isatty(STDERR_FILENO) && !o->quiet && !o->verbose,
		.all = all,
		.share = 1,
	};
	clock_gettime(CLOCK_MONOTONIC, &p->begin);
}

static double since(const struct timespec *begin)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - begin->tv_sec) + (double)(now.tv_nsec - begin->tv_nsec) * 1e-9;
}

void progress_show(const struct progress *p, const char *head, const char *what)
{
	double done = p->before + p->share * (double)p->done / (double)p->all, left;

	if (!p->shown)
		return;
	fprintf(stderr, "\r\033[K%s[%zu/%zu] %s", head, p->done + 1, p->all, what);
	if (done > 0) {
		left = since(&p->begin) * (1 / done - 1);
		fprintf(stderr, ", %d:%02d left", (int)left / 60, (int)left % 60);
	}
	fflush(stderr);
}

void progress_end(const struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
}
