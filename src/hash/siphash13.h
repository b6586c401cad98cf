/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* siphash13 - SipHash-1-3, keyed: one round a word and three at the end: what hash tables use */
#ifndef HASH_SIPHASH13_H
#define HASH_SIPHASH13_H

#include "hash/siphash.h"

HASH_SIPHASH(siphash13, 1, 3)

#endif
