// The picture of latency over time in the drawer: a press on a cell leaves its requests in the table.
import { cividis, css, DARK, LIGHT, type Rgb } from './color';
import { h } from './dom';
import { axisLabel, axisStep, count, dur } from './format';
import { t } from './i18n';
import { boundsOf, nextCell, type LatencyMap } from './latency_map';

const WIDTH = 420;
const HEIGHT = 118;
const LEFT = 58;
const BOTTOM = 16;

const KEYS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class LatencyView {
  readonly root: HTMLElement;
  private readonly canvas = h('canvas', { tabindex: 0, role: 'application' });
  private readonly says = h('p', { class: 'dim latency-says', 'aria-live': 'polite' });
  private at = -1; // the cell under the pointer or the cursor

  constructor(private readonly map: LatencyMap, private readonly picked: number, private readonly pick: (cell: number) => void) {
    this.canvas.setAttribute('aria-label', t('viewer.latency.label'));
    this.root = h('figure', { class: 'latency-map' }, h('figcaption', {}, t('viewer.latency.title'), this.legend()), this.canvas, this.says);
    this.canvas.addEventListener('mousemove', (e) => this.move(this.cellAt(e.offsetX, e.offsetY)));
    this.canvas.addEventListener('mouseleave', () => this.move(-1));
    this.canvas.addEventListener('click', (e) => this.choose(this.cellAt(e.offsetX, e.offsetY)));
    this.canvas.addEventListener('keydown', (e) => this.onKey(e));
    this.draw();
    this.say();
  }
  /** What the palest and the strongest colour count. */
  private legend(): HTMLElement[] {
    return [...new Set([1, this.map.most])].map((n) => {
      const swatch = h('span', { class: 'swatch', 'aria-hidden': 'true' });
      swatch.style.background = css(this.color(n));
      return h('span', {}, swatch, count(n));
    });
  }
  private color(n: number): Rgb { return cividis(0.1 + 0.9 * Math.sqrt(n / this.map.most)); }
  focus(): void { this.canvas.focus(); }
  private onKey(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const step = KEYS[e.key];
    if (step) {
      const from = this.at >= 0 ? this.at : this.picked;
      this.move(from >= 0 ? nextCell(this.map, from, ...step) : this.map.counts.findIndex((n) => n > 0));
    } else if (e.key === 'Enter' || e.key === ' ') this.choose(this.at);
    else if (e.key === 'Escape' && this.picked >= 0) this.pick(-1);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }
  private choose(cell: number): void {
    if (cell >= 0 && this.map.counts[cell]! > 0) this.pick(cell === this.picked ? -1 : cell);
  }
  private move(cell: number): void {
    if (cell === this.at) return;
    this.at = cell;
    this.draw();
    this.say();
  }
  private say(): void {
    const cell = this.at >= 0 ? this.at : this.picked;
    this.says.textContent = cell < 0 ? t('viewer.latency.hint') : cellText(this.map, cell);
  }
  private get cellWidth(): number { return (WIDTH - LEFT) / this.map.columns; }
  private get cellHeight(): number { return (HEIGHT - BOTTOM) / this.map.rows; }
  private cellAt(x: number, y: number): number {
    const column = Math.floor((x - LEFT) / this.cellWidth);
    const row = this.map.rows - 1 - Math.floor(y / this.cellHeight);
    return column >= 0 && column < this.map.columns && row >= 0 && row < this.map.rows ? row * this.map.columns + column : -1;
  }
  /** The middle of a cell in pixels of the picture. */
  place(cell: number): [number, number] {
    return [LEFT + ((cell % this.map.columns) + 0.5) * this.cellWidth, (this.map.rows - 0.5 - Math.floor(cell / this.map.columns)) * this.cellHeight];
  }

  private draw(): void {
    const { canvas, map } = this;
    const theme = document.documentElement.dataset.theme === 'dark' ? DARK : LIGHT;
    const dpr = Math.min(3, window.devicePixelRatio || 1);
    canvas.width = Math.round(WIDTH * dpr);
    canvas.height = Math.round(HEIGHT * dpr);
    canvas.style.width = `${WIDTH}px`;
    canvas.style.height = `${HEIGHT}px`;
    const ctx = canvas.getContext('2d')!;
    ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
    ctx.fillStyle = css(theme.row);
    ctx.fillRect(LEFT, 0, WIDTH - LEFT, HEIGHT - BOTTOM);
    map.counts.forEach((n, cell) => {
      if (n === 0) return;
      const [x, y] = this.place(cell);
      ctx.fillStyle = css(this.color(n));
      ctx.fillRect(x - this.cellWidth / 2, y - this.cellHeight / 2, Math.max(1, this.cellWidth - 0.5), Math.max(1, this.cellHeight - 0.5));
    });
    this.frame(ctx, this.at, theme.dim);
    this.frame(ctx, this.picked, theme.accent);
    this.drawAxes(ctx, theme.dim);
  }
  private frame(ctx: CanvasRenderingContext2D, cell: number, color: string): void {
    if (cell < 0) return;
    const [x, y] = this.place(cell);
    ctx.strokeStyle = color;
    ctx.lineWidth = 2;
    ctx.strokeRect(x - this.cellWidth / 2 - 1, y - this.cellHeight / 2 - 1, this.cellWidth + 2, this.cellHeight + 2);
  }
  private drawAxes(ctx: CanvasRenderingContext2D, color: string): void {
    const { map } = this;
    ctx.font = '10px system-ui, "Noto Sans CJK SC", sans-serif';
    ctx.fillStyle = color;
    ctx.textAlign = 'right';
    ctx.textBaseline = 'middle';
    const labels = Math.min(4, map.rows);
    for (let i = 0; i <= labels; i++) {
      const row = Math.round((i / labels) * map.rows);
      ctx.fillText(dur(boundsOf(map, row * map.columns).from), LEFT - 6, Math.max(7, Math.min(HEIGHT - BOTTOM - 5, (map.rows - row) * this.cellHeight)));
    }
    ctx.textAlign = 'left';
    const step = axisStep(map.duration, 5);
    for (let ts = 0; ts < map.duration; ts += step) {
      const x = LEFT + (ts / map.duration) * (WIDTH - LEFT);
      ctx.fillRect(x, HEIGHT - BOTTOM, 1, 3);
      if (x < WIDTH - 40) ctx.fillText(axisLabel(ts, step, map.duration), x + 3, HEIGHT - 6);
    }
  }
}

/** "3 requests that arrived from 1.2 s to 1.3 s and took 200 ms to 220 ms". */
export function cellText(map: LatencyMap, cell: number): string {
  const { t0, t1, from, to } = boundsOf(map, cell);
  return t('viewer.latency.cell', { n: count(map.counts[cell]!), t0: dur(t0), t1: dur(t1), from: dur(from), to: dur(to) });
}
