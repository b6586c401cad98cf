/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * dcs.h - the public interface of libdcs, a directory cache in userspace
 *
 * A cache (struct dcs_cache) holds one tree of names: dentries, inodes and the
 * hash table that finds a dentry by (parent, name). A task (struct dcs_task) is
 * what a process is to a kernel: a working directory, a root, credentials. Every
 * operation is done by a task and walks a path from its cwd or root.
 *
 * Errors: every call that returns int returns 0 or a positive value, or a
 * negative errno as the kernel's system call would; -ENOMEM leaves the cache as
 * it was, but for a negative dentry that may have been cached.
 *
 * Context: a thread that calls any operation on a cache must be registered with
 * it (dcs_thread_register). A task serves one thread at a time; different tasks
 * may be used by different threads at once. No call may be made from inside a
 * callback of the reclamation flavour.
 *
 * Where behaviour is defined: path_resolution(7), and the system call of the
 * same name, Linux 6.18 where versions differ.
 */
#ifndef DCS_H
#define DCS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dcs_cache;
struct dcs_task;
struct dcs_store_ops; /* store.h */

#define DCS_NAME_MAX 255  /* bytes in a component, as NAME_MAX */
#define DCS_PATH_MAX 4096 /* bytes in a path with its NUL, as PATH_MAX */
#define DCS_PATH_PAD 8	  /* readable bytes that DCS_PADDED promises behind the NUL */
#define DCS_MAXLINKS 40	  /* symbolic links followed in one walk, as MAXSYMLINKS */

/* How a walk ends: see dcs_config.final. */
enum dcs_final {
	DCS_FINAL_REF,	/* take and drop a reference on the last dentry, as Linux does */
	DCS_FINAL_NONE, /* copy what the caller wants under d_seq and take nothing */
};

/* What a lock guards, for dcs_config.lock. */
enum dcs_lock_role {
	DCS_LOCK_D,	 /* a dentry: one word, beside its reference count */
	DCS_LOCK_BUCKET, /* a chain of the hash table, to change it */
	DCS_LOCK_DCACHE, /* all lookups and changes of walk global-lock */
	DCS_LOCK_MOUNT,	 /* mounts, at `..` and crossings */
	DCS_LOCK_FS,	 /* cwd and root of a task, or of tasks that share them */
	DCS_LOCK_ROLES,
};

/* What dcs_cache_new() builds. A zeroed one is valid: every default. */
struct dcs_config {
	const char *kernel;   /* "6.12" (default) or another of dcs_list("kernels"): what each NULL
			       * of walk, layout, hash, lock, refcount and compare stands for */
	const char *walk;     /* one of dcs_list("walks") */
	const char *layout;   /* one of dcs_list("layouts") */
	const char *hash;     /* NULL: the kernel's, compiled in. A name: that one, through the
			       * pointer that all named hashes share */
	const char *flavour;  /* "urcu-memb" (default) or another of dcs_list("flavours") */
	enum dcs_final final; /* DCS_FINAL_REF is the default */
	const char *lock[DCS_LOCK_ROLES]; /* of dcs_list("locks") */
	const char *refcount;		  /* "lockref", "separate" or "atomic" */
	const char *compare;		  /* "locked" or "unlocked" */
	unsigned table_bits;		  /* log2 of the number of buckets, 1..30; 0: 17 */
	uint64_t capacity;     /* most dentries at once; 0: 4 Mi, with 32-bit links 256 Ki. Address
				* space, not memory */
	uint64_t limit;	       /* dentries to keep; above it, unused ones are let go, least
				* recently used first. At most the capacity; 0: the capacity.
				* What is in use or pinned stays, whatever the limit */
	const char *negatives; /* what becomes of negative dentries: "keep" (default) or another of
				* dcs_list("negatives") */
	uint64_t negative_limit;	   /* most cached negative dentries, below the capacity;
					    * 0: a quarter of the limit, 1 Mi at most */
	const struct dcs_store_ops *store; /* what is asked on a miss: see store.h. NULL: nothing,
					    * the cache itself is the tree, and pins it (ramfs) */
	void *store_data;		   /* the store's, freed with the cache */
	uint64_t store_latency;		   /* simulated nanoseconds that each question to it takes:
					    * added to dcs_counters.store_ns, never slept */
	const char *atime; /* when reading stores an access time: "noatime" (default) or another of
			    * dcs_list("atimes") */
	const uint64_t *clock;	/* NULL: the system's, CLOCK_REALTIME_COARSE. Else what time it is,
				 * nanoseconds since 1970: read at each use, with relaxed order.
				 * Files are  stamped by its ticks of 4 ms */
	uint64_t backlog_limit; /* objects that may wait for a grace period: whoever changes the
				 * cache waits while there are more; 0: 64 Ki */
	const char *objects;	/* "zeroed" (default), or "constructed": dentries, inodes and buffer
				 * heads are constructed once, when their page is fresh */
	uint64_t disk_size;	/* bytes of a RAM disk for the data of files, without a store; 0:
				 * none, and files have a size and no data */
	uint32_t block_size;	/* of it: 1024, 2048 or 4096 bytes; 0: 4096 */
	uint64_t prefault;	/* so many dentries, inodes and long names, and the whole disk, are
				 * faulted in when the cache is made; 0: nothing is */
	uint64_t hash_key[2];	/* key of keyed hashes; both 0: a fixed, documented key */
	/* As the sysctls fs.protected_*: proc(5). All 0: off. */
	unsigned protected_symlinks, protected_hardlinks, protected_regular, protected_fifos;
	uint64_t placement; /* not 0: objects and table are moved in memory, by whole lines
			     * drawn from it. Changes times at most, to tell how much
			     * of a difference is placement */
};

/**
 * dcs_cache_new - make an empty cache: a root directory, mode 0755, owned by 0:0
 * @config: what to build; NULL is every default
 * @out:    the cache
 * @why:    NULL, or where to put what explains a failure: a line that stays until the
 *          thread's next failure
 *
 * The calling thread need not be registered; it is not registered by this.
 * Errors: -EINVAL (unknown name, number out of range; @why says which), -ENOMEM,
 * -EAGAIN (the thread that frees what is deferred cannot be started).
 */
int dcs_cache_new(const struct dcs_config *config, struct dcs_cache **out, const char **why);

/**
 * dcs_cache_free - free a cache and all in it, after a grace period
 *
 * All its tasks must be gone, all threads but the caller unregistered from it; what
 * registrations it still has are the caller's and end with it. Sleeps.
 */
void dcs_cache_free(struct dcs_cache *cache);

/**
 * dcs_thread_register - make the calling thread known to the cache's flavour
 *
 * Nests: as many dcs_thread_unregister() calls are needed, each on the cache that it
 * was registered with; other caches do not matter. Under urcu-qsbr a
 * registered thread must call operations or be offline
 * (dcs_thread_offline), or nothing is ever freed.
 */
int dcs_thread_register(struct dcs_cache *cache);
void dcs_thread_unregister(struct dcs_cache *cache);

/**
 * dcs_yield_after - have threads that wait for a spinning lock give their core away
 * @stalls: pauses that a thread waits before it yields; 0: it never does, the default
 *
 * For more threads than cores. Of the whole process, all caches; may be changed at any time.
 */
void dcs_yield_after(unsigned stalls);

/* Around a long wait of a registered thread; no operations in between. */
void dcs_thread_offline(struct dcs_cache *cache);
void dcs_thread_online(struct dcs_cache *cache);

/* Waits until everything freed before the call has been given back. Sleeps. */
void dcs_barrier(struct dcs_cache *cache);

#define DCS_SHARE_FS 1u /* dcs_task_new: share cwd, root and umask, as CLONE_FS */

/**
 * dcs_task_new - make a task
 * @like:  the task to copy cwd, root, umask and credentials from, as fork(2) does;
 *         NULL: cwd and root are the cache's root, umask 022, uid 0 and gid 0
 * @flags: DCS_SHARE_FS: share them with @like instead, as threads do (git's do)
 */
int dcs_task_new(struct dcs_cache *cache, struct dcs_task *like, unsigned flags,
		 struct dcs_task **out);
void dcs_task_free(struct dcs_task *task);

/**
 * dcs_setcred - set the credentials that permission checks use
 * @groups: @ngroups supplementary group ids, copied; at most 32, or -EINVAL
 *
 * uid 0 has all capabilities, every other uid none.
 */
int dcs_setcred(struct dcs_task *task, uid_t uid, gid_t gid, size_t ngroups, const gid_t *groups);
mode_t dcs_umask(struct dcs_task *task, mode_t mask); /* returns the old one */

struct dcs_stat {
	uint64_t ino;
	uint32_t mode; /* type and permission, as st_mode */
	uint32_t nlink, uid, gid;
	uint64_t rdev; /* of a device, as st_rdev */
	uint64_t size;
	struct timespec atime, mtime, ctime;
};

/* Flags of operations that take a path. */
#define DCS_NOFOLLOW 1u /* as AT_SYMLINK_NOFOLLOW: do not follow a final link */
/* The path is shorter than DCS_PATH_MAX, and DCS_PATH_PAD bytes behind its NUL are readable:
 * the caller's word for it, nothing is checked or copied. */
#define DCS_PADDED 2u
#define DCS_FOLLOW 4u /* dcs_link: as AT_SYMLINK_FOLLOW */

/*
 * Path operations. @path is a NUL-terminated string; without DCS_PADDED it is
 * copied first, as the kernel copies from user space (getname). Errors are those
 * of the system call of the same name.
 */
int dcs_stat(struct dcs_task *task, const char *path, unsigned flags, struct dcs_stat *st);
int dcs_mkdir(struct dcs_task *task, const char *path, mode_t mode);
int dcs_create(struct dcs_task *task, const char *path, mode_t mode); /* O_CREAT|O_EXCL, close */
/*
 * S_IFREG, S_IFIFO, S_IFSOCK, and S_IFCHR or S_IFBLK with @dev (uid 0 only: -EPERM). What
 * they are for is not there: a file of them is a name with attributes.
 */
int dcs_mknod(struct dcs_task *task, const char *path, mode_t mode, dev_t dev);
int dcs_symlink(struct dcs_task *task, const char *target, const char *path);
ssize_t dcs_readlink(struct dcs_task *task, const char *path, char *buf, size_t size);
int dcs_link(struct dcs_task *task, const char *oldpath, const char *newpath, unsigned flags);
int dcs_unlink(struct dcs_task *task, const char *path);
int dcs_rmdir(struct dcs_task *task, const char *path);

#define DCS_RENAME_NOREPLACE 1u
#define DCS_RENAME_EXCHANGE  2u
#define DCS_RENAME_WHITEOUT  4u /* a device 0:0 stays in the place of what went */
int dcs_rename(struct dcs_task *task, const char *oldpath, const char *newpath, unsigned flags);

/*
 * The same from a directory: @dirfd is a descriptor of the task or AT_FDCWD, and says where
 * a relative @path starts; @flags are AT_* of <fcntl.h>. As the system calls of the
 * same name, errors too.
 */
int dcs_fstatat(struct dcs_task *task, int dirfd, const char *path, unsigned flags,
		struct dcs_stat *st);
/* @mode: R_OK, W_OK and X_OK, or F_OK. By the task's credentials. */
int dcs_faccessat(struct dcs_task *task, int dirfd, const char *path, unsigned mode,
		  unsigned flags);
int dcs_mkdirat(struct dcs_task *task, int dirfd, const char *path, mode_t mode);
int dcs_mknodat(struct dcs_task *task, int dirfd, const char *path, mode_t mode, dev_t dev);
int dcs_symlinkat(struct dcs_task *task, const char *target, int dirfd, const char *path);
ssize_t dcs_readlinkat(struct dcs_task *task, int dirfd, const char *path, char *buf, size_t size);
int dcs_linkat(struct dcs_task *task, int olddirfd, const char *oldpath, int newdirfd,
	       const char *newpath, unsigned flags);
int dcs_unlinkat(struct dcs_task *task, int dirfd, const char *path, unsigned flags);
/* @flags: DCS_RENAME_* */
int dcs_renameat2(struct dcs_task *task, int olddirfd, const char *oldpath, int newdirfd,
		  const char *newpath, unsigned flags);
int dcs_fchmodat(struct dcs_task *task, int dirfd, const char *path, mode_t mode, unsigned flags);
int dcs_fchownat(struct dcs_task *task, int dirfd, const char *path, uid_t uid, gid_t gid,
		 unsigned flags);
/* @times: atime and mtime; UTIME_NOW and UTIME_OMIT; NULL: both now. @path NULL: @dirfd itself. */
int dcs_utimensat(struct dcs_task *task, int dirfd, const char *path,
		  const struct timespec times[2], unsigned flags);
int dcs_truncate(struct dcs_task *task, const char *path, off_t size);

#define DCS_OPEN_MAX 1024 /* descriptors of a task */

/**
 * dcs_open - open a file, as open(2)
 * @flags: those of <fcntl.h>: the access mode, O_CREAT, O_EXCL, O_TRUNC, O_DIRECTORY,
 *	   O_NOFOLLOW, O_PATH; others are ignored
 *
 * Returns the lowest free descriptor of the task, from 0 on. There is no data to read: what is
 * opened stays when its last name goes, until its last descriptor is closed. A FIFO never
 * blocks; sockets and devices give -ENXIO, but for O_PATH. -EMFILE: DCS_OPEN_MAX are open.
 * dcs_task_new() copies the descriptors of @like, as fork(2): they share how far a directory
 * has been read. dcs_task_free() closes them. Such sharing tasks may be used at once.
 */
int dcs_open(struct dcs_task *task, const char *path, unsigned flags, mode_t mode);
int dcs_openat(struct dcs_task *task, int dirfd, const char *path, unsigned flags, mode_t mode);

/* openat2(2), with @resolve: RESOLVE_* of <linux/openat2.h>. What open() ignores is -EINVAL. */
struct dcs_open_how {
	uint64_t flags, mode, resolve;
};
int dcs_openat2(struct dcs_task *task, int dirfd, const char *path, const struct dcs_open_how *how);
int dcs_close(struct dcs_task *task, int fd);
int dcs_fchmod(struct dcs_task *task, int fd, mode_t mode);
int dcs_fchown(struct dcs_task *task, int fd, uid_t uid, gid_t gid);
int dcs_ftruncate(struct dcs_task *task, int fd, off_t size);
int dcs_fchdir(struct dcs_task *task, int fd);

/*
 * The path of the task's cwd, as the system call getcwd(2), and of an open file, as readlink(2)
 * of /proc/self/fd/@fd: from the task's root, with `(unreachable)` before it, or ` (deleted)`
 * behind, where it is so. Returns the bytes with the NUL; -ERANGE, or -ENAMETOOLONG for a
 * descriptor; -ENOENT: the cwd was removed.
 */
ssize_t dcs_getcwd(struct dcs_task *task, char *buf, size_t size);
ssize_t dcs_fdpath(struct dcs_task *task, int fd, char *buf, size_t size);

/* Of a mount; the values are those of <sys/mount.h>. */
#define DCS_MOUNT_RDONLY      1u
#define DCS_MOUNT_NOSYMFOLLOW 256u
#define DCS_MOUNT_NOATIME     1024u
#define DCS_MOUNT_NODIRATIME  2048u
#define DCS_MOUNT_RELATIME    (1u << 21)
#define DCS_MOUNT_STRICTATIME (1u << 24)

#define DCS_UMOUNT_DETACH 2u /* as MNT_DETACH */

/*
 * Mounts. All tasks of a cache share one tree of mounts; nothing is propagated. uid 0 only
 * (-EPERM). dcs_mount: a fresh tree like that of tmpfs, whose root is 0755 and the task's.
 * dcs_bind: @source once more, without what is mounted below it. dcs_remount: new flags for the
 * mount at @path in place of all its old ones, as mount(2) with MS_REMOUNT and MS_BIND.
 */
int dcs_mount(struct dcs_task *task, const char *path);
int dcs_bind(struct dcs_task *task, const char *source, const char *path);
int dcs_remount(struct dcs_task *task, const char *path, unsigned flags);
int dcs_umount(struct dcs_task *task, const char *path, unsigned flags);
int dcs_fstat(struct dcs_task *task, int fd, struct dcs_stat *st);

/**
 * dcs_pread - read from a regular file, as pread(2)
 *
 * Returns the bytes up to the file's size: zeros where it has no data. Touches the atime. -EBADF,
 * -EINVAL, -EISDIR, -ESPIPE (a FIFO).
 */
ssize_t dcs_pread(struct dcs_task *task, int fd, void *buf, size_t n, off_t offset);

/**
 * dcs_pwrite - write to a regular file, as pwrite(2)
 *
 * With a RAM disk (dcs_config.disk_size) the data is kept, block by block; fewer bytes than
 * @n are written where it gets full. Without one, size and times change, and what is read
 * are zeros. Returns the bytes written; -ENOSPC: there is no room for any, -ENOMEM, -EBADF,
 * -EINVAL, -EFBIG, -ESPIPE (a FIFO).
 */
ssize_t dcs_pwrite(struct dcs_task *task, int fd, const void *buf, size_t n, off_t offset);

struct dcs_dirent {
	uint64_t ino;
	uint32_t mode; /* the type, as S_IFMT of st_mode */
	uint16_t size; /* bytes to the next one */
	char name[];   /* with a NUL */
};

/**
 * dcs_getdents - the next entries of an open directory, as getdents64(2)
 * @buf:  gets as many struct dcs_dirent as fit, each at a multiple of 8 bytes
 * @size: at least sizeof(struct dcs_dirent) + DCS_NAME_MAX + 1, or -EINVAL
 *
 * `.` and `..` first. An entry that is there from before the first call to after the last, and
 * keeps its name, is given exactly once. Touches the atime. Returns the bytes used, 0 at
 * the end; -ENOTDIR; -ENOENT: the directory was removed.
 */
ssize_t dcs_getdents(struct dcs_task *task, int fd, void *buf, size_t size);
int dcs_rewinddir(struct dcs_task *task, int fd); /* as lseek(fd, 0, SEEK_SET) */

int dcs_chdir(struct dcs_task *task, const char *path);
int dcs_chroot(struct dcs_task *task, const char *path);
int dcs_chmod(struct dcs_task *task, const char *path, mode_t mode, unsigned flags);
/* (uid_t)-1 and (gid_t)-1 leave one. */
int dcs_chown(struct dcs_task *task, const char *path, uid_t uid, gid_t gid, unsigned flags);
/*
 * Sets the size and the mtime, as truncate(2) and utimensat(2): what a file gains has no data,
 * what it loses goes back to the RAM disk. For importers.
 */
int dcs_setsize(struct dcs_task *task, const char *path, uint64_t size, int64_t mtime_sec,
		unsigned flags);

/**
 * dcs_hash_only - find and hash each component of a padded path, look nothing up
 *
 * What the hash-only reference row runs, with the cache's hash. The result
 * depends on every hash, so that no compiler drops one.
 */
uint64_t dcs_hash_only(struct dcs_task *task, const char *path);

/**
 * dcs_walk - resolve a path and say how
 * @flags: 0 or DCS_NOFOLLOW
 * @how:   "rcu", "ref", "rcu->ref nodentry": which walks it took, and why one gave up
 *
 * Returns 0 or the errno of the walk; @how is filled in either way.
 */
int dcs_walk(struct dcs_task *task, const char *path, unsigned flags, char how[64]);

/* Why an rcu-walk went no further and dropped to ref-walk. */
enum dcs_exit {
	DCS_EXIT_NODENTRY,   /* the name is not in the cache */
	DCS_EXIT_SEQ,	     /* a d_seq or the fs sequence count moved */
	DCS_EXIT_LEGITIMIZE, /* the last dentry could not be referenced */
	DCS_EXIT_REVALIDATE, /* the store must be asked whether the name is still so */
	DCS_EXIT_ATIME,	     /* following a link stores its atime */
	DCS_EXITS,
};
extern const char *const dcs_exit_names[DCS_EXITS];

struct dcs_counters {
	uint64_t walks;		   /* path walks begun, a restart as ref-walk not counted again */
	uint64_t components;	   /* names looked up, in any walk, `.` and `..` apart */
	uint64_t links;		   /* symbolic links followed */
	uint64_t rcu_walks;	   /* walks that ended in rcu-walk */
	uint64_t ref_walks;	   /* walks that ended in ref-walk */
	uint64_t exits[DCS_EXITS]; /* why rcu-walks dropped to ref-walk */
	uint64_t chain;		   /* dentries of other names seen on hash chains by ref-walk */
	uint64_t rename_retries;   /* chain walks done again because rename_lock moved */
	uint64_t refs;		   /* references taken on dentries by walks */
	uint64_t slow_lookups;	   /* misses that took the directory's lock */
	uint64_t negative_hits;	   /* walks that a negative dentry answered with -ENOENT */
	uint64_t stale_retries;	   /* operations begun again because something was stale (ESTALE) */
	uint64_t reads;		   /* of files, directories and bodies of links: readlink(2) */
	uint64_t atime_stores;	   /* access times that reading has changed */
	uint64_t atime_writes;	   /* and that the store was told; with lazytime, later and fewer */
	uint64_t yields;	   /* of waiting threads (dcs_yield_after), of the whole process */
	uint64_t store_asks;	   /* questions to the store */
	uint64_t store_ns;	   /* simulated time of them: dcs_config.store_latency each */
};

/* dentries, unused and negative are what Linux has in /proc/sys/fs/dentry-state. */
struct dcs_census {
	uint64_t dentries, negative, inodes; /* live now */
	uint64_t unused;	 /* of the dentries: on the LRU; some may be in use again */
	uint64_t evicted;	 /* unused dentries let go since the cache was made */
	uint64_t second_chances; /* and such that were kept as recently used */
	uint64_t freed_dentries, freed_inodes;	 /* given back since the cache was made */
	uint64_t pending;			 /* waiting for a grace period */
	uint64_t peak_pending;			 /* the most of them at once */
	uint64_t backlog_waits, backlog_wait_ns; /* of threads, for there were too many */
	/* Grace periods that were timed, from deferring to the callback: in all, and longest. */
	uint64_t grace_periods, grace_ns, grace_longest_ns;
	uint64_t reclaim_ns; /* processor time of reclamation, of all caches of the flavour */
	uint64_t bytes;	     /* of dentries, inodes, names and the table */
	uint64_t buckets, used_buckets, longest_chain;
};

/**
 * dcs_shrink - let unused dentries go, least recently used first
 * @count: how many at most
 *
 * What was used since it was last looked at gets a second chance. Returns how many went.
 */
uint64_t dcs_shrink(struct dcs_cache *cache, uint64_t count);

/**
 * dcs_shrink_tree - let every unused dentry below @path go, recently used or not
 *
 * As shrink_dcache_parent(): what is in use stays, and what it hangs on. Ends whatever others
 * do. Returns 0 or a negative errno of the walk to @path.
 */
int dcs_shrink_tree(struct dcs_task *task, const char *path);

/**
 * dcs_drop_caches - as writing @what to /proc/sys/vm/drop_caches
 * @what: 1: file data (a RAM disk's is no copy: nothing goes); 2: unused dentries and their inodes;
 * 3: both
 *
 * Returns how many dentries went, or -EINVAL.
 */
ssize_t dcs_drop_caches(struct dcs_cache *cache, unsigned what);

/**
 * dcs_sync - as sync(2): tell the store what lazytime has kept, and have it write
 *
 * Without a store there is nothing to do. Returns 0 or what the store gives. May sleep.
 */
int dcs_sync(struct dcs_cache *cache);

/* Sums over the cache's tasks, ended ones too. Exact when no operation runs. */
void dcs_counters(struct dcs_cache *cache, struct dcs_counters *sum);
/* Of the RAM disk; all 0 where there is none. It holds file data only: names take no room of it. */
struct dcs_statfs {
	uint64_t block_size;   /* bytes */
	uint64_t blocks, free; /* in all, and not taken */
	uint64_t refused;      /* blocks that were wanted when none was free */
};
void dcs_statfs(struct dcs_cache *cache, struct dcs_statfs *st);

enum dcs_object {
	DCS_OBJECT_DENTRY,
	DCS_OBJECT_INODE,
	DCS_OBJECT_BUFFER, /* a buffer head: of a block of a file on the RAM disk */
	DCS_OBJECT_KINDS,
};

/* What an object cache did since it was made. */
struct dcs_objects {
	uint64_t live;	      /* now */
	uint64_t allocated;   /* in all */
	uint64_t constructed; /* by a constructor, those of all pages: dcs_config.objects */
	uint64_t zeroed;      /* bytes, at allocations */
};
void dcs_objects(struct dcs_cache *cache, struct dcs_objects of[DCS_OBJECT_KINDS]);
/* Walks the table: exact when no operation runs. The caller is registered. */
void dcs_census(struct dcs_cache *cache, struct dcs_census *census);

/**
 * dcs_check - verify every invariant that can be seen at rest
 * @why: NULL, or a buffer of @size bytes for the first violation, one line
 *
 * Each child is on one list and one chain, under its bucket; counts and link
 * counts agree; no d_seq is odd. Returns 0 or -EUCLEAN. No operation may run.
 * Waits as dcs_barrier() does.
 */
int dcs_check(struct dcs_cache *cache, char *why, size_t size);

/**
 * dcs_protect - map dentries, inodes, names and the table read-only (or back)
 *
 * A store-free walk still works then, and any other faults. After an error all is
 * writable. -EOPNOTSUPP under AddressSanitizer, where objects do not lie in arenas.
 */
int dcs_protect(struct dcs_cache *cache, int read_only);

#define DCS_PART_BINS	128
#define DCS_PART_CYCLES 20 /* of the cycle counter, a bin; the last bin has all above */

/* How many components took how long in each part of their lookup. */
struct dcs_parts {
	uint64_t hash[DCS_PART_BINS];	/* from the name's hash and its parent to the bucket */
	uint64_t lookup[DCS_PART_BINS]; /* to the dentry, referenced */
	uint64_t empty[DCS_PART_BINS];	/* of nothing: what reading the counter takes itself */
};

/**
 * dcs_time_parts - look a path's components up, and add their times to @parts
 *
 * Returns 0; -ENOENT where a name is not cached or is below what is no directory (links are
 * not followed, `..` is a name like others); -EOPNOTSUPP on a machine whose cycle counter is
 * not known here (x86-64 is).
 */
int dcs_time_parts(struct dcs_task *task, const char *path, struct dcs_parts *parts);

struct dcs_name {
	const char *name, *description;
};
/**
 * dcs_list - what can be chosen
 * @kind: "kernels", "walks", "layouts", "hashes", "flavours", "negatives", "locks", "lock-roles",
 *	  "refcounts", "compares", "objects" or "atimes"
 *
 * Returns an array that ends with a NULL name; NULL for another @kind. Static.
 */
const struct dcs_name *dcs_list(const char *kind);

/* A kernel of the past or of today, as far as it is modelled; strings are static. */
struct dcs_kernel {
	const char *name, *what;
	const char *lacks; /* what of that kernel is left out */
	const char *walk, *layout, *hash, *refcount, *compare, *lock[DCS_LOCK_ROLES];
	enum dcs_final final;
};
/* 0, or -ENOENT. */
int dcs_kernel(const char *name, struct dcs_kernel *out);

/* A field of a dentry. */
struct dcs_field {
	const char *name;   /* NULL: the end */
	const char *kernel; /* what the kernel has there */
	const char *used;   /* by whom */
	size_t offset, size;
};

struct dcs_layout {
	const char *name, *what;
	size_t size, align;	  /* of a dentry, bytes */
	unsigned link_bits;	  /* of what it links to others by */
	size_t bucket_size;	  /* bytes */
	unsigned per_page, first; /* dentries a page of 4096 bytes, and where the first lies; 0:
				   * side by side */
	const struct dcs_field *fields;
};
/* 0, or -ENOENT. */
int dcs_layout(const char *name, struct dcs_layout *out);

extern const char dcs_version[];

#ifdef __cplusplus
}
#endif
#endif
