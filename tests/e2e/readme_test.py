#!/usr/bin/env python3
"""What the README and the contract of the command line print runs as it is printed, on the live example service; only durations, ports
and the number of repeated runs are made smaller. Usage: readme_test.py BUILD_DIR. Needs the inference engine.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import lab  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/release").resolve()


def shell(script, folder, timeout=600):
    """Runs a script in a session of its own, so that nothing it started outlives it."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("LC_")} | {"LANG": "C", "PATH": f"{BUILD / 'bin'}:/usr/bin:/bin"}
    running = subprocess.Popen(["bash", "-e", "-c", script], cwd=folder, env=env, text=True, errors="replace", start_new_session=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        out, _ = running.communicate(timeout=timeout)
    finally:
        try:
            os.killpg(running.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return running.returncode, out


class Readme(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.at = pathlib.Path(temp.name)
        (self.at / "build").mkdir()
        (self.at / "build/release").symlink_to(BUILD)

    @staticmethod
    def tour(page):
        """The commands of the page's tour, a line each, without comments."""
        blocks = re.findall(r"^```bash\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S)
        text = "".join(b for b in blocks if "./dev" not in b).replace("\\\n", " ")
        lines = (re.sub(r"\s+#.*| --lang zh", "", line).rstrip() for line in text.splitlines())
        return [re.sub(r"\s+", " ", line) for line in lines if line]

    def test_both_languages_print_the_same_commands(self):
        english = self.tour("README.md")
        for line in self.tour("README.zh.md"):
            self.assertIn(line, english)

    def test_the_tour_runs_as_printed(self):
        script = "\n".join(self.tour("README.md"))
        # The load of a run that short ends first: a tenth of its requests would be cut off else, and validate refuses that.
        shorter = [("--port 8190", f"--port {lab.free_port()}"), ("--port 8191", f"--port {lab.free_port()}"), ('--duration "30s"', '--duration "4s"'),
                   ("--duration 15m", "--duration 60s"), ("--duration 22s", "--duration 3s"), ("--duration 20s", "--duration 5s"),
                   ("in 1 2 3 4;", "in 1 2;"), ("a1.pb,a2.pb,a3.pb,a4.pb", "a1.pb,a2.pb"), ("b1.pb,b2.pb,b3.pb,b4.pb", "b1.pb,b2.pb")]
        for printed, used in shorter:
            self.assertIn(printed, script)
            script = script.replace(printed, used)
            if printed.startswith("--port"):
                script = script.replace(f":{printed[-4:]}/", f":{used.split()[-1]}/")
        # The service needs a moment before the first trace; whoever types the lines takes it.
        script = script.replace("profiler trace", "sleep 3; profiler trace", 1)
        status, out = shell(script, self.at)
        self.assertEqual(status, 0, out[-3000:])
        for name in ("trace.pb", "performance_map.html", "root_cause_report.yaml", "optimization_plan.md", "denoiser_fused.onnx", "a2.pb", "b2.pb", "report.pdf", "case.md"):
            self.assertGreater((self.at / name).stat().st_size, 200, name)


# The boxes of the contract, as written there but for the durations.
# (gate wants more requests than these few seconds bring: cli_test.py has it.)
CONTRACT = r"""
profiler trace --target "poetry_poster_service" --scope "full_stack" --metrics "latency,mem_bandwidth,compute_util,cache_miss" --sampling_rate "100%" --duration "3s" --output trace_full_20241215.pb
profiler trace --target edge_inspection --scope "hardware_only" --duration 1s --output edge_trace.pb
profiler trace --output run.pb -- ./my_service --flags
profiler trace --target poetry_poster_service --duration 4s --output trace_baseline.pb
profiler trace --target poetry_poster_service --duration 4s --output trace_optimized.pb
profiler visualize --trace trace_full_20241215.pb --view "timeline,flamegraph,heatmap" --output performance_map.html
profiler diagnose --trace trace_full_20241215.pb --problem "high_p99_latency" --threshold "p99>2.0s" --output root_cause_report.yaml
profiler diagnose --trace edge_trace.pb --problem "high_power_consumption"
profiler generate-plan --diagnosis root_cause_report.yaml --priority "latency_first" --risk_tolerance "medium" --output optimization_plan.md
profiler validate --before trace_baseline.pb --after trace_optimized.pb --metrics "p99_latency,device_util,mem_bandwidth" --statistical_test "t-test" --output validation_report.pdf
profiler compare --baseline trace_baseline.pb --target trace_optimized.pb
profiler case-card --problem "sd3_high_p99_latency" --solution "data_layout_unify+fusion+runtime_opt" --metrics "p99_latency,device_util" --output sd3_optimization_case.md
profiler case search "layout transpose bandwidth"
profiler import trace_baseline.pb --output t.pb
profiler export --trace t.pb --output t.json
profiler export --trace t.pb --output t.csv
profiler export --trace t.pb --output t.sqlite
profiler export --trace t.pb --output t.pprof
profiler query --trace t.pb "select name, sum(dur) from span group by 1 order by 2 desc limit 10"
profiler info t.pb
profiler doctor
profiler metrics
profiler metrics --trace t.pb
profiler log
profiler show 1
""".strip().splitlines()


class Contract(unittest.TestCase):
    def test_every_box_runs_as_written(self):
        with tempfile.TemporaryDirectory() as name, lab.Service(BUILD) as service:
            folder = pathlib.Path(name)
            (folder / "my_service").write_text("#!/bin/sh\nsleep 0.2\n")
            (folder / "my_service").chmod(0o755)
            shutil.copy(shutil.which("sleep"), folder / "edge_inspection")
            edge = subprocess.Popen([folder / "edge_inspection", "300"])
            load = lab.start_load(BUILD, service.url, 4, 60, 1, folder / "load.json")
            try:
                for line in CONTRACT:
                    if line.startswith("profiler trace") and "4s" in line:  # a side of validate: its load ends first, nothing is cut off
                        load.kill()
                        load.wait()
                        load = lab.start_load(BUILD, service.url, 5, 2, 1, folder / "load.json")
                    with self.subTest(command=line):
                        status, out = shell(line, folder, 300)
                        self.assertEqual(status, 0, f"{line}\n{out[-2000:]}")
            finally:
                for process in (edge, load):
                    process.kill()
                    process.wait()
            for made in re.findall(r"--output (\S+)", "\n".join(CONTRACT)):
                self.assertGreater((folder / made).stat().st_size, 100, made)


if __name__ == "__main__":
    if not (BUILD / "bin/poetry_poster_service").exists():
        print("no poetry_poster_service in this build: the inference engine is not installed")
        sys.exit(0)
    unittest.main(verbosity=2)
