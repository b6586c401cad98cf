#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""copytree as a user runs it: what it counts is what is there, whole or as far as it fits"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

DCSIM = sys.argv.pop(1)
KINDS = ("dentries", "inodes", "buffer_heads")


def dcsim(*args, user=None):
    return subprocess.run([DCSIM, "copytree", "--runs", "2", "--warmup", "0", *args],
                          capture_output=True, text=True, timeout=100, user=user)


def make_tree(folder):
    """12 names, 8 files; a file of n bytes takes n / 1024 blocks, rounded up."""
    sizes = [0, 1, 1023, 1024, 1025, 4096, 5000, 20000]
    os.makedirs(f"{folder}/d/e")
    for i, size in enumerate(sizes):
        with open(f"{folder}/d/{'e/' if i % 2 else ''}f{i}", "wb") as file:
            file.write(os.urandom(size))
    os.symlink("d/e", f"{folder}/link")
    os.mkdir(f"{folder}/empty", 0o700)
    os.chmod(f"{folder}/d/f0", 0o4711)
    return sizes


class Copytree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.tree = self.folder.name + "/tree"
        self.sizes = make_tree(self.tree)

    def tearDown(self):
        self.folder.cleanup()

    def results(self, *args):
        done = dcsim("--tree", "dir:" + self.tree, "--json", "-", *args)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["results"], done.stderr

    def test_counts(self):
        cells, said = self.results("--test", "A", "--pages", "all")
        self.assertEqual(said, "")
        self.assertEqual([(c["config"]["variant"], c["config"]["objects"]) for c in cells],
                         [("A", "zeroed"), ("A", "constructed"),
                          ("A, reused", "zeroed"), ("A, reused", "constructed")])
        pages = sum((size + 4095) // 4096 for size in self.sizes)
        for cell in cells:
            counters = cell["counters"]
            self.assertEqual(counters["names"], 12)
            self.assertEqual(counters["files"], 8)
            self.assertEqual(counters["copied_bytes"], sum(self.sizes))
            self.assertEqual(counters["blocks"], sum((s + 1023) // 1024 for s in self.sizes))
            self.assertEqual((counters["enospc_files"], counters["unreadable_files"]), (0, 0))
            allocated = [counters["allocated_" + kind] for kind in KINDS]
            self.assertEqual(allocated, [12, 12, 4 * pages])
            if cell["config"]["objects"] == "zeroed":
                self.assertEqual(counters["constructed_objects"], 0)
                self.assertEqual(counters["zeroed_bytes"], 192 * 12 + 192 * 12 + 104 * 4 * pages)
            else:
                self.assertEqual(counters["zeroed_bytes"], 0)
                # Whole pages of objects; none where the last copy's are used again.
                fresh = cell["config"]["variant"] == "A"
                self.assertEqual(counters["constructed_objects"] >= 4 * pages, fresh)
                self.assertEqual(counters["constructed_objects"] == 0, not fresh)
            for run in range(2):
                measured = {k: v["runs"][run] for k, v in cell["measures"].items()}
                self.assertGreater(measured["real"], 0)
                self.assertGreater(cell["runs"][run], 0)

    def test_too_large(self):
        """The disk has 20 blocks, and the files want 34: it is filled to the last block."""
        cells, said = self.results("--test", "A", "--ramdisk", str(20 * 1024 + 1023))
        self.assertIn("ENOSPC", said)
        self.assertEqual(len(said.splitlines()), 1)
        for cell in cells:
            self.assertEqual(cell["counters"]["blocks"], 20)
            self.assertGreater(cell["counters"]["enospc_files"], 0)
            self.assertLess(cell["counters"]["copied_bytes"], sum(self.sizes))
        done = dcsim("--tree", "dir:" + self.tree, "--test", "A", "--ramdisk", "20Ki", "--quiet")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"ENOSPC: [1-9]\d* of 8 files did not fit")

    def test_one_file(self):
        """Of 5 MiB: one that fits, and one that does not, in each size of a block."""
        for block in (1024, 2048, 4096):
            for disk, fits in ((8 << 20, 5 << 20), (2 << 20, 2 << 20)):
                cells, _ = self.results("--test", "B", "--file-size", "5Mi", "--file-ramdisk",
                                        str(disk), "--block-size", str(block), "--runs", "1",
                                        "--write-size", "10000")
                for cell in cells:
                    self.assertEqual(cell["counters"]["copied_bytes"], fits)
                    self.assertEqual(cell["counters"]["blocks"], fits // block)

    def test_unreadable(self):
        """Another user than root may not read f0, f6 and what would be in `empty`."""
        os.chmod(self.folder.name, 0o755)
        os.chmod(self.tree + "/d/f6", 0)
        os.chmod(self.tree + "/d/f0", 0)
        try:
            done = dcsim("--tree", "dir:" + self.tree, "--test", "A", "--json", "-",
                         user="nobody" if os.geteuid() == 0 else None)
        except PermissionError:
            self.skipTest("another user may not run the program here")
        self.assertEqual(done.returncode, 0, done.stderr)
        for cell in json.loads(done.stdout)["results"]:
            self.assertEqual(cell["counters"]["unreadable_files"], 2)
            self.assertEqual(cell["counters"]["names"], 10)

    def test_table(self):
        done = dcsim("--tree", "dir:" + self.tree, "--test", "A", "--verbose", "--walk",
                     "ref-walk,rcu-walk")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split()[:4] for line in done.stdout.splitlines()]
        for run in ("1", "2"):
            for walk in ("ref-walk,", "rcu-walk,"):
                for objects in ("zeroed", "constructed"):
                    self.assertIn([run, "A", walk, objects], rows)

    def test_made_bytes(self):
        """A tree without contents has made ones, as long as it says: here none."""
        done = dcsim("--tree", "synth:depth=1,fanout=5,names=numbers", "--test", "A", "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        for cell in json.loads(done.stdout)["results"]:
            self.assertEqual(cell["counters"]["copied_bytes"], 0)
            self.assertEqual(cell["counters"]["allocated_buffer_heads"], 0)

    def test_refusals(self):
        done = dcsim("--file-ramdisk", "1024Gi")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, r"\A[^\n]*--file-ramdisk: [^\n]* or less\n\Z")
        for what, *args in (("--block-size", "--block-size", "3000"),
                            ("did you mean constructed", "--objects", "constructd"),
                            ("nothing/here", "--tree", "dir:/nothing/here"),
                            ("--store", "--store", "memory")):
            done = dcsim(*args)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(what, done.stderr)


if __name__ == "__main__":
    unittest.main()
