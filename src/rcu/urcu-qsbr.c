/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * urcu-qsbr.c - liburcu with quiescent states
 *
 * A registered thread counts as a reader until it reports a quiescent state, so
 * it does so at the end of each operation (rcu_exit), and goes offline for as
 * long as it waits.
 */
/* First: the header of the flavour that comes first decides what call_rcu is. */
#include <urcu/urcu-qsbr.h>

#include "rcu/rcu.h"

_Static_assert(offsetof(union rcu_node, urcu) == 0, "a node is its rcu_head");

static void start(void)
{
	urcu_qsbr_get_default_call_rcu_data();
}

static uint64_t reclaim_ns(void)
{
	struct call_rcu_data *callbacks = urcu_qsbr_get_default_call_rcu_data();

	return rcu_thread_ns(urcu_qsbr_get_call_rcu_thread(callbacks));
}

static void defer(union rcu_node *node, rcu_callback *callback)
{
	urcu_qsbr_call_rcu(&node->urcu, (void (*)(struct rcu_head *))callback);
}

const struct rcu_flavour rcu_urcu_qsbr = {
	.id = RCU_URCU_QSBR,
	.name = "urcu-qsbr",
	.description = "readers store nothing; the end of an operation is a quiescent state",
	.start = start,
	.register_thread = urcu_qsbr_register_thread,
	.unregister_thread = urcu_qsbr_unregister_thread,
	.offline = urcu_qsbr_thread_offline,
	.online = urcu_qsbr_thread_online,
	.defer = defer,
	.barrier = urcu_qsbr_barrier,
	.reclaim_ns = reclaim_ns,
};
