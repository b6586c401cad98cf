/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * stress_store.h - the store in memory, watched: does the cache keep to store.h?
 *
 * No two calls about one directory at once, and none about a number that it does not hold; each
 * lookup that is given is forgotten, once.
 */
#ifndef STRESS_STORE_H
#define STRESS_STORE_H

#define WATCHED 64 /* directories, by number modulo this */

static struct dcs_store_ops watched, memory;
static long lookups_given, lookups_forgotten;
static uint64_t busy_with[WATCHED];

/* Lookups that the cache holds, by number modulo this. */
#define HELD (1 << 20)
static int32_t held[HELD];

static void known(uint64_t ino)
{
	if (__atomic_load_n(&held[ino % HELD], __ATOMIC_RELAXED) <= 0)
		wrong("a call about inode %lu, which was forgotten", ino);
}

static void busy(uint64_t dir)
{
	uint64_t *slot = &busy_with[dir % WATCHED];

	known(dir);
	if (__atomic_exchange_n(slot, dir, __ATOMIC_RELAXED) == dir)
		wrong("two calls at once about directory %lu", dir);
	sched_yield();
}

static void done(uint64_t dir)
{
	__atomic_store_n(&busy_with[dir % WATCHED], 0, __ATOMIC_RELAXED);
}

static int given(int err, const struct dcs_stat *attr)
{
	if (!err) {
		__atomic_fetch_add(&held[attr->ino % HELD], 1, __ATOMIC_RELAXED);
		__atomic_fetch_add(&lookups_given, 1, __ATOMIC_RELAXED);
	}
	return err;
}

static int watched_root(void *store, struct dcs_stat *attr)
{
	return given(memory.root(store, attr), attr);
}

static int watched_lookup(void *store, uint64_t dir, const char *name, size_t len,
			  struct dcs_stat *attr)
{
	int err;

	busy(dir);
	err = given(memory.lookup(store, dir, name, len, attr), attr);
	done(dir);
	return err;
}

static int watched_create(void *store, uint64_t dir, const char *name, size_t len,
			  const char *target, struct dcs_stat *attr)
{
	int err;

	busy(dir);
	err = given(memory.create(store, dir, name, len, target, attr), attr);
	if (err)
		wrong("create of a name that the cache did not know: %s", strerror(-err));
	done(dir);
	return err;
}

static int watched_remove(void *store, uint64_t dir, const char *name, size_t len, uint64_t ino)
{
	int err;

	busy(dir);
	known(ino);
	err = memory.remove(store, dir, name, len, ino);
	if (err && err != -ENOTEMPTY)
		wrong("remove of a name that is not there: %s", strerror(-err));
	done(dir);
	return err;
}

static int watched_rename(void *store, uint64_t dir, const char *name, size_t len, uint64_t to_dir,
			  const char *to, size_t to_len, unsigned flags)
{
	int err;

	busy(dir);
	if (to_dir % WATCHED != dir % WATCHED)
		busy(to_dir);
	err = memory.rename(store, dir, name, len, to_dir, to, to_len, flags);
	if (err && err != -ENOTEMPTY)
		wrong("rename of names that the cache did not know: %s", strerror(-err));
	done(dir);
	done(to_dir);
	return err;
}

static void watched_forget(void *store, uint64_t ino, uint64_t lookups)
{
	__atomic_fetch_add(&lookups_forgotten, (long)lookups, __ATOMIC_RELAXED);
	if (__atomic_sub_fetch(&held[ino % HELD], (int32_t)lookups, __ATOMIC_RELAXED) < 0)
		wrong("inode %lu is forgotten more often than it was given", ino);
	memory.forget(store, ino, lookups);
}

static void checked_store(struct dcs_config *config)
{
	if (dcs_store_memory(config))
		abort();
	memory = watched = *config->store;
	watched.root = watched_root;
	watched.lookup = watched_lookup;
	watched.create = watched_create;
	watched.remove = watched_remove;
	watched.rename = watched_rename;
	watched.forget = watched_forget;
	config->store = &watched;
}

#endif
