#!/usr/bin/env python3
"""loadgen against a service of the test's own, and the poster service against clients that misbehave.

Usage: examples_test.py BUILD_DIR
"""
import concurrent.futures
import http.server
import json
import math
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import lab  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/release").resolve()
LOADGEN, POSTER = BUILD / "bin/loadgen", BUILD / "bin/poetry_poster_service"
MASK = (1 << 64) - 1


def arrivals(rate, seconds, seed):
    """The schedule that docs/example_service.md promises: exponential gaps from SplitMix64, laid down before the start."""
    state, t, times = seed, 0.0, []
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        z ^= z >> 31
        t += -math.log(1.0 - (z >> 11) * 2.0**-53) / rate
        if t >= seconds:
            return times
        times.append(int(t * 1e9))


class FakeService:
    """Answers POSTs by `behave(handler, number of the request)`; keeps the bodies."""

    def __init__(self, behave):
        outer = self
        self.bodies, self.lock = [], threading.Lock()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):  # noqa: N802
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with outer.lock:
                    number = len(outer.bodies)
                    outer.bodies.append(json.loads(body))
                behave(self, number)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            request_queue_size = 256  # all of a load's connections may come at once

        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1/poster"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05})

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


def answer(handler, status=200, body=b"ok"):
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def fine(handler, _):
    answer(handler)


class Loadgen(unittest.TestCase):
    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.at = pathlib.Path(temp.name)

    def loadgen(self, *words):
        done = subprocess.run([LOADGEN, *map(str, words), "--json", "out.json"], cwd=self.at, capture_output=True, text=True, timeout=120)
        out = self.at / "out.json"
        return done, json.loads(out.read_text()) if out.exists() else None

    def test_the_schedule_is_the_poisson_process_of_its_seed(self):
        with FakeService(fine) as service:
            for rate, seconds, seed in ((50, 1, 1), (200, 0.5, 7), (3, 2, 0)):
                with self.subTest(rate=rate, seed=seed):
                    done, load = self.loadgen("--url", service.url, "--rate", rate, "--duration", f"{seconds}s", "--seed", seed)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    expected = arrivals(rate, seconds, seed)
                    self.assertEqual(len(load["intended_ns"]), len(expected))
                    # The last bit of log() is the library's own: a nanosecond of it may show.
                    self.assertLessEqual(max(abs(a - b) for a, b in zip(load["intended_ns"], expected)), 1)

    def test_every_request_says_which_it_is(self):
        with FakeService(fine) as service:
            done, load = self.loadgen("--url", service.url, "--rate", 40, "--duration", "1s", "--seed", 3, "--steps", 5)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(sorted(b["seed"] for b in service.bodies), [3_000_000 + i for i in range(load["sent"])])
            self.assertEqual({b["steps"] for b in service.bodies}, {5})
            self.assertGreaterEqual(len({b["text"] for b in service.bodies}), 5)

    def test_failures_are_counted_by_kind_and_end_with_status_1(self):
        def behave(handler, number):
            kind = number % 4
            if kind == 0:
                answer(handler)
            elif kind == 1:
                answer(handler, 503)
            elif kind == 2:
                answer(handler, 500)
            else:  # goes without a word
                handler.close_connection = True
                handler.connection.shutdown(socket.SHUT_RDWR)
        with FakeService(behave) as service:
            # One connection: the order of the answers is the order of the requests. A request whose connection went is not sent again.
            done, load = self.loadgen("--url", service.url, "--rate", 100, "--duration", "400ms", "--seed", 2, "--connections", 1)
        self.assertEqual(done.returncode, 1)
        kinds = {200: load["status"].count(200), 503: load["status"].count(503), 500: load["status"].count(500), 0: load["status"].count(0)}
        self.assertEqual(sum(kinds.values()), load["sent"])
        self.assertEqual(load["errors"], {k: v for k, v in (("http_503", kinds[503]), ("http_500", kinds[500]), ("no_answer", kinds[0])) if v})
        self.assertEqual(load["ok"], kinds[200])
        self.assertGreater(min(kinds.values()), 0, kinds)

    def test_latency_counts_from_the_intended_time_and_not_from_the_sending(self):
        held = threading.Event()

        def behave(handler, number):
            if number == 0:
                held.wait(0.6)
            answer(handler)
        with FakeService(behave) as service:
            done, load = self.loadgen("--url", service.url, "--rate", 50, "--duration", "400ms", "--seed", 5, "--connections", 1)
        self.assertEqual(done.returncode, 0, done.stderr)
        # All wait behind the first on the one connection: each is at least as late as the first one's answer leaves it.
        end = load["intended_ns"][0] + load["latencies_ns"][0]
        for intended, latency in zip(load["intended_ns"][1:], load["latencies_ns"][1:]):
            self.assertGreaterEqual(intended + latency, end)
        self.assertGreaterEqual(load["latencies_ns"][0], 600_000_000)
        self.assertGreater(load["late_send_p99_ns"], 0)

    def test_a_service_that_never_answers_is_given_up_after_the_timeout(self):
        with socket.socket() as silent:
            silent.bind(("127.0.0.1", 0))
            silent.listen(64)
            done, load = self.loadgen("--url", f"http://127.0.0.1:{silent.getsockname()[1]}/", "--rate", 20, "--duration", "200ms", "--timeout", 0.3)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(load["errors"], {"no_answer": load["sent"]})
        self.assertEqual((load["ok"], load["p99_ns"], load["mean_ns"]), (0, 0, 0))

    def test_nobody_listening_is_an_answer_too(self):
        done, load = self.loadgen("--url", f"http://127.0.0.1:{lab.free_port()}/", "--rate", 20, "--duration", "200ms")
        self.assertEqual((done.returncode, load["ok"]), (1, 0))

    def test_figures_are_those_of_the_latencies(self):
        with FakeService(fine) as service:
            _, load = self.loadgen("--url", service.url, "--rate", 100, "--duration", "1s", "--seed", 11)
        ranked = sorted(load["latencies_ns"])
        rank = lambda p: ranked[max(0, math.ceil(p * len(ranked)) - 1)]  # noqa: E731
        for key, p in (("p50_ns", 0.5), ("p90_ns", 0.9), ("p95_ns", 0.95), ("p99_ns", 0.99), ("p999_ns", 0.999), ("max_ns", 1)):
            self.assertEqual(load[key], rank(p), key)
        self.assertAlmostEqual(load["mean_ns"], sum(ranked) / len(ranked), delta=1)
        self.assertAlmostEqual(load["throughput"], load["ok"] / load["wall_s"], delta=1e-6)

    def test_wrong_values_are_refused_before_anything_is_sent(self):
        for words in (("--url", "ftp://x/"), ("--url", ""), ("--duration", "soon"), ("--duration", "0s"), ("--duration", "-1s"), ("--duration", "nan"),
                      ("--rate", "0"), ("--rate", "-3"), ("--rate", "x"), ("--connections", "0"), ("--seed", "-1"), ("--timeout", "0"), ("--steps", "101"), ("surplus",)):
            with self.subTest(words=words):
                done, load = self.loadgen(*words)
                self.assertNotEqual(done.returncode, 0)
                self.assertIsNone(load)
                self.assertTrue(done.stderr)

    def test_a_report_that_cannot_be_written_is_status_3(self):
        with FakeService(fine) as service:
            done = subprocess.run([LOADGEN, "--url", service.url, "--rate", "10", "--duration", "200ms", "--json", "no/such/folder.json"], cwd=self.at,
                                  capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (3, "loadgen: no/such/folder.json could not be written\n"))


@unittest.skipUnless(POSTER.exists(), "no poetry_poster_service in this build: the inference engine is not installed")
class Clients(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = lab.Service(BUILD, ["--steps", "1", "--http_threads", "8"], preload=False).wait_ready()

    @classmethod
    def tearDownClass(cls):
        cls.service.stop()

    def raw(self, data, is_half_closed=True, wait=10):
        """What comes back for these bytes on a connection of their own."""
        with socket.create_connection(("127.0.0.1", self.service.port), timeout=wait) as client:
            client.sendall(data)
            if is_half_closed:
                client.shutdown(socket.SHUT_WR)
            got = b""
            try:
                while chunk := client.recv(65536):
                    got += chunk
            except OSError:
                pass
        return got

    def post(self, body, path="/v1/poster"):
        request = urllib.request.Request(self.service.url.replace("/v1/poster", path), body, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return reply.status, reply.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def is_alive(self):
        status, body = self.post(json.dumps({"text": "still here"}).encode())
        return status == 200 and body.startswith(b"\x89PNG")

    def test_bodies_at_every_border(self):
        text = lambda **more: json.dumps({"text": "x", **more}).encode()  # noqa: E731
        for body, status in ((text(), 200), (text(seed=0), 200), (text(seed=2**64 - 1), 200), (text(seed=2**64), 400), (text(seed=1.5), 400), (text(seed="1"), 400),
                             (text(seed=None), 400), (text(steps=1), 200), (text(steps=101), 400), (text(steps=True), 400), (text(steps=-1), 400), (text(other=1), 200),
                             (json.dumps({"text": "x" * 2000}).encode(), 200), (json.dumps({"text": "\u56fe" * 667}).encode(), 400), (b'{"text":"\\ud800"}', 400),
                             (b'{"text":"a\\u0000b"}', 400), (b"[" * 100_000, 400), (b'{"text":' * 50_000, 400), (b"null", 400), (b'"text"', 400)):
            with self.subTest(body=body[:60]):
                self.assertEqual(self.post(body)[0], status)

    def test_paths_methods_and_sizes_that_are_not_served(self):
        self.assertEqual(self.post(b"{}", "/v1/other")[0], 404)
        self.assertEqual(self.post(b"{}", "/v1/poster/../../etc/passwd")[0], 404)
        self.assertIn(b"404", self.raw(b"DELETE /v1/poster HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", is_half_closed=False)[:20])
        head = b"POST /v1/poster HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n"
        self.assertIn(self.raw(head + b"x")[9:12], (b"413", b"400", b""))
        self.assertTrue(self.is_alive())

    def test_bytes_that_are_no_http_do_not_end_the_service(self):
        for data in (b"", b"\r\n\r\n", b"\0" * 4096, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"POST /v1/poster HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"A" * 100_000,
                     b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n", b"POST /v1/poster HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", b"\x16\x03\x01\x02\x00"):
            with self.subTest(data=data[:30]):
                self.assertFalse(self.raw(data).startswith(b"HTTP/1.1 200"))
        self.assertTrue(self.is_alive())

    def test_clients_that_go_in_the_middle_take_nothing_with_them(self):
        body = json.dumps({"text": "gone"}).encode()
        for part in (b"POST /v1/po", b"POST /v1/poster HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{\"te",
                     b"POST /v1/poster HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)):
            for _ in range(5):
                with socket.create_connection(("127.0.0.1", self.service.port), timeout=10) as client:
                    client.sendall(part)
        self.assertTrue(self.is_alive())

    def test_slow_clients_hold_their_own_connection_only(self):
        slow = [socket.create_connection(("127.0.0.1", self.service.port), timeout=10) for _ in range(4)]
        try:
            for client in slow:
                client.sendall(b"POST /v1/poster HTTP/1.1\r\nHost: x\r\n")
            with concurrent.futures.ThreadPoolExecutor(3) as pool:
                self.assertTrue(all(pool.map(lambda _: self.is_alive(), range(3))))
        finally:
            for client in slow:
                client.close()

    def test_metrics_count_refusals_by_their_status(self):
        def count(code):
            with urllib.request.urlopen(self.service.url.replace("/v1/poster", "/metrics"), timeout=10) as reply:
                for line in reply.read().decode().splitlines():
                    if line.startswith(f'poster_requests_total{{endpoint="poster",code="{code}"}}'):
                        return int(line.split()[-1])
            return 0
        before = count(400)
        for _ in range(3):
            self.post(b"{")
        self.assertEqual(count(400), before + 3)


if __name__ == "__main__":
    unittest.main(verbosity=2)
