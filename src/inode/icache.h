/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * icache.h - the inodes of a cache with a store behind it, by number; and how inodes end
 *
 * Each number has one inode, so that several names of a file share it. An inode lives
 * as long as a dentry holds it: there is no list of inodes that nothing refers to. A
 * chain and i_lookups are under the lock of the chain. One whose count is 0 is on its
 * way out and is passed over; its number may have a new inode beside it for a moment,
 * and the store's counts of both add up.
 */
#ifndef INODE_ICACHE_H
#define INODE_ICACHE_H

#include "inode/ask.h"
#include "inode/data.h"
#include "inode/inode.h"

static inline size_t icache_slot(const struct dcs_cache *cache, uint64_t ino)
{
	return (size_t)(ino * 0x9e3779b97f4a7c15u >> (64 - cache->table_bits));
}

static inline spin_t *icache_lock(struct dcs_cache *cache, size_t slot)
{
	return &cache->icache.locks[slot % ICACHE_LOCKS];
}

/* Under the lock of the chain: an inode with a number, referenced, and one lookup more. */
static inline struct inode *icache_find(struct inode *chain, uint64_t ino)
{
	for (struct inode *inode = chain; inode; inode = inode->i_next) {
		int32_t count = load_relaxed(&inode->i_count);

		if (inode->i_ino != ino)
			continue;
		while (count)
			if (cas_acq_rel(&inode->i_count, &count, count + 1)) {
				inode->i_lookups++;
				return inode;
			}
	}
	return NULL;
}

/* The inode with the number of @made, which is that one if there was none (@made NULL: look). */
static inline struct inode *icache_insert(struct dcs_cache *cache, uint64_t ino, struct inode *made)
{
	size_t slot = icache_slot(cache, ino);
	struct inode **chain = &cache->icache.table[slot], *inode;

	spin_lock(icache_lock(cache, slot));
	inode = icache_find(*chain, ino);
	if (!inode && made) {
		made->i_lookups = 1;
		made->i_next = *chain;
		made->i_pprev = chain;
		if (made->i_next)
			made->i_next->i_pprev = &made->i_next;
		*chain = inode = made;
	}
	spin_unlock(icache_lock(cache, slot));
	return inode;
}

/* The last reference is gone. */
static inline void icache_remove(struct inode *inode)
{
	struct dcs_cache *cache = inode->i_cache;
	size_t slot = icache_slot(cache, inode->i_ino);
	uint64_t lookups;

	if (!cache->store)
		return;
	inode_write_atime(inode); /* before another can be made from what the store says */
	spin_lock(icache_lock(cache, slot));
	*inode->i_pprev = inode->i_next;
	if (inode->i_next)
		inode->i_next->i_pprev = inode->i_pprev;
	lookups = inode->i_lookups;
	spin_unlock(icache_lock(cache, slot));
	ask_forget(cache, inode->i_ino, lookups);
}

/* The last reference is gone: no name and no open file has it. A walk may still look at it. */
static inline void inode_end(struct inode *inode)
{
	icache_remove(inode);
	if (inode->i_data)
		data_free(inode);
	sleep_lock_destroy(&inode->i_rwsem);
}

static inline void iput(struct inode *inode)
{
	struct dcs_cache *cache = inode->i_cache;

	if (sub_fetch_acq_rel(&inode->i_count, 1))
		return;
	inode_end(inode);
	backlog_defer(&cache->backlog, &inode->i_rcu, inode_rcu_free);
}

/* What the store says of an inode that nobody else sees, or under its i_lock. */
static inline void inode_take_attr(struct inode *inode, const struct dcs_stat *attr)
{
	store_relaxed(&inode->i_mode, attr->mode);
	store_relaxed(&inode->i_uid, attr->uid);
	store_relaxed(&inode->i_gid, attr->gid);
	store_relaxed(&inode->i_nlink, attr->nlink);
	store_relaxed(&inode->i_rdev, attr->rdev);
	store_relaxed(&inode->i_size, attr->size);
	if (!inode->i_atime_late)
		store_relaxed(&inode->i_atime, inode_pack_time(&attr->atime));
	store_relaxed(&inode->i_mtime, inode_pack_time(&attr->mtime));
	store_relaxed(&inode->i_ctime, inode_pack_time(&attr->ctime));
}

/* A link's body from the store; it has no NUL and is no longer than a path. */
static inline int ask_link(struct dcs_task *task, uint64_t ino, char body[DCS_PATH_MAX])
{
	ssize_t n = ask_up_to(DCS_PATH_MAX - 1, task, readlink, ino, body, DCS_PATH_MAX - 1);

	if (n < 0)
		return (int)n;
	body[n] = '\0';
	return !n || strlen(body) != (size_t)n ? -EIO : 0;
}

/* An inode as @attr says; @target: the body of a link that was just made, else NULL. */
static inline int inode_from_store(struct dcs_task *task, const struct dcs_stat *attr,
				   const char *target, struct inode **out)
{
	char body[DCS_PATH_MAX];
	int err = 0;

	if (S_ISLNK(attr->mode) && !target) {
		err = ask_link(task, attr->ino, body);
		target = body;
	}
	if (err)
		return err;
	*out = inode_alloc(task->cache, attr->mode, 0, 0, target);
	if (!*out)
		return -ENOMEM;
	(*out)->i_ino = attr->ino;
	inode_take_attr(*out, attr);
	return 0;
}

/*
 * The inode that an answer of the store speaks of, with a reference. The lookup that the
 * answer counts is the inode's from here on, or is taken back: on -EIO (nonsense), -ESTALE
 * (a file does not change its type), -ENOMEM, and what reading a link gives.
 */
static inline int iget_answer(struct dcs_task *task, const struct dcs_stat *attr,
			      const char *target, struct inode **out)
{
	struct dcs_cache *cache = task->cache;
	struct inode *inode, *made = NULL;
	int err;

	if (!attr_makes_sense(attr)) {
		ask_forget(cache, attr->ino, 1);
		return -EIO;
	}
	inode = icache_insert(cache, attr->ino, NULL);
	if (!inode) {
		err = inode_from_store(task, attr, target, &made);
		if (err) {
			ask_forget(cache, attr->ino, 1);
			return err;
		}
		inode = icache_insert(cache, attr->ino, made);
		if (inode != made)
			inode_discard(made);
	}
	if ((load_relaxed(&inode->i_mode) ^ attr->mode) & S_IFMT) {
		iput(inode);
		return -ESTALE;
	}
	*out = inode;
	return 0;
}

#endif
