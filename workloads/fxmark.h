/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fxmark.h - the names of FxMark's three path resolution tests
 *
 * FxMark: C. Min et al., "Understanding Manycore Scalability of File Systems",
 * USENIX ATC 2016. Each test resolves paths of five components:
 *
 *   MRPL  each thread its own file, by a path that shares no component
 *   MRPM  any file of a tree with eight names in each directory: 8^5 files
 *   MRPH  all threads one file
 *
 * FxMark opens and closes the file; here it is lstat, which is the resolution
 * alone. Tests can lie in one tree: the first letter of a path says whose it is.
 */
#ifndef WORKLOADS_FXMARK_H
#define WORKLOADS_FXMARK_H

#include "made.h"

#define FXMARK_DEPTH  5
#define FXMARK_FANOUT 8

enum fxmark {
	FXMARK_MRPL,
	FXMARK_MRPM,
	FXMARK_MRPH,
};

/* Adds the names of @test for @threads threads: in index order, thread by thread. */
void fxmark_add(struct made *made, enum fxmark test, unsigned threads);

/* Whether @entry is a file that @test asks for. */
bool fxmark_asks(enum fxmark test, const struct tree_entry *entry);

#endif
