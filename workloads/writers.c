/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "writers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "names.h"

#define SECOND	 1000000000ull
#define TICK_MIN 1000000ull  /* ns: renames that fall due within one are done together */
#define TICK_MAX 10000000ull /* ns: how late a stop may be seen */

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* Offline: a sleeping writer holds up no grace period. */
static void sleep_until(struct dcs_cache *cache, uint64_t when)
{
	struct timespec t = {.tv_sec = (time_t)(when / SECOND), .tv_nsec = (long)(when % SECOND)};

	dcs_thread_offline(cache);
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
	dcs_thread_online(cache);
}

static int rename_next(struct writer *writer)
{
	const struct writer_move *move = &writer->move[writer->at];

	writer->at = (writer->at + 1) % writer->n;
	writer->made++;
	return dcs_rename(writer->task, move->from, move->to, writer->flags);
}

int writer_main(struct side *side, const atomic_bool *stop)
{
	struct writer *writer = side->own;
	double period = (double)SECOND / writer->rate;
	uint64_t tick = period < (double)TICK_MIN   ? TICK_MIN
			: period > (double)TICK_MAX ? TICK_MAX
						    : (uint64_t)period;
	uint64_t begin = now();

	writer->made = 0;
	writer->err = 0;
	while (!writer->err && !atomic_load_explicit(stop, memory_order_relaxed)) {
		uint64_t passed = now() - begin;
		uint64_t due = 1 + (uint64_t)((double)passed / period);

		while (writer->made < due && !writer->err &&
		       !atomic_load_explicit(stop, memory_order_relaxed))
			writer->err = rename_next(writer);
		sleep_until(side->cache, begin + (passed / tick + 1) * tick);
	}
	return writer->err || !writer->made;
}

static int moves_new(struct writer *writer, size_t n)
{
	writer->move = calloc(n, sizeof(*writer->move));
	if (!writer->move)
		return -ENOMEM;
	writer->n = n;
	return 0;
}

static int move_set(struct writer_move *move, const char *from, const char *to)
{
	move->from = strdup(from);
	move->to = strdup(to);
	return move->from && move->to ? 0 : -ENOMEM;
}

int writer_elsewhere(struct writer *writer, struct sut *sut, unsigned id, double rate)
{
	char home[32];
	int err;

	*writer = (struct writer){.rate = rate};
	snprintf(home, sizeof(home), "dcsim-writer-%u", id);
	err = sut_task(sut, NULL, 0, &writer->task);
	if (!err)
		err = dcs_mkdir(writer->task, home, 0755);
	if (!err)
		err = dcs_chdir(writer->task, home);
	if (!err)
		err = dcs_mkdir(writer->task, "here", 0755);
	if (!err)
		err = dcs_mkdir(writer->task, "there", 0755);
	if (!err)
		err = dcs_create(writer->task, "here/file", 0644);
	if (!err)
		err = moves_new(writer, 2);
	if (!err)
		err = move_set(&writer->move[0], "here/file", "there/file");
	if (!err)
		err = move_set(&writer->move[1], "there/file", "here/file");
	return err;
}

/* Makes a directory at @path with a file for each entry of directory @dir. */
static int twin_make(struct sut *sut, uint32_t dir, const char *path, uint64_t *other)
{
	const struct tree *tree = sut->tree;
	char below[DCS_PATH_MAX * 2];
	struct dcs_stat st;
	size_t n;
	uint32_t first = names_below(tree, dir, &n);
	int err = dcs_mkdir(sut->root, path, 0755);

	if (!err)
		err = dcs_stat(sut->root, path, 0, &st);
	if (!err)
		other[dir] = st.ino;
	for (uint32_t i = first; i < first + n && !err; i++) {
		snprintf(below, sizeof(below), "%s%s", path,
			 tree->entry[i].path + tree->entry[dir].len);
		err = dcs_create(sut->root, below, 0644);
		if (!err)
			err = dcs_stat(sut->root, below, 0, &st);
		if (!err)
			other[i] = st.ino;
	}
	return err;
}

int writer_path(struct writer *writer, struct sut *sut, const uint32_t *dir, size_t n,
		uint64_t *other, double rate)
{
	char twin[DCS_PATH_MAX];
	int err;

	*writer = (struct writer){.rate = rate, .flags = DCS_RENAME_EXCHANGE};
	err = sut_task(sut, NULL, 0, &writer->task);
	if (!err)
		err = moves_new(writer, n);
	for (size_t i = 0; i < n && !err; i++) {
		names_unused(sut->tree, dir[i], ".twin", twin);
		if (other[dir[i]] == sut->ino[dir[i]])
			err = twin_make(sut, dir[i], twin, other);
		if (!err)
			err = move_set(&writer->move[i], sut->tree->entry[dir[i]].path, twin);
	}
	return err;
}

void writer_free(struct writer *writer, struct sut *sut)
{
	for (size_t i = 0; i < writer->n; i++) {
		free(writer->move[i].from);
		free(writer->move[i].to);
	}
	free(writer->move);
	sut_task_free(sut, writer->task);
	*writer = (struct writer){0};
}
