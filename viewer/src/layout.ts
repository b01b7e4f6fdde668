// The lines of the timeline from top to bottom: group headings, rows, counters; what is folded takes no place.
import { RowKind, type Row, type Trace } from './model';

export type Line =
  | { type: 'group'; y: number; h: number; group: number; depth: number; open: boolean; states: Row | null; summary: Row[] }
  | { type: 'row'; y: number; h: number; row: Row; indent: number; title: string }
  | { type: 'counter'; y: number; h: number; counter: number; indent: number };

export const HEIGHT = { group: 26, thread: 22, row: 19, counter: 38 } as const;

export class Layout {
  lines: Line[] = [];
  height = 0;
  readonly closed = new Set<number>();
  private readonly children = new Map<number, number[]>();
  private readonly rowsOf = new Map<number, Row[]>();
  private readonly countersOf = new Map<number, number[]>();

  constructor(private readonly trace: Trace) {
    trace.meta.groups.forEach((group, i) => push(this.children, group.parent, i));
    for (const row of trace.rows) push(this.rowsOf, row.group, row);
    trace.meta.counters.forEach((counter, i) => { if (counter.n > 0) push(this.countersOf, counter.group, i); });
    this.foldAtFirst();
    this.build();
  }

  /** Counters and all but the first processes start folded: the first screen shows requests, stages, busy threads and cores. */
  private foldAtFirst(): void {
    let processes = 0;
    this.trace.meta.groups.forEach((group, i) => {
      if (group.kind === 'process' && ++processes > 1) this.closed.add(i);
      if (group.kind === 'counters' && group.parent >= 0) this.closed.add(i);
      if (group.kind === 'waiting' && (this.rowsOf.get(i)?.length ?? 0) > 24) this.closed.add(i);
    });
  }

  toggle(group: number): void {
    if (!this.closed.delete(group)) this.closed.add(group);
    this.build();
  }
  /** Opens every group that hides `row`. */
  reveal(row: number): void {
    for (let g = this.trace.rows[row]!.group; g >= 0; g = this.trace.meta.groups[g]!.parent) this.closed.delete(g);
    this.build();
  }
  setAll(open: boolean): void {
    this.closed.clear();
    if (!open) this.trace.meta.groups.forEach((_, i) => this.closed.add(i));
    this.build();
  }

  build(): void {
    this.lines = [];
    this.height = 0;
    // Cores before the processes' counters: machine groups keep the order of the page.
    for (const group of this.children.get(-1) ?? []) this.addGroup(group, 0);
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
    for (const row of rows) {
      if (row.kind === RowKind.state && row === states) continue;
      this.add({ type: 'row', y: 0, h: HEIGHT.row, row, indent: depth + 1, title: row.name });
    }
    for (const child of this.children.get(index) ?? []) this.addGroup(child, depth + 1);
    for (const counter of this.countersOf.get(index) ?? []) this.add({ type: 'counter', y: 0, h: HEIGHT.counter, counter, indent: depth + 1 });
  }
  /** Outermost rows below a folded group: their activity is drawn on its heading. */
  private summary(index: number): Row[] {
    const out = (this.rowsOf.get(index) ?? []).filter((r) => r.depth === 0 && r.kind !== RowKind.state);
    for (const child of this.children.get(index) ?? []) if (out.length < 64) out.push(...this.summary(child));
    return out.slice(0, 64);
  }

  /** The line at y of the content, by bisection. */
  lineAt(y: number): Line | null {
    let lo = 0;
    let hi = this.lines.length;
    while (lo < hi) {
      const mid = (lo + hi) >>> 1;
      if (this.lines[mid]!.y <= y) lo = mid + 1;
      else hi = mid;
    }
    const line = this.lines[lo - 1];
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
  lineOfRow(row: number): Line | null {
    return this.lines.find((l) => (l.type === 'row' && l.row.index === row) || (l.type === 'group' && l.states?.index === row)) ?? null;
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
