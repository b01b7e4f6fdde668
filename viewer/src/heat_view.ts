// The heat map: utilisation of cores, streams and threads over time; rows with a rhythm carry its period and quiet phase.
import { cividis, css, pack, type Theme } from './color';
import { readJsonSection, readSection } from './data';
import { savePng } from './save';
import { h, replace, table } from './dom';
import { axisLabel, axisStep, count, dur, middle, percent, visible } from './format';
import { resample } from './heat';
import { t } from './i18n';
import type { View } from './view';

interface Period { ns: number; correlation: number; phase: number; quiet: number; busy: number; cycles: number }
interface HeatRow { group: string; name: string; source: string; mean: number; n: number; period?: Period; busy: Uint8Array }
type Line = { type: 'title'; title: string; y: number } | { type: 'row'; row: HeatRow; y: number };

const LABEL = 264;
const RIGHT = 190;
const HEAD = 26;
const ROW = 17;
const TITLE = 28;

export class HeatView {
  readonly root = h('div', { class: 'heatmap view' });
  private readonly canvas = h('canvas', { tabindex: 0, role: 'application' });
  private readonly ctx = this.canvas.getContext('2d', { alpha: false })!;
  private readonly stage = h('div', { class: 'heat-stage' });
  private readonly bar = h('div', { class: 'toolbar' });
  private readonly tip = h('div', { class: 'tip hidden', role: 'tooltip' });
  private readonly below = h('div', { class: 'heat-below' });
  private rows: HeatRow[] = [];
  private lines: Line[] = [];
  private contentHeight = 0;
  private k = 0;
  private floors: Record<string, number> = {};
  private leftOut = 0; // rows quieter than the busiest, which alone are here
  private theme!: Theme;
  private lut = new Uint32Array(256);
  private width = 100;
  private height = 100;
  private dpr = 1;
  private scroll = 0;
  private started = false;
  private hover: HeatRow | null = null;
  private marks = true;

  constructor(private readonly view: View, private readonly duration: number, private readonly openTimeline: () => void) {
    this.stage.append(this.canvas, this.tip);
    this.root.append(this.bar, this.stage, this.below);
    this.canvas.addEventListener('wheel', (e) => this.onWheel(e), { passive: false });
    this.canvas.addEventListener('mousemove', (e) => this.onMove(e));
    this.canvas.addEventListener('mouseleave', () => { this.hover = null; this.tip.classList.add('hidden'); this.draw(); });
    this.drag();
    this.canvas.addEventListener('dblclick', () => this.openTimeline());
  }
  setTheme(theme: Theme): void {
    this.theme = theme;
    for (let i = 0; i < 256; i++) this.lut[i] = pack(cividis(i / 255));
    this.draw();
  }
  async show(): Promise<void> {
    if (!this.started) {
      this.started = true;
      const head = await readJsonSection<{ k: number; left_out: number; floors: Record<string, number>; rows: Omit<HeatRow, 'busy'>[] }>('heatHead');
      const bytes = await readSection('heat');
      let at = 0;
      this.k = head?.k ?? 0;
      this.floors = head?.floors ?? {};
      this.leftOut = head?.left_out ?? 0;
      for (const row of head?.rows ?? []) {
        this.rows.push({ ...row, busy: bytes.subarray(at, at + row.n) });
        at += row.n;
      }
      this.refresh();
    }
    this.resize();
  }
  refresh(): void {
    if (!this.started) return;
    this.layout();
    this.fillBar();
    this.fillBelow();
    this.canvas.setAttribute('aria-label', t('viewer.heat.label', { rows: count(this.rows.length) }));
    this.resize();
  }
  private layout(): void {
    this.lines = [];
    let y = 0;
    let last = '';
    for (const row of this.rows) {
      const group = row.group.replace('_all', '');
      if (group !== last) {
        this.lines.push({ type: 'title', title: `${t(`viewer.heat.${group}`)} · ${t(`viewer.heat.source.${row.source}`)}`, y });
        y += TITLE;
        last = group;
      }
      this.lines.push({ type: 'row', row, y });
      y += ROW;
    }
    this.contentHeight = y;
  }
  savePicture(): void { savePng('heatmap.png', [this.canvas]); }
  resize(): void {
    const box = this.stage.getBoundingClientRect();
    if (box.width < 10) return;
    this.dpr = Math.min(3, window.devicePixelRatio || 1);
    this.width = box.width;
    this.height = box.height;
    this.canvas.width = Math.round(box.width * this.dpr);
    this.canvas.height = Math.round(box.height * this.dpr);
    this.canvas.style.width = `${box.width}px`;
    this.canvas.style.height = `${box.height}px`;
    this.draw();
  }
  private get track(): number { return Math.max(10, this.width - LABEL - RIGHT); }
  private x(ts: number): number { return LABEL + ((ts - this.view.t0) / this.view.span) * this.track; }

  draw(): void {
    const { ctx, theme, view } = this;
    if (!theme) return;
    ctx.setTransform(this.dpr, 0, 0, this.dpr, 0, 0);
    ctx.fillStyle = css(theme.bg);
    ctx.fillRect(0, 0, this.width, this.height);
    this.scroll = Math.max(0, Math.min(this.scroll, this.contentHeight - this.height + HEAD + 8));
    ctx.textBaseline = 'middle';
    const w = Math.max(1, Math.round(this.track * this.dpr));
    const shown = this.lines.filter((l): l is Extract<Line, { type: 'row' }> => l.type === 'row' && l.y - this.scroll > -ROW && l.y - this.scroll < this.height);
    const image = ctx.createImageData(w, Math.max(1, shown.length));
    const pixels = new Uint32Array(image.data.buffer);
    const share = new Float32Array(w);
    const empty = pack(theme.row);
    shown.forEach((line, i) => {
      resample(line.row.busy, 2 ** this.k, view.t0, view.t1, w, share);
      for (let x = 0; x < w; x++) pixels[i * w + x] = Number.isNaN(share[x]!) ? empty : this.lut[Math.round(share[x]!)]!;
    });
    const strip = document.createElement('canvas');
    strip.width = w;
    strip.height = Math.max(1, shown.length);
    strip.getContext('2d')!.putImageData(image, 0, 0);
    ctx.imageSmoothingEnabled = false;
    shown.forEach((line, i) => {
      const y = HEAD + line.y - this.scroll;
      ctx.drawImage(strip, 0, i, w, 1, LABEL, y, this.track, ROW - 1);
      this.drawRowText(line.row, y);
    });
    this.drawTitles();
    this.drawHead();
  }
  private drawRowText(row: HeatRow, y: number): void {
    const { ctx, theme } = this;
    if (row.period && this.marks) this.drawPeriod(row.period, y);
    ctx.font = `${row.group.endsWith('_all') ? '600 ' : ''}12px system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif`;
    ctx.fillStyle = row === this.hover ? theme.accent : theme.text;
    const name = row.group.endsWith('_all') ? t(`viewer.heat.all.${row.group.replace('_all', '')}`) : visible(row.name);
    ctx.fillText(middle(name, 34), 16, y + ROW / 2);
    ctx.font = '11.5px system-ui, "Noto Sans CJK SC", sans-serif';
    ctx.textAlign = 'right';
    ctx.fillText(percent(row.mean), this.width - RIGHT + 58, y + ROW / 2);
    ctx.textAlign = 'left';
    if (!row.period) return;
    ctx.fillStyle = theme.dark ? '#ffb454' : '#a33f06';
    ctx.fillText(t('viewer.heat.every', { period: dur(row.period.ns) }), this.width - RIGHT + 72, y + ROW / 2);
  }
  /** A tick at each quiet phase of the rhythm, as long as they stand apart. */
  private drawPeriod(p: Period, y: number): void {
    const step = (p.ns / this.view.span) * this.track;
    if (step < 7) return;
    const { ctx } = this;
    const from = Math.ceil((this.view.t0 - p.phase - p.ns / 8) / p.ns);
    for (let i = from; ; i++) {
      const ts = p.phase + i * p.ns;
      if (ts > this.view.t1 || ts > this.duration) break;
      const x0 = Math.max(LABEL, this.x(ts));
      const x1 = Math.min(LABEL + this.track, this.x(ts + p.ns / 8));
      if (x1 <= x0) continue;
      ctx.fillStyle = '#ff9d2e';
      ctx.fillRect(x0, y + ROW - 4, Math.max(1.5, x1 - x0), 3);
    }
  }
  private drawTitles(): void {
    const { ctx, theme } = this;
    ctx.font = '600 12.5px system-ui, "Noto Sans CJK SC", sans-serif';
    for (const line of this.lines) {
      if (line.type !== 'title') continue;
      ctx.fillStyle = theme.text;
      ctx.fillText(line.title, 8, HEAD + line.y - this.scroll + TITLE / 2 + 2);
    }
  }
  private drawHead(): void {
    const { ctx, theme, view } = this;
    ctx.fillStyle = theme.panel;
    ctx.fillRect(0, 0, this.width, HEAD);
    ctx.font = '11px system-ui, "Noto Sans CJK SC", sans-serif';
    const step = axisStep(view.span, this.track / 130);
    for (let ts = Math.ceil(view.t0 / step) * step; ts < view.t1; ts += step) {
      const x = this.x(ts);
      ctx.fillStyle = theme.line;
      ctx.fillRect(Math.round(x), 4, 1, HEAD - 4);
      ctx.fillStyle = theme.dim;
      if (x < LABEL + this.track - 40) ctx.fillText(axisLabel(ts, step, view.span), x + 4, HEAD / 2);
    }
    ctx.fillStyle = theme.dim;
    ctx.textAlign = 'right';
    ctx.fillText(t('viewer.heat.mean'), this.width - RIGHT + 58, HEAD / 2);
    ctx.textAlign = 'left';
    ctx.fillText(t('viewer.heat.period'), this.width - RIGHT + 72, HEAD / 2);
    ctx.fillStyle = theme.line;
    ctx.fillRect(0, HEAD - 1, this.width, 1);
  }

  private rowAt(y: number): HeatRow | null {
    const at = y - HEAD + this.scroll;
    if (y < HEAD) return null;
    for (const line of this.lines) if (line.type === 'row' && at >= line.y && at < line.y + ROW) return line.row;
    return null;
  }
  private onMove(e: MouseEvent): void {
    const row = this.rowAt(e.offsetY);
    const ts = this.view.t0 + ((e.offsetX - LABEL) / this.track) * this.view.span;
    if (row !== this.hover) { this.hover = row; this.draw(); }
    if (!row || ts < 0 || ts > this.duration || e.offsetX < LABEL || e.offsetX > LABEL + this.track) { this.tip.classList.add('hidden'); return; }
    // The value under the pointer is the mean of what its pixel covers.
    const npp = this.view.span / this.track;
    const one = new Float32Array(1);
    resample(row.busy, 2 ** this.k, ts - npp / 2, ts + npp / 2, 1, one);
    replace(this.tip, h('strong', {}, visible(row.name) || t(`viewer.heat.all.${row.group.replace('_all', '')}`)), h('div', {}, t('viewer.heat.at', { share: percent(one[0]! / 255), ts: dur(ts) })),
      h('div', { class: 'dim' }, t('viewer.heat.bucket', { width: dur(Math.max(2 ** this.k, npp)) })),
      row.period ? h('div', {}, t('viewer.heat.tip_period', { period: dur(row.period.ns), r: row.period.correlation.toFixed(2), quiet: percent(row.period.quiet), busy: percent(row.period.busy) })) : null);
    this.tip.classList.remove('hidden');
    this.tip.style.left = `${Math.min(e.offsetX + 14, this.width - this.tip.offsetWidth - 8)}px`;
    this.tip.style.top = `${e.offsetY + 20 + this.tip.offsetHeight > this.height ? e.offsetY - this.tip.offsetHeight - 10 : e.offsetY + 20}px`;
  }
  private onWheel(e: WheelEvent): void {
    e.preventDefault();
    if (e.ctrlKey || e.metaKey) this.view.zoom(this.view.t0 + ((e.offsetX - LABEL) / this.track) * this.view.span, Math.exp(e.deltaY * 0.002));
    else if (e.shiftKey) this.view.pan(((e.deltaY || e.deltaX) / this.track) * this.view.span);
    else { this.scroll += e.deltaY; this.draw(); }
  }
  private drag(): void {
    this.canvas.addEventListener('mousedown', (down) => {
      const move = (e: MouseEvent) => this.view.pan((-e.movementX / this.track) * this.view.span);
      const up = () => { window.removeEventListener('mousemove', move); window.removeEventListener('mouseup', up); };
      if (down.button > 1) return;
      window.addEventListener('mousemove', move);
      window.addEventListener('mouseup', up);
    });
  }

  private fillBar(): void {
    const scale = h('canvas', { width: 128, height: 10, 'aria-hidden': 'true' });
    const ctx = scale.getContext('2d')!;
    for (let i = 0; i < 128; i++) { ctx.fillStyle = css(cividis(i / 127)); ctx.fillRect(i, 0, 1, 10); }
    const toggle = h('button', { type: 'button', class: 'seg', 'aria-pressed': String(this.marks), onclick: () => { this.marks = !this.marks; this.fillBar(); this.draw(); } }, t('viewer.heat.marks'));
    replace(this.bar, h('span', { class: 'legend' }, '0 %', scale, '100 %'), h('span', { class: 'dim' }, t('viewer.heat.help')), h('span', { class: 'spring' }), toggle);
  }
  /** What a row must pass to count as periodic, for the texts. */
  private rule(): Record<string, string> {
    const f = this.floors;
    return { correlation: String(f.correlation), cycles: String(f.cycles), life: percent(f.life!, 0), mean: percent(f.mean!, 0), contrast: percent(f.contrast!, 0), chance: percent(f.chance!, 0) };
  }
  /** The table of what the picture shows, and the rhythms found. */
  private fillBelow(): void {
    if (this.rows.length === 0) { replace(this.below, h('p', { class: 'hint' }, t('viewer.heat.none'))); return; }
    const found = this.rows.filter((r) => r.period);
    const lead = h('p', { class: 'lead' }, found.length === 0 ? t('viewer.heat.no_period', this.rule()) : t('viewer.heat.periods', { n: count(found.length) }),
      this.leftOut > 0 ? ` ${t('viewer.heat.left_out', { n: count(this.leftOut) })}` : '');
    const name = (r: HeatRow) => visible(r.name) || t(`viewer.heat.all.${r.group.replace('_all', '')}`);
    replace(this.below, lead, table<HeatRow>([
      { title: t('viewer.heat.row'), key: name, cell: name },
      { title: t('viewer.heat.mean'), number: true, note: t('viewer.def.utilisation'), key: (r) => r.mean, cell: (r) => percent(r.mean) },
      { title: t('viewer.heat.period'), number: true, note: t('viewer.def.period', this.rule()), key: (r) => r.period?.ns ?? -1, cell: (r) => (r.period ? dur(r.period.ns) : '–') },
      { title: t('viewer.heat.correlation'), number: true, note: t('viewer.def.correlation'), key: (r) => r.period?.correlation ?? -1, cell: (r) => (r.period ? r.period.correlation.toFixed(2) : '–') },
      { title: t('viewer.heat.cycles'), number: true, key: (r) => r.period?.cycles ?? -1, cell: (r) => (r.period ? count(r.period.cycles) : '–') },
      { title: t('viewer.heat.quiet'), number: true, note: t('viewer.def.quiet'), key: (r) => r.period?.quiet ?? -1, cell: (r) => (r.period ? percent(r.period.quiet) : '–') },
      { title: t('viewer.heat.rest'), number: true, note: t('viewer.def.quiet'), key: (r) => r.period?.busy ?? -1, cell: (r) => (r.period ? percent(r.period.busy) : '–') },
    ], [...this.rows].sort((a, b) => Number(Boolean(b.period)) - Number(Boolean(a.period))), { caption: t('viewer.heat.periods', { n: count(found.length) }), limit: 300 }));
  }
}
