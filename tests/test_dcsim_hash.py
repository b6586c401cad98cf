#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs `dcsim hash` as a user does: test_dcsim_hash.py DCSIM [arena]

With `arena` dentries lie where the laboratory says that they do (not so under
AddressSanitizer), and the cache's chains must be those that it computed.
"""
import json
import re
import shutil
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


KERNELS = {"linux-2.4.0", "linux-2.6.6", "linux-2.6.6-bk", "linux-2.6.32", "linux-3.12", "linux-3.17"}
OTHERS = {"words", "bytes", "fnv1a", "djb2", "jhash", "murmur3", "murmur64a", "siphash13", "siphash24",
          "crc32c", "crc32c-table", "wyhash", "xxh32", "xxh64", "xxh3", "null"}


def test_every_hash():
    names = {h["name"] for h in json.loads(run("list", "hashes", "--json").stdout)}
    assert KERNELS | OTHERS <= names, names
    results = hash_results("--hash", "all", "--tree", "synth:depth=2,fanout=20,files=20,names=uuid",
                           "--buckets", "8192")
    alone = [(r["hash"], r["config"]["variant"]) for r in results if r["walk"] == "hash-only"]
    assert sorted(alone) == sorted((n, v) for n in names for v in ("throughput", "latency"))
    walks = {r["hash"]: r for r in results if r["walk"] == "rcu-walk"}
    assert set(walks) == names - {"null"}, set(walks)
    for r in results:
        c, floor = r["counters"], r["hash"] == "null"
        assert r["median"] > 0
        assert c["floor"] == floor and c["keyed"] == r["hash"].startswith("siphash")
        if r["hash"] != "linux-2.4.0":  # which does not spread these
            assert (c["p_chains"] < 1e-6) == floor, (r["hash"], c)
        if arena and not r["walk"] == "hash-only":
            assert c["cache_longest"] == c["longest"], (r["hash"], c)


def test_chains_repeat():
    first, again = (
        [r["counters"]["chisq"]
         for r in hash_results("--what", "chains", "--hash", "null,words,siphash13")]
        for _ in range(2)
    )
    assert first == again


def test_real_names():
    with tempfile.TemporaryDirectory() as folder:
        p = run("hash", "--hash", "linux-3.12,null,words,siphash13", "--runs", "2", "--loops", "1",
                "--json", folder + "/json")
        with open(folder + "/json", encoding="utf-8") as file:
            results = json.load(file)["results"]
    lines = p.stdout.splitlines()
    assert "83730 names in 5096 directories, 2^17 buckets" in lines[0], lines[0]
    assert lines[1].split()[0] == "hash" and lines[1].split()[-1] == "verdict"
    times = [float(line.split()[2]) for line in lines[2:5]]
    assert times == sorted(times), "not sorted by walk time"
    assert lines[5].startswith("null") and "floor" in lines[5]
    verdict = {line.split()[0]: line for line in lines[2:5]}
    assert verdict["siphash13"].endswith("good, keyed"), lines
    assert re.search(r"longer chains on numbers x2\.9, wide x25", verdict["linux-3.12"]), lines
    assert "uuid" not in verdict["linux-3.12"], lines
    for r in results:
        c, floor = r["counters"], r["hash"] == "null"
        assert (c["p_chains"] < 1e-12) == floor, (r["hash"], c)
        assert (abs(c["hit"] - c["random_hit"]) < 0.02) == (not floor), (r["hash"], c)


def part(what, *args):
    return {(r["hash"], r["config"]["variant"]): r for r in hash_results("--what", what, *args)}


def test_speed():
    found = part("speed", "--hash", "bytes,null", "--lengths", "1,255")
    assert {v for _, v in found} - {"cold"} == {
        f"{how} of {n} bytes" for how in ("throughput", "latency") for n in (1, 255)}
    # By design 255 steps to one; a loop that did not hash would not show it.
    short, long = (found["bytes", f"throughput of {n} bytes"]["median"] for n in (1, 255))
    assert long > 4 * short, (short, long)


def test_quality():
    found = part("quality", "--hash", "siphash13,linux-2.4.0,linux-3.12,bytes,null")
    for (name, names), r in found.items():
        c = r["counters"]
        if name == "siphash13":
            assert c["p_chains"] > 1e-4 and abs(c["excess"] - 1) < 0.05, (names, c)
            assert c["avalanche_name"] < 0.1 and c["avalanche_parent"] < 0.1, c
            assert abs(c["miss"] - c["random_miss"]) < 0.03 * c["random_miss"], (names, c)
        if name == "null":
            assert c["excess"] > 2, (names, c)
    assert found["bytes", "numbers"]["counters"]["avalanche_name"] == 0.5
    assert found["linux-3.12", "wide"]["counters"]["excess"] > 20
    assert found["linux-3.12", "wide"]["counters"]["bits_used"] < 12
    assert found["linux-3.12", "uuid"]["counters"]["p_chains"] > 1e-4
    assert found["linux-2.4.0", "prefix"]["counters"]["p_chains"] < 1e-12


def test_chains():
    for r in hash_results("--what", "chains", "--hash", "words,linux-2.4.0"):
        c, buckets = r["counters"], r["config"]["buckets"]
        chains = c["chains_by_length"]
        assert sum(chains) == buckets
        if c["longest"] <= 256:
            assert sum(k * n for k, n in enumerate(chains)) == 83730
        # Its second shift is by 32 there, and the low half of the hash is lost.
        bad = r["hash"] == "linux-2.4.0" and buckets == 65536
        assert (c["p_chains"] < 1e-12) == bad and (c["longest"] > 1000) == bad, (buckets, c)


def test_claim():
    found = {v: r["counters"] for (_, v), r in part(
        "claim", "--tree", "synth:depth=2,fanout=30,files=30,names=words").items()}
    assert "longer" in found["control: bytes, 32 bits"]["so_they"], found
    assert found["control: siphash13"]["so_they"] == "no difference seen", found
    for name in ("2004, bytes, 32 bits", "2013, words, 64 bits"):
        c = found[name]
        seen = min(c["p_mann_whitney"], c["p_chisq"]) < 0.01 / 8
        assert (c["so_they"] != "no difference seen") == seen, found
        assert abs(c["hit_second"] / c["hit_first"] - 1) < 0.01, found


def test_attack():
    found = part("attack", "--collide", "64", "--buckets", "4096", "--walk", "ref-walk",
                 "--hash", "words,bytes,linux-3.12,wyhash,xxh3,murmur3,jhash,siphash13")
    for (name, variant), r in found.items():
        c = r["counters"]
        if variant == "names at random":
            assert c["chain"] / c["walks"] < 1, (name, c)
            continue
        if name == "siphash13":  # the key is not known
            assert c["keyed"] and c["same_bucket"] < 8, c
        else:
            assert c["same_bucket"] == 64, (name, c)
            assert (c["same_hash"] == 64) == (name != "jhash"), (name, c)
        anywhere = name in ("bytes", "linux-3.12", "wyhash")
        assert (c["elsewhere"] == 64) == anywhere, (name, c)
        if arena:  # the root is where the attacker takes it to be: half of the chain is walked
            assert (c["chain"] / c["walks"] > 30) == (name != "siphash13"), (name, c)


def test_small_trees():
    with tempfile.NamedTemporaryFile("w") as f:
        f.write("a\nb/c\n")
        f.flush()
        out = run("hash", "--tree", "paths:" + f.name, "--hash", "words", "--runs", "2", "--what",
                  "walk,speed,quality,chains,claim").stdout
    assert "good" not in out and out.count("too few names to tell") > 3 and "nan" not in out, out


def test_bad_input():
    for args, said in (
        (["--hash", "word"], "words"),
        (["--buckets", "1"], "--buckets"),
        (["--threads", "2"], "--threads"),
        (["--what", "atack"], "attack"),
        (["--lengths", "256"], "from 1 to 255"),
        (["--collide", "1"], "--collide"),
        (["--what", "quality", "--plot", "/dev/null"], "--plot"),
        (["--tree", "paths:/nonexistent"], "/nonexistent"),
    ):
        if "--plot" in args and not shutil.which("gnuplot"):
            continue  # that is said first, with status 3
        p = run("hash", *args, status=2)
        assert not p.stdout and p.stderr.count("\n") == 1 and said in p.stderr, (args, p.stderr)


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        print("ok", name)
