/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * kbuild-replay.h - a log's calls done again on a cache: tasks for processes, and the tree that
 * the log implies
 *
 * close(2) is not in the log: a descriptor lives until its number is given again, its process
 * ends, or, with O_CLOEXEC, executes a program. An open for reading counts as one read of the
 * file, as an execution does. A process that no line begins has the working directory that the
 * first getcwd() gave.
 */
#ifndef WORKLOADS_KBUILD_REPLAY_H
#define WORKLOADS_KBUILD_REPLAY_H

#include <stdbool.h>

#include "dcs/store.h"
#include "strace.h"

#define REPLAY_SKIPPED 1 /* a descriptor that no line has opened; a call of no use */

struct replay {
	const struct strace *trace;
	struct dcs_cache *cache;
	void *disk; /* of dcs_store_disk(); NULL: none */
	/* Below: its own. */
	struct dcs_task *mother;
	char *cwd;
	struct process **process; /* by pid */
	uint32_t seen_mode;	  /* that the last stat gave */
	uint64_t opens, skipped;
};

/* The calling thread is registered with @cache. 0 or a negative errno. */
int replay_begin(struct replay *r, const struct strace *trace, struct dcs_cache *cache, void *disk);
void replay_end(struct replay *r);
/* Does a call: 0, REPLAY_SKIPPED or the negative errno that it gave. */
int replay_event(struct replay *r, const struct strace_event *e);
/* What the log has for it: 0 or a negative errno. */
int replay_wanted(const struct strace_event *e);

/* A file that was there before the first line. */
struct implied {
	char *path; /* from the root, without a slash at its end */
	char *target;
	uint32_t mode;
	uint64_t size;
};

struct implied_tree {
	size_t n;
	struct implied *file; /* directories before what they hold */
	size_t files, dirs, links;
};

/**
 * implied_tree_of - what must have been there, so that the calls of @trace give what they gave
 *
 * What a call found before another had made it was there. A type is that of the stat or
 * readlink(2), a directory's what is below it or O_DIRECTORY; else it is a file. 0 or -ENOMEM.
 */
int implied_tree_of(const struct strace *trace, struct implied_tree *tree);
void implied_tree_free(struct implied_tree *tree);
/* Makes all of it. 0 or a negative errno. */
int implied_tree_load(const struct implied_tree *tree, struct dcs_task *task);
/* Reads all of it once, as grep -r would. 0 or a negative errno. */
int implied_tree_read(const struct implied_tree *tree, struct dcs_task *task, void *disk);

#endif
