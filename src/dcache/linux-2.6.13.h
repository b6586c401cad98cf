/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * linux-2.6.13.h - the dentry of 2.6.13 on 32-bit SMP machines: 140 bytes
 *
 * What a lookup compares was brought together behind count and lock, so that it fits a line;
 * the name is the last, in another. Here it takes 144 bytes, for the objects of a slab
 * without an alignment lie at multiples of a word, and this machine's has 8 bytes. Flags and
 * lock are swapped, as in linux-2.6.26.h.
 *
 * It has nothing that moves when a dentry does: d_seq lies in the place of d_time, in
 * the second line, where a walk made for another layout finds it.
 */
#ifndef DCACHE_LINUX_2_6_13_H
#define DCACHE_LINUX_2_6_13_H

#define LAYOUT_NAME	"linux-2.6.13"
#define LAYOUT_WHAT	"140 B, 32-bit, compared in one line, 36 B of name inline: Linux 2.6.13"
#define LAYOUT_BITS	32
#define LAYOUT_BASE	KERNEL_BASE_32
#define LAYOUT_ALIGN	8
#define LAYOUT_PER_PAGE 27
#define LAYOUT_FIRST	136
#define DNAME_WORDS	9

#include "dcache/parts.h"

struct dentry {
	union lockref d_lockref;
	uint32_t d_flags;
	LINK(struct inode) d_inode;
	dentry_link d_next;
	LINK(dentry_link) d_pprev;
	dentry_link d_parent;
	uint32_t d_hash, d_len;
	LINK(const name_word) d_name;
	union {
		struct {
			struct lru_link d_lru;
			dentry_link d_sib_next;
			LINK(dentry_link) d_sib_pprev;
		};
		union rcu_node d_rcu;
	};
	dentry_link d_children;
	uint32_t d_lru_state;
	uint64_t d_sib_key;
	seq_t d_seq;
	uint32_t d_referenced;
	LINK(struct dcs_cache) d_cache;
	uint32_t d_room[5];
	name_word d_iname[DNAME_WORDS];
} __attribute__((aligned(8)));

#define LAYOUT_FIELDS(F)                                  \
	F(d_lockref, "d_count, d_lock")                   \
	F(d_flags, "d_flags")                             \
	F(d_inode, "d_inode")                             \
	F(d_next, "d_hash.next")                          \
	F(d_pprev, "d_hash.pprev")                        \
	F(d_parent, "d_parent")                           \
	F(d_hash, "d_name.hash")                          \
	F(d_len, "d_name.len")                            \
	F(d_name, "d_name.name")                          \
	F(d_lru, "d_lru")                                 \
	F(d_sib_next, "d_child.next")                     \
	F(d_sib_pprev, "d_child.prev")                    \
	F(d_children, "d_subdirs.next")                   \
	F(d_lru_state, "d_subdirs.prev")                  \
	F(d_sib_key, "d_alias")                           \
	F(d_seq, "d_time")                                \
	F(d_referenced, "d_op")                           \
	F(d_cache, "d_sb")                                \
	F(d_room, "d_fsdata, d_rcu, d_cookie, d_mounted") \
	F(d_iname, "d_iname")

_Static_assert(offsetof(struct dentry, d_name) + 4 <= MEM_LINE, "compared in one line");
_Static_assert(offsetof(struct dentry, d_iname) + DNAME_WORDS * 4 == 140,
	       "the dentry of 2.6.13 is 140 bytes");

#endif
