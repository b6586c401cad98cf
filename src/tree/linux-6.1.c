/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * linux-6.1 - the names of the Linux 6.1 sources, built into the program
 *
 * They are kept as a compressed list below one top directory (linux-6.1.S),
 * which is left out: the tree's root is the top of the sources.
 */
#include <stddef.h>

#include "tree/kind.h"

extern const char linux_6_1_begin[], linux_6_1_end[];

int linux_6_1_open(struct tree_build *b, const char *arg)
{
	(void)arg;
	b->source = "linux-6.1";
	return paths_read(b, -1, linux_6_1_begin, (size_t)(linux_6_1_end - linux_6_1_begin), 1);
}
