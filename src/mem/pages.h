/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pages.h - memory for what is to have a known place
 *
 * Layouts of 32-bit kernels hold 32-bit links, so what they link to lies below 4 GiB, which a
 * 64-bit program leaves empty. (Under AddressSanitizer below 2 GiB, where its shadow begins.)
 */
#ifndef MEM_PAGES_H
#define MEM_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#define HUGE_PAGE ((size_t)2 << 20)

/*
 * @bytes of zeros that nobody has touched, at a multiple of HUGE_PAGE if @low or if they are
 * as many; NULL if there is no room. For munmap(2).
 */
void *map_pages(size_t bytes, bool low);

#endif
