/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tree.h - name spaces to run over: imported once, loaded into any number of caches
 *
 * A tree is an array of entries in index order: byte order of the paths, which is
 * git's order of the files alone, and has a directory before what it holds. Paths are relative to
 * the tree's root, have no trailing slash, and lie one behind the other in the order of the
 * entries, each with TREE_PAD readable bytes behind its NUL, so that a walk in order reads its
 * paths in order too.
 */
#ifndef TREE_TREE_H
#define TREE_TREE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "dcs/dcs.h"

#define TREE_PAD 8

struct tree_entry {
	const char *path;
	const char *target; /* of a symbolic link, else NULL */
	uint32_t len;	    /* of the path */
	uint32_t mode;	    /* type and permission */
	uint32_t uid, gid;
	uint64_t size;
	int64_t mtime;
	uint64_t ino; /* after tree_load(): the inode number that a stat must give */
};

struct tree {
	char *spec; /* as the user wrote it */
	size_t n;
	struct tree_entry *entry;
	size_t n_files, n_dirs, n_links;
	size_t n_skipped; /* what dir: left out: see src/tree/dir.c */
	char *strings;
	size_t strings_size;
};

/**
 * tree_open - import a tree
 * @spec: `linux-6.1`, `dir:PATH`, ...: see tree_kinds
 * @why:  @size bytes (500 hold any) for one line that says what is wrong and
 *        where (file, line); after success empty, or what was left out: a warning
 *
 * A directory that is named only as part of a path is made, 0755. Names keep
 * their bytes, whatever they are. Sizes and times that a kind does not know are 0.
 * Errors: -EINVAL (unknown kind; no names; a bad line: an absolute path, an empty
 * one, `.`, `..` or `//`, a name over 255 bytes or a path over 4095, a duplicate,
 * a file that is also a directory, a NUL; a damaged .xz), -ENOMEM, or that of
 * the system call that failed (-ENOENT, -ENOTDIR, -EACCES, -EISDIR, -EIO, ...).
 */
int tree_open(const char *spec, struct tree **out, char *why, size_t size);
void tree_free(struct tree *tree);

/**
 * tree_load - create all entries below the task's cwd
 *
 * The task's credentials must allow it (uid 0 does); owners, modes and, where
 * the tree knows them, sizes and times are then as in the tree. Fills in
 * entry[].ino. Stops at the first error.
 */
int tree_load(struct tree *tree, struct dcs_task *task);

/* The kinds, for `dcsim list trees`; ends with a NULL name. */
extern const struct dcs_name tree_kinds[];

#endif
