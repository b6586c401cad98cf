/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Trees that are made (synth:), from an index (git:) and from standard input (paths:-). */
#include <errno.h>
#include <stdbool.h>

#include "test_tree.h"

static struct tree *make(const char *arguments)
{
	struct tree *tree;
	char why[WHY];

	if (import("synth:", arguments, &tree, why))
		fail_msg("%s", why);
	check_tree(tree); /* strictly ascending: unique */
	return tree;
}

static const char *const shapes[] = {"numbers", "words", "uuid", "prefix", "modules"};

static void counts_are_as_asked(void **state)
{
	char arguments[100];

	(void)state;
	for (int i = 0; i < 5; i++) {
		snprintf(arguments, sizeof(arguments), "depth=3,fanout=4,files=5,names=%s",
			 shapes[i]);
		struct tree *tree = make(arguments);
		assert_int_equal(tree->n_dirs, 4 + 16 + 64);
		assert_int_equal(tree->n_files, 64 * 5);
		tree_free(tree);
		snprintf(arguments, sizeof(arguments), "names=%s,fanout=20000,depth=0", shapes[i]);
		tree = make(arguments);
		assert_int_equal(tree->n_dirs, 0);
		assert_int_equal(tree->n_files, 20000);
		tree_free(tree);
	}
}

static bool same(const struct tree *a, const struct tree *b)
{
	return a->strings_size == b->strings_size &&
	       !memcmp(a->strings, b->strings, a->strings_size);
}

static void a_seed_makes_one_tree(void **state)
{
	(void)state;
	for (int i = 1; i < 5; i++) { /* numbers have no seed */
		struct tree *tree[3];
		char arguments[100];

		for (int seed = 1; seed <= 3; seed++) {
			snprintf(arguments, sizeof(arguments), "depth=1,fanout=10,names=%s,seed=%d",
				 shapes[i], seed & ~1 ? 2 : 1);
			tree[seed - 1] = make(arguments);
		}
		assert_false(same(tree[0], tree[1]));
		assert_true(same(tree[1], tree[2]));
		for (int t = 0; t < 3; t++)
			tree_free(tree[t]);
	}
}

/* Within five standard deviations of the share at most: 0.5 / sqrt(n) each. */
static void words_have_the_lengths_of_file_systems(void **state)
{
	static const struct {
		unsigned upto;
		double share;
	} steps[] = {{8, .26},	{12, .55}, {16, .69}, {24, .81},
		     {32, .90}, {40, .96}, {48, .97}, {60, .99}};
	struct tree *tree = make("depth=0,fanout=100000,names=words");

	(void)state;
	for (size_t s = 0; s < sizeof(steps) / sizeof(steps[0]); s++) {
		size_t n = 0;

		for (size_t i = 0; i < tree->n; i++)
			n += tree->entry[i].len <= steps[s].upto;
		assert_true((double)n / 1e5 > steps[s].share - .0079);
		assert_true((double)n / 1e5 < steps[s].share + .0079);
	}
	tree_free(tree);
}

static void prefixes_are_common(void **state)
{
	struct tree *tree = make("depth=0,fanout=1000,names=prefix");

	(void)state;
	for (size_t i = 1; i < tree->n; i++)
		assert_memory_equal(tree->entry[0].path, tree->entry[i].path, 32);
	tree_free(tree);
}

/* Packages have names of their own, their files the same names in each. */
static void modules_share_the_names_of_files(void **state)
{
	struct tree *tree = make("depth=1,fanout=50,files=14,names=modules");
	size_t manifests = 0, chunks = 0;

	(void)state;
	for (size_t i = 0; i < tree->n; i++) {
		const char *slash = strchr(tree->entry[i].path, '/');

		manifests += slash && !strcmp(slash, "/package.json");
		chunks += slash && !strcmp(slash, "/chunk-1.js");
	}
	assert_int_equal(tree->n_dirs, 50);
	assert_int_equal(manifests, 50);
	assert_int_equal(chunks, 50);
	tree_free(tree);
}

static void bad_arguments_have_a_reason(void **state)
{
	static const char *const bad[][2] = {
		{"fanout=1,names=words", "depth is not given"},
		{"depth=1,names=words", "fanout is not given"},
		{"depth=1,fanout=1", "names is not given"},
		{"depth=1,fanout=1,names=w", "numbers, words, uuid, prefix or modules"},
		{"depth=33,fanout=1,names=words", "from 0 to 32"},
		{"depth=-1,fanout=1,names=words", "from 0 to 32"},
		{"depth=1,fanout=0,names=words", "from 1 to"},
		{"depth=,fanout=1,names=words", "depth has no value"},
		{"depth,fanout=1,names=words", "depth has no value"},
		{"depth=1,depth=1,fanout=1,names=words", "twice"},
		{"wide=1", "unknown key 'wide'"},
		{"depth=1,", "unknown key ''"},
		{"depth=32,fanout=16777216,names=words", "more than a tree may have"},
		{"depth=0,fanout=1,files=16777217,names=words", "from 1 to 16777216"},
	};
	struct tree *tree;
	char why[WHY];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(import("synth:", bad[i][0], &tree, why), -EINVAL);
		if (!strstr(why, bad[i][1]))
			fail_msg("%s: %s", bad[i][0], why);
	}
}

/* Runs shell text in test_dir, with a git that no configuration reaches. */
static int shell(const char *text)
{
	char command[1500];

	snprintf(command, sizeof(command),
		 "set -e; export HOME=%s GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a "
		 "GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; cd %s; %s",
		 test_dir, test_dir, text);
	return system(command);
}

static struct tree *open_git(const char *name)
{
	char path[160], why[WHY];
	struct tree *tree;

	snprintf(path, sizeof(path), "%s/%s", test_dir, name);
	if (import("git:", path, &tree, why))
		fail_msg("%s", why);
	check_tree(tree);
	return tree;
}

static void refuse_git(const char *name, int err, const char *part)
{
	char path[160], why[WHY];
	struct tree *tree;

	snprintf(path, sizeof(path), "%s/%s", test_dir, name);
	assert_int_equal(import("git:", path, &tree, why), err);
	if (!strstr(why, part))
		fail_msg("%s", why);
}

static void check_repository(const char *name)
{
	struct tree *tree = open_git(name);

	assert_int_equal(tree->n, 6);
	assert_int_equal(find_entry(tree, "d")->mode, S_IFDIR | 0755);
	assert_int_equal(find_entry(tree, "d")->size, 0); /* its own, not a child's */
	assert_int_equal(find_entry(tree, "d")->mtime, 0);
	assert_int_equal(find_entry(tree, "d/f")->mode, S_IFREG | 0644);
	assert_int_equal(find_entry(tree, "run")->mode, S_IFREG | 0755);
	assert_string_equal(find_entry(tree, "link")->target, "d/f");
	assert_string_equal(find_entry(tree, "gone")->target, "nowhere");
	assert_int_equal(find_entry(tree, "sub")->mode, S_IFDIR | 0755);
	tree_free(tree);
}

static void an_index_is_read(void **state)
{
	struct tree *tree;

	(void)state;
	if (system("git --version >/dev/null 2>&1"))
		skip();
	assert_int_equal(
		shell("git init -q 'r p'; cd 'r p'; mkdir d; echo hi >d/f; echo x >run; chmod +x "
		      "run;"
		      "ln -s d/f link; ln -s nowhere gone; git add .; git update-index --add "
		      "--cacheinfo 160000,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,sub;"
		      "git commit -qm a; git clone -q --bare . ../bare.git; rm gone"),
		0);
	check_repository("r p");
	check_repository("r p/.git");
	tree = open_git("r p");
	assert_int_equal(find_entry(tree, "d/f")->size, 3);
	tree_free(tree);
	refuse_git("bare.git", -EINVAL, "no index");
	assert_int_equal(shell("git -C bare.git read-tree HEAD"), 0);
	check_repository("bare.git");
}

static void a_bad_repository_has_a_reason(void **state)
{
	(void)state;
	if (system("git --version >/dev/null 2>&1"))
		skip();
	assert_int_equal(
		shell("git init -q empty; mkdir none; git init -q torn; cd torn; echo a >a;"
		      "git add a; head -c 50 .git/index >i; mv i .git/index"),
		0);
	refuse_git("missing", -ENOENT, "No such file");
	refuse_git("none", -EINVAL, "no git repository");
	refuse_git("empty", -EINVAL, "no index");
	refuse_git("torn", -EINVAL, "cannot read the index");
}

static void a_conflict_is_there_once(void **state)
{
	struct tree *tree;

	(void)state;
	if (system("git --version >/dev/null 2>&1"))
		skip();
	assert_int_equal(
		shell("git init -q both; cd both; b=$(echo x | git hash-object -w --stdin);"
		      "printf \"100644 $b 1\\tf\\n100644 $b 2\\tf\\n100644 $b 3\\tf\\n"
		      "100644 $b 2\\tg\\n100644 $b 3\\tg/h\\n\" | git update-index --index-info"),
		0);
	tree = open_git("both");
	assert_int_equal(tree->n, 3); /* f, g/, g/h */
	assert_int_equal(find_entry(tree, "g")->mode, S_IFDIR | 0755);
	tree_free(tree);
}

/* Without blobs, links are those of the work tree, while it has them. */
static void a_lost_blob_is_made_good(void **state)
{
	struct tree *tree;

	(void)state;
	if (system("git --version >/dev/null 2>&1"))
		skip();
	assert_int_equal(shell("git init -q lost; cd lost; ln -s blob link; echo f >f; git add .;"
			       "rm -r .git/objects/??; rm link f; ln -s work-tree link"),
			 0);
	tree = open_git("lost");
	assert_int_equal(tree->n, 2);
	assert_string_equal(find_entry(tree, "link")->target, "work-tree");
	tree_free(tree);
	assert_int_equal(shell("rm lost/link"), 0);
	refuse_git("lost", -EINVAL, "the link 'link' can be read neither");
	assert_int_equal(shell("echo f >lost/link"), 0);
	refuse_git("lost", -EINVAL, "the link 'link' can be read neither");
}

static void standard_input_is_a_list(void **state)
{
	int keep = dup(STDIN_FILENO), end[2];
	struct tree *tree;
	char why[WHY];

	(void)state;
	for (int bad = 0; bad < 2; bad++) {
		const char *text = bad ? "a\nb//c\n" : "a\nb/c\n";

		assert_int_equal(pipe(end), 0);
		assert_int_equal(write(end[1], text, strlen(text)), strlen(text));
		close(end[1]);
		assert_true(dup2(end[0], STDIN_FILENO) >= 0);
		close(end[0]);
		if (bad) {
			assert_int_equal(import("paths:", "-", &tree, why), -EINVAL);
			assert_non_null(strstr(why, "(standard input):2: 'b//c'"));
			continue;
		}
		assert_int_equal(import("paths:", "-", &tree, why), 0);
		assert_int_equal(tree->n, 3);
		tree_free(tree);
	}
	dup2(keep, STDIN_FILENO);
	close(keep);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_as_asked),
		cmocka_unit_test(a_seed_makes_one_tree),
		cmocka_unit_test(words_have_the_lengths_of_file_systems),
		cmocka_unit_test(prefixes_are_common),
		cmocka_unit_test(modules_share_the_names_of_files),
		cmocka_unit_test(bad_arguments_have_a_reason),
		cmocka_unit_test(an_index_is_read),
		cmocka_unit_test(a_bad_repository_has_a_reason),
		cmocka_unit_test(a_conflict_is_there_once),
		cmocka_unit_test(a_lost_blob_is_made_good),
		cmocka_unit_test(standard_input_is_a_list),
	};

	return cmocka_run_group_tests_name("tree-made", tests, make_test_dir, remove_test_dir);
}
