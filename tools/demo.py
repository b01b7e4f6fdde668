#!/usr/bin/env python3
"""The whole loop on a real service: trace, visualize, diagnose, plan, apply, trace again, validate, case card.

Usage: demo.py BUILD_DIR [--quick] [--out demo] [--pairs N] [--seconds S] [--rate R]
Leaves in OUT: trace_before.pb performance_map.html root_cause_report.yaml optimization_plan.md trace_after.pb
validation_report.pdf case.md, and runs/ with every run behind the validation. Standard library only.
"""
import argparse
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import lab  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--quick", action="store_true", help="short runs: the loop in about two minutes, with less certainty")
    parser.add_argument("--out", default="demo")
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--seed", type=int, default=0, help="added to the seed of every pair's load")
    parser.add_argument("--rate", type=float, default=3.0, help="requests a second, open loop")
    args = parser.parse_args()
    args.pairs = args.pairs or (3 if args.quick else 8)
    args.seconds = args.seconds or (8 if args.quick else 20)
    return args


class Demo:
    def __init__(self, args):
        self.args = args
        self.build = pathlib.Path(args.build).resolve()
        self.out = pathlib.Path(args.out).resolve()
        self.runs = self.out / "runs"
        self.started = time.monotonic()
        self.is_comparable = True

    def say(self, what):
        print(f"\n== [{time.monotonic() - self.started:4.0f} s] {what}", flush=True)

    def profiler(self, *words, ok=(0,)):
        command = [str(self.build / "bin" / "profiler"), *map(str, words)]
        print("$ profiler " + " ".join(f'"{w}"' if " " in str(w) or '"' in str(w) else str(w) for w in words), flush=True)
        done = subprocess.run(command, cwd=self.out)
        if done.returncode not in ok:
            sys.exit(f"demo: profiler ended with status {done.returncode}")
        return done.returncode

    def traced_run(self, name, models, seed, log):
        """One run: a fresh service under load, traced for the middle of it. Returns the trace's path."""
        trace = self.runs / f"{name}.pb"
        with lab.Service(self.build, models, log=self.out / log) as service:
            for warm in range(3):
                service.poster(seed=warm)
            load = lab.start_load(self.build, service.url, self.args.rate, self.args.seconds + 2, seed, self.runs / f"{name}.load.json")
            time.sleep(1)
            self.profiler("trace", "--target", f"pid:{service.process.pid}", "--scope", "full_stack", "--sampling_rate", "100%",
                          "--duration", f"{self.args.seconds}s", "--output", trace)
            load.wait()
        return trace

    def first_look(self):
        self.say("1. trace the service as it is (every layer, every request)")
        before = self.traced_run("before_1", [], seed=self.args.seed + 1, log="service.log")
        shutil.copyfile(before, self.out / "trace_before.pb")
        self.profiler("info", "trace_before.pb")
        if self.number("trace_before.pb", "select count(*) from request") == 0:
            sys.exit("demo: the recording holds no request, so there is nothing to go on with; 'not available here' above says why "
                     "(another profiler that is attached to the service, say: 'profiler doctor' names it)")
        self.say("2. draw it")
        self.profiler("visualize", "--trace", "trace_before.pb", "--view", "timeline,flamegraph,heatmap", "--output", "performance_map.html")
        self.say("3. find the cause")
        self.profiler("diagnose", "--trace", "trace_before.pb", "--problem", "high_p99_latency")
        self.profiler("diagnose", "--trace", "trace_before.pb", "--problem", "high_p99_latency", "--output", "root_cause_report.yaml")
        self.profiler("visualize", "--trace", "trace_before.pb", "--diagnosis", "root_cause_report.yaml", "--output", "performance_map.html")
        self.say("4. make a plan")
        (self.out / "optimization_plan.md").unlink(missing_ok=True)  # of an earlier demo, whoever has edited it since
        self.profiler("generate-plan", "--diagnosis", "root_cause_report.yaml", "--priority", "latency_first", "--risk_tolerance", "medium",
                      "--output", "optimization_plan.md")

    def number(self, trace, sql):
        done = subprocess.run([str(self.build / "bin" / "profiler"), "query", "--trace", trace, "--format", "csv", "--no_journal", sql],
                              cwd=self.out, capture_output=True, text=True, check=True)
        return int(done.stdout.split()[-1])

    def model_steps(self):
        """What the plan would have done to the models: the ids of its steps for atc, less the prefix."""
        plan = (self.out / "optimization_plan.md").read_text()
        return [step for step in ("layout_unify", "fuse_patterns") if re.search(rf"^## \d+\. .*`atc_{step}`", plan, re.M)]

    def conversions(self):
        """What the plan's model steps convert: (models, engine that proves them or None). Two steps may name one model."""
        lines = [shlex.split(line) for line in (self.out / "optimization_plan.md").read_text().splitlines() if line.startswith("atc convert ")]
        after = lambda words, option: next((b for a, b in zip(words, words[1:]) if a == option), None)  # noqa: E731
        names = {pathlib.Path(after(words, "--model")).name for words in lines}
        models = [model for model in sorted((self.build / "models").glob("*.onnx")) if model.name in names]
        return models, next((engine for words in lines if (engine := after(words, "--engine"))), None)

    def apply_plan(self):
        """The plan's model steps: atc rewrites the graphs that the plan names with its fusion_config.json."""
        if not self.model_steps():
            sys.exit("demo: the plan has no step for the models, so there is nothing to apply and to prove; "
                     "its reasons stand in optimization_plan.md (run it on a machine that does nothing else)")
        self.say("5. apply the plan's model steps with atc")
        models, engine = self.conversions()
        optimised = self.out / "models"
        optimised.mkdir(exist_ok=True)
        fusion = next(iter(sorted(self.out.rglob("fusion_config.json"))), None)
        options = []
        for model in models:
            target = optimised / model.name
            command = [str(self.build / "bin" / "atc"), "convert", "--model", str(model), "--output", str(target)]
            if fusion:
                command += ["--fusion_config", str(fusion)]
            if engine:  # the library that the service runs, not the one that atc was built with
                command += ["--engine", engine]
            print("$ atc " + " ".join(command[1:]), flush=True)
            if subprocess.run(command, cwd=self.out).returncode != 0:
                sys.exit("demo: atc could not convert " + model.name)
            options += ["--model", f"{model.stem}={target}"]
        return options

    def prove(self, optimised):
        self.say(f"6. prove it: {self.args.pairs} runs a side, interleaved, same load and seeds")
        before, after = [self.runs / "before_1.pb"], []
        for pair in range(1, self.args.pairs + 1):
            order = ("before", "after") if pair % 2 == 0 else ("after", "before")
            for side in order:
                if side == "before" and pair == 1:
                    continue  # the first look is run 1 of this side
                options = [] if side == "before" else optimised
                trace = self.traced_run(f"{side}_{pair}", options, seed=self.args.seed + pair, log="service.log")
                (before if side == "before" else after).append(trace)
        shutil.copyfile(after[0], self.out / "trace_after.pb")
        sides = ["--before", ",".join(map(str, before)), "--after", ",".join(map(str, after))]
        metrics = "p50_latency,p99_latency,device_util,mem_bandwidth"
        # Run k of both sides had the same seed, so the same arrivals, and they ran next to each other: a paired design.
        test = ["--metrics", metrics, "--statistical_test", "t-test", "--paired"]
        self.profiler("validate", *sides, *test, "--output", "validation_report.pdf", ok=(0, 1))
        # 1: not comparable, because the machine lost events meanwhile, say. What follows is made all the same, and the end says it.
        self.is_comparable = self.profiler("validate", *sides, *test, ok=(0, 1)) == 0
        self.say("7. what changed, operator by operator")
        self.profiler("compare", "--baseline", "trace_before.pb", "--target", "trace_after.pb")
        self.say("8. remember it")
        self.profiler("case-card", "--problem", "poster_high_p99_latency", "--solution", "+".join(f"atc_{step}" for step in self.model_steps()), "--metrics",
                      "p50_latency,p99_latency", "--output", "case.md")

    def check(self):
        wanted = ("trace_before.pb performance_map.html root_cause_report.yaml optimization_plan.md trace_after.pb "
                  "validation_report.pdf case.md").split()
        missing = [name for name in wanted if not (self.out / name).exists()]
        if missing:
            sys.exit("demo: not made: " + " ".join(missing))
        self.say(f"done; everything is in {self.out}")
        if not self.is_comparable:
            sys.exit("demo: the two sides are not comparable, so nothing is proved; validate says above what differs. The usual cause is a "
                     "machine that is busy with other work: run the demo again when it is idle, or with a lower --rate")

    def run(self):
        shutil.rmtree(self.out, ignore_errors=True)
        self.runs.mkdir(parents=True)
        self.first_look()
        self.prove(self.apply_plan())
        self.check()


if __name__ == "__main__":
    Demo(arguments()).run()
