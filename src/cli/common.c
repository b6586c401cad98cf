// SPDX-License-Identifier: LGPL-2.1-or-later
/* common.c - the options that mean the same everywhere */
#include "bench/crew.h"
#include "cli/parse.h"

#define AT(member) OPT_AT(struct options, member)

static uint64_t all_cores(void)
{
	return crew_cores();
}

const struct opt common_options[] = {
	{"kernel", 'k', OPT_NAMES, AT(kernel), .arg = "K,...", .kind = "kernels",
	 .help = "kernels to compare, each with its walk, layout, hash, locks and counting, which "
		 "the options that follow override; the first is the reference; none given: 6.12"},
	{"walk", 0, OPT_NAMES, AT(walk), .arg = "W,...", .def = "rcu-walk", .kind = "walks",
	 .help = "locking schemes to compare; the first is the reference; with --kernel, the "
		 "kernel's"},
	{"layout", 0, OPT_NAMES, AT(layout), .arg = "L,...", .kind = "layouts",
	 .help = "shapes of a dentry in memory; none given: the kernel's"},
	{"hash", 0, OPT_NAMES, AT(hash), .arg = "H,...", .kind = "hashes",
	 .help = "name hashes, all through one pointer; none given: the kernel's, compiled in"},
	{"flavour", 0, OPT_NAMES, AT(flavour), .arg = "F,...", .def = "urcu-memb",
	 .kind = "flavours", .help = "schemes of reclamation"},
	{"lock", 0, OPT_NAMES, AT(lock), .arg = "ROLE=L,...", .kind = "lock-choices", .adds = true,
	 .help = "a lock for a role (`list locks`), all through switches; several of one role "
		 "are compared, of several roles each with each; given again, it adds"},
	{"refcount", 0, OPT_NAMES, AT(refcount), .arg = "R,...", .kind = "refcounts",
	 .help = "how references are counted; none given: as the kernel does"},
	{"compare", 0, OPT_NAMES, AT(compare), .arg = "C,...", .kind = "compares",
	 .help = "when ref-walk compares names; none given: as the kernel does"},
	{"objects", 0, OPT_NAMES, AT(objects), .arg = "O,...", .def = "zeroed", .kind = "objects",
	 .help = "object caches (slab): objects are zeroed at each allocation, or constructed "
		 "once"},
	{"final", 0, OPT_NAMES, AT(final), .arg = "ref,none", .def = "ref", .kind = "finals",
	 .help = "how a walk ends: takes a reference, as Linux, or takes nothing"},
	{"buckets", 0, OPT_NUMBER, AT(buckets), .arg = "N", .def = "0", .min = 0, .max = 1 << 30,
	 .help = "of the hash table, a power of two; 0: by the tree, the least that is one a name "
		 "or more, within 128Ki and 64Mi"},
	{"limit", 0, OPT_NUMBER, AT(limit), .arg = "N", .def = "0", .min = 0, .max = 1u << 31,
	 .help = "dentries above which unused ones go; 0: 7/8 of the room for them"},
	{"negatives", 0, OPT_NAMES, AT(negatives), .arg = "P,...", .def = "keep",
	 .kind = "negatives", .help = "what becomes of negative dentries"},
	{"negative-limit", 0, OPT_NUMBER, AT(negative_limit), .arg = "N", .def = "0", .min = 0,
	 .max = 1u << 31, .help = "negative dentries; 0: a quarter of the limit"},
	{"store", 0, OPT_NAMES, AT(store), .arg = "S,...", .def = "none", .kind = "stores",
	 .help = "what stands behind the cache and is asked on a miss"},
	{"store-latency", 0, OPT_NUMBER, AT(store_latency), .arg = "NS", .def = "0", .min = 0,
	 .max = 1e12, .help = "simulated time of each question to it, added up and not slept"},
	{"atime", 0, OPT_NAMES, AT(atime), .arg = "A,...", .def = "noatime", .kind = "atimes",
	 .help = "when reading stores an access time"},
	{"tree", 't', OPT_STRING, AT(tree), .arg = "TREE", .def = "linux-6.1",
	 .help = "names to run over: linux-6.1, dir:PATH, paths:FILE, git:REPO or synth:depth=D,"
		 "fanout=F,names=SHAPE (dcsim list trees)"},
	{"threads", 0, OPT_NUMBERS, AT(threads), .arg = "N,...", .def = "1,all", .min = 1,
	 .max = 1024, .all = all_cores, .help = "numbers of threads, each measured"},
	{"runs", 'r', OPT_NUMBER, AT(runs), .arg = "N", .def = "10", .min = 1, .max = 1000,
	 .help = "measured runs"},
	{"warmup", 0, OPT_NUMBER, AT(warmup), .arg = "N", .def = "1", .min = 0, .max = 1000,
	 .help = "runs before them"},
	{"loops", 'l', OPT_NUMBER, AT(loops), .arg = "N", .def = "1", .min = 1, .max = 1e9,
	 .help = "passes of a run over its names"},
	{"duration", 'd', OPT_REAL, AT(duration), .arg = "SECONDS", .min = 0.001, .max = 3600,
	 .help = "length of a run, in place of loops"},
	{"seed", 0, OPT_NUMBER, AT(seed), .arg = "N", .def = "1", .min = 0, .max = 1e15,
	 .help = "of everything random"},
	{"placement", 0, OPT_NUMBER, AT(placement), .arg = "SEED", .def = "0", .min = 0,
	 .max = 1e15,
	 .help = "move dentries, inodes, names, table and stacks in memory by lines and pages "
		 "drawn from it; 0: not. Code stays where the linker put it"},
	{"switch", 0, OPT_NUMBER, AT(switch_every), .arg = "N", .def = "64", .min = 1, .max = 1e9,
	 .help = "operations before a thread turns to its next task"},
	{"os-threads", 0, OPT_FLAG, AT(os_threads), .help = "a thread a task"},
	{"reference", 0, OPT_FLAG, AT(reference),
	 .help = "add rows: lstat(2), an empty system call, hashing only, a pointer chase"},
	{"json", 0, OPT_STRING, AT(json), .arg = "FILE",
	 .help = "write all figures there; - is standard output, in place of the table"},
	{"csv", 0, OPT_STRING, AT(csv), .arg = "FILE",
	 .help = "write every run there, a line each"},
	{"plot", 0, OPT_STRING, AT(plot), .arg = "FILE.svg",
	 .help = "draw medians and intervals there (needs gnuplot)"},
	{"quiet", 'q', OPT_FLAG, AT(quiet), .help = "no progress"},
	{"verbose", 'v', OPT_FLAG, AT(verbose), .help = "say what each run gave"},
	{.name = NULL},
};
