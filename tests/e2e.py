#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""e2e.py DCSIM - runs the program as a user does: output, exit status, files left behind

Reports in TAP. A check is a function named check_*; its first line of documentation is its
name. It fails by an assertion, and is skipped by Skip.
"""

import ctypes
import json
import lzma
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import traceback

DCSIM = None
QUICK = ["--loops", "1", "--runs", "2", "--warmup", "0", "--threads", "1"]
TREE = ["top", "d/", "d/a", "d/b-c", "e/f/g"]
RESULT = {
    "workload": str, "kernel": str, "walk": str, "layout": str, "hash": str, "flavour": str,
    "tree": str, "machine": str, "threads": int, "config": dict, "unit": str, "runs": list,
    "median": float, "ci95": list, "mean": float, "stddev": float, "counters": dict,
}


class Skip(Exception):
    pass


class Run:
    """One run of the program, ended."""

    def __init__(self, *args, timeout=120, **how):
        self.args = [DCSIM, *args]
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
        if "input" not in how:
            how["stdin"] = subprocess.DEVNULL
        done = subprocess.run(self.args, timeout=timeout, check=False, **how)
        self.status = done.returncode
        self.out = (done.stdout or b"").decode("utf-8", "replace")
        self.err = (done.stderr or b"").decode("utf-8", "replace")

    def __str__(self):
        return f"{self.args}\n  status {self.status}\n  out {self.out!r}\n  err {self.err!r}"

    def succeeds(self):
        assert self.status == 0, f"status is not 0: {self}"
        return self

    def refuses(self, *parts, status=(2,)):
        """One clear line that holds all the parts, no data, and one of these statuses."""
        assert self.status in status, f"status is not one of {status}: {self}"
        assert self.err.endswith("\n") and self.err.count("\n") == 1, f"not one line: {self}"
        assert self.err.startswith("dcsim: "), f"does not say who speaks: {self}"
        assert self.out == "", f"data besides the refusal: {self}"
        for part in parts:
            assert part in self.err, f"{part!r} is not in it: {self}"
        return self


def gitdiff(*args, **how):
    return Run("gitdiff", *QUICK, *args, **how)


def gitdiff_words(*args):
    return [shlex.quote(word) for word in (DCSIM, "gitdiff", *QUICK, *args)]


def write(path, data):
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())
    return path


def write_tree(folder):
    return "paths:" + write(f"{folder}/list", "".join(name + "\n" for name in TREE))


def names(kind):
    return [entry["name"] for entry in json.loads(Run("list", kind, "--json").succeeds().out)]


# The front


def check_version(_):
    """--version gives a version"""
    assert re.fullmatch(r"dcsim \d+\.\d+\.\d+\S*\n", Run("--version").succeeds().out)


def check_help(_):
    """help names every workload, and each has its own with every common option"""
    text = Run("help").succeeds().out
    for name in names("workloads"):
        assert re.search(rf"^\s+{name}\b", text, re.M), f"{name} is not in: {text}"
        own = Run("help", name).succeeds().out
        assert own == Run(name, "--help").succeeds().out
        for option in ("--runs", "--json", "--seed"):
            assert option in own, f"{option} is not in: {own}"


def check_list(_):
    """list gives a name a line, the same as its JSON"""
    for kind in ("walks", "layouts", "hashes", "flavours", "atimes", "trees", "workloads",
                 "machines"):
        lines = Run("list", kind).succeeds().out.splitlines()
        assert lines, kind
        assert [line.split()[0] for line in lines] == names(kind)
    assert {"rcu-walk", "ref-walk"} <= set(names("walks"))
    assert {"linux-6.1", "dir:PATH", "paths:FILE", "git:REPO"} <= set(names("trees"))


def check_unknown_command(_):
    """an unknown command is refused and the nearest offered"""
    Run("gitdif").refuses("gitdif", "gitdiff")
    Run("list", "walk").refuses("walk", "walks")
    Run("help", "gitdfif").refuses("gitdiff")


def check_no_command(_):
    """no command is a usage error"""
    assert Run().status == 2


# Options


def check_unknown_names(_):
    """an unknown name on each axis is refused, and the nearest right one offered"""
    for option, wrong, right in (("walk", "rcu-wlak", "rcu-walk"), ("walk", "refwalk", "ref-walk"),
                                 ("layout", "linux6", "linux-6"), ("hash", "wrods", "words"),
                                 ("flavour", "urcu-mem", "urcu-memb"), ("final", "nome", "none")):
        gitdiff(f"--{option}", wrong).refuses(option, wrong, right)
        gitdiff(f"--{option}={right},{wrong}").refuses(option, wrong, right)


def check_unknown_option(_):
    """an unknown option is refused, and the nearest right one offered"""
    gitdiff("--thread", "1").refuses("thread", "threads?")
    gitdiff("--wlak=rcu-walk").refuses("wlak", "walk?")
    gitdiff("stray").refuses("stray")


def check_numbers(_):
    """numbers out of range or no numbers are refused with the range"""
    for threads in ("0", "10000", "1,0", "-1", "two", "1,,2", ""):
        gitdiff("--threads", threads).refuses("--threads")
    gitdiff("--threads", "0").refuses("from 1 to")
    gitdiff("--threads", "10000").refuses("from 1 to")
    for option in ("runs", "loops"):
        gitdiff(f"--{option}", "0").refuses(f"--{option}", "from 1 to")
    gitdiff("--seed", "1x").refuses("--seed", "1x")
    gitdiff("--buckets", "4G").refuses("--buckets")
    gitdiff("--buckets", "1000").refuses("--buckets", "512", "1024")
    gitdiff("--buckets", "1").refuses("--buckets", "2 or more")
    Run("gitdiff", "--runs").refuses("--runs")


def check_buckets(_):
    """the hash table goes by the tree: a bucket a name or more, 128Ki for the built-in one"""
    wide = "synth:depth=0,fanout=131073,names=numbers"
    for args, buckets in (([], 1 << 17), (["--tree", wide], 1 << 18),
                          (["--tree", wide, "--buckets", "64Ki"], 1 << 16)):
        run = Run("statstorm", "--runs", "1", "--warmup", "0", "--loops", "1", "--threads", "1",
                  "--names", "1000", "--sample", "0", "--json", "-", *args).succeeds()
        got = {result["config"]["buckets"] for result in json.loads(run.out)["results"]}
        assert got == {buckets}, (args, got)


def check_limits(folder):
    """a limit is kept with a store, and refused below what is pinned without one"""
    small = ("statstorm", "--runs", "2", "--loops", "1", "--threads", "1", "--names", "20000",
             "--sample", "0", "--json", "-")
    Run(*small, "--limit", "1000").refuses("--limit", "83731", "--store memory")
    Run(*small, "--negatives", "some").refuses("--negatives", "did you mean none")
    cell = json.loads(Run(*small, "--store", "memory", "--limit", "5000", "--store-latency",
                          "1000").succeeds().out)["results"][0]
    count = cell["counters"]
    assert count["dentries"] <= 5000 + 256, count
    assert count["evicted"] > 10000 and count["longest_chain"] > 0, count
    assert count["store_asks"] > 10000, count
    assert count["store_ns"] == 1000 * count["store_asks"], count
    Run(*small, "--store", "dir").refuses("--store dir", "--tree dir:PATH")
    os.makedirs(f"{folder}/served/sub")
    for i in range(200):
        write(f"{folder}/served/sub/file{i}", "")
    cell = json.loads(Run(*small, "--store", "dir", "--tree", f"dir:{folder}/served", "--limit",
                          "100").succeeds().out)["results"][0]
    assert cell["counters"]["store_asks"] > 50 and cell["counters"]["evicted"] > 50, cell
    cell = json.loads(Run(*small, "--store", "memory").succeeds().out)["results"][0]
    assert cell["counters"]["store_asks"] == cell["counters"]["evicted"] == 0, cell


# Trees


def check_tree_unknown(_):
    """an unknown tree is refused with the kinds that there are"""
    gitdiff("--tree", "linux").refuses("--tree", "'linux'", "linux-6.1", "dir:PATH", "paths:FILE")
    gitdiff("--tree", "dir:").refuses("--tree", "dir:PATH")
    gitdiff("--tree=").refuses("--tree")


def check_tree_missing(folder):
    """a missing tree is refused with the reason"""
    gitdiff("--tree", f"paths:{folder}/no").refuses("--tree", f"{folder}/no", "No such file",
                                                    status=(2, 3))
    gitdiff("--tree", f"dir:{folder}/no").refuses("--tree", f"{folder}/no", "No such file",
                                                  status=(2, 3))
    gitdiff("--tree", f"dir:{write(folder + '/file', 'a')}").refuses(
        "--tree", "Not a directory", status=(2, 3))
    gitdiff("--tree", f"paths:{folder}").refuses("--tree", "Is a directory", status=(2, 3))


def check_tree_unreadable(folder):
    """a tree that may not be read is refused with the reason"""
    path = write(f"{folder}/closed", "a\n")
    os.mkdir(f"{folder}/closed-dir", 0)
    os.chmod(path, 0)
    os.chmod(folder, 0o755)
    how = {}
    if os.geteuid() == 0:
        how = {"user": 65534, "group": 65534, "extra_groups": []}
    try:
        probe = subprocess.run([DCSIM, "--version"], check=False, capture_output=True, **how)
    except OSError as e:
        raise Skip(f"nobody cannot run the program: {e}") from e
    assert probe.returncode == 0
    gitdiff("--tree", f"paths:{path}", **how).refuses(path, "Permission denied", status=(2, 3))
    gitdiff("--tree", f"dir:{folder}/closed-dir", **how).refuses(
        "closed-dir", "Permission denied", status=(2, 3))


def check_tree_bad_lines(folder):
    """each kind of bad line is refused with its file and line"""
    for text, line, *parts in (
            (b"a\n/usr/b\n", 2, "'/usr/b'", "absolute"),
            (b"a\nb\n../c\n", 3, "'../c'", "'..'"),
            (b"./a\n", 1, "'./a'", "'.'"),
            (b"a\n\nb\n", 2, "empty line"),
            (b"a//b\n", 1, "'//'"),
            (b"ok\n" + b"n" * 300 + b"\n", 2, "255 bytes"),
            (b"ok\n" + b"name/" * 1000 + b"\n", 2, "4095 bytes"),
            (b"d\nx\nd/f\n", 3, "'d/f'", "'d'", "file in line 1"),
            (b"d/\nx\nd\n", 3, "'d'", "directory in line 1"),
            (b"x\ny\nx\n", 3, "'x'", "line 1"),
            (bytes(range(256)) * 64, 1, "NUL"),
    ):
        path = write(f"{folder}/bad", text)
        gitdiff("--tree", f"paths:{path}").refuses("--tree", f"{path}:{line}: ", *parts)


def check_tree_empty(folder):
    """a tree without names is refused"""
    gitdiff("--tree", f"paths:{write(folder + '/bad', b'')}").refuses("--tree", "no names")
    os.mkdir(f"{folder}/hollow")
    gitdiff("--tree", f"dir:{folder}/hollow").refuses("--tree", "no names")


def check_tree_xz(folder):
    """a compressed list is read, and a damaged one refused"""
    data = lzma.compress(b"d/a\nd/b\n")
    gitdiff("--tree", f"paths:{write(folder + '/l.xz', data)}").succeeds()
    gitdiff("--tree", f"paths:{write(folder + '/l.xz', data[:-9])}").refuses("--tree", ".xz")


def check_tree_real(folder):
    """a real directory is read, and what is left out is said once"""
    os.makedirs(f"{folder}/real/d")
    write(f"{folder}/real/d/f", "x")
    os.symlink("d", f"{folder}/real/link")
    run = gitdiff("--quiet", "--tree", f"dir:{folder}/real").succeeds()
    assert run.err == "", run
    os.mkfifo(f"{folder}/real/fifo")
    run = gitdiff("--tree", f"dir:{folder}/real").succeeds()
    assert run.err.count("left out: 1 ") == 1, run
    os.rename(f"{folder}/real", f"{folder}/new\nline")
    run = gitdiff("--tree", f"dir:{folder}/new\nline").succeeds()
    assert run.err.count("/new\\x0aline: left out: 1 ") == 1, run


def check_tree_stdin(_):
    """a list is read from standard input, and a bad line of it named"""
    gitdiff("--tree", "paths:-", input=b"a\nd/b\n").succeeds()
    gitdiff("--tree", "paths:-", input=b"a\n/b\n").refuses("--tree", "(standard input):2: ")


def check_tree_synth(_):
    """a made tree of each shape is walked by the workloads, and a wrong one refused"""
    for shape in ("numbers", "words", "uuid", "prefix", "modules"):
        tree = f"synth:depth=1,fanout=30,names={shape}"
        gitdiff("--tree", tree).succeeds()
        Run("hash", "--loops", "1", "--runs", "2", "--hash", "words", "--tree", tree).succeeds()
    Run("statstorm", "--loops", "1", "--runs", "2", "--threads", "1", "--sample", "0",
        "--tree", "synth:depth=0,fanout=20000,names=words").succeeds()
    gitdiff("--tree", "synth:depth=1").refuses("--tree", "fanout is not given")


def check_tree_git(folder):
    """the index of a git repository is walked, and what has none refused"""
    try:
        subprocess.run(["git", "init", "-q", f"{folder}/a b"], check=True)
    except OSError as e:
        raise Skip(f"no git: {e}") from e
    gitdiff("--tree", f"git:{folder}/a b").refuses("--tree", "no index")
    os.mkdir(f"{folder}/a b/d")
    write(f"{folder}/a b/d/f", "x")
    os.symlink("d/f", f"{folder}/a b/link")
    subprocess.run(["git", "-C", f"{folder}/a b", "add", "."], check=True)
    gitdiff("--tree", f"git:{folder}/a b").succeeds()
    gitdiff("--tree", f"git:{folder}").refuses("--tree", "no git repository")


# Results


def verify_results(results, walks):
    assert [r["walk"] for r in results if r["walk"] in names("walks")][:len(walks)] == walks
    for r in results:
        for key, kind in RESULT.items():
            reference = r["walk"] not in names("walks")
            assert key in r, f"no {key} in {r}"
            if not (r[key] is None and reference):
                right = (int, float) if kind is float else kind
                assert isinstance(r[key], right), f"{key} is {r[key]!r}"
        assert len(r["runs"]) == 2 and all(x > 0 for x in r["runs"]), r
        assert min(r["runs"]) <= r["median"] <= max(r["runs"])
        assert r["ci95"][0] <= r["median"] <= r["ci95"][1]
        assert abs(r["mean"] - sum(r["runs"]) / 2) <= 1e-6 * r["mean"]


def check_json(folder):
    """--json - writes one object of the documented shape, and nothing else, to stdout"""
    run = gitdiff("--preload-index=false", "--walk", "ref-walk,rcu-walk", "--tree",
                  write_tree(folder), "--json", "-", "--quiet").succeeds()
    data = json.loads(run.out)
    assert set(data) == {"dcsim", "command", "environment", "results"}, data.keys()
    assert f"dcsim {data['dcsim']}\n" == Run("--version").out
    assert data["command"][1] == "gitdiff" and "--json" in data["command"]
    assert isinstance(data["environment"], dict) and data["environment"]
    assert [r["walk"] for r in data["results"]] == ["ref-walk", "rcu-walk"]
    verify_results(data["results"], ["ref-walk", "rcu-walk"])
    for r in data["results"]:
        assert r["workload"] == "gitdiff" and r["threads"] == 1 and r["machine"] == "native"
        assert r["tree"].startswith("paths:")
        assert r["counters"]["walks"] > 0


def check_json_reference(folder):
    """--reference rows are results too"""
    run = gitdiff("--reference", "--walk", "rcu-walk", "--tree", write_tree(folder), "--json",
                  f"{folder}/out.json", "--quiet").succeeds()
    with open(f"{folder}/out.json", encoding="utf-8") as f:
        data = json.load(f)
    assert {"lstat", "syscall", "hash-only", "chase"} <= {r["walk"] for r in data["results"]}, run
    verify_results(data["results"], ["rcu-walk"])


def check_table(folder):
    """the table is for people: on stdout, aligned text, each walk a row"""
    run = gitdiff("--walk", "ref-walk,rcu-walk", "--tree", write_tree(folder)).succeeds()
    assert "ref-walk" in run.out and "rcu-walk" in run.out
    assert "\x1b" not in run.out and "\r" not in run.err, "no terminal, no cursor movement"


def check_csv(folder):
    """--csv has a heading and as many fields in every line"""
    gitdiff("--walk", "ref-walk,rcu-walk", "--preload-index=false", "--tree", write_tree(folder),
            "--csv", f"{folder}/out.csv").succeeds()
    with open(f"{folder}/out.csv", encoding="utf-8") as f:
        lines = f.read().splitlines()
    assert len(lines) == 1 + 2 * 2, lines
    assert len({line.count(",") for line in lines}) == 1, lines


def check_json_new_file(folder):
    """a result file replaces the old one, with the rights of a new file, and nothing else is left"""
    os.mkdir(f"{folder}/out")
    path = write(f"{folder}/out/r.json", "old")
    gitdiff("--tree", write_tree(folder), "--json", path).succeeds()
    with open(path, encoding="utf-8") as f:
        json.load(f)
    assert os.listdir(f"{folder}/out") == ["r.json"]
    mask = os.umask(0)
    os.umask(mask)
    assert os.stat(path).st_mode & 0o777 == 0o666 & ~mask


def check_json_through_link(folder):
    """a link, as /dev/stdout is one, is followed and stays a link; one to nothing is refused"""
    path = write(f"{folder}/r.json", "old")
    os.symlink("r.json", f"{folder}/link")
    gitdiff("--tree", write_tree(folder), "--json", f"{folder}/link").succeeds()
    assert os.readlink(f"{folder}/link") == "r.json"
    with open(path, encoding="utf-8") as f:
        json.load(f)
    os.symlink("nothing", f"{folder}/dangling")
    gitdiff("--json", f"{folder}/dangling").refuses("dangling", "No such file", status=(3,))
    assert os.readlink(f"{folder}/dangling") == "nothing"


def check_outputs_apart(folder):
    """two outputs into one file, or both to standard output, are refused"""
    gitdiff("--json", f"{folder}/r", "--csv", f"{folder}/r").refuses("--json", "--csv")
    gitdiff("--csv", "-", "--plot", "-").refuses("--csv", "--plot", "standard output")


def check_closed_descriptors(folder):
    """with standard streams closed nothing is lost in silence, and no file takes their place"""
    tree = write_tree(folder)
    out = f"{folder}/r.json"
    for closed, status in (("<&-", 0), (">&-", 3), ("<&- >&- 2>&-", 3)):
        shell = " ".join(gitdiff_words("--tree", tree, "--json", out)) + " " + closed
        done = subprocess.run(["sh", "-c", shell], check=False, capture_output=True, timeout=60)
        assert done.returncode == status, (closed, done)
        with open(out, encoding="utf-8") as f:
            json.load(f)


def check_size_limit(folder):
    """a limit on the size of files: one line, status 3, nothing left"""
    os.mkdir(f"{folder}/out")

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))

    gitdiff("--quiet", "--tree", write_tree(folder), "--json", f"{folder}/out/r.json",
            preexec_fn=limit).refuses("--json", "File too large", status=(3,))
    assert os.listdir(f"{folder}/out") == []


def heed_interrupts():
    """What a shell starts in the background ignores them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def check_interrupt(folder):
    """an interrupt ends it by that signal and leaves the old file and no other"""
    os.mkdir(f"{folder}/out")
    path = write(f"{folder}/out/r.json", "old")
    for delay in (0.05, 0.5):
        with subprocess.Popen([DCSIM, "gitdiff", "--runs", "1000", "--loops", "1000",
                               "--reference", "--json", path], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, preexec_fn=heed_interrupts) as run:
            time.sleep(delay)
            run.send_signal(signal.SIGINT)
            assert run.wait(30) == -signal.SIGINT
        assert os.listdir(f"{folder}/out") == ["r.json"]
        with open(path, encoding="utf-8") as f:
            assert f.read() == "old"


def check_any_bytes(folder):
    """a name of any bytes: one line of complaint, and JSON that is text"""
    gitdiff("--tree", "a\nb\x1b[31m").refuses("a\\x0ab\\x1b[31m")
    Run("git\ndiff").refuses("gitdiff")
    os.mkdir(os.fsencode(folder) + b"/caf\xe9")
    write(os.fsencode(folder) + b"/caf\xe9/q\"\\\n\xff", "")
    run = gitdiff("--quiet", "--json", "-", "--tree",
                  b"dir:" + os.fsencode(folder) + b"/caf\xe9").succeeds()
    assert json.loads(run.out)["results"][0]["tree"].endswith("/caf?")


def check_json_failed_run(folder):
    """a refused run leaves an old result file alone"""
    path = write(f"{folder}/r.json", "old")
    gitdiff("--tree", "nowhere", "--json", path).refuses("--tree")
    with open(path, encoding="utf-8") as f:
        assert f.read() == "old"


# Where results cannot go


def check_full_device(folder):
    """--json to a full device: one line, status 3"""
    tree = write_tree(folder)
    gitdiff("--quiet", "--tree", tree, "--json", "/dev/full").refuses(
        "--json", "/dev/full", "No space left", status=(3,))


def check_full_stdout(folder):
    """a full standard output is noticed: table, JSON, list, help"""
    tree = write_tree(folder)
    for args in (["gitdiff", *QUICK, "--quiet", "--tree", tree],
                 ["gitdiff", *QUICK, "--quiet", "--tree", tree, "--json", "-"],
                 ["list", "walks"], ["help"], ["--version"]):
        with open("/dev/full", "wb") as full:
            Run(*args, stdout=full).refuses("standard output", "No space left", status=(3,))


def check_missing_folder(folder):
    """--json into a folder that is not there: one line, status 3, before anything is measured"""
    Run("gitdiff", "--runs", "1000", "--loops", "1000", "--json", f"{folder}/no/r.json",
        timeout=20).refuses("--json", f"{folder}/no/r.json", "No such file", status=(3,))


def check_read_only_folder(folder):
    """--json into a read-only folder: one line, status 3, nothing left"""
    os.mkdir(f"{folder}/ro", 0o555)
    tree = write_tree(folder)
    os.chmod(folder, 0o755)
    how = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    try:
        run = gitdiff("--tree", tree, "--json", f"{folder}/ro/r.json", **how)
    except OSError as e:
        raise Skip(f"nobody cannot run the program: {e}") from e
    run.refuses("--json", f"{folder}/ro/r.json", "Permission denied", status=(3,))
    assert os.listdir(f"{folder}/ro") == []
    gitdiff("--tree", tree, "--json", f"{folder}/ro").refuses("--json", status=(3,))


CLONE_NEWNS, MS_REC_PRIVATE = 0x20000, 0x4000 | 0x40000


def mount_small(path):
    """Mounts a file system of 16 KiB at path, that only this process sees."""
    libc = ctypes.CDLL(None, use_errno=True)
    if (libc.unshare(CLONE_NEWNS) or libc.mount(None, b"/", None, MS_REC_PRIVATE, None)
            or libc.mount(b"e2e", path.encode(), b"tmpfs", 0, b"size=16k")):
        raise Skip(f"cannot mount: {os.strerror(ctypes.get_errno())}")


def check_full_disk(folder):
    """--json onto a full disk: one line, status 3, nothing half-written, the old file whole"""
    if os.geteuid() != 0:
        raise Skip("only root can mount")
    disk = f"{folder}/disk"
    os.mkdir(disk)
    # In a child, whose mounts go with it.
    child = os.fork()
    if not child:
        try:
            mount_small(disk)
            old = write(f"{disk}/r.json", "old")
            try:
                write(f"{disk}/filler", bytes(65536))
            except OSError:
                pass
            gitdiff("--quiet", "--tree", write_tree(folder), "--json", old).refuses(
                "--json", old, "No space left", status=(3,))
            assert sorted(os.listdir(disk)) == ["filler", "r.json"]
            with open(old, encoding="utf-8") as f:
                assert f.read() == "old"
            os._exit(0)
        except Skip:
            os._exit(77)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == 77:
        raise Skip("cannot mount")
    assert status == 0


def run_check(number, check):
    name = check.__doc__.splitlines()[0]
    with tempfile.TemporaryDirectory(prefix="dcsim-e2e-") as folder:
        try:
            check(folder)
        except Skip as e:
            print(f"ok {number} - {name} # SKIP {e}", flush=True)
            return True
        except Exception:  # a check that breaks has failed, and the others go on
            for line in traceback.format_exc().splitlines():
                print(f"# {line}")
            print(f"not ok {number} - {name}", flush=True)
            return False
    print(f"ok {number} - {name}", flush=True)
    return True


def main():
    global DCSIM
    if len(sys.argv) != 2 or not os.access(sys.argv[1], os.X_OK):
        print("usage: e2e.py DCSIM", file=sys.stderr)
        return 2
    DCSIM = os.path.abspath(sys.argv[1])
    checks = [f for name, f in globals().items() if name.startswith("check_")]
    print(f"1..{len(checks)}", flush=True)
    results = [run_check(i, check) for i, check in enumerate(checks, 1)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
