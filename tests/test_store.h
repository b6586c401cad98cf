/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * test_store.h - worlds: a store and the way to change what is in it
 *
 * In memory by the store's own functions, of a directory behind its back.
 */
#ifndef TESTS_TEST_STORE_H
#define TESTS_TEST_STORE_H

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "dcs/store.h"

#define ASK(FUNCTION, ...) (config.store->FUNCTION(config.store_data, __VA_ARGS__))

static struct dcs_config config;
static uint64_t root_ino;
static char top[64];	/* the directory that is stored, */
static int top_fd = -1; /* -1: the world is in memory */

/* ---- worlds */

static void open_dir(int revalidate)
{
	struct dcs_stat attr;

	snprintf(top, sizeof(top), "/tmp/test_store.XXXXXX");
	assert_non_null(mkdtemp(top));
	assert_int_equal(chmod(top, 0755), 0);
	top_fd = open(top, O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_true(top_fd >= 0);
	assert_int_equal(dcs_store_dir(&config, top, revalidate), 0);
	assert_int_equal(ASK(root, &attr), 0);
	root_ino = attr.ino;
}

static void close_world(void)
{
	char command[100];

	ASK(forget, root_ino, 1);
	config.store->free(config.store_data);
	if (top_fd < 0)
		return;
	close(top_fd);
	snprintf(command, sizeof(command), "rm -rf %s", top);
	assert_int_equal(system(command), 0);
}

static int try_lookup(uint64_t dir, const char *name, struct dcs_stat *attr)
{
	return ASK(lookup, dir, name, strlen(name), attr);
}

/* A name that is there: its number, with a lookup that the caller is to forget. */
static uint64_t find(uint64_t dir, const char *name)
{
	struct dcs_stat attr;

	assert_int_equal(try_lookup(dir, name, &attr), 0);
	assert_true(attr.ino);
	return attr.ino;
}

static void forget(uint64_t ino)
{
	ASK(forget, ino, 1);
}

#define FILE_MODE (S_IFREG | 0644)
#define DIR_MODE  (S_IFDIR | 0755)
#define LINK_MODE (S_IFLNK | 0777)

static void take(const char *name)
{
	struct dcs_stat attr;

	if (top_fd >= 0) {
		if (unlinkat(top_fd, name, 0))
			assert_int_equal(unlinkat(top_fd, name, AT_REMOVEDIR), 0);
		return;
	}
	assert_int_equal(try_lookup(root_ino, name, &attr), 0);
	assert_int_equal(ASK(remove, root_ino, name, strlen(name), attr.ino), 0);
	forget(attr.ino);
}

static int pass_over(void *context, const char *name, size_t len, uint64_t ino, uint32_t mode,
		     uint64_t next)
{
	(void)context, (void)name, (void)len, (void)ino, (void)mode, (void)next;
	return 0;
}

#endif
