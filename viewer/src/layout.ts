// The lines of the timeline from top to bottom: group headings, rows, counters; what is folded takes no place. Pinned tracks stand
// above all others, once more.
import { RowKind, type Row, type Trace } from './model';
import type { Pin } from './pins';

export type Line =
  | { type: 'group'; y: number; h: number; group: number; depth: number; open: boolean; states: Row | null; summary: Row[]; isPinned?: true }
  | { type: 'row'; y: number; h: number; row: Row; indent: number; title: string; isPinned?: true }
  | { type: 'counter'; y: number; h: number; counter: number; indent: number; isPinned?: true }
  | { type: 'more'; y: number; h: number; group: number; kind: 'lanes' | 'threads'; hidden: number; indent: number; summary: Row[]; isPinned?: true };

/** How much of a long group is shown before it is unrolled: lanes of requests, threads of a process, threads that come open. */
export interface Shown { lanes: number; threads: number; open: number }
// From the most generous to the tightest; the first one that lets every layer onto the first screen is taken.
const SHOWN: Shown[] = [{ lanes: 8, threads: 12, open: 4 }, { lanes: 5, threads: 8, open: 2 }, { lanes: 3, threads: 6, open: 1 }, { lanes: 2, threads: 4, open: 1 }];
const LANE_KINDS = ['requests', 'waiting', 'async', 'cpus'];

const PINNED_ROWS = 6; // of a thread
export const HEIGHT = { group: 26, thread: 22, row: 19, counter: 38 } as const;

export class Layout {
  lines: Line[] = [];
  height = 0;
  pins: Pin[] = [];
  pinned: Line[] = []; // their lines, from 0 as well
  pinnedHeight = 0;
  readonly closed = new Set<number>();
  readonly unrolled = new Set<number>(); // long groups shown whole
  shown: Shown = SHOWN[0]!;
  private readonly children = new Map<number, number[]>();
  private readonly rowsOf = new Map<number, Row[]>();
  private readonly countersOf = new Map<number, number[]>();

  constructor(private readonly trace: Trace) {
    trace.meta.groups.forEach((group, i) => push(this.children, group.parent, i));
    for (const row of trace.rows) push(this.rowsOf, row.group, row);
    trace.meta.counters.forEach((counter, i) => { if (counter.n > 0) push(this.countersOf, counter.group, i); });
    this.fit(Infinity);
  }

  /** What a page shows at first: requests, waiting, device, busy threads and cores within `room` pixels where that is possible. */
  fit(room: number): void {
    for (const shown of SHOWN) {
      this.shown = shown;
      this.foldAtFirst();
      this.build();
      const counters = this.lines.find((l) => l.type === 'group' && l.depth === 0 && this.trace.meta.groups[l.group]!.kind === 'counters');
      if ((counters?.y ?? this.height) <= room) return;
    }
  }
  /** Counters of processes, all but the first process and all but its busiest threads start folded. */
  private foldAtFirst(): void {
    this.closed.clear();
    let processes = 0;
    let threads = 0;
    this.trace.meta.groups.forEach((group, i) => {
      if (group.kind === 'process' && ++processes > 1) this.closed.add(i);
      if (group.kind === 'counters' && group.parent >= 0) this.closed.add(i);
      if (group.kind === 'thread' && ++threads > this.shown.open) this.closed.add(i);
    });
  }

  toggle(group: number): void {
    if (!this.closed.delete(group)) this.closed.add(group);
    this.build();
  }
  /** Shows a long group whole, or short again. */
  unroll(group: number): void {
    if (!this.unrolled.delete(group)) this.unrolled.add(group);
    this.build();
  }
  /** Opens every group that hides `row`. */
  reveal(row: number): void {
    if (this.lineOfRow(row)) return;
    for (let g = this.trace.rows[row]!.group; g >= 0; g = this.trace.meta.groups[g]!.parent) this.closed.delete(g);
    this.build();
    for (let g = this.trace.rows[row]!.group; g >= 0 && !this.lineOfRow(row); g = this.trace.meta.groups[g]!.parent) {
      this.unrolled.add(g);
      this.build();
    }
  }

  build(): void {
    this.lines = [];
    this.height = 0;
    for (const group of this.children.get(-1) ?? []) this.addGroup(group, 0);
    this.pinned = this.pins.flatMap((pin) => this.linesOfPin(pin));
    this.pinnedHeight = 0;
    for (const line of this.pinned) {
      line.y = this.pinnedHeight;
      this.pinnedHeight += line.h;
    }
  }
  /** A pinned thread: its heading, and while it is open the first of its rows. */
  private linesOfPin({ kind, index }: Pin): Line[] {
    if (kind === 'counter') return [{ type: 'counter', y: 0, h: HEIGHT.counter, counter: index, indent: 0, isPinned: true }];
    const line = (row: Row, indent: number): Line => ({ type: 'row', y: 0, h: HEIGHT.row, row, indent, title: '', isPinned: true });
    if (kind === 'row') return [line(this.trace.rows[index]!, 0)];
    const rows = this.rowsOf.get(index) ?? [];
    const states = rows.find((r) => r.kind === RowKind.state) ?? null;
    const open = !this.closed.has(index);
    const heading: Line = { type: 'group', y: 0, h: HEIGHT.thread, group: index, depth: 1, open, states, summary: open || states ? [] : this.summary(index), isPinned: true };
    return [heading, ...(open ? rows.filter((r) => r !== states).slice(0, PINNED_ROWS).map((r) => line(r, 2)) : [])];
  }
  private add(line: Line): void {
    line.y = this.height;
    this.height += line.h;
    this.lines.push(line);
  }
  private addGroup(index: number, depth: number): void {
    const group = this.trace.meta.groups[index]!;
    const rows = this.rowsOf.get(index) ?? [];
    const open = !this.closed.has(index);
    const isThread = group.kind === 'thread';
    const states = isThread ? rows.find((r) => r.kind === RowKind.state) ?? null : null;
    this.add({ type: 'group', y: 0, h: isThread ? HEIGHT.thread : HEIGHT.group, group: index, depth, open, states, summary: open || states ? [] : this.summary(index) });
    if (!open) return;
    const limit = LANE_KINDS.includes(group.kind) ? this.shown.lanes * (group.kind === 'cpus' ? 2 : 1) : Infinity;
    const lanes = this.cut(index, rows.length, limit);
    for (const row of rows.slice(0, lanes)) {
      if (row.kind === RowKind.state && row === states) continue;
      this.add({ type: 'row', y: 0, h: HEIGHT.row, row, indent: depth + 1, title: row.name });
    }
    this.addMore(index, 'lanes', rows.length - lanes, depth, rows.slice(lanes), rows.length > limit + 1);
    this.addChildren(index, depth);
    for (const counter of this.countersOf.get(index) ?? []) this.add({ type: 'counter', y: 0, h: HEIGHT.counter, counter, indent: depth + 1 });
  }
  private addChildren(index: number, depth: number): void {
    const children = this.children.get(index) ?? [];
    const threads = children.filter((c) => this.trace.meta.groups[c]!.kind === 'thread');
    const hidden = new Set(threads.slice(this.cut(index, threads.length, this.shown.threads)));
    for (const thread of threads) if (!hidden.has(thread)) this.addGroup(thread, depth + 1);
    this.addMore(index, 'threads', hidden.size, depth, [...hidden].flatMap((c) => this.busyRows(c)), threads.length > this.shown.threads + 1);
    for (const child of children) if (this.trace.meta.groups[child]!.kind !== 'thread') this.addGroup(child, depth + 1);
  }
  /** How many of n are shown: a line that says "1 more" would take the place of the one it hides. */
  private cut(group: number, n: number, limit: number): number { return this.unrolled.has(group) || n <= limit + 1 ? n : limit; }
  private addMore(group: number, kind: 'lanes' | 'threads', hidden: number, depth: number, summary: Row[], isLong: boolean): void {
    if (hidden === 0 && !(isLong && this.unrolled.has(group))) return;
    this.add({ type: 'more', y: 0, h: HEIGHT.row, group, kind, hidden, indent: depth + 1, summary: summary.slice(0, 64) });
  }
  private busyRows(group: number): Row[] { return (this.rowsOf.get(group) ?? []).filter((r) => r.depth === 0 && r.kind !== RowKind.state); }
  /** Outermost rows below a folded group: their activity is drawn on its heading. */
  private summary(index: number): Row[] {
    const out = this.busyRows(index);
    for (const child of this.children.get(index) ?? []) if (out.length < 64) out.push(...this.summary(child));
    return out.slice(0, 64);
  }

  /** The line at y of the content, by bisection. */
  lineAt(y: number, lines = this.lines): Line | null {
    let lo = 0;
    let hi = lines.length;
    while (lo < hi) {
      const mid = (lo + hi) >>> 1;
      if (lines[mid]!.y <= y) lo = mid + 1;
      else hi = mid;
    }
    const line = lines[lo - 1];
    return line && y < line.y + line.h ? line : null;
  }
  firstVisible(y: number): number {
    let lo = 0;
    let hi = this.lines.length;
    while (lo < hi) {
      const mid = (lo + hi) >>> 1;
      if (this.lines[mid]!.y + this.lines[mid]!.h <= y) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }
  lineOfRow(row: number, lines = this.lines): Line | null {
    return lines.find((l) => (l.type === 'row' && l.row.index === row) || (l.type === 'group' && l.states?.index === row)) ?? null;
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
