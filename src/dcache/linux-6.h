/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * linux-6.h - the dentry of Linux 6.10 to today on 64-bit machines: 192 bytes
 *
 * The first line is what a lookup reads: it rejects by it alone, and takes by it
 * and, where the name is longer than 8 bytes, the next. The reference count lies
 * two lines further (since 6.10), so that threads that count do not take the
 * line from threads that compare.
 */
#ifndef DCACHE_LINUX_6_H
#define DCACHE_LINUX_6_H

#define LAYOUT_NAME "linux-6"
#define LAYOUT_WHAT "192 B, a lookup reads one line, 40 B of name inline: Linux 6.10 to today"
#define LAYOUT_BITS 64
#define LAYOUT_BASE KERNEL_BASE_64
#define DNAME_WORDS 5

#include "dcache/parts.h"

struct dentry {
	/* Line 0: lookup. */
	uint32_t d_flags;
	seq_t d_seq;
	dentry_link d_next;	      /* hash chain */
	LINK(dentry_link) d_pprev;    /* NULL: unhashed */
	dentry_link d_parent;	      /* holds a reference; the root's is itself */
	uint64_t d_hash_len;	      /* name hash, length << 32 */
	LINK(const name_word) d_name; /* d_iname, or the words of a struct ext_name */
	LINK(struct inode) d_inode;   /* NULL: negative */
	name_word d_iname[DNAME_WORDS];
	LINK(struct dcs_cache) d_cache;
	uint64_t d_room[3];
	/* Line 2: references. */
	union lockref d_lockref;
	union {
		struct lru_link d_lru; /* unused and cached */
		union rcu_node d_rcu;  /* dead */
	};
	dentry_link d_sib_next;
	LINK(dentry_link) d_sib_pprev;
	dentry_link d_children;
	uint32_t d_lru_state;
	uint32_t d_referenced; /* used since a shrinker last looked */
	uint64_t d_sib_key;    /* falls from a directory's first child to its last */
};

#define LAYOUT_FIELDS(F)                       \
	F(d_flags, "d_flags")                  \
	F(d_seq, "d_seq")                      \
	F(d_next, "d_hash.next")               \
	F(d_pprev, "d_hash.pprev")             \
	F(d_parent, "d_parent")                \
	F(d_hash_len, "d_name.hash_len")       \
	F(d_name, "d_name.name")               \
	F(d_inode, "d_inode")                  \
	F(d_iname, "d_shortname")              \
	F(d_cache, "d_op")                     \
	F(d_room, "d_sb, d_time, d_fsdata")    \
	F(d_lockref, "d_lockref")              \
	F(d_lru, "d_lru")                      \
	F(d_sib_next, "d_sib.next")            \
	F(d_sib_pprev, "d_sib.pprev")          \
	F(d_children, "d_children")            \
	F(d_lru_state, "d_u (d_alias, d_rcu)") \
	F(d_referenced, "d_u")                 \
	F(d_sib_key, "d_u")

_Static_assert(sizeof(struct dentry) == 192, "today's dentry is 192 bytes");
_Static_assert(offsetof(struct dentry, d_iname) + 8 == MEM_LINE,
	       "a lookup reads one line, with 8 bytes of the name");
_Static_assert(offsetof(struct dentry, d_lockref) == 2 * MEM_LINE,
	       "references are counted in another line");

#endif
