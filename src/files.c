/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* files.c - the descriptors of a task: the lowest free number, and what it stands for */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "dcs/dcs.h"
#include "walk/engine.h"
#include "walk/open-file.h"

static struct file *file_of(const struct dcs_task *task, int fd)
{
	return fd >= 0 && (unsigned)fd < task->n_files ? task->files[fd] : NULL;
}

/* Makes room for descriptor @n. Returns 0, -EMFILE or -ENOMEM. */
static int files_grow(struct dcs_task *task, unsigned n)
{
	unsigned room = task->n_files ? 2 * task->n_files : 8;
	struct file **files;

	if (n >= DCS_OPEN_MAX)
		return -EMFILE;
	if (n < task->n_files)
		return 0;
	files = calloc(room, sizeof(*files));
	if (!files)
		return -ENOMEM;
	if (task->n_files)
		memcpy(files, task->files, task->n_files * sizeof(*files));
	free(task->files);
	task->files = files;
	task->n_files = room;
	return 0;
}

static unsigned lowest_free(const struct dcs_task *task)
{
	unsigned fd = 0;

	while (fd < task->n_files && task->files[fd])
		fd++;
	return fd;
}

static void file_put(struct dcs_task *task, struct file *f)
{
	struct dcs_cache *cache = task->cache;

	if (sub_fetch_acq_rel(&f->users, 1))
		return;
	rcu_enter(cache->rcu_id);
	if (f->cursor)
		cache->engine->put(cache, f->cursor);
	cache->engine->put(cache, f->dentry);
	rcu_exit(cache->rcu_id);
	sleep_lock_destroy(&f->lock);
	free(f);
}

int files_copy(struct dcs_task *task, const struct dcs_task *from)
{
	if (!from->n_files)
		return 0;
	task->files = calloc(from->n_files, sizeof(struct file *));
	if (!task->files)
		return -ENOMEM;
	task->n_files = from->n_files;
	for (unsigned fd = 0; fd < from->n_files; fd++) {
		task->files[fd] = from->files[fd];
		if (task->files[fd])
			fetch_add_relaxed(&task->files[fd]->users, 1);
	}
	return 0;
}

void files_free(struct dcs_task *task)
{
	for (unsigned fd = 0; fd < task->n_files; fd++)
		if (task->files[fd])
			file_put(task, task->files[fd]);
	free(task->files);
}

static int open_again(struct dcs_task *task, const char *path, unsigned flags, mode_t mode,
		      struct dentry **dentry)
{
	int err = task->cache->engine->open(task, path, flags, mode, dentry);

	if (err == -ESTALE && !task->reval) {
		count_add(&task->counters.stale_retries, 1);
		task->reval = true;
		err = task->cache->engine->open(task, path, flags, mode, dentry);
		task->reval = false;
	}
	return err;
}

int dcs_open(struct dcs_task *task, const char *path, unsigned flags, mode_t mode)
{
	unsigned fd = lowest_free(task);
	int err = files_grow(task, fd);
	struct file *f;

	if (err)
		return err;
	f = calloc(1, sizeof(*f));
	if (!f)
		return -ENOMEM;
	err = open_again(task, path, flags, mode, &f->dentry);
	if (err) {
		free(f);
		return err;
	}
	f->flags = flags;
	f->users = 1;
	sleep_lock_init(&f->lock);
	task->files[fd] = f;
	return (int)fd;
}

int dcs_close(struct dcs_task *task, int fd)
{
	struct file *f = file_of(task, fd);

	if (!f)
		return -EBADF;
	task->files[fd] = NULL;
	file_put(task, f);
	return 0;
}

int dcs_fstat(struct dcs_task *task, int fd, struct dcs_stat *st)
{
	struct file *f = file_of(task, fd);

	if (!f)
		return -EBADF;
	task->cache->engine->fstat(task, f->dentry, st);
	return 0;
}

#define MOST_AT_ONCE 0x7ffff000u /* bytes of a read or write, as in Linux */

ssize_t dcs_pread(struct dcs_task *task, int fd, void *buf, size_t n, off_t offset)
{
	struct file *f = file_of(task, fd);

	if (offset < 0)
		return -EINVAL;
	if (!f || f->flags & O_PATH || (f->flags & O_ACCMODE) == O_WRONLY)
		return -EBADF;
	if (n > MOST_AT_ONCE)
		n = MOST_AT_ONCE;
	return task->cache->engine->pread(task, f->dentry, buf, n, (uint64_t)offset);
}

ssize_t dcs_pwrite(struct dcs_task *task, int fd, const void *buf, size_t n, off_t offset)
{
	struct file *f = file_of(task, fd);

	if (offset < 0)
		return -EINVAL;
	if (!f || f->flags & O_PATH || (f->flags & O_ACCMODE) == O_RDONLY)
		return -EBADF;
	if (n > MOST_AT_ONCE)
		n = MOST_AT_ONCE;
	if (!n)
		return 0;
	if (offset == INT64_MAX)
		return -EFBIG;
	if (n > (uint64_t)(INT64_MAX - offset))
		n = (size_t)(INT64_MAX - offset);
	return task->cache->engine->pwrite(task, f->dentry, buf, n, (uint64_t)offset);
}

ssize_t dcs_getdents(struct dcs_task *task, int fd, void *buf, size_t size)
{
	struct file *f = file_of(task, fd);
	struct dcs_stat st;

	if (!f || f->flags & O_PATH)
		return -EBADF;
	task->cache->engine->fstat(task, f->dentry, &st);
	if (!S_ISDIR(st.mode))
		return -ENOTDIR;
	if (size < sizeof(struct dcs_dirent) + DCS_NAME_MAX + 1)
		return -EINVAL;
	return task->cache->engine->getdents(task, f, buf, size);
}

int dcs_rewinddir(struct dcs_task *task, int fd)
{
	struct file *f = file_of(task, fd);

	if (!f || f->flags & O_PATH)
		return -EBADF;
	task->cache->engine->rewind(task, f);
	return 0;
}
