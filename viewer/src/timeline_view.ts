// The timeline as a view: two canvases, pointer, tooltip, drawer; selection, range figures, measurement, search.
import { h, replace } from './dom';
import { dur, exactNs } from './format';
import { t } from './i18n';
import { findRef, parseRef, type Ref } from './ids';
import { Layout } from './layout';
import { KeepTab } from './keep_tab';
import { chooseEdge, interval, markTs, otherEdge, type Mark } from './measure';
import { RowKind, type Example, type Item, type Request, type Trace } from './model';
import { Overlay, type OverlayState } from './overlay';
import { Panel } from './panel';
import { PIN_W, pinOf, pinOfRow, type Pin } from './pins';
import type { Remark } from './remarks';
import { countersTable, readCounters, rowsTable, type RowLine } from './rows_table';
import { saveCsv, savePng, type Cell } from './save';
import { isFiltering, Matcher, NO_FILTER, Places, type Filter } from './matches';
import { Collector } from './stats';
import { LABEL_W, MAP_H, Timeline, TOP } from './timeline';
import { Tip } from './tip';
import type { Theme } from './color';
import type { View } from './view';

export class TimelineView {
  readonly root = h('div', { class: 'timeline view' });
  readonly layout: Layout;
  readonly timeline: Timeline;
  readonly overlay: Overlay;
  readonly panel: Panel;
  readonly keep: KeepTab;
  private readonly tip: Tip;
  readonly state: OverlayState = { hover: null, selected: null, range: null, marks: [], places: null, remarks: [], pinLine: null, measures: [], pending: null, candidate: null, pointerX: 0, allFlows: false };
  private readonly stage = h('div', { class: 'stage', tabindex: 0, role: 'application' });
  private readonly live = h('div', { class: 'hidden', 'aria-live': 'polite' });
  private readonly nothing = h('p', { class: 'hint nothing' }); // said where there is nothing to draw
  private readonly modeBar = h('div', { class: 'mode hidden', role: 'status' });
  private measuring = false;
  private isFitted = false;
  private flipped = false; // E: the other edge than the usual one
  private frame = 0;
  private overlayFrame = 0;
  private task = 0; // the newest background scan
  private matcher: Matcher | null = null;
  private pointer: { x: number; y: number } | null = null;
  onMeasureMode: (on: boolean) => void = () => {};

  constructor(private readonly trace: Trace, private readonly view: View) {
    this.layout = new Layout(trace);
    this.timeline = new Timeline(trace, this.layout, view);
    this.overlay = new Overlay(this.timeline, this.state);
    this.keep = new KeepTab(trace, this.layout, {
      selected: () => this.state.selected,
      range: () => (this.isRangeNewer || !this.state.selected ? this.state.range : null),
      itemText: (item) => this.panel.itemText(item),
      pinText: (pin) => this.timeline.pinText(pin),
      goTo: (r) => this.goToRemark(r),
      changed: () => this.keepChanged(),
      say: (text) => { this.live.textContent = text; },
    });
    this.panel = new Panel(trace, this.timeline, this.keep, {
      select: (item, show) => this.select(item, show),
      showRequest: (r) => this.showRequest(r),
      searchFor: (query) => this.onSearchFor(query),
      searchStep: (step) => this.searchStep(step),
      filterBy: (filter) => { this.filter = filter; void this.search(this.panel.search.query); },
      rowsTable: () => void this.fillRows(),
      saveItems: () => this.saveItems(),
      measuresChanged: () => { this.panel.refresh(); this.redrawOverlay(); },
      mark: (examples) => this.mark(examples),
      goTo: (example) => this.goTo({ table: 'slice', id: example[0] }),
      go: (ts, d) => { this.view.go(ts - Math.max(d * 0.5, 500), ts + d + Math.max(d * 0.5, 500)); },
    });
    this.state.measures = this.panel.measures;
    this.tip = new Tip(trace, this.timeline, this.panel);
    this.overlay.canvas.className = 'over';
    this.stage.append(this.timeline.canvas, this.overlay.canvas, this.tip.root, this.modeBar, this.nothing);
    this.nothing.hidden = trace.rows.length > 0 || trace.meta.counters.length > 0;
    const splitter = h('div', { class: 'splitter', role: 'separator', 'aria-orientation': 'horizontal' });
    this.root.append(this.stage, splitter, this.panel.root, this.live);
    this.bindPointer();
    this.bindSplitter(splitter);
    trace.onCounter = () => this.redraw();
  }
  onSearchFor: (query: string) => void = () => {};
  private isRangeNewer = false; // than the selection: what a note is about

  // --- pins and notes ------------------------------------------------------------------------------------------------
  private keepChanged(): void {
    this.state.remarks = this.keep.remarks;
    this.panel.keepChanged();
    this.onSelect();
    this.redraw();
  }
  private goToRemark(r: Remark): void {
    if (r.item) this.select(r.item, true);
    else { this.state.range = [r.t0, r.t1]; this.isRangeNewer = true; }
    this.view.show(r.t0, r.t1 - r.t0);
    this.panel.open('notes');
    this.redrawOverlay();
  }
  /** P: the selected item's row, or the line under the pointer. */
  togglePin(): void {
    const line = this.state.selected || !this.pointer ? null : this.timeline.lineAt(this.pointer.y);
    const pin: Pin | null = this.state.selected ? pinOfRow(this.trace, this.state.selected.row) : line && pinOf(this.trace, line);
    if (pin) this.keep.togglePin(pin);
  }
  /** N: a note on the selected item or on the range. */
  writeNote(): void {
    this.panel.root.classList.remove('folded');
    this.panel.open('notes');
    this.resize();
    this.keep.focus();
  }

  setTheme(theme: Theme): void { this.timeline.setTheme(theme); this.redraw(); this.panel.refresh(); }
  refresh(): void { this.nothing.textContent = t('viewer.timeline.none'); this.stage.setAttribute('aria-label', t('viewer.timeline.label')); this.timeline.setTheme(this.timeline.theme); this.panel.refresh(); this.fillModeBar(); this.redraw(); }
  resize(): void {
    const box = this.stage.getBoundingClientRect();
    if (box.width < 10) return;
    this.timeline.resize(box.width, box.height);
    this.overlay.resize(box.width, box.height);
    if (!this.isFitted) { this.isFitted = true; this.layout.fit(box.height - TOP); }
    this.redraw();
  }
  redraw(): void {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => { this.frame = 0; this.drawNow(); });
  }
  drawNow(): void { this.timeline.draw(); this.overlay.draw(); }
  redrawOverlay(): void {
    if (this.overlayFrame) return;
    this.overlayFrame = requestAnimationFrame(() => { this.overlayFrame = 0; this.overlay.draw(); });
  }

  // --- selection ---------------------------------------------------------------------------------------------------
  select(item: Item | null, show = false): void {
    this.state.selected = item;
    this.panel.selected = item;
    this.isRangeNewer = false;
    if (item) {
      if (show) this.reveal(item);
      this.panel.open('selection');
      this.live.textContent = `${this.panel.rowText(item.row)}: ${this.panel.itemText(item)}, ${dur(item.ts)}, ${dur(item.dur)}`;
    } else this.panel.refresh();
    this.onSelect();
    this.redraw();
  }
  onSelect: () => void = () => {};
  /** To a row of SQL's tables; false when it is not on the page. `zoom`: also in time. */
  goTo(ref: Ref, zoom = true): boolean {
    const item = findRef(this.trace, ref);
    if (!item) { this.live.textContent = t('viewer.search.no_such', { table: ref.table, id: String(ref.id) }); return false; }
    if (zoom && ref.table === 'request') this.view.go(item.ts - item.dur * 0.15, item.ts + item.dur * 1.15);
    if (zoom) this.select(item, true);
    else { this.layout.reveal(item.row); this.scrollTo(item.row); this.select(item); }
    return true;
  }
  /** Example spans of a finding: marked until the finding is closed, and all of them in view. */
  private mark(examples: Example[]): void {
    const here = examples.filter((e) => e[1] >= 0);
    this.state.marks = here.map((e) => ({ row: e[1], ts: e[2], dur: e[3] }));
    if (here.length > 0) {
      for (const mark of this.state.marks) this.layout.reveal(mark.row);
      const from = Math.min(...here.map((e) => e[2]));
      const to = Math.max(...here.map((e) => e[2] + e[3]));
      this.view.go(from - (to - from) * 0.1 - 500, to + (to - from) * 0.1 + 500);
      this.scrollTo(here[0]![1]);
    }
    this.onSelect();
    this.redraw();
  }
  private reveal(item: Item): void {
    this.layout.reveal(item.row);
    this.view.show(item.ts, item.dur);
    this.scrollTo(item.row);
  }
  private scrollTo(row: number): void {
    const line = this.layout.lineOfRow(row);
    const room = this.timeline.height - this.timeline.top;
    if (line && (line.y < this.timeline.scroll || line.y + line.h > this.timeline.scroll + room)) this.timeline.scroll = Math.max(0, line.y - room / 3);
  }
  showRequest(r: Request): void {
    this.view.go(r.ts - r.dur * 0.15, r.ts + r.dur * 1.15);
    if (r.row < 0) return;
    const item = this.trace.itemStarting(this.trace.rows[r.row]!, r.ts);
    if (item) this.select(item, true);
  }
  step(direction: 1 | -1): void {
    const item = this.state.selected;
    const next = item ? this.trace.neighbour(item, direction) : null;
    if (next) this.select(next, true);
  }
  parent(): void {
    const item = this.state.selected;
    const up = item ? this.trace.parents(item)[0] : undefined;
    if (up) this.select(up, true);
  }
  fit(): void {
    const s = this.state.selected;
    if (s) this.view.go(s.ts - s.dur * 0.1 - 50, s.ts + s.dur * 1.1 + 50);
    else if (this.state.range) this.view.go(Math.min(...this.state.range), Math.max(...this.state.range));
  }
  markSelection(): void {
    const s = this.state.selected;
    if (s) this.setRange(s.ts, s.ts + s.dur);
  }
  /** One step out of whatever is under way; true when there was something. */
  escape(): boolean {
    if (this.measuring) { this.setMeasuring(false); return true; }
    if (this.state.range || this.state.selected) {
      this.state.range = null;
      this.panel.range = null;
      this.task++;
      this.select(null);
      return true;
    }
    return false;
  }

  // --- figures of a range ------------------------------------------------------------------------------------------
  setRange(a: number, b: number): void {
    this.state.range = [Math.min(a, b), Math.max(a, b)];
    this.isRangeNewer = true;
    void this.aggregate(...this.state.range);
    this.redrawOverlay();
  }
  /** Rows in view of the layout, all depths; in slices of 8 ms, so that the page never freezes. A newer task ends an older one. */
  private async aggregate(t0: number, t1: number): Promise<void> {
    const task = ++this.task;
    const collector = new Collector();
    const rows = this.trace.rows.filter((r) => r.kind === RowKind.slices || r.kind === RowKind.kernels);
    this.panel.range = { t0, t1, stats: null, whole: null, items: 0, done: false };
    this.panel.open('range');
    let until = performance.now() + 8;
    for (const row of rows) {
      this.trace.each(row, t0, t1, (s, i) => collector.add(s.name[i]!, s.ts[i]!, s.dur[i]!));
      if (performance.now() < until) continue;
      await pause();
      if (task !== this.task) return;
      until = performance.now() + 8;
    }
    this.panel.range = { t0, t1, stats: collector.result(), whole: collector.whole(), items: collector.items, done: true };
    this.panel.refreshIf('range'); // somebody may write a note by now
  }

  /** Every item of the range as a line: its table and id in SQL, times on the trace's clock. */
  private saveItems(): void {
    const range = this.panel.range;
    if (!range) return;
    const lines: Cell[][] = [];
    for (const row of this.trace.rows) {
      if (row.kind !== RowKind.slices && row.kind !== RowKind.kernels) continue;
      const where = this.panel.rowText(row.index);
      this.trace.each(row, range.t0, range.t1, (s, i) => lines.push([row.kind === RowKind.slices ? 'slice' : 'kernel', s.id[i]!, this.trace.zero + BigInt(s.ts[i]!), s.dur[i]!, this.trace.text(s.name[i]!), this.trace.types[s.name[i]!]!, where]), true);
    }
    saveCsv('selection.csv', ['table', 'id', 'ts', 'dur', 'name', 'type', 'row'], lines);
  }
  savePicture(): void {
    this.drawNow();
    savePng('timeline.png', [this.timeline.canvas, this.overlay.canvas]);
  }
  /** The picture as a table: per row what is in view. */
  private async fillRows(): Promise<void> {
    const task = ++this.task;
    const { t0, t1 } = this.view;
    const rows: RowLine[] = [];
    this.panel.show('rows', h('p', { class: 'lead' }, t('viewer.working')));
    let until = performance.now() + 8;
    for (const row of this.trace.rows) {
      let n = 0;
      let busy = 0;
      let longest = -1;
      let name = 0;
      this.trace.each(row, t0, t1, (s, i) => {
        n++;
        busy += Math.max(0, Math.min(t1, s.ts[i]! + s.dur[i]!) - Math.max(t0, s.ts[i]!));
        if (s.dur[i]! > longest) { longest = s.dur[i]!; name = s.name[i]!; }
      });
      if (n > 0) rows.push({ row, n, busy, longest, name });
      if (performance.now() < until) continue;
      await pause();
      if (task !== this.task) return;
      until = performance.now() + 8;
    }
    const counters = await readCounters(this.trace, t0, t1);
    if (task !== this.task) return;
    this.panel.show('rows', rowsTable(rows, t0, t1, this.panel, (row) => this.keep.pinButton(pinOfRow(this.trace, row)), (line) => this.select(this.trace.longestIn(line.row, t0, t1), true)),
      countersTable(counters, (pin) => this.timeline.pinText(pin), (pin) => this.keep.pinButton(pin)));
  }

  // --- search ------------------------------------------------------------------------------------------------------
  filter: Filter = { ...NO_FILTER };
  async search(query: string): Promise<void> {
    const task = ++this.task;
    const { panel, trace } = this;
    this.matcher = Matcher.of(trace, query, this.filter);
    const isAsked = query !== '' || isFiltering(this.filter);
    panel.search = { query, names: [], items: 0, done: false, valid: !isAsked || this.matcher !== null };
    this.state.places = null;
    if (!this.matcher) { panel.search.done = true; if (isAsked || panel.current === 'search') panel.open('search'); this.redrawOverlay(); return; }
    panel.open('search');
    const { matcher } = this;
    const places = new Places();
    const n = new Float64Array(trace.meta.names.text.length);
    const total = new Float64Array(n.length);
    let until = performance.now() + 8;
    for (const row of trace.rows) {
      if (!matcher.mayHold(row)) continue;
      trace.each(row, -1, trace.duration + 1, (s, i) => {
        if (!matcher.accepts(row, s, i)) return;
        n[s.name[i]!]!++;
        total[s.name[i]!]! += s.dur[i]!;
        places.add(row.index, s.ts[i]!, s.dur[i]!);
      });
      if (performance.now() < until) continue;
      await pause();
      if (task !== this.task) return;
      until = performance.now() + 8;
    }
    const names: { name: number; n: number; total: number }[] = [];
    let items = 0;
    for (let i = 0; i < n.length; i++) if (n[i]! > 0) { names.push({ name: i, n: n[i]!, total: total[i]! }); items += n[i]!; }
    names.sort((a, b) => b.total - a.total);
    panel.search = { query, names, items, done: true, valid: true };
    this.state.places = places;
    panel.refreshIf('search');
    this.redrawOverlay();
  }
  searchStep(step: 1 | -1): void {
    const s = this.state.selected;
    const ref = parseRef(this.panel.search.query);
    const target = ref ? findRef(this.trace, ref) : null;
    if (ref && target && !(s && s.row === target.row && s.id === target.id)) { this.goTo(ref); return; }
    const { matcher } = this;
    if (!matcher) return;
    const from = s ? s.ts : step > 0 ? this.view.t0 : this.view.t1;
    const found = this.trace.findNext(matcher, from, step) ?? this.trace.findNext(matcher, step > 0 ? -1 : Infinity, step);
    if (!found) return;
    this.select(found, true);
    this.panel.open('search');
  }

  // --- measuring ---------------------------------------------------------------------------------------------------
  toggleMeasuring(): void { this.setMeasuring(!this.measuring); }
  private setMeasuring(on: boolean): void {
    this.measuring = on;
    this.flipped = false;
    this.state.pending = this.state.candidate = null;
    this.stage.classList.toggle('measuring', on);
    this.fillModeBar();
    this.onMeasureMode(on);
    this.redrawOverlay();
  }
  flipEdge(): void {
    if (!this.measuring) return;
    this.flipped = !this.flipped;
    if (this.pointer) this.hoverAt(this.pointer.x, this.pointer.y, false);
  }
  private fillModeBar(): void {
    this.modeBar.classList.toggle('hidden', !this.measuring);
    replace(this.modeBar, t(this.state.pending ? 'viewer.measure.second' : 'viewer.measure.first'));
  }
  private markAt(x: number, y: number, free: boolean): Mark | null {
    const ts = this.timeline.time(x);
    const item = free ? null : this.pick(x, y);
    if (!item) return free ? { ts, dur: 0, row: -1, name: '', where: '', edge: 'free' } : null;
    // The usual question: from the end of A to the start of B.
    const usual = this.state.pending ? 'start' : 'end';
    let edge = chooseEdge(item, ts, this.timeline.nsPerPixel, usual);
    if (this.flipped) edge = otherEdge(edge);
    return { ts: item.ts, dur: item.dur, row: item.row, name: this.panel.itemText(item), where: this.panel.rowText(item.row), edge };
  }
  private clickMeasure(x: number, y: number, free: boolean): void {
    const mark = this.markAt(x, y, free);
    if (!mark) return;
    this.flipped = false;
    if (!this.state.pending) this.state.pending = mark;
    else {
      const measure = { a: this.state.pending, b: mark };
      this.panel.measures.push(measure);
      this.state.pending = null;
      this.live.textContent = exactNs(interval(measure));
      this.panel.open('measures');
    }
    this.fillModeBar();
    this.redrawOverlay();
  }
  /** For scripts and tests: measures between edges of two items and lists the result; ns. */
  measureItems(a: Item, aEdge: 'start' | 'end', b: Item, bEdge: 'start' | 'end'): number {
    const mark = (item: Item, edge: 'start' | 'end'): Mark => ({ ts: item.ts, dur: item.dur, row: item.row, name: this.panel.itemText(item), where: this.panel.rowText(item.row), edge });
    const measure = { a: mark(a, aEdge), b: mark(b, bEdge) };
    this.panel.measures.push(measure);
    this.panel.open('measures');
    this.redrawOverlay();
    return markTs(measure.b) - markTs(measure.a);
  }

  // --- pointer -----------------------------------------------------------------------------------------------------
  private pick(x: number, y: number): Item | null {
    if (x < LABEL_W) return null;
    const line = this.timeline.lineAt(y);
    const row = line?.type === 'row' ? line.row : line?.type === 'group' ? line.states : null;
    return row ? this.trace.itemAt(row, this.timeline.time(x), this.timeline.nsPerPixel * 3) : null;
  }
  private hoverAt(x: number, y: number, free: boolean): void {
    this.pointer = { x, y };
    this.state.pointerX = x;
    const item = this.pick(x, y);
    this.state.hover = item;
    this.state.candidate = this.measuring ? this.markAt(x, y, free) : null;
    const line = this.timeline.lineAt(y);
    const isPinnable = x < LABEL_W && line !== null && pinOf(this.trace, line) !== null;
    this.state.pinLine = isPinnable && !line.isPinned ? this.timeline.yOf(line) + line.h / 2 : null;
    this.stage.style.cursor = this.measuring ? 'crosshair' : isPinnable && x < PIN_W ? 'pointer' : (line?.type === 'group' || line?.type === 'more') && x < LABEL_W ? 'pointer' : item ? 'pointer' : 'default';
    this.tip.fill(x, y, item, line, this.state.candidate, this.measuring);
    this.redrawOverlay();
  }
  private bindPointer(): void {
    const s = this.stage;
    const at = (e: MouseEvent): [number, number] => { const b = s.getBoundingClientRect(); return [e.clientX - b.left, e.clientY - b.top]; };
    s.addEventListener('mousemove', (e) => { if (e.buttons === 0) this.hoverAt(...at(e), e.altKey); });
    s.addEventListener('mouseleave', () => { this.state.hover = this.state.candidate = this.state.pinLine = null; this.pointer = null; this.tip.hide(); this.redrawOverlay(); });
    s.addEventListener('wheel', (e) => {
      e.preventDefault();
      const [x] = at(e);
      if (e.ctrlKey || e.metaKey) this.view.zoom(this.timeline.time(Math.max(x, LABEL_W)), Math.exp(e.deltaY * 0.002));
      else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) this.view.pan((e.deltaX || e.deltaY) * this.timeline.nsPerPixel);
      else { this.timeline.scroll += e.deltaY; this.redraw(); }
    }, { passive: false });
    s.addEventListener('dblclick', (e) => { const item = this.pick(...at(e)); if (item) { this.select(item); this.fit(); } });
    s.addEventListener('mousedown', (e) => {
      const [x, y] = at(e);
      s.focus({ preventScroll: true });
      e.preventDefault();
      if (e.button === 1 || (e.button === 0 && e.shiftKey)) return this.dragPan(e);
      if (e.button !== 0) return;
      if (y < MAP_H && x >= LABEL_W) return this.dragMap(x);
      if (x < LABEL_W) return this.pressLabel(x, y);
      if (this.measuring) return this.clickMeasure(x, y, e.altKey);
      this.dragRange(x, y);
    });
  }
  private pressLabel(x: number, y: number): void {
    const line = this.timeline.lineAt(y);
    const pin = x < PIN_W && line ? pinOf(this.trace, line) : null;
    if (pin) return this.keep.togglePin(pin);
    if (line?.type === 'group') this.layout.toggle(line.group);
    else if (line?.type === 'more') this.layout.unroll(line.group);
    else return;
    this.redraw();
  }
  private follow(move: (e: MouseEvent) => void, done: () => void = () => {}): void {
    const up = () => { window.removeEventListener('mousemove', move); window.removeEventListener('mouseup', up); done(); };
    window.addEventListener('mousemove', move);
    window.addEventListener('mouseup', up);
  }
  private dragPan(start: MouseEvent): void {
    let [lx, ly] = [start.clientX, start.clientY];
    this.follow((e) => {
      this.timeline.scroll -= e.clientY - ly;
      this.view.pan(-(e.clientX - lx) * this.timeline.nsPerPixel);
      [lx, ly] = [e.clientX, e.clientY];
    });
  }
  private dragMap(x: number): void {
    const center = (px: number) => {
      const ts = ((px - LABEL_W) / this.timeline.trackWidth) * this.trace.duration;
      this.view.set(ts - this.view.span / 2, ts + this.view.span / 2);
    };
    center(x);
    const left = this.stage.getBoundingClientRect().left;
    this.follow((e) => center(e.clientX - left));
  }
  private dragRange(x: number, y: number): void {
    const left = this.stage.getBoundingClientRect().left;
    let moved = false;
    this.follow((e) => {
      const to = e.clientX - left;
      if (!moved && Math.abs(to - x) < 4) return;
      moved = true;
      this.tip.hide();
      this.state.range = [this.timeline.time(x), this.timeline.time(Math.max(LABEL_W, to))];
      this.redrawOverlay();
    }, () => {
      if (moved) { if (this.state.range) this.setRange(...this.state.range); }
      else this.select(this.pick(x, y));
    });
  }
  private bindSplitter(splitter: HTMLElement): void {
    splitter.addEventListener('mousedown', (e) => {
      e.preventDefault();
      const from = e.clientY;
      const height = this.panel.root.offsetHeight;
      this.follow((m) => { this.panel.root.style.height = `${Math.max(34, Math.min(window.innerHeight - 240, height + from - m.clientY))}px`; this.resize(); });
    });
  }
}

/** Lets the browser draw and react. */
function pause(): Promise<void> {
  return new Promise((done) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => { channel.port1.close(); done(); };
    channel.port2.postMessage(0);
  });
}
