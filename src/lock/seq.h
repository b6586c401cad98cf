/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * seq.h - sequence counts: ck's, with a way to sample that never waits
 *
 * A writer, alone under a lock, makes the count odd, writes, and makes it even.
 * A reader samples, reads, and asks whether the count moved. What is read in
 * between is read and written with relaxed verbs, and used only after the check.
 */
#ifndef LOCK_SEQ_H
#define LOCK_SEQ_H

#include <ck_sequence.h>
#include <stdbool.h>

#include "lock/spin.h"
#include "mem/mem.h"

typedef ck_sequence_t seq_t;

static inline void seq_init(seq_t *s)
{
	ck_sequence_init(s);
}

/*
 * Sample without waiting: the odd bit is cleared, so that what is read during a
 * write cannot validate.
 * order: seq-sample: pairs with seq-write-end. Without it, what is read after the
 * sample could be older than the sample says.
 */
static inline unsigned seq_sample(const seq_t *s)
{
	return load_acquire(&s->sequence) & ~1u;
}

/* Sample, waiting for a writer to end. For readers that have nothing else to do. */
static inline unsigned seq_begin(const seq_t *s)
{
	return ck_sequence_read_begin(s);
}

/*
 * Has the count moved since it was sampled as @begin?
 * order: seq-retry: pairs with seq-write-begin. Without it, a read could pass the
 * check and see what a writer stored after it.
 */
static inline bool seq_retry(const seq_t *s, unsigned begin)
{
	preempt_point();
#ifdef DCS_MUTANT_NO_SEQ
	(void)s, (void)begin;
	return false;
#else
	return unlikely(load_after_loads(&s->sequence) != begin);
#endif
}

/* order: seq-write-begin: pairs with seq-retry. The odd count is seen before what is written. */
static inline void seq_write_begin(seq_t *s)
{
	ck_sequence_write_begin(s);
	preempt_point();
}

/* order: seq-write-end: pairs with seq-sample. What was written is seen before the even count. */
static inline void seq_write_end(seq_t *s)
{
	ck_sequence_write_end(s);
}

/* Makes every sample taken so far fail, with nothing written in between. Under the writers' lock.
 */
static inline void seq_invalidate(seq_t *s)
{
	ck_sequence_write_begin(s);
	ck_sequence_write_end(s);
}

/* A sequence count with the lock of its writers: rename_lock and the fs struct. */
struct seqlock {
	seq_t seq;
	spin_t lock;
};

static inline void seqlock_init(struct seqlock *s)
{
	seq_init(&s->seq);
	spin_init(&s->lock);
}

static inline void seqlock_write_lock(struct seqlock *s)
{
	spin_lock(&s->lock);
	seq_write_begin(&s->seq);
}

static inline void seqlock_write_unlock(struct seqlock *s)
{
	seq_write_end(&s->seq);
	spin_unlock(&s->lock);
}

#endif
