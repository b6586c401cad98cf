/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * hash-speed.c - ns a name by its length, and with cold code
 *
 * By length: names of random bytes, as many as stay in L2, by the loops of hash-loops.c. All
 * of one length, so that a hash which branches on it predicts each branch: names of mixed
 * lengths, as the part `walk` has them, cost such a hash more.
 *
 * Cold: names of the tree, one call at a time between two readings of a clock. Before
 * each, the processor returns once from each line of 128 KiB of code that does nothing else,
 * which leaves no line of anything else in L1i, and reads twice the size of L2, which
 * leaves none there. The second reading of the clock is warm, so each call has one
 * reading in it; so has that of `null`, the floor. The call is by pointer.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "lab.h"

enum {
	NAMES = 512,	  /* of each length */
	PASSES = 16,	  /* over them, a run */
	COLD_NAMES = 256, /* calls, a run */
	LINE = 64,
	CODE = 128 << 10, /* twice the largest L1i there is */
	L2_UNKNOWN = 2 << 20,
};

/* ---- by length */

struct length {
	struct lab_names names;
	turn_fn *loop;
	char variant[32];
};

static struct {
	const struct pairs *pairs; /* the tree's, for cold calls */
	char *text;		   /* of all lengths */
	struct pair *pair;
	struct length *length; /* [hash][length][latency], as the cells */
	struct cell **cell;
	struct cell **cold; /* [hash] */
} speed;

static int run_length(struct cell *cell, struct sample *sample)
{
	struct length *l = cell->own;

	return lab_run_loop(cell, &l->names, l->loop, PASSES, sample);
}

/* NAMES names of each length, ended by NUL and padded. */
static void make_names(const struct lab *lab)
{
	const struct opt_numbers *lengths = lab->lengths;
	struct rng rng = rng_new(lab->b->opt->seed, 0x6c656e67746873);
	size_t bytes = 0;
	char *at;

	for (size_t i = 0; i < lengths->n; i++)
		bytes += NAMES * (lengths->v[i] + 1 + TREE_PAD);
	speed.text = at = allocate(bytes, 1);
	speed.pair = allocate(lengths->n * NAMES, sizeof(*speed.pair));
	for (size_t i = 0; i < lengths->n * NAMES; i++) {
		uint32_t len = (uint32_t)lengths->v[i / NAMES];

		speed.pair[i] =
			(struct pair){.name = at, .len = len, .parent = lab->pairs->pair[0].parent};
		for (uint32_t j = 0; j < len; j++)
			*at++ = (char)('a' + rng_below(&rng, 26));
		at += 1 + TREE_PAD;
	}
}

static struct cell *add_length(struct lab *lab, struct sut *sut, const struct hash_ops *hash,
			       struct length *l, size_t i, bool latency)
{
	const struct lab_loops *loops = lab_loops_of(hash);
	struct cell *cell = bench_cell(lab->b, sut, 1);
	unsigned len = (unsigned)lab->lengths->v[i];

	*l = (struct length){
		.names = {.pair = speed.pair + i * NAMES, .n = NAMES, .bits = lab->bits},
		.loop = latency ? loops->latency : loops->throughput,
	};
	snprintf(l->variant, sizeof(l->variant), "%s of %u bytes",
		 latency ? "latency" : "throughput", len);
	lab_check(&l->names, hash);
	bench_figure(cell, "length", len);
	cell->variant = l->variant;
	cell->unit = "ns/name";
	cell->run = run_length;
	cell->own = l;
	cell->own_panel = true;
	return cell;
}

/* ---- cold */

static struct {
	char *code;
	volatile char *data;
	size_t data_size;
} cold;

/* Code in which each line is a return. NULL: not known how on this processor, or refused. */
static char *make_returns(void)
{
	char *code = mmap(NULL, CODE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (code == MAP_FAILED)
		return NULL;
	for (size_t i = 0; i < CODE; i += LINE) {
#if defined(__x86_64__)
		memcpy(code + i, "\xc3", 1);
#elif defined(__aarch64__)
		memcpy(code + i, "\xc0\x03\x5f\xd6", 4);
#else
		munmap(code, CODE);
		return NULL;
#endif
	}
	__builtin___clear_cache(code, code + CODE);
	if (mprotect(code, CODE, PROT_READ | PROT_EXEC)) {
		munmap(code, CODE);
		return NULL;
	}
	return code;
}

static void make_cold(void)
{
	long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);

	cold.code = make_returns();
	cold.data_size = 2 * (size_t)(l2 > 0 ? l2 : L2_UNKNOWN);
	cold.data = allocate(cold.data_size, 1);
}

static void evict(void)
{
	for (size_t i = 0; i < cold.data_size; i += LINE)
		cold.data[i]++;
	for (size_t i = 0; i < CODE; i += LINE) {
		void (*nothing)(void);

		memcpy(&nothing, &(char *){cold.code + i}, sizeof(nothing));
		nothing();
	}
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The names of a run lie apart in the tree, so that no call has the neighbour's line. */
static int run_cold(struct cell *cell, struct sample *sample)
{
	const struct hash_ops *hash = cell->own;
	const struct pairs *pairs = speed.pairs;
	double in_calls = 0, begin = now();

	*sample = (struct sample){.ops = COLD_NAMES};
	for (size_t i = 0; i < COLD_NAMES; i++) {
		const struct pair *p = &pairs->pair[i * pairs->n / COLD_NAMES];
		uint32_t len = 0, got;
		double start;

		evict();
		start = now();
		got = hash->component(p->name, &len, p->parent, hash_default_key);
		got = hash->bucket(got, p->parent, cell->sut->table_bits);
		__asm__ volatile("" : : "r"(got));
		in_calls += now() - start;
		sample->wrong += got != lab_bucket(hash, p, cell->sut->table_bits);
	}
	sample->wall = sample->cpu = (now() - begin) * 1e-9;
	sample->value = in_calls / COLD_NAMES;
	return 0;
}

static struct cell *add_cold(struct lab *lab, struct sut *sut, const struct hash_ops *hash)
{
	struct cell *cell = bench_cell(lab->b, sut, 1);

	cell->variant = "cold";
	cell->unit = "ns/name";
	cell->run = run_cold;
	cell->own = (void *)hash;
	cell->own_panel = true;
	return cell;
}

/* ---- the part */

static struct cell **cells_of(const struct lab *lab, size_t hash, size_t length)
{
	return &speed.cell[(hash * lab->lengths->n + length) * 2];
}

static void speed_set_up(struct lab *lab)
{
	struct length *l;

	speed.pairs = lab->pairs;
	speed.length = l = allocate(2 * lab->n * lab->lengths->n, sizeof(*l));
	speed.cell = allocate(2 * lab->n * lab->lengths->n, sizeof(struct cell *));
	speed.cold = allocate(lab->n, sizeof(struct cell *));
	make_names(lab);
	make_cold();
	for (size_t h = 0; h < lab->n; h++) {
		struct sut *sut = lab_stand_in(lab, lab->hash[h]);

		for (size_t i = 0; i < lab->lengths->n; i++)
			for (int latency = 0; latency < 2; latency++)
				cells_of(lab, h, i)[latency] =
					add_length(lab, sut, lab->hash[h], l++, i, latency);
		if (cold.code)
			speed.cold[h] = add_cold(lab, sut, lab->hash[h]);
	}
}

static void print_lengths(const struct lab *lab, int latency)
{
	struct table *t = table_new("hash", NULL);

	printf("ns a name by its length in bytes, %s; medians.\n",
	       latency ? "latency: each parent known after the bucket before"
		       : "throughput: names do not wait for each other");
	for (size_t i = 0; i < lab->lengths->n; i++) {
		char heading[16];

		snprintf(heading, sizeof(heading), "%u>", (unsigned)lab->lengths->v[i]);
		table_column(t, heading);
	}
	if (!latency && cold.code)
		table_column(t, "cold>");
	for (size_t h = 0; h < lab->n; h++) {
		table_row(t);
		table_put(t, "%s", lab->hash[h]->name);
		for (size_t i = 0; i < lab->lengths->n; i++)
			table_put(t, "%.1f", cells_of(lab, h, i)[latency]->summary.median);
		if (!latency && cold.code)
			table_put(t, "%.0f", speed.cold[h]->summary.median);
	}
	table_print(t, stdout);
}

static void speed_print(struct lab *lab)
{
	print_lengths(lab, 0);
	printf(cold.code ? "cold: a call by pointer for a name of the tree, after 128 KiB of other "
			   "code and %zu MiB of other data; one reading of the clock is in it.\n\n"
			 : "cold: not measured: this processor or system gives no code to evict "
			   "with.\n\n",
	       cold.data_size >> 20);
	print_lengths(lab, 1);
}

static size_t speed_panel(struct lab *lab, FILE *script)
{
	enum { HEIGHT = 420 };

	for (size_t h = 0; h < lab->n; h++) {
		fprintf(script, "$speed%zu << END_OF_SPEED\n", h);
		for (size_t i = 0; i < lab->lengths->n; i++)
			fprintf(script, "%u %.10g %.10g\n", (unsigned)lab->lengths->v[i],
				cells_of(lab, h, i)[0]->summary.median,
				cells_of(lab, h, i)[1]->summary.median);
		fputs("END_OF_SPEED\n", script);
	}
	for (int latency = 0; latency < 2; latency++) {
		plot_place(script, HEIGHT);
		fprintf(script,
			"set title '%s by length' noenhanced\nset logscale x 2\nset key left top "
			"noenhanced\nset grid\nset xlabel 'bytes of the name'\nset ylabel "
			"'ns/name'\nset logscale y\nplot ",
			latency ? "latency" : "throughput");
		for (size_t h = 0; h < lab->n; h++)
			fprintf(script, "%s$speed%zu using 1:%d with linespoints title '%s'",
				h ? ", " : "", h, 2 + latency, lab->hash[h]->name);
		fputs("\n", script);
	}
	return 2 * HEIGHT;
}

static void speed_tear_down(void)
{
	if (cold.code)
		munmap(cold.code, CODE);
	free((void *)cold.data);
	free(speed.length);
	free(speed.cold);
	free(speed.cell);
	free(speed.pair);
	free(speed.text);
}

const struct lab_part lab_speed = {
	.name = "speed",
	.set_up = speed_set_up,
	.print = speed_print,
	.panel = speed_panel,
	.tear_down = speed_tear_down,
};
