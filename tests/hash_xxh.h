/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TESTS_HASH_XXH_H
#define TESTS_HASH_XXH_H

#include <stddef.h>
#include <stdint.h>

uint64_t library_xxh64(const void *p, size_t len, uint64_t seed);
uint64_t library_xxh3(const void *p, size_t len, uint64_t seed);

#endif
