#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""test_dcsim_kbuild.py DCSIM [whole] - dcsim kbuild as a user runs it, on a small log

With `whole`, the log that is built in too: no result may differ from its own.
"""
import json
import lzma
import os
import subprocess
import sys
import tempfile
import unittest

DCSIM = sys.argv.pop(1)
WHOLE = "whole" in sys.argv[1:]
sys.argv = sys.argv[:1]

# A make that forks a compiler, which reads a header twice, through a link once, and writes.
LOG = '''\
10 getcwd("/src", 4096)              = 5
10 openat(AT_FDCWD, ".", O_RDONLY|O_DIRECTORY) = 3
10 getdents64(3, 0x7ffd0000 /* 9 entries */, 32768) = 100
10 newfstatat(AT_FDCWD, "/bin/cc", {st_mode=S_IFREG|0755, st_size=5000, ...}, 0) = 0
10 readlink("/bin/cc", "cc-12", 1023) = 5
10 clone3({flags=CLONE_VM|CLONE_VFORK}, 88 <unfinished ...>
11 execve("/bin/cc", [...], NULL)     = 0
10 <... clone3 resumed>)             = 11
11 mkdir("tmp", 0777)                = 0
11 mkdir("/src", 0777)               = -1 EEXIST (File exists)
11 openat(AT_FDCWD, "tmp/a.s", O_RDWR|O_CREAT|O_EXCL, 0600) = 3
11 openat(AT_FDCWD, "include/a.h", O_RDONLY) = 4
11 newfstatat(4, "", {st_mode=S_IFREG|0644, st_size=9000, ...}, AT_EMPTY_PATH) = 0
11 openat(AT_FDCWD, "include/none.h", O_RDONLY) = -1 ENOENT (No such file or directory)
11 openat(AT_FDCWD, "include/../include/a.h", O_RDONLY) = 4
11 chdir("tmp")                      = 0
11 renameat2(AT_FDCWD, "a.s", AT_FDCWD, "../a.o", 0) = 0
11 access("/src/a.o", R_OK)          = 0
11 unlinkat(AT_FDCWD, "/src/tmp", AT_REMOVEDIR) = 0
11 exit_group(0)                     = ?
10 unlink("a.o")                     = 0
10 exit_group(0)                     = ?
'''


class Kbuild(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_on(self, log, *args):
        path = os.path.join(self.folder.name, "log")
        with open(path, "wb") as f:
            f.write(log if isinstance(log, bytes) else log.encode())
        return subprocess.run([DCSIM, "kbuild", "--trace", path, "--user", "1e6", "--runs", "1",
                               *args], capture_output=True, text=True, errors="replace",
                              timeout=240, check=False)

    def results(self, log, *args):
        done = self.run_on(log, "--json", "-", *args)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = {}
        for cell in json.loads(done.stdout)["results"]:
            key = cell["config"]["atime"], cell["config"]["variant"]
            found[key] = {name: m["median"] for name, m in cell["measures"].items()}
            found[key]["differences"] = cell["counters"]["differences"]
            found[key]["median"] = cell["median"]
        return found, done.stderr

    def test_policies(self):
        found, said = self.results(LOG)
        self.assertEqual(said, "")
        self.assertEqual(len(found), 12)
        for (atime, caches), m in found.items():
            self.assertEqual(m["differences"], 0)
            self.assertEqual(m["user"], 22)
            self.assertAlmostEqual(m["median"], m["user"] + m["walk"] + m["wait"])
            # What was read an hour before is not read for relatime; new is what the build made.
            stores = {"noatime": 0, "relatime": 0, "relatime-2007": 0, "strictatime": 7,
                      "lazytime": 7, "nodiratime": 6}[atime]
            self.assertEqual(m["stores"], stores, (atime, caches))
            if atime != "lazytime":
                self.assertEqual(m["told"], stores)
            self.assertEqual(m["wait"] > 0, caches == "cold", (atime, caches))
        lazy = found["lazytime", "warm"]
        # Seven times of four inodes; the directory's went with a change of it.
        self.assertEqual(lazy["told"] + lazy["told_at_sync"], 4)
        self.assertGreaterEqual(lazy["told"], 1)

    def test_a_day_makes_relatime_store(self):
        found, _ = self.results(LOG, "--last-read", "25", "--atime", "relatime,relatime-2007",
                                "--caches", "warm")
        # Each once: after the first read it is fresh.
        self.assertEqual(found["relatime", "warm"]["stores"], 4)
        self.assertEqual(found["relatime-2007", "warm"]["stores"], 0)

    def test_cut_off(self):
        done = self.run_on(LOG + '10 openat(AT_FDCWD, "inclu')
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("log:23: ", done.stderr)
        self.assertIn("1 of 23 lines could not be read", done.stderr)
        self.assertIn("0 results differ", done.stdout)

    def test_xz(self):
        packed = lzma.compress(LOG.encode())
        found, said = self.results(packed, "--atime", "strictatime", "--caches", "warm")
        self.assertEqual(found["strictatime", "warm"]["stores"], 7)
        self.assertEqual(said, "")
        done = self.run_on(packed[:-40])
        self.assertIn("ends in the middle", done.stderr)

    def test_differences_are_counted(self):
        log = LOG + '10 access("include/a.h", R_OK) = -1 ENOENT (No such file or directory)\n'
        done = self.run_on(log, "--atime", "noatime", "--caches", "warm")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 results differ from the log's, 1 of access (first in line 23)",
                      done.stdout)

    def refused(self, log, part, *args):
        done = self.run_on(log, *args)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn(part, done.stderr)

    def test_refusals(self):
        self.refused(b"", "log: holds no call")
        self.refused(os.urandom(1000).replace(b"(", b"x"), "log:1: ")
        self.refused("first\nsecond\n", "log:1: is no call")
        self.refused(LOG, "ide-2005", "--disk", "ide")
        self.refused(LOG, "did you mean lazytime", "--atime", "lazytme")
        done = subprocess.run([DCSIM, "kbuild", "--trace", self.folder.name + "/none"],
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
        self.assertIn("/none: No such file", done.stderr)

    @unittest.skipUnless(WHOLE, "the log that is built in, where it is quick")
    def test_built_in(self):
        done = subprocess.run([DCSIM, "kbuild", "--runs", "1", "--atime", "strictatime",
                               "--caches", "cold", "--json", "-"], capture_output=True, text=True,
                              timeout=240, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        cell = json.loads(done.stdout)["results"][0]
        self.assertEqual(cell["counters"]["differences"], 0)
        self.assertGreater(cell["measures"]["stores"]["median"], 10000)


if __name__ == "__main__":
    unittest.main()
