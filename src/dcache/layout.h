/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * layout.h - the layout that this engine is compiled with, and the plain reads of its links
 *
 * A layout is a file of its own, linux-*.h: the struct dentry of a kernel, with the true order
 * and size of what a lookup touches. What this core needs and that kernel had not lies where
 * the kernel kept something that this core has no use for. It defines
 *
 * - LAYOUT_NAME and LAYOUT_WHAT, for people;
 * - LAYOUT_BITS of a link, and of a word of a name;
 * - LAYOUT_BASE, the address of its slabs in that kernel;
 * - DNAME_WORDS of a name, inline;
 * - LAYOUT_FIELDS(F): F(field, what the kernel has in its place), in order;
 * - LAYOUT_ALIGN, if it is not a line of 64 bytes; LAYOUT_BUCKET_LINKS, if not 1;
 * - LAYOUT_PER_PAGE, how many lie in a page of 4096, and LAYOUT_FIRST, where the first does, if
 *   they do not just lie side by side.
 *
 * Who writes what:
 *
 * - d_next, d_pprev: bucket lock; read under RCU
 * - d_seq: d_lock
 * - d_flags, d_inode: d_lock and d_seq
 * - d_parent, d_name, d_iname, hash and length: once it is hashed rename_lock, d_lock and d_seq
 * - d_sib_next, d_sib_pprev, d_sib_key: d_lock of the parent
 * - d_children: d_lock
 * - d_lockref: d_lock or compare-and-swap (lockref.h)
 * - d_lru, d_lru_state: lru->lock
 * - d_referenced: shrinkers, relaxed
 * - d_cache: never again
 */
#ifndef DCACHE_LAYOUT_H
#define DCACHE_LAYOUT_H

/* clang-format off */
#include ENGINE_LAYOUT
/* clang-format on */

#ifndef LAYOUT_ALIGN
#define LAYOUT_ALIGN MEM_LINE
#endif
#ifndef LAYOUT_PER_PAGE
#define LAYOUT_PER_PAGE 0
#define LAYOUT_FIRST	0
#endif

#define DNAME_INLINE (DNAME_WORDS * sizeof(name_word)) /* bytes held inline, with the NUL */

_Static_assert(offsetof(struct dentry, d_lockref) % 8 == 0, "lock and count are one word");
_Static_assert(offsetof(struct dentry, d_rcu) % 8 == 0, "a callback's node is two pointers");
_Static_assert(sizeof(struct dentry) % 8 == 0, "dentries lie side by side");

static inline uint32_t hash_len_len(uint64_t hash_len)
{
	return (uint32_t)(hash_len >> 32);
}

static inline uint64_t hash_len_make(uint32_t hash, uint32_t len)
{
	return (uint64_t)len << 32 | hash;
}

/* Hash and length are one word where words are wide. */
#if LAYOUT_BITS == 32
static force_inline uint64_t d_hash_len(const struct dentry *d)
{
	return hash_len_make(load_relaxed(&d->d_hash), load_relaxed(&d->d_len));
}

static force_inline bool d_hash_len_is(const struct dentry *d, uint64_t hash_len)
{
	return load_relaxed(&d->d_hash) == (uint32_t)hash_len &&
	       load_relaxed(&d->d_len) == hash_len_len(hash_len);
}

static inline void d_set_hash_len(struct dentry *d, uint64_t hash_len)
{
	store_relaxed(&d->d_hash, (uint32_t)hash_len);
	store_relaxed(&d->d_len, hash_len_len(hash_len));
}
#else
static force_inline uint64_t d_hash_len(const struct dentry *d)
{
	return load_relaxed(&d->d_hash_len);
}

static force_inline bool d_hash_len_is(const struct dentry *d, uint64_t hash_len)
{
	return load_relaxed(&d->d_hash_len) == hash_len;
}

static inline void d_set_hash_len(struct dentry *d, uint64_t hash_len)
{
	store_relaxed(&d->d_hash_len, hash_len);
}
#endif

/* Plain reads, by who is alone or holds the lock. */
static force_inline struct inode *d_inode(const struct dentry *d)
{
	return LINKED(struct inode, d->d_inode);
}

static force_inline struct dentry *d_parent(const struct dentry *d)
{
	return LINKED(struct dentry, d->d_parent);
}

static force_inline struct dcs_cache *d_cache(const struct dentry *d)
{
	return LINKED(struct dcs_cache, d->d_cache);
}

static force_inline struct dentry *d_children(const struct dentry *d)
{
	return LINKED(struct dentry, d->d_children);
}

static force_inline struct dentry *d_sib_next(const struct dentry *d)
{
	return LINKED(struct dentry, d->d_sib_next);
}

#endif
