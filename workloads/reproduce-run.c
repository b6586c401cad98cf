// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * reproduce-run.c - each run a fresh process of this program, placed anew in memory
 *
 * The commands of an experiment take turns: a round runs each once, in an order of its
 * own. What a command printed as JSON is kept, and the figures are taken from there.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/progress.h"
#include "reproduce.h"

#define LINE 1024

static void *need(void *p)
{
	if (!p)
		fail(EXIT_LACKS, "out of memory");
	return p;
}

/* ---- a process */

struct words {
	char *v[MOST_WORDS + 16];
	size_t n;
	char text[LINE]; /* for people */
};

static __attribute__((format(printf, 2, 3))) void add_word(struct words *w, const char *fmt, ...)
{
	size_t used = strlen(w->text);
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&w->v[w->n], fmt, ap) < 0)
		fail(EXIT_LACKS, "out of memory");
	va_end(ap);
	snprintf(w->text + used, sizeof(w->text) - used, "%s%s", used ? " " : "", w->v[w->n]);
	w->n++;
}

static void free_words(struct words *w)
{
	while (w->n)
		free(w->v[--w->n]);
}

/* What the process said on standard error: its warnings, or why it ended. */
static void tell(int said, const struct words *w, int status)
{
	char line[LINE] = "";
	ssize_t n = pread(said, line, sizeof(line) - 1, 0);
	const char *words = line;

	if (n > 0 && line[n - 1] == '\n')
		line[n - 1] = '\0';
	if (!strncmp(words, "dcsim: ", 7))
		words += 7;
	if (WIFSIGNALED(status))
		fail(EXIT_WRONG, "%s: ended by signal %d: %s", w->text, WTERMSIG(status), words);
	if (status)
		fail(WEXITSTATUS(status), "%s: %s", w->text, words);
	if (n > 0)
		warn("%s: %s", w->text, words);
}

/* The object that `dcsim WORDS` prints. */
static json_t *run_process(struct words *w)
{
	int said = memfd_create("stderr", MFD_CLOEXEC), out[2], status, err;
	posix_spawn_file_actions_t actions;
	json_error_t problem;
	json_t *json;
	pid_t pid;
	FILE *f;

	if (said < 0 || pipe2(out, O_CLOEXEC))
		fail(EXIT_LACKS, "cannot make a pipe: %s", strerror(errno));
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, said, STDERR_FILENO);
	err = posix_spawn(&pid, "/proc/self/exe", &actions, NULL, w->v, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (err)
		fail(EXIT_LACKS, "cannot run this program anew: %s", strerror(err));
	close(out[1]);
	f = need(fdopen(out[0], "r"));
	json = json_loadf(f, 0, &problem);
	fclose(f);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	tell(said, w, status);
	close(said);
	if (!json)
		fail(EXIT_WRONG, "%s: what it wrote is no JSON: %s", w->text, problem.text);
	return json;
}

/* ---- what is asked of it */

struct job {
	const struct bench *bench;
	const struct reproduce *r;
	struct outcome *o;
};

static struct words words_of(const struct job *job, size_t command, uint64_t placement)
{
	const struct experiment *e = job->o->e;
	const struct options *common = job->bench->opt;
	struct words w = {.n = 0};

	add_word(&w, "dcsim");
	for (size_t i = 0; i < MOST_WORDS && e->command[command][i]; i++)
		add_word(&w, "%s", e->command[command][i]);
	if (e->takes_tree && job->r->tree)
		add_word(&w, "--tree=%s", job->r->tree);
	if (e->threads && job->r->threads.n)
		add_word(&w, "--threads=%llu", (unsigned long long)job->r->threads.v[0]);
	else if (e->threads)
		add_word(&w, "--threads=%s", e->threads);
	if (job->o->loops)
		add_word(&w, "--loops=%llu", (unsigned long long)job->o->loops);
	add_word(&w, "--runs=1");
	add_word(&w, "--seed=%llu", (unsigned long long)common->seed);
	add_word(&w, "--placement=%llu", (unsigned long long)placement);
	add_word(&w, "--json=-");
	if (common->quiet)
		add_word(&w, "--quiet");
	return w;
}

/* ---- what it gave */

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

/* The row's result among those of its command. */
static const json_t *result_of(const struct row *row, const json_t *results)
{
	size_t i;
	const json_t *result;

	json_array_foreach(
		results, i,
		result) if (!row->variant ||
			    !strcmp(text_of(json_object_get(result, "config"), "variant"),
				    row->variant)) return result;
	return NULL;
}

static double figure_of(const struct outcome *o, const struct column *column, const json_t *result)
{
	double scale = (column->factor > 0 ? column->factor : 1) * (column->adds ? o->scale : 1);

	const json_t *from = result, *runs;

	if (column->measure)
		from = json_object_get(json_object_get(result, "measures"), column->measure);
	runs = json_object_get(from, "runs");
	if (json_array_size(runs) != 1)
		fail(EXIT_WRONG, "%s: the run has no figure of it", column->name);
	return scale * json_number_value(json_array_get(runs, 0));
}

/* "rcu-walk, linux-6, own": what tells our rows apart. */
static char *name_engine(const json_t *result)
{
	char *name;

	if (asprintf(&name, "%s, %s, %s", text_of(result, "walk"), text_of(result, "layout"),
		     text_of(result, "hash")) < 0)
		fail(EXIT_LACKS, "out of memory");
	return name;
}

static void take(struct outcome *o, size_t command, unsigned round, const struct words *w,
		 const json_t *results)
{
	size_t i;
	json_t *result;

	for (size_t r = 0; r < o->e->rows; r++) {
		const struct row *row = &o->e->row[r];
		const json_t *of_row = row->command == command ? result_of(row, results) : NULL;

		if (row->command != command)
			continue;
		if (!of_row)
			fail(EXIT_WRONG, "%s: it has no result %s", w->text, row->variant);
		if (!o->is[r])
			o->is[r] = name_engine(of_row);
		for (size_t c = 0; c < o->e->columns; c++)
			o->v[r][c][round] = figure_of(o, &o->e->column[c], of_row);
		parts_take(o, r, of_row);
	}
	json_array_foreach(results, i, result)
	{
		json_object_set_new(result, "experiment", json_string(o->e->name));
		json_object_set_new(result, "command", json_string(w->text));
		json_object_set_new(result, "round", json_integer(round + 1));
		json_array_append(o->results, result);
	}
}

static void run_command(const struct job *job, size_t command, unsigned round, uint64_t placement)
{
	struct words w = words_of(job, command, placement);
	json_t *json;

	if (job->bench->opt->verbose)
		fprintf(stderr, "%s\n", w.text);
	json = run_process(&w);
	take(job->o, command, round, &w, json_object_get(json, "results"));
	json_decref(json);
	free_words(&w);
}

static struct outcome *outcome_new(const struct reproduce *r, const struct experiment *e)
{
	struct outcome *o = need(calloc(1, sizeof(*o)));
	uint64_t loops = r->loops ? r->loops : r->quick ? e->quick_loops : e->loops;

	o->e = e;
	o->runs = (unsigned)(r->runs ? r->runs : r->quick ? e->quick_runs : e->runs);
	o->loops = e->loops ? loops : 0;
	if (e->loops_in_all)
		o->loops = loops / o->runs ? loops / o->runs : 1;
	o->scale = o->loops ? e->loops / (double)o->loops : 1;
	for (size_t row = 0; row < e->rows; row++)
		for (size_t c = 0; c < e->columns; c++)
			o->v[row][c] = need(calloc(o->runs, sizeof(double)));
	o->results = need(json_array());
	return o;
}

void outcome_free(struct outcome *o)
{
	for (size_t row = 0; row < o->e->rows; row++) {
		for (size_t c = 0; c < o->e->columns; c++)
			free(o->v[row][c]);
		free(o->is[row]);
		free(o->parts[row]);
	}
	json_decref(o->results);
	free(o);
}

struct outcome *outcome_run(const struct bench *b, const struct reproduce *r,
			    const struct experiment *e, const char *head)
{
	struct outcome *o = outcome_new(r, e);
	struct job job = {b, r, o};
	struct rng rng = rng_new(b->opt->seed, 0x72657072);
	uint32_t *order = need(calloc(e->commands, sizeof(*order)));
	struct progress p;

	for (uint32_t i = 0; i < e->commands; i++)
		order[i] = i;
	progress_begin(&p, b->opt, o->runs * e->commands);
	for (unsigned round = 0; round < o->runs; round++) {
		rng_shuffle(&rng, order, e->commands);
		for (size_t i = 0; i < e->commands; i++, p.done++) {
			progress_show(&p, head, e->command[order[i]][1]);
			run_command(&job, order[i], round, 1 + (rng_next(&rng) >> 16));
		}
	}
	progress_end(&p);
	free(order);
	return o;
}
