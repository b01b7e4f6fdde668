// Figures over a range: per name n, total, mean, min, percentiles, max.

export interface NameStats {
  name: number;
  n: number;
  total: number;
  union: number; // time in which at least one ran
  min: number;
  p50: number;
  p90: number;
  p99: number;
  max: number;
}
/** The name of the line over all names. */
export const ALL = -1;

/** Linear interpolation between order statistics (type 7), as the SQL function percentile(). `sorted` ascending, not empty. */
export function percentile(sorted: ArrayLike<number>, p: number): number {
  const at = (p / 100) * (sorted.length - 1);
  const low = Math.floor(at);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (at - low);
}

/** Length of the union of intervals, by a sweep over sorted starts and ends. */
export function unionLength(starts: Float64Array, ends: Float64Array): number {
  starts = starts.slice().sort();
  ends = ends.slice().sort();
  let total = 0;
  let open = 0; // start of the stretch under way
  for (let i = 0, k = 0; k < ends.length; k++) {
    if (i === k) open = starts[i]!; // all earlier ones have ended: a new stretch
    while (i < starts.length && starts[i]! <= ends[k]!) i++;
    if (i === k + 1) total += ends[k]! - open;
  }
  return total;
}

interface Times { ts: number[]; dur: number[] }

export class Collector {
  private readonly times = new Map<number, Times>();
  items = 0;

  add(name: number, ts: number, dur: number): void {
    let list = this.times.get(name);
    if (!list) this.times.set(name, (list = { ts: [], dur: [] }));
    list.ts.push(ts);
    list.dur.push(dur);
    this.items++;
  }
  /** Largest total first; what lies inside something else counts in both. */
  result(): NameStats[] {
    const out: NameStats[] = [];
    for (const [name, { ts, dur }] of this.times) out.push(figures(name, ts, dur));
    return out.sort((a, b) => b.total - a.total || a.name - b.name);
  }
  /** All items together; null when there are none. */
  whole(): NameStats | null {
    if (this.items === 0) return null;
    const lists = [...this.times.values()];
    return figures(ALL, lists.flatMap((l) => l.ts), lists.flatMap((l) => l.dur));
  }
}

function figures(name: number, ts: number[], dur: number[]): NameStats {
  const sorted = Float64Array.from(dur).sort();
  let total = 0;
  for (const d of sorted) total += d;
  const union = unionLength(Float64Array.from(ts), Float64Array.from(ts, (t, i) => t + dur[i]!));
  return { name, n: sorted.length, total, union, min: sorted[0]!, p50: percentile(sorted, 50), p90: percentile(sorted, 90), p99: percentile(sorted, 99), max: sorted[sorted.length - 1]! };
}
