/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lookup.h - names that are not cached, or may be stale: asking the store
 *
 * A name that is not cached is looked up under its directory's lock: whoever waited
 * for the lock finds what the first one brought, so that many who miss one name ask
 * once. Without a store, nobody else could know the name, so it is missing.
 */
#ifndef WALK_LOOKUP_H
#define WALK_LOOKUP_H

#include "dcache/shrink.h"
#include "walk/nameidata.h"

/*
 * A directory has one dentry. One that the store now shows in @dir under another name was
 * moved behind the cache's back: the old name goes, unless it is in use (-ESTALE) or the
 * new place is below it (-ELOOP).
 */
static int dir_leave_old_name(const struct dentry *dir, struct inode *inode)
{
	struct dentry *old = load_dependent(&inode->i_dentry);
	bool loop;

	if (likely(!old) || !lockref_get_not_dead(&old->d_lockref))
		return 0;
	loop = old == dir || d_ancestor(old, (struct dentry *)dir);
	if (!loop)
		d_invalidate(old);
	dput(old);
	if (loop)
		return -ELOOP;
	return load_dependent(&inode->i_dentry) == old ? -ESTALE : 0;
}

/* What the store says of a name: an inode, referenced; NULL if there is no such name. */
static int ask_lookup(struct nameidata *nd, const char *name, uint32_t len, struct inode **inode)
{
	struct dcs_stat attr = {0};
	int err;

	*inode = NULL;
	if (!nd->cache->store)
		return 0;
	err = ask(nd->task, lookup, nd->at.inode->i_ino, name, len, &attr);
	if (err)
		return err == -ENOENT ? 0 : err;
	err = iget_answer(nd->task, &attr, NULL, inode);
	if (err)
		return err;
	if (inode_is_dir(*inode))
		err = dir_leave_old_name(nd->at.dentry, *inode);
	if (err)
		iput(*inode);
	return err;
}

/*
 * d_alloc() for one who may sleep: where the arena is full of what waits for a grace
 * period, that is waited for.
 */
static struct dentry *d_alloc_waiting(struct nameidata *nd, const char *name, uint64_t hash_len)
{
	struct dcs_cache *cache = nd->cache;
	struct dentry *d = d_alloc(cache, nd->at.dentry, name, hash_len);

	if (likely(d))
		return d;
	cache_make_room(cache);
	if (slab_live(&cache->dentries) <= load_relaxed(&cache->live))
		return NULL;
	rcu_sleep_begin(cache->rcu);
	rcu_wait(cache->rcu);
	rcu_sleep_end(cache->rcu);
	return d_alloc(cache, nd->at.dentry, name, hash_len);
}

/* The dentry of a name that is not cached, hashed; negative if the name is missing. */
static int lookup_ask(struct nameidata *nd, const char *name, uint64_t hash_len,
		      struct dentry **out)
{
	struct inode *inode;
	struct dentry *d;
	int err;

	if (nd->at.inode->i_flags & S_DEAD)
		return -ENOENT;
	d = d_alloc_waiting(nd, name, hash_len);
	if (!d)
		return -ENOMEM;
	err = ask_lookup(nd, name, hash_len_len(hash_len), &inode);
	if (err) {
		dput(d);
		return err;
	}
	if (inode)
		d_instantiate(d, inode);
	d_rehash(d);
	*out = d;
	return 0;
}

/* The same by another lookup, of a store that does not revalidate. */
static int ask_again(struct nameidata *nd, const struct inode *inode, bool locked, const char *name,
		     uint32_t len)
{
	struct inode *dir = nd->at.inode;
	struct dcs_stat attr = {0};
	int err;

	if (!locked)
		inode_lock(dir);
	err = ask(nd->task, lookup, dir->i_ino, name, len, &attr);
	if (!locked)
		inode_unlock(dir);
	if (err)
		return err == -ENOENT ? !inode : err;
	ask_forget(nd->cache, attr.ino, 1);
	if (!attr_makes_sense(&attr))
		return -EIO;
	return inode && attr.ino == inode->i_ino &&
	       !((load_relaxed(&inode->i_mode) ^ attr.mode) & S_IFMT);
}

/* Is the name still that of @inode (NULL: still missing)? 1, 0 or an errno. */
static int ask_revalidate(struct nameidata *nd, struct inode *inode, bool locked, const char *name,
			  uint32_t len)
{
	uint64_t ino = inode ? inode->i_ino : 0;
	struct dcs_stat attr = {0};
	bool fresh;
	int valid;

	if (!nd->cache->store)
		return 1;
	if (!nd->cache->store->revalidate)
		return ask_again(nd, inode, locked, name, len);
	/*
	 * Attributes are taken over under the inode's lock, so that they are not older than
	 * what is changed here; not where that lock may be one of those that are held.
	 */
	fresh = inode && !locked;
	if (fresh)
		inode_lock(inode);
	valid = (int)ask_up_to(1, nd->task, revalidate, nd->at.inode->i_ino, name, len, ino, &attr);
	if (valid == 1 && inode) {
		ask_forget(nd->cache, attr.ino, 1);
		if (attr.ino != ino || (load_relaxed(&inode->i_mode) ^ attr.mode) & S_IFMT) {
			valid = -EIO;
		} else if (fresh) {
			spin_lock(&inode->i_lock);
			inode_take_attr(inode, &attr);
			spin_unlock(&inode->i_lock);
		}
	}
	if (fresh)
		inode_unlock(inode);
	return valid;
}

/*
 * The store refused a change, for what it has by the name of @d is not what is cached: what
 * was believed of the name is forgotten.
 */
static int not_so(struct dentry *d, int err)
{
	if (err == -EEXIST || err == -ENOENT || err == -ESTALE)
		d_unhash(d);
	return err;
}

/*
 * The dentry of the last component, made if it is not cached, asked about if it may be
 * stale; the directory is locked.
 */
static int lookup_last(struct nameidata *nd, struct dentry **out)
{
	uint32_t len = hash_len_len(nd->last_hash_len);
	struct dentry *d;
	int valid = 1;

	if (len > DCS_NAME_MAX)
		return inode_long_name(nd->at.inode);
	d = d_lookup(nd->cache, nd->at.dentry, nd->last, nd->last_hash_len, &nd->task->counters);
	if (d && unlikely(nd->flags & LOOKUP_REVAL || d->d_flags & D_REVALIDATE)) {
		valid = ask_revalidate(nd, d_inode(d), true, nd->last, len);
		if (valid <= 0) {
			if (!valid)
				d_invalidate(d);
			dput(d);
			d = NULL;
		}
	}
	if (valid < 0)
		return valid;
	if (!d)
		return lookup_ask(nd, nd->last, nd->last_hash_len, out);
	*out = d;
	return 0;
}

#endif
