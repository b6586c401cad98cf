/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * options.h - options as data: one row says name, type, range, default and help
 *
 * A row writes one member of a struct of options. Defaults are strings that go
 * through the same parser as what the user types, so that help shows what holds.
 * A bad option or value ends the program with one line and exit status 2; the
 * nearest right names are offered.
 *
 *	struct storm { uint64_t misses; struct opt_names order; bool cold; };
 *
 *	static const struct opt storm_options[] = {
 *		{"misses", 0, OPT_NUMBER, OPT_AT(struct storm, misses), .arg = "PERCENT",
 *		 .def = "0", .min = 0, .max = 100, .help = "share of names that are missing"},
 *		{"order", 'o', OPT_NAMES, OPT_AT(struct storm, order), .choices = orders,
 *		 .def = "inorder", .help = "order of the names"},
 *		{"cold", 0, OPT_FLAG, OPT_AT(struct storm, cold), .help = "..."},
 *		{.name = NULL},
 *	};
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dcs/dcs.h"

#define OPT_LIST_MAX 64 /* items in a list */

/* Lists: an item that is there already is not taken again. */
struct opt_names { /* each one of the choices */
	size_t n;
	const char *v[OPT_LIST_MAX];
};

struct opt_numbers {
	size_t n;
	uint64_t v[OPT_LIST_MAX];
};

/* Numbers may end in k, M or G (powers of 1000) or Ki, Mi, Gi. */
enum opt_type {
	OPT_FLAG,    /* bool; takes no value, or =true, =false */
	OPT_NUMBER,  /* uint64_t, from min to max */
	OPT_REAL,    /* double, from min to max */
	OPT_STRING,  /* const char *; NULL where there is neither a value nor a default */
	OPT_NAME,    /* const char *: one of the choices */
	OPT_NAMES,   /* struct opt_names: a list of choices, or `all` */
	OPT_NUMBERS, /* struct opt_numbers: a list; `all` where the option has all() */
};

struct opt {
	const char *name; /* without the dashes */
	char letter;	  /* the short form, or 0 */
	enum opt_type type;
	size_t offset;			/* of the member: OPT_AT */
	const char *arg;		/* what help calls the value */
	const char *def;		/* default, as typed; NULL: the member is left zeroed */
	double min, max;		/* of OPT_NUMBER, OPT_REAL, OPT_NUMBERS: inclusive */
	const char *kind;		/* choices: those of catalogue(kind), */
	const struct dcs_name *choices; /* or these; ends with a NULL name */
	const char *help;
	uint64_t (*all)(void); /* of OPT_NUMBERS: what `all` stands for */
	bool adds;	       /* of OPT_NAMES: given again, it adds to the list */
};

#define OPT_AT(type, member) offsetof(type, member)

/* The options that mean the same everywhere (DESIGN.md, Output). */
struct options {
	struct opt_names kernel, walk, layout, hash; /* n 0: the newest kernel; what a kernel has */
	struct opt_names flavour, final, negatives, store, refcount, compare, objects, atime;
	struct opt_names lock; /* "ROLE=NAME"; several of one role are compared */
	const char *tree;
	struct opt_numbers threads;
	uint64_t runs, warmup;
	uint64_t loops;	 /* passes of a run over its names; 0 where duration counts */
	double duration; /* seconds a run; 0 where loops count */
	uint64_t seed;
	uint64_t placement;
	uint64_t switch_every; /* --switch: operations before a thread turns to its next task */
	uint64_t buckets;
	uint64_t limit, negative_limit; /* dentries; 0: as dcs_config has it */
	uint64_t store_latency;		/* simulated nanoseconds a question */
	bool os_threads, reference, quiet, verbose;
	const char *json, *csv, *plot;
};

struct bench;

/*
 * A workload: one file, and one line in workloads/list.h. @main is called with
 * its options parsed into @size zeroed bytes; returns the program's exit status.
 */
struct workload {
	const char *name;
	const char *summary;	   /* one line, for `dcsim list workloads` and help */
	const char *about;	   /* paragraphs for --help, or NULL */
	const struct opt *options; /* its own; ends with a NULL name; NULL: none */
	size_t size;		   /* of the struct that they fill */
	const char *operand; /* the option of its own that words without dashes set, or NULL */
	const char *const *defaults; /* other defaults of common ones: "threads=all", ..., NULL */
	const char *const
		*without; /* common options that it does not take: "duration", ..., NULL */
	int (*main)(struct bench *bench, void *own);
};

/* Names that can be chosen: kinds of dcs_list(), and trees, machines, workloads, kernels, finals.
 */
const struct dcs_name *catalogue(const char *kind);

/* Prints `dcsim: ...` as one line on standard error and ends with @status (1, 2 or 3). */
_Noreturn void fail(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same line, and goes on. */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

enum { EXIT_WRONG = 1, EXIT_USAGE = 2, EXIT_LACKS = 3 };

#endif
