/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * dentry.h - the life of a dentry: alloc, lookup, put, instantiate, delete, move
 *
 * References. A dentry holds one on its parent. One that is hashed and has none stays
 * cached, on an LRU list (lru.h), until a shrinker kills it (shrink.h); one that is
 * unhashed and has none is killed. Without a store behind the cache, a positive
 * dentry has a reference of its own while it is in the tree, since what it says is
 * written nowhere else (as ramfs pins its dentries): only negative ones go then.
 *
 * A dentry that others use never turns from positive to negative: an unlink then
 * unhashes it and leaves it its inode.
 *
 * Every change of type, inode, name or place, and every unhashing, moves d_seq.
 * What is freed, is freed a grace period after it was unhashed.
 */
#ifndef DCACHE_DENTRY_H
#define DCACHE_DENTRY_H

#include "dcache/lru-list.h"
#include "dcache/table.h"
#include "inode/icache.h"

/* d_flags: what a walk asks of a dentry without looking at its inode. */
#define D_NEGATIVE   1u
#define D_DIR	     2u
#define D_LNK	     4u
#define D_REG	     8u
#define D_REVALIDATE 16u /* the store must be asked at each use */
#define D_OTHER	     32u /* a FIFO, socket or device */
/* What a walk does not just step on. */
#define D_SPECIAL (D_NEGATIVE | D_LNK | D_REVALIDATE)

#define for_each_child(d, dir) for (d = d_children(dir); d; d = d_sib_next(d))

static inline uint32_t d_type(const struct inode *inode)
{
	switch (inode->i_mode & S_IFMT) {
	case S_IFDIR:
		return D_DIR;
	case S_IFLNK:
		return D_LNK;
	case S_IFREG:
		return D_REG;
	default:
		return D_OTHER;
	}
}

static inline uint32_t d_flags_for(const struct dcs_cache *cache, const struct inode *inode)
{
	uint32_t flags = inode ? d_type(inode) : D_NEGATIVE;

	if (cache->store && cache->store->revalidate)
		flags |= D_REVALIDATE;
	return flags;
}

static inline const char *d_bytes(const struct dentry *d)
{
	return LINKED(const char, d->d_name);
}

static inline uint32_t d_len(const struct dentry *d)
{
	return hash_len_len(d_hash_len(d));
}

static inline void d_lock(struct dentry *d)
{
	lockref_lock(&d->d_lockref);
}

static inline void d_unlock(struct dentry *d)
{
	lockref_unlock(&d->d_lockref);
}

/* Under the parent's d_lock. */
static inline void sib_add(struct dentry *parent, struct dentry *d)
{
	struct dentry *first = d_children(parent);

	d->d_sib_key = first ? first->d_sib_key + 1 : 1;
	d->d_sib_next = parent->d_children;
	d->d_sib_pprev = AS_LINK(d->d_sib_pprev, &parent->d_children);
	if (first)
		first->d_sib_pprev = AS_LINK(first->d_sib_pprev, &d->d_sib_next);
	parent->d_children = AS_LINK(parent->d_children, d);
}

static inline void sib_del(struct dentry *d)
{
	struct dentry *next = d_sib_next(d);

	*LINKED(dentry_link, d->d_sib_pprev) = d->d_sib_next;
	if (next)
		next->d_sib_pprev = d->d_sib_pprev;
}

/* The state in which a free dentry is kept where there are constructors (slab.h). */
static inline void d_construct(void *object, void *cache)
{
	struct dentry *d = object;

	memset(d, 0, sizeof(*d));
	d->d_cache = AS_LINK(d->d_cache, cache);
	seq_init(&d->d_seq);
	spin_init(&d->d_lockref.lock);
}

/* Whether what d_alloc() does not write is as d_construct() made it: the count of d_seq goes on. */
static inline bool d_constructed(const struct dentry *d)
{
	return !d->d_next && !d->d_pprev && !d->d_inode && !d->d_children && d->d_cache &&
	       d->d_lru_state == LRU_OFF && !d->d_referenced && !(d->d_seq.sequence & 1) &&
	       !lockref_is_locked(d->d_lockref);
}

/* Nobody sees it any more. It is not on a list of children, and nothing is in it. */
static inline void d_give_back(struct dcs_cache *cache, struct dentry *d)
{
	if (unlikely(cache->dentries.construct)) {
		d->d_next = AS_LINK(d->d_next, NULL);
		d->d_lru_state = LRU_OFF;
		d->d_referenced = 0;
	}
	slab_free(&cache->dentries, d);
}

/*
 * A new, unhashed, negative dentry with one reference, below @parent (NULL: a
 * root). Returns NULL if memory is used up.
 */
static inline struct dentry *d_alloc(struct dcs_cache *cache, struct dentry *parent,
				     const char *name, uint64_t hash_len)
{
	struct dentry *d = slab_alloc(&cache->dentries);

	if (unlikely(!d))
		return NULL;
	if (likely(!cache->dentries.construct))
		d_construct(d, cache);
	d_set_hash_len(d, hash_len);
	d->d_flags = d_flags_for(cache, NULL);
	if (name_init(cache, d, name, hash_len_len(hash_len))) {
		slab_free(&cache->dentries, d);
		return NULL;
	}
	d->d_lockref.count = 1;
	d->d_parent = AS_LINK(d->d_parent, d);
	if (parent) {
		d_lock(parent);
		lockref_add_locked(&parent->d_lockref, 1);
		d->d_parent = AS_LINK(d->d_parent, parent);
		sib_add(parent, d);
		d_unlock(parent);
	}
	fetch_add_relaxed(&cache->live, 1);
	fetch_add_relaxed(&cache->negatives, 1);
	return d;
}

static inline void d_rcu_free(union rcu_node *node)
{
	struct dentry *d = (struct dentry *)((char *)node - offsetof(struct dentry, d_rcu));
	struct dcs_cache *cache;

	rcu_callback_begin(node);
	cache = d_cache(d);
	d_give_back(cache, d);
	fetch_add_relaxed(&cache->freed_dentries, 1);
	backlog_freed(&cache->backlog);
}

/* Under d_lock, on the list of its kind, at the young end. */
static inline void lru_add(struct dentry *d)
{
	struct lru *lru = &d_cache(d)->lru;
	enum lru_state list = d_inode(d) ? LRU_POSITIVE : LRU_NEGATIVE;

	spin_lock(&lru->lock);
	lru_push(lru, list, &d->d_lru);
	store_relaxed(&d->d_lru_state, list);
	spin_unlock(&lru->lock);
}

/* Off its list, if it is on one. A shrinker that has it sees that it is used, or dead. */
static inline void lru_del(struct dentry *d)
{
	struct lru *lru = &d_cache(d)->lru;

	/*
	 * order: lru-del: pairs with lru-off. Behind it d_lru may be overwritten, which a
	 * shrinker read when it took the dentry.
	 */
	if (load_acquire(&d->d_lru_state) == LRU_OFF)
		return;
	spin_lock(&lru->lock);
	if (load_relaxed(&d->d_lru_state) > LRU_TAKEN) {
		lru_pull(lru, load_relaxed(&d->d_lru_state), &d->d_lru);
		store_relaxed(&d->d_lru_state, LRU_OFF);
	}
	spin_unlock(&lru->lock);
}

/* Takes the inode off a dentry that nobody else uses, or that is hashed, under d_lock. */
static inline struct inode *d_detach_inode(struct dentry *d)
{
	struct inode *inode = d_inode(d);
	struct dentry *self = d;

	lru_del(d); /* of the positive ones */
	/* Unless another dentry of the directory has come in its place. */
	cas_acq_rel(&inode->i_dentry, &self, NULL);
	seq_write_begin(&d->d_seq);
	store_relaxed(&d->d_flags, d_flags_for(d_cache(d), NULL));
	store_relaxed(&d->d_inode, AS_LINK(d->d_inode, NULL));
	seq_write_end(&d->d_seq);
	fetch_add_relaxed(&d_cache(d)->negatives, 1);
	return inode;
}

/*
 * Unhash: no lookup finds it any more, and none that has found it by d_seq may
 * believe it. Under d_lock.
 */
static inline void d_drop(struct dentry *d)
{
	if (d_unhashed(d))
		return;
	table_remove(d_cache(d), d);
	seq_invalidate(&d->d_seq);
}

/* The same, for a caller that holds no spinlock. */
static inline void d_unhash(struct dentry *d)
{
	change_lock(d_cache(d));
	d_lock(d);
	d_drop(d);
	d_unlock(d);
	change_unlock(d_cache(d));
}

/*
 * Take apart a dentry that is marked dead and unlisted, which nobody can
 * reference again; its parent is still referenced by it and is returned.
 */
static inline struct dentry *d_free(struct dentry *d)
{
	struct dcs_cache *cache = d_cache(d);
	struct dentry *parent = d_parent(d);
	struct inode *inode = NULL;

	lru_del(d);
	if (d_inode(d))
		inode = d_detach_inode(d);
	fetch_add_relaxed(&cache->negatives, (uint64_t)-1);
	fetch_add_relaxed(&cache->live, (uint64_t)-1);
	name_put(name_external(d));
	backlog_defer(&cache->backlog, &d->d_rcu, d_rcu_free);
	if (inode)
		iput(inode);
	return parent == d ? NULL : parent;
}

/* Under change_lock and d_lock, which it lets go: kill an unused dentry. Returns the parent to put.
 */
static inline struct dentry *d_kill(struct dentry *d)
{
	struct dentry *parent = d_parent(d);

	d_drop(d);
	lockref_mark_dead(&d->d_lockref);
	d_unlock(d);
	change_unlock(d_cache(d));
	d_lock(parent);
	sib_del(d);
	d_unlock(parent);
	return d_free(d);
}

/* May an unused dentry stay? */
static inline bool d_cacheable(const struct dentry *d)
{
	return !d_unhashed(d) && (d_inode(d) || d_cache(d)->negative_policy != NEGATIVE_NONE);
}

/*
 * The last reference was put: cache the dentry if it may be and @keep, else kill it.
 * It may have been taken again, or killed by another, since that was seen. Returns the
 * parent to put, or NULL.
 */
static inline struct dentry *d_retire(struct dentry *d, bool keep)
{
	struct dcs_cache *cache = d_cache(d);

	change_lock(cache);
	d_lock(d);
	if (!lockref_count(&d->d_lockref)) {
		if (!keep || !d_cacheable(d))
			return d_kill(d);
		/* A shrinker that has it will see that it is unused, and decide. */
		if (load_relaxed(&d->d_lru_state) == LRU_OFF)
			lru_add(d);
	}
	d_unlock(d);
	change_unlock(cache);
	return NULL;
}

static force_inline void dget(struct dentry *d)
{
	lockref_get(&d->d_lockref);
}

/* The count of @d went to 0: what stays cached and is on its list already is done with by that. */
static __attribute__((noinline)) void dput_last(struct dentry *d)
{
	do {
		if (likely(load_relaxed(&d->d_lru_state) != LRU_OFF && !d_unhashed(d)))
			return;
		d = d_retire(d, true);
	} while (d && !lockref_put(&d->d_lockref));
}

static force_inline void dput(struct dentry *d)
{
	if (likely(d) && unlikely(!lockref_put(&d->d_lockref)))
		dput_last(d);
}

/* A reference on the parent of a referenced dentry, whatever renames do meanwhile. */
static inline struct dentry *dget_parent(struct dentry *d)
{
	for (;;) {
		struct dentry *parent = LINKED(struct dentry, load_acquire(&d->d_parent));

		if (!lockref_get_not_dead(&parent->d_lockref))
			continue;
		if (likely(LINKED(struct dentry, load_acquire(&d->d_parent)) == parent))
			return parent;
		dput(parent);
	}
}

/*
 * Take a reference on a dentry of the chain whose hash and length are right, if it has the
 * name, under d_lock. With COMPARE_UNLOCKED the names are compared before, and the lock is
 * taken to see that nothing moved since; what moved is compared again.
 */
static force_inline bool d_take(struct dentry *d, struct dentry *parent, const char *name,
				uint64_t hash_len)
{
	bool unlocked = chosen->compare == COMPARE_UNLOCKED, same;
	unsigned seq = 0;

	if (unlocked) {
		seq = seq_sample(&d->d_seq);
		if (!d_match(d, parent, name, hash_len))
			return false;
	}
	d_lock(d);
	same = !d_unhashed(d) && ((unlocked && likely(!seq_retry(&d->d_seq, seq))) ||
				  d_match(d, parent, name, hash_len));
	if (same)
		lockref_add_locked(&d->d_lockref, 1);
	d_unlock(d);
	return same;
}

/* One walk of the chain, under RCU; may miss what is being moved. @skipped counts other names. */
static inline __attribute__((flatten)) struct dentry *
d_lookup_once(struct dcs_cache *cache, struct dentry *parent, const char *name, uint64_t hash_len,
	      uint64_t *skipped)
{
	struct bucket *bucket = hash_bucket(cache, parent, hash_len);
	struct dentry *d;

	for_each_chain (d, bucket) {
		if (d_hash_len_is(d, hash_len) && d_take(d, parent, name, hash_len))
			return d;
		++*skipped;
	}
	return NULL;
}

/*
 * Find the name and take a reference. NULL means that at some instant of the
 * call it was not there.
 * order: rename-bracket: pairs with rename-write. Without it a walk that a rename led into
 * another chain would report a name missing that was there all the time.
 */
static inline struct dentry *d_lookup(struct dcs_cache *cache, struct dentry *parent,
				      const char *name, uint64_t hash_len,
				      struct dcs_counters *counters)
{
	uint64_t skipped = 0;
	struct dentry *d;

	for (;;) {
		unsigned seq = seq_begin(&cache->rename_lock.seq);

		d = d_lookup_once(cache, parent, name, hash_len, &skipped);
#ifdef DCS_MUTANT_NO_RENAME_RETRY
		(void)seq;
		break;
#else
		if (d || likely(!seq_retry(&cache->rename_lock.seq, seq)))
			break;
		count_add(&counters->rename_retries, 1);
#endif
	}
	count_add(&counters->chain, skipped);
	return d;
}

/* Make a dentry findable. The caller holds its directory's lock. */
static inline void d_rehash(struct dentry *d)
{
	change_lock(d_cache(d));
	d_lock(d);
	table_insert(d_cache(d), d);
	d_unlock(d);
	change_unlock(d_cache(d));
}

/* A negative dentry gets an inode, whose reference it takes over, and its pin. */
static inline void d_instantiate(struct dentry *d, struct inode *inode)
{
	d_lock(d);
	lru_del(d); /* of the negative ones */
	if (inode_is_dir(inode))
		store_release(&inode->i_dentry, d);
	seq_write_begin(&d->d_seq);
	/* order: dentry-inode: pairs with ref-inode, rcu-inode. The inode before its type. */
	store_release(&d->d_inode, AS_LINK(d->d_inode, inode));
	store_release(&d->d_flags, d_flags_for(d_cache(d), inode));
	seq_write_end(&d->d_seq);
	if (cache_pins(d_cache(d)))
		lockref_add_locked(&d->d_lockref, 1);
	d_unlock(d);
	fetch_add_relaxed(&d_cache(d)->negatives, (uint64_t)-1);
}

/*
 * The name of @d is gone: unpin it. If only the caller uses it, it becomes negative
 * and stays cached; else it is unhashed and keeps its inode for those who use it.
 */
static inline void d_delete(struct dentry *d)
{
	struct dcs_cache *cache = d_cache(d);
	struct inode *inode = NULL;

	change_lock(cache);
	d_lock(d);
	if (cache_pins(cache))
		lockref_add_locked(&d->d_lockref, -1);
	if (lockref_count(&d->d_lockref) == 1)
		inode = d_detach_inode(d);
	else
		d_drop(d);
	d_unlock(d);
	change_unlock(cache);
	if (inode)
		iput(inode);
}

/*
 * Kill the children of @dir, a directory without names and closed to new ones, so that
 * it can go itself. One in use is unhashed, so that its last user kills it: it would
 * stay cached otherwise, where no lookup comes, and keep @dir with it.
 */
static inline void d_prune_children(struct dentry *dir)
{
	struct dentry *d, *next, *killed = NULL;

	change_lock(d_cache(dir));
	d_lock(dir);
	for (d = d_children(dir); d; d = next) {
		next = d_sib_next(d);
		d_lock(d);
		d_drop(d);
		if (!lockref_count(&d->d_lockref)) {
			lockref_mark_dead(&d->d_lockref);
			sib_del(d);
			d->d_sib_next = AS_LINK(d->d_sib_next, killed);
			killed = d;
		}
		d_unlock(d);
	}
	d_unlock(dir);
	change_unlock(d_cache(dir));
	for (d = killed; d; d = next) {
		next = d_sib_next(d);
		dput(d_free(d));
	}
}

/* Has the directory a name? Under its i_rwsem. */
static inline bool d_empty(struct dentry *dir)
{
	struct dentry *d;
	bool empty = true;

	d_lock(dir);
	for_each_child (d, dir) {
		/* A positive child that is hashed is a name; one that is not, is unlinked and in
		 * use. */
		d_lock(d);
		if (d_inode(d) && !d_unhashed(d))
			empty = false;
		d_unlock(d);
		if (!empty)
			break;
	}
	d_unlock(dir);
	return empty;
}

/* The child of @ancestor that is @d or above it; NULL if @ancestor is not above @d. */
static inline struct dentry *d_ancestor(struct dentry *ancestor, struct dentry *d)
{
	struct dentry *parent;

	for (; (parent = LINKED(struct dentry, load_acquire(&d->d_parent))) != d; d = parent)
		if (parent == ancestor)
			return d;
	return NULL;
}

/*
 * Rename: @d takes the parent and name of @target, which is unhashed, or swaps
 * with it (@exchange). The caller holds the locks of both directories, references
 * on both dentries, and has seen that no directory moves below itself.
 *
 * order: rename-write: pairs with rename-bracket. rename_lock is odd from before the first
 * dentry is unhashed until after the last is hashed.
 */
static inline void d_move(struct dcs_cache *cache, struct dentry *d, struct dentry *target,
			  bool exchange)
{
	struct dentry *from = d_parent(d), *to = d_parent(target);
	struct dentry *first = from, *second = to;

	change_lock(cache);
	seqlock_write_lock(&cache->rename_lock);
	if (from != to && d_ancestor(to, from))
		first = to, second = from;
	d_lock(first);
	if (first != second)
		d_lock(second);
	d_lock(d);
	d_lock(target);
	seq_write_begin(&d->d_seq);
	seq_write_begin(&target->d_seq);

	table_remove(cache, d);
	table_remove(cache, target);
	if (exchange)
		name_swap(d, target);
	else
		name_take(d, target);
	if (from != to) {
		sib_del(d);
		sib_add(to, d);
		store_release(&d->d_parent, AS_LINK(d->d_parent, to));
		if (exchange) {
			sib_del(target);
			sib_add(from, target);
			store_release(&target->d_parent, AS_LINK(target->d_parent, from));
		} else {
			lockref_add_locked(&to->d_lockref, 1);
			lockref_add_locked(&from->d_lockref, -1);
		}
	}
	table_insert(cache, d);
	if (exchange)
		table_insert(cache, target);

	seq_write_end(&target->d_seq);
	seq_write_end(&d->d_seq);
	d_unlock(target);
	d_unlock(d);
	if (first != second)
		d_unlock(second);
	d_unlock(first);
	seqlock_write_unlock(&cache->rename_lock);
	change_unlock(cache);
}

#endif
