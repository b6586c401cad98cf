/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * folder.h - a result as a folder of files: whole or not at all
 *
 * A folder that is there already is replaced, if it holds nothing but such files.
 */
#ifndef BENCH_FOLDER_H
#define BENCH_FOLDER_H

#include <stddef.h>

enum part { PART_COMMAND, PART_ENVIRONMENT, PART_RAW, PART_TABLE, PART_PLOT, PARTS };

struct folder {
	char *data[PARTS];
	size_t size[PARTS];
};

/* Ends the program if @path, which comes from --@option, could not be written. */
void folder_check(const char *option, const char *path);
void folder_write(const char *option, const char *path, const struct folder *folder);

#endif
