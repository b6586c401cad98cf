/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * test_store - the stores themselves, asked without a cache: what each promises
 *
 * The linker puts the functions that allocate before those of the same name (--wrap).
 */
#include "test_store.h"

/* ---- allocations: the one numbered fail_at fails (0: none) */

static unsigned allocations, fail_at;

static bool fails(void)
{
	return ++allocations == fail_at;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

char *__real_strdup(const char *s);
char *__wrap_strdup(const char *s);
char *__wrap_strdup(const char *s)
{
	return fails() ? NULL : __real_strdup(s);
}

static void open_memory(void)
{
	struct dcs_stat attr;

	top_fd = -1;
	assert_int_equal(dcs_store_memory(&config), 0);
	assert_int_equal(ASK(root, &attr), 0);
	assert_int_equal(attr.mode, S_IFDIR | 0755);
	root_ino = attr.ino;
}

/* Makes @name in the root. */
static void put(const char *name, uint32_t mode, const char *target)
{
	struct dcs_stat attr = {.mode = mode};
	int fd;

	if (top_fd < 0) {
		assert_int_equal(ASK(create, root_ino, name, strlen(name), target, &attr), 0);
		forget(attr.ino);
	} else if (S_ISDIR(mode)) {
		assert_int_equal(mkdirat(top_fd, name, mode & 07777), 0);
	} else if (S_ISLNK(mode)) {
		assert_int_equal(symlinkat(target, top_fd, name), 0);
	} else {
		fd = openat(top_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 07777);
		assert_true(fd >= 0);
		close(fd);
	}
}

static void in_both(void (*body)(void))
{
	open_memory();
	body();
	close_world();
	for (int revalidate = 0; revalidate < 2; revalidate++) {
		open_dir(revalidate);
		body();
		close_world();
	}
}

#define BOTH(NAME)                        \
	static void test_##NAME(void **s) \
	{                                 \
		(void)s;                  \
		in_both(body_##NAME);     \
	}

/* ---- what both promise */

static void body_lookup(void)
{
	char name[DCS_NAME_MAX + 2], buf[64];
	struct dcs_stat attr;
	uint64_t dir, link;

	put("file", S_IFREG | 0640, NULL);
	put("dir", S_IFDIR | 0750, NULL);
	put("link", LINK_MODE, "to/there");
	assert_int_equal(try_lookup(root_ino, "file", &attr), 0);
	assert_int_equal(attr.mode, S_IFREG | 0640);
	assert_int_equal(attr.nlink, 1);
	assert_int_equal(attr.size, 0);
	assert_int_equal(ASK(readlink, attr.ino, buf, sizeof(buf)), -EINVAL);
	assert_true(ASK(lookup, attr.ino, "x", 1, &attr) < 0);
	forget(attr.ino);

	assert_int_equal(try_lookup(root_ino, "dir", &attr), 0);
	assert_int_equal(attr.mode, S_IFDIR | 0750);
	dir = attr.ino;
	assert_int_equal(try_lookup(dir, "none", &attr), -ENOENT);
	forget(dir);

	assert_int_equal(try_lookup(root_ino, "link", &attr), 0);
	assert_int_equal(attr.mode & S_IFMT, S_IFLNK);
	assert_int_equal(attr.size, 8);
	link = attr.ino;
	assert_int_equal(ASK(readlink, link, buf, sizeof(buf)), 8);
	assert_memory_equal(buf, "to/there", 8);
	assert_int_equal(ASK(readlink, link, buf, 3), 3);
	forget(link);

	/* Names have a length and need no NUL. */
	assert_int_equal(ASK(lookup, root_ino, "files", 4, &attr), 0);
	forget(attr.ino);
	assert_int_equal(ASK(lookup, root_ino, "file", 3, &attr), -ENOENT);
	memset(name, 'n', sizeof(name));
	assert_int_equal(ASK(lookup, root_ino, name, DCS_NAME_MAX, &attr), -ENOENT);
	assert_true(ASK(lookup, root_ino, name, DCS_NAME_MAX + 1, &attr) < 0);
}
BOTH(lookup)

static void body_odd_names(void)
{
	static const char *const odd[] = {"\xff\xfe", "a b\n", "\t", "-rf", "...", "*", "\x01"};
	struct dcs_stat attr;
	uint64_t ino[7];

	for (int i = 0; i < 7; i++) {
		put(odd[i], FILE_MODE, NULL);
		ino[i] = find(root_ino, odd[i]);
		for (int k = 0; k < i; k++)
			assert_true(ino[i] != ino[k]);
		forget(ino[i]);
	}
	/* The cache does not ask for these, and none leads elsewhere. */
	assert_true(try_lookup(root_ino, "..", &attr) < 0);
	assert_true(try_lookup(root_ino, ".", &attr) < 0);
	assert_true(try_lookup(root_ino, "a/b", &attr) < 0);
	assert_true(try_lookup(root_ino, "", &attr) < 0);
}
BOTH(odd_names)

/* A number is known as long as it has lookups, and then not. */
static void body_counts(void)
{
	struct dcs_stat attr;
	uint64_t dir;

	put("dir", DIR_MODE, NULL);
	dir = find(root_ino, "dir");
	for (int i = 0; i < 9; i++)
		assert_int_equal(find(root_ino, "dir"), dir);
	ASK(forget, dir, 9);
	assert_int_equal(try_lookup(dir, "x", &attr), -ENOENT);
	take("dir");
	assert_int_equal(try_lookup(root_ino, "dir", &attr), -ENOENT);
	assert_true(try_lookup(dir, "x", &attr) < 0);
	forget(dir);
	assert_true(ASK(readdir, dir, 0, NULL, NULL) < 0);
}
BOTH(counts)

struct reading {
	unsigned char *seen; /* by number in the name, how often */
	unsigned left, others;
	uint64_t cookie;
};

static int note(void *context, const char *name, size_t len, uint64_t ino, uint32_t mode,
		uint64_t next)
{
	struct reading *r = context;
	char copy[DCS_NAME_MAX + 1];

	if (!r->left)
		return 1;
	r->left--;
	memcpy(copy, name, len);
	copy[len] = '\0';
	assert_true(ino && S_ISREG(mode));
	if (copy[0] == 'k')
		r->seen[atoi(copy + 4)]++;
	else
		r->others++;
	r->cookie = next;
	return 0;
}

#define KEPT 1500

/* Each name that is there all the time is given once, whatever comes and goes beside it. */
static void body_readdir(void)
{
	unsigned char seen[KEPT] = {0};
	struct reading r = {.seen = seen};
	unsigned made = 0;
	char name[32];

	for (int i = 0; i < KEPT; i++) {
		sprintf(name, "keep%d", i);
		put(name, FILE_MODE, NULL);
		sprintf(name, "gone%d", i);
		put(name, FILE_MODE, NULL);
	}
	do {
		r.left = 100;
		assert_int_equal(ASK(readdir, root_ino, r.cookie, note, &r), 0);
		for (int i = 0; i < 40 && made < KEPT; i++, made++) {
			sprintf(name, "gone%d", (made * 7) % KEPT);
			take(name);
			sprintf(name, "new%d", made);
			put(name, FILE_MODE, NULL);
		}
	} while (!r.left);
	for (int i = 0; i < KEPT; i++)
		assert_int_equal(seen[i], 1);
	assert_true(made > 500 && r.others > 0);
}
BOTH(readdir)

/* ---- in memory */

static int rename_to(const char *from, const char *to, unsigned flags)
{
	return ASK(rename, root_ino, from, strlen(from), root_ino, to, strlen(to), flags);
}

static int move(uint64_t from_dir, const char *from, uint64_t to_dir, const char *to)
{
	return ASK(rename, from_dir, from, strlen(from), to_dir, to, strlen(to), 0);
}

static int add(uint64_t dir, const char *name, uint32_t mode)
{
	struct dcs_stat attr = {.mode = mode, .uid = 7, .gid = 8};
	int err = ASK(create, dir, name, strlen(name), NULL, &attr);

	if (!err)
		forget(attr.ino);
	return err;
}

static int drop(uint64_t dir, const char *name, uint64_t ino)
{
	return ASK(remove, dir, name, strlen(name), ino);
}

static uint32_t links(uint64_t dir, const char *name)
{
	struct dcs_stat attr;

	assert_int_equal(try_lookup(dir, name, &attr), 0);
	forget(attr.ino);
	return attr.nlink;
}

static void test_changes(void **state)
{
	uint64_t a, b, x, y;
	struct dcs_stat attr;

	(void)state;
	open_memory();
	put("a", DIR_MODE, NULL);
	put("b", DIR_MODE, NULL);
	put("x", FILE_MODE, NULL);
	a = find(root_ino, "a");
	b = find(root_ino, "b");
	x = find(root_ino, "x");
	assert_int_equal(add(root_ino, "x", FILE_MODE), -EEXIST);
	assert_int_equal(add(x, "y", FILE_MODE), -ENOENT);
	assert_int_equal(add(a, "sub", DIR_MODE), 0);
	assert_int_equal(add(a, "y", FILE_MODE), 0);
	assert_int_equal(links(root_ino, "a"), 3);

	/* Directories with names are neither removed nor replaced. */
	assert_int_equal(drop(root_ino, "a", a), -ENOTEMPTY);
	assert_int_equal(rename_to("b", "a", 0), -ENOTEMPTY);
	assert_int_equal(drop(root_ino, "none", a), -ENOENT);
	assert_int_equal(drop(root_ino, "b", a), -ESTALE);
	/* A subdirectory moves with its parent's link. */
	assert_int_equal(move(a, "sub", b, "sub2"), 0);
	assert_int_equal(links(root_ino, "a"), 2);
	assert_int_equal(links(root_ino, "b"), 3);
	assert_int_equal(try_lookup(a, "sub", &attr), -ENOENT);
	assert_int_equal(rename_to("x", "b", DCS_RENAME_NOREPLACE), -EEXIST);
	assert_int_equal(rename_to("x", "none", DCS_RENAME_EXCHANGE), -ENOENT);
	assert_int_equal(rename_to("none", "x", 0), -ENOENT);
	/* An exchange of a file in one directory with a directory in another. */
	assert_int_equal(ASK(rename, a, "y", 1, b, "sub2", 4, DCS_RENAME_EXCHANGE), 0);
	assert_int_equal(links(root_ino, "a"), 3);
	assert_int_equal(links(root_ino, "b"), 2);
	assert_int_equal(links(a, "y"), 2);
	/* An empty one is replaced. */
	assert_int_equal(add(root_ino, "empty", DIR_MODE), 0);
	assert_int_equal(move(a, "y", root_ino, "empty"), 0);
	assert_int_equal(links(root_ino, "a"), 2);

	/* A file outlives its names while it has lookups. */
	assert_int_equal(ASK(link, x, a, "hard", 4), 0);
	assert_int_equal(ASK(link, x, a, "hard", 4), -EEXIST);
	assert_int_equal(links(root_ino, "x"), 2);
	assert_int_equal(drop(root_ino, "x", x), 0);
	assert_int_equal(links(a, "hard"), 1);
	assert_int_equal(drop(a, "hard", x), 0);
	attr = (struct dcs_stat){.size = 99};
	assert_int_equal(ASK(setattr, x, &attr, DCS_SET_SIZE), 0);
	assert_int_equal(ASK(link, x, a, "again", 5), -ENOENT);
	forget(x);
	assert_int_equal(ASK(setattr, x, &attr, DCS_SET_SIZE), -ESTALE);
	/* So does a directory, which takes no names any more. */
	y = find(root_ino, "empty");
	assert_int_equal(drop(root_ino, "empty", y), 0);
	assert_int_equal(add(y, "late", FILE_MODE), -ENOENT);
	forget(y);
	forget(a);
	forget(b);
	close_world();
}

static void test_attributes(void **state)
{
	struct dcs_stat set = {.mode = S_IFREG | 04711, .uid = 1, .gid = 2, .size = 3}, attr, was;

	(void)state;
	open_memory();
	set.mtime.tv_sec = 1000;
	put("x", FILE_MODE, NULL);
	assert_int_equal(try_lookup(root_ino, "x", &was), 0);
	assert_true(was.mtime.tv_sec > 1000 && was.ctime.tv_sec > 1000);
	for (unsigned what = 1; what < 16; what++) {
		assert_int_equal(ASK(setattr, was.ino, &was, 15), 0);
		assert_int_equal(ASK(setattr, was.ino, &set, what), 0);
		assert_int_equal(try_lookup(root_ino, "x", &attr), 0);
		forget(attr.ino);
		assert_int_equal(attr.mode, what & DCS_SET_MODE ? set.mode : was.mode);
		assert_int_equal(attr.uid, what & DCS_SET_OWNER ? 1 : was.uid);
		assert_int_equal(attr.gid, what & DCS_SET_OWNER ? 2 : was.gid);
		assert_int_equal(attr.size, what & DCS_SET_SIZE ? 3 : was.size);
		assert_int_equal(attr.mtime.tv_sec, what & DCS_SET_MTIME ? 1000 : was.mtime.tv_sec);
	}
	forget(was.ino);
	close_world();
}

static int count_descriptors(void)
{
	int n = 0;

	for (int fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* ---- memory that runs out */

/* One of each question; each gives 0 or -ENOMEM. Returns whether none failed. */
static bool ask_all(void)
{
	static const char *const names[] = {"dir", "file", "link"};
	bool all = true;
	char buf[64];
	ssize_t n;

	for (int i = 0; i < 3; i++) {
		struct dcs_stat attr;
		int err = try_lookup(root_ino, names[i], &attr);

		assert_true(!err || err == -ENOMEM);
		all = all && !err;
		if (err)
			continue;
		if (i == 2) {
			n = ASK(readlink, attr.ino, buf, sizeof(buf));
			assert_true(n == 2 || n == -ENOMEM);
			all = all && n > 0;
		}
		if (i == 0 && top_fd < 0) {
			int errs[] = {add(attr.ino, "n", FILE_MODE),
				      move(attr.ino, "n", attr.ino, "m"), drop(attr.ino, "m", 0)};

			assert_true(!errs[0] || errs[0] == -ENOMEM);
			all = all && !errs[0] && !errs[1];
			if (!errs[0]) {
				const char *left = errs[1] ? "n" : "m";
				uint64_t ino;

				assert_true(!errs[1] || errs[1] == -ENOMEM);
				ino = find(attr.ino, left);
				assert_int_equal(drop(attr.ino, left, ino), 0);
				forget(ino);
			}
		}
		forget(attr.ino);
	}
	n = ASK(readdir, root_ino, 0, pass_over, NULL);
	assert_true(!n || n == -ENOMEM);
	return all && !n;
}

static void body_no_memory(void)
{
	unsigned at = 0;
	int descriptors;
	bool done;

	put("dir", S_IFREG | 0644, NULL);
	take("dir");
	put("dir", DIR_MODE, NULL);
	put("file", FILE_MODE, NULL);
	put("link", LINK_MODE, "to");
	descriptors = count_descriptors();
	do {
		allocations = 0;
		fail_at = ++at;
		done = ask_all();
	} while (allocations >= fail_at);
	fail_at = 0;
	assert_true(done && at > 3);
	assert_int_equal(count_descriptors(), descriptors);
}
BOTH(no_memory)

static void test_no_memory_for_a_store(void **state)
{
	struct dcs_config none = {0};
	int err;

	(void)state;
	for (int dir = 0; dir < 2; dir++) {
		unsigned at = 0;

		do {
			allocations = 0;
			fail_at = ++at;
			err = dir ? dcs_store_dir(&none, "/tmp", 0) : dcs_store_memory(&none);
			assert_true(!err || err == -ENOMEM);
		} while (err);
		fail_at = 0;
		assert_true(at > 1);
		none.store->free(none.store_data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lookup),	  cmocka_unit_test(test_odd_names),
		cmocka_unit_test(test_counts),	  cmocka_unit_test(test_readdir),
		cmocka_unit_test(test_changes),	  cmocka_unit_test(test_attributes),
		cmocka_unit_test(test_no_memory), cmocka_unit_test(test_no_memory_for_a_store),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
