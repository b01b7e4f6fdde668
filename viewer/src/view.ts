// What is on screen in time, with its history; shared by the timeline and the heat map.

export class View {
  t0 = 0;
  t1 = 1;
  private readonly past: [number, number][] = [];
  onChange: () => void = () => {};

  constructor(readonly duration: number) {
    this.t1 = duration;
  }
  get span(): number { return this.t1 - this.t0; }

  /** Keeps the view inside the trace (with a little air) and at least 10 ns wide. */
  set(t0: number, t1: number): void {
    const air = this.duration * 0.02;
    const span = Math.min(Math.max(t1 - t0, 10), this.duration + 2 * air);
    const middle = (t0 + t1) / 2;
    let from = middle - span / 2;
    from = Math.max(-air, Math.min(from, this.duration + air - span));
    this.t0 = from;
    this.t1 = from + span;
    this.onChange();
  }
  zoom(at: number, factor: number): void {
    this.set(at - (at - this.t0) * factor, at + (this.t1 - at) * factor);
  }
  pan(by: number): void {
    this.set(this.t0 + by, this.t1 + by);
  }
  /** A jump that Backspace undoes. */
  go(t0: number, t1: number): void {
    this.past.push([this.t0, this.t1]);
    if (this.past.length > 100) this.past.shift();
    this.set(t0, t1);
  }
  back(): void {
    const last = this.past.pop();
    if (last) this.set(last[0], last[1]);
  }
  /** Shows an interval with air around it; keeps the zoom when it already fits comfortably. */
  show(ts: number, dur: number): void {
    const visible = ts >= this.t0 && ts + dur <= this.t1 && dur > this.span / 60;
    if (visible) return;
    const pad = Math.max(dur * 0.6, 500);
    this.go(ts - pad, ts + dur + pad);
  }
}
