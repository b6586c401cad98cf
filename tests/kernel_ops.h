/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * kernel_ops.h - operations for test_kernel: drawn, done by the kernel and here, written out
 *
 * An operation is a value that means the same wherever it is done, so a sequence
 * from which some are left out is a sequence still: what minimising needs.
 */
#ifndef TESTS_KERNEL_OPS_H
#define TESTS_KERNEL_OPS_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "dcs/dcs.h"
#include "rng.h"

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

static bool has_fchmodat2;

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* KIND(id, weight): how often each is drawn, relative to the others. */
#define KINDS(KIND)       \
	KIND(create, 12)  \
	KIND(mkdir, 16)   \
	KIND(symlink, 8)  \
	KIND(link, 6)     \
	KIND(unlink, 8)   \
	KIND(rmdir, 8)    \
	KIND(rename, 18)  \
	KIND(stat, 8)     \
	KIND(lstat, 6)    \
	KIND(readlink, 3) \
	KIND(chmod, 7)    \
	KIND(lchmod, 1)   \
	KIND(chown, 4)    \
	KIND(lchown, 2)   \
	KIND(chdir, 6)    \
	KIND(chroot, 1)   \
	KIND(umask, 1)    \
	KIND(reset, 3) /* back to the first cwd and root */

enum kind {
#define KIND_ID(N, W) OP_##N,
	KINDS(KIND_ID)
#undef KIND_ID
		OPS
};

static const char *const kind_names[] = {
#define KIND_NAME(N, W) #N,
	KINDS(KIND_NAME)
#undef KIND_NAME
};

struct who {
	uint32_t uid, gid, ngroups, groups[2];
};

static const struct who whos[] = {
	{0, 0, 0, {0}},	      {1001, 1001, 0, {0}},	     {1002, 1002, 1, {1001}},
	{1001, 2000, 0, {0}}, {1003, 2000, 2, {1002, 1001}}, {0, 1002, 0, {0}},
};

/* Few plain names, so that they meet; those at the bounds of inline and of NAME_MAX. */
#define PLAIN_NAMES 5
static const uint16_t long_names[] = {39, 40, 255, 256};
#define PART_DOT      (PLAIN_NAMES + COUNT(long_names))
#define PART_DOTDOT   (PART_DOT + 1)
#define PART_NOTHING  (PART_DOT + 2) /* two slashes in a row */
#define MAX_PARTS     5
#define MAX_PATH_SIZE (MAX_PARTS * 258)

struct path {
	uint8_t n, part[MAX_PARTS];
	bool absolute, slash;
};

struct op {
	uint8_t kind, who;
	uint16_t mode;	      /* permission bits; the umask */
	uint8_t flags;	      /* of rename, DCS_FOLLOW of link */
	uint8_t owner, group; /* of chown: indices of whos; that of none leaves it */
	struct path a, b;
};

static const char *path_string(const struct path *p, char buf[MAX_PATH_SIZE])
{
	char *s = buf;

	if (p->absolute)
		*s++ = '/';
	for (unsigned i = 0; i < p->n; i++) {
		unsigned part = p->part[i], len = 1;

		if (part < PLAIN_NAMES) {
			*s = (char)('a' + part);
		} else if (part < PART_DOT) {
			len = long_names[part - PLAIN_NAMES];
			memset(s, 'x', len);
		} else if (part == PART_NOTHING) {
			len = 0;
		} else {
			len = part == PART_DOT ? 1 : 2;
			memcpy(s, "..", len);
		}
		s += len;
		if (i + 1u < p->n || p->slash)
			*s++ = '/';
	}
	*s = 0;
	return buf;
}

static struct path draw_path(struct rng *r, unsigned max)
{
	struct path p = {.absolute = !rng_below(r, 4), .slash = !rng_below(r, 12)};

	/* Seldom none at all: "" or "/". */
	p.n = (uint8_t)(rng_below(r, 40) ? 1 + rng_below(r, max) : 0);
	for (unsigned i = 0; i < p.n; i++) {
		unsigned x = (unsigned)rng_below(r, 100);

		if (x < 82)
			p.part[i] = (uint8_t)rng_below(r, PLAIN_NAMES);
		else if (x < 85)
			p.part[i] = (uint8_t)(PLAIN_NAMES + rng_below(r, COUNT(long_names)));
		else if (x < 89)
			p.part[i] = PART_DOT;
		else if (x < 97)
			p.part[i] = PART_DOTDOT;
		else
			p.part[i] = PART_NOTHING;
	}
	return p;
}

static enum kind draw_kind(struct rng *r)
{
	static const unsigned weights[] = {
#define KIND_WEIGHT(N, W) W,
		KINDS(KIND_WEIGHT)
#undef KIND_WEIGHT
	};
	unsigned total = 0, i = 0, x;

	for (i = 0; i < OPS; i++)
		total += weights[i];
	x = (unsigned)rng_below(r, total);
	for (i = 0; x >= weights[i]; i++)
		x -= weights[i];
	return i;
}

static struct op draw_op(struct rng *r)
{
	static const uint16_t modes[] = {
		0755, 0755,  0777,  0777,  0700,  0770,	 0711,	0111,  0070, 00000,
		0644, 01777, 01770, 02775, 02070, 04755, 06711, 02644, 0677,
	};
	static const uint8_t renames[] = {
		0, 0, 0, DCS_RENAME_NOREPLACE, DCS_RENAME_EXCHANGE, DCS_RENAME_EXCHANGE};
	struct op op = {.kind = (uint8_t)draw_kind(r)};

	op.who = (uint8_t)(rng_below(r, 2) ? 0 : rng_below(r, COUNT(whos)));
	op.mode = modes[rng_below(r, COUNT(modes))];
	op.owner = (uint8_t)rng_below(r, COUNT(whos) + 1);
	op.group = (uint8_t)rng_below(r, COUNT(whos) + 1);
	op.a = draw_path(r, 4);
	op.b = draw_path(r, op.kind == OP_symlink ? 3 : 4);
	switch (op.kind) {
	case OP_rename:
		op.flags = rng_below(r, 100) ? renames[rng_below(r, COUNT(renames))]
					     : DCS_RENAME_NOREPLACE | DCS_RENAME_EXCHANGE;
		break;
	case OP_link:
		op.flags = rng_below(r, 2) ? DCS_FOLLOW : 0;
		break;
	case OP_umask:
		op.mode = rng_below(r, 2) ? 022 : (uint16_t)rng_below(r, 01000);
		break;
	}
	return op;
}

static uint32_t op_uid(const struct op *op)
{
	return op->owner < COUNT(whos) ? whos[op->owner].uid : (uint32_t)-1;
}

static uint32_t op_gid(const struct op *op)
{
	return op->group < COUNT(whos) ? whos[op->group].gid : (uint32_t)-1;
}

/* As a line of a trace, long names by their length. */
static void print_path(FILE *f, const struct path *p)
{
	fprintf(f, " \"%s", p->absolute ? "/" : "");
	for (unsigned i = 0; i < p->n; i++) {
		unsigned part = p->part[i];

		if (part < PLAIN_NAMES)
			fputc('a' + (int)part, f);
		else if (part < PART_DOT)
			fprintf(f, "<%u bytes>", long_names[part - PLAIN_NAMES]);
		else if (part != PART_NOTHING)
			fputs(part == PART_DOT ? "." : "..", f);
		if (i + 1u < p->n || p->slash)
			fputc('/', f);
	}
	fputc('"', f);
}

static void print_op(FILE *f, const struct op *op)
{
	fprintf(f, "uid %u gid %u: %s", whos[op->who].uid, whos[op->who].gid, kind_names[op->kind]);
	if (op->kind != OP_umask && op->kind != OP_reset)
		print_path(f, &op->a);
	switch (op->kind) {
	case OP_symlink:
	case OP_link:
	case OP_rename:
		print_path(f, &op->b);
		fprintf(f, " flags %u", op->flags);
		break;
	case OP_create:
	case OP_mkdir:
	case OP_chmod:
	case OP_lchmod:
	case OP_umask:
		fprintf(f, " 0%o", op->mode);
		break;
	case OP_chown:
	case OP_lchown:
		fprintf(f, " %d:%d", (int)op_uid(op), (int)op_gid(op));
		break;
	}
	fputc('\n', f);
}

static long kernel_do(const struct op *op, const char *a, const char *b, struct stat *st, char *buf)
{
	int fd;

	switch ((enum kind)op->kind) {
	case OP_create:
		fd = open(a, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, op->mode);
		if (fd >= 0)
			close(fd);
		return fd < 0 ? -1 : 0;
	case OP_mkdir:
		return mkdir(a, op->mode);
	case OP_symlink:
		return symlink(b, a);
	case OP_link:
		return linkat(AT_FDCWD, a, AT_FDCWD, b,
			      op->flags & DCS_FOLLOW ? AT_SYMLINK_FOLLOW : 0);
	case OP_unlink:
		return unlink(a);
	case OP_rmdir:
		return rmdir(a);
	case OP_rename:
		return syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, op->flags);
	case OP_stat:
		return stat(a, st);
	case OP_lstat:
		return lstat(a, st);
	case OP_readlink:
		return readlink(a, buf, MAX_PATH_SIZE);
	case OP_lchmod:
		if (has_fchmodat2)
			return syscall(SYS_fchmodat2, AT_FDCWD, a, op->mode, AT_SYMLINK_NOFOLLOW);
		return chmod(a, op->mode);
	case OP_chmod:
		return chmod(a, op->mode);
	case OP_chown:
		return chown(a, op_uid(op), op_gid(op));
	case OP_lchown:
		return lchown(a, op_uid(op), op_gid(op));
	case OP_chdir:
		return chdir(a);
	case OP_chroot:
		return chroot(a);
	case OP_umask:
		return umask(op->mode);
	case OP_reset:
	case OPS:
		break;
	}
	return 0;
}

static long dcs_do(struct dcs_task *task, const struct op *op, const char *a, const char *b,
		   struct dcs_stat *st, char *buf)
{
	switch ((enum kind)op->kind) {
	case OP_create:
		return dcs_create(task, a, op->mode);
	case OP_mkdir:
		return dcs_mkdir(task, a, op->mode);
	case OP_symlink:
		return dcs_symlink(task, b, a);
	case OP_link:
		return dcs_link(task, a, b, op->flags);
	case OP_unlink:
		return dcs_unlink(task, a);
	case OP_rmdir:
		return dcs_rmdir(task, a);
	case OP_rename:
		return dcs_rename(task, a, b, op->flags);
	case OP_stat:
		return dcs_stat(task, a, 0, st);
	case OP_lstat:
		return dcs_stat(task, a, DCS_NOFOLLOW, st);
	case OP_readlink:
		return dcs_readlink(task, a, buf, MAX_PATH_SIZE);
	case OP_lchmod:
		return dcs_chmod(task, a, op->mode, has_fchmodat2 ? DCS_NOFOLLOW : 0);
	case OP_chmod:
		return dcs_chmod(task, a, op->mode, 0);
	case OP_chown:
		return dcs_chown(task, a, op_uid(op), op_gid(op), 0);
	case OP_lchown:
		return dcs_chown(task, a, op_uid(op), op_gid(op), DCS_NOFOLLOW);
	case OP_chdir:
		return dcs_chdir(task, a);
	case OP_chroot:
		return dcs_chroot(task, a);
	case OP_umask:
		return (long)dcs_umask(task, op->mode);
	case OP_reset:
	case OPS:
		break;
	}
	return 0;
}

#endif
