// References to rows of SQL, the request at a percentile, CSV.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examplesOf } from '../src/findings';
import { parseRef } from '../src/ids';
import type { Cause, Example, Request } from '../src/model';
import { requestAt } from '../src/requests';
import { csv, csvCell } from '../src/save';

test('a reference is a table and a number, in the spellings that people use', () => {
  const cases: [string, string, number][] = [['slice 123', 'slice', 123], ['  Slice   123 ', 'slice', 123], ['slice #7', 'slice', 7], ['slice#7', 'slice', 7], ['slice=0', 'slice', 0], ['slice: 9', 'slice', 9], ['slice_id=5', 'slice', 5],
    ['span 4', 'slice', 4], ['request 5', 'request', 5], ['请求 5', 'request', 5], ['区间=6', 'slice', 6], ['kernel 1', 'kernel', 1], ['stage 2', 'stage', 2], ['sched 3', 'sched', 3], ['thread_state 4294967295', 'thread_state', 4294967295]];
  for (const [query, table, id] of cases) assert.deepEqual(parseRef(query), { table, id }, query);
});

test('what only looks like a reference is an ordinary search', () => {
  for (const query of ['', 'slice', '123', 'slice x', 'slice -1', 'slice 1.5', 'slice 12345678901', 'slice123', 'op 5', 'slice 1 2', 'constructor 1', '__proto__ 1', 'toString=1', '/slice 1/', 'layer 1']) assert.equal(parseRef(query), null, query);
});

const request = (index: number, dur: number, status = 'ok'): Request => ({ index, ts: 0, dur, name: 'r', id: '0', status, row: 0, slice: index });

test('the request at a percentile is the finished one with the nearest latency, the first of equals', () => {
  const requests = [request(0, 400), request(1, 100), request(2, 300), request(3, 200), request(4, 9000, 'unfinished')];
  assert.equal(requestAt(requests, 0)?.index, 1);
  assert.equal(requestAt(requests, 50)?.index, 3); // 250 lies in the middle: the lower
  assert.equal(requestAt(requests, 60)?.index, 2); // 280
  assert.equal(requestAt(requests, 99)?.index, 0); // 397
  assert.equal(requestAt(requests, 100)?.index, 0); // not the unfinished one
  assert.equal(requestAt([request(3, 5), request(1, 5), request(2, 5)], 50)?.index, 1);
  assert.equal(requestAt([request(0, 5, 'unfinished')], 50), null);
  assert.equal(requestAt([], 50), null);
});

test('an example of several pieces of evidence is marked once', () => {
  const example = (slice: number): Example => [slice, 0, 0, 1, 'x'];
  const piece = (...ids: number[]) => ({ text: '', value: null, unit: '', sql: '', examples: ids.map(example) });
  const cause: Cause = { id: 'a', title: '', summary: '', confidence: 1, mean: 0, slow: 0, of: {}, is_whole: false, actions: [], evidence: [piece(3, 1), piece(2, 3)], against: [piece(9)], examples: [example(1)] };
  assert.deepEqual(examplesOf(cause).map((e) => e[0]), [1, 3, 2]);
});

test('a cell of a CSV can neither leave its place nor become a formula', () => {
  const cases: [string | number | bigint | null, string][] = [['plain', 'plain'], ['a,b', '"a,b"'], ['say "hi"', '"say ""hi"""'], ['two\nlines', '"two\nlines"'], [null, ''], [0.5, '0.5'], [-3, '-3'], [5000000000000123n, '5000000000000123'],
    ['=1+1', "'=1+1"], ['+1', "'+1"], ['-1', "'-1"], ['@SUM(A1,A2)', '"\'@SUM(A1,A2)"'], ['\t=1', "'\t=1"], ['\uff1d1', "'\uff1d1"], ['\u001b[31m', '\\x1b[31m'], ['a=b', 'a=b'], ['', '']];
  for (const [cell, text] of cases) assert.equal(csvCell(cell), text);
  assert.equal(csv(['a', '=b'], [['x', 1], ['y', null]]), "a,'=b\nx,1\ny,\n");
});
