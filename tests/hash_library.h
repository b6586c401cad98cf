/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TESTS_HASH_LIBRARY_H
#define TESTS_HASH_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

uint32_t library_xxh32(const void *p, size_t len, uint32_t seed);
uint64_t library_xxh64(const void *p, size_t len, uint64_t seed);
uint64_t library_xxh3(const void *p, size_t len, uint64_t seed);
uint64_t library_ck_ht(const void *p, size_t len, uint64_t seed); /* no more than 65535 bytes */

#endif
