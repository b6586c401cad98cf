/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Trees from real directories. */
#include <errno.h>
#include <grp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include "test_tree.h"

/* Runs @test as a process of its own, which may give rights away. 77: it cannot be done here. */
static void run_apart(int (*test)(void))
{
	pid_t child;
	int status;

	fflush(NULL);
	child = fork();
	assert_true(child >= 0);
	if (!child)
		_exit(test());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* In such a process: ends it, and says where. */
#define CHECK(x)                                                                        \
	do {                                                                            \
		if (!(x)) {                                                             \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #x); \
			return 1;                                                       \
		}                                                                       \
	} while (0)

/* A path below test_dir. */
static const char *below(const char *name)
{
	static char path[4][160];
	static unsigned next;
	char *p = path[next++ % 4];

	snprintf(p, sizeof(path[0]), "%s/%s", test_dir, name);
	return p;
}

static void make_file(const char *name, mode_t mode, off_t size, time_t mtime)
{
	const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = mtime}};
	int fd = open(below(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(fchmod(fd, mode), 0);
	assert_int_equal(ftruncate(fd, size), 0);
	assert_int_equal(futimens(fd, times), 0);
	close(fd);
}

static void make_dir(const char *name, mode_t mode)
{
	assert_int_equal(mkdir(below(name), 0700), 0);
	assert_int_equal(chmod(below(name), mode), 0);
}

static void all_is_as_it_lies_there(void **state)
{
	const struct tree_entry *e;
	struct tree *tree;
	struct stat st;
	char why[WHY];

	(void)state;
	make_dir("all", 0755);
	make_file("all/plain", 0640, 12345, 1000000000);
	make_file("all/suid", 04755, 0, 1);
	make_dir("all/sticky", 01777);
	make_dir("all/sticky/sub", 0700);
	make_file("all/sticky/sub/\xc3\xa4 b\n", 0400, 1, 2);
	assert_int_equal(symlink("../plain", below("all/sticky/link")), 0);
	assert_int_equal(symlink("/nowhere", below("all/dangling")), 0);
	assert_int_equal(symlink("sticky", below("all/to-dir")), 0);
	if (geteuid() == 0)
		assert_int_equal(lchown(below("all/plain"), 1001, 1002), 0);

	assert_int_equal(import("dir:", below("all"), &tree, why), 0);
	assert_string_equal(why, "");
	check_tree(tree);
	assert_int_equal(tree->n, 8);
	assert_int_equal(tree->n_links, 3);
	assert_int_equal(tree->n_skipped, 0);
	e = find_entry(tree, "plain");
	assert_int_equal(lstat(below("all/plain"), &st), 0);
	assert_int_equal(e->mode, S_IFREG | 0640);
	assert_int_equal(e->size, 12345);
	assert_int_equal(e->mtime, 1000000000);
	assert_int_equal(e->uid, st.st_uid);
	assert_int_equal(e->gid, st.st_gid);
	assert_int_equal(find_entry(tree, "suid")->mode, S_IFREG | 04755);
	assert_int_equal(find_entry(tree, "sticky")->mode, S_IFDIR | 01777);
	assert_int_equal(find_entry(tree, "sticky/sub")->mode, S_IFDIR | 0700);
	assert_int_equal(find_entry(tree, "sticky/sub/\xc3\xa4 b\n")->size, 1);
	assert_string_equal(find_entry(tree, "sticky/link")->target, "../plain");
	assert_string_equal(find_entry(tree, "dangling")->target, "/nowhere");
	assert_string_equal(find_entry(tree, "to-dir")->target, "sticky");
	assert_null(find_entry(tree, "to-dir/sub"));
	tree_free(tree);

	/* The directory itself may be a link. */
	assert_int_equal(symlink("all", below("alias")), 0);
	assert_int_equal(import("dir:", below("alias"), &tree, why), 0);
	assert_int_equal(tree->n, 8);
	tree_free(tree);
}

static void what_is_no_directory_has_a_reason(void **state)
{
	char why[WHY], expect[WHY];
	struct tree *tree;

	(void)state;
	assert_int_equal(import("dir:", below("missing"), &tree, why), -ENOENT);
	snprintf(expect, sizeof(expect), "%s: No such file or directory", below("missing"));
	assert_string_equal(why, expect);
	make_file("file", 0644, 0, 0);
	assert_int_equal(import("dir:", below("file"), &tree, why), -ENOTDIR);
	make_dir("hollow", 0755);
	assert_int_equal(import("dir:", below("hollow"), &tree, why), -EINVAL);
	snprintf(expect, sizeof(expect), "%s: no names in it: a tree has at least one",
		 below("hollow"));
	assert_string_equal(why, expect);
}

static void special_files_are_counted(void **state)
{
	struct tree *tree;
	char why[WHY];

	(void)state;
	make_dir("special", 0755);
	make_file("special/file", 0644, 0, 0);
	assert_int_equal(mkfifo(below("special/fifo"), 0644), 0);
	assert_int_equal(mkfifo(below("special/fifo2"), 0644), 0);
	assert_int_equal(import("dir:", below("special"), &tree, why), 0);
	assert_non_null(strstr(why, "special: left out: 2 sockets, devices and fifos"));
	assert_int_equal(tree->n, 1);
	assert_int_equal(tree->n_skipped, 2);
	tree_free(tree);
}

static int read_as_nobody(void)
{
	struct tree *tree;
	char why[WHY];

	if (geteuid() == 0)
		CHECK(!setgroups(0, NULL) && !setgid(65534) && !setuid(65534));
	CHECK(import("dir:", below("barred"), &tree, why) == 0);
	CHECK(strstr(why, "barred: left out: 2 names and directories that may not be read"));
	check_tree(tree);
	CHECK(tree->n == 3 && tree->n_skipped == 2);
	CHECK(find_entry(tree, "closed")->mode == (S_IFDIR | 0));
	CHECK(!find_entry(tree, "closed/inside"));
	CHECK(!find_entry(tree, "listed/inside"));
	tree_free(tree);
	CHECK(import("dir:", below("barred/closed"), &tree, why) == -EACCES);
	CHECK(strstr(why, "closed: Permission denied"));
	return 0;
}

static void what_may_not_be_read_is_counted(void **state)
{
	(void)state;
	make_dir("barred", 0755);
	make_file("barred/open", 0644, 0, 0);
	make_dir("barred/closed", 0755);
	make_file("barred/closed/inside", 0644, 0, 0);
	make_dir("barred/listed", 0755);
	make_file("barred/listed/inside", 0644, 0, 0);
	assert_int_equal(chmod(below("barred/closed"), 0), 0);
	assert_int_equal(chmod(below("barred/listed"), 0444), 0);
	run_apart(read_as_nobody);
	assert_int_equal(chmod(below("barred/closed"), 0755), 0); /* so that all can be removed */
	assert_int_equal(chmod(below("barred/listed"), 0755), 0);
}

static int read_over_a_mount(void)
{
	struct tree *tree;
	char why[WHY];

	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("test", below("over/mnt"), "tmpfs", 0, NULL))
		return 77;
	make_file("over/mnt/there", 0644, 0, 0);
	CHECK(import("dir:", below("over"), &tree, why) == 0);
	CHECK(strstr(why, "over: left out: 1 directories on other file systems"));
	CHECK(tree->n == 2 && tree->n_skipped == 1 && tree->n_dirs == 1);
	tree_free(tree);
	CHECK(import("dir:", below("over/mnt"), &tree, why) == 0);
	CHECK(tree->n == 1);
	tree_free(tree);
	return 0;
}

static void other_file_systems_are_not_entered(void **state)
{
	(void)state;
	make_dir("over", 0755);
	make_dir("over/mnt", 0755);
	make_file("over/file", 0644, 0, 0);
	run_apart(read_over_a_mount);
}

/* A chain of directories that goes on far beyond the longest path. */
static void depth_has_no_end(void **state)
{
	struct tree *tree;
	char why[WHY];
	int at, next;

	(void)state;
	make_dir("deep", 0755);
	at = open(below("deep"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (int i = 0; i < 3000; i++) {
		assert_int_equal(mkdirat(at, "d", 0755), 0);
		next = openat(at, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		assert_true(next >= 0);
		close(at);
		at = next;
		if (i == 2046) { /* its path is 4093 bytes long */
			close(openat(at, "x", O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
			close(openat(at, "xy", O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
		}
	}
	close(at);
	assert_int_equal(import("dir:", below("deep"), &tree, why), 0);
	check_tree(tree);
	assert_int_equal(tree->n, 2048 + 1); /* 2n - 1 bytes, at most 4095, and x */
	assert_int_equal(tree->entry[2047].len, 4095);
	assert_int_equal(tree->entry[2048].len, 4095);
	assert_int_equal(tree->n_skipped, 2);
	assert_non_null(strstr(why, "deep: left out: 2 paths over 4095 bytes"));
	tree_free(tree);
}

/* A width beyond one read of names, and beyond the first rooms for items and text. */
static void width_has_no_end(void **state)
{
	struct tree *tree;
	char why[WHY], name[64];

	(void)state;
	make_dir("wide", 0755);
	for (int i = 0; i < 6000; i++) {
		snprintf(name, sizeof(name), "wide/%05d", i);
		make_file(name, 0644, 0, 0);
	}
	assert_int_equal(import("dir:", below("wide"), &tree, why), 0);
	check_tree(tree);
	assert_int_equal(tree->n, 6000);
	assert_string_equal(tree->entry[5999].path, "05999");
	tree_free(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_as_it_lies_there),
		cmocka_unit_test(what_is_no_directory_has_a_reason),
		cmocka_unit_test(special_files_are_counted),
		cmocka_unit_test(what_may_not_be_read_is_counted),
		cmocka_unit_test(other_file_systems_are_not_entered),
		cmocka_unit_test(depth_has_no_end),
		cmocka_unit_test(width_has_no_end),
	};

	return cmocka_run_group_tests_name("tree-dir", tests, make_test_dir, remove_test_dir);
}
