#!/usr/bin/env python3
"""Time and peak memory of the commands that read a trace, on a synthetic service.

Usage: commands.py BUILD_DIR [--requests N ...] [--runs N]. Several sizes show whether a command grows faster than its input.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

COMMANDS = {
    "info": ["info", "t.pb"],
    "metrics": ["metrics", "--trace", "t.pb"],
    "query": ["query", "--trace", "t.pb", "select name, sum(dur) from span group by 1 order by 2 desc limit 10"],
    "diagnose": ["diagnose", "--trace", "t.pb", "--output", "d.yaml"],
    "visualize": ["visualize", "--trace", "t.pb", "--output", "v.html", "--no_binaries"],
    "export_pb": ["export", "--trace", "t.pb", "--output", "e.pb"],
    "export_chrome": ["export", "--trace", "t.pb", "--output", "e.json"],
    "export_sqlite": ["export", "--trace", "t.pb", "--output", "e.sqlite"],
    "export_pprof": ["export", "--trace", "t.pb", "--output", "e.pprof"],
    "import": ["import", "t.pb", "--output", "i.pb"],
}


def measure(program, words, folder):
    """Seconds of wall and CPU time, and the peak of resident memory in MiB."""
    start = time.monotonic()
    child = subprocess.Popen([program, *words, "--no_journal"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{words} ended with {child.returncode}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--requests", type=int, nargs="+", default=[4500, 9000])
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    program = str((args.build / "bin/profiler").resolve())
    sizes = []
    for requests in args.requests:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([str((args.build / "bin/page_maker").resolve()), "service", "t.pb", str(requests)], cwd=folder, check=True)
            counts = json.loads(subprocess.run([program, "info", "t.pb", "--format", "json", "--no_journal"], cwd=folder, check=True, capture_output=True).stdout)["rows"]
            row = {"requests": requests, "bytes": os.path.getsize(f"{folder}/t.pb"),
                   "events": sum(counts[k] for k in ("slice", "kernel", "counter", "sample", "sched")), "commands": {}}
            for name, words in COMMANDS.items():
                runs = [measure(program, words, folder) for _ in range(args.runs)]
                wall, cpu, memory = (statistics.median(column) for column in zip(*runs))
                row["commands"][name] = {"wall_s": round(wall, 2), "cpu_s": round(cpu, 2), "peak_mib": round(memory)}
                print(f"{requests:>7} requests  {name:<14} {wall:7.2f} s  {cpu:7.2f} s CPU  {memory:6.0f} MiB", flush=True)
            sizes.append(row)
    print(json.dumps({"bench": "commands", "runs": args.runs, "sizes": sizes}))


if __name__ == "__main__":
    main()
