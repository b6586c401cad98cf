/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* siphash24 - SipHash-2-4, keyed: two rounds a word and four at the end: the cautious choice of its
 * authors */
#ifndef HASH_SIPHASH24_H
#define HASH_SIPHASH24_H

#include "hash/siphash.h"

HASH_SIPHASH(siphash24, 2, 4)

#endif
