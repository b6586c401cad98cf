/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * urcu-memb.c - liburcu with membarrier(2)
 *
 * A reader stores to its own nesting count at entry and exit, without a fence:
 * the writer's membarrier(2) makes up for it. Nothing is asked of a reader that
 * is not in a section, so going offline is nothing.
 */
/* First: the header of the flavour that comes first decides what call_rcu is. */
#include <urcu/urcu-memb.h>

#include "rcu/rcu.h"

_Static_assert(offsetof(union rcu_node, urcu) == 0, "a node is its rcu_head");

static void start(void)
{
	urcu_memb_get_default_call_rcu_data();
}

static uint64_t reclaim_ns(void)
{
	struct call_rcu_data *callbacks = urcu_memb_get_default_call_rcu_data();

	return rcu_thread_ns(urcu_memb_get_call_rcu_thread(callbacks));
}

static void defer(union rcu_node *node, rcu_callback *callback)
{
	urcu_memb_call_rcu(&node->urcu, (void (*)(struct rcu_head *))callback);
}

static void nothing(void)
{
}

const struct rcu_flavour rcu_urcu_memb = {
	.id = RCU_URCU_MEMB,
	.name = "urcu-memb",
	.description = "readers store to a line of their own, grace periods use membarrier(2)",
	.start = start,
	.register_thread = urcu_memb_register_thread,
	.unregister_thread = urcu_memb_unregister_thread,
	.offline = nothing,
	.online = nothing,
	.defer = defer,
	.barrier = urcu_memb_barrier,
	.reclaim_ns = reclaim_ns,
};
