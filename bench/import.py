#!/usr/bin/env python3
"""How fast trace files are read: whole-program runs of 'profiler info' and of peers on the same files, in one run.

Usage: import.py BUILD_DIR [--megabytes 200] [--runs 3]
The large Kineto file is a real trace of tests/readers/data repeated with shifted times and ids. Peers: Python's json.loads, and
trace_processor_shell where it is on PATH. The last line is one JSON object (docs/benchmarks.md): per program the best wall time
(s), CPU time (s), MB/s, events/s and peak memory (bytes), and the ratios to the peers.
"""
import argparse
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = ROOT / "tests/readers/data/kineto/tl_sglang_decode_exec.json.gz"
SHIFTED = ("correlation", "External id", "Ev Idx", "Record function id")


def make_kineto(path, size):
    """Repeats the trace until the file has `size` bytes; returns the number of events."""
    trace = json.loads(gzip.open(SOURCE).read())
    events = [e for e in trace["traceEvents"] if e.get("ph") != "M"]
    names = [e for e in trace["traceEvents"] if e.get("ph") == "M"]
    span = max(e["ts"] + e.get("dur", 0) for e in events) - min(e["ts"] for e in events) + 1000
    last_id = 1 + max(v for e in events for k, v in (e.get("args") or {}).items() if k in SHIFTED and isinstance(v, int))
    count = len(names) + 1
    with open(path, "w") as out:
        out.write('{\n"schemaVersion": 1, "baseTimeNanoseconds": 0,\n"traceEvents": [\n')
        out.write('{"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "python"}}')
        for e in names:
            out.write(",\n  " + json.dumps(e))
        turn = 0
        while out.tell() < size:
            for e in events:
                moved = dict(e, ts=round(e["ts"] + turn * span, 3))
                if "id" in moved and isinstance(moved["id"], int):
                    moved["id"] += turn * last_id
                if "args" in moved:
                    moved["args"] = {k: v + turn * last_id if k in SHIFTED and isinstance(v, int) else v for k, v in moved["args"].items()}
                out.write(",\n  " + json.dumps(moved))
            count += len(events)
            turn += 1
        out.write("\n]}\n")
    return count


def run(command):
    """Wall time, CPU time and peak memory of one program."""
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.monotonic() - start
    if status != 0:
        sys.exit(f"{command[0]} failed with status {status}")
    return {"wall_s": wall, "cpu_s": usage.ru_utime + usage.ru_stime, "peak_bytes": usage.ru_maxrss * 1024}


def best(command, runs, size, events):
    results = [run(command) for _ in range(runs)]
    result = min(results, key=lambda r: r["wall_s"])
    result["peak_bytes"] = max(r["peak_bytes"] for r in results)
    return {**result, "mb_per_s": size / result["wall_s"] / 1e6, "events_per_s": events / result["wall_s"]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    profiler = str(pathlib.Path(args.build) / "bin" / "profiler")
    result = {"bench": "import"}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        kineto = folder / "kineto.json"
        events = make_kineto(kineto, args.megabytes * 1_000_000)
        size = kineto.stat().st_size
        programs = {"profiler": [profiler, "info", str(kineto)],
                    "python_json": [sys.executable, "-c", "import json, sys; json.load(open(sys.argv[1]))", str(kineto)]}
        if shutil.which("trace_processor_shell"):
            programs["trace_processor"] = ["trace_processor_shell", "-Q", "select 1", str(kineto)]
        measured = {p: best(command, args.runs, size, events) for p, command in programs.items()}
        result["kineto_json"] = {"bytes": size, "events": events, **measured}
        for peer in ("python_json", "trace_processor"):
            if peer in measured:
                result[f"kineto_speed_vs_{peer}"] = measured[peer]["wall_s"] / measured["profiler"]["wall_s"]
                result[f"kineto_memory_vs_{peer}"] = measured["profiler"]["peak_bytes"] / measured[peer]["peak_bytes"]
        pb = folder / "trace.pb"
        subprocess.run([profiler, "import", str(kineto), "--output", str(pb)], check=True, capture_output=True)
        result["pb"] = {"bytes": pb.stat().st_size, "events": events,
                        "profiler": best([profiler, "info", str(pb)], args.runs, pb.stat().st_size, events)}
    for label, figures in result["kineto_json"].items():
        if isinstance(figures, dict):
            print(f"kineto {label:16} {figures['wall_s']:7.2f} s  {figures['mb_per_s']:7.1f} MB/s  {figures['peak_bytes'] / 1e6:7.1f} MB")
    print(f"pb     profiler         {result['pb']['profiler']['wall_s']:7.2f} s  {result['pb']['profiler']['events_per_s'] / 1e6:7.2f} M events/s")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
