#!/usr/bin/env python3
"""validate, compare, gate, the journal and case cards as a user runs them, on traces made here.

Usage: verdict_test.py BUILD_DIR
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/release").resolve()


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def num(field, value):
    return varint(field << 3) + varint(value)


def sub(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def make_trace(path, seed, n, level_ms, name="poster"):
    """A Perfetto trace of n requests, each an async slice of category "request" with the args that conventions.hpp names."""
    rng = random.Random(seed)
    out, ts = bytearray(), 1_000_000_000
    events = []
    for i in range(n):
        ts += int(rng.expovariate(10) * 1e9)
        events.append((i, ts, int(level_ms * 1e6 * rng.lognormvariate(0, 0.2))))
    for i, start, dur in events:
        uuid = 1000 + i
        out += sub(1, sub(60, num(1, uuid) + sub(2, name)) + num(10, 1) + num(13, 1 if i == 0 else 0))
        args = sub(4, sub(10, "request_id") + num(4, i + 1)) + sub(4, sub(10, "status") + sub(6, "ok"))
        out += sub(1, num(8, start) + sub(11, num(9, 1) + num(11, uuid) + sub(22, "request") + sub(23, name) + args) + num(10, 1))
        out += sub(1, num(8, start + dur) + sub(11, num(9, 2) + num(11, uuid)) + num(10, 1))
    path.write_bytes(bytes(out))


class Verdict(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temp = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temp.name)
        for i in range(5):
            make_trace(cls.folder / f"a{i}.pb", i, 300, 100)
            make_trace(cls.folder / f"b{i}.pb", 100 + i, 300, 80)
        cls.a = ",".join(f"a{i}.pb" for i in range(5))
        cls.b = ",".join(f"b{i}.pb" for i in range(5))

    @classmethod
    def tearDownClass(cls):
        cls.temp.cleanup()

    def run_profiler(self, *words, code=0):
        done = subprocess.run([str(BUILD / "bin/profiler"), *words], cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}\n{done.stderr}")
        self.last_stderr = done.stderr
        return done.stdout

    def validation(self, before, after, *more, code=0):
        self.run_profiler("validate", "--before", before, "--after", after, *more, "--output", "v.json", code=code)
        return json.loads((self.folder / "v.json").read_text())

    def test_a_trace_gated_against_itself_is_no_regression_however_short(self):
        for requests in (1, 2, 8, 60):
            make_trace(self.folder / "short.pb", 7, requests, 100)
            said = self.run_profiler("gate", "--baseline", "short.pb", "--target", "short.pb", "--metrics",
                                     "p99_latency,mean_latency,throughput")
            self.assertNotIn("FAIL", said)
            self.assertIn("this gate cannot fail", self.last_stderr)
            if requests == 8:
                self.assertIn("p99_latency: too little data to judge; needed: 100 samples a side", " ".join(said.split()))

    def test_a_copy_in_another_format_is_the_same_recording(self):
        for copy in ("copy.json", "copy.sqlite"):
            self.run_profiler("export", "--trace", "a0.pb", "--output", copy)
        self.run_profiler("import", "copy.json", "--output", "copy.pb")
        for copy in ("copy.json", "copy.sqlite", "copy.pb"):
            self.run_profiler("validate", "--before", "a0.pb", "--after", copy, code=2)
            self.assertIn("are the same recording", self.last_stderr)
        for copy in ("a0.pb", "copy.json", "copy.sqlite", "copy.pb"):
            self.assertIn("Both traces are the same recording", self.run_profiler("compare", "--baseline", "a0.pb", "--target", copy))
        self.assertNotIn("Both traces are the same recording", self.run_profiler("compare", "--baseline", "a0.pb", "--target", "b0.pb"))

    def test_a_copy_of_kernels_alone_is_the_same_recording(self):
        events = [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 20 * i, "dur": 10, "args": {"device": 0, "stream": 7}}
                  for i in range(50)]
        for name, base in (("k.json", 10**18), ("other.json", 10**18 + 5)):
            (self.folder / name).write_text(json.dumps({"schemaVersion": 1, "baseTimeNanoseconds": base, "traceEvents": events}))
        self.run_profiler("import", "k.json", "--output", "k.pb")
        self.run_profiler("validate", "--before", "k.json", "--after", "k.pb", "--metrics", "device_util", code=2)
        self.assertIn("are the same recording", self.last_stderr)
        self.run_profiler("validate", "--before", "k.json", "--after", "other.json", "--metrics", "device_util")

    def test_a_fifth_faster_is_found_with_its_size(self):
        report = self.validation(self.a, self.b, "--metrics", "p50_latency,p99_latency,mem_bandwidth", "--statistical_test", "t-test")
        p50, p99, bandwidth = report["metrics"]
        self.assertEqual((p50["verdict"], p99["verdict"]), ("better", "better"))
        self.assertAlmostEqual(p50["change"], -0.2, delta=0.04)
        self.assertLess(p50["change_ci95"][1], 0)
        self.assertTrue(p99["method_replaced"])
        self.assertEqual(bandwidth["verdict"], "unavailable")
        self.assertTrue(bandwidth["reason"])

    def test_a_regression_is_exit_1_and_a_missing_figure_is_exit_6_under_strict(self):
        self.validation(self.b, self.a, "--metrics", "p50_latency", code=1)
        self.validation(self.a, self.b, "--metrics", "p50_latency,mem_bandwidth", "--strict", code=6)

    def test_one_trace_a_side_is_marked(self):
        report = self.validation("a0.pb", "b0.pb", "--metrics", "p50_latency")
        self.assertTrue(report["within_run_only"])
        self.assertTrue(report["metrics"][0]["within_run_only"])

    def test_gate_is_junit_and_an_exit_status(self):
        self.run_profiler("gate", "--baseline", self.b, "--target", self.a, "--metrics", "p50_latency", "--max_regression", "3%", "--output", "gate.xml", code=1)
        root = xml.etree.ElementTree.parse(self.folder / "gate.xml").getroot()
        self.assertEqual(root.get("failures"), "1")
        self.run_profiler("gate", "--baseline", self.a, "--target", self.b, "--metrics", "p50_latency", "--max_regression", "3%", "--output", "gate.xml")
        # No metric to judge by is no regression, and nothing that passed.
        self.run_profiler("gate", "--baseline", self.a, "--target", self.b, "--metrics", "mem_bandwidth", code=1)

    def test_card_finds_its_evidence_in_the_journal(self):
        work = self.folder / "ws"
        work.mkdir(exist_ok=True)
        space = ("--workspace", str(work))
        self.run_profiler("diagnose", "--trace", "a0.pb", "--output", "r.yaml", *space)
        self.run_profiler("validate", "--before", self.a, "--after", self.b, "--metrics", "p50_latency", "--output", "v.pdf", *space)
        self.run_profiler("case-card", "--problem", "slow \"poster\" <script>|", "--solution", "fusion+layout", "--metrics", "p50_latency", "--output", "case.md", "--add", *space)
        card = (self.folder / "case.md").read_text()
        self.assertTrue(card.startswith("---\nschema: cann-profiler/case/1\n"))
        self.assertIn("state: validated", card)
        self.assertIn("role: diagnosis", card)
        self.assertNotIn("<script>", card.split("---\n", 2)[2])
        self.assertIn("slow-poster-script-fusion-layout", self.run_profiler("case", "search", "fusion", *space))
        self.assertIn("case-card", self.run_profiler("log", *space))
        self.assertIn("v.pdf", self.run_profiler("show", "2", *space))

    def test_card_without_evidence_says_so(self):
        text = self.run_profiler("case-card", "--problem", "p", "--solution", "s", "--metrics", "p99_latency", "--workspace", str(self.folder / "empty"))
        self.assertIn("state: draft", text)
        self.assertIn("not in evidence", text)

    def test_compare_is_written_in_every_form(self):
        for name in ("c.md", "c.yaml", "c.json", "c.txt"):
            self.run_profiler("compare", "--baseline", "a0.pb", "--target", "b0.pb", "--output", name)
        self.assertEqual(json.loads((self.folder / "c.json").read_text())["schema"], "cann-profiler/comparison/1")

    def test_wrong_words_are_one_line_and_exit_2(self):
        for words in (("--statistical_test", "foo"), ("--output", "a.doc"), ("--metrics", "p98_latency"), ("--warm_up", "x")):
            self.run_profiler("validate", "--before", "a0.pb", "--after", "b0.pb", *words, code=2)
        self.run_profiler("gate", "--baseline", "a0.pb", "--target", "b0.pb", "--max_regression", "lots", code=2)
        self.run_profiler("validate", "--before", "gone.pb", "--after", "b0.pb", code=3)
        self.run_profiler("show", "999", code=4 if (self.folder / ".profiler").exists() else 3)


if __name__ == "__main__":
    unittest.main()
