// SPDX-License-Identifier: LGPL-2.1-or-later
/* main.c - dcsim COMMAND [OPTION]... */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "cli/parse.h"
#include "cli/show.h"

static const char *const kinds[] = {
	"kernels", "walks",	 "layouts",   "hashes",	   "flavours", "negatives",
	"locks",   "lock-roles", "refcounts", "compares",  "objects",  "atimes",
	"stores",  "machines",	 "trees",     "workloads",
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static void usage(FILE *f)
{
	fputs("Usage: dcsim COMMAND [OPTION]...\n"
	      "       dcsim list KIND [--json]\n"
	      "       dcsim kernels [NAME]... [--json]\n"
	      "       dcsim layouts [NAME]... [--json]\n"
	      "       dcsim help [COMMAND]\n"
	      "       dcsim --version\n\n"
	      "A directory cache in userspace, and experiments with it.\n\nCommands:\n",
	      f);
	for (const struct workload *const *w = workloads(); *w; w++)
		fprintf(f, "  %-14s %s\n", (*w)->name, (*w)->summary);
	fputs("\nKinds:", f);
	for (size_t i = 0; i < KINDS; i++)
		fprintf(f, " %s", kinds[i]);
	fputc('\n', f);
}

static const struct workload *find_workload(const char *name)
{
	for (const struct workload *const *w = workloads(); *w; w++)
		if (!strcmp((*w)->name, name))
			return *w;
	return NULL;
}

static _Noreturn void fail_command(const char *name)
{
	const char *names[64] = {"help", "list", "kernels", "layouts"};
	size_t n = 4;

	for (const struct workload *const *w = workloads(); *w && n < 64; w++)
		names[n++] = (*w)->name;
	fail_unknown("command", name, names, n);
}

static void list_json(const struct dcs_name *name)
{
	json_t *array = json_array();

	for (; name->name; name++)
		json_array_append_new(array, json_pack("{s:s, s:s}", "name", name->name,
						       "description", name->description));
	json_dumpf(array, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(array);
}

static void list_text(const struct dcs_name *name)
{
	struct table *t = table_new("", "", NULL);

	for (; name->name; name++) {
		table_row(t);
		table_put(t, "%s", name->name);
		table_put(t, "%s", name->description);
	}
	table_print(t, stdout);
}

static int list(int argc, char **argv)
{
	const char *kind = NULL;
	bool json = false;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--json"))
			json = true;
		else if (argv[i][0] == '-')
			fail_unknown("list: option", argv[i], (const char *[]){"--json"}, 1);
		else if (kind)
			fail(EXIT_USAGE, "list: \"%s\" is one kind too many: give one", argv[i]);
		else
			kind = argv[i];
	}
	for (size_t i = 0; kind && i < KINDS; i++) {
		if (strcmp(kind, kinds[i]) != 0)
			continue;
		(json ? list_json : list_text)(catalogue(kind));
		return 0;
	}
	fail_unknown("list: kind", kind ? kind : "", kinds, KINDS);
}

static int help(int argc, char **argv)
{
	const struct workload *w;

	if (argc < 2) {
		usage(stdout);
		return 0;
	}
	w = find_workload(argv[1]);
	if (!w)
		fail_command(argv[1]);
	help_workload(w, stdout);
	return 0;
}

struct call {
	struct bench *bench;
	void *own;
	int status;
};

static void *call_main(void *arg)
{
	struct call *call = arg;

	call->status = call->bench->workload->main(call->bench, call->own);
	return NULL;
}

int run_workload(const struct workload *w, int argc, char **argv, struct suite *suite)
{
	struct options common = {0};
	void *own = calloc(1, w->size + 1);
	struct bench b = {.opt = &common,
			  .workload = w,
			  .own = own,
			  .argc = argc,
			  .argv = argv,
			  .suite = suite};
	struct call call = {&b, own, 0};

	if (!own)
		fail(EXIT_LACKS, "out of memory");
	if (parse_workload(w, argc - 1, argv + 1, &common, own)) {
		bench_open(&b);
		crew_call_placed(common.placement, 0, call_main, &call);
		bench_close(&b);
	}
	free(own);
	return call.status;
}

static int command(int argc, char **argv)
{
	const struct workload *w;

	if (argc < 2) {
		usage(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("dcsim %s\n", dcs_version);
		return 0;
	}
	if (!strcmp(argv[1], "help") || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return help(argc - 1, argv + 1);
	if (!strcmp(argv[1], "list"))
		return list(argc - 1, argv + 1);
	if (!strcmp(argv[1], "kernels"))
		return show_kernels(argc - 1, argv + 1);
	if (!strcmp(argv[1], "layouts"))
		return show_layouts(argc - 1, argv + 1);
	w = find_workload(argv[1]);
	if (!w)
		fail_command(argv[1]);
	return run_workload(w, argc, argv, NULL);
}

/*
 * So that no file of ours becomes standard output or error where that is closed. Opened
 * the wrong way round: to use it fails, as before.
 */
static void occupy_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
	int status;

	occupy_descriptors();
	signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is an error of write(2) */
	status = command(argc, argv);
	if (fflush(stdout) || ferror(stdout))
		fail(EXIT_LACKS, "cannot write to standard output: %s", strerror(errno));
	return status;
}
