// Latency over time, counted by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundsOf, cellOf, COLUMNS, latencyMap, nextCell } from '../src/latency_map';
import type { Request } from '../src/model';

const request = (ts: number, dur: number, status = 'ok'): Request => ({ index: 0, ts, dur, name: 'r', id: '0', status, row: 0, slice: 0 });

test('a request counts in the column of its arrival and the row of its latency', () => {
  const duration = 6000; // 100 ns a column
  const requests = [request(0, 1024), request(99, 1100), request(100, 1024), request(5999, 4096), request(6000, 4095), request(50, 1_000_000, 'unfinished')];
  const map = latencyMap(requests, duration)!;
  assert.equal(map.perOctave, 8); // from 2^10 to 2^12 are 17 rows; 16 to the octave would be 33
  assert.equal(map.rows, 17);
  assert.deepEqual([...map.counts].map((n, cell) => [cell, n]).filter(([, n]) => n! > 0), [
    [0, 2], [1, 1], // 1024 and 1100 ns: 2^10 to 2^(10 + 1/8) = 1116.7
    [15 * COLUMNS + 59, 1], // 4095
    [16 * COLUMNS + 59, 1], // 4096
  ]);
  assert.equal(map.most, 2);
  assert.deepEqual(requests.map((r) => cellOf(map, r)), [0, 0, 1, 16 * COLUMNS + 59, 15 * COLUMNS + 59, -1]);
  const { t0, t1, from, to } = boundsOf(map, 16 * COLUMNS + 59);
  assert.deepEqual([t0, t1, from], [5900, 6000, 4096]);
  assert.ok(Math.abs(to - 4096 * 2 ** (1 / 8)) < 1e-6);
});

test('every finished request is in one cell, within its bounds, whatever the latencies', () => {
  for (const [low, high] of [[0, 0], [1, 1], [1, 1e15], [5e6, 5.1e6], [1e6, 1e9], [0, 3]] as const) {
    const requests = Array.from({ length: 500 }, (_, i) => request(i * 7, low + ((high - low) * i) / 499));
    const map = latencyMap(requests, 3493)!;
    assert.ok(map.rows <= 50, `${map.rows}`); // one row to the octave at the coarsest
    assert.equal(map.counts.reduce((a, b) => a + b, 0), 500);
    for (const r of requests) {
      const b = boundsOf(map, cellOf(map, r));
      assert.ok(b.t0 <= r.ts && r.ts <= b.t1);
      assert.ok(b.from * (1 - 1e-9) <= Math.max(1, r.dur) && Math.max(1, r.dur) <= b.to * (1 + 1e-9), `${b.from} ${r.dur} ${b.to}`);
    }
  }
});

test('without a finished request there is no map', () => {
  assert.equal(latencyMap([], 100), null);
  assert.equal(latencyMap([request(0, 5, 'unfinished')], 100), null);
});

test('the cursor goes to the next cell that has requests, and stays where there is none', () => {
  const map = latencyMap([request(0, 1024), request(3000, 1024), request(3000, 2000), request(5999, 2000)], 6000)!;
  const [low, high] = [0, Math.floor(Math.log2(2000) * map.perOctave) - 10 * map.perOctave];
  const at = (row: number, column: number) => row * COLUMNS + column;
  assert.equal(nextCell(map, at(low, 0), 1, 0), at(low, 30));
  assert.equal(nextCell(map, at(low, 30), 0, 1), at(high, 30));
  assert.equal(nextCell(map, at(high, 30), 1, 0), at(high, 59));
  assert.equal(nextCell(map, at(high, 59), 1, 0), at(high, 59));
  assert.equal(nextCell(map, at(high, 30), -1, 0), at(low, 0));
});
