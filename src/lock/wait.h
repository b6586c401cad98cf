/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * wait.h - waiters that give their core away
 *
 * Every loop of ck's in which a thread waits calls ck_pr_stall(), which is ours. With a
 * thread a task, the one that is waited for may not be running: so a thread that has
 * stalled often enough yields, and yields are counted. A lock that is free is taken
 * without coming here.
 */
#ifndef LOCK_WAIT_H
#define LOCK_WAIT_H

#include <stdint.h>

extern unsigned lock_patience; /* stalls before a yield; 0: none */
extern uint64_t lock_yields;   /* of all threads */

void lock_stalled(void);

#endif
