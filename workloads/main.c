// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * main - the main job: every workload on one tree, and what they say together
 *
 * Each part is a command that can be given by itself; its heading says which. The
 * common options that main was given stand behind the part's own. The last line is
 * computed from this run: a ratio stands where the Mann-Whitney test and the ratio's
 * interval see a difference, and where they do not, that is said.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/output.h"
#include "cli/parse.h"

extern const struct workload workload_dcachebench, workload_gitdiff, workload_hash,
	workload_statstorm;

#define WALKS "--walk=rcu-walk,ref-walk"
#define SEES  4 /* fewest runs with which the Mann-Whitney test can see any difference at 5 % */
#define WORDS 8 /* most of a part's own */

static const struct part {
	const struct workload *workload;
	double seconds; /* about, on two cores: for the time left alone */
	const char *word[WORDS];
} parts[] = {
	{&workload_dcachebench, 10, {"-p", "32", "-b", "testdir", WALKS, "--loops=25"}},
	{&workload_gitdiff, 18, {WALKS, "--preload-index=both", "--loops=3", "--reference"}},
	{&workload_statstorm, 12, {WALKS, "--scope=random", "--final=ref,none", "--duration=0.1"}},
	{&workload_statstorm, 5, {WALKS, "--fxmark=MRPH", "--final=ref,none", "--duration=0.05"}},
	{&workload_hash, 8, {"--loops=1"}},
};
#define PARTS (sizeof(parts) / sizeof(parts[0]))

/* ---- the last line */

struct list { /* clauses, with commas between them */
	char *text;
	size_t size;
	FILE *f;
};

struct findings {
	struct list slower, same, scaling, kernel, hash;
};

static __attribute__((format(printf, 2, 3))) void clause(struct list *list, const char *fmt, ...)
{
	va_list ap;

	if (!list->f && !(list->f = open_memstream(&list->text, &list->size)))
		fail(EXIT_LACKS, "out of memory");
	if (ftell(list->f) > 0)
		fputs(", ", list->f);
	va_start(ap, fmt);
	vfprintf(list->f, fmt, ap);
	va_end(ap);
}

/* Prints what the list holds behind @before; returns what stands before the next one. */
static const char *print_list(struct list *list, const char *before, const char *head)
{
	if (!list->f)
		return before;
	if (fclose(list->f))
		fail(EXIT_LACKS, "out of memory");
	printf("%s%s%s", before, head, list->text);
	free(list->text);
	return "; ";
}

static bool same(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

/* The cell that differs from @cell in its walk or number of threads alone, or NULL. */
static const struct cell *find(const struct cell *cell, const char *walk, unsigned threads)
{
	const struct bench *b = cell->bench;

	for (size_t i = 0; i < b->n_cells; i++) {
		const struct cell *c = b->cell[i];

		if (same(c->variant, cell->variant) && same(c->sut->walk, walk) &&
		    c->threads == threads &&
		    (sut_is_reference(c->sut) || (same(c->sut->final, cell->sut->final) &&
						  same(c->sut->layout, cell->sut->layout) &&
						  same(c->sut->flavour, cell->sut->flavour))))
			return c;
	}
	return NULL;
}

/* "gitdiff parallel (2 threads)" */
static void name_of(const struct cell *cell, char *buf, size_t size)
{
	const struct bench *b = cell->bench;

	snprintf(buf, size, "%s%s%s%s%s (%u thread%s)", b->workload->name, cell->variant ? " " : "",
		 cell->variant ? cell->variant : "", b->opt->final.n > 1 ? " final=" : "",
		 b->opt->final.n > 1 ? cell->sut->final : "", cell->threads,
		 cell->threads == 1 ? "" : "s");
}

static bool has_most_threads(const struct cell *cell)
{
	const struct bench *b = cell->bench;

	for (size_t i = 0; i < b->n_cells; i++)
		if (same(b->cell[i]->variant, cell->variant) && b->cell[i]->threads > cell->threads)
			return false;
	return true;
}

/* Both must see it: the test, and the interval of the ratio. */
static bool is_difference(const struct ratio *r)
{
	return r->differ && (r->lo > 1 || r->hi < 1);
}

static void compare_walks(struct findings *f, const struct cell *cell, const char *second)
{
	const struct cell *other = find(cell, second, cell->threads);
	struct ratio r;
	char name[128];

	if (!other)
		return;
	name_of(cell, name, sizeof(name));
	bench_compare(cell, other, &r);
	if (is_difference(&r))
		clause(&f->slower, "%.2f [%.2f, %.2f] in %s", r.ratio, r.lo, r.hi, name);
	else
		clause(&f->same, "%s", name);
}

/* How the walk scales from one thread to all on one path. */
static void compare_threads(struct findings *f, const struct cell *cell)
{
	const struct cell *one = find(cell, cell->sut->walk, 1);
	struct ratio r;

	if (!one || cell->threads == 1 || !same(cell->variant, "MRPH"))
		return;
	bench_compare(one, cell, &r);
	clause(&f->scaling, "%s final=%s %.2f [%.2f, %.2f]", cell->sut->walk, cell->sut->final,
	       cell->threads / r.ratio, cell->threads / r.hi, cell->threads / r.lo);
}

static void compare_kernel(struct findings *f, const struct cell *cell)
{
	const struct cell *lstat = find(cell, "lstat", cell->threads);
	struct ratio r;
	char name[128];

	if (!lstat)
		return;
	name_of(cell, name, sizeof(name));
	bench_compare(cell, lstat, &r);
	if (is_difference(&r))
		clause(&f->kernel, "%.2f [%.2f, %.2f] in %s", r.ratio, r.lo, r.hi, name);
	else
		clause(&f->kernel, "~ in %s", name);
}

static void learn_walks(struct findings *f, const struct bench *b)
{
	const struct opt_names *walk = &b->opt->walk;

	for (size_t i = 0; i < b->n_cells; i++) {
		const struct cell *cell = b->cell[i];

		if (sut_is_reference(cell->sut) || !has_most_threads(cell))
			continue;
		compare_threads(f, cell);
		if (!same(cell->sut->walk, walk->v[0]))
			continue;
		if (walk->n > 1)
			compare_walks(f, cell, walk->v[1]);
		compare_kernel(f, cell);
	}
}

/* The hash of the fastest walk, held against the layout's own, which is `words`. */
static void learn_hashes(struct findings *f, const struct bench *b)
{
	const struct cell *best = NULL, *own = NULL;
	struct ratio r;

	for (size_t i = 0; i < b->n_cells; i++) {
		const struct cell *c = b->cell[i];

		if (!c->sut->cache || sut_is_reference(c->sut))
			continue;
		if (!best || c->summary.median < best->summary.median)
			best = c;
		if (!own && same(c->sut->hash, "words"))
			own = c;
	}
	if (!best || !own)
		return;
	bench_compare(own, best, &r);
	if (best == own)
		clause(&f->hash, "none makes a faster walk than words");
	else if (is_difference(&r))
		clause(&f->hash, "a walk with %s takes %.3f [%.3f, %.3f] of one with words",
		       best->sut->hash, r.ratio, r.lo, r.hi);
	else
		clause(&f->hash,
		       "no difference seen between walks with words and with %s, the "
		       "fastest here",
		       best->sut->hash);
}

static void learn(const struct bench *b, void *findings)
{
	if (b->workload == &workload_hash)
		learn_hashes(findings, b);
	else
		learn_walks(findings, b);
}

static void print_findings(struct findings *f, const struct options *o)
{
	const char *before = "\nIn this run: ", *first = o->walk.v[0];
	char head[128];

	snprintf(head, sizeof(head),
		 "%s takes as many times as long as %s: ", o->walk.n > 1 ? o->walk.v[1] : "",
		 first);
	before = print_list(&f->slower, before, head);
	before = print_list(&f->same, before,
			    o->runs < SEES ? "too few runs to see a difference between walks in "
					   : "no difference between walks seen in ");
	before = print_list(&f->scaling, before,
			    "rate of all threads to one's on one path (MRPH): ");
	snprintf(head, sizeof(head), "lstat(2) of the kernel to %s: ", first);
	before = print_list(&f->kernel, before, head);
	print_list(&f->hash, before, "hashes: ");
	puts(".");
}

/* ---- the parts */

/* What main was given goes to each part, but for the files, which are main's to write. */
static int common_words(const struct bench *b, char **word)
{
	static const char *const files[] = {"--json", "--plot"};
	int n = 0;

	for (int i = 2; i < b->argc; i++) {
		bool is_file = false;

		for (size_t f = 0; f < sizeof(files) / sizeof(files[0]); f++) {
			size_t len = strlen(files[f]);

			if (strncmp(b->argv[i], files[f], len) != 0)
				continue;
			is_file = true;
			i += !b->argv[i][len]; /* the name is a word of its own */
			break;
		}
		if (!is_file)
			word[n++] = b->argv[i];
	}
	return n;
}

static int run_part(const struct part *part, struct bench *b, struct suite *suite)
{
	char **argv = calloc(2 + WORDS + (size_t)b->argc, sizeof(char *));
	int n = 2, status;

	if (!argv)
		fail(EXIT_LACKS, "out of memory");
	argv[0] = (char *)"dcsim";
	argv[1] = (char *)part->workload->name;
	for (int i = 0; i < WORDS && part->word[i]; i++)
		argv[n++] = (char *)part->word[i];
	n += common_words(b, argv + n);
	if (suite->prints) {
		printf("%s$", part == parts ? "" : "\n");
		for (int i = 0; i < n; i++)
			printf(" %s", argv[i]);
		putchar('\n');
		fflush(stdout);
	}
	status = run_workload(part->workload, n, argv, suite);
	free(argv);
	return status;
}

static int main_main(struct bench *b, void *own)
{
	struct findings findings = {0};
	struct suite suite = {
		.parts = PARTS,
		.prints = bench_prints(b),
		.output = output_new(),
		.learn = learn,
		.own = &findings,
	};
	double all = 0;
	int status = 0;

	(void)own;
	bench_tree(b); /* a bad one is told of before anything is printed */
	for (size_t i = 0; i < PARTS; i++)
		all += parts[i].seconds;
	clock_gettime(CLOCK_MONOTONIC, &suite.begin);
	for (size_t i = 0; i < PARTS && !status; i++) {
		suite.part++;
		suite.before += suite.share;
		suite.share = parts[i].seconds / all;
		status = run_part(&parts[i], b, &suite);
	}
	output_files(suite.output, b);
	if (suite.prints)
		print_findings(&findings, b->opt);
	return status;
}

const struct workload workload_main = {
	.name = "main",
	.summary = "the main job: dcachebench, gitdiff, statstorm and hash, and what they show",
	.about = "Runs the other workloads one after the other, each as the command that stands "
		 "above its table, in about a minute. The last line is computed from the figures "
		 "above it. Options below go to each part.",
	.defaults = (const char *const[]){"walk=rcu-walk,ref-walk", NULL},
	.without = (const char *const[]){"hash", "final", "threads", "loops", "duration", "csv",
					 "reference", NULL},
	.main = main_main,
};
