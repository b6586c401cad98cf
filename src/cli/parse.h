/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* parse.h - reads a command line after tables of options, and prints help from them */
#ifndef CLI_PARSE_H
#define CLI_PARSE_H

#include <stdio.h>

#include "cli/options.h"

/* The options that mean the same everywhere; they fill a struct options. */
extern const struct opt common_options[];

/* Parses @text as a value of @o into the struct at @into. Bad text ends the program. */
void opt_set(const struct opt *o, void *into, const char *text);
void opt_defaults(const struct opt *table, void *into);

/* Reads argv[1..] of a workload. False: help was asked for and is printed. */
bool parse_workload(const struct workload *w, int argc, char **argv, struct options *common,
		    void *own);
void help_workload(const struct workload *w, FILE *f);

/*
 * Ends the program because @what (an option, a kind of name) does not know @word,
 * offering those of @names[0..n) that are near it, or all where none is.
 */
_Noreturn void fail_unknown(const char *what, const char *word, const char *const *names, size_t n);

/* Edits that turn @a into @b: a character more, less, other, or two neighbours swapped. */
unsigned edit_distance(const char *a, const char *b);

const struct workload *const *workloads(void); /* ends with NULL */

/* Runs @w with argv[2..], as a command or as a part of one. Returns the exit status. */
struct suite;
int run_workload(const struct workload *w, int argc, char **argv, struct suite *suite);

#endif
