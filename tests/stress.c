/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * stress.c - lookups, creates, unlinks, renames and exchanges at once
 *
 *	stress [walk] [flavour] [ref|none] [seconds] [seed, 0: the time] [NAME=VALUE]...
 *
 * where NAME is a role of locks, refcount, limit (dentries, above which unused ones go), negatives
 * (the policy of them), store (memory: behind the cache, and checked: stress_store.h).
 *
 * Four threads (more than cores, so that threads are also preempted inside) run
 * everything over a few names in few directories and a table of few buckets, so
 * that chains are long and moves lead walks astray. Each answer is checked:
 *
 *   tokens	files that are only renamed and exchanged: whatever a walk finds under a
 *		token's name is a regular file with a token's inode number, and at the
 *		end each token is there once (no name lost or doubled)
 *   stay	names that are always there, below directories that are exchanged:
 *		never ENOENT, and one of the inode numbers that they can have
 *   over	a name that is renamed over all the time: never ENOENT
 *   mixed	a name that is by turns a file, a directory, a link and nothing: type
 *		and answer agree
 *   cwd	chdir to a name that comes and goes: `.` is a directory afterwards
 *   scratch	create and unlink, link and rmdir: each inode is freed once
 *   shrink	unused dentries are let go: oldest first, below a directory, all
 *
 * At the end: dcs_check(), nothing pending, and inodes made = inodes freed + live; or
 * with a store, which has the inodes, every lookup that it gave was forgotten.
 * A wrong answer is one line with "stress: wrong" and exit status 1.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "dcs/dcs.h"
#include "dcs/store.h"

#define THREADS 4
#define DIRS	4
#define TOKENS	16
#define SLOTS	(4 * TOKENS) /* names that a token may have, over all directories */

static struct dcs_cache *cache;
static bool stop;
static uint64_t token_ino[TOKENS], stay_ino[2];
static uint64_t made; /* inodes */

static __attribute__((noreturn, format(printf, 1, 2))) void wrong(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	fprintf(stderr, "stress: wrong: ");
	vfprintf(stderr, format, ap);
	fprintf(stderr, "\n");
	va_end(ap);
	_exit(1);
}

static uint64_t rng(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

#include "stress_store.h"

#ifdef DCS_PREEMPT
/*
 * Called by the core where an interleaving matters: now and then another thread runs,
 * and more rarely it has the time for a whole operation.
 */
void preempt_point(void);
void preempt_point(void)
{
	static __thread uint64_t state;
	uint64_t draw = rng(&state);

	if (!state)
		state = (uintptr_t)&state;
	if (!(draw & 1023))
		usleep(20);
	else if (!(draw & 63))
		sched_yield();
}
#endif

static unsigned below(uint64_t *state, unsigned n)
{
	return (unsigned)((rng(state) >> 32) * n >> 32);
}

/* One of the errors that the operation may give while others change the tree. */
static int expect(int got, const char *what, const int *allowed)
{
	for (; *allowed; allowed++)
		if (got == *allowed)
			return got;
	if (got)
		wrong("%s: %s", what, strerror(-got));
	return 0;
}
#define EXPECT(call, ...) expect(call, #call, (const int[]){__VA_ARGS__ __VA_OPT__(, ) 0})

/* Every third name is too long to be held inline. */
static void slot_name(char *buf, size_t size, unsigned slot)
{
	snprintf(buf, size, "d%u/token-%u%s", slot % DIRS, slot,
		 slot % 3 ? "" : "-with-a-name-that-is-longer-than-the-room-inside-a-dentry");
}

static bool is_token(uint64_t ino)
{
	for (int i = 0; i < TOKENS; i++)
		if (token_ino[i] == ino)
			return true;
	return false;
}

static void tokens(struct dcs_task *task, uint64_t *seed)
{
	char from[128], to[128];
	struct dcs_stat st;

	slot_name(from, sizeof(from), below(seed, SLOTS));
	slot_name(to, sizeof(to), below(seed, SLOTS));
	switch (below(seed, 4)) {
	case 0:
		EXPECT(dcs_rename(task, from, to, DCS_RENAME_NOREPLACE), -ENOENT, -EEXIST);
		break;
	case 1:
		EXPECT(dcs_rename(task, from, to, DCS_RENAME_EXCHANGE), -ENOENT);
		break;
	default:
		if (!EXPECT(dcs_stat(task, from, 0, &st), -ENOENT) &&
		    (!is_token(st.ino) || !S_ISREG(st.mode)))
			wrong("%s is inode %lu, mode %o", from, st.ino, st.mode);
	}
}

static void stay(struct dcs_task *task, uint64_t *seed)
{
	static const char *const paths[] = {
		"left/stay",	 "right/stay",	     "left/../right/stay",
		"/to-left/stay", "left/sub/../stay", "right/sub/up/stay",
	};
	const char *path = paths[below(seed, sizeof(paths) / sizeof(paths[0]))];
	struct dcs_stat st;

	if (below(seed, 8) == 0) {
		EXPECT(dcs_rename(task, "left", "right", DCS_RENAME_EXCHANGE));
		return;
	}
	EXPECT(dcs_stat(task, path, 0, &st));
	if (st.ino != stay_ino[0] && st.ino != stay_ino[1])
		wrong("%s is inode %lu", path, st.ino);
}

static void over(struct dcs_task *task, uint64_t *seed, unsigned me)
{
	struct dcs_stat st;
	char name[32];

	if (below(seed, 4)) {
		EXPECT(dcs_stat(task, "d0/over", 0, &st));
		if (!S_ISREG(st.mode))
			wrong("over has mode %o", st.mode);
		return;
	}
	snprintf(name, sizeof(name), "d%u/new-%u", below(seed, DIRS), me);
	EXPECT(dcs_create(task, name, 0644));
	__atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
	EXPECT(dcs_rename(task, name, "d0/over", 0));
}

static void mixed(struct dcs_task *task, uint64_t *seed)
{
	const char *name = "d1/mixed";
	struct dcs_stat st;
	int err;

	switch (below(seed, 10)) {
	case 0:
		err = EXPECT(dcs_create(task, name, 0644), -EEXIST);
		break;
	case 1:
		err = EXPECT(dcs_mkdir(task, name, 0755), -EEXIST);
		break;
	case 2:
		err = EXPECT(dcs_symlink(task, "over", name), -EEXIST);
		break;
	case 3:
		EXPECT(dcs_unlink(task, name), -ENOENT, -EISDIR);
		return;
	case 4:
		EXPECT(dcs_rmdir(task, name), -ENOENT, -ENOTDIR);
		return;
	case 5:
		if (!EXPECT(dcs_stat(task, "d1/mixed/.", 0, &st), -ENOENT, -ENOTDIR) &&
		    !S_ISDIR(st.mode))
			wrong("mixed/. has mode %o", st.mode);
		return;
	case 6:
		if (!EXPECT(dcs_chdir(task, name), -ENOENT, -ENOTDIR)) {
			EXPECT(dcs_stat(task, ".", 0, &st));
			if (!S_ISDIR(st.mode))
				wrong("the cwd has mode %o", st.mode);
			EXPECT(dcs_stat(task, "missing", 0, &st), -ENOENT);
			EXPECT(dcs_chdir(task, "/"));
		}
		return;
	default:
		if (EXPECT(dcs_stat(task, name, DCS_NOFOLLOW, &st), -ENOENT))
			return;
		if (!S_ISREG(st.mode) && !S_ISDIR(st.mode) && !S_ISLNK(st.mode))
			wrong("mixed has mode %o", st.mode);
		if (S_ISLNK(st.mode) && st.size != strlen("over"))
			wrong("a link of %lu bytes", st.size);
		return;
	}
	if (!err)
		__atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
}

static void scratch(struct dcs_task *task, uint64_t *seed, unsigned me)
{
	char name[64], other[96];
	struct dcs_stat st;

	snprintf(name, sizeof(name), "d%u/scratch-%u-%u", below(seed, DIRS), me, below(seed, 64));
	snprintf(other, sizeof(other), "d%u/other-%u", below(seed, DIRS), me);
	switch (below(seed, 3)) {
	case 0:
		EXPECT(dcs_create(task, name, 0600));
		EXPECT(dcs_link(task, name, other, 0));
		EXPECT(dcs_stat(task, other, 0, &st));
		if (st.nlink != 2)
			wrong("%s has %u links", other, st.nlink);
		EXPECT(dcs_unlink(task, name));
		EXPECT(dcs_stat(task, name, 0, &st), -ENOENT);
		EXPECT(dcs_unlink(task, other));
		break;
	case 1:
		EXPECT(dcs_mkdir(task, name, 0700));
		snprintf(other, sizeof(other), "%s/missing", name);
		EXPECT(dcs_stat(task, other, 0, &st), -ENOENT);
		EXPECT(dcs_rmdir(task, name));
		break;
	default:
		if (dcs_stat(task, name, 0, &st) != -ENOENT)
			wrong("%s exists", name);
		return;
	}
	__atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
}

static void shrink(struct dcs_task *task, uint64_t *seed)
{
	static const char *const dirs[] = {"/", "/left", "d0", "d1"};

	switch (below(seed, 8)) {
	case 0:
		dcs_drop_caches(cache, 2);
		break;
	case 1:
		EXPECT(dcs_shrink_tree(task, dirs[below(seed, 4)]));
		break;
	case 2:
		dcs_shrink(cache, below(seed, 32));
		break;
	case 3:
		EXPECT(dcs_sync(cache));
		break;
	default:
		break;
	}
}

struct worker {
	pthread_t thread;
	struct dcs_task *task;
	uint64_t seed, ops;
	unsigned me;
};

static void *work(void *arg)
{
	struct worker *w = arg;

	dcs_thread_register(cache);
	for (; !__atomic_load_n(&stop, __ATOMIC_RELAXED); w->ops++) {
		switch (below(&w->seed, 6)) {
		case 0:
			tokens(w->task, &w->seed);
			break;
		case 1:
			stay(w->task, &w->seed);
			break;
		case 2:
			over(w->task, &w->seed, w->me);
			break;
		case 3:
			mixed(w->task, &w->seed);
			break;
		case 4:
			shrink(w->task, &w->seed);
			break;
		default:
			scratch(w->task, &w->seed, w->me);
		}
	}
	dcs_thread_unregister(cache);
	return NULL;
}

static uint64_t ino_of(struct dcs_task *task, const char *path)
{
	struct dcs_stat st;

	EXPECT(dcs_stat(task, path, 0, &st));
	return st.ino;
}

static void set_up(struct dcs_task *task)
{
	char name[128];

	for (unsigned i = 0; i < DIRS; i++) {
		snprintf(name, sizeof(name), "d%u", i);
		EXPECT(dcs_mkdir(task, name, 0755));
	}
	for (unsigned i = 0; i < TOKENS; i++) {
		slot_name(name, sizeof(name), i);
		EXPECT(dcs_create(task, name, 0644));
		token_ino[i] = ino_of(task, name);
	}
	for (int i = 0; i < 2; i++) {
		const char *dir = i ? "right" : "left";

		EXPECT(dcs_mkdir(task, dir, 0755));
		snprintf(name, sizeof(name), "%s/stay", dir);
		EXPECT(dcs_create(task, name, 0644));
		stay_ino[i] = ino_of(task, name);
		snprintf(name, sizeof(name), "%s/sub", dir);
		EXPECT(dcs_mkdir(task, name, 0755));
		snprintf(name, sizeof(name), "%s/sub/up", dir);
		EXPECT(dcs_symlink(task, "..", name));
	}
	EXPECT(dcs_symlink(task, "left", "to-left"));
	EXPECT(dcs_create(task, "d0/over", 0644));
	made = 1 /* root */ + DIRS + TOKENS + 2 * 4 + 2;
}

static void check_tokens(struct dcs_task *task)
{
	unsigned seen[TOKENS] = {0};
	struct dcs_stat st;
	char name[128];

	for (unsigned slot = 0; slot < SLOTS; slot++) {
		slot_name(name, sizeof(name), slot);
		if (EXPECT(dcs_stat(task, name, 0, &st), -ENOENT))
			continue;
		for (int i = 0; i < TOKENS; i++)
			seen[i] += token_ino[i] == st.ino;
	}
	for (int i = 0; i < TOKENS; i++)
		if (seen[i] != 1)
			wrong("token %d is there %u times", i, seen[i]);
}

/* ROLE=LOCK. Four threads on fewer cores: fair locks do little unless waiters yield. */
static bool set_lock(struct dcs_config *config, const char *option, size_t len)
{
	const struct dcs_name *role = dcs_list("lock-roles");

	for (int i = 0; i < DCS_LOCK_ROLES; i++)
		if (strlen(role[i].name) == len && !strncmp(option, role[i].name, len)) {
			config->lock[i] = option + len + 1;
			dcs_yield_after(100);
			return true;
		}
	return false;
}

static void set_option(struct dcs_config *config, const char *option)
{
	const char *value = strchr(option, '=');
	size_t len = value ? (size_t)(value++ - option) : 0;

	if (len == 5 && !strncmp(option, "limit", len)) {
		config->limit = strtoull(value, NULL, 0);
	} else if (len == 9 && !strncmp(option, "negatives", len)) {
		config->negatives = value;
	} else if (len == 5 && !strncmp(option, "atime", len)) {
		config->atime = value;
	} else if (!strcmp(option, "store=memory")) {
		checked_store(config);
	} else if (!strcmp(option, "objects=constructed")) {
		config->objects = value;
	} else if (len == 8 && !strncmp(option, "refcount", len)) {
		config->refcount = value;
	} else if (len == 7 && !strncmp(option, "compare", len)) {
		config->compare = value;
	} else if (len == 6 && !strncmp(option, "kernel", len)) {
		config->kernel = value;
		config->walk = NULL; /* the kernel's */
	} else if (!set_lock(config, option, len)) {
		fprintf(stderr, "stress: unknown option %s\n", option);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	struct dcs_config config = {.table_bits = 3, .capacity = 1 << 20};
	struct worker workers[THREADS] = {0};
	struct dcs_counters counters;
	struct dcs_census census;
	struct dcs_task *task;
	double seconds = argc > 4 ? strtod(argv[4], NULL) : 2;
	uint64_t seed = argc > 5 ? strtoull(argv[5], NULL, 0) : 0, ops = 0;
	const char *why_not = "";
	char why[512];

	config.walk = argc > 1 ? argv[1] : NULL;
	config.flavour = argc > 2 ? argv[2] : NULL;
	config.final = argc > 3 && !strcmp(argv[3], "none") ? DCS_FINAL_NONE : DCS_FINAL_REF;
	if (!seed)
		seed = (uint64_t)time(NULL);
	for (int i = 6; i < argc; i++)
		set_option(&config, argv[i]);
	if (dcs_cache_new(&config, &cache, &why_not)) {
		fprintf(stderr, "stress: %s\n", why_not);
		return 2;
	}
	dcs_thread_register(cache);
	EXPECT(dcs_task_new(cache, NULL, 0, &task));
	set_up(task);
	for (unsigned i = 0; i < THREADS; i++) {
		workers[i].me = i;
		workers[i].seed = seed + i;
		EXPECT(dcs_task_new(cache, task, 0, &workers[i].task));
		pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	}
	dcs_thread_offline(cache);
	usleep((useconds_t)(seconds * 1e6));
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		ops += workers[i].ops;
	}
	dcs_thread_online(cache);
	for (unsigned i = 0; i < THREADS; i++)
		dcs_task_free(workers[i].task);
	check_tokens(task);
	dcs_barrier(cache);
	if (dcs_check(cache, why, sizeof(why)))
		wrong("%s (seed %lu)", why, seed);
	dcs_census(cache, &census);
	if (census.pending)
		wrong("%lu objects pending after the barrier", census.pending);
	if (!config.store && census.inodes + census.freed_inodes != made)
		wrong("%lu inodes made, %lu live, %lu freed", made, census.inodes,
		      census.freed_inodes);
	dcs_counters(cache, &counters);
	printf("%lu operations, seed %lu: %lu rcu-walks, %lu ref-walks, exits nodentry %lu seq %lu "
	       "legitimize %lu atime %lu, %lu rename retries, %lu freed, %lu evicted, %lu access "
	       "times\n",
	       ops, seed, counters.rcu_walks, counters.ref_walks, counters.exits[DCS_EXIT_NODENTRY],
	       counters.exits[DCS_EXIT_SEQ], counters.exits[DCS_EXIT_LEGITIMIZE],
	       counters.exits[DCS_EXIT_ATIME], counters.rename_retries,
	       census.freed_dentries + census.freed_inodes, census.evicted, counters.atime_stores);
	if (config.atime && !counters.atime_stores)
		wrong("no access time was stored");
	if (counters.atime_writes > counters.atime_stores)
		wrong("%lu access times told of %lu", counters.atime_writes, counters.atime_stores);
	if (!ops)
		wrong("nothing was done");
	dcs_task_free(task);
	dcs_cache_free(cache);
	if (lookups_given != lookups_forgotten)
		wrong("%ld lookups given and %ld forgotten", lookups_given, lookups_forgotten);
	return 0;
}
