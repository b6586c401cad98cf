// SPDX-License-Identifier: LGPL-2.1-or-later
/* fail.c - one line, and the end */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/options.h"

_Noreturn void fail(int status, const char *fmt, ...)
{
	va_list ap;

	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr); /* where progress stood */
	fputs("dcsim: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	putc('\n', stderr);
	fflush(NULL);
	_exit(status); /* threads may run, memory is held: nothing is to be unwound */
}
