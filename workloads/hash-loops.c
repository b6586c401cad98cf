/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * hash-loops.c - the loops that are timed, compiled for each hash
 *
 *	throughput	names do not wait for each other
 *	latency		a parent depends on the bucket before, as in a walk, where
 *			it comes out of the lookup of the component before; the
 *			name does not, for the path lies there. So a hash whose
 *			parent enters in the bucket only is mostly hidden.
 */
#include <stdlib.h>
#include <string.h>

#include "hash/list.h"
#include "lab.h"

static inline uint64_t checksum_of(uint32_t bucket, uint32_t len)
{
	return bucket + ((uint64_t)len << 32);
}

/*
 * A turn is a whole pass: one worker alternates with none. `nothing` is 0, but no
 * compiler knows. Flattened, and so with direct calls in a macro: what a
 * compiler finds long is inlined too, and all hashes are called alike.
 */
#define TURN(N, HOW, DEPENDENT)                                                       \
	static __attribute__((flatten)) bool N##_##HOW(struct worker *w, uint64_t n)  \
	{                                                                             \
		const struct lab_names *names = w->own;                               \
		const struct pair *p = names->pair, *end = p + names->n;              \
		uint64_t sum = 0, nothing = 0;                                        \
		uint32_t at = 0, len;                                                 \
                                                                                      \
		(void)n;                                                              \
		__asm__("" : "+r"(nothing));                                          \
		for (; p < end; p++) {                                                \
			uint64_t parent = p->parent + (DEPENDENT ? at & nothing : 0); \
                                                                                      \
			at = N##_component(p->name, &len, parent, hash_default_key);  \
			at = N##_bucket(at, parent, names->bits);                     \
			sum += checksum_of(at, len);                                  \
		}                                                                     \
		w->ops += names->n;                                                   \
		w->wrong += sum != names->checksum;                                   \
		return ++w->pass < w->loops;                                          \
	}

#define LOOPS(N, NAME, WHAT)       \
	TURN(N, throughput, false) \
	TURN(N, latency, true)
DCS_HASHES(LOOPS)

#define ENTRY(N, NAME, WHAT) {NAME, N##_throughput, N##_latency},
const struct lab_loops lab_loops[] = {DCS_HASHES(ENTRY){0}};

const struct lab_loops *lab_loops_of(const struct hash_ops *hash)
{
	const struct lab_loops *loops = lab_loops;

	while (strcmp(loops->name, hash->name))
		loops++;
	return loops;
}

void lab_check(struct lab_names *names, const struct hash_ops *hash)
{
	names->checksum = 0;
	for (size_t i = 0; i < names->n; i++)
		names->checksum += checksum_of(lab_bucket(hash, &names->pair[i], names->bits),
					       names->pair[i].len);
}

int lab_run_loop(struct cell *cell, struct lab_names *names, turn_fn *loop, uint64_t passes,
		 struct sample *sample)
{
	struct worker *w = crew_workers(1);
	struct crew crew = bench_crew(cell, 1, w);
	int err;

	w->own = names;
	w->loops = passes;
	crew.turn = loop;
	err = crew_run(&crew, sample);
	free(w);
	return err;
}
