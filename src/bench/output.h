/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* output.h - result files: whole or not at all; what cannot be written is said beforehand */
#ifndef BENCH_OUTPUT_H
#define BENCH_OUTPUT_H

#include <jansson.h>
#include <stddef.h>

#include "bench/bench.h"

/* Ends the program if @path, given by --@option, cannot be written. NULL and `-` are well. */
void output_check(const char *option, const char *path);
/* Replaces @path by @size bytes: a temporary file in its folder, fsync, rename. */
void output_write(const char *option, const char *path, const char *data, size_t size);

/* What one bench found, or several one after the other, on the way to --json and --plot. */
struct output {
	json_t *results;
	FILE *panels; /* of the plot, a panel a bench: gnuplot's language, written to @script */
	char *script;
	size_t size, height; /* height: of all panels, in pixels */
};

struct output *output_new(void);
void output_add(struct output *output, const struct bench *b);
/* Writes the files that the options of @b name; frees @output. */
void output_files(struct output *output, const struct bench *b);

json_t *report_environment(const struct bench *b);
void report_results(const struct bench *b, json_t *results);
/* All that --json writes, around @results; and the same as text, for the caller to free. */
json_t *report_object(const struct bench *b, json_t *results);
char *report_dump(const json_t *json, size_t *size);
void report_json(const struct bench *b, json_t *results, const char *path);
void report_csv(const struct bench *b, const char *path);
size_t plot_panel(const struct bench *b, FILE *script); /* returns its height; 0: no bar */
/*
 * Begins a panel of @height pixels below those before it, with gnuplot's defaults. `total`
 * and `top` are set before the first: heights become shares.
 */
void plot_place(FILE *script, size_t height);
void report_plot(const char *panels, size_t height, const char *path);
/* The SVG of panels, for the caller to free. */
char *plot_draw(const char *panels, size_t height, size_t *size);
void plot_check(const char *who); /* that gnuplot is there, which @who needs */

/* The axes of a system by number, in the order of the columns; NULL after the last. */
const char *axis_name(unsigned axis);
const char *axis_value(const struct sut *sut, unsigned axis);
bool axis_varies(const struct bench *b, unsigned axis);
/* "rcu-walk, urcu-memb": as cell_label(), of a system. Returns what snprintf() would. */
int sut_label(const struct bench *b, const struct sut *sut, bool full, char *buf, size_t size);

#endif
