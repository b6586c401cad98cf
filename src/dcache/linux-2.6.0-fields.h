/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * linux-2.6.0-fields.h - the dentry of Linux 2.6.0 to 2.6.6 on 32-bit SMP machines
 *
 * The first line counts, locks and says what it is; parent, name and chain, which a lookup
 * compares, come two lines further, behind lists and rarely used fields, and the name itself
 * behind those. The layouts that include this differ in how much of the name is held inline
 * and in how dentries are aligned.
 *
 * d_seq is d_move_count, which a lookup that compares unlocked checks again. d_vfs_flags and
 * d_lock are swapped, within the line, so that lock and count are one word if --refcount
 * wants that.
 */
#ifndef DCACHE_LINUX_2_6_0_FIELDS_H
#define DCACHE_LINUX_2_6_0_FIELDS_H

#define LAYOUT_BITS 32
#define LAYOUT_BASE KERNEL_BASE_32

#include "dcache/parts.h"

struct dentry {
	union lockref d_lockref;
	uint32_t d_flags;
	LINK(struct inode) d_inode;
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
	uint32_t d_referenced;
	uint32_t d_room;
	LINK(struct dcs_cache) d_cache;
	uint32_t d_room2[8];
	seq_t d_seq;
	uint32_t d_room3;
	dentry_link d_parent;
	LINK(const name_word) d_name;
	uint32_t d_len, d_hash;
	dentry_link d_next;
	LINK(dentry_link) d_pprev;
	uint32_t d_room4;
	name_word d_iname[DNAME_WORDS];
} __attribute__((aligned(LAYOUT_ALIGN < MEM_LINE ? LAYOUT_ALIGN : MEM_LINE)));

#define LAYOUT_FIELDS(F)                                            \
	F(d_lockref, "d_count, d_lock")                             \
	F(d_flags, "d_vfs_flags")                                   \
	F(d_inode, "d_inode")                                       \
	F(d_lru, "d_lru")                                           \
	F(d_sib_next, "d_child.next")                               \
	F(d_sib_pprev, "d_child.prev")                              \
	F(d_children, "d_subdirs.next")                             \
	F(d_lru_state, "d_subdirs.prev")                            \
	F(d_sib_key, "d_alias")                                     \
	F(d_referenced, "d_time")                                   \
	F(d_room, "d_op")                                           \
	F(d_cache, "d_sb")                                          \
	F(d_room2, "d_flags, d_mounted, d_fsdata, d_rcu, d_cookie") \
	F(d_seq, "d_move_count")                                    \
	F(d_room3, "d_qstr")                                        \
	F(d_parent, "d_parent")                                     \
	F(d_name, "d_name.name")                                    \
	F(d_len, "d_name.len")                                      \
	F(d_hash, "d_name.hash")                                    \
	F(d_next, "d_hash.next")                                    \
	F(d_pprev, "d_hash.pprev")                                  \
	F(d_room4, "d_bucket")                                      \
	F(d_iname, "d_iname")

_Static_assert(offsetof(struct dentry, d_seq) == 92, "d_move_count is at 92");
_Static_assert(offsetof(struct dentry, d_iname) == 128, "names begin at 128");

#endif
