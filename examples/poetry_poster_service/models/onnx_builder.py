"""A small writer of ONNX graphs in the two dialects that real exporters speak.

`Graph` holds nodes, seeded weights and shapes arithmetic helpers. The pattern functions follow, node for node, what
torch.onnx (opset 16, dynamic batch) and tf2onnx emit; docs/example_service.md says where each comes from.
"""
import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, shape_inference

F32, I64 = TensorProto.FLOAT, TensorProto.INT64
INT64_MAX = 2**63 - 1


class Graph:
    def __init__(self, name, seed):
        self.name = name
        self.rng = np.random.default_rng(seed)
        self.nodes, self.weights, self.inputs, self.outputs = [], [], [], []
        self.scope, self.count = [], 0

    def input(self, name, shape, dtype=F32):
        self.inputs.append(helper.make_tensor_value_info(name, dtype, shape))
        return name

    def output(self, name, value, shape, dtype=F32):
        self.nodes.append(helper.make_node("Identity", [value], [name], name=f"/{name}/Identity"))
        self.outputs.append(helper.make_tensor_value_info(name, dtype, shape))

    def op(self, kind, *inputs, outputs=1, **attributes):
        """Appends one node named after the module path, as exporters do; returns its output name(s)."""
        self.count += 1
        path = "/" + "/".join(self.scope + [kind]) + f"_{self.count}"
        outs = [f"{path}_output_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), outs, name=path, **attributes))
        return outs[0] if outputs == 1 else outs

    def const(self, value, dtype=np.float32):
        """A Constant node, as both exporters write literals."""
        array = np.array(value, dtype=dtype)
        self.count += 1
        name = "/" + "/".join(self.scope + ["Constant"]) + f"_{self.count}_output_0"
        self.nodes.append(helper.make_node("Constant", [], [name], name=name[:-9], value=numpy_helper.from_array(array)))
        return name

    def ints(self, *values):
        return self.const(list(values), np.int64)

    def weight(self, name, array):
        path = ".".join(self.scope + [name])
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(array, dtype=np.float32), path))
        return path

    def normal(self, name, shape, scale):
        return self.weight(name, self.rng.standard_normal(shape) * scale)

    def within(self, *names):
        return _Scope(self, names)

    def model(self, opset, producer):
        graph = helper.make_graph(self.nodes, self.name, self.inputs, self.outputs, self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], producer_name=producer)
        model.ir_version = 8
        checker.check_model(model)
        shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
        return model


class _Scope:
    def __init__(self, graph, names):
        self.graph, self.names = graph, names

    def __enter__(self):
        self.graph.scope += list(self.names)

    def __exit__(self, *_):
        del self.graph.scope[-len(self.names):]


# ---- what torch.onnx writes ------------------------------------------------------------------------------------------

def dim(g, x, axis):
    """x.size(axis): Shape, Gather; a scalar."""
    return g.op("Gather", g.op("Shape", x), g.const(axis, np.int64), axis=0)


def view(g, x, *dims):
    """x.view(*dims) with traced sizes: each becomes an Unsqueeze, joined by Concat, then Reshape."""
    parts = [g.op("Unsqueeze", d, g.ints(0)) if isinstance(d, str) else g.ints(d) for d in dims]
    return g.op("Reshape", x, g.op("Concat", *parts, axis=0))


def linear(g, name, x, n_in, n_out, scale=1.0):
    """nn.Linear on 3-D input: MatMul with the transposed weight, then Add."""
    with g.within(name):
        w = g.normal("weight", (n_in, n_out), scale / np.sqrt(n_in))
        b = g.normal("bias", (n_out,), 0.02)
        return g.op("Add", b, g.op("MatMul", x, w))


def layer_norm(g, x, affine=None):
    """nn.LayerNorm below opset 17. `affine` = width when it has weights; SD3's AdaLN has none."""
    mean = g.op("ReduceMean", x, axes=[-1])
    centred = g.op("Sub", x, mean)
    variance = g.op("ReduceMean", g.op("Pow", centred, g.const(2.0)), axes=[-1])
    y = g.op("Div", centred, g.op("Sqrt", g.op("Add", variance, g.const(1e-6))))
    if affine is None:
        return y
    y = g.op("Mul", y, g.weight("weight", 1 + 0.1 * g.rng.standard_normal(affine)))
    return g.op("Add", y, g.normal("bias", (affine,), 0.02))


def rms_norm(g, x, width):
    """RMSNorm of q and k: torch.rsqrt exports as Div(1, Sqrt(.)), then two Muls."""
    variance = g.op("ReduceMean", g.op("Pow", x, g.const(2.0)), axes=[-1])
    root = g.op("Sqrt", g.op("Add", variance, g.const(1e-6)))
    y = g.op("Mul", x, g.op("Div", g.const(1.0), root))
    return g.op("Mul", y, g.weight("weight", 1 + 0.1 * g.rng.standard_normal(width)))


def silu(g, x):
    return g.op("Mul", x, g.op("Sigmoid", x))


def gelu_tanh(g, x):
    """F.gelu(x, approximate='tanh'): the cube is two Muls, not Pow."""
    cube = g.op("Mul", x, g.op("Mul", x, x))
    inner = g.op("Mul", g.const(0.7978845608028654),
                 g.op("Add", x, g.op("Mul", g.const(0.044715), cube)))
    gate = g.op("Add", g.const(1.0), g.op("Tanh", inner))
    return g.op("Mul", g.const(0.5), g.op("Mul", x, gate))


def attention(g, q, k, v):
    """F.scaled_dot_product_attention: the scale comes from the shape of q, its square root multiplies q and k."""
    last = g.op("Slice", g.op("Shape", q), g.ints(-1), g.ints(INT64_MAX))
    scale = g.op("Div", g.const([1.0]), g.op("Sqrt", g.op("Cast", last, to=F32)))
    k_t = g.op("Transpose", k, perm=[0, 1, 3, 2])
    q = g.op("Mul", q, g.op("Sqrt", scale))
    k_t = g.op("Mul", k_t, g.op("Sqrt", scale))
    return g.op("MatMul", g.op("Softmax", g.op("MatMul", q, k_t), axis=-1), v)


def heads(g, x, batch, n_heads, width):
    """x.view(batch, -1, heads, head_dim).transpose(1, 2)"""
    return g.op("Transpose", view(g, x, batch, -1, n_heads, width // n_heads), perm=[0, 2, 1, 3])


def unheads(g, x, batch, width):
    """x.transpose(1, 2).reshape(batch, -1, width)"""
    return view(g, g.op("Transpose", x, perm=[0, 2, 1, 3]), batch, -1, width)


# ---- what tf2onnx writes for Keras (NHWC) ------------------------------------------------------------------------------

TO_NCHW, TO_NHWC = [0, 3, 1, 2], [0, 2, 3, 1]


def keras_conv(g, name, x, n_in, n_out, kernel, gain=1.0):
    """Conv2D(padding='same') on an NHWC tensor: Transpose, Conv, Transpose."""
    with g.within(name, "Conv2D"):
        w = g.normal("weights_fused_bn", (n_out, n_in, kernel, kernel), gain / np.sqrt(n_in * kernel * kernel))
        b = g.normal("bias_fused_bn", (n_out,), 0.05)
        pad = kernel // 2
        y = g.op("Conv", g.op("Transpose", x, perm=TO_NCHW), w, b, kernel_shape=[kernel, kernel],
                 pads=[pad] * 4, strides=[1, 1], dilations=[1, 1], group=1)
        return g.op("Transpose", y, perm=TO_NHWC)


def keras_group_norm(g, name, x, height, width, channels, groups):
    """keras.layers.GroupNormalization: reshape into groups, tf.nn.moments, tf.nn.batch_normalization, reshape back."""
    with g.within(name):
        gshape = (1, 1, 1, groups, channels // groups)
        gamma = g.weight("Reshape_gamma", 1 + 0.1 * g.rng.standard_normal(gshape))
        beta = g.normal("Reshape_beta", gshape, 0.05)
        batch = g.op("Slice", g.op("Shape", x), g.ints(0), g.ints(1), g.ints(0))
        grouped = g.op("Reshape", x, g.op("Concat", batch, g.ints(height, width, groups, channels // groups), axis=0))
        mean = g.op("ReduceMean", grouped, axes=[1, 2, 4], keepdims=1)
        delta = g.op("Sub", grouped, mean)
        variance = g.op("ReduceMean", g.op("Mul", delta, delta), axes=[1, 2, 4], keepdims=1)
        inverse = g.op("Reciprocal", g.op("Sqrt", g.op("Add", variance, g.const(1e-5))))
        inverse = g.op("Mul", inverse, gamma)
        y = g.op("Add", g.op("Mul", grouped, inverse), g.op("Sub", beta, g.op("Mul", mean, inverse)))
        return g.op("Reshape", y, g.op("Concat", batch, g.ints(height, width, channels), axis=0))


def keras_upsample(g, name, x):
    """UpSampling2D(2): Transpose, Resize (nearest, asymmetric), Transpose."""
    with g.within(name):
        y = g.op("Resize", g.op("Transpose", x, perm=TO_NCHW), "", g.const([1, 1, 2, 2]), mode="nearest",
                 nearest_mode="floor", coordinate_transformation_mode="asymmetric")
        return g.op("Transpose", y, perm=TO_NHWC)
