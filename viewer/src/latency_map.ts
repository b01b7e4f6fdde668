// Latency over time: requests counted by when they arrived and, in buckets that grow by a fixed factor, by how long they took.
import type { Request } from './model';

export interface LatencyMap {
  columns: number;
  rows: number;
  perOctave: number; // buckets in which the latency doubles
  low: number; // bucket of the lowest row
  duration: number; // of the trace, ns
  counts: Uint32Array; // row after row from the lowest, columns by time
  most: number;
}
export interface CellBounds { t0: number; t1: number; from: number; to: number }

export const COLUMNS = 60;
const MOST_ROWS = 24;
const PER_OCTAVE = [16, 8, 4, 2, 1]; // the finest that fits

const isFinished = (r: Request): boolean => r.status !== 'unfinished';
const bucket = (ns: number, perOctave: number): number => Math.floor(Math.log2(Math.max(1, ns)) * perOctave);

/** Of finished requests: of the others the latency is not known. null: there is none. */
export function latencyMap(requests: Request[], duration: number): LatencyMap | null {
  let low = Infinity;
  let high = 0;
  for (const r of requests) {
    if (!isFinished(r)) continue;
    low = Math.min(low, r.dur);
    high = Math.max(high, r.dur);
  }
  if (low === Infinity) return null;
  const rowsAt = (n: number): number => bucket(high, n) - bucket(low, n) + 1;
  const perOctave = PER_OCTAVE.find((n) => rowsAt(n) <= MOST_ROWS) ?? 1;
  const rows = rowsAt(perOctave);
  const map: LatencyMap = { columns: COLUMNS, rows, perOctave, low: bucket(low, perOctave), duration: Math.max(1, duration), counts: new Uint32Array(rows * COLUMNS), most: 0 };
  for (const r of requests) {
    const cell = cellOf(map, r);
    if (cell >= 0) map.most = Math.max(map.most, ++map.counts[cell]!);
  }
  return map;
}
/** The cell that counts the request; -1: none does. */
export function cellOf(map: LatencyMap, r: Request): number {
  if (!isFinished(r)) return -1;
  const column = Math.max(0, Math.min(map.columns - 1, Math.floor((r.ts / map.duration) * map.columns)));
  const row = bucket(r.dur, map.perOctave) - map.low;
  return row >= 0 && row < map.rows ? row * map.columns + column : -1;
}
export function boundsOf(map: LatencyMap, cell: number): CellBounds {
  const row = Math.floor(cell / map.columns);
  const column = cell % map.columns;
  const edge = (i: number): number => 2 ** ((map.low + i) / map.perOctave);
  return { t0: (column / map.columns) * map.duration, t1: ((column + 1) / map.columns) * map.duration, from: edge(row), to: edge(row + 1) };
}
/** The nearest cell with requests in a direction, so that keys need not walk through empty ones; the cell itself where there is none. */
export function nextCell(map: LatencyMap, cell: number, dx: number, dy: number): number {
  const row = Math.floor(cell / map.columns);
  const column = cell % map.columns;
  let best = cell;
  let distance = Infinity;
  for (let other = 0; other < map.counts.length; other++) {
    if (map.counts[other] === 0) continue;
    const along = (Math.floor(other / map.columns) - row) * dy + ((other % map.columns) - column) * dx;
    const across = Math.abs(dx !== 0 ? Math.floor(other / map.columns) - row : (other % map.columns) - column);
    if (along <= 0 || along + 4 * across >= distance) continue;
    distance = along + 4 * across;
    best = other;
  }
  return best;
}
