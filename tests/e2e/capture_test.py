#!/usr/bin/env python3
"""profiler trace as a user meets it: killed, interrupted, out of disk, mistyped. Runs alone. Usage: capture_test.py BUILD_DIR"""
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/dev").resolve()
PROFILER = str(BUILD / "bin" / "profiler")
# A target with threads that sleep, touch memory and compute: something for every collector.
LOAD = """
import threading, time
def work(n):
    while True:
        x = sum(i * i for i in range(20000)); y = bytearray(1 << 20); time.sleep(0.002)
for n in range(3): threading.Thread(target=work, args=(n,), daemon=True).start()
time.sleep(600)
"""


def run(*args, **kw):
    return subprocess.run([PROFILER, *args], capture_output=True, text=True, timeout=120, **kw)


class Capture(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.dir = pathlib.Path(cls.folder.name)
        script = cls.dir / "e2e_capture_load.py"
        script.write_text(LOAD)
        cls.load = subprocess.Popen([sys.executable, str(script)])

    @classmethod
    def tearDownClass(cls):
        cls.load.kill()
        cls.load.wait()
        cls.folder.cleanup()

    def tearDown(self):
        self.assertIsNone(self.load.poll(), "the target must never notice")

    def trace(self, out, *args):
        return run("trace", "--no_journal", "--target", f"pid:{self.load.pid}", "--output", str(out), *args, cwd=self.dir)

    def count(self, path, table):
        got = run("query", "--no_journal", "--format", "csv", "--trace", str(path), f"select count(*) from {table}", cwd=self.dir)
        self.assertEqual(got.returncode, 0, got.stderr)
        return int(got.stdout.split()[-1])

    def test_a_recording_holds_every_kind_of_row(self):
        out = self.dir / "full.pb"
        got = self.trace(out, "--duration", "2s", "--metrics", "cache_miss,mem_bandwidth,page_faults")
        self.assertEqual(got.returncode, 0, got.stderr)
        for table in ("sched", "sample", "counter", "thread", "callstack", "signal"):
            self.assertGreater(self.count(out, table), 0, table)
        self.assertIn("bytes per event", got.stderr)
        self.assertIn("own cost", got.stderr)
        self.assertNotIn("page_faults:", got.stderr)

    def test_a_missing_metric_is_told_and_strict_makes_it_the_status(self):
        got = self.trace(self.dir / "s.pb", "--duration", "0.3s", "--metrics", "temperature,energy_per_request", "--strict")
        if "not available here" in got.stderr:  # a machine with sensors has nothing to complain about
            self.assertEqual(got.returncode, 6)
            self.assertIn("mend:", got.stderr)
        else:
            self.assertEqual(got.returncode, 0)

    def test_killed_at_random_moments_the_file_holds_all_that_was_written(self):
        rng = random.Random(7)
        for number in range(20):
            out = self.dir / f"kill{number}.pb"
            process = subprocess.Popen([PROFILER, "trace", "--no_journal", "--target", f"pid:{self.load.pid}", "--output", str(out)],
                                       stderr=subprocess.PIPE, text=True, cwd=self.dir)
            process.stderr.readline()  # "recording ...": it has begun
            lived = rng.uniform(1.2, 2.5)
            time.sleep(lived)
            written = out.read_bytes()
            process.kill()
            process.wait()
            process.stderr.close()
            self.assertTrue(out.read_bytes().startswith(written), "what a flush has written never changes")
            before = self.dir / f"before{number}.pb"
            before.write_bytes(written)
            # How much of the last second is there is a figure of bench/kill9.py, not a test's.
            self.assertGreaterEqual(self.count(out, "sched"), self.count(before, "sched"))
            self.assertGreater(self.count(out, "sched"), 0)
            self.assertEqual(self.count(out, "note where code = 'note.store.not_ended'"), 1)

    def test_interrupted_it_keeps_a_shorter_valid_file(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            out = self.dir / f"int{number}.pb"
            process = subprocess.Popen([PROFILER, "trace", "--no_journal", "--target", f"pid:{self.load.pid}", "--duration", "300s",
                                        "--output", str(out)], stderr=subprocess.PIPE, text=True, cwd=self.dir)
            process.stderr.readline()
            time.sleep(1)
            process.send_signal(number)
            self.assertEqual(process.wait(60), 0)
            self.assertIn("stopped early", process.stderr.read())
            process.stderr.close()
            self.assertGreater(self.count(out, "sched"), 0)
            self.assertEqual(self.count(out, "note where code = 'note.store.not_ended'"), 0)

    def test_into_a_pipe_it_writes_all_and_ends_when_its_reader_leaves(self):
        words = [PROFILER, "trace", "--no_journal", "--lang", "en", "--target", f"pid:{self.load.pid}", "--output", "-"]
        out = self.dir / "pipe.pb"
        with open(out, "wb") as file:
            writer = subprocess.Popen([*words, "--duration", "1s"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.dir)
            file.write(writer.stdout.read())
        self.assertEqual(writer.wait(60), 0)
        self.assertIn(b"bytes per event", writer.stderr.read())
        writer.stdout.close(), writer.stderr.close()
        self.assertGreater(self.count(out, "sched"), 0)
        self.assertEqual(self.count(out, "note where code = 'note.store.not_ended'"), 0)

        left = subprocess.Popen([*words, "--duration", "300s"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.dir)
        left.stdout.read(100)
        left.stdout.close()
        self.assertEqual(left.wait(60), 130)
        self.assertIn(b"the reader of the pipe went away", left.stderr.read())
        left.stderr.close()

    def test_a_full_disk_ends_it_with_one_line_and_a_valid_file(self):
        if os.geteuid() != 0:
            self.skipTest("mounting a small file system needs root")
        small = self.dir / "small"
        small.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(small)]).returncode != 0:
            self.skipTest("cannot mount a tmpfs here")
        try:
            got = self.trace(small / "t.pb", "--duration", "60s")
            self.assertEqual(got.returncode, 3, got.stderr)
            self.assertIn("No space left", got.stderr)
            self.assertIn("are kept", got.stderr)
            self.assertGreater(self.count(small / "t.pb", "sched"), 0)
        finally:
            subprocess.run(["umount", str(small)], check=True)

    def test_a_file_at_its_size_limit_ends_it_with_one_line_and_a_valid_file(self):
        out = self.dir / "limit.pb"
        got = run("trace", "--no_journal", "--target", f"pid:{self.load.pid}", "--output", str(out), "--duration", "60s", cwd=self.dir,
                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536)))
        self.assertEqual(got.returncode, 3, got.stderr)
        self.assertIn("File too large", got.stderr)
        self.assertGreater(self.count(out, "sched"), 0)

    def test_an_output_that_cannot_be_written_stops_before_it_starts(self):
        got = self.trace(self.dir / "no" / "such" / "t.pb", "--duration", "1s")
        self.assertEqual(got.returncode, 3, got.stderr)

    def test_a_second_recording_into_the_same_file_is_refused_and_the_first_is_untouched(self):
        out = self.dir / "shared.pb"
        first = subprocess.Popen([PROFILER, "trace", "--no_journal", "--target", f"pid:{self.load.pid}", "--duration", "300s",
                                  "--output", str(out)], stderr=subprocess.PIPE, text=True, cwd=self.dir)
        first.stderr.readline()
        while out.stat().st_size < 4096:
            time.sleep(0.1)
        written = out.read_bytes()
        got = self.trace(out, "--duration", "0.3s")
        self.assertEqual(got.returncode, 3, got.stderr)
        self.assertIn(str(out), got.stderr)
        self.assertEqual(got.stderr.count("\n"), 1, got.stderr)
        first.send_signal(signal.SIGINT)
        self.assertEqual(first.wait(60), 0)
        first.stderr.close()
        self.assertTrue(out.read_bytes().startswith(written))

    def test_a_scope_that_gives_nothing_says_so(self):
        got = self.trace(self.dir / "hw.pb", "--scope", "hardware_only", "--duration", "0.3s", "--strict")
        if "nothing was recorded" not in got.stderr:
            self.skipTest("this machine has sensors")
        self.assertEqual(got.returncode, 6)
        self.assertIn("mend:", got.stderr)
        self.assertNotIn("no event was lost", got.stderr)

    def test_a_user_without_rights_is_told_what_the_whole_machine_lacks(self):
        if os.geteuid() != 0:
            self.skipTest("becoming another user needs root")
        folder = self.dir / "nobody"
        folder.mkdir()
        folder.chmod(0o777)
        self.dir.chmod(0o755)
        got = run("trace", "--no_journal", "--duration", "0.3s", "--output", "m.pb", "--strict", cwd=folder, user=65534, extra_groups=[])
        self.assertEqual(got.returncode, 6, got.stderr)
        self.assertIn("cpu_stacks", got.stderr)
        self.assertNotIn("0 processes", got.stderr)
        if pathlib.Path("/sys/kernel/tracing/events").exists():
            self.assertIn("remount", got.stderr)

    def test_wrong_options_are_one_line_and_status_2(self):
        for args, word in ((["--scope", "full_stak"], "full_stack"), (["--sampling_rate", "0%"], "sampling_rate"),
                           (["--duration", "soon"], "duration"), (["--duration", "0"], "duration"),
                           (["--duration", "0s"], "duration"), (["--duration", ""], "duration"), (["--duration", "0.0000000001s"], "duration"), (["--metrics", "latenzy"], "latency"), (["--cpu_hz", "0"], "cpu_hz"),
                           (["--trigger", "p99_latenzy>200ms"], "p99_latency"), (["--trigger", "p99_latency>200"], "200"), (["--time_range", "moon_peak"], "asia_peak"),
                           (["--sampling_rat", "100%"], "--sampling_rate")):
            got = self.trace(self.dir / "x.pb", *args)
            self.assertEqual(got.returncode, 2, args)
            self.assertIn(word, got.stderr)
            self.assertEqual(got.stderr.count("\n"), 1, got.stderr)
        got = self.trace(self.dir / "x.json")
        self.assertEqual(got.returncode, 2)
        self.assertIn(".pb", got.stderr)

    def test_a_target_that_is_not_there_is_status_4_with_the_nearest_name(self):
        got = run("trace", "--no_journal", "--target", "pid:999999999", "--output", "x.pb", cwd=self.dir)
        self.assertEqual(got.returncode, 4)
        got = run("trace", "--no_journal", "--target", "e2e_capture_load.py", "--duration", "0.3s", "--output", "w.pb", cwd=self.dir)
        self.assertEqual(got.returncode, 0, got.stderr)

    def test_a_launched_program_and_a_missing_one(self):
        out = self.dir / "launch.pb"
        got = run("trace", "--no_journal", "--output", str(out), "--", "sh", "-c", "sleep 0.3; exit 3", cwd=self.dir)
        self.assertEqual(got.returncode, 0, got.stderr)
        self.assertIn("sh ended with exit status 3", got.stderr)
        told = run("query", "--no_journal", "--format", "csv", "--trace", str(out), "select value from metadata where key = 'program.ended'")
        self.assertEqual(told.stdout.splitlines()[1:], ["exit status 3"])
        for end, status in (("exit 3", 3), ("kill -KILL $$", 137), ("exit 0", 0)):
            got = run("trace", "--no_journal", "--pass_exit_status", "--output", str(out), "--", "sh", "-c", end, cwd=self.dir)
            self.assertEqual(got.returncode, status, got.stderr)
        self.assertEqual(run("trace", "--no_journal", "--pass_exit_status", "--duration", "1s", cwd=self.dir).returncode, 2)
        self.assertGreater(self.count(out, "sched"), 0)
        status = self.dir / "status"
        run("trace", "--no_journal", "--output", str(out), "--", "cp", "/proc/self/status", str(status), cwd=self.dir)
        ignored = int(next(line for line in status.read_text().splitlines() if line.startswith("SigIgn")).split()[1], 16)
        self.assertEqual(ignored & (1 << (signal.SIGPIPE - 1) | 1 << (signal.SIGXFSZ - 1)), 0, "it inherits none of our signal settings")
        got = run("trace", "--no_journal", "--output", str(self.dir / "none.pb"), "--", "/no/such/program", cwd=self.dir)
        self.assertEqual(got.returncode, 4)
        self.assertFalse((self.dir / "none.pb").exists())
        self.assertNotIn("recording", got.stderr)

    def test_without_a_target_it_lists_the_services_and_records_nothing(self):
        folder = self.dir / "bare"
        folder.mkdir()
        name = f"e2e_bare_{os.getpid()}"
        probe = subprocess.Popen([str(BUILD / "bin" / "stall_probe"), name, "20"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            probe.stdout.readline()
            got = run("trace", "--no_journal", cwd=folder)
            self.assertEqual(got.returncode, 2, got.stderr)
            self.assertRegex(got.stderr, rf"pid:{probe.pid} +{name}\n")
            for word in ("--target", "--whole_machine"):
                self.assertIn(word, got.stderr.splitlines()[-1])
            got = run("trace", "--no_journal", "--trigger", "rss>1B", "--lang", "zh", cwd=folder)
            self.assertEqual(got.returncode, 2, got.stderr)
            self.assertIn("请指明录制什么", got.stderr)
            self.assertEqual(list(folder.iterdir()), [])
            for extra in (["--target", name], ["--", "true"]):
                self.assertEqual(run("trace", "--no_journal", "--whole_machine", *extra, cwd=folder).returncode, 2)
            got = run("trace", "--no_journal", "--whole_machine", "--duration", "0.5s", "--output", "m.pb", cwd=folder)
            self.assertEqual(got.returncode, 0, got.stderr)
            self.assertIn(f"{name} (pid {probe.pid})", got.stderr)
            # A bound says it too, as 'profiler trace --time_range asia_peak' does.
            self.assertEqual(run("trace", "--no_journal", "--duration", "0.3s", "--output", "m.pb", cwd=folder).returncode, 0)
        finally:
            probe.stdin.close()
            probe.wait(20)
            probe.stdout.close()

    def test_a_file_that_is_no_trace_of_ours_is_left_as_it_is(self):
        folder = self.dir / "theirs"
        folder.mkdir()
        target = ("--target", f"pid:{self.load.pid}", "--duration", "0.3s")
        for content in (b"my notes\n", b"\n\x05hello", bytes(100), b'{"traceEvents": []}'):
            (folder / "notes.pb").write_bytes(content)
            got = run("trace", "--no_journal", *target, "--output", "notes.pb", cwd=folder)
            self.assertEqual(got.returncode, 2, got.stderr)
            self.assertEqual(got.stderr.count("\n"), 1, got.stderr)
            self.assertIn("notes.pb", got.stderr)
            self.assertEqual((folder / "notes.pb").read_bytes(), content)
        (folder / "notes.pb").write_bytes(b"")  # as mktemp leaves it
        for _ in range(2):  # and then over a trace of ours
            self.assertEqual(run("trace", "--no_journal", *target, "--output", "notes.pb", cwd=folder).returncode, 0)
        self.assertEqual([path.name for path in folder.iterdir()], ["notes.pb"])

    def test_a_recording_that_was_given_no_name_keeps_the_one_before(self):
        folder = self.dir / "unnamed"
        folder.mkdir()
        target = ("--target", f"pid:{self.load.pid}", "--duration", "0.3s")
        self.assertEqual(run("trace", "--no_journal", *target, cwd=folder).returncode, 0)
        first = (folder / "trace.pb").read_bytes()
        got = run("trace", "--no_journal", *target, cwd=folder)
        self.assertEqual(got.returncode, 0, got.stderr)
        self.assertIn("trace.old.pb", got.stderr)
        self.assertEqual((folder / "trace.old.pb").read_bytes(), first)
        self.assertNotEqual((folder / "trace.pb").read_bytes(), first)
        (folder / "trace.old.pb").write_bytes(b"mine")
        self.assertEqual(run("trace", "--no_journal", *target, cwd=folder).returncode, 2)
        self.assertEqual((folder / "trace.old.pb").read_bytes(), b"mine")

    def test_where_nothing_fits_it_says_so_in_one_line_and_leaves_nothing(self):
        folder = self.dir / "nofit"
        folder.mkdir()
        before = self.dir / "before_nofit.pb"
        self.assertEqual(self.trace(before, "--duration", "0.3s").returncode, 0)
        (folder / "old.pb").write_bytes(before.read_bytes())
        for name in ("new.pb", "old.pb"):
            got = run("trace", "--no_journal", "--target", f"pid:{self.load.pid}", "--output", name, "--duration", "60s", cwd=folder,
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
            self.assertEqual(got.returncode, 3, got.stderr)
            self.assertEqual(got.stderr.count("\n"), 1, got.stderr)
            self.assertIn("nothing was recorded", got.stderr)
        self.assertEqual([path.name for path in folder.iterdir()], ["old.pb"])
        self.assertEqual((folder / "old.pb").read_bytes(), before.read_bytes())

    def test_a_second_recording_of_a_service_says_who_has_it_and_takes_nothing_away(self):
        name = f"e2e_twice_{os.getpid()}"
        probe = subprocess.Popen([str(BUILD / "bin" / "stall_probe"), name, "50"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        probe.stdout.readline()
        first = subprocess.Popen([PROFILER, "trace", "--no_journal", "--target", name, "--output", "first.pb"], stderr=subprocess.PIPE,
                                 text=True, cwd=self.dir)
        try:
            first.stderr.readline()
            got = run("trace", "--no_journal", "--target", name, "--duration", "1s", "--output", "second.pb", cwd=self.dir)
            self.assertEqual(got.returncode, 0, got.stderr)
            told = got.stderr.splitlines()[0]
            for word in (name, f"pid {probe.pid}", f"pid {first.pid}", str(self.dir.resolve() / "first.pb")):
                self.assertIn(word, told)
            self.assertNotIn("\nno event was lost", got.stderr)
            self.assertIn("not in this trace:", got.stderr)
            self.assertEqual(self.count(self.dir / "second.pb", "request"), 0)
            first.send_signal(signal.SIGINT)
            said = first.stderr.read()
            self.assertEqual(first.wait(60), 0, said)
            self.assertNotIn("not in this trace:", said)
            # Of the first all requests are there, those of the second's time too: numbers without a hole.
            numbers = run("query", "--no_journal", "--format", "csv", "--trace", "first.pb",
                          "select count(*), max(ts) - min(ts) from request", cwd=self.dir).stdout.split()[-1].split(",")
            self.assertGreater(int(numbers[1]), 1_000_000_000)
            self.assertGreater(int(numbers[0]), 20)
        finally:
            if first.poll() is None:
                first.kill()
                first.wait()
            first.stderr.close()
            probe.stdin.close()
            probe.wait(20)
            probe.stdout.close()

    def test_an_exec_gives_the_process_its_new_name_whatever_is_recorded(self):
        for scope in ("full_stack", "application"):
            script = f"sleep 0.3; exec {sys.executable} -c 'import time; time.sleep(2)'"
            load = subprocess.Popen(["sh", "-c", script])
            out = self.dir / f"exec_{scope}.pb"
            got = run("trace", "--no_journal", "--target", f"pid:{load.pid}", "--scope", scope, "--metrics", "mem_used", "--output", str(out),
                      cwd=self.dir)
            load.wait()
            self.assertEqual(got.returncode, 0, got.stderr)
            row = run("query", "--no_journal", "--format", "csv", "--trace", str(out),
                      f"select name, cmdline from process where pid = {load.pid}", cwd=self.dir).stdout
            self.assertIn("import time", row, scope)
            self.assertNotIn("sh -c", row, scope)

    def test_doctor_says_what_is_missing_in_both_languages(self):
        english, chinese = run("doctor", "--lang", "en"), run("doctor", "--lang", "zh")
        self.assertEqual((english.returncode, chinese.returncode), (0, 0))
        mends = [line for line in english.stdout.splitlines() if line.startswith("  mend: ")]
        self.assertEqual(sorted(mends), sorted(set(mends)), "each once")
        self.assertIn("gives: ", english.stdout)
        self.assertIn("解决办法", chinese.stdout)
        self.assertIn('"is_available"', run("doctor", "--format", "json").stdout)


if __name__ == "__main__":
    unittest.main()
