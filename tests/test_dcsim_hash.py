#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs `dcsim hash` as a user does: test_dcsim_hash.py DCSIM [arena]

With `arena` dentries lie where the laboratory says that they do (not so under
AddressSanitizer), and the cache's chains must be those that it computed.
"""
import json
import subprocess
import sys
import tempfile

dcsim, arena = sys.argv[1], "arena" in sys.argv[2:]


def run(*args, status=0):
    p = subprocess.run([dcsim, *args], capture_output=True, text=True)
    assert p.returncode == status, (args, p.returncode, p.stderr)
    return p


def hash_results(*args):
    out = run("hash", "--json", "-", "--runs", "2", "--warmup", "0", "--loops", "1", *args).stdout
    return json.loads(out)["results"]


def test_every_hash():
    names = {h["name"] for h in json.loads(run("list", "hashes", "--json").stdout)}
    assert {"words", "bytes", "fnv1a", "siphash13", "xxh64", "xxh3", "null"} <= names, names
    results = hash_results("--tree", "linux-6.1")
    alone = [(r["hash"], r["config"]["variant"]) for r in results if r["walk"] == "hash-only"]
    assert sorted(alone) == sorted((n, v) for n in names for v in ("throughput", "latency"))
    walks = {r["hash"]: r for r in results if r["walk"] == "rcu-walk"}
    assert set(walks) == names - {"null"}, set(walks)
    for r in results:
        c, floor = r["counters"], r["hash"] == "null"
        assert r["median"] > 0
        assert c["floor"] == floor and c["keyed"] == (r["hash"] == "siphash13")
        assert (c["p_chains"] < 1e-12) == floor, (r["hash"], c)
        assert (abs(c["hit"] - c["random_hit"]) < 0.02) == (not floor), (r["hash"], c)
        if arena and not r["walk"] == "hash-only":
            assert c["cache_longest"] == c["longest"], (r["hash"], c)


def test_chains_repeat():
    first, again = (
        [r["counters"]["chisq"] for r in hash_results("--hash", "null,words,siphash13")]
        for _ in range(2)
    )
    assert first == again


def test_table():
    p = run("hash", "--hash", "xxh3,null,words", "--runs", "2", "--loops", "1")
    lines = p.stdout.splitlines()
    assert "83730 names in 5096 directories, 2^17 buckets" in lines[0], lines[0]
    assert lines[1].split()[0] == "hash" and lines[1].split()[-1] == "verdict"
    times = [float(line.split()[2]) for line in lines[2:4]]
    assert times == sorted(times), "not sorted by walk time"
    assert lines[4].startswith("null") and "floor" in lines[4]
    assert all(line.endswith("good") for line in lines[2:4]), lines


def test_small_trees():
    with tempfile.NamedTemporaryFile("w") as f:
        f.write("a\nb/c\n")
        f.flush()
        out = run("hash", "--tree", "paths:" + f.name, "--hash", "words", "--runs", "2").stdout
    assert "too few names to tell" in out


def test_bad_input():
    for args, said in (
        (["--hash", "word"], "words"),
        (["--buckets", "1"], "--buckets"),
        (["--threads", "2"], "--threads"),
        (["--tree", "paths:/nonexistent"], "/nonexistent"),
    ):
        p = run("hash", *args, status=2)
        assert not p.stdout and p.stderr.count("\n") == 1 and said in p.stderr, (args, p.stderr)


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        print("ok", name)
