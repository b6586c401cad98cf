/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Trees: the built-in one, lists of paths, and what is refused and how. */
#include <errno.h>
#include <lzma.h>
#include <stdbool.h>
#include <time.h>

#include "rng.h"
#include "test_tree.h"

#define TEXT(s) (s), sizeof(s) - 1

/* Most seconds for the built-in tree: as people run it, and in builds that check or are slow. */
#define MOST	     0.3
#define MOST_CHECKED 6
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#undef MOST
#endif
#endif
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#undef MOST
#endif
#ifndef MOST
#define MOST MOST_CHECKED
#endif

/* Of CPU: the machine may be busy. */
static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void linux_6_1_is_whole(void **state)
{
	double start = seconds();
	struct tree *tree;
	char why[WHY];

	(void)state;
	assert_int_equal(tree_open("linux-6.1", &tree, why, WHY), 0);
	assert_true(seconds() - start < MOST);
	assert_string_equal(why, "");
	check_tree(tree);
	assert_int_equal(tree->n, 83730);
	assert_int_equal(tree->n_dirs, 5095);
	assert_int_equal(tree->n_files, 78635);
	assert_string_equal(tree->entry[0].path, ".clang-format");
	assert_non_null(find_entry(tree, "fs/dcache.c"));
	assert_int_equal(find_entry(tree, "fs/dcache.c")->mode, S_IFREG | 0644);
	assert_int_equal(find_entry(tree, "include/linux")->mode, S_IFDIR | 0755);
	assert_null(find_entry(tree, "linux-source-6.1"));
	tree_free(tree);
}

#define KINDS "linux-6.1, dir:PATH, paths:FILE, git:REPO or synth:KEY=VALUE,..."

static void unknown_trees_are_told_the_known_ones(void **state)
{
	static const struct {
		const char *spec, *why;
	} bad[] = {
		{"linux", "unknown tree 'linux': give " KINDS},
		{"linux-6.10", "unknown tree 'linux-6.10': give " KINDS},
		{"", "unknown tree '': give " KINDS},
		{"dir:", "dir:: nothing follows: give dir:PATH"},
		{"git:", "git:: nothing follows: give git:REPO"},
		{"paths:", "paths:: nothing follows: give paths:FILE"},
		{"paths", "unknown tree 'paths': give " KINDS},
	};
	struct tree *tree;
	char why[WHY];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(tree_open(bad[i].spec, &tree, why, WHY), -EINVAL);
		assert_string_equal(why, bad[i].why);
	}
}

static void missing_lists_have_a_reason(void **state)
{
	struct tree *tree;
	char why[WHY], path[128];

	(void)state;
	assert_int_equal(import("paths:", "/no/such/list", &tree, why), -ENOENT);
	assert_string_equal(why, "/no/such/list: No such file or directory");
	assert_int_equal(import("paths:", test_dir, &tree, why), -EISDIR);
	snprintf(path, sizeof(path), "%s: Is a directory", test_dir);
	assert_string_equal(why, path);
	if (geteuid() == 0)
		return; /* nothing is unreadable */
	strcpy(path, write_file("closed", TEXT("a\n")));
	assert_int_equal(chmod(path, 0), 0);
	assert_int_equal(import("paths:", path, &tree, why), -EACCES);
	assert_non_null(strstr(why, ": Permission denied"));
}

#define TEN(s)	   s s s s s s s s s s
#define HUNDRED(s) TEN(TEN(s))
#define N250	   HUNDRED("n") HUNDRED("n") TEN("n") TEN("n") TEN("n") TEN("n") TEN("n")
#define DEEP4000   HUNDRED(TEN("abc/"))
#define PATH4095   DEEP4000 TEN("12345678/") "12345"

static void bad_lines_are_refused(void **state)
{
	static const struct {
		const char *text;
		size_t size;
		int line;
		const char *why;
	} bad[] = {
		{TEXT(""), 0, "no names in it: a tree has at least one"},
		{TEXT("\n"), 1, "an empty line: give one path a line"},
		{TEXT("a\nb\n\nc\n"), 3, "an empty line: give one path a line"},
		{TEXT("a\n\n"), 2, "an empty line: give one path a line"},
		{TEXT("a\n/usr/b\n"), 2, "'/usr/b': the path is absolute: leave out the first '/'"},
		{TEXT("/\n"), 1, "'/': the path is absolute: leave out the first '/'"},
		{TEXT("a\nb/./c"), 2, "'b/./c': '.' is in it: leave it out"},
		{TEXT("./a\n"), 1, "'./a': '.' is in it: leave it out"},
		{TEXT(".\n"), 1, "'.': '.' is in it: leave it out"},
		{TEXT("./\n"), 1, "'.': '.' is in it: leave it out"},
		{TEXT("a\nb\n../c\n"), 3, "'../c': '..' is in it: give the path without"},
		{TEXT("b/..\n"), 1, "'b/..': '..' is in it: give the path without"},
		{TEXT("b/../\n"), 1, "'b/..': '..' is in it: give the path without"},
		{TEXT("a//b\n"), 1, "'a//b': '//' is in it: put one '/' between names"},
		{TEXT("a//\n"), 1, "'a/': '//' is in it: put one '/' between names"},
		{TEXT("x\ny\nab\0cd\nz\n"), 3,
		 "'ab\\x00cd': a NUL byte is in it: this is no list of paths"},
		{TEXT("ok\nd/" N250 "123456"), 2, "a name in it is longer than 255 bytes"},
		{TEXT("a\n" PATH4095 "6\n"), 2, "the path is longer than 4095 bytes"},
		{TEXT("a\n" PATH4095 "6/\n"), 2, "longer than 4095 bytes"},
		{TEXT("a\n" DEEP4000 DEEP4000 "\n"), 2, "longer than 4095 bytes"},
		{TEXT("a\nb\na\n"), 3, "'a' is in line 1 already: give it once"},
		{TEXT("a/\nb\na/\n"), 3, "'a' is in line 1 already: give it once"},
		{TEXT("a/b\na/c\na/b"), 3, "'a/b' is in line 1 already: give it once"},
		{TEXT("a\nb\na/\n"), 3,
		 "'a' is a directory here and a file in line 1: it can only be one"},
		{TEXT("a/\nb\na\n"), 3,
		 "'a' is a file here and a directory in line 1: it can only be one"},
		{TEXT("a\na-b\na/b/c\n"), 3,
		 "'a/b/c' is in a directory 'a', which is a file in line 1: it can only be one"},
		{TEXT("a/b/c\na-b\na\n"), 1,
		 "'a/b/c' is in a directory 'a', which is a file in line 3: it can only be one"},
		{TEXT("\xfd"
		      "7zXZ\0 junk, and some more of it"),
		 0, "is damaged: it is no whole .xz file"},
		{TEXT("\x7f"
		      "ELF\2\1\1\0\0\0"),
		 1, "'\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00': a NUL byte is in it"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *path = write_file("bad", bad[i].text, bad[i].size);
		char why[WHY], where[200];
		struct tree *tree;

		assert_int_equal(import("paths:", path, &tree, why), -EINVAL);
		snprintf(where, sizeof(where), bad[i].line ? "%s:%d: " : "%s: ", path, bad[i].line);
		if (strncmp(why, where, strlen(where)) || !strstr(why, bad[i].why))
			fail_msg("case %zu: '%s'", i, why);
		assert_null(strchr(why, '\n'));
	}
}

static void odd_names_are_kept(void **state)
{
	static const char text[] = "crlf\r\n with spaces \n...\n..a/b\n\xff\xfe\t\n" N250
				   "12345\n" PATH4095 "\nempty/\nno newline";
	struct tree *tree;
	char why[WHY];

	(void)state;
	assert_int_equal(import("paths:", write_file("odd", TEXT(text)), &tree, why), 0);
	check_tree(tree);
	assert_non_null(find_entry(tree, "crlf\r"));
	assert_non_null(find_entry(tree, " with spaces "));
	assert_non_null(find_entry(tree, "..."));
	assert_non_null(find_entry(tree, "..a/b"));
	assert_int_equal(find_entry(tree, "..a")->mode, S_IFDIR | 0755);
	assert_non_null(find_entry(tree, "\xff\xfe\t"));
	assert_non_null(find_entry(tree, N250 "12345"));
	assert_int_equal(find_entry(tree, PATH4095)->len, 4095);
	assert_int_equal(find_entry(tree, "empty")->mode, S_IFDIR | 0755);
	assert_int_equal(find_entry(tree, "no newline")->mode, S_IFREG | 0644);
	assert_int_equal(tree->n_dirs, 1 + 1 + 1000 + 10);
	tree_free(tree);
}

static void bytes_below_slash_sort_before_it(void **state)
{
	static const char *const sorted[] = {"d", "d-x", "d.c", "d/a", "d/a/b", "d0", "e"};
	struct tree *tree;
	char why[WHY];

	(void)state;
	assert_int_equal(
		import("paths:", write_file("l", TEXT("e\nd0\nd/a/b\nd.c\nd-x\n")), &tree, why), 0);
	check_tree(tree);
	assert_int_equal(tree->n, 7);
	for (size_t i = 0; i < 7; i++)
		assert_string_equal(tree->entry[i].path, sorted[i]);
	tree_free(tree);
}

/* Compresses into @out and returns the size. */
static size_t compress(const void *text, size_t size, uint8_t *out, size_t room)
{
	size_t used = 0;

	assert_int_equal(
		lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL, text, size, out, &used, room),
		LZMA_OK);
	return used;
}

static void compressed_lists_are_read(void **state)
{
	uint8_t xz[512];
	size_t size = compress(TEXT("d/a\nd/b\n"), xz, sizeof(xz));
	struct tree *tree;
	char why[WHY];

	(void)state;
	/* Two streams behind each other are one text. */
	size += compress(TEXT("e\nd/c"), xz + size, sizeof(xz) - size);
	assert_int_equal(import("paths:", write_file("l.xz", xz, size), &tree, why), 0);
	check_tree(tree);
	assert_int_equal(tree->n, 5);
	tree_free(tree);

	assert_int_equal(import("paths:", write_file("l.xz", xz, size - 1), &tree, why), -EINVAL);
	assert_non_null(strstr(why, "l.xz: ends in the middle: it is no whole .xz file"));
	xz[size / 2] ^= 0x10;
	assert_int_equal(import("paths:", write_file("l.xz", xz, size), &tree, why), -EINVAL);
	size = compress(TEXT("a\n\n"), xz, sizeof(xz));
	assert_int_equal(import("paths:", write_file("l.xz", xz, size), &tree, why), -EINVAL);
	assert_non_null(strstr(why, "l.xz:2: an empty line"));
}

static void endless_files_end(void **state)
{
	struct tree *tree;
	char why[WHY];

	(void)state;
	assert_int_equal(import("paths:", "/dev/zero", &tree, why), -EINVAL);
	assert_non_null(strstr(why, "/dev/zero:1: "));
	assert_int_equal(import("paths:", "/dev/urandom", &tree, why), -EINVAL);
	assert_non_null(strstr(why, "/dev/urandom:"));
	assert_int_equal(import("paths:", "/dev/null", &tree, why), -EINVAL);
	assert_string_equal(why, "/dev/null: no names in it: a tree has at least one");
}

/*
 * Random lists against a second opinion: over few letters, so that duplicates and
 * files that are also directories come often.
 */

struct opinion {
	char path[64][16];
	bool given[64], dir[64];
	size_t n;
	bool bad;
};

static size_t opinion_index(struct opinion *o, const char *path, size_t len)
{
	for (size_t i = 0; i < o->n; i++) {
		if (strlen(o->path[i]) == len && !memcmp(o->path[i], path, len))
			return i;
	}
	memcpy(o->path[o->n], path, len);
	return o->n++;
}

static void opinion_add(struct opinion *o, const char *path, bool dir)
{
	size_t i;

	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		i = opinion_index(o, path, (size_t)(slash - path));
		o->bad |= o->given[i] && !o->dir[i];
		o->dir[i] = true;
	}
	i = opinion_index(o, path, strlen(path));
	o->bad |= o->given[i] || (o->dir[i] && !dir);
	o->given[i] = true;
	o->dir[i] |= dir;
}

static void random_path(struct rng *rng, char *path)
{
	size_t depth = 1 + rng_below(rng, 3);

	for (size_t i = 0; i < depth; i++) {
		*path++ = "ab-"[rng_below(rng, 3)];
		if (rng_below(rng, 2))
			*path++ = "a-0"[rng_below(rng, 3)];
		*path++ = '/';
	}
	path[-1] = '\0';
}

static void random_lists_are_judged_right(void **state)
{
	size_t good = 0, refused = 0;
	struct rng rng;

	(void)state;
	rng = rng_new(1, 0);
	for (int round = 0; round < 1000; round++) {
		struct opinion o = {0};
		struct tree *tree;
		char text[256] = "", why[WHY];
		size_t lines = 1 + rng_below(&rng, 9);
		int err;

		while (lines--) {
			char path[16];
			bool dir = !rng_below(&rng, 4);

			random_path(&rng, path);
			opinion_add(&o, path, dir);
			strcat(strcat(text, path), dir ? "/\n" : "\n");
		}
		err = import("paths:", write_file("random", text, strlen(text)), &tree, why);
		if (!err != !o.bad)
			fail_msg("error %d (%s) for:\n%s", err, why, text);
		if (err) {
			refused++;
			continue;
		}
		good++;
		check_tree(tree);
		assert_int_equal(tree->n, o.n);
		for (size_t i = 0; i < o.n; i++) {
			assert_non_null(find_entry(tree, o.path[i]));
			assert_int_equal(S_ISDIR(find_entry(tree, o.path[i])->mode), o.dir[i]);
		}
		tree_free(tree);
	}
	assert_true(good > 100 && refused > 100);
}

/* Junk: a tree that holds or one line. The lengths pass the size of a read and of a line. */
static void junk_never_harms(void **state)
{
	static const char letters[] = "ab./\n\n\r\0\xff";
	static char junk[70000];
	struct rng rng;

	(void)state;
	rng = rng_new(2, 0);
	for (int round = 0; round < 1000; round++) {
		size_t size = rng_below(&rng, round % 50 ? 60 : sizeof(junk));
		size_t kinds = 2 + rng_below(&rng, sizeof(letters) - 2);
		struct tree *tree;
		char why[WHY];
		int err;

		for (size_t i = 0; i < size; i++)
			junk[i] =
				round % 3 ? letters[rng_below(&rng, kinds)] : (char)rng_next(&rng);
		err = import("paths:", write_file("junk", junk, size), &tree, why);
		if (err) {
			assert_int_equal(err, -EINVAL);
			assert_true(*why && !strchr(why, '\n'));
			continue;
		}
		check_tree(tree);
		tree_free(tree);
	}
}

static void damaged_xz_never_harms(void **state)
{
	static const char text[] = "a/b/c\na/b/d\na/e\nf/\ng/h\n";
	uint8_t whole[256];
	size_t size = compress(TEXT(text), whole, sizeof(whole));
	struct rng rng;
	int refused = 0;

	(void)state;
	rng = rng_new(3, 0);
	for (int round = 0; round < 500; round++) {
		uint8_t xz[256];
		struct tree *tree;
		char why[WHY];
		int err;

		memcpy(xz, whole, size);
		xz[rng_below(&rng, size)] ^= (uint8_t)(1 + rng_below(&rng, 255));
		err = import("paths:", write_file("d.xz", xz, size), &tree, why);
		if (err) {
			refused++;
			continue;
		}
		check_tree(tree);
		tree_free(tree);
	}
	assert_int_equal(refused, 500); /* it has checksums over all of it */
}

/* The messages' quotes hold what is not text, and do not grow without end. */
static void quotes_are_short(void **state)
{
	static char line[3000];
	struct tree *tree;
	char why[WHY];

	(void)state;
	memset(line, 0x1b, sizeof(line));
	assert_int_equal(import("paths:", write_file("esc", line, sizeof(line)), &tree, why),
			 -EINVAL);
	assert_null(strchr(why, 0x1b));
	assert_non_null(strstr(why, "\\x1b...': a name in it is longer than 255 bytes"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(linux_6_1_is_whole),
		cmocka_unit_test(unknown_trees_are_told_the_known_ones),
		cmocka_unit_test(missing_lists_have_a_reason),
		cmocka_unit_test(bad_lines_are_refused),
		cmocka_unit_test(odd_names_are_kept),
		cmocka_unit_test(bytes_below_slash_sort_before_it),
		cmocka_unit_test(compressed_lists_are_read),
		cmocka_unit_test(endless_files_end),
		cmocka_unit_test(random_lists_are_judged_right),
		cmocka_unit_test(junk_never_harms),
		cmocka_unit_test(damaged_xz_never_harms),
		cmocka_unit_test(quotes_are_short),
	};

	return cmocka_run_group_tests_name("tree", tests, make_test_dir, remove_test_dir);
}
