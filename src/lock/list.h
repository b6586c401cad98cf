/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * list.h - the locks that may be chosen, and what each may be chosen for
 *
 * One line a lock: LOCK(name in C, name for people, the roles that it serves, what it is). A lock
 * is one of ck's, behind the verbs of lock.h, which has its cases.
 */
#ifndef LOCK_LIST_H
#define LOCK_LIST_H

#include <ck_md.h>

#include "dcs/dcs.h"

#define FOR(role) (1u << DCS_LOCK_##role)
#define FOR_ONE	  (FOR(BUCKET) | FOR(DCACHE) | FOR(MOUNT) | FOR(FS))
#define FOR_MANY  (FOR(DCACHE) | FOR(MOUNT) | FOR(FS))

/* ck's ticket lock is two halves of one word where 16 bits of a word can be added to. */
#if defined(CK_MD_TSO)
#define LOCK_TICKET_IS_A_WORD 1
#else
#define LOCK_TICKET_IS_A_WORD 0
#endif

#define DCS_LOCKS(LOCK)                                                                          \
	LOCK(FAS, "fas", FOR_ONE | FOR(D), "spinlock, fetch-and-store; one word, not fair")      \
	LOCK(CAS, "cas", FOR_ONE | FOR(D), "spinlock, compare-and-swap; one word, not fair")     \
	LOCK(TICKET, "ticket", FOR_ONE | (LOCK_TICKET_IS_A_WORD ? FOR(D) : 0),                   \
	     "spinlock, first come first served; all waiters watch one word")                    \
	LOCK(MCS, "mcs", FOR_ONE,                                                                \
	     "spinlock, first come first served; each waiter watches a word of its own")         \
	LOCK(RWLOCK, "rwlock", FOR_MANY, "readers count themselves in one word, a writer waits") \
	LOCK(BRLOCK, "brlock", FOR_MANY,                                                         \
	     "big-reader: each task counts itself in a line of its own, a writer asks all")      \
	LOCK(PFLOCK, "pflock", FOR_MANY, "phase-fair: readers and writers take turns")           \
	LOCK(SEQ, "seq", FOR(MOUNT) | FOR(FS), "sequence count: readers write nothing, and retry")

enum lock_kind {
#define LOCK_ENUM(N, NAME, ROLES, WHAT) LOCK_##N,
	DCS_LOCKS(LOCK_ENUM)
#undef LOCK_ENUM
		LOCK_KINDS
};

#endif
