/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* clock.c - what time it is, for a cache and the store behind it alike */
#include "dcs/store.h"
#include "mem/mem.h"

/* A kernel stamps files by its ticks, and so does a clock of the caller's: 250 a second. */
void dcs_clock_read(const uint64_t *clock, struct timespec *t)
{
	uint64_t ns;

	if (!clock) {
		clock_gettime(CLOCK_REALTIME_COARSE, t);
		return;
	}
	ns = load_relaxed(clock);
	ns -= ns % 4000000;
	t->tv_sec = (time_t)(ns / 1000000000);
	t->tv_nsec = (long)(ns % 1000000000);
}
