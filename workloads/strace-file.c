/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* strace-file.c - the text of a log, plain or as .xz, by lines; the one that is built in */
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "strace.h"

extern const char kbuild_begin[], kbuild_end[]; /* kbuild-trace.S */

#define CHUNK	  65536u
#define XZ_MEMORY (256u << 20) /* most that decompression may take */

struct text {
	char *line; /* what is read of a line that is not whole yet */
	size_t used, room;
};

/* Gives each line that is whole to strace_line(); the rest too at the end of the text. */
static int text_add(struct strace *t, struct text *x, const char *data, size_t size, bool end)
{
	char *grown, *newline;
	size_t at = 0;
	int err = 0;

	if (!x->line || x->room < x->used + size + 64) {
		x->room = 2 * (x->used + size + 64);
		grown = realloc(x->line, x->room);
		if (!grown)
			return -ENOMEM;
		x->line = grown;
	}
	memcpy(x->line + x->used, data, size);
	x->used += size;
	while (!err && (newline = memchr(x->line + at, '\n', x->used - at))) {
		*newline = '\0';
		err = strace_line(t, x->line + at, true);
		at = (size_t)(newline + 1 - x->line);
	}
	x->used -= at;
	memmove(x->line, x->line + at, x->used);
	if (!err && end && x->used) {
		x->line[x->used] = '\0';
		err = strace_line(t, x->line, false);
	}
	return err;
}

/* Returns 1 where the .xz ends in the middle: what came before it was given. */
static int xz_add(struct strace *t, struct text *x, lzma_stream *xz, const char *data, size_t size)
{
	static char out[CHUNK];
	lzma_ret ret = LZMA_OK;

	xz->next_in = (const uint8_t *)data;
	xz->avail_in = size;
	do {
		int err;

		xz->next_out = (uint8_t *)out;
		xz->avail_out = sizeof(out);
		ret = lzma_code(xz, size ? LZMA_RUN : LZMA_FINISH);
		err = text_add(t, x, out, sizeof(out) - xz->avail_out, false);
		if (err)
			return err;
	} while (ret == LZMA_OK && !xz->avail_out);
	if ((ret == LZMA_STREAM_END && !xz->avail_in) ||
	    (size && (ret == LZMA_OK || ret == LZMA_BUF_ERROR)))
		return 0;
	return ret == LZMA_MEM_ERROR ? -ENOMEM : 1;
}

static ssize_t read_some(int fd, char *buf, const char **from, const char *end)
{
	ssize_t n;

	if (fd < 0) { /* built in */
		n = end - *from < (ssize_t)CHUNK ? end - *from : (ssize_t)CHUNK;
		memcpy(buf, *from, (size_t)n);
		*from += n;
		return n;
	}
	do
		n = read(fd, buf, CHUNK);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

static int read_all(struct strace *t, int fd)
{
	static const char magic[6] = "\xfd"
				     "7zXZ";
	static char buf[CHUNK];
	const char *from = kbuild_begin;
	lzma_stream xz = LZMA_STREAM_INIT;
	struct text x = {0};
	bool is_xz = false;
	ssize_t n;
	int err = 0;

	for (bool first = true; !err; first = false) {
		n = read_some(fd, buf, &from, kbuild_end);
		if (n < 0) {
			err = (int)n;
			snprintf(t->why, t->why_size, "%s: %s", t->name, strerror(-err));
			break;
		}
		if (first && n >= (ssize_t)sizeof(magic) && !memcmp(buf, magic, sizeof(magic))) {
			is_xz = true;
			if (lzma_stream_decoder(&xz, XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
				err = -ENOMEM;
		}
		if (!err)
			err = is_xz ? xz_add(t, &x, &xz, buf, (size_t)n)
				    : text_add(t, &x, buf, (size_t)n, false);
		if (!n)
			break;
	}
	if (err > 0) { /* so does the line that it ends in */
		x.used = 0;
		t->lines++;
		if (!t->bad++)
			snprintf(t->why, t->why_size,
				 "%s:%llu: the .xz is damaged or ends in the middle", t->name,
				 (unsigned long long)t->lines);
	}
	if (err >= 0)
		err = text_add(t, &x, "", 0, true);
	lzma_end(&xz);
	free(x.line);
	return err;
}

/* After all: the warning is whole, or nothing was read. */
static int judge(struct strace *t)
{
	size_t n = strlen(t->why);

	if (!t->n) {
		if (!n)
			snprintf(t->why, t->why_size,
				 "%s: holds no call; right is a log of strace "
				 "-f -e trace=%%file,%%process,fchdir,getdents64",
				 t->name);
		return -EINVAL;
	}
	if (t->bad)
		snprintf(t->why + n, t->why_size - n,
			 "; %llu of %llu lines could not be read, the others are replayed",
			 (unsigned long long)t->bad, (unsigned long long)t->lines);
	return 0;
}

int strace_open(const char *file, struct strace **out, char *why, size_t size)
{
	struct strace *t = calloc(1, sizeof(*t));
	int fd = -1, err = 0;

	if (!t)
		return -ENOMEM;
	*why = '\0';
	t->name = !file ? "(built in)" : strcmp(file, "-") ? file : "(standard input)";
	t->why = why;
	t->why_size = size;
	if (file) {
		fd = strcmp(file, "-") ? open(file, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
		if (fd < 0) {
			err = -errno;
			snprintf(why, size, "%s: %s", t->name, strerror(-err));
		}
	}
	if (!err)
		err = read_all(t, fd);
	if (fd >= 0)
		close(fd);
	if (!err)
		err = judge(t);
	if (err)
		strace_free(t);
	else
		*out = t;
	return err;
}
