// SPDX-License-Identifier: LGPL-2.1-or-later
/* folder.c - made beside its place, and renamed into it */
#include "bench/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/options.h"

static const char *const names[PARTS] = {"command", "environment.json", "raw.json", "table.md",
					 "plot.svg"};

struct place {
	const char *option, *path;
	char parent[DCS_PATH_MAX], made[DCS_PATH_MAX]; /* made: beside @path */
	bool parent_is_new;
};

static _Noreturn void fail_place(const struct place *p, int err)
{
	fail(EXIT_LACKS, "--%s: cannot write %s: %s", p->option, p->path, strerror(err));
}

static bool is_part(const char *name)
{
	for (int i = 0; i < PARTS; i++)
		if (!strcmp(name, names[i]))
			return true;
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* What is replaced must be a result: nothing of the user's is removed with it. */
static void check_old(const struct place *p)
{
	DIR *dir = opendir(p->path);
	struct dirent *d;

	if (!dir && errno != ENOENT)
		fail_place(p, errno);
	while (dir && (d = readdir(dir)))
		if (!is_part(d->d_name))
			fail(EXIT_USAGE,
			     "--%s: %s holds %s, which is no part of a result; right is another "
			     "folder, or to move it away",
			     p->option, p->path, d->d_name);
	if (dir)
		closedir(dir);
}

/* Makes the temporary folder, and the parent where that is missing. */
static void open_place(struct place *p, const char *option, const char *path)
{
	const char *slash = strrchr(path, '/');
	int n;

	*p = (struct place){.option = option, .path = path};
	if (slash)
		n = snprintf(p->parent, sizeof(p->parent), "%.*s", (int)(slash - path), path);
	else
		n = snprintf(p->parent, sizeof(p->parent), ".");
	if (n >= DCS_PATH_MAX ||
	    snprintf(p->made, sizeof(p->made), "%s.XXXXXX", path) >= DCS_PATH_MAX)
		fail_place(p, ENAMETOOLONG);
	check_old(p);
	p->parent_is_new = *p->parent && !mkdir(p->parent, 0777);
	if (*p->parent && !p->parent_is_new && errno != EEXIST)
		fail_place(p, errno);
	if (!mkdtemp(p->made))
		fail_place(p, errno);
}

void folder_check(const char *option, const char *path)
{
	struct place p;

	open_place(&p, option, path);
	rmdir(p.made);
	if (p.parent_is_new)
		rmdir(p.parent);
}

/* Writes and flushes a file in the folder at @dir. */
static int write_part(int dir, const char *name, const char *data, size_t size)
{
	int fd = openat(dir, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666), err = 0;

	if (fd < 0)
		return errno;
	while (size && !err) {
		ssize_t n = write(fd, data, size);

		if (n < 0 && errno != EINTR)
			err = errno;
		if (n > 0) {
			data += n;
			size -= (size_t)n;
		}
	}
	if (!err && fsync(fd))
		err = errno;
	if (close(fd) && !err)
		err = errno;
	return err;
}

static void remove_folder(const char *path)
{
	int dir = open(path, O_DIRECTORY | O_RDONLY | O_CLOEXEC);

	if (dir < 0)
		return;
	for (int i = 0; i < PARTS; i++)
		unlinkat(dir, names[i], 0);
	close(dir);
	rmdir(path);
}

static mode_t creation_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0777 & ~mask;
}

static int fill(const struct place *p, const struct folder *folder)
{
	int dir = open(p->made, O_DIRECTORY | O_RDONLY | O_CLOEXEC), err = 0;

	if (dir < 0)
		return errno;
	for (int i = 0; i < PARTS && !err; i++)
		err = write_part(dir, names[i], folder->data[i], folder->size[i]);
	if (!err && (fchmod(dir, creation_mode()) || fsync(dir)))
		err = errno;
	close(dir);
	return err;
}

/* In place of what is there, in one step; the old one is then at the temporary name. */
static int move_in(const struct place *p)
{
	if (!renameat2(AT_FDCWD, p->made, AT_FDCWD, p->path, RENAME_NOREPLACE))
		return 0;
	if (errno != EEXIST || renameat2(AT_FDCWD, p->made, AT_FDCWD, p->path, RENAME_EXCHANGE))
		return errno;
	remove_folder(p->made);
	return 0;
}

void folder_write(const char *option, const char *path, const struct folder *folder)
{
	sigset_t all, before;
	struct place p;
	int err;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before); /* what is begun is ended */
	open_place(&p, option, path);
	err = fill(&p, folder);
	if (!err)
		err = move_in(&p);
	if (err) {
		remove_folder(p.made);
		fail_place(&p, err);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
}
