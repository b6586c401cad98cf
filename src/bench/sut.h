/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sut.h - a system under test: something that answers stats over a tree of names
 *
 * A cache made for one point on the axes, with the tree loaded below its root; or
 * a reference row, which is called the same way: the kernel's lstat(2), an empty
 * system call, hashing only, a dependent pointer chase. All are asked through one
 * function of one type, so that a workload's timed loop is the same for each:
 *
 *	wrong += sut_ask(w->stat, w->task, step->path, flags) != step->want;
 *
 * What to ask and what to expect comes from a plan made for that system: a
 * pointer chase, say, reads lines where a cache reads a path.
 */
#ifndef BENCH_SUT_H
#define BENCH_SUT_H

#include <errno.h>
#include <stdbool.h>

#include "dcs/dcs.h"
#include "tree/tree.h"

typedef int stat_fn(struct dcs_task *task, const char *path, unsigned flags, struct dcs_stat *st);

enum sut_kind {
	SUT_CACHE,
	SUT_LSTAT,
	SUT_SYSCALL,
	SUT_HASH_ONLY,
	SUT_CHASE,
};

struct sut {
	enum sut_kind kind;
	const char *walk; /* or the name of the reference row */
	/* NULL or "" where it has none. */
	const char *kernel, *layout, *hash, *flavour, *final, *refcount, *compare, *negatives,
		*store, *objects, *atime;
	char lock[128]; /* "bucket=mcs fs=rwlock": those that were chosen */
	stat_fn *stat;
	struct dcs_config
		config; /* what the cache is made of; without a store, that is the cache's */
	struct dcs_cache *cache; /* NULL: lstat, syscall, chase */
	struct dcs_task *root;	 /* cwd and root are the cache's root; NULL with cache */
	const struct tree *tree;
	uint64_t *ino; /* [tree->n]: the inode number that each entry's stat gives here */
	unsigned table_bits;
	int dir;	     /* lstat: the directory that holds the names */
	struct chase *chase; /* chase: the lines */
};

/* Does nothing, called like any stat: what is left is the workload's own time (`user`). */
stat_fn stat_null;

static inline bool sut_is_reference(const struct sut *sut)
{
	return sut->kind != SUT_CACHE;
}

#define SUT_TABLE_BITS 17 /* of the hash table that is not told, for a tree of few names */
#define SUT_MOST_BITS  26 /* and for one of many */
#define SUT_CAPACITY   ((size_t)4 << 20) /* of a cache that is not told */

/* A cache of @config with @tree loaded, or an empty one. What is wrong ends the program. */
struct sut *sut_new(const struct dcs_config *config, struct tree *tree);
/* An empty cache of @config in place of the one there, whose tasks are gone. */
void sut_renew(struct sut *sut, const struct dcs_config *config);
void sut_free(struct sut *sut); /* its tasks are gone */

/*
 * A task of the system, as dcs_task_new(); NULL and 0 where it has no cache. @like
 * may be NULL. The caller need not be registered, here and in all that sut.h and
 * bench.h offer; who calls dcs_mkdir() and its like directly must be.
 */
int sut_task(struct sut *sut, struct dcs_task *like, unsigned flags, struct dcs_task **out);
void sut_task_free(struct sut *sut, struct dcs_task *task); /* NULL is well */

/* What the cache holds now; for a system that has one. No operation runs. */
void sut_census(struct sut *sut, struct dcs_census *census);

/* An answer as one number: the inode's, 0 for -ENOENT, all ones for any other error. */
static inline uint64_t sut_ask(stat_fn *stat, struct dcs_task *task, const char *path,
			       unsigned flags)
{
	struct dcs_stat st;
	int err = stat(task, path, flags, &st);

	return !err ? st.ino : err == -ENOENT ? 0 : ~0ull;
}

/*
 * A plan: what one worker asks, in order, with the right answers. Strings lie in
 * memory in that order and are padded (DCS_PADDED); everything is faulted in.
 */
struct step {
	const char *path; /* what to pass to the system's stat */
	uint64_t want;	  /* what sut_ask() must give */
};

struct plan {
	size_t n;
	struct step *step; /* valid after plan_seal() */
	/* Below: while it is made. */
	struct sut *sut;
	size_t room, bytes, bytes_room;
	char *string;
};

/* Memory that runs out ends the program; paths longer than DCS_PATH_MAX do not occur. */
struct plan *plan_new(struct sut *sut);
void plan_entry(struct plan *plan, size_t index); /* entry @index of the tree */
/* Any path. @want: its inode number in this system, or 0 where -ENOENT is right. */
void plan_path(struct plan *plan, const char *path, uint64_t want);
void plan_seal(struct plan *plan);
void plan_free(struct plan *plan);

#endif
