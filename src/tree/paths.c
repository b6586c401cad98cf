/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * paths:FILE - a list of paths, one a line; a `/` at the end marks a directory;
 * `-` is standard input
 *
 * The text may be compressed as .xz, which its first bytes tell. Every byte but
 * `/`, newline and NUL may be in a name, a carriage return too. Lines are
 * checked as they are read, so that a bad line ends even an endless file.
 */
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tree/kind.h"

#define XZ_MAGIC \
	"\xfd"   \
	"7zXZ"
#define XZ_MEMORY (256u << 20) /* most that decompression may take */
#define CHUNK	  65536u

struct source {
	int fd; /* -1: all input is there */
	const uint8_t *in;
	size_t left;
	bool xz, ended;
	lzma_stream lzma;
	uint8_t buffer[CHUNK];
};

/* Reads on when all input has been used. At its end, left stays 0. */
static int source_fill(struct tree_build *b, struct source *s)
{
	ssize_t got;

	if (s->left || s->fd < 0)
		return 0;
	do
		got = read(s->fd, s->buffer, sizeof(s->buffer));
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return tree_fail(b, -errno, 0, "%s", strerror(errno));
	s->in = s->buffer;
	s->left = (size_t)got;
	return 0;
}

static int xz_start(struct tree_build *b, struct source *s)
{
	s->lzma = (lzma_stream)LZMA_STREAM_INIT;
	s->xz = true;
	if (lzma_stream_decoder(&s->lzma, XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
		return -ENOMEM;
	(void)b;
	return 0;
}

static int xz_read(struct tree_build *b, struct source *s, char *out, size_t size, size_t *got)
{
	lzma_ret ret = LZMA_OK;

	s->lzma.next_out = (uint8_t *)out;
	s->lzma.avail_out = size;
	while (ret == LZMA_OK && s->lzma.avail_out == size) {
		int err = source_fill(b, s);

		if (err)
			return err;
		s->lzma.next_in = s->in;
		s->lzma.avail_in = s->left;
		ret = lzma_code(&s->lzma, s->left ? LZMA_RUN : LZMA_FINISH);
		s->in = s->lzma.next_in;
		s->left = s->lzma.avail_in;
	}
	*got = size - s->lzma.avail_out;
	switch (ret) {
	case LZMA_OK:
		return 0;
	case LZMA_STREAM_END:
		s->ended = true;
		return 0;
	case LZMA_MEM_ERROR:
		return -ENOMEM;
	case LZMA_MEMLIMIT_ERROR:
		return tree_fail(b, -EINVAL, 0,
				 "needs over %u MiB to decompress: use xz -9 or less",
				 XZ_MEMORY >> 20);
	case LZMA_BUF_ERROR:
		return tree_fail(b, -EINVAL, 0, "ends in the middle: it is no whole .xz file");
	default:
		return tree_fail(b, -EINVAL, 0, "is damaged: it is no whole .xz file");
	}
}

/* The next bytes of the text; *got is 0 at its end. */
static int source_read(struct tree_build *b, struct source *s, char *out, size_t size, size_t *got)
{
	int err;

	*got = 0;
	if (s->ended)
		return 0;
	if (s->xz)
		return xz_read(b, s, out, size, got);
	err = source_fill(b, s);
	if (err)
		return err;
	*got = s->left < size ? s->left : size;
	memcpy(out, s->in, *got);
	s->in += *got;
	s->left -= *got;
	s->ended = !*got;
	return 0;
}

/* Says what is wrong with the component of @len bytes at @name, or NULL. */
static const char *bad_component(const char *name, size_t len)
{
	if (!len)
		return "'//' is in it: put one '/' between names";
	if (len == 1 && name[0] == '.')
		return "'.' is in it: leave it out";
	if (len == 2 && name[0] == '.' && name[1] == '.')
		return "'..' is in it: give the path without";
	if (len > DCS_NAME_MAX)
		return "a name in it is longer than 255 bytes";
	return NULL;
}

const char *tree_bad_path(const char *path, size_t len)
{
	if (memchr(path, '\0', len))
		return "a NUL byte is in it: this is no list of paths";
	if (len && path[0] == '/')
		return "the path is absolute: leave out the first '/'";
	for (size_t at = 0; at <= len;) {
		const char *slash = memchr(path + at, '/', len - at);
		size_t end = slash ? (size_t)(slash - path) : len;
		const char *bad = bad_component(path + at, end - at);

		if (bad)
			return bad;
		at = end + 1;
	}
	if (len >= DCS_PATH_MAX)
		return "the path is longer than 4095 bytes";
	return NULL;
}

struct reader {
	struct source source;
	int strip;
	uint64_t line; /* that begins at start */
	size_t start;  /* offset in the text */
	size_t seen;   /* no newline lies between start and here */
};

static int add_line(struct tree_build *b, struct reader *r, size_t end)
{
	const char *path = b->text + r->start;
	size_t len = end - r->start;
	struct tree_item item = {.line = r->line, .mode = S_IFREG | 0644};
	char name[TREE_QUOTED];
	const char *bad;

	if (!len)
		return tree_fail(b, -EINVAL, r->line, "an empty line: give one path a line");
	if (len > 1 && path[len - 1] == '/') {
		item.mode = S_IFDIR | 0755;
		len--;
	}
	bad = tree_bad_path(path, len);
	if (bad)
		return tree_fail(b, -EINVAL, r->line, "%s: %s", tree_quote(name, path, len), bad);
	if (r->strip) {
		const char *slash = memchr(path, '/', len);

		if (!slash)
			return 0;
		len -= (size_t)(slash + 1 - path);
		path = slash + 1;
	}
	item.path = (size_t)(path - b->text);
	item.len = (uint32_t)len;
	return tree_add(b, &item);
}

/* Adds each line that is whole; at the @end of the text, the last one too. */
static int add_lines(struct tree_build *b, struct reader *r, bool end)
{
	char name[TREE_QUOTED];
	int err = 0;

	while (!err && r->start < b->used) {
		const char *newline = memchr(b->text + r->seen, '\n', b->used - r->seen);

		if (!newline && !end) {
			r->seen = b->used;
			break;
		}
		r->seen = newline ? (size_t)(newline - b->text) : b->used;
		err = add_line(b, r, r->seen);
		r->start = r->seen += !!newline;
		r->line++;
	}
	/* A path with its `/` is as long as this; what is longer need not be read to its end. */
	if (!err && b->used - r->start > DCS_PATH_MAX)
		err = tree_fail(b, -EINVAL, r->line, "%s: the line is longer than 4095 bytes",
				tree_quote(name, b->text + r->start, b->used - r->start));
	return err;
}

static int read_text(struct tree_build *b, struct reader *r)
{
	struct source *s = &r->source;
	size_t got;
	int err = source_fill(b, s);

	if (!err && s->left >= sizeof(XZ_MAGIC) && !memcmp(s->in, XZ_MAGIC, sizeof(XZ_MAGIC)))
		err = xz_start(b, s);
	while (!err) {
		char *to = tree_room(b, CHUNK);

		if (!to)
			return -ENOMEM;
		err = source_read(b, s, to, CHUNK, &got);
		if (err)
			break;
		b->used += got;
		err = add_lines(b, r, !got);
		if (!got)
			break;
	}
	return err;
}

int paths_read(struct tree_build *b, int fd, const void *text, size_t size, int strip)
{
	struct reader r = {
		.source = {.fd = fd, .in = text, .left = size},
		.strip = strip,
		.line = 1,
		.start = b->used,
		.seen = b->used,
	};
	int err = read_text(b, &r);

	if (r.source.xz)
		lzma_end(&r.source.lzma);
	return err;
}

int paths_open(struct tree_build *b, const char *file)
{
	int fd, err;

	if (!strcmp(file, "-")) {
		b->source = "(standard input)";
		return paths_read(b, STDIN_FILENO, NULL, 0, 0);
	}
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return tree_fail(b, -errno, 0, "%s", strerror(errno));
	err = paths_read(b, fd, NULL, 0, 0);
	close(fd);
	return err;
}
