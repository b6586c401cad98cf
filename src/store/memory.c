/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * memory.c - a store in memory: a tree of nodes that forgets nothing
 *
 * A node is a file: its attributes, and of a directory its names, in a tree by name, for
 * lookup, and in one by age, for readdir: a cookie is an age, so a reading goes on behind
 * where it was whatever comes and goes. All lies under one lock, since what a store in
 * memory is for is to be slower than the cache by a stated time, not to scale.
 *
 * A node lives while it has a name, or lookups that were not forgotten. What a name costs:
 * 88 bytes and the name, and of a file 256 bytes (x86-64).
 */
#include <bsd/sys/tree.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "dcs/store.h"

struct name {
	RB_ENTRY(name) by_name, by_age;
	struct node *node;
	uint64_t age;
	uint32_t len;
	char bytes[];
};

RB_HEAD(names, name);
RB_HEAD(ages, name);

struct node {
	RB_ENTRY(node) by_ino;
	struct dcs_stat attr;
	uint64_t lookups;
	char *target;
	struct names names; /* of a directory */
	struct ages ages;
	uint64_t next_age;
};

RB_HEAD(nodes, node);

struct memory {
	pthread_mutex_t lock; /* of all that follows */
	struct nodes nodes;
	uint64_t next_ino;
	const uint64_t *clock;
};

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_names(const struct name *a, const struct name *b)
{
	int order = memcmp(a->bytes, b->bytes, a->len < b->len ? a->len : b->len);

	return order ? order : compare(a->len, b->len);
}

static int compare_ages(const struct name *a, const struct name *b)
{
	return compare(a->age, b->age);
}

static int compare_nodes(const struct node *a, const struct node *b)
{
	return compare(a->attr.ino, b->attr.ino);
}

/* clang-format off */
#define TREE static __attribute__((unused))
RB_GENERATE_INTERNAL(names, name, by_name, compare_names, TREE)
RB_GENERATE_INTERNAL(ages, name, by_age, compare_ages, TREE)
RB_GENERATE_INTERNAL(nodes, node, by_ino, compare_nodes, TREE)
/* clang-format on */

static struct timespec now(const struct memory *m)
{
	struct timespec t;

	dcs_clock_read(m->clock, &t);
	return t;
}

static struct node *node_of(struct memory *m, uint64_t ino)
{
	struct node key = {.attr.ino = ino};

	return RB_FIND(nodes, &m->nodes, &key);
}

/* A directory that can have names, or NULL. */
static struct node *dir_of(struct memory *m, uint64_t ino)
{
	struct node *dir = node_of(m, ino);

	return dir && S_ISDIR(dir->attr.mode) && dir->attr.nlink ? dir : NULL;
}

static struct name *name_new(const char *bytes, size_t len)
{
	struct name *name = calloc(1, sizeof(*name) + len);

	if (name) {
		name->len = (uint32_t)len;
		memcpy(name->bytes, bytes, len);
	}
	return name;
}

static struct name *name_find(struct node *dir, const char *bytes, size_t len)
{
	union {
		struct name name;
		char room[sizeof(struct name) + DCS_NAME_MAX];
	} key;

	if (len > DCS_NAME_MAX)
		return NULL;
	key.name.len = (uint32_t)len;
	memcpy(key.name.bytes, bytes, len);
	return RB_FIND(names, &dir->names, &key.name);
}

static void dir_changed(const struct memory *m, struct node *dir, int subdirs)
{
	dir->attr.nlink += (uint32_t)subdirs;
	dir->attr.mtime = dir->attr.ctime = now(m);
}

static void name_add(struct node *dir, struct name *name, struct node *node)
{
	name->node = node;
	name->age = ++dir->next_age;
	RB_INSERT(names, &dir->names, name);
	RB_INSERT(ages, &dir->ages, name);
}

static void name_remove(struct node *dir, struct name *name)
{
	RB_REMOVE(names, &dir->names, name);
	RB_REMOVE(ages, &dir->ages, name);
}

static void node_put(struct memory *m, struct node *node)
{
	if (node->attr.nlink || node->lookups)
		return;
	RB_REMOVE(nodes, &m->nodes, node);
	free(node->target);
	free(node);
}

static struct node *node_new(struct memory *m, const struct dcs_stat *attr, const char *target)
{
	struct node *node = calloc(1, sizeof(*node));
	bool is_dir = S_ISDIR(attr->mode);

	if (!node)
		return NULL;
	if (target) {
		node->target = strdup(target);
		if (!node->target) {
			free(node);
			return NULL;
		}
	}
	node->attr = *attr;
	node->attr.ino = m->next_ino++;
	node->attr.nlink = is_dir ? 2 : 1;
	node->attr.size = target ? strlen(target) : 0;
	node->attr.atime = node->attr.mtime = node->attr.ctime = now(m);
	RB_INIT(&node->names);
	RB_INIT(&node->ages);
	RB_INSERT(nodes, &m->nodes, node);
	return node;
}

/* An answer that counts. */
static void answer(struct node *node, struct dcs_stat *attr)
{
	node->lookups++;
	*attr = node->attr;
}

static int root(void *store, struct dcs_stat *attr)
{
	struct memory *m = store;

	pthread_mutex_lock(&m->lock);
	answer(RB_MIN(nodes, &m->nodes), attr);
	pthread_mutex_unlock(&m->lock);
	return 0;
}

static int lookup(void *store, uint64_t dir_ino, const char *bytes, size_t len,
		  struct dcs_stat *attr)
{
	struct memory *m = store;
	struct node *dir;
	struct name *name;
	int err = -ENOENT;

	pthread_mutex_lock(&m->lock);
	dir = dir_of(m, dir_ino);
	name = dir ? name_find(dir, bytes, len) : NULL;
	if (name) {
		answer(name->node, attr);
		err = 0;
	}
	pthread_mutex_unlock(&m->lock);
	return err;
}

static ssize_t read_link(void *store, uint64_t ino, char *buf, size_t size)
{
	struct memory *m = store;
	struct node *node;
	ssize_t n = -EINVAL;

	pthread_mutex_lock(&m->lock);
	node = node_of(m, ino);
	if (node && node->target) {
		n = (ssize_t)strnlen(node->target, size);
		memcpy(buf, node->target, (size_t)n);
	}
	pthread_mutex_unlock(&m->lock);
	return n;
}

static int read_dir(void *store, uint64_t dir_ino, uint64_t cookie, dcs_emit *emit, void *context)
{
	struct memory *m = store;
	struct name key = {.age = cookie}, *name;
	struct node *dir;

	pthread_mutex_lock(&m->lock);
	dir = dir_of(m, dir_ino);
	name = dir ? RB_NFIND(ages, &dir->ages, &key) : NULL;
	for (; name; name = RB_NEXT(ages, &dir->ages, name))
		if (emit(context, name->bytes, name->len, name->node->attr.ino,
			 name->node->attr.mode, name->age + 1))
			break;
	pthread_mutex_unlock(&m->lock);
	return dir ? 0 : -ENOENT;
}

static int create(void *store, uint64_t dir_ino, const char *bytes, size_t len, const char *target,
		  struct dcs_stat *attr)
{
	struct memory *m = store;
	struct name *name = name_new(bytes, len);
	struct node *dir, *node;
	int err = -ENOMEM;

	if (!name)
		return err;
	pthread_mutex_lock(&m->lock);
	dir = dir_of(m, dir_ino);
	if (!dir || name_find(dir, bytes, len)) {
		err = dir ? -EEXIST : -ENOENT;
	} else {
		node = node_new(m, attr, target);
		if (node) {
			name_add(dir, name, node);
			dir_changed(m, dir, S_ISDIR(attr->mode) ? 1 : 0);
			answer(node, attr);
			name = NULL;
			err = 0;
		}
	}
	pthread_mutex_unlock(&m->lock);
	free(name);
	return err;
}

static int make_link(void *store, uint64_t ino, uint64_t dir_ino, const char *bytes, size_t len)
{
	struct memory *m = store;
	struct name *name = name_new(bytes, len);
	struct node *dir, *node;
	int err = 0;

	if (!name)
		return -ENOMEM;
	pthread_mutex_lock(&m->lock);
	dir = dir_of(m, dir_ino);
	node = node_of(m, ino);
	if (!dir || !node || !node->attr.nlink) {
		err = -ENOENT;
	} else if (name_find(dir, bytes, len)) {
		err = -EEXIST;
	} else {
		name_add(dir, name, node);
		node->attr.nlink++;
		node->attr.ctime = now(m);
		dir_changed(m, dir, 0);
		name = NULL;
	}
	pthread_mutex_unlock(&m->lock);
	free(name);
	return err;
}

static bool is_full(struct node *node)
{
	return S_ISDIR(node->attr.mode) && !RB_EMPTY(&node->names);
}

/* @name, which is unlinked from its directory already, was one of its node's. */
static void name_lost(struct memory *m, struct name *name)
{
	struct node *node = name->node;

	node->attr.nlink -= S_ISDIR(node->attr.mode) ? node->attr.nlink : 1;
	node->attr.ctime = now(m);
	node_put(m, node);
	free(name);
}

static int remove_name(void *store, uint64_t dir_ino, const char *bytes, size_t len, uint64_t ino)
{
	struct memory *m = store;
	struct node *dir;
	struct name *name;
	int err = 0;

	pthread_mutex_lock(&m->lock);
	dir = dir_of(m, dir_ino);
	name = dir ? name_find(dir, bytes, len) : NULL;
	if (!name || name->node->attr.ino != ino) {
		err = name ? -ESTALE : -ENOENT;
	} else if (is_full(name->node)) {
		err = -ENOTEMPTY;
	} else {
		dir_changed(m, dir, S_ISDIR(name->node->attr.mode) ? -1 : 0);
		name_remove(dir, name);
		name_lost(m, name);
	}
	pthread_mutex_unlock(&m->lock);
	return err;
}

/* @a and @b swap what they name. */
static void exchange(const struct memory *m, struct node *dir_a, struct name *a, struct node *dir_b,
		     struct name *b)
{
	struct node *node = a->node;
	int moved = S_ISDIR(b->node->attr.mode) - S_ISDIR(node->attr.mode);

	a->node = b->node;
	b->node = node;
	a->node->attr.ctime = b->node->attr.ctime = now(m);
	dir_changed(m, dir_a, dir_a == dir_b ? 0 : moved);
	dir_changed(m, dir_b, dir_a == dir_b ? 0 : -moved);
}

/* @made takes the place of @name in another directory, or of @over there. */
static void move(struct memory *m, struct node *from, struct name *name, struct node *to,
		 struct name *over, struct name *made)
{
	int is_dir = S_ISDIR(name->node->attr.mode), over_dir = 0;

	if (over) {
		over_dir = S_ISDIR(over->node->attr.mode);
		name_remove(to, over);
		name_lost(m, over);
	}
	name_remove(from, name);
	name_add(to, made, name->node);
	name->node->attr.ctime = now(m);
	free(name);
	dir_changed(m, from, -is_dir);
	dir_changed(m, to, is_dir - over_dir);
}

static int rename_name(void *store, uint64_t from_ino, const char *bytes, size_t len,
		       uint64_t to_ino, const char *to_bytes, size_t to_len, unsigned flags)
{
	struct memory *m = store;
	struct name *made = name_new(to_bytes, to_len), *name, *over;
	struct node *from, *to;
	int err = 0;

	if (!made)
		return -ENOMEM;
	pthread_mutex_lock(&m->lock);
	from = dir_of(m, from_ino);
	to = dir_of(m, to_ino);
	name = from ? name_find(from, bytes, len) : NULL;
	over = to ? name_find(to, to_bytes, to_len) : NULL;
	if (!name || !to || (!over && flags & DCS_RENAME_EXCHANGE)) {
		err = -ENOENT;
	} else if (flags & DCS_RENAME_EXCHANGE) {
		exchange(m, from, name, to, over);
	} else if (over && flags & DCS_RENAME_NOREPLACE) {
		err = -EEXIST;
	} else if (over && is_full(over->node)) {
		err = -ENOTEMPTY;
	} else {
		move(m, from, name, to, over, made);
		made = NULL;
	}
	/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): it is in two trees */
	pthread_mutex_unlock(&m->lock);
	free(made);
	return err;
}

static int set_attr(void *store, uint64_t ino, const struct dcs_stat *attr, unsigned what)
{
	struct memory *m = store;
	struct node *node;

	pthread_mutex_lock(&m->lock);
	node = node_of(m, ino);
	if (node) {
		if (what & DCS_SET_MODE)
			node->attr.mode = attr->mode;
		if (what & DCS_SET_OWNER) {
			node->attr.uid = attr->uid;
			node->attr.gid = attr->gid;
		}
		if (what & DCS_SET_SIZE)
			node->attr.size = attr->size;
		if (what & DCS_SET_MTIME)
			node->attr.mtime = attr->mtime;
		node->attr.ctime = now(m);
	}
	pthread_mutex_unlock(&m->lock);
	return node ? 0 : -ESTALE;
}

static void touch(void *store, uint64_t ino, const struct timespec *atime)
{
	struct memory *m = store;
	struct node *node;

	pthread_mutex_lock(&m->lock);
	node = node_of(m, ino);
	if (node)
		node->attr.atime = *atime;
	pthread_mutex_unlock(&m->lock);
}

static void forget(void *store, uint64_t ino, uint64_t lookups)
{
	struct memory *m = store;
	struct node *node;

	pthread_mutex_lock(&m->lock);
	node = node_of(m, ino);
	if (node) {
		node->lookups -= lookups;
		node_put(m, node);
	}
	pthread_mutex_unlock(&m->lock);
}

static void memory_free(void *store)
{
	struct memory *m = store;
	struct node *node, *next_node;
	struct name *name, *next_name;

	/* Nodes are freed in the tree's own order of walking, names with their directory. */
	RB_FOREACH_SAFE(node, nodes, &m->nodes, next_node)
	{
		RB_FOREACH_SAFE(name, names, &node->names, next_name)
		{
			name_remove(node, name);
			free(name);
		}
		RB_REMOVE(nodes, &m->nodes, node);
		free(node->target);
		free(node);
	}
	pthread_mutex_destroy(&m->lock);
	free(m);
}

static const struct dcs_store_ops memory_ops = {
	.name = "memory",
	.root = root,
	.lookup = lookup,
	.readlink = read_link,
	.readdir = read_dir,
	.create = create,
	.link = make_link,
	.remove = remove_name,
	.rename = rename_name,
	.setattr = set_attr,
	.touch = touch,
	.forget = forget,
	.free = memory_free,
};

int dcs_store_memory(struct dcs_config *config)
{
	static const struct dcs_stat root_attr = {.mode = S_IFDIR | 0755};
	struct memory *m = calloc(1, sizeof(*m));

	if (!m)
		return -ENOMEM;
	pthread_mutex_init(&m->lock, NULL);
	RB_INIT(&m->nodes);
	m->next_ino = 1;
	m->clock = config->clock;
	if (!node_new(m, &root_attr, NULL)) {
		memory_free(m);
		return -ENOMEM;
	}
	config->store = &memory_ops;
	config->store_data = m;
	return 0;
}
