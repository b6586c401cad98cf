/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * name.h - the names of dentries: whole words, zero behind the end
 *
 * Short names lie in the dentry, longer ones in a struct ext_name of their own,
 * counted, since a dentry that is renamed over keeps its name beside the one that
 * took it, and freed after a grace period. Once a dentry is hashed, its name
 * changes under rename_lock, d_lock and d_seq, word by word; a reader may see any
 * mixture until d_seq tells it so. Every state has a zero byte in the last word of
 * whatever it lies in, so a comparison never runs out of it.
 */
#ifndef DCACHE_NAME_H
#define DCACHE_NAME_H

#include <errno.h>

#include "dcache/layout.h"

#define EXT_NAME_WORDS ((DCS_NAME_MAX + 1 + DCS_PATH_PAD) / sizeof(name_word))

struct ext_name {
	uint32_t refs; /* under rename_lock once it can be shared */
	struct dcs_cache *cache;
	union rcu_node rcu;
	name_word words[EXT_NAME_WORDS];
};

#define NAME_WORD ((uint32_t)sizeof(name_word))

static force_inline name_word name_load(const char *name)
{
	return (name_word)hash_load64(name);
}

/* Is the name of @d the @len bytes at @name, given that its length is @len? */
static force_inline bool name_equal(const struct dentry *d, const char *name, uint32_t len)
{
	const name_word *words = d->d_iname;

	if (unlikely(len >= DNAME_INLINE))
		words = LINKED(const name_word, load_dependent(&d->d_name));
	for (; len >= NAME_WORD; len -= NAME_WORD, name += NAME_WORD)
		if (load_relaxed(words++) != name_load(name))
			return false;
	return !len || load_relaxed(words) == (name_load(name) & (name_word)hash_low_bytes(len));
}

static inline void name_fill(name_word *words, const char *name, uint32_t len)
{
	for (; len >= NAME_WORD; len -= NAME_WORD, name += NAME_WORD)
		*words++ = name_load(name);
	*words = name_load(name) & (name_word)hash_low_bytes(len);
}

/* For a dentry that nobody else sees yet. Returns 0 or -ENOMEM. */
static inline int name_init(struct dcs_cache *cache, struct dentry *d, const char *name,
			    uint32_t len)
{
	struct ext_name *ext;

	memset(d->d_iname, 0, sizeof(d->d_iname));
	d->d_name = AS_LINK(d->d_name, d->d_iname);
	if (len < DNAME_INLINE) {
		name_fill(d->d_iname, name, len);
		return 0;
	}
	ext = arena_alloc(&cache->names);
	if (!ext)
		return -ENOMEM;
	memset(ext, 0, sizeof(*ext));
	ext->refs = 1;
	ext->cache = cache;
	name_fill(ext->words, name, len);
	d->d_name = AS_LINK(d->d_name, ext->words);
	return 0;
}

static inline struct ext_name *name_external(const struct dentry *d)
{
	const name_word *words = LINKED(const name_word, d->d_name);

	if (words == d->d_iname)
		return NULL;
	return (struct ext_name *)((char *)words - offsetof(struct ext_name, words));
}

static inline void name_rcu_free(union rcu_node *node)
{
	struct ext_name *ext = (struct ext_name *)((char *)node - offsetof(struct ext_name, rcu));
	struct dcs_cache *cache;

	rcu_callback_begin(node);
	cache = ext->cache;
	arena_free(&cache->names, ext);
	backlog_freed(&cache->backlog);
}

static inline void name_put(struct ext_name *ext)
{
	if (!ext || sub_fetch_acq_rel(&ext->refs, 1))
		return;
	backlog_defer(&ext->cache->backlog, &ext->rcu, name_rcu_free);
}

static inline void name_store(struct dentry *d, const name_word inline_words[DNAME_WORDS],
			      struct ext_name *ext, uint64_t hash_len)
{
	for (int i = 0; i < DNAME_WORDS; i++)
		store_relaxed(&d->d_iname[i], inline_words[i]);
	store_release(&d->d_name, AS_LINK(d->d_name, ext ? ext->words : d->d_iname));
	d_set_hash_len(d, hash_len);
}

/* @d takes the name of @from, which keeps it. Both under d_lock and an open d_seq. */
static inline void name_take(struct dentry *d, const struct dentry *from)
{
	struct ext_name *old = name_external(d), *ext = name_external(from);

	if (ext)
		fetch_add_relaxed(&ext->refs, 1);
	name_store(d, from->d_iname, ext, d_hash_len(from));
	name_put(old);
}

/* @a and @b swap names. Both under d_lock and an open d_seq. */
static inline void name_swap(struct dentry *a, struct dentry *b)
{
	struct ext_name *ext = name_external(a);
	name_word words[DNAME_WORDS];
	uint64_t hash_len = d_hash_len(a);

	memcpy(words, a->d_iname, sizeof(words));
	name_store(a, b->d_iname, name_external(b), d_hash_len(b));
	name_store(b, words, ext, hash_len);
}

#endif
