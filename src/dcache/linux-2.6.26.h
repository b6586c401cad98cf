/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * linux-2.6.26.h - the dentry of 2.6.26 to 2.6.37 on 64-bit machines: 192 bytes
 *
 * Count and lock share the line that a lookup compares in, so that each reference that is
 * taken moves that line. The kernel has d_flags before d_lock: swapped here, within the line,
 * so that lock and count are one word if --refcount wants that.
 *
 * It has nothing that moves when a dentry does; d_seq lies in the place of d_mounted, in the
 * same line.
 */
#ifndef DCACHE_LINUX_2_6_26_H
#define DCACHE_LINUX_2_6_26_H

#define LAYOUT_NAME "linux-2.6.26"
#define LAYOUT_WHAT \
	"192 B, count, lock and lookup in one line, 32 B of name inline: Linux 2.6.26 to 2.6.37"
#define LAYOUT_BITS 64
#define LAYOUT_BASE KERNEL_BASE_64
#define DNAME_WORDS 4

#include "dcache/parts.h"

struct dentry {
	union lockref d_lockref;
	uint32_t d_flags;
	seq_t d_seq;
	LINK(struct inode) d_inode;
	dentry_link d_next;
	LINK(dentry_link) d_pprev;
	dentry_link d_parent;
	uint64_t d_hash_len;
	LINK(const name_word) d_name;
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
	uint64_t d_room[3];
	LINK(struct dcs_cache) d_cache;
	uint64_t d_room2;
	name_word d_iname[DNAME_WORDS];
};

#define LAYOUT_FIELDS(F)                        \
	F(d_lockref, "d_count, d_lock")         \
	F(d_flags, "d_flags")                   \
	F(d_seq, "d_mounted")                   \
	F(d_inode, "d_inode")                   \
	F(d_next, "d_hash.next")                \
	F(d_pprev, "d_hash.pprev")              \
	F(d_parent, "d_parent")                 \
	F(d_hash_len, "d_name.hash, .len")      \
	F(d_name, "d_name.name")                \
	F(d_lru, "d_lru")                       \
	F(d_sib_next, "d_u.d_child.next")       \
	F(d_sib_pprev, "d_u.d_child.prev")      \
	F(d_children, "d_subdirs.next")         \
	F(d_lru_state, "d_subdirs.prev")        \
	F(d_referenced, "d_subdirs.prev")       \
	F(d_sib_key, "d_alias.next")            \
	F(d_room, "d_alias.prev, d_time, d_op") \
	F(d_cache, "d_sb")                      \
	F(d_room2, "d_fsdata")                  \
	F(d_iname, "d_iname")

_Static_assert(sizeof(struct dentry) == 192, "the dentry of 2.6.26 is 192 bytes");
_Static_assert(offsetof(struct dentry, d_name) + 8 == MEM_LINE, "a lookup compares in one line");
_Static_assert(offsetof(struct dentry, d_iname) == 160, "and names are at the end");

#endif
