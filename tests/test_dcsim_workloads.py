#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""statstorm and dcachebench as a user runs them: what they say is what was done."""
import json
import platform
import statistics
import subprocess
import sys
import tempfile
import unittest

DCSIM = sys.argv.pop(1)
QUICK = sys.argv[1:] == ["quick"] and bool(sys.argv.pop(1))  # where a walk is many times slower
TREE = "".join(f"d{d}/f{f}\n" for d in range(20) for f in range(50))


def dcsim(*args):
    with tempfile.NamedTemporaryFile("w") as tree:
        tree.write(TREE)
        tree.flush()
        return subprocess.run(
            [DCSIM, args[0], "--tree", "paths:" + tree.name, "--runs", "1", "--warmup", "0",
             *args[1:]],
            capture_output=True, text=True, timeout=100)


class Workloads(unittest.TestCase):
    def results(self, *args):
        done = dcsim(*args, "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["results"]

    def refused(self, what, *args):
        done = dcsim(*args)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn(what, done.stderr)

    @unittest.skipIf(QUICK, "takes minutes here, and its parts are run by the other tests")
    def test_main_says_what_its_figures_say(self):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/all.json"
            done = dcsim("main", "--runs", "4", "--json", path)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(path, encoding="utf-8") as file:
                results = json.load(file)["results"]
        self.assertEqual({r["workload"] for r in results},
                         {"dcachebench", "gitdiff", "statstorm", "hash"})
        self.assertEqual(sum(line.startswith("$ dcsim ") for line in done.stdout.splitlines()), 5)
        self.assertNotIn(path, done.stdout)
        last = done.stdout.splitlines()[-1]
        self.assertTrue(last.startswith("In this run: "), last)
        serial = {r["walk"]: r["runs"] for r in results
                  if r["workload"] == "gitdiff" and r["config"]["variant"] == "serial"}
        # As far apart as four runs can be, the test sees them: then, and only then for sure.
        slower = statistics.median(serial["lstat"]) / statistics.median(serial["rcu-walk"])
        if min(serial["lstat"]) > max(serial["rcu-walk"]):
            self.assertRegex(last, rf"lstat.*: {slower:.2f} \[[^]]*\] in gitdiff serial")

    def test_main_takes_what_has_one_meaning(self):
        self.refused("--threads has no meaning here", "main", "--threads", "2")
        done = dcsim("main", "--json", "-", "--walk", "rcu-walk", "--tree", "nothing:here")
        self.assertEqual((done.returncode, done.stdout), (2, ""))

    def test_misses_are_answered_by_negative_dentries(self):
        for walk in self.results("statstorm", "--misses", "30", "--loops", "20", "--threads", "1",
                                 "--walk", "rcu-walk,ref-walk", "--sample", "0"):
            counters = walk["counters"]
            self.assertEqual(counters["walks"], 20 * 1020)
            self.assertAlmostEqual(counters["negative_hits"] / counters["walks"], 0.3, delta=0.06)

    def test_every_scope_and_order(self):
        cells = self.results("statstorm", "--scope", "all", "--order", "all", "--threads", "2",
                             "--duration", "0.02")
        self.assertEqual(len({cell["config"]["variant"] for cell in cells}), 9)
        for cell in cells:
            counters = cell["counters"]
            self.assertGreater(counters["p50"], 0)
            self.assertLessEqual(counters["p50"], counters["p90"])
            self.assertLessEqual(counters["p90"], counters["p99"])

    def test_fxmark(self):
        cells = self.results("statstorm", "--fxmark", "all", "--threads", "1,2", "--loops", "3",
                             "--sample", "0", "--walk", "ref-walk")
        walks = {(c["config"]["variant"], c["threads"]): c["counters"]["walks"] for c in cells}
        self.assertEqual(walks, {
            ("MRPL", 1): 3, ("MRPL", 2): 6, ("MRPM", 1): 3 * 8**5, ("MRPM", 2): 6 * 8**5,
            ("MRPH", 1): 3, ("MRPH", 2): 6})
        for cell in cells:
            self.assertEqual(cell["counters"]["components"], 5 * cell["counters"]["walks"])

    def test_writers_move_what_readers_walk(self):
        done = dcsim("statstorm", "--writers", "2", "--rename-where", "path", "--rename-rate",
                     "2000", "--threads", "1", "--duration", "0.3", "--sample", "0", "--walk",
                     "ref-walk", "--csv", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        head, run = (line.split(",") for line in done.stdout.splitlines()[:2])
        row = dict(zip(head, run))
        renames = [float(v) for k, v in row.items() if k.startswith("renames")]
        moved = [float(v) for k, v in row.items() if k.startswith("moved")]
        self.assertGreater(renames[0], 200)
        self.assertLess(renames[0], 2400)
        self.assertGreater(moved[0], 5)

    def test_dcachebench_does_its_mix(self):
        for cell in self.results("dcachebench", "-p", "4", "--ops", "200", "--loops", "5",
                                 "--hits", "5", "--misses", "3", "--creates", "2", "--threads",
                                 "1", "--walk", "rcu-walk,ref-walk"):
            self.assertEqual(cell["unit"], "us/iteration")
            # A create walks twice.
            self.assertEqual(cell["counters"]["walks"], 4 * 5 * 200 * 12 // 10)
            for option in ("depth", "dirs", "files", "names", "order", "cwd", "directories"):
                self.assertIn(option, cell["config"])

    @unittest.skipUnless(platform.machine() == "x86_64", "needs a cycle counter that is known")
    def test_parts_of_a_lookup_are_timed_together(self):
        for cell in self.results("dcachebench", "-p", "2", "--ops", "50", "--loops", "1", "--parts",
                                 "--threads", "1", "--walk", "rcu-walk,ref-walk"):
            parts = cell["parts"]
            # testdir, a worker's directory, up to three levels and a file; five passes.
            self.assertGreaterEqual(sum(parts["hash"]), 5 * 2 * 50 * 3)
            self.assertLessEqual(sum(parts["hash"]), 5 * 2 * 50 * 6)
            self.assertEqual(sum(parts["hash"]), sum(parts["lookup"]))
            self.assertEqual(sum(parts["hash"]), sum(parts["empty"]))
            mean = {name: sum(i * n for i, n in enumerate(parts[name])) for name in parts
                    if name != "cycles_a_bin"}
            self.assertGreater(mean["lookup"], mean["empty"])

    def test_verbose_says_what_reclamation_took(self):
        done = dcsim("dcachebench", "-p", "4", "--loops", "20", "--threads", "1", "--verbose",
                     "--flavour", "urcu-memb,ck-epoch")
        said = [line for line in done.stdout.splitlines() if "reclamation: " in line]
        self.assertEqual([line.split(":")[0] for line in said],
                         ["rcu-walk, urcu-memb", "rcu-walk, ck-epoch"], done.stderr)
        for line in said:
            self.assertRegex(line, r"at most [1-9][0-9]* objects waited")
        self.assertNotIn("reclamation: ", dcsim("dcachebench", "--loops", "1").stdout)

    def test_dcachebench_shapes(self):
        for args in (["--directories", "shared", "--cwd", "base", "--names", "tree"],
                     ["--cwd", "own", "--order", "random", "--names", "long"],
                     ["-b", "d1/new/base", "--depth", "0", "--order", "inorder"]):
            done = dcsim("dcachebench", "-p", "3", "--loops", "2", *args)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("Standard Deviation", done.stdout)

    def test_locks_are_an_axis(self):
        cells = self.results("dcachebench", "-p", "2", "--loops", "1", "--threads", "1", "--walk",
                             "global-lock", "--lock", "dcache_lock=mcs,dcache_lock=rwlock",
                             "--lock", "fs=pflock", "--refcount", "lockref,separate")
        got = {(c["config"]["lock"], c["config"]["refcount"]) for c in cells}
        self.assertEqual(got, {(f"dcache_lock={lock} fs=pflock", refcount)
                               for lock in ("mcs", "rwlock")
                               for refcount in ("lockref", "separate")})

    def test_refusals(self):
        self.refused("d_lock=mcs: an mcs lock is 8 bytes", "statstorm", "--lock", "d_lock=mcs")
        self.refused("did you mean bucket=mcs", "statstorm", "--lock", "bukcet=mcs")
        self.refused("d1", "dcachebench", "-b", "d1")
        self.refused("a//b", "dcachebench", "-b", "a//b")
        self.refused("..", "dcachebench", "-b", "../up")
        self.refused("names", "dcachebench", "--depth", "8", "--dirs", "100")
        self.refused("all 0", "dcachebench", "--hits", "0", "--misses", "0", "--creates", "0")
        self.refused("too few", "statstorm", "--scope", "private", "--names", "3", "--threads",
                     "4")
        self.refused("shuffled", "statstorm", "--order", "shufled")


if __name__ == "__main__":
    unittest.main()
