/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * test_store_faults - a cache over a store that fails, or lies: the caller gets an
 * error, and nothing is half-done
 *
 * At the end of each case dcs_check() finds nothing wrong, and all lookups that the
 * store gave have been forgotten.
 */
#include "probe_store.h"

/* ---- a store that fails */

static int make_file(void)
{
	return dcs_create(task, "/d/new", 0644);
}

static int make_dir(void)
{
	return dcs_mkdir(task, "/d/new", 0755);
}

static int make_link(void)
{
	return dcs_symlink(task, "to", "/d/new");
}

static int link_file(void)
{
	return dcs_link(task, "/d/f", "/d/new", 0);
}

static int unlink_file(void)
{
	return dcs_unlink(task, "/d/f");
}

static int remove_dir(void)
{
	return dcs_rmdir(task, "/d/empty");
}

static int rename_file(void)
{
	return dcs_rename(task, "/d/f", "/e/new", 0);
}

static int rename_over(void)
{
	return dcs_rename(task, "/d/f", "/e/g", 0);
}

static int rename_dir(void)
{
	return dcs_rename(task, "/d/full", "/d/empty", 0);
}

static int exchange(void)
{
	return dcs_rename(task, "/d/full", "/e/g", DCS_RENAME_EXCHANGE);
}

static int change_mode(void)
{
	return dcs_chmod(task, "/d/f", 0600, 0);
}

static int change_owner(void)
{
	return dcs_chown(task, "/d/f", 7, 8, 0);
}

static int change_size(void)
{
	return dcs_setsize(task, "/d/f", 99, 77, 0);
}

static int stat_file(void)
{
	return stat_error(task, "/e/g");
}

static int stat_link(void)
{
	return stat_error(task, "/d/link");
}

static int read_link(void)
{
	char buf[20];
	ssize_t n = dcs_readlink(task, "/d/link", buf, sizeof(buf));

	return n == 4 ? 0 : (int)n;
}

static int change_cwd(void)
{
	int err = dcs_chdir(task, "/d/full/below");

	return err ?: dcs_chdir(task, "/");
}

static const struct operation {
	int (*run)(void);
	enum question q; /* what it asks at the end */
} operations[] = {
	{make_file, Q_CREATE},	  {make_dir, Q_CREATE},	    {make_link, Q_CREATE},
	{link_file, Q_LINK},	  {unlink_file, Q_REMOVE},  {remove_dir, Q_REMOVE},
	{rename_file, Q_RENAME},  {rename_over, Q_RENAME},  {rename_dir, Q_RENAME},
	{exchange, Q_RENAME},	  {change_mode, Q_SETATTR}, {change_owner, Q_SETATTR},
	{change_size, Q_SETATTR}, {stat_file, Q_LOOKUP},    {stat_link, Q_READLINK},
	{read_link, Q_READLINK},  {change_cwd, Q_LOOKUP},   {make_file, Q_LOOKUP},
	{unlink_file, Q_LOOKUP},  {rename_over, Q_LOOKUP},  {link_file, Q_LOOKUP},
};

static const char *const names[] = {
	"/",	    "/d",      "/e",   "/d/f",	 "/d/full", "/d/full/below",
	"/d/empty", "/d/link", "/e/g", "/d/new", "/e/new",
};

static void make_tree(void)
{
	IS(dcs_mkdir(task, "/d", 0755), 0);
	IS(dcs_mkdir(task, "/e", 0755), 0);
	IS(dcs_create(task, "/d/f", 0644), 0);
	IS(dcs_create(task, "/e/g", 0644), 0);
	IS(dcs_mkdir(task, "/d/empty", 0755), 0);
	IS(dcs_mkdir(task, "/d/full", 0755), 0);
	IS(dcs_mkdir(task, "/d/full/below", 0755), 0);
	IS(dcs_symlink(task, "../e", "/d/link"), 0);
}

/* All that can be seen of the tree: attributes, and 0 in place of a number that is not there. */
struct picture {
	struct dcs_stat st[COUNT(names)];
};

static void take_picture(struct picture *p)
{
	memset(p, 0, sizeof(*p));
	for (size_t i = 0; i < COUNT(names); i++)
		dcs_stat(task, names[i], DCS_NOFOLLOW, &p->st[i]);
}

static void same_picture(const struct picture *a, const struct picture *b, unsigned operation)
{
	for (size_t i = 0; i < COUNT(names); i++)
		if (memcmp(&a->st[i], &b->st[i], sizeof(a->st[i])))
			fail_msg("%s: operation %u failed and changed %s", variant(), operation,
				 names[i]);
}

/* What fails changes nothing, in the cache or, as it shows when all is let go, in the store. */
static void fails_with(unsigned i, int given, int expected)
{
	const struct operation *op = &operations[i];
	struct picture before, after;

	dcs_drop_caches(cache, 2); /* times as the store has them */
	take_picture(&before);
	for (int cold = 0; cold < 2; cold++) {
		if (cold || op->q == Q_LOOKUP || op->q == Q_READLINK)
			dcs_drop_caches(cache, 2);
		gives(op->q, NULL, 1000, given);
		IS(op->run(), expected);
		assert_true(probe.times < 1000);
		probe.times = 0;
		take_picture(&after);
		same_picture(&before, &after, i);
		dcs_drop_caches(cache, 2);
		take_picture(&after);
		same_picture(&before, &after, i);
	}
}

static void body_fails(void)
{
	static const int errors[] = {-EIO, -ENOMEM, -EACCES, -ENOSPC, -EROFS, -EINTR, -4095};
	static const int nonsense[] = {1, 12345, -4096, INT32_MIN};

	make_tree();
	for (unsigned i = 0; i < COUNT(operations); i++) {
		for (unsigned k = 0; k < COUNT(errors); k++)
			fails_with(i, errors[k], errors[k]);
		for (unsigned k = 0; k < COUNT(nonsense); k++)
			if (operations[i].q != Q_READLINK || nonsense[k] < 0)
				fails_with(i, nonsense[k], -EIO);
		fails_with(i, -ESTALE, -ESTALE);
	}
	/* It works when the store does. */
	for (unsigned i = 0; i < COUNT(operations); i++) {
		dcs_rmdir(task, "/d/new");
		dcs_unlink(task, "/d/new");
		dcs_unlink(task, "/e/new");
		dcs_create(task, "/d/f", 0644);
		dcs_create(task, "/e/g", 0644);
		dcs_mkdir(task, "/d/empty", 0755);
		dcs_mkdir(task, "/d/full", 0755);
		dcs_mkdir(task, "/d/full/below", 0755);
		IS(operations[i].run(), 0);
		if (operations[i].run == exchange)
			IS(operations[i].run(), 0);
		else if (operations[i].run == rename_dir)
			IS(dcs_rename(task, "/d/empty", "/d/full", 0), 0);
	}
}

static void test_fails(void **state)
{
	(void)state;
	in_caches(body_fails, false, false, 0);
}

/* What a store does not have, it does not allow. */
static void body_read_only(void)
{
	struct picture before, after;

	make_tree();
	dcs_drop_caches(cache, 2);
	take_picture(&before);
	probe.ops.create = NULL;
	probe.ops.link = NULL;
	probe.ops.remove = NULL;
	probe.ops.rename = NULL;
	probe.ops.setattr = NULL;
	for (unsigned i = 0; i < COUNT(operations); i++) {
		bool reads = operations[i].run == stat_file || operations[i].run == stat_link ||
			     operations[i].run == read_link || operations[i].run == change_cwd;

		IS(operations[i].run(), reads ? 0 : -EROFS);
		take_picture(&after);
		same_picture(&before, &after, i);
	}
	dcs_drop_caches(cache, 2);
	take_picture(&after);
	same_picture(&before, &after, 0);
}

static void test_read_only(void **state)
{
	(void)state;
	in_caches(body_read_only, false, false, 0);
}

/* ---- a store that lies */

static struct dcs_stat truth;

static void no_number(struct dcs_stat *attr)
{
	truth = *attr;
	attr->ino = 0;
}

static void no_type(struct dcs_stat *attr)
{
	attr->mode = 0644;
}

static void unknown_type(struct dcs_stat *attr)
{
	attr->mode = S_IFMT | 0644;
}

static void directory_type(struct dcs_stat *attr)
{
	attr->mode = S_IFDIR | 0755;
}

static void file_type(struct dcs_stat *attr)
{
	attr->mode = S_IFREG | 0644;
}

/* The answer speaks of @ino instead: the store then has given that one. */
static uint64_t instead;

static void another(struct dcs_stat *attr)
{
	probe.memory->forget(config.store_data, attr->ino, 1);
	attr->ino = instead;
	attr->mode = S_IFDIR | 0755;
}

static void body_lies(void)
{
	static void (*const nonsense[])(struct dcs_stat *) = {no_number, no_type, unknown_type};
	struct picture before, after;
	struct dcs_task *other;

	make_tree();
	dcs_drop_caches(cache, 2);
	take_picture(&before);
	for (unsigned i = 0; i < COUNT(nonsense); i++) {
		dcs_drop_caches(cache, 2);
		IS(stat_error(task, "/e"), 0);
		lies(Q_LOOKUP, "g", 1, nonsense[i]);
		IS(stat_error(task, "/e/g"), -EIO);
		lies(Q_LOOKUP, "g", 1, nonsense[i]);
		IS(dcs_unlink(task, "/e/g"), -EIO);
		if (!i) /* the store gave what it cannot be told to forget */
			probe.given[0] = 0;
		take_picture(&after);
		same_picture(&before, &after, i);
	}
	/* A file that is held by another name does not become a directory. */
	IS(dcs_link(task, "/e/g", "/e/h", 0), 0);
	dcs_drop_caches(cache, 2);
	IS(stat_error(task, "/e/g"), 0);
	lies(Q_LOOKUP, "h", 100, directory_type);
	IS(stat_error(task, "/e/h"), -ESTALE);
	probe.times = 0;
	IS(stat_error(task, "/e/h"), 0);
	IS(dcs_unlink(task, "/e/h"), 0);
	/* What was made as a file is one, and so a directory. */
	lies(Q_CREATE, "new", 1, directory_type);
	IS(dcs_create(task, "/d/new", 0644), -EIO);
	IS(lstat_of("/d/new").mode, S_IFREG | 0644);
	IS(dcs_unlink(task, "/d/new"), 0);
	lies(Q_CREATE, "new", 1, file_type);
	IS(dcs_mkdir(task, "/d/new", 0755), -EIO);
	IS(dcs_rmdir(task, "/d/new"), 0);
	IS(NLINK("/d"), 4);
	lies(Q_CREATE, "new", 1, no_type);
	IS(dcs_create(task, "/d/new", 0644), -EIO);
	IS(dcs_unlink(task, "/d/new"), 0);

	/* A directory in two places is in the last, unless it is in use where it is. */
	IS(dcs_task_new(cache, task, 0, &other), 0);
	IS(dcs_chdir(other, "/d"), 0);
	instead = INO("/d");
	probe.memory->lookup(config.store_data, INO("/"), "d", 1, &truth);
	lies(Q_LOOKUP, "again", 1, another);
	IS(probe.memory->create(config.store_data, INO("/e"), "again", 5, NULL,
				&(struct dcs_stat){.mode = S_IFREG}),
	   0);
	IS(stat_error(task, "/e/again"), 0);
	IS(stat_error(other, "."), 0);
	IS(stat_error(other, "f"), 0);
	dcs_task_free(other);
}

static void test_lies(void **state)
{
	(void)state;
	in_caches(body_lies, false, false, 0);
}

/* The body of a link: no longer than asked for, not empty, without a NUL. */
static void body_links(void)
{
	static const ssize_t wrong[] = {0, 1, 4095, 4096, 1 << 20, INT32_MAX, -5000};

	make_tree();
	for (unsigned i = 0; i < COUNT(wrong); i++) {
		dcs_drop_caches(cache, 2);
		gives(Q_READLINK, NULL, 1, wrong[i]);
		IS(stat_error(task, "/d/link"), -EIO);
		IS(stat_error(task, "/d/link"), 0);
	}
}

static void test_links(void **state)
{
	(void)state;
	in_caches(body_links, false, false, 0);
}

/* ---- a root that is none */

static void test_root(void **state)
{
	static const int errors[] = {-EIO, -ENOMEM, 5, -5000};
	const char *why;

	(void)state;
	config = (struct dcs_config){.table_bits = 6, .capacity = 4096};
	for (unsigned i = 0; i < COUNT(errors); i++) {
		probe_config(false);
		gives(Q_ROOT, NULL, 1, errors[i]);
		IS(dcs_cache_new(&config, &cache, &why),
		   errors[i] < 0 && errors[i] > -4096 ? errors[i] : -EIO);
	}
	for (int i = 0; i < 3; i++) {
		static void (*const lie[])(struct dcs_stat *) = {no_number, no_type, file_type};

		probe_config(false);
		lies(Q_ROOT, NULL, 1, lie[i]);
		IS(dcs_cache_new(&config, &cache, &why), -EIO);
		assert_non_null(why);
		IS(probe.given[1], 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fails), cmocka_unit_test(test_read_only),
		cmocka_unit_test(test_lies),  cmocka_unit_test(test_links),
		cmocka_unit_test(test_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
