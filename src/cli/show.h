/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* show.h - dcsim kernels [NAME...] [--json], dcsim layouts [NAME...] [--json] */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

int show_kernels(int argc, char **argv);
int show_layouts(int argc, char **argv);

#endif
