// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * reproduce.c - the experiments of the posts, and how far their effects show here
 *
 * Nothing here is a reproduction of a program whose source is unknown, nor of a machine:
 * each table says what ours is. What is compared is the direction of effects.
 */
#include "reproduce.h"

#include <stdlib.h>
#include <string.h>

#include "bench/folder.h"
#include "bench/output.h"

static const struct experiment *const experiments[] = {
	&experiment_000,
	&experiment_001,
	&experiment_003,
	&experiment_004,
};
#define EXPERIMENTS (sizeof(experiments) / sizeof(experiments[0]))

static const struct dcs_name names[] = {
	{"000", "files copied to a RAM disk, with and without constructors, 2007"},
	{"001", "a kernel's build under three atime policies, cold and warm, 2007"},
	{"003", "dcachebench: name hash and dentry layout, six kernels of 2004"},
	{"004", "git diff, serial and parallel: store-free path walking, 2009"},
	{NULL, NULL},
};

#define AT(member) OPT_AT(struct reproduce, member)

static const struct opt options[] = {
	{"experiment", 0, OPT_NAMES, AT(experiment), .arg = "EXPERIMENT...", .choices = names,
	 .adds = true, .help = "which, or all; the same as the words without dashes"},
	{"results", 0, OPT_STRING, AT(results), .arg = "DIR", .def = "results",
	 .help = "where each result goes, as a folder reproduce-NNN"},
	{"runs", 'r', OPT_NUMBER, AT(runs), .arg = "N", .def = "0", .min = 0, .max = 1000,
	 .help = "fresh processes a row; 0: as many runs as the post has"},
	{"loops", 'l', OPT_NUMBER, AT(loops), .arg = "N", .def = "0", .min = 0, .max = 1e6,
	 .help = "003: iterations of a process; 004: git diffs of a row, over all its processes; "
		 "0: 25 and 100"},
	{"quick", 0, OPT_FLAG, AT(quick), .help = "fewer runs and loops, where these are 0"},
	{"threads", 0, OPT_NUMBERS, AT(threads), .arg = "N", .min = 1, .max = 1024,
	 .help = "one number: threads of 003 [2, as the post's machine] and 004 [all cores]"},
	{"tree", 't', OPT_STRING, AT(tree), .arg = "TREE",
	 .help = "names, in place of the experiments' own: dir:/etc of 000, linux-6.1 of 003 and "
		 "004"},
	{.name = NULL},
};

static const struct experiment *find(const char *name)
{
	for (size_t i = 0; i < EXPERIMENTS; i++)
		if (!strcmp(experiments[i]->name, name))
			return experiments[i];
	return NULL;
}

static void folder_of(const struct reproduce *r, const struct experiment *e,
		      char path[DCS_PATH_MAX])
{
	if (snprintf(path, DCS_PATH_MAX, "%s/reproduce-%s", r->results, e->name) >= DCS_PATH_MAX)
		fail(EXIT_USAGE, "--results: the name is too long");
}

/* The command as typed, without this program's own place. */
static char *command_of(const struct bench *b)
{
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		fail(EXIT_LACKS, "out of memory");
	fputs("dcsim", f);
	for (int i = 1; i < b->argc; i++)
		fprintf(f, " %s", b->argv[i]);
	if (fclose(f))
		fail(EXIT_LACKS, "out of memory");
	return text;
}

/* All that --json and raw.json hold: results of processes, and what is made of them. */
static json_t *object_of(const struct bench *b, json_t *results, json_t *told)
{
	json_t *all = report_object(b, results);

	json_object_set(all, "experiments", told);
	return all;
}

static void keep(const struct bench *b, const char *path, const struct outcome *o, json_t *told,
		 const char *table)
{
	struct folder folder;
	json_t *all = object_of(b, o->results, told);
	char *command = command_of(b);

	folder.size[PART_COMMAND] = (size_t)asprintf(&folder.data[PART_COMMAND], "%s\n", command);
	folder.size[PART_TABLE] = (size_t)asprintf(&folder.data[PART_TABLE],
						   "    %s\n\n```\n%s```\n", command, table);
	if (folder.size[PART_COMMAND] == (size_t)-1 || folder.size[PART_TABLE] == (size_t)-1)
		fail(EXIT_LACKS, "out of memory");
	folder.data[PART_ENVIRONMENT] =
		report_dump(json_object_get(all, "environment"), &folder.size[PART_ENVIRONMENT]);
	folder.data[PART_RAW] = report_dump(all, &folder.size[PART_RAW]);
	folder.data[PART_PLOT] = outcome_plot(o, b->opt->seed, &folder.size[PART_PLOT]);
	folder_write("results", path, &folder);
	for (int i = 0; i < PARTS; i++)
		free(folder.data[i]);
	free(command);
	json_decref(all);
}

/* One experiment, to its folder; adds to what --json holds. */
static void reproduce_one(const struct bench *b, const struct reproduce *r, size_t nth,
			  json_t *results, json_t *told)
{
	const struct experiment *e = find(r->experiment.v[nth]);
	json_t *own = json_array();
	char path[DCS_PATH_MAX], head[64], *table;
	struct outcome *o;
	size_t size;
	FILE *f = open_memstream(&table, &size);

	if (!f)
		fail(EXIT_LACKS, "out of memory");
	snprintf(head, sizeof(head), "%s, %zu of %zu ", e->name, nth + 1, r->experiment.n);
	folder_of(r, e, path);
	o = outcome_run(b, r, e, head);
	outcome_table(o, b->opt->seed, f);
	if (fclose(f))
		fail(EXIT_LACKS, "out of memory");
	json_array_append_new(own, outcome_json(o, b->opt->seed));
	keep(b, path, o, own, table);
	json_array_extend(results, o->results);
	json_array_extend(told, own);
	if (bench_prints(b)) {
		printf("%s%s\nkept in %s\n", nth ? "\n" : "", table, path);
		fflush(stdout);
	}
	json_decref(own);
	outcome_free(o);
	free(table);
}

static int reproduce_main(struct bench *b, void *own)
{
	const struct reproduce *r = own;
	json_t *results = json_array(), *told = json_array();

	if (!r->experiment.n)
		fail(EXIT_USAGE, "reproduce: which experiment? Right is 000, 001, 003, 004 or all");
	if (r->threads.n > 1)
		fail(EXIT_USAGE, "--threads: one number is wanted here");
	plot_check("reproduce");
	for (size_t i = 0; i < r->experiment.n; i++) {
		char path[DCS_PATH_MAX];

		folder_of(r, find(r->experiment.v[i]), path);
		folder_check("results", path);
	}
	for (size_t i = 0; i < r->experiment.n; i++)
		reproduce_one(b, r, i, results, told);
	if (b->opt->json) {
		json_t *all = object_of(b, results, told);
		size_t size;
		char *text = report_dump(all, &size);

		output_write("json", b->opt->json, text, size);
		free(text);
		json_decref(all);
	}
	json_decref(results);
	json_decref(told);
	return 0;
}

const struct workload workload_reproduce = {
	.name = "reproduce",
	.summary = "the experiments of four posts of 2004 to 2009: the post's table beside ours",
	.about =
		"Runs each experiment as fresh processes of this program, interleaved, each placed "
		"anew in memory; prints the post's table beside ours, and the effects "
		"beside each other with their intervals, and says where ours shows the same "
		"direction, none, or the other. The posts' programs and machines are not to be "
		"had: "
		"what stands in for them is said with each table.",
	.options = options,
	.operand = "experiment",
	.size = sizeof(struct reproduce),
	.without =
		(const char *const[]){"walk",	       "layout",     "hash",	       "flavour",
				      "lock",	       "refcount",   "final",	       "buckets",
				      "limit",	       "negatives",  "negative-limit", "store",
				      "store-latency", "tree",	     "threads",	       "runs",
				      "warmup",	       "loops",	     "duration",       "placement",
				      "switch",	       "os-threads", "reference",      "csv",
				      "plot",	       NULL},
	.main = reproduce_main,
};
