/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* zipf.h - ranks with probability proportional to 1 / (rank + 1)^s, by inversion of the sum */
#ifndef BENCH_ZIPF_H
#define BENCH_ZIPF_H

#include "rng.h"

struct zipf;

/* @n ranks, not 0; @s from 0 (uniform) up. NULL: no memory. */
struct zipf *zipf_new(size_t n, double s);
void zipf_free(struct zipf *z);
/* A rank from 0, the most frequent, to n - 1. For making orders, not for timed loops: log2(n)
 * misses. */
size_t zipf_draw(const struct zipf *z, struct rng *r);

#endif
