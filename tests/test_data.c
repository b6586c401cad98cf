/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* test_data.c - files with data on a RAM disk: every byte, every block, and no room left */
#include "variants.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dcs/store.h"
#include "rng.h"

#define DISK ((size_t)1 << 20)

static struct dcs_statfs disk(void)
{
	struct dcs_statfs st;

	dcs_statfs(cache, &st);
	return st;
}

static uint64_t taken(void)
{
	return disk().blocks - disk().free;
}

static struct dcs_objects buffers(void)
{
	struct dcs_objects of[DCS_OBJECT_KINDS];

	dcs_objects(cache, of);
	return of[DCS_OBJECT_BUFFER];
}

static int open_file(const char *path)
{
	int fd = dcs_open(task, path, O_RDWR | O_CREAT, 0644);

	assert_true(fd >= 0);
	return fd;
}

/* Each size of a block, with constructors and without. */
static void run_disks(void (*body)(void))
{
	static const char *const kinds[] = {"zeroed", "constructed"};

	for (uint32_t block = 1024; block <= 4096; block *= 2)
		for (size_t i = 0; i < COUNT(kinds); i++) {
			config = (struct dcs_config){
				.walk = "rcu-walk",
				.flavour = "urcu-memb",
				.table_bits = 6,
				.capacity = 64,
				.objects = kinds[i],
				.disk_size = DISK + block / 2, /* the half is not used */
				.block_size = block,
			};
			run_one(body);
		}
}

static void fill(char *buf, size_t n, uint64_t seed)
{
	struct rng rng = rng_new(seed, 1);

	for (size_t i = 0; i < n; i++)
		buf[i] = (char)rng_below(&rng, 256);
}

/* The last block goes to who asks for it, and the next one is refused. */
static void body_full(void)
{
	static char buf[2 * DISK], back[DISK];
	size_t block = config.block_size;
	int fd = open_file("/a"), other = open_file("/b"), third = open_file("/c");

	IS(disk().block_size, block);
	IS(disk().blocks, DISK / block);
	fill(buf, sizeof(buf), 1);
	IS(dcs_pwrite(task, fd, buf, DISK - block, 0), DISK - block);
	IS(disk().free, 1);
	IS(disk().refused, 0);
	/* A block and a half of room is wanted where one is: the half that there is room for. */
	IS(dcs_pwrite(task, other, buf, block + block / 2, block / 2), block / 2);
	IS(disk().free, 0);
	IS(disk().refused, 1);
	IS(lstat_of("/b").size, block);
	IS(dcs_pwrite(task, third, buf, 1, 0), -ENOSPC);
	IS(disk().refused, 2);
	IS(lstat_of("/c").size, 0);
	/* What has blocks can be written, and nothing more. */
	IS(dcs_pwrite(task, other, buf, block, 0), block);
	IS(dcs_pwrite(task, other, buf, 1, (off_t)block), -ENOSPC);
	IS(dcs_pwrite(task, other, buf, 2 * block, (off_t)block - 1), 1);
	IS(dcs_pread(task, fd, back, sizeof(back), 0), DISK - block);
	assert_memory_equal(back, buf, DISK - block);
	/* A name that goes gives its blocks back when the file is closed. */
	IS(dcs_unlink(task, "/a"), 0);
	IS(disk().free, 0);
	dcs_close(task, fd);
	IS(disk().free, DISK / block - 1);
	IS(dcs_pwrite(task, third, buf, 2 * DISK, 0), DISK - block);
	IS(disk().free, 0);
	IS(dcs_open(task, "/c", O_WRONLY | O_TRUNC, 0), fd);
	IS(disk().free, DISK / block - 1);
	IS(lstat_of("/c").size, 0);
	IS(dcs_setsize(task, "/b", 1, 0, 0), 0);
	IS(taken(), 1);
	IS(dcs_setsize(task, "/b", 0, 0, 0), 0);
	IS(taken(), 0);
	IS(buffers().live, 0);
	assert_true(buffers().allocated >= DISK / block);
	if (!strcmp(config.objects, "constructed")) {
		IS(buffers().zeroed, 0);
		assert_true(buffers().constructed >= DISK / block);
	} else {
		IS(buffers().zeroed, 104 * buffers().allocated);
		IS(buffers().constructed, 0);
	}
}

static void test_full(void **state)
{
	(void)state;
	run_disks(body_full);
}

/* Writes, reads and cuts drawn at random, here and in a file of the kernel's. */
static void body_as_kernel(void)
{
	static char buf[40000], here[600000], there[600000];
	struct rng rng = rng_new(config.block_size, 7);
	int fd = open_file("/f"), kernel = memfd_create("reference", 0);

	assert_true(kernel >= 0);
	for (int i = 0; i < 400; i++) {
		/* Near the ends of blocks and pages, too. */
		uint64_t at =
			rng_below(&rng, 2) ? rng_below(&rng, 500000) : 1024 * rng_below(&rng, 400);
		size_t n =
			rng_below(&rng, 2) ? rng_below(&rng, sizeof(buf)) : rng_below(&rng, 2048);

		if (rng_below(&rng, 4)) {
			fill(buf, n, (uint64_t)i);
			IS(dcs_pwrite(task, fd, buf, n, (off_t)at), n);
			assert_int_equal(pwrite(kernel, buf, n, (off_t)at), n);
		} else {
			at = rng_below(&rng, 4) ? at : 0;
			IS(dcs_setsize(task, "/f", at, 0, 0), 0);
			assert_int_equal(ftruncate(kernel, (off_t)at), 0);
		}
		at = rng_below(&rng, 3) ? 0 : rng_below(&rng, 500000);
		n = (size_t)dcs_pread(task, fd, here, sizeof(here), (off_t)at);
		IS(n, pread(kernel, there, sizeof(there), (off_t)at));
		assert_memory_equal(here, there, n);
	}
	close(kernel);
	dcs_close(task, fd);
	IS(dcs_unlink(task, "/f"), 0);
	IS(taken(), 0);
	IS(buffers().live, 0);
}

static void test_as_kernel(void **state)
{
	(void)state;
	run_disks(body_as_kernel);
}

/* Holes take no blocks, wherever they end; the index of a file is as deep as it has to be. */
static void body_sparse(void)
{
	const off_t far[] = {0, 4096, 64 * 4096, 4096 * 4096, (off_t)1 << 40, INT64_MAX - 4095};
	char buf[3] = "", zero[3] = "";
	int fd = open_file("/f");

	for (size_t i = 0; i < COUNT(far); i++) {
		IS(dcs_pwrite(task, fd, "x", 1, far[i]), 1);
		IS(taken(), i + 1);
		IS(lstat_of("/f").size, far[i] + 1);
		IS(dcs_pread(task, fd, buf, 3, far[i]), 1);
		assert_int_equal(*buf, 'x');
	}
	IS(dcs_pread(task, fd, buf, 3, 5000), 3);
	assert_memory_equal(buf, zero, 3);
	IS(dcs_pread(task, fd, buf, 3, INT64_MAX), 0);
	IS(dcs_pwrite(task, fd, "x", 1, INT64_MAX), -EFBIG);
	for (size_t i = COUNT(far); i--;) {
		IS(dcs_setsize(task, "/f", (uint64_t)far[i] + 1, 0, 0), 0);
		IS(taken(), i + 1);
		IS(dcs_pread(task, fd, buf, 1, far[i]), 1);
		assert_int_equal(*buf, 'x');
		IS(dcs_setsize(task, "/f", (uint64_t)far[i], 0, 0), 0);
		IS(taken(), i);
	}
	IS(dcs_pwrite(task, fd, "x", 1, far[4]), 1); /* is given back with the cache */
}

static void test_sparse(void **state)
{
	(void)state;
	run_disks(body_sparse);
}

static void body_refused(void)
{
	struct dcs_stat before, after;
	char buf[4] = "";
	int fd;

	IS(dcs_mknod(task, "/fifo", S_IFIFO | 0666, 0), 0);
	fd = dcs_open(task, "/fifo", O_RDWR, 0);
	IS(dcs_pwrite(task, fd, buf, 1, 0), -ESPIPE);
	IS(dcs_pread(task, fd, buf, 1, 0), -ESPIPE);
	fd = dcs_open(task, "/", O_RDONLY, 0);
	IS(dcs_pwrite(task, fd, buf, 1, 0), -EBADF);
	IS(dcs_pread(task, fd, buf, 1, 0), -EISDIR);
	fd = dcs_open(task, "/f", O_WRONLY | O_CREAT, 06777);
	IS(dcs_pread(task, fd, buf, 1, 0), -EBADF);
	IS(dcs_pwrite(task, fd, buf, 1, -1), -EINVAL);
	IS(dcs_pwrite(task, fd + 1, buf, 1, 0), -EBADF);
	IS(dcs_setsize(task, "/f", 0, 5, 0), 0);
	before = lstat_of("/f");
	IS(dcs_pwrite(task, fd, buf, 0, 10), 0);
	after = lstat_of("/f");
	IS(after.mtime.tv_sec, before.mtime.tv_sec);
	IS(after.size, 0);
	/* Root may do everything; another ends the set-id bits. */
	IS(dcs_pwrite(task, fd, buf, 4, 0), 4);
	after = lstat_of("/f");
	IS(after.mode & 07000, 06000);
	assert_true(after.mtime.tv_sec > 1000);
	IS(dcs_chown(task, "/f", 1000, 1000, 0), 0);
	IS(dcs_chmod(task, "/f", 06777, 0), 0);
	IS(dcs_setcred(task, 1000, 1000, 0, NULL), 0);
	IS(dcs_pwrite(task, fd, buf, 4, 0), 4);
	IS(lstat_of("/f").mode & 07000, 0);
	IS(dcs_setcred(task, 0, 0, 0, NULL), 0);
	fd = dcs_open(task, "/f", O_RDONLY, 0);
	IS(dcs_pwrite(task, fd, buf, 1, 0), -EBADF);
	IS(dcs_pread(task, fd, buf, 4, 2), 2);
	fd = dcs_open(task, "/f", O_PATH, 0);
	IS(dcs_pread(task, fd, buf, 4, 0), -EBADF);
}

/* Without a disk too: there the size moves, and zeros are read. */
static void test_refused(void **state)
{
	char why[100];
	struct dcs_cache *none;
	const char *wrong;

	(void)state;
	run_disks(body_refused);
	config.disk_size = 0;
	run_one(body_refused);
	config.block_size = 512;
	IS(dcs_cache_new(&config, &none, &wrong), -EINVAL);
	assert_non_null(strstr(wrong, "block_size"));
	config.block_size = 4096;
	config.disk_size = 4095;
	IS(dcs_cache_new(&config, &none, &wrong), -EINVAL);
	assert_non_null(strstr(wrong, "less than a block"));
	config.disk_size = DISK;
	IS(dcs_store_memory(&config), 0);
	IS(dcs_cache_new(&config, &none, &wrong), -EINVAL);
	snprintf(why, sizeof(why), "%s", wrong);
	assert_non_null(strstr(why, "store"));
}

/*
 * Threads over two files on a disk that is too small for both: a write is of one letter, so
 * what is read of where it begins is one letter, with zeros behind where it was cut meanwhile.
 */
#define THREADS 3
#define LETTERS 6000

static bool is_whole(const char *buf, size_t n)
{
	size_t same = 0;

	while (same < n && buf[same] == *buf)
		same++;
	while (same < n && !buf[same])
		same++;
	return same == n;
}

static void *work(void *number)
{
	struct rng rng = rng_new((uintptr_t)number, 3);
	static const char *const names[] = {"/a", "/b"};
	char buf[LETTERS];
	struct dcs_task *mine;
	uintptr_t bad = 0;

	dcs_thread_register(cache);
	bad += dcs_task_new(cache, NULL, 0, &mine) != 0;
	for (int i = 0; i < 300 && !bad; i++) {
		const char *name = names[rng_below(&rng, 2)];
		int fd = dcs_open(mine, name, O_RDWR | O_CREAT, 0644);
		ssize_t n;

		memset(buf, 'a' + (int)rng_below(&rng, 26), sizeof(buf));
		n = dcs_pwrite(mine, fd, buf, sizeof(buf), 0);
		bad += n <= 0 && n != -ENOSPC;
		/* Where the disk was full, the end of an older letter may stay. */
		n = dcs_pread(mine, fd, buf, 1024, 0);
		bad += n < 0 || !is_whole(buf, (size_t)n);
		if (!rng_below(&rng, 3))
			bad += dcs_setsize(mine, name, rng_below(&rng, 3000), 1, 0) == -EIO;
		if (!rng_below(&rng, 4))
			dcs_unlink(mine, name);
		dcs_close(mine, fd);
	}
	dcs_task_free(mine);
	dcs_thread_unregister(cache);
	return (void *)bad;
}

static void body_threads(void)
{
	pthread_t thread[THREADS];
	void *bad;

	for (uintptr_t i = 0; i < THREADS; i++)
		IS(pthread_create(&thread[i], NULL, work, (void *)i), 0);
	dcs_thread_offline(cache);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(thread[i], &bad);
		assert_null(bad);
	}
	dcs_thread_online(cache);
	dcs_unlink(task, "/a");
	dcs_unlink(task, "/b");
	assert_true(disk().refused > 0);
	IS(taken(), 0);
	IS(buffers().live, 0);
}

static void test_threads(void **state)
{
	static const char *const kinds[] = {"zeroed", "constructed"};

	(void)state;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		config = (struct dcs_config){
			.walk = "rcu-walk",
			.flavour = "urcu-memb",
			.objects = kinds[i],
			.disk_size = 9 * 1024,
			.block_size = 1024,
		};
		run_one(body_threads);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_full),	cmocka_unit_test(test_as_kernel),
		cmocka_unit_test(test_sparse),	cmocka_unit_test(test_refused),
		cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
