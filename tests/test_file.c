/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* test_file.c - special files, open files that outlive their name, reading directories */
#include "dcs/store.h"
#include "variants.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/sysmacros.h>

static int open_error(const char *path, unsigned flags)
{
	int fd = dcs_open(task, path, flags, 0644);

	if (fd >= 0)
		dcs_close(task, fd);
	return fd < 0 ? fd : 0;
}

static void body_special(void)
{
	struct dcs_task *u;

	IS(dcs_mknod(task, "/fifo", S_IFIFO | 0666, 5), 0);
	IS(dcs_mknod(task, "/sock", S_IFSOCK | 0666, 0), 0);
	IS(dcs_mknod(task, "/null", S_IFCHR | 0666, makedev(1, 3)), 0);
	IS(dcs_mknod(task, "/file", 0600, 0), 0);
	IS(dcs_mknod(task, "/file", S_IFIFO, 0), -EEXIST);
	IS(dcs_mknod(task, "/d", S_IFDIR, 0), -EPERM);
	IS(dcs_mknod(task, "/d", S_IFLNK, 0), -EINVAL);
	IS(lstat_of("/fifo").mode, S_IFIFO | 0644);
	IS(lstat_of("/fifo").rdev, 0);
	IS(lstat_of("/null").rdev, makedev(1, 3));
	IS(lstat_of("/file").mode, S_IFREG | 0600);
	IS(stat_error(task, "/fifo/x"), -ENOTDIR);
	IS(open_error("/fifo", O_RDWR), 0);
	IS(open_error("/sock", O_RDWR), -ENXIO);
	IS(open_error("/sock", O_PATH), 0);
	IS(dcs_task_new(cache, task, 0, &u), 0);
	IS(dcs_mkdir(task, "/open", 0777), 0);
	IS(dcs_chmod(task, "/open", 0777, 0), 0);
	IS(dcs_setcred(u, 1000, 1000, 0, NULL), 0);
	IS(dcs_mknod(u, "/open/null", S_IFCHR, makedev(1, 3)), -EPERM);
	IS(dcs_mknod(u, "/null2", S_IFCHR, makedev(1, 3)), -EACCES);
	IS(dcs_mknod(u, "/open/fifo", S_IFIFO, 0), 0);
	dcs_task_free(u);
}

static void body_open(void)
{
	IS(open_error("/new/", O_CREAT), -EISDIR);
	IS(open_error("/x", O_CREAT | O_DIRECTORY), -EINVAL);
	IS(open_error("/x", O_RDONLY), -ENOENT);
	IS(dcs_mkdir(task, "/d", 0755), 0);
	IS(dcs_symlink(task, "d/target", "/l"), 0);
	IS(dcs_symlink(task, "l", "/l2"), 0);
	IS(dcs_symlink(task, "loop", "/loop"), 0);
	IS(open_error("/l2", O_RDONLY), -ENOENT);
	IS(open_error("/l2", O_CREAT | O_EXCL), -EEXIST);
	IS(open_error("/l2", O_CREAT | O_NOFOLLOW), -ELOOP);
	MISSING("/d/target");
	IS(open_error("/l2", O_CREAT), 0);
	IS(lstat_of("/d/target").mode, S_IFREG | 0644);
	IS(open_error("/l2", O_CREAT), 0);
	IS(open_error("/l", O_NOFOLLOW), -ELOOP);
	IS(open_error("/l", O_NOFOLLOW | O_DIRECTORY), -ENOTDIR);
	IS(open_error("/l", O_NOFOLLOW | O_PATH), 0);
	IS(open_error("/loop", O_CREAT), -ELOOP);
	IS(open_error("/d", O_WRONLY), -EISDIR);
	IS(open_error("/d", O_RDONLY | O_CREAT), -EISDIR);
	IS(open_error("/d", O_RDONLY | O_DIRECTORY), 0);
	IS(open_error("/d/.", O_CREAT), -EISDIR);
	IS(open_error("/d/.", O_CREAT | O_EXCL), -EEXIST);
	IS(dcs_setsize(task, "/d/target", 100, 1, 0), 0);
	IS(open_error("/l", O_WRONLY | O_TRUNC), 0);
	IS(lstat_of("/d/target").size, 0);
}

static void body_outlive(void)
{
	uint64_t inodes = counted().inodes;
	struct dcs_task *child;
	struct dcs_stat st;
	char buf[512];
	int fd;

	IS(dcs_open(task, "/f", O_CREAT | O_RDWR, 0600), 0);
	IS(dcs_link(task, "/f", "/g", 0), 0);
	IS(dcs_rename(task, "/f", "/g", 0), 0); /* of one inode: nothing happens */
	IS(NLINK("/f"), 2);
	IS(INO("/f"), INO("/g"));
	IS(dcs_chmod(task, "/g", 0640, 0), 0);
	IS(lstat_of("/f").mode, S_IFREG | 0640);
	IS(dcs_unlink(task, "/f"), 0);
	IS(NLINK("/g"), 1);
	IS(dcs_unlink(task, "/g"), 0);
	IS(dcs_task_new(cache, task, 0, &child), 0);
	IS(dcs_close(task, 0), 0);
	IS(dcs_close(task, 0), -EBADF);
	IS(dcs_fstat(task, 0, &st), -EBADF);
	IS(dcs_fstat(child, 0, &st), 0);
	IS(st.nlink, 0);
	IS(counted().inodes, inodes + 1);
	dcs_task_free(child);
	IS(counted().inodes, inodes);

	IS(dcs_mkdir(task, "/d", 0755), 0);
	fd = dcs_open(task, "/d", O_DIRECTORY, 0);
	IS(fd, 0);
	IS(dcs_chdir(task, "/d"), 0);
	IS(dcs_rmdir(task, "/d"), 0);
	IS(open_error("x", O_CREAT), -ENOENT);
	IS(dcs_getdents(task, fd, buf, sizeof(buf)), -ENOENT);
	IS(dcs_chdir(task, "/"), 0);
	for (int i = 1; i < DCS_OPEN_MAX; i++)
		IS(dcs_open(task, "/", O_RDONLY, 0), i);
	IS(dcs_open(task, "/", O_RDONLY, 0), -EMFILE);
	IS(dcs_close(task, 7), 0);
	IS(dcs_open(task, "/", O_RDONLY, 0), 7);
}

/* ---- reading a directory while it changes: "p<number>" stay, all else comes and goes */

#define STAY 200

static void change_around(int i)
{
	char a[32], b[32];

	snprintf(a, sizeof(a), "/d/t%d", i % STAY); /* made before, between those that stay */
	snprintf(b, sizeof(b), "/d/n%d", i);
	if (i % 3 == 0)
		dcs_unlink(task, a);
	else if (i % 3 == 1)
		dcs_rename(task, a, b, 0);
	else
		snprintf(b, sizeof(b), "/e/%d", i), dcs_rename(task, a, b, 0);
	snprintf(b, sizeof(b), "/d/m%d", i);
	dcs_create(task, b, 0600);
}

/* Reads all in small pieces, with changes between; each that stays must come once. */
static void read_once(int fd, int *step)
{
	unsigned seen[STAY] = {0}, dots = 0;
	_Alignas(8) char buf[300];
	ssize_t n;

	while ((n = dcs_getdents(task, fd, buf, sizeof(buf))) > 0) {
		for (ssize_t at = 0; at < n;) {
			struct dcs_dirent *e = (struct dcs_dirent *)(buf + at);

			if (*e->name == 'p')
				seen[atoi(e->name + 1)]++;
			dots += *e->name == '.';
			at += e->size;
		}
		/* They end, for a store may give what is new last, and a reading then has no end.
		 */
		for (int i = 0; i < 3 && *step < 3 * STAY; i++)
			change_around((*step)++);
	}
	IS(n, 0);
	IS(dots, 2);
	for (int i = 0; i < STAY; i++)
		IS(seen[i], 1);
}

static void body_readdir(void)
{
	char path[32];
	int fd, step = 0;

	IS(dcs_mkdir(task, "/d", 0755), 0);
	IS(dcs_mkdir(task, "/e", 0755), 0);
	for (int i = 0; i < STAY; i++) {
		snprintf(path, sizeof(path), "/d/p%d", i);
		IS(dcs_create(task, path, 0600), 0);
		snprintf(path, sizeof(path), "/d/t%d", i);
		IS(dcs_create(task, path, 0600), 0);
	}
	fd = dcs_open(task, "/d", O_RDONLY, 0);
	IS(dcs_getdents(task, fd, path, 8), -EINVAL);
	read_once(fd, &step);
	IS(dcs_rewinddir(task, fd), 0);
	read_once(fd, &step);
}

TEST(special, ONE_HASH, 1000, 0)
TEST(open, ONE_HASH, 1000, 0)
TEST(outlive, ONE_HASH, 1000, 0)
TEST(readdir, ONE_HASH, 10000, 0)

static void test_stored(void **state)
{
	void (*const bodies[])(void) = {body_special, body_open, body_readdir};

	(void)state;
	for (size_t i = 0; i < COUNT(bodies); i++) {
		config = (struct dcs_config){.table_bits = 6, .walk = "rcu-walk"};
		config.flavour = "urcu-memb";
		IS(dcs_store_memory(&config), 0);
		run_one(bodies[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_special), cmocka_unit_test(test_open),
		cmocka_unit_test(test_outlive), cmocka_unit_test(test_readdir),
		cmocka_unit_test(test_stored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
