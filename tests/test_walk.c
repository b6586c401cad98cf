/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* test_walk - where paths lead, who may follow them, and which error comes first */
#include "variants.h"
#include "walk_table.h"

/* Resolution of paths: walk_table.h */

static void build_tree(void)
{
	static const struct {
		const char *link, *target;
	} links[] = {
		{"/l-f", "d/e/f"},
		{"/l-d", "d"},
		{"/l-abs", "/d/e"},
		{"/l-root", "/"},
		{"/d/l-up", "../d/e/f"},
		{"/l-slash", "d/"},
		{"/l-chain", "l-f"},
		{"/l-nest", "l-d/l-e/../l-e/f"},
		{"/d/l-e", "e"},
		{"/l-dot", "."},
		{"/l-file-slash", "d/e/f/"},
		{"/l-dangling", "d/none"},
		{"/l-self", "l-self"},
		{"/l-ping", "l-pong"},
		{"/l-pong", "l-ping"},
		{"/c1", "d/e/f"},
	};
	char link[16], target[16];

	IS(dcs_mkdir(task, "/d", 0755), 0);
	IS(dcs_mkdir(task, "/d/e", 0755), 0);
	IS(dcs_create(task, "/d/e/f", 0644), 0);
	IS(dcs_mkdir(task, "/d/...", 0755), 0);
	IS(dcs_create(task, "/d/..x", 0644), 0);
	IS(dcs_create(task, "/d/" N255, 0644), 0);
	for (size_t i = 0; i < COUNT(links); i++)
		IS(dcs_symlink(task, links[i].target, links[i].link), 0);
	for (int i = 2; i <= 41; i++) {
		snprintf(link, sizeof(link), "/c%d", i);
		snprintf(target, sizeof(target), "c%d", i - 1);
		IS(dcs_symlink(task, target, link), 0);
	}
}

static void resolve(const char *path, unsigned flags, int err, const char *leads)
{
	char padded[DCS_PATH_MAX + DCS_PATH_PAD] = "";
	struct dcs_stat st;
	int got;

	strcpy(padded, path);
	for (int i = 0; i < 2; i++) { /* the second time padded, and with negatives cached */
		got = dcs_stat(task, padded, flags | (i ? DCS_PADDED : 0), &st);
		if (got != err)
			fail_msg("%s: stat \"%.80s\", flags %u: %d and not %d", variant(), path,
				 flags, got, err);
		if (!err && st.ino != INO(leads))
			fail_msg("%s: stat \"%.80s\", flags %u: not \"%.80s\"", variant(), path,
				 flags, leads);
	}
}

static void resolve_all(void)
{
	for (size_t i = 0; i < COUNT(resolutions); i++) {
		const struct resolution *r = &resolutions[i];

		resolve(r->path, 0, r->err, r->leads);
		resolve(r->path, DCS_NOFOLLOW, r->lerr, r->lleads);
	}
}

static void body_resolution(void)
{
	build_tree();
	resolve_all();
}

/* The same tree in a jail: nothing leads out of it, neither `..` nor absolute links. */
static void body_jail(void)
{
	uint64_t outside = INO("/");

	IS(dcs_mkdir(task, "/jail", 0755), 0);
	IS(dcs_create(task, "/secret", 0644), 0);
	IS(dcs_chroot(task, "jail"), 0);
	IS(INO("."), outside); /* chroot leaves the cwd, which then sees what is outside */
	IS(stat_error(task, "secret"), 0);
	MISSING("/secret");
	IS(dcs_chdir(task, "/"), 0);
	assert_int_not_equal(INO("/"), outside);
	build_tree();
	resolve_all();
	MISSING("../secret");
	MISSING("l-root/../secret");
}

/* Lengths of paths and of link bodies */

static void body_lengths(void)
{
	static char path[DCS_PATH_MAX + 1], body[DCS_PATH_MAX + 1];

	IS(dcs_mkdir(task, "/d", 0755), 0);
	memset(path, '/', sizeof(path));
	memcpy(path + DCS_PATH_MAX - 2, "d", 2);
	IS(strlen(path), DCS_PATH_MAX - 1);
	IS(stat_error(task, path), 0);
	path[DCS_PATH_MAX - 1] = '/';
	path[DCS_PATH_MAX] = 0;
	IS(stat_error(task, path), -ENAMETOOLONG);
	IS(dcs_mkdir(task, path, 0755), -ENAMETOOLONG);
	IS(dcs_rename(task, "/d", path, 0), -ENAMETOOLONG);
	IS(dcs_rename(task, path, "/d", 0), -ENAMETOOLONG);
	IS(dcs_symlink(task, path, "/l"), -ENAMETOOLONG);
	MISSING("/l");
	path[DCS_PATH_MAX - 1] = 0;
	IS(dcs_symlink(task, path, "/l"), 0);
	IS(lstat_of("/l").size, DCS_PATH_MAX - 1);
	IS(stat_error(task, "/l"), 0);
	IS(dcs_readlink(task, "/l", body, sizeof(body)), DCS_PATH_MAX - 1);
	IS(memcmp(body, path, DCS_PATH_MAX - 1), 0);
	IS(dcs_readlink(task, "/l", body, 10), 10);
	IS(dcs_readlink(task, "/l", body, 0), -EINVAL);
	IS(dcs_readlink(task, "/d", body, 10), -EINVAL);
	IS(dcs_symlink(task, "", "/m"), -ENOENT);
	IS(dcs_symlink(task, "x", ""), -ENOENT);
}

static struct dcs_task *user(uid_t uid, gid_t gid, size_t ngroups, const gid_t *groups)
{
	struct dcs_task *t;

	IS(dcs_task_new(cache, task, 0, &t), 0);
	IS(dcs_setcred(t, uid, gid, ngroups, groups), 0);
	return t;
}

/* Permission */

static void body_permission(void)
{
	static const gid_t groups[] = {700, 600};
	static const struct {
		mode_t mode; /* of the directory, owned by 500:600 */
		bool owner, group, supplementary, other;
	} search[] = {
		{0100, 1, 0, 0, 0}, {0010, 0, 1, 1, 0}, {0001, 0, 0, 0, 1}, {0011, 0, 1, 1, 1},
		{0101, 1, 0, 0, 1}, {0110, 1, 1, 1, 0}, {0111, 1, 1, 1, 1}, {0666, 0, 0, 0, 0},
		{0677, 0, 1, 1, 1}, {0767, 1, 0, 0, 1}, {0000, 0, 0, 0, 0},
	};
	struct dcs_task *owner = user(500, 1, 0, NULL), *group = user(501, 600, 0, NULL);
	struct dcs_task *supplementary = user(501, 1, 2, groups), *other = user(501, 1, 1, groups);

	IS(dcs_setcred(other, 1, 1, 33, groups), -EINVAL);
	IS(dcs_mkdir(task, "/d", 0755), 0);
	IS(dcs_create(task, "/d/f", 0), 0);
	IS(dcs_chown(task, "/d", 500, 600, 0), 0);
	for (size_t i = 0; i < COUNT(search); i++) {
		IS(dcs_chmod(task, "/d", search[i].mode, 0), 0);
		IS(stat_error(owner, "/d/f"), search[i].owner ? 0 : -EACCES);
		IS(stat_error(group, "/d/f"), search[i].group ? 0 : -EACCES);
		IS(stat_error(supplementary, "/d/f"), search[i].supplementary ? 0 : -EACCES);
		IS(stat_error(other, "/d/f"), search[i].other ? 0 : -EACCES);
		IS(stat_error(other, "/d/none"), search[i].other ? -ENOENT : -EACCES);
		IS(stat_error(other, "/d/."), search[i].other ? 0 : -EACCES);
		IS(stat_error(other, "/d/" N256), search[i].other ? -ENAMETOOLONG : -EACCES);
		IS(stat_error(other, "/d/"), 0);
		IS(dcs_chdir(other, "/d"), search[i].other ? 0 : -EACCES);
		IS(dcs_chroot(other, "/d"), search[i].other ? -EPERM : -EACCES);
		IS(stat_error(task, "/d/f"), 0); /* root searches whatever the mode */
		IS(dcs_chdir(other, "/"), 0);
	}
	IS(dcs_chmod(other, "/d", 0777, 0), -EPERM);
	IS(dcs_chown(owner, "/d", 501, -1, 0), -EPERM);
	IS(dcs_chown(owner, "/d", -1, 700, 0), -EPERM);
	IS(dcs_chown(owner, "/d", 500, 600, 0), 0);
	dcs_task_free(owner);
	dcs_task_free(group);
	dcs_task_free(supplementary);
	dcs_task_free(other);
}

static void body_modes(void)
{
	struct dcs_task *a = user(500, 500, 0, NULL), *b = user(501, 501, 0, NULL);
	struct dcs_stat st;

	IS(dcs_mkdir(task, "/tmp", 0), 0);
	IS(dcs_chmod(task, "/tmp", 01777, 0), 0);
	IS(dcs_create(a, "/tmp/a", 0666), 0);
	IS(lstat_of("/tmp/a").mode, S_IFREG | 0644);
	IS(dcs_umask(a, 077), 022);
	IS(dcs_mkdir(a, "/tmp/d", 07777), 0);
	IS(lstat_of("/tmp/d").mode, S_IFDIR | 01700);
	/* Sticky: only the owners of the file and of the directory, and root. */
	IS(dcs_unlink(b, "/tmp/a"), -EPERM);
	IS(dcs_rmdir(b, "/tmp/d"), -EPERM);
	IS(dcs_rename(b, "/tmp/a", "/tmp/b", 0), -EPERM);
	IS(dcs_create(b, "/tmp/b", 0666), 0);
	IS(dcs_rename(b, "/tmp/b", "/tmp/a", 0), -EPERM);
	IS(dcs_rename(b, "/tmp/b", "/tmp/a", DCS_RENAME_EXCHANGE), -EPERM);
	IS(dcs_unlink(a, "/tmp/a"), 0);
	IS(dcs_unlink(task, "/tmp/b"), 0);
	/* setgid: the group is the directory's, and directories pass it on. */
	IS(dcs_chown(task, "/tmp", -1, 900, 0), 0);
	IS(dcs_chmod(task, "/tmp", 02777, 0), 0);
	IS(dcs_mkdir(b, "/tmp/sub", 0755), 0);
	IS(dcs_create(b, "/tmp/file", 02775), 0);
	st = lstat_of("/tmp/sub");
	IS(st.gid, 900);
	IS(st.uid, 501);
	IS(st.mode, S_IFDIR | 02755);
	st = lstat_of("/tmp/file");
	IS(st.gid, 900);
	IS(st.mode, S_IFREG | 0755); /* not of that group: no setgid executable */
	IS(dcs_setsize(b, "/tmp/file", 12345, 1000000000, 0), 0);
	st = lstat_of("/tmp/file");
	IS(st.size, 12345);
	IS(st.mtime.tv_sec, 1000000000);
	IS(st.mtime.tv_nsec, 0);
	IS(dcs_setsize(a, "/tmp/file", 1, 1, 0), -EPERM);
	dcs_task_free(a);
	dcs_task_free(b);
}

/* What is removed while it is a cwd or a root lives on, and takes no new names. */

static void body_removed(void)
{
	struct dcs_task *other;
	struct dcs_stat st;
	uint64_t ino;

	IS(dcs_mkdir(task, "/d", 0755), 0);
	IS(dcs_mkdir(task, "/d/e", 0755), 0);
	ino = INO("/d/e");
	IS(dcs_chdir(task, "/d/e"), 0);
	MISSING("n");
	IS(dcs_rmdir(task, "/d/e"), 0);
	IS(dcs_rmdir(task, "/d"), 0);
	st = lstat_of(".");
	IS(st.ino, ino);
	IS(st.nlink, 0);
	IS(INO("../.."), INO("/"));
	MISSING("n");
	MISSING(N256);
	IS(dcs_create(task, "n", 0644), -ENOENT);
	IS(dcs_mkdir(task, "m", 0755), -ENOENT);
	IS(dcs_symlink(task, "x", "l"), -ENOENT);
	IS(dcs_rename(task, "n", "m", 0), -ENOENT);
	IS(dcs_rmdir(task, "../e"), -ENOENT);
	IS(dcs_create(task, "/f", 0644), 0);
	IS(dcs_link(task, "/f", "f", 0), -ENOENT);
	IS(dcs_rename(task, "/f", "f", 0), -ENOENT);
	IS(dcs_mkdir(task, "/d", 0755), 0); /* again: another directory */
	MISSING("/d/e");
	IS(INO("."), ino);
	IS(dcs_task_new(cache, task, DCS_SHARE_FS, &other), 0);
	IS(stat_error(other, ".."), 0);
	IS(dcs_chdir(other, "/d"), 0); /* shared: both move, and the removed ones go */
	IS(INO("."), INO("/d"));
	IS(counted().inodes, 3);
	IS(dcs_chdir(task, "/f"), -ENOTDIR);
	IS(dcs_chroot(task, "/f"), -ENOTDIR);
	IS(dcs_chdir(task, "/none"), -ENOENT);
	dcs_task_free(other);
	IS(dcs_rename(task, "/d", "/r", 0), 0); /* the cwd goes with it */
	IS(INO("."), INO("/r"));
	IS(dcs_chroot(task, "/r"), 0);
	IS(dcs_chdir(task, "/"), 0);
	IS(INO(".."), INO("/"));
}

/* Which error comes first: Linux 6.18 */

static void body_order(void)
{
	struct dcs_task *u = user(500, 500, 0, NULL);

	IS(dcs_mkdir(task, "/d", 0755), 0);
	IS(dcs_create(task, "/d/f", 0644), 0);
	IS(dcs_symlink(task, "none", "/d/l"), 0);
	IS(dcs_mkdir(task, "/new/.", 0755), -ENOENT);
	IS(dcs_mkdir(task, "/d/.", 0755), -EEXIST);
	IS(dcs_mkdir(task, "/", 0755), -EEXIST);
	IS(dcs_mkdir(task, "/d/f/", 0755), -EEXIST);
	IS(dcs_mkdir(task, "/d/l", 0755), -EEXIST);
	IS(dcs_mkdir(u, "/d", 0755), -EEXIST);
	IS(dcs_mkdir(u, "/n", 0755), -EACCES);
	IS(dcs_mkdir(task, "/n/", 0755), 0);
	IS(dcs_create(task, "/new/", 0644), -EISDIR);
	IS(dcs_create(task, "/d/..", 0644), -EEXIST);
	IS(dcs_create(task, "/d/l", 0644), -EEXIST);
	IS(dcs_symlink(task, "x", "/new/"), -ENOENT);
	IS(dcs_symlink(task, "x", "/d/"), -EEXIST);
	IS(dcs_rmdir(task, "/d/."), -EINVAL);
	IS(dcs_rmdir(task, "/d/.."), -ENOTEMPTY);
	IS(dcs_rmdir(task, "/"), -EBUSY);
	IS(dcs_rmdir(task, "/d/f"), -ENOTDIR);
	IS(dcs_rmdir(task, "/d/l/"), -ENOTDIR);
	IS(dcs_rmdir(u, "/none"), -ENOENT);
	IS(dcs_rmdir(u, "/d"), -EACCES);
	IS(dcs_unlink(task, "/d/"), -EISDIR);
	IS(dcs_unlink(task, "/d"), -EISDIR);
	IS(dcs_unlink(task, "/"), -EISDIR);
	IS(dcs_unlink(task, "/d/f/"), -ENOTDIR);
	IS(dcs_unlink(task, "/d/none/"), -ENOENT);
	IS(dcs_unlink(task, "/d/l"), 0);
	dcs_task_free(u);
}

TEST(resolution, ALL_HASHES, 1000, 0)
TEST(jail, ONE_HASH, 1000, 0)
TEST(lengths, ONE_HASH, 1000, 0)
TEST(permission, ONE_HASH, 1000, 0)
TEST(modes, ONE_HASH, 1000, 0)
TEST(removed, ONE_HASH, 1000, 0)
TEST(order, ONE_HASH, 1000, 0)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_resolution), cmocka_unit_test(test_jail),
		cmocka_unit_test(test_lengths),	   cmocka_unit_test(test_permission),
		cmocka_unit_test(test_modes),	   cmocka_unit_test(test_removed),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
