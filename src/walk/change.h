/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * change.h - operations that change the tree: make, link, remove, rename
 *
 * Each finds the directory (LOOKUP_PARENT), takes its lock, and looks the last
 * name up again under it: from there on no other thread changes the directory's
 * names. The order of errors is Linux's.
 */
#ifndef WALK_CHANGE_H
#define WALK_CHANGE_H

#include "walk/lookup.h"
#include "walk/ops.h"

static int may_create(const struct dcs_task *task, const struct inode *dir)
{
	if (dir->i_flags & S_DEAD)
		return -ENOENT;
	return inode_permission(task, dir, MAY_WRITE | MAY_EXEC);
}

static int may_delete(const struct dcs_task *task, const struct inode *dir, const struct dentry *d,
		      bool want_dir)
{
	const struct inode *victim = d_inode(d);

	if (!victim)
		return -ENOENT;
	if (inode_permission(task, dir, MAY_WRITE | MAY_EXEC))
		return -EACCES;
	if (load_relaxed(&dir->i_mode) & S_ISVTX && !task_owns(task, victim) &&
	    !task_owns(task, dir))
		return -EPERM;
	if (want_dir && !inode_is_dir(victim))
		return -ENOTDIR;
	if (!want_dir && inode_is_dir(victim))
		return -EISDIR;
	return dir->i_flags & S_DEAD ? -ENOENT : 0;
}

/* Owner, group and mode of a new file in @dir. */
static struct dcs_stat new_attr(struct dcs_task *task, const struct inode *dir, uint32_t mode)
{
	uint32_t gid = task->gid, dir_mode = load_relaxed(&dir->i_mode);

	if (dir_mode & S_ISGID) {
		gid = load_relaxed(&dir->i_gid);
		if (S_ISDIR(mode))
			mode |= S_ISGID;
		else if ((mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && task->uid &&
			 !task_in_group(task, gid))
			mode &= ~(uint32_t)S_ISGID;
	}
	/* Last: whether S_ISGID goes depends on the group's x bit as it was asked for. */
	if (!S_ISLNK(mode))
		mode &= ~(load_relaxed(&task->fs->umask) & 0777);
	return (struct dcs_stat){.mode = mode, .uid = task->uid, .gid = gid};
}

/* The inode of a new file, which the store has made as @attr says: if it did so. */
static int inode_made(struct nameidata *nd, struct dentry *d, uint32_t mode, const char *target,
		      struct dcs_stat *attr, struct inode **out)
{
	int err;

	if ((attr->mode ^ mode) & S_IFMT)
		attr->mode = 0; /* nonsense */
	err = iget_answer(nd->task, attr, target, out);
	if (err)
		d_unhash(d); /* it is there, and is to be looked up */
	return err;
}

/* The inode of a new file called @d, in the store first. The directory has changed then. */
static int new_inode(struct nameidata *nd, struct dentry *d, uint32_t mode, const char *target,
		     uint64_t rdev, struct inode **out)
{
	struct inode *dir = nd->at.inode;
	struct dcs_stat attr = new_attr(nd->task, dir, mode);
	int err;

	attr.rdev = rdev;
	if (nd->cache->store) {
		err = ask(nd->task, create, dir->i_ino, d_bytes(d), d_len(d), target, &attr);
		if (err)
			return not_so(d, err);
		err = inode_made(nd, d, mode, target, &attr, out);
	} else {
		*out = inode_alloc(nd->cache, attr.mode, attr.uid, attr.gid, target);
		if (!*out)
			return -ENOMEM;
		(*out)->i_nlink = S_ISDIR(mode) ? 2 : 1;
		(*out)->i_rdev = rdev;
		err = 0;
	}
	inode_dir_changed(dir, S_ISDIR(mode) ? 1 : 0);
	return err;
}

/* mkdir, create, mknod, symlink (with @target), by the type in @mode. */
static int make_locked(struct nameidata *nd, uint32_t mode, const char *target, uint64_t rdev)
{
	struct inode *dir = nd->at.inode, *inode = NULL;
	struct dentry *d;
	int err = lookup_last(nd, &d);

	if (err)
		return err;
	if (d_inode(d))
		err = -EEXIST;
	else if (nd->last_slash && !S_ISDIR(mode))
		err = -ENOENT;
	else
		err = may_create(nd->task, dir);
	/* Linux asks for the right after the directory's: -EACCES comes first. */
	if (!err && (S_ISCHR(mode) || S_ISBLK(mode)) && nd->task->uid)
		err = -EPERM;
	if (!err)
		err = new_inode(nd, d, mode, target, rdev, &inode);
	if (!err)
		d_instantiate(d, inode);
	dput(d);
	return err;
}

static int op_make(struct dcs_task *task, const char *path, uint32_t mode, const char *target,
		   uint64_t rdev)
{
	struct pathname name;
	struct nameidata nd;
	int err;

	if (target && !*target)
		return -ENOENT;
	if (target && strnlen(target, DCS_PATH_MAX) == DCS_PATH_MAX)
		return -ENAMETOOLONG;
	err = op_begin(&nd, task, &name, path, LOOKUP_PARENT);
	if (err)
		return err;
	if (nd.last_type != LAST_NORM)
		return op_end(&nd, -EEXIST);
	if (S_ISREG(mode) && nd.last_slash)
		return op_end(&nd, -EISDIR);
	inode_lock(nd.at.inode);
	err = make_locked(&nd, mode, target, rdev);
	inode_unlock(nd.at.inode);
	return op_end(&nd, err);
}

static int link_locked(struct nameidata *nd, struct inode *inode)
{
	struct inode *dir = nd->at.inode;
	struct dentry *d;
	int err = lookup_last(nd, &d);

	if (err)
		return err;
	if (d_inode(d))
		err = -EEXIST;
	else if (nd->last_slash)
		err = -ENOENT;
	else
		err = may_create(nd->task, dir);
	if (!err && inode_is_dir(inode))
		err = -EPERM;
	if (!err)
		err = not_so(d,
			     tell(nd->task, link, inode->i_ino, dir->i_ino, d_bytes(d), d_len(d)));
	if (!err) {
		inode_write_atime(inode);
		spin_lock(&inode->i_lock);
		/* A store knows best whether there is a name left. */
		if (inode->i_nlink || nd->cache->store)
			store_relaxed(&inode->i_nlink, inode->i_nlink + 1);
		else
			err = -ENOENT;
		store_relaxed(&inode->i_ctime, inode_now(nd->cache));
		spin_unlock(&inode->i_lock);
	}
	if (!err) {
		iget(inode);
		d_instantiate(d, inode);
		inode_dir_changed(dir, 0);
	}
	dput(d);
	return err;
}

static int op_link(struct dcs_task *task, const char *oldpath, const char *newpath, unsigned flags)
{
	struct pathname old_name, new_name;
	struct nameidata old, nd;
	int err = op_begin(&old, task, &old_name, oldpath, flags & DCS_FOLLOW ? LOOKUP_FOLLOW : 0);

	if (err)
		return err;
	err = op_lookup(&nd, task, &new_name, newpath, LOOKUP_PARENT);
	if (!err) {
		if (nd.last_type != LAST_NORM) {
			err = -EEXIST;
		} else {
			inode_lock(nd.at.inode);
			err = link_locked(&nd, old.at.inode);
			inode_unlock(nd.at.inode);
		}
		dput(nd.at.dentry);
	}
	return op_end(&old, err);
}

/*
 * Around what takes the last name of a directory (its parent is locked): between the two
 * it is empty and locked. The store, if there is one, says whether it is empty.
 */
static int dir_close(struct dentry *d)
{
	inode_lock(d_inode(d));
	return d_cache(d)->store || d_empty(d) ? 0 : -ENOTEMPTY;
}

static int dir_closed(struct dentry *d, int err)
{
	struct inode *inode = d_inode(d);

	if (!err)
		store_relaxed(&inode->i_flags, inode->i_flags | S_DEAD);
	inode_unlock(inode);
	if (!err)
		d_prune_children(d);
	return err;
}

/* The name @d in @dir is gone or taken by another: what that does to link counts. */
static void lost_name(struct inode *inode)
{
	inode_add_links(inode, inode_is_dir(inode) ? -2 : -1);
}

static int remove_name(struct nameidata *nd, struct dentry *d, bool is_dir)
{
	int err = is_dir ? dir_close(d) : 0;

	if (!err)
		err = tell(nd->task, remove, nd->at.inode->i_ino, d_bytes(d), d_len(d),
			   d_inode(d)->i_ino);
	if (err && nd->cache->store)
		not_so(d, err);
	return is_dir ? dir_closed(d, err) : err;
}

static int remove_locked(struct nameidata *nd, bool want_dir)
{
	struct inode *dir = nd->at.inode;
	struct dentry *d;
	int err = lookup_last(nd, &d);

	if (err)
		return err;
	if (!d_inode(d))
		err = -ENOENT;
	else if (nd->last_slash && !want_dir)
		err = inode_is_dir(d_inode(d)) ? -EISDIR : -ENOTDIR;
	else
		err = may_delete(nd->task, dir, d, want_dir);
	if (!err)
		err = remove_name(nd, d, want_dir);
	if (!err) {
		lost_name(d_inode(d));
		inode_dir_changed(dir, want_dir ? -1 : 0);
		d_delete(d);
	}
	dput(d);
	return err;
}

static int op_remove(struct dcs_task *task, const char *path, bool want_dir)
{
	static const int wrong_last[] = {
		[LAST_ROOT] = -EBUSY,
		[LAST_DOT] = -EINVAL,
		[LAST_DOTDOT] = -ENOTEMPTY,
	};
	struct pathname name;
	struct nameidata nd;
	int err = op_begin(&nd, task, &name, path, LOOKUP_PARENT);

	if (err)
		return err;
	if (nd.last_type != LAST_NORM)
		return op_end(&nd, want_dir ? wrong_last[nd.last_type] : -EISDIR);
	inode_lock(nd.at.inode);
	err = remove_locked(&nd, want_dir);
	inode_unlock(nd.at.inode);
	return op_end(&nd, err);
}

/*
 * Lock two directories, ancestors first; @trap is the child of one that is, or is
 * above, the other, or NULL. Two at once are locked under rename_mutex, which
 * keeps every directory where it is.
 */
static void lock_rename(struct dcs_cache *cache, struct dentry *a, struct dentry *b,
			struct dentry **trap)
{
	*trap = NULL;
	if (a == b) {
		inode_lock(d_inode(a));
		return;
	}
	sleep_lock(&cache->rename_mutex, cache->rcu);
	*trap = d_ancestor(b, a);
	if (*trap) {
		inode_lock(d_inode(b));
		inode_lock(d_inode(a));
		return;
	}
	*trap = d_ancestor(a, b);
	inode_lock(d_inode(a));
	inode_lock(d_inode(b));
}

static void unlock_rename(struct dcs_cache *cache, struct dentry *a, struct dentry *b)
{
	inode_unlock(d_inode(a));
	if (a == b)
		return;
	inode_unlock(d_inode(b));
	sleep_unlock(&cache->rename_mutex);
}

/* What speaks against the rename of @d, which is there, to the name of @target. */
static int rename_allowed(const struct nameidata *from, const struct nameidata *to,
			  const struct dentry *d, const struct dentry *target,
			  const struct dentry *trap, unsigned flags)
{
	bool is_dir, exchange = flags & DCS_RENAME_EXCHANGE;
	int err;

	if (flags & DCS_RENAME_NOREPLACE && d_inode(target))
		return -EEXIST;
	if (exchange && !d_inode(target))
		return -ENOENT;
	is_dir = inode_is_dir(d_inode(d));
	if (exchange && !inode_is_dir(d_inode(target)) && to->last_slash)
		return -ENOTDIR;
	if (!is_dir && (from->last_slash || (!exchange && to->last_slash)))
		return -ENOTDIR;
	if (d == trap)
		return -EINVAL;
	if (target == trap)
		return exchange ? -EINVAL : -ENOTEMPTY;
	if (d_inode(d) == d_inode(target))
		return 0;
	err = may_delete(from->task, from->at.inode, d, is_dir);
	if (err)
		return err;
	if (!d_inode(target))
		err = may_create(to->task, to->at.inode);
	else
		err = may_delete(to->task, to->at.inode, target,
				 exchange ? inode_is_dir(d_inode(target)) : is_dir);
	if (err || from->at.dentry == to->at.dentry)
		return err;
	/* Its `..` changes. */
	if (is_dir)
		err = inode_permission(from->task, d_inode(d), MAY_WRITE);
	if (!err && exchange && inode_is_dir(d_inode(target)))
		err = inode_permission(from->task, d_inode(target), MAY_WRITE);
	return err;
}

static void rename_counts(struct inode *from, struct inode *to, struct inode *moved,
			  struct inode *other, bool exchange)
{
	int out = inode_is_dir(moved), in = out;

	if (other && inode_is_dir(other)) {
		in--;
		if (exchange)
			out--;
	}
	if (from == to) {
		inode_dir_changed(from, in - out);
	} else {
		inode_dir_changed(from, -out);
		inode_dir_changed(to, in);
	}
	inode_add_links(moved, 0);
	if (exchange)
		inode_add_links(other, 0);
	else if (other)
		lost_name(other);
}

/* @d takes the name of @target, or they swap. */
static int rename_names(struct nameidata *from, struct nameidata *to, struct dentry *d,
			struct dentry *target, unsigned flags)
{
	bool exchange = flags & DCS_RENAME_EXCHANGE;
	struct inode *other = d_inode(target);
	bool ends_dir = other && !exchange && inode_is_dir(other);
	int err = ends_dir ? dir_close(target) : 0;

	if (!err)
		err = tell(from->task, rename, from->at.inode->i_ino, d_bytes(d), d_len(d),
			   to->at.inode->i_ino, d_bytes(target), d_len(target), flags);
	if (err && from->cache->store) {
		not_so(d, err);
		not_so(target, err);
	}
	if (ends_dir)
		dir_closed(target, err);
	if (err)
		return err;
	rename_counts(from->at.inode, to->at.inode, d_inode(d), other, exchange);
	d_move(from->cache, d, target, exchange);
	if (other && !exchange && cache_pins(from->cache))
		dput(target); /* the tree's reference */
	return 0;
}

static int rename_locked(struct nameidata *from, struct nameidata *to, struct dentry *trap,
			 unsigned flags)
{
	struct dentry *d, *target;
	int err = lookup_last(from, &d);

	if (err)
		return err;
	err = d_inode(d) ? lookup_last(to, &target) : -ENOENT;
	if (!err) {
		err = rename_allowed(from, to, d, target, trap, flags);
		if (!err && d_inode(d) != d_inode(target))
			err = rename_names(from, to, d, target, flags);
		dput(target);
	}
	dput(d);
	return err;
}

static int op_rename(struct dcs_task *task, const char *oldpath, const char *newpath,
		     unsigned flags)
{
	struct pathname old_name, new_name;
	struct nameidata from, to;
	struct dentry *trap;
	int err;

	if (flags & ~(DCS_RENAME_NOREPLACE | DCS_RENAME_EXCHANGE) ||
	    flags == (DCS_RENAME_NOREPLACE | DCS_RENAME_EXCHANGE))
		return -EINVAL;
	err = op_begin(&from, task, &old_name, oldpath, LOOKUP_PARENT);
	if (err)
		return err;
	err = op_lookup(&to, task, &new_name, newpath, LOOKUP_PARENT);
	if (!err) {
		if (from.last_type != LAST_NORM) {
			err = -EBUSY;
		} else if (to.last_type != LAST_NORM) {
			err = flags & DCS_RENAME_NOREPLACE ? -EEXIST : -EBUSY;
		} else {
			lock_rename(task->cache, from.at.dentry, to.at.dentry, &trap);
			err = rename_locked(&from, &to, trap, flags);
			unlock_rename(task->cache, from.at.dentry, to.at.dentry);
		}
		dput(to.at.dentry);
	}
	return op_end(&from, err);
}

#endif
