// The timeline's lower canvas. Every row becomes one line of pixels in a strip (typed array -> one putImageData), which is then
// stretched to the row's height: the cost of a frame does not depend on how many items the trace has.
import { css, mix, nameColor, pack, stateColor, type Rgb, type Theme } from './color';
import { Items, upperBound } from './codec';
import { axisLabel, axisStep, middle, value as fmtValue, visible } from './format';
import { t, word } from './i18n';
import type { Layout, Line } from './layout';
import { chooseLevel, NO_NAME, sampleLevel } from './lod';
import { floorOf, isCumulative, isMemory, RowKind, shownUnit, type Counter, type Row, type Trace } from './model';
import { drawPin, pinOf, type Pin } from './pins';
import type { View } from './view';

export const LABEL_W = 264;
export const MAP_H = 36;
export const TOP = MAP_H + 26;

interface Label { name: number; x: number; w: number; y: number; state: boolean }

export class Timeline {
  readonly canvas = document.createElement('canvas');
  width = 100;
  height = 100;
  scroll = 0;
  theme!: Theme;
  private readonly ctx = this.canvas.getContext('2d', { alpha: false })!;
  private readonly strip = document.createElement('canvas');
  private readonly stripCtx = this.strip.getContext('2d', { alpha: true })!;
  private image = this.stripCtx.createImageData(1, 1);
  private pixels = new Uint32Array(this.image.data.buffer);
  private palette = new Uint32Array(0); // full colour per name
  private shades = new Uint32Array(0); // 16 per name: from row background to full
  private busy = new Float32Array(1);
  private names = new Uint16Array(1);
  private readonly items = new Items();
  private labels: Label[] = [];
  private readonly textWidth = new Map<number, number>();
  private map: HTMLCanvasElement | null = null;
  private dpr = 1;
  lastDrawMs = 0;

  constructor(readonly trace: Trace, readonly layout: Layout, readonly view: View) {}

  get trackWidth(): number { return Math.max(10, this.width - LABEL_W); }
  get nsPerPixel(): number { return this.view.span / this.trackWidth; }
  x(ts: number): number { return LABEL_W + (ts - this.view.t0) / this.nsPerPixel; }
  time(x: number): number { return this.view.t0 + (x - LABEL_W) * this.nsPerPixel; }

  resize(width: number, height: number): void {
    this.dpr = Math.min(3, window.devicePixelRatio || 1);
    this.width = width;
    this.height = height;
    this.canvas.width = Math.round(width * this.dpr);
    this.canvas.height = Math.round(height * this.dpr);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const w = Math.max(1, Math.round(this.trackWidth * this.dpr));
    const rows = Math.ceil(height / 18) + 4;
    this.strip.width = w;
    this.strip.height = rows;
    this.image = this.stripCtx.createImageData(w, rows);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.busy = new Float32Array(w);
    this.names = new Uint16Array(w);
    this.map = null;
  }
  setTheme(theme: Theme): void {
    this.theme = theme;
    const { trace } = this;
    const n = trace.meta.names.text.length;
    this.palette = new Uint32Array(n);
    this.shades = new Uint32Array(n * 16);
    for (let i = 0; i < n; i++) {
      const color = this.colorOf(i);
      this.palette[i] = pack(color);
      for (let s = 0; s < 16; s++) this.shades[i * 16 + s] = pack(mix(theme.row, color, 0.3 + (0.7 * (s + 1)) / 16));
    }
    this.map = null;
  }
  colorOf(name: number): Rgb {
    const category = this.trace.categories[name]!;
    const text = this.trace.text(name);
    return category === 'state' ? stateColor(text, this.theme) : nameColor(text, this.trace.types[name]!, category);
  }
  /** What pinned tracks take of the room: the rest still has to be seen. */
  get pinnedHeight(): number { return Math.min(this.layout.pinnedHeight, Math.round(0.6 * (this.height - TOP))); }
  /** Where scrolled lines begin. */
  get top(): number { return TOP + this.pinnedHeight; }
  yOf(line: Line): number { return line.isPinned ? TOP + line.y : this.top + line.y - this.scroll; }
  lineAt(y: number): Line | null {
    if (y < TOP) return null;
    return y < this.top ? this.layout.lineAt(y - TOP, this.layout.pinned) : this.layout.lineAt(y - this.top + this.scroll);
  }
  /** Lines on the screen, scrolled or pinned. */
  shown(isPinned: boolean): { line: Line; at: number }[] {
    const { layout } = this;
    const out: { line: Line; at: number }[] = [];
    const lines = isPinned ? layout.pinned : layout.lines;
    for (let i = isPinned ? 0 : layout.firstVisible(this.scroll); i < lines.length; i++) {
      const at = this.yOf(lines[i]!);
      if (at >= (isPinned ? this.top : this.height)) break;
      out.push({ line: lines[i]!, at });
    }
    return out;
  }
  clampScroll(): void {
    this.scroll = Math.max(0, Math.min(this.scroll, this.layout.height - (this.height - this.top) + 24));
  }

  draw(): void {
    if (this.theme === undefined) return; // pins of the address ask for a frame before the colours are known
    const started = performance.now();
    const { ctx, theme } = this;
    this.clampScroll();
    ctx.setTransform(this.dpr, 0, 0, this.dpr, 0, 0);
    ctx.fillStyle = css(theme.bg);
    ctx.fillRect(0, 0, this.width, this.height);
    ctx.textBaseline = 'middle';
    this.drawLines(this.shown(false));
    if (this.pinnedHeight > 0) this.drawPinned();
    this.drawTop();
    this.lastDrawMs = performance.now() - started;
  }
  private drawLines(shown: { line: Line; at: number }[]): void {
    this.labels = [];
    this.drawGrid();
    this.rasterise(shown);
    for (const { line, at } of shown) if (line.type === 'counter') this.drawCounter(line.counter, at, line.h);
    this.drawItemLabels();
    this.drawGaps();
    this.drawLabels(shown);
  }
  /** Over the lines that scrolled below them. */
  private drawPinned(): void {
    const { ctx, theme } = this;
    ctx.save();
    ctx.beginPath();
    ctx.rect(0, TOP, this.width, this.pinnedHeight);
    ctx.clip();
    ctx.fillStyle = css(theme.bg);
    ctx.fillRect(0, TOP, this.width, this.pinnedHeight);
    this.drawLines(this.shown(true));
    ctx.restore();
    ctx.fillStyle = theme.accent;
    ctx.fillRect(0, this.top - 1, this.width, 1);
  }

  private rasterise(shown: { line: Line; at: number }[]): void {
    const w = this.strip.width;
    const lines: { y: number; h: number; used: number }[] = [];
    let used = 0;
    for (const { line, at } of shown) {
      if (line.type === 'counter' || used >= this.strip.height) continue;
      const o = used * w;
      this.pixels.fill(0, o, o + w);
      if (line.type === 'row') {
        this.rasterRow(line.row, o, at + line.h / 2, false);
        lines.push({ y: at + 1, h: line.h - 2, used: used++ });
      } else if (line.type === 'group' && line.states) {
        this.rasterRow(line.states, o, at + line.h / 2, true);
        lines.push({ y: at + 5, h: line.h - 10, used: used++ });
      } else if (line.summary.length > 0) {
        this.rasterSummary(line.summary, o);
        lines.push({ y: at + 6, h: line.h - 12, used: used++ });
      }
    }
    if (used === 0) return;
    this.stripCtx.putImageData(this.image, 0, 0, 0, 0, w, used);
    this.ctx.imageSmoothingEnabled = false;
    for (const l of lines) this.ctx.drawImage(this.strip, 0, l.used, w, 1, LABEL_W, l.y, this.trackWidth, l.h);
  }

  private rasterRow(row: Row, o: number, y: number, state: boolean): void {
    const { view } = this;
    const w = this.strip.width;
    const npp = view.span / w;
    const level = row.levels[0];
    if (!level || row.n === 0) return;
    const expected = (row.n / this.trace.duration) * view.span;
    if (this.trace.isComplete && (expected < w * 4 || npp < level.width)) {
      const packed = this.trace.packed(row);
      if (packed) {
        const [from, to] = packed.range(view.t0, view.t1);
        const n = (to - from) * 128;
        if (n <= w * 0.75 + 256 || npp < level.width) {
          packed.decode(from, to, this.items);
          this.rasterExact(o, y, npp, state);
          return;
        }
      }
    }
    sampleLevel(chooseLevel(row.levels, npp), view.t0, npp, w, this.busy, this.names);
    for (let x = 0; x < w; x++) {
      const name = this.names[x]!;
      if (name === NO_NAME || this.busy[x] === 0) continue;
      this.pixels[o + x] = name < this.palette.length ? (state ? this.palette[name]! : this.shades[name * 16 + Math.min(15, this.busy[x]! >> 4)]!) : 0xff808080;
    }
  }
  private rasterExact(o: number, y: number, npp: number, state: boolean): void {
    const s = this.items;
    const w = this.strip.width;
    const { t0, t1 } = this.view;
    const first = Math.max(0, upperBound(s.ts, t0, 0, s.n) - 1);
    const last = upperBound(s.ts, t1, first, s.n);
    for (let i = first; i < last; i++) {
      const x = (s.ts[i]! - t0) / npp;
      const e = x + s.dur[i]! / npp;
      if (e < 0) continue;
      const x0 = x < 0 ? 0 : x | 0;
      let x1 = e > w ? w : e | 0;
      if (x1 <= x0) x1 = x0 + 1;
      const color = this.palette[s.name[i]!]!;
      const px = x1 - x0;
      if (px === 1) { if (x0 < w) this.pixels[o + x0] = color; continue; }
      this.pixels.fill(color, o + x0, o + x1 - (px > 3 && !state && e < w ? 1 : 0));
      if (px > 26 * this.dpr && !(state && px < 70 * this.dpr) && this.labels.length < 3000) this.labels.push({ name: s.name[i]!, x: LABEL_W + x0 / this.dpr, w: px / this.dpr, y, state });
    }
  }
  /** Mean activity of the rows below a folded heading. */
  private rasterSummary(rows: Row[], o: number): void {
    const w = this.strip.width;
    const npp = this.view.span / w;
    const sum = new Float32Array(w);
    for (const row of rows) {
      if (row.levels.length === 0) continue;
      sampleLevel(chooseLevel(row.levels, npp), this.view.t0, npp, w, this.busy, this.names);
      for (let x = 0; x < w; x++) sum[x]! += this.busy[x]!;
    }
    const accent: Rgb = this.theme.dark ? [108, 150, 200] : [96, 140, 190];
    for (let x = 0; x < w; x++) {
      if (sum[x] === 0) continue;
      this.pixels[o + x] = pack(mix(this.theme.row, accent, 0.15 + 0.85 * Math.min(1, sum[x]! / 255 / Math.sqrt(rows.length))));
    }
  }

  private drawGrid(): void {
    const { ctx, view } = this;
    const step = axisStep(view.span, this.trackWidth / 130);
    ctx.fillStyle = this.theme.grid;
    for (let ts = Math.ceil(view.t0 / step) * step; ts < view.t1; ts += step) ctx.fillRect(Math.round(this.x(ts)), TOP, 1, this.height - TOP);
  }
  private drawGaps(): void {
    for (const gap of this.trace.meta.gaps) {
      const x0 = Math.max(LABEL_W, this.x(gap.ts));
      const x1 = Math.min(this.width, this.x(gap.ts + gap.dur));
      if (x1 <= x0) continue;
      this.ctx.fillStyle = this.theme.dark ? 'rgba(255,140,60,.16)' : 'rgba(220,90,0,.12)';
      this.ctx.fillRect(x0, TOP, Math.max(1, x1 - x0), this.height - TOP);
    }
  }
  private drawItemLabels(): void {
    const { ctx } = this;
    ctx.font = '11.5px system-ui, "Noto Sans", "Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", sans-serif';
    for (const l of this.labels) {
      const text = l.state ? word('state', this.trace.text(l.name)) : visible(this.trace.text(l.name));
      let full = this.textWidth.get(l.name);
      if (full === undefined || l.state) this.textWidth.set(l.name, (full = ctx.measureText(text.slice(0, 400)).width));
      const shown = full <= l.w - 8 ? text : middle(text.slice(0, 400), Math.floor((Math.min(400, text.length) * (l.w - 8)) / full) - 1);
      if (shown.length < 2) continue;
      ctx.fillStyle = l.state && this.theme.dark && this.trace.text(l.name) === 'sleeping' ? this.theme.dim : '#15191e';
      ctx.font = l.state ? '9.5px system-ui, sans-serif' : ctx.font;
      ctx.fillText(shown, l.x + 4, l.y + 0.5);
      if (l.state) ctx.font = '11.5px system-ui, "Noto Sans", "Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", sans-serif';
    }
  }

  private drawCounter(index: number, at: number, h: number): void {
    const { ctx, view, theme } = this;
    const data = this.trace.counter(index);
    const meta = this.trace.meta.counters[index]!;
    ctx.fillStyle = css(theme.row);
    ctx.fillRect(LABEL_W, at + 1, this.trackWidth, h - 2);
    if (!data || data.ts.length === 0) return;
    const low = floorOf(data);
    const high = data.max > low ? data.max : low + 1;
    const y = (v: number) => at + h - 4 - ((v - low) / (high - low)) * (h - 9);
    const first = Math.max(0, upperBound(data.ts, view.t0, 0, data.ts.length) - 1);
    const last = Math.min(data.ts.length, upperBound(data.ts, view.t1, first, data.ts.length) + 1);
    const base = y(Math.max(low, 0));
    ctx.save();
    ctx.beginPath();
    ctx.rect(LABEL_W, at, this.trackWidth, h);
    ctx.clip();
    const line = new Path2D();
    let lastX = -1e9;
    let min = 0;
    let max = 0;
    let previous = 0;
    let started = false;
    for (let i = first; i < last; i++) {
      const x = this.x(data.ts[i]!);
      const v = y(data.value[i]!);
      if (!started) { line.moveTo(x, v); started = true; }
      else if (x - lastX < 1) { min = Math.min(min, v); max = Math.max(max, v); previous = v; continue; } // several readings in a pixel
      else {
        if (min !== max) { line.lineTo(lastX, min); line.lineTo(lastX, max); line.lineTo(lastX, previous); }
        line.lineTo(x, previous);
        line.lineTo(x, v);
      }
      lastX = x;
      min = max = previous = v;
    }
    const endX = last >= data.ts.length ? this.x(isCumulative(meta) ? data.ts[data.ts.length - 1]! : this.trace.duration) : this.width;
    line.lineTo(Math.max(lastX, endX), previous);
    const area = new Path2D(line);
    area.lineTo(Math.max(lastX, endX), base);
    area.lineTo(this.x(data.ts[first]!), base);
    ctx.fillStyle = theme.dark ? 'rgba(108,178,255,.20)' : 'rgba(11,98,196,.14)';
    ctx.fill(area);
    ctx.strokeStyle = theme.accent;
    ctx.lineWidth = 1.25;
    ctx.stroke(line);
    if (isMemory(meta)) this.drawPeak(data, first, last, y, at);
    ctx.restore();
    ctx.font = '10px system-ui, sans-serif';
    ctx.textAlign = 'right';
    ctx.fillStyle = theme.dim;
    ctx.fillText(fmtValue(data.max, shownUnit(meta)), LABEL_W - 8, at + 9);
    if (low !== data.max) ctx.fillText(fmtValue(low, shownUnit(meta)), LABEL_W - 8, at + h - 8);
    ctx.textAlign = 'left';
  }

  /** The highest reading in view: a dot on the line and its value. */
  private drawPeak(data: Counter, first: number, last: number, y: (v: number) => number, at: number): void {
    let peak = first;
    for (let i = first; i < last && data.ts[i]! <= this.view.t1; i++) if (data.value[i]! > data.value[peak]!) peak = i;
    const value = data.value[peak];
    if (value === undefined || data.max === data.min) return;
    const { ctx, theme } = this;
    const x = Math.max(LABEL_W, this.x(data.ts[peak]!));
    ctx.fillStyle = peakColor(theme);
    ctx.beginPath();
    ctx.arc(x, y(value), 3, 0, 7);
    ctx.fill();
    ctx.font = '600 10px system-ui, sans-serif';
    const text = fmtValue(value, 'bytes');
    const w = ctx.measureText(text).width;
    const left = x + 6 + w < this.width ? x + 6 : x - 6 - w;
    ctx.fillStyle = css(theme.row);
    ctx.globalAlpha = 0.75;
    ctx.fillRect(left - 2, at + 3, w + 4, 12);
    ctx.globalAlpha = 1;
    ctx.fillStyle = peakColor(theme);
    ctx.fillText(text, left, at + 9);
  }

  private drawLabels(shown: { line: Line; at: number }[]): void {
    const { ctx, theme } = this;
    ctx.save();
    ctx.beginPath();
    ctx.rect(0, TOP, this.width, this.height - TOP);
    ctx.clip();
    for (const { line, at } of shown) {
      ctx.fillStyle = line.type === 'group' && line.depth === 0 ? theme.panel : theme.label;
      if (line.type === 'counter') ctx.fillRect(0, at, 150, line.h);
      else ctx.fillRect(0, at, LABEL_W - 1, line.h);
      if (line.type === 'group') this.drawHeading(line, at);
      else if (line.type === 'more') this.drawMore(line, at);
      else this.drawTitle(line, at);
      if (line.isPinned && pinOf(this.trace, line) && !(line.type === 'row' && line.indent > 0)) drawPin(ctx, at + line.h / 2, theme.accent);
    }
    ctx.fillStyle = theme.line;
    ctx.fillRect(LABEL_W - 1, TOP, 1, this.height - TOP);
    ctx.restore();
  }
  private drawHeading(line: Extract<Line, { type: 'group' }>, at: number): void {
    const { ctx, theme } = this;
    if (line.depth === 0) {
      ctx.fillStyle = theme.line;
      ctx.fillRect(0, at, this.width, 1);
    }
    const x = 8 + line.depth * 14;
    const middleY = at + line.h / 2;
    ctx.fillStyle = theme.dim;
    ctx.beginPath();
    if (line.open) { ctx.moveTo(x, middleY - 3); ctx.lineTo(x + 8, middleY - 3); ctx.lineTo(x + 4, middleY + 3); }
    else { ctx.moveTo(x + 1, middleY - 4); ctx.lineTo(x + 7, middleY); ctx.lineTo(x + 1, middleY + 4); }
    ctx.fill();
    ctx.fillStyle = theme.text;
    ctx.font = `${line.depth === 0 ? '600 12.5px' : '12px'} system-ui, "Noto Sans", "Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", sans-serif`;
    // Beside an open heading nothing is drawn: a long title may run on.
    const isFree = !line.states && line.summary.length === 0;
    this.clipText(this.groupTitle(line.group), x + 14, middleY, (isFree ? this.width : LABEL_W) - x - 22);
  }
  moreText(line: Extract<Line, { type: 'more' }>): string {
    return line.hidden === 0 ? t(`viewer.more.fewer_${line.kind}`) : t(`viewer.more.${line.kind}`, { n: line.hidden });
  }
  private drawMore(line: Extract<Line, { type: 'more' }>, at: number): void {
    const { ctx, theme } = this;
    ctx.fillStyle = theme.accent;
    ctx.font = '11.5px system-ui, "Noto Sans", "Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", sans-serif';
    const x = 22 + line.indent * 14;
    this.clipText(this.moreText(line), x, at + line.h / 2, LABEL_W - x - 8);
  }
  private drawTitle(line: Extract<Line, { type: 'row' | 'counter' }>, at: number): void {
    const { ctx, theme } = this;
    const x = 22 + line.indent * 14;
    ctx.fillStyle = theme.dim;
    ctx.font = '11.5px system-ui, "Noto Sans", "Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", sans-serif';
    if (line.type === 'row') { this.clipText(line.isPinned ? this.pinTitle(line.row, line.indent > 0) : visible(line.title), x, at + line.h / 2, LABEL_W - x - 8); return; }
    ctx.fillStyle = theme.text;
    this.clipText(this.counterTitle(line.counter), x, at + line.h / 2, LABEL_W - x - 66);
  }
  groupTitle(index: number): string {
    const group = this.trace.meta.groups[index]!;
    const title = group.kind === 'thread' ? '' : t(`viewer.group.${group.kind}`);
    const name = visible(group.name);
    return name === '' ? title : title === '' ? name : `${title} ${name}`;
  }
  /** A pinned row stands apart from its group and says whose it is; below the heading of its thread it need not. */
  private pinTitle(row: Row, isBelow: boolean): string {
    const own = row.name !== '' ? visible(row.name) : row.depth > 0 ? `↳ ${row.depth + 1}` : '';
    return isBelow ? own : [this.groupTitle(row.group), own].filter((part) => part !== '').join(' › ');
  }
  pinText({ kind, index }: Pin): string {
    return kind === 'counter' ? this.counterTitle(index) : kind === 'thread' ? this.groupTitle(index) : this.pinTitle(this.trace.rows[index]!, false);
  }
  counterTitle(index: number): string {
    const meta = this.trace.meta.counters[index]!;
    const name = meta.cpu >= 0 ? `${meta.name} CPU ${meta.cpu}` : meta.name;
    return visible(isCumulative(meta) ? `${name} ${t('viewer.counter.rate')}` : name);
  }
  private clipText(text: string, x: number, y: number, w: number): void {
    const { ctx } = this;
    const full = ctx.measureText(text.slice(0, 300)).width;
    ctx.fillText(full <= w ? text : middle(text.slice(0, 300), Math.max(4, Math.floor((Math.min(300, text.length) * w) / full) - 1)), x, y);
  }

  private drawTop(): void {
    const { ctx, theme, view } = this;
    ctx.fillStyle = theme.panel;
    ctx.fillRect(0, 0, this.width, TOP);
    if (!this.map) this.map = this.makeMap();
    ctx.drawImage(this.map, LABEL_W, 0, this.trackWidth, MAP_H);
    const x0 = LABEL_W + (Math.max(0, view.t0) / this.trace.duration) * this.trackWidth;
    const x1 = LABEL_W + (Math.min(this.trace.duration, view.t1) / this.trace.duration) * this.trackWidth;
    ctx.fillStyle = theme.dark ? 'rgba(10,12,14,.6)' : 'rgba(235,238,242,.72)';
    ctx.fillRect(LABEL_W, 0, x0 - LABEL_W, MAP_H);
    ctx.fillRect(x1, 0, this.width - x1, MAP_H);
    ctx.fillStyle = theme.accent;
    ctx.fillRect(x0 - 1, 0, 2, MAP_H);
    ctx.fillRect(Math.min(this.width - 2, x1 - 1), 0, 2, MAP_H);
    ctx.font = '11px system-ui, "Noto Sans CJK SC", sans-serif';
    ctx.fillStyle = theme.dim;
    ctx.textBaseline = 'middle';
    ctx.fillText(t('viewer.map'), 8, MAP_H / 2);
    const step = axisStep(view.span, this.trackWidth / 130);
    for (let ts = Math.ceil(view.t0 / step) * step; ts < view.t1; ts += step) {
      const x = this.x(ts);
      ctx.fillStyle = theme.line;
      ctx.fillRect(Math.round(x), MAP_H, 1, TOP - MAP_H);
      ctx.fillStyle = theme.dim;
      if (x < this.width - 60) ctx.fillText(axisLabel(ts, step, view.span), x + 4, MAP_H + 13);
    }
    ctx.fillText(t('viewer.span', { span: axisLabel(view.span, view.span / 1000, view.span) }), 8, MAP_H + 13);
    ctx.fillStyle = theme.line;
    ctx.fillRect(0, MAP_H, this.width, 1);
    ctx.fillRect(0, TOP - 1, this.width, 1);
  }
  /** The whole trace in a glance: mean activity of cores, or of all outermost rows. */
  private makeMap(): HTMLCanvasElement {
    const map = document.createElement('canvas');
    const w = (map.width = Math.max(1, Math.round(this.trackWidth * this.dpr)));
    const h = (map.height = Math.round(MAP_H * this.dpr));
    const ctx = map.getContext('2d')!;
    const cores = this.trace.rows.filter((r) => r.kind === RowKind.cpu);
    const kernels = this.trace.rows.filter((r) => r.kind === RowKind.kernels);
    const rows = kernels.length > 0 ? kernels : cores.length > 0 ? cores : this.trace.rows.filter((r) => r.depth === 0 && r.kind === RowKind.slices);
    const sum = new Float32Array(w);
    const npp = this.trace.duration / w;
    // Of very many rows a part stands for all: the picture is of their mean.
    const stride = Math.ceil(rows.length / 2000);
    for (let i = 0; i < rows.length; i += stride) {
      const row = rows[i]!;
      if (row.levels.length === 0) continue;
      sampleLevel(chooseLevel(row.levels, npp), 0, npp, w, this.busy.length === w ? this.busy : (this.busy = new Float32Array(w)), this.names.length === w ? this.names : (this.names = new Uint16Array(w)));
      for (let x = 0; x < w; x++) sum[x]! += this.busy[x]! / 255;
    }
    const most = sum.reduce((a, b) => Math.max(a, b), 1e-6);
    ctx.fillStyle = this.theme.dark ? '#4b6f98' : '#8fb3d9';
    for (let x = 0; x < w; x++) {
      const y = (sum[x]! / most) * (h - 6);
      ctx.fillRect(x, h - y, 1, y);
    }
    return map;
  }
}

export const peakColor = (theme: Theme): string => (theme.dark ? '#ffb454' : '#b4470a');
