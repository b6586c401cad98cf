/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * file.h - opening what a path names, and reading directories
 *
 * An open file holds its dentry, so it outlives its name: an unlink then unhashes the
 * dentry and leaves it its inode until the last close.
 *
 * Reading a directory. Siblings are kept newest first, and d_sib_key falls along the
 * list. A reader holds the last child that it looked at, so that child stays on a list
 * even when its name is gone, and the reader goes on behind it in O(1). Only where a
 * rename took that child to another directory is its place sought again, by key. What
 * is new comes before every reader, and a rename within the directory moves nothing, so
 * a child that is there all the time is passed exactly once.
 */
#ifndef WALK_FILE_H
#define WALK_FILE_H

#include <fcntl.h>

#include "walk/change.h"
#include "walk/open-file.h"

/* How a walk starts that follows a link's body from the directory where the link lies. */
static int base_start(struct nameidata *nd, bool at_root)
{
	nd->root = NULL;
	mount_get(nd->task);
	if (at_root) {
		ref_place(&nd->at, fs_get(nd->task, &nd->task->fs->root));
	} else {
		dget(nd->base);
		ref_place(&nd->at, nd->base);
	}
	return 0;
}

static int base_lookup(struct nameidata *nd, const char *name, uint64_t hash_len)
{
	return (nd->flags & LOOKUP_REVAL ? reval_lookup : ref_lookup)(nd, name, hash_len);
}

static const struct walk base_walk = {
	.name = "ref-walk from a directory",
	.start = base_start,
	.jump_root = ref_jump_root,
	.lookup = base_lookup,
	.revalidate = ref_revalidate,
	.step = ref_step,
	.forget = ref_forget,
	.dotdot = ref_dotdot,
	.hold_link = ref_hold_link,
	.confirm = ref_confirm,
};

static uint32_t open_access(unsigned flags)
{
	static const uint32_t access[] = {MAY_READ, MAY_WRITE, MAY_READ | MAY_WRITE,
					  MAY_READ | MAY_WRITE};

	return access[flags & O_ACCMODE] | (flags & O_TRUNC ? MAY_WRITE : 0);
}

static int open_truncate(struct nameidata *nd, struct inode *inode)
{
	struct dcs_stat attr = {.size = 0};
	int err;

	clock_gettime(CLOCK_REALTIME_COARSE, &attr.mtime);
	inode_lock(inode);
	err = inode_set(nd, inode, &attr, DCS_SET_SIZE | DCS_SET_MTIME);
	inode_unlock(inode);
	return err;
}

/* May the dentry at the end of the walk, which is not new, be opened? */
static int open_allowed(struct nameidata *nd, unsigned flags)
{
	struct inode *inode = nd->at.inode;
	uint32_t mode = load_relaxed(&inode->i_mode);
	int err;

	if (flags & O_CREAT && nd->at.flags & D_DIR)
		return -EISDIR;
	if (flags & O_DIRECTORY && !(nd->at.flags & D_DIR))
		return -ENOTDIR;
	if (flags & O_PATH)
		return 0;
	if (nd->at.flags & D_LNK)
		return -ELOOP;
	if (nd->at.flags & D_DIR && open_access(flags) & MAY_WRITE)
		return -EISDIR;
	err = inode_permission(nd->task, inode, open_access(flags));
	if (err)
		return err;
	/* Nobody listens at a socket here, and no driver is behind a device. */
	if (S_ISSOCK(mode) || S_ISCHR(mode) || S_ISBLK(mode))
		return -ENXIO;
	return flags & O_TRUNC && nd->at.flags & D_REG ? open_truncate(nd, inode) : 0;
}

/* The last name in the locked directory: as it is, or made. The directory is left for it. */
static int open_last(struct nameidata *nd, unsigned flags, mode_t mode, bool *made)
{
	struct inode *dir = nd->at.inode, *inode;
	struct dentry *d;
	int err = lookup_last(nd, &d);

	*made = false;
	if (err)
		return err;
	if (d_inode(d)) {
		err = flags & O_EXCL ? -EEXIST : 0;
	} else {
		err = may_create(nd->task, dir);
		if (!err)
			err = new_inode(nd, d, S_IFREG | (mode & 07777), NULL, 0, &inode);
		if (!err) {
			d_instantiate(d, inode);
			inode_dir_changed(dir, 0);
			*made = true;
		}
	}
	if (err)
		dput(d);
	else
		ref_place(&nd->next, d);
	return err;
}

/* The walk has ended on the parent of the last name: look at that or make it, and stand on it. */
static int open_step(struct nameidata *nd, unsigned flags, mode_t mode, bool *made)
{
	struct inode *dir = nd->at.inode;
	int err;

	*made = false;
	if (nd->last_type != LAST_NORM)
		return flags & O_EXCL ? -EEXIST : -EISDIR;
	if (nd->last_slash)
		return -EISDIR;
	inode_lock(dir);
	err = open_last(nd, flags, mode, made);
	inode_unlock(dir);
	return err;
}

/* The last name is a link, in @at: walk its body, from the directory @base, to a parent. */
static int open_link(struct nameidata *nd, struct dentry *base, unsigned links)
{
	int err = -ELOOP;

	nd->base = base;
	if (links < DCS_MAXLINKS) {
		atime_touch(nd->task, nd->at.inode);
		err = locked_walk(nd, nd->at.inode->i_link, &base_walk);
	}
	if (err)
		nd->at.dentry = NULL; /* nothing is stood on */
	dput(base);
	return err;
}

/*
 * open() with O_CREAT: as a walk to the parent, again for each link that the last name is.
 * That link is held while the last name lies in its body.
 */
static int open_create(struct nameidata *nd, unsigned flags, mode_t mode)
{
	struct dentry *link = NULL, *base;
	unsigned links = 0;
	bool made;
	int err;

	for (;;) {
		err = open_step(nd, flags, mode, &made);
		dput(link);
		if (err)
			return err;
		base = nd->at.dentry;
		nd->at = nd->next;
		if (!(nd->at.flags & D_LNK) || flags & O_NOFOLLOW)
			break;
		link = nd->at.dentry;
		err = open_link(nd, base, links++);
		if (err) {
			dput(link);
			return err;
		}
	}
	dput(base);
	return made ? 0 : open_allowed(nd, flags);
}

/* A dentry, referenced, for an open file. */
static int op_open(struct dcs_task *task, const char *path, unsigned flags, mode_t mode,
		   struct dentry **out)
{
	struct pathname name;
	struct nameidata nd;
	int err;

	if (flags & O_PATH)
		flags &= O_PATH | O_DIRECTORY | O_NOFOLLOW;
	if ((flags & (O_CREAT | O_DIRECTORY)) == (O_CREAT | O_DIRECTORY))
		return -EINVAL;
	err = op_begin(&nd, task, &name, path,
		       flags & O_CREAT	    ? LOOKUP_PARENT
		       : flags & O_NOFOLLOW ? 0
					    : LOOKUP_FOLLOW);
	if (err)
		return err;
	err = flags & O_CREAT ? open_create(&nd, flags, mode) : open_allowed(&nd, flags);
	if (!err) {
		dget(nd.at.dentry);
		*out = nd.at.dentry;
	}
	return op_end(&nd, err);
}

static void op_fstat(struct dcs_task *task, struct dentry *d, struct dcs_stat *st)
{
	op_enter(task);
	inode_fill_stat(d_inode(d), st);
	op_exit(task);
}

/*
 * Of a regular file that is open for writing, under its lock: the data first, as far as there
 * is room for it, then what that makes of the inode. Who writes and may not do everything
 * ends set-id bits.
 */
static ssize_t write_locked(struct nameidata *nd, struct inode *inode, const void *buf, size_t n,
			    uint64_t at)
{
	struct dcs_stat attr = {.mode = inode->i_mode, .size = inode->i_size};
	unsigned what = DCS_SET_MTIME;
	ssize_t written = nd->cache->disk ? data_write(inode, buf, n, at) : (ssize_t)n;
	int err;

	if (written <= 0)
		return written;
	if (at + (size_t)written > attr.size) {
		attr.size = at + (size_t)written;
		what |= DCS_SET_SIZE;
	}
	if (nd->task->uid && mode_after_chown(nd->task, inode) != attr.mode) {
		attr.mode = mode_after_chown(nd->task, inode);
		what |= DCS_SET_MODE;
	}
	dcs_clock_read(nd->cache->clock, &attr.mtime);
	err = inode_set(nd, inode, &attr, what);
	return err ? err : written;
}

static ssize_t op_pwrite(struct dcs_task *task, struct dentry *d, const void *buf, size_t n,
			 uint64_t at)
{
	struct nameidata nd; /* what there is no walk for stays unset */
	struct inode *inode = d_inode(d);
	ssize_t written = -ESPIPE;

	nd.task = task;
	nd.cache = task->cache;
	op_enter(task);
	if (S_ISREG(load_relaxed(&inode->i_mode))) {
		inode_lock(inode);
		written = write_locked(&nd, inode, buf, n, at);
		inode_unlock(inode);
	}
	op_exit(task);
	return written;
}

/* Under the file's lock where there can be data. */
static ssize_t op_pread(struct dcs_task *task, struct dentry *d, void *buf, size_t n, uint64_t at)
{
	struct inode *inode = d_inode(d);
	uint32_t mode = load_relaxed(&inode->i_mode);
	ssize_t got = S_ISDIR(mode) ? -EISDIR : -ESPIPE;
	bool locked = task->cache->disk;

	op_enter(task);
	if (S_ISREG(mode)) {
		if (locked)
			inode_lock(inode);
		got = (ssize_t)data_read(inode, buf, n, at);
		if (locked)
			inode_unlock(inode);
		count_add(&task->counters.reads, 1);
		atime_touch(task, inode);
	}
	op_exit(task);
	return got;
}

/* ---- directories */

struct listing {
	char *buf;
	size_t size, used;
	uint64_t next; /* the store's cookie behind what was taken */
};

/* Returns nonzero when there is no room for more. */
static int list_entry(void *context, const char *name, size_t len, uint64_t ino, uint32_t mode,
		      uint64_t next)
{
	struct listing *l = context;
	size_t head = offsetof(struct dcs_dirent, name);
	size_t size = (head + len + 1 + 7) & ~(size_t)7;
	struct dcs_dirent entry = {.ino = ino, .mode = mode & S_IFMT, .size = (uint16_t)size};

	if (len > DCS_NAME_MAX || size > l->size - l->used)
		return 1;
	memcpy(l->buf + l->used, &entry, head);
	memcpy(l->buf + l->used + head, name, len);
	memset(l->buf + l->used + head + len, 0, size - head - len);
	l->used += size;
	l->next = next;
	return 0;
}

/* Under the directory's d_lock: the first child that the reader has not passed. */
static struct dentry *list_resume(struct dentry *dir, const struct file *f)
{
	struct dentry *d = f->cursor;

	if (!f->key)
		return d_children(dir);
	if (d && LINKED(struct dentry, load_relaxed(&d->d_parent)) == dir && d->d_sib_key == f->key)
		return d_sib_next(d);
	for_each_child (d, dir)
		if (d->d_sib_key < f->key)
			break;
	return d;
}

#define LIST_BATCH 64 /* children looked at under one d_lock */

/* Returns whether there may be more and room for it. Names stay as they are under d_lock of @dir.
 */
static bool list_batch(struct dentry *dir, struct file *f, struct listing *l)
{
	struct dentry *d, *passed = NULL, *old = NULL;
	bool full = false;

	d_lock(dir);
	d = list_resume(dir, f);
	for (int i = 0; d && i < LIST_BATCH && !full; i++) {
		d_lock(d);
		if (d_inode(d) && !d_unhashed(d))
			full = list_entry(l, d_bytes(d), d_len(d), d_inode(d)->i_ino,
					  load_relaxed(&d_inode(d)->i_mode), 0);
		d_unlock(d);
		if (!full) {
			passed = d;
			d = d_sib_next(d);
		}
	}
	if (passed) {
		old = f->cursor;
		f->key = passed->d_sib_key;
		/* One that is being killed cannot be held: then its key alone says the place. */
		f->cursor = lockref_get_not_dead(&passed->d_lockref) ? passed : NULL;
	}
	d_unlock(dir);
	dput(old);
	return d && !full;
}

static int list_store(struct dcs_task *task, struct inode *dir, struct file *f, struct listing *l)
{
	int err;

	l->next = f->cookie;
	err = ask(task, readdir, dir->i_ino, f->cookie, list_entry, l);
	f->cookie = l->next;
	return err;
}

/* `.` and `..`, the parent as it is, even above the task's root. */
static bool list_dots(struct dentry *dir, struct file *f, struct listing *l)
{
	struct dentry *parent;
	bool full = false;

	if (f->dots == 0) {
		full = list_entry(l, ".", 1, d_inode(dir)->i_ino, S_IFDIR, 0);
		f->dots += !full;
	}
	if (f->dots == 1) {
		parent = dget_parent(dir);
		full = list_entry(l, "..", 2, d_inode(parent)->i_ino, S_IFDIR, 0);
		dput(parent);
		f->dots += !full;
	}
	return !full;
}

static ssize_t op_getdents(struct dcs_task *task, struct file *f, void *buf, size_t size)
{
	struct listing l = {.buf = buf, .size = size};
	struct inode *dir = d_inode(f->dentry);
	int err = 0;

	op_enter(task);
	sleep_lock(&f->lock, task->cache->rcu);
	if (load_relaxed(&dir->i_flags) & S_DEAD) {
		err = -ENOENT;
	} else if (list_dots(f->dentry, f, &l)) {
		if (task->cache->store) {
			inode_lock(dir);
			err = list_store(task, dir, f, &l);
			inode_unlock(dir);
		} else {
			while (list_batch(f->dentry, f, &l))
				;
		}
	}
	sleep_unlock(&f->lock);
	if (!err) {
		count_add(&task->counters.reads, 1);
		atime_touch(task, dir);
	}
	op_exit(task);
	if (l.used)
		return (ssize_t)l.used;
	/* No room for one: it is the caller's fault, unless there is none left. */
	return err ? err : (ssize_t)0;
}

static void op_rewind(struct dcs_task *task, struct file *f)
{
	op_enter(task);
	sleep_lock(&f->lock, task->cache->rcu);
	dput(f->cursor);
	f->cursor = NULL;
	f->dots = 0;
	f->cookie = f->key = 0;
	sleep_unlock(&f->lock);
	op_exit(task);
}

#endif
