"""lab.py: runs the example service and its load, for the demo, the benchmarks and the end-to-end tests. Standard library only."""
import json
import os
import pathlib
import signal
import socket
import subprocess
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Service:
    """The poster service, preloaded with the operator shim; stopped on leaving the with block."""

    def __init__(self, build, extra=(), preload=True, log=None, port=None):
        self.build = pathlib.Path(build)
        self.port = port or free_port()
        self.log = open(log, "ab") if log else subprocess.DEVNULL
        env = dict(os.environ)
        shim = self.build / "lib" / "libprof_ort.so"
        if preload and shim.exists():
            env["LD_PRELOAD"] = str(shim)
        command = [str(self.build / "bin" / "poetry_poster_service"), "--port", str(self.port), *map(str, extra)]
        self.process = subprocess.Popen(command, env=env, stdout=self.log, stderr=self.log)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/v1/poster"

    def wait_ready(self, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError(f"the service ended with status {self.process.returncode} while starting")
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=2) as answer:
                    if answer.status == 200:
                        return self
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("the service did not become ready")

    def poster(self, text="two roads diverged in a yellow wood", seed=1):
        body = json.dumps({"text": text, "seed": seed}).encode()
        request = urllib.request.Request(self.url, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.log is not subprocess.DEVNULL:
            self.log.close()
            self.log = subprocess.DEVNULL

    def __enter__(self):
        return self.wait_ready()

    def __exit__(self, *_):
        self.stop()


def start_load(build, url, rate, seconds, seed, out):
    """Starts the open-loop load generator; wait() on the result, then read_load(out)."""
    return subprocess.Popen([str(pathlib.Path(build) / "bin" / "loadgen"), "--url", url, "--rate", str(rate), "--duration",
                             f"{seconds}s", "--seed", str(seed), "--json", str(out)], stdout=subprocess.DEVNULL)


def read_load(path):
    return json.loads(pathlib.Path(path).read_text())
