/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* hashes.c - the hashes of list.h behind pointers */
#include "hash/list.h"

#define HASH_OPS(N, NAME, WHAT) {#N, NAME, WHAT, N##_flags, N##_hash, N##_component, N##_bucket},

const struct hash_ops dcs_hashes[] = {DCS_HASHES(HASH_OPS){0}};
