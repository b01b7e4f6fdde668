// The packed rows: blocks of 128 items, bit-packed columns gap | dur | name | id step | arg (src/report/html/block_codec.hpp).

export const BLOCK = 128;

/** Decoded items of one row; reused between calls, valid up to `n`. */
export class Items {
  n = 0;
  ts = new Float64Array(1024);
  dur = new Float64Array(1024);
  name = new Uint32Array(1024);
  id = new Uint32Array(1024);
  arg = new Uint32Array(1024);

  reserve(n: number): void {
    if (n <= this.ts.length) return;
    const size = 2 ** Math.ceil(Math.log2(n));
    this.ts = new Float64Array(size);
    this.dur = new Float64Array(size);
    this.name = new Uint32Array(size);
    this.id = new Uint32Array(size);
    this.arg = new Uint32Array(size);
  }
}

/** First index in [lo, hi) whose value is greater than t. */
export function upperBound(a: ArrayLike<number>, t: number, lo: number, hi: number): number {
  while (lo < hi) {
    const mid = (lo + hi) >>> 1;
    if (a[mid]! <= t) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

const wide = new Float64Array(BLOCK);

function unpackNarrow(words: Uint32Array, at: number, n: number, width: number, scale: number, out: Float64Array): number {
  if (width === 0) return at;
  const mask = width === 32 ? 0xffffffff : ((1 << width) >>> 0) - 1;
  let bit = 0;
  for (let i = 0; i < n; i++) {
    const q = at + (bit >>> 5);
    const s = bit & 31;
    let v = words[q]! >>> s;
    if (s + width > 32) v |= words[q + 1]! << (32 - s);
    out[i]! += ((v & mask) >>> 0) * scale;
    bit += width;
  }
  return at + ((n * width + 31) >>> 5);
}

function unpack(words: Uint32Array, at: number, n: number, width: number, out: Float64Array): number {
  out.fill(0, 0, n);
  const next = unpackNarrow(words, at, n, Math.min(width, 32), 1, out);
  return width > 32 ? unpackNarrow(words, next, n, width - 32, 4294967296, out) : next;
}

export class PackedRow {
  readonly blocks: number;
  readonly start: Float64Array;
  private readonly offset: Uint32Array;
  private readonly widths: Uint32Array;
  private readonly firstId: Uint32Array;
  private readonly leastArg: Uint32Array;
  private readonly words: Uint32Array;
  private idsGrow: boolean | null = null;

  /** `bytes` must start at a multiple of 8 in its buffer and belong to this row alone. */
  constructor(bytes: Uint8Array, readonly count: number, private readonly dictionary: ArrayLike<number>) {
    const nb = (this.blocks = Math.ceil(count / BLOCK));
    const at = bytes.byteOffset;
    this.start = new Float64Array(bytes.buffer, at, nb);
    this.offset = new Uint32Array(bytes.buffer, at + nb * 8, nb);
    this.widths = new Uint32Array(bytes.buffer, at + nb * 12, nb);
    this.firstId = new Uint32Array(bytes.buffer, at + nb * 16, nb);
    this.leastArg = new Uint32Array(bytes.buffer, at + nb * 20, nb);
    this.words = new Uint32Array(bytes.buffer, at + nb * 24, (bytes.byteLength - nb * 24) >>> 2);
  }

  /** Blocks that may hold items overlapping [t0, t1]. */
  range(t0: number, t1: number): [number, number] {
    const from = Math.max(0, upperBound(this.start, t0, 0, this.blocks) - 1);
    return [from, upperBound(this.start, t1, from, this.blocks)];
  }

  /** Blocks that may hold the id. Ids mostly grow along a row; where one does not, its step has wrapped: 32 bits wide. */
  blocksOfId(id: number): [number, number] {
    this.idsGrow ??= this.firstId.every((first, b) => (b === 0 || first >= this.firstId[b - 1]!) && ((this.widths[b]! >>> 18) & 63) < 32);
    if (!this.idsGrow) return [0, this.blocks];
    const at = upperBound(this.firstId, id, 0, this.blocks) - 1;
    return at < 0 ? [0, 0] : [at, at + 1];
  }

  /** Decodes blocks [from, to) into `out`; ids and args only when asked. */
  decode(from: number, to: number, out: Items, withIds = false): void {
    out.reserve((to - from) * BLOCK);
    let n = 0;
    for (let b = from; b < to; b++) {
      const m = Math.min(BLOCK, this.count - b * BLOCK);
      const width = this.widths[b]!;
      let at = this.offset[b]!;
      at = unpack(this.words, at, m, width & 63, wide);
      for (let i = 0; i < m; i++) out.ts[n + i] = wide[i]!; // gaps for now
      at = unpack(this.words, at, m, (width >>> 6) & 63, wide);
      let t = this.start[b]!;
      for (let i = 0; i < m; i++) {
        t += out.ts[n + i]!;
        out.ts[n + i] = t;
        out.dur[n + i] = wide[i]!;
        t += wide[i]!;
      }
      at = unpack(this.words, at, m, (width >>> 12) & 63, wide);
      for (let i = 0; i < m; i++) out.name[n + i] = this.dictionary[wide[i]!]!;
      if (withIds) this.decodeIds(b, m, at, out, n);
      n += m;
    }
    out.n = n;
  }

  private decodeIds(b: number, m: number, at: number, out: Items, n: number): void {
    const width = this.widths[b]!;
    at = unpack(this.words, at, m, (width >>> 18) & 63, wide);
    let id = this.firstId[b]!;
    for (let i = 0; i < m; i++) out.id[n + i] = id = (id + wide[i]!) >>> 0;
    unpack(this.words, at, m, (width >>> 24) & 63, wide);
    for (let i = 0; i < m; i++) out.arg[n + i] = (this.leastArg[b]! + wide[i]!) >>> 0;
  }
}
