/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "fxmark.h"

#include <stdio.h>
#include <sys/stat.h>

#define PATH_SIZE 32 /* a letter, a thread's number, a slash and a digit for each level */

static const char letter[] = {[FXMARK_MRPL] = 'l', [FXMARK_MRPM] = 'm', [FXMARK_MRPH] = 'h'};

/* Adds the @len bytes at @path, whose @level counts from 1, and what is below. */
static void add(struct made *made, char *path, int len, unsigned level, unsigned fanout)
{
	bool file = level == FXMARK_DEPTH;

	path[len] = '\0';
	made_add(made, file ? S_IFREG | 0644 : S_IFDIR | 0755, path);
	if (file)
		return;
	for (unsigned i = 0; i < fanout; i++) {
		path[len] = '/';
		path[len + 1] = (char)('0' + i);
		add(made, path, len + 2, level + 1, fanout);
	}
}

void fxmark_add(struct made *made, enum fxmark test, unsigned threads)
{
	unsigned fanout = test == FXMARK_MRPM ? FXMARK_FANOUT : 1;
	unsigned tops = test == FXMARK_MRPL ? threads : fanout;
	int digits = snprintf(NULL, 0, "%u", tops - 1);
	char path[PATH_SIZE];

	for (unsigned i = 0; i < tops; i++) {
		/* Equal widths, so that index order is the threads' order. */
		int len = snprintf(path, sizeof(path), "%c%0*u", letter[test], digits, i);

		add(made, path, len, 1, fanout);
	}
}

bool fxmark_asks(enum fxmark test, const struct tree_entry *entry)
{
	return entry->path[0] == letter[test] && !S_ISDIR(entry->mode);
}
