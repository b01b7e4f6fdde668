import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseEdge, interval, markTs, otherEdge, type Mark } from '../src/measure';
import { ALL, unionLength, Collector, percentile } from '../src/stats';
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
  for (const [name, ts, dur] of [[1, 0, 10], [2, 50, 100], [1, 5, 30], [1, 100, 20]] as const) c.add(name, ts, dur);
  assert.equal(c.items, 4);
  assert.deepEqual(c.result(), [
    { name: 2, n: 1, total: 100, union: 100, min: 100, p50: 100, p90: 100, p99: 100, max: 100 },
    { name: 1, n: 3, total: 60, union: 55, min: 10, p50: 20, p90: 28, p99: 29.8, max: 30 },
  ]);
  // 0-35, 50-150 cover the one at 100.
  const whole = c.whole()!;
  assert.deepEqual(Object.values({ ...whole, p90: whole.p90.toFixed(6), p99: whole.p99.toFixed(6) }), [ALL, 4, 160, 135, 10, 25, '79.000000', '97.900000', 100]);
  assert.equal(new Collector().whole(), null);
});

test('a union counts overlaps once, whatever the order', () => {
  const union = (...pairs: [number, number][]) => unionLength(Float64Array.from(pairs, (p) => p[0]), Float64Array.from(pairs, (p) => p[1]));
  assert.equal(union(), 0);
  assert.equal(union([3, 3]), 0); // an instant has no length
  assert.equal(union([0, 10], [10, 20]), 20); // they touch
  assert.equal(union([0, 10], [12, 20]), 18);
  assert.equal(union([12, 20], [0, 10]), 18);
  assert.equal(union([0, 100], [10, 20], [30, 40]), 100); // inside
  assert.equal(union([0, 5], [5, 5], [4, 9], [20, 21]), 10);
  assert.equal(union([0, 1], [0, 1], [0, 1]), 1);
  // Against cells counted one by one.
  let state = 12345;
  const random = (n: number) => { state = (state * 1103515245 + 12345) % 2147483648; return state % n; };
  for (let round = 0; round < 50; round++) {
    const pairs = Array.from({ length: 1 + random(30) }, (): [number, number] => { const a = random(200); return [a, a + random(25)]; });
    const cells = new Set<number>();
    for (const [a, b] of pairs) for (let i = a; i < b; i++) cells.add(i);
    assert.equal(union(...pairs), cells.size);
  }
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
