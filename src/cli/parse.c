// SPDX-License-Identifier: LGPL-2.1-or-later
/* parse.c - the values of options, and the command line */
#include "cli/parse.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAMES 128 /* choices of an option, options of a command */

static const struct dcs_name *choices_of(const struct opt *o)
{
	return o->kind ? catalogue(o->kind) : o->choices;
}

static _Noreturn void fail_range(const struct opt *o, const char *text, const char *problem)
{
	fail(EXIT_USAGE, "--%s: \"%s\" %s; right is a number from %.15g to %.15g%s", o->name, text,
	     problem, o->min, o->max, o->all ? ", or `all`" : "");
}

static void check_range(const struct opt *o, const char *text, double value)
{
	if (value < o->min || value > o->max)
		fail_range(o, text, "is out of range");
}

/* k, M, G or Ki, Mi, Gi at the end of a number; 0 for anything else. */
static uint64_t scale_of(const char *suffix)
{
	const char *letters = "kMG", *at = *suffix ? strchr(letters, *suffix) : NULL;
	uint64_t step = 1000, scale = 1;

	if (!*suffix)
		return 1;
	if (*suffix == 'K')
		at = letters;
	if (!at || (suffix[1] && strcmp(suffix + 1, "i") != 0))
		return 0;
	if (suffix[1])
		step = 1024;
	for (const char *p = letters; p <= at; p++)
		scale *= step;
	return scale;
}

static uint64_t number(const struct opt *o, const char *text)
{
	uint64_t value, scale;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	scale = scale_of(end);
	if (!isdigit((unsigned char)*text) || !scale)
		fail_range(o, text, "is not a whole number");
	if (errno || __builtin_mul_overflow(value, scale, &value))
		fail_range(o, text, "is out of range");
	check_range(o, text, (double)value);
	return value;
}

static double real(const struct opt *o, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !isfinite(value))
		fail_range(o, text, "is not a number");
	check_range(o, text, value);
	return value;
}

static const char *choice(const struct opt *o, const char *text)
{
	const struct dcs_name *names = choices_of(o);
	const char *list[NAMES];
	char what[80];
	size_t n = 0;

	for (; names[n].name && n < NAMES; n++) {
		if (!strcmp(names[n].name, text))
			return names[n].name;
		list[n] = names[n].name;
	}
	snprintf(what, sizeof(what), "--%s:", o->name);
	fail_unknown(what, text, list, n);
}

static void add_name(const struct opt *o, struct opt_names *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->v[i] == name)
			return;
	if (list->n == OPT_LIST_MAX)
		fail(EXIT_USAGE, "--%s: more than %d names", o->name, OPT_LIST_MAX);
	list->v[list->n++] = name;
}

static void names_item(const struct opt *o, void *into, const char *text)
{
	if (strcmp(text, "all") != 0) {
		add_name(o, into, choice(o, text));
		return;
	}
	for (const struct dcs_name *c = choices_of(o); c->name; c++)
		add_name(o, into, c->name);
}

static void numbers_item(const struct opt *o, void *into, const char *text)
{
	struct opt_numbers *list = into;
	uint64_t value = o->all && !strcmp(text, "all") ? o->all() : number(o, text);

	for (size_t i = 0; i < list->n; i++)
		if (list->v[i] == value)
			return;
	if (list->n == OPT_LIST_MAX)
		fail(EXIT_USAGE, "--%s: more than %d numbers", o->name, OPT_LIST_MAX);
	list->v[list->n++] = value;
}

/* Gives each part of the comma-separated @text to @item. */
static void each_item(const struct opt *o, void *into, const char *text,
		      void (*item)(const struct opt *, void *, const char *))
{
	static char *copy; /* static: a bad item does not come back to free it */
	char *rest, *part;

	free(copy);
	rest = copy = strdup(text);
	if (!copy)
		fail(EXIT_LACKS, "out of memory");
	while ((part = strsep(&rest, ",")))
		item(o, into, part);
	free(copy);
	copy = NULL;
}

static bool truth(const struct opt *o, const char *text)
{
	if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
		fail(EXIT_USAGE, "--%s: \"%s\" is not known; right is true or false", o->name,
		     text);
	return *text == 't';
}

void opt_set(const struct opt *o, void *into, const char *text)
{
	void *member = (char *)into + o->offset;

	switch (o->type) {
	case OPT_FLAG:
		*(bool *)member = truth(o, text);
		break;
	case OPT_NUMBER:
		*(uint64_t *)member = number(o, text);
		break;
	case OPT_REAL:
		*(double *)member = real(o, text);
		break;
	case OPT_STRING:
		if (!*text)
			fail(EXIT_USAGE, "--%s: the value is empty; right is %s", o->name, o->arg);
		*(const char **)member = text;
		break;
	case OPT_NAME:
		*(const char **)member = choice(o, text);
		break;
	case OPT_NAMES:
		if (!o->adds)
			((struct opt_names *)member)->n = 0;
		each_item(o, member, text, names_item);
		break;
	case OPT_NUMBERS:
		((struct opt_numbers *)member)->n = 0;
		each_item(o, member, text, numbers_item);
		break;
	}
}

void opt_defaults(const struct opt *table, void *into)
{
	for (const struct opt *o = table; o && o->name; o++)
		if (o->def)
			opt_set(o, into, o->def);
}

/* The command line of one workload. */
struct line {
	const struct workload *w;
	struct options *common;
	void *own;
	bool loops, duration, kernel, walk; /* typed */
};

static bool is_listed(const char *const *list, const char *name)
{
	for (; list && *list; list++)
		if (!strcmp(*list, name))
			return true;
	return false;
}

/* Loops and duration both say when a run ends: the last one set holds. */
static void set_common(const struct opt *o, struct options *common, const char *text)
{
	opt_set(o, common, text);
	if (!strcmp(o->name, "loops"))
		common->duration = 0;
	if (!strcmp(o->name, "duration"))
		common->loops = 0;
}

static const struct opt *in_table(const struct opt *table, const char *name, size_t len)
{
	for (const struct opt *o = table; o && o->name; o++)
		if ((strlen(o->name) == len && !strncmp(o->name, name, len)) ||
		    (len == 1 && o->letter == *name))
			return o;
	return NULL;
}

static _Noreturn void fail_option(const struct line *l, const char *word, const char *name,
				  size_t len)
{
	const char *list[NAMES];
	char what[80], plain[NAMES];
	size_t n = 0;

	for (const struct opt *o = l->w->options; o && o->name; o++)
		list[n++] = o->name;
	for (const struct opt *o = common_options; o->name && n < NAMES; o++)
		if (!is_listed(l->w->without, o->name))
			list[n++] = o->name;
	snprintf(plain, sizeof(plain), "%.*s", (int)len, name);
	snprintf(what, sizeof(what), "%s: option", l->w->name);
	if (len > 1 && word[1] == '-')
		fail_unknown(what, plain, list, n);
	fail(EXIT_USAGE, "%s: option \"%s\" is not known; see dcsim help %s", l->w->name, word,
	     l->w->name);
}

static void take(struct line *l, const struct opt *o, const char *text)
{
	if (in_table(l->w->options, o->name, strlen(o->name)) == o) {
		opt_set(o, l->own, text);
		return;
	}
	l->loops |= !strcmp(o->name, "loops");
	l->duration |= !strcmp(o->name, "duration");
	l->kernel |= !strcmp(o->name, "kernel");
	l->walk |= !strcmp(o->name, "walk");
	set_common(o, l->common, text);
}

/*
 * One option at argv[*i]: --name, --name=value, --name value, -x, -xvalue, -x
 * value. Moves *i to the last word used.
 */
static void option(struct line *l, int argc, char **argv, int *i)
{
	const char *word = argv[*i], *name = word + 1 + (word[1] == '-'), *value = NULL;
	size_t len = word[1] == '-' ? strcspn(name, "=") : 1;
	const struct opt *o = in_table(l->w->options, name, len);

	if (!o)
		o = in_table(common_options, name, len);
	if (!o || (word[1] == '-' && len == 1))
		fail_option(l, word, name, len);
	if (is_listed(l->w->without, o->name) && !in_table(l->w->options, name, len))
		fail(EXIT_USAGE, "%s: --%s has no meaning here; see dcsim help %s", l->w->name,
		     o->name, l->w->name);
	if (name[len])
		value = name + len + (word[1] == '-');
	else if (o->type == OPT_FLAG)
		value = "true";
	else if (*i + 1 < argc)
		value = argv[++*i];
	else
		fail(EXIT_USAGE, "--%s: the value is missing; right is --%s %s", o->name, o->name,
		     o->arg ? o->arg : "VALUE");
	if (o->type == OPT_FLAG && word[1] != '-' && name[len])
		fail(EXIT_USAGE, "-%c takes no value; right is --%s", o->letter, o->name);
	take(l, o, value);
}

static void workload_defaults(const struct workload *w, struct options *common)
{
	for (const char *const *d = w->defaults; d && *d; d++) {
		size_t len = strcspn(*d, "=");

		set_common(in_table(common_options, *d, len), common, *d + len + 1);
	}
}

bool parse_workload(const struct workload *w, int argc, char **argv, struct options *common,
		    void *own)
{
	struct line l = {.w = w, .common = common, .own = own};

	opt_defaults(common_options, common);
	workload_defaults(w, common);
	opt_defaults(w->options, own);
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
			help_workload(w, stdout);
			return false;
		}
		if (argv[i][0] == '-' && argv[i][1])
			option(&l, argc, argv, &i);
		else if (w->operand)
			opt_set(in_table(w->options, w->operand, strlen(w->operand)), own, argv[i]);
		else
			fail(EXIT_USAGE, "%s: \"%s\" is not an option; see dcsim help %s", w->name,
			     argv[i], w->name);
	}
	if (l.kernel && !l.walk)
		common->walk.n = 0; /* the kernel's */
	if (l.loops && l.duration)
		fail(EXIT_USAGE, "--loops and --duration both say when a run ends: give one");
	return true;
}
