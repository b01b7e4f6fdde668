// What a search or a filter leaves: by name, layer, duration and request; counted, walked with next and previous, marked in the timeline.
import type { Items } from './codec';
import { RowKind, type Row, type Trace } from './model';
import { matchNames } from './search';

export interface Filter { layer: number; min: number; max: number; request: number } // -1: any
export const NO_FILTER: Filter = { layer: -1, min: -1, max: -1, request: -1 };
export const isFiltering = (f: Filter): boolean => f.layer >= 0 || f.min >= 0 || f.max >= 0 || f.request >= 0;

/** "20 us", "1.5ms", "3" (ns) in ns; -1: empty or no duration. */
export function parseDuration(text: string): number {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(ns|us|µs|μs|ms|s)?\s*$/.exec(text);
  if (!match) return -1;
  return Number(match[1]) * { ns: 1, us: 1e3, µs: 1e3, μs: 1e3, ms: 1e6, s: 1e9 }[match[2] ?? 'ns']!;
}

type Piece = { nest: number; depth: number; from: number; to: number };

export class Matcher {
  readonly names: Uint8Array; // 1: the name passes
  private readonly pieces: Piece[] | null;
  private readonly requestItem: [row: number, ts: number] | null = null;

  /** null when the query is no valid expression, or when nothing is asked. */
  static of(trace: Trace, query: string, filter: Filter): Matcher | null {
    if (query.trim() === '' && !isFiltering(filter)) return null;
    const names = query.trim() === '' ? new Uint8Array(trace.meta.names.text.length).fill(1) : matchNames(query, trace.meta.names.text, trace.types);
    return names ? new Matcher(trace, names, filter) : null;
  }
  private constructor(trace: Trace, names: Uint8Array, private readonly filter: Filter) {
    this.names = names;
    if (filter.layer >= 0) for (let i = 0; i < names.length; i++) if (trace.meta.names.layer[i] !== filter.layer) names[i] = 0;
    const request = filter.request >= 0 ? trace.requests[filter.request] : undefined;
    // A request is its own span and what lies in its stages, on the stages' own threads and lanes.
    this.pieces = filter.request < 0 ? null : trace.stages.filter((s) => s.request === filter.request && s.row >= 0)
      .map((s) => ({ nest: trace.rows[s.row]!.nest, depth: trace.rows[s.row]!.depth, from: s.ts, to: s.ts + s.dur }));
    if (request && request.row >= 0) this.requestItem = [request.row, request.ts];
  }
  /** Rows that may hold a match; thread states have no names to look for. */
  mayHold(row: Row): boolean {
    if (row.kind === RowKind.state || !row.dictionary.some((d) => this.names[d])) return false;
    return !this.pieces || this.requestItem?.[0] === row.index || this.pieces.some((p) => p.nest === row.nest && p.depth <= row.depth);
  }
  accepts(row: Row, s: Items, i: number): boolean {
    const dur = s.dur[i]!;
    if (!this.names[s.name[i]!] || (this.filter.min >= 0 && dur < this.filter.min) || (this.filter.max >= 0 && dur > this.filter.max)) return false;
    if (!this.pieces) return true;
    const ts = s.ts[i]!;
    if (this.requestItem && this.requestItem[0] === row.index && this.requestItem[1] === ts) return true;
    return row.kind === RowKind.slices && this.pieces.some((p) => p.nest === row.nest && p.depth <= row.depth && ts >= p.from && ts + dur <= p.to && !(p.depth === row.depth && (ts !== p.from || ts + dur !== p.to)));
  }
}

/** Where the matches are, for marking; beyond the limit a row keeps none. */
export class Places {
  static readonly MOST = 1_000_000;
  readonly rows = new Map<number, { ts: number[]; end: number[] }>();
  private n = 0;
  add(row: number, ts: number, dur: number): void {
    if (++this.n > Places.MOST) return;
    let list = this.rows.get(row);
    if (!list) this.rows.set(row, (list = { ts: [], end: [] }));
    list.ts.push(ts);
    list.end.push(ts + dur);
  }
}
