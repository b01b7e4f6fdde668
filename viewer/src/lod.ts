// Levels of detail: busy share and the longest name per bucket of 2^k ns (src/report/html/pyramid.hpp).

export const NO_NAME = 0xffff;

export interface Level {
  k: number;
  width: number;
  busy: Uint8Array;
  name: Uint16Array;
}

/** Reads one level of `n` buckets at `at`: busy bytes, then low and high name bytes. */
export function readLevel(bytes: Uint8Array, at: number, k: number, n: number): Level {
  const name = new Uint16Array(n);
  for (let i = 0; i < n; i++) name[i] = bytes[at + n + i]! | (bytes[at + 2 * n + i]! << 8);
  return { k, width: 2 ** k, busy: bytes.subarray(at, at + n), name };
}

/** The coarsest level whose buckets are not wider than a pixel; the finest when none is. Levels go from fine to coarse. */
export function chooseLevel(levels: Level[], nsPerPixel: number): Level {
  let chosen = levels[0]!;
  for (const level of levels) {
    if (level.width > nsPerPixel) break;
    chosen = level;
  }
  return chosen;
}

/** Fills per-pixel busy (0..255) and name for [t0, t0 + pixels * nsPerPixel). */
export function sampleLevel(level: Level, t0: number, nsPerPixel: number, pixels: number, busy: Float32Array, name: Uint16Array): void {
  const last = level.busy.length;
  for (let x = 0; x < pixels; x++) {
    const from = Math.floor((t0 + x * nsPerPixel) / level.width);
    let to = Math.floor((t0 + (x + 1) * nsPerPixel) / level.width);
    if (to <= from) to = from + 1;
    let sum = 0;
    let most = -1;
    let which = NO_NAME;
    for (let b = Math.max(0, from); b < Math.min(to, last); b++) {
      const v = level.busy[b]!;
      sum += v;
      if (v > most && level.name[b] !== NO_NAME) {
        most = v;
        which = level.name[b]!;
      }
    }
    busy[x] = sum / (to - from);
    name[x] = which;
  }
}
