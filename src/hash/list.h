/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every hash: its name in C, its name for people, its description. One line a hash. */
#ifndef HASH_LIST_H
#define HASH_LIST_H

#include "hash/words.h"

#define DCS_HASHES(X) \
	X(words, "words", "a word at a time, Linux 4.7 to today; the parent is the salt")

enum dcs_hash_id {
#define DCS_HASH_ID(N, NAME, WHAT) HASH_##N,
	DCS_HASHES(DCS_HASH_ID)
#undef DCS_HASH_ID
		HASHES
};

#endif
