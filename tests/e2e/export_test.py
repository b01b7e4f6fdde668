#!/usr/bin/env python3
"""Every export read back by a reader that is not ours: Python's csv, json, sqlite3 and gzip, and a few lines for protobuf.

Usage: export_test.py BUILD_DIR. What is read must equal what SQL on the trace says, for an ordinary and for a hostile trace.
"""
import csv
import decimal
import gzip
import io
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unicodedata
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/release").resolve()
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """(number, value) of a protobuf message: varints as int, length-delimited as bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            assert key & 7 == 2, f"wire type {key & 7}"
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            assert len(value) == size, "a field goes on past the end"
        yield key >> 3, value


def written_out(c):
    return f"\\x{ord(c):02x}" if ord(c) < 256 else f"\\u{ord(c):04x}"


def packed(data):
    out, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        out.append(value)
    return out


class Pprof:
    """profile.proto by its published field numbers."""

    def __init__(self, raw):
        self.types, self.samples, self.locations, self.functions, self.mappings, self.strings, self.other = [], [], {}, {}, {}, [], {}
        for number, value in fields(raw):
            if number == 1:
                self.types.append(dict(fields(value)))
            elif number == 2:
                sample = {"locations": [], "values": [], "labels": []}
                for field, content in fields(value):
                    if field == 3:
                        sample["labels"].append(dict(fields(content)))
                    else:
                        sample["locations" if field == 1 else "values"] += packed(content)
                self.samples.append(sample)
            elif number == 3:
                mapping = dict(fields(value))
                self.mappings[mapping[1]] = mapping
            elif number == 4:
                location = dict(fields(value))
                self.locations[location[1]] = dict(fields(location[4]))
                self.locations[location[1]]["mapping"] = location.get(2, 0)
            elif number == 5:
                function = dict(fields(value))
                self.functions[function[1]] = function
            elif number == 6:
                self.strings.append(value.decode("utf-8"))
            else:
                self.other[number] = value

    def text(self, index):
        return self.strings[index]

    def stack(self, sample):
        """Function names, innermost first."""
        return [self.text(self.functions[self.locations[at][1]][2]) for at in sample["locations"]]


class Export(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temp = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temp.name)
        for kind in ("service", "hostile", "empty", "odd"):
            cls.tool("page_maker", kind, f"{kind}.pb", *(["12"] if kind in ("service", "hostile") else []))

    @classmethod
    def tearDownClass(cls):
        cls.temp.cleanup()

    @classmethod
    def tool(cls, *words):
        done = subprocess.run([str(BUILD / "bin" / words[0]), *words[1:]], cwd=cls.folder, capture_output=True, timeout=300)
        assert done.returncode == 0, f"{words}\n{done.stderr.decode(errors='replace')}"
        return done.stdout

    def query(self, kind, sql):
        return json.loads(self.tool("profiler", "query", "--no_journal", "--format", "json", "--max_rows", "10000000", "--trace", f"{kind}.pb", sql))

    def export(self, kind, name, *more):
        self.tool("profiler", "export", "--no_journal", "--trace", f"{kind}.pb", "--output", name, *more)
        return self.folder / name

    @staticmethod
    def both():
        return "service", "hostile"

    # --- tables ------------------------------------------------------------------------------------------------------
    def test_sqlite_holds_every_cell_that_sql_on_the_trace_gives(self):
        for kind in self.both():
            db = sqlite3.connect(self.export(kind, f"{kind}.sqlite"))
            db.text_factory = lambda raw: raw.decode("utf-8", "replace")
            tables = [row[0] for row in db.execute("select name from sqlite_master where type = 'table'")]
            self.assertIn("request", tables)
            for table in tables:
                cursor = db.execute(f"select * from {table}")
                names = [column[0] for column in cursor.description]
                mine = [dict(zip(names, row)) for row in cursor]
                self.assertEqual(mine, self.query(kind, f"select * from {table}"), table)
            self.assertEqual(db.execute("pragma integrity_check").fetchone()[0], "ok")
            db.close()

    def test_views_and_times_of_the_sqlite_file_work_without_the_profiler(self):
        db = sqlite3.connect(self.export("service", "views.sqlite"))
        for (view,) in db.execute("select name from sqlite_master where type = 'view'").fetchall():
            self.assertEqual(db.execute(f"select count(*) from {view}").fetchone()[0], self.query("service", f"select count(*) as n from {view}")[0]["n"], view)
        plan = " ".join(row[3] for row in db.execute("explain query plan select * from slice where id = 7"))
        self.assertIn("USING INDEX", plan)
        db.close()

    def test_csv_gives_back_every_cell_of_every_table_and_no_formula(self):
        for kind in self.both():
            folder = self.folder / f"{kind}_csv"
            folder.mkdir()
            self.export(kind, folder.name)
            files = sorted(folder.glob("*.csv"))
            self.assertGreater(len(files), 20)
            for file in files:
                raw = file.read_bytes()
                self.assertFalse(any(c < 32 and c not in b"\t\r\n" for c in raw), f"{file.name} has control characters")
                rows = list(csv.reader(io.StringIO(raw.decode("utf-8"), newline="")))
                want = self.query(kind, f"select * from {file.stem}")
                self.assertEqual(len(rows) - 1, len(want), file.name)
                for row, truth in zip(rows[1:], want):
                    self.assertEqual(len(row), len(truth), file.name)
                    for cell, (name, value) in zip(row, truth.items()):
                        self.same_cell(cell, value, f"{file.name} {name}")

    def same_cell(self, cell, value, where):
        if value is None:
            self.assertEqual(cell, "", where)
        elif isinstance(value, (int, float)):
            self.assertEqual(float(cell), float(value), where)
        else:
            self.assertFalse(cell.startswith(FORMULA), f"{where}: {cell[:40]!r} starts a formula")
            # What controls a terminal or hides is written out; the first character of a formula has an apostrophe before it.
            plain = "".join(written_out(c) if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") and c not in "\t\n" else c for c in value)
            self.assertEqual(cell[1:] if plain.startswith(FORMULA) else cell, plain, where)

    # --- Chrome's trace event format -----------------------------------------------------------------------------------
    def test_chrome_json_has_every_interval_to_the_nanosecond(self):
        for kind in self.both():
            text = self.export(kind, f"{kind}.json").read_text(encoding="utf-8")
            trace = json.loads(text, parse_float=decimal.Decimal)
            ns = lambda us: int(decimal.Decimal(us) * 1000)
            spans = [e for e in trace["traceEvents"] if e["ph"] == "X"]
            runs = [e for e in spans if e["cat"] == "cann.sched_run"]
            complete = sorted((e["name"], ns(e["ts"]), ns(e["dur"])) for e in spans if not e["cat"].startswith("cann.sched_"))
            rows = self.query(kind, "select name, ts, dur from slice union all select name, ts, dur from kernel")
            self.assertEqual(complete, sorted((r["name"], r["ts"], r["dur"]) for r in rows))
            self.assertEqual(sorted((ns(e["ts"]), ns(e["dur"])) for e in runs), sorted((r["ts"], r["dur"]) for r in self.query(kind, "select ts, dur from sched")))
            counters = sorted((ns(e["ts"]), float(next(iter(e["args"].values())))) for e in trace["traceEvents"] if e["ph"] == "C")
            self.assertEqual(counters, sorted((r["ts"], float(r["value"])) for r in self.query(kind, "select ts, value from counter")))

    def test_chrome_flows_begin_and_end_inside_their_spans(self):
        trace = json.loads(self.export("service", "flows.json").read_text(), parse_float=decimal.Decimal)
        spans = {}
        for e in trace["traceEvents"]:
            if e["ph"] == "X":
                spans.setdefault((e["pid"], e["tid"]), []).append((e["ts"], e["ts"] + e["dur"]))
        ends = [e for e in trace["traceEvents"] if e["ph"] in "sf"]
        self.assertEqual(len({e["id"] for e in ends if e["ph"] == "s"}), self.query("service", "select count(*) as n from flow")[0]["n"])
        for e in ends:
            self.assertTrue(any(a <= e["ts"] <= b for a, b in spans[e["pid"], e["tid"]]), e)

    def test_chrome_samples_have_whole_stacks(self):
        trace = json.loads(self.export("service", "samples.json").read_text())
        frames = trace["stackFrames"]
        def depth(at):
            n = 0
            while at is not None:
                at, n = frames[at].get("parent"), n + 1
            return n
        stacks = self.query("service", "select c.depth + 1 as n from sample s join callstack c on c.id = s.callstack_id")
        self.assertEqual(sorted(depth(s["sf"]) for s in trace["samples"]), sorted(r["n"] for r in stacks))

    # --- stacks ----------------------------------------------------------------------------------------------------------
    def leaf_weights(self, kind):
        rows = self.query(kind, "select f.function as name, count(*) as n, sum(s.weight) as weight from sample s join callstack c on c.id = s.callstack_id join frame f on f.id = c.frame_id where s.event = 'cpu-clock' group by 1")
        return {r["name"]: (r["n"], r["weight"]) for r in rows}

    def test_pprof_sums_to_the_samples_by_function_and_its_ids_are_all_there(self):
        for kind in self.both():
            raw = self.export(kind, f"{kind}.pprof").read_bytes()
            self.assertEqual(raw[:4], b"\x1f\x8b\x08\x00")
            profile = Pprof(gzip.decompress(raw))
            self.assertEqual(profile.strings[0], "")
            self.assertEqual([(profile.text(t[1]), profile.text(t[2])) for t in profile.types], [("samples", "count"), ("cpu", "nanoseconds")])
            leaves = {}
            for sample in profile.samples:
                name = profile.stack(sample)[0]
                n, weight = leaves.get(name, (0, 0))
                leaves[name] = (n + sample["values"][0], weight + sample["values"][1])
            self.assertEqual(leaves, self.leaf_weights(kind))
            for location in profile.locations.values():
                self.assertTrue(location["mapping"] == 0 or location["mapping"] in profile.mappings)

    def test_pprof_labels_say_which_operator_ran(self):
        profile = Pprof(gzip.decompress(self.export("service", "labels.pprof").read_bytes()))
        by_op = {}
        for sample in profile.samples:
            for label in sample["labels"]:
                if profile.text(label[1]) == "operator":
                    by_op[profile.text(label[2])] = by_op.get(profile.text(label[2]), 0) + sample["values"][0]
        rows = self.query("service", "select o.name as name, count(*) as n from sample s join op o on o.thread_id = s.thread_id and s.ts >= o.ts and s.ts < o.ts + o.dur where s.event = 'cpu-clock' group by 1")
        self.assertEqual(by_op, {r["name"]: r["n"] for r in rows})

    def test_collapsed_lines_are_parts_and_a_weight_that_sum_to_the_samples(self):
        for kind in self.both():
            total, leaves = 0, {}
            for line in self.export(kind, f"{kind}.collapsed").read_text(encoding="utf-8").splitlines():
                stack, weight = line.rsplit(" ", 1)
                self.assertTrue(all(stack.split(";")), line)
                self.assertFalse(any(ord(c) < 32 or 127 <= ord(c) < 160 for c in line))
                leaf = stack.split(";")[-1]
                leaves[leaf] = leaves.get(leaf, 0) + int(weight)
                total += int(weight)
            truth = self.leaf_weights(kind)
            self.assertEqual(total, sum(weight for _, weight in truth.values()))
            if kind == "service":
                self.assertEqual(leaves, {name: weight for name, (_, weight) in truth.items()})

    # --- edges -----------------------------------------------------------------------------------------------------------
    def test_an_empty_trace_is_an_empty_file_of_each_kind(self):
        self.assertEqual(json.loads(self.export("empty", "empty.json").read_text())["traceEvents"], [])
        self.assertEqual(self.export("empty", "empty.collapsed").read_text(), "")
        self.assertEqual(Pprof(gzip.decompress(self.export("empty", "empty.pprof").read_bytes())).samples, [])
        self.assertEqual(len(self.export("empty", "empty.csv").read_text().splitlines()), 1)
        db = sqlite3.connect(self.export("empty", "empty.sqlite"))
        self.assertEqual(db.execute("select count(*) from slice").fetchone()[0], 0)
        db.close()

    def test_an_export_of_stacks_that_are_not_there_says_so_and_strict_makes_it_partial(self):
        for name in ("nothing.collapsed", "nothing.pprof"):
            for more, status in ([], 0), (["--strict"], 6):
                done = subprocess.run([str(BUILD / "bin/profiler"), "export", "--no_journal", "--trace", "empty.pb", "--output", name, *more], cwd=self.folder, capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, status, name)
                said = done.stdout + done.stderr
                self.assertIn("no samples with a call stack", said)
                self.assertIn("--scope full_stack", said)  # the mend
                self.assertNotIn("written: ", said)

    def test_a_name_without_a_suffix_is_told_how_to_get_a_folder(self):
        command = [str(BUILD / "bin/profiler"), "export", "--no_journal", "--trace", "empty.pb", "--output"]
        refused = subprocess.run([*command, "newdir"], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("'newdir/'", refused.stderr)
        self.assertFalse((self.folder / "newdir").exists())
        subprocess.run([*command, "newdir/"], cwd=self.folder, check=True, capture_output=True, timeout=60)
        self.assertTrue((self.folder / "newdir/slice.csv").exists())

    def test_spans_without_length_survive_every_form(self):
        want = self.query("odd", "select count(*) as n from slice where dur = 0")[0]["n"]
        self.assertGreater(want, 300)
        chrome = json.loads(self.export("odd", "odd.json").read_text())
        self.assertEqual(sum(1 for e in chrome["traceEvents"] if e["ph"] == "X" and e["dur"] == 0), want)
        rows = list(csv.DictReader(io.StringIO(self.export("odd", "odd.csv").read_text(), newline="")))
        self.assertEqual(sum(1 for r in rows if r["dur"] == "0"), want)

    def test_two_exports_of_one_trace_are_the_same_bytes(self):
        for suffix in ("json", "csv", "pprof", "collapsed"):
            first, second = (self.export("hostile", f"{n}.{suffix}").read_bytes() for n in ("first", "second"))
            self.assertEqual(first, second, suffix)

    def test_our_own_format_gives_the_same_rows_again(self):
        self.export("service", "again.pb")
        for table in ("slice", "kernel", "request", "stage", "op", "counter", "sample", "flow"):
            sql = f"select * from {table}"
            self.assertEqual(self.query("again", sql), self.query("service", sql), table)


if __name__ == "__main__":
    unittest.main()
