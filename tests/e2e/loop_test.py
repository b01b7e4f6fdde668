#!/usr/bin/env python3
"""The loop on the real service: what a trace must hold, and that the commands of the contract run as written.

Usage: loop_test.py BUILD_DIR. Needs the inference engine (tools/install_engine.sh); says so and fails without it.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import lab  # noqa: E402
import perfetto_reads  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/release").resolve()


def common(left, right):
    """The time that lies in intervals of both, over all threads."""
    total = 0
    for thread, spans in left.items():
        others, at = right.get(thread, []), 0
        for begin, end in spans:
            while at < len(others) and others[at][1] <= begin:
                at += 1
            for k in range(at, len(others)):
                if others[k][0] >= end:
                    break
                total += min(end, others[k][1]) - max(begin, others[k][0])
    return total


class Loop(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temp = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temp.name)
        with lab.Service(BUILD) as service:
            service.poster()
            # Each load ends before its recording: none of its requests is cut off, however slow the machine is today.
            load = lab.start_load(BUILD, service.url, 4, 5, 1, cls.folder / "load.json")
            time.sleep(1)
            cls.traced = cls.run_profiler(
                "trace", "--target", "poetry_poster_service", "--scope", "full_stack", "--metrics",
                "latency,mem_bandwidth,compute_util,cache_miss", "--sampling_rate", "100%", "--duration", "6s", "--output", "trace.pb")
            load.wait()
            second = lab.start_load(BUILD, service.url, 4, 3, 2, cls.folder / "load2.json")
            cls.run_profiler("trace", "--target", "poetry_poster_service", "--duration", "5s", "--output", "trace2.pb")
            second.wait()

    @classmethod
    def tearDownClass(cls):
        cls.temp.cleanup()

    @classmethod
    def run_profiler(cls, *words):
        return subprocess.run([str(BUILD / "bin/profiler"), *words], cwd=cls.folder, capture_output=True, text=True, timeout=300)

    def sql(self, query):
        done = self.run_profiler("query", "--trace", "trace.pb", "--format", "json", query)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def one(self, query):
        rows = self.sql(query)
        self.assertEqual(len(rows), 1, rows)
        return next(iter(rows[0].values()))

    @unittest.skipUnless(perfetto_reads.INSTALLED, "Perfetto's trace processor is not installed (tools/install_perfetto.sh)")
    def test_perfetto_reads_the_recording_without_an_error_and_has_its_figures(self):
        rows = perfetto_reads.check(self, self.folder / "trace.pb", self.sql)
        for table in ("slices", "counters", "samples"):
            self.assertGreater(rows[table], 0)

    def test_a_trace_was_written_and_says_what_could_not_be_measured(self):
        self.assertEqual(self.traced.returncode, 0, self.traced.stderr)
        signals = {row["name"]: row for row in self.sql("select name, is_available, reason from signal")}
        for name in ("cache_miss", "mem_bandwidth"):
            self.assertIn(name, signals)
            if not signals[name]["is_available"]:
                self.assertTrue(signals[name]["reason"])

    def test_every_stage_of_a_request_is_there(self):
        stages = {row["name"] for row in self.sql("select distinct name from stage")}
        self.assertLessEqual({"queue", "text_encode", "denoise", "decode", "compose", "encode_png"}, stages)
        self.assertGreater(self.one("select count(*) from request"), 5)

    def intervals(self, query):
        """Rows (thread_id, ts, dur) as sorted, disjoint intervals of each thread."""
        threads = {}
        for row in self.sql(f"select thread_id, ts, dur from ({query}) order by thread_id, ts"):
            spans = threads.setdefault(row["thread_id"], [])
            begin, end = row["ts"], row["ts"] + row["dur"]
            if spans and begin <= spans[-1][1]:
                spans[-1][1] = max(spans[-1][1], end)
            else:
                spans.append([begin, end])
        return threads

    def test_operators_cover_the_model_runs(self):
        # CPU time on both sides: who waits for a CPU inside a run says nothing about operators. The rest is the engine's own work
        # between them; that none is missing is tests/sdk's business (same count as the engine's own profile).
        running = self.intervals("select thread_id, ts, dur from thread_state where state = 'running'")
        runs = common(running, self.intervals(
            "select t.thread_id, s.ts, s.dur from slice s join track t on t.id = s.track_id where s.category = 'run'"))
        share = common(running, self.intervals("select thread_id, ts, dur from op")) / runs
        self.assertGreaterEqual(share, 0.95)
        self.assertLessEqual(share, 1.0)

    def test_cpu_samples_lie_inside_operators_and_have_symbols(self):
        inside = self.one("select count(*) from sample s join op o on o.thread_id = s.thread_id and s.ts >= o.ts and s.ts < o.ts + o.dur "
                          "where s.event = 'cpu-clock'")
        self.assertGreater(inside, 50)
        named = self.one("select 1.0 * sum(f.function not like '%+0x%' and f.function <> '') / count(*) from sample s "
                         "join callstack c on c.id = s.callstack_id join frame f on f.id = c.frame_id where s.event = 'cpu-clock'")
        self.assertGreater(named, 0.5)

    def test_scheduling_of_the_request_threads_is_there(self):
        # An operator computes or waits for a CPU, however busy the machine is; it does not sleep. What a thread did before its
        # first switch of the recording is not known: on a busy machine it may wait for that.
        ops = self.intervals("select thread_id, ts, dur from op")
        wall = common(ops, self.intervals("select thread_id, min(ts) as ts, max(ts + dur) - min(ts) as dur from thread_state "
                                          "where state <> 'unknown' group by thread_id"))
        self.assertGreater(wall, 0)
        inside = {state: common(ops, self.intervals(f"select thread_id, ts, dur from thread_state where state = '{state}'"))
                  for state in ("running", "runnable", "preempted", "sleeping", "blocked")}
        self.assertGreaterEqual(inside["running"] + inside["runnable"] + inside["preempted"], 0.95 * wall, inside)
        self.assertGreater(inside["running"], 0)

    def test_exclusive_classes_sum_to_the_wall_time(self):
        worst = self.one("select max(abs(r.dur - t.ns) * 1.0 / r.dur) from request r join "
                         "(select request_id, sum(ns) ns from request_time group by 1) t on t.request_id = r.id where r.dur > 0")
        self.assertLessEqual(worst, 0.001)

    def test_a_recorded_event_costs_at_most_64_bytes(self):
        events = int(self.one("select value from metadata where key = 'capture.events'"))
        self.assertLessEqual((self.folder / "trace.pb").stat().st_size / events, 64)

    def test_the_rest_of_the_loop_runs_as_written(self):
        steps = [
            ("visualize", "--trace", "trace.pb", "--view", "timeline,flamegraph,heatmap", "--output", "performance_map.html"),
            ("diagnose", "--trace", "trace.pb", "--problem", "high_p99_latency", "--threshold", "p99>2.0s", "--output",
             "root_cause_report.yaml"),
            ("diagnose", "--trace", "trace.pb", "--problem", "high_power_consumption"),
            ("generate-plan", "--diagnosis", "root_cause_report.yaml", "--priority", "latency_first", "--risk_tolerance", "medium",
             "--output", "optimization_plan.md"),
            ("validate", "--before", "trace.pb", "--after", "trace2.pb", "--metrics", "p99_latency,device_util,mem_bandwidth",
             "--statistical_test", "t-test", "--output", "validation_report.pdf"),
            ("compare", "--baseline", "trace.pb", "--target", "trace2.pb"),
            ("case-card", "--problem", "sd3_high_p99_latency", "--solution", "data_layout_unify+fusion+runtime_opt", "--metrics",
             "p99_latency,device_util", "--output", "sd3_optimization_case.md"),
            ("info", "trace.pb"), ("metrics", "--trace", "trace.pb"), ("log",),
        ]
        for words in steps:
            done = self.run_profiler(*words)
            self.assertEqual(done.returncode, 0, f"{words}: {done.stderr}")
            for lang in ("zh",):
                again = self.run_profiler(*words, "--lang", lang)
                self.assertEqual(again.returncode, 0, f"{words} in {lang}: {again.stderr}")
        for name in ("performance_map.html", "root_cause_report.yaml", "optimization_plan.md", "validation_report.pdf",
                     "sd3_optimization_case.md"):
            self.assertGreater((self.folder / name).stat().st_size, 200, name)

    def test_a_wrong_target_and_a_wrong_option_are_answered_kindly(self):
        missing = self.run_profiler("trace", "--target", "poetry_poster_servise", "--duration", "1s", "--output", "x.pb")
        self.assertEqual(missing.returncode, 4, missing.stderr)
        wrong = self.run_profiler("trace", "--targt", "x")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("--target", wrong.stderr)
        self.assertEqual(len(wrong.stderr.strip().splitlines()), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
