/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* test_store_dir - the store of a directory, and what others do to that meanwhile */
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "test_store.h"

static char *below(const char *name)
{
	static char path[2][4096];
	static int turn;

	turn = !turn;
	snprintf(path[turn], sizeof(path[0]), "%s/%s", top, name);
	return path[turn];
}

static void make_at(const char *path, uint32_t mode)
{
	int fd;

	if (S_ISDIR(mode)) {
		assert_int_equal(mkdir(below(path), mode & 07777), 0);
		return;
	}
	fd = open(below(path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 07777);
	assert_true(fd >= 0);
	close(fd);
}

static void test_moved_outside(void **state)
{
	uint64_t sub, deep, other;
	struct dcs_stat attr;

	(void)state;
	open_dir(0);
	make_at("sub", DIR_MODE);
	make_at("sub/deep", DIR_MODE);
	make_at("sub/deep/x", FILE_MODE);
	sub = find(root_ino, "sub");
	deep = find(sub, "deep");
	forget(find(deep, "x"));
	assert_int_equal(rename(below("sub"), below("moved")), 0);
	assert_int_equal(try_lookup(deep, "x", &attr), -ESTALE);
	assert_int_equal(try_lookup(root_ino, "sub", &attr), -ENOENT);
	/* Found by its other name, it is what it was, with all below it. */
	assert_int_equal(find(root_ino, "moved"), sub);
	forget(find(deep, "x"));
	/* Another directory in its place is another. */
	assert_int_equal(rename(below("moved/deep"), below("away")), 0);
	make_at("moved/deep", DIR_MODE);
	assert_int_equal(try_lookup(deep, "x", &attr), -ESTALE);
	assert_int_equal(ASK(readdir, deep, 0, pass_over, NULL), -ESTALE);
	other = find(sub, "deep");
	assert_true(other != deep);
	assert_int_equal(try_lookup(other, "x", &attr), -ENOENT);
	assert_int_equal(find(root_ino, "away"), deep);
	forget(find(deep, "x"));
	forget(other);
	ASK(forget, deep, 2);
	ASK(forget, sub, 2);
	close_world();
}

/* A link in place of a directory, itself or above, is not followed. */
static void swap_links(void)
{
	uint64_t sub, deep;
	struct dcs_stat attr;

	open_dir(0);
	make_at("sub", DIR_MODE);
	make_at("sub/deep", DIR_MODE);
	make_at("outside", DIR_MODE);
	make_at("outside/deep", DIR_MODE);
	make_at("outside/secret", FILE_MODE);
	make_at("outside/deep/secret", FILE_MODE);
	assert_int_equal(symlink("outside", below("swap")), 0);
	sub = find(root_ino, "sub");
	deep = find(sub, "deep");
	for (int i = 0; i < 3; i++) {
		assert_int_equal(renameat2(top_fd, "sub", top_fd, "swap", RENAME_EXCHANGE), 0);
		assert_int_equal(try_lookup(sub, "secret", &attr), -ESTALE);
		assert_int_equal(try_lookup(deep, "secret", &attr), -ESTALE);
		assert_int_equal(renameat2(top_fd, "sub", top_fd, "swap", RENAME_EXCHANGE), 0);
		assert_int_equal(try_lookup(sub, "secret", &attr), -ENOENT);
		assert_int_equal(try_lookup(deep, "secret", &attr), -ENOENT);
	}
	forget(deep);
	forget(sub);
	close_world();
}

static void test_links_are_not_followed(void **state)
{
	(void)state;
	swap_links();
}

/* The same at any instant: somebody exchanges them all the time. */
static bool stop;

static void *exchanges(void *arg)
{
	(void)arg;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		if (renameat2(top_fd, "sub", top_fd, "swap", RENAME_EXCHANGE))
			abort();
	return NULL;
}

static void test_links_are_never_followed(void **state)
{
	unsigned stale = 0, missing = 0;
	struct dcs_stat attr;
	pthread_t thread;
	uint64_t sub;

	(void)state;
	open_dir(0);
	make_at("sub", DIR_MODE);
	make_at("outside", DIR_MODE);
	make_at("outside/secret", FILE_MODE);
	assert_int_equal(symlink("outside", below("swap")), 0);
	sub = find(root_ino, "sub");
	__atomic_store_n(&stop, false, __ATOMIC_RELAXED);
	assert_int_equal(pthread_create(&thread, NULL, exchanges, NULL), 0);
	for (int i = 0; i < 200000 && (i < 2000 || !stale || !missing); i++) {
		int err = try_lookup(sub, "secret", &attr);

		assert_true(err == -ESTALE || err == -ENOENT);
		stale += err == -ESTALE;
		missing += err == -ENOENT;
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	assert_true(stale && missing);
	forget(sub);
	close_world();
}

static void test_revalidate(void **state)
{
	struct dcs_stat attr;
	uint64_t x;

	(void)state;
	open_dir(0);
	assert_null(config.store->revalidate);
	close_world();
	open_dir(1);
	make_at("x", FILE_MODE);
	x = find(root_ino, "x");
	assert_int_equal(ASK(revalidate, root_ino, "x", 1, x, &attr), 1);
	assert_int_equal(attr.ino, x);
	assert_int_equal(truncate(below("x"), 4711), 0);
	assert_int_equal(ASK(revalidate, root_ino, "x", 1, x, &attr), 1);
	assert_int_equal(attr.size, 4711);
	assert_int_equal(ASK(revalidate, root_ino, "y", 1, 0, &attr), 1);
	make_at("y", FILE_MODE);
	assert_int_equal(ASK(revalidate, root_ino, "y", 1, 0, &attr), 0);
	assert_int_equal(rename(below("y"), below("x")), 0);
	assert_int_equal(ASK(revalidate, root_ino, "x", 1, x, &attr), 0);
	assert_int_equal(ASK(revalidate, root_ino, "y", 1, x, &attr), 0);
	assert_int_equal(ASK(revalidate, 12345, "y", 1, x, &attr), -ESTALE);
	ASK(forget, x, 3);
	close_world();
}

/* A number that the file system uses again is another file's. */
static void test_reused_numbers(void **state)
{
	struct stat before, after;
	uint64_t x, y;

	(void)state;
	open_dir(0);
	make_at("x", FILE_MODE);
	assert_int_equal(stat(below("x"), &before), 0);
	x = find(root_ino, "x");
	usleep(10000);
	take("x");
	make_at("y", DIR_MODE);
	assert_int_equal(stat(below("y"), &after), 0);
	y = find(root_ino, "y");
	assert_true(x != y);
	usleep(10000);
	take("y");
	make_at("z", FILE_MODE);
	assert_int_equal(stat(below("z"), &after), 0);
	forget(y);
	y = find(root_ino, "z");
	assert_true(x != y);
	if (after.st_ino != before.st_ino)
		print_message("the file system did not use a number again\n");
	forget(x);
	forget(y);
	close_world();
}

/* Deeper than a path is long. */
static void dig(void)
{
	char name[200];
	uint64_t ino[41] = {0};
	int fd, at;

	open_dir(0);
	memset(name, 'd', sizeof(name));
	name[199] = '\0';
	ino[0] = root_ino;
	at = open(top, O_PATH | O_CLOEXEC);
	for (int i = 1; i <= 40; i++) {
		assert_int_equal(mkdirat(at, name, 0755), 0);
		fd = openat(at, name, O_PATH | O_CLOEXEC);
		close(at);
		at = fd;
		ino[i] = find(ino[i - 1], name);
	}
	assert_int_equal(symlinkat("there", at, "link"), 0);
	close(at);
	ino[0] = find(ino[40], "link");
	assert_int_equal(ASK(readlink, ino[0], name, sizeof(name)), 5);
	/* What is below holds it: forgotten from above is as well. */
	forget(ino[0]);
	for (int i = 1; i <= 40; i++)
		forget(ino[i]);
	close_world();
}

static void test_depth(void **state)
{
	(void)state;
	dig();
}

/* ---- in a process of its own, for what cannot be undone */

#define CHECK(condition)                                                        \
	do {                                                                    \
		if (!(condition)) {                                             \
			fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
			_exit(1);                                               \
		}                                                               \
	} while (0)

/* @body returns 0, or 77 where it may not do what it tests. */
static void apart(int (*body)(void))
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (!pid)
		_exit(body());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (status == 77 << 8)
		skip();
	assert_int_equal(status, 0);
}

static int as_nobody(void)
{
	struct dcs_stat attr;
	uint64_t barred, inside;

	barred = find(root_ino, "barred");
	inside = find(barred, "inside");
	if (geteuid() == 0)
		CHECK(!setgroups(0, NULL) && !setgid(65534) && !setuid(65534));
	CHECK(chmod(below("barred"), 0) == 0 || errno == EPERM);
	CHECK(try_lookup(barred, "inside", &attr) == -EACCES);
	CHECK(try_lookup(inside, "x", &attr) == -EACCES);
	CHECK(ASK(readdir, barred, 0, pass_over, NULL) == -EACCES);
	return 0;
}

static void test_denied(void **state)
{
	(void)state;
	open_dir(0);
	make_at("barred", S_IFDIR | 0700);
	make_at("barred/inside", DIR_MODE);
	make_at("barred/inside/x", FILE_MODE);
	apart(as_nobody);
	assert_int_equal(chmod(below("barred"), 0700), 0);
	close_world();
}

/* A kernel without openat2(2). */
static int without_openat2(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 77;
	CHECK(syscall(SYS_openat2, -1, "", NULL, 0) == -1 && errno == ENOSYS);
	swap_links();
	dig();
	return 0;
}

static void test_without_openat2(void **state)
{
	(void)state;
	apart(without_openat2);
}

/* Mount points are crossed; a directory below itself is refused. */
static int mounts(void)
{
	struct dcs_stat attr;
	uint64_t there;

	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return 77;
	open_dir(0);
	make_at("mnt", DIR_MODE);
	make_at("loop", DIR_MODE);
	if (mount("test", below("mnt"), "tmpfs", 0, NULL))
		return 77;
	CHECK(!mount(top, below("loop"), NULL, MS_BIND, NULL));
	make_at("mnt/x", FILE_MODE);
	there = find(root_ino, "mnt");
	CHECK(there >> 63);
	CHECK(try_lookup(there, "x", &attr) == 0);
	CHECK(attr.ino != there && attr.ino >> 63);
	CHECK(try_lookup(root_ino, "loop", &attr) == -ELOOP);
	CHECK(!umount(below("loop")) && !umount(below("mnt")));
	CHECK(try_lookup(there, "x", &attr) == -ESTALE);
	close_world();
	return 0;
}

static void test_mounts(void **state)
{
	(void)state;
	apart(mounts);
}

static void test_no_directory(void **state)
{
	struct dcs_config none = {0};

	(void)state;
	open_dir(0);
	make_at("file", FILE_MODE);
	assert_int_equal(dcs_store_dir(&none, below("missing"), 0), -ENOENT);
	assert_int_equal(dcs_store_dir(&none, below("file"), 0), -ENOTDIR);
	assert_null(none.store);
	/* Nothing that would change it. */
	assert_null(config.store->create);
	assert_null(config.store->setattr);
	close_world();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moved_outside),
		cmocka_unit_test(test_links_are_not_followed),
		cmocka_unit_test(test_links_are_never_followed),
		cmocka_unit_test(test_revalidate),
		cmocka_unit_test(test_reused_numbers),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_denied),
		cmocka_unit_test(test_without_openat2),
		cmocka_unit_test(test_mounts),
		cmocka_unit_test(test_no_directory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
