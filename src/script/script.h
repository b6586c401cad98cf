/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * script.h - one operation on a tree as a value, its result, and who can do it
 *
 * An operation (struct op) is a line of a script: it means the same wherever it is done. A
 * back end does operations: libdcs, the running kernel, the reference. Scripts are parsed to
 * operations, a fuzzer draws them, and either can be written out as lines.
 *
 * Names of tasks and descriptors are numbers here: a script gives them out as they come up.
 */
#ifndef SCRIPT_SCRIPT_H
#define SCRIPT_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "dcs/dcs.h"

/* OP(name, what it takes): the order is that of help and completion. See op_forms in ops.c. */
#define OPS(OP)         \
	OP(mkdir)       \
	OP(rmdir)       \
	OP(unlink)      \
	OP(create)      \
	OP(mknod)       \
	OP(symlink)     \
	OP(readlink)    \
	OP(link)        \
	OP(rename)      \
	OP(stat)        \
	OP(lstat)       \
	OP(fstat)       \
	OP(same)        \
	OP(access)      \
	OP(chmod)       \
	OP(fchmod)      \
	OP(chown)       \
	OP(lchown)      \
	OP(fchown)      \
	OP(utimens)     \
	OP(lutimens)    \
	OP(truncate)    \
	OP(ftruncate)   \
	OP(read)        \
	OP(fread)       \
	OP(write)       \
	OP(fwrite)      \
	OP(readdir)     \
	OP(freaddir)    \
	OP(open)        \
	OP(openat2)     \
	OP(close)       \
	OP(fpath)       \
	OP(chdir)       \
	OP(fchdir)      \
	OP(chroot)      \
	OP(umask)       \
	OP(getcwd)      \
	OP(mount)       \
	OP(remount)     \
	OP(bind)        \
	OP(umount)      \
	OP(task)        \
	OP(sleep)       \
	OP(drop_caches) \
	OP(shrink)      \
	OP(stats)       \
	OP(walk)

enum op_kind {
#define OP_ID(NAME) OP_##NAME,
	OPS(OP_ID)
#undef OP_ID
		OP_KINDS
};

#define WHO_GROUPS 32

struct who {
	uint32_t uid, gid, ngroups;
	uint32_t groups[WHO_GROUPS];
};

#define TASK_MAIN 0
#define FD_NONE	  (-1) /* op.at: the cwd; op.fd, op.as: not given */

/* What a field is for depends on the kind; one that the kind has no use for is zero. */
struct op {
	enum op_kind kind;
	struct who who; /* `as`; uid 0, gid 0 and no groups where it is not said */
	int task;	/* `in`: who does it */
	int at; /* `at`: the descriptor that relative paths start from; of openat2, its first word
		 */
	int fd; /* the descriptor that it is about */
	int as; /* the name for what open and openat2 give; the task that `task` makes */
	const char *path, *to; /* NUL-terminated; symlink: the link is at path and its target is to;
				* link, rename, bind, same: from path, to to */
	uint32_t mode;	       /* with its type for mknod; access: R_OK | W_OK | X_OK */
	uint64_t dev;	       /* mknod, as dev_t */
	uint64_t flags;	       /* open: O_*; link: AT_SYMLINK_FOLLOW; rename: DCS_RENAME_*; umount:
				* DCS_UMOUNT_DETACH; mount with flags is `remount`: DCS_MOUNT_*; walk:
				* AT_SYMLINK_NOFOLLOW; drop_caches: 1 to 3 */
	uint64_t resolve;      /* openat2: RESOLVE_* */
	uint32_t uid, gid;     /* chown; (uint32_t)-1 leaves one */
	uint64_t offset, count; /* read and write; truncate: count is the size; shrink: how many */
	struct timespec times[2]; /* utimens, with UTIME_NOW and UTIME_OMIT; sleep: times[0] */
};

enum result_kind {
	RESULT_NONE,
	RESULT_STAT,
	RESULT_TEXT,  /* one string: a target, a path, "yes", "rcu->ref nodentry" */
	RESULT_NAMES, /* readdir */
	RESULT_COUNT,
	RESULT_PAIRS, /* text, and it is `name=value ...`: of dcsim alone, compared with nothing */
};

struct result {
	int err; /* 0 or a positive errno; RESULT_LACKING: the back end has no such thing */
	enum result_kind kind;
	struct dcs_stat st;
	uint64_t count;
	char *bytes; /* malloc: the text; the names one after the other, each with its NUL, in byte
			order */
	size_t size; /* of bytes, with NULs */
};
#define RESULT_LACKING (-1)

/* How a tree begins, and what is so for its life. */
struct setting {
	const char *kernel;	    /* of dcsim; NULL: the newest */
	const char *walk, *flavour; /* of dcsim; NULL: the kernel's, the default */
	enum dcs_final final;	    /* of dcsim */
	uint64_t negative_limit;    /* of dcsim; 0: the default */
	/* fs.protected_*, as the sysctls */
	unsigned protected_symlinks, protected_hardlinks, protected_regular, protected_fifos;
};

/* One who can do operations. All calls from one thread. */
struct backend {
	const char *name; /* "dcsim", "kernel", "reference" */
	/* A fresh tree and task TASK_MAIN: root, cwd /, umask 0022, root directory 0755. NULL: it
	 * cannot be, and @why (static, one line) says what is needed. */
	void *(*open)(const struct setting *setting, const char **why);
	/* Never fails otherwise than by result->err. result is zeroed before. */
	void (*run)(void *self, const struct op *op, struct result *result);
	/* NULL, or looks for broken invariants when nothing runs: 0, or -1 and one line in @why. */
	int (*check)(void *self, char *why, size_t size);
	void (*close)(void *self);
};

extern const struct backend backend_dcsim, backend_kernel, backend_reference;

void result_free(struct result *r);

/* ---- lines: parse.c and print.c */

struct names; /* tasks and descriptors of a script, in the order in which they came up */
struct names *names_new(void);
void names_free(struct names *names);

/* What must be so behind `=>`. See expect.c. */
struct expectation;

struct line {
	struct op op;
	bool empty;		    /* a comment, or nothing */
	struct expectation *expect; /* NULL: nothing is */
	char *storage;		    /* of the op's strings */
};

/*
 * Parses a line of @size bytes without its newline. Returns 0, or -1 and one line in @why. The
 * line owns its strings; line_free().
 */
int line_parse(struct names *names, const char *text, size_t size, struct line *line, char *why,
	       size_t why_size);
void line_free(struct line *line);

/* The op as a line that parses to the same op; no newline. Names are main, t1, t2 and d0, d1. */
void op_print(FILE *f, const struct op *op);
/* `ok mode=0644 ...` or `ENOENT`, as a script prints it; no newline. */
void result_print(FILE *f, const struct op *op, const struct result *r);
/* A quoted word, as in SCRIPT.md. */
void word_print(FILE *f, const char *bytes, size_t size);

/* ---- two back ends side by side: compare.c */

struct pairing; /* which inode here is which there, and what their times were when looked at */
struct pairing *pairing_new(void);
void pairing_free(struct pairing *p);
/* Whether two results of @op are equal; if not, one line in @why. */
bool results_equal(struct pairing *p, const struct op *op, const struct result *a,
		   const struct result *b, char *why, size_t why_size);

#endif
