// Figures over a range: per name n, total, mean, min, percentiles, max.

export interface NameStats {
  name: number;
  n: number;
  total: number;
  min: number;
  p50: number;
  p99: number;
  max: number;
}

/** Linear interpolation between order statistics (type 7), as the SQL function percentile(). `sorted` ascending, not empty. */
export function percentile(sorted: ArrayLike<number>, p: number): number {
  const at = (p / 100) * (sorted.length - 1);
  const low = Math.floor(at);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (at - low);
}

export class Collector {
  private readonly durations = new Map<number, number[]>();
  items = 0;

  add(name: number, dur: number): void {
    let list = this.durations.get(name);
    if (!list) this.durations.set(name, (list = []));
    list.push(dur);
    this.items++;
  }
  /** Largest total first. */
  result(): NameStats[] {
    const out: NameStats[] = [];
    for (const [name, list] of this.durations) {
      const sorted = Float64Array.from(list).sort();
      let total = 0;
      for (const d of sorted) total += d;
      out.push({ name, n: sorted.length, total, min: sorted[0]!, p50: percentile(sorted, 50), p99: percentile(sorted, 99), max: sorted[sorted.length - 1]! });
    }
    return out.sort((a, b) => b.total - a.total || a.name - b.name);
  }
}
