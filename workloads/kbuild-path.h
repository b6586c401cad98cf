/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* kbuild-path.h - paths of a log as words: no link is followed */
#ifndef WORKLOADS_KBUILD_PATH_H
#define WORKLOADS_KBUILD_PATH_H

struct replay;
struct strace_event;

/* @path as seen from @base, without `.`, `..` and slashes too many; NULL: no memory. */
char *path_join(const char *base, const char *path);

/* The path of @e that is relative to @dirfd, from the root; NULL: the descriptor is not known. */
char *replay_path(struct replay *r, const struct strace_event *e, int dirfd, const char *path);

#endif
