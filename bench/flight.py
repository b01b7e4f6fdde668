#!/usr/bin/env python3
"""Of the stalls of a service, how many does the flight recorder catch, and how often does it fire without one?

Usage: flight.py BUILD_DIR [--stalls 100] [--stall_ms 400] [--limit_ms 200] [--normal_s 120] [--rate 50] [--seed 7] [--trigger ...]
stall_probe answers RATE requests a second, each in about 2 ms. First nothing is wrong for --normal_s: every capture is a false one.
Then it stands still --stalls times, at moments drawn from the seed. A stall is caught when a capture holds it: the trigger fired at most
--patience seconds after its end, and the file has a stage 'stall' that covers it. Between two stalls the window of the
trigger must run empty, so it is short here. The last line is one JSON object.
"""
import argparse
import json
import pathlib
import random
import subprocess
import tempfile
import time


class Probe:
    def __init__(self, build, name, rate):
        self.process = subprocess.Popen([str(build / "bin/stall_probe"), name, str(rate)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()

    def stall(self, ms):
        self.process.stdin.write(f"{ms}\n")
        self.process.stdin.flush()
        return tuple(map(int, self.process.stdout.readline().split()[2:]))

    def close(self):
        self.process.stdin.close()
        self.process.wait(20)


def start(build, folder, name, trigger, *args):
    process = subprocess.Popen([str(build / "bin/profiler"), "trace", "--no_journal", "--target", name, "--trigger", trigger, *args],
                               stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, cwd=folder)
    for line in process.stderr:
        if "waiting for" in line:
            return process
    raise SystemExit("the recorder did not start")


def end(process):
    if process.poll() is None:
        process.terminate()
    lines = process.stderr.read().splitlines()
    process.stderr.close()
    return process.wait(120), lines


def query(build, path, sql):
    done = subprocess.run([str(build / "bin/profiler"), "query", "--no_journal", "--format", "json", "--trace", str(path), sql],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def captures(build, folder, stem):
    """When each fired, and the stalls that it holds."""
    found = []
    for path in sorted(folder.glob(f"{stem}_*.pb"), key=lambda p: int(p.stem.rsplit("_", 1)[1])):
        mark = query(build, path, "select ts from slice where category = 'mark'")
        stalls = query(build, path, "select ts, ts + dur as until from stage where name = 'stall' and dur > 0")
        found.append({"fired": mark[0]["ts"], "stalls": [(row["ts"], row["until"]) for row in stalls], "bytes": path.stat().st_size})
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--stalls", type=int, default=100)
    parser.add_argument("--stall_ms", type=int, default=400)
    parser.add_argument("--limit_ms", type=int, default=200)
    parser.add_argument("--normal_s", type=float, default=120)
    parser.add_argument("--rate", type=float, default=50)
    parser.add_argument("--patience", type=float, default=2)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--trigger", help="default: p99_latency over the limit")
    args = parser.parse_args()
    build = pathlib.Path(args.build).resolve()
    trigger = args.trigger or f"p99_latency>{args.limit_ms}ms"
    rng = random.Random(args.seed)
    name = "bench_flight"
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        probe = Probe(build, name, args.rate)
        quiet = start(build, folder, name, trigger, "--max_captures", "1000", "--cooldown", "1s", "--output", "false.pb")
        time.sleep(args.normal_s)
        _, quiet_lines = end(quiet)
        false_before = len(captures(build, folder, "false"))
        flags = ["--window", "1s", "--before", "2s", "--after", "0s", "--cooldown", "0s", "--max_captures", str(2 * args.stalls), "--output", "s.pb"]
        recorder = start(build, folder, name, trigger, *flags)
        stalls = []
        for _ in range(args.stalls):
            # After a capture the recording begins anew and names its addresses; the next stall comes when it waits again.
            time.sleep(rng.uniform(3, 4))
            stalls.append(probe.stall(args.stall_ms))
        time.sleep(3)
        status, lines = end(recorder)
        found = captures(build, folder, "s")
        probe.close()
        caught, delays, explained = 0, [], set()
        for begin, until in stalls:
            for number, capture in enumerate(found):
                holds = any(begin - 1e6 <= a and b <= until + 1e6 and b - a >= 0.99e6 * args.stall_ms for a, b in capture["stalls"])
                if holds and until <= capture["fired"] <= until + args.patience * 1e9:
                    caught += 1
                    delays.append((capture["fired"] - until) / 1e6)
                    explained.add(number)
                    break
        delays.sort()
        print(*quiet_lines, *lines[-8:], sep="\n")
        print(json.dumps({"bench": "flight", "trigger": trigger, "stalls": len(stalls), "caught": caught, "captures": len(found),
                          "without_a_stall": len(found) - len(explained), "normal_s": args.normal_s, "false_in_normal": false_before,
                          "status": status, "fired_ms_after_end": {"p50": delays[len(delays) // 2] if delays else None,
                                                                    "max": delays[-1] if delays else None},
                          "bytes_max": max((capture["bytes"] for capture in found), default=None)}))


if __name__ == "__main__":
    main()
