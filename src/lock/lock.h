/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lock.h - locks whose kind may be chosen (list.h), behind one set of verbs
 *
 * @kind is a constant in the engines that have the defaults compiled in, where a verb is
 * the lock's own and nothing else; where it is chosen at run time, a switch.
 *
 * A thread holds one lock of a role at a time, so an mcs lock's queue node is one of
 * the thread's for that role. A big-reader lock counts a reader in a record that is
 * registered with it: a task's.
 */
#ifndef LOCK_LOCK_H
#define LOCK_LOCK_H

#include <ck_brlock.h>
#include <ck_pflock.h>
#include <ck_rwlock.h>
#include <ck_spinlock.h>
#include <string.h>

#include "lock/list.h"
#include "mem/mem.h"

union lock {
	ck_spinlock_fas_t fas;
	ck_spinlock_cas_t cas;
	ck_spinlock_ticket_t ticket;
	ck_spinlock_mcs_t mcs;
	ck_rwlock_t rw;
	ck_brlock_t br;
	ck_pflock_t pf;
};

static __thread ck_spinlock_mcs_context_t lock_node[DCS_LOCK_ROLES] __attribute__((unused));

/* Every kind is free when all its bytes are 0. */
static inline void lock_init(union lock *lock)
{
	memset(lock, 0, sizeof(*lock));
}

/* For one thread; of a kind with readers, as the writer. */
static force_inline void lock_acquire(union lock *lock, enum lock_kind kind,
				      enum dcs_lock_role role)
{
	switch (kind) {
	case LOCK_FAS:
		ck_spinlock_fas_lock(&lock->fas);
		break;
	case LOCK_CAS:
		ck_spinlock_cas_lock(&lock->cas);
		break;
	case LOCK_TICKET:
		ck_spinlock_ticket_lock(&lock->ticket);
		break;
	case LOCK_MCS:
		ck_spinlock_mcs_lock(&lock->mcs, &lock_node[role]);
		break;
	case LOCK_RWLOCK:
		ck_rwlock_write_lock(&lock->rw);
		break;
	case LOCK_BRLOCK:
		ck_brlock_write_lock(&lock->br);
		break;
	case LOCK_PFLOCK:
		ck_pflock_write_lock(&lock->pf);
		break;
	case LOCK_SEQ:
	case LOCK_KINDS:
		__builtin_unreachable();
	}
}

static force_inline void lock_release(union lock *lock, enum lock_kind kind,
				      enum dcs_lock_role role)
{
	switch (kind) {
	case LOCK_FAS:
		ck_spinlock_fas_unlock(&lock->fas);
		break;
	case LOCK_CAS:
		ck_spinlock_cas_unlock(&lock->cas);
		break;
	case LOCK_TICKET:
		ck_spinlock_ticket_unlock(&lock->ticket);
		break;
	case LOCK_MCS:
		ck_spinlock_mcs_unlock(&lock->mcs, &lock_node[role]);
		break;
	case LOCK_RWLOCK:
		ck_rwlock_write_unlock(&lock->rw);
		break;
	case LOCK_BRLOCK:
		ck_brlock_write_unlock(&lock->br);
		break;
	case LOCK_PFLOCK:
		ck_pflock_write_unlock(&lock->pf);
		break;
	case LOCK_SEQ:
	case LOCK_KINDS:
		__builtin_unreachable();
	}
}

/* For a reader, beside others if the kind allows it. */
static force_inline void lock_read_acquire(union lock *lock, enum lock_kind kind,
					   enum dcs_lock_role role, ck_brlock_reader_t *reader)
{
	switch (kind) {
	case LOCK_RWLOCK:
		ck_rwlock_read_lock(&lock->rw);
		break;
	case LOCK_BRLOCK:
		ck_brlock_read_lock(&lock->br, reader);
		break;
	case LOCK_PFLOCK:
		ck_pflock_read_lock(&lock->pf);
		break;
	default:
		lock_acquire(lock, kind, role);
	}
}

static force_inline void lock_read_release(union lock *lock, enum lock_kind kind,
					   enum dcs_lock_role role, ck_brlock_reader_t *reader)
{
	switch (kind) {
	case LOCK_RWLOCK:
		ck_rwlock_read_unlock(&lock->rw);
		break;
	case LOCK_BRLOCK:
		ck_brlock_read_unlock(reader);
		break;
	case LOCK_PFLOCK:
		ck_pflock_read_unlock(&lock->pf);
		break;
	default:
		lock_release(lock, kind, role);
	}
}

#endif
