// SPDX-License-Identifier: LGPL-2.1-or-later
/* output.c - result files, whole or not at all, and what goes into them */
#include "bench/output.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static _Noreturn void fail_write(const char *option, const char *path, int err)
{
	fail(EXIT_LACKS, "--%s: cannot write %s: %s", option, path, strerror(err));
}

static bool is_stdout(const char *path)
{
	return !strcmp(path, "-");
}

/* A device or a pipe is written to; only a file is replaced. */
static bool is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* The temporary file while there is one: whoever ends the program by a signal finds none. */
static char temporary[DCS_PATH_MAX];
static volatile sig_atomic_t temporary_made;

static void remove_temporary(void)
{
	temporary_made = 0;
	unlink(temporary);
}

static void on_end(int sig)
{
	if (temporary_made)
		unlink(temporary);
	signal(sig, SIG_DFL);
	raise(sig);
}

static void watch_signals(void)
{
	static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (signal(ends[i], SIG_IGN) != SIG_IGN)
			signal(ends[i], on_end);
}

/*
 * The file that @path stands for, which is what rename(2) replaces: a link, /dev/stdout
 * for one, stays as it is.
 */
static void follow(const char *option, const char *path, char real[DCS_PATH_MAX])
{
	struct stat st;

	if (realpath(path, real))
		return;
	if (errno != ENOENT)
		fail_write(option, path, errno);
	if (!lstat(path, &st)) /* a link to nothing */
		fail_write(option, path, ENOENT);
	if ((size_t)snprintf(real, DCS_PATH_MAX, "%s", path) >= DCS_PATH_MAX)
		fail_write(option, path, ENAMETOOLONG);
}

/* Makes the temporary file beside @real; @path is what the user calls that. */
static int open_beside(const char *option, const char *path, const char *real)
{
	struct stat st;
	int fd;

	if (!stat(real, &st) && S_ISDIR(st.st_mode))
		fail_write(option, path, EISDIR);
	if ((size_t)snprintf(temporary, sizeof(temporary), "%s.XXXXXX", real) >= sizeof(temporary))
		fail_write(option, path, ENAMETOOLONG);
	watch_signals();
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		fail_write(option, path, errno);
	temporary_made = 1;
	return fd;
}

void output_check(const char *option, const char *path)
{
	char real[DCS_PATH_MAX];
	int fd;

	if (!path || is_stdout(path))
		return;
	if (is_special(path)) {
		fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0 && errno != ENXIO) /* a pipe whose reader is yet to come */
			fail_write(option, path, errno);
	} else {
		follow(option, path, real);
		fd = open_beside(option, path, real);
		remove_temporary();
	}
	if (fd >= 0)
		close(fd);
}

static int write_all(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t n = write(fd, data, size);

		if (n < 0 && errno != EINTR)
			return errno;
		if (n > 0) {
			data += n;
			size -= (size_t)n;
		}
	}
	return 0;
}

static mode_t creation_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static void replace(const char *option, const char *path, const char *data, size_t size)
{
	char real[DCS_PATH_MAX];
	int fd, err;

	follow(option, path, real);
	fd = open_beside(option, path, real);
	err = write_all(fd, data, size);
	if (!err && (fchmod(fd, creation_mode()) || fsync(fd)))
		err = errno;
	if (close(fd) && !err)
		err = errno;
	if (!err && rename(temporary, real))
		err = errno;
	if (err) {
		remove_temporary();
		fail_write(option, path, err);
	}
	temporary_made = 0;
}

void output_write(const char *option, const char *path, const char *data, size_t size)
{
	int fd, err;

	if (is_stdout(path)) {
		if (fwrite(data, 1, size, stdout) != size || fflush(stdout))
			fail_write(option, "standard output", errno);
	} else if (is_special(path)) {
		fd = open(path, O_WRONLY | O_CLOEXEC);
		err = fd < 0 ? errno : write_all(fd, data, size);
		if (fd >= 0 && close(fd) && !err)
			err = errno;
		if (err)
			fail_write(option, path, err);
	} else {
		replace(option, path, data, size);
	}
}

struct output *output_new(void)
{
	struct output *output = calloc(1, sizeof(*output));

	if (output) {
		output->results = json_array();
		output->panels = open_memstream(&output->script, &output->size);
	}
	if (!output || !output->results || !output->panels)
		fail(EXIT_LACKS, "out of memory");
	return output;
}

void output_add(struct output *output, const struct bench *b)
{
	report_results(b, output->results);
	output->height += plot_panel(b, output->panels);
	if (b->more)
		b->more(b, output);
}

void output_files(struct output *output, const struct bench *b)
{
	if (fclose(output->panels))
		fail(EXIT_LACKS, "out of memory");
	if (b->opt->json)
		report_json(b, output->results, b->opt->json);
	if (b->opt->plot)
		report_plot(output->script, output->height, b->opt->plot);
	json_decref(output->results);
	free(output->script);
	free(output);
}
