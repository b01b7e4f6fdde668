// The flame graph: request > stage > operator > function as an icicle, and beside it the instructions and lines of what is pressed.
import { css, flameColor, mix, type Theme } from './color';
import { readJsonSection, readSection } from './data';
import { savePng } from './save';
import { h, replace, table } from './dom';
import { FlameDiff, isContext, type Changed } from './flame_diff';
import { firstAt, FlameKind, runOfNarrow, type FlameHead, type FlameTree } from './flame';
import { MODES, readSource, shaped, type Mode, type Source } from './flame_source';
import { count, dur, middle, number, percent, visible } from './format';
import { has, t } from './i18n';
import { compile } from './search';

interface Heads { trees: FlameHead[]; mappings: { path: string; build_id: string; code: string; detail: string }[]; pcFiles: number[][]; files: string[]; functions: number; requests: number; baseline: { name: string; requests: number; trees: FlameHead[] } | null }
interface Asm { mapping: number; function: string; start: number; size: number; self: number; files: string[]; lines: [offset: number, bytes: string, text: string, file: number, line: number, cut: number][] }
const ROW = 20;
const NARROW = 3; // pixels; narrower neighbours are drawn together
const HIT = '#b4007a';
export class FlameView {
  readonly root = h('div', { class: 'flame view' });
  private readonly canvas = h('canvas', { tabindex: 0, role: 'application' });
  private readonly ctx = this.canvas.getContext('2d', { alpha: false })!;
  private readonly side = h('aside', { class: 'side' });
  private readonly bar = h('div', { class: 'toolbar' });
  private readonly note = h('p', { class: 'flame-note' });
  private readonly tip = h('div', { class: 'tip hidden', role: 'tooltip' });
  private readonly stage = h('div', { class: 'flame-stage' });
  private heads: Heads | null = null;
  private sources = new Map<number, Source>();
  private event = 0;
  private mode: Mode = 'types';
  private source: Source | null = null;
  private tree: FlameTree | null = null;
  private diff: FlameDiff | null = null;
  private comparing = true; // where the page has a baseline
  private x0 = 0; // what is in view, in the unit of the widths
  private span = 1;
  private pressed = -1;
  private hover = -1;
  private pointerX = 0;
  private scroll = 0;
  private query = '';
  private theme!: Theme;
  private width = 100;
  private height = 100;
  private started = false;

  constructor() {
    this.stage.append(this.canvas, this.tip);
    this.root.append(h('div', { class: 'flame-main' }, this.bar, this.stage, this.note), this.side);
    this.canvas.addEventListener('mousemove', (e) => this.onMove(e));
    this.canvas.addEventListener('mouseleave', () => { this.hover = -1; this.tip.classList.add('hidden'); this.draw(); });
    this.canvas.addEventListener('mousedown', (e) => this.drag(e));
    this.canvas.addEventListener('wheel', (e) => this.onWheel(e), { passive: false });
    this.canvas.addEventListener('keydown', (e) => this.onKey(e));
  }
  setTheme(theme: Theme): void { this.theme = theme; this.draw(); }

  async show(): Promise<void> {
    if (!this.started) {
      this.started = true;
      this.heads = await readJsonSection<Heads>('flames');
      await this.choose(0, this.mode);
    }
    this.resize();
  }
  refresh(): void {
    if (!this.started) return;
    this.fillBar();
    this.fillSide();
    this.resize();
  }
  setQuery(query: string): void { this.query = query; if (this.started) { this.fillBar(); this.draw(); } }

  savePicture(): void { savePng('flamegraph.png', [this.canvas]); }
  resize(): void {
    const box = this.stage.getBoundingClientRect();
    if (box.width < 10) return;
    const dpr = Math.min(3, window.devicePixelRatio || 1);
    this.width = box.width;
    this.height = box.height;
    this.canvas.width = Math.round(box.width * dpr);
    this.canvas.height = Math.round(box.height * dpr);
    this.canvas.style.width = `${box.width}px`;
    this.canvas.style.height = `${box.height}px`;
    this.ctx.setTransform(dpr, 0, 0, dpr, 0, 0);
    this.draw();
  }

  private async choose(event: number, mode: Mode): Promise<void> {
    this.event = event;
    this.mode = mode;
    const head = this.heads?.trees[event];
    if (!head) { this.fillBar(); this.fillSide(); return; }
    let source = this.sources.get(event);
    if (!source) this.sources.set(event, (source = readSource(await readSection(`flame${event}`), head)));
    this.source = source;
    this.tree = shaped(source.tree, mode);
    this.diff = await this.compare(head, mode);
    this.showAll();
    this.scroll = 0;
    this.canvas.setAttribute('aria-label', t('viewer.flame.label', { n: this.widthText(source.tree.total[0]!), event: this.eventName(head.event) }));
    this.fillBar();
    this.fillSide();
    this.draw();
  }
  private async compare(head: FlameHead, mode: Mode): Promise<FlameDiff | null> {
    const { baseline, requests } = this.heads!;
    const at = baseline?.trees.findIndex((x) => x.event === head.event) ?? -1;
    if (!baseline || at < 0 || !this.comparing) return null;
    const base = readSource(await readSection(`baseFlame${at}`), baseline.trees[at]!);
    return new FlameDiff({ tree: this.tree!, names: head.names, requests }, { tree: shaped(base.tree, mode), names: base.head.names, requests: baseline.requests });
  }
  /** A weight per request (or a share), in the unit of the event. */
  private perUnit(weight: number): string {
    if (!this.diff!.perRequest) return percent(weight, 2);
    return t('viewer.flame.per_request', { amount: this.source!.head.event === 'cpu-clock' || this.isTime ? dur(weight) : number(Number(weight.toPrecision(3))) });
  }
  /** Widths are times: off the CPU, or of recorded calls. */
  private get isTime(): boolean { const head = this.source?.head; return head !== undefined && (head.off_cpu || head.wall_time); }
  /** A width of the graph: samples, or a time. */
  private amountOf(n: number): string { return this.isTime ? dur(n) : count(n); }
  private widthText(n: number): string {
    if (!this.isTime) return t('viewer.flame.samples', { n: count(n) });
    return t(this.source!.head.off_cpu ? 'viewer.flame.off_cpu' : 'viewer.flame.wall_time', { n: dur(n) });
  }
  private selfText(n: number): string { return t(this.isTime ? 'viewer.flame.self.off_cpu' : 'viewer.flame.self', { n: this.amountOf(n) }); }
  private deltaText(weight: number): string { return `${weight > 0 ? '+' : ''}${this.perUnit(weight)}`; }
  private eventName(event: string): string { return has(`viewer.event.${event}`) ? t(`viewer.event.${event}`) : visible(event); }
  private nodeName(tree: FlameTree, node: number): string {
    const name = this.source!.head.names[tree.name[node]!]!;
    return tree.kind[node] === FlameKind.context || tree.kind[node] === FlameKind.root ? t(name) : visible(name);
  }
  private amount(node: number): string {
    const tree = this.tree!;
    const n = this.widthText(tree.total[node]!);
    const share = percent(tree.total[node]! / Math.max(1, tree.total[0]!));
    const diff = this.diff ? ` · ${t('viewer.flame.diff', { before: this.perUnit(this.diff.weightBefore(node)), now: this.perUnit(this.diff.weightNow(node)), delta: this.deltaText(this.diff.delta(node)) })}` : '';
    return this.source!.head.event === 'cpu-clock' ? `${n} · ${dur(tree.totalWeight[node]!)} · ${share}${diff}` : `${n} · ${share}${diff}`;
  }

  private fillBar(): void {
    const heads = this.heads?.trees ?? [];
    this.root.classList.toggle('empty', heads.length === 0);
    if (heads.length === 0) { replace(this.bar); replace(this.note); return; }
    const event = h('select', { 'aria-label': t('viewer.flame.event') }, heads.map((x, i) => h('option', { value: i, selected: i === this.event }, this.eventName(x.event))));
    event.addEventListener('change', () => void this.choose(Number(event.value), this.mode));
    const modes = MODES.map((mode) =>
      h('button', { type: 'button', class: 'seg', 'aria-pressed': String(mode === this.mode), onclick: () => void this.choose(this.event, mode), title: t(`viewer.flame.mode.${mode}.about`) }, t(`viewer.flame.mode.${mode}`)));
    const reset = h('button', { type: 'button', class: 'small', onclick: () => { this.showAll(); this.fillSide(); this.draw(); } }, t('viewer.flame.reset'));
    const hits = this.query === '' ? '' : this.matchText();
    const base = this.heads?.baseline;
    const compare = base ? h('button', { type: 'button', class: 'seg', 'aria-pressed': String(this.diff !== null), title: t('viewer.flame.compare.about'), onclick: () => { this.comparing = !this.comparing; void this.choose(this.event, this.mode); } }, t('viewer.flame.compare', { name: visible(base.name).slice(0, 60) })) : null;
    replace(this.bar, event, h('span', { class: 'segs', role: 'group' }, modes), compare, reset, h('span', { class: 'dim' }, hits), h('span', { class: 'spring' }), this.legend());
    const s = this.source?.head;
    if (s?.wall_time) replace(this.note, t('viewer.flame.wall_time.about'));
    else if (s) replace(this.note, s.off_cpu ? `${t('viewer.flame.off_cpu.about', { n: count(s.left_out) })} ` : '', t('viewer.flame.join', { own: count(s.own_thread), joined: count(s.joined), ambiguous: count(s.ambiguous), no_op: count(s.no_op), outside: count(s.outside) }));
  }
  private legend(): HTMLElement {
    const swatch = (color: string, text: string) => { const s = h('span', { class: 'swatch' }); s.style.background = color; return h('span', {}, s, text); };
    if (this.diff) return h('span', { class: 'legend' }, swatch('#e39457', t('viewer.flame.grew')), swatch('#5fa4cb', t('viewer.flame.shrank')));
    const kinds: [number, string][] = [[FlameKind.request, 'request'], [FlameKind.stage, 'stage'], [FlameKind.op_type, 'op'], [FlameKind.function, 'function'], [FlameKind.kernel_function, 'kernel']];
    return h('span', { class: 'legend' }, kinds.map(([kind, id]) => swatch(css(flameColor(kind, '')), t(`viewer.flame.kind.${id}`))));
  }
  private matchText(): string {
    const test = compile(this.query);
    const tree = this.tree;
    if (!test || !tree) return '';
    const name = this.source!.head.names.map((x) => test(x));
    let total = 0;
    const inside = new Uint8Array(tree.size);
    for (let i = 0; i < tree.size; i++) {
      const hit = name[tree.name[i]!]! && i > 0;
      inside[i] = hit || inside[tree.parent[i]!]! ? 1 : 0;
      if (inside[i]) total += tree.self[i]!;
    }
    return t('viewer.flame.match', { share: percent(total / Math.max(1, tree.total[0]!)) });
  }

  private draw(): void {
    const { ctx, theme, tree } = this;
    if (!theme) return;
    ctx.fillStyle = css(theme.bg);
    ctx.fillRect(0, 0, this.width, this.height);
    if (!tree) return;
    const test = compile(this.query);
    const marks = test ? this.source!.head.names.map((x) => test(x)) : null;
    const maxScroll = Math.max(0, tree.byDepth.length * ROW - this.height + 8);
    this.scroll = Math.max(0, Math.min(this.scroll, maxScroll));
    ctx.font = '12px system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif';
    ctx.textBaseline = 'middle';
    const first = Math.floor(this.scroll / ROW);
    for (let d = first; d < tree.byDepth.length; d++) {
      const y = d * ROW - this.scroll;
      if (y > this.height) break;
      const level = tree.byDepth[d]!;
      this.drawLevel(tree, level, y, marks);
    }
  }
  /** Neighbours too narrow to tell apart are one pale box with their number. */
  private drawLevel(tree: FlameTree, level: Uint32Array, y: number, marks: boolean[] | null): void {
    const scale = this.width / this.span;
    for (let k = firstAt(tree, level, this.x0); k < level.length;) {
      const i = level[k]!;
      const from = (tree.x[i]! - this.x0) * scale;
      if (from > this.width) return;
      const run = runOfNarrow(tree, level, k, NARROW / scale);
      if (run > 1) {
        const last = level[k + run - 1]!;
        const to = (tree.x[last]! + tree.total[last]! - this.x0) * scale;
        this.rest(tree, level.subarray(k, k + run), from, y, to - from, marks);
        k += run;
        continue;
      }
      const left = Math.max(0, from);
      const w = Math.min(this.width, from + tree.total[i]! * scale) - left;
      if (w >= 0.4) this.box(tree, i, left, y, w, tree.total[i]! > this.span && i !== this.pressed, marks);
      k++;
    }
  }
  private rest(tree: FlameTree, nodes: Uint32Array, left: number, y: number, w: number, marks: boolean[] | null): void {
    const { ctx } = this;
    ctx.fillStyle = css(mix(this.theme.bg, flameColor(tree.kind[nodes[0]!]!, ''), 0.5));
    ctx.fillRect(left, y, Math.max(0.5, w - 1), ROW - 1);
    if (marks && nodes.some((i) => marks[tree.name[i]!] === true)) { ctx.fillStyle = HIT; ctx.fillRect(left, y + ROW - 4, Math.max(1, w - 1), 3); }
    const number = count(nodes.length);
    const text = [t('viewer.flame.rest', { n: number }), `×${number}`].find((x) => ctx.measureText(x).width < w - 8);
    ctx.fillStyle = this.theme.text;
    if (text) ctx.fillText(text, left + 4, y + ROW / 2);
    if (this.hover >= 0 && nodes.includes(this.hover)) { ctx.strokeStyle = this.theme.text; ctx.lineWidth = 1; ctx.strokeRect(left + 0.5, y + 0.5, Math.max(1, w - 2), ROW - 2); }
  }
  private box(tree: FlameTree, i: number, left: number, y: number, w: number, faded: boolean, marks: boolean[] | null): void {
    const { ctx } = this;
    const name = this.source!.head.names[tree.name[i]!]!;
    const isHit = marks !== null && marks[tree.name[i]!] === true;
    ctx.globalAlpha = faded ? 0.55 : marks && !isHit ? 0.35 : 1;
    ctx.fillStyle = css(this.diff ? this.diff.color(i, this.theme) : flameColor(tree.kind[i]!, name));
    ctx.fillRect(left, y, Math.max(0.5, w - (w > 3 ? 1 : 0)), ROW - 1);
    if (isHit) { ctx.fillStyle = HIT; ctx.fillRect(left, y + ROW - 4, Math.max(1, w - 1), 3); }
    ctx.globalAlpha = 1;
    if (i === this.pressed || i === this.hover) {
      ctx.strokeStyle = this.theme.text;
      ctx.lineWidth = i === this.pressed ? 2 : 1;
      ctx.strokeRect(left + 0.5, y + 0.5, Math.max(1, w - 2), ROW - 2);
    }
    if (w < 26) return;
    ctx.fillStyle = faded || (marks && !isHit) ? this.theme.text : '#15191e';
    const text = this.nodeName(tree, i);
    const full = ctx.measureText(text.slice(0, 300)).width;
    ctx.fillText(full < w - 9 ? text : middle(text.slice(0, 300), Math.floor((Math.min(300, text.length) * (w - 9)) / full) - 1), left + 4, y + ROW / 2);
  }
  private pick(e: MouseEvent): number {
    const tree = this.tree;
    if (!tree) return -1;
    const d = Math.floor((e.offsetY + this.scroll) / ROW);
    const level = tree.byDepth[d];
    if (!level) return -1;
    const at = this.x0 + (e.offsetX / this.width) * this.span;
    const i = level[firstAt(tree, level, at)];
    return i !== undefined && tree.x[i]! <= at && at < tree.x[i]! + tree.total[i]! ? i : -1;
  }
  private onMove(e: MouseEvent): void {
    if (e.buttons !== 0) return;
    this.pointerX = e.offsetX;
    const node = this.pick(e);
    if (node !== this.hover) { this.hover = node; this.draw(); }
    if (node < 0) { this.tip.classList.add('hidden'); return; }
    replace(this.tip, h('strong', {}, middle(this.nodeName(this.tree!, node), 300)), h('div', {}, this.amount(node)),
      h('div', { class: 'dim' }, this.selfText(this.tree!.self[node]!)));
    this.tip.classList.remove('hidden');
    this.tip.style.left = `${Math.min(e.offsetX + 14, Math.max(0, this.width - this.tip.offsetWidth - 8))}px`;
    this.tip.style.top = `${e.offsetY + 18 + this.tip.offsetHeight > this.height ? e.offsetY - this.tip.offsetHeight - 8 : e.offsetY + 18}px`;
  }
  // --- the part in view ----------------------------------------------------------------------------------------------
  private showAll(): void {
    this.pressed = -1;
    this.setWindow(0, this.tree?.total[0] ?? 1);
  }
  /** At least half a sample wide, inside the graph. */
  private setWindow(x0: number, span: number): void {
    const all = Math.max(1, this.tree?.total[0] ?? 1);
    this.span = Math.max(0.5, Math.min(span, all));
    this.x0 = Math.max(0, Math.min(x0, all - this.span));
  }
  /** Widens or narrows around the pointer; factor < 1 shows more detail. */
  zoom(factor: number, at = this.tip.classList.contains('hidden') ? this.width / 2 : this.pointerX): void {
    const x = this.x0 + (at / this.width) * this.span;
    const span = Math.max(0.5, Math.min(this.span * factor, this.tree?.total[0] ?? 1));
    this.setWindow(x - (at / this.width) * span, span);
    this.draw();
  }
  pan(share: number): void { this.setWindow(this.x0 + share * this.span, this.span); this.draw(); }
  private onWheel(e: WheelEvent): void {
    e.preventDefault();
    if (e.ctrlKey || e.metaKey) this.zoom(Math.exp(e.deltaY * 0.002), e.offsetX);
    else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) this.pan((e.deltaX || e.deltaY) / this.width);
    else { this.scroll += e.deltaY; this.draw(); }
  }
  /** A drag pans, a press without one zooms to the box. */
  private drag(down: MouseEvent): void {
    if (down.button > 1) return;
    const node = this.pick(down);
    let [x, y] = [down.clientX, down.clientY];
    let moved = false;
    const move = (e: MouseEvent) => {
      if (!moved && Math.hypot(e.clientX - x, e.clientY - y) < 4) return;
      moved = true;
      this.tip.classList.add('hidden');
      this.scroll -= e.clientY - y;
      this.pan(-(e.clientX - x) / this.width);
      [x, y] = [e.clientX, e.clientY];
    };
    const up = () => {
      window.removeEventListener('mousemove', move);
      window.removeEventListener('mouseup', up);
      if (!moved && node >= 0 && down.button === 0) this.press(node);
    };
    window.addEventListener('mousemove', move);
    window.addEventListener('mouseup', up);
  }
  private onKey(e: KeyboardEvent): void {
    const tree = this.tree;
    if (!tree) return;
    const at = this.pressed < 0 ? 0 : this.pressed;
    const level = tree.byDepth[tree.depth[at]!]!;
    const k = level.indexOf(at);
    let next = -1;
    if (e.code === 'ArrowUp') next = tree.parent[at]!;
    else if (e.code === 'ArrowDown') next = tree.byDepth[tree.depth[at]! + 1]?.find((i) => tree.parent[i] === at) ?? -1;
    else if (e.code === 'ArrowLeft') next = level[k - 1] ?? -1;
    else if (e.code === 'ArrowRight') next = level[k + 1] ?? -1;
    else if (e.code === 'Backspace') next = 0;
    else return;
    e.preventDefault();
    e.stopPropagation();
    if (next >= 0) this.press(next);
  }
  private press(node: number): void {
    this.pressed = node;
    this.setWindow(this.tree!.x[node]!, this.tree!.total[node]!);
    const y = this.tree!.depth[node]! * ROW;
    if (y < this.scroll || y > this.scroll + this.height - 2 * ROW) this.scroll = Math.max(0, y - 3 * ROW);
    this.fillSide();
    this.draw();
  }

  // --- beside the graph --------------------------------------------------------------------------------------------
  private fillSide(): void {
    const tree = this.tree;
    if (!tree || !this.source) { replace(this.side, h('p', { class: 'hint' }, t('viewer.flame.none'))); return; }
    const node = Math.max(0, this.pressed);
    const title = h('h2', {}, visible(this.nodeName(tree, node)));
    const lead = h('p', { class: 'lead' }, this.amount(node), h('br'), h('span', { class: 'dim' }, this.selfText(tree.self[node]!)));
    const detail = h('div', {});
    replace(this.side, title, lead, detail);
    const kind = tree.kind[node]!;
    if (kind === FlameKind.function || kind === FlameKind.kernel_function) void this.fillCode(node, detail);
    else {
      if (this.diff && node === 0) this.fillChanged(this.diff, detail);
      this.fillChildren(node, detail);
      this.fillHottest(node, detail);
    }
  }
  private fillChanged(diff: FlameDiff, to: HTMLElement): void {
    const rows = diff.changed();
    to.append(h('h3', {}, t('viewer.flame.changed')), table<Changed>([
      { title: t('viewer.item.name'), raw: (r) => r.name, cell: (r) => h('span', { class: 'two-lines', title: visible(r.name) }, isContext(r.kind) ? t(r.name) : visible(r.name)) },
      { title: t('viewer.flame.before'), number: true, key: (r) => r.before, raw: (r) => r.before, cell: (r) => this.perUnit(r.before) },
      { title: t('viewer.flame.now'), number: true, key: (r) => r.now, raw: (r) => r.now, cell: (r) => this.perUnit(r.now) },
      { title: 'Δ', number: true, key: (r) => r.now - r.before, raw: (r) => r.now - r.before, cell: (r) => h('strong', {}, this.deltaText(r.now - r.before)) },
    ], rows, { caption: t('viewer.flame.changed'), file: 'changed.csv', limit: 30, more: (n) => t('viewer.more_rows', { n: count(n) }) }));
  }
  /** What stands directly below, by name: boxes may be too narrow to read. */
  private fillChildren(node: number, to: HTMLElement): void {
    const tree = this.tree!;
    const children = [...(tree.byDepth[tree.depth[node]! + 1] ?? [])].filter((i) => tree.parent[i] === node);
    if (children.length < 2) return;
    to.append(h('h3', {}, t('viewer.flame.children')), table<number>([
      { title: t('viewer.item.name'), cell: (i) => this.nameCell(tree, i) },
      { title: t('viewer.flame.total_short'), number: true, note: t('viewer.def.total_samples'), cell: (i) => this.amountOf(tree.total[i]!) },
      { title: '%', number: true, cell: (i) => percent(tree.total[i]! / Math.max(1, tree.total[node]!)) },
    ], children, { caption: t('viewer.flame.children'), limit: 30, more: (n) => t('viewer.more_rows', { n: count(n) }), onRow: (i) => this.press(i) }));
  }
  private nameCell(tree: FlameTree, node: number): HTMLElement { return h('span', { class: 'two-lines', title: this.nodeName(tree, node) }, this.nodeName(tree, node)); }
  /** Functions by samples in them, below the pressed node: the graph's table. */
  private fillHottest(node: number, to: HTMLElement): void {
    const tree = this.tree!;
    const inside = new Uint8Array(tree.size);
    const self = new Map<number, number>();
    inside[node] = 1;
    for (let i = node; i < tree.size; i++) {
      if (i !== node && !inside[tree.parent[i]!]) continue;
      inside[i] = 1;
      if (tree.self[i]! > 0) self.set(tree.name[i]!, (self.get(tree.name[i]!) ?? 0) + tree.self[i]!);
    }
    const all = Math.max(1, tree.total[node]!);
    const rows = [...self].sort((a, b) => b[1] - a[1]);
    const kindOf = (name: number): number => { for (let i = 0; i < tree.size; i++) if (tree.name[i] === name) return i; return 0; };
    to.append(h('h3', {}, t('viewer.flame.hottest')), table<[number, number]>([
      { title: t('viewer.item.name'), cell: (r) => this.nameCell(tree, kindOf(r[0])) },
      { title: t('viewer.flame.self_short'), number: true, note: t('viewer.def.self_samples'), cell: (r) => this.amountOf(r[1]) },
      { title: '%', number: true, cell: (r) => percent(r[1] / all) },
    ], rows, { caption: t('viewer.flame.hottest'), limit: 100, more: (n) => t('viewer.more_rows', { n: count(n) }), onRow: (r) => this.pressHeaviest(r[0], node) }));
  }
  private pressHeaviest(name: number, below: number): void {
    const tree = this.tree!;
    let best = -1;
    for (let i = 0; i < tree.size; i++) if (tree.name[i] === name && (best < 0 || tree.self[i]! > tree.self[best]!) && tree.path(i).includes(below)) best = i;
    if (best >= 0) this.press(best);
  }
  /** Instructions and lines of a function, with samples of this node and of the whole trace. */
  private async fillCode(node: number, to: HTMLElement): Promise<void> {
    const s = this.source!;
    const tree = this.tree!;
    const here = new Map<number, [number, number]>(); // pc -> self, total
    for (let k = 0; k < s.hitNode.length; k++) {
      const origin = s.hitNode[k]!;
      if (this.mode === 'callers' ? s.tree.name[origin] !== tree.name[node] || s.tree.kind[origin] !== tree.kind[node] : (tree.image?.[origin] ?? origin) !== node) continue;
      const sum = here.get(s.hitPc[k]!) ?? [0, 0];
      here.set(s.hitPc[k]!, [sum[0] + s.hitSelf[k]!, sum[1] + s.hitTotal[k]!]);
    }
    this.addLines(here, to);
    const functions = new Map<number, number>();
    const mappings = new Set<number>();
    for (const [pc, [, total]] of here) {
      if (s.pcMapping[pc] !== 0xffffffff) mappings.add(s.pcMapping[pc]!);
      if (s.pcFunction[pc]! >= 0) functions.set(s.pcFunction[pc]!, (functions.get(s.pcFunction[pc]!) ?? 0) + total);
    }
    for (const m of mappings) {
      const mapping = this.heads!.mappings[m]!;
      to.append(h('p', { class: 'dim path' }, visible(mapping.path), mapping.build_id === '' ? '' : ` · build id ${mapping.build_id.slice(0, 12)}`));
    }
    const list = [...functions].sort((a, b) => b[1] - a[1]).slice(0, 4);
    if (list.length === 0) { to.append(h('p', { class: 'notice' }, this.whyNoCode(tree.kind[node]!, mappings))); return; }
    for (const [index] of list) {
      const asm = await readJsonSection<Asm>(`asm${index}`);
      if (asm && this.pressed === node) to.append(this.asmTable(asm, index, here));
    }
  }
  private whyNoCode(kind: number, mappings: Set<number>): string {
    if (kind === FlameKind.kernel_function) return t('viewer.asm.kernel');
    for (const m of mappings) {
      const mapping = this.heads!.mappings[m]!;
      if (mapping.code !== '') return `${has(mapping.code) ? t(mapping.code) : mapping.code} ${visible(mapping.detail)}`;
    }
    return t('viewer.asm.no_symbol');
  }
  private addLines(here: Map<number, [number, number]>, to: HTMLElement): void {
    const s = this.source!;
    const files = this.heads!.pcFiles[this.event]!;
    const lines = new Map<string, [number, number]>();
    for (const [pc, [self, total]] of here) {
      if (s.pcLine[pc] === 0) continue;
      const key = `${this.heads!.files[files[pc]!] ?? ''}:${s.pcLine[pc]}`;
      const sum = lines.get(key) ?? [0, 0];
      lines.set(key, [sum[0] + self, sum[1] + total]);
    }
    if (lines.size === 0) { to.append(h('p', { class: 'dim' }, t('viewer.flame.no_lines'))); return; }
    to.append(h('h3', {}, t('viewer.flame.lines')), table<[string, [number, number]]>([
      { title: t('viewer.flame.line'), cell: (r) => h('span', { class: 'mono', title: visible(r[0]) }, visible(r[0].split('/').slice(-2).join('/'))) },
      { title: t('viewer.flame.self_short'), number: true, note: t('viewer.def.self_samples'), cell: (r) => count(r[1][0]) },
      { title: t('viewer.flame.total_short'), number: true, note: t('viewer.def.total_samples'), cell: (r) => count(r[1][1]) },
    ], [...lines].sort((a, b) => b[1][1] - a[1][1]), { caption: t('viewer.flame.lines'), limit: 20, more: (n) => t('viewer.more_rows', { n: count(n) }) }));
  }
  private asmTable(asm: Asm, index: number, here: Map<number, [number, number]>): HTMLElement {
    const s = this.source!;
    const at = new Map<number, { self: number; total: number; all: number }>();
    for (let pc = 0; pc < s.pc.length; pc++) {
      if (s.pcFunction[pc] !== index) continue;
      const mine = here.get(pc) ?? [0, 0];
      const sum = at.get(s.pc[pc]!) ?? { self: 0, total: 0, all: 0 };
      at.set(s.pc[pc]!, { self: sum.self + mine[0], total: sum.total + mine[1], all: sum.all + s.pcSelf[pc]! });
    }
    let most = 1;
    for (const v of at.values()) most = Math.max(most, v.self, v.total);
    const body = h('tbody');
    let file = -1;
    let line = -1;
    for (const [offset, bytes, text, f, l, cut] of asm.lines) {
      if (cut) body.append(h('tr', { class: 'cut' }, h('td', { colspan: 5 }, t('viewer.asm.cut'))));
      if (l !== 0 && (f !== file || l !== line)) {
        body.append(h('tr', { class: 'src' }, h('td', { colspan: 5, title: visible(asm.files[f] ?? '') }, `${visible((asm.files[f] ?? '').split('/').slice(-2).join('/'))}:${l}`)));
        file = f;
        line = l;
      }
      const v = at.get(asm.start + offset);
      const bar = h('span', { class: 'heat' });
      if (v) bar.style.width = `${(100 * Math.max(v.self, v.total)) / most}%`;
      body.append(h('tr', { class: v ? 'hot' : '', title: bytes }, h('td', { class: 'num' }, v && v.self > 0 ? count(v.self) : ''), h('td', { class: 'num dim' }, v && v.total > v.self ? count(v.total) : ''),
        h('td', { class: 'num dim' }, v && v.all > 0 ? count(v.all) : ''), h('td', { class: 'mono dim addr' }, (asm.start + offset).toString(16)), h('td', { class: 'mono code' }, v ? bar : null, h('span', {}, text))));
    }
    return h('div', { class: 'asm' }, h('h3', {}, t('viewer.asm.title', { name: visible(asm.function) })), h('table', {}, h('thead', {}, h('tr', {},
      h('th', { class: 'num', title: t('viewer.def.self_samples') }, t('viewer.flame.self_short')), h('th', { class: 'num', title: t('viewer.def.total_samples') }, t('viewer.flame.total_short')),
      h('th', { class: 'num', title: t('viewer.def.all_samples') }, t('viewer.flame.all_short')), h('th', {}, t('viewer.asm.address')), h('th', {}, t('viewer.asm.instruction')))), body));
  }
}
