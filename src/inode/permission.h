/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * permission.h - who may do what to an inode: path_resolution(7), "Permissions"
 *
 * uid 0 has every capability and every other uid none. Results are of one
 * instant each for mode, owner and group, as the kernel's unlocked reads are.
 */
#ifndef INODE_PERMISSION_H
#define INODE_PERMISSION_H

#include "inode/inode.h"

#define MAY_EXEC  1u
#define MAY_WRITE 2u
#define MAY_READ  4u

static inline bool task_in_group(const struct dcs_task *task, uint32_t gid)
{
	if (task->gid == gid)
		return true;
	for (size_t i = 0; i < task->ngroups; i++)
		if (task->groups[i] == gid)
			return true;
	return false;
}

/* Returns 0 or -EACCES. */
static inline int inode_permission(const struct dcs_task *task, const struct inode *inode,
				   uint32_t mask)
{
	uint32_t mode = load_relaxed(&inode->i_mode), bits = mode;

	if (task->uid == load_relaxed(&inode->i_uid))
		bits >>= 6;
	else if ((mode >> 3 & 7) != (mode & 7) && task_in_group(task, load_relaxed(&inode->i_gid)))
		bits >>= 3;
	if (!(mask & ~bits & 7))
		return 0;
	/* Root needs an x bit somewhere only to execute a file. */
	if (task->uid == 0 && (S_ISDIR(mode) || !(mask & MAY_EXEC) || (mode & 0111)))
		return 0;
	return -EACCES;
}

/* May the task search the directory? Most are open to all, which the mode alone tells. */
static inline int may_search(const struct dcs_task *task, const struct inode *dir)
{
	if (likely((load_relaxed(&dir->i_mode) & 0111) == 0111))
		return 0;
	return inode_permission(task, dir, MAY_EXEC);
}

/* May the task change the inode's mode and owner, as its owner? */
static inline bool task_owns(const struct dcs_task *task, const struct inode *inode)
{
	return task->uid == 0 || task->uid == load_relaxed(&inode->i_uid);
}

#endif
