import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIGHT } from '../src/color';
import { FlameDiff } from '../src/flame_diff';
import { firstAt, FlameKind, FlameTree, functionsOnly, inverted, operatorTypes, runOfNarrow } from '../src/flame';
import { readSource } from '../src/flame_source';
import { compile, matchNames } from '../src/search';

// root(0) ── poster(1) ─┬─ denoise(2) ── gemm(3): 6
//                       └─ decode(4) ─── gemm(5): 2, ── copy(6): 1;  decode itself: 1
const names = ['all', 'poster', 'denoise', 'gemm', 'decode', 'copy'];
const tree = new FlameTree(Uint32Array.of(0, 0, 1, 2, 1, 4, 4), Uint32Array.of(0, 1, 2, 3, 4, 3, 5),
  Uint8Array.of(FlameKind.root, FlameKind.request, FlameKind.stage, FlameKind.function, FlameKind.stage, FlameKind.function, FlameKind.function),
  Float64Array.of(0, 0, 0, 6, 1, 2, 1), Float64Array.of(0, 0, 0, 60, 10, 20, 10));

test('totals are the samples of a node and of all below it', () => {
  assert.deepEqual([...tree.total], [10, 10, 6, 6, 4, 2, 1]);
  assert.deepEqual([...tree.totalWeight], [100, 100, 60, 60, 40, 20, 10]);
  assert.deepEqual([...tree.depth], [0, 1, 2, 3, 2, 3, 3]);
});

test('children stand side by side, the largest first', () => {
  assert.deepEqual([...tree.x], [0, 0, 0, 0, 6, 6, 8]);
  assert.deepEqual(tree.byDepth.map((level) => [...level]), [[0], [1], [2, 4], [3, 5, 6]]);
  assert.deepEqual(tree.path(6), [0, 1, 4, 6]);
});

test('the node at a position is found by bisection', () => {
  const level = tree.byDepth[3]!;
  assert.deepEqual([0, 5.9, 6, 8.5, 9].map((x) => firstAt(tree, level, x)), [0, 0, 1, 2, 3]);
});

test('narrow siblings form a run that ends at a wider box and at another parent', () => {
  const level = tree.byDepth[3]!;
  assert.equal(runOfNarrow(tree, level, 1, 3), 2);
  assert.equal(runOfNarrow(tree, level, 1, 2), 0);
  assert.equal(runOfNarrow(tree, level, 0, 100), 1); // its neighbour has another parent
});

test('functions merge over stages and keep every sample', () => {
  const f = functionsOnly(tree);
  assert.deepEqual([...f.name].map((i) => names[i]), ['all', 'gemm', 'copy']);
  assert.deepEqual([...f.total], [10, 8, 1]); // one sample was in no function
  assert.deepEqual([...f.self], [1, 8, 1]);
});

test('operators of one type merge and remember where their nodes went', () => {
  // all ── MatMul(type) ─┬─ /a(op) ── gemm: 2
  //                      └─ /b(op) ── gemm: 3
  const ops = new FlameTree(Uint32Array.of(0, 0, 1, 1, 2, 3), Uint32Array.of(0, 1, 2, 3, 4, 4), Uint8Array.of(FlameKind.root, FlameKind.op_type, FlameKind.op, FlameKind.op, FlameKind.function, FlameKind.function),
    Float64Array.of(0, 0, 0, 0, 2, 3), Float64Array.of(0, 0, 0, 0, 2, 3));
  const types = operatorTypes(ops);
  assert.deepEqual([...types.total], [5, 5, 5]);
  assert.deepEqual([...types.image!], [0, 1, 1, 1, 2, 2]);
});

test('callers stand below what was executing', () => {
  const c = inverted(tree);
  const level = [...c.byDepth[1]!];
  assert.deepEqual(level.map((i) => [names[c.name[i]!], c.total[i]]), [['gemm', 8], ['decode', 1], ['copy', 1]]);
  const below = [...c.byDepth[2]!].filter((i) => c.parent[i] === level[0]);
  assert.deepEqual(below.map((i) => [names[c.name[i]!], c.total[i]]), [['denoise', 6], ['decode', 2]]);
});

test('a search is a part of the name or a regular expression, without case', () => {
  assert.equal(compile('  '), null);
  assert.equal(compile('GEMM')!('sgemm_kernel'), true);
  assert.equal(compile('/^ge/')!('sgemm'), false);
  assert.equal(compile('re:m{2}$')!('gemm'), true);
  assert.equal(compile('a.c')!('abc'), false);
  assert.equal(compile('/(/'), null);
});

test('a name is hit by its text or its type', () => {
  assert.deepEqual([...matchNames('matmul', ['/block.0', 'MatMul_1', 'x'], ['MatMul', '', ''])!], [1, 1, 0]);
  assert.equal(matchNames('', ['a'], ['']), null);
});

test('a comparison is per request, and what came or went counts in full', () => {
  // root > f > g now; root > f > h before: twice the requests, the same weight of f.
  const side = (names: string[], weights: number[], requests: number) =>
    ({ names: ['all', ...names], requests, tree: new FlameTree(Uint32Array.of(0, 0, 1), Uint32Array.of(0, 1, 2), Uint8Array.of(FlameKind.root, FlameKind.function, FlameKind.function), Float64Array.of(0, 1, 1), Float64Array.from([0, ...weights])) });
  const diff = new FlameDiff(side(['f', 'g'], [40, 60], 10), side(['f', 'h'], [80, 20], 20));
  assert.equal(diff.perRequest, true);
  assert.deepEqual([diff.weightNow(0), diff.weightBefore(0), diff.delta(0)], [10, 5, 5]);
  assert.deepEqual([diff.weightNow(1), diff.weightBefore(1), diff.delta(1)], [10, 5, 5]); // with what is inside
  assert.deepEqual([diff.weightNow(2), diff.weightBefore(2)], [6, 0]); // g is new
  assert.deepEqual(diff.changed().map((r) => [r.name, r.before, r.now]), [['g', 0, 6], ['h', 1, 0], ['f', 4, 4]]);
});

test('without requests on a side a comparison is of shares', () => {
  const side = (weights: number[], requests: number) =>
    ({ names: ['all', 'f', 'g'], requests, tree: new FlameTree(Uint32Array.of(0, 0, 0), Uint32Array.of(0, 1, 2), Uint8Array.of(FlameKind.root, FlameKind.function, FlameKind.function), Float64Array.of(0, 1, 1), Float64Array.from([0, ...weights])) });
  const diff = new FlameDiff(side([30, 10], 0), side([100, 100], 5));
  assert.equal(diff.perRequest, false);
  assert.deepEqual([1, 2].map((i) => diff.delta(i)), [0.25, -0.25]);
  assert.notDeepEqual(diff.color(1, LIGHT), diff.color(2, LIGHT));
  const same = new FlameDiff(side([30, 10], 3), side([30, 10], 3));
  assert.deepEqual(same.color(1, LIGHT), same.color(0, LIGHT)); // nothing changed: no colour
});

test('time off the CPU and of recorded calls is the width of a graph, samples that of the others', () => {
  // root(0) ── poll(1): 9 switches, 90 ns;  lock(2): 1 switch, 600 ns
  const raw = new ArrayBuffer(8 * 3 + 4 * 4 * 3);
  new Float64Array(raw, 0, 3).set([0, 90, 600]);
  new Uint32Array(raw, 24).set([0, 0, 0, 0, 1, 2, 0, 9, 1, 0, FlameKind.function, FlameKind.function]);
  const head = { event: 'context-switches', names: ['all', 'poll', 'lock'], nodes: 3, hits: 0, pcs: 0, own_thread: 0, joined: 0, ambiguous: 0, no_op: 0, outside: 10, left_out: 2 };
  const timed = readSource(new Uint8Array(raw), { ...head, off_cpu: true, wall_time: false }).tree;
  assert.deepEqual([...timed.total], [690, 90, 600]);
  assert.deepEqual([...timed.x], [0, 600, 0]);
  assert.deepEqual([...readSource(new Uint8Array(raw), { ...head, off_cpu: false, wall_time: true }).tree.total], [690, 90, 600]);
  const counted = readSource(new Uint8Array(raw), { ...head, off_cpu: false, wall_time: false }).tree;
  assert.deepEqual([...counted.total], [10, 9, 1]);
  assert.deepEqual([...counted.totalWeight], [690, 90, 600]);
});
