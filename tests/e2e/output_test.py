#!/usr/bin/env python3
"""Outputs that cannot be written, inputs that are none, signals and missing memory: one line and the documented status.

Usage: output_test.py BUILD_DIR.
"""
import fcntl
import json
import os
import pathlib
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import termios
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/release").resolve()
PROFILER, ATC = BUILD / "bin/profiler", BUILD / "bin/atc"


def one_line(test, done, status):
    test.assertEqual(done.returncode, status, done)
    test.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)


def kineto(count):
    """A Kineto trace of `count` kernels, 10 us every 20 us."""
    events = [{"ph": "X", "cat": "kernel", "name": f"k{i % 7}", "pid": 0, "tid": 7, "ts": 20 * i, "dur": 10, "args": {"device": 0, "stream": 7}}
              for i in range(count)]
    return json.dumps({"schemaVersion": 1, "traceEvents": events})


class Output(unittest.TestCase):
    def setUp(self):
        self.temp = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temp.name)
        (self.folder / "k.json").write_text(kineto(100))
        self.assertEqual(self.run_profiler("import", "k.json", "--output", "t.pb").returncode, 0)

    def tearDown(self):
        self.temp.cleanup()

    def run_profiler(self, *words, **more):
        return subprocess.run([str(PROFILER), *words], cwd=self.folder, text=True, timeout=60, errors="replace",
                              **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more})

    def shell(self, line):
        return subprocess.run(["bash", "-c", line.replace("profiler ", f"{PROFILER} ")], cwd=self.folder, text=True, timeout=60,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def names(self):
        return sorted(p.name for p in self.folder.iterdir())

    PRINTING = ("info t.pb", "query --trace t.pb 'select 1'", "query --trace t.pb --output - 'select 1'", "metrics", "metrics --trace t.pb",
                "diagnose --trace t.pb", "diagnose --list_rules", "compare --baseline t.pb --target t.pb", "log", "case list", "doctor",
                "visualize --trace t.pb --output -", "export --trace t.pb --output -", "import t.pb --output -", "--help", "--version", "info --help")

    def test_a_full_standard_output_is_status_3_and_one_line(self):
        for verb in self.PRINTING:
            with self.subTest(verb=verb):
                one_line(self, self.shell(f"profiler {verb} >/dev/full"), 3)

    def test_a_closed_standard_output_is_status_3_and_one_line(self):
        for verb in self.PRINTING:
            with self.subTest(verb=verb):
                one_line(self, self.shell(f"profiler {verb} >&-"), 3)

    def test_a_reader_that_leaves_is_no_error_worth_a_word(self):
        (self.folder / "k.json").write_text(kineto(20000))
        self.assertEqual(self.run_profiler("import", "k.json", "--output", "large.pb").returncode, 0)
        for verb in ("export --trace large.pb --output -", "query --trace large.pb --format csv 'select * from kernel'"):
            with self.subTest(verb=verb):
                done = self.shell(f"profiler {verb} | head -c1 >/dev/null; echo ${{PIPESTATUS[0]}}")
                self.assertEqual((done.stdout.strip(), done.stderr), ("130", ""))

    def test_standard_error_never_matters(self):
        self.assertEqual(self.shell("profiler import k.json --output a.pb 2>/dev/full").returncode, 0)
        self.assertEqual(self.shell("profiler import k.json --output b.pb <&- >&- 2>&-").returncode, 0)
        self.assertEqual(self.shell("profiler query --trace nowhere.pb 'select 1' 2>/dev/full").returncode, 3)
        self.assertEqual((self.folder / "a.pb").read_bytes(), (self.folder / "b.pb").read_bytes())

    def test_recording_goes_on_without_a_standard_error(self):
        for where in ("2>/dev/full", "<&- >&- 2>&-"):
            with self.subTest(where=where):
                done = self.shell(f"profiler trace --output r.pb --scope os {where} -- /bin/true")
                self.assertEqual(done.returncode, 0)
                self.assertEqual(self.run_profiler("info", "r.pb").returncode, 0)
                (self.folder / "r.pb").unlink()

    def test_a_file_at_its_size_limit_is_like_a_full_disk_and_leaves_nothing(self):
        (self.folder / "k.json").write_text(kineto(20000))
        before = self.names()
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))  # noqa: E731
        for words in (("import", "k.json", "--output", "x.pb"), ("export", "--trace", "k.json", "--output", "x.json"),
                      ("export", "--trace", "k.json", "--output", "x.sqlite"), ("visualize", "--trace", "k.json", "--output", "x.html")):
            with self.subTest(words=words):
                done = self.run_profiler(*words, "--no_journal", preexec_fn=limit)
                one_line(self, done, 3)
                self.assertNotIn(".part", done.stderr)
                self.assertEqual(self.names(), before)

    def test_tables_that_do_not_fit_leave_no_folder_and_none_of_them(self):
        (self.folder / "k.json").write_text(kineto(20000))
        (self.folder / "there").mkdir()
        (self.folder / "there" / "kernel.csv").write_text("mine")
        before = self.names()
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))  # noqa: E731
        for folder in ("new/", "a/b/", "there/"):
            with self.subTest(folder=folder):
                done = self.run_profiler("export", "--trace", "k.json", "--output", folder, "--no_journal", preexec_fn=limit)
                one_line(self, done, 3)
                self.assertIn(folder, done.stderr)
                self.assertEqual(self.names(), before)
                self.assertEqual([path.name for path in (self.folder / "there").iterdir()], ["kernel.csv"])
                self.assertEqual((self.folder / "there" / "kernel.csv").read_text(), "mine")
        for folder in ("new/", "there/"):
            self.assertEqual(self.run_profiler("export", "--trace", "k.json", "--output", folder, "--no_journal").returncode, 0)
            self.assertEqual(len((self.folder / folder / "kernel.csv").read_text().splitlines()), 20001)
        self.assertEqual(sorted(path.name for path in (self.folder / "new").iterdir()),
                         sorted(path.name for path in (self.folder / "there").iterdir()))

    def test_a_folder_that_the_kernel_makes_up_is_refused_at_once(self):
        for path in ("/proc", "/sys", "/proc/kmsg", "/proc/self/fd"):
            with self.subTest(path=path):
                one_line(self, self.run_profiler("info", path), 3)

    def test_missing_memory_is_one_line_and_status_3(self):
        (self.folder / "k.json").write_text(kineto(600000))
        before = self.names()
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (90 << 20, 90 << 20))  # noqa: E731
        done = self.run_profiler("diagnose", "--trace", "k.json", "--no_journal", preexec_fn=limit)
        one_line(self, done, 3)
        self.assertIn("out of memory", done.stderr)
        self.assertEqual(self.names(), before)

    def test_an_interrupted_command_removes_its_temporaries_and_ends_with_130(self):
        (self.folder / "k.json").write_text(kineto(2000))
        os.mkfifo(self.folder / "sink.sqlite")
        temporary = self.folder / "tmp"
        temporary.mkdir()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number=number):
                sink = os.open(self.folder / "sink.sqlite", os.O_RDWR)
                run = subprocess.Popen([str(PROFILER), "export", "--trace", "k.json", "--output", "sink.sqlite", "--no_journal"], cwd=self.folder,
                                       stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(temporary), "LANG": "C"},
                                       preexec_fn=lambda: [signal.signal(n, signal.SIG_DFL) for n in (signal.SIGINT, signal.SIGHUP)])
                held = bytearray(4)
                while int.from_bytes(held, sys.byteorder) < 65536 and run.poll() is None:  # a full pipe: it waits for a reader
                    fcntl.ioctl(sink, termios.FIONREAD, held)
                    os.sched_yield()
                self.assertEqual(len(list(temporary.iterdir())), 1)
                run.send_signal(number)
                _, errors = run.communicate(timeout=60)
                os.close(sink)
                self.assertEqual((run.returncode, errors), (130, "profiler: interrupted; nothing was kept\n"))
                self.assertEqual(list(temporary.iterdir()), [])

    def test_devices_pipes_and_links_are_written_into(self):
        self.assertEqual(self.run_profiler("diagnose", "--trace", "t.pb", "--output", "/dev/stdout").returncode, 2)  # no suffix
        os.symlink("/dev/null", self.folder / "null.json")
        os.symlink("real.json", self.folder / "link.json")
        for name in ("null.json", "link.json"):
            self.assertEqual(self.run_profiler("export", "--trace", "t.pb", "--output", name).returncode, 0)
            self.assertTrue((self.folder / name).is_symlink())
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        self.assertIn("traceEvents", json.loads((self.folder / "real.json").read_text()))

    def test_an_empty_name_is_a_usage_error(self):
        for words in (("diagnose", "--trace", "t.pb", "--output", ""), ("import", "t.pb", "--output", ""), ("query", "--trace", "", "select 1")):
            one_line(self, self.run_profiler(*words), 2)

    def test_an_output_that_is_an_input_is_refused(self):
        whole = (self.folder / "t.pb").read_bytes()
        os.link(self.folder / "t.pb", self.folder / "hard.pb")
        os.link(self.folder / "t.pb", self.folder / "t.md")
        os.link(self.folder / "t.pb", self.folder / "t.html")
        for words in (("import", "t.pb", "--output", "t.pb"), ("import", "t.pb", "--output", "./hard.pb"),
                      ("export", "--trace", "t.pb", "--output", "hard.pb"), ("diagnose", "--trace", "t.pb", "--output", "t.md"),
                      ("visualize", "--trace", "t.pb", "--output", "t.html"), ("gate", "--baseline", "t.pb", "--target", "t.pb", "--output", "t.md"),
                      ("validate", "--before", "k.json,t.pb", "--after", "k.json", "--output", "t.md"),
                      ("generate-plan", "--diagnosis", "t.md", "--output", "t.md"),
                      ("case-card", "--problem", "p", "--solution", "s", "--plan", "t.md", "--output", "t.md")):
            with self.subTest(words=words):
                done = self.run_profiler(*words)
                one_line(self, done, 2)
                self.assertIn("same file", done.stderr)
        (self.folder / "m.onnx").write_bytes(b"x")
        done = subprocess.run([str(ATC), "convert", "--model", "m.onnx", "--output", "m.onnx"], cwd=self.folder, capture_output=True, text=True)
        one_line(self, done, 2)
        self.assertEqual((self.folder / "t.pb").read_bytes(), whole)

    def test_suffixes_are_checked(self):
        one_line(self, self.run_profiler("query", "--trace", "t.pb", "--output", "a.xlsx", "select 1"), 2)
        one_line(self, self.run_profiler("case-card", "--problem", "p", "--solution", "s", "--output", "a.pdf"), 2)
        self.assertEqual(self.run_profiler("query", "--trace", "t.pb", "--output", "a.csv", "select 7 as x").returncode, 0)
        self.assertEqual((self.folder / "a.csv").read_text(), "x\n7\n")

    def test_standard_output_carries_what_a_file_would(self):
        for words, name in ((("import", "t.pb"), "x.pb"), (("export", "--trace", "t.pb"), "x.json")):
            self.assertEqual(self.run_profiler(*words, "--output", name).returncode, 0)
            done = subprocess.run([str(PROFILER), *words, "--output", "-"], cwd=self.folder, capture_output=True)
            self.assertEqual(done.stdout, (self.folder / name).read_bytes())

    def test_endless_inputs_end(self):
        os.mkfifo(self.folder / "pipe.pb")
        for path in ("/dev/zero", "pipe.pb"):
            for words in (("visualize", "--trace", path, "--output", "a.html"), ("validate", "--before", path, "--after", "t.pb"),
                          ("gate", "--baseline", "t.pb", "--target", path), ("info", path), ("query", "--trace", path, "select 1"),
                          ("generate-plan", "--diagnosis", path, "--output", "a.md")):
                with self.subTest(words=words):
                    one_line(self, self.run_profiler(*words), 3)

    def test_a_wrong_profiler_yaml_is_named_by_line(self):
        config = self.folder / "profiler.yaml"
        for content, what in ((b"target: [\n", "profiler.yaml:"), (b"\ntargte: x\n", "profiler.yaml:2: unknown key 'targte', did you mean 'target'?"),
                              (b"target:\n", "profiler.yaml:1: target needs"), (b"target: [a]\n", "profiler.yaml:1: target needs"),
                              (b"target: a\ntime_ranges: 5\n", "profiler.yaml:2: "), (b"time_ranges:\n  x: soon\n", "profiler.yaml:2: "),
                              (b"- target\n", "profiler.yaml:1: "), (b"\xff\xfet\0", "profiler.yaml:1: not UTF-8"),
                              (b"target: a\ntarget: b\n", "profiler.yaml:2: target stands")):
            with self.subTest(content=content):
                config.write_bytes(content)
                done = self.run_profiler("trace", "--duration", "1s", "--output", "r.pb")
                one_line(self, done, 2)
                self.assertIn(what, done.stderr)
        config.unlink()
        os.mkfifo(config)
        one_line(self, self.run_profiler("trace", "--duration", "1s", "--output", "r.pb"), 3)

    def test_every_command_that_reads_a_trace_tells_that_it_was_cut(self):
        whole = (self.folder / "t.pb").read_bytes()
        (self.folder / "cut.pb").write_bytes(whole[:len(whole) * 2 // 3])
        for verb in ("metrics --trace cut.pb", "diagnose --trace cut.pb", "diagnose --trace cut.pb --output d.yaml",
                     "visualize --trace cut.pb --output p.html", "visualize --trace cut.pb --output -", "export --trace cut.pb --output c.csv",
                     "query --trace cut.pb 'select 1'", "compare --baseline cut.pb --target t.pb"):
            with self.subTest(verb=verb):
                done = self.shell(f"profiler {verb}")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stderr.count("cut.pb is incomplete: "), 1, done.stderr)
        for verb in ("diagnose --trace cut.pb", "visualize --trace cut.pb --output p.html"):
            self.assertEqual(self.shell(f"profiler {verb} --strict").returncode, 6, verb)

    def test_exit_statuses_of_inputs_that_are_not_there(self):
        (self.folder / "folder").mkdir()
        (self.folder / "notes.md").write_text("# my notes\n")
        for words in (("case", "list", "--library", "missing"), ("case", "search", "x", "--library", "missing"), ("case", "import", "missing"),
                      ("case", "add", "missing"), ("log", "--workspace", "missing"), ("generate-plan", "--diagnosis", "folder"),
                      ("case-card", "--problem", "p", "--solution", "s", "--plan", "notes.md"),
                      ("case-card", "--problem", "p", "--solution", "s", "--plan", "folder")):
            with self.subTest(words=words):
                one_line(self, self.run_profiler(*words), 3)

    def test_numbers_beyond_their_type_are_usage_errors(self):
        for words in (("validate", "--before", "t.pb", "--after", "t.pb", "--seed", "-1"), ("show", "99999999999999999999"),
                      ("validate", "--before", "t.pb", "--after", "t.pb", "--seed", "18446744073709551616"), ("log", "--limit", "3x")):
            with self.subTest(words=words):
                one_line(self, self.run_profiler(*words), 2)
        done = self.run_profiler("gate", "--baseline", "t.pb", "--target", "t.pb", "--max_regression", "3")
        one_line(self, done, 2)
        self.assertIn("3% or 0.03", done.stderr)

    def test_blobs_are_hexadecimal_in_json(self):
        done = self.run_profiler("query", "--trace", "t.pb", "--format", "json", "select x'00ff80' as b, '\u00e9' as t")
        self.assertEqual(json.loads(done.stdout), [{"b": "00FF80", "t": "\u00e9"}])

    def test_a_statement_over_the_memory_limit_ends_in_one_line(self):
        one_line(self, self.run_profiler("query", "--trace", "t.pb", "with recursive n(i) as (select 1 union all select i + 1 from n where i < 60) "
                                         "select count(*) from (select randomblob(60000000) as b from n order by b)"), 3)


if __name__ == "__main__":
    unittest.main()
