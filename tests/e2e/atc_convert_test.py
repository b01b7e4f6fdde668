#!/usr/bin/env python3
"""atc convert on the example's graphs and on published ones, and its manners. Usage: atc_convert_test.py BUILD_DIR"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop()).resolve() if len(sys.argv) > 1 else ROOT / "build/dev"
ENGINE = ROOT / "third_party/engine"


class Atc(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.at = pathlib.Path(self.folder.name)

    def atc(self, *words, path=None, lang="en"):
        env = dict(os.environ, PATH=path or "/usr/bin:/bin", LANG=lang)
        return subprocess.run([BUILD / "bin/atc", *map(str, words)], cwd=self.at, env=env, capture_output=True, text=True)

    def convert(self, model, *words):
        return self.atc("convert", "--model", model, "--output", "out.onnx", *words)

    def need_engine(self):
        if not (ENGINE / ".done").exists():
            self.skipTest("the inference engine is not installed")

    def test_example_graphs_lose_their_transposes_and_stay_equal(self):
        self.need_engine()
        for name, gone in (("text_encoder", ("Transpose", "Softmax", "Erf")), ("denoiser", ("Tanh", "Sigmoid", "Pow")), ("decoder", ("Transpose", "Sigmoid", "ReduceMean"))):
            done = self.convert(BUILD / "models" / f"{name}.onnx")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(": equal", done.stdout)
            for op in gone:
                self.assertRegex(done.stdout, rf"{op} +\d+ -> 0") if op in done.stdout else None

    def test_published_models_convert_and_stay_equal(self):
        self.need_engine()
        shapes = {"ch_PP-OCRv4_det_infer": [], "ch_ppocr_mobile_v2.0_cls_infer": ["--input_shape", "x:1,3,48,192"], "ch_PP-OCRv4_rec_infer": ["--input_shape", "x:1,3,48,320"],
                  "face_detection_front_128x128_barracuda": []}
        for name, options in shapes.items():
            done = self.convert(ENGINE / "models" / f"{name}.onnx", *options)
            self.assertEqual(done.returncode, 0, (name, done.stderr))
            self.assertNotIn("NOT equal", done.stdout)

    def test_boxed_command_writes_a_container_that_is_read_again(self):
        self.need_engine()
        (self.at / "sd3_original.onnx").write_bytes((BUILD / "models/denoiser.onnx").read_bytes())
        done = self.atc("convert", "--model", "sd3_original.onnx", "--input_format", "NCHW", "--output_format", "NCHW", "--output", "sd3_nchw.om")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.at / "sd3_nchw.om").read_bytes().startswith(b"CANN-PROFILER-OM/1\n{"))
        self.assertEqual(self.convert("sd3_nchw.om").returncode, 0)

    def test_layout_of_the_border_changes(self):
        self.need_engine()
        done = self.convert(BUILD / "models/decoder.onnx", "--input_format", "NCHW", "--output_format", "NHWC")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 inputs and outputs have the other layout now", done.stdout)

    def test_guide_and_profiler_config_are_written_beside(self):
        self.need_engine()
        done = self.atc("convert", "--model", BUILD / "models/decoder.onnx", "--generate_profiler_guide", "true", "--output", "sd3_profiler_guide.md")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(p.name for p in self.at.iterdir() if p.suffix), ["atc_profiler_config.yaml", "decoder_atc.onnx", "sd3_profiler_guide.md"])
        self.assertIn("schema: cann-profiler/atc_profiler_config/1", (self.at / "atc_profiler_config.yaml").read_text())

    def test_fusion_config_switches_a_pass_off(self):
        self.need_engine()
        (self.at / "f.json").write_text(json.dumps({"passes": {"layout": False, "group_norm_layout": False}}))
        done = self.convert(BUILD / "models/decoder.onnx", "--fusion_config", "f.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("\n  layout ", done.stdout)
        (self.at / "f.json").write_text('{"passes": {"lay\\u001b[31mout": true}}')
        done = self.convert(BUILD / "models/decoder.onnx", "--fusion_config", "f.json")
        self.assertEqual((done.returncode, done.stderr.count("\n"), "\x1b" in done.stderr), (2, 1, False))

    def test_wrong_input_is_one_line_and_the_output_stays_as_it_was(self):
        (self.at / "out.onnx").write_text("precious")
        (self.at / "text.onnx").write_text("no model")
        (self.at / "huawei.om").write_bytes(b"IMOD" + bytes(500))
        (self.at / "cut.onnx").write_bytes((BUILD / "models/decoder.onnx").read_bytes()[:100_000])
        (self.at / "empty.onnx").write_bytes(b"")
        for name in ("text.onnx", "huawei.om", "cut.onnx", "empty.onnx", "absent.onnx", "."):
            done = self.convert(name)
            self.assertIn((done.returncode, done.stderr.count("\n")), ((3, 1), (2, 1)), (name, done.stderr))
            self.assertEqual((self.at / "out.onnx").read_text(), "precious")

    def test_what_is_not_built_in_says_so(self):
        for precision in ("int8", "fp16"):
            done = self.convert(BUILD / "models/decoder.onnx", "--precision", precision)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
            self.assertIn("not built in", done.stderr)

    def test_output_of_another_kind_lists_those_that_exist(self):
        done = self.atc("convert", "--model", BUILD / "models/decoder.onnx", "--output", "x.pdf")
        self.assertEqual(done.returncode, 2)
        self.assertIn(".onnx or .om", done.stderr)

    def test_two_runs_give_equal_bytes(self):
        self.need_engine()
        self.convert(BUILD / "models/text_encoder.onnx")
        first = (self.at / "out.onnx").read_bytes()
        self.convert(BUILD / "models/text_encoder.onnx")
        self.assertEqual(first, (self.at / "out.onnx").read_bytes())

    def test_other_command_lines_go_to_the_vendors_atc(self):
        vendor = self.at / "vendor"
        vendor.mkdir()
        script = vendor / "atc"
        script.write_text('#!/bin/sh\necho "vendor: $*"\nexit 7\n')
        script.chmod(0o755)
        path = f"{BUILD / 'bin'}:{vendor}:/usr/bin:/bin"
        done = self.atc("--model=m.onnx", "--framework=5", "--output=m", "--soc_version=Ascend310", path=path)
        self.assertEqual((done.returncode, done.stdout), (7, "vendor: --model=m.onnx --framework=5 --output=m --soc_version=Ascend310\n"))
        self.assertEqual(self.atc("convert", "--help", path=path).returncode, 0)
        alone = self.atc("--model=m.onnx", "--framework=5")
        self.assertEqual((alone.returncode, alone.stderr.count("\n")), (2, 1))

    def test_report_speaks_chinese(self):
        self.need_engine()
        done = self.atc("convert", "--model", BUILD / "models/text_encoder.onnx", "--output", "out.onnx", lang="zh_CN.UTF-8")
        self.assertIn("已写出：out.onnx", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
