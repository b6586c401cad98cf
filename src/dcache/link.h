/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * link.h - what dentries hold of each other: pointers, or the addresses of a 32-bit kernel
 *
 * A layout says how wide (LAYOUT_BITS). Links of 32 bits are addresses below 4 GiB, where all
 * that such a layout links to is allocated (mem/low.h): caches, tables, dentries, inodes and
 * names. A link is read as LINKED(T, link) and written as AS_LINK(link, pointer), under the
 * verbs of mem.h where it is shared; with 64 bits both are nothing.
 */
#ifndef DCACHE_LINK_H
#define DCACHE_LINK_H

#include <stdint.h>

#if LAYOUT_BITS == 32
#define LINK(T) uint32_t
typedef uint32_t name_word; /* names are compared by words of this width */
#else
#define LINK(T) T *
typedef uint64_t name_word;
#endif

#define LINKED(T, link)	 ((T *)(uintptr_t)(link))
#define AS_LINK(link, p) ((__typeof__(link))(uintptr_t)(p))

struct dentry;

typedef LINK(struct dentry) dentry_link;

/* A bucket is one link, as in Linux since 2.5; 2.4 has a list's head of two. */
#ifndef LAYOUT_BUCKET_LINKS
#define LAYOUT_BUCKET_LINKS 1
#endif

struct bucket {
	dentry_link first;
	dentry_link room[LAYOUT_BUCKET_LINKS - 1];
};

/* See lru.h. */
struct lru_link {
	LINK(struct lru_link) next;
	LINK(struct lru_link) prev;
};

#endif
