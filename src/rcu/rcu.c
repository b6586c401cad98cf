/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* rcu.c - the list of flavours */
#include "rcu/rcu.h"

char rcu_grace_edge;

const struct rcu_flavour *const rcu_flavours[] = {
	&rcu_urcu_memb, &rcu_urcu_qsbr, &rcu_urcu_bp, &rcu_ck_epoch, NULL,
};
