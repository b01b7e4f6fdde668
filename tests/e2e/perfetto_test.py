#!/usr/bin/env python3
"""Perfetto itself reads our files: its trace processor imports traces of ours and what `profiler import` makes of others, without an
error, and counts and sums what we do. Recordings: loop_test.py. Usage: perfetto_test.py BUILD_DIR
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import perfetto_reads

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else perfetto_reads.ROOT / "build/release").resolve()
DATA = perfetto_reads.ROOT / "tests/readers/data"


class Perfetto(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.trace = pathlib.Path(temp.name) / "t.pb"

    def tool(self, *words):
        done = subprocess.run([str(BUILD / "bin" / words[0]), *map(str, words[1:])], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stderr}")
        return done.stdout

    def sql(self, query):
        return json.loads(self.tool("profiler", "query", "--no_journal", "--format", "json", "--trace", self.trace, query))

    def check(self):
        return perfetto_reads.check(self, self.trace, self.sql)

    def test_traces_of_ours(self):
        for kind in ("service", "hostile", "odd", "one", "empty"):
            with self.subTest(kind=kind):
                self.tool("page_maker", kind, self.trace)
                rows = self.check()
                if kind in ("service", "hostile"):
                    self.assertGreater(min(rows.values()), 0, rows)

    def test_traces_of_others(self):
        files = {"kineto/hta_alexnet.json.gz": "kernels", "kineto/tl_mi210_gpu_only.json.gz": "kernels", "nsys_mfu_2gpu.sqlite.gz": "kernels",
                 "rpd_matmul.rpd.gz": "counters", "jax_mi300_tw003.xplane.pb.gz": "kernels", "onnxruntime_silero.json.gz": "slices",
                 "otlp_trace.json": "slices", "perf_sort.data.gz": "samples", "ascend/alexnet_l1_rank1.db.gz": "kernels", "ascend/alexnet_l0_trace.json.gz": "counters"}
        for name, table in files.items():
            with self.subTest(file=name):
                self.trace.unlink(missing_ok=True)
                self.tool("profiler", "import", "--no_journal", DATA / name, "--output", self.trace)
                self.assertGreater(self.check()[table], 0)

    def test_chrome_json_keeps_every_span(self):
        # Perfetto holds microseconds as a double and drops what begins inside another span and ends behind it. Of the 3726 spans of this file 9
        # overlap so as they were recorded, and 48 more where their times count from 1970: the copy's do not.
        self.tool("profiler", "import", "--no_journal", DATA / "ascend/alexnet_l1_rank1.db.gz", "--output", self.trace)
        copy = self.trace.with_suffix(".json")
        self.tool("profiler", "export", "--no_journal", "--trace", self.trace, "--output", copy)
        base = json.loads(copy.read_text())["baseTimeNanoseconds"]
        spans = "select name, count(*) as n, sum(dur) as dur, min(ts) {} as first from {} group by 1 order by 1"
        ours = self.sql(spans.format(f"- {base}", "(select name, ts, dur from slice union all select name, ts, dur from kernel)"))
        errors, theirs = perfetto_reads.ask_perfetto(copy, perfetto_reads.ERRORS, spans.format("", "slice"))
        self.assertEqual(errors, [])
        self.assertEqual(theirs, ours)


if __name__ == "__main__":
    if not perfetto_reads.INSTALLED:
        print("Perfetto's trace processor is not installed (tools/install_perfetto.sh)")
        sys.exit(0)
    unittest.main(verbosity=2)
