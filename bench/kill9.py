#!/usr/bin/env python3
"""What is left of a recording when the profiler is killed or the disk is full, and what the service notices of it.

Usage: kill9.py BUILD_DIR [--kills 20] [--seed 7] [--rate 4]
The poster service answers an open-loop load all the time. The profiler is killed with SIGKILL at random moments (seeded), and runs
into a full file system and into the size limit of a file. Per case: is the file readable, and how long before the end is its newest
event. Both are CLOCK_MONOTONIC. The last line is one JSON object: lag_ms is "newest scheduler event before the kill",
newest_op_lag_ms the same for operators (it holds what the service was idle before the kill, too).
"""
import argparse
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import lab  # noqa: E402


def quantile(values, p):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(p * len(ordered)))] if ordered else None


def start_trace(build, service, output, **popen):
    """The profiler, once it says that it records."""
    process = subprocess.Popen([str(build / "bin/profiler"), "trace", "--no_journal", "--target", f"pid:{service.process.pid}", "--output",
                                str(output)], stderr=subprocess.PIPE, text=True, **popen)
    process.stderr.readline()
    return process


def newest(build, trace):
    """The newest event of each kind in ns; None when the file cannot be read."""
    done = subprocess.run([str(build / "bin/profiler"), "query", "--no_journal", "--trace", str(trace), "--format", "json",
                           "select (select max(ts) from sched) as sched, (select max(ts + dur) from op) as op"], capture_output=True, text=True)
    return json.loads(done.stdout)[0] if done.returncode == 0 else None


def kill_once(build, service, folder, number, seconds):
    trace = folder / f"kill{number}.pb"
    process = start_trace(build, service, trace)
    time.sleep(seconds)
    killed = time.monotonic_ns()
    process.kill()
    process.wait()
    process.stderr.close()
    row = newest(build, trace)
    trace.unlink()
    if row is None or row["sched"] is None:
        return {"after_s": seconds, "is_readable": False}
    return {"after_s": round(seconds, 3), "is_readable": True, "lag_ms": (killed - row["sched"]) / 1e6,
            "op_lag_ms": None if row["op"] is None else (killed - row["op"]) / 1e6}


def fill(build, service, trace, **popen):
    """Records until the file can grow no more."""
    process = start_trace(build, service, trace, **popen)
    rest = process.stderr.read().splitlines()
    status = process.wait(120)
    ended = time.monotonic_ns()
    row = newest(build, trace)
    is_readable = row is not None and row["sched"] is not None
    return {"status": status, "lines": len(rest), "says": rest[-1].split(":")[0] if rest else "", "is_readable": is_readable,
            "lag_ms": (ended - row["sched"]) / 1e6 if is_readable else None, "kept_bytes": trace.stat().st_size}


def full_disk(build, service, folder):
    small = folder / "small"
    small.mkdir()
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(small)]).returncode != 0:
        return None
    try:
        return fill(build, service, small / "t.pb")
    finally:
        subprocess.run(["umount", str(small)], check=True)


def size_limit(build, service, folder):
    return fill(build, service, folder / "limit.pb", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (262144, 262144)))


def loaded(build, service, rate, seconds, seed, folder, name):
    return lab.start_load(build, service.url, rate, seconds, seed, folder / f"{name}.json")


def answers(folder, name):
    """How the service answered a load: all of it, or what went wrong."""
    result = lab.read_load(folder / f"{name}.json")
    return {"requests": len(result["latencies_ns"]), "errors": result.get("errors"), "p50_ms": quantile(result["latencies_ns"], 0.5) / 1e6,
            "p99_ms": quantile(result["latencies_ns"], 0.99) / 1e6}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rate", type=float, default=4)
    args = parser.parse_args()
    build = pathlib.Path(args.build).resolve()
    rng = random.Random(args.seed)
    moments = [rng.uniform(1, 4) for _ in range(args.kills)]
    seconds = int(sum(moments) + 1.0 * args.kills + 10)
    cases = []
    with tempfile.TemporaryDirectory() as name, lab.Service(build) as service:
        folder = pathlib.Path(name)
        plain = loaded(build, service, args.rate, seconds, args.seed, folder, "plain").wait()
        load = loaded(build, service, args.rate, seconds, args.seed, folder, "killed")
        for number, after in enumerate(moments):
            cases.append(kill_once(build, service, folder, number, after))
            print(json.dumps(cases[-1]), flush=True)
        disk, limit = full_disk(build, service, folder), size_limit(build, service, folder)
        killed = load.wait()
        is_alive = service.process.poll() is None
        service.poster()  # answers still, after the last one
        result = {"bench": "kill9", "kills": args.kills, "seed": args.seed,
                  "unreadable": sum(not case["is_readable"] for case in cases)}
        for key, label in (("lag_ms", "lag_ms"), ("op_lag_ms", "newest_op_lag_ms")):
            lags = [case[key] for case in cases if case.get(key) is not None]
            result[label] = {"n": len(lags), "p50": quantile(lags, 0.5), "p90": quantile(lags, 0.9), "max": max(lags, default=None)}
        result.update({"full_disk": disk, "size_limit": limit, "is_service_alive": is_alive, "load_status": {"plain": plain, "killed": killed},
                       "plain": answers(folder, "plain"), "killed": answers(folder, "killed")})
    print(json.dumps(result))


if __name__ == "__main__":
    main()
