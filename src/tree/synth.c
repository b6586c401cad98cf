/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * synth:depth=D,fanout=F,names=SHAPE[,files=N][,seed=S] - a made tree
 *
 * The root holds F directories, each of these F more, and so on for D levels;
 * each directory of the last level (the root itself, where D is 0) holds N files, F
 * where N is not given. The same arguments make the same names on every machine.
 *
 * Names are unique by construction, so that no set of them is kept: the n names of a
 * directory begin with n different strings (words), end with different numbers
 * (numbers, prefix), or have 122 random bits (uuid). As in node_modules (modules), each
 * directory of packages has names of its own, and the files of all are called the same.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "rng.h"
#include "tree/kind.h"

#define MAX_DEPTH 32
#define LETTERS	  26u
#define LONGEST	  80 /* bytes, of any shape's name */
#define PREFIX	  32

_Static_assert((MAX_DEPTH + 1) * (LONGEST + 1) <= DCS_PATH_MAX, "a path of longest names fits");

struct synth {
	struct tree_build *b;
	uint64_t depth, fanout, files, seed;
	size_t shape;
	struct rng rng;
	char prefix[PREFIX];
	bool at_files; /* and not at directories */
};

/* The names of one directory. */
struct series {
	uint64_t n;
	unsigned digits; /* words: letters at the front, which number the names */
	uint64_t space;	 /* 26 to that power, at least n */
	uint64_t factor[2], shift[2];
};

/* Lengths of names in files systems, cumulative. Within a step lengths are equally likely. */
static const struct {
	unsigned upto, percent;
} length[] = {{8, 26},	{12, 55}, {16, 69}, {24, 81},	   {32, 90},
	      {40, 96}, {48, 97}, {60, 99}, {LONGEST, 100}};

static unsigned draw_length(struct rng *rng, unsigned least)
{
	uint64_t percent = rng_below(rng, 100);
	unsigned from = 1, i = 0;

	while (percent >= length[i].percent)
		from = length[i++].upto + 1;
	if (from < least)
		from = least;
	return from + (unsigned)rng_below(rng, length[i].upto + 1 - from);
}

static uint64_t multiply(uint64_t x, uint64_t factor, uint64_t shift, uint64_t modulus)
{
	return (uint64_t)(((unsigned __int128)x * factor + shift) % modulus);
}

static uint64_t reverse(uint64_t x, unsigned digits)
{
	uint64_t y = 0;

	for (; digits; digits--, x /= LETTERS)
		y = y * LETTERS + x % LETTERS;
	return y;
}

/* A permutation of the numbers below the space: each of its steps is one. */
static uint64_t permute(const struct series *s, uint64_t x)
{
	x = multiply(x, s->factor[0], s->shift[0], s->space);
	x = reverse(x, s->digits);
	return multiply(x, s->factor[1], s->shift[1], s->space);
}

static struct series series_new(struct synth *y, uint64_t n)
{
	struct series s = {.n = n, .digits = 1, .space = LETTERS};

	for (; s.space < n; s.digits++)
		s.space *= LETTERS;
	for (int i = 0; i < 2; i++) {
		do
			s.factor[i] = rng_below(&y->rng, s.space);
		while (s.factor[i] % 2 == 0 || s.factor[i] % 13 == 0);
		s.shift[i] = rng_below(&y->rng, s.space);
	}
	return s;
}

/* Shapes: each writes the name of number @i, and returns its length. */

static unsigned numbers(struct synth *y, const struct series *s, uint64_t i, char *to)
{
	(void)y, (void)s;
	return (unsigned)sprintf(to, "%llu", (unsigned long long)i + 1);
}

static unsigned words(struct synth *y, const struct series *s, uint64_t i, char *to)
{
	unsigned len = draw_length(&y->rng, s->digits), at = 0;
	uint64_t x = permute(s, i);

	for (; at < s->digits; x /= LETTERS)
		to[at++] = (char)('a' + x % LETTERS);
	while (at < len)
		to[at++] = (char)('a' + rng_below(&y->rng, LETTERS));
	return len;
}

static unsigned uuid(struct synth *y, const struct series *s, uint64_t i, char *to)
{
	uint64_t a = rng_next(&y->rng), b = rng_next(&y->rng);

	(void)s, (void)i;
	a = (a & ~0xf000ull) | 0x4000;
	b = (b & ~(3ull << 62)) | 2ull << 62;
	return (unsigned)sprintf(to, "%08x-%04x-%04x-%04x-%012llx", (unsigned)(a >> 32),
				 (unsigned)(a >> 16 & 0xffff), (unsigned)(a & 0xffff),
				 (unsigned)(b >> 48), (unsigned long long)(b & 0xffffffffffffull));
}

static unsigned prefix(struct synth *y, const struct series *s, uint64_t i, char *to)
{
	(void)s;
	memcpy(to, y->prefix, PREFIX);
	return PREFIX + (unsigned)sprintf(to + PREFIX, "%08llu", (unsigned long long)i);
}

/* A package: words with a dash between them. */
static unsigned package(struct synth *y, const struct series *s, uint64_t i, char *to)
{
	unsigned at = 0, parts = 1 + (unsigned)rng_below(&y->rng, 3);
	uint64_t x = permute(s, i);

	for (; at < s->digits; x /= LETTERS)
		to[at++] = (char)('a' + x % LETTERS);
	while (parts--) {
		unsigned len = 2 + (unsigned)rng_below(&y->rng, 7);

		to[at++] = '-';
		while (len--)
			to[at++] = (char)('a' + rng_below(&y->rng, LETTERS));
	}
	return at;
}

static unsigned modules(struct synth *y, const struct series *s, uint64_t i, char *to)
{
	static const char *const files[] = {"package.json", "index.js",	  "README.md",
					    "LICENSE",	    "index.d.ts", "CHANGELOG.md",
					    "index.mjs",    ".npmignore", "browser.js",
					    ".eslintrc",    "test.js",	  "yarn.lock"};
	enum { FILES = sizeof(files) / sizeof(files[0]) };

	if (!y->at_files)
		return package(y, s, i, to);
	if (i < FILES)
		return (unsigned)sprintf(to, "%s", files[i]);
	return (unsigned)sprintf(to, "chunk-%llu.js", (unsigned long long)(i - FILES));
}

static const struct {
	const char *name;
	unsigned (*write)(struct synth *y, const struct series *s, uint64_t i, char *to);
} shapes[] = {{"numbers", numbers},
	      {"words", words},
	      {"uuid", uuid},
	      {"prefix", prefix},
	      {"modules", modules}};

#define N_SHAPES (sizeof(shapes) / sizeof(shapes[0]))

/* Adds @n names below the directory of the path @dir, which is text of @len bytes. */
static int add_names(struct synth *y, size_t dir, uint32_t len, uint64_t n, uint32_t mode)
{
	struct tree_build *b = y->b;
	struct series s = series_new(y, n);
	uint32_t above = len ? len + 1 : 0;
	int err = 0;

	y->at_files = S_ISREG(mode);
	for (uint64_t i = 0; i < n && !err; i++) {
		struct tree_item item = {.path = b->used, .mode = mode};
		char *to = tree_room(b, above + LONGEST + 1);

		if (!to)
			return -ENOMEM;
		if (len) {
			memcpy(to, b->text + dir, len);
			to[len] = '/';
		}
		item.len = above + shapes[y->shape].write(y, &s, i, to + above);
		b->used += item.len;
		err = tree_add(b, &item);
	}
	return err;
}

/* Items are the queue: those of one level stand together, and make the next. */
static int make(struct synth *y)
{
	struct tree_build *b = y->b;
	size_t from = 0, end;
	int err;

	y->rng = rng_new(y->seed, 0);
	for (int i = 0; i < PREFIX; i++)
		y->prefix[i] = (char)('a' + rng_below(&y->rng, LETTERS));
	if (!y->depth)
		return add_names(y, 0, 0, y->files, S_IFREG | 0644);
	err = add_names(y, 0, 0, y->fanout, S_IFDIR | 0755);
	for (uint64_t level = 1; level <= y->depth && !err; level++) {
		bool last = level == y->depth;

		for (end = b->n; from < end && !err; from++)
			err = add_names(y, b->item[from].path, b->item[from].len,
					last ? y->files : y->fanout,
					last ? S_IFREG | 0644 : S_IFDIR | 0755);
	}
	return err;
}

/* Arguments. */

static int fail_shape(struct synth *y, const char *value)
{
	char name[TREE_QUOTED];

	return tree_fail(y->b, -EINVAL, 0,
			 "no names %s: give numbers, words, uuid, prefix or modules",
			 tree_quote(name, value, strlen(value)));
}

/* Takes one KEY=VALUE; *seen has a bit a key. */
static int take(struct synth *y, char *word, unsigned *seen)
{
	const struct {
		const char *key;
		uint64_t *to, least, most;
	} keys[] = {{"depth", &y->depth, 0, MAX_DEPTH},
		    {"fanout", &y->fanout, 1, TREE_MAX_ITEMS},
		    {"files", &y->files, 1, TREE_MAX_ITEMS},
		    {"seed", &y->seed, 0, UINT64_MAX},
		    {"names", NULL, 0, 0}};
	char *value = strchr(word, '='), *end, name[TREE_QUOTED];
	unsigned i = 0;

	if (value)
		*value++ = '\0';
	while (i < 5 && strcmp(word, keys[i].key))
		i++;
	if (i == 5)
		return tree_fail(y->b, -EINVAL, 0,
				 "unknown key %s: give depth, fanout, names, files or seed",
				 tree_quote(name, word, strlen(word)));
	if (!value || !*value)
		return tree_fail(y->b, -EINVAL, 0, "%s has no value: give %s=%s", word, word,
				 keys[i].to ? "NUMBER" : "SHAPE");
	if (*seen & 1u << i)
		return tree_fail(y->b, -EINVAL, 0, "%s is there twice: give it once", word);
	*seen |= 1u << i;
	if (!keys[i].to) {
		while (y->shape < N_SHAPES && strcmp(value, shapes[y->shape].name))
			y->shape++;
		return y->shape < N_SHAPES ? 0 : fail_shape(y, value);
	}
	errno = 0;
	*keys[i].to = strtoull(value, &end, 10);
	if (errno || *end || strspn(value, "0123456789") != strlen(value) ||
	    *keys[i].to < keys[i].least || *keys[i].to > keys[i].most)
		return tree_fail(y->b, -EINVAL, 0, "%s=%s: give a number from %llu to %llu", word,
				 tree_quote(name, value, strlen(value)),
				 (unsigned long long)keys[i].least,
				 (unsigned long long)keys[i].most);
	return 0;
}

/* How many names that is, or a number over the most. */
static uint64_t count(const struct synth *y)
{
	uint64_t dirs = 1, n = 0;

	for (uint64_t level = 0; level < y->depth && n <= TREE_MAX_ITEMS; level++) {
		dirs *= y->fanout;
		n += dirs;
	}
	return n > TREE_MAX_ITEMS ? n : n + dirs * y->files;
}

static int parse(struct synth *y, char *text)
{
	unsigned seen = 0;
	int err = 0;

	while (text && !err)
		err = take(y, strsep(&text, ","), &seen);
	if (err)
		return err;
	if ((seen & 3) != 3 || !(seen & 16))
		return tree_fail(y->b, -EINVAL, 0, "%s is not given: give %s",
				 !(seen & 1)   ? "depth"
				 : !(seen & 2) ? "fanout"
					       : "names",
				 "depth=D,fanout=F,names=SHAPE");
	if (!(seen & 4))
		y->files = y->fanout;
	if (count(y) > TREE_MAX_ITEMS)
		return tree_fail(y->b, -EINVAL, 0,
				 "makes over %u names, more than a tree may have: give a smaller "
				 "depth, fanout or files",
				 TREE_MAX_ITEMS);
	return 0;
}

int synth_open(struct tree_build *b, const char *arg)
{
	struct synth y = {.b = b, .seed = 1};
	char *text = strdup(arg);
	int err;

	if (!text)
		return -ENOMEM;
	err = parse(&y, text);
	free(text);
	return err ? err : make(&y);
}
