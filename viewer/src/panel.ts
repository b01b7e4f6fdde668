// The drawer below the timeline: selection, range figures, requests, search, measurements.
import { css } from './color';
import { h, replace, table } from './dom';
import { count, dur, exactNs, percent, visible } from './format';
import { t, word } from './i18n';
import { interval, markTs, otherEdge, type Edge, type Mark, type Measure } from './measure';
import { flowsOf, LAYERS, RowKind, type Item, type Request, type Trace } from './model';
import type { NameStats } from './stats';
import type { Timeline } from './timeline';

export type Tab = 'selection' | 'range' | 'requests' | 'search' | 'measures';
export const TABS: Tab[] = ['selection', 'range', 'requests', 'search', 'measures'];

// What the type of a name means, by its category.
const TYPE_TITLE: Record<string, string> = { stage: 'viewer.item.wait', cpu: 'viewer.item.process', request: 'viewer.requests.status' };

export interface PanelActions {
  select(item: Item, show: boolean): void;
  showRequest(request: Request): void;
  searchFor(query: string): void;
  searchStep(step: 1 | -1): void;
  measuresChanged(): void;
  go(ts: number, dur: number): void;
}

export class Panel {
  readonly root = h('section', { class: 'drawer', 'aria-label': 'details' });
  private readonly tabs = new Map<Tab, HTMLButtonElement>();
  private readonly body = h('div', { class: 'drawer-body', role: 'tabpanel', tabindex: 0 });
  current: Tab = 'requests';
  selected: Item | null = null;
  measures: Measure[] = [];
  range: { t0: number; t1: number; stats: NameStats[] | null; items: number; done: boolean } | null = null;
  search: { query: string; names: { name: number; n: number; total: number }[]; items: number; done: boolean; valid: boolean } = { query: '', names: [], items: 0, done: true, valid: true };
  private turn = 0; // a slow fill must not overwrite a newer one

  constructor(private readonly trace: Trace, private readonly timeline: Timeline, private readonly actions: PanelActions) {
    const bar = h('div', { class: 'tabs', role: 'tablist' });
    for (const tab of TABS) {
      const button = h('button', { type: 'button', role: 'tab', onclick: () => this.open(tab) });
      this.tabs.set(tab, button);
      bar.append(button);
    }
    this.root.append(bar, this.body);
  }
  open(tab: Tab): void {
    this.current = tab;
    this.refresh();
  }
  refresh(): void {
    this.turn++;
    const numbers: Record<Tab, number> = { selection: 0, range: 0, requests: this.trace.meta.requests.n, search: this.search.items, measures: this.measures.length };
    for (const [tab, button] of this.tabs) {
      replace(button, t(`viewer.tab.${tab}`), numbers[tab] > 0 ? h('span', { class: 'badge' }, count(numbers[tab])) : null);
      button.setAttribute('aria-selected', String(tab === this.current));
    }
    this.body.scrollTop = 0;
    switch (this.current) {
      case 'selection': void this.fillSelection(); break;
      case 'range': this.fillRange(); break;
      case 'requests': this.fillRequests(); break;
      case 'search': this.fillSearch(); break;
      case 'measures': this.fillMeasures(); break;
    }
  }
  private hint(id: string): void { replace(this.body, h('p', { class: 'hint' }, t(id))); }
  private swatch(name: number): HTMLElement {
    const s = h('span', { class: 'swatch' });
    s.style.background = css(this.timeline.colorOf(name));
    return s;
  }
  itemText(item: Item): string {
    const text = this.trace.text(item.name);
    return this.trace.rows[item.row]!.kind === RowKind.state ? word('state', text) : visible(text);
  }
  /** Of a thread state: the core it ran on, or who woke it. */
  stateText(item: Item, where: 'panel' | 'tip' = 'panel'): string {
    const isRunning = this.trace.text(item.name) === 'running';
    const value = isRunning ? String(item.arg - 1) : visible(this.trace.thread(item.arg - 1));
    return where === 'panel' ? value : t(isRunning ? 'viewer.tip.cpu' : 'viewer.tip.waker', { n: value });
  }
  rowText(row: number): string {
    const r = this.trace.rows[row]!;
    const parts: string[] = [];
    for (let g = r.group; g >= 0; g = this.trace.meta.groups[g]!.parent) parts.unshift(this.timeline.groupTitle(g));
    if (r.name !== '') parts.push(visible(r.name));
    return parts.join(' › ');
  }

  private async fillSelection(): Promise<void> {
    const item = this.selected;
    if (!item) return this.hint('viewer.hint.selection');
    const turn = this.turn;
    const { trace } = this;
    const row = trace.rows[item.row]!;
    const isArgs = row.kind === RowKind.slices || row.kind === RowKind.kernels;
    const args = isArgs ? await trace.args(item.arg) : [];
    const parents = trace.parents(item);
    const requests = await this.requestsOf([item, ...parents], args);
    if (turn !== this.turn) return;
    const facts: [string, string | Node][] = [
      [t('viewer.item.name'), h('span', {}, this.swatch(item.name), this.itemText(item))],
      [t('viewer.item.start'), `${dur(item.ts)} · ${exactNs(item.ts)}`],
      [t('viewer.item.duration'), item.dur === 0 ? t('viewer.item.instant') : `${dur(item.dur)} · ${exactNs(item.dur)}`],
    ];
    if (row.kind === RowKind.slices && item.dur > 0) {
      const self = trace.selfTime(item);
      facts.push([t('viewer.item.self'), `${dur(self)} · ${percent(self / item.dur)}`]);
    }
    facts.push([t('viewer.item.row'), this.rowText(item.row)]);
    const category = trace.categories[item.name]!;
    const type = trace.types[item.name]!;
    if (isArgs) facts.push([t('viewer.item.category'), `${category || '–'} · ${word('layer', LAYERS[trace.meta.names.layer[item.name]!] ?? '')}`]);
    if (type !== '') facts.push([t(TYPE_TITLE[category] ?? 'viewer.item.type'), visible(type)]);
    if (row.kind === RowKind.state && item.arg > 0) facts.push([t(trace.text(item.name) === 'running' ? 'viewer.item.cpu' : 'viewer.item.waker'), this.stateText(item)]);
    facts.push([t('viewer.item.clock'), String(trace.zero + BigInt(Math.round(item.ts)))]);
    const left = h('div', { class: 'col' }, h('dl', { class: 'facts' }, facts.flatMap(([k, v]) => [h('dt', {}, k), h('dd', {}, v)])),
      h('h3', {}, t('viewer.item.sql')), this.sql(item, row.kind));
    const middle = h('div', { class: 'col' });
    if (parents.length > 0) middle.append(h('h3', {}, t('viewer.item.parents')), h('ol', { class: 'chain' }, [...parents].reverse().map((p) => h('li', {}, this.link(p)))));
    if (requests.length > 0) middle.append(h('h3', {}, t('viewer.item.requests')), h('div', {}, requests.map((r) => this.requestLink(r))));
    this.addFlows(item, middle);
    const right = h('div', { class: 'col' });
    if (args.length > 0) right.append(h('h3', {}, t('viewer.item.args')), h('dl', { class: 'facts' }, args.flatMap(([k, v]) => [h('dt', {}, visible(k)), h('dd', { class: 'mono' }, visible(String(v)))])));
    const ownRequest = trace.requests.find((r) => r.row === item.row && r.ts === item.ts && r.slice === item.id);
    if (ownRequest) right.prepend(this.breakdown(ownRequest));
    replace(this.body, h('div', { class: 'cols' }, left, middle.childElementCount > 0 ? middle : null, right.childElementCount > 0 ? right : null));
  }
  private link(item: Item): HTMLElement {
    return h('button', { type: 'button', class: 'link', onclick: () => this.actions.select(item, true) }, this.swatch(item.name), this.itemText(item), h('span', { class: 'dim' }, ` ${dur(item.dur)}`));
  }
  private requestLink(r: Request): HTMLElement {
    return h('button', { type: 'button', class: 'link', onclick: () => this.actions.showRequest(r) }, `${visible(r.name)} #${r.index + 1}`, h('span', { class: 'dim' }, ` ${dur(r.dur)}`));
  }
  private async requestsOf(chain: Item[], own: [string, unknown][]): Promise<Request[]> {
    const ids = new Set<string>();
    for (const [k, v] of own) if (k === 'request_id') ids.add(String(v));
    for (const item of chain.slice(1)) for (const [k, v] of await this.trace.args(item.arg)) if (k === 'request_id') ids.add(String(v));
    return ids.size === 0 ? [] : this.trace.requests.filter((r) => ids.has(r.id)).slice(0, 32);
  }
  private addFlows(item: Item, to: HTMLElement): void {
    const { flows } = this.trace;
    if (!flows) return;
    const found = flowsOf(flows, item);
    const lines: HTMLElement[] = [];
    const add = (i: number, into: boolean) => {
      const target = into ? this.trace.itemStarting(this.trace.rows[flows.fromRow[i]!]!, flows.fromTs[i]!) : this.trace.itemStarting(this.trace.rows[flows.toRow[i]!]!, flows.toTs[i]!);
      const gap = flows.toTs[i]! - (flows.fromTs[i]! + flows.fromDur[i]!);
      if (target) lines.push(h('li', {}, into ? '← ' : '→ ', this.link(target), h('span', { class: gap < 0 ? 'warn' : 'dim' }, ` ${t('viewer.item.gap', { gap: dur(gap) })}`)));
    };
    found.in.slice(0, 16).forEach((i) => add(i, true));
    found.out.slice(0, 16).forEach((i) => add(i, false));
    if (lines.length > 0) to.append(h('h3', {}, t('viewer.item.flows')), h('ul', { class: 'chain' }, lines));
  }
  private sql(item: Item, kind: RowKind): HTMLElement {
    const from = ['slice', 'kernel', 'sched', 'thread_state'][kind]!;
    const query = `select * from ${from} where id = ${item.id}`;
    return h('pre', { class: 'sql' }, `profiler query --trace "${visible(this.trace.meta.trace).replace(/["$`\\]/g, '_')}" "${query}"`);
  }
  /** Where a request's time went: exclusive classes (they sum to its latency), and its stages. */
  private breakdown(r: Request): HTMLElement {
    const box = h('div', {});
    const classes = [...(this.trace.accounting.get(r.index) ?? [])].sort((a, b) => b[1] - a[1]);
    if (classes.length > 0 && r.dur > 0) {
      box.append(h('h3', { title: t('viewer.def.accounting') }, t('viewer.item.accounting')));
      for (const [cls, ns] of classes) {
        const bar = h('span', { class: 'bar' });
        bar.style.width = `${Math.max(0.5, (100 * ns) / r.dur)}%`;
        box.append(h('div', { class: 'share' }, h('span', { class: 'share-name' }, word('class', cls)), h('span', { class: 'share-bar' }, bar), h('span', { class: 'num' }, dur(ns)), h('span', { class: 'num' }, percent(ns / r.dur))));
      }
    }
    const stages = this.trace.stages.filter((s) => s.request === r.index);
    if (stages.length > 0)
      box.append(h('h3', {}, t('viewer.item.stages')), table([
        { title: t('viewer.item.name'), cell: (s) => (s.wait === '' ? visible(s.name) : `${visible(s.name)} (${word('class', s.wait)})`) },
        { title: t('viewer.item.after'), number: true, cell: (s) => dur(s.ts - r.ts) },
        { title: t('viewer.item.duration'), number: true, cell: (s) => dur(s.dur) },
        { title: t('viewer.item.thread'), cell: (s) => visible(s.thread) },
      ], stages, { caption: t('viewer.item.stages'), onRow: (s) => this.goTo(s.row, s.ts) }));
    return box;
  }
  private goTo(row: number, ts: number): void {
    if (row < 0) return;
    const item = this.trace.itemStarting(this.trace.rows[row]!, ts);
    if (item) this.actions.select(item, true);
  }

  private fillRange(): void {
    const r = this.range;
    if (!r) return this.hint('viewer.hint.range');
    const head = h('p', { class: 'lead' }, t('viewer.range.lead', { dur: exactNs(r.t1 - r.t0), items: count(r.items) }), r.done ? '' : ` ${t('viewer.working')}`);
    replace(this.body, head, this.statsTable(r.stats ?? []));
  }
  private statsTable(stats: NameStats[]): HTMLElement {
    const number = (title: string, get: (s: NameStats) => number, note: string) => ({ title: t(title), number: true, note: t(note), key: get, cell: (s: NameStats) => dur(get(s)) });
    return table<NameStats>([
      { title: t('viewer.item.name'), key: (s) => this.trace.text(s.name), cell: (s) => h('span', { class: 'name' }, this.swatch(s.name), visible(this.trace.text(s.name))) },
      { title: t('viewer.item.type'), key: (s) => this.trace.types[s.name]!, cell: (s) => visible(this.trace.types[s.name]!) },
      { title: 'n', number: true, key: (s) => s.n, cell: (s) => count(s.n) },
      number('viewer.stat.total', (s) => s.total, 'viewer.def.total'),
      number('viewer.stat.mean', (s) => s.total / s.n, 'viewer.def.mean'),
      number('viewer.stat.min', (s) => s.min, 'viewer.def.min'),
      number('viewer.stat.p50', (s) => s.p50, 'viewer.def.percentile'),
      number('viewer.stat.p99', (s) => s.p99, 'viewer.def.percentile'),
      number('viewer.stat.max', (s) => s.max, 'viewer.def.max'),
    ], stats, { caption: t('viewer.tab.range'), onRow: (s) => this.actions.searchFor(this.trace.text(s.name)), limit: 300, more: (n) => t('viewer.more_rows', { n: count(n) }) });
  }

  private fillRequests(): void {
    const { requests, meta } = this.trace;
    if (!this.trace.isComplete) return this.hint('viewer.loading');
    if (requests.length === 0) return this.hint('viewer.hint.no_requests');
    const isFinished = (r: Request) => r.status !== 'unfinished';
    // Of an unfinished request only the beginning is known: it comes last and in no percentile.
    const sorted = [...requests].sort((a, b) => Number(isFinished(b)) - Number(isFinished(a)) || b.dur - a.dur);
    const p99 = meta.requests.p99 ?? Infinity;
    const p50 = meta.requests.p50 ?? 0;
    const worst = Math.max(1, ...requests.map((r) => r.dur));
    // The request nearest to p50 is the one to compare with.
    const typical = sorted.filter(isFinished).reduce<Request | null>((best, r) => (!best || Math.abs(r.dur - p50) < Math.abs(best.dur - p50) ? r : best), null);
    const lead = h('p', { class: 'lead' }, typical ? t('viewer.requests.lead', { n: count(meta.requests.n - meta.requests.unfinished), p50: dur(p50), p99: dur(p99), max: dur(meta.requests.max!) }) : '',
      meta.requests.unfinished > 0 ? ` ${t('viewer.requests.unfinished', { n: count(meta.requests.unfinished) })}` : '', ' ',
      h('button', { type: 'button', class: 'small', onclick: () => this.actions.showRequest(sorted[0]!) }, t('viewer.requests.slowest')), ' ',
      typical ? h('button', { type: 'button', class: 'small', onclick: () => this.actions.showRequest(typical) }, t('viewer.requests.typical')) : null);
    const list = table<Request>([
      { title: '#', number: true, note: t('viewer.def.request_number'), key: (r) => r.index, cell: (r) => count(r.index + 1) },
      { title: t('viewer.item.name'), key: (r) => r.name, cell: (r) => visible(r.name) },
      { title: t('viewer.requests.latency'), number: true, note: t('viewer.def.latency'), key: (r) => r.dur, cell: (r) => dur(r.dur) },
      { title: '', cell: (r) => this.latencyBar(r.dur, worst, p50, p99) },
      { title: t('viewer.requests.band'), cell: (r) => (isFinished(r) && r.dur >= p99 ? h('span', { class: 'mark-p99' }, '≥ p99') : r === typical ? h('span', { class: 'mark-p50' }, '≈ p50') : '') },
      { title: t('viewer.item.start'), number: true, key: (r) => r.ts, cell: (r) => dur(r.ts) },
      { title: t('viewer.requests.main_class'), note: t('viewer.def.accounting'), cell: (r) => this.mainClass(r) },
      { title: t('viewer.requests.status'), key: (r) => r.status, cell: (r) => visible(r.status) },
      { title: t('viewer.requests.id'), number: true, key: (r) => Number(r.id), cell: (r) => h('span', { class: 'mono dim' }, r.id) },
    ], sorted, { caption: t('viewer.tab.requests'), onRow: (r) => this.actions.showRequest(r), limit: 500, more: (n) => t('viewer.more_rows', { n: count(n) }) });
    replace(this.body, lead, list);
  }
  private latencyBar(ns: number, worst: number, p50: number, p99: number): HTMLElement {
    const box = h('span', { class: 'latency', 'aria-hidden': 'true' });
    const fill = h('span', { class: ns >= p99 ? 'fill slow' : 'fill' });
    fill.style.width = `${(100 * ns) / worst}%`;
    box.append(fill);
    for (const p of [p50, p99]) {
      const tick = h('span', { class: 'tick' });
      tick.style.left = `${(100 * p) / worst}%`;
      box.append(tick);
    }
    return box;
  }
  private mainClass(r: Request): string {
    const classes = [...(this.trace.accounting.get(r.index) ?? [])].sort((a, b) => b[1] - a[1]).slice(0, 2);
    return classes.map(([cls, ns]) => `${word('class', cls)} ${percent(ns / Math.max(1, r.dur), 0)}`).join(', ');
  }

  private fillSearch(): void {
    const s = this.search;
    if (s.query === '') return this.hint('viewer.hint.search');
    if (!s.valid) return this.hint('viewer.search.bad');
    const lead = h('p', { class: 'lead' }, t('viewer.search.lead', { query: visible(s.query), names: count(s.names.length), items: count(s.items) }), s.done ? '' : ` ${t('viewer.working')}`, ' ',
      h('button', { type: 'button', class: 'small', onclick: () => this.actions.searchStep(-1) }, t('viewer.search.previous')), ' ',
      h('button', { type: 'button', class: 'small', onclick: () => this.actions.searchStep(1) }, t('viewer.search.next')));
    const byId = this.trace.requests.filter((r) => r.id === s.query.trim()).slice(0, 8);
    replace(this.body, lead, byId.map((r) => h('p', {}, this.requestLink(r))), table([
      { title: t('viewer.item.name'), key: (r) => this.trace.text(r.name), cell: (r) => h('span', { class: 'name' }, this.swatch(r.name), visible(this.trace.text(r.name))) },
      { title: t('viewer.item.type'), key: (r) => this.trace.types[r.name]!, cell: (r) => visible(this.trace.types[r.name]!) },
      { title: 'n', number: true, key: (r) => r.n, cell: (r) => count(r.n) },
      { title: t('viewer.stat.total'), number: true, note: t('viewer.def.total'), key: (r) => r.total, cell: (r) => dur(r.total) },
    ], s.names, { caption: t('viewer.tab.search'), limit: 300, more: (n) => t('viewer.more_rows', { n: count(n) }) }));
  }

  private fillMeasures(): void {
    if (this.measures.length === 0) return this.hint('viewer.hint.measures');
    const edge = (mark: Mark, m: Measure): Node => {
      if (mark.edge === 'free') return h('span', {}, t('viewer.measure.free', { ts: dur(mark.ts) }));
      const flip = h('button', { type: 'button', class: 'small', title: t('viewer.measure.flip') }, t(`viewer.measure.${mark.edge}`));
      flip.addEventListener('click', () => { mark.edge = otherEdge(mark.edge) as Edge; void m; this.actions.measuresChanged(); });
      return h('span', {}, flip, ` ${visible(mark.name)}`, h('span', { class: 'dim' }, ` ${mark.where}`));
    };
    replace(this.body, table<Measure>([
      { title: '#', number: true, cell: (m) => t('viewer.measure.short', { n: this.measures.indexOf(m) + 1 }) },
      { title: t('viewer.measure.from'), cell: (m) => edge(m.a, m) },
      { title: t('viewer.measure.to'), cell: (m) => edge(m.b, m) },
      { title: t('viewer.measure.interval'), number: true, note: t('viewer.def.interval'), cell: (m) => h('strong', { class: interval(m) < 0 ? 'warn' : '' }, dur(interval(m))) },
      { title: 'ns', number: true, cell: (m) => h('span', { class: 'exact' }, exactNs(interval(m))) },
      { title: '', cell: (m) => h('button', { type: 'button', class: 'small', onclick: () => this.actions.go(Math.min(markTs(m.a), markTs(m.b)), Math.abs(interval(m))) }, t('viewer.measure.show')) },
      { title: '', cell: (m) => h('button', { type: 'button', class: 'small', onclick: () => { this.measures.splice(this.measures.indexOf(m), 1); this.actions.measuresChanged(); } }, t('viewer.measure.remove')) },
    ], this.measures, { caption: t('viewer.tab.measures') }));
  }
}
