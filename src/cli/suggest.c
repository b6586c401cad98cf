// SPDX-License-Identifier: LGPL-2.1-or-later
/* suggest.c - what may have been meant by a name that is not there */
#include <stdlib.h>
#include <string.h>

#include "cli/parse.h"

#define LONGEST 64 /* longer words are not compared */
#define OFFERED 3
#define ALL	16 /* so many names are all listed */

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Optimal string alignment: three rows of the table of distances between prefixes. */
unsigned edit_distance(const char *a, const char *b)
{
	unsigned row[3][LONGEST + 1], *before = row[0], *above = row[1], *now = row[2], *t;
	size_t na = strlen(a), nb = strlen(b);

	if (na > LONGEST || nb > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= nb; j++)
		above[j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		now[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			now[j] = least(above[j], now[j - 1]) + 1;
			now[j] = least(now[j], above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = least(now[j], before[j - 2] + 1);
		}
		t = before;
		before = above;
		above = now;
		now = t;
	}
	return above[nb];
}

/* How far @name is from @word; a beginning counts as near. */
static unsigned distance(const char *word, const char *name)
{
	size_t n = strlen(word);

	return n >= 2 && !strncmp(word, name, n) ? 1 : edit_distance(word, name);
}

_Noreturn void fail_unknown(const char *what, const char *word, const char *const *names, size_t n)
{
	size_t room = strlen(word), used = 0;
	unsigned near = (unsigned)(room / 3 < 2 ? 2 : room / 3), offered = 0;
	static char *list; /* static: the caller does not come back to free it */

	for (size_t i = 0; i < n; i++)
		room += strlen(names[i]) + 2;
	free(list);
	list = calloc(room + 1, 1);
	if (!list)
		fail(EXIT_LACKS, "out of memory");
	for (unsigned d = 0; d <= near && offered < OFFERED; d++)
		for (size_t i = 0; i < n && offered < OFFERED; i++)
			if (distance(word, names[i]) == d) {
				used += (size_t)sprintf(list + used, "%s%s", offered ? ", " : "",
							names[i]);
				offered++;
			}
	if (offered)
		fail(EXIT_USAGE, "%s \"%s\" is not known; did you mean %s?", what, word, list);
	for (size_t i = 0; i < n; i++)
		used += (size_t)sprintf(list + used, "%s%s", i ? ", " : "", names[i]);
	if (!n || n > ALL)
		fail(EXIT_USAGE, "%s \"%s\" is not known; see dcsim help", what, word);
	fail(EXIT_USAGE, "%s \"%s\" is not known; right is %s%s", what, word,
	     n > 1 ? "one of " : "", list);
}
