/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * dir-nodes.h - what the store of a directory knows of the files that the cache holds
 *
 * A node is a file: what it is (device, inode number, time of birth, type: numbers are used
 * again), the number that the cache knows it by, and the directory and name where a lookup
 * found it last. It lives while it has lookups that were not forgotten, or is the
 * directory of another node.
 *
 * The number is the system's own inode number, so that readdir need not ask for each name,
 * unless it is another's already or belongs to another file system: then it is above 2^63.
 *
 * The lock is of all nodes, and no system call is made under it.
 */
#ifndef STORE_DIR_NODES_H
#define STORE_DIR_NODES_H

#include <bsd/sys/tree.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "dcs/store.h"

struct id {
	uint64_t dev, ino, born;
	uint32_t type;
};

struct node {
	RB_ENTRY(node) by_id, by_number;
	struct id id;
	uint64_t number, lookups, children;
	struct node *parent; /* NULL: the root */
	char *name;
};

RB_HEAD(ids, node);
RB_HEAD(numbers, node);

struct dir {
	int fd; /* of the root: for paths only (O_PATH) */
	pthread_mutex_t lock;
	struct ids ids;
	struct numbers numbers;
	struct node *root;
	uint64_t next_number; /* of those that are not the system's */
};

/* A node as it was: its path below the root, and what must be found there. */
struct place {
	char *path;
	struct id id;
};

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_ids(const struct node *a, const struct node *b)
{
	return compare(a->id.ino, b->id.ino)
		       ?: compare(a->id.dev, b->id.dev)
				  ?: compare(a->id.born, b->id.born)
					     ?: compare(a->id.type, b->id.type);
}

static int compare_numbers(const struct node *a, const struct node *b)
{
	return compare(a->number, b->number);
}

/* clang-format off */
#define TREE static __attribute__((unused))
RB_GENERATE_INTERNAL(ids, node, by_id, compare_ids, TREE)
RB_GENERATE_INTERNAL(numbers, node, by_number, compare_numbers, TREE)
/* clang-format on */

/* ---- nodes: under the lock */

static struct node *node_of(struct dir *d, uint64_t number)
{
	struct node key = {.number = number};

	return RB_FIND(numbers, &d->numbers, &key);
}

static struct node *node_with_id(struct dir *d, const struct id *id)
{
	struct node key = {.id = *id};

	return RB_FIND(ids, &d->ids, &key);
}

/* Frees what nothing holds any more, and then perhaps what that one held. */
static void node_put(struct dir *d, struct node *node)
{
	while (node && !node->lookups && !node->children) {
		struct node *parent = node->parent;

		RB_REMOVE(ids, &d->ids, node);
		RB_REMOVE(numbers, &d->numbers, node);
		free(node->name);
		free(node);
		if (parent)
			parent->children--;
		node = parent;
	}
}

static struct node *node_new(struct dir *d, const struct id *id)
{
	struct node *node = calloc(1, sizeof(*node));

	if (!node)
		return NULL;
	node->id = *id;
	node->number = id->ino;
	if (!id->ino || (d->root && id->dev != d->root->id.dev) || node_of(d, id->ino))
		node->number = d->next_number++;
	RB_INSERT(ids, &d->ids, node);
	RB_INSERT(numbers, &d->numbers, node);
	return node;
}

static bool is_below(const struct node *node, const struct node *above)
{
	while (node && node != above)
		node = node->parent;
	return node;
}

/* @node was found as @name in @parent: -ELOOP if that is below it, as bind mounts can make it. */
static int node_found(struct dir *d, struct node *node, struct node *parent, const char *name)
{
	struct node *before = node->parent;
	char *copy;

	if (before == parent && !strcmp(node->name, name))
		return 0;
	if (is_below(parent, node))
		return -ELOOP;
	copy = strdup(name);
	if (!copy)
		return -ENOMEM;
	free(node->name);
	node->name = copy;
	node->parent = parent;
	parent->children++;
	if (before) {
		before->children--;
		node_put(d, before);
	}
	return 0;
}

/* An answer about what was found as @name in the directory @number: one lookup more. */
static int node_answer(struct dir *d, uint64_t number, const char *name, const struct id *id,
		       struct dcs_stat *attr)
{
	struct node *parent = node_of(d, number), *node = node_with_id(d, id);
	int err;

	if (!parent)
		return -ESTALE;
	if (!node)
		node = node_new(d, id);
	if (!node)
		return -ENOMEM;
	err = node_found(d, node, parent, name);
	if (err) {
		node_put(d, node);
		return err;
	}
	node->lookups++;
	attr->ino = node->number;
	return 0;
}

/* ---- the way to a node: without the lock, but to copy its path */

static int place_of(struct dir *d, uint64_t number, struct place *place)
{
	const struct node *node, *n;
	size_t len = 1;
	int err = -ESTALE;

	place->path = NULL;
	pthread_mutex_lock(&d->lock);
	node = node_of(d, number);
	if (node) {
		place->id = node->id;
		for (n = node; n->parent; n = n->parent)
			len += strlen(n->name) + 1;
		place->path = malloc(len);
		err = place->path ? 0 : -ENOMEM;
	}
	if (!err) {
		char *at = place->path + len - 1;

		*at = '\0';
		for (n = node; n->parent; n = n->parent) {
			size_t part = strlen(n->name);

			*--at = '/';
			memcpy(at -= part, n->name, part);
		}
	}
	pthread_mutex_unlock(&d->lock);
	return err;
}

#endif
