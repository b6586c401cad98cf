/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * test_kernel - the same random operations here and in the running kernel
 *
 *	test_kernel [OPERATIONS [SEED]]
 *
 * For every walk, final and flavour, with plenty of room for negative dentries and
 * with almost none. The kernel's side is a fresh tmpfs that is the root of a child in
 * a mount namespace of its own. Compared: each return value, what stat says (inode
 * numbers by which are equal, the size of directories not at all), and now and then
 * the whole tree. A difference is cut down to few operations and printed.
 *
 * Set aside, since it is policy and not path_resolution(7): where
 * fs.protected_hardlinks is on, only owners link; where fs.protected_symlinks is on, no
 * directory is both sticky and writable for all.
 *
 * Exits with 77 (skipped) without the right to make the child.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel_ops.h"
#include "mem/mem.h"

#define SKIPPED	      77
#define SWEEP_EVERY   400
#define SWEEP_DEPTH   3
#define MINIMISE_RUNS 5000

/* What a child has found, in memory that it shares with its parent. */
struct result {
	size_t at; /* of the operation that differs */
	char what[400];
};

struct run {
	struct dcs_config config;
	const struct op *ops;
	size_t n;
	struct result *result;
	struct dcs_cache *cache;
	struct dcs_task *base, *task;
	int root; /* of the kernel's side */
	int who;
};

static bool protected_hardlinks, protected_symlinks;

/* Numbers of inodes, the kernel's and ours: each has one partner for ever, as neither reuses one.
 */
struct pairs {
	uint64_t key[1 << 17], value[1 << 17];
};
static struct pairs ours_of, kernels_of;

static bool paired(struct pairs *p, uint64_t key, uint64_t value)
{
	size_t i = key * 0x9e3779b97f4a7c15ull >> 47;

	for (; p->key[i]; i = (i + 1) % COUNT(p->key))
		if (p->key[i] == key)
			return p->value[i] == value;
	p->key[i] = key;
	p->value[i] = value;
	return true;
}

static _Noreturn __attribute__((format(printf, 3, 4))) void differs(struct run *run, size_t at,
								    const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(run->result->what, sizeof(run->result->what), format, args);
	va_end(args);
	run->result->at = at;
	_exit(1);
}

static _Noreturn void broken(const char *what)
{
	fprintf(stderr, "test_kernel: %s: %s\n", what, strerror(errno));
	_exit(2);
}

/* Of this thread only: that of the reclamation flavour keeps its own. */
static void become(struct run *run, int who)
{
	const struct who *w = &whos[who];

	if (who == run->who)
		return;
	if (syscall(SYS_setresuid, -1, 0, -1) || syscall(SYS_setgroups, w->ngroups, w->groups) ||
	    syscall(SYS_setresgid, -1, w->gid, -1) || syscall(SYS_setresuid, -1, w->uid, -1))
		broken("cannot change credentials");
	dcs_setcred(run->task, w->uid, w->gid, w->ngroups, w->groups);
	run->who = who;
}

static void reset(struct run *run)
{
	become(run, 0);
	if (fchdir(run->root) || chroot("."))
		broken("cannot go back to the root");
	umask(022);
	dcs_task_free(run->task);
	if (dcs_task_new(run->cache, run->base, 0, &run->task))
		broken("cannot make a task");
}

static void compare_stat(struct run *run, size_t at, const char *path, const struct stat *k,
			 const struct dcs_stat *d)
{
	bool size = S_ISDIR(k->st_mode) || (uint64_t)k->st_size == d->size;

	if (k->st_mode != d->mode || k->st_uid != d->uid || k->st_gid != d->gid ||
	    k->st_nlink != d->nlink || !size)
		differs(run, at,
			"stat \"%.80s\": kernel mode %o owner %u:%u links %lu size %ld, "
			"here mode %o owner %u:%u links %u size %lu",
			path, k->st_mode, k->st_uid, k->st_gid, (unsigned long)k->st_nlink,
			(long)k->st_size, d->mode, d->uid, d->gid, d->nlink,
			(unsigned long)d->size);
	if (!paired(&ours_of, k->st_ino, d->ino) || !paired(&kernels_of, d->ino, k->st_ino))
		differs(run, at, "stat \"%.80s\": another inode", path);
}

/* Every plain name to some depth, and so the whole tree but for what long names hide. */
static void sweep(struct run *run, size_t at, char *path, size_t len, unsigned depth)
{
	for (unsigned i = 0; i < PLAIN_NAMES; i++) {
		struct dcs_stat d;
		struct stat k;
		long mine, theirs;

		path[len] = '/';
		path[len + 1] = (char)('a' + i);
		path[len + 2] = 0;
		theirs = lstat(path, &k) ? -errno : 0;
		mine = dcs_stat(run->task, path, DCS_NOFOLLOW, &d);
		if (mine != theirs)
			differs(run, at, "sweep: lstat \"%s\": kernel %s, here %s", path,
				strerror((int)-theirs), strerror((int)-mine));
		if (mine)
			continue;
		compare_stat(run, at, path, &k, &d);
		if (S_ISDIR(k.st_mode) && depth < SWEEP_DEPTH)
			sweep(run, at, path, len + 2, depth + 1);
	}
}

/* What policy forbids on the kernel's side alone. */
static bool set_aside(const struct op *op, const char *a)
{
	struct stat st;

	return op->kind == OP_link && protected_hardlinks && whos[op->who].uid &&
	       !fstatat(AT_FDCWD, a, &st, op->flags & DCS_FOLLOW ? 0 : AT_SYMLINK_NOFOLLOW) &&
	       st.st_uid != whos[op->who].uid;
}

static void step(struct run *run, size_t at)
{
	static char a[MAX_PATH_SIZE], b[MAX_PATH_SIZE];
	static char theirs_read[MAX_PATH_SIZE], mine_read[MAX_PATH_SIZE];
	struct op op = run->ops[at];
	struct dcs_stat d;
	struct stat k;
	long mine, theirs;

	if (protected_symlinks && (op.mode & 01002) == 01002)
		op.mode &= 0777;
	if (op.kind == OP_reset) {
		reset(run);
		return;
	}
	path_string(&op.a, a);
	path_string(&op.b, b);
	become(run, op.who);
	if (set_aside(&op, a))
		return;
	theirs = kernel_do(&op, a, b, &k, theirs_read);
	if (theirs < 0)
		theirs = -errno;
	mine = dcs_do(run->task, &op, a, b, &d, mine_read);
	if (mine != theirs)
		differs(run, at, "kernel %ld (%s), here %ld (%s)", theirs,
			theirs < 0 ? strerror((int)-theirs) : "done", mine,
			mine < 0 ? strerror((int)-mine) : "done");
	if (mine < 0)
		return;
	if (op.kind == OP_stat || op.kind == OP_lstat)
		compare_stat(run, at, a, &k, &d);
	if (op.kind == OP_readlink && memcmp(theirs_read, mine_read, (size_t)mine))
		differs(run, at, "another link body");
}

static void finish(struct run *run)
{
	struct dcs_census census;
	char why[200];

	dcs_task_free(run->task);
	dcs_task_free(run->base);
	if (dcs_check(run->cache, why, sizeof(why)))
		differs(run, run->n - 1, "dcs_check: %s", why);
	dcs_barrier(run->cache);
	dcs_census(run->cache, &census);
	if (census.pending)
		differs(run, run->n - 1, "%lu objects are still pending after dcs_barrier",
			(unsigned long)census.pending);
	dcs_cache_free(run->cache);
}

/* A root of its own, with nothing above it for those who leave their root by `..`. */
static void enter_tmpfs(struct run *run)
{
	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/tmp", "tmpfs", 0, "mode=0777,nr_inodes=0") || chdir("/tmp") ||
	    mount(".", "/", NULL, MS_MOVE, NULL) || chroot("."))
		broken("cannot mount a tmpfs as root");
	run->root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (run->root < 0)
		broken("cannot open the root");
}

static void child(struct run *run)
{
	char path[2 * SWEEP_DEPTH + 3] = "";
	const char *why;

	enter_tmpfs(run);
	if (dcs_cache_new(&run->config, &run->cache, &why))
		broken("cannot make a cache");
	dcs_thread_register(run->cache);
	if (dcs_task_new(run->cache, NULL, 0, &run->base))
		broken("cannot make a task");
	dcs_chmod(run->base, "/", 0777, 0);
	if (dcs_task_new(run->cache, run->base, 0, &run->task))
		broken("cannot make a task");
	reset(run);
	for (size_t i = 0; i < run->n; i++) {
		run->result->at = i; /* should it crash */
		step(run, i);
		if (i % SWEEP_EVERY == SWEEP_EVERY - 1 || i == run->n - 1) {
			reset(run);
			sweep(run, i, path, 0, 1);
		}
	}
	finish(run);
}

/* Returns whether both sides agree; else the result says where they part. */
static bool agree(struct run *run)
{
	pid_t pid;
	int status;

	fflush(NULL);
	run->result->what[0] = 0;
	run->result->at = run->n - 1;
	pid = fork();
	if (!pid) {
		child(run);
		_exit(0); /* no leak is searched for: there is no /proc here */
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		broken("cannot run a child");
	if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
		exit(2);
	if (!run->result->what[0] && !(WIFEXITED(status) && !WEXITSTATUS(status)))
		snprintf(run->result->what, sizeof(run->result->what),
			 "the child ended with status 0x%x", status);
	return !run->result->what[0];
}

/* Leave out what the difference does not need: ever smaller pieces, from the end. */
static void minimise(struct run *run, struct op *ops)
{
	unsigned runs = 0;
	struct result kept = *run->result;
	struct op *less = malloc(run->n * sizeof(*ops));

	run->n = kept.at + 1;
	for (size_t piece = run->n / 2; less && piece; piece /= 2) {
		for (size_t end = run->n; end > 0 && runs < MINIMISE_RUNS; runs++) {
			size_t start = end > piece ? end - piece : 0, n = run->n - (end - start);

			memcpy(less, ops, start * sizeof(*ops));
			memcpy(less + start, ops + end, (run->n - end) * sizeof(*ops));
			run->ops = less;
			run->n = n;
			if (n && !agree(run)) {
				kept = *run->result;
				run->n = kept.at + 1;
				memcpy(ops, less, run->n * sizeof(*ops));
			} else {
				run->n = n + (end - start);
			}
			run->ops = ops;
			end = start < run->n ? start : run->n;
		}
	}
	free(less);
	*run->result = kept;
}

static void report(const struct run *run)
{
	for (size_t i = 0; i < run->n; i++) {
		fprintf(stderr, "  %zu. ", i + 1);
		print_op(stderr, &run->ops[i]);
	}
	fprintf(stderr, "  differs: %s\n", run->result->what);
}

static bool sysctl_on(const char *path)
{
	FILE *f = fopen(path, "re");
	int value = f ? fgetc(f) : '1'; /* not to be seen: as if it were on */

	if (f)
		fclose(f);
	return value != '0';
}

static bool may_run(void)
{
	static const int needed[] = {CAP_CHOWN,	 CAP_DAC_OVERRIDE, CAP_FOWNER,	   CAP_FSETID,
				     CAP_SETGID, CAP_SETUID,	   CAP_SYS_CHROOT, CAP_SYS_ADMIN};
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2];

	if (geteuid() || syscall(SYS_capget, &header, data))
		return false;
	for (size_t i = 0; i < COUNT(needed); i++)
		if (!(data[0].effective & 1u << needed[i]))
			return false;
	if (!fork())
		_exit(unshare(CLONE_NEWNS) ? 1 : 0);
	return wait(&(int){0}) > 0;
}

static int usage(void)
{
	fputs("usage: test_kernel [OPERATIONS [SEED]], OPERATIONS from 1 to 100000000\n", stderr);
	return 2;
}

int main(int argc, char **argv)
{
	size_t total = MEM_ASAN || MEM_TSAN ? 48000 : 200000, configs = 0, walks = 0, n;
	size_t kernels = 0, scheme;
	uint64_t seed = 1;
	struct run run = {.who = -1};
	struct op *ops;

	if (argc > 1)
		total = strtoul(argv[1], NULL, 10);
	if (argc > 2)
		seed = strtoull(argv[2], NULL, 10);
	if (argc > 3 || !total || total > 100000000)
		return usage();
	if (!may_run()) {
		puts("skipped: needs root with a mount namespace of its own");
		return SKIPPED;
	}
	protected_hardlinks = sysctl_on("/proc/sys/fs/protected_hardlinks");
	protected_symlinks = sysctl_on("/proc/sys/fs/protected_symlinks");
	has_fchmodat2 = syscall(SYS_fchmodat2, AT_FDCWD, "", 0, 0) < 0 && errno != ENOSYS;
	run.result = mmap(NULL, sizeof(*run.result), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (const struct dcs_name *w = dcs_list("walks"); w->name; w++)
		walks++;
	for (const struct dcs_name *k = dcs_list("kernels"); k->name; k++)
		kernels++;
	for (const struct dcs_name *f = dcs_list("flavours"); f->name; f++)
		configs += 4 * (walks + kernels);
	if (!walks || !configs)
		broken("no walks or no flavours");
	n = (total + configs - 1) / configs;
	ops = malloc(n * sizeof(*ops));
	if (run.result == MAP_FAILED || !ops)
		broken("no memory");

	for (size_t i = 0; i < configs; i++) {
		struct rng rng = rng_new(seed, i);

		run.config = (struct dcs_config){
			.flavour = dcs_list("flavours")[i / 4 / (walks + kernels)].name,
			.final = i & 1 ? DCS_FINAL_NONE : DCS_FINAL_REF,
			.negative_limit = i & 2 ? 4 : 0,
			.table_bits = 6,
		};
		scheme = i / 4 % (walks + kernels);
		if (scheme < walks)
			run.config.walk = dcs_list("walks")[scheme].name;
		else
			run.config.kernel = dcs_list("kernels")[scheme - walks].name;
		for (size_t j = 0; j < n; j++)
			ops[j] = draw_op(&rng);
		run.ops = ops;
		run.n = n;
		if (!agree(&run)) {
			fprintf(stderr,
				"%s %s final=%s negative_limit=%lu: seed %lu, operation %zu\n",
				run.config.walk ? run.config.walk : run.config.kernel,
				run.config.flavour, i & 1 ? "none" : "ref",
				(unsigned long)run.config.negative_limit, (unsigned long)seed,
				run.result->at);
			print_op(stderr, &ops[run.result->at]);
			fprintf(stderr, "differs: %s; now for a short trace\n", run.result->what);
			minimise(&run, ops);
			report(&run);
			free(ops);
			return 1;
		}
	}
	printf("%zu configurations, %zu operations each, seed %lu: no difference\n", configs, n,
	       (unsigned long)seed);
	free(ops);
	return 0;
}
