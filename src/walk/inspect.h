/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* inspect.h - looking at a whole cache at rest: census, invariants, taking it down */
#ifndef WALK_INSPECT_H
#define WALK_INSPECT_H

#include <stdarg.h>
#include <stdio.h>

#include "dcache/dentry.h"

/* The dentry after @d in a walk of the tree from @root, parents first; NULL at the end. */
static struct dentry *tree_next(struct dentry *root, struct dentry *d)
{
	if (d_children(d))
		return d_children(d);
	for (; d != root; d = d_parent(d))
		if (d_sib_next(d))
			return d_sib_next(d);
	return NULL;
}

static int op_census(struct dcs_cache *cache, struct dcs_census *c)
{
	size_t buckets = (size_t)1 << cache->table_bits;
	struct dentry *d;

	c->buckets = buckets;
	c->used_buckets = c->longest_chain = 0;
	rcu_enter(cache->rcu_id);
	for (size_t i = 0; i < buckets; i++) {
		uint64_t n = 0;

		for_each_chain (d, &cache->table[i])
			n++;
		if (n > c->longest_chain)
			c->longest_chain = n;
		c->used_buckets += n > 0;
	}
	rcu_exit(cache->rcu_id);
	return 0;
}

static int violation(const struct dentry *d, char *why, size_t size, const char *what)
{
	if (why)
		snprintf(why, size, "\"%s\" in \"%s\": %s", d_bytes(d), d_bytes(d_parent(d)), what);
	return -EUCLEAN;
}

/* How often @d is on the chain that its parent and name say. */
static unsigned times_hashed(struct dcs_cache *cache, const struct dentry *d)
{
	struct dentry *other;
	unsigned n = 0;

	for_each_chain (other, hash_bucket(cache, d_parent(d), d_hash_len(d)))
		n += other == d;
	return n;
}

/* Does another dentry on the chain answer to the same name? */
static bool doubled(struct dcs_cache *cache, const struct dentry *d)
{
	struct dentry *other;

	for_each_chain (other, hash_bucket(cache, d_parent(d), d_hash_len(d)))
		if (other != d && d_match(other, d_parent(d), d_bytes(d), d_hash_len(d)))
			return true;
	return false;
}

static int check_dentry(struct dcs_cache *cache, const struct dentry *d, char *why, size_t size)
{
	int32_t expected = (d_inode(d) && cache_pins(cache)) + (d == cache->root);
	uint32_t subdirs = 0;
	const struct dentry *child;

	for_each_child (child, d) {
		if (d_parent(child) != d)
			return violation(child, why, size, "is on the list of another directory");
		expected++;
		if (d_inode(child) && !d_unhashed(child))
			subdirs += inode_is_dir(d_inode(child));
	}
	if (lockref_is_locked(d->d_lockref))
		return violation(d, why, size, "d_lock is held");
	if (d->d_seq.sequence & 1)
		return violation(d, why, size, "d_seq is odd");
	if (d->d_flags != d_flags_for(cache, d_inode(d)))
		return violation(d, why, size, "type and inode disagree");
	if (d_children(d) && !(d->d_flags & D_DIR))
		return violation(d, why, size, "has children and is no directory");
	if (d == cache->root)
		return 0;
	if (!d_unhashed(d)) {
		if (d->d_lockref.count < expected)
			return violation(d, why, size, "fewer references than holders");
		if (times_hashed(cache, d) != 1)
			return violation(d, why, size, "is hashed but not once under its name");
		if (!d->d_lockref.count && d->d_lru_state < LRU_POSITIVE)
			return violation(d, why, size, "is unused and on no LRU list");
		if (doubled(cache, d))
			return violation(d, why, size, "has a double");
		if (d_inode(d) && d->d_flags & D_DIR && cache_pins(cache) &&
		    d_inode(d)->i_nlink != 2 + subdirs)
			return violation(d, why, size, "link count is not 2 plus subdirectories");
		if (d_inode(d) && cache_pins(cache) && !d_inode(d)->i_nlink)
			return violation(d, why, size, "has a name and no links");
	} else if (d->d_lockref.count <= 0) {
		return violation(d, why, size, "is unhashed, unused and not freed");
	}
	return 0;
}

/* At rest no walk holds the mount, nor a task a big-reader lock. */
static int check_let_go(struct dcs_cache *cache, char *why, size_t size)
{
	const struct dcs_task *t;

	pthread_mutex_lock(&cache->tasks_lock);
	for (t = cache->tasks; t; t = t->next)
		if (t->readers.dcache.n_readers || t->readers.mount.n_readers ||
		    t->readers.fs.n_readers)
			break;
	pthread_mutex_unlock(&cache->tasks_lock);
	if (!t && cache->mount.count == 1)
		return 0;
	if (why)
		snprintf(why, size, "%s; the count of the mount is %lu and not 1",
			 t ? "a task still reads under a lock" : "no lock is held",
			 cache->mount.count);
	return -EUCLEAN;
}

static int check_free_dentry(const void *object, void *own)
{
	(void)own;
	return d_constructed(object) ? 0 : -EUCLEAN;
}

static int check_free_inode(const void *object, void *own)
{
	(void)own;
	return inode_constructed(object) ? 0 : -EUCLEAN;
}

/* What is free is as a constructor made it, where there are constructors. */
static int check_free(struct dcs_cache *cache, char *why, size_t size)
{
	const char *what = NULL;

	if (slab_each_free(&cache->dentries, check_free_dentry, NULL))
		what = "dentry";
	else if (slab_each_free(&cache->inodes, check_free_inode, NULL))
		what = "inode";
	if (what && why)
		snprintf(why, size, "a free %s is not in constructed state", what);
	return what ? -EUCLEAN : 0;
}

static int op_check(struct dcs_cache *cache, char *why, size_t size)
{
	uint64_t dentries = 0, negatives = 0, hashed = 0, chained = 0;
	struct dentry *d;
	int err = 0;

	choose(&cache->choices);
	rcu_enter(cache->rcu_id);
	for (d = cache->root; d && !err; d = tree_next(cache->root, d)) {
		dentries++;
		negatives += !d_inode(d);
		hashed += !d_unhashed(d);
		err = check_dentry(cache, d, why, size);
	}
	for (size_t i = 0; i < (size_t)1 << cache->table_bits; i++)
		for_each_chain (d, &cache->table[i])
			chained++;
	rcu_exit(cache->rcu_id);
	err = err ?: check_let_go(cache, why, size);
	err = err ?: check_free(cache, why, size);
	if (err)
		return err;
	if (hashed != chained || negatives != cache->negatives || dentries != cache->live ||
	    dentries != slab_live(&cache->dentries)) {
		if (why)
			snprintf(why, size,
				 "%lu dentries in the tree and %lu allocated, %lu hashed and %lu "
				 "on chains, %lu negative and %lu counted",
				 dentries, slab_live(&cache->dentries), hashed, chained, negatives,
				 cache->negatives);
		return -EUCLEAN;
	}
	return 0;
}

/* At rest, with every callback done: give back what is left, leaves first. */
static void op_destroy(struct dcs_cache *cache)
{
	struct dentry *d = cache->root, *parent;

	while (d) {
		if (d_children(d)) {
			d = d_children(d);
			continue;
		}
		parent = d == cache->root ? NULL : d_parent(d);
		if (parent)
			sib_del(d);
		if (d_inode(d) && !sub_fetch_acq_rel(&d_inode(d)->i_count, 1)) {
			inode_end(d_inode(d));
			inode_free(d_inode(d));
		}
		if (name_external(d) && !sub_fetch_acq_rel(&name_external(d)->refs, 1))
			arena_free(&cache->names, name_external(d));
		slab_free(&cache->dentries, d);
		d = parent;
	}
}

#endif
