/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tree.c - what all kinds of trees share: gathering names, sorting and checking
 * them, laying them out, and loading them into a cache
 *
 * Names are gathered in any order (struct tree_build). Sorted by the bytes of
 * their paths, all that begin with the same bytes stand together behind the path
 * that is no longer than those bytes, if there is one. So a path's parent is
 * before it, and is the last path of its length that went by: this is all that
 * the checks and the missing directories need.
 */
#include "tree/tree.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tree/kind.h"

#define DIR_MODE (S_IFDIR | 0755)

/* Gathering. */

static void *grow(void *block, size_t *room, size_t need, size_t size)
{
	size_t more = *room ? *room : 4096;
	void *bigger;

	if (need <= *room)
		return block;
	while (more < need)
		more *= 2;
	bigger = reallocarray(block, more, size);
	if (bigger)
		*room = more;
	return bigger;
}

char *tree_room(struct tree_build *b, size_t size)
{
	char *text = grow(b->text, &b->text_room, b->used + size, 1);

	if (!text)
		return NULL;
	b->text = text;
	return text + b->used;
}

int tree_add(struct tree_build *b, const struct tree_item *item)
{
	struct tree_item *items;

	if (b->n == TREE_MAX_ITEMS)
		return tree_fail(b, -EINVAL, item->line, "over %u names, more than a tree may have",
				 TREE_MAX_ITEMS);
	items = grow(b->item, &b->item_room, b->n + 1, sizeof(*items));
	if (!items)
		return -ENOMEM;
	b->item = items;
	items[b->n++] = *item;
	return 0;
}

int tree_fail(struct tree_build *b, int err, uint64_t line, const char *format, ...)
{
	char message[512];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	if (line)
		snprintf(b->why, b->why_size, "%s:%llu: %s", b->source, (unsigned long long)line,
			 message);
	else
		snprintf(b->why, b->why_size, "%s: %s", b->source, message);
	return err;
}

const char *tree_quote(char out[TREE_QUOTED], const char *name, size_t len)
{
	const size_t most = TREE_QUOTED - sizeof("\\xff...'");
	size_t n = 0;

	out[n++] = '\'';
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)name[i];

		if (n >= most) {
			n += (size_t)sprintf(out + n, "...");
			break;
		}
		if (c < ' ' || c >= 0x7f || c == '\\')
			n += (size_t)sprintf(out + n, "\\x%02x", c);
		else
			out[n++] = (char)c;
	}
	out[n++] = '\'';
	out[n] = '\0';
	return out;
}

/* Sorting and checking. */

struct key {
	const char *path;
	uint32_t len;
	uint32_t item;
};

static int key_compare(const void *x, const void *y)
{
	const struct key *a = x, *b = y;
	int order = memcmp(a->path, b->path, a->len < b->len ? a->len : b->len);

	if (order)
		return order;
	if (a->len != b->len)
		return a->len < b->len ? -1 : 1;
	return a->item < b->item ? -1 : a->item > b->item;
}

/* The order of the items, which do not move. */
static struct key *sort(const struct tree_build *b)
{
	struct key *key = malloc(b->n * sizeof(*key));

	if (!key)
		return NULL;
	for (size_t i = 0; i < b->n; i++)
		key[i] = (struct key){b->text + b->item[i].path, b->item[i].len, (uint32_t)i};
	qsort(key, b->n, sizeof(*key), key_compare);
	return key;
}

static int fail_twice(struct tree_build *b, const struct tree_item *first,
		      const struct tree_item *again)
{
	char name[TREE_QUOTED];

	tree_quote(name, b->text + again->path, again->len);
	if (!again->line)
		return tree_fail(b, -EINVAL, 0, "%s came twice: it changes while it is read", name);
	if (S_ISDIR(first->mode) != S_ISDIR(again->mode))
		return tree_fail(b, -EINVAL, again->line,
				 "%s is a %s here and a %s in line %llu: it can only be one", name,
				 S_ISDIR(again->mode) ? "directory" : "file",
				 S_ISDIR(first->mode) ? "directory" : "file",
				 (unsigned long long)first->line);
	return tree_fail(b, -EINVAL, again->line, "%s is in line %llu already: give it once", name,
			 (unsigned long long)first->line);
}

static int fail_below_file(struct tree_build *b, const struct tree_item *file,
			   const struct tree_item *below)
{
	char name[TREE_QUOTED], parent[TREE_QUOTED];

	tree_quote(name, b->text + below->path, below->len);
	tree_quote(parent, b->text + file->path, file->len);
	if (!below->line)
		return tree_fail(b, -EINVAL, 0, "%s is in a directory %s, which is a file too",
				 name, parent);
	return tree_fail(b, -EINVAL, below->line,
			 "%s is in a directory %s, which is a file in line %llu: it can only be "
			 "one (a directory ends with '/')",
			 name, parent, (unsigned long long)file->line);
}

static uint32_t parent_length(const char *path, uint32_t len)
{
	const char *slash = memrchr(path, '/', len);

	return slash ? (uint32_t)(slash - path) : 0;
}

/*
 * Sees to it that the parent of item @i is there and is a directory, and its
 * parent, and so on. last[n] is the item, plus one, whose path of n bytes was the
 * last to go by in sorted order; those between a parent and its child are longer
 * than the parent, so that the parent is still the last.
 */
static int join(struct tree_build *b, uint32_t i, uint32_t last[DCS_PATH_MAX])
{
	struct tree_item dir = {
		.path = b->item[i].path,
		.len = b->item[i].len,
		.line = b->item[i].line,
		.mode = DIR_MODE,
	};

	last[dir.len] = i + 1;
	while ((dir.len = parent_length(b->text + dir.path, dir.len))) {
		uint32_t at = last[dir.len];
		int err;

		if (at && !memcmp(b->text + b->item[at - 1].path, b->text + dir.path, dir.len))
			return S_ISDIR(b->item[at - 1].mode)
				       ? 0
				       : fail_below_file(b, &b->item[at - 1], &b->item[i]);
		err = tree_add(b, &dir);
		if (err)
			return err;
		last[dir.len] = (uint32_t)b->n;
	}
	return 0;
}

/* Refuses what is there twice, and adds directories that are named only as part of a path. */
static int check(struct tree_build *b, const struct key *key, size_t n)
{
	uint32_t last[DCS_PATH_MAX] = {0};

	for (size_t i = 0; i < n; i++) {
		int err;

		if (i && key[i].len == key[i - 1].len &&
		    !memcmp(key[i].path, key[i - 1].path, key[i].len))
			return fail_twice(b, &b->item[key[i - 1].item], &b->item[key[i].item]);
		err = join(b, key[i].item, last);
		if (err)
			return err;
	}
	return 0;
}

/* Laying out. */

static char *put_string(char *to, const char *from, size_t len)
{
	memcpy(to, from, len);
	to[len] = '\0';
	return to + len + 1;
}

static void count(struct tree *tree, uint32_t mode)
{
	if (S_ISDIR(mode))
		tree->n_dirs++;
	else if (S_ISLNK(mode))
		tree->n_links++;
	else
		tree->n_files++;
}

/* Paths in order, then the links' targets, then padding for the last of them. */
static int lay_out(const struct tree_build *b, const struct key *key, struct tree *tree)
{
	size_t size = TREE_PAD;
	char *to;

	for (size_t i = 0; i < b->n; i++)
		size += b->item[i].len + 1 + (S_ISLNK(b->item[i].mode) ? b->item[i].size + 1 : 0);
	tree->entry = calloc(b->n, sizeof(*tree->entry));
	tree->strings = to = calloc(1, size);
	if (!tree->entry || !tree->strings)
		return -ENOMEM;
	tree->n = b->n;
	tree->n_skipped = b->n_skipped;
	tree->strings_size = size;

	for (size_t i = 0; i < b->n; i++) {
		const struct tree_item *item = &b->item[key[i].item];

		tree->entry[i] = (struct tree_entry){
			.path = to,
			.len = item->len,
			.mode = item->mode,
			.uid = item->uid,
			.gid = item->gid,
			.size = item->size,
			.mtime = item->mtime,
		};
		to = put_string(to, key[i].path, item->len);
		count(tree, item->mode);
	}
	for (size_t i = 0; i < b->n; i++) {
		const struct tree_item *item = &b->item[key[i].item];

		if (!S_ISLNK(item->mode))
			continue;
		tree->entry[i].target = to;
		to = put_string(to, b->text + item->target, item->size);
	}
	return 0;
}

static int finish(struct tree_build *b, struct tree *tree)
{
	size_t given = b->n;
	struct key *key;
	int err;

	if (!given)
		return tree_fail(b, -EINVAL, 0, "no names in it: a tree has at least one");
	key = sort(b);
	if (!key)
		return -ENOMEM;
	err = check(b, key, given);
	if (!err && b->n > given) {
		free(key);
		key = sort(b);
		err = key ? 0 : -ENOMEM;
	}
	if (!err)
		err = lay_out(b, key, tree);
	free(key);
	return err;
}

/* Opening. */

#define AS_NAME(NAME, OPEN, WHAT) {NAME, WHAT},
#define AS_OPEN(NAME, OPEN, WHAT) OPEN,
const struct dcs_name tree_kinds[] = {TREE_KINDS(AS_NAME){NULL, NULL}};
static tree_open_fn *const open_kind[] = {TREE_KINDS(AS_OPEN)};

/* What follows the kind's prefix in @spec, or NULL where @spec is not of the kind. */
static const char *match(const char *spec, const char *kind)
{
	const char *colon = strchr(kind, ':');
	size_t len = colon ? (size_t)(colon + 1 - kind) : strlen(kind) + 1;

	return strncmp(spec, kind, len) ? NULL : spec + len - !colon;
}

static int open_spec(struct tree_build *b, const char *spec)
{
	for (size_t i = 0; i < sizeof(open_kind) / sizeof(open_kind[0]); i++) {
		const char *arg = match(spec, tree_kinds[i].name);

		if (!arg)
			continue;
		b->source = *arg ? arg : spec;
		if (strchr(tree_kinds[i].name, ':') && !*arg)
			return tree_fail(b, -EINVAL, 0, "nothing follows: give %s",
					 tree_kinds[i].name);
		return open_kind[i](b, arg);
	}
	snprintf(b->why, b->why_size, "unknown tree '%s': give", spec);
	for (size_t i = 0; tree_kinds[i].name; i++) {
		size_t used = strlen(b->why);

		snprintf(b->why + used, b->why_size - used, "%s %s",
			 !i			  ? ""
			 : tree_kinds[i + 1].name ? ","
						  : " or",
			 tree_kinds[i].name);
	}
	return -EINVAL;
}

int tree_open(const char *spec, struct tree **out, char *why, size_t size)
{
	struct tree_build b = {.why = why, .why_size = size};
	struct tree *tree = calloc(1, sizeof(*tree));
	int err = -ENOMEM;

	if (size)
		why[0] = '\0';
	if (tree)
		tree->spec = strdup(spec);
	if (tree && tree->spec)
		err = open_spec(&b, spec);
	if (!err)
		err = finish(&b, tree);
	free(b.item);
	free(b.text);
	if (err == -ENOMEM)
		snprintf(why, size, "%s: not enough memory for its names", spec);
	if (err) {
		tree_free(tree);
		return err;
	}
	*out = tree;
	return 0;
}

void tree_free(struct tree *tree)
{
	if (!tree)
		return;
	free(tree->entry);
	free(tree->strings);
	free(tree->spec);
	free(tree);
}

/* Loading. */

static int make(struct dcs_task *task, const struct tree_entry *e)
{
	if (S_ISDIR(e->mode))
		return dcs_mkdir(task, e->path, e->mode & 01777);
	if (S_ISLNK(e->mode))
		return dcs_symlink(task, e->target, e->path);
	return dcs_create(task, e->path, e->mode & 07777);
}

/*
 * Gives an entry what making it did not. The owner comes before the mode, since
 * a change of owner takes set-id bits away.
 */
static int set_attributes(struct dcs_task *task, struct tree_entry *e)
{
	const unsigned flags = DCS_NOFOLLOW | DCS_PADDED;
	struct dcs_stat st;
	int err = dcs_stat(task, e->path, flags, &st);

	if (!err && (st.uid != e->uid || st.gid != e->gid)) {
		err = dcs_chown(task, e->path, e->uid, e->gid, flags);
		if (!err)
			err = dcs_stat(task, e->path, flags, &st);
	}
	if (!err && st.mode != e->mode && !S_ISLNK(e->mode))
		err = dcs_chmod(task, e->path, e->mode & 07777, flags);
	if (!err && (e->size || e->mtime) && (st.size != e->size || st.mtime.tv_sec != e->mtime))
		err = dcs_setsize(task, e->path, e->size, e->mtime, flags);
	if (!err)
		e->ino = st.ino;
	return err;
}

int tree_load(struct tree *tree, struct dcs_task *task)
{
	mode_t mask = dcs_umask(task, 0);
	int err = 0;

	for (size_t i = 0; i < tree->n && !err; i++)
		err = make(task, &tree->entry[i]);
	/* When all is there: what is made in a directory inherits its group and moves its mtime. */
	for (size_t i = 0; i < tree->n && !err; i++)
		err = set_attributes(task, &tree->entry[i]);
	dcs_umask(task, mask);
	return err;
}
