/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* poison.h - memory that nobody may touch, told to AddressSanitizer; nothing elsewhere */
#ifndef MEM_POISON_H
#define MEM_POISON_H

#include "mem/mem.h"

#if MEM_ASAN
#include <sanitizer/asan_interface.h>
#define poison(p, n)   ASAN_POISON_MEMORY_REGION(p, n)
#define unpoison(p, n) ASAN_UNPOISON_MEMORY_REGION(p, n)
#else
#define poison(p, n)   ((void)(p), (void)(n))
#define unpoison(p, n) ((void)(p), (void)(n))
#endif

#endif
