/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * hash - the laboratory of name hashes
 *
 * Parts, a file each; lab.h has what they share. What is timed is a cell of the bench as in
 * any workload, so that all parts of a command run interleaved.
 */
#include <math.h>
#include <string.h>

#include "lab.h"

static const struct lab_part *const parts[] = {&lab_walk,   &lab_speed,	 &lab_quality,
					       &lab_attack, &lab_chains, &lab_claim};
#define PARTS (sizeof(parts) / sizeof(parts[0]))

struct hash_options {
	struct opt_names what;
	struct opt_numbers lengths;
	uint64_t collide;
};

static const struct dcs_name whats[] = {
	{"walk", "each hash by itself and in a walk, with a verdict"},
	{"speed", "ns a name by its length, and with cold code"},
	{"quality", "chains of several sets of names, bits used, avalanche"},
	{"attack", "names made to collide, and what they cost a walk"},
	{"chains", "chain lengths of tables from 1Ki to 1Mi buckets"},
	{"claim", "whether the xor of 2004 changes chains, as was said in 2013"},
	{NULL, NULL},
};

static const struct opt hash_options[] = {
	{"what", 0, OPT_NAMES, OPT_AT(struct hash_options, what), .arg = "PART,...", .def = "walk",
	 .choices = whats, .help = "parts, or all"},
	{"lengths", 0, OPT_NUMBERS, OPT_AT(struct hash_options, lengths), .arg = "N,...",
	 .def = "1,2,3,4,6,8,12,16,17,24,32,48,64,96,128,192,255", .min = 1, .max = DCS_NAME_MAX,
	 .help = "speed: lengths of names"},
	{"collide", 0, OPT_NUMBER, OPT_AT(struct hash_options, collide), .arg = "N", .def = "256",
	 .min = 2, .max = 65536, .help = "attack: names to find for each hash"},
	{.name = NULL},
};

static struct lab lab;
static const struct lab_part *chosen[PARTS];
static size_t n_chosen;

struct sut *lab_stand_in(struct lab *l, const struct hash_ops *hash)
{
	struct sut *sut = allocate(1, sizeof(*sut));

	*sut = (struct sut){.kind = SUT_HASH_ONLY,
			    .walk = "hash-only",
			    .layout = "",
			    .hash = hash->name,
			    .flavour = "",
			    .final = "",
			    .refcount = "",
			    .negatives = "",
			    .store = "",
			    .tree = l->tree,
			    .table_bits = l->bits,
			    .dir = -1};
	return bench_keep(l->b, sut);
}

json_t *lab_result(const struct lab *l, json_t *results, const struct hash_ops *hash,
		   const char *what, const char *tree, unsigned bits, const char *unit,
		   double value)
{
	json_t *counters = json_object(), *v = isfinite(value) ? json_real(value) : json_null();
	json_t *j = json_pack(
		"{s:s, s:s, s:s, s:n, s:s, s:n, s:s, s:s, s:i, s:{s:s, s:I}, s:s, s:[O], s:O, "
		"s:[O, O], s:o, s:f, s:o}",
		"workload", l->b->workload->name, "kernel", "dcsim", "walk", "hash-only", "layout",
		"hash", hash->name, "flavour", "tree", tree, "machine", "native", "threads", 1,
		"config", "variant", what, "buckets", (json_int_t)1 << bits, "unit", unit, "runs",
		v, "median", v, "ci95", v, v, "mean", v, "stddev", 0.0, "counters", counters);

	json_array_append_new(results, j);
	return counters;
}

void lab_counter(json_t *counters, const char *name, double value)
{
	if (isfinite(value)) /* JSON has no other; absent is what it means */
		json_object_set_new(counters, name, json_real(value));
}

static void print_parts(struct bench *b)
{
	(void)b;
	for (size_t i = 0; i < n_chosen; i++) {
		if (i)
			putchar('\n');
		chosen[i]->print(&lab);
	}
}

static void add_counts(const struct bench *b, struct output *output)
{
	(void)b;
	for (size_t i = 0; i < n_chosen; i++) {
		if (chosen[i]->results)
			chosen[i]->results(&lab, output->results);
		if (chosen[i]->panel)
			output->height += chosen[i]->panel(&lab, output->panels);
	}
}

static void choose_parts(const struct hash_options *own)
{
	n_chosen = 0;
	for (size_t i = 0; i < PARTS; i++)
		for (size_t j = 0; j < own->what.n; j++)
			if (!strcmp(parts[i]->name, own->what.v[j]))
				chosen[n_chosen++] = parts[i];
}

/* Said before anything is counted. */
static void check_plot(const struct options *o)
{
	bool drawn = !o->plot;

	for (size_t i = 0; i < n_chosen; i++)
		drawn |= chosen[i] != &lab_quality && chosen[i] != &lab_claim;
	if (!drawn)
		fail(EXIT_USAGE, "--plot: quality and claim are not drawn; right is to add another "
				 "part to --what, chains say");
}

static void choose_hashes(const struct opt_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		for (const struct hash_ops *h = dcs_hashes; h->name; h++)
			if (!strcmp(h->name, names->v[i]))
				lab.hash[lab.n++] = h;
}

static int hash_main(struct bench *b, void *own)
{
	const struct hash_options *o = own;
	struct tree *tree;

	choose_parts(o);
	check_plot(b->opt);
	tree = bench_tree(b);
	if (!tree->n)
		fail(EXIT_USAGE, "--tree %s: there is no name in it to hash", b->opt->tree);
	lab = (struct lab){
		.b = b,
		.tree = tree,
		.bits = buckets_bits(b->opt, tree),
		.pairs = pairs_new(tree),
		.lengths = &o->lengths,
		.collide = o->collide,
	};
	choose_hashes(&b->opt->hash);
	b->table = print_parts;
	b->more = add_counts;
	for (size_t i = 0; i < n_chosen; i++)
		chosen[i]->set_up(&lab);
	bench_finish(b);
	for (size_t i = 0; i < n_chosen; i++)
		if (chosen[i]->tear_down)
			chosen[i]->tear_down();
	lab_forget();
	pairs_free(lab.pairs);
	return 0;
}

const struct workload workload_hash = {
	.name = "hash",
	.summary = "compare name hashes: cost alone, chains against random ones, cost in a walk",
	.about =
		"Takes every (parent, name) of the tree. ns/name is the cost of a hash with names\n"
		"that do not wait for each other, latency with each parent known only after the\n"
		"bucket before. Chains are compared with those of random hashing; p is the chance\n"
		"that random chains look as bad. ns/path is a stat of each path through a cache\n"
		"with that hash. `null` hashes nothing and shows what measuring costs. --what has\n"
		"other parts: speed by length, quality on other names, attack, chains, claim.",
	.options = hash_options,
	.size = sizeof(struct hash_options),
	.defaults =
		(const char *const[]){"hash=words,bytes,fnv1a,crc32c,wyhash,xxh3,siphash13,null",
				      "threads=1", "loops=2", NULL},
	.without = (const char *const[]){"threads", "duration", "switch", "os-threads", NULL},
	.main = hash_main,
};
