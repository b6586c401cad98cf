/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * stress_readdir.c - reading a directory while its names come, go and move
 *
 *	stress_readdir [walk] [flavour] [seconds] [none|memory] [by-index]
 *
 * Two threads read one directory over and over, in small pieces; three others make, remove,
 * rename and move names in it, to another directory and back. What is there all the
 * time must be given exactly once in each reading, and every name must be whole. At the
 * end dcs_check() finds nothing.
 *
 * by-index is a mutant of the reader: it opens the directory anew for each piece and
 * passes over as many entries as it has seen. It must be caught.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dcs/dcs.h"
#include "dcs/store.h"

#define KEPT	100
#define NOISE	60 /* names for each writer */
#define WRITERS 3
#define READERS 2
#define PIECE	(8 * 300) /* bytes of a piece: a few entries of the longest names */

static struct dcs_cache *cache;
static bool stop, by_index, paced;
static unsigned long readings, changes;

#define WRONG(...)                                                                              \
	(fprintf(stderr, "stress: wrong: "), fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), \
	 _exit(1))

static unsigned draw(uint64_t *seed, unsigned n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((*seed >> 33) % n);
}

/* Every third name is too long to be held inline. */
static void noise_name(char *buf, size_t size, unsigned writer, unsigned i, bool away)
{
	snprintf(buf, size, "/%s/noise-%u-%u%s.", away ? "away" : "dir", writer, i,
		 i % 3 ? "" : "-with-a-name-that-is-longer-than-the-room-inside-a-dentry");
}

static void allow(int err, int also)
{
	if (err && err != -ENOENT && err != also)
		WRONG("a change gave %s", strerror(-err));
}

static void change(struct dcs_task *task, unsigned me, uint64_t *seed)
{
	char a[128], b[128];

	noise_name(a, sizeof(a), me, draw(seed, NOISE), false);
	noise_name(b, sizeof(b), me, draw(seed, NOISE), draw(seed, 2));
	switch (draw(seed, 6)) {
	case 0:
	case 1:
		allow(dcs_create(task, a, 0644), -EEXIST);
		break;
	case 2:
		allow(dcs_unlink(task, a), 0);
		break;
	case 3:
		allow(dcs_rename(task, b, a, 0), 0);
		break;
	case 4:
		allow(dcs_rename(task, a, b, 0), 0);
		break;
	default:
		allow(dcs_chmod(task, a, draw(seed, 2) ? 0644 : 0600, 0), 0);
	}
	__atomic_fetch_add(&changes, 1, __ATOMIC_RELAXED);
	if (paced)
		usleep(100);
}

/* Which kept name is it? -1: another that can be there. */
static int kept_index(const char *name)
{
	unsigned writer, i;
	int end = -1;

	if (sscanf(name, "kept-%u.%n", &i, &end) == 1 && end == (int)strlen(name) && i < KEPT)
		return (int)i;
	if (!strcmp(name, ".") || !strcmp(name, ".."))
		return -1;
	if (sscanf(name, "noise-%u-%u", &writer, &i) != 2 || name[strlen(name) - 1] != '.')
		WRONG("a torn name: %s", name);
	return -1;
}

/* Notes the entries of a piece behind the first @skip. Returns how many there were. */
static size_t note(const char *buf, ssize_t n, size_t skip, unsigned char seen[KEPT])
{
	size_t entries = 0;

	for (const char *p = buf; p < buf + n; p += ((const struct dcs_dirent *)p)->size) {
		int i = kept_index(((const struct dcs_dirent *)p)->name);

		if (i >= 0 && entries >= skip)
			seen[i]++;
		entries++;
	}
	return entries;
}

static int open_dir(struct dcs_task *task)
{
	int fd = dcs_open(task, "/dir", O_RDONLY | O_DIRECTORY, 0);

	if (fd < 0)
		WRONG("open gave %s", strerror(-fd));
	return fd;
}

static void read_on(struct dcs_task *task, unsigned char seen[KEPT])
{
	static __thread char buf[PIECE] __attribute__((aligned(8)));
	int fd = open_dir(task);
	ssize_t n;

	while ((n = dcs_getdents(task, fd, buf, sizeof(buf))) > 0)
		note(buf, n, 0, seen);
	if (n < 0)
		WRONG("getdents gave %s", strerror((int)-n));
	dcs_close(task, fd);
}

/* The mutant: from the start each time, past what was counted. */
static void read_by_index(struct dcs_task *task, unsigned char seen[KEPT])
{
	static __thread char buf[PIECE] __attribute__((aligned(8)));
	size_t done = 0, before;

	do {
		int fd = open_dir(task);
		size_t at = 0;
		ssize_t n;

		before = done;
		while (done == before && (n = dcs_getdents(task, fd, buf, sizeof(buf))) > 0) {
			size_t entries = note(buf, n, done > at ? done - at : 0, seen);

			at += entries;
			if (at > done)
				done = at;
		}
		dcs_close(task, fd);
	} while (done > before);
}

static void *reader(void *arg)
{
	struct dcs_task *task = arg;

	dcs_thread_register(cache);
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		unsigned char seen[KEPT] = {0};

		(by_index ? read_by_index : read_on)(task, seen);
		for (int i = 0; i < KEPT; i++)
			if (seen[i] != 1)
				WRONG("kept-%d was given %u times", i, seen[i]);
		__atomic_fetch_add(&readings, 1, __ATOMIC_RELAXED);
	}
	dcs_thread_unregister(cache);
	return NULL;
}

static struct dcs_task *writer_task[WRITERS];

static void *writer(void *arg)
{
	unsigned me = (unsigned)(uintptr_t)arg;
	uint64_t seed = me + 1;

	dcs_thread_register(cache);
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		change(writer_task[me], me, &seed);
	dcs_thread_unregister(cache);
	return NULL;
}

static void set_up(struct dcs_task *task)
{
	char name[64];

	if (dcs_mkdir(task, "/dir", 0755) || dcs_mkdir(task, "/away", 0755))
		WRONG("mkdir");
	for (int i = 0; i < KEPT; i++) {
		uint64_t seed = (uint64_t)i;

		/* Between others, so that their place shifts. */
		for (unsigned k = 0; k < WRITERS; k++)
			change(task, k, &seed);
		snprintf(name, sizeof(name), "/dir/kept-%d.", i);
		if (dcs_create(task, name, 0644))
			WRONG("create");
	}
}

int main(int argc, char **argv)
{
	struct dcs_config config = {.table_bits = 5, .capacity = 1 << 20};
	struct dcs_task *task, *reads[READERS];
	pthread_t thread[READERS + WRITERS];
	double seconds = argc > 3 ? strtod(argv[3], NULL) : 2;
	const char *why_not = "";
	char why[300];

	config.walk = argc > 1 ? argv[1] : NULL;
	config.flavour = argc > 2 ? argv[2] : NULL;
	/* New names of a store come last: a reader would follow hasty writers for long. */
	paced = argc > 4 && !strcmp(argv[4], "memory");
	by_index = argc > 5 && !strcmp(argv[5], "by-index");
	if ((paced && dcs_store_memory(&config)) || dcs_cache_new(&config, &cache, &why_not)) {
		fprintf(stderr, "stress_readdir: %s\n", why_not);
		return 2;
	}
	dcs_thread_register(cache);
	dcs_task_new(cache, NULL, 0, &task);
	set_up(task);
	for (int i = 0; i < READERS; i++) {
		dcs_task_new(cache, task, 0, &reads[i]);
		pthread_create(&thread[i], NULL, reader, reads[i]);
	}
	for (int i = 0; i < WRITERS; i++) {
		dcs_task_new(cache, task, 0, &writer_task[i]);
		pthread_create(&thread[READERS + i], NULL, writer, (void *)(uintptr_t)i);
	}
	dcs_thread_offline(cache);
	usleep((useconds_t)(seconds * 1e6));
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	for (int i = 0; i < READERS + WRITERS; i++)
		pthread_join(thread[i], NULL);
	dcs_thread_online(cache);
	for (int i = 0; i < READERS; i++)
		dcs_task_free(reads[i]);
	for (int i = 0; i < WRITERS; i++)
		dcs_task_free(writer_task[i]);
	if (dcs_check(cache, why, sizeof(why)))
		WRONG("%s", why);
	printf("%lu readings, %lu changes\n", readings, changes);
	if (!readings || !changes)
		WRONG("nothing was done");
	dcs_task_free(task);
	dcs_cache_free(cache);
	return 0;
}
