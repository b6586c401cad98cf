/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * walk_table.h - paths and what stat gives on them, for test_walk: path_resolution(7)
 *
 * The tree is made by build_tree() of test_walk.c. An answer is a negative errno or
 * the name in the tree of what the path leads to.
 */
#ifndef TESTS_WALK_TABLE_H
#define TESTS_WALK_TABLE_H

#include <errno.h>

#define X16  "xxxxxxxxxxxxxxxx"
#define X128 X16 X16 X16 X16 X16 X16 X16 X16
#define N255 X128 X16 X16 X16 X16 X16 X16 X16 "xxxxxxxxxxxxxxx"
#define N256 N255 "x"

struct resolution {
	const char *path;
	int err;	    /* expected of stat, or 0 */
	const char *leads;  /* canonical path of the end, where err is 0 */
	int lerr;	    /* expected of lstat */
	const char *lleads; /* NULL: as leads */
};

#define SAME(PATH, LEADS)                \
	{                                \
		PATH, 0, LEADS, 0, LEADS \
	}
#define FAIL(PATH, ERR)                          \
	{                                        \
		PATH, -(ERR), NULL, -(ERR), NULL \
	}
/* stat fails or leads elsewhere, lstat gives the link itself. */
#define LINK(PATH, LEADS)               \
	{                               \
		PATH, 0, LEADS, 0, PATH \
	}
#define DEAD(PATH, ERR)                     \
	{                                   \
		PATH, -(ERR), NULL, 0, PATH \
	}

static const struct resolution resolutions[] = {
	/* Slashes and dots. */
	SAME("/", "/"),
	SAME("//", "/"),
	SAME("/..", "/"),
	SAME("/../..//.", "/"),
	SAME(".", "/"),
	SAME("..", "/"),
	SAME("/d", "/d"),
	SAME("d", "/d"),
	SAME("d/", "/d"),
	SAME("d//", "/d"),
	SAME("d/.", "/d"),
	SAME("d/./", "/d"),
	SAME("d/..", "/"),
	SAME("d/e/..", "/d"),
	SAME("d/e/../../d//e/f", "/d/e/f"),
	SAME("/d/e/../../../../d/e", "/d/e"),
	SAME("d/...", "/d/..."),
	SAME("d/..x", "/d/..x"),
	FAIL("", ENOENT),
	/* Files are no directories. */
	SAME("d/e/f", "/d/e/f"),
	FAIL("d/e/f/", ENOTDIR),
	FAIL("d/e/f/.", ENOTDIR),
	FAIL("d/e/f/..", ENOTDIR),
	FAIL("d/e/f/x", ENOTDIR),
	/* What is missing. */
	FAIL("x", ENOENT),
	FAIL("x/", ENOENT),
	FAIL("x/y", ENOENT),
	FAIL("x/..", ENOENT),
	FAIL("d/x/./y", ENOENT),
	/* Links: relative, absolute, to the root, with `..`, with a slash, chained, through others.
	 */
	LINK("/l-f", "/d/e/f"),
	LINK("/l-d", "/d"),
	LINK("/l-abs", "/d/e"),
	LINK("/l-root", "/"),
	LINK("/d/l-up", "/d/e/f"),
	LINK("/l-slash", "/d"),
	LINK("/l-chain", "/d/e/f"),
	LINK("/l-nest", "/d/e/f"),
	LINK("/l-dot", "/"),
	SAME("l-d/", "/d"),
	SAME("l-d/e/f", "/d/e/f"),
	SAME("l-d/.", "/d"),
	SAME("l-d/..", "/"),
	SAME("l-abs/..", "/d"),
	SAME("l-root/d", "/d"),
	SAME("l-slash/e", "/d/e"),
	SAME("l-root/l-root/l-root/l-d//e/./../../d", "/d"),
	FAIL("d/l-up/../../d", ENOTDIR),
	FAIL("l-f/", ENOTDIR),
	FAIL("l-f/x", ENOTDIR),
	DEAD("/l-file-slash", ENOTDIR),
	DEAD("/l-dangling", ENOENT),
	FAIL("l-dangling/", ENOENT),
	FAIL("l-dangling/x", ENOENT),
	DEAD("/l-self", ELOOP),
	FAIL("l-self/", ELOOP),
	DEAD("/l-ping", ELOOP),
	FAIL("l-ping/x", ELOOP),
	LINK("/c40", "/d/e/f"),
	DEAD("/c41", ELOOP),
	/* 255 bytes are a name and 256 are not, in whatever place. */
	SAME("d/" N255, "/d/" N255),
	FAIL("d/" N256, ENAMETOOLONG),
	FAIL(N256, ENAMETOOLONG),
	FAIL(N256 "/x", ENAMETOOLONG),
	FAIL("x/" N256, ENOENT),
	FAIL("d/e/f/" N256, ENOTDIR),
	FAIL(N255, ENOENT),
};

#undef SAME
#undef FAIL
#undef LINK
#undef DEAD

#endif
