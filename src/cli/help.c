// SPDX-License-Identifier: LGPL-2.1-or-later
/* help.c - help, written from the tables that the parser reads */
#include <string.h>

#include "cli/parse.h"

#define INDENT 26
#define MARGIN 96

/* Prints the words of @text from column @at, going on at @indent; newlines are kept. */
static int wrap(FILE *f, const char *text, int at, int indent)
{
	bool fresh = true; /* no blank is due before the next word */

	while (*text) {
		int len = (int)strcspn(text, " \n");

		if (!fresh && at + 1 + len > MARGIN) {
			fprintf(f, "\n%*s", indent, "");
			at = indent;
			fresh = true;
		}
		at += fprintf(f, "%s%.*s", fresh ? "" : " ", len, text);
		fresh = false;
		text += len;
		if (*text == '\n') {
			fputc('\n', f);
			if (text[1] && text[1] != '\n')
				fprintf(f, "%*s", indent, "");
			at = indent;
			fresh = true;
		}
		text += *text != '\0';
	}
	return at;
}

static bool is_without(const struct workload *w, const struct opt *o)
{
	for (const char *const *s = w->without; s && *s; s++)
		if (!strcmp(*s, o->name))
			return true;
	return false;
}

static const char *default_of(const struct workload *w, const struct opt *o, bool common)
{
	const char *def = o->def;
	size_t len = strlen(o->name);

	for (const char *const *d = w->defaults; common && d && *d; d++) {
		if (!strncmp(*d, o->name, len) && (*d)[len] == '=')
			def = *d + len + 1;
		if (!strncmp(*d, "duration=", 9) && !strcmp(o->name, "loops"))
			def = NULL;
	}
	return def;
}

static void note(char *buf, size_t size, const struct opt *o, const char *def)
{
	FILE *f = fmemopen(buf, size, "w");

	if (!f)
		return;
	fputs(o->help, f);
	if (o->choices)
		for (const struct dcs_name *c = o->choices; c->name; c++)
			fprintf(f, "%s%s", c == o->choices ? ": " : ", ", c->name);
	if (o->kind)
		fprintf(f, " (dcsim list %s)", o->kind);
	if (o->type == OPT_NUMBER || o->type == OPT_REAL || o->type == OPT_NUMBERS)
		fprintf(f, ", %.15g to %.15g", o->min, o->max);
	if (o->all)
		fputs(" or all", f);
	if (def)
		fprintf(f, " [%s]", def);
	fclose(f);
}

static void help_option(FILE *f, const struct workload *w, const struct opt *o, bool common)
{
	char text[1024] = "";
	int at = o->letter ? fprintf(f, "  -%c, --%s", o->letter, o->name)
			   : fprintf(f, "      --%s", o->name);

	if (o->type != OPT_FLAG)
		at += fprintf(f, " %s", o->arg ? o->arg : "VALUE");
	if (at > INDENT - 2)
		at = fputc('\n', f) & 0;
	fprintf(f, "%*s", INDENT - at, "");
	note(text, sizeof(text), o, default_of(w, o, common));
	wrap(f, text, INDENT, INDENT);
	fputc('\n', f);
}

void help_workload(const struct workload *w, FILE *f)
{
	fprintf(f, "Usage: dcsim %s", w->name);
	for (const struct opt *o = w->options; w->operand && o->name; o++)
		if (!strcmp(o->name, w->operand))
			fprintf(f, " %s", o->arg);
	fprintf(f, " [OPTION]...\n\n%s\n", w->summary);
	if (w->about) {
		fputc('\n', f);
		wrap(f, w->about, 0, 0);
		fputc('\n', f);
	}
	if (w->options && w->options->name) {
		fprintf(f, "\nOptions of %s:\n", w->name);
		for (const struct opt *o = w->options; o->name; o++)
			help_option(f, w, o, false);
	}
	fputs("\nOptions that mean the same everywhere:\n", f);
	for (const struct opt *o = common_options; o->name; o++)
		if (!is_without(w, o))
			help_option(f, w, o, true);
	fputs("\nNumbers may end in k, M, G or Ki, Mi, Gi. Lists are separated by commas.\n"
	      "Exit status: 0 done, 1 an answer was wrong, 2 usage, 3 the machine lacks "
	      "something.\n",
	      f);
}
