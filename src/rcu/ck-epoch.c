/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ck-epoch.c - Concurrency Kit's epochs
 *
 * A reader stores to its own record at entry and exit, with a full fence at entry.
 * There is no thread for callbacks: what a thread defers waits on its record, and
 * it runs them itself, at the end of an operation, outside its section and holding
 * no spinlock. That is each BATCH callbacks; from CK_PENDING_MAX on it waits for the readers,
 * so the backlog is at most that a thread, and what one operation defers.
 *
 * Records are pushed to by their thread and emptied by it and by barrier(), hence
 * ck_epoch_call_strict(). A thread that unregisters frees what it can without a wait and
 * leaves its record, with what is still pending on it, to the next that registers, or to
 * barrier(): ck never gives records back.
 *
 * ck_epoch.c of libck is built over ck's own ck_pr.h, what is inlined here over
 * ours: the same data, and the same instructions where the order matters (an
 * exchange at entry, release stores at exit, an exchange to empty a stack).
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "rcu/rcu.h"

#define BATCH 64

_Static_assert(offsetof(union rcu_node, ck) == 0, "a node is its epoch entry");

__thread struct ck_thread *ck_self;

static ck_epoch_t epoch;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of unused */
static struct ck_thread *unused;

static __attribute__((constructor)) void init(void)
{
	ck_epoch_init(&epoch);
}

static void register_thread(void)
{
	struct ck_thread *t;

	pthread_mutex_lock(&lock);
	t = unused;
	if (t)
		unused = t->next;
	pthread_mutex_unlock(&lock);
	if (!t) {
		if (posix_memalign((void **)&t, MEM_LINE, sizeof(*t)))
			abort(); /* as liburcu does */
		ck_epoch_register(&epoch, &t->record, NULL);
		t->reclaim_at = BATCH;
	}
	ck_self = t;
}

static void unregister_thread(void)
{
	ck_reclaim(ck_self);
	pthread_mutex_lock(&lock);
	ck_self->next = unused;
	unused = ck_self;
	pthread_mutex_unlock(&lock);
	ck_self = NULL;
}

/*
 * The full fence: an entry is filed under the epoch that is read here. Were that
 * read before the object's unlinking is seen, a reader of the next epoch could still
 * find the object and would not be waited for.
 */
static void defer(union rcu_node *node, rcu_callback *callback)
{
	ck_pr_fence_memory();
	ck_epoch_call_strict(&ck_self->record, &node->ck, (ck_epoch_cb_t *)callback);
}

static void wait_a_while(ck_epoch_t *global, ck_epoch_record_t *reader, void *unused_arg)
{
	(void)global, (void)reader, (void)unused_arg;
	sched_yield();
}

/* Takes all that is pending on @record, by whichever thread. Returns how much. */
static unsigned take(ck_epoch_record_t *record, ck_stack_t *taken)
{
	ck_stack_entry_t *entry, *next;
	unsigned n = 0;

	for (int i = 0; i < CK_EPOCH_LENGTH; i++) {
		for (entry = ck_stack_batch_pop_upmc(&record->pending[i]); entry; entry = next) {
			next = CK_STACK_NEXT(entry);
			ck_stack_push_spnc(taken, entry);
			n++;
		}
	}
	ck_pr_sub_uint(&record->n_pending, n);
	return n;
}

CK_STACK_CONTAINER(struct ck_epoch_entry, stack_entry, entry_of)
CK_STACK_CONTAINER(ck_epoch_record_t, record_next, record_of)

static void run_after_grace_period(ck_stack_t *taken)
{
	ck_stack_entry_t *entry, *next;

	ck_epoch_synchronize_wait(&epoch, wait_a_while, NULL);
	CK_STACK_FOREACH_SAFE(taken, entry, next)
	entry_of(entry)->function(entry_of(entry));
}

static uint64_t spent; /* processor time of those who reclaimed, in ns */

static uint64_t reclaim_ns(void)
{
	return load_relaxed(&spent);
}

static uint64_t own_clock(void)
{
	return rcu_clock(CLOCK_THREAD_CPUTIME_ID);
}

void ck_reclaim(struct ck_thread *self)
{
	ck_stack_t taken = CK_STACK_INITIALIZER;
	uint64_t began = own_clock();
	unsigned left;

	if (ck_pr_load_uint(&self->record.n_pending) >= CK_PENDING_MAX) {
		take(&self->record, &taken);
		run_after_grace_period(&taken);
	} else {
		ck_epoch_poll(&self->record);
	}
	left = ck_pr_load_uint(&self->record.n_pending);
	self->reclaim_at = left + BATCH < CK_PENDING_MAX ? left + BATCH : CK_PENDING_MAX;
	fetch_add_relaxed(&spent, own_clock() - began);
}

/* What other threads have taken and not yet run is theirs to run: dcs_barrier() asks again. */
static void barrier(void)
{
	ck_stack_t taken = CK_STACK_INITIALIZER;
	uint64_t began = own_clock();
	ck_stack_entry_t *record;
	unsigned n = 0;

	CK_STACK_FOREACH(&epoch.records, record)
	n += take(record_of(record), &taken);
	if (n)
		run_after_grace_period(&taken);
	else
		sched_yield();
	fetch_add_relaxed(&spent, own_clock() - began);
}

static void nothing(void)
{
}

const struct rcu_flavour rcu_ck_epoch = {
	.id = RCU_CK_EPOCH,
	.name = "ck-epoch",
	.description = "readers store to a line of their own and fence, each thread frees its own",
	.start = nothing,
	.register_thread = register_thread,
	.unregister_thread = unregister_thread,
	.offline = nothing,
	.online = nothing,
	.defer = defer,
	.barrier = barrier,
	.reclaim_ns = reclaim_ns,
};
