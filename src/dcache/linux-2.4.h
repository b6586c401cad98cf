/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * linux-2.4.h - the dentry of Linux 2.4 on 32-bit machines: 128 bytes, aligned to lines
 *
 * 108 bytes of fields, of memory, and the 16 bytes of a name at 92, across two lines of today.
 * It has no lock and nothing that moves when a dentry does, for all of it is under the
 * dcache_lock: d_lock lies in the place of d_flags, which a lookup there does not read, d_seq
 * in that of d_time. A bucket is the head of a doubly linked list.
 */
#ifndef DCACHE_LINUX_2_4_H
#define DCACHE_LINUX_2_4_H

#define LAYOUT_NAME	    "linux-2.4"
#define LAYOUT_WHAT	    "128 B, 32-bit, aligned to lines, 16 B of name inline: Linux 2.4"
#define LAYOUT_BITS	    32
#define LAYOUT_BASE	    KERNEL_BASE_32
#define LAYOUT_BUCKET_LINKS 2
#define LAYOUT_ALIGN	    128
#define LAYOUT_PER_PAGE	    30
#define LAYOUT_FIRST	    256
#define DNAME_WORDS	    4

#include "dcache/parts.h"

struct dentry {
	union lockref d_lockref;
	LINK(struct inode) d_inode;
	dentry_link d_parent;
	dentry_link d_next;
	LINK(dentry_link) d_pprev;
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
	LINK(const name_word) d_name;
	uint32_t d_len, d_hash;
	seq_t d_seq;
	uint32_t d_room;
	LINK(struct dcs_cache) d_cache;
	uint32_t d_flags;
	uint32_t d_room2;
	name_word d_iname[DNAME_WORDS];
} __attribute__((aligned(MEM_LINE)));

#define LAYOUT_FIELDS(F)                 \
	F(d_lockref, "d_count, d_flags") \
	F(d_inode, "d_inode")            \
	F(d_parent, "d_parent")          \
	F(d_next, "d_hash.next")         \
	F(d_pprev, "d_hash.prev")        \
	F(d_lru, "d_lru")                \
	F(d_sib_next, "d_child.next")    \
	F(d_sib_pprev, "d_child.prev")   \
	F(d_children, "d_subdirs.next")  \
	F(d_lru_state, "d_subdirs.prev") \
	F(d_sib_key, "d_alias")          \
	F(d_referenced, "d_mounted")     \
	F(d_name, "d_name.name")         \
	F(d_len, "d_name.len")           \
	F(d_hash, "d_name.hash")         \
	F(d_seq, "d_time")               \
	F(d_room, "d_op")                \
	F(d_cache, "d_sb")               \
	F(d_flags, "d_vfs_flags")        \
	F(d_room2, "d_fsdata")           \
	F(d_iname, "d_iname")

_Static_assert(sizeof(struct dentry) == 128, "the dentry of 2.4 takes 128 bytes");
_Static_assert(offsetof(struct dentry, d_next) == 16, "the chain is at 16");
_Static_assert(offsetof(struct dentry, d_iname) + DNAME_WORDS * 4 == 108, "of which it uses 108");

#endif
