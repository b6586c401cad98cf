/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* test_names - names that come, go and move, and what is counted of them */
#include "variants.h"
#include "walk_table.h"

/* Names of each length, inline and external, and between them */

static void name_of_length(char *buf, int len)
{
	memset(buf, 'n', (size_t)len);
	buf[len] = 0;
}

static void body_names(void)
{
	char name[257], other[257];

	for (int len = 1; len <= 255; len++) {
		name_of_length(name, len);
		IS(dcs_create(task, name, 0644), 0);
		IS(dcs_create(task, name, 0644), -EEXIST);
	}
	for (int len = 1; len <= 127; len++) {
		uint64_t a, b;

		name_of_length(name, len);
		name_of_length(other, 256 - len);
		a = INO(name);
		b = INO(other);
		assert_int_not_equal(a, b);
		IS(dcs_rename(task, name, other, DCS_RENAME_EXCHANGE), 0);
		IS(INO(name), b);
		IS(INO(other), a);
		IS(dcs_rename(task, name, other, 0), 0);
		IS(INO(other), b);
		MISSING(name);
		IS(dcs_rename(task, other, name, 0), 0);
		IS(INO(name), b);
		MISSING(other);
		other[255 - len] = 'm'; /* as long, and only the last byte differs */
		IS(dcs_rename(task, name, other, DCS_RENAME_NOREPLACE), 0);
		IS(INO(other), b);
		other[255 - len] = 'n';
		MISSING(other);
	}
	IS(counted().inodes, 1 + 255 - 127);
}

static void body_hard_links(void)
{
	uint64_t ino;

	IS(dcs_mkdir(task, "/d", 0755), 0);
	IS(dcs_create(task, "/f", 0644), 0);
	IS(dcs_symlink(task, "f", "/l"), 0);
	ino = INO("/f");
	IS(dcs_link(task, "/f", "/d/g", 0), 0);
	IS(dcs_link(task, "/l", "/l2", 0), 0);
	IS(dcs_link(task, "/l", "/f2", DCS_FOLLOW), 0);
	IS(INO("/d/g"), ino);
	IS(INO("/f2"), ino);
	IS(INO("/l2"), INO("/l"));
	IS(NLINK("/f"), 3);
	IS(NLINK("/l"), 2);
	IS(dcs_link(task, "/f", "/d/g", 0), -EEXIST);
	IS(dcs_link(task, "/f", "/new/", 0), -ENOENT);
	IS(dcs_link(task, "/f", "/d/.", 0), -EEXIST);
	IS(dcs_link(task, "/d", "/d2", 0), -EPERM);
	IS(dcs_link(task, "/none", "/d2", 0), -ENOENT);
	IS(dcs_rename(task, "/f", "/d/g", 0), 0); /* the same inode: nothing is done */
	IS(NLINK("/f"), 3);
	IS(dcs_rename(task, "/f", "/d/g", DCS_RENAME_NOREPLACE), -EEXIST);
	IS(dcs_unlink(task, "/f"), 0);
	IS(dcs_unlink(task, "/d/g"), 0);
	IS(NLINK("/f2"), 1);
	IS(counted().inodes, 4);
	IS(dcs_unlink(task, "/f2"), 0);
	IS(counted().inodes, 3);
}

static void body_link_counts(void)
{
	IS(NLINK("/"), 2);
	IS(dcs_mkdir(task, "/a", 0755), 0);
	IS(dcs_mkdir(task, "/b", 0755), 0);
	IS(dcs_create(task, "/f", 0644), 0);
	IS(NLINK("/"), 4);
	IS(dcs_mkdir(task, "/a/s", 0755), 0);
	IS(NLINK("/a"), 3);
	IS(dcs_rename(task, "/a/s", "/b/s", 0), 0);
	IS(NLINK("/a"), 2);
	IS(NLINK("/b"), 3);
	IS(dcs_rename(task, "/b/s", "/f", DCS_RENAME_EXCHANGE), 0);
	IS(NLINK("/"), 5);
	IS(NLINK("/b"), 2);
	IS(NLINK("/f"), 2);
	IS(NLINK("/b/s"), 1);
	IS(dcs_mkdir(task, "/a/t", 0755), 0);
	IS(dcs_rename(task, "/f", "/a/t", 0), 0);
	IS(NLINK("/"), 4);
	IS(NLINK("/a"), 3);
	IS(dcs_rmdir(task, "/a"), -ENOTEMPTY);
	IS(dcs_rmdir(task, "/a/t"), 0);
	IS(dcs_rmdir(task, "/a"), 0);
	IS(NLINK("/"), 3);
	IS(counted().inodes, 3);
}

static void body_rename(void)
{
	static const struct {
		const char *from, *to;
		unsigned flags;
		int err;
	} refused[] = {
		{"/none", "/x", 0, -ENOENT},
		{"/none", "/" N256, 0, -ENOENT},
		{"/f", "/" N256, 0, -ENAMETOOLONG},
		{"/f", "/none/x", 0, -ENOENT},
		{"/f", "/g/x", 0, -ENOTDIR},
		{"/f/", "/x", 0, -ENOTDIR},
		{"/f", "/x/", 0, -ENOTDIR},
		{"/f", "/empty", 0, -EISDIR},
		{"/empty", "/f", 0, -ENOTDIR},
		{"/empty", "/full", 0, -ENOTEMPTY},
		{"/full", "/full/sub/x", 0, -EINVAL},
		{"/full", "/full/x", 0, -EINVAL},
		{"/full", "/full/sub", DCS_RENAME_EXCHANGE, -EINVAL},
		{"/full/sub", "/full", 0, -ENOTEMPTY},
		{"/full/sub", "/full", DCS_RENAME_EXCHANGE, -EINVAL},
		{"/f", "/g", DCS_RENAME_NOREPLACE, -EEXIST},
		{"/f", "/f", DCS_RENAME_NOREPLACE, -EEXIST},
		{"/f", "/none", DCS_RENAME_EXCHANGE, -ENOENT},
		{"/empty", "/f/", DCS_RENAME_EXCHANGE, -ENOTDIR},
		{"/f", "/g", DCS_RENAME_EXCHANGE | DCS_RENAME_NOREPLACE, -EINVAL},
		{"/f", "/g", 8, -EINVAL},
		{"/full/.", "/x", 0, -EBUSY},
		{"/full/sub/..", "/x", 0, -EBUSY},
		{"/", "/x", 0, -EBUSY},
		{"/f", "/full/.", 0, -EBUSY},
		{"/f", "/full/.", DCS_RENAME_NOREPLACE, -EEXIST},
		{"", "/x", 0, -ENOENT},
		{"/f", "", 0, -ENOENT},
	};
	uint64_t f, g, full;

	IS(dcs_create(task, "/f", 0644), 0);
	IS(dcs_create(task, "/g", 0644), 0);
	IS(dcs_mkdir(task, "/empty", 0755), 0);
	IS(dcs_mkdir(task, "/full", 0755), 0);
	IS(dcs_mkdir(task, "/full/sub", 0755), 0);
	f = INO("/f"), g = INO("/g"), full = INO("/full");
	for (size_t i = 0; i < COUNT(refused); i++) {
		int err = dcs_rename(task, refused[i].from, refused[i].to, refused[i].flags);

		if (err != refused[i].err)
			fail_msg("%s: rename %.20s %.20s %u: %d and not %d", variant(),
				 refused[i].from, refused[i].to, refused[i].flags, err,
				 refused[i].err);
	}
	IS(INO("/f"), f);
	IS(INO("/g"), g);
	IS(dcs_rename(task, "/f", "/f", 0), 0);
	IS(dcs_rename(task, "/f", "/full/sub", DCS_RENAME_EXCHANGE), 0);
	IS(INO("/full/sub"), f);
	IS(stat_error(task, "/f/"), 0);
	IS(INO("/f/.."), INO("/"));
	IS(dcs_rename(task, "/full/sub", "/g", 0), 0);
	IS(INO("/g"), f);
	IS(dcs_rename(task, "/full/", "/empty/", 0), 0);
	IS(INO("/empty"), full);
	MISSING("/full");
	IS(counted().inodes, 4);
}

static struct dcs_counters counters(void)
{
	struct dcs_counters c;

	dcs_counters(cache, &c);
	return c;
}

/* Negative dentries: made by the first miss, answer the others, turn positive, stay in bounds. */

static void body_negative(void)
{
	struct dcs_counters before = counters(), after;

	IS(dcs_mkdir(task, "/d", 0755), 0);
	MISSING("/d/n");
	IS(counted().negative, 1);
	after = counters();
	IS(after.negative_hits, before.negative_hits);
	IS(after.slow_lookups, before.slow_lookups + 1);
	for (int i = 0; i < 3; i++)
		MISSING("/d/n");
	before = counters();
	IS(before.negative_hits, after.negative_hits + 3);
	IS(before.slow_lookups, after.slow_lookups);
	IS(dcs_create(task, "/d/n", 0644), 0);
	IS(counted().negative, 0);
	IS(counted().dentries, 3);
	IS(dcs_unlink(task, "/d/n"), 0);
	IS(counted().negative, 1);
	MISSING("/d/n");
	IS(counters().negative_hits, before.negative_hits + 1);
	IS(dcs_mkdir(task, "/d/n", 0755), 0);
	MISSING("/d/n/x");
	MISSING("/d/n/y");
	MISSING("/d/n/" N255);
	IS(counted().negative, 3);
	IS(dcs_rmdir(task, "/d/n"), 0); /* takes its negatives along and turns negative */
	IS(counted().negative, 1);
	IS(counted().dentries, 3);
	IS(counted().inodes, 2);
	MISSING("/d/n/x");
	IS(dcs_rmdir(task, "/d"), 0);
	IS(counted().dentries, 2);
	IS(counted().inodes, 1);
}

#define LIMIT 4
static void body_negative_limit(void)
{
	char name[32];

	IS(dcs_create(task, "/f", 0644), 0);
	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "/n%d", i);
		MISSING(name);
		IS(dcs_unlink(task, name), -ENOENT);
		IS(dcs_rmdir(task, name), -ENOENT);
		IS(dcs_rename(task, name, "/x", 0), -ENOENT);
		IS(dcs_rename(task, "/f/", name, 0), -ENOTDIR);
		IS(dcs_link(task, "/f", "/new/", 0), -ENOENT);
		assert_true(counted().negative <= LIMIT);
	}
	IS(counted().negative, LIMIT);
	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "/m%d", i);
		IS(dcs_create(task, name, 0644), 0);
		IS(dcs_unlink(task, name), 0);
		IS(counted().negative, LIMIT);
	}
	IS(counted().inodes, 2);
	IS(counted().dentries, 2 + LIMIT);
}

/* A cache that is full says so, and stays as it was. */

#define CAPACITY 8
static void body_full(void)
{
	char name[] = "/a";
	int n = 0, err;

	for (; !(err = dcs_create(task, name, 0644)); name[1]++)
		n++;
	IS(err, -ENOMEM);
	IS(n, CAPACITY - 1);
	IS(dcs_mkdir(task, "/z", 0755), -ENOMEM);
	IS(dcs_symlink(task, "x", "/z"), -ENOMEM);
	IS(dcs_link(task, "/a", "/z", 0), -ENOMEM);
	IS(dcs_rename(task, "/a", "/z", 0), -ENOMEM);
	IS(dcs_rename(task, "/z", "/a", 0), -ENOMEM);
	IS(NLINK("/a"), 1);
	IS(counted().dentries, CAPACITY);
	IS(counted().negative, 0);
	IS(dcs_rename(task, "/a", "/b", 0), 0);
	IS(counted().inodes, CAPACITY - 1);
	IS(dcs_mkdir(task, "/z", 0755), 0);
}

/* Counts of what lives and of what was given back agree with what was done. */

static void body_census(void)
{
	struct dcs_census c = counted();

	IS(c.dentries, 1);
	IS(c.inodes, 1);
	IS(c.negative, 0);
	IS(c.buckets, 64);
	IS(dcs_mkdir(task, "/d", 0755), 0);
	IS(dcs_create(task, "/d/" N255, 0644), 0);
	IS(dcs_link(task, "/d/" N255, "/d/g", 0), 0);
	IS(dcs_symlink(task, "g", "/d/l"), 0);
	c = counted();
	IS(c.dentries, 5);
	IS(c.inodes, 4);
	IS(c.freed_dentries, 0);
	IS(dcs_rename(task, "/d/g", "/d/l", 0), 0); /* the link and a dentry go */
	c = counted();
	IS(c.dentries, 4);
	IS(c.inodes, 3);
	IS(c.freed_dentries, 1);
	IS(c.freed_inodes, 1);
	IS(dcs_unlink(task, "/d/l"), 0);
	IS(dcs_unlink(task, "/d/" N255), 0);
	IS(dcs_rmdir(task, "/d"), 0);
	c = counted();
	IS(c.dentries, 2);
	IS(c.negative, 1);
	IS(c.inodes, 1);
	IS(c.freed_dentries, 3);
	IS(c.freed_inodes, 3);
}

TEST(names, ALL_HASHES, 2000, 0)
TEST(hard_links, ONE_HASH, 1000, 0)
TEST(link_counts, ONE_HASH, 1000, 0)
TEST(rename, ALL_HASHES, 1000, 0)
TEST(negative, ONE_HASH, 1000, 0)
TEST(negative_limit, ONE_HASH, 1000, LIMIT)
TEST(full, ONE_HASH, CAPACITY, 0)
TEST(census, ONE_HASH, 1000, 0)

static void test_bad_config(void **state)
{
	static const struct {
		struct dcs_config config;
		const char *why;
	} bad[] = {
		{{.walk = "rcuwalk"}, "walk"},
		{{.walk = ""}, "walk"},
		{{.layout = "linux-7"}, "layout"},
		{{.hash = "md5"}, "hash"},
		{{.flavour = "urcu"}, "flavour"},
		{{.table_bits = 31}, "table_bits"},
		{{.table_bits = -1u}, "table_bits"},
		{{.capacity = (1ull << 31) + 1}, "capacity"},
		{{.capacity = -1ull}, "capacity"},
		{{.final = (enum dcs_final)2}, "final"},
		{{.final = (enum dcs_final) - 1}, "final"},
		{{.kernel = "2.6.7"}, "unknown kernel"},
	};
	struct dcs_cache *const untouched = (struct dcs_cache *)&cache;

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		const char *why = NULL;

		cache = untouched;
		assert_int_equal(dcs_cache_new(&bad[i].config, &cache, &why), -EINVAL);
		assert_ptr_equal(cache, untouched);
		assert_non_null(strstr(why, bad[i].why));
		assert_int_equal(dcs_cache_new(&bad[i].config, &cache, NULL), -EINVAL);
	}
	assert_null(dcs_list("kernel"));
	assert_int_equal(dcs_cache_new(NULL, &cache, NULL), 0);
	assert_int_equal(dcs_task_new(cache, NULL, 2, &task), -EINVAL);
	dcs_cache_free(cache);
	dcs_cache_free(NULL);
	dcs_task_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),	    cmocka_unit_test(test_hard_links),
		cmocka_unit_test(test_link_counts), cmocka_unit_test(test_rename),
		cmocka_unit_test(test_negative),    cmocka_unit_test(test_negative_limit),
		cmocka_unit_test(test_full),	    cmocka_unit_test(test_census),
		cmocka_unit_test(test_bad_config),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
