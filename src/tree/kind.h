/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * kind.h - how a kind of tree is written
 *
 * A kind is one file with one function, and one line of TREE_KINDS. Its function
 * adds the names that it knows to a struct tree_build, in any order; tree.c
 * sorts and checks them, makes the directories that no name was given for, and
 * lays the paths out. A kind that reads lines of text takes paths_read().
 */
#ifndef TREE_KIND_H
#define TREE_KIND_H

#include <stddef.h>
#include <stdint.h>

#include "tree/tree.h"

/* KIND(name as a user writes it, function, description) */
#define TREE_KINDS(KIND)                                                                         \
	KIND("linux-6.1", linux_6_1_open, "the 83,730 names of the Linux 6.1 sources, built in") \
	KIND("dir:PATH", dir_open,                                                               \
	     "a real directory with its modes, owners, times and links, on one file system")     \
	KIND("paths:FILE", paths_open,                                                           \
	     "a list, one path a line, `/` behind a directory (or .xz); `-`: standard input")    \
	KIND("git:REPO", git_open, "the index of a git repository")                              \
	KIND("synth:KEY=VALUE,...", synth_open,                                                  \
	     "made: depth=D levels of fanout=F directories, files=N (F) in each of the last, "   \
	     "seed=S (1); names=numbers, words (as long as names are in file systems), uuid, "   \
	     "prefix (32 bytes in common) or modules (as in node_modules)")

/* A name that a kind has found. Strings are offsets in tree_build.text, which moves as it grows. */
struct tree_item {
	size_t path;   /* of its len bytes; a NUL behind them is not needed */
	size_t target; /* of a symbolic link: its size bytes */
	uint64_t line; /* of the text that it comes from, 0: none */
	uint32_t len;  /* of the path, 1 to DCS_PATH_MAX - 1 */
	uint32_t mode; /* type and permission */
	uint32_t uid, gid;
	uint64_t size;
	int64_t mtime;
};

#define TREE_MAX_ITEMS (1u << 24) /* a stated end, before memory is */

struct tree_build {
	const char *source; /* what messages name: a file, a directory */
	char *why;	    /* tree_open()'s */
	size_t why_size;
	struct tree_item *item;
	size_t n, item_room;
	char *text;
	size_t used, text_room;
	size_t n_skipped;
};

/* Adds a copy of @item. -ENOMEM, or -EINVAL where there are too many. */
int tree_add(struct tree_build *b, const struct tree_item *item);

/* Makes room for @size bytes at text + used, and returns their place or NULL. The caller adds
 * what it fills to used. */
char *tree_room(struct tree_build *b, size_t size);

/* Writes "SOURCE: message" or, with a @line, "SOURCE:LINE: message" to why, and returns @err: 0
 * for a warning. */
int tree_fail(struct tree_build *b, int err, uint64_t line, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Names in messages: quoted, control characters escaped, the middle of a long one left out. */
#define TREE_QUOTED 100
const char *tree_quote(char out[TREE_QUOTED], const char *name, size_t len);

/* Says what is wrong with a path, which has no `/` at its end, or NULL. */
const char *tree_bad_path(const char *path, size_t len);

typedef int tree_open_fn(struct tree_build *b, const char *arg);
tree_open_fn linux_6_1_open, dir_open, paths_open, git_open, synth_open;

/**
 * paths_read - add the names of a text, one path a line, plain or as .xz
 * @fd:     where to read from; -1: no more than @text
 * @text:   @size bytes that come first
 * @strip:  drop the first component of each path
 */
int paths_read(struct tree_build *b, int fd, const void *text, size_t size, int strip);

#endif
