/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * urcu-bp.c - liburcu "bulletproof": threads need not register
 *
 * A thread's first section registers it and its end unregisters it, which costs
 * each entry a test of whether that was done. Grace periods use membarrier(2), as
 * urcu-memb's do. Nothing is asked of a reader that is not in a section.
 */
/* First: the header of the flavour that comes first decides what call_rcu is. */
#include <urcu/urcu-bp.h>

#include "rcu/rcu.h"

_Static_assert(offsetof(union rcu_node, urcu) == 0, "a node is its rcu_head");

static void start(void)
{
	urcu_bp_get_default_call_rcu_data();
}

static uint64_t reclaim_ns(void)
{
	struct call_rcu_data *callbacks = urcu_bp_get_default_call_rcu_data();

	return rcu_thread_ns(urcu_bp_get_call_rcu_thread(callbacks));
}

static void defer(union rcu_node *node, rcu_callback *callback)
{
	urcu_bp_call_rcu(&node->urcu, (void (*)(struct rcu_head *))callback);
}

static void nothing(void)
{
}

const struct rcu_flavour rcu_urcu_bp = {
	.id = RCU_URCU_BP,
	.name = "urcu-bp",
	.description = "as urcu-memb, and a thread's first section registers it",
	.start = start,
	.register_thread = urcu_bp_register_thread,
	.unregister_thread = nothing,
	.offline = nothing,
	.online = nothing,
	.defer = defer,
	.barrier = urcu_bp_barrier,
	.reclaim_ns = reclaim_ns,
};
