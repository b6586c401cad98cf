/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * reference.h - what a walk is held against
 *
 *   lstat      the kernel's lstat(2) on the same names, in a tmpfs of our own where
 *              we may mount one, else in a temporary directory
 *   syscall    a system call that does nothing: what lstat pays before it walks
 *   hash-only  finds and hashes the components: what a walk cannot do without
 *   chase      a dependent chase through as many cache lines, as a walk spreads them
 */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include "bench/sut.h"

/* @config: of the cache whose hash hash-only runs and whose table chase imitates. */
struct sut *reference_new(enum sut_kind kind, const struct dcs_config *config, struct tree *tree);
void reference_close(struct sut *sut); /* what a reference row holds besides a cache */

/* Names of the tree as empty files; the directory's descriptor. */
int names_make(const struct tree *tree, uint64_t *ino);

/*
 * What a chase reads in place of a path: a count, and so many numbers of lines. They
 * lie one behind the other, as paths do, and are read in that order.
 */
struct chase *chase_new(const struct tree *tree, unsigned table_bits);
void chase_free(struct chase *chase);
/* Writes @path's record, at most CHASE_RECORD_MAX words; returns how many. */
size_t chase_record(const struct chase *chase, const char *path, uint32_t *record);
stat_fn stat_chase;

#define CHASE_LINES	 3 /* a component: bucket, dentry, inode */
#define CHASE_RECORD_MAX (1 + CHASE_LINES * (DCS_PATH_MAX / 2 + 1))

#endif
