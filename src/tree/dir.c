/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * dir:PATH - a real directory: modes, owners, sizes, times, targets of links
 *
 * PATH itself may be a link; below it no link is followed, and no other file
 * system entered. Items are the queue: a directory among them is read when its turn
 * comes, and what it holds is added behind. So one descriptor is open at a time
 * and depth costs no stack.
 *
 * Left out, and counted in n_skipped: sockets, devices and fifos; names that may
 * not be read; what is in a directory that may not be read or is on another file
 * system (the directory itself is there, empty); paths over 4095 bytes. The tree
 * is read as it is found: what goes while it is read is not missed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tree/kind.h"

struct scan {
	struct tree_build *b;
	int top;
	dev_t dev;
	size_t special, unreadable, mounts, too_long;
};

static int is_gone(int err)
{
	return err == ENOENT || err == ENOTDIR || err == ESRCH || err == ELOOP;
}

/* Reads the target of the link @name in @dirfd, and adds it to the text. 1: it is gone. */
static int add_target(struct scan *s, int dirfd, const char *name, struct tree_item *item)
{
	char *to = tree_room(s->b, DCS_PATH_MAX);
	ssize_t len;

	if (!to)
		return -ENOMEM;
	len = readlinkat(dirfd, name, to, DCS_PATH_MAX - 1);
	if (len <= 0) {
		s->unreadable += len == 0 || !is_gone(errno);
		return 1;
	}
	item->target = s->b->used;
	item->size = (uint64_t)len;
	item->mode = S_IFLNK | 0777;
	s->b->used += (size_t)len;
	return 0;
}

static int add_name(struct scan *s, int dirfd, const struct tree_item *dir, const char *name)
{
	struct tree_build *b = s->b;
	size_t len = strlen(name), above = dir->len ? dir->len + 1 : 0;
	struct tree_item item = {.len = (uint32_t)(above + len)};
	struct stat st;
	char *to;

	if (len > DCS_NAME_MAX || above + len >= DCS_PATH_MAX) {
		s->too_long++;
		return 0;
	}
	if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT)) {
		s->unreadable += !is_gone(errno);
		return 0;
	}
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode) && !S_ISLNK(st.st_mode)) {
		s->special++;
		return 0;
	}
	item.mode = st.st_mode;
	item.uid = st.st_uid;
	item.gid = st.st_gid;
	item.size = (uint64_t)st.st_size;
	item.mtime = st.st_mtim.tv_sec;
	if (S_ISLNK(st.st_mode)) {
		int err = add_target(s, dirfd, name, &item);

		if (err)
			return err < 0 ? err : 0;
	}
	to = tree_room(b, above + len + 1);
	if (!to)
		return -ENOMEM;
	if (above) {
		memcpy(to, b->text + dir->path, dir->len);
		to[dir->len] = '/';
	}
	memcpy(to + above, name, len + 1);
	item.path = b->used;
	b->used += above + len + 1;
	return tree_add(b, &item);
}

/* Adds the names in the directory @fd, whose path is @dir's, and closes it. */
static int add_names(struct scan *s, int fd, struct tree_item dir)
{
	DIR *stream = fdopendir(fd);
	struct dirent *d;
	int err = 0;

	if (!stream) {
		close(fd);
		return -ENOMEM;
	}
	while (!err) {
		errno = 0;
		d = readdir(stream);
		if (!d) {
			s->unreadable += errno && !is_gone(errno);
			break;
		}
		if (strcmp(d->d_name, ".") && strcmp(d->d_name, ".."))
			err = add_name(s, fd, &dir, d->d_name);
	}
	closedir(stream);
	return err;
}

/* Adds what is in the directory that is an item itself. */
static int add_directory(struct scan *s, struct tree_item dir)
{
	const char *path = s->b->text + dir.path;
	int fd = openat(s->top, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
		return tree_fail(s->b, -errno, 0, "%s", strerror(errno));
	if (fd < 0) {
		s->unreadable += !is_gone(errno);
		return 0;
	}
	if (fstat(fd, &st) || st.st_dev != s->dev) {
		s->mounts++;
		close(fd);
		return 0;
	}
	return add_names(s, fd, dir);
}

/* One line about all that was left out. */
static void warn(struct scan *s)
{
	const struct {
		size_t n;
		const char *what;
	} left_out[] = {
		{s->special, "sockets, devices and fifos"},
		{s->unreadable, "names and directories that may not be read"},
		{s->mounts, "directories on other file systems"},
		{s->too_long, "paths over 4095 bytes"},
	};
	char list[256] = "";
	size_t used = 0;

	for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++) {
		if (!left_out[i].n)
			continue;
		s->b->n_skipped += left_out[i].n;
		used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%zu %s",
					 used ? ", " : "", left_out[i].n, left_out[i].what);
	}
	if (used)
		tree_fail(s->b, 0, 0, "left out: %s", list);
}

int dir_open(struct tree_build *b, const char *path)
{
	struct scan s = {.b = b, .top = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
	struct stat st;
	int err;

	if (s.top < 0)
		return tree_fail(b, -errno, 0, "%s", strerror(errno));
	fstat(s.top, &st);
	s.dev = st.st_dev;
	err = add_names(&s, dup(s.top), (struct tree_item){0});
	for (size_t i = 0; i < b->n && !err; i++) {
		if (S_ISDIR(b->item[i].mode))
			err = add_directory(&s, b->item[i]);
	}
	close(s.top);
	if (!err)
		warn(&s);
	return err;
}
