// The trace of a page, from sections as the writer makes them: overview first, the rest later.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { Matcher, NO_FILTER, parseDuration } from '../src/matches';
import { floorOf, flowsOf, isCumulative, isMemory, readCounter, shownUnit, Trace, type CounterMeta, type Flows } from '../src/model';

const THREE = '000000000000144000000000821008030a00000000000000080000000b0000000200000018000000f800000000000000';
const counter = (name: string, unit: string): CounterMeta => ({ name, unit, cpu: -1, group: 0, n: 2 });

function page(elements: Record<string, string>): void {
  (globalThis as { document?: unknown }).document = { getElementById: (id: string) => (id in elements ? { textContent: elements[id] } : null) };
}
const section = (bytes: Uint8Array | string): string => deflateRawSync(bytes).toString('base64');

function madeTrace(): Trace {
  const meta = {
    version: 1, lang: 'en', views: ['timeline'], trace: 'x.pb', start: '5000', duration: 100, words: ['', 'op', 'MatMul'],
    names: { text: ['gemm', 'copy'], category: [1, 1], type: [2, 0], layer: [1, 1] }, groups: [{ kind: 'process', name: 'svc', parent: -1 }],
    rows: [[0, 0, 0, 0, 3, 'worker']], counters: [], requests: { unit: 'request', n: 1, unfinished: 0 }, counts: {}, texts: { en: {}, zh: {} }, metadata: [], notes: [], signals: [], gaps: [],
  };
  const directory = { parts: {}, levels: [[]], rows: [[0, THREE.length / 2, [0, 1]]], flows: 0, argChunk: 2, threads: ['worker [7]'] };
  page({
    meta: JSON.stringify(meta), directory: JSON.stringify(directory), 'rows.0': Buffer.from(THREE, 'hex').toString('base64'),
    'overview.0': section(new Uint8Array(101 * 3)), 'requests.0': section(JSON.stringify({ requests: [[5, 7, 'poster', '9391000000016', 'ok', 0, 10]], stages: [], accounting: [[0, 'cpu_op', 7]] })),
    'args0.0': section(JSON.stringify([['a', 1], ['b', 'x', 'c', true]])), 'args1.0': section(JSON.stringify([['d', 2.5]])),
  });
  return new Trace();
}

test('the overview comes first and says that the rest is missing', async () => {
  const trace = madeTrace();
  await trace.loadOverview();
  assert.equal(trace.rows[0]!.levels[0]!.busy.length, 101);
  assert.equal(trace.isComplete, false);
  assert.equal(trace.itemAt(trace.rows[0]!, 6), null);
});

test('items are found by time, with slack, by start and by neighbour', async () => {
  const trace = madeTrace();
  await trace.loadOverview();
  await trace.loadRest();
  const row = trace.rows[0]!;
  const gemm = trace.itemAt(row, 6)!;
  assert.deepEqual(gemm, { row: 0, ts: 5, dur: 3, name: 0, id: 10, arg: 0 });
  assert.equal(trace.itemAt(row, 9), null);
  assert.equal(trace.itemAt(row, 9, 1)!.id, 10); // 1 ns from both: the earlier one
  assert.equal(trace.itemStarting(row, 12)!.id, 13);
  assert.equal(trace.itemStarting(row, 11), null);
  assert.equal(trace.neighbour(gemm, 1)!.id, 12);
  assert.equal(trace.neighbour(gemm, -1), null);
  assert.equal(trace.thread(0), 'worker [7]');
  assert.equal(trace.types[gemm.name], 'MatMul');
  assert.equal(trace.zero + BigInt(gemm.ts), 5005n);
});

test('a search finds the next and the previous hit in time', async () => {
  const trace = madeTrace();
  await trace.loadOverview();
  await trace.loadRest();
  const gemm = Matcher.of(trace, 'gemm', NO_FILTER)!;
  assert.equal(trace.findNext(gemm, -1, 1)!.ts, 5);
  assert.equal(trace.findNext(gemm, 5, 1)!.ts, 12);
  assert.equal(trace.findNext(gemm, 12, 1), null);
  assert.equal(trace.findNext(gemm, 12, -1)!.ts, 5);
  assert.equal(trace.findNext(gemm, 5, -1), null);
  const seen: number[] = [];
  trace.each(trace.rows[0]!, 8, 10, (s, i) => seen.push(s.ts[i]!));
  assert.deepEqual(seen, [5, 10]); // touching counts
});

test('arguments come from their chunk', async () => {
  const trace = madeTrace();
  await trace.loadOverview();
  await trace.loadRest();
  assert.deepEqual(await trace.args(2), [['b', 'x'], ['c', true]]);
  assert.deepEqual(await trace.args(3), [['d', 2.5]]);
  assert.deepEqual(await trace.args(0), []);
  assert.deepEqual(trace.accounting.get(0), [['cpu_op', 7]]);
  assert.equal(trace.requests[0]!.id, '9391000000016');
});

function counterBytes(steps: number[], values: number[]): Uint8Array {
  const n = steps.length;
  const out = new Uint8Array(16 * n);
  const raw = new DataView(new ArrayBuffer(8));
  const planes = (plane: number, set: (i: number) => void) => { for (let i = 0; i < n; i++) { set(i); for (let p = 0; p < 8; p++) out[(plane + p) * n + i] = raw.getUint8(p); } };
  planes(0, (i) => raw.setBigUint64(0, BigInt(steps[i]!), true));
  planes(8, (i) => raw.setFloat64(0, values[i]!, true));
  return out;
}

test('a gauge keeps its readings', () => {
  const c = readCounter(counterBytes([100, 50, 2 ** 40], [3, 1.5, 2]), counter('rss', 'bytes'));
  assert.deepEqual([...c.ts], [100, 150, 150 + 2 ** 40]);
  assert.deepEqual([...c.value], [3, 1.5, 2]);
  assert.deepEqual([c.min, c.max], [1.5, 3]);
});

test('a cumulative counter is drawn as its rate, ns as percent of the time', () => {
  const psi = counter('psi_cpu_some', 'ns');
  const c = readCounter(counterBytes([0, 1e9, 1e9], [0, 5e8, 6e8]), psi);
  assert.deepEqual([...c.value], [50, 10, 10]);
  assert.equal(isCumulative(psi), true);
  assert.equal(shownUnit(psi), 'percent');
  assert.equal(shownUnit(counter('major_faults', 'count')), '1/s');
  assert.equal(shownUnit(counter('network_sent', 'bytes')), 'bytes/s');
  assert.equal(shownUnit(counter('rss', 'bytes')), 'bytes');
});

test('a rate needs two readings and time of a thread is at most all of the time', () => {
  const delay = counter('run_delay', 'ns');
  const one = readCounter(counterBytes([5e8], [560320000000]), delay);
  assert.deepEqual([one.ts.length, one.value.length], [0, 0]);
  assert.equal(readCounter(counterBytes([5e8], [3]), counter('rss', 'bytes')).value[0], 3); // a gauge needs one
  const two = readCounter(counterBytes([0, 1e9, 1e9], [0, 2.5e8, 1.26e9]), delay);
  assert.deepEqual([...two.value], [25, 100, 100]); // 101 % measured
  const cores = readCounter(counterBytes([0, 1e9], [0, 3e9]), counter('throttled_time', 'ns')); // of several CPUs
  assert.deepEqual([...cores.value], [300, 300]);
});

test('an area begins at zero unless its values vary far from it', () => {
  const cases: [number, number, number][] = [[0, 10, 0], [3, 10, 0], [80, 100, 76], [-5, 10, -5], [7, 7, 0], [-7, -7, -7], [0, 0, 0]]; // what never changes fills its row
  for (const [min, max, floor] of cases) assert.equal(floorOf({ min, max }), floor, `${min} to ${max}`);
});

test('of memory the peak is the first of the highest readings, a rate of bytes is no memory', () => {
  const rss = readCounter(counterBytes([5, 5, 5, 5], [3, 9, 2, 9]), counter('rss', 'bytes'));
  assert.deepEqual([rss.max, rss.peak, rss.ts[rss.peak]], [9, 1, 10]);
  assert.equal(readCounter(counterBytes([], []), counter('rss', 'bytes')).peak, -1);
  assert.deepEqual([counter('rss', 'bytes'), counter('cgroup_mem_used', 'bytes'), counter('device_memory', 'bytes'), counter('network_sent', 'bytes'), counter('cpu_util', 'percent')].map(isMemory), [true, true, true, false, false]);
});

test('flows of an item, leaving and arriving', () => {
  const flows: Flows = {
    n: 3, fromTs: Float64Array.of(10, 10, 50), fromDur: Float64Array.of(5, 5, 1), toTs: Float64Array.of(20, 30, 20), toDur: Float64Array.of(1, 1, 1),
    fromRow: Uint32Array.of(0, 0, 0), toRow: Uint32Array.of(2, 1, 2), byTarget: Uint32Array.of(1, 0, 2),
  };
  assert.deepEqual(flowsOf(flows, { row: 0, ts: 10, dur: 5, name: 0, id: 0, arg: 0 }), { out: [0, 1], in: [] });
  assert.deepEqual(flowsOf(flows, { row: 2, ts: 20, dur: 1, name: 0, id: 0, arg: 0 }), { out: [], in: [0, 2] });
});

test('a filter leaves what passes every part of it', async () => {
  const trace = madeTrace();
  await trace.loadOverview();
  await trace.loadRest();
  const found = (query: string, filter: Partial<typeof NO_FILTER>): number[] => {
    const matcher = Matcher.of(trace, query, { ...NO_FILTER, ...filter });
    const out: number[] = [];
    if (matcher) for (const row of trace.rows) if (matcher.mayHold(row)) trace.each(row, -1, 101, (s, i) => { if (matcher.accepts(row, s, i)) out.push(s.ts[i]!); });
    return out;
  };
  const all: [number, number][] = [];
  trace.each(trace.rows[0]!, -1, 101, (s, i) => all.push([s.ts[i]!, s.dur[i]!]));
  assert.deepEqual(found('', { min: 0 }), all.map((x) => x[0]));
  const longest = Math.max(...all.map((x) => x[1]));
  assert.deepEqual(found('', { min: longest }), all.filter((x) => x[1] === longest).map((x) => x[0]));
  assert.deepEqual(found('', { max: longest - 1 }), all.filter((x) => x[1] < longest).map((x) => x[0]));
  assert.deepEqual(found('copy', {}), [10]);
  assert.deepEqual(found('copy', { layer: 1 }), [10]);
  assert.deepEqual(found('copy', { layer: 2 }), []);
  assert.deepEqual(found('', { request: 0 }), [5]); // the request's own span; it has no stages
  assert.deepEqual(found('', { request: 7 }), []); // there is none
  assert.equal(Matcher.of(trace, '', NO_FILTER), null);
  assert.equal(Matcher.of(trace, '/(/', NO_FILTER), null);
});

test('ids are found by their row of SQL', async () => {
  const trace = madeTrace();
  await trace.loadOverview();
  await trace.loadRest();
  const ids: [number, number][] = [];
  trace.each(trace.rows[0]!, -1, 101, (s, i) => ids.push([s.id[i]!, s.ts[i]!]), true);
  for (const [id, ts] of ids) assert.equal(trace.itemOfId(0, id)!.ts, ts);
  assert.equal(trace.itemOfId(0, 1 + Math.max(...ids.map((x) => x[0]))), null);
  assert.equal(trace.itemOfId(1, ids[0]![0]), null); // of another table
});

test('durations are read in every unit and nothing else is a duration', () => {
  const cases: [string, number][] = [['20', 20], ['20ns', 20], ['20 us', 20_000], ['1.5 ms', 1_500_000], ['2s', 2e9], ['3µs', 3000], ['', -1], ['-5', -1], ['ms', -1], ['1e3', -1], ['5 min', -1], ['0', 0]];
  for (const [text, ns] of cases) assert.equal(parseDuration(text), ns, text);
});
