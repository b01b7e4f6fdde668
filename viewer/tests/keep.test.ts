// Pins and notes in an address: what is written is read again, and nothing else is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Item, Trace } from '../src/model';
import { MOST_PINS, pinOfRow, readPins, writePins, type Pin } from '../src/pins';
import { cleanText, fits, MOST_ADDRESS, MOST_CHARACTERS, MOST_REMARKS, readRemark, readRemarks, writeRemark, type Remark } from '../src/remarks';

// Rows 0 to 11, of which 3 holds thread states; groups: a process and its thread; counter 1 was never read.
const item = (id: number): Item => ({ row: 0, ts: 100 * id, dur: 50, name: 0, id, arg: 0 });
const trace = {
  duration: 10_000, rows: Array.from({ length: 12 }, (_, i) => ({ kind: i === 3 ? 3 : 0, group: 1 })), requests: [], stages: [],
  meta: { groups: [{ kind: 'process' }, { kind: 'thread' }], counters: [{ n: 5 }, { n: 0 }] },
  itemOfId: (kind: number, id: number) => (kind === 0 && id < 50 ? item(id) : null),
} as unknown as Trace;

test('pins are read as they were written', () => {
  const pins: Pin[] = [{ kind: 'row', index: 11 }, { kind: 'counter', index: 0 }, { kind: 'thread', index: 1 }];
  assert.equal(writePins(pins), 'r11.c0.t1');
  assert.deepEqual(readPins(trace, 'r11.c0.t1'), pins);
  assert.deepEqual(readPins(trace, writePins([])), []);
});

test('pins of what this page has not, and what is no pin, are left out', () => {
  for (const text of ['r12', 'r3', 'c1', 'c2', 't0', 't9', 'x1', 'r-1', 'r1e3', 'R1', 'r', 'r0x', '__proto__', 'r9999999999', 'constructor.toString']) assert.deepEqual(readPins(trace, text), [], text);
  assert.deepEqual(readPins(trace, 'r1.r1.?.r2').map((p) => p.index), [1, 2]); // each once
  assert.equal(readPins(trace, 'r0.r1.r2.r4.r5.r6.r7.r8.r9.r10').length, MOST_PINS);
});

test('the states of a thread are pinned with its heading', () => {
  assert.deepEqual(pinOfRow(trace, 3), { kind: 'thread', index: 1 });
  assert.deepEqual(pinOfRow(trace, 4), { kind: 'row', index: 4 });
});

test('notes survive the address, whatever they say', () => {
  for (const text of ['why?', 'a.b-c.9', 'slice.1.nested', '床前明月光', '100 % & more = #1?', '<b>"quoted"</b> \\ \'', 'é \u{1f600}']) {
    const all: Remark[] = [{ ref: { table: 'slice', id: 7 }, item: item(7), t0: 700, t1: 750, text }, { ref: null, item: null, t0: 0, t1: 10_000, text }];
    const address = new URLSearchParams(all.map((r) => ['note', writeRemark(r)])).toString();
    assert.deepEqual(readRemarks(trace, new URLSearchParams(address).getAll('note')), { remarks: all, lost: 0 }, text);
  }
});

test('what is no note of this trace is left out and counted', () => {
  const wrong = ['', 'slice', 'slice.7', 'slice.7.', 'slice.7.   ', 'slice.50.not there', 'slice.7-9.two', 'slice.99999999999.far', 'kernel.7.another table', 'constructor.7.x', '__proto__.7.x', 'range.5.x', 'range.9-5.backward', 'range.5-5.nothing', 'range.0-10001.too long', 'range.-1-5.before', 'request.0.none', 'slice.7.\n\t'];
  for (const raw of wrong) assert.equal(readRemark(trace, raw), null, raw);
  assert.equal(readRemarks(trace, [...wrong, 'slice.7.good']).remarks.length, 1);
  assert.equal(readRemarks(trace, [...wrong, 'slice.7.good']).lost, wrong.length);
});

test('a note is one line of bounded length', () => {
  assert.equal(cleanText('  two\n\tlines\u2028 \u0007'), 'two lines');
  assert.equal([...cleanText('\u{1f600}'.repeat(500))].length, MOST_CHARACTERS); // no half of a character
  assert.equal(cleanText('x'.repeat(1e6)).length, MOST_CHARACTERS);
  assert.equal(readRemark(trace, `slice.1.${'y'.repeat(5000)}`)!.text.length, MOST_CHARACTERS);
});

test('the notes of an address are bounded in number and in size', () => {
  const note = (text: string): string => `slice.1.${text}`;
  const many = readRemarks(trace, Array.from({ length: 30 }, () => note('x')));
  assert.deepEqual([many.remarks.length, many.lost], [MOST_REMARKS, 30 - MOST_REMARKS]);
  const long = readRemarks(trace, Array.from({ length: MOST_REMARKS }, () => note('床'.repeat(MOST_CHARACTERS)))); // 9 characters each, escaped
  assert.equal(long.remarks.length, Math.floor((MOST_ADDRESS + 1) / ('note=slice.1.&'.length + 9 * MOST_CHARACTERS)));
  assert.equal(fits(long.remarks), true);
  assert.equal(fits([...long.remarks, long.remarks[0]!]), false);
});
