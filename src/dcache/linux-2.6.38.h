/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * linux-2.6.38.h - the dentry made for rcu-walk, on 64-bit machines: 192 bytes
 *
 * A lookup reads the first 56 bytes and the name behind them, 8 bytes of which are in the same
 * line. Count and lock are in the second line: threads that count take it from those that
 * compare names of more than 8 bytes. As in Linux 2.6.38 to 6.9, where the two became one word
 * in 3.12.
 */
#ifndef DCACHE_LINUX_2_6_38_H
#define DCACHE_LINUX_2_6_38_H

#define LAYOUT_NAME "linux-2.6.38"
#define LAYOUT_WHAT \
	"192 B, a lookup reads the first 56 B and the name, 32 B inline: Linux 2.6.38 to 6.9"
#define LAYOUT_BITS 64
#define LAYOUT_BASE KERNEL_BASE_64
#define DNAME_WORDS 4

#include "dcache/parts.h"

struct dentry {
	uint32_t d_flags;
	seq_t d_seq;
	dentry_link d_next;
	LINK(dentry_link) d_pprev;
	dentry_link d_parent;
	uint64_t d_hash_len;
	LINK(const name_word) d_name;
	LINK(struct inode) d_inode;
	name_word d_iname[DNAME_WORDS];
	union lockref d_lockref;
	uint64_t d_room;
	LINK(struct dcs_cache) d_cache;
	uint64_t d_room2[2];
	union {
		struct lru_link d_lru;
		union rcu_node d_rcu;
	};
	dentry_link d_sib_next;
	LINK(dentry_link) d_sib_pprev;
	dentry_link d_children;
	uint32_t d_lru_state;
	uint32_t d_referenced;
	uint64_t d_sib_key;
	uint64_t d_room3;
};

#define LAYOUT_FIELDS(F)                   \
	F(d_flags, "d_flags")              \
	F(d_seq, "d_seq")                  \
	F(d_next, "d_hash.next")           \
	F(d_pprev, "d_hash.pprev")         \
	F(d_parent, "d_parent")            \
	F(d_hash_len, "d_name.hash, .len") \
	F(d_name, "d_name.name")           \
	F(d_inode, "d_inode")              \
	F(d_iname, "d_iname")              \
	F(d_lockref, "d_count, d_lock")    \
	F(d_room, "d_op")                  \
	F(d_cache, "d_sb")                 \
	F(d_room2, "d_time, d_fsdata")     \
	F(d_lru, "d_lru")                  \
	F(d_sib_next, "d_u.d_child.next")  \
	F(d_sib_pprev, "d_u.d_child.prev") \
	F(d_children, "d_subdirs.next")    \
	F(d_lru_state, "d_subdirs.prev")   \
	F(d_referenced, "d_subdirs.prev")  \
	F(d_sib_key, "d_alias.next")       \
	F(d_room3, "d_alias.prev")

_Static_assert(sizeof(struct dentry) == 192, "the dentry of 2.6.38 is 192 bytes");
_Static_assert(offsetof(struct dentry, d_iname) == 56, "a lookup touches 56 bytes and the name");
_Static_assert(offsetof(struct dentry, d_lockref) == 88, "count and lock are in the second line");
_Static_assert(offsetof(struct dentry, d_lru) == 128, "the rest is in the third");

#endif
