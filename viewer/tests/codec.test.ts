// The bytes are those that tests/report/block_codec_test.cpp asserts of the writer: both sides agree on one text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Items, PackedRow, upperBound } from '../src/codec';

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g)!, (b) => parseInt(b, 16));
const THREE = '0000000000001440' + '00000000' + '82100803' + '0a000000' + '00000000' + '080000000b0000000200000018000000f8000000' + '00000000';
const WIDE = '0000000000000000' + '00000000' + '80080000' + '00000000' + '00000000' + '0500000002000000' + '00000000';

test('three items decode to what was packed', () => {
  const items = new Items();
  new PackedRow(bytesOf(THREE), 3, [40, 41]).decode(0, 1, items, true);
  assert.equal(items.n, 3);
  assert.deepEqual([...items.ts.subarray(0, 3)], [5, 10, 12]);
  assert.deepEqual([...items.dur.subarray(0, 3)], [3, 2, 0]);
  assert.deepEqual([...items.name.subarray(0, 3)], [40, 41, 40]);
  assert.deepEqual([...items.id.subarray(0, 3)], [10, 12, 13]);
  assert.deepEqual([...items.arg.subarray(0, 3)], [0, 7, 3]);
});

test('a duration of more than 32 bits survives', () => {
  const items = new Items();
  new PackedRow(bytesOf(WIDE), 1, [0]).decode(0, 1, items);
  assert.equal(items.dur[0], 2 ** 33 + 5);
});

test('the range of blocks holds what overlaps, the block before included', () => {
  const row = new PackedRow(bytesOf(THREE), 3, [0, 1]);
  assert.deepEqual(row.range(0, 4), [0, 0]);
  assert.deepEqual(row.range(0, 5), [0, 1]);
  assert.deepEqual(row.range(100, 200), [0, 1]);
});

test('upper bound is the first greater value', () => {
  const a = [1, 3, 3, 7];
  assert.deepEqual([0, 1, 3, 6, 7].map((t) => upperBound(a, t, 0, 4)), [0, 1, 3, 3, 4]);
});

test('items grow to a power of two and keep what fits', () => {
  const items = new Items();
  items.reserve(1024);
  assert.equal(items.ts.length, 1024);
  items.reserve(1025);
  assert.equal(items.ts.length, 2048);
});
