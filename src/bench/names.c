// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * names.c - the names of a tree as empty files of the kernel's, for lstat(2)
 *
 * They lie in a tmpfs that is mounted nowhere: only its descriptor holds it, so it
 * goes with the process, however that ends. Who may not mount gets a temporary
 * directory, and a child that removes it when the pipe from its parent closes.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/mount.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/reference.h"
#include "cli/options.h"

static int detached_tmpfs(void)
{
	int fs = (int)syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC), dir;

	if (fs < 0)
		return -1;
	/* No limit on inodes; refused where tmpfs does not know it, and then not needed. */
	syscall(SYS_fsconfig, fs, FSCONFIG_SET_STRING, "nr_inodes", "0", 0);
	if (syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		dir = -1;
	else
		dir = (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC, 0);
	close(fs);
	return dir;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	remove(path);
	return 0;
}

static struct {
	pid_t pid;
	int alive; /* the end of the pipe that closes when we end */
} janitor;

static void end_janitor(void)
{
	close(janitor.alive);
	waitpid(janitor.pid, NULL, 0);
}

static void start_janitor(const char *path)
{
	int ends[2];
	char byte;

	if (pipe2(ends, O_CLOEXEC) || (janitor.pid = fork()) < 0)
		fail(EXIT_LACKS, "cannot watch over %s: %s", path, strerror(errno));
	if (!janitor.pid) {
		setsid(); /* an interrupt from the terminal ends the parent only */
		close(ends[1]);
		while (read(ends[0], &byte, 1) < 0 && errno == EINTR)
			;
		nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
		_exit(0);
	}
	close(ends[0]);
	janitor.alive = ends[1];
	atexit(end_janitor);
}

static int temporary_directory(void)
{
	const char *where = getenv("TMPDIR");
	char path[DCS_PATH_MAX];
	int dir;

	snprintf(path, sizeof(path), "%s/dcsim.XXXXXX", where && *where ? where : "/tmp");
	if (!mkdtemp(path))
		fail(EXIT_LACKS,
		     "--reference: cannot make %s: %s; set TMPDIR to a folder that can "
		     "be written",
		     path, strerror(errno));
	start_janitor(path);
	dir = open(path, O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		fail(EXIT_LACKS, "--reference: cannot open %s: %s", path, strerror(errno));
	return dir;
}

static int make_name(int dir, const struct tree_entry *e)
{
	if (S_ISDIR(e->mode))
		return mkdirat(dir, e->path, 0700);
	if (S_ISLNK(e->mode))
		return symlinkat(e->target, dir, e->path);
	return mknodat(dir, e->path, S_IFREG | 0600, 0);
}

int names_make(const struct tree *tree, uint64_t *ino)
{
	int dir = detached_tmpfs();

	if (dir < 0)
		dir = temporary_directory();
	for (size_t i = 0; i < tree->n; i++) {
		const struct tree_entry *e = &tree->entry[i];
		struct stat st;

		if (make_name(dir, e) || fstatat(dir, e->path, &st, AT_SYMLINK_NOFOLLOW))
			fail(EXIT_LACKS, "--reference: cannot make the names for lstat: %s: %s",
			     e->path, strerror(errno));
		ino[i] = st.st_ino;
	}
	return dir;
}
