#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""test_instructions.py WALK_LOOPS PATHS.xz: instructions a path, counted by callgrind

One loop over the first names of PATHS is the difference of a run with two loops and a run
with one. Counts do not depend on the machine's mood, but somewhat on the compiler: what is
guarded is the ratio to finding and hashing the components alone, of the same compiler.
"""
import itertools
import lzma
import re
import shutil
import subprocess
import sys
import tempfile

LIMITS = {  # of instructions a path to those of hash-only; gcc 12 gave 2.75, 2.90, 3.77, 2.92 and 3.44
    ("rcu-walk", "none"): 3.3,
    ("rcu-walk", "ref"): 3.5,
    ("ref-walk", "ref"): 4.5,
    ("store-free-2009", "ref"): 3.5,
    ("global-lock", "ref"): 4.1,
}


NAMES = 8000


def instructions(*args):
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                          sys.argv[1], *args], capture_output=True, text=True, check=True)
    names = int(run.stdout.split()[0])
    return names, int(re.search(r"Collected : (\d+)", run.stderr).group(1))


def a_path(walk, final, tree):
    names, one = instructions(walk, final, "1", tree)
    _, two = instructions(walk, final, "2", tree)
    return (two - one) / names


def main():
    if not shutil.which("valgrind"):
        print("no valgrind here")
        return 77
    with tempfile.NamedTemporaryFile("wb", suffix=".paths") as paths:
        with lzma.open(sys.argv[2]) as names:
            for line in itertools.islice(names, 1, NAMES + 1):  # without the top folder
                paths.write(line.split(b"/", 1)[1])
        paths.flush()
        return check("paths:" + paths.name)


def check(tree):
    failed = 0
    hash_only = a_path("rcu-walk", "hash-only", tree)
    print(f"hash-only: {hash_only:.0f} instructions a path")
    for (walk, final), limit in LIMITS.items():
        count = a_path(walk, final, tree)
        over = count > limit * hash_only or count <= hash_only
        print(f"{walk}, final {final}: {count:.0f}, {count / hash_only:.2f} times hash-only, "
              f"limit {limit}{': FAILED' if over else ''}")
        failed += over
    return 1 if failed else 0


sys.exit(main())
