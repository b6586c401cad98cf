/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lru.h - lists of what is cached and unused, and the rings of hits that say what is hot
 *
 * A dentry whose last reference goes is put on the list of its kind, at the young end,
 * if it is not on one, and stays there while others use it and let it go again: no hit
 * moves it. The shrinker takes from the old end. What it finds in use it takes off; what
 * was used since it last looked gets a second chance, at the young end.
 *
 * A store-free walk must not write to a dentry to say that it used it. So each task
 * notes one walk in HIT_PERIOD, drawn at random, in a ring of its own: the dentry's
 * address and bucket, nothing that keeps it alive. The shrinker drains the rings before
 * it looks at the lists, finds those that are still on their chain, by address, and
 * marks them (d_referenced). What a hit keeps by this are the ends of walks; directories
 * are kept by their children.
 *
 * d_lru_state says which list a dentry is on. It and d_lru are written under lru->lock, a
 * leaf; but once it is LRU_TAKEN a shrinker has it and decides under its d_lock.
 */
#ifndef DCACHE_LRU_H
#define DCACHE_LRU_H

#include <stdint.h>

#include "lock/spin.h"
#include "mem/mem.h"

enum lru_state {
	LRU_OFF,
	LRU_TAKEN,
	LRU_POSITIVE,
	LRU_NEGATIVE,
	LRU_PROMOTED, /* negatives that were asked for again, under `quota` */
	LRU_LISTS,
};

struct lru {
	spin_t lock;
	struct {
		void *room[2];
	} head[LRU_LISTS]; /* a struct lru_link each: lru-list.h */
	uint64_t n[LRU_LISTS];
	uint64_t taken[LRU_LISTS]; /* lately, by shrinking to the limit of all: see lru_turn() */
	uint64_t evicted, second_chances;
};

#define HITS	   64 /* that a ring holds; older ones are overwritten */
#define HIT_PERIOD 16 /* walks for each that is noted, on average */

struct hit {
	struct dentry *dentry; /* to compare with, not to follow */
	uint64_t bucket;
};

struct hit_ring {
	uint64_t sample_at; /* the walk (of the task's count) that is noted next */
	uint64_t random;
	uint64_t at;	  /* hits ever noted */
	uint64_t drained; /* of those, seen by a shrinker; under cache->tasks_lock */
	struct hit hit[HITS];
};

/*
 * Notes a hit. By the ring's task alone.
 * order: hit-note: pairs with hit-drain. Else the place of a hit could be read before it.
 */
static inline void hit_note(struct hit_ring *ring, struct dentry *dentry, uint64_t bucket)
{
	struct hit *hit = &ring->hit[ring->at % HITS];

	store_relaxed(&hit->dentry, dentry);
	store_relaxed(&hit->bucket, bucket);
	store_release(&ring->at, ring->at + 1);
	ring->random = ring->random * 6364136223846793005u + 1442695040888963407u;
	ring->sample_at += 1 + (ring->random >> 33) % (2 * HIT_PERIOD - 1);
}

#endif
