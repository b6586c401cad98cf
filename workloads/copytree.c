/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * copytree - `cp -a` into a fresh RAM disk, with and without constructors of objects
 *
 * Lameter asked in May 2007 what the constructor of buffer heads is good for ("Remove
 * constructor from buffer_head"): he copied /etc into a RAM disk of 16 MB (test A), and one file of
 * 52 MB into one of 128 MB (test B), nine times each. Here too the source's bytes are in memory
 * before the clock starts, and all memory of the cache and the disk is faulted in.
 *
 *	real	elapsed, from the first call to the last
 *	user	cp's own loop, over calls that do nothing
 *	walk	processor time less user: what the post calls sys
 *
 * Pages of objects are fresh for each run, as in a new cache, or those that the last copy gave
 * back when it was removed: a constructor has run on those long ago.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/output.h"
#include "copy.h"

struct copytree {
	struct opt_names tests, pages;
	uint64_t ramdisk, file_ramdisk, file_size, block_size, write_size;
};

static const struct dcs_name tests[] = {
	{"A", "the tree, into a RAM disk of --ramdisk bytes"},
	{"B", "one file of --file-size bytes, into one of --file-ramdisk"},
	{NULL, NULL},
};

static const struct dcs_name pages[] = {
	{"fresh", "a new cache for each run: its pages of objects have been used by nobody"},
	{"reused", "the last copy is removed before each run, and its objects are used again"},
	{NULL, NULL},
};

#define AT(member) OPT_AT(struct copytree, member)

static const struct opt options[] = {
	{"test", 0, OPT_NAMES, AT(tests), .arg = "A,B", .def = "all", .choices = tests,
	 .help = "what to copy"},
	{"pages", 0, OPT_NAMES, AT(pages), .arg = "P,...", .def = "fresh", .choices = pages,
	 .help = "memory that objects are made in"},
	{"ramdisk", 0, OPT_NUMBER, AT(ramdisk), .arg = "BYTES", .def = "16Mi", .min = 4096,
	 .max = 1ull << 40, .help = "size of the RAM disk of test A"},
	{"file-ramdisk", 0, OPT_NUMBER, AT(file_ramdisk), .arg = "BYTES", .def = "128Mi",
	 .min = 4096, .max = 1ull << 40, .help = "and of test B"},
	{"file-size", 0, OPT_NUMBER, AT(file_size), .arg = "BYTES", .def = "52Mi", .min = 1,
	 .max = 1ull << 40, .help = "of the file of test B"},
	{"block-size", 0, OPT_NUMBER, AT(block_size), .arg = "BYTES", .def = "1024", .min = 1024,
	 .max = 4096, .help = "1024, 2048 or 4096; mke2fs gave disks of that size 1024"},
	{"write-size", 0, OPT_NUMBER, AT(write_size), .arg = "BYTES", .def = "4096", .min = 1,
	 .max = 1 << 30, .help = "that cp writes at once"},
	{.name = NULL},
};

enum { REAL, USER, MEASURES };

/* A cell: one test with one kind of pages in one system. */
struct subject {
	const struct copy *copy;
	bool reused, copied;
	struct worker *worker;
	struct dcs_objects did[DCS_OBJECT_KINDS]; /* in the last run; the same in each */
};

static void *need(void *p)
{
	if (!p)
		fail(EXIT_LACKS, "out of memory");
	return p;
}

/* Copies once; *user: what cp's own loop takes of it. */
static int copy_once(struct cell *cell, struct sample *s, double *user)
{
	struct subject *subject = cell->own;
	struct crew crew = bench_crew(cell, 1, subject->worker);
	int err;

	crew.turn = copy_turn;
	subject->worker->own = (void *)subject->copy;
	subject->worker->stat = dcs_stat;
	subject->worker->task = cell->sut->root;
	dcs_umask(cell->sut->root, 0);
	err = crew_user(&crew, user);
	return err ?: crew_run(&crew, s);
}

/* A disk on which nothing is. Returns how many names of the last copy would not go. */
static uint64_t make_fresh(struct cell *cell)
{
	struct subject *subject = cell->own;
	struct sut *sut = cell->sut;
	uint64_t wrong = 0;

	if (!subject->reused || !subject->copied) {
		sut_renew(sut, &sut->config);
		return 0;
	}
	dcs_thread_register(sut->cache);
	wrong = copy_remove(subject->copy, sut->cache, sut->root);
	dcs_thread_unregister(sut->cache);
	return wrong;
}

static int run(struct cell *cell, struct sample *s)
{
	struct subject *subject = cell->own;
	struct sut *sut = cell->sut;
	struct dcs_objects before[DCS_OBJECT_KINDS];
	uint64_t wrong = make_fresh(cell);
	double user;
	int err;

	if (subject->reused && !subject->copied) { /* the copy that is to be removed */
		err = copy_once(cell, s, &user);
		if (err)
			return err;
		subject->copied = true;
		wrong += make_fresh(cell);
	}
	dcs_objects(sut->cache, before);
	err = copy_once(cell, s, &user);
	if (err)
		return err;
	dcs_objects(sut->cache, subject->did);
	for (int i = 0; i < DCS_OBJECT_KINDS; i++) {
		subject->did[i].allocated -= before[i].allocated;
		subject->did[i].constructed -= before[i].constructed;
		subject->did[i].zeroed -= before[i].zeroed;
	}
	dcs_thread_register(sut->cache);
	s->wrong += wrong + copy_check(subject->copy, sut->cache, sut->root);
	dcs_thread_unregister(sut->cache);
	s->value = (s->cpu - user) * 1e3;
	s->measure[REAL] = s->wall * 1e3;
	s->measure[USER] = user * 1e3;
	return 0;
}

/* ---- reports */

static double least_of(const struct cell *cell, unsigned measure)
{
	double least = cell->sample[0].measure[measure];

	for (size_t r = 1; r < cell->bench->opt->runs; r++)
		if (cell->sample[r].measure[measure] < least)
			least = cell->sample[r].measure[measure];
	return least;
}

static uint64_t sum_of(const struct subject *s, size_t field)
{
	uint64_t sum = 0;

	for (int i = 0; i < DCS_OBJECT_KINDS; i++)
		sum += *(const uint64_t *)((const char *)&s->did[i] + field);
	return sum;
}

#define SUM(S, FIELD) sum_of(S, offsetof(struct dcs_objects, FIELD))

static void put_cell(struct bench *b, struct table *t, const struct cell *cell)
{
	const struct subject *s = cell->own;

	table_row(t);
	table_put(t, "%s", cell->variant);
	bench_put_axes(t, b, cell->sut, false);
	table_put(t, "%.3f", bench_median_measure(cell, REAL));
	table_put(t, "%.3f", least_of(cell, REAL));
	bench_put_measure_ratio(t, cell, REAL);
	table_put(t, "%.3f", bench_median_measure(cell, USER));
	bench_put_median(t, cell, 3);
	table_put(t, "%llu", (unsigned long long)s->did[DCS_OBJECT_DENTRY].allocated);
	table_put(t, "%llu", (unsigned long long)s->did[DCS_OBJECT_INODE].allocated);
	table_put(t, "%llu", (unsigned long long)s->did[DCS_OBJECT_BUFFER].allocated);
	table_put(t, "%llu", (unsigned long long)SUM(s, constructed));
	table_put(t, "%llu", (unsigned long long)SUM(s, zeroed));
}

static void print_source(const struct copy *copy, const char *test, const char *what, uint64_t disk,
			 uint64_t block)
{
	printf("%s: cp -a of %s, %zu names, %zu files of %llu bytes, into a RAM disk of %llu bytes "
	       "in blocks of %llu",
	       test, what, copy->n, copy->n_files, (unsigned long long)copy->bytes,
	       (unsigned long long)disk, (unsigned long long)block);
	if (copy->unreadable)
		printf("; %zu files may not be read and are left out", copy->unreadable);
	puts(".");
	if (copy->cut)
		printf("   ENOSPC: %zu of %zu files did not fit, %llu of %llu bytes were copied.\n",
		       copy->cut, copy->n_files, (unsigned long long)copy->stored,
		       (unsigned long long)copy->bytes);
}

static const struct copy *copy_for(const struct bench *b, const char *test)
{
	for (size_t i = 0; i < b->n_cells; i++)
		if (*b->cell[i]->variant == *test)
			return ((const struct subject *)b->cell[i]->own)->copy;
	return NULL;
}

/* What the post has: a row a run. */
static void print_rows(const struct bench *b)
{
	struct table *t =
		table_new("run>", "test", "with", "real ms>", "user ms>", "walk ms>", NULL);

	for (size_t r = 0; r < b->opt->runs; r++)
		for (size_t i = 0; i < b->n_cells; i++) {
			const struct cell *cell = b->cell[i];
			char label[256];

			sut_label(b, cell->sut, false, label, sizeof(label));
			table_row(t);
			table_put(t, "%zu", r + 1);
			table_put(t, "%s", cell->variant);
			table_put(t, "%s", label);
			table_put(t, "%.3f", cell->sample[r].measure[REAL]);
			table_put(t, "%.3f", cell->sample[r].measure[USER]);
			table_put(t, "%.3f", cell->sample[r].value);
		}
	table_print(t, stdout);
}

static void print(struct bench *b)
{
	const struct copytree *own = b->own;
	struct table *t = table_new("test", "kernel", "walk", "layout", "hash", "flavour", "final",
				    "with", "real ms>", "lowest>", "ratio>", "user ms>", "walk ms>",
				    "95 %>", "ratio>", "dentries>", "inodes>", "heads>",
				    "constructed>", "zeroed bytes>", NULL);

	if (copy_for(b, "A"))
		print_source(copy_for(b, "A"), "A", b->opt->tree, own->ramdisk, own->block_size);
	if (copy_for(b, "B"))
		print_source(copy_for(b, "B"), "B", "one file", own->file_ramdisk, own->block_size);
	printf("%llu runs, medians and the lowest; `walk` is what the post calls sys; ratios are "
	       "to "
	       "the first row of a test,\n~ is no difference at 5 %%. Objects that a run "
	       "allocates, of which so many were constructed by a constructor or zeroed.\n",
	       (unsigned long long)b->opt->runs);
	for (size_t i = 0; i < b->n_cells; i++)
		put_cell(b, t, b->cell[i]);
	table_print(t, stdout);
	if (b->opt->verbose)
		print_rows(b);
}

static void add_figures(struct cell *cell)
{
	static const char *const allocated[] = {
		[DCS_OBJECT_DENTRY] = "allocated_dentries",
		[DCS_OBJECT_INODE] = "allocated_inodes",
		[DCS_OBJECT_BUFFER] = "allocated_buffer_heads",
	};
	const struct subject *s = cell->own;

	bench_figure(cell, "names", (double)s->copy->n);
	bench_figure(cell, "files", (double)s->copy->n_files);
	bench_figure(cell, "unreadable_files", (double)s->copy->unreadable);
	bench_figure(cell, "enospc_files", (double)s->copy->cut);
	bench_figure(cell, "source_bytes", (double)s->copy->bytes);
	bench_figure(cell, "copied_bytes", (double)s->copy->stored);
	bench_figure(cell, "blocks", (double)s->copy->blocks);
	for (int i = 0; i < DCS_OBJECT_KINDS; i++)
		bench_figure(cell, allocated[i], (double)s->did[i].allocated);
	bench_figure(cell, "constructed_objects", (double)SUM(s, constructed));
	bench_figure(cell, "zeroed_bytes", (double)SUM(s, zeroed));
}

/* ---- set up */

/* A cell for each system; each has a cache of its own, with a disk. */
static void add_cells(struct bench *b, const struct copy *copy, const struct tree *tree,
		      const char *variant, uint64_t disk, bool reused)
{
	const struct copytree *own = b->own;
	size_t first = b->n_suts, first_cell = b->n_cells;

	bench_systems(b, NULL);
	for (size_t i = first; i < b->n_suts; i++) {
		struct sut *sut = b->sut[i];
		struct cell *cell = bench_cell(b, sut, 1);
		struct subject *subject = need(calloc(1, sizeof(*subject)));

		sut->tree = tree;
		sut->table_bits = sut->config.table_bits = buckets_bits(b->opt, tree);
		sut->config.disk_size = disk;
		sut->config.block_size = (uint32_t)own->block_size;
		sut->config.prefault = copy->n + 64;
		if (copy->n > SUT_CAPACITY / 2)
			sut->config.capacity = 2 * copy->n;
		*subject =
			(struct subject){.copy = copy, .reused = reused, .worker = crew_workers(1)};
		cell->variant = variant;
		cell->unit = "ms";
		cell->run = run;
		cell->own = subject;
		cell->base = b->cell[first_cell];
	}
}

static bool is_chosen(const struct opt_names *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->v[i], name))
			return true;
	return false;
}

static void add_test(struct bench *b, const struct copy *copy, const struct tree *tree,
		     const char *fresh, const char *reused, uint64_t disk)
{
	const struct copytree *own = b->own;

	if (is_chosen(&own->pages, "fresh"))
		add_cells(b, copy, tree, fresh, disk, false);
	if (is_chosen(&own->pages, "reused"))
		add_cells(b, copy, tree, reused, disk, true);
	if (copy->cut && !b->opt->quiet)
		warn("test %c: the RAM disk is full (ENOSPC): %zu of %zu files did not fit", *fresh,
		     copy->cut, copy->n_files);
}

/* A disk is faulted in whole, and the source lies beside it. */
static void check_memory(const char *option, uint64_t disk)
{
	uint64_t most = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 4;

	if (disk > most)
		fail(EXIT_LACKS,
		     "--%s: %llu bytes are more than a quarter of this machine's memory; right is "
		     "%llu or less",
		     option, (unsigned long long)disk, (unsigned long long)most);
}

static int copytree_main(struct bench *b, void *options_given)
{
	const struct copytree *own = options_given;
	struct copy *a = NULL, *file = NULL;
	uint64_t block = own->block_size;

	if (block & (block - 1))
		fail(EXIT_USAGE, "--block-size: %llu is none; right are 1024, 2048 and 4096",
		     (unsigned long long)block);
	if (bench_measure_name(b, "real", "ms") != REAL ||
	    bench_measure_name(b, "user", "ms") != USER)
		abort();
	if (is_chosen(&own->tests, "A"))
		check_memory("ramdisk", own->ramdisk);
	if (is_chosen(&own->tests, "B"))
		check_memory("file-ramdisk", own->file_ramdisk);
	if (is_chosen(&own->tests, "A")) {
		const struct tree *tree = bench_tree(b);

		a = copy_of_tree(tree, own->ramdisk, block, own->write_size, b->opt->seed);
		if (!a->n)
			fail(EXIT_USAGE, "--tree %s: there is nothing in it to copy", tree->spec);
		add_test(b, a, tree, "A", "A, reused", own->ramdisk);
	}
	if (is_chosen(&own->tests, "B")) {
		file = copy_of_file(own->file_size, own->file_ramdisk, block, own->write_size,
				    b->opt->seed);
		add_test(b, file, NULL, "B", "B, reused", own->file_ramdisk);
	}
	b->table = print;
	bench_measure(b);
	for (size_t i = 0; i < b->n_cells; i++)
		add_figures(b->cell[i]);
	bench_report(b);
	for (size_t i = 0; i < b->n_cells; i++) {
		struct subject *subject = b->cell[i]->own;

		free(subject->worker);
		free(subject);
	}
	if (a)
		copy_free(a);
	if (file)
		copy_free(file);
	return 0;
}

const struct workload workload_copytree = {
	.name = "copytree",
	.summary = "cp -a into a RAM disk, with objects that are zeroed or constructed once",
	.about =
		"Test A copies a tree of small files, test B one large file, each into a fresh RAM "
		"disk: lstat, mkdir or open, writes block by block with a buffer head each, owner, "
		"mode and times, as cp -a. The bytes of dir:PATH are read into memory first; other "
		"trees have made ones. A tree that does not fit is copied as far as it does: "
		"ENOSPC is counted, said, and no failure. Each run's names, attributes, bytes and "
		"blocks are checked.",
	.options = options,
	.size = sizeof(struct copytree),
	.defaults = (const char *const[]){"tree=dir:/etc", "objects=zeroed,constructed", "runs=9",
					  "threads=1", NULL},
	.without = (const char *const[]){"threads", "loops", "duration", "switch", "os-threads",
					 "reference", "store", "store-latency", "limit",
					 "negative-limit", NULL},
	.main = copytree_main,
};
