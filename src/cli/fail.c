// SPDX-License-Identifier: LGPL-2.1-or-later
/* fail.c - one line, and the end */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/options.h"

/* What the user typed may hold any byte, and the message stays one line all the same. */
static void put_printable(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			fprintf(stderr, "\\x%02x", (unsigned char)*s);
		else
			putc(*s, stderr);
}

static void say(const char *fmt, va_list ap)
{
	char message[3 * DCS_PATH_MAX];

	vsnprintf(message, sizeof(message), fmt, ap);
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr); /* where progress stood */
	fputs("dcsim: ", stderr);
	put_printable(message);
	putc('\n', stderr);
}

void warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
}

_Noreturn void fail(int status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(fmt, ap);
	va_end(ap);
	fflush(NULL);
	_exit(status); /* threads may run, memory is held: nothing is to be unwound */
}
