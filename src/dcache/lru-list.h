/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* lru-list.h - the lists of lru.h, linked as the layout links */
#ifndef DCACHE_LRU_LIST_H
#define DCACHE_LRU_LIST_H

#include "dcache/layout.h"

/* next: the youngest; prev: the oldest */
static inline struct lru_link *lru_head(struct lru *lru, enum lru_state list)
{
	return (struct lru_link *)&lru->head[list];
}

static inline void lru_join(struct lru_link *a, struct lru_link *b)
{
	a->next = AS_LINK(a->next, b);
	b->prev = AS_LINK(b->prev, a);
}

static inline void lru_init(struct lru *lru)
{
	spin_init(&lru->lock);
	for (int i = 0; i < LRU_LISTS; i++)
		lru_join(lru_head(lru, (enum lru_state)i), lru_head(lru, (enum lru_state)i));
}

/* Under lru->lock. */
static inline void lru_push(struct lru *lru, enum lru_state list, struct lru_link *link)
{
	struct lru_link *head = lru_head(lru, list);

	lru_join(link, LINKED(struct lru_link, head->next));
	lru_join(head, link);
	store_relaxed(&lru->n[list], lru->n[list] + 1);
}

/* Under lru->lock. */
static inline void lru_pull(struct lru *lru, enum lru_state list, struct lru_link *link)
{
	lru_join(LINKED(struct lru_link, link->prev), LINKED(struct lru_link, link->next));
	store_relaxed(&lru->n[list], lru->n[list] - 1);
}

/* Under lru->lock: NULL if the list is empty. */
static inline struct dentry *lru_oldest(struct lru *lru, enum lru_state list)
{
	struct lru_link *head = lru_head(lru, list), *link = LINKED(struct lru_link, head->prev);

	if (link == head)
		return NULL;
	return (struct dentry *)((char *)link - offsetof(struct dentry, d_lru));
}

#endif
