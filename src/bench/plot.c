// SPDX-License-Identifier: LGPL-2.1-or-later
/* plot.c - a picture by gnuplot: a panel a bench, a bar a cell with the interval of its median */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "bench/output.h"

void plot_check(const char *who)
{
	if (system("command -v gnuplot >/dev/null 2>&1") != 0)
		fail(EXIT_LACKS, "%s: gnuplot is missing; apt install gnuplot-nox", who);
}

/* In quotes for gnuplot's data, where only these two mean something. */
static void put_quoted(FILE *f, const char *s)
{
	putc('"', f);
	for (; *s; s++)
		putc(*s == '"' || *s == '\\' || *s == '\n' ? '\'' : *s, f);
	putc('"', f);
}

void plot_place(FILE *f, size_t height)
{
	fprintf(f, "reset\ntop = top - %zu / total\n", height);
	fprintf(f, "set origin 0, top\nset size 1, %zu / total\n", height);
}

size_t plot_panel(const struct bench *b, FILE *f)
{
	size_t n = 0, height;
	const char *unit = NULL;
	char label[256];

	fputs("$cells << END_OF_CELLS\n", f);
	for (size_t i = 0; i < b->n_cells; i++) {
		const struct cell *cell = b->cell[i];
		const struct summary *s = &cell->summary;

		if (cell->own_panel)
			continue;
		unit = unit ? unit : cell->unit ? cell->unit : "ns/path";
		cell_label(b, cell, false, label, sizeof(label));
		put_quoted(f, label);
		fprintf(f, " %zu %.10g %.10g %.10g %d\n", n, s->median, s->lo, s->hi,
			sut_is_reference(cell->sut) ? 7 : 1 + (int)(n % 6));
		n++;
	}
	fputs("END_OF_CELLS\n", f);
	if (!n)
		return 0;
	height = 140 + 28 * n;
	plot_place(f, height);
	fprintf(f, "set xlabel '%s (median and its 95 %% interval)'\n", unit);
	fprintf(f, "set title 'dcsim %s' noenhanced\n", b->workload->name);
	fprintf(f, "set yrange [%zu.5:-0.5]\nset xrange [0:*]\nset key off\n", n - 1);
	fputs("set grid xtics\nset style fill solid 0.5\nset ytics noenhanced\n"
	      "plot $cells using 3:2:(0):3:($2-0.35):($2+0.35):6:ytic(1) with boxxyerror "
	      "linecolor variable, $cells using 3:2:4:5 with xerrorbars linecolor 'black' "
	      "pointtype 7 pointsize 0.3\n",
	      f);
	return height;
}

char *plot_draw(const char *panels, size_t height, size_t *size_of)
{
	FILE *script = tmpfile(), *svg, *all;
	char command[64], *data;
	size_t size, n;
	char part[4096];
	int status;

	if (!script)
		fail(EXIT_LACKS, "--plot: cannot make a temporary file: %s", strerror(errno));
	fprintf(script,
		"set terminal svg size 900,%zu dynamic background rgb 'white'\n"
		"set multiplot\ntotal = %zu.\ntop = 1.\n%s",
		height, height, panels);
	fflush(script);
	snprintf(command, sizeof(command), "gnuplot /dev/fd/%d", fileno(script));
	svg = popen(command, "r");
	all = open_memstream(&data, &size);
	if (!svg || !all)
		fail(EXIT_LACKS, "--plot: cannot run gnuplot: %s", strerror(errno));
	while ((n = fread(part, 1, sizeof(part), svg)) > 0)
		fwrite(part, 1, n, all);
	status = pclose(svg);
	fclose(script);
	if (fclose(all))
		fail(EXIT_LACKS, "out of memory");
	if (!WIFEXITED(status) || WEXITSTATUS(status) || !size)
		fail(EXIT_LACKS, "--plot: gnuplot failed; see its words above");
	*size_of = size;
	return data;
}

void report_plot(const char *panels, size_t height, const char *path)
{
	size_t size;
	char *data = plot_draw(panels, height, &size);

	output_write("plot", path, data, size);
	free(data);
}
