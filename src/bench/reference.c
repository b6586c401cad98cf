// SPDX-License-Identifier: LGPL-2.1-or-later
/* reference.c - the reference rows, as systems under test */
#include "bench/reference.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/options.h"

static int stat_lstat(struct dcs_task *task, const char *path, unsigned flags, struct dcs_stat *st)
{
	struct stat kernel;

	(void)task, (void)flags;
	if (lstat(path, &kernel))
		return -errno;
	st->ino = kernel.st_ino;
	return 0;
}

static int stat_syscall(struct dcs_task *task, const char *path, unsigned flags,
			struct dcs_stat *st)
{
	(void)task, (void)path, (void)flags;
	st->ino = (uint64_t)syscall(SYS_getppid);
	return 0;
}

static int stat_hash_only(struct dcs_task *task, const char *path, unsigned flags,
			  struct dcs_stat *st)
{
	(void)flags;
	st->ino = dcs_hash_only(task, path);
	return 0;
}

static const char *const row_names[] = {
	[SUT_LSTAT] = "lstat",
	[SUT_SYSCALL] = "syscall",
	[SUT_HASH_ONLY] = "hash-only",
	[SUT_CHASE] = "chase",
};

static stat_fn *const row_stats[] = {
	[SUT_LSTAT] = stat_lstat,
	[SUT_SYSCALL] = stat_syscall,
	[SUT_HASH_ONLY] = stat_hash_only,
	[SUT_CHASE] = stat_chase,
};

struct sut *reference_new(enum sut_kind kind, const struct dcs_config *config, struct tree *tree)
{
	struct sut *sut;

	if (kind == SUT_HASH_ONLY) {
		sut = sut_new(config, NULL);
	} else {
		sut = calloc(1, sizeof(*sut));
		if (!sut)
			fail(EXIT_LACKS, "out of memory");
		sut->hash = "";
		sut->dir = -1;
		sut->table_bits = config->table_bits ? config->table_bits : SUT_TABLE_BITS;
	}
	sut->kind = kind;
	sut->walk = row_names[kind];
	sut->kernel = sut->layout = sut->flavour = sut->final = sut->negatives = sut->store = NULL;
	sut->refcount = sut->compare = sut->objects = sut->atime = NULL;
	sut->stat = row_stats[kind];
	sut->tree = tree;
	sut->ino = calloc(tree->n + 1, sizeof(*sut->ino));
	if (!sut->ino)
		fail(EXIT_LACKS, "out of memory");
	if (kind == SUT_LSTAT)
		sut->dir = names_make(tree, sut->ino);
	if (kind == SUT_CHASE)
		sut->chase = chase_new(tree, sut->table_bits);
	return sut;
}

void reference_close(struct sut *sut)
{
	if (sut->dir >= 0)
		close(sut->dir);
	chase_free(sut->chase);
}
