/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * table.h - the hash table of (parent, name): chains that are walked under RCU
 *
 * A bucket is one pointer, as in Linux; its lock is one of an array (Linux has a
 * bit of the pointer), so that any kind of lock will do.
 *
 * A dentry that is unhashed keeps its d_next, so that a walk that stands on it
 * goes on; one that is hashed again takes walks into its new chain. Such a walk
 * can miss what it looked for but never finds what is not so: a miss counts only
 * if rename_lock did not move meanwhile (d_lookup), and a hit is checked by d_seq
 * or under d_lock.
 */
#ifndef DCACHE_TABLE_H
#define DCACHE_TABLE_H

#include "dcache/name.h"

#ifndef ENGINE_HASH
#define ENGINE_HASH words
#include "hash/words.h"
#endif

/* The address that @d would have in the kernel that is modelled. */
static force_inline uint64_t dentry_address(const struct dcs_cache *cache, const struct dentry *d)
{
	return (uintptr_t)d + cache->address_bias;
}

/*
 * What a hash file gives, by name where the engine has it compiled in, else by the pointers of
 * whatever the cache was made with.
 */
#ifdef ENGINE_ANY
#define hash_call(cache, verb) ((cache)->hash->verb)
#else
#define HASH_VERB_(hash, verb) hash##_##verb
#define HASH_VERB(hash, verb)  HASH_VERB_(hash, verb)
#define hash_call(cache, verb) HASH_VERB(ENGINE_HASH, verb)
#endif

/* The hash and length of the component at @path, in @parent. */
static force_inline uint64_t hash_component(const struct dcs_cache *cache,
					    const struct dentry *parent, const char *path)
{
	uint32_t len = 0, hash;

	hash = hash_call(cache, component)(path, &len, dentry_address(cache, parent),
					   cache->hash_key);
	return hash_len_make(hash, len);
}

static force_inline struct bucket *hash_bucket(const struct dcs_cache *cache,
					       const struct dentry *parent, uint64_t hash_len)
{
	return &cache->table[hash_call(cache, bucket)(
		(uint32_t)hash_len, dentry_address(cache, parent), cache->table_bits)];
}

static inline bool d_unhashed(const struct dentry *d)
{
	return !load_relaxed(&d->d_pprev);
}

/* Does @d answer to @name in @parent? Anything between yes and no while it is being renamed. */
static force_inline bool d_match(const struct dentry *d, const struct dentry *parent,
				 const char *name, uint64_t hash_len)
{
	return d_hash_len_is(d, hash_len) &&
	       LINKED(struct dentry, load_relaxed(&d->d_parent)) == parent &&
	       name_equal(d, name, hash_len_len(hash_len));
}

/* order: chain-walk: pairs with chain-publish. Without it a dentry could be seen before its fields.
 */
#define for_each_chain(d, bucket)                                            \
	for (d = LINKED(struct dentry, load_dependent(&(bucket)->first)); d; \
	     preempt_point(), d = LINKED(struct dentry, load_dependent(&d->d_next)))

static inline union lock *bucket_lock(struct dcs_cache *cache, const struct bucket *bucket)
{
	union lock *lock = &cache->bucket_locks[(size_t)(bucket - cache->table) % BUCKET_LOCKS];

	lock_acquire(lock, lock_kind(BUCKET), DCS_LOCK_BUCKET);
	return lock;
}

static inline void bucket_unlock(union lock *lock)
{
	lock_release(lock, lock_kind(BUCKET), DCS_LOCK_BUCKET);
}

/* Under d_lock, with parent and name set. */
static inline void table_insert(struct dcs_cache *cache, struct dentry *d)
{
	struct bucket *bucket = hash_bucket(cache, d_parent(d), d_hash_len(d));
	union lock *lock = bucket_lock(cache, bucket);
	struct dentry *first = LINKED(struct dentry, bucket->first);

	/*
	 * order: chain-publish: pairs with chain-walk. Here too: a walk may stand on a
	 * dentry that is hashed again.
	 */
	store_release(&d->d_next, bucket->first);
	store_relaxed(&d->d_pprev, AS_LINK(d->d_pprev, &bucket->first));
	if (first)
		store_relaxed(&first->d_pprev, AS_LINK(first->d_pprev, &d->d_next));
	/* order: chain-publish: pairs with chain-walk. */
	store_release(&bucket->first, AS_LINK(bucket->first, d));
	bucket_unlock(lock);
}

/* Under d_lock, before parent or name change: they say which bucket it is in. */
static inline void table_remove(struct dcs_cache *cache, struct dentry *d)
{
	struct dentry *next;
	union lock *lock;

	if (d_unhashed(d))
		return;
	lock = bucket_lock(cache, hash_bucket(cache, d_parent(d), d_hash_len(d)));
	next = LINKED(struct dentry, d->d_next);
	store_release(LINKED(dentry_link, d->d_pprev), d->d_next);
	if (next)
		store_relaxed(&next->d_pprev, d->d_pprev);
	store_relaxed(&d->d_pprev, AS_LINK(d->d_pprev, NULL));
	bucket_unlock(lock);
}

#endif
