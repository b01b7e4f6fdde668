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

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/release").resolve()
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")


def percentile(ordered, p):
    """Linear interpolation between order statistics."""
    at = p / 100 * (len(ordered) - 1)
    low = int(at)
    return ordered[low] + (ordered[min(low + 1, len(ordered) - 1)] - ordered[low]) * (at - low)


class Page(unittest.TestCase):
    def run_tool(self, *words):
        done = subprocess.run([str(BUILD / "bin" / words[0]), *map(str, words[1:])], cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def query(self, sql, trace="service.pb"):
        return json.loads(self.run_tool("profiler", "query", "--no_journal", "--format", "json", "--trace", trace, sql))

    def make_page(self, kind, name, *more):
        if not (self.folder / f"{kind}.pb").exists():
            self.run_tool("page_maker", kind, f"{kind}.pb", *(["20000"] if kind == "bulk" else []))
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
            "all_requests": self.query("select id, ts, dur, status from request order by id"),
            "rss_peak": self.query("select c.ts, c.value from counter c join counter_track t on t.id = c.track_id where t.name = 'rss' order by c.value desc, c.ts limit 1")[0],
            "slices": self.query("select count(*) as n from slice")[0]["n"],
            "rows": self.rows(),
            "range": self.range(),
            "picks": self.picks(),
            "ops": self.operators(),
            "filters": self.filters(),
            "flame": {"now": self.own_weights("service.pb"), "before": self.own_weights("before.pb")},
            "copies": self.query("select count(*) as n, sum(dur) as busy from kernel where name = 'memcpy H2D'")[0],
        }

    def range(self):
        """What lies in one stage, counted here from the rows of SQL."""
        stage = self.query("select slice_id, ts, dur from stage where name = 'denoise' and request_row = 7")[0]
        touches = f"ts <= {stage['ts'] + stage['dur']} and ts + dur >= {stage['ts']}"
        items = self.query(f"select 'slice' as 'table', id, ts, dur, name from slice where {touches} union all select 'kernel', id, ts, dur, name from kernel where {touches}")
        durations = sorted(i["dur"] for i in items)
        names, union, end = {}, 0, 0
        for i in items:
            n, total = names.get(i["name"], (0, 0))
            names[i["name"]] = (n + 1, total + i["dur"])
        for ts, dur in sorted((i["ts"], i["dur"]) for i in items):
            union += max(0, ts + dur - max(ts, end))
            end = max(end, ts + dur)
        return {"slice": stage["slice_id"], "items": items, "names": names, "n": len(items), "total": sum(durations), "union": union, "max": durations[-1],
                **{f"p{p}": percentile(durations, p) for p in (50, 90, 99)}}

    def picks(self):
        """Per percentile the request whose latency is nearest to it, with the classes of its time."""
        requests = self.query("select id, slice_id, dur from request where status is not 'unfinished' order by dur, id")
        out = []
        for p in (50, 90, 95, 99, 100):
            value = percentile([r["dur"] for r in requests], p)
            nearest = min(requests, key=lambda r: (abs(r["dur"] - value), r["dur"], r["id"]))
            classes = self.query(f"select class, ns from request_time where request_id = {nearest['id']} and ns > 0")
            self.assertEqual(sum(c["ns"] for c in classes), nearest["dur"])
            out.append({**nearest, "classes": {c["class"]: c["ns"] for c in classes}})
        return out

    def operators(self):
        figures = "count(*) as n, sum(dur) as total, sum(self_dur) as self, min(dur) as min, max(dur) as max, percentile(dur, 50) as p50, percentile(dur, 99) as p99"
        by = {"type": "''", "name": "name", "shape": "coalesce(input_shapes, '')"}
        out = {key: self.query(f"select op_type as type, {value} as value, {figures} from op group by 1, 2") for key, value in by.items()}
        kernels = self.query("select k.op_type as type, count(*) as n, sum(k.dur) as total, avg(k.ts - s.ts) as launch from kernel k left join slice s on s.id = k.launch_id group by 1")
        out["kernel"] = {k["type"]: [k["n"], k["total"]] for k in kernels}
        out["launch"] = {k["type"]: k["launch"] for k in kernels if k["launch"] is not None}
        return out

    def rows(self):
        """Rows of every table that the search knows, from everywhere in the trace; `item`: the id of the box that stands for it."""
        columns = {"slice": "id as item, name", "kernel": "id as item, name", "request": "slice_id as item, name", "stage": "slice_id as item, name", "thread_state": "id as item, state as name"}
        rows = []
        for table, more in columns.items():
            ids = "(0, 5) or id = (select count(*) / 2 from {0}) or id = (select count(*) - 1 from {0})".format(table)
            rows += [{"table": table, **row} for row in self.query(f"select id, ts, dur, {more} from {table} where id in {ids}")]
        return rows

    def report(self):
        """The causes of the report as a reader of its YAML has them."""
        causes = yaml.safe_load((self.folder / "root_cause_report.yaml").read_text())["causes"]
        out = []
        for cause in causes:
            examples = {e["slice_id"]: e for e in cause["examples"] + [e for piece in cause["evidence"] for e in piece["examples"]]}
            for e in examples.values():
                self.assertEqual(self.query(f"select ts, dur, name from slice where id = {e['slice_id']}"), [{"ts": e["ts_ns"], "dur": e["dur_ns"], "name": e["name"]}])
            out.append({"id": cause["id"], "title": cause["title"], "summary": " ".join(cause["summary"].split()), "confidence": cause["confidence"], "mean": cause["share"]["mean"],
                        "sql": [piece["sql"] for piece in cause["evidence"] if "sql" in piece],
                        "examples": [{"id": e["slice_id"], "ts": e["ts_ns"], "dur": e["dur_ns"]} for e in examples.values()]})
        return out

    def filters(self):
        """Fields of the filter, and how many rows of SQL pass: spans, kernels and what cores ran."""
        def n(where, kernels="0", sched="0"):
            count = "(select count(*) from {} where {})"
            return self.query(f"select {count.format('slice', where)} + {count.format('kernel', kernels)} + {count.format('sched', sched)} as n")[0]["n"]
        inside = "select slice_id from stage where request_row = 7"
        mine = f"""id in ({inside}) or id = (select slice_id from request where id = 7) or exists (
          select 1 from (select s.id, s.ts, s.dur, s.track_id, s.depth from slice s where s.id in ({inside})) p
          where p.track_id = slice.track_id and slice.depth > p.depth and slice.ts >= p.ts and slice.ts + slice.dur <= p.ts + p.dur)"""
        return [
            {"query": "", "fields": {"at least, e.g. 20us": "2 ms"}, "n": n("dur >= 2000000", "dur >= 2000000", "dur >= 2000000")},
            {"query": "", "fields": {"at least, e.g. 20us": "90us", "at most, e.g. 5ms": "110us"}, "n": n("dur between 90000 and 110000", "dur between 90000 and 110000", "dur between 90000 and 110000")},
            {"query": "", "fields": {"Layer": "runtime"}, "n": n("layer = 'runtime'")},
            {"query": "MatMul", "fields": {"Layer": "device"}, "n": n("0", "name like '%MatMul%' or op_type like '%MatMul%'")},
            {"query": "MatMul", "fields": {"Layer": "framework", "at least, e.g. 20us": "2ms"}, "n": n("layer = 'framework' and name like '%MatMul%' and dur >= 2000000")},
            {"query": "", "fields": {"request number": "7"}, "n": n(mine)},
            {"query": "Conv", "fields": {"request number": "7"}, "n": n(f"name like '%Conv%' and ({mine})")},
            {"query": "", "fields": {"request number": "999"}, "n": 0},
        ]

    def own_weights(self, trace):
        """CPU time by the innermost function, and the finished requests."""
        rows = self.query("select f.function as name, sum(s.weight) as weight from sample s join callstack c on c.id = s.callstack_id join frame f on f.id = c.frame_id where s.event = 'cpu-clock' group by 1", trace)
        return {"functions": {r["name"]: r["weight"] for r in rows}, "requests": self.query("select count(*) as n from request where status is not 'unfinished'", trace)[0]["n"]}

    def make_edges(self):
        pages = {}
        for kind, count in {"empty": [], "one": [], "odd": [], "day": ["2000"], "tracks": ["100000"]}.items():
            self.run_tool("page_maker", kind, f"{kind}.pb", *count)
            pages[kind] = self.make_page(kind, f"{kind}.html")
        self.run_tool("page_maker", "odd", "odd.html")  # straight from the builder, which keeps a note of the negative length
        odd = self.query("select name, count(*) as n from slice group by 1", "odd.pb")
        pages["odd_names"] = {r["name"]: r["n"] for r in odd}
        self.assertEqual(sum(pages["odd_names"].values()), 304)
        pages["ticks"] = self.query("select id, ts from slice where name = 'tick' order by ts", "day.pb")
        self.assertEqual(len(pages["ticks"]), 2000)
        return pages

    def make_comparison(self):
        self.run_tool("page_maker", "service", "before.pb", "25")
        return self.make_page("service", "compared.html", "--baseline", "before.pb")

    def make_findings(self):
        """Pages with a report: its own, that of another trace, one of hostile words."""
        report = self.folder / "root_cause_report.yaml"
        self.run_tool("profiler", "diagnose", "--no_journal", "--trace", "service.pb", "--output", report.name)
        hostile = yaml.safe_load(report.read_text())
        for cause in hostile["causes"]:
            cause.update(title="<img src=x onerror=alert(1)>", summary="</script><script>window.hacked=1</script>")
            cause["evidence"][0].update(text="\u202e<svg onload=alert(1)>", sql="</pre><iframe>")
        (self.folder / "hostile.yaml").write_text(yaml.safe_dump(hostile))
        return {"findings": self.make_page("service", "findings.html", "--diagnosis", report.name), "report": self.report(),
                "other_findings": self.make_page("bulk", "other_findings.html", "--diagnosis", report.name),
                "hostile_findings": self.make_page("service", "hostile_findings.html", "--diagnosis", "hostile.yaml")}

    def test_page_does_what_docs_viewer_md_says(self):
        if not CHROMIUM:
            self.skipTest("no chromium on this machine")
        with tempfile.TemporaryDirectory() as temp:
            self.folder = pathlib.Path(temp)
            facts = {"service": self.make_page("service", "service.html"), "hostile": self.make_page("hostile", "hostile.html"),
                     "chinese": self.make_page("service", "chinese.html", "--lang", "zh"), **self.make_findings(), "compared": self.make_comparison(), "edges": self.make_edges(), "truth": self.truth()}
            (self.folder / "facts.json").write_text(json.dumps(facts))
            tests = sorted(path.name for path in (ROOT / "viewer/tests").glob("*.e2e.mjs"))
            only = os.environ.get("PAGE_TESTS")  # some of them while one writes them
            done = subprocess.run(["node", "--test", "--test-concurrency=1", *(f"tests/{name}" for name in tests if not only or name in only.split(","))], cwd=ROOT / "viewer", text=True, timeout=800, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  env={**os.environ, "CHROMIUM": CHROMIUM, "PAGE_FACTS": str(self.folder / "facts.json")})
            self.assertEqual(done.returncode, 0, done.stdout)
            print(done.stdout.split("1..")[-1])


if __name__ == "__main__":
    unittest.main()
