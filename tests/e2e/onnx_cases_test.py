#!/usr/bin/env python3
"""atc on the operator cases that ONNX itself publishes: what is folded has the published value, what is converted is a valid model
with the same border and, by the engine, the same outputs. Usage: onnx_cases_test.py BUILD_DIR
"""
import collections
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

for name, kind in (("float", float), ("int", int), ("bool", bool), ("object", object), ("str", str)):
    if name not in vars(np):
        setattr(np, name, kind)  # onnx 1.12 asks for names that numpy 1.24 no longer has

import onnx  # noqa: E402
from onnx import TensorProto, checker, helper, numpy_helper  # noqa: E402
from onnx.backend.test.case.node import collect_testcases  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ROOT / "build/release").resolve()
ENGINE = ROOT / "third_party/engine"
# Their outputs are drawn at random: two runs of the same model differ, and atc must not call them equal.
RANDOM = ("Bernoulli", "Dropout", "RandomNormal", "RandomUniform", "Multinomial", "RandomUniformLike")
STRIDE = 5
# What src/graph/evaluate.cpp computes itself.
FOLDABLE = {"Identity", "Add", "Sub", "Mul", "Div", "Sqrt", "Reciprocal", "Neg", "Cast", "Transpose", "Reshape", "Unsqueeze", "Squeeze"}


def cases():
    """(name, model with its inputs as constants, expected outputs) of the published cases that hold plain tensors."""
    for case in collect_testcases(None):
        if case.model is None or not case.data_sets:
            continue
        given, expected = case.data_sets[0]
        opsets = [o.version for o in case.model.opset_import if o.domain == ""]
        if not opsets or not 8 <= opsets[0] <= 17 or any(o.domain not in ("", "ai.onnx") for o in case.model.opset_import):
            continue
        # Scalars of numpy are arrays without dimensions; lists are sequences, which no constant can hold.
        if any(isinstance(v, (list, dict)) or v is None for v in [*given, *expected]):
            continue
        model = onnx.ModelProto()
        model.CopyFrom(case.model)
        names = [i.name for i in model.graph.input]
        model.graph.initializer.extend(numpy_helper.from_array(np.array(v), n) for n, v in zip(names, given))
        if model.ir_version >= 4:
            left = [i for i in model.graph.input if i.name not in names[:len(given)]]
            del model.graph.input[:]
            model.graph.input.extend(left)
        yield case.name, model, [np.array(v) for v in expected]


class OnnxCases(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.all = list(cases())

    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.at = pathlib.Path(temp.name)

    def convert(self, model, *words):
        (self.at / "in.onnx").write_bytes(model.SerializeToString())
        (self.at / "out.onnx").unlink(missing_ok=True)
        return subprocess.run([BUILD / "bin/atc", "convert", "--model", "in.onnx", "--output", "out.onnx", "--no_journal", "--lang", "en", *words],
                              cwd=self.at, capture_output=True, text=True, errors="replace", timeout=120)

    def test_the_published_cases_convert_and_give_the_same_outputs(self):
        if not (ENGINE / ".done").exists():
            self.skipTest("the inference engine is not installed")
        statuses = collections.Counter()
        for name, model, _ in self.all[::STRIDE]:
            with self.subTest(case=name):
                done = self.convert(model)
                statuses[done.returncode] += 1
                ops = {n.op_type for n in model.graph.node}
                if done.returncode == 3:  # the engine cannot run the given model at all, or it holds no numbers: one line says so
                    self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                    self.assertIn("the given model: ", done.stderr)
                    continue
                if ops & set(RANDOM) or any(f"{r}" in name.lower() for r in ("bernoulli", "dropout")):
                    self.assertIn(done.returncode, (0, 1), done.stderr)
                    continue
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertNotIn("NOT equal", done.stdout)
                made = onnx.load(str(self.at / "out.onnx"))
                checker.check_model(made)
                border = [(v.name, v.type.SerializeToString()) for v in model.graph.output]
                self.assertEqual([(v.name, v.type.SerializeToString()) for v in made.graph.output], border)
        self.assertGreaterEqual(statuses[0], 100, statuses)

    def test_what_is_folded_has_the_published_value(self):
        folded = collections.Counter()
        for name, model, expected in self.all:
            if not any(n.op_type in FOLDABLE for n in model.graph.node):
                continue
            for output, value in zip(list(model.graph.output), expected):
                if value.dtype.kind not in "fiub":
                    continue
                # A free input behind the output: the output itself is then an inner value, which may be folded.
                shape = helper.make_tensor_value_info("free_shape", TensorProto.INT64, [value.ndim])
                node = helper.make_node("Expand", [output.name, "free_shape"], ["shown"])
                probe = onnx.ModelProto()
                probe.CopyFrom(model)
                probe.graph.input.append(shape)
                probe.graph.node.append(node)
                del probe.graph.output[:]
                probe.graph.output.append(helper.make_tensor_value_info("shown", output.type.tensor_type.elem_type, [None] * value.ndim))
                with self.subTest(case=name):
                    done = self.convert(probe, "--proof", "false")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    made = onnx.load(str(self.at / "out.onnx"))
                    constants = {t.name: numpy_helper.to_array(t) for t in made.graph.initializer}
                    last = made.graph.node[-1]
                    if len(made.graph.node) != 1 or last.op_type != "Expand" or last.input[0] not in constants:
                        continue  # not folded: the engine's business
                    got = constants[last.input[0]]
                    self.assertEqual((got.dtype, got.shape), (value.dtype, value.shape))
                    np.testing.assert_allclose(got.astype(np.float64), value.astype(np.float64), rtol=1e-5, atol=1e-6)
                    folded[model.graph.node[0].op_type] += 1
        self.assertGreaterEqual(sum(folded.values()), 40, folded)
        self.assertGreaterEqual(len(folded), 12, folded)


class OddModels(unittest.TestCase):
    """Models that are broken or strange on purpose: converted, or refused in one line with status 3."""

    def setUp(self):
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.at = pathlib.Path(temp.name)

    def convert(self, data, *words):
        (self.at / "out.onnx").unlink(missing_ok=True)
        (self.at / "in.onnx").write_bytes(data if isinstance(data, bytes) else data.SerializeToString())
        return subprocess.run([BUILD / "bin/atc", "convert", "--model", "in.onnx", "--output", "out.onnx", "--no_journal", "--lang", "en",
                               "--proof", "false", *words], cwd=self.at, capture_output=True, text=True, errors="replace", timeout=120)

    def refused(self, data, says):
        done = self.convert(data)
        lines = [line for line in done.stderr.splitlines() if "not proved" not in line]
        self.assertEqual((done.returncode, len(lines)), (3, 1), done.stderr[:500])
        self.assertIn(says, lines[0])
        self.assertFalse((self.at / "out.onnx").exists())

    @staticmethod
    def model(nodes, initializers=(), inputs=("x",), outputs=("y",), opset=16):
        value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 3])  # noqa: E731
        graph = helper.make_graph(list(nodes), "g", [value(n) for n in inputs], [value(n) for n in outputs], list(initializers))
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)

    def test_graphs_that_break_the_rules_are_refused_by_name(self):
        relu = helper.make_node("Relu", ["x"], ["y"])
        rows = {
            "a cycle": [helper.make_node("Add", ["x", "b"], ["a"]), helper.make_node("Relu", ["a"], ["b"]), helper.make_node("Relu", ["b"], ["y"])],
            "a node before what it needs": [helper.make_node("Relu", ["a"], ["y"]), helper.make_node("Relu", ["x"], ["a"])],
            "an input from nowhere": [helper.make_node("Add", ["x", "ghost"], ["y"])],
            "two makers of one value": [relu, helper.make_node("Sigmoid", ["x"], ["y"])],
            "an output that nobody makes": [helper.make_node("Relu", ["x"], ["z"])],
            "an operator that does not exist": [helper.make_node("Relux", ["x"], ["y"])],
            "an attribute that is missing": [helper.make_node("Cast", ["x"], ["y"])],
        }
        for what, nodes in rows.items():
            with self.subTest(what=what):
                self.refused(self.model(nodes), "in.onnx")

    def test_what_makes_the_onnx_library_crash_ends_in_one_line_too(self):
        strided = helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[1], strides=[0])
        value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 2, 3])  # noqa: E731
        pool = helper.make_model(helper.make_graph([strided], "g", [value("x")], [value("y")]), ir_version=8,
                                 opset_imports=[helper.make_opsetid("", 16)])
        endless = self.model([helper.make_node("F", ["x"], ["y"], domain="d")])
        endless.opset_import.append(helper.make_opsetid("d", 1))
        endless.functions.append(helper.make_function("d", "F", ["x"], ["y"], [helper.make_node("F", ["x"], ["y"], domain="d")],
                                                      [helper.make_opsetid("", 16), helper.make_opsetid("d", 1)]))
        for what, model in (("a stride of nothing", pool), ("a function of itself", endless)):
            with self.subTest(what=what):
                self.refused(model, "atc: 'convert'")
                self.assertEqual([path.name for path in self.at.iterdir()], ["in.onnx"])

    def test_weights_outside_the_file_are_never_followed(self):
        (self.at / "secret.bin").write_bytes(b"\1" * 24)
        for place in ("secret.bin", "../../etc/passwd", "/etc/passwd", "", "a\nb"):
            with self.subTest(place=place):
                weight = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2, 3], data_location=TensorProto.EXTERNAL)
                weight.external_data.add(key="location", value=place)
                self.refused(self.model([helper.make_node("Add", ["x", "w"], ["y"])], [weight]), "in.onnx")

    def test_claims_about_sizes_are_not_believed(self):
        for dims, count in (([1 << 31, 1 << 31], 0), ([-1, 3], 6), ([2, 3], 2), ([1 << 20, 1 << 20, 1 << 20, 1 << 20], 6), ([2, 3], 600)):
            with self.subTest(dims=dims, count=count):
                weight = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=dims, raw_data=b"\0\0\0\0" * count)
                done = self.convert(self.model([helper.make_node("Add", ["x", "w"], ["y"])], [weight]))
                self.assertIn(done.returncode, (0, 3), done.stderr[:300])
                self.assertNotIn("memory", done.stderr)
                self.assertLessEqual(done.stderr.count("\n"), 2)

    def test_foldable_bombs_are_left_to_the_engine(self):
        shape = numpy_helper.from_array(np.array([1 << 20, 1 << 20], np.int64), "s")
        nodes = [helper.make_node("ConstantOfShape", ["s"], ["big"]), helper.make_node("ReduceSum", ["big"], ["sum"], keepdims=0),
                 helper.make_node("Add", ["x", "sum"], ["y"])]
        done = self.convert(self.model(nodes, [shape]))
        self.assertIn(done.returncode, (0, 3), done.stderr[:300])
        self.assertLess(len((self.at / "out.onnx").read_bytes()) if done.returncode == 0 else 0, 1 << 20)

    def test_operator_sets_that_are_not_read_say_which_are(self):
        for opset in (1, 6, 18, 99, 2**31 - 1):
            with self.subTest(opset=opset):
                self.refused(self.model([helper.make_node("Relu", ["x"], ["y"])], opset=opset), "opset_version=17")

    def test_random_and_cut_bytes_are_refused(self):
        whole = self.model([helper.make_node("Relu", ["x"], ["y"])]).SerializeToString()
        random = np.random.RandomState(7)
        for i in range(40):
            damaged = bytearray(whole)
            for _ in range(1 + i % 4):
                damaged[random.randint(len(damaged))] = random.randint(256)
            done = self.convert(bytes(damaged))
            self.assertIn(done.returncode, (0, 3), (i, done.stderr[:300]))
            self.assertLessEqual(done.stderr.count("\n"), 2, (i, done.stderr))
        for size in range(0, len(whole), 7):
            done = self.convert(whole[:size])
            self.assertIn(done.returncode, (0, 3), (size, done.stderr[:300]))
        self.refused(random.bytes(5000), "in.onnx")

    def test_branches_and_loops_keep_what_they_capture(self):
        value = lambda name, kind=TensorProto.FLOAT, dims=(2, 3): helper.make_tensor_value_info(name, kind, dims)  # noqa: E731
        then = helper.make_graph([helper.make_node("Mul", ["twice", "k"], ["t"])], "then", [], [value("t")])
        other = helper.make_graph([helper.make_node("Identity", ["twice"], ["e"])], "else", [], [value("e")])
        two = numpy_helper.from_array(np.array(2, np.float32), "two")
        k = numpy_helper.from_array(np.array(3, np.float32), "k")
        nodes = [helper.make_node("Mul", ["x", "two"], ["twice"]), helper.make_node("If", ["c"], ["y"], then_branch=then, else_branch=other)]
        graph = helper.make_graph(nodes, "g", [value("x"), value("c", TensorProto.BOOL, ())], [value("y")], [two, k])
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 16)], ir_version=8)
        done = self.convert(model)
        self.assertEqual(done.returncode, 0, done.stderr)
        made = onnx.load(str(self.at / "out.onnx"))
        checker.check_model(made)
        self.assertEqual({n.op_type for n in made.graph.node}, {"Mul", "If"})
        self.assertEqual({t.name for t in made.graph.initializer}, {"two", "k"})

    def test_hostile_names_end_in_one_line_of_plain_text(self):
        for name in ("\x1b[31mred", "a\nb", "x" * 100_000, "\u202egnp", "'; rm -rf /", ""):
            with self.subTest(name=name[:20]):
                done = self.convert(self.model([helper.make_node("Add", ["x", name or "\0"], ["y"], name=name)]))
                self.assertIn(done.returncode, (0, 3))
                self.assertNotIn("\x1b", done.stderr)
                self.assertNotIn("\u202e", done.stderr)
                self.assertLess(len(done.stderr), 2000)
                self.assertLessEqual(done.stderr.count("\n"), 2)


if __name__ == "__main__":
    unittest.main()
