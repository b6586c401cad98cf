/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* open-file.h - open files, and a task's table of them */
#ifndef WALK_OPEN_FILE_H
#define WALK_OPEN_FILE_H

#include "dcache/cache.h"

/* What fork() shares: an open file description. Lock order: before any i_rwsem. */
struct file {
	struct dentry *dentry;	/* referenced; never negative */
	unsigned flags;		/* of <fcntl.h> */
	uint32_t users;		/* descriptors */
	struct sleep_lock lock; /* of what follows: how far a directory has been read */
	unsigned dots;		/* of `.` and `..`, given */
	struct dentry *cursor;	/* the last child passed, referenced; NULL: none yet */
	uint64_t key;		/* and its d_sib_key then */
	uint64_t cookie;	/* the store's */
};

/* Called by dcs_task_new() and dcs_task_free(). */
int files_copy(struct dcs_task *task, const struct dcs_task *from);
void files_free(struct dcs_task *task);

#endif
