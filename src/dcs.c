/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * dcs.c - the public interface: tasks, and calling the engine of their cache
 */
#include "dcs/dcs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"
#include "inode/disk.h"
#include "lock/wait.h"
#include "walk/engine.h"
#include "walk/open-file.h"

const char dcs_version[] = DCS_VERSION;

const char *const dcs_exit_names[DCS_EXITS] = {
	[DCS_EXIT_NODENTRY] = "nodentry",     [DCS_EXIT_SEQ] = "seq",
	[DCS_EXIT_LEGITIMIZE] = "legitimize", [DCS_EXIT_REVALIDATE] = "revalidate",
	[DCS_EXIT_ATIME] = "atime",
};

/* How often the calling thread is registered, by flavour: with all its caches together. */
static __thread unsigned registered[8];

int dcs_thread_register(struct dcs_cache *cache)
{
	fetch_add_relaxed(&cache->registrations, 1);
	if (!registered[cache->rcu_id]++)
		cache->rcu->register_thread();
	return 0;
}

void dcs_thread_unregister(struct dcs_cache *cache)
{
	fetch_add_relaxed(&cache->registrations, (uint64_t)-1);
	if (!--registered[cache->rcu_id])
		cache->rcu->unregister_thread();
}

void dcs_yield_after(unsigned stalls)
{
	store_relaxed(&lock_patience, stalls);
}

void dcs_thread_offline(struct dcs_cache *cache)
{
	cache->rcu->offline();
}

void dcs_thread_online(struct dcs_cache *cache)
{
	cache->rcu->online();
}

void dcs_barrier(struct dcs_cache *cache)
{
	/* A callback may be between freeing and counting; none defers more. */
	while (backlog_pending(&cache->backlog))
		rcu_wait(cache->rcu);
}

static struct fs *fs_copy(struct dcs_cache *cache, struct fs *from)
{
	struct fs *fs;

	if (posix_memalign((void **)&fs, MEM_LINE, sizeof(*fs)))
		return NULL;
	seqlock_init(&fs->lock);
	lock_init(&fs->other);
	fs->users = 1;
	fs->umask = 022;
	fs->root = fs->pwd = cache->root;
	rcu_enter(cache->rcu_id);
	if (from) {
		fs_write_lock(from, cache->choices.lock[DCS_LOCK_FS]);
		fs->umask = from->umask;
		fs->root = from->root;
		fs->pwd = from->pwd;
	}
	cache->engine->get(cache, fs->root);
	cache->engine->get(cache, fs->pwd);
	if (from)
		fs_write_unlock(from, cache->choices.lock[DCS_LOCK_FS]);
	rcu_exit(cache->rcu_id);
	return fs;
}

/* Of a task that is gone, or was not made. */
static void fs_free(struct dcs_cache *cache, struct fs *fs)
{
	rcu_enter(cache->rcu_id);
	cache->engine->put(cache, fs->root);
	cache->engine->put(cache, fs->pwd);
	rcu_exit(cache->rcu_id);
	free(fs);
}

/* In the big-reader locks that it will read under. Under tasks_lock. */
static void register_readers(struct dcs_task *task)
{
	struct dcs_cache *cache = task->cache;
	const enum lock_kind *kind = cache->choices.lock;

	if (kind[DCS_LOCK_DCACHE] == LOCK_BRLOCK)
		ck_brlock_read_register(&cache->dcache_lock.br, &task->readers.dcache);
	if (kind[DCS_LOCK_MOUNT] == LOCK_BRLOCK)
		ck_brlock_read_register(&cache->mount.lock.br, &task->readers.mount);
	if (kind[DCS_LOCK_FS] == LOCK_BRLOCK)
		ck_brlock_read_register(&task->fs->other.br, &task->readers.fs);
}

static void unregister_readers(struct dcs_task *task)
{
	struct dcs_cache *cache = task->cache;
	const enum lock_kind *kind = cache->choices.lock;

	if (kind[DCS_LOCK_DCACHE] == LOCK_BRLOCK)
		ck_brlock_read_unregister(&cache->dcache_lock.br, &task->readers.dcache);
	if (kind[DCS_LOCK_MOUNT] == LOCK_BRLOCK)
		ck_brlock_read_unregister(&cache->mount.lock.br, &task->readers.mount);
	if (kind[DCS_LOCK_FS] == LOCK_BRLOCK)
		ck_brlock_read_unregister(&task->fs->other.br, &task->readers.fs);
}

int dcs_task_new(struct dcs_cache *cache, struct dcs_task *like, unsigned flags,
		 struct dcs_task **out)
{
	bool share = like && flags & DCS_SHARE_FS;
	struct dcs_task *task;

	if (flags & ~DCS_SHARE_FS)
		return -EINVAL;
	if (posix_memalign((void **)&task, MEM_LINE, sizeof(*task)))
		return -ENOMEM;
	memset(task, 0, sizeof(*task));
	if (like) {
		task->uid = like->uid;
		task->gid = like->gid;
		task->ngroups = like->ngroups;
		memcpy(task->groups, like->groups, sizeof(task->groups));
	}
	task->cache = cache;
	task->fs = share ? like->fs : fs_copy(cache, like ? like->fs : NULL);
	if (!task->fs) {
		free(task);
		return -ENOMEM;
	}
	if (like && files_copy(task, like)) {
		if (!share)
			fs_free(cache, task->fs);
		free(task);
		return -ENOMEM;
	}
	pthread_mutex_lock(&cache->tasks_lock);
	task->fs->users += share;
	register_readers(task);
	task->next = cache->tasks;
	task->pprev = &cache->tasks;
	if (task->next)
		task->next->pprev = &task->next;
	cache->tasks = task;
	pthread_mutex_unlock(&cache->tasks_lock);
	*out = task;
	return 0;
}

/* dcs_counters is an array of uint64_t to those who add it up. */
static void counters_add(struct dcs_counters *sum, const struct dcs_counters *more)
{
	uint64_t *to = (uint64_t *)sum;
	const uint64_t *from = (const uint64_t *)more;

	for (size_t i = 0; i < sizeof(*sum) / sizeof(*to); i++)
		to[i] += load_relaxed(&from[i]);
}

void dcs_task_free(struct dcs_task *task)
{
	struct dcs_cache *cache;
	struct fs *fs;

	if (!task)
		return;
	cache = task->cache;
	fs = task->fs;
	files_free(task);
	pthread_mutex_lock(&cache->tasks_lock);
	counters_add(&cache->ended, &task->counters);
	*task->pprev = task->next;
	if (task->next)
		task->next->pprev = task->pprev;
	unregister_readers(task);
	if (--fs->users)
		fs = NULL;
	pthread_mutex_unlock(&cache->tasks_lock);
	if (fs)
		fs_free(cache, fs);
	free(task);
}

int dcs_setcred(struct dcs_task *task, uid_t uid, gid_t gid, size_t ngroups, const gid_t *groups)
{
	if (ngroups > NGROUPS)
		return -EINVAL;
	task->uid = uid;
	task->gid = gid;
	task->ngroups = ngroups;
	if (ngroups)
		memcpy(task->groups, groups, ngroups * sizeof(*groups));
	return 0;
}

mode_t dcs_umask(struct dcs_task *task, mode_t mask)
{
	return __atomic_exchange_n(&task->fs->umask, mask & 0777, __ATOMIC_RELAXED);
}

void dcs_counters(struct dcs_cache *cache, struct dcs_counters *sum)
{
	pthread_mutex_lock(&cache->tasks_lock);
	*sum = cache->ended;
	for (struct dcs_task *task = cache->tasks; task; task = task->next)
		counters_add(sum, &task->counters);
	pthread_mutex_unlock(&cache->tasks_lock);
	sum->yields = load_relaxed(&lock_yields);
	sum->atime_writes += load_relaxed(&cache->late_atimes);
}

void dcs_census(struct dcs_cache *cache, struct dcs_census *c)
{
	uint64_t names = arena_live(&cache->names);

	*c = (struct dcs_census){
		.dentries = load_relaxed(&cache->live),
		.inodes = slab_live(&cache->inodes),
		.negative = load_relaxed(&cache->negatives),
		.freed_dentries = load_relaxed(&cache->freed_dentries),
		.freed_inodes = load_relaxed(&cache->freed_inodes),
		.evicted = load_relaxed(&cache->lru.evicted),
		.second_chances = load_relaxed(&cache->lru.second_chances),
	};
	for (int i = LRU_POSITIVE; i < LRU_LISTS; i++)
		c->unused += load_relaxed(&cache->lru.n[i]);
	c->pending = backlog_pending(&cache->backlog);
	c->peak_pending = load_relaxed(&cache->backlog.peak);
	c->backlog_waits = load_relaxed(&cache->backlog.waits);
	c->backlog_wait_ns = load_relaxed(&cache->backlog.wait_ns);
	c->grace_periods = load_relaxed(&cache->backlog.probe.n);
	c->grace_ns = load_relaxed(&cache->backlog.probe.ns);
	c->grace_longest_ns = load_relaxed(&cache->backlog.probe.longest);
	c->reclaim_ns = cache->rcu->reclaim_ns();
	c->bytes = slab_live(&cache->dentries) * cache->engine->dentry.object +
		   c->inodes * cache->engine->inode.object + names * cache->engine->name.object +
		   cache_table_bytes(cache);
	cache->engine->census(cache, c);
}

void dcs_statfs(struct dcs_cache *cache, struct dcs_statfs *st)
{
	struct disk *disk = cache->disk;

	*st = (struct dcs_statfs){0};
	if (!disk)
		return;
	spin_lock(&disk->lock);
	st->block_size = disk->block_size;
	st->blocks = disk->n_blocks;
	st->free = disk->n_free;
	st->refused = disk->refused;
	spin_unlock(&disk->lock);
}

static struct dcs_objects figures_of(struct slab *s)
{
	struct slab_figures f = slab_figures(s);

	return (struct dcs_objects){
		.live = f.live,
		.allocated = f.allocated,
		.constructed = f.constructed,
		.zeroed = f.zeroed,
	};
}

void dcs_objects(struct dcs_cache *cache, struct dcs_objects of[DCS_OBJECT_KINDS])
{
	of[DCS_OBJECT_DENTRY] = figures_of(&cache->dentries);
	of[DCS_OBJECT_INODE] = figures_of(&cache->inodes);
	of[DCS_OBJECT_BUFFER] =
		cache->disk ? figures_of(&cache->disk->buffers) : (struct dcs_objects){0};
}

int dcs_check(struct dcs_cache *cache, char *why, size_t size)
{
	dcs_barrier(cache); /* so that what is allocated is what is in the tree */
	return cache->engine->check(cache, why, size);
}

uint64_t dcs_hash_only(struct dcs_task *task, const char *path)
{
	return task->cache->engine->hash_only(task->cache, path);
}

int dcs_time_parts(struct dcs_task *task, const char *path, struct dcs_parts *parts)
{
	return task->cache->engine->time_parts(task, path, parts);
}

int dcs_stat(struct dcs_task *task, const char *path, unsigned flags, struct dcs_stat *st)
{
	return task->cache->engine->stat(task, path, flags, st);
}

/*
 * As Linux's retry_estale(): once more where the store said that something was stale, with
 * every name on the way asked about.
 */
#define RETRY_STALE(task, call)                                        \
	({                                                             \
		ssize_t result_ = (task)->cache->engine->call;         \
                                                                       \
		if (unlikely(result_ == -ESTALE) && !(task)->reval) {  \
			count_add(&(task)->counters.stale_retries, 1); \
			(task)->reval = true;                          \
			result_ = (task)->cache->engine->call;         \
			(task)->reval = false;                         \
		}                                                      \
		result_;                                               \
	})

uint64_t dcs_shrink(struct dcs_cache *cache, uint64_t count)
{
	return cache->engine->shrink(cache, count, false);
}

int dcs_shrink_tree(struct dcs_task *task, const char *path)
{
	return (int)RETRY_STALE(task, shrink_tree(task, path));
}

ssize_t dcs_drop_caches(struct dcs_cache *cache, unsigned what)
{
	if (what < 1 || what > 3)
		return -EINVAL;
	return what & 2 ? (ssize_t)cache->engine->shrink(cache, UINT64_MAX, true) : 0;
}

int dcs_sync(struct dcs_cache *cache)
{
	if (!cache->store)
		return 0;
	cache->engine->sync(cache);
	return cache->store->sync ? cache->store->sync(cache->store_data) : 0;
}

int dcs_mkdir(struct dcs_task *task, const char *path, mode_t mode)
{
	return (int)RETRY_STALE(task, make(task, path, S_IFDIR | (mode & 01777), NULL, 0));
}

int dcs_create(struct dcs_task *task, const char *path, mode_t mode)
{
	return (int)RETRY_STALE(task, make(task, path, S_IFREG | (mode & 07777), NULL, 0));
}

int dcs_mknod(struct dcs_task *task, const char *path, mode_t mode, dev_t dev)
{
	bool device = S_ISCHR(mode) || S_ISBLK(mode);

	if (!(mode & S_IFMT))
		mode |= S_IFREG;
	if (S_ISDIR(mode))
		return -EPERM;
	if (!device && !S_ISREG(mode) && !S_ISFIFO(mode) && !S_ISSOCK(mode))
		return -EINVAL;
	return (int)RETRY_STALE(task,
				make(task, path, mode & (S_IFMT | 07777), NULL, device ? dev : 0));
}

int dcs_symlink(struct dcs_task *task, const char *target, const char *path)
{
	return (int)RETRY_STALE(task, make(task, path, S_IFLNK | 0777, target, 0));
}

ssize_t dcs_readlink(struct dcs_task *task, const char *path, char *buf, size_t size)
{
	return RETRY_STALE(task, readlink(task, path, buf, size));
}

int dcs_link(struct dcs_task *task, const char *oldpath, const char *newpath, unsigned flags)
{
	return (int)RETRY_STALE(task, link(task, oldpath, newpath, flags));
}

int dcs_unlink(struct dcs_task *task, const char *path)
{
	return (int)RETRY_STALE(task, remove(task, path, false));
}

int dcs_rmdir(struct dcs_task *task, const char *path)
{
	return (int)RETRY_STALE(task, remove(task, path, true));
}

int dcs_rename(struct dcs_task *task, const char *oldpath, const char *newpath, unsigned flags)
{
	return (int)RETRY_STALE(task, rename(task, oldpath, newpath, flags));
}

int dcs_chdir(struct dcs_task *task, const char *path)
{
	return (int)RETRY_STALE(task, chdir(task, path, false));
}

int dcs_chroot(struct dcs_task *task, const char *path)
{
	return (int)RETRY_STALE(task, chdir(task, path, true));
}

int dcs_chmod(struct dcs_task *task, const char *path, mode_t mode, unsigned flags)
{
	return (int)RETRY_STALE(task, chmod(task, path, mode, flags));
}

int dcs_chown(struct dcs_task *task, const char *path, uid_t uid, gid_t gid, unsigned flags)
{
	return (int)RETRY_STALE(task, chown(task, path, uid, gid, flags));
}

int dcs_setsize(struct dcs_task *task, const char *path, uint64_t size, int64_t mtime_sec,
		unsigned flags)
{
	return (int)RETRY_STALE(task, setsize(task, path, size, mtime_sec, flags));
}
