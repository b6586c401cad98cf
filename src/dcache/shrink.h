/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * shrink.h - letting unused dentries go: to keep a limit, by count, below a directory
 *
 * All of it runs in a read-side section and holds no lock when it begins, but for
 * the lock of a directory: what it takes are d_lock, bucket and LRU locks. One thread at a
 * time makes room (cache->shrinking); others go on above the limit meanwhile.
 *
 * Each call looks at what was listed when it began twice at most, so it ends however
 * many dentries are used, taken away or added beside it.
 */
#ifndef DCACHE_SHRINK_H
#define DCACHE_SHRINK_H

#include "dcache/dentry.h"

/* The dentry of a hit, if it is still where it was. */
static inline void hit_mark(struct dcs_cache *cache, const struct dentry *hit, uint64_t bucket)
{
	struct dentry *d;

	if (bucket >> cache->table_bits)
		return;
	for_each_chain (d, &cache->table[bucket])
		if (d == hit) {
			store_relaxed(&d->d_referenced, 1);
			return;
		}
}

/* order: hit-drain: pairs with hit-note. An old hit may be torn by a new one: then it is nobody's.
 */
static inline void hits_drain(struct dcs_cache *cache)
{
	pthread_mutex_lock(&cache->tasks_lock);
	for (struct dcs_task *task = cache->tasks; task; task = task->next) {
		struct hit_ring *ring = &task->hits;
		uint64_t at = load_acquire(&ring->at);

		if (ring->drained + HITS < at)
			ring->drained = at - HITS;
		for (; ring->drained < at; ring->drained++) {
			struct hit *hit = &ring->hit[ring->drained % HITS];

			hit_mark(cache, load_relaxed(&hit->dentry), load_relaxed(&hit->bucket));
		}
	}
	pthread_mutex_unlock(&cache->tasks_lock);
}

/* The oldest of a list, which the caller is to decide about; NULL if there is none. */
static inline struct dentry *lru_take(struct lru *lru, enum lru_state list)
{
	struct dentry *d;

	spin_lock(&lru->lock);
	d = lru_oldest(lru, list);
	if (d) {
		lru_pull(lru, list, &d->d_lru);
		store_relaxed(&d->d_lru_state, LRU_TAKEN);
		store_relaxed(&lru->taken[list], lru->taken[list] + 1);
	}
	spin_unlock(&lru->lock);
	return d;
}

/* Under d_lock: back to the young end. Under `quota`, a negative one is asked for again. */
static inline void lru_second_chance(struct dentry *d)
{
	struct dcs_cache *cache = d_cache(d);
	struct lru *lru = &cache->lru;
	enum lru_state list = d_inode(d) ? LRU_POSITIVE : LRU_NEGATIVE;
	struct dentry *demoted;

	store_relaxed(&d->d_referenced, 0);
	if (list == LRU_NEGATIVE && cache->negative_policy == NEGATIVE_QUOTA)
		list = LRU_PROMOTED;
	spin_lock(&lru->lock);
	lru_push(lru, list, &d->d_lru);
	store_relaxed(&d->d_lru_state, list);
	lru->second_chances++;
	/* Half of the quota is for those that were asked for once. */
	if (lru->n[LRU_PROMOTED] > cache->negative_limit / 2) {
		demoted = lru_oldest(lru, LRU_PROMOTED);
		lru_pull(lru, LRU_PROMOTED, &demoted->d_lru);
		lru_push(lru, LRU_NEGATIVE, &demoted->d_lru);
		store_relaxed(&demoted->d_lru_state, LRU_NEGATIVE);
	}
	spin_unlock(&lru->lock);
}

/*
 * Decide about a dentry that lru_take() gave, or (@force) kill it unless it is in use.
 * Returns whether it went.
 */
static inline bool d_evict(struct dentry *d, bool force)
{
	struct dcs_cache *cache = d_cache(d);

	change_lock(cache);
	d_lock(d);
	if (!lockref_count(&d->d_lockref)) {
		if (force || !load_relaxed(&d->d_referenced)) {
			fetch_add_relaxed(&cache->lru.evicted, 1);
			dput(d_kill(d));
			return true;
		}
		lru_second_chance(d);
	} else {
		/*
		 * In use: its last put lists it again. Or dead.
		 * order: lru-off: pairs with lru-del.
		 */
		store_release(&d->d_lru_state, LRU_OFF);
	}
	d_unlock(d);
	change_unlock(cache);
	return false;
}

static inline uint64_t lru_length(const struct lru *lru, enum lru_state list)
{
	return load_relaxed(&lru->n[list]);
}

static inline uint64_t lru_listed(const struct lru *lru)
{
	uint64_t n = 0;

	for (int i = LRU_POSITIVE; i < LRU_LISTS; i++)
		n += lru_length(lru, (enum lru_state)i);
	return n;
}

/* Negatives go before those that were asked for again. */
static inline enum lru_state lru_negative_turn(const struct lru *lru)
{
	if (lru_length(lru, LRU_NEGATIVE))
		return LRU_NEGATIVE;
	return lru_length(lru, LRU_PROMOTED) ? LRU_PROMOTED : LRU_OFF;
}

/*
 * Whose turn it is to go, where the limit of all counts: of both kinds as many as there are,
 * so that their ages keep step; under `quota`, negatives only after all others.
 */
static inline enum lru_state lru_turn(const struct dcs_cache *cache)
{
	const struct lru *lru = &cache->lru;
	uint64_t positive = lru_length(lru, LRU_POSITIVE);
	uint64_t negative = lru_length(lru, LRU_NEGATIVE);

	if (!positive)
		return lru_negative_turn(lru);
	if (cache->negative_policy == NEGATIVE_QUOTA || !negative)
		return LRU_POSITIVE;
	return load_relaxed(&lru->taken[LRU_NEGATIVE]) * positive <
			       load_relaxed(&lru->taken[LRU_POSITIVE]) * negative
		       ? LRU_NEGATIVE
		       : LRU_POSITIVE;
}

/* Old turns weigh half each time, so that the counts stay small and lists may change. */
static inline void lru_forget_turns(struct lru *lru)
{
	spin_lock(&lru->lock);
	if (lru->taken[LRU_POSITIVE] + lru->taken[LRU_NEGATIVE] > 4096) {
		store_relaxed(&lru->taken[LRU_POSITIVE], lru->taken[LRU_POSITIVE] / 2);
		store_relaxed(&lru->taken[LRU_NEGATIVE], lru->taken[LRU_NEGATIVE] / 2);
	}
	spin_unlock(&lru->lock);
}

/* Let up to @want go: of all, or of the negative ones. Returns how many went. */
static inline uint64_t shrink(struct dcs_cache *cache, uint64_t want, bool negatives, bool force)
{
	struct lru *lru = &cache->lru;
	uint64_t gone = 0, looks = 2 * lru_listed(lru);

	lru_forget_turns(lru);
	for (; gone < want && looks; looks--) {
		enum lru_state list = negatives ? lru_negative_turn(lru) : lru_turn(cache);
		struct dentry *d = list == LRU_OFF ? NULL : lru_take(lru, list);

		if (d)
			gone += d_evict(d, force);
		else if (list == LRU_OFF)
			break;
	}
	return gone;
}

/* How many to let go where @n is over @limit: some more, so that not each miss has to. */
static inline uint64_t excess(uint64_t n, uint64_t limit)
{
	uint64_t slack = limit / 16 < 64 ? limit / 16 : 64;

	return n > limit ? n - limit + slack : 0;
}

static __attribute__((noinline)) void cache_make_room(struct dcs_cache *cache)
{
	uint32_t idle = 0;

	if (!lru_listed(&cache->lru) || !cas_acq_rel(&cache->shrinking, &idle, 1))
		return;
	hits_drain(cache);
	shrink(cache, excess(load_relaxed(&cache->negatives), cache->negative_limit), true, false);
	shrink(cache, excess(load_relaxed(&cache->live), cache->limit), false, false);
	store_release(&cache->shrinking, 0);
}

/* After something was added: keep the limits. No spinlock is held. */
static inline void cache_balance(struct dcs_cache *cache)
{
	if (unlikely(load_relaxed(&cache->live) > cache->limit ||
		     load_relaxed(&cache->negatives) > cache->negative_limit))
		cache_make_room(cache);
}

/* ---- below a directory */

#define TREE_RESTARTS 4	 /* before renames are held off */
#define TREE_BATCH    64 /* dentries that are looked at in one read-side section */

/* The first of @d and its siblings behind it that is not dead, referenced. Parent's d_lock. */
static inline struct dentry *sib_get(struct dentry *d)
{
	while (d && !lockref_get_not_dead(&d->d_lockref))
		d = d_sib_next(d);
	return d;
}

static inline struct dentry *first_child_get(struct dentry *dir)
{
	struct dentry *d;

	d_lock(dir);
	d = sib_get(d_children(dir));
	d_unlock(dir);
	return d;
}

/* Behind the referenced @d, when its children are done with: a sibling, or (@up) the parent. */
static inline struct dentry *tree_after(struct dentry *d, bool *up)
{
	struct dentry *parent = LINKED(struct dentry, load_acquire(&d->d_parent)), *next = NULL;

	*up = false;
	d_lock(parent);
	if (LINKED(struct dentry, load_relaxed(&d->d_parent)) == parent) {
		next = sib_get(d_sib_next(d));
		*up = !next;
	}
	d_unlock(parent);
	if (*up) {
		dget(parent);
		next = parent;
	}
	return next;
}

/* Done with @d: it goes if nobody else uses it. */
static inline bool tree_put(struct dentry *d)
{
	struct dcs_cache *cache = d_cache(d);
	struct dentry *parent = lockref_put(&d->d_lockref) ? NULL : d_retire(d, false);

	if (!parent)
		return false;
	fetch_add_relaxed(&cache->lru.evicted, 1);
	dput(parent);
	return true;
}

/*
 * Let all unused dentries below the referenced @root go, leaves first. Each is left for a
 * sibling behind it or its parent, so what others add in front is not looked at, and
 * the walk ends. A rename can take away what it stands on: false, unless the caller
 * holds rename_mutex (@held), under which nothing changes its parent.
 */
static inline bool shrink_tree(struct dentry *root, bool held, uint64_t *gone)
{
	struct dcs_cache *cache = d_cache(root);
	unsigned seq = seq_begin(&cache->rename_lock.seq), steps = 0;
	struct dentry *d = first_child_get(root), *next;
	bool up = false;

	while (d) {
		next = up ? NULL : first_child_get(d);
		if (!next)
			next = tree_after(d, &up);
		*gone += tree_put(d); /* not where it has a child: that holds it */
		d = next;
		if (d == root || (!held && seq_retry(&cache->rename_lock.seq, seq))) {
			dput(d);
			return d == root;
		}
		if (++steps % TREE_BATCH == 0) {
			rcu_exit(cache->rcu_id);
			rcu_enter(cache->rcu_id);
			backlog_check(&cache->backlog);
		}
	}
	return true; /* there was no child */
}

/*
 * Unhash @d, which is not what the store has by that name, and let go what is unused below
 * it. What is in use there stays, for its users. Renames may cut it short: what is
 * left is not found any more, and ages.
 */
static inline void d_invalidate(struct dentry *d)
{
	uint64_t gone = 0;

	d_unhash(d);
	for (int i = 0; i < TREE_RESTARTS && !shrink_tree(d, false, &gone); i++)
		;
}

#endif
