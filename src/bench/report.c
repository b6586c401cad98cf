// SPDX-License-Identifier: LGPL-2.1-or-later
/* report.c - JSON and CSV: everything that was measured, for programs */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/output.h"
#include "cli/parse.h"

static json_t *number(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

/* Bytes that are not UTF-8 (a file name, say) become `?`: JSON has only text. */
static json_t *text(const char *s)
{
	json_t *value = s && *s ? json_string(s) : NULL;
	char *copy;

	if (value || !s || !*s)
		return value ? value : json_null();
	copy = strdup(s);
	for (char *p = copy; p && *p; p++)
		if (*p & 0x80)
			*p = '?';
	value = json_string(copy);
	free(copy);
	return value;
}

static json_t *option_value(const struct opt *o, const void *from)
{
	const void *member = (const char *)from + o->offset;
	const struct opt_numbers *numbers = member;
	const struct opt_names *names = member;
	json_t *array;

	switch (o->type) {
	case OPT_FLAG:
		return json_boolean(*(const bool *)member);
	case OPT_NUMBER:
		return json_integer((json_int_t) * (const uint64_t *)member);
	case OPT_REAL:
		return number(*(const double *)member);
	case OPT_STRING:
	case OPT_NAME:
		return text(*(const char *const *)member);
	case OPT_NAMES:
		array = json_array();
		for (size_t i = 0; i < names->n; i++)
			json_array_append_new(array, json_string(names->v[i]));
		return array;
	case OPT_NUMBERS:
		array = json_array();
		for (size_t i = 0; i < numbers->n; i++)
			json_array_append_new(array, json_integer((json_int_t)numbers->v[i]));
		return array;
	}
	return json_null();
}

/* What a result depends on besides its axes: the workload's own options and some common ones. */
static json_t *config(const struct bench *b, const struct cell *cell)
{
	const struct options *o = b->opt;
	const struct sut *sut = cell->sut;
	json_t *j = json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, "
		"s:I, s:f, s:I, s:b}",
		"variant", text(cell->variant), "final", text(sut->final), "lock", text(sut->lock),
		"refcount", text(sut->refcount), "compare", text(sut->compare), "objects",
		text(sut->objects), "negatives", text(sut->negatives), "store", text(sut->store),
		"atime", text(sut->atime), "store-latency", (json_int_t)o->store_latency, "limit",
		(json_int_t)o->limit, "negative-limit", (json_int_t)o->negative_limit, "buckets",
		(json_int_t)1 << sut->table_bits, "warmup", (json_int_t)o->warmup, "loops",
		(json_int_t)o->loops, "duration", o->duration, "switch",
		(json_int_t)o->switch_every, "os-threads", o->os_threads);

	json_object_set_new(j, "placement", json_integer((json_int_t)o->placement));
	for (const struct opt *own = b->workload->options; own && own->name; own++)
		json_object_set_new(j, own->name, option_value(own, b->own));
	return j;
}

/* What the cache holds at the end, after all runs of all cells that share it. */
static void census(struct sut *sut, json_t *j)
{
	struct dcs_census c;

	sut_census(sut, &c);
	json_object_set_new(j, "dentries", json_integer((json_int_t)c.dentries));
	json_object_set_new(j, "negative", json_integer((json_int_t)c.negative));
	json_object_set_new(j, "unused", json_integer((json_int_t)c.unused));
	json_object_set_new(j, "evicted", json_integer((json_int_t)c.evicted));
	json_object_set_new(j, "second_chances", json_integer((json_int_t)c.second_chances));
	json_object_set_new(j, "peak_pending", json_integer((json_int_t)c.peak_pending));
	json_object_set_new(j, "backlog_waits", json_integer((json_int_t)c.backlog_waits));
	json_object_set_new(j, "backlog_wait_ns", json_integer((json_int_t)c.backlog_wait_ns));
	json_object_set_new(j, "grace_periods", json_integer((json_int_t)c.grace_periods));
	json_object_set_new(j, "grace_ns", json_integer((json_int_t)c.grace_ns));
	json_object_set_new(j, "grace_longest_ns", json_integer((json_int_t)c.grace_longest_ns));
	json_object_set_new(j, "reclaim_ns", json_integer((json_int_t)c.reclaim_ns));
	json_object_set_new(j, "used_buckets", json_integer((json_int_t)c.used_buckets));
	json_object_set_new(j, "longest_chain", json_integer((json_int_t)c.longest_chain));
}

/* Sums over the measured runs of what the cache counted, and the cell's figures. */
static json_t *counters(const struct bench *b, const struct cell *cell)
{
	static const char *const names[] = {
		"walks", "components", "links", "rcu_walks", "ref_walks",
	};
	static const char *const rest[] = {
		"chain",	 "rename_retries", "refs",	 "slow_lookups",
		"negative_hits", "stale_retries",  "reads",	 "atime_stores",
		"atime_writes",	 "yields",	   "store_asks", "store_ns",
	};
	struct dcs_counters sum = {0};
	const uint64_t *head = &sum.walks, *tail = &sum.chain;
	json_t *j = json_object();

	for (size_t r = 0; r < b->opt->runs; r++) {
		const uint64_t *from = (const uint64_t *)&cell->sample[r].counters;

		for (size_t i = 0; i < sizeof(sum) / sizeof(*from); i++)
			((uint64_t *)&sum)[i] += from[i];
	}
	if (cell->sut->cache) {
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			json_object_set_new(j, names[i], json_integer((json_int_t)head[i]));
		for (size_t i = 0; i < DCS_EXITS; i++) {
			char key[64];

			snprintf(key, sizeof(key), "exit_%s", dcs_exit_names[i]);
			json_object_set_new(j, key, json_integer((json_int_t)sum.exits[i]));
		}
		for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
			json_object_set_new(j, rest[i], json_integer((json_int_t)tail[i]));
	}
	if (cell->sut->cache)
		census(cell->sut, j);
	for (unsigned i = 0; i < cell->n_figures; i++)
		json_object_set_new(j, cell->figure[i].name, number(cell->figure[i].value));
	return j;
}

_Static_assert(offsetof(struct dcs_counters, exits) == 5 * sizeof(uint64_t) &&
		       sizeof(struct dcs_counters) - offsetof(struct dcs_counters, chain) ==
			       12 * sizeof(uint64_t),
	       "the names above are those of struct dcs_counters, in its order");

static json_t *measures(const struct bench *b, const struct cell *cell)
{
	json_t *j = json_object();

	for (unsigned m = 0; m < b->n_measures; m++) {
		json_t *runs = json_array();

		for (size_t r = 0; r < b->opt->runs; r++)
			json_array_append_new(runs, number(cell->sample[r].measure[m]));
		json_object_set_new(j, b->measure[m].name,
				    json_pack("{s:s, s:o, s:o}", "unit", b->measure[m].unit, "runs",
					      runs, "median",
					      number(bench_median_measure(cell, m))));
	}
	return j;
}

static json_t *result(const struct bench *b, const struct cell *cell)
{
	const struct summary *s = &cell->summary;
	const struct ratio *r = &cell->ratio;
	const struct sut *sut = cell->sut;
	json_t *runs = json_array(), *j;
	char base[256];

	for (size_t i = 0; i < b->opt->runs; i++)
		json_array_append_new(runs, number(cell->sample[i].value));
	cell_label(b, cell->base, true, base, sizeof(base));
	j = json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:s, s:i, s:o, s:s}", "workload",
		      b->workload->name, "kernel", text(sut->kernel), "walk", sut->walk, "layout",
		      text(sut->layout), "hash", text(sut->hash), "flavour", text(sut->flavour),
		      "tree", text(sut->tree ? sut->tree->spec : NULL), "machine", "native",
		      "threads", (int)cell->threads, "config", config(b, cell), "unit",
		      cell->unit ? cell->unit : "ns/path");
	json_object_set_new(j, "runs", runs);
	json_object_set_new(j, "median", number(s->median));
	json_object_set_new(j, "ci95", json_pack("[o, o]", number(s->lo), number(s->hi)));
	json_object_set_new(j, "mean", number(s->mean));
	json_object_set_new(j, "stddev", number(s->stddev));
	json_object_set_new(j, "ratio",
			    json_pack("{s:s, s:o, s:[o, o], s:o, s:b}", "to", base, "ratio",
				      number(r->ratio), "ci95", number(r->lo), number(r->hi), "p",
				      number(r->p), "differ", (int)r->differ));
	json_object_set_new(j, "measures", measures(b, cell));
	json_object_set_new(j, "counters", counters(b, cell));
	if (cell->tell)
		cell->tell(cell, j);
	return j;
}

void report_results(const struct bench *b, json_t *results)
{
	for (size_t i = 0; i < b->n_cells; i++)
		json_array_append_new(results, result(b, b->cell[i]));
}

json_t *report_object(const struct bench *b, json_t *results)
{
	json_t *command = json_array();

	for (int i = 0; i < b->argc; i++)
		json_array_append_new(command, text(i ? b->argv[i] : "dcsim"));
	return json_pack("{s:s, s:o, s:o, s:O}", "dcsim", dcs_version, "command", command,
			 "environment", report_environment(b), "results", results);
}

char *report_dump(const json_t *json, size_t *size)
{
	char *data = json ? json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(10)) : NULL;

	if (!data)
		fail(EXIT_LACKS, "out of memory");
	*size = strlen(data);
	data[(*size)++] = '\n'; /* in place of the NUL: the size says where it ends */
	return data;
}

void report_json(const struct bench *b, json_t *results, const char *path)
{
	json_t *all = report_object(b, results);
	size_t size;
	char *data = report_dump(all, &size);

	json_decref(all);
	output_write("json", path, data, size);
	free(data);
}

static void csv_text(FILE *f, const char *s)
{
	if (!s || !s[strcspn(s, ",\"\n")]) {
		fputs(s ? s : "", f);
		return;
	}
	putc('"', f);
	for (; *s; s++)
		fprintf(f, *s == '"' ? "\"\"" : "%c", *s);
	putc('"', f);
}

static void csv_line(FILE *f, const struct bench *b, const struct cell *cell, size_t run)
{
	const struct sample *s = &cell->sample[run];
	const struct tree *tree = cell->sut->tree;

	fprintf(f, "%s,", b->workload->name);
	csv_text(f, tree ? tree->spec : "");
	putc(',', f);
	csv_text(f, cell->variant);
	for (unsigned a = 0; axis_name(a); a++)
		fprintf(f, ",%s", axis_value(cell->sut, a));
	fprintf(f, ",%u,%zu,%s,%.10g,%.10g,%.10g,%llu", cell->threads, run + 1,
		cell->unit ? cell->unit : "ns/path", s->value, s->wall, s->cpu,
		(unsigned long long)s->ops);
	for (unsigned m = 0; m < b->n_measures; m++)
		fprintf(f, ",%.10g", s->measure[m]);
	putc('\n', f);
}

void report_csv(const struct bench *b, const char *path)
{
	size_t size;
	char *data;
	FILE *f = open_memstream(&data, &size);

	if (!f)
		fail(EXIT_LACKS, "out of memory");
	fputs("workload,tree,variant", f);
	for (unsigned a = 0; axis_name(a); a++)
		fprintf(f, ",%s", axis_name(a));
	fputs(",threads,run,unit,value,wall_s,cpu_s,ops", f);
	for (unsigned m = 0; m < b->n_measures; m++)
		fprintf(f, ",%s", b->measure[m].name);
	putc('\n', f);
	for (size_t i = 0; i < b->n_cells; i++)
		for (size_t r = 0; r < b->opt->runs; r++)
			csv_line(f, b, b->cell[i], r);
	if (fclose(f))
		fail(EXIT_LACKS, "out of memory");
	output_write("csv", path, data, size);
	free(data);
}
