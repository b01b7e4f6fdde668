#!/usr/bin/env python3
"""Makes the three ONNX graphs of poetry_poster_service with seeded random weights.

Usage: make_models.py OUTPUT_DIR [--seed N]
Same seed, same bytes. Writes text_encoder.onnx, denoiser.onnx, decoder.onnx and models.json (shapes, for the service).
The weights are random, so the pictures are abstract; the arithmetic is that of the real architectures.
"""
import argparse
import json
import pathlib

import numpy as np
import onnx

from onnx_builder import (F32, I64, TO_NCHW, TO_NHWC, Graph, attention, dim, gelu_tanh, heads, keras_conv,
                          keras_group_norm, keras_upsample, layer_norm, linear, rms_norm, silu, unheads, view)

TOKENS, WIDTH, HEADS = 48, 192, 3
LATENT, HEIGHT, COLUMNS, PATCH = 16, 32, 24, 2
DEPTH, TEXT_DEPTH = 4, 2
CHANNELS = (64, 48, 32)  # of the decoder, from latent resolution to picture resolution


def text_encoder(seed):
    """CLIP's text tower in small: embeddings, pre-norm transformer blocks with QuickGELU, final norm, pooled output."""
    g = Graph("text_encoder", seed)
    ids = g.input("input_ids", ["batch", TOKENS], I64)
    with g.within("embeddings"):
        x = g.op("Gather", g.normal("token_embedding.weight", (260, WIDTH), 0.7), ids, axis=0)
        x = g.op("Add", x, g.normal("position_embedding.weight", (1, TOKENS, WIDTH), 0.3))
    for i in range(TEXT_DEPTH):
        with g.within("encoder", f"layers.{i}"):
            with g.within("layer_norm1"):
                y = layer_norm(g, x, WIDTH)
            with g.within("self_attn"):
                batch = dim(g, y, 0)
                q, k, v = (heads(g, linear(g, f"{n}_proj", y, WIDTH, WIDTH), batch, HEADS, WIDTH) for n in "qkv")
                y = linear(g, "out_proj", unheads(g, attention(g, q, k, v), batch, WIDTH), WIDTH, WIDTH)
            x = g.op("Add", x, y)
            with g.within("layer_norm2"):
                y = layer_norm(g, x, WIDTH)
            with g.within("mlp"):
                y = linear(g, "fc1", y, WIDTH, 4 * WIDTH)
                y = g.op("Mul", y, g.op("Sigmoid", g.op("Mul", y, g.const(1.702))))
                y = linear(g, "fc2", y, 4 * WIDTH, WIDTH)
            x = g.op("Add", x, y)
    with g.within("final_layer_norm"):
        x = layer_norm(g, x, WIDTH)
    g.output("text_states", x, ["batch", TOKENS, WIDTH])
    g.output("text_pooled", g.op("ReduceMean", x, axes=[1], keepdims=0), ["batch", WIDTH])
    return g.model(16, "pytorch")


def conditioning(g, t, pooled):
    """CombinedTimestepTextProjEmbeddings: sinusoids of t through an MLP, plus an MLP of the pooled text."""
    with g.within("time_text_embed"):
        freqs = np.exp(-np.log(10000.0) * np.arange(64) / 64).astype(np.float32)
        angle = g.op("Mul", g.op("Unsqueeze", t, g.ints(1)), g.weight("freqs", freqs[None, :] * 1000))
        wave = g.op("Concat", g.op("Cos", angle), g.op("Sin", angle), axis=-1)
        a = linear(g, "linear_2", silu(g, linear(g, "linear_1", wave, 128, WIDTH)), WIDTH, WIDTH)
        b = linear(g, "text_2", silu(g, linear(g, "text_1", pooled, WIDTH, WIDTH)), WIDTH, WIDTH)
        return g.op("Add", a, b)


def modulation(g, name, temb, count):
    """AdaLayerNormZero: SiLU, Linear to `count` chunks, each given a token axis."""
    with g.within(name):
        parts = g.op("Split", linear(g, "linear", silu(g, temb), WIDTH, count * WIDTH, 0.5), g.ints(*[WIDTH] * count),
                     outputs=count, axis=1)
        return [g.op("Unsqueeze", p, g.ints(1)) for p in parts]


def modulate(g, x, scale, shift):
    return g.op("Add", g.op("Mul", layer_norm(g, x), g.op("Add", scale, g.const(1.0))), shift)


def joint_attention(g, image, text):
    """JointAttnProcessor2_0: both streams projected, RMS-normalised per head, joined, attended, split again."""
    batch = dim(g, image, 0)
    joined = []
    for n in "qkv":
        parts = []
        for stream, x in (("to", image), ("add", text)):
            y = heads(g, linear(g, f"{stream}_{n}", x, WIDTH, WIDTH), batch, HEADS, WIDTH)
            if n != "v":
                with g.within(f"norm_{stream}_{n}"):
                    y = rms_norm(g, y, WIDTH // HEADS)
            parts.append(y)
        joined.append(g.op("Concat", *parts, axis=2))
    y = unheads(g, attention(g, *joined), batch, WIDTH)
    n_image = g.op("Unsqueeze", dim(g, image, 1), g.ints(0))
    end = g.ints(2**63 - 1)
    a = g.op("Slice", y, g.ints(0), n_image, g.ints(1))
    b = g.op("Slice", y, n_image, end, g.ints(1))
    return linear(g, "to_out.0", a, WIDTH, WIDTH), linear(g, "to_add_out", b, WIDTH, WIDTH)


def feed_forward(g, name, x):
    with g.within(name):
        y = gelu_tanh(g, linear(g, "net.0.proj", x, WIDTH, 4 * WIDTH))
        return linear(g, "net.2", y, 4 * WIDTH, WIDTH)


def joint_block(g, image, text, temb):
    """JointTransformerBlock of SD3: AdaLN-Zero on both streams, joint attention, gated residuals, gated MLPs."""
    mod_i, mod_t = modulation(g, "norm1", temb, 6), modulation(g, "norm1_context", temb, 6)
    with g.within("norm1"):
        a = modulate(g, image, mod_i[1], mod_i[0])
    with g.within("norm1_context"):
        b = modulate(g, text, mod_t[1], mod_t[0])
    with g.within("attn"):
        a, b = joint_attention(g, a, b)
    out = []
    for x, y, mod, name in ((image, a, mod_i, "ff"), (text, b, mod_t, "ff_context")):
        x = g.op("Add", x, g.op("Mul", mod[2], y))
        with g.within(name + ".norm2"):
            y = modulate(g, x, mod[4], mod[3])
        out.append(g.op("Add", x, g.op("Mul", mod[5], feed_forward(g, name, y))))
    return out


def denoiser(seed):
    """SD3Transformer2DModel in small: patch embedding, joint blocks, AdaLN output, unpatchify. Predicts the velocity."""
    g = Graph("denoiser", seed)
    latent = g.input("latent", ["batch", LATENT, HEIGHT, COLUMNS])
    t = g.input("timestep", ["batch"])
    states = g.input("text_states", ["batch", TOKENS, WIDTH])
    pooled = g.input("text_pooled", ["batch", WIDTH])
    rows, cols = HEIGHT // PATCH, COLUMNS // PATCH
    with g.within("pos_embed"):
        w = g.normal("proj.weight", (WIDTH, LATENT, PATCH, PATCH), 1 / np.sqrt(LATENT * PATCH * PATCH))
        x = g.op("Conv", latent, w, g.normal("proj.bias", (WIDTH,), 0.02), kernel_shape=[2, 2], strides=[2, 2],
                 pads=[0] * 4, dilations=[1, 1], group=1)
        x = g.op("Transpose", view(g, x, dim(g, x, 0), WIDTH, -1), perm=[0, 2, 1])
        x = g.op("Add", x, g.normal("pos_embed", (1, rows * cols, WIDTH), 0.5))
    temb = conditioning(g, t, pooled)
    text = linear(g, "context_embedder", states, WIDTH, WIDTH)
    for i in range(DEPTH):
        with g.within(f"transformer_blocks.{i}"):
            x, text = joint_block(g, x, text, temb)
    with g.within("norm_out"):
        scale, shift = modulation(g, "cond", temb, 2)
        x = modulate(g, x, scale, shift)
    x = linear(g, "proj_out", x, WIDTH, PATCH * PATCH * LATENT, 0.7)
    batch = dim(g, x, 0)
    x = g.op("Transpose", view(g, x, batch, rows, cols, PATCH, PATCH, LATENT), perm=[0, 5, 1, 3, 2, 4])
    g.output("velocity", view(g, x, batch, LATENT, HEIGHT, COLUMNS), ["batch", LATENT, HEIGHT, COLUMNS])
    return g.model(16, "pytorch")


def resnet_block(g, name, x, h, w, n_in, n_out):
    """KerasCV ResnetBlock of the Stable Diffusion decoder."""
    with g.within(name):
        y = silu(g, keras_group_norm(g, "norm1", x, h, w, n_in, 8))
        y = keras_conv(g, "conv1", y, n_in, n_out, 3)
        y = silu(g, keras_group_norm(g, "norm2", y, h, w, n_out, 8))
        y = keras_conv(g, "conv2", y, n_out, n_out, 3)
        if n_in != n_out:
            x = keras_conv(g, "residual_projection", x, n_in, n_out, 1)
        return g.op("Add", y, x)


def decoder(seed):
    """KerasCV's Stable Diffusion decoder in small, exported by tf2onnx with --inputs-as-nchw --outputs-as-nchw."""
    g = Graph("decoder", seed)
    x = g.op("Transpose", g.input("latent", ["batch", LATENT, HEIGHT, COLUMNS]), perm=TO_NHWC)
    h, w = HEIGHT, COLUMNS
    x = keras_conv(g, "post_quant_conv", x, LATENT, CHANNELS[0], 3)
    n = CHANNELS[0]
    x = resnet_block(g, "mid.0", x, h, w, n, n)
    for i, n_out in enumerate(CHANNELS):
        x = resnet_block(g, f"up.{i}.0", x, h, w, n, n_out)
        n = n_out
        x = keras_upsample(g, f"up.{i}.upsample", x)
        h, w = 2 * h, 2 * w
        x = keras_conv(g, f"up.{i}.conv", x, n, n, 3)
    x = silu(g, keras_group_norm(g, "norm_out", x, h, w, n, 8))
    x = keras_conv(g, "conv_out", x, n, 3, 3, gain=0.9)
    x = g.op("Transpose", g.op("Tanh", x), perm=TO_NCHW)
    g.output("image", x, ["batch", 3, h, w])
    return g.model(16, "tf2onnx")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output_dir", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=20241215)
    args = parser.parse_args()
    args.output_dir.mkdir(parents=True, exist_ok=True)
    for i, make in enumerate((text_encoder, denoiser, decoder)):
        path = args.output_dir / f"{make.__name__}.onnx"
        part = path.with_suffix(".part")
        onnx.save(make(args.seed + i), str(part))
        part.replace(path)
    shapes = dict(tokens=TOKENS, width=WIDTH, latent=LATENT, height=HEIGHT, columns=COLUMNS, scale=8, seed=args.seed)
    (args.output_dir / "models.json").write_text(json.dumps(shapes, indent=1) + "\n")


if __name__ == "__main__":
    main()
