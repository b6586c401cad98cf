/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * choose.h - which names of a tree a thread walks, and in what order
 */
#ifndef WORKLOADS_CHOOSE_H
#define WORKLOADS_CHOOSE_H

#include <stddef.h>
#include <stdint.h>

enum scope {
	SCOPE_PRIVATE, /* a contiguous slice of the names, no other thread's */
	SCOPE_RANDOM,  /* all names, in an order of the thread's own */
	SCOPE_SHARED,  /* all names, in the same order as every other thread */
};

enum order {
	ORDER_INORDER,	/* index order; under SCOPE_RANDOM from a name of the thread's own on */
	ORDER_SHUFFLED, /* a permutation */
	ORDER_ZIPF,	/* draws with repetition; the popular names are the same for all threads */
};

struct choice {
	enum scope scope;
	enum order order;
	double exponent; /* of the Zipf distribution, above 0 */
	uint64_t seed;
	size_t names;	  /* how many there are to choose from */
	unsigned threads; /* at most @names */
};

/* How many operations the script of @thread holds: as many as it has names. */
size_t choose_count(const struct choice *choice, unsigned thread);

/*
 * Fills @out with the choose_count() names of @thread, as indices below @names.
 * The same choice gives the same names, whatever was chosen before. Errors: -ENOMEM.
 */
int choose(const struct choice *choice, unsigned thread, uint32_t *out);

#endif
