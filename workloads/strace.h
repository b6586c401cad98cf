/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * strace.h - the calls of a log that strace(1) wrote: those about files and processes
 *
 * As `strace -f -e trace=%file,%process,fchdir,getdents64` writes it: a process id or none
 * before each call; a call that another interrupts in two parts (`<unfinished ...>`, `<...
 * NAME resumed>`), which come together where the second stands, but a fork where it began, so
 * that it is before what the child does. Plain or as .xz. Lines that are no call (signals,
 * exits) are passed over, calls of no use are counted; what cannot be read is counted, and the
 * first such line is told of.
 */
#ifndef WORKLOADS_STRACE_H
#define WORKLOADS_STRACE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum strace_call {
	CALL_NONE, /* of no use here: wait4, getcwd, ... */
	CALL_OPEN,
	CALL_STAT,
	CALL_FSTAT,
	CALL_ACCESS,
	CALL_READLINK,
	CALL_EXEC,
	CALL_FORK,
	CALL_EXIT,
	CALL_CHDIR,
	CALL_FCHDIR,
	CALL_GETDENTS,
	CALL_MKDIR,
	CALL_UNLINK,
	CALL_RMDIR,
	CALL_RENAME,
	CALL_CHMOD,
	CALL_SYMLINK,
	CALLS,
};
extern const char *const strace_call_names[CALLS];

struct strace_event {
	enum strace_call call;
	int pid;
	uint64_t line;
	int dirfd, dirfd2; /* AT_FDCWD where the call has none; a descriptor of FSTAT and such */
	char *path;
	char *path2;	  /* where a rename goes; the body that a readlink gave or a symlink has */
	unsigned flags;	  /* O_*; AT_SYMLINK_NOFOLLOW; RENAME_*; CLONE_FS */
	unsigned mode;	  /* of what is made */
	uint32_t st_mode; /* that a stat gave; 0: none */
	uint64_t st_size;
	int64_t result; /* or a negative errno */
};

struct strace {
	size_t n;
	struct strace_event *event;
	char *cwd; /* what the first getcwd() gave; NULL: none */
	uint64_t lines, useless, bad;
	int most_pid;
	/* Below: while it is read. */
	const char *name;
	char *why;
	size_t room, why_size;
	void *pending; /* calls that are not finished, by process */
};

/**
 * strace_open - read a log
 * @file: its name, `-`: standard input; NULL: the part of a kernel's build that is built in
 * @why:  @size bytes for one line: what is wrong, with file and line; after success empty, or
 *	  what was passed over: a warning
 *
 * Errors: -EINVAL (nothing in it could be read), -ENOMEM, that of open() or read().
 */
int strace_open(const char *file, struct strace **out, char *why, size_t size);
void strace_free(struct strace *trace);

/* One line, without its newline; @whole: the newline was there. Of strace_open(), for tests. */
int strace_line(struct strace *trace, char *line, int whole);

#endif
