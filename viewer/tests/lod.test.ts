import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resample } from '../src/heat';
import { chooseLevel, NO_NAME, readLevel, sampleLevel, type Level } from '../src/lod';

const level = (k: number, busy: number[], name: number[]): Level => ({ k, width: 2 ** k, busy: Uint8Array.from(busy), name: Uint16Array.from(name) });

test('a level is read as busy bytes, then low and high name bytes', () => {
  const read = readLevel(Uint8Array.from([9, 10, 20, 1, 0xff, 2, 0xff]), 1, 4, 2);
  assert.deepEqual([...read.busy], [10, 20]);
  assert.deepEqual([...read.name], [0x0201, NO_NAME]);
  assert.equal(read.width, 16);
});

test('the level whose buckets just fit a pixel is taken', () => {
  const levels = [level(4, [], []), level(5, [], []), level(6, [], [])];
  assert.deepEqual([1, 16, 31, 32, 64, 1e9].map((npp) => chooseLevel(levels, npp).k), [4, 4, 4, 5, 6, 6]);
});

test('a pixel over several buckets shows their mean and the busiest name', () => {
  const busy = new Float32Array(3);
  const name = new Uint16Array(3);
  sampleLevel(level(3, [100, 200, 0, 50], [1, 2, NO_NAME, 4]), 0, 16, 3, busy, name);
  assert.deepEqual([...busy], [150, 25, 0]);
  assert.deepEqual([...name], [2, 4, NO_NAME]);
});

test('pixels narrower than a bucket repeat it, also left of the trace', () => {
  const busy = new Float32Array(4);
  const name = new Uint16Array(4);
  sampleLevel(level(3, [100, 200], [1, 2]), -4, 4, 4, busy, name);
  assert.deepEqual([...busy], [0, 100, 100, 200]);
  assert.deepEqual([...name], [NO_NAME, 1, 1, 2]);
});

test('heat rows are means per pixel and nothing outside the data', () => {
  const out = new Float32Array(4);
  resample(Uint8Array.from([0, 255, 255, 0]), 10, 0, 80, 4, out);
  assert.deepEqual([...out], [127.5, 127.5, NaN, NaN]);
  resample(Uint8Array.from([0, 255]), 10, 5, 15, 4, out);
  assert.deepEqual([...out], [0, 0, 255, 255]);
});
