#!/usr/bin/env python3
"""What tracing costs the service: blocks of load on one running service, untraced (A) and traced (B), in the order ABBA.

Usage: overhead.py BUILD_DIR [--pairs 10] [--seconds 15] [--rate 4] [--steps 8] [--seed 1]
Each pair has one seed, so both blocks get the same arrivals. Prints per quantile the ratio traced/untraced: the geometric mean
over pairs with a 95 % percentile-bootstrap interval over pairs; "cpu" is the service's CPU time a request, which queues and batches do
not blur; bytes per recorded event from the traces' own metadata. The last
line is one JSON object (docs/benchmarks.md).
"""
import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import lab  # noqa: E402


def quantile(values, p):
    """Type 7, as everywhere in the product."""
    ordered = sorted(values)
    at = (len(ordered) - 1) * p
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def interval(ratios, resamples=10000):
    """Geometric mean of the ratios with a percentile bootstrap over pairs; fixed seed."""
    logs = [math.log(r) for r in ratios]
    rng = random.Random(20241215)
    means = sorted(sum(rng.choice(logs) for _ in logs) / len(logs) for _ in range(resamples))
    return {"ratio": math.exp(sum(logs) / len(logs)), "low": math.exp(means[int(0.025 * resamples)]),
            "high": math.exp(means[int(0.975 * resamples) - 1])}


def cpu_seconds(pid):
    """CPU time of a process so far, by the kernel's clock for it (CPUCLOCK_SCHED: see clock_getcpuclockid(3))."""
    return time.clock_gettime((~pid << 3) | 2)


def block(args, build, service, seed, traced, folder):
    out = folder / f"{'traced' if traced else 'plain'}_{seed}.json"
    trace = folder / f"trace_{seed}.pb"
    tracer = None
    if traced:
        tracer = subprocess.Popen([str(build / "bin/profiler"), "trace", "--target", f"pid:{service.process.pid}", "--scope", "full_stack",
                                   "--sampling_rate", "100%", "--duration", f"{args.seconds + 2}s", "--output", str(trace), "--no_journal"],
                                  stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        time.sleep(1)
    before = cpu_seconds(service.process.pid)
    lab.start_load(build, service.url, args.rate, args.seconds, seed, out).wait()
    used = cpu_seconds(service.process.pid) - before
    if tracer:
        tracer.wait()
    load = lab.read_load(out)
    return load, used / max(load["ok"], 1), trace


def trace_facts(build, trace):
    done = subprocess.run([str(build / "bin/profiler"), "query", "--trace", str(trace), "--format", "csv",
                           "select key, value from metadata where key like 'capture.%'"], capture_output=True, text=True)
    rows = dict(line.split(",", 1) for line in done.stdout.splitlines()[1:] if "," in line)
    return {"file_bytes": trace.stat().st_size, **rows}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--seconds", type=int, default=15)
    parser.add_argument("--rate", type=float, default=4)
    parser.add_argument("--steps", type=int, default=8, help="denoising steps per request: fewer make shorter requests and so more of them")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first pair; each pair adds one")
    args = parser.parse_args()
    build = pathlib.Path(args.build).resolve()
    ratios = {"p50": [], "p99": [], "mean": [], "cpu": []}
    pooled = {True: [], False: []}
    facts = []
    with tempfile.TemporaryDirectory() as name, lab.Service(build, extra=["--steps", args.steps]) as service:
        folder = pathlib.Path(name)
        lab.start_load(build, service.url, args.rate, 5, 999, folder / "warm.json").wait()
        for pair in range(args.pairs):
            latencies, cpu = {}, {}
            for traced in ((False, True) if pair % 2 == 0 else (True, False)):
                result, cpu[traced], trace = block(args, build, service, args.seed + pair, traced, folder)
                latencies[traced] = result["latencies_ns"]
                pooled[traced] += result["latencies_ns"]
                if traced:
                    facts.append(trace_facts(build, trace))
                    trace.unlink()
            for label, p in (("p50", 0.5), ("p99", 0.99)):
                ratios[label].append(quantile(latencies[True], p) / quantile(latencies[False], p))
            ratios["mean"].append(sum(latencies[True]) / len(latencies[True]) / (sum(latencies[False]) / len(latencies[False])))
            ratios["cpu"].append(cpu[True] / cpu[False])
            print(f"pair {pair + 1:2}: cpu x{ratios['cpu'][-1]:.4f}  p50 x{ratios['p50'][-1]:.4f}  p99 x{ratios['p99'][-1]:.4f}  mean x{ratios['mean'][-1]:.4f}", flush=True)
    result = {"bench": "overhead", "pairs": args.pairs, "seconds": args.seconds, "rate_per_s": args.rate, "steps": args.steps, "seed": args.seed,
              "requests_per_side": len(pooled[True]), **{k: interval(v) for k, v in ratios.items()}, "captures": facts[:3],
              "pooled_p50_ratio": quantile(pooled[True], 0.5) / quantile(pooled[False], 0.5),
              "pooled_p99_ratio": quantile(pooled[True], 0.99) / quantile(pooled[False], 0.99)}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
