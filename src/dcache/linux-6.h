/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * linux-6.h - the dentry of Linux 6.10 to today on 64-bit machines: 192 bytes
 *
 * The first line is what a lookup reads: it rejects by it alone, and takes by it
 * and, where the name is longer than 8 bytes, the next. The reference count lies
 * two lines further (since 6.10), so that threads that count do not take the
 * line from threads that compare.
 *
 * Who writes what:
 *   d_next, d_pprev		bucket lock; read under RCU
 *   d_seq			d_lock
 *   d_flags, d_inode		d_lock and d_seq
 *   d_parent, d_name, hash, len	rename_lock, d_lock and d_seq once it is hashed
 *   d_sib, d_sib_key		d_lock of the parent
 *   d_children			d_lock
 *   d_count			d_lock or compare-and-swap (lockref.h)
 *   d_lru, d_lru_state		lru->lock
 *   d_referenced		shrinkers, relaxed
 */
#ifndef DCACHE_LINUX_6_H
#define DCACHE_LINUX_6_H

#include "dcache/cache.h"
#include "dcache/lockref.h"
#include "dcache/lru.h"

#define LAYOUT_NAME "linux-6"

#define DNAME_WORDS  5
#define DNAME_INLINE (DNAME_WORDS * 8) /* bytes of a name held inline, with its NUL */

struct dentry {
	/* Line 0: lookup. */
	uint32_t d_flags;
	seq_t d_seq;
	struct dentry *d_next;	 /* hash chain */
	struct dentry **d_pprev; /* NULL: unhashed */
	struct dentry *d_parent; /* holds a reference; the root's is itself */
	uint64_t d_hash_len;	 /* name hash, length << 32 */
	const uint64_t *d_name;	 /* d_iname, or the words of a struct ext_name */
	struct inode *d_inode;	 /* NULL: negative */
	uint64_t d_iname[DNAME_WORDS];
	/* Where Linux has d_op, d_sb, d_time and d_fsdata. */
	struct dcs_cache *d_cache;
	uint64_t d_room[3];
	/* Line 2: references. */
	union lockref d_lockref;
	union {
		struct lru_link d_lru; /* unused and cached */
		union rcu_node d_rcu;  /* dead */
	};
	struct dentry *d_sib_next, **d_sib_pprev;
	struct dentry *d_children;
	uint32_t d_lru_state;
	uint32_t d_referenced; /* used since a shrinker last looked */
	uint64_t d_sib_key;    /* falls from a directory's first child to its last */
};

_Static_assert(sizeof(struct dentry) == 192, "today's dentry is 192 bytes");
_Static_assert(offsetof(struct dentry, d_iname) + 8 == MEM_LINE,
	       "a lookup reads one line, with 8 bytes of the name");
_Static_assert(offsetof(struct dentry, d_lockref) == 2 * MEM_LINE,
	       "references are counted in another line");

#endif
