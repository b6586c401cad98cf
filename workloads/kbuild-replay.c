/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kbuild-replay.c - processes, their descriptors, and what each call does: see kbuild-replay.h */
#include "kbuild-replay.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kbuild-path.h"

struct slot {	/* a descriptor of the log's */
	int fd; /* of the task; -1: none */
	unsigned flags;
	char *path;
};

struct process {
	struct dcs_task *task;
	char *cwd;
	struct slot *slot;
	int n_slots;
	char *last_dir; /* that it has opened */
};

int replay_begin(struct replay *r, const struct strace *trace, struct dcs_cache *cache, void *disk)
{
	int err;

	*r = (struct replay){.trace = trace, .cache = cache, .disk = disk};
	r->cwd = strdup(trace->cwd ? trace->cwd : "/");
	r->process = calloc((size_t)trace->most_pid + 1, sizeof(struct process *));
	err = r->cwd && r->process ? dcs_task_new(cache, NULL, 0, &r->mother) : -ENOMEM;
	if (err)
		return err;
	dcs_umask(r->mother, 0);
	return 0;
}

static void process_free(struct process *p)
{
	if (!p)
		return;
	dcs_task_free(p->task);
	for (int i = 0; i < p->n_slots; i++)
		free(p->slot[i].path);
	free(p->slot);
	free(p->last_dir);
	free(p->cwd);
	free(p);
}

void replay_end(struct replay *r)
{
	for (int pid = 0; r->process && pid <= r->trace->most_pid; pid++)
		process_free(r->process[pid]);
	free(r->process);
	dcs_task_free(r->mother);
	free(r->cwd);
}

static int slots_copy(struct process *p, const struct process *from)
{
	p->slot = calloc((size_t)from->n_slots + 1, sizeof(*p->slot));
	if (!p->slot)
		return -ENOMEM;
	for (; p->n_slots < from->n_slots; p->n_slots++) {
		p->slot[p->n_slots] = from->slot[p->n_slots];
		if (from->slot[p->n_slots].path)
			p->slot[p->n_slots].path = strdup(from->slot[p->n_slots].path);
	}
	return 0;
}

/* A process like @from; NULL: like one that was there before the log. */
static struct process *process_new(struct replay *r, const struct process *from, unsigned flags)
{
	struct process *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->cwd = strdup(from ? from->cwd : r->cwd);
	if (!p->cwd || (from && slots_copy(p, from)) ||
	    dcs_task_new(r->cache, from ? from->task : r->mother, flags, &p->task)) {
		process_free(p);
		return NULL;
	}
	if (!from)
		dcs_chdir(p->task, p->cwd); /* may be missing while a tree is inferred */
	return p;
}

static struct process *process_of(struct replay *r, int pid)
{
	if (!r->process[pid])
		r->process[pid] = process_new(r, NULL, 0);
	return r->process[pid];
}

static struct slot *slot_of(struct process *p, int n)
{
	return n >= 0 && n < p->n_slots && p->slot[n].path ? &p->slot[n] : NULL;
}

static void slot_close(struct process *p, struct slot *s)
{
	dcs_close(p->task, s->fd);
	free(s->path);
	s->path = NULL;
}

static int slot_set(struct process *p, int n, int fd, unsigned flags, char *path)
{
	struct slot *grown, *s;

	if (n >= p->n_slots) {
		grown = reallocarray(p->slot, (size_t)n + 8, sizeof(*grown));
		if (!grown) {
			free(path);
			return -ENOMEM;
		}
		memset(grown + p->n_slots, 0, (size_t)(n + 8 - p->n_slots) * sizeof(*grown));
		p->slot = grown;
		p->n_slots = n + 8;
	}
	s = &p->slot[n];
	if (s->path)
		slot_close(p, s);
	*s = (struct slot){fd, flags, path};
	return path ? 0 : -ENOMEM;
}

char *replay_path(struct replay *r, const struct strace_event *e, int dirfd, const char *path)
{
	struct process *p = process_of(r, e->pid);
	struct slot *s = dirfd == AT_FDCWD || !p ? NULL : slot_of(p, dirfd);
	const char *base = dirfd == AT_FDCWD && p ? p->cwd : s ? s->path : NULL;

	/* dup(2) is not in the log: a path begins at a directory, which was opened last. */
	if (path && dirfd != AT_FDCWD && p && !(s && s->flags & O_DIRECTORY))
		base = p->last_dir;
	return base ? path_join(base, path ? path : "") : NULL;
}

/* The bytes of an open file, once. */
static int read_file(struct replay *r, struct process *p, int fd)
{
	struct dcs_stat st;
	char byte;
	int err = (int)dcs_pread(p->task, fd, &byte, 1, 0);

	if (err < 0)
		return err == -EISDIR ? 0 : err;
	if (r->disk && !dcs_fstat(p->task, fd, &st))
		dcs_disk_read(r->disk, st.ino, st.size);
	return 0;
}

static int do_open(struct replay *r, struct process *p, const struct strace_event *e,
		   const char *path)
{
	int fd = dcs_open(p->task, path, e->flags, e->mode), err = 0;

	r->opens++;
	if (fd < 0)
		return fd;
	if ((e->flags & O_ACCMODE) != O_WRONLY && !(e->flags & (O_TRUNC | O_EXCL | O_PATH)))
		err = read_file(r, p, fd);
	if (err || e->result < 0) {
		dcs_close(p->task, fd);
		return err;
	}
	if (e->flags & O_DIRECTORY) {
		free(p->last_dir);
		p->last_dir = path_join(p->cwd, path);
	}
	return slot_set(p, (int)e->result, fd, e->flags, path_join(p->cwd, path));
}

static int do_exec(struct replay *r, struct process *p, const struct strace_event *e)
{
	int fd = dcs_open(p->task, e->path, O_RDONLY, 0), err;

	r->opens++;
	if (fd < 0)
		return fd;
	err = read_file(r, p, fd);
	dcs_close(p->task, fd);
	for (int i = 0; !err && e->result >= 0 && i < p->n_slots; i++)
		if (p->slot[i].path && p->slot[i].flags & O_CLOEXEC)
			slot_close(p, &p->slot[i]);
	return err;
}

static int do_fork(struct replay *r, const struct process *p, const struct strace_event *e)
{
	struct process *child;

	if (e->result <= 0 || e->result > r->trace->most_pid)
		return REPLAY_SKIPPED;
	child = process_new(r, p, e->flags ? DCS_SHARE_FS : 0);
	if (!child)
		return -ENOMEM;
	process_free(r->process[e->result]);
	r->process[e->result] = child;
	return 0;
}

static int do_chdir(struct process *p, const char *path)
{
	char *cwd;
	int err = dcs_chdir(p->task, path);

	if (err)
		return err;
	cwd = path_join(p->cwd, path);
	if (!cwd)
		return -ENOMEM;
	free(p->cwd);
	p->cwd = cwd;
	return 0;
}

/* Calls on a descriptor. */
static int do_slot(struct replay *r, struct process *p, const struct strace_event *e)
{
	static __thread char buf[32768];
	struct slot *s = slot_of(p, e->dirfd);
	struct dcs_stat st = {0};
	ssize_t n;
	int err;

	if (!s)
		return REPLAY_SKIPPED;
	switch (e->call) {
	case CALL_FSTAT:
		err = dcs_fstat(p->task, s->fd, &st);
		r->seen_mode = st.mode;
		return err;
	case CALL_FCHDIR:
		return do_chdir(p, s->path);
	default:
		n = dcs_getdents(p->task, s->fd, buf, sizeof(buf));
		return n < 0 ? (int)n : 0;
	}
}

static int do_rename(struct replay *r, struct process *p, const struct strace_event *e,
		     const char *path)
{
	char *to = e->dirfd2 != AT_FDCWD && *e->path2 != '/'
			   ? replay_path(r, e, e->dirfd2, e->path2)
			   : strdup(e->path2);
	int err = to ? dcs_rename(p->task, path, to, e->flags & 3) : REPLAY_SKIPPED;

	free(to);
	return err;
}

/* Calls on a path. */
static int do_path(struct replay *r, struct process *p, const struct strace_event *e,
		   const char *path)
{
	unsigned flags = e->flags & AT_SYMLINK_NOFOLLOW ? DCS_NOFOLLOW : 0;
	char body[DCS_PATH_MAX];
	struct dcs_stat st = {0};
	ssize_t n;
	int err;

	switch (e->call) {
	case CALL_OPEN:
		return do_open(r, p, e, path);
	case CALL_STAT:
	case CALL_ACCESS:
		err = dcs_stat(p->task, path, flags, &st);
		r->seen_mode = st.mode;
		return err;
	case CALL_READLINK:
		n = dcs_readlink(p->task, path, body, sizeof(body));
		return n < 0 ? (int)n : 0;
	case CALL_EXEC:
		return do_exec(r, p, e);
	case CALL_CHDIR:
		return do_chdir(p, path);
	case CALL_MKDIR:
		return dcs_mkdir(p->task, path, e->mode);
	case CALL_UNLINK:
		return dcs_unlink(p->task, path);
	case CALL_RMDIR:
		return dcs_rmdir(p->task, path);
	case CALL_RENAME:
		return do_rename(r, p, e, path);
	case CALL_CHMOD:
		return dcs_chmod(p->task, path, e->mode, 0);
	default:
		return dcs_symlink(p->task, e->path2, path);
	}
}

int replay_wanted(const struct strace_event *e)
{
	return e->result < 0 ? (int)e->result : 0;
}

int replay_event(struct replay *r, const struct strace_event *e)
{
	struct process *p = e->call == CALL_NONE ? NULL : process_of(r, e->pid);
	char *joined = NULL;
	int err;

	r->seen_mode = 0;
	if (!p)
		return e->call == CALL_NONE ? REPLAY_SKIPPED : -ENOMEM;
	switch (e->call) {
	case CALL_FORK:
		return do_fork(r, p, e);
	case CALL_EXIT:
		process_free(p);
		r->process[e->pid] = NULL;
		return 0;
	case CALL_FSTAT:
	case CALL_FCHDIR:
	case CALL_GETDENTS:
		return do_slot(r, p, e);
	default:
		break;
	}
	if (e->dirfd != AT_FDCWD && *e->path != '/') {
		joined = replay_path(r, e, e->dirfd, e->path);
		if (!joined)
			return REPLAY_SKIPPED;
	}
	err = do_path(r, p, e, joined ? joined : e->path);
	free(joined);
	return err;
}
