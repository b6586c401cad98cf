/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * kbuild-tree.c - the tree that a log implies: found by replaying it on an empty cache
 *
 * Where a call gave more than the cache can, a file was there that the cache lacks, or one of
 * another type: it is made, noted, and the call done again. What the log itself has made is
 * never noted. Whether that was all is told by a replay from the noted tree.
 */
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kbuild-path.h"
#include "kbuild-replay.h"

char *path_join(const char *base, const char *path)
{
	char *out, *to;

	if (*path == '/')
		base = "";
	out = to = malloc(strlen(base) + strlen(path) + 3);
	if (!out)
		return NULL;
	for (const char *part = base;; part = path, path = NULL) {
		while (*part) {
			size_t len = strcspn(part, "/");

			if (len == 2 && part[0] == '.' && part[1] == '.') {
				while (to > out && *--to != '/')
					;
			} else if (len && !(len == 1 && *part == '.')) {
				*to++ = '/';
				memcpy(to, part, len);
				to += len;
			}
			part += len + (part[len] == '/');
		}
		if (!path)
			break;
	}
	if (to == out)
		*to++ = '/';
	*to = '\0';
	return out;
}

struct inference {
	struct replay replay;
	void *noted; /* struct implied, by path */
};

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct implied *)a)->path, ((const struct implied *)b)->path);
}

static struct implied *noted(struct inference *in, const char *path)
{
	struct implied key = {.path = (char *)path}, **found = tfind(&key, &in->noted, compare);

	return found ? *found : NULL;
}

static int make(struct dcs_task *task, const struct implied *f)
{
	int err = S_ISDIR(f->mode)   ? dcs_mkdir(task, f->path, f->mode & 07777)
		  : S_ISLNK(f->mode) ? dcs_symlink(task, f->target, f->path)
				     : dcs_create(task, f->path, f->mode & 07777);

	if (!err && S_ISREG(f->mode) && f->size)
		err = dcs_setsize(task, f->path, f->size, 0, 0);
	return err;
}

/* Of a noted file whose type is another than was thought. */
static int unmake(struct dcs_task *task, const struct implied *f)
{
	return S_ISDIR(f->mode) ? dcs_rmdir(task, f->path) : dcs_unlink(task, f->path);
}

static int note(struct inference *in, const char *path, const struct implied *like)
{
	struct implied *f = noted(in, path);

	if (!f) {
		f = calloc(1, sizeof(*f));
		if (f)
			f->path = strdup(path);
		if (!f || !f->path || !tsearch(f, &in->noted, compare)) {
			free(f ? f->path : NULL);
			free(f);
			return -ENOMEM;
		}
	}
	free(f->target);
	f->target = like->target ? strdup(like->target) : NULL;
	f->mode = like->mode;
	f->size = like->size;
	return make(in->replay.mother, f);
}

/* The parent of a noted file is noted, or the root. */
static bool may_note(struct inference *in, const char *path)
{
	char *parent = path_join(path, "..");
	bool may = parent && (!strcmp(parent, "/") || noted(in, parent));

	free(parent);
	return may;
}

/* @path was there, of that type. Returns 0 where the cache has it so now. */
static int was_there(struct inference *in, const char *path, const struct implied *like)
{
	struct dcs_task *task = in->replay.mother;
	struct implied *f = noted(in, path);
	struct dcs_stat st;
	int err;

	if (!strcmp(path, "/"))
		return 0;
	err = dcs_stat(task, path, DCS_NOFOLLOW, &st);
	if (err)
		return err == -ENOENT && !f && may_note(in, path) ? note(in, path, like) : -ENOENT;
	if (!((st.mode ^ like->mode) & S_IFMT)) {
		if (f && like->size > f->size) {
			f->size = like->size;
			dcs_setsize(task, path, f->size, 0, 0);
		}
		return 0;
	}
	/* A link that leads to what was seen is well; what it leads to may be missing. */
	if (S_ISLNK(st.mode)) {
		err = dcs_stat(task, path, 0, &st);
		return !err && (st.mode ^ like->mode) & S_IFMT ? -EEXIST : err;
	}
	if (!f || unmake(task, f))
		return -EEXIST;
	return note(in, path, like);
}

/* And so were the directories above it. */
static int imply(struct inference *in, char *path, const struct implied *like)
{
	static const struct implied dir = {.mode = S_IFDIR | 0755};
	int err = 0;

	for (char *slash = strchr(path + 1, '/'); slash && !err; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		err = was_there(in, path, &dir);
		*slash = '/';
	}
	return err ? err : was_there(in, path, like);
}

static bool ends_as_dir(const char *path)
{
	size_t n = strlen(path);

	return n && (path[n - 1] == '/' ||
		     (path[n - 1] == '.' && (n == 1 || path[n - 2] == '/' || path[n - 2] == '.')));
}

/* What the call says of its path, where the cache did not give what the log has. */
static struct implied evidence(const struct strace_event *e)
{
	struct implied like = {.mode = S_IFREG | 0755};

	if ((e->call == CALL_STAT || e->call == CALL_FSTAT) && e->st_mode) {
		like.mode = e->st_mode;
		like.size = e->st_size;
		if (!S_ISDIR(like.mode) && !S_ISLNK(like.mode))
			like.mode = S_IFREG | (like.mode & 07777);
	} else if (e->call == CALL_CHDIR || e->call == CALL_FCHDIR || e->call == CALL_MKDIR ||
		   e->call == CALL_RMDIR || e->call == CALL_GETDENTS || e->flags & O_DIRECTORY ||
		   (e->path && ends_as_dir(e->path))) {
		like.mode = S_IFDIR | 0755;
	} else if (e->call == CALL_READLINK && e->result >= 0) {
		like.mode = S_IFLNK | 0777;
		like.target = e->path2;
	}
	return like;
}

static bool makes_its_path(const struct strace_event *e)
{
	return (e->call == CALL_MKDIR && e->result != -EEXIST) || e->call == CALL_SYMLINK ||
	       (e->call == CALL_OPEN && e->flags & O_CREAT);
}

/* Makes what was there, as far as @e tells, that the cache lacks. */
static int learn(struct inference *in, const struct strace_event *e)
{
	bool of_slot = e->call == CALL_FSTAT || e->call == CALL_GETDENTS || e->call == CALL_FCHDIR;
	struct implied like = evidence(e);
	char *path = replay_path(&in->replay, e, e->dirfd, of_slot ? NULL : e->path), *parent;
	int err;

	if (!path)
		return -EBADF;
	if (makes_its_path(e)) {
		parent = path_join(path, "..");
		free(path);
		path = parent;
		like = (struct implied){.mode = S_IFDIR | 0755};
	}
	if (S_ISLNK(like.mode) && !like.target)
		err = -EINVAL; /* where it leads is not known */
	else
		err = path ? imply(in, path, &like) : -ENOMEM;
	free(path);
	return err;
}

/* A link that leads nowhere yet: what it leads to was there too. */
static int learn_beyond(struct inference *in, const struct strace_event *e)
{
	char *path = replay_path(&in->replay, e, e->dirfd, e->path), body[DCS_PATH_MAX], *next,
	     *dir;
	struct implied like = evidence(e);
	int err = -ENOENT;

	for (int links = 0; path && links < DCS_MAXLINKS; links++) {
		ssize_t n = dcs_readlink(in->replay.mother, path, body, sizeof(body) - 1);

		if (n < 0)
			break;
		body[n] = '\0';
		dir = path_join(path, "..");
		next = dir ? path_join(dir, body) : NULL;
		free(dir);
		free(path);
		path = next;
		err = path ? imply(in, path, &like) : -ENOMEM;
	}
	free(path);
	return err;
}

static bool differs(const struct inference *in, const struct strace_event *e, int got)
{
	uint32_t mode = in->replay.seen_mode;

	if (got == REPLAY_SKIPPED)
		return false;
	return got != replay_wanted(e) ||
	       (!got && e->st_mode && mode &&
		(S_ISDIR(e->st_mode) != S_ISDIR(mode) || S_ISLNK(e->st_mode) != S_ISLNK(mode)));
}

static bool says_there(const struct strace_event *e)
{
	return e->result >= 0 || e->result == -EEXIST || e->result == -EINVAL;
}

static void infer(struct inference *in, const struct strace_event *e)
{
	/* A directory that is to be there already must not be made by the call. */
	if (e->call == CALL_MKDIR && e->result == -EEXIST)
		learn(in, e);
	for (int tries = 0; tries < 3; tries++) {
		int got = replay_event(&in->replay, e);

		if (e->call == CALL_EXIT || e->call == CALL_FORK || !differs(in, e, got) ||
		    !says_there(e))
			return;
		if (learn(in, e) && (e->call == CALL_FSTAT || !e->path || learn_beyond(in, e)))
			return;
	}
}

static struct implied_tree *collecting;

static void collect(const void *node, VISIT which, int depth)
{
	struct implied_tree *tree = collecting;
	struct implied *f = *(struct implied *const *)node;

	(void)depth;
	if (which != postorder && which != leaf)
		return;
	if (tree->file)
		tree->file[tree->n] = *f;
	tree->n++;
	tree->dirs += S_ISDIR(f->mode) != 0;
	tree->links += S_ISLNK(f->mode) != 0;
	tree->files += S_ISREG(f->mode) != 0;
}

/* By path, so that a directory comes before what it holds. The strings are the tree's now. */
static int collect_all(struct inference *in, struct implied_tree *tree)
{
	size_t n;

	*tree = (struct implied_tree){0};
	collecting = tree;
	twalk(in->noted, collect);
	n = tree->n;
	*tree = (struct implied_tree){.file = calloc(n + 1, sizeof(*tree->file))};
	if (!tree->file)
		return -ENOMEM;
	twalk(in->noted, collect);
	tdestroy(in->noted, free);
	return 0;
}

int implied_tree_of(const struct strace *trace, struct implied_tree *tree)
{
	struct dcs_config config = {0};
	struct inference in = {0};
	struct dcs_cache *cache;
	char *cwd;
	int err = dcs_cache_new(&config, &cache, NULL);

	if (err)
		return err;
	dcs_thread_register(cache);
	err = replay_begin(&in.replay, trace, cache, NULL);
	cwd = err ? NULL : path_join("/", in.replay.cwd);
	if (cwd)
		imply(&in, cwd, &(struct implied){.mode = S_IFDIR | 0755});
	free(cwd);
	for (size_t i = 0; i < trace->n && !err; i++)
		infer(&in, &trace->event[i]);
	replay_end(&in.replay);
	dcs_cache_free(cache);
	return err ? err : collect_all(&in, tree);
}

void implied_tree_free(struct implied_tree *tree)
{
	for (size_t i = 0; i < tree->n; i++) {
		free(tree->file[i].path);
		free(tree->file[i].target);
	}
	free(tree->file);
}

int implied_tree_load(const struct implied_tree *tree, struct dcs_task *task)
{
	int err = 0;

	for (size_t i = 0; i < tree->n && !err; i++)
		err = make(task, &tree->file[i]);
	return err;
}

static int read_one(const struct implied *f, struct dcs_task *task, void *disk)
{
	char buf[4096];
	struct dcs_stat st;
	ssize_t n;
	int fd;

	if (S_ISLNK(f->mode))
		return (int)dcs_readlink(task, f->path, buf, sizeof(buf));
	fd = dcs_open(task, f->path, O_RDONLY, 0);
	if (fd < 0)
		return fd;
	if (S_ISDIR(f->mode))
		while ((n = dcs_getdents(task, fd, buf, sizeof(buf))) > 0)
			;
	else
		n = dcs_pread(task, fd, buf, 1, 0);
	if (n >= 0 && disk && !dcs_fstat(task, fd, &st))
		dcs_disk_read(disk, st.ino, st.size);
	dcs_close(task, fd);
	return n < 0 ? (int)n : 0;
}

int implied_tree_read(const struct implied_tree *tree, struct dcs_task *task, void *disk)
{
	int err = 0;

	for (size_t i = 0; i < tree->n && err >= 0; i++)
		err = read_one(&tree->file[i], task, disk);
	return err < 0 ? err : 0;
}
