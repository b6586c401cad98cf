/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * writers.h - paced renames beside a run of readers
 *
 * A writer renames at a steady rate and sleeps in between, so that it costs
 * readers what renames cost, and not a core. Two places:
 *
 *   elsewhere  between two directories of the writer's own, which no reader walks
 *   path       directories that readers walk through are exchanged with twins of
 *              the same names (RENAME_EXCHANGE): a path always leads to one of two
 *              files, never to none, so that each answer can still be checked
 *
 * Who sets a writer up is registered with the system's cache.
 */
#ifndef WORKLOADS_WRITERS_H
#define WORKLOADS_WRITERS_H

#include "bench/crew.h"

struct writer_move {
	char *from, *to;
};

struct writer {
	struct dcs_task *task;
	double rate;	/* renames a second that it tries to do */
	unsigned flags; /* of each rename */
	size_t n;	/* moves, done over and over */
	struct writer_move *move;
	size_t at;     /* the next one, from run to run */
	uint64_t made; /* renames in the last run */
	int err;       /* of the rename that failed in it */
};

/* Makes directories `dcsim-writer-@id` in @sut's root, and a file to move between them. */
int writer_elsewhere(struct writer *writer, struct sut *sut, unsigned id, double rate);

/*
 * Makes twins of the @n directories at @dir, where they have none yet, and a writer
 * that exchanges them. @other[i] is what an lstat of entry i may give in place of
 * its inode number: it starts as sut->ino and is set for what has a twin.
 */
int writer_path(struct writer *writer, struct sut *sut, const uint32_t *dir, size_t n,
		uint64_t *other, double rate);

/* The side of a crew: side->own is the writer. Fails where a rename does, or none was made. */
int writer_main(struct side *side, const atomic_bool *stop);

void writer_free(struct writer *writer, struct sut *sut);

#endif
