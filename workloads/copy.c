/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* copy.c - a tree that lies in memory, and `cp -a` of it into a cache with a RAM disk */
#include "copy.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static void *need(void *p)
{
	if (!p)
		fail(EXIT_LACKS, "out of memory");
	return p;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* ---- the source */

/* Reads at most @n bytes of the file @path in @dir. Returns how many, or -1: it may not be read. */
static ssize_t read_file(int dir, const char *path, char *buf, size_t n)
{
	int fd = openat(dir, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	size_t done = 0;
	ssize_t got = -1;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		while ((got = read(fd, buf + done, n - done)) > 0)
			done += (size_t)got;
	close(fd);
	return got < 0 ? -1 : (ssize_t)done;
}

static void make_bytes(char *buf, size_t n, struct rng *rng)
{
	for (size_t i = 0; i < n; i += 8) {
		uint64_t word = rng_next(rng);

		memcpy(buf + i, &word, least(8, n - i));
	}
}

static struct copy *copy_new(size_t n, uint64_t bytes, uint64_t write_size)
{
	struct copy *copy = need(calloc(1, sizeof(*copy)));

	copy->item = need(calloc(n + 1, sizeof(*copy->item)));
	copy->data = need(malloc(bytes + 1));
	copy->filler = need(calloc(1, write_size));
	copy->write_size = write_size;
	return copy;
}

/* What the disk will hold of each file. */
static void foresee(struct copy *copy, uint64_t disk, uint64_t block)
{
	uint64_t left = disk / block;

	for (size_t i = 0; i < copy->n; i++) {
		struct copy_item *item = &copy->item[i];
		uint64_t blocks = least(left, (item->size + block - 1) / block);

		if (!S_ISREG(item->mode))
			continue;
		item->fits = least(item->size, blocks * block);
		if (item->fits > item->kept)
			fail(EXIT_WRONG, "copytree: %s: fewer bytes at hand than fit", item->path);
		item->sum = XXH3_64bits(item->data, item->fits);
		left -= blocks;
		copy->n_files++;
		copy->cut += item->fits < item->size;
		copy->bytes += item->size;
		copy->stored += item->fits;
		copy->blocks += blocks;
	}
}

/* The directory of dir:PATH; -1 for other kinds. */
static int source_of(const struct tree *tree)
{
	const char *path = strncmp(tree->spec, "dir:", 4) ? NULL : tree->spec + 4;
	int dir = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (path && dir < 0)
		fail(EXIT_USAGE, "--tree %s: %s", tree->spec, strerror(errno));
	return dir;
}

struct copy *copy_of_tree(const struct tree *tree, uint64_t disk, uint64_t block,
			  uint64_t write_size, uint64_t seed)
{
	struct rng rng = rng_new(seed, 0x62797465);
	int dir = source_of(tree);
	uint64_t room = 0;
	struct copy *copy;
	char *to;

	for (size_t i = 0; i < tree->n; i++)
		room += S_ISREG(tree->entry[i].mode) ? least(tree->entry[i].size, disk) : 0;
	room = least(room, disk + write_size);
	copy = copy_new(tree->n, room, write_size);
	to = copy->data;
	for (size_t i = 0; i < tree->n; i++) {
		const struct tree_entry *e = &tree->entry[i];
		struct copy_item *item = &copy->item[copy->n];
		ssize_t got = 0;

		*item = (struct copy_item){.path = e->path,
					   .target = e->target,
					   .mode = e->mode,
					   .uid = e->uid,
					   .gid = e->gid,
					   .mtime = e->mtime,
					   .data = to};
		if (S_ISREG(e->mode)) {
			item->size = e->size;
			item->kept = least(e->size, room);
			if (dir >= 0)
				got = read_file(dir, e->path, to, item->kept);
			else
				make_bytes(to, item->kept, &rng);
			if (got < 0) {
				copy->unreadable++;
				continue;
			}
			if (dir >= 0 && (uint64_t)got < item->kept) /* it has shrunk */
				item->size = item->kept = (uint64_t)got;
			to += item->kept;
			room -= item->kept;
		}
		copy->n++;
	}
	if (dir >= 0)
		close(dir);
	foresee(copy, disk, block);
	return copy;
}

struct copy *copy_of_file(uint64_t size, uint64_t disk, uint64_t block, uint64_t write_size,
			  uint64_t seed)
{
	static const char path[] = "vmlinux\0\0\0\0\0\0\0\0";
	uint64_t kept = least(size, disk + write_size);
	struct copy *copy = copy_new(1, kept, write_size);
	struct rng rng = rng_new(seed, 0x66696c65);

	make_bytes(copy->data, kept, &rng);
	copy->n = 1;
	*copy->item = (struct copy_item){.path = path,
					 .mode = S_IFREG | 0755,
					 .mtime = 1178150400,
					 .data = copy->data,
					 .size = size,
					 .kept = kept};
	foresee(copy, disk, block);
	return copy;
}

void copy_free(struct copy *copy)
{
	free(copy->item);
	free(copy->data);
	free(copy->filler);
	free(copy);
}

/* ---- the copy */

/* The calls of cp: to a cache, or to nothing. */
struct calls {
	stat_fn *stat;
	int (*mkdir)(struct dcs_task *task, const char *path, mode_t mode);
	int (*symlink)(struct dcs_task *task, const char *target, const char *path);
	int (*open)(struct dcs_task *task, const char *path, unsigned flags, mode_t mode);
	ssize_t (*pwrite)(struct dcs_task *task, int fd, const void *buf, size_t n, off_t offset);
	int (*close)(struct dcs_task *task, int fd);
	int (*chown)(struct dcs_task *task, const char *path, uid_t uid, gid_t gid, unsigned flags);
	int (*chmod)(struct dcs_task *task, const char *path, mode_t mode, unsigned flags);
	int (*setsize)(struct dcs_task *task, const char *path, uint64_t size, int64_t mtime_sec,
		       unsigned flags);
};

static const struct calls real = {dcs_stat,  dcs_mkdir, dcs_symlink, dcs_open,	 dcs_pwrite,
				  dcs_close, dcs_chown, dcs_chmod,   dcs_setsize};

static int no_stat(struct dcs_task *task, const char *path, unsigned flags, struct dcs_stat *st)
{
	(void)task, (void)path, (void)flags, (void)st;
	return -ENOENT;
}

static int no_mkdir(struct dcs_task *task, const char *path, mode_t mode)
{
	(void)task, (void)path, (void)mode;
	return 0;
}

static int no_symlink(struct dcs_task *task, const char *target, const char *path)
{
	(void)task, (void)target, (void)path;
	return 0;
}

static int no_open(struct dcs_task *task, const char *path, unsigned flags, mode_t mode)
{
	(void)task, (void)path, (void)flags, (void)mode;
	return 0;
}

static ssize_t no_pwrite(struct dcs_task *task, int fd, const void *buf, size_t n, off_t offset)
{
	(void)task, (void)fd, (void)buf, (void)offset;
	return (ssize_t)n;
}

static int no_close(struct dcs_task *task, int fd)
{
	(void)task, (void)fd;
	return 0;
}

static int no_chown(struct dcs_task *task, const char *path, uid_t uid, gid_t gid, unsigned flags)
{
	(void)task, (void)path, (void)uid, (void)gid, (void)flags;
	return 0;
}

static int no_chmod(struct dcs_task *task, const char *path, mode_t mode, unsigned flags)
{
	(void)task, (void)path, (void)mode, (void)flags;
	return 0;
}

static int no_setsize(struct dcs_task *task, const char *path, uint64_t size, int64_t mtime_sec,
		      unsigned flags)
{
	(void)task, (void)path, (void)size, (void)mtime_sec, (void)flags;
	return 0;
}

static const struct calls null = {no_stat,  no_mkdir, no_symlink, no_open,   no_pwrite,
				  no_close, no_chown, no_chmod,	  no_setsize};

struct cp {
	const struct calls *to;
	struct worker *w;
	const struct copy *copy;
};

static void count(struct cp *cp, bool right)
{
	cp->w->ops++;
	cp->w->wrong += !right;
}

/* Times first, and the mode last, since a change of owner takes set-id bits away. */
static void put_attributes(struct cp *cp, const struct copy_item *item)
{
	struct dcs_task *task = cp->w->task;
	const char *path = item->path;

	count(cp, !cp->to->setsize(task, path, item->size, item->mtime, DCS_NOFOLLOW));
	count(cp, !cp->to->chown(task, path, item->uid, item->gid, DCS_NOFOLLOW));
	if (!S_ISLNK(item->mode))
		count(cp, !cp->to->chmod(task, path, item->mode & 07777, DCS_NOFOLLOW));
}

/* Returns the bytes written, up to the first error, which only ENOSPC may be. */
static uint64_t write_bytes(struct cp *cp, const struct copy_item *item, int fd)
{
	const struct copy *copy = cp->copy;
	uint64_t at = 0;

	while (at < item->size) {
		size_t n = least(copy->write_size, item->size - at);
		const char *from = at + n <= item->kept ? item->data + at : copy->filler;
		ssize_t wrote = cp->to->pwrite(cp->w->task, fd, from, n, (off_t)at);

		count(cp, wrote > 0 || wrote == -ENOSPC);
		if (wrote <= 0)
			break;
		at += (uint64_t)wrote;
	}
	return at;
}

/* As cp, which leaves a file that did not fit as it is. */
static void copy_file(struct cp *cp, const struct copy_item *item)
{
	struct dcs_task *task = cp->w->task;
	int fd = cp->to->open(task, item->path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	uint64_t written;

	count(cp, fd >= 0);
	written = write_bytes(cp, item, fd);
	cp->w->wrong += written != item->fits;
	count(cp, !cp->to->close(task, fd));
	if (written == item->size)
		put_attributes(cp, item);
}

static void copy_item(struct cp *cp, const struct copy_item *item)
{
	struct dcs_task *task = cp->w->task;
	struct dcs_stat st;

	count(cp, cp->to->stat(task, item->path, DCS_NOFOLLOW | DCS_PADDED, &st) == -ENOENT);
	if (S_ISDIR(item->mode)) {
		count(cp, !cp->to->mkdir(task, item->path, 0700));
	} else if (S_ISLNK(item->mode)) {
		count(cp, !cp->to->symlink(task, item->target, item->path));
		put_attributes(cp, item);
	} else {
		copy_file(cp, item);
	}
}

bool copy_turn(struct worker *w, uint64_t n)
{
	const struct copy *copy = w->own;
	struct cp cp = {.to = w->stat == stat_null ? &null : &real, .w = w, .copy = copy};

	(void)n;
	for (size_t i = 0; i < copy->n; i++)
		copy_item(&cp, &copy->item[i]);
	/* A directory when all is in it. */
	for (size_t i = copy->n; i--;)
		if (S_ISDIR(copy->item[i].mode))
			put_attributes(&cp, &copy->item[i]);
	return false;
}

/* ---- what came of it */

static bool same_bytes(const struct copy_item *item, struct dcs_task *task)
{
	static char part[1 << 16];
	XXH3_state_t *state = need(XXH3_createState());
	int fd = dcs_open(task, item->path, O_RDONLY | O_NOFOLLOW, 0);
	uint64_t at = 0;
	ssize_t got = -1;
	bool same;

	XXH3_64bits_reset(state);
	while (fd >= 0 && (got = dcs_pread(task, fd, part, sizeof(part), (off_t)at)) > 0) {
		XXH3_64bits_update(state, part, (size_t)got);
		at += (uint64_t)got;
	}
	same = !got && at == item->fits && XXH3_64bits_digest(state) == item->sum;
	if (fd >= 0)
		dcs_close(task, fd);
	XXH3_freeState(state);
	return same;
}

static bool same_target(const struct copy_item *item, struct dcs_task *task)
{
	char body[DCS_PATH_MAX];
	ssize_t n = dcs_readlink(task, item->path, body, sizeof(body));

	return n == (ssize_t)strlen(item->target) && !memcmp(body, item->target, (size_t)n);
}

static bool same_item(const struct copy_item *item, struct dcs_task *task)
{
	struct dcs_stat st;

	if (dcs_stat(task, item->path, DCS_NOFOLLOW | DCS_PADDED, &st))
		return false;
	if ((st.mode ^ item->mode) & S_IFMT)
		return false;
	if (S_ISREG(item->mode) && (st.size != item->fits || !same_bytes(item, task)))
		return false;
	if (S_ISLNK(item->mode) && !same_target(item, task))
		return false;
	if (S_ISREG(item->mode) && item->fits < item->size)
		return true;
	return st.uid == item->uid && st.gid == item->gid && st.mtime.tv_sec == item->mtime &&
	       (S_ISLNK(item->mode) || st.mode == item->mode);
}

uint64_t copy_check(const struct copy *copy, struct dcs_cache *cache, struct dcs_task *task)
{
	struct dcs_census census;
	struct dcs_statfs disk;
	uint64_t wrong = 0;
	char why[256];

	for (size_t i = 0; i < copy->n; i++)
		wrong += !same_item(&copy->item[i], task);
	dcs_statfs(cache, &disk);
	dcs_census(cache, &census);
	wrong += disk.blocks - disk.free != copy->blocks;
	wrong += census.dentries - census.negative != copy->n + 1; /* and the root */
	if (dcs_check(cache, why, sizeof(why)))
		fail(EXIT_WRONG, "copytree: the copy has come to harm: %s", why);
	return wrong;
}

uint64_t copy_remove(const struct copy *copy, struct dcs_cache *cache, struct dcs_task *task)
{
	uint64_t wrong = 0;

	for (size_t i = copy->n; i--;) {
		const struct copy_item *item = &copy->item[i];

		wrong += (S_ISDIR(item->mode) ? dcs_rmdir : dcs_unlink)(task, item->path) != 0;
	}
	dcs_drop_caches(cache, 3);
	dcs_barrier(cache);
	return wrong;
}
