#!/usr/bin/env python3
"""One trace whose names try to break out, through every output there is.

Usage: hostile_test.py BUILD_DIR
"""
import csv
import gzip
import html.parser
import io
import json
import os
import pathlib
import re
import sqlite3
import stat
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/release").resolve()
BIN = BUILD / "bin"
# Controls but newline and tab, C1, direction marks, line separators: what a terminal or a reader would act on.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
TRACE = "h\x1b[31m'$(touch pwned)`touch pwned`\";touch pwned;.pb"
AFTER = "after " + TRACE  # validate refuses one recording on both sides
FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temp = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temp.name)
        for name, requests in ((TRACE, "24"), (AFTER, "23")):
            subprocess.run([str(BIN / "page_maker"), "hostile", name, requests], cwd=cls.folder, check=True, timeout=120)
        lines = subprocess.run([str(BIN / "page_maker"), "names"], capture_output=True, text=True, check=True, timeout=60).stdout
        cls.names = [bytes.fromhex(line) for line in lines.split()]
        cls.texts = [replaced(name) for name in cls.names]

    @classmethod
    def tearDownClass(cls):
        cls.temp.cleanup()

    def tearDown(self):
        self.assertFalse(list(self.folder.rglob("pwned")), "a name was executed")

    def profiler(self, *words, code=0):
        """Runs a command; both streams must be clean UTF-8 without controls. Gives standard output."""
        done = subprocess.run([str(BIN / "profiler"), *words], cwd=self.folder, capture_output=True, timeout=300)
        out, err = done.stdout.decode(), done.stderr.decode()  # strict: broken UTF-8 is a failure
        if code is not None:
            self.assertEqual(done.returncode, code, f"{words}\n{out[-2000:]}\n{err}")
        self.assertIsNone(CONTROL.search(err), repr(err))
        return out

    def clean(self, text, what):
        found = CONTROL.search(text)
        self.assertIsNone(found, f"{what}: {text[max(found.start() - 60, 0):found.end() + 20]!r}" if found else "")
        return text

    def made(self, name):
        return (self.folder / name).read_bytes().decode()

    # --- terminals
    def test_terminals_get_no_control_bytes(self):
        for words in (("info", TRACE), ("metrics", "--trace", TRACE), ("diagnose", "--trace", TRACE),
                      ("query", "--trace", TRACE, "select * from slice"), ("query", "--trace", TRACE, "select * from metadata"),
                      ("query", "--trace", TRACE, "select * from counter_track"), ("query", "--trace", TRACE, "select name as \"a\x1b[31mb\" from thread"),
                      ("compare", "--baseline", TRACE, "--target", TRACE), ("gate", "--baseline", TRACE, "--target", TRACE),
                      ("validate", "--before", TRACE, "--after", AFTER), ("log",), ("show", "1"), ("case", "list"),
                      ("case-card", "--problem", self.texts[3] + self.texts[0], "--solution", self.texts[7], "--metrics", "p99_latency"),
                      ("query", "--reference"), ("metrics",), ("doctor",)):
            for lang in ("en", "zh"):
                self.clean(self.profiler(*words, "--lang", lang), words)

    def test_error_lines_are_one_line_without_control_bytes(self):
        bad = "\x1b]0;x\x07\n\x9b\u202e" + self.texts[0]
        for words in (("info", bad), ("metrics", "--metrics", bad), ("diagnose", "--trace", TRACE, "--problem", bad),
                      ("diagnose", "--trace", TRACE, "--threshold", bad), ("query", "--trace", TRACE, f'select * from "{bad}"'),
                      ("query", "--trace", TRACE, "--format", bad, "select 1"), ("info", TRACE, "--" + bad), (bad,), ("info", TRACE, bad),
                      ("export", "--trace", TRACE, "--output", "x" + bad), ("export", "--trace", TRACE, "--output", "x.csv", "--table", bad),
                      ("validate", "--before", TRACE, "--after", AFTER, "--statistical_test", bad), ("case", bad),
                      ("trace", "--target", bad, "--output", "x.pb"), ("trace", "--scope", bad), ("trace", "--time_range", bad),
                      ("visualize", "--trace", TRACE, "--view", bad), ("generate-plan", "--diagnosis", bad), ("show", bad),
                      ("gate", "--baseline", TRACE, "--target", TRACE, "--max_regression", bad), ("info", TRACE, "--lang", bad)):
            done = subprocess.run([str(BIN / "profiler"), *words], cwd=self.folder, capture_output=True, timeout=120)
            err = done.stderr.decode()
            self.assertIn(done.returncode, (2, 3, 4), words)
            self.assertEqual(err.count("\n"), 1, repr(err))
            self.clean(err, words)

    # --- machine formats give the names back exactly
    def test_json_and_yaml_give_the_names_back(self):
        names = [(row["key"], row["value"]) for row in json.loads(self.profiler("query", "--trace", TRACE, "select key, value from metadata", "--format", "json"))]
        for text in self.texts:
            self.assertIn(("key" + text, text), names)
        for form, load in (("json", json.loads), ("yaml", yaml.safe_load)):
            info = load(self.profiler("info", TRACE, "--format", form))
            for text in self.texts:
                self.assertEqual(info["metadata"]["key" + text], text, form)
            self.assertEqual(info["path"], TRACE)
            report = load(self.profiler("diagnose", "--trace", TRACE, "--format", form))
            self.assertEqual(report["trace"]["path"], TRACE)
            compared = load(self.profiler("compare", "--baseline", TRACE, "--target", TRACE, "--format", form))
            shown = {row["name"] for level in compared["levels"] for row in level["rows"]}
            self.assertIn(self.texts[0], shown)
            load(self.profiler("validate", "--before", TRACE, "--after", AFTER, "--format", form))
        json.loads(self.profiler("metrics", "--trace", TRACE, "--format", "json"))
        entry = json.loads(self.profiler("log", "--format", "json", "--verb", "info"))[0]
        self.assertIn(TRACE, entry["command_line"])
        self.profiler("gate", "--baseline", TRACE, "--target", TRACE, "--output", "g.xml")
        self.clean(self.made("g.xml"), "junit")
        xml.etree.ElementTree.fromstring(self.made("g.xml"))

    def test_csv_cells_are_no_formulas_and_stay_in_their_columns(self):
        self.profiler("export", "--trace", TRACE, "--output", "tables/")
        texts = [("query", self.profiler("query", "--trace", TRACE, "select * from slice", "--format", "csv")),
                 ("metrics", self.profiler("metrics", "--trace", TRACE, "--format", "csv"))]
        texts += [(p.name, p.read_bytes().decode()) for p in sorted((self.folder / "tables").iterdir())]
        for what, content in texts:
            rows = list(csv.reader(io.StringIO(content, newline="")))
            self.assertEqual({len(row) for row in rows}, {len(rows[0])}, what)
            for row in rows[1:]:
                for cell in row:
                    if cell.startswith(FORMULA) and not re.fullmatch(r"-?[0-9.e+-]+", cell):
                        self.fail(f"{what}: {cell[:80]!r} is a formula")
            self.assertNotIn("\x1b", content, what)

    def test_sqlite_and_trace_exports_keep_the_names(self):
        for name in ("e.sqlite", "e.pb", "e.json", "e.pprof", "e.collapsed"):
            self.profiler("export", "--trace", TRACE, "--output", name)
        query = "select key, value from metadata order by key"
        direct = json.loads(self.profiler("query", "--trace", TRACE, query, "--format", "json"))
        again = json.loads(self.profiler("query", "--trace", "e.pb", query, "--format", "json"))
        self.assertEqual(direct, again)
        with sqlite3.connect(self.folder / "e.sqlite") as db:
            db.text_factory = bytes
            rows = [tuple(replaced(cell) for cell in row) for row in db.execute("select key, value from metadata order by key")]
            self.assertEqual(sorted(rows), sorted((row["key"], row["value"]) for row in direct))
            self.assertGreater(db.execute("select count(*) from slice").fetchone()[0], 0)
        events = json.loads(self.made("e.json"))["traceEvents"]
        self.assertLessEqual({self.texts[1], self.texts[3]}, {e["name"] for e in events})
        for line in self.clean(self.made("e.collapsed"), "collapsed").splitlines():
            self.assertRegex(line, r"^[^;]+(;[^;]+)* [0-9]+$")
        gzip.decompress((self.folder / "e.pprof").read_bytes())

    # --- pages for people
    def test_the_html_page_holds_no_markup_of_the_names(self):
        self.profiler("visualize", "--trace", TRACE, "--output", "p.html", "--no_binaries")
        page = self.made("p.html")
        for text in ("<script>alert(1)", "<script>window.hacked", "<img src=x", "<svg onload", "</style></textarea>"):
            self.assertNotIn(text, page)
        counter = Tags()
        counter.feed(page)
        subprocess.run([str(BIN / "page_maker"), "service", "plain.html", "24"], cwd=self.folder, check=True, capture_output=True, timeout=120)
        plain = Tags()
        plain.feed(self.made("plain.html"))
        self.assertEqual(counter.kinds - plain.kinds, set())

    def test_markdown_keeps_its_tables_and_has_no_markup_of_the_names(self):
        self.profiler("diagnose", "--trace", TRACE, "--output", "d.yaml")
        self.profiler("diagnose", "--trace", TRACE, "--output", "d.md")
        self.profiler("compare", "--baseline", TRACE, "--target", TRACE, "--output", "c.md")
        self.profiler("validate", "--before", TRACE, "--after", AFTER, "--output", "v.md")
        self.profiler("gate", "--baseline", TRACE, "--target", TRACE, "--output", "g.md")
        self.profiler("generate-plan", "--diagnosis", "d.yaml", "--risk_tolerance", "high", "--output", "plan.md")
        self.profiler("case-card", "--problem", self.texts[8] + self.texts[18], "--solution", "+".join(self.texts[:3]), "--metrics", "p99_latency", "--output", "card.md")
        (self.folder / "q.md").write_text(self.profiler("query", "--trace", TRACE, "select name, category from slice group by 1", "--format", "md"))
        (self.folder / "m.md").write_text(self.profiler("metrics", "--trace", TRACE, "--format", "md"))
        for name in ("d.md", "c.md", "v.md", "g.md", "plan.md", "card.md", "q.md", "m.md"):
            self.check_markdown(name)

    def check_markdown(self, name):
        text = self.clean(self.made(name), name)
        body, in_code, columns = [], False, 0
        for line in text.splitlines():
            if line.startswith("```"):
                in_code = not in_code
            if in_code:
                continue
            body.append(line)
            cells = len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) if line.startswith("|") else 0
            if cells and columns:
                self.assertEqual(cells, columns, f"{name}: {line[:300]}")
            columns = cells
        self.assertFalse(in_code, f"{name}: a code block does not end")
        prose = re.sub(r"(`+)(?:.*?[^`])\1(?!`)", "", "\n".join(body).split("---\n", 2)[-1])  # code spans are inert
        for tag in ("<script", "<img", "<svg", "</style"):
            self.assertNotIn(tag, prose.lower(), name)
        self.assertNotRegex(prose, r"(?<!\\)\]\(javascript:", name)
        self.assertNotRegex(prose, r"(?<!\\)\]\(http://x\.invalid", name)

    def test_a_card_cannot_be_forged_by_its_problem(self):
        self.profiler("case-card", "--problem", self.texts[18], "--solution", "fusion", "--output", "forged.md")
        head = yaml.safe_load(self.made("forged.md").split("---\n", 2)[1])
        self.assertEqual(head["schema"], "cann-profiler/case/1")
        self.assertNotEqual(head["id"], "forged")
        self.profiler("case", "add", "forged.md", "--workspace", "forge")
        self.clean(self.profiler("case", "search", "forged", "--workspace", "forge"), "search")

    def test_pdf_is_made(self):
        self.profiler("validate", "--before", TRACE, "--after", AFTER, "--output", "v.pdf")
        pdf = (self.folder / "v.pdf").read_bytes()
        self.assertTrue(pdf.startswith(b"%PDF-") and pdf.rstrip().endswith(b"%%EOF"))
        self.assertNotIn(b"/JavaScript", pdf)
        self.assertNotIn(b"/URI", pdf)

    # --- shells
    def test_the_commands_of_a_plan_execute_no_name(self):
        work = self.folder / "shell"
        work.mkdir()
        (work / TRACE).write_bytes((self.folder / TRACE).read_bytes())
        self.profiler("diagnose", "--trace", f"shell/{TRACE}", "--output", "shell/d.yaml")
        self.profiler("generate-plan", "--diagnosis", "shell/d.yaml", "--risk_tolerance", "high", "--output", "shell/plan.md")
        scripts = {p.name: p.read_text() for p in work.iterdir() if p.read_bytes()[:2] == b"#!"}
        plan = (work / "plan.md").read_text()
        for i, block in enumerate(re.findall(r"^```(?:bash|sh)?\n(.*?)^```$", plan, re.M | re.S)):
            scripts[f"block{i}"] = block
        self.assertTrue(scripts)
        self.assertGreater(len([line for line in plan.splitlines() if "profiler validate" in line]), 0)
        stubs = self.folder / "stubs"
        stubs.mkdir()
        for name in ("profiler", "atc", "runtime", "curl", "systemctl", "sed", "cp", "mv", "kill", "taskset", "env", "sleep", "poster"):
            stub = stubs / name
            stub.write_text("#!/bin/sh\nexit 0\n")
            stub.chmod(stub.stat().st_mode | stat.S_IXUSR)
        for name, script in scripts.items():
            subprocess.run(["bash", "-n"], input=script, text=True, check=True, cwd=work, timeout=60)
            subprocess.run(["/bin/bash", "--noprofile", "--norc"], input=script, text=True, cwd=work, timeout=60, capture_output=True,
                           env={"PATH": str(stubs), "HOME": str(work)})
            self.assertFalse(list(self.folder.rglob("pwned")), name)

    def test_the_journal_quotes_command_lines_for_a_shell(self):
        self.profiler("info", TRACE, "--workspace", "quoted", "--lang", "en")
        out = self.profiler("show", "1", "--workspace", "quoted", "--lang", "en")
        line = next(line for line in out.splitlines() if line.startswith("profiler info"))
        subprocess.run(["/bin/bash", "-c", "profiler() { :; }\n" + line], cwd=self.folder, timeout=60, capture_output=True, check=False)


class Tags(html.parser.HTMLParser):
    """The kinds of elements and event attributes of a page."""

    def __init__(self):
        super().__init__()
        self.kinds = set()

    def handle_starttag(self, tag, attrs):
        self.kinds.add(tag)
        self.kinds.update(f"{tag} {name}" for name, _ in attrs if name.startswith("on"))


def replaced(text):
    """Broken UTF-8 as the outputs show it: U+FFFD for each byte that belongs to no character."""
    if isinstance(text, str):
        return text
    out, at = "", 0
    while at < len(text):
        for size in (1, 2, 3, 4):
            try:
                out += text[at:at + size].decode()
                at += size
                break
            except UnicodeDecodeError:
                continue
        else:
            out += "\ufffd"
            at += 1
    return out


if __name__ == "__main__":
    unittest.main()
