/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * probe_store.h - the store in memory, counted, and made to fail, lie and block
 *
 * Each question of a kind is counted. One that is told to goes wrong: the hook of its kind
 * runs after the store has answered and may change the answer; or a result is given in
 * place of one. What is given and forgotten of each number is kept, and forgetting
 * what was not given ends the test.
 */
#ifndef TESTS_PROBE_STORE_H
#define TESTS_PROBE_STORE_H

#include <errno.h>
#include <unistd.h>

#include "dcs/store.h"
#include "variants.h"

enum question {
	Q_ROOT,
	Q_LOOKUP,
	Q_REVALIDATE,
	Q_READLINK,
	Q_CREATE,
	Q_LINK,
	Q_REMOVE,
	Q_RENAME,
	Q_SETATTR,
	QUESTIONS,
};

#define NUMBERS 65536

static struct {
	struct dcs_store_ops ops;
	const struct dcs_store_ops *memory;
	unsigned asked[QUESTIONS];
	/* The next @times questions of kind @wrong, about @name if it is there. */
	enum question wrong;
	unsigned times;
	const char *name;
	ssize_t result;			    /* in place of the store's, which is not asked, */
	void (*lie)(struct dcs_stat *attr); /* or what is done to its answer */
	void (*sleep)(void);		    /* in lookups of @slow */
	const char *slow;
	unsigned slept;
	int32_t given[NUMBERS]; /* and not forgotten */
} probe;

static bool is_name(const char *wanted, const char *name, size_t len)
{
	return !wanted || (name && strlen(wanted) == len && !memcmp(wanted, name, len));
}

/* Does this question go wrong? */
static bool goes_wrong(enum question q, const char *name, size_t len)
{
	__atomic_fetch_add(&probe.asked[q], 1, __ATOMIC_RELAXED);
	if (probe.wrong != q || !probe.times || !is_name(probe.name, name, len))
		return false;
	probe.times--;
	return true;
}

/* An answer that counts, after what is to be done to it. */
static int answer(int result, bool wrong, struct dcs_stat *attr)
{
	if (wrong && probe.lie)
		probe.lie(attr);
	if (result >= 0)
		__atomic_fetch_add(&probe.given[attr->ino % NUMBERS], 1, __ATOMIC_RELAXED);
	return result;
}

static int probe_root(void *store, struct dcs_stat *attr)
{
	bool wrong = goes_wrong(Q_ROOT, NULL, 0);

	if (wrong && !probe.lie)
		return (int)probe.result;
	return answer(probe.memory->root(store, attr), wrong, attr);
}

static int probe_lookup(void *store, uint64_t dir, const char *name, size_t len,
			struct dcs_stat *attr)
{
	bool wrong = goes_wrong(Q_LOOKUP, name, len);
	int err;

	if (probe.sleep && is_name(probe.slow, name, len)) {
		probe.sleep();
		__atomic_fetch_add(&probe.slept, 1, __ATOMIC_RELAXED);
	}
	if (wrong && !probe.lie)
		return (int)probe.result;
	err = probe.memory->lookup(store, dir, name, len, attr);
	return err ?: answer(0, wrong, attr);
}

static int probe_revalidate(void *store, uint64_t dir, const char *name, size_t len, uint64_t ino,
			    struct dcs_stat *attr)
{
	bool wrong = goes_wrong(Q_REVALIDATE, name, len);
	int err;

	if (wrong && !probe.lie)
		return (int)probe.result;
	err = probe.memory->lookup(store, dir, name, len, attr);
	if (err == -ENOENT)
		return !ino;
	if (!err && attr->ino != ino) {
		probe.memory->forget(store, attr->ino, 1);
		return 0;
	}
	return err ?: answer(1, wrong, attr);
}

static ssize_t probe_readlink(void *store, uint64_t ino, char *buf, size_t size)
{
	if (!goes_wrong(Q_READLINK, NULL, 0))
		return probe.memory->readlink(store, ino, buf, size);
	if (probe.result > 0)
		memset(buf, 0, (size_t)probe.result < size ? (size_t)probe.result : size);
	return probe.result;
}

static int probe_create(void *store, uint64_t dir, const char *name, size_t len, const char *target,
			struct dcs_stat *attr)
{
	bool wrong = goes_wrong(Q_CREATE, name, len);
	int err;

	if (wrong && !probe.lie)
		return (int)probe.result;
	err = probe.memory->create(store, dir, name, len, target, attr);
	return err ?: answer(0, wrong, attr);
}

#define PROBE(Q, FUNCTION, NAME, LEN, PARAMETERS, ARGUMENTS)  \
	static int probe_##FUNCTION PARAMETERS                \
	{                                                     \
		if (goes_wrong(Q, NAME, LEN))                 \
			return (int)probe.result;             \
		return (int)probe.memory->FUNCTION ARGUMENTS; \
	}

PROBE(Q_LINK, link, name, len,
      (void *store, uint64_t ino, uint64_t dir, const char *name, size_t len),
      (store, ino, dir, name, len))
PROBE(Q_REMOVE, remove, name, len,
      (void *store, uint64_t dir, const char *name, size_t len, uint64_t ino),
      (store, dir, name, len, ino))
PROBE(Q_RENAME, rename, name, len,
      (void *store, uint64_t dir, const char *name, size_t len, uint64_t to_dir, const char *to,
       size_t to_len, unsigned flags),
      (store, dir, name, len, to_dir, to, to_len, flags))
PROBE(Q_SETATTR, setattr, NULL, 0,
      (void *store, uint64_t ino, const struct dcs_stat *attr, unsigned what),
      (store, ino, attr, what))

static void probe_forget(void *store, uint64_t ino, uint64_t lookups)
{
	int32_t n = (int32_t)lookups;

	if (__atomic_sub_fetch(&probe.given[ino % NUMBERS], n, __ATOMIC_RELAXED) < 0) {
		fprintf(stderr, "inode %lu is forgotten more often than it was given\n", ino);
		abort();
	}
	probe.memory->forget(store, ino, lookups);
}

static void probe_config(bool revalidate)
{
	memset(&probe, 0, sizeof(probe));
	IS(dcs_store_memory(&config), 0);
	probe.memory = config.store;
	probe.ops = *config.store;
	probe.ops.root = probe_root;
	probe.ops.lookup = probe_lookup;
	probe.ops.revalidate = revalidate ? probe_revalidate : NULL;
	probe.ops.readlink = probe_readlink;
	probe.ops.create = probe_create;
	probe.ops.link = probe_link;
	probe.ops.remove = probe_remove;
	probe.ops.rename = probe_rename;
	probe.ops.setattr = probe_setattr;
	probe.ops.forget = probe_forget;
	config.store = &probe.ops;
}

/* What the next @times questions give: @result. */
static void gives(enum question q, const char *name, unsigned times, ssize_t result)
{
	probe.wrong = q;
	probe.name = name;
	probe.times = times;
	probe.result = result;
	probe.lie = NULL;
}

static void lies(enum question q, const char *name, unsigned times,
		 void (*lie)(struct dcs_stat *attr))
{
	gives(q, name, times, 0);
	probe.lie = lie;
}

static void open_cache(bool revalidate)
{
	probe_config(revalidate);
	IS(dcs_cache_new(&config, &cache, NULL), 0);
	IS(dcs_thread_register(cache), 0);
	IS(dcs_task_new(cache, NULL, 0, &task), 0);
}

/* All that was given has been forgotten, and nothing is wrong with what is left. */
static void close_cache(void)
{
	char why[300] = "";

	probe.sleep = NULL;
	probe.times = 0;
	dcs_task_free(task);
	if (dcs_check(cache, why, sizeof(why)))
		fail_msg("%s: %s", variant(), why);
	IS(counted().pending, 0);
	dcs_cache_free(cache);
	for (int i = 0; i < NUMBERS; i++)
		IS(probe.given[i], 0);
}

/* Each walk, with each flavour or with one, and both ends of a walk. */
static __attribute__((unused)) void in_caches(void (*body)(void), bool all_flavours,
					      bool revalidate, uint64_t limit)
{
	const struct dcs_name *walk, *flavour;

	for (walk = dcs_list("walks"); walk->name; walk++)
		for (flavour = dcs_list("flavours"); flavour->name; flavour++)
			for (int final = 0; final < 2; final++) {
				if (!all_flavours && flavour != dcs_list("flavours"))
					continue;
				config = (struct dcs_config){
					.walk = walk->name,
					.flavour = flavour->name,
					.final = (enum dcs_final) final,
					.table_bits = 6,
					.capacity = 4096,
					.limit = limit,
					.store_latency = 1000000000,
				};
				open_cache(revalidate);
				body();
				close_cache();
			}
}

#endif
