/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ask.h - asking the store behind the cache, and telling it (dcs/store.h)
 *
 * A store may sleep, so a thread that asks has left its read-side section and is offline;
 * what it stands on it holds by reference, and by the lock of the directory. What
 * the store says is checked here, and no caller sees what is no errno.
 *
 * Each question is counted, and takes simulated time, which is added up and never slept.
 */
#ifndef INODE_ASK_H
#define INODE_ASK_H

#include <errno.h>
#include <sys/stat.h>

#include "dcache/cache.h"

static inline void ask_begin(struct dcs_task *task)
{
	count_add(&task->counters.store_asks, 1);
	count_add(&task->counters.store_ns, task->cache->store_latency);
	rcu_sleep_begin(task->cache->rcu);
}

static inline void ask_end(struct dcs_task *task)
{
	rcu_sleep_end(task->cache->rcu);
}

#define MAX_ERRNO 4095

/* @most: the greatest result that makes sense. */
static inline ssize_t ask_result(ssize_t result, ssize_t most)
{
	return result < -MAX_ERRNO || result > most ? -EIO : result;
}

/* Calls a function of the store; what it does not have, it does not allow. */
#define ask_up_to(most, task, function, ...)                                              \
	({                                                                                \
		const struct dcs_store_ops *ops_ = (task)->cache->store;                  \
		ssize_t result_ = -EROFS;                                                 \
                                                                                          \
		if (ops_->function) {                                                     \
			ask_begin(task);                                                  \
			result_ = ops_->function((task)->cache->store_data, __VA_ARGS__); \
			ask_end(task);                                                    \
		}                                                                         \
		ask_result(result_, most);                                                \
	})

#define ask(task, function, ...) ((int)ask_up_to(0, task, function, __VA_ARGS__))

/* Before a change is made in the cache: may it be? Without a store, nobody minds. */
#define tell(task, function, ...) ((task)->cache->store ? ask(task, function, __VA_ARGS__) : 0)

static inline bool mode_is_known(uint32_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
	case S_IFDIR:
	case S_IFLNK:
	case S_IFIFO:
	case S_IFSOCK:
	case S_IFCHR:
	case S_IFBLK:
		return true;
	default:
		return false;
	}
}

static inline bool attr_makes_sense(const struct dcs_stat *attr)
{
	return attr->ino && mode_is_known(attr->mode);
}

/* The store's count of @ino goes down again. May be called in a read-side section. */
static inline void ask_forget(struct dcs_cache *cache, uint64_t ino, uint64_t lookups)
{
	if (cache->store->forget && ino)
		cache->store->forget(cache->store_data, ino, lookups);
}

#endif
