/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rcu.c - the list of flavours, and starting one */
#include "rcu/rcu.h"

#include <pthread.h>

char rcu_grace_edge;

const struct rcu_flavour *const rcu_flavours[] = {
	&rcu_urcu_memb, &rcu_urcu_qsbr, &rcu_urcu_bp, &rcu_ck_epoch, NULL,
};

static void *nothing(void *arg)
{
	return arg;
}

int rcu_flavour_start(const struct rcu_flavour *rcu)
{
	pthread_t probe;
	int err = pthread_create(&probe, NULL, nothing, NULL);

	if (err)
		return -err;
	pthread_join(probe, NULL);
	rcu->start(); /* with the room that the probe had */
	return 0;
}

uint64_t rcu_clock(clockid_t clock)
{
	struct timespec t = {0};

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

uint64_t rcu_thread_ns(pthread_t thread)
{
	clockid_t clock;

	return pthread_getcpuclockid(thread, &clock) ? 0 : rcu_clock(clock);
}
