// The timeline's upper canvas: hover, selection, flows, range, rulers of measurements. Redrawn without touching the rows.
import type { Theme } from './color';
import { dur, middle, visible } from './format';
import { t } from './i18n';
import { upperBound } from './codec';
import type { Places } from './matches';
import { interval, markTs, type Mark, type Measure } from './measure';
import { flowsOf, type Item } from './model';
import { drawPin } from './pins';
import type { Remark } from './remarks';
import { LABEL_W, TOP, type Timeline } from './timeline';

export interface OverlayState {
  hover: Item | null;
  selected: Item | null;
  range: [number, number] | null;
  places: Places | null; // what the search found
  marks: { row: number; ts: number; dur: number }[]; // example spans of the open finding
  remarks: Remark[];
  pinLine: number | null; // where the label under the pointer can be pinned
  measures: Measure[];
  pending: Mark | null; // first mark of a measurement under way
  candidate: Mark | null; // where the next click would put a mark
  pointerX: number;
  allFlows: boolean;
}

export class Overlay {
  readonly canvas = document.createElement('canvas');
  private readonly ctx = this.canvas.getContext('2d')!;
  private dpr = 1;
  constructor(private readonly timeline: Timeline, readonly state: OverlayState) {}

  resize(width: number, height: number): void {
    this.dpr = Math.min(3, window.devicePixelRatio || 1);
    this.canvas.width = Math.round(width * this.dpr);
    this.canvas.height = Math.round(height * this.dpr);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
  }

  draw(): void {
    const { ctx, timeline: tl, state } = this;
    const theme = tl.theme;
    if (theme === undefined) return; // as in Timeline.draw
    ctx.setTransform(this.dpr, 0, 0, this.dpr, 0, 0);
    ctx.clearRect(0, 0, tl.width, tl.height);
    if (state.pinLine !== null) drawPin(ctx, state.pinLine, theme.dim);
    ctx.save();
    ctx.beginPath();
    ctx.rect(LABEL_W, TOP, tl.trackWidth, tl.height - TOP);
    ctx.clip();
    if (state.places) this.drawPlaces(state.places);
    if (state.range) this.drawRange(state.range, theme);
    for (const mark of state.marks) this.drawExample(mark, theme);
    if (state.selected) this.drawFlows(state.selected, theme);
    if (state.hover && state.hover !== state.selected) { this.drawFlows(state.hover, theme); this.frame(state.hover, theme.dim, 1.5); }
    if (state.selected) this.frame(state.selected, theme.text, 2);
    this.taken = [];
    state.remarks.forEach((r, i) => this.drawRemark(r, i, theme));
    state.measures.forEach((m, i) => this.drawMeasure(m, i, theme));
    if (state.pending && state.candidate) this.drawMeasure({ a: state.pending, b: state.candidate }, -1, theme);
    if (state.candidate) this.drawMark(state.candidate, theme);
    if (state.pending) this.drawMark(state.pending, theme);
    ctx.restore();
  }
  private drawRange([a, b]: [number, number], theme: Theme): void {
    const { ctx, timeline: tl } = this;
    const x0 = tl.x(Math.min(a, b));
    const x1 = tl.x(Math.max(a, b));
    ctx.fillStyle = theme.dark ? 'rgba(108,178,255,.13)' : 'rgba(11,98,196,.09)';
    ctx.fillRect(x0, TOP, x1 - x0, tl.height);
    ctx.fillStyle = theme.accent;
    ctx.fillRect(x0, TOP, 1, tl.height);
    ctx.fillRect(x1, TOP, 1, tl.height);
    if (x1 - x0 > 60) this.tag(dur(Math.abs(b - a)), (x0 + x1) / 2, TOP + 12, theme);
  }
  /** Where an item is drawn: in its row, and once more where that is pinned. What has scrolled below the pinned rows is not seen. */
  private boxes(item: { row: number; ts: number; dur: number }): [number, number, number, number][] {
    const { timeline: tl } = this;
    const x0 = Math.max(LABEL_W - 3, tl.x(item.ts));
    const x1 = Math.min(tl.width + 3, tl.x(item.ts + item.dur));
    const out: [number, number, number, number][] = [];
    for (const line of [tl.layout.pinned.length > 0 ? tl.layout.lineOfRow(item.row, tl.layout.pinned) : null, tl.layout.lineOfRow(item.row)]) {
      if (!line) continue;
      const thin = line.type === 'group' ? 4 : 0;
      const y = tl.yOf(line) + thin;
      const hidden = line.isPinned ? 0 : Math.max(0, tl.top - y);
      const h = line.h - 2 * thin - hidden;
      if (h > 0 && !(line.isPinned && y + h > tl.top)) out.push([x0, y + hidden, Math.max(2, x1 - x0), h]);
    }
    return out;
  }
  /** A line under each hit of the search; hits that share a pixel share a mark. */
  private drawPlaces(places: Places): void {
    const { ctx, timeline: tl } = this;
    ctx.fillStyle = tl.theme.dark ? '#ff7fc8' : '#b4007a';
    for (const { line, at } of [...tl.shown(true), ...tl.shown(false)]) {
      const y = at + line.h - 4;
      if (y > tl.height || (!line.isPinned && y < tl.top)) continue;
      const list = line.type === 'row' ? places.rows.get(line.row.index) : undefined;
      if (!list) continue;
      let drawn = -1; // right edge of the last mark
      for (let i = Math.max(0, upperBound(list.ts, tl.view.t0, 0, list.ts.length) - 1); i < list.ts.length && list.ts[i]! <= tl.view.t1; i++) {
        const x1 = tl.x(list.end[i]!);
        const x0 = Math.max(drawn, tl.x(list.ts[i]!));
        if (x1 <= drawn && drawn >= 0) continue;
        drawn = Math.max(x1, x0 + 1.5);
        ctx.fillRect(x0, y, drawn - x0, 3);
      }
    }
  }
  /** An example span of a finding, never narrower than a person sees; a mark on the time axis says where it is when its row is not on screen. */
  private drawExample(mark: { row: number; ts: number; dur: number }, theme: Theme): void {
    const { ctx, timeline: tl } = this;
    const color = theme.dark ? '#ff7fc8' : '#b4007a';
    const x = tl.x(mark.ts + mark.dur / 2);
    ctx.fillStyle = ctx.strokeStyle = color;
    ctx.beginPath();
    ctx.moveTo(x - 5, TOP);
    ctx.lineTo(x + 5, TOP);
    ctx.lineTo(x, TOP + 8);
    ctx.fill();
    ctx.lineWidth = 2.5;
    for (const box of this.boxes(mark)) {
      const wide = Math.max(box[2], 5);
      ctx.strokeRect(box[0] - (wide - box[2]) / 2 - 1, box[1] - 1, wide + 2, box[3] + 2);
    }
  }
  /** A note: its words at the item or over the range, and a mark on the time axis, which is seen when the row is not. */
  private drawRemark(r: Remark, index: number, theme: Theme): void {
    const { ctx, timeline: tl } = this;
    const color = theme.dark ? '#8ee08a' : '#1d6b1a';
    const label = `${index + 1} ${middle(visible(r.text), 40)}`;
    const x0 = tl.x(r.t0);
    const x1 = tl.x(r.t1);
    ctx.fillStyle = ctx.strokeStyle = color;
    ctx.fillRect(x0 - 1, TOP, 2, 12);
    if (!r.item) {
      ctx.fillRect(x0, TOP + 1, Math.max(1, x1 - x0), 3);
      ctx.setLineDash([3, 4]);
      ctx.lineWidth = 1;
      ctx.strokeRect(x0 + 0.5, TOP, Math.max(1, x1 - x0), tl.height);
      ctx.setLineDash([]);
    }
    const boxes = r.item ? this.boxes({ row: r.item.row, ts: r.t0, dur: r.t1 - r.t0 }) : [];
    ctx.lineWidth = 2;
    for (const box of boxes) ctx.strokeRect(box[0] - 1, box[1], box[2] + 2, box[3]);
    if (x1 < LABEL_W || x0 > tl.width) return;
    ctx.font = '600 11px system-ui, "Noto Sans CJK SC", sans-serif';
    const half = ctx.measureText(label).width / 2 + 6;
    const x = Math.max(LABEL_W + half, Math.min(tl.width - half, r.item ? x0 + half : (Math.max(x0, LABEL_W) + Math.min(x1, tl.width)) / 2));
    for (const box of boxes.slice(0, 1)) this.tag(label, x, this.freeY(x, half, box[1] + box[3] + 9), theme, color);
    if (boxes.length === 0) this.tag(label, x, this.freeY(x, half, TOP + 30), theme, color);
  }
  private taken: { x: number; half: number; y: number }[] = []; // by the words of notes, of this frame
  /** The first height from y on where no other note's words are. */
  private freeY(x: number, half: number, y: number): number {
    for (let tries = 0; tries < 20 && this.taken.some((o) => Math.abs(o.x - x) < o.half + half && Math.abs(o.y - y) < 19); tries++) y += 19;
    this.taken.push({ x, half, y });
    return y;
  }
  private frame(item: Item, color: string, width: number): void {
    this.ctx.strokeStyle = color;
    this.ctx.lineWidth = width;
    for (const box of this.boxes(item)) this.ctx.strokeRect(box[0] - 0.5, box[1] + 0.5, box[2], box[3] - 1);
  }

  private drawFlows(item: Item, theme: Theme): void {
    const flows = this.timeline.trace.flows;
    if (!flows) return;
    const found = flowsOf(flows, item);
    for (const i of [...found.out, ...found.in].slice(0, 64)) {
      const [from] = this.boxes({ row: flows.fromRow[i]!, ts: flows.fromTs[i]!, dur: flows.fromDur[i]! });
      const [to] = this.boxes({ row: flows.toRow[i]!, ts: flows.toTs[i]!, dur: flows.toDur[i]! });
      const fromEnd = flows.fromTs[i]! + flows.fromDur[i]!;
      // An effect that starts before its cause: clocks disagree, or the arrow is wrong.
      const isBackward = flows.toTs[i]! < flows.fromTs[i]!;
      const x0 = this.timeline.x(Math.min(fromEnd, Math.max(flows.fromTs[i]!, flows.toTs[i]!)));
      const x1 = this.timeline.x(flows.toTs[i]!);
      const y0 = from ? from[1] + from[3] / 2 : TOP + 2;
      const y1 = to ? to[1] + to[3] / 2 : this.timeline.height - 2;
      this.arrow(x0, y0, x1, y1, isBackward ? '#d5482f' : theme.accent);
    }
  }
  private arrow(x0: number, y0: number, x1: number, y1: number, color: string): void {
    const { ctx } = this;
    const bend = Math.max(18, Math.min(90, Math.abs(x1 - x0) / 2));
    ctx.strokeStyle = ctx.fillStyle = color;
    ctx.lineWidth = 1.5;
    ctx.beginPath();
    ctx.moveTo(x0, y0);
    ctx.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1 - 6, y1);
    ctx.stroke();
    ctx.beginPath();
    ctx.moveTo(x1, y1);
    ctx.lineTo(x1 - 7, y1 - 4);
    ctx.lineTo(x1 - 7, y1 + 4);
    ctx.fill();
  }

  private markY(mark: Mark): number {
    const line = mark.row >= 0 ? this.timeline.layout.lineOfRow(mark.row) : null;
    return line ? this.timeline.yOf(line) + line.h / 2 : TOP + 30;
  }
  private drawMark(mark: Mark, theme: Theme): void {
    const { ctx } = this;
    const x = this.timeline.x(markTs(mark));
    ctx.fillStyle = this.measureColor(theme);
    ctx.fillRect(Math.round(x) - 0.5, TOP, 1, this.timeline.height);
    ctx.beginPath();
    ctx.arc(x, this.markY(mark), 4, 0, 7);
    ctx.fill();
  }
  private measureColor(theme: Theme): string { return theme.dark ? '#ffb454' : '#b4470a'; }
  private drawMeasure(m: Measure, index: number, theme: Theme): void {
    const { ctx, timeline: tl } = this;
    const x0 = tl.x(markTs(m.a));
    const x1 = tl.x(markTs(m.b));
    const ya = this.markY(m.a);
    const yb = this.markY(m.b);
    ctx.strokeStyle = ctx.fillStyle = this.measureColor(theme);
    ctx.lineWidth = 1.5;
    ctx.setLineDash([4, 3]);
    ctx.beginPath();
    ctx.moveTo(x0, ya);
    ctx.lineTo(x0, yb);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.beginPath();
    ctx.moveTo(x0, yb);
    ctx.lineTo(x1, yb);
    for (const x of [x0, x1]) { ctx.moveTo(x, yb - 5); ctx.lineTo(x, yb + 5); }
    ctx.stroke();
    ctx.beginPath();
    ctx.arc(x0, ya, 3, 0, 7);
    ctx.fill();
    const label = (index >= 0 ? `${t('viewer.measure.short', { n: index + 1 })} ` : '') + dur(interval(m));
    const middle = Math.max(LABEL_W + 40, Math.min(tl.width - 50, (x0 + x1) / 2));
    this.tag(label, middle, yb - 12, theme, this.measureColor(theme));
  }
  private tag(text: string, x: number, y: number, theme: Theme, color = theme.accent): void {
    const { ctx } = this;
    ctx.font = '600 11px system-ui, "Noto Sans CJK SC", sans-serif';
    ctx.textBaseline = 'middle';
    const w = ctx.measureText(text).width + 12;
    ctx.fillStyle = color;
    ctx.beginPath();
    ctx.roundRect(x - w / 2, y - 9, w, 18, 4);
    ctx.fill();
    ctx.fillStyle = theme.dark ? '#101316' : '#ffffff';
    ctx.fillText(text, x - w / 2 + 6, y + 0.5);
  }
}
