#!/usr/bin/env python3
"""Every command that needs no live service, as a user types it: exit statuses, error lines, outputs, languages.

Usage: cli_test.py BUILD_DIR
"""
import gzip
import json
import os
import pathlib
import pty
import re
import resource
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/release").resolve()
BIN = BUILD / "bin"
CHINESE = re.compile("[\u4e00-\u9fff]")
VERBS = ["case", "case-card", "compare", "diagnose", "doctor", "export", "gate", "generate-plan", "import", "info",
         "log", "metrics", "query", "show", "trace", "validate", "visualize"]
NOBODY = 65534


class Cli(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temp = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temp.name)
        cls.folder.chmod(0o755)
        for name, requests in (("t.pb", "20"), ("u.pb", "12")):
            subprocess.run([str(BIN / "page_maker"), "service", name, requests], cwd=cls.folder, check=True, timeout=120)

    @classmethod
    def tearDownClass(cls):
        cls.temp.cleanup()

    def run_program(self, program, *words, code=0, cwd=None, **more):
        env = {k: v for k, v in os.environ.items() if not k.startswith("LC_")} | {"LANG": "C"}
        done = subprocess.run([str(BIN / program), *words], cwd=cwd or self.folder, capture_output=True, timeout=300,
                              env=env, **more)
        out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, code, f"{program} {words}\n{out}\n{err}")
        return out, err

    def profiler(self, *words, **more):
        return self.run_program("profiler", *words, **more)

    def refused(self, *words, says=(), code=2, program="profiler", **more):
        """One line on standard error, nothing on standard output."""
        out, err = self.run_program(program, *words, code=code, **more)
        self.assertEqual(out, "", words)
        self.assertEqual(err.count("\n"), 1, f"{words}: {err}")
        self.assertTrue(err.startswith(program + ": "), err)
        for word in [says] if isinstance(says, str) else says:
            self.assertIn(word, err)
        return err

    def left_in(self, folder):
        return sorted(p.name for p in pathlib.Path(folder).iterdir())

    # --- the frame
    def test_help_opens_with_a_runnable_example(self):
        for verb in VERBS:
            out, _ = self.profiler(verb, "--help")
            lines = out.splitlines()
            self.assertEqual(lines[0], "Example:")
            self.assertTrue(lines[1].startswith(f"  profiler {verb}"), lines[1])
        out, _ = self.run_program("atc", "convert", "--help")
        self.assertTrue(out.splitlines()[1].startswith("  atc convert "))

    def test_help_says_how_many_traces_a_side_takes(self):
        for verb, many in (("compare", False), ("validate", True), ("gate", True)):
            out, _ = self.profiler(verb, "--help")
            self.assertEqual("trace or traces" in out, many, verb)

    def test_every_example_of_a_help_page_runs(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for trace in ("trace_asia.pb", "trace_europe.pb", "trace_full.pb", "t.pb", "main.pb", "pr.pb", "trace_baseline.pb"):
                shutil.copy(self.folder / "t.pb", folder / trace)
            subprocess.run([BIN / "page_maker", "service", "trace_optimized.pb", "21"], cwd=folder, check=True, timeout=120)  # validate wants two
            shutil.copy(ROOT / "tests/readers/data/kineto/hta_event_sync.json.gz", folder / "kineto_trace.json.gz")
            env = os.environ | {"PATH": f"{BIN}:/usr/bin:/bin", "LANG": "C"}
            # A plan needs its diagnosis, and an entry of the journal must be there before it is shown; trace needs a service (readme_test.py).
            order = sorted(set(VERBS) - {"trace"}, key=lambda verb: (verb in ("generate-plan", "case-card"), verb == "show"))
            for i in range(12):
                subprocess.run([BIN / "profiler", "info", "t.pb"], cwd=folder, env=env, stdout=subprocess.DEVNULL, check=True, timeout=60)
            for verb in order:
                out, _ = self.profiler(verb, "--help")
                with self.subTest(verb=verb):
                    done = subprocess.run(["bash", "-c", out.splitlines()[1]], cwd=folder, env=env, capture_output=True, text=True, timeout=120)
                    self.assertEqual(done.returncode, 0, f"{out.splitlines()[1]}\n{done.stdout[-800:]}{done.stderr}")

    def test_overview_lists_every_command(self):
        out, _ = self.profiler("--help")
        listed = [line.split()[0] for line in out.splitlines() if line.startswith("  ")]
        for verb in VERBS:
            self.assertIn(verb, listed)
        self.profiler(code=2)

    def test_options_of_every_command_may_stand_before_it(self):
        overview = self.profiler("--lang", "zh", "--help")[0]
        self.assertRegex(overview, CHINESE)
        self.assertEqual(self.profiler("--lang=zh", "--strict", "help")[0], overview)
        self.assertEqual(self.profiler("--lang", "zh", "--no_journal", "info", "t.pb")[0], self.profiler("info", "t.pb", "--lang", "zh")[0])
        self.profiler("--lang", "zh", code=2)
        self.refused("--format", "json", "info", "t.pb", says="--format")

    def test_dev_lists_its_commands_for_a_wrong_word(self):
        for word, code in (("--help", 0), ("help", 0), ("foo", 2), ("common", 2), ("../dev/help", 2)):
            done = subprocess.run([ROOT / "dev", word], capture_output=True, text=True)
            self.assertEqual(done.returncode, code, word)
            self.assertIn("./dev build", done.stdout if code == 0 else done.stderr)

    def test_of_two_ways_to_name_the_input_of_import_neither_is_required(self):
        out, _ = self.profiler("import", "--help")
        self.assertNotIn("REQUIRED", out)
        self.refused("import", "--output", "x.pb", says="--trace")

    def test_version_is_told_by_programs_and_verbs(self):
        for program, verb in (("profiler", "info"), ("atc", "convert")):
            out, _ = self.run_program(program, "--version")
            self.assertRegex(out, rf"^{program} \d+\.\d+\.\d+\n$")
            self.assertEqual(self.run_program(program, verb, "--version")[0], out)

    def test_dash_and_underscore_spell_the_same_option(self):
        for option in ("--max_rows", "--max-rows"):
            out, err = self.profiler("query", "--trace", "t.pb", "select id from slice", "--format", "csv", option, "2")
            self.assertEqual(out, "id\n0\n1\n")
            self.assertIn("2", err)
        self.refused("trace", "--sampling-rate", "0%", says="0%")
        self.refused("trace", "--sampling_rate", "0%", says="0%")

    def test_wrong_words_name_the_nearest_right_one(self):
        self.refused("inof", "t.pb", says="'info'")
        self.refused("info", "--formt", "json", "t.pb", says="--format")
        self.refused("info", "--format", "jsn", "t.pb", says=["'json'", "text json yaml"])
        self.refused("info", "--lang", "zz", "t.pb", says="en, zh")
        self.refused("metrics", "--metrics", "p98_latncy", says="p99_latency")
        self.refused("diagnose", "--trace", "t.pb", "--problem", "hihg_p99_latency", says="high_p99_latency")
        self.refused("visualize", "--trace", "t.pb", "--view", "flamgraph", says="flamegraph")
        self.refused("query", "--trace", "t.pb", "select * from slise", says="'slice'")
        self.refused("query", "--trace", "t.pb", "selct 1", says="syntax error")
        self.refused("export", "--trace", "t.pb", "--output", "x.csv", "--table", "slicce", says="'slice'")
        self.refused("case", "srch", says="search")
        self.refused("doctor", "--format", "jsn", says="'json'")
        self.refused("trace", "--scope", "full_stak", says="full_stack")
        self.refused("gate", "--baseline", "t.pb", "--target", "u.pb", "--max_regression", "lots", says="lots")
        self.refused("validate", "--before", "t.pb", "--after", "u.pb", "--statistical_test", "ttest", says="t-test")
        self.refused("convert", "--model", "a.onnx", "--output", "b.om", "--precision", "int9", says="'int8'", program="atc")
        self.refused("convert", "--model", "a.onnx", "--output", "b.om", "--input_format", "NCWH", says="'NCHW'", program="atc")

    def test_missing_surplus_and_repeated_arguments_are_named(self):
        self.refused("info", says="--trace")
        self.refused("info", "t.pb", "u.pb", says="'u.pb'")
        self.refused("info", "-x", "t.pb", says="-x")
        self.refused("info", "t.pb", "--format", says="--format needs a value")
        self.refused("info", "--format", "json", "--format", "yaml", "t.pb", says="--format was given more than once")
        self.refused("show", "abc", says="'abc'")
        self.refused("log", "--limit", "0", says=["'0'", "1"])
        self.refused("query", "--trace", "t.pb", "select 1", "--max_rows", "many", says="'many'")
        self.refused("validate", "--before", "t.pb", says="--after")
        self.refused("validate", "--before", "t.pb", "--after", "t.pb", says="the same recording")
        self.refused("validate", "--before", "t.pb", "--after", "u.pb", "--run_noise", "500%", says="from 0% to 100%")
        self.refused("trace", "--target=", "--duration", "1s", says="--target needs a value")
        self.refused("generate-plan", says="--diagnosis")
        self.refused("export", "--trace", "t.pb", says="--output")
        self.refused("convert", says="--", program="atc")

    def test_two_dashes_end_the_options(self):
        (self.folder / "--t.pb").write_bytes((self.folder / "t.pb").read_bytes())
        self.assertIn("poetry_poster_service", self.profiler("info", "--", "--t.pb")[0])

    def test_unknown_suffixes_list_the_allowed_ones(self):
        for words, allowed in ((("diagnose", "--trace", "t.pb"), ".yaml"), (("export", "--trace", "t.pb"), ".sqlite"),
                               (("validate", "--before", "t.pb", "--after", "u.pb"), ".pdf"),
                               (("compare", "--baseline", "t.pb", "--target", "u.pb"), ".md"),
                               (("gate", "--baseline", "t.pb", "--target", "u.pb"), ".xml"),
                               (("visualize", "--trace", "t.pb"), ".html"), (("import", "t.pb"), ".pb"),
                               (("query", "--trace", "t.pb", "select 1"), ".csv"), (("info", "t.pb"), ".json"),
                               (("metrics", "--trace", "t.pb"), ".csv"), (("log",), ".json"),
                               (("case-card", "--problem", "p", "--solution", "s"), ".md")):
            for name in ("out.doc", "out"):
                self.refused(*words, "--output", name, says=[f"'{name}'", allowed])
            self.assertFalse((self.folder / "out.doc").exists())

    # --- inputs
    def test_inputs_that_cannot_be_read_are_exit_3(self):
        (self.folder / "junk.pb").write_bytes(b"\xff\xfe\x00junk" * 40)
        (self.folder / "empty.pb").write_bytes(b"")
        for name in ("gone.pb", "junk.pb", "empty.pb", "."):
            for words in (("info", name), ("query", "--trace", name, "select 1"), ("metrics", "--trace", name),
                          ("visualize", "--trace", name, "--output", "n3.html"), ("diagnose", "--trace", name),
                          ("compare", "--baseline", name, "--target", "t.pb"), ("export", "--trace", name, "--output", "n3.pb"),
                          ("gate", "--baseline", "t.pb", "--target", name), ("validate", "--before", name, "--after", "t.pb"),
                          ("import", name, "--output", "n3.pb")):
                err = self.refused(*words, code=3)
                self.assertIn(name, err)
        self.assertEqual([n for n in self.left_in(self.folder) if n.startswith("n3") or ".part" in n], [])
        self.refused("generate-plan", "--diagnosis", "gone.yaml", code=3, says="gone.yaml")
        self.refused("convert", "--model", "gone.onnx", "--output", "b.om", code=3, says="gone.onnx", program="atc")

    def test_packed_traces_are_found_out_by_their_content(self):
        (self.folder / "packed.txt").write_bytes(gzip.compress((self.folder / "t.pb").read_bytes()))
        plain, packed = (json.loads(self.profiler("info", n, "--format", "json")[0]) for n in ("t.pb", "packed.txt"))
        self.assertEqual(plain["rows"], packed["rows"])

    def test_a_target_that_is_not_there_is_exit_4(self):
        err = self.refused("trace", "--target", "no_such_service_here", "--output", "n.pb", "--duration", "1s", code=4)
        self.assertIn("no_such_service_here", err)
        self.profiler("info", "t.pb", "--workspace", "w4", code=0, cwd=self.folder)
        self.refused("show", "999", "--workspace", "w4", code=4, says="999")

    @unittest.skipUnless(os.geteuid() == 0, "only root can become a user without rights")
    def test_a_missing_permission_is_exit_5(self):
        secret = self.folder / "secret.pb"
        secret.write_bytes((self.folder / "t.pb").read_bytes())
        secret.chmod(0o600)
        closed = self.folder / "closed"
        closed.mkdir(mode=0o755)
        self.refused("info", "secret.pb", "--no_journal", code=5, says="secret.pb", user=NOBODY)
        for words in (("visualize", "--trace", "t.pb", "--output", "closed/v.html"),
                      ("export", "--trace", "t.pb", "--output", "closed/e.pb"),
                      ("export", "--trace", "t.pb", "--output", "closed/e.json"),
                      ("import", "t.pb", "--output", "closed/i.pb"),
                      ("info", "t.pb", "--output", "closed/i.json")):
            self.refused(*words, "--no_journal", code=5, says="closed/", user=NOBODY)
        self.assertEqual(self.left_in(closed), [])

    def test_what_cannot_be_had_is_exit_6_under_strict_only(self):
        out, _ = self.profiler("metrics", "--trace", "t.pb", "--metrics", "p50_latency,cache_miss")
        self.assertRegex(out, r"cache_miss\s+.*performance monitoring unit")
        self.profiler("metrics", "--trace", "t.pb", "--metrics", "p50_latency,cache_miss", "--strict", code=6)
        self.profiler("metrics", "--trace", "t.pb", "--metrics", "p50_latency", "--strict")

    def test_a_regression_is_exit_1(self):
        self.profiler("case", "search", "zzzzqqqq", "--strict", code=1)
        self.profiler("case", "search", "zzzzqqqq")

    def test_an_interrupt_is_exit_130(self):
        process = subprocess.Popen([str(BIN / "profiler"), "query", "--trace", "t.pb", "--format", "csv"], cwd=self.folder,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        process.stdin.write(b"select 1 as ready;\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), b"ready\n")  # it waits for more now
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        process.stdin.close()
        process.stdout.close()

    # --- outputs
    def each_output(self):
        for name in ("o.html", "o.json", "o.csv", "o.sqlite", "o.pb", "o.collapsed", "o.pprof"):
            yield (("visualize",) if name.endswith("html") else ("export",)) + ("--trace", "t.pb", "--output"), name
        yield ("diagnose", "--trace", "t.pb", "--output"), "d.yaml"
        yield ("validate", "--before", "t.pb", "--after", "u.pb", "--output"), "v.pdf"
        yield ("import", "t.pb", "--output"), "i.pb"
        yield ("info", "t.pb", "--output"), "i.json"
        yield ("query", "--trace", "t.pb", "select * from slice", "--output"), "q.csv"

    def test_an_output_that_cannot_be_made_leaves_nothing_behind(self):
        folder = self.folder / "full"
        folder.mkdir()
        (folder / "taken").mkdir()
        for words, name in self.each_output():
            self.refused(*words, f"full/missing/{name}", code=3, says="full/missing/")
            if words[0] not in ("export",):  # a folder is where export puts all tables
                target = folder / name
                target.mkdir()
                self.refused(*words, f"full/{name}", code=2, says=f"full/{name}")
                target.rmdir()
        self.assertEqual(self.left_in(folder), ["taken"])

    def test_a_full_disk_keeps_the_older_file(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))

        folder = self.folder / "limit"
        folder.mkdir()
        for words, name in self.each_output():
            if name in ("d.yaml", "i.json"):  # may fit
                continue
            (folder / name).write_text("older")
            self.refused(*words, f"limit/{name}", "--no_journal", code=3, says=f"limit/{name}", preexec_fn=limit)
            self.assertEqual((folder / name).read_text(), "older", name)
            (folder / name).unlink()
        self.assertEqual(self.left_in(folder), [])

    def test_standard_output_that_is_full_is_an_error(self):
        for words in (("info", "t.pb"), ("query", "--trace", "t.pb", "select * from slice"), ("metrics",),
                      ("diagnose", "--trace", "t.pb"), ("log",), ("--help",), ("info", "--help")):
            with open("/dev/full", "w") as full:
                done = subprocess.run([str(BIN / "profiler"), *words], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, timeout=120)
            self.assertEqual(done.returncode, 3, words)
            self.assertIn(b"standard output", done.stderr)

    def test_dash_is_standard_output_and_format_names_the_form(self):
        out, _ = self.profiler("info", "t.pb", "--output", "-", "--format", "json")
        self.assertEqual(json.loads(out)["schema"], "cann-profiler/info/1")
        self.assertIn("<!doctype html>", self.profiler("visualize", "--trace", "t.pb", "--output", "-")[0].lower()[:200])
        out, _ = self.profiler("export", "--trace", "t.pb", "--output", "-", "--format", "csv", "--table", "process")
        self.assertEqual(out.splitlines()[0].split(",")[:2], ["id", "pid"])
        self.assertIn("traceEvents", json.loads(self.profiler("export", "--trace", "t.pb", "--output", "-")[0]))
        self.refused("export", "--trace", "t.pb", "--output", "-", "--format", "sqlite", says="standard output")
        for verb in ("diagnose", "export", "import"):
            more = ("--format", "yaml") if verb == "diagnose" else ("--format", "pb")
            words = ("import", "t.pb") if verb == "import" else (verb, "--trace", "t.pb")
            done = subprocess.run([str(BIN / "profiler"), *words, "--output", "-", *more], cwd=self.folder, capture_output=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            if verb == "diagnose":
                self.assertTrue(done.stdout.startswith(b"schema: cann-profiler/diagnosis/1\n"), done.stdout[:80])
                continue
            (self.folder / "piped.pb").write_bytes(done.stdout)
            rows = json.loads(self.profiler("info", "piped.pb", "--format", "json")[0])["rows"]
            self.assertEqual(rows["slice"], json.loads(self.profiler("info", "t.pb", "--format", "json")[0])["rows"]["slice"])

    def test_devices_are_written_and_not_replaced(self):
        for words in (("diagnose", "--trace", "t.pb"), ("visualize", "--trace", "t.pb")):
            form = "yaml" if words[0] == "diagnose" else "html"
            self.profiler(*words, "--output", "/dev/null", "--format", form)
        self.assertTrue(pathlib.Path("/dev/null").is_char_device())

    # --- languages
    def test_chinese_reports_keep_the_machine_keys(self):
        zh = ("--lang", "zh")
        for words in (("info", "t.pb"), ("metrics", "--trace", "t.pb"), ("diagnose", "--trace", "t.pb"), ("doctor",),
                      ("compare", "--baseline", "t.pb", "--target", "u.pb"), ("gate", "--baseline", "t.pb", "--target", "t.pb"),
                      ("validate", "--before", "t.pb", "--after", "u.pb"), ("case", "list"), ("log",), ("show", "1"),
                      ("case-card", "--problem", "p", "--solution", "s"), ("metrics",)):
            if words[0] in ("log", "show"):
                self.profiler("info", "t.pb", "--workspace", "wzh")
                words += ("--workspace", "wzh")
            self.assertRegex(self.profiler(*words, *zh)[0], CHINESE, words)
        for verb in VERBS:
            out, _ = self.profiler(verb, "--help", *zh)
            self.assertTrue(out.startswith("示例"), out[:40])
            self.assertNotIn("Options:", out)
            self.assertRegex(self.refused(verb, "--no_such_option", *zh), CHINESE)
        self.assertRegex(self.refused("info", "--format", "jsn", "t.pb", *zh), CHINESE)
        self.assertRegex(self.refused("info", "t.pb", "--format", *zh, "--format"), CHINESE)
        for words in (("info", "t.pb"), ("diagnose", "--trace", "t.pb"), ("compare", "--baseline", "t.pb", "--target", "u.pb"),
                      ("validate", "--before", "t.pb", "--after", "u.pb"), ("metrics", "--trace", "t.pb"), ("metrics",)):
            en, cn = (json.loads(self.profiler(*words, "--format", "json", *more)[0]) for more in ((), zh))
            self.assertEqual(keys_of(en), keys_of(cn), words)

    def test_the_language_comes_from_lang_when_no_option_says(self):
        done = subprocess.run([str(BIN / "profiler"), "--help"], capture_output=True, text=True, env={"LANG": "zh_CN.UTF-8"})
        self.assertRegex(done.stdout, CHINESE)

    # --- query
    def test_query_follows_format_and_suffix(self):
        sql = "select 1 as a, 'x,\"y' as b"
        self.assertEqual(self.profiler("query", "--trace", "t.pb", sql, "--format", "csv")[0], 'a,b\n1,"x,""y"\n')
        self.assertEqual(json.loads(self.profiler("query", "--trace", "t.pb", sql, "--format", "json")[0]), [{"a": 1, "b": 'x,"y'}])
        self.assertEqual(self.profiler("query", "--trace", "t.pb", sql, "--format", "table")[0], 'a  b\n-  ----\n1  x,"y\n')
        self.profiler("query", "--trace", "t.pb", sql, "--output", "q.json")
        self.assertEqual(json.loads((self.folder / "q.json").read_text()), [{"a": 1, "b": 'x,"y'}])

    def test_query_reads_statements_from_standard_input(self):
        done = subprocess.run([str(BIN / "profiler"), "query", "--trace", "t.pb", "--format", "csv"], cwd=self.folder, text=True,
                              input=".schema thread\nselect 1 as a;\nselect\n 2 as b;\nselect 3 as c", capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("CREATE TABLE thread("), done.stdout)
        self.assertTrue(done.stdout.endswith("a\n1\nb\n2\nc\n3\n"), done.stdout)

    def test_query_from_a_pipe_fails_with_its_first_error_and_on_nothing(self):
        for said, code in (("select 1;\nselct 2;\nselect 3;\n", 2), ("select * from slise;\n.quit\n", 2), (".schema nothing\nselect 1;\n", 2),
                           ("", 2), ("\n \n", 2), ("select 1;\n.quit\n", 0), (".tables\n", 0)):
            with self.subTest(said=said):
                done = subprocess.run([str(BIN / "profiler"), "query", "--trace", "t.pb", "--format", "csv"], cwd=self.folder, text=True,
                                      input=said, capture_output=True, timeout=120)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1 if code else 0, done.stderr)

    def test_query_on_a_terminal_goes_on_after_errors_and_ends_with_ctrl_d(self):
        pid, fd = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.environ["TERM"] = "xterm"
            os.execv(str(BIN / "profiler"), ["profiler", "query", "--trace", "t.pb"])
        screen = Screen(fd)
        screen.wait_for("sql> ")
        screen.send("selct 1;\r", "syntax error")
        screen.send(".tables\r", "thread_state")
        screen.send(".schema slise\r", "slise")
        screen.send(".what\r", ".schema")
        screen.send("select count(*) + 4000 as n\r", "...> ")
        screen.send(" from process;\r", "4001")
        screen.send("select 1 +\r", "...> ")
        screen.send("\x03", "sql> ")  # Ctrl-C drops the statement, not the session
        screen.send("select 40000 + 2;\r", "40002")
        screen.wait_for("sql> ")
        os.write(fd, b"\x04")
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)
        os.close(fd)

    def test_ctrl_c_right_after_the_prompt_is_never_lost(self):
        # Between the prompt and the wait for a line a Ctrl-C used to be seen by nobody: the next line was then typed
        # behind the dropped one.
        pid, fd = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execv(str(BIN / "profiler"), ["profiler", "query", "--trace", "t.pb"])
        screen = Screen(fd)
        screen.wait_for("sql> ")
        for _ in range(200):
            os.kill(pid, signal.SIGINT)
            screen.wait_for("sql> ")
        screen.send("select 40000 + 2;\r", "40002")
        screen.wait_for("sql> ")
        os.write(fd, b"\x04")
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)
        os.close(fd)

    # --- what the commands make
    def test_info_names_format_span_counts_and_what_is_missing(self):
        out, _ = self.profiler("info", "t.pb")
        for word in ("perfetto", "4242", "cache_miss", "performance monitoring unit", "events lost: 0"):
            self.assertIn(word, out)
        info = json.loads(self.profiler("info", "t.pb", "--format", "json")[0])
        self.assertEqual((info["format"]["name"], info["format"]["bytes"]), ("perfetto", (self.folder / "t.pb").stat().st_size))
        self.assertEqual(info["rows"]["request"], 20)
        self.assertEqual(info["requests"]["count"], 20)
        self.assertEqual(info["requests"]["by_status"], {"error": 1, "ok": 19})  # the maker marks every 17th, from the 6th
        self.assertEqual(info["lost_events"], 0)  # the full ring of the synthetic trace is a notice
        self.assertEqual(info["time"]["duration_ns"], info["time"]["end_ns"] - info["time"]["start_ns"])
        missing = {s["name"]: s for s in info["signals"] if not s["available"]}
        self.assertTrue(missing["cache_miss"]["reason"] and missing["cache_miss"]["mend"])

    def test_every_export_can_be_read_by_others(self):
        counts = json.loads(self.profiler("info", "t.pb", "--format", "json")[0])["rows"]
        for name in ("e.json", "e.sqlite", "e.csv", "e.pb", "e.collapsed"):
            self.profiler("export", "--trace", "t.pb", "--output", name)
        chrome = json.loads((self.folder / "e.json").read_text())
        slices = [e for e in chrome["traceEvents"] if e["ph"] == "X" and not e["cat"].startswith("cann.sched_")]
        self.assertEqual(len(slices), counts["slice"] + counts["kernel"])
        with sqlite3.connect(self.folder / "e.sqlite") as db:
            self.assertEqual(db.execute("select count(*) from slice").fetchone()[0], counts["slice"])
            self.assertEqual(db.execute("select count(*) from span").fetchone()[0] > 0, True)
        self.assertEqual(len((self.folder / "e.csv").read_text().splitlines()), counts["slice"] + 1)
        again = json.loads(self.profiler("info", "e.pb", "--format", "json")[0])["rows"]
        for rows in (again, counts):  # the idle time at the very end has no rows, so the last states may end earlier
            del rows["thread_state"]
        self.assertEqual(again, counts)
        query = "select sum(weight) as w, count(*) as n from sample where event = 'cpu-clock'"
        cpu = json.loads(self.profiler("query", "--trace", "t.pb", query, "--format", "json")[0])[0]
        lines = (self.folder / "e.collapsed").read_text().splitlines()
        self.assertEqual(sum(int(line.rpartition(" ")[2]) for line in lines), cpu["w"])
        self.assertTrue(any(";poster;denoise;/denoise/" in line for line in lines))
        self.profiler("export", "--trace", "t.pb", "--output", "tables/")
        self.assertEqual(len((self.folder / "tables/thread.csv").read_text().splitlines()), counts["thread"] + 1)

    def test_pprof_holds_the_samples_with_their_work(self):
        self.profiler("export", "--trace", "t.pb", "--output", "e.pprof")
        profile = decode(gzip.decompress((self.folder / "e.pprof").read_bytes()))
        strings = [s.decode() for s in profile[6]]
        self.assertEqual(strings[0], "")
        types = [tuple(strings[decode(t)[f][0]] for f in (1, 2)) for t in profile[1]]
        self.assertEqual(types, [("samples", "count"), ("cpu", "nanoseconds")])
        cpu = json.loads(self.profiler("query", "--trace", "t.pb", "select sum(weight) as w, count(*) as n from sample where event = 'cpu-clock'", "--format", "json")[0])[0]
        samples = [decode(s) for s in profile[2]]
        values = [varints(s[2][0]) for s in samples]
        self.assertEqual([sum(v[i] for v in values) for i in (0, 1)], [cpu["n"], cpu["w"]])
        locations = {decode(m)[1][0]: decode(m) for m in profile[4]}
        functions = {decode(m)[1][0]: strings[decode(m)[2][0]] for m in profile[5]}
        stack = [functions[decode(locations[i][4][0])[1][0]] for i in varints(samples[0][1][0])]
        self.assertTrue(stack[-1].startswith("prof::testing::"), stack)
        labels = {strings[decode(m)[1][0]] for s in samples for m in s.get(3, [])}
        self.assertEqual(labels, {"request", "stage", "operator", "thread", "tid"})
        mappings = {decode(m)[1][0] for m in profile[3]}
        self.assertTrue(all(m[2][0] in mappings for m in locations.values() if 2 in m))

    def test_import_writes_a_trace_that_says_the_same(self):
        _, err = self.profiler("import", "t.pb", "--output", "again.pb")
        self.assertIn("again.pb", err)
        rows = [json.loads(self.profiler("info", n, "--format", "json")[0])["rows"] for n in ("t.pb", "again.pb")]
        self.assertEqual(*rows)

    def test_cases_go_out_and_come_back(self):
        space = ("--workspace", "cases_a")
        self.profiler("case-card", "--problem", "slow poster", "--solution", "fusion", "--output", "card.md", *space)
        self.profiler("case", "add", "card.md", *space)
        self.assertIn("slow-poster-fusion", self.profiler("case", "search", "poster", *space)[0])
        self.profiler("case", "export", "--output", "shared_cases", *space)
        self.profiler("case", "import", "shared_cases", "--workspace", "cases_b")
        (self.folder / "no_cards").mkdir(exist_ok=True)
        (self.folder / "no_card.md").write_text("")
        for nothing in ("no_cards", "no_card.md"):  # nothing taken over is no success
            self.refused("case", "import", nothing, "--workspace", "cases_b", code=3, says=nothing)
        self.assertIn("slow-poster-fusion", self.profiler("case", "list", "--workspace", "cases_b")[0])
        self.refused("case", "add", "gone.md", *space, code=3, says="gone.md")

    def test_the_journal_lists_and_shows_what_was_run(self):
        space = ("--workspace", "journal")
        self.profiler("export", "--trace", "t.pb", "--output", "first.pb", *space)
        self.profiler("info", "first.pb", *space)
        entries = json.loads(self.profiler("log", "--format", "json", *space)[0])
        self.assertEqual([(e["id"], e["verb"]) for e in entries], [(2, "info"), (1, "export")])
        shown = json.loads(self.profiler("show", "1", "--format", "json", *space)[0])
        self.assertEqual(shown["outputs"][0]["sha256"], entries[0]["inputs"][0]["sha256"])
        self.assertIn("export", self.profiler("show", "2", *space)[0])  # who made what it read
        self.profiler("info", "t.pb", "--no-journal", *space)
        self.assertEqual(len(json.loads(self.profiler("log", "--json", *space)[0])), 2)


class Screen:
    """What a program prints on a terminal, and what is typed there."""

    def __init__(self, fd):
        self.fd, self.text = fd, ""

    def wait_for(self, word):
        deadline = time.monotonic() + 60
        while word not in self.text:
            if time.monotonic() > deadline or not select.select([self.fd], [], [], 60)[0]:
                raise AssertionError(f"no {word!r} in {self.text!r}")
            self.text += os.read(self.fd, 65536).decode(errors="replace")
        self.text = self.text[self.text.index(word) + len(word):]

    def send(self, typed, answer):
        os.write(self.fd, typed.encode())
        self.wait_for(answer)


def keys_of(tree):
    if isinstance(tree, dict):
        return {key: keys_of(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [keys_of(item) for item in tree]
    return None


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def varints(data):
    out, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        out.append(value)
    return out


def decode(data):
    """A protobuf message as {field: [values]}; lengths stay bytes."""
    fields, at = {}, 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        else:
            assert tag & 7 == 2, tag
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        fields.setdefault(tag >> 3, []).append(value)
    return fields


if __name__ == "__main__":
    unittest.main()
