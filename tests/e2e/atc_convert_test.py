#!/usr/bin/env python3
"""atc convert on the example's graphs and on published ones, and its manners. Usage: atc_convert_test.py BUILD_DIR"""
import json
import os
import pathlib
import signal
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

    def refused(self, done, code, *words):
        """One line on standard error, the exit status, and no output file."""
        self.assertEqual((done.returncode, done.stderr.count("\n")), (code, 1), done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertFalse((self.at / "out.onnx").exists())

    def leftovers(self):
        return sorted(p.name for p in self.at.iterdir() if p.name != ".profiler")

    def test_outputs_that_differ_by_more_than_the_tolerance_are_not_written(self):
        self.need_engine()
        done = self.convert(BUILD / "models/decoder.onnx", "--tolerance", "1e-9")
        self.refused(done, 1, "nothing was written")
        self.assertRegex(done.stdout, r"image: NOT equal")
        self.assertEqual(self.leftovers(), [])

    def test_output_never_replaces_its_own_input(self):
        whole = (BUILD / "models/text_encoder.onnx").read_bytes()
        (self.at / "m.onnx").write_bytes(whole)
        (self.at / "link.onnx").symlink_to("m.onnx")
        os.link(self.at / "m.onnx", self.at / "second.onnx")
        for output in ("m.onnx", "./m.onnx", self.at / "m.onnx", "link.onnx", "second.onnx"):
            done = self.atc("convert", "--model", "m.onnx", "--output", output)
            self.refused(done, 2, "is the same file as")
            self.assertEqual((self.at / "m.onnx").read_bytes(), whole)
        self.assertTrue((self.at / "link.onnx").is_symlink())

    def test_output_that_cannot_be_written_is_said_before_the_work(self):
        model = BUILD / "models/decoder.onnx"
        self.refused(self.atc("convert", "--model", model, "--output", "no/such/folder/x.onnx"), 3, "no/such/folder/x.onnx")
        (self.at / "folder.onnx").mkdir()
        self.refused(self.atc("convert", "--model", model, "--output", "folder.onnx"), 2, "is a folder")
        (self.at / "file").write_text("")
        self.refused(self.atc("convert", "--model", model, "--output", "file/x.onnx"), 3, "file/x.onnx")
        if os.geteuid() != 0:
            (self.at / "locked").mkdir(mode=0o500)
            self.refused(self.atc("convert", "--model", model, "--output", "locked/x.onnx"), 5, "locked/x.onnx")

    def test_wrong_values_of_options_are_one_line(self):
        model = BUILD / "models/text_encoder.onnx"
        for words, hint in ((("--tolerance", "2"), "between 1e-9 and 1"), (("--tolerance", "0"), "between 1e-9 and 1"), (("--tolerance", "small"), "tolerance"), (("--measure", "0"), "measure"),
                            (("--input_format", "CHWN"), "NHWC"), (("--precision", "fp8"), "int8"), (("--proof", "perhaps"), "proof"), (("--seed", "-1"), "seed"),
                            (("--toleranze", "1e-4"), "--tolerance"), (("surplus",), "surplus")):
            self.refused(self.convert(model, *words), 2, hint)
        for missing in (("--model", model), ("--output", "out.onnx")):
            self.refused(self.atc("convert", *missing), 2, "is needed")

    def test_shapes_that_do_not_fit_the_model_are_refused(self):
        self.need_engine()
        model = ENGINE / "models/ch_PP-OCRv4_det_infer.onnx"
        for shape, hint in (("x", "NAME:1,3,320,320"), ("x:", "dimensions"), (":1,2", "NAME:1,3,320,320"), ("x:1,3,a,b", "NAME:1,3,320,320"), ("x:1,-3,64,64", "NAME:1,3,320,320"),
                            ("x:99999999999", "NAME:1,3,320,320"), ("ghost:1,3,64,64", "no input 'ghost'"), ("x:1,3,64", "4 dimensions")):
            self.refused(self.convert(model, "--input_shape", shape), 2, hint)
        self.refused(self.convert(model, "--input_shape", "x:1,3,65536,65536"), 3, "too large")
        self.refused(self.convert(model, "--input_shape", "x:1,5,64,64"), 3, "the given model")
        self.assertEqual(self.convert(model, "--input-shape", "x:1,3,64,96").returncode, 0)

    def test_fusion_config_that_is_wrong_says_where_and_what(self):
        model = BUILD / "models/text_encoder.onnx"
        for text, code, hint in (("", 3, "no JSON object"), ("{", 3, "no JSON object"), ("[]", 3, "no JSON object"), ("{}", 3, "'passes'"), ('{"passes": 3}', 3, "'passes'"),
                                 ('{"passes": {"layout": "perhaps"}}', 3, "'layout' must be true"), ('{"passes": [1]}', 3, "must be names"), ("[" * 100_000, 3, "no JSON object"),
                                 ('{"schema": "other/1", "passes": []}', 3, "cann-profiler/fusion_config/1"), ('{"passes": ["layer_nrom"]}', 2, "did you mean 'layer_norm'?"),
                                 ('{"passes": {"zzzzzzzz": true}}', 2, "there are fold_constants"), ('{"Switch": {"GraphFusion": {"Layout": "on"}}}', 2, "did you mean 'layout'?")):
            (self.at / "f.json").write_text(text)
            self.refused(self.convert(model, "--fusion_config", "f.json"), code, "f.json", hint)
        self.refused(self.convert(model, "--fusion_config", "absent.json"), 3, "absent.json")

    def test_fusion_config_list_runs_only_what_it_names(self):
        self.need_engine()
        (self.at / "f.json").write_text('{"passes": ["silu"]}')
        done = self.convert(BUILD / "models/text_encoder.onnx", "--fusion_config", "f.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"QuickGelu +0 -> 2")
        self.assertNotIn("Transpose", done.stdout)

    def test_without_a_proof_every_run_says_so(self):
        done = self.convert(BUILD / "models/text_encoder.onnx", "--proof", "false")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (0, 1))
        self.assertIn("not proved", done.stderr)
        self.assertTrue((self.at / "out.onnx").exists())

    def test_standard_output_carries_the_model_and_nothing_else(self):
        words = ("convert", "--model", BUILD / "models/text_encoder.onnx", "--proof", "false", "--output")
        self.atc(*words, "out.onnx")
        env = dict(os.environ, LANG="en")
        done = subprocess.run([BUILD / "bin/atc", *map(str, words), "-"], cwd=self.at, env=env, capture_output=True)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout, (self.at / "out.onnx").read_bytes())
        self.assertIn(b"146 operators -> ", done.stderr)

    def test_engine_that_is_none_says_how_to_get_one(self):
        self.refused(self.convert(BUILD / "models/text_encoder.onnx", "--engine", "/nowhere"), 3, "tools/install_engine.sh")
        (self.at / "libfake.so").write_text("no library")
        self.refused(self.convert(BUILD / "models/text_encoder.onnx", "--engine", self.at / "libfake.so"), 3, "tools/install_engine.sh")

    def test_interrupted_work_leaves_nothing_behind(self):
        self.need_engine()
        words = ["convert", "--model", BUILD / "models/decoder.onnx", "--output", "out.onnx", "--measure", "100000"]
        running = subprocess.Popen([BUILD / "bin/atc", *map(str, words)], cwd=self.at, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with self.assertRaises(subprocess.TimeoutExpired):
            running.communicate(timeout=3)
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=30)
        self.assertIn(running.returncode, (130, -signal.SIGINT))
        self.assertEqual(self.leftovers(), [])

    def test_errors_speak_chinese_too(self):
        done = self.atc("convert", "--model", BUILD / "models/decoder.onnx", "--output", "out.onnx", "--precision", "int8", lang="zh_CN.UTF-8")
        self.refused(done, 2, "尚未实现 --precision int8")
        done = self.atc("convert", "--model", BUILD / "models/text_encoder.onnx", "--proof", "false", "--generate_profiler_guide", "true", "--output", "g.md", "--lang", "zh")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("未经证明", done.stderr)
        self.assertIn("未经证明", (self.at / "g.md").read_text())

    def test_help_shows_a_command_that_can_be_run(self):
        done = self.atc("convert", "--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("atc convert --model sd3_original.onnx", done.stdout.splitlines()[1])
        for option in ("--model", "--output", "--input_format", "--output_format", "--fusion_config", "--precision", "--generate_profiler_guide", "--proof", "--tolerance", "--seed",
                       "--input_shape", "--measure", "--engine", "--lang", "--strict"):
            self.assertIn(option, done.stdout)

    def test_report_speaks_chinese(self):
        self.need_engine()
        done = self.atc("convert", "--model", BUILD / "models/text_encoder.onnx", "--output", "out.onnx", lang="zh_CN.UTF-8")
        self.assertIn("已写出：out.onnx", done.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
