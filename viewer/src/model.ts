// The trace as the page holds it: rows, groups, names, counters, flows; and the questions the views ask of it.
import { BLOCK, Items, PackedRow, upperBound } from './codec';
import { readJson, readJsonSection, readSection, RowBytes } from './data';
import { readLevel, type Level } from './lod';

export const enum RowKind { slices, kernels, cpu, state }

export interface Signal { name: string; ok: boolean; source: string; reason: string; mend: string; detail: string }
export interface Note { severity: string; code: string; count: number | string; where: string }
export interface RequestSummary { unit: string; n: number; unfinished: number; mean?: number; p50?: number; p90?: number; p99?: number; max?: number }
export interface Group { kind: string; name: string; parent: number }
export interface CounterMeta { name: string; unit: string; cpu: number; group: number; n: number }
export interface Meta {
  version: number; lang: 'en' | 'zh'; views: string[]; trace: string; start: string; duration: number;
  names: { text: string[]; category: number[]; type: number[]; layer: number[] };
  words: string[]; groups: Group[];
  rows: [kind: number, group: number, nest: number, depth: number, n: number, name: string][];
  counters: CounterMeta[]; requests: RequestSummary; counts: Record<string, number>;
  texts: { en: Record<string, string>; zh: Record<string, string> };
  metadata: [string, string][]; notes: Note[]; signals: Signal[]; gaps: { ts: number; dur: number; reason: string }[];
  findings?: Findings;
}
export type Example = [slice: number, row: number, ts: number, dur: number, name: string]; // row -1: not in this trace
export type BothTexts = Record<string, string> | null; // by language; null: only the report's own words are known
export interface Evidence { text: string; texts?: BothTexts; value: number | null; unit: string; sql: string; examples: Example[] }
export interface Cause { id: string; title: string; titles?: BothTexts; summary: string; summaries?: BothTexts; confidence: number; mean: number; slow: number; of: Record<string, string>; is_whole: boolean; actions: string[]; evidence: Evidence[]; against: Evidence[]; examples: Example[] }
export interface Findings { problem: string; trace: string; same: boolean; causes: Cause[] }
interface Directory {
  parts: Record<string, number>; levels: [number, number][][]; rows: [offset: number, length: number, dictionary: number[]][];
  flows: number; argChunk: number; threads: string[];
}
export interface Request { index: number; ts: number; dur: number; name: string; id: string; status: string; row: number; slice: number }
export interface Stage { request: number; ts: number; dur: number; name: string; wait: string; row: number; thread: string }

export interface Item { row: number; ts: number; dur: number; name: number; id: number; arg: number }
export interface Counter { ts: Float64Array; value: Float64Array; min: number; max: number; peak: number } // peak: the first reading of max; -1: there is none
export interface Flows {
  n: number; fromTs: Float64Array; fromDur: Float64Array; toTs: Float64Array; toDur: Float64Array;
  fromRow: Uint32Array; toRow: Uint32Array; byTarget: Uint32Array;
}
export const LAYERS = ['application', 'framework', 'runtime', 'device', 'os', 'hardware'];

/** What a search looks for. */
export interface Wanted {
  mayHold(row: Row): boolean;
  accepts(row: Row, items: Items, i: number): boolean;
}

export class Row {
  levels: Level[] = [];
  packed: PackedRow | null = null;
  dictionary: number[] = [];
  bytes: [number, number] = [0, 0];
  constructor(readonly index: number, readonly kind: RowKind, readonly group: number, readonly nest: number, readonly depth: number,
    readonly n: number, readonly name: string) {}
}

export class Trace {
  readonly meta: Meta = readJson<Meta>('meta');
  readonly rows: Row[];
  readonly types: string[];
  readonly categories: string[];
  readonly duration: number;
  readonly zero: bigint;
  requests: Request[] = [];
  stages: Stage[] = [];
  accounting: Map<number, [string, number][]> = new Map();
  flows: Flows | null = null;
  private readonly nests = new Map<number, Row[]>();
  private readonly rowBytes = new RowBytes();
  private readonly scratch = new Items();
  private directory: Directory | null = null;
  private readonly argChunks = new Map<number, Promise<(string | number | boolean)[][] | null>>();
  private readonly counters = new Map<number, Counter>();
  private readonly counterLoads = new Map<number, Promise<Counter>>();
  onCounter: () => void = () => {};

  constructor() {
    const m = this.meta;
    this.duration = m.duration;
    this.zero = BigInt(m.start);
    this.rows = m.rows.map((r, i) => new Row(i, r[0], r[1], r[2], r[3], r[4], r[5]));
    this.types = m.names.type.map((w) => m.words[w]!);
    this.categories = m.names.category.map((w) => m.words[w]!);
    for (const row of this.rows) {
      const nest = this.nests.get(row.nest);
      if (nest) nest.push(row);
      else this.nests.set(row.nest, [row]);
    }
  }

  /** "name [tid]" of a row of the thread table. */
  thread(index: number): string { return this.directory?.threads[index] ?? '?'; }
  text(name: number): string { return this.meta.names.text[name] ?? '?'; }

  /** The coarsest level of every row: enough to draw before the rest of the file is parsed. */
  async loadOverview(): Promise<void> {
    const bytes = await readSection('overview');
    if (this.rows.length === 0) return;
    const n = bytes.length / (3 * this.rows.length);
    let k = 0;
    while (Math.floor(this.duration / 2 ** k) + 1 > n) k++; // the writer's: the finest that fits
    this.rows.forEach((row, i) => { if (row.levels.length === 0) row.levels = [readLevel(bytes, i * n * 3, k, n)]; });
  }
  /** Everything the document holds, once it is parsed. */
  async loadRest(): Promise<void> {
    const directory = (this.directory = readJson<Directory>('directory'));
    this.rows.forEach((row, i) => {
      const [offset, length, dictionary] = directory.rows[i]!;
      row.bytes = [offset, length];
      row.dictionary = dictionary;
    });
    const [pyramid, requests] = await Promise.all([readSection('pyramid'), readJsonSection<{ requests: unknown[][]; stages: unknown[][]; accounting: [number, string, number][] | null }>('requests')]);
    let at = 0;
    this.rows.forEach((row, i) => {
      const fine: Level[] = [];
      for (const [k, n] of directory.levels[i]!) {
        fine.push(readLevel(pyramid, at, k, n));
        at += 3 * n;
      }
      row.levels = [...fine, row.levels[row.levels.length - 1]!];
    });
    this.requests = (requests?.requests ?? []).map((r, index) => ({ index, ts: r[0] as number, dur: r[1] as number, name: r[2] as string, id: r[3] as string, status: r[4] as string, row: r[5] as number, slice: r[6] as number }));
    this.stages = (requests?.stages ?? []).map((s) => ({ request: s[0] as number, ts: s[1] as number, dur: s[2] as number, name: s[3] as string, wait: s[4] as string, row: s[5] as number, thread: s[6] as string }));
    for (const [request, cls, ns] of requests?.accounting ?? []) {
      const list = this.accounting.get(request);
      if (list) list.push([cls, ns]);
      else this.accounting.set(request, [[cls, ns]]);
    }
    if (directory.flows > 0) this.flows = readFlows(await readSection('flows'), directory.flows);
  }

  get isComplete(): boolean { return this.directory !== null; }

  packed(row: Row): PackedRow | null {
    if (!row.packed && this.directory && row.n > 0) row.packed = new PackedRow(this.rowBytes.read(row.bytes[0], row.bytes[1]), row.n, row.dictionary);
    return row.packed;
  }

  /** The item of `row` that covers t, or the nearest one within `slack` ns. */
  itemAt(row: Row, t: number, slack = 0): Item | null {
    const packed = this.packed(row);
    if (!packed) return null;
    const s = this.scratch;
    const block = Math.max(0, upperBound(packed.start, t, 0, packed.blocks) - 1);
    // The next block's first item may be the near one.
    packed.decode(block, Math.min(packed.blocks, block + 2), s, true);
    const i = upperBound(s.ts, t, 0, s.n) - 1;
    let best = -1;
    let distance = Infinity;
    for (const j of [i, i + 1]) {
      if (j < 0 || j >= s.n) continue;
      const d = t < s.ts[j]! ? s.ts[j]! - t : Math.max(0, t - (s.ts[j]! + s.dur[j]!));
      if (d < distance) { distance = d; best = j; }
    }
    return best >= 0 && distance <= slack ? this.take(row, best) : null;
  }
  /** The item that starts exactly at ts. */
  itemStarting(row: Row, ts: number): Item | null {
    const packed = this.packed(row);
    if (!packed) return null;
    const block = Math.max(0, upperBound(packed.start, ts, 0, packed.blocks) - 1);
    packed.decode(block, block + 1, this.scratch, true);
    for (let i = 0; i < this.scratch.n; i++) if (this.scratch.ts[i] === ts) return this.take(row, i);
    return null;
  }
  /** The item with this id of its SQL table; `only`: the row that it lies on, where that is known. */
  itemOfId(kind: RowKind, id: number, only = -1): Item | null {
    for (const row of only >= 0 ? [this.rows[only]!] : this.rows) {
      if (row.kind !== kind) continue;
      const packed = this.packed(row);
      if (!packed) continue;
      const [from, to] = packed.blocksOfId(id);
      for (let b = from; b < to; b += 64) {
        packed.decode(b, Math.min(to, b + 64), this.scratch, true);
        for (let i = 0; i < this.scratch.n; i++) if (this.scratch.id[i] === id) return this.take(row, i);
      }
    }
    return null;
  }
  private take(row: Row, i: number): Item {
    const s = this.scratch;
    return { row: row.index, ts: s.ts[i]!, dur: s.dur[i]!, name: s.name[i]!, id: s.id[i]!, arg: s.arg[i]! };
  }
  /** The item before (-1) or after (+1) in the same row. */
  neighbour(item: Item, step: 1 | -1): Item | null {
    const row = this.rows[item.row]!;
    const packed = this.packed(row);
    if (!packed) return null;
    const block = Math.max(0, upperBound(packed.start, item.ts, 0, packed.blocks) - 1);
    const from = Math.max(0, block - 1);
    packed.decode(from, Math.min(packed.blocks, block + 2), this.scratch, true);
    for (let i = 0; i < this.scratch.n; i++) {
      if (this.scratch.id[i] !== item.id || this.scratch.ts[i] !== item.ts) continue;
      const j = i + step;
      return j >= 0 && j < this.scratch.n ? this.take(row, j) : null;
    }
    return null;
  }
  /** Enclosing items, innermost first. */
  parents(item: Item): Item[] {
    const row = this.rows[item.row]!;
    const out: Item[] = [];
    if (row.kind !== RowKind.slices) return out;
    const nest = this.nests.get(row.nest) ?? [];
    for (let depth = row.depth - 1; depth >= 0; depth--)
      for (const other of nest) {
        if (other.depth !== depth) continue;
        const found = this.itemAt(other, item.ts);
        if (found && found.ts <= item.ts && found.ts + found.dur >= item.ts + item.dur) { out.push(found); break; }
      }
    return out;
  }
  /** Duration without direct children. */
  selfTime(item: Item): number {
    const row = this.rows[item.row]!;
    let self = item.dur;
    if (row.kind !== RowKind.slices) return self;
    for (const child of this.nests.get(row.nest) ?? [])
      if (child.depth === row.depth + 1) this.each(child, item.ts, item.ts + item.dur, (s, i) => {
        if (s.ts[i]! >= item.ts && s.ts[i]! + s.dur[i]! <= item.ts + item.dur) self -= s.dur[i]!;
      });
    return self;
  }
  /** Calls `use` for every item of the row that overlaps [t0, t1]; not to be nested. */
  each(row: Row, t0: number, t1: number, use: (items: Items, i: number) => void, withIds = false): void {
    const packed = this.packed(row);
    if (!packed) return;
    const [from, to] = packed.range(t0, t1);
    for (let b = from; b < to; b += 64) {
      packed.decode(b, Math.min(to, b + 64), this.scratch, withIds);
      for (let i = 0; i < this.scratch.n; i++)
        if (this.scratch.ts[i]! <= t1 && this.scratch.ts[i]! + this.scratch.dur[i]! >= t0) use(this.scratch, i);
    }
  }
  /** The longest item of the row in [t0, t1]. */
  longestIn(row: Row, t0: number, t1: number): Item | null {
    let best: Item | null = null;
    this.each(row, t0, t1, (s, i) => { if (!best || s.dur[i]! > best.dur) best = this.take(row, i); }, true);
    return best;
  }
  /** The first item after t in time order that `want` accepts; the last one before t for step -1. */
  findNext(want: Wanted, t: number, step: 1 | -1): Item | null {
    let best: Item | null = null;
    for (const row of this.rows) {
      const packed = want.mayHold(row) ? this.packed(row) : null;
      if (!packed) continue;
      const found: Item | null = step > 0 ? this.after(want, row, packed, t, best) : this.before(want, row, packed, t, best);
      if (found) best = found;
    }
    return best;
  }
  private after(want: Wanted, row: Row, packed: PackedRow, t: number, best: Item | null): Item | null {
    for (let b = Math.max(0, upperBound(packed.start, t, 0, packed.blocks) - 1); b < packed.blocks && (!best || packed.start[b]! < best.ts); b++) {
      packed.decode(b, b + 1, this.scratch, true);
      for (let i = 0; i < this.scratch.n; i++)
        if (this.scratch.ts[i]! > t && want.accepts(row, this.scratch, i)) return !best || this.scratch.ts[i]! < best.ts ? this.take(row, i) : null;
    }
    return null;
  }
  private before(want: Wanted, row: Row, packed: PackedRow, t: number, best: Item | null): Item | null {
    for (let b = Math.min(packed.blocks, upperBound(packed.start, t, 0, packed.blocks)) - 1; b >= 0; b--) {
      packed.decode(b, b + 1, this.scratch, true);
      for (let i = this.scratch.n - 1; i >= 0; i--) {
        if (this.scratch.ts[i]! >= t) continue;
        if (best && this.scratch.ts[i]! <= best.ts) return null;
        if (want.accepts(row, this.scratch, i)) return this.take(row, i);
      }
    }
    return null;
  }

  /** Arguments of an item by its arg set. */
  async args(arg: number): Promise<[string, string | number | boolean][]> {
    if (arg === 0 || !this.directory) return [];
    const set = arg - 1;
    const chunk = Math.floor(set / this.directory.argChunk);
    let promise = this.argChunks.get(chunk);
    if (!promise) this.argChunks.set(chunk, (promise = readJsonSection(`args${chunk}`)));
    const flat = (await promise)?.[set % this.directory.argChunk] ?? [];
    const out: [string, string | number | boolean][] = [];
    for (let i = 0; i + 1 < flat.length; i += 2) out.push([String(flat[i]), flat[i + 1]!]);
    return out;
  }

  /** A counter's readings, or null while they are being unpacked (onCounter is called then). */
  counter(index: number): Counter | null {
    const known = this.counters.get(index);
    if (!known && this.directory && !this.counterLoads.has(index)) void this.loadCounter(index).then(() => this.onCounter());
    return known ?? null;
  }
  loadCounter(index: number): Promise<Counter> {
    let load = this.counterLoads.get(index);
    if (!load) {
      load = readSection(`counter${index}`).then((bytes) => {
        const counter = readCounter(bytes, this.meta.counters[index]!);
        this.counters.set(index, counter);
        return counter;
      });
      this.counterLoads.set(index, load);
    }
    return load;
  }
}

const CUMULATIVE = /^(psi_.*|run_delay|nr_throttled|throttled_time|.*_faults|network_.*|pswp(in|out)|capture\..*)$/;
export function isCumulative(meta: CounterMeta): boolean { return CUMULATIVE.test(meta.name); }
/** Time of one thread, or time in which some task waited: never more than the time that passed. Readings are not taken at
 *  one instant, so a full share may come out a little above. */
function isShareOfTime(meta: CounterMeta): boolean { return meta.unit === 'ns' && /^(psi_.*|run_delay)$/.test(meta.name); }
/** Where a counter's area begins: at zero, except for values that vary far from it (a clock rate, a temperature). */
export function floorOf({ min, max }: { min: number; max: number }): number {
  return max > min && min > 0.7 * max ? min - (max - min) * 0.2 : Math.min(0, min);
}
/** Of memory the peak is what people ask for: it must fit. */
export function isMemory(meta: CounterMeta): boolean { return meta.unit === 'bytes' && !isCumulative(meta); }
/** What is drawn of a counter: cumulative ones as their rate per second. */
export function shownUnit(meta: CounterMeta): string {
  if (!isCumulative(meta)) return meta.unit;
  return meta.unit === 'ns' ? 'percent' : meta.unit === 'count' || meta.unit === '' ? '1/s' : `${meta.unit}/s`;
}

export function readCounter(bytes: Uint8Array, meta: CounterMeta): Counter {
  const n = bytes.length / 16;
  const ts = new Float64Array(n);
  const value = new Float64Array(n);
  const eight = new Uint8Array(8);
  const asDouble = new Float64Array(eight.buffer);
  let t = 0;
  for (let i = 0; i < n; i++) {
    let step = 0;
    for (let p = 7; p >= 0; p--) step = step * 256 + bytes[p * n + i]!;
    ts[i] = t += step;
    for (let p = 0; p < 8; p++) eight[p] = bytes[(8 + p) * n + i]!;
    value[i] = asDouble[0]!;
  }
  if (isCumulative(meta)) {
    // A rate needs two readings: of one alone nothing can be drawn.
    if (n < 2) return { ts: new Float64Array(0), value: new Float64Array(0), min: Infinity, max: -Infinity, peak: -1 };
    for (let i = n - 1; i > 0; i--) {
      const seconds = (ts[i]! - ts[i - 1]!) / 1e9;
      const rate = seconds > 0 ? (value[i]! - value[i - 1]!) / seconds : 0;
      value[i] = isShareOfTime(meta) ? Math.min(100, rate / 1e7) : meta.unit === 'ns' ? rate / 1e7 : rate;
    }
    // A rate belongs to the interval before its reading.
    for (let i = 0; i + 1 < n; i++) value[i] = value[i + 1]!;
  }
  let min = Infinity;
  let max = -Infinity;
  let peak = -1;
  value.forEach((v, i) => { if (v < min) min = v; if (v > max) { max = v; peak = i; } });
  return { ts, value, min, max, peak };
}

function readFlows(bytes: Uint8Array, n: number): Flows {
  const f64 = (i: number) => new Float64Array(bytes.buffer, i * 8 * n, n);
  const u32 = (i: number) => new Uint32Array(bytes.buffer, 32 * n + i * 4 * n, n);
  const flows = { n, fromTs: f64(0), fromDur: f64(1), toTs: f64(2), toDur: f64(3), fromRow: u32(0), toRow: u32(1), byTarget: new Uint32Array(n) };
  for (let i = 0; i < n; i++) flows.byTarget[i] = i;
  flows.byTarget.sort((a, b) => flows.toRow[a]! - flows.toRow[b]! || flows.toTs[a]! - flows.toTs[b]!);
  return flows;
}

/** Flows that leave and that reach an item. */
export function flowsOf(flows: Flows, item: Item): { out: number[]; in: number[] } {
  const out: number[] = [];
  const into: number[] = [];
  const seek = (row: (i: number) => number, ts: (i: number) => number, found: (i: number) => void) => {
    let lo = 0;
    let hi = flows.n;
    while (lo < hi) {
      const mid = (lo + hi) >>> 1;
      if (row(mid) < item.row || (row(mid) === item.row && ts(mid) < item.ts)) lo = mid + 1;
      else hi = mid;
    }
    for (; lo < flows.n && row(lo) === item.row && ts(lo) === item.ts; lo++) found(lo);
  };
  seek((i) => flows.fromRow[i]!, (i) => flows.fromTs[i]!, (i) => out.push(i));
  seek((i) => flows.toRow[flows.byTarget[i]!]!, (i) => flows.toTs[flows.byTarget[i]!]!, (i) => into.push(flows.byTarget[i]!));
  return { out, in: into };
}

export { BLOCK };
