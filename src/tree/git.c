/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * git:REPO - the index of a git repository: what git's lstats are about
 *
 * REPO is a work tree, a .git directory or a bare repository that has an index.
 * Sizes and times are those of the index. A path in conflict is there once; of one that
 * is a file on one side and a directory on the other, the directory is taken. A submodule
 * is an empty directory.
 */
#include <errno.h>
#include <fcntl.h>
#include <git2.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tree/kind.h"

struct import {
	struct tree_build *b;
	git_repository *repo;
	git_index *index;
};

static int fail_git(struct tree_build *b, int ret, const char *what)
{
	const git_error *error = git_error_last();
	char message[TREE_QUOTED];

	if (error && error->klass == GIT_ERROR_NOMEMORY)
		return -ENOMEM;
	if (!error)
		return tree_fail(b, -EINVAL, 0, "%s: libgit2 error %d", what, ret);
	return tree_fail(b, -EINVAL, 0, "%s: %s", what,
			 tree_quote(message, error->message, strlen(error->message)));
}

/* The target of a link, from its blob: its length, or 0 where it cannot be had. */
static size_t target_of_blob(const struct import *in, const git_oid *id, char *to)
{
	git_blob *blob;
	size_t len;

	if (git_blob_lookup(&blob, in->repo, id))
		return 0;
	len = git_blob_rawsize(blob) < DCS_PATH_MAX ? (size_t)git_blob_rawsize(blob) : 0;
	memcpy(to, git_blob_rawcontent(blob), len);
	git_blob_free(blob);
	return memchr(to, '\0', len) ? 0 : len;
}

static size_t target_of_work_tree(const struct import *in, const char *path, char *to)
{
	const char *top = git_repository_workdir(in->repo);
	int fd = top ? open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	ssize_t len;

	if (fd < 0)
		return 0;
	len = readlinkat(fd, path, to, DCS_PATH_MAX - 1);
	close(fd);
	return len > 0 ? (size_t)len : 0;
}

static int add_target(struct import *in, const git_index_entry *e, struct tree_item *item)
{
	char name[TREE_QUOTED], *to = tree_room(in->b, DCS_PATH_MAX);

	if (!to)
		return -ENOMEM;
	item->size = target_of_blob(in, &e->id, to);
	if (!item->size)
		item->size = target_of_work_tree(in, e->path, to);
	if (!item->size)
		return tree_fail(in->b, -EINVAL, 0,
				 "the target of the link %s can be read neither from its blob nor "
				 "from the work tree: right is a repository with one of them",
				 tree_quote(name, e->path, strlen(e->path)));
	item->target = in->b->used;
	in->b->used += item->size;
	return 0;
}

/* In a conflict, another stage may have a directory of this name. */
static int is_directory_too(const struct import *in, const git_index_entry *e, size_t len)
{
	char prefix[DCS_PATH_MAX + 1];

	memcpy(prefix, e->path, len);
	strcpy(prefix + len, "/");
	return !git_index_find_prefix(NULL, in->index, prefix);
}

static int add_entry(struct import *in, const git_index_entry *e)
{
	size_t len = strlen(e->path);
	struct tree_item item = {.size = e->file_size, .mtime = e->mtime.seconds};
	const char *bad;
	char *to, name[TREE_QUOTED];
	int err = 0;

	if (len > 1 && e->path[len - 1] == '/')
		len--;
	bad = tree_bad_path(e->path, len);
	if (bad)
		return tree_fail(in->b, -EINVAL, 0, "%s: %s", tree_quote(name, e->path, len), bad);
	if (git_index_entry_stage(e) && is_directory_too(in, e, len))
		return 0;
	if ((e->mode & S_IFMT) == S_IFLNK) {
		item.mode = S_IFLNK | 0777;
		err = add_target(in, e, &item);
	} else if (S_ISREG(e->mode)) {
		item.mode = S_IFREG | (e->mode & 0100 ? 0755 : 0644);
	} else {
		item.mode = S_IFDIR | 0755;
		item.size = 0;
	}
	to = err ? NULL : tree_room(in->b, len);
	if (!to)
		return err ? err : -ENOMEM;
	memcpy(to, e->path, len);
	item.path = in->b->used;
	item.len = (uint32_t)len;
	in->b->used += len;
	return tree_add(in->b, &item);
}

/* The stages of a path stand together. */
static int add_entries(struct import *in)
{
	const char *last = NULL;
	int err = 0;

	for (size_t i = 0; i < git_index_entrycount(in->index) && !err; i++) {
		const git_index_entry *e = git_index_get_byindex(in->index, i);

		if (!last || strcmp(last, e->path))
			err = add_entry(in, e);
		last = e->path;
	}
	return err;
}

static int open_index(struct import *in, const char *path)
{
	struct tree_build *b = in->b;
	int ret = git_repository_open_ext(&in->repo, path, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);

	if (ret == GIT_ENOTFOUND)
		return tree_fail(b, -EINVAL, 0,
				 "no git repository: right is the top of a work tree, a .git "
				 "directory or a bare repository");
	if (ret)
		return fail_git(b, ret, "cannot open the repository");
	ret = git_repository_index(&in->index, in->repo);
	if (ret)
		return fail_git(b, ret, "cannot read the index");
	if (access(git_index_path(in->index), F_OK))
		return tree_fail(b, -EINVAL, 0,
				 "the repository has no index: make one by `git add`, or by `git "
				 "read-tree HEAD` in a bare one");
	if (!git_index_entrycount(in->index))
		return tree_fail(b, -EINVAL, 0,
				 "the index is empty: right is one with at least one entry");
	return 0;
}

int git_open(struct tree_build *b, const char *path)
{
	struct import in = {.b = b};
	int err;

	if (access(path, F_OK))
		return tree_fail(b, -errno, 0, "%s", strerror(errno));
	if (git_libgit2_init() < 0)
		return -ENOMEM;
#ifdef GIT_VALIDATES_OWNER /* older ones never ask */
	/* Whose it is does not matter: reading an index runs nothing. */
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
#endif
	err = open_index(&in, path);
	if (!err)
		err = add_entries(&in);
	git_index_free(in.index);
	git_repository_free(in.repo);
	git_libgit2_shutdown();
	return err;
}
