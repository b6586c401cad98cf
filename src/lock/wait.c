/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* wait.c - waiters that give their core away */
#include "lock/wait.h"

#include <sched.h>

#include "mem/mem.h"

unsigned lock_patience;
uint64_t lock_yields;

void lock_stalled(void)
{
	static __thread unsigned stalls;

	if (++stalls < load_relaxed(&lock_patience))
		return;
	stalls = 0;
	fetch_add_relaxed(&lock_yields, 1);
	sched_yield();
}
