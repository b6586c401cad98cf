/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * test_strace.c - the reader of strace's logs, by a table: calls as they stand there, calls in two
 * parts, lines that end in the middle, and garbage
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above first */
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "strace.h"

/* One line, and the event that it is. */
static const struct row {
	const char *line;
	struct strace_event want;
} rows[] = {
	{"7 openat(AT_FDCWD, \"a b\", O_RDONLY|O_CLOEXEC|O_DIRECTORY) = 3",
	 {CALL_OPEN, 7, .dirfd = AT_FDCWD, .path = "a b", .flags = O_CLOEXEC | O_DIRECTORY,
	  .result = 3}},
	{"7 openat(5, \"x\", O_WRONLY|O_CREAT|O_EXCL, 0640) = -1 EEXIST (File exists)",
	 {CALL_OPEN, 7, .dirfd = 5, .path = "x", .flags = O_WRONLY | O_CREAT | O_EXCL, .mode = 0640,
	  .result = -EEXIST}},
	{"open(\"/x\", O_RDWR)     = 4",
	 {CALL_OPEN, 0, .dirfd = AT_FDCWD, .path = "/x", .flags = O_RDWR, .result = 4}},
	{"[pid 12] creat(\"n\", 0600) = 4",
	 {CALL_OPEN, 12, .dirfd = AT_FDCWD, .path = "n", .flags = O_CREAT | O_WRONLY | O_TRUNC,
	  .mode = 0600, .result = 4}},
	{"7 12:00:01.123456 access(\"/bin/sh\", X_OK) = 0",
	 {CALL_ACCESS, 7, .dirfd = AT_FDCWD, .path = "/bin/sh"}},
	{"7 newfstatat(3, \"\", {st_mode=S_IFREG|0644, st_size=99, ...}, AT_EMPTY_PATH) = 0",
	 {CALL_FSTAT, 7, .dirfd = 3, .path = "", .flags = AT_EMPTY_PATH, .st_mode = S_IFREG | 0644,
	  .st_size = 99}},
	{"7 newfstatat(AT_FDCWD, \"l\", {st_mode=S_IFLNK|0777, st_size=1, ...}, "
	 "AT_SYMLINK_NOFOLLOW) = 0",
	 {CALL_STAT, 7, .dirfd = AT_FDCWD, .path = "l", .flags = AT_SYMLINK_NOFOLLOW,
	  .st_mode = S_IFLNK | 0777, .st_size = 1}},
	{"7 newfstatat(AT_FDCWD, \"l\", 0x7ffd0000, 0) = -1 ENOENT (No such file or directory)",
	 {CALL_STAT, 7, .dirfd = AT_FDCWD, .path = "l", .result = -ENOENT}},
	{"7 lstat(\"d\", {st_mode=S_IFDIR|S_ISVTX|0777, st_size=40, ...}) = 0",
	 {CALL_STAT, 7, .dirfd = AT_FDCWD, .path = "d", .flags = AT_SYMLINK_NOFOLLOW,
	  .st_mode = S_IFDIR, .st_size = 40}},
	{"7 readlink(\"/usr/bin/gcc\", \"gcc-12\", 1023) = 6",
	 {CALL_READLINK, 7, .dirfd = AT_FDCWD, .path = "/usr/bin/gcc", .path2 = "gcc-12",
	  .result = 6}},
	{"7 readlink(\"/usr\", 0x7ffd0000, 1023) = -1 EINVAL (Invalid argument)",
	 {CALL_READLINK, 7, .dirfd = AT_FDCWD, .path = "/usr", .result = -EINVAL}},
	{"7 execve(\"/bin/sh\", [\"sh\", \"-c\", \"a), [b\\\"\"...], 0x7ffd0000 /* 37 vars */) = 0",
	 {CALL_EXEC, 7, .dirfd = AT_FDCWD, .path = "/bin/sh"}},
	{"7 clone(child_stack=NULL, flags=CLONE_VM|CLONE_FS|SIGCHLD) = 8",
	 {CALL_FORK, 7, .dirfd = AT_FDCWD, .flags = 1, .result = 8}},
	{"7 vfork()                = 8", {CALL_FORK, 7, .dirfd = AT_FDCWD, .result = 8}},
	{"7 exit_group(0)          = ?", {CALL_EXIT, 7, .dirfd = AT_FDCWD}},
	{"7 exit_group(0 <unfinished ...>", {CALL_EXIT, 7, .dirfd = AT_FDCWD}},
	{"7 chdir(\"/usr/src/linux\") = 0",
	 {CALL_CHDIR, 7, .dirfd = AT_FDCWD, .path = "/usr/src/linux"}},
	{"7 fchdir(4)              = 0", {CALL_FCHDIR, 7, .dirfd = 4}},
	{"7 getdents64(3, 0x7ffd0000 /* 41 entries */, 32768) = 1264",
	 {CALL_GETDENTS, 7, .dirfd = 3, .result = 1264}},
	{"7 mkdir(\".tmp_1\", 0777)  = 0",
	 {CALL_MKDIR, 7, .dirfd = AT_FDCWD, .path = ".tmp_1", .mode = 0777}},
	{"7 unlinkat(4, \"tmp\", 0)  = 0", {CALL_UNLINK, 7, .dirfd = 4, .path = "tmp"}},
	{"7 unlinkat(AT_FDCWD, \"t\", AT_REMOVEDIR) = 0",
	 {CALL_RMDIR, 7, .dirfd = AT_FDCWD, .path = "t", .flags = AT_REMOVEDIR}},
	{"7 renameat2(AT_FDCWD, \"a\", 5, \"b\", RENAME_NOREPLACE) = 0",
	 {CALL_RENAME, 7, .dirfd = AT_FDCWD, .dirfd2 = 5, .path = "a", .path2 = "b", .flags = 1}},
	{"7 chmod(\"a\", 0755)       = 0",
	 {CALL_CHMOD, 7, .dirfd = AT_FDCWD, .path = "a", .mode = 0755}},
	{"7 symlinkat(\"body\", 3, \"l\") = 0",
	 {CALL_SYMLINK, 7, .dirfd = 3, .path = "l", .path2 = "body"}},
	{"7 unlink(\"q\\\"\\\\\\n\\303\\2447\") = 0",
	 {CALL_UNLINK, 7, .dirfd = AT_FDCWD, .path = "q\"\\\n\303\2447"}},
};

static struct strace *reader(char *why, size_t size)
{
	struct strace *t = calloc(1, sizeof(*t));

	*why = '\0';
	t->name = "log";
	t->why = why;
	t->why_size = size;
	return t;
}

static void give(struct strace *t, const char *line, int whole)
{
	char *copy = strdup(line);

	assert_int_equal(strace_line(t, copy, whole), 0);
	free(copy);
}

static void assert_same(const char *got, const char *want)
{
	if (want)
		assert_string_equal(got, want);
	else
		assert_null(got);
}

static void test_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct strace_event *want = &rows[i].want, *got;
		char why[200];
		struct strace *t = reader(why, sizeof(why));

		print_message("%s\n", rows[i].line);
		give(t, rows[i].line, 1);
		assert_string_equal(why, "");
		assert_int_equal(t->n, 1);
		got = &t->event[0];
		assert_int_equal(got->call, want->call);
		assert_int_equal(got->pid, want->pid);
		assert_int_equal(got->dirfd, want->dirfd);
		assert_int_equal(got->dirfd2, want->dirfd2 ? want->dirfd2 : AT_FDCWD);
		assert_int_equal(got->flags, want->flags);
		assert_int_equal(got->mode, want->mode);
		assert_int_equal(got->st_mode & S_IFMT, want->st_mode & S_IFMT);
		assert_int_equal(got->st_size, want->st_size);
		assert_int_equal(got->result, want->result);
		assert_same(got->path, want->path);
		assert_same(got->path2, want->path2);
		strace_free(t);
	}
}

/* In two parts: a fork stands where it began, another call where it ended. */
static void test_two_parts(void **state)
{
	char why[200];
	struct strace *t = reader(why, sizeof(why));

	(void)state;
	give(t, "7 clone3({flags=CLONE_VFORK}, 88 <unfinished ...>", 1);
	give(t, "8 access(\"a\",  <unfinished ...>", 1);
	give(t, "9 +++ exited with 0 +++", 1);
	give(t, "7 <... clone3 resumed>)   = 8", 1);
	give(t, "7 wait4(-1, NULL, 0, NULL) = 8", 1);
	give(t, "7 getcwd(\"/here\", 4096)  = 6", 1);
	give(t, "8 <... access resumed>F_OK) = -1 ENOENT (No such file or directory)", 1);
	assert_string_equal(why, "");
	assert_int_equal(t->n, 2);
	assert_int_equal(t->event[0].call, CALL_FORK);
	assert_int_equal(t->event[0].line, 1);
	assert_int_equal(t->event[0].result, 8);
	assert_int_equal(t->event[1].call, CALL_ACCESS);
	assert_int_equal(t->event[1].result, -ENOENT);
	assert_int_equal(t->most_pid, 8);
	assert_string_equal(t->cwd, "/here");
	assert_int_equal(t->useless, 3);
	strace_free(t);
}

/* What is no call is counted, and the first of it told of, with its line. */
static void test_bad_lines(void **state)
{
	static const struct {
		const char *line, *says;
		int whole;
	} bad[] = {
		{"7 openat(AT_FDCWD, \"/usr/in", "log:2: is no call that strace has written", 0},
		{"7 openat(AT_FDCWD, \"a\", O_RDONLY) = ", "log:2: is no call", 0},
		{"7 openat(AT_FDCWD, \"a\", O_RDONLY) = -1 EWHAT", "log:2: is no call", 1},
		{"7 openat(AT_FDCWD, \"a\"..., O_RDONLY) = 3", "log:2: the path", 1},
		{"7 rename(\"a\", 0x7ffd) = 0", "log:2: the path", 1},
		{"7 <... openat resumed>) = 3", "log:2: a call goes on", 1},
		{"\177ELF\002", "log:2: is no line of strace", 1},
		{"7 ", "log:2: is cut off", 0},
		{"", "log:2: is no line of strace", 1},
		{"((((\"", "log:2: is no line", 1},
		{"7 x)", "log:2: is no call", 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char why[200];
		struct strace *t = reader(why, sizeof(why));

		print_message("%s\n", bad[i].line);
		give(t, "7 unlink(\"a\") = 0", 1);
		give(t, bad[i].line, bad[i].whole);
		give(t, "7 unlink(\"a\") = 0", 1);
		assert_memory_equal(why, bad[i].says, strlen(bad[i].says));
		assert_int_equal(t->bad, 1);
		assert_int_equal(t->lines, 3);
		strace_free(t);
	}
}

/* The log that is built in is whole. */
static void test_built_in(void **state)
{
	char why[200];
	struct strace *t;

	(void)state;
	assert_int_equal(strace_open(NULL, &t, why, sizeof(why)), 0);
	assert_string_equal(why, "");
	assert_true(t->n > 100000);
	assert_string_equal(t->cwd, "/usr/src/linux");
	strace_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_two_parts),
		cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_built_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
