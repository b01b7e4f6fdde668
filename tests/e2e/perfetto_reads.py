"""What Perfetto's own trace processor makes of a trace, set against SQL of profiler on the same file. Shared by the tests of files and of
recordings."""
import collections
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
INSTALLED = (ROOT / "third_party/perfetto/trace_processor.wasm").exists()

# One question to both, with what differs by design: Perfetto counts kernels as slices, the idle task as running, and samples as a counter.
NOT_KERNELS, NOT_SAMPLES = "where id not in (select id from gpu_slice)", "where t.type not like 'perf%'"
SLICES = "select coalesce(category, '') as category, name, count(*) as n, sum(dur) as dur, min(ts) as first from slice {} group by 1, 2 order by 1, 2"
KERNELS = "select name, count(*) as n, sum(dur) as dur, min(ts) as first from {} group by 1 order by 1"
COUNTERS = """select t.name as name, count(*) as n, min(c.value) as low, max(c.value) as top, min(c.ts) as first
  from counter c join counter_track t on t.id = c.track_id {} group by 1 order by 1"""
SAMPLES = "select count(*) as n, min(ts) as first, max(ts) as last, sum({} is null) as bare from {}"
ERRORS = "select name, value from stats where severity in ('error', 'data_loss') and value != 0"
# A flow that ends before it begins (clocks of host and device apart) is none to Perfetto.
FORWARD = """select count(*) as n from flow f join slice a on a.id = f.slice_out left join slice b on b.id = f.slice_in
  left join kernel k on k.id = f.kernel_in where coalesce(b.ts, k.ts) >= a.ts"""
FIGURES = {  # name -> (for Perfetto, for profiler)
    "slices": (SLICES.format(NOT_KERNELS), SLICES.format("")),
    "kernels": (KERNELS.format("gpu_slice"), KERNELS.format("kernel")),
    "counters": (COUNTERS.format(NOT_SAMPLES), COUNTERS.format("")),
    "samples": (SAMPLES.format("callsite_id", "perf_sample"), SAMPLES.format("callstack_id", "sample")),
    "flows": ("select count(*) as n from flow", FORWARD),
}
RUNNING = ("select cpu, ts, dur from sched_slice where utid not in (select utid from thread where tid = 0) and dur >= 0", "select cpu, ts, dur from sched")


def ask_perfetto(trace, *queries):
    done = subprocess.run(["node", str(ROOT / "tools/perfetto.mjs"), str(trace), *queries], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def check(test, trace, ask_profiler):
    """Perfetto imports `trace` without an error and has our rows. ask_profiler(sql) -> rows as dicts."""
    errors, running, *theirs = ask_perfetto(trace, ERRORS, RUNNING[0], *(pair[0] for pair in FIGURES.values()))
    test.assertEqual(errors, [], trace)
    for (name, (_, sql)), rows in zip(FIGURES.items(), theirs):
        test.assertEqual(rows, ask_profiler(sql), f"{name} of {trace}")
    # What ran when the recording began or ended has an edge that only one of the two closes.
    row = lambda r: (r["cpu"], r["ts"], r["dur"])
    ours, known = [row(r) for r in ask_profiler(RUNNING[1])], {row(r) for r in running}
    test.assertLessEqual(known, set(ours), f"running of {trace}")
    edges = collections.Counter(cpu for cpu, ts, dur in ours if (cpu, ts, dur) not in known)
    test.assertLessEqual(max(edges.values(), default=0), 2, f"running of {trace}")
    return {name: len(rows) for name, rows in zip(FIGURES, theirs)} | {"running": len(running)}
