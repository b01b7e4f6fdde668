#!/usr/bin/env python3
"""The example service and its load generator, through their public interfaces. Usage: poster_service_test.py BUILD_DIR

Leaves with status 0 and a line when the build has no service (no inference engine installed).
"""
import concurrent.futures
import json
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import lab  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop()).resolve() if len(sys.argv) > 1 else pathlib.Path("build/dev").resolve()


def post(service, path, body, kind="application/json"):
    """Status, headers and body of one POST; an HTTP error is an answer like any other."""
    request = urllib.request.Request(service.url.replace("/v1/poster", path), body, {"Content-Type": kind})
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def poster(service, **fields):
    return post(service, "/v1/poster", json.dumps(fields).encode())


def get(service, path):
    with urllib.request.urlopen(service.url.replace("/v1/poster", path), timeout=10) as answer:
        return answer.read().decode()


def png_size(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n", data[:8]
    return struct.unpack(">II", data[16:24])


class PosterService(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = lab.Service(BUILD, ["--steps", "2"], preload=False).wait_ready()

    @classmethod
    def tearDownClass(cls):
        cls.service.stop()

    def test_poster_is_a_png_of_the_documented_size(self):
        status, headers, body = poster(self.service, text="床前明月光，疑是地上霜。", seed=1)
        self.assertEqual((status, headers["Content-Type"], png_size(body)), (200, "image/png", (480, 640)))

    def test_same_text_and_seed_give_the_same_bytes(self):
        first = poster(self.service, text="a line", seed=7)[2]
        self.assertEqual(first, poster(self.service, text="a line", seed=7)[2])
        self.assertNotEqual(first, poster(self.service, text="a line", seed=8)[2])

    def test_wrong_requests_are_answered_400_with_one_reason(self):
        for body in (b"", b"{", b"[]", b'{"text": 3}', b'{"text": ""}', b'{"text": "x", "seed": -1}', b'{"text": "x", "steps": 0}',
                     json.dumps({"text": "x" * 2001}).encode(), b'{"text": "\xff\xfe"}'):
            status, _, answer = post(self.service, "/v1/poster", body)
            self.assertEqual((status, list(json.loads(answer))), (400, ["error"]), body[:40])

    def test_hostile_text_is_drawn_not_interpreted(self):
        for text in ('"><script>alert(1)</script>', "=cmd()|' /C calc'!A0", "\x1b[31mred\x07", "<b>&amp;", "line\nline\tend", "🌕" * 100):
            self.assertEqual(poster(self.service, text=text)[0], 200, text)

    def test_detector_finds_the_poem_in_the_lower_half(self):
        if not json.loads(get(self.service, "/health"))["ocr_det"]:
            self.skipTest("the published model is not installed")
        picture = poster(self.service, text="Two roads diverged in a yellow wood", seed=8, steps=8)[2]
        status, _, answer = post(self.service, "/v1/ocr_det", picture, "image/png")
        boxes = json.loads(answer)["boxes"]
        self.assertEqual(status, 200)
        self.assertTrue(any(box["y"] > 320 and box["score"] > 0.8 for box in boxes), boxes)

    def test_damaged_and_bomb_pictures_are_refused(self):
        head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + struct.pack(">IIBBBBB", 100_000, 100_000, 8, 2, 0, 0, 0)
        bomb = head + struct.pack(">I", zlib.crc32(head[12:29])) + b"\0" * 64
        for picture in (b"", b"no picture", b"\x89PNG\r\n\x1a\n", bomb, poster(self.service, text="x")[2][:2000]):
            self.assertIn(post(self.service, "/v1/ocr_det", picture, "image/png")[0], (400, 404))

    def test_metrics_count_what_was_asked(self):
        def count():
            rows = [line for line in get(self.service, "/metrics").splitlines() if line.startswith('poster_requests_total{endpoint="poster",code="200"}')]
            return int(rows[0].split()[-1]) if rows else 0
        before = count()
        poster(self.service, text="x")
        self.assertEqual(count(), before + 1)

    def test_load_generator_reports_every_request(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "load.json"
            run = lambda: subprocess.run([BUILD / "bin/loadgen", "--url", self.service.url, "--rate", "20", "--duration", "1s", "--seed", "3",
                                          "--json", str(out)], capture_output=True, text=True)  # noqa: E731
            done = run()
            load = json.loads(out.read_text())
            self.assertEqual((done.returncode, load["ok"], load["errors"]), (0, load["sent"], {}))
            self.assertEqual(len(load["latencies_ns"]), load["sent"])
            ranked = sorted(load["latencies_ns"])
            self.assertEqual(load["p50_ns"], ranked[-(-len(ranked) // 2) - 1])
            self.assertEqual(load["max_ns"], ranked[-1])
            run()
            self.assertEqual(json.loads(out.read_text())["intended_ns"], load["intended_ns"], "same seed, same arrivals")


class PosterLife(unittest.TestCase):
    def test_full_queue_is_answered_503_and_nothing_is_lost(self):
        options = ["--workers", "1", "--max_batch", "1", "--queue_capacity", "2", "--steps", "8"]
        with lab.Service(BUILD, options, preload=False) as service, concurrent.futures.ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(lambda i: poster(service, text="x", seed=i), range(20)))
        statuses = [status for status, _, _ in answers]
        self.assertEqual(set(statuses), {200, 503})
        self.assertEqual(next(h["Retry-After"] for s, h, _ in answers if s == 503), "1")

    def test_shutdown_answers_what_was_begun(self):
        service = lab.Service(BUILD, ["--steps", "30"], preload=False).wait_ready()
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            running = [pool.submit(poster, service, text="x", seed=i) for i in range(3)]
            while json.loads(get(service, "/health"))["queue_depth"] == 0 and "poster_in_flight 0" in get(service, "/metrics"):
                pass
            service.process.send_signal(signal.SIGTERM)
            statuses = [job.result()[0] for job in running]
        self.assertEqual(service.process.wait(60), 0)
        self.assertIn(200, statuses)
        self.assertLessEqual(set(statuses), {200, 503})

    def test_wrong_flags_are_one_line_and_status_2(self):
        program = BUILD / "bin/poetry_poster_service"
        for flags in (["--worker", "1"], ["--workers", "0"], ["--model", "denoiser"], ["--model", "painter=x.onnx"], ["--config", "/nowhere.yaml"]):
            done = subprocess.run([program, *flags], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), (flags, done.stderr))

    def test_missing_model_is_one_line_and_status_1(self):
        done = subprocess.run([BUILD / "bin/poetry_poster_service", "--port", "0", "--model", "denoiser=/nowhere.onnx"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)


if __name__ == "__main__":
    if not (BUILD / "bin/poetry_poster_service").exists():
        print("no poetry_poster_service in this build: the inference engine is not installed")
        sys.exit(0)
    unittest.main(verbosity=2)
