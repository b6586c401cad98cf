/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* strace.c - lines of strace's format into events: see strace.h */
#include "strace.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ARGS 8

const char *const strace_call_names[CALLS] = {
	"none",	 "open",   "stat",     "fstat", "access", "readlink", "execve", "fork",	 "exit",
	"chdir", "fchdir", "getdents", "mkdir", "unlink", "rmdir",    "rename", "chmod", "symlink",
};

/* How the arguments of a call lie. -1: it has none such. */
static const struct form {
	const char *name;
	enum strace_call call;
	int dirfd, path, flags, mode, stat, dirfd2, path2;
} forms[] = {
	{"openat", CALL_OPEN, 0, 1, 2, 3, -1, -1, -1},
	{"open", CALL_OPEN, -1, 0, 1, 2, -1, -1, -1},
	{"creat", CALL_OPEN, -1, 0, -1, 1, -1, -1, -1},
	{"newfstatat", CALL_STAT, 0, 1, 3, -1, 2, -1, -1},
	{"fstatat64", CALL_STAT, 0, 1, 3, -1, 2, -1, -1},
	{"statx", CALL_STAT, 0, 1, 2, -1, -1, -1, -1},
	{"stat", CALL_STAT, -1, 0, -1, -1, 1, -1, -1},
	{"lstat", CALL_STAT, -1, 0, -1, -1, 1, -1, -1},
	{"statfs", CALL_STAT, -1, 0, -1, -1, -1, -1, -1},
	{"utimensat", CALL_STAT, 0, 1, 3, -1, -1, -1, -1},
	{"fstat", CALL_FSTAT, 0, -1, -1, -1, 1, -1, -1},
	{"access", CALL_ACCESS, -1, 0, -1, -1, -1, -1, -1},
	{"faccessat", CALL_ACCESS, 0, 1, -1, -1, -1, -1, -1},
	{"faccessat2", CALL_ACCESS, 0, 1, 3, -1, -1, -1, -1},
	{"readlink", CALL_READLINK, -1, 0, -1, -1, -1, -1, 1},
	{"readlinkat", CALL_READLINK, 0, 1, -1, -1, -1, -1, 2},
	{"execve", CALL_EXEC, -1, 0, -1, -1, -1, -1, -1},
	{"fork", CALL_FORK, -1, -1, -1, -1, -1, -1, -1},
	{"vfork", CALL_FORK, -1, -1, -1, -1, -1, -1, -1},
	{"clone", CALL_FORK, -1, -1, -1, -1, -1, -1, -1},
	{"clone3", CALL_FORK, -1, -1, -1, -1, -1, -1, -1},
	{"exit", CALL_EXIT, -1, -1, -1, -1, -1, -1, -1},
	{"exit_group", CALL_EXIT, -1, -1, -1, -1, -1, -1, -1},
	{"chdir", CALL_CHDIR, -1, 0, -1, -1, -1, -1, -1},
	{"fchdir", CALL_FCHDIR, 0, -1, -1, -1, -1, -1, -1},
	{"getdents64", CALL_GETDENTS, 0, -1, -1, -1, -1, -1, -1},
	{"getdents", CALL_GETDENTS, 0, -1, -1, -1, -1, -1, -1},
	{"mkdir", CALL_MKDIR, -1, 0, -1, 1, -1, -1, -1},
	{"mkdirat", CALL_MKDIR, 0, 1, -1, 2, -1, -1, -1},
	{"unlink", CALL_UNLINK, -1, 0, -1, -1, -1, -1, -1},
	{"unlinkat", CALL_UNLINK, 0, 1, 2, -1, -1, -1, -1},
	{"rmdir", CALL_RMDIR, -1, 0, -1, -1, -1, -1, -1},
	{"rename", CALL_RENAME, -1, 0, -1, -1, -1, -1, 1},
	{"renameat", CALL_RENAME, 0, 1, -1, -1, -1, 2, 3},
	{"renameat2", CALL_RENAME, 0, 1, 4, -1, -1, 2, 3},
	{"chmod", CALL_CHMOD, -1, 0, -1, 1, -1, -1, -1},
	{"fchmodat", CALL_CHMOD, 0, 1, -1, 2, -1, -1, -1},
	{"symlink", CALL_SYMLINK, -1, 1, -1, -1, -1, -1, 0},
	{"symlinkat", CALL_SYMLINK, 1, 2, -1, -1, -1, -1, 0},
};

static const struct {
	const char *name;
	unsigned value;
} flag_names[] = {
	{"O_WRONLY", O_WRONLY},
	{"O_RDWR", O_RDWR},
	{"O_CREAT", O_CREAT},
	{"O_EXCL", O_EXCL},
	{"O_TRUNC", O_TRUNC},
	{"O_DIRECTORY", O_DIRECTORY},
	{"O_NOFOLLOW", O_NOFOLLOW},
	{"O_PATH", O_PATH},
	{"O_CLOEXEC", O_CLOEXEC},
	{"AT_SYMLINK_NOFOLLOW", AT_SYMLINK_NOFOLLOW},
	{"AT_EMPTY_PATH", AT_EMPTY_PATH},
	{"AT_REMOVEDIR", AT_REMOVEDIR},
	{"RENAME_NOREPLACE", 1},
	{"RENAME_EXCHANGE", 2},
};

static unsigned flags_of(const char *arg)
{
	unsigned flags = 0;

	while (*arg) {
		size_t len = strcspn(arg, "|");

		for (size_t i = 0; i < sizeof(flag_names) / sizeof(flag_names[0]); i++)
			if (strlen(flag_names[i].name) == len &&
			    !strncmp(arg, flag_names[i].name, len))
				flags |= flag_names[i].value;
		arg += len + (arg[len] == '|');
	}
	return flags;
}

/* A quoted string, as C has it; NULL if it is none, or strace has cut it short ("..."...). */
static char *string_of(const char *arg)
{
	char *out, *to;

	if (*arg != '"')
		return NULL;
	out = to = malloc(strlen(arg) + 1);
	for (arg++; out && *arg && *arg != '"'; arg++) {
		static const char from[] = "ntrvfb\\\"", is[] = "\n\t\r\v\f\b\\\"";
		const char *escape;

		if (*arg != '\\') {
			*to++ = *arg;
		} else if (arg[1] >= '0' && arg[1] <= '7') {
			char digits[4] = {arg[1]}, *end;

			for (int i = 1; i < 3 && arg[i + 1] >= '0' && arg[i + 1] <= '7'; i++)
				digits[i] = arg[i + 1];
			*to++ = (char)strtoul(digits, &end, 8);
			arg += end - digits;
		} else if (arg[1] && (escape = strchr(from, arg[1]))) {
			*to++ = is[escape - from];
			arg++;
		}
	}
	if (out && (*arg != '"' || arg[1] || memchr(out, '\0', (size_t)(to - out)))) {
		free(out);
		return NULL;
	}
	if (out)
		*to = '\0';
	return out;
}

/* Splits @text behind the opening parenthesis at commas; returns what is behind the closing one. */
static char *split(char *text, char *arg[ARGS], int *n)
{
	int depth = 0;
	bool quoted = false;
	char *begin = text;

	*n = 0;
	for (char *p = text; *p; p++) {
		if (quoted) {
			if (*p == '\\' && p[1])
				p++;
			else if (*p == '"')
				quoted = false;
		} else if (*p == '"') {
			quoted = true;
		} else if (strchr("([{", *p)) {
			depth++;
		} else if (depth && strchr(")]}", *p)) {
			depth--;
		} else if (!depth && (*p == ',' || *p == ')')) {
			bool last = *p == ')';

			*p = '\0';
			if (*n < ARGS && (!last || p > begin))
				arg[(*n)++] = begin;
			if (last)
				return p + 1;
			begin = p + 1 + strspn(p + 1, " ");
		}
	}
	return NULL;
}

/* "= 3", "= -1 ENOENT (...)", "= ?" */
static bool result_of(const char *text, int64_t *result)
{
	char *end;

	text += strspn(text, " ");
	if (*text++ != '=')
		return false;
	text += strspn(text, " ");
	*result = 0;
	if (*text == '?')
		return true;
	*result = strtoll(text, &end, 0);
	if (end == text)
		return false;
	if (*result != -1)
		return *result >= 0;
	end += strspn(end, " ");
	for (int e = 1; e < 134; e++) {
		const char *name = strerrorname_np(e);

		if (name && !strncmp(end, name, strlen(name)) &&
		    !isalnum((unsigned char)end[strlen(name)])) {
			*result = -e;
			return true;
		}
	}
	return false;
}

static void stat_of(const char *arg, struct strace_event *e)
{
	static const struct {
		const char *name;
		uint32_t type;
	} types[] = {{"S_IFREG", S_IFREG}, {"S_IFDIR", S_IFDIR}, {"S_IFLNK", S_IFLNK}};
	const char *mode = strstr(arg, "st_mode="), *size = strstr(arg, "st_size="), *bits;

	if (!mode)
		return;
	e->st_mode = S_IFIFO; /* another type */
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strncmp(mode + 8, types[i].name, 7))
			e->st_mode = types[i].type;
	bits = strchr(mode, '|');
	if (bits)
		e->st_mode |= (uint32_t)strtoul(bits + 1, NULL, 8) & 07777;
	if (size)
		e->st_size = strtoull(size + 8, NULL, 10);
}

static int number_of(const char *arg)
{
	return isdigit((unsigned char)*arg) ? (int)strtol(arg, NULL, 10) : AT_FDCWD;
}

static const struct form *form_of(const char *name)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (!strcmp(forms[i].name, name))
			return &forms[i];
	return NULL;
}

/* Fills in what the arguments say. False: a path is missing or cut. */
static bool fill(struct strace_event *e, const struct form *f, char *const arg[ARGS], int n)
{
	const char *name = f->name;

#define HAS(which) (f->which >= 0 && f->which < n)
	e->dirfd = HAS(dirfd) ? number_of(arg[f->dirfd]) : AT_FDCWD;
	e->dirfd2 = HAS(dirfd2) ? number_of(arg[f->dirfd2]) : AT_FDCWD;
	if (HAS(flags))
		e->flags = flags_of(arg[f->flags]);
	if (HAS(mode))
		e->mode = (unsigned)strtoul(arg[f->mode], NULL, 8);
	if (HAS(stat))
		stat_of(arg[f->stat], e);
	if (HAS(path))
		e->path = string_of(arg[f->path]);
	if (HAS(path2))
		e->path2 = string_of(arg[f->path2]);
#undef HAS
	if (!strcmp(name, "lstat"))
		e->flags |= AT_SYMLINK_NOFOLLOW;
	if (!strcmp(name, "creat"))
		e->flags |= O_CREAT | O_WRONLY | O_TRUNC;
	if (e->call == CALL_UNLINK && e->flags & AT_REMOVEDIR)
		e->call = CALL_RMDIR;
	if (e->call == CALL_STAT && e->flags & AT_EMPTY_PATH && e->path && !*e->path)
		e->call = CALL_FSTAT;
	for (int i = 0; e->call == CALL_FORK && i < n; i++)
		if (strstr(arg[i], "CLONE_FS"))
			e->flags = 1;
	if (e->result >= 0 && (e->call == CALL_RENAME || e->call == CALL_SYMLINK) && !e->path2)
		return false;
	return f->path < 0 || e->path;
}

/* ---- events */

static struct strace_event *event_new(struct strace *t)
{
	struct strace_event *grown;

	if (t->n == t->room) {
		t->room = t->room ? 2 * t->room : 1024;
		grown = reallocarray(t->event, t->room, sizeof(*grown));
		if (!grown)
			return NULL;
		t->event = grown;
	}
	t->event[t->n] = (struct strace_event){.line = t->lines, .dirfd = AT_FDCWD};
	return &t->event[t->n++];
}

static void event_drop(struct strace_event *e)
{
	free(e->path);
	free(e->path2);
	*e = (struct strace_event){.call = CALL_NONE, .line = e->line, .pid = e->pid};
}

/* A call whose first part was read. */
struct pending {
	int pid;
	size_t at; /* of a fork: the event that waits for its result; else -1 */
	char *text;
};

static int pending_compare(const void *a, const void *b)
{
	const struct pending *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

static void pending_free(void *p)
{
	free(((struct pending *)p)->text);
	free(p);
}

static int bad_line(struct strace *t, const char *what)
{
	if (!t->bad++)
		snprintf(t->why, t->why_size, "%s:%llu: %s", t->name, (unsigned long long)t->lines,
			 what);
	return 0;
}

/* Fills event @at with a whole call: "NAME(ARGS) = RESULT". */
static int call_line(struct strace *t, int pid, char *text, size_t at)
{
	char *open = strchr(text, '('), *arg[ARGS] = {0}, *rest = NULL;
	const struct form *f;
	struct strace_event *e;
	int64_t result = 0;
	int n = 0;

	if (open) {
		*open = '\0';
		rest = split(open + 1, arg, &n);
	}
	if (!rest || !result_of(rest, &result))
		return bad_line(t, "is no call that strace has written to its end");
	f = form_of(text);
	if (!f || (f->path >= 0 && f->path < n && !strcmp(arg[f->path], "NULL"))) {
		if (!t->cwd && !strcmp(text, "getcwd") && result > 0 && n)
			t->cwd = string_of(arg[0]);
		t->useless++;
		return 0;
	}
	if (at == (size_t)-1) {
		at = t->n;
		if (!event_new(t))
			return -ENOMEM;
	}
	e = &t->event[at];
	e->call = f->call;
	e->pid = pid;
	e->result = result;
	if (pid > t->most_pid)
		t->most_pid = pid;
	if (f->call == CALL_FORK && result > t->most_pid && result < 1 << 22)
		t->most_pid = (int)result;
	if (!fill(e, f, arg, n)) {
		event_drop(e);
		return bad_line(t, "the path of the call is missing or cut short");
	}
	return 0;
}

/* The first part of a call, up to `<unfinished`. */
static int unfinished(struct strace *t, int pid, char *text)
{
	struct pending *p = calloc(1, sizeof(*p)), **found;
	char name[32];

	if (!p || !(p->text = strdup(text))) {
		free(p);
		return -ENOMEM;
	}
	p->pid = pid;
	p->at = (size_t)-1;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, "("), text);
	if (form_of(name) && form_of(name)->call == CALL_FORK) {
		p->at = t->n;
		if (!event_new(t)) {
			pending_free(p);
			return -ENOMEM;
		}
	}
	found = tsearch(p, &t->pending, pending_compare);
	if (!found)
		return -ENOMEM;
	if (*found != p) { /* the rest of an earlier one never came */
		pending_free(*found);
		*found = p;
	}
	return 0;
}

static int resumed(struct strace *t, int pid, const char *rest)
{
	struct pending key = {.pid = pid}, *p, **found = tfind(&key, &t->pending, pending_compare);
	char *whole = NULL;
	int err = -ENOMEM;

	if (!found)
		return bad_line(t, "a call goes on that did not begin");
	p = *found;
	if (asprintf(&whole, "%s%s", p->text, rest) >= 0)
		err = call_line(t, pid, whole, p->at);
	free(whole);
	tdelete(p, &t->pending, pending_compare);
	pending_free(p);
	return err;
}

/* "123 ", "[pid 123] " and times as of -t, -tt, -ttt before the call. */
static char *prefix(char *line, int *pid)
{
	*pid = 0;
	if (!strncmp(line, "[pid ", 5))
		line += 5;
	if (isdigit((unsigned char)*line)) {
		char *end;
		long n = strtol(line, &end, 10);

		if (*end == ' ' || *end == ']') {
			*pid = n > 0 && n < 1 << 22 ? (int)n : 0;
			line = end + (*end == ']');
			line += strspn(line, " ");
		}
	}
	if (isdigit((unsigned char)*line) && strspn(line, "0123456789:.") < strcspn(line, "("))
		line += strspn(line, "0123456789:. ");
	return line;
}

int strace_line(struct strace *t, char *line, int whole)
{
	static const char unfinished_mark[] = "<unfinished ...>";
	int pid;
	char *call = prefix(line, &pid), *mark;

	t->lines++;
	if (!strncmp(call, "+++ ", 4) || !strncmp(call, "--- ", 4)) {
		t->useless++;
		return 0;
	}
	if (!strncmp(call, "<... ", 5)) {
		mark = strstr(call, " resumed>");
		if (mark && !strncmp(call, "<... exit", 9)) { /* was done where it began */
			t->useless++;
			return 0;
		}
		if (mark)
			return resumed(t, pid, mark + 9);
	}
	mark = strstr(call, unfinished_mark);
	if (mark && !mark[sizeof(unfinished_mark) - 1]) {
		*mark = '\0';
		if (!strncmp(call, "exit", 4)) { /* does not come back */
			strcpy(mark, ") = ?");
			return call_line(t, pid, call, (size_t)-1);
		}
		return unfinished(t, pid, call);
	}
	if (!isalpha((unsigned char)*call) && *call != '_')
		return bad_line(t, whole ? "is no line of strace" : "is cut off");
	return call_line(t, pid, call, (size_t)-1);
}

void strace_free(struct strace *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n; i++)
		event_drop(&t->event[i]);
	tdestroy(t->pending, pending_free);
	free(t->event);
	free(t->cwd);
	free(t);
}
