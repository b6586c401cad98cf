/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ck-epoch.h - the read side of ck_epoch, inlined; see ck-epoch.c
 */
#ifndef RCU_CK_EPOCH_H
#define RCU_CK_EPOCH_H

#include <ck_epoch.h>

#include "mem/mem.h"

/* What may wait on a thread's record, beside what one operation defers. */
#define CK_PENDING_MAX 8192

/* What ck knows a thread by, and what only the thread looks at. */
struct ck_thread {
	ck_epoch_record_t record;
	unsigned reclaim_at;	/* pending callbacks at which to look for a grace period */
	struct ck_thread *next; /* while no thread has it */
};

extern __thread struct ck_thread *ck_self;
void ck_reclaim(struct ck_thread *self); /* outside a section */

static force_inline void ck_enter(void)
{
	ck_epoch_begin(&ck_self->record, NULL);
}

static force_inline void ck_exit(void)
{
	struct ck_thread *self = ck_self;

	if (ck_epoch_end(&self->record, NULL) &&
	    unlikely(ck_pr_load_uint(&self->record.n_pending) >= self->reclaim_at))
		ck_reclaim(self);
}

#endif
