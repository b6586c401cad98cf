// SPDX-License-Identifier: LGPL-2.1-or-later
/* plan.c - what to ask, packed in the order of asking */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/reference.h"
#include "bench/sut.h"
#include "cli/options.h"

#define ALIGN 4 /* of a record of the chase */

static void *grow(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p)
		fail(EXIT_LACKS, "out of memory");
	return p;
}

struct plan *plan_new(struct sut *sut)
{
	struct plan *plan = calloc(1, sizeof(*plan));

	if (!plan)
		fail(EXIT_LACKS, "out of memory");
	plan->sut = sut;
	return plan;
}

/* Appends a step that passes the @len bytes at @what, padded with NULs. */
static void add(struct plan *plan, const void *what, size_t len, uint64_t want)
{
	size_t size = (len + DCS_PATH_PAD + 1 + ALIGN - 1) & ~(size_t)(ALIGN - 1);

	if (plan->n == plan->room) {
		plan->room = plan->room ? 2 * plan->room : 256;
		plan->step = grow(plan->step, plan->room * sizeof(*plan->step));
	}
	if (plan->bytes + size > plan->bytes_room) {
		plan->bytes_room = 2 * (plan->bytes + size);
		plan->string = grow(plan->string, plan->bytes_room);
	}
	memcpy(plan->string + plan->bytes, what, len);
	memset(plan->string + plan->bytes + len, 0, size - len);
	/* The strings may still move: until plan_seal() a step holds how far in its own lies. */
	plan->step[plan->n++] = (struct step){(const char *)plan->bytes, want};
	plan->bytes += size;
}

static uint64_t hash_of(struct sut *sut, const char *path)
{
	char padded[DCS_PATH_MAX + DCS_PATH_PAD] = "";
	uint64_t hash;

	strncpy(padded, path, DCS_PATH_MAX - 1);
	if (dcs_thread_register(sut->cache))
		fail(EXIT_LACKS, "cannot register a thread");
	hash = dcs_hash_only(sut->root, padded);
	dcs_thread_unregister(sut->cache);
	return hash;
}

void plan_path(struct plan *plan, const char *path, uint64_t want)
{
	uint32_t record[CHASE_RECORD_MAX];
	size_t words;

	switch (plan->sut->kind) {
	case SUT_CHASE:
		words = chase_record(plan->sut->chase, path, record);
		add(plan, record, words * sizeof(*record), record[0]);
		return;
	case SUT_SYSCALL:
		want = (uint64_t)getppid();
		break;
	case SUT_HASH_ONLY:
		want = hash_of(plan->sut, path);
		break;
	case SUT_CACHE:
	case SUT_LSTAT:
		break;
	}
	add(plan, path, strlen(path), want);
}

void plan_entry(struct plan *plan, size_t index)
{
	plan_path(plan, plan->sut->tree->entry[index].path, plan->sut->ino[index]);
}

void plan_seal(struct plan *plan)
{
	plan->step = grow(plan->step, plan->n * sizeof(*plan->step));
	plan->string = grow(plan->string, plan->bytes);
	for (size_t i = 0; i < plan->n; i++)
		plan->step[i].path = plan->string + (uintptr_t)plan->step[i].path;
	plan->room = plan->n;
	plan->bytes_room = plan->bytes;
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	free(plan->step);
	free(plan->string);
	free(plan);
}
