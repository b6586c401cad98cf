/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * dir.c - a store that is a directory of the system, read on demand, never written
 *
 * No descriptor is kept for a file (dir-nodes.h): each access opens the directory anew below
 * the root, by the names where it and those above it were found last, follows no link on the
 * way, and sees whether it is still that directory; if not, -ESTALE. What others move
 * is so found again as soon as someone looks where it is now.
 *
 * Limits: what a file system does not say (time of birth) cannot tell a new file from an old one.
 * Readings of a directory are as whole as the file system's own positions (d_off) last, as for
 * an NFS server. A mount point has the number below it in readdir.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "store/dir-nodes.h"

/* -ESTALE where what is there is not what was found by that name. */
static int went_wrong(void)
{
	switch (errno) {
	case ENOENT:
	case ENOTDIR:
	case ELOOP:
	case EXDEV:
		return -ESTALE;
	default:
		return -errno;
	}
}

/* The end of what one call opens of the names up to @limit: one, or as many as it takes. */
static const char *piece_end(const char *path, const char *limit, bool one)
{
	const char *end = strchr(path, '/') + 1, *next;

	for (; !one && end < limit; end = next) {
		next = strchr(end, '/') + 1;
		if (next - path > DCS_PATH_MAX)
			break;
	}
	return end;
}

static int open_beneath(int fd, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned)flags,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};

	return (int)syscall(SYS_openat2, fd, path, &how, sizeof(how));
}

/*
 * The directory at @path up to @limit, below the root. Names end with a slash each, there is
 * no `..`, and no link is followed: where openat2(2) is missing, or a filter that is older
 * forbids it, name by name.
 */
static int open_path(struct dir *d, const char *path, const char *limit)
{
	const int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = fcntl(d->fd, F_DUPFD_CLOEXEC, 0), next;
	bool one = false;

	while (fd >= 0 && path < limit) {
		const char *end = piece_end(path, limit, one);
		char piece[DCS_PATH_MAX];

		memcpy(piece, path, (size_t)(end - path));
		piece[end - path - 1] = '\0';
		next = one ? openat(fd, piece, flags) : open_beneath(fd, piece, flags);
		if (next < 0 && !one && (errno == ENOSYS || errno == EPERM)) {
			one = true;
			continue;
		}
		close(fd);
		fd = next;
		path = end;
	}
	return fd;
}

static void take_attr(const struct statx *x, struct id *id, struct dcs_stat *attr)
{
	bool born = x->stx_mask & STATX_BTIME;

	*id = (struct id){
		.dev = makedev(x->stx_dev_major, x->stx_dev_minor),
		.ino = x->stx_ino,
		.born = born ? (uint64_t)x->stx_btime.tv_sec << 30 | x->stx_btime.tv_nsec : 0,
		.type = x->stx_mode & S_IFMT,
	};
	*attr = (struct dcs_stat){
		.mode = x->stx_mode,
		.nlink = x->stx_nlink,
		.uid = x->stx_uid,
		.gid = x->stx_gid,
		.rdev = makedev(x->stx_rdev_major, x->stx_rdev_minor),
		.size = x->stx_size,
		.atime = {x->stx_atime.tv_sec, x->stx_atime.tv_nsec},
		.mtime = {x->stx_mtime.tv_sec, x->stx_mtime.tv_nsec},
		.ctime = {x->stx_ctime.tv_sec, x->stx_ctime.tv_nsec},
	};
}

/* @name "": what @fd is. */
static int stat_at(int fd, const char *name, struct id *id, struct dcs_stat *attr)
{
	struct statx x;

	if (statx(fd, name, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT,
		  STATX_BASIC_STATS | STATX_BTIME, &x))
		return -errno;
	take_attr(&x, id, attr);
	return 0;
}

static bool is_same(const struct id *a, const struct id *b)
{
	return a->ino == b->ino && a->dev == b->dev && a->born == b->born && a->type == b->type;
}

/* Whether @fd is what a node with @id is: 0, or it is closed and -ESTALE. */
static int check_fd(int fd, const struct id *id)
{
	struct dcs_stat attr;
	struct id now;
	int err = stat_at(fd, "", &now, &attr);

	if (!err && is_same(&now, id))
		return 0;
	close(fd);
	return err ?: -ESTALE;
}

/* The directory with a number, opened for paths. Returns a descriptor or an errno. */
static int open_dir(struct dir *d, uint64_t number)
{
	struct place place;
	int fd, err = place_of(d, number, &place);

	if (err)
		return err;
	fd = open_path(d, place.path, place.path + strlen(place.path));
	err = fd < 0 ? went_wrong() : check_fd(fd, &place.id);
	free(place.path);
	return err ?: fd;
}

/* A name that cannot lead elsewhere, with a NUL. */
static int copy_name(char copy[DCS_NAME_MAX + 1], const char *name, size_t len)
{
	if (len > DCS_NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(copy, name, len);
	copy[len] = '\0';
	if (!len || strlen(copy) != len || strchr(copy, '/') || !strcmp(copy, ".") ||
	    !strcmp(copy, ".."))
		return -EINVAL;
	return 0;
}

/* ---- what the cache asks */

static int root(void *store, struct dcs_stat *attr)
{
	struct dir *d = store;
	struct id id;
	int err = stat_at(d->fd, "", &id, attr);

	if (err)
		return err;
	pthread_mutex_lock(&d->lock);
	d->root->lookups++;
	attr->ino = d->root->number;
	pthread_mutex_unlock(&d->lock);
	return 0;
}

/* What lies in the directory @number by @name now. */
static int look(struct dir *d, uint64_t number, const char *name, struct id *id,
		struct dcs_stat *attr)
{
	int fd = open_dir(d, number), err;

	if (fd < 0)
		return fd;
	err = stat_at(fd, name, id, attr);
	close(fd);
	return err;
}

static int lookup(void *store, uint64_t number, const char *bytes, size_t len,
		  struct dcs_stat *attr)
{
	struct dir *d = store;
	char name[DCS_NAME_MAX + 1];
	struct id id;
	int err = copy_name(name, bytes, len);

	if (!err)
		err = look(d, number, name, &id, attr);
	if (err)
		return err;
	pthread_mutex_lock(&d->lock);
	err = node_answer(d, number, name, &id, attr);
	pthread_mutex_unlock(&d->lock);
	return err;
}

static int revalidate(void *store, uint64_t number, const char *bytes, size_t len, uint64_t ino,
		      struct dcs_stat *attr)
{
	struct dir *d = store;
	char name[DCS_NAME_MAX + 1];
	const struct node *node;
	struct id id;
	int err = copy_name(name, bytes, len), valid = 0;

	if (!err)
		err = look(d, number, name, &id, attr);
	if (err)
		return err == -ENOENT ? !ino : err;
	pthread_mutex_lock(&d->lock);
	node = node_with_id(d, &id);
	if (node && node->number == ino) {
		err = node_answer(d, number, name, &id, attr);
		valid = 1;
	}
	pthread_mutex_unlock(&d->lock);
	return err ?: valid;
}

/* What is by the last name of @path, whose directory's names come before, if it is @place. */
static int open_last(struct dir *d, const struct place *place)
{
	char *slash = strrchr(place->path, '/'), *name;
	int fd, at, err;

	if (!slash)
		return -EINVAL; /* the root */
	*slash = '\0';
	name = strrchr(place->path, '/');
	name = name ? name + 1 : place->path;
	fd = open_path(d, place->path, name);
	if (fd < 0)
		return went_wrong();
	at = openat(fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	err = at < 0 ? went_wrong() : check_fd(at, &place->id);
	close(fd);
	return err ?: at;
}

/* By the directory and name where it was found last. */
static ssize_t read_link(void *store, uint64_t number, char *buf, size_t size)
{
	struct dir *d = store;
	struct place place;
	int fd, err = place_of(d, number, &place);
	ssize_t n;

	if (err)
		return err;
	fd = S_ISLNK(place.id.type) ? open_last(d, &place) : -EINVAL;
	free(place.path);
	if (fd < 0)
		return fd;
	n = readlinkat(fd, "", buf, size);
	if (n < 0)
		n = -errno;
	close(fd);
	return n;
}

/* The type of an entry that the directory does not tell. */
static uint32_t type_of(int fd, const char *name)
{
	struct dcs_stat attr = {0};
	struct id id;

	return stat_at(fd, name, &id, &attr) ? 0 : attr.mode & S_IFMT;
}

static int emit_names(DIR *stream, dcs_emit *emit, void *context)
{
	const struct dirent *e;

	for (;;) {
		errno = 0;
		e = readdir(stream);
		if (!e)
			return errno ? went_wrong() : 0;
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		if (emit(context, e->d_name, strlen(e->d_name), e->d_ino,
			 e->d_type == DT_UNKNOWN ? type_of(dirfd(stream), e->d_name)
						 : DTTOIF(e->d_type),
			 (uint64_t)e->d_off))
			return 0;
	}
}

static int read_dir(void *store, uint64_t number, uint64_t cookie, dcs_emit *emit, void *context)
{
	int err, fd = open_dir(store, number), names;
	DIR *stream;

	if (fd < 0)
		return fd;
	names = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	err = names < 0 ? went_wrong() : 0;
	close(fd);
	if (err)
		return err;
	stream = fdopendir(names);
	if (!stream) {
		close(names);
		return -ENOMEM;
	}
	if (cookie)
		seekdir(stream, (long)cookie);
	err = emit_names(stream, emit, context);
	closedir(stream);
	return err;
}

static void forget(void *store, uint64_t number, uint64_t lookups)
{
	struct dir *d = store;
	struct node *node;

	pthread_mutex_lock(&d->lock);
	node = node_of(d, number);
	if (node) {
		node->lookups -= lookups;
		node_put(d, node);
	}
	pthread_mutex_unlock(&d->lock);
}

static void dir_free(void *store)
{
	struct dir *d = store;
	struct node *node, *next;

	RB_FOREACH_SAFE(node, ids, &d->ids, next)
	{
		RB_REMOVE(ids, &d->ids, node);
		free(node->name);
		free(node);
	}
	pthread_mutex_destroy(&d->lock);
	close(d->fd);
	free(d);
}

/* clang-format off */
#define OPS                       \
	.name = "dir",            \
	.root = root,             \
	.lookup = lookup,         \
	.readlink = read_link,    \
	.readdir = read_dir,      \
	.forget = forget,         \
	.free = dir_free
/* clang-format on */

static const struct dcs_store_ops trusting = {OPS};
static const struct dcs_store_ops revalidating = {OPS, .revalidate = revalidate};

static int dir_open(struct dir *d, const char *path)
{
	struct dcs_stat attr;
	struct id id;
	int err;

	d->fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (d->fd < 0)
		return -errno;
	err = stat_at(d->fd, "", &id, &attr);
	if (err)
		return err;
	d->root = node_new(d, &id);
	if (!d->root)
		return -ENOMEM;
	d->root->children = 1; /* it stays */
	return 0;
}

int dcs_store_dir(struct dcs_config *config, const char *path, int always)
{
	struct dir *d = calloc(1, sizeof(*d));
	int err;

	if (!d)
		return -ENOMEM;
	pthread_mutex_init(&d->lock, NULL);
	RB_INIT(&d->ids);
	RB_INIT(&d->numbers);
	d->next_number = 1ull << 63;
	err = dir_open(d, path);
	if (err) {
		if (d->fd >= 0)
			close(d->fd);
		pthread_mutex_destroy(&d->lock);
		free(d);
		return err;
	}
	config->store = always ? &revalidating : &trusting;
	config->store_data = d;
	return 0;
}
