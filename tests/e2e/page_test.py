#!/usr/bin/env python3
"""The page of profiler visualize in a headless browser, offline: keys, mouse, measuring, search, flame graph, heat map, hostile
names. Usage: page_test.py BUILD_DIR

Makes traces whose figures are known (page_maker), asks SQL for the truth, and hands both to viewer/tests/page.e2e.mjs.
Leaves with status 0 and a line when the machine has no chromium.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/release").resolve()
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")


class Page(unittest.TestCase):
    def run_tool(self, *words):
        done = subprocess.run([str(BUILD / "bin" / words[0]), *map(str, words[1:])], cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def query(self, sql):
        return json.loads(self.run_tool("profiler", "query", "--no_journal", "--format", "json", "--trace", "service.pb", sql))

    def make_page(self, kind, name, *more):
        self.run_tool("page_maker", kind, f"{kind}.pb")
        self.run_tool("profiler", "visualize", "--no_journal", "--trace", f"{kind}.pb", "--output", name, *more)
        return str(self.folder / name)

    def truth(self):
        named = "name like '%transpose%'"
        return {
            "copy": self.query("select ts, dur, name from kernel where name like 'memcpy%' order by ts limit 1")[0],
            "kernel": self.query("select ts, dur, name from kernel where op_type = 'MatMul' order by ts limit 1")[0],
            "op": self.query("select ts, dur, name from slice where category = 'op' order by ts limit 1")[0],
            "transposes": self.query(f"select (select count(*) from slice where {named}) + (select count(*) from kernel where {named}) as n")[0]["n"],
            "cpu_samples": self.query("select count(*) as n from sample where event = 'cpu-clock'")[0]["n"],
            "request": self.query("select ts, dur, name from request order by dur desc limit 1")[0],
            "woken": self.query("select ts, dur from thread_state where state = 'runnable' and waker_thread_id is not null order by ts limit 1")[0],
            "requests": self.query("select count(*) as n from request")[0]["n"],
        }

    def test_page_does_what_docs_viewer_md_says(self):
        if not CHROMIUM:
            self.skipTest("no chromium on this machine")
        with tempfile.TemporaryDirectory() as temp:
            self.folder = pathlib.Path(temp)
            facts = {"service": self.make_page("service", "service.html"), "hostile": self.make_page("hostile", "hostile.html"),
                     "chinese": self.make_page("service", "chinese.html", "--lang", "zh"), "truth": self.truth()}
            (self.folder / "facts.json").write_text(json.dumps(facts))
            done = subprocess.run(["node", "--test", "tests/page.e2e.mjs"], cwd=ROOT / "viewer", text=True, timeout=800, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  env={**os.environ, "CHROMIUM": CHROMIUM, "PAGE_FACTS": str(self.folder / "facts.json")})
            self.assertEqual(done.returncode, 0, done.stdout)
            print(done.stdout.split("1..")[-1])


if __name__ == "__main__":
    unittest.main()
