// Heat rows at the resolution of the screen.

/** Mean of 0..255 bytes per pixel over [t0, t1), buckets of `width` ns; NaN outside the data. */
export function resample(busy: Uint8Array, width: number, t0: number, t1: number, pixels: number, out: Float32Array): void {
  const npp = (t1 - t0) / pixels;
  for (let x = 0; x < pixels; x++) {
    const from = Math.floor((t0 + x * npp) / width);
    let to = Math.floor((t0 + (x + 1) * npp) / width);
    if (to <= from) to = from + 1;
    if (from < 0 || from >= busy.length) { out[x] = NaN; continue; }
    let sum = 0;
    const last = Math.min(to, busy.length);
    for (let b = from; b < last; b++) sum += busy[b]!;
    out[x] = sum / (last - from);
  }
}
