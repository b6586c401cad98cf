#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""test_dcsim_reproduce.py DCSIM - experiments with few runs: tables, folders, refusals"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

DCSIM = os.path.abspath(sys.argv.pop(1))
PARTS = ["command", "environment.json", "plot.svg", "raw.json", "table.md"]
FEW = ["--runs", "1", "--loops", "1", "--quiet"]


class Reproduce(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = pathlib.Path(folder.name)
        (self.at / "names").write_text("".join(f"d{d}/f{f}\n" for d in range(9) for f in range(60)))
        self.tree = ["--tree", "paths:" + str(self.at / "names")]

    def dcsim(self, *args, **how):
        return subprocess.run([DCSIM, "reproduce", *args], capture_output=True, text=True,
                              cwd=self.at, timeout=200, check=False, **how)

    def refused(self, status, *args, says, **how):
        done = self.dcsim(*args, **how)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for words in says:
            self.assertIn(words, done.stderr)

    def rows(self, text):
        return [" ".join(line.split()) for line in text.splitlines()]

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_two_experiments(self):
        done = self.dcsim("003", "004", *FEW, *self.tree, "--json", "all.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = self.rows(done.stdout)
        for post in ("2.6.6-rc3 10578 221 ", "2.6.6 10280 110 10204 161.5 ", "2.6.6-bk 10862 30 ",
                     "2.6.6-mm1 10626 36 10571 51.5 ", "2.6.6-bk, old hash 10685 34 ",
                     "2.6.6, new hash 10496 125 ",
                     "2.6.32-rc3 serial 5.35 7.12 12.47 100 1.00 1.00 1.00 ",
                     "2.6.32-rc3 parallel 5.79 17.69 9.41 249 0.83 8.38 0.80 ",
                     "vfs serial 5.30 5.62 10.92 100 0.93 0.84 0.86 ",
                     "vfs parallel 4.86 0.68 6.82 81 0.72 0.13 0.43 "):
            self.assertTrue(any(row.startswith(post) for row in rows), post)
        self.assertIn("too few runs", done.stdout)
        for name in ("003", "004"):
            folder = self.at / "results" / ("reproduce-" + name)
            self.assertEqual(sorted(os.listdir(folder)), PARTS)
            table = (folder / "table.md").read_text()
            self.assertIn(table.split("```\n")[1], done.stdout)
            self.assertIn("<svg", (folder / "plot.svg").read_text())
        self.check_json(json.loads((self.at / "all.json").read_text()))
        self.assertEqual(sorted(os.listdir(self.at)), ["all.json", "names", "results"])

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_all_runs_of_a_post_stand_beside_ours(self):
        done = self.dcsim("000", "--runs", "1", "--quiet", *self.tree)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = self.rows(done.stdout)
        number = r"\d+\.\d{4}"
        for post in ("A: small files, no constructor 1 0.104 0.016 0.056",
                     "A: small files, constructor 1 0.099 0.004 0.100",
                     "B: one file of 52 MB, no constructor 1 2.095 0.000 0.168",
                     "B: one file of 52 MB, constructor 1 0.183 0.004 0.188"):
            self.assertTrue(any(re.fullmatch(f"{post} {number} {number} {number}", row)
                                for row in rows), post)
        for lowest in ("lowest 0.089 0.000 0.048 ", "lowest 0.174 0.000 0.116 "):
            self.assertTrue(any(row.startswith(lowest) for row in rows), lowest)

    def check_json(self, raw):
        """Each figure is one that a process of its own gave, each placed by its own number."""
        placements = [r["config"]["placement"] for r in raw["results"]]
        commands = {r["command"] for r in raw["results"]}
        self.assertEqual(len(set(placements)), len(commands))
        self.assertNotIn(0, placements)
        self.assertEqual([e["experiment"] for e in raw["experiments"]], ["003", "004"])
        measured = {r["median"] for r in raw["results"] if r["experiment"] == "003"}
        for row in raw["experiments"][0]["rows"]:
            self.assertIn(row["columns"]["us/iteration"]["ours"]["median"], measured)
        for experiment in raw["experiments"]:
            self.assertTrue(experiment["effects"])

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_what_is_there_is_replaced_if_it_is_a_result(self):
        mine = self.at / "kept" / "reproduce-004"
        mine.mkdir(parents=True)
        (mine / "command").write_text("old\n")
        few = ["004", *FEW, *self.tree, "--results", "kept"]
        self.assertEqual(self.dcsim(*few).returncode, 0)
        self.assertEqual(sorted(os.listdir(mine)), PARTS)
        self.assertNotEqual((mine / "command").read_text(), "old\n")
        (mine / "notes").write_text("mine")
        self.refused(2, *few, says=["--results", "notes"])
        self.assertEqual(os.listdir(self.at / "kept"), ["reproduce-004"])

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_refusals(self):
        self.refused(2, "005", says=["005", "did you mean", "003"])
        self.refused(2, says=["which experiment", "003"])
        self.refused(2, "003", "--walk", "rcu-walk", says=["--walk has no meaning here"])
        self.refused(2, "003", "--tree", "nothing:here", says=["dcachebench", "nothing:here"])
        self.refused(3, "003", "--results", "no/such/place", says=["no/such/place"])
        self.assertEqual(os.listdir(self.at), ["names"])

    def test_gnuplot_is_looked_for_first(self):
        self.refused(3, "003", *FEW, says=["gnuplot is missing", "apt install"],
                     env={"PATH": str(self.at)})
        self.assertEqual(os.listdir(self.at), ["names"])


if __name__ == "__main__":
    unittest.main()
