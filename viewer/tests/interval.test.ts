import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseEdge, interval, markTs, otherEdge, type Mark } from '../src/measure';
import { Collector, percentile } from '../src/stats';
import { View } from '../src/view';

const mark = (ts: number, dur: number, edge: Mark['edge']): Mark => ({ ts, dur, row: 0, name: '', where: '', edge });

test('an interval runs from edge to edge and keeps its sign', () => {
  const copy = mark(1000, 30, 'end');
  const kernel = mark(1042, 100, 'start');
  assert.equal(interval({ a: copy, b: kernel }), 12);
  assert.equal(interval({ a: kernel, b: copy }), -12);
  assert.equal(interval({ a: mark(0, 5, 'start'), b: mark(7, 9, 'end') }), 16);
  assert.equal(markTs(mark(77, 0, 'free')), 77);
});

test('the edge near the pointer wins, else the usual one', () => {
  const item = { ts: 100, dur: 100 };
  assert.equal(chooseEdge(item, 105, 1, 'end'), 'start');
  assert.equal(chooseEdge(item, 195, 1, 'start'), 'end');
  assert.equal(chooseEdge(item, 150, 1, 'end'), 'end');
  assert.equal(chooseEdge({ ts: 100, dur: 4 }, 102, 1, 'start'), 'start');
  assert.deepEqual((['start', 'end', 'free'] as const).map(otherEdge), ['end', 'start', 'free']);
});

test('percentiles interpolate between order statistics', () => {
  assert.equal(percentile([10, 20, 30, 40], 50), 25);
  assert.equal(percentile([10, 20, 30, 40], 75), 32.5);
  assert.equal(percentile([5], 99), 5);
});

test('figures per name, the largest total first', () => {
  const c = new Collector();
  for (const [name, dur] of [[1, 10], [2, 100], [1, 30], [1, 20]] as const) c.add(name, dur);
  assert.equal(c.items, 4);
  assert.deepEqual(c.result(), [
    { name: 2, n: 1, total: 100, min: 100, p50: 100, p99: 100, max: 100 },
    { name: 1, n: 3, total: 60, min: 10, p50: 20, p99: 29.8, max: 30 },
  ]);
});

test('the view zooms at a point, pans, and stays inside the trace', () => {
  const v = new View(1000);
  v.zoom(250, 0.5);
  assert.deepEqual([v.t0, v.t1], [125, 625]);
  v.pan(100);
  assert.deepEqual([v.t0, v.t1], [225, 725]);
  v.pan(1e9);
  assert.deepEqual([v.t0, v.t1], [520, 1020]); // 2 % of air
  v.set(500, 501);
  assert.equal(v.span, 10);
});

test('back undoes jumps one by one', () => {
  const v = new View(1000);
  v.go(100, 200);
  v.go(300, 400);
  v.back();
  assert.deepEqual([v.t0, v.t1], [100, 200]);
  v.back();
  v.back();
  assert.deepEqual([v.t0, v.t1], [0, 1000]);
});

test('showing an interval keeps a view in which it is already comfortable', () => {
  const v = new View(1e6);
  v.set(0, 10_000);
  v.show(2000, 1000);
  assert.deepEqual([v.t0, v.t1], [0, 10_000]);
  v.show(50_000, 1000);
  assert.deepEqual([v.t0, v.t1], [49_400, 51_600]);
});
