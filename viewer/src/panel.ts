// The drawer below the timeline: selection, range figures, requests, search, measurements.
import { css } from './color';
import { h, replace, table } from './dom';
import { count, dur, exactNs, percent, visible } from './format';
import { t, word } from './i18n';
import { interval, markTs, otherEdge, type Edge, type Mark, type Measure } from './measure';
import { FindingsTab, type FindingActions } from './findings';
import type { KeepTab } from './keep_tab';
import { findRef, parseRef } from './ids';
import { isFiltering, NO_FILTER, parseDuration, type Filter } from './matches';
import { flowsOf, LAYERS, RowKind, type Item, type Request, type Row, type Trace } from './model';
import { OperatorsTab } from './operators';
import { RequestsTab } from './requests';
import type { NameStats } from './stats';
import type { Timeline } from './timeline';

export type Tab = 'findings' | 'selection' | 'range' | 'requests' | 'operators' | 'search' | 'measures' | 'notes' | 'rows';
export const TABS: Tab[] = ['findings', 'selection', 'range', 'requests', 'operators', 'search', 'measures', 'notes', 'rows'];

// What the type of a name means, by its category.
const TYPE_TITLE: Record<string, string> = { stage: 'viewer.item.wait', cpu: 'viewer.item.process', request: 'viewer.requests.status' };

export interface PanelActions extends FindingActions {
  select(item: Item, show: boolean): void;
  showRequest(request: Request): void;
  searchFor(query: string): void;
  searchStep(step: 1 | -1): void;
  filterBy(filter: Filter): void;
  rowsTable(): void;
  saveItems(): void;
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
  range: { t0: number; t1: number; stats: NameStats[] | null; whole: NameStats | null; items: number; done: boolean } | null = null;
  search: { query: string; names: { name: number; n: number; total: number }[]; items: number; done: boolean; valid: boolean } = { query: '', names: [], items: 0, done: true, valid: true };
  readonly findings: FindingsTab | null;
  readonly requests: RequestsTab;
  readonly operators: OperatorsTab;
  private turn = 0; // a slow fill must not overwrite a newer one

  constructor(private readonly trace: Trace, private readonly timeline: Timeline, private readonly keep: KeepTab, private readonly actions: PanelActions) {
    this.requests = new RequestsTab(trace, (r) => actions.showRequest(r), (row, ts) => this.goTo(row, ts), () => this.open('requests'));
    this.operators = new OperatorsTab(() => this.open('operators'), (query) => actions.searchFor(query));
    const bar = h('div', { class: 'tabs', role: 'tablist' });
    const found = trace.meta.findings;
    this.findings = found ? new FindingsTab(found, actions, () => this.open('findings')) : null;
    this.current = this.firstTab();
    for (const tab of TABS) {
      if (tab === 'findings' && !this.findings) continue;
      const button = h('button', { type: 'button', role: 'tab', onclick: () => this.open(tab) });
      this.tabs.set(tab, button);
      bar.append(button);
    }
    this.root.append(bar, this.body);
  }
  /** The first tab that has something to show; without any, how to select. */
  private firstTab(): Tab {
    const { findings, requests, counts } = this.trace.meta;
    if (findings) return 'findings';
    if (requests.n > 0) return 'requests';
    return (counts.ops ?? 0) + (counts.kernels ?? 0) > 0 ? 'operators' : 'selection';
  }
  open(tab: Tab): void {
    this.current = tab;
    this.refresh();
  }
  refresh(): void {
    this.turn++;
    this.refreshTabs();
    this.body.scrollTop = 0;
    this.fillBody();
  }
  refreshTabs(): void {
    const numbers: Record<Tab, number> = { findings: this.trace.meta.findings?.causes.length ?? 0, selection: 0, range: 0, requests: this.trace.meta.requests.n, operators: 0, search: this.search.items, measures: this.measures.length, notes: this.keep.size, rows: 0 };
    for (const [tab, button] of this.tabs) {
      replace(button, t(`viewer.tab.${tab}`), numbers[tab] > 0 ? h('span', { class: 'badge' }, count(numbers[tab])) : null);
      button.setAttribute('aria-selected', String(tab === this.current));
    }
  }
  /** What a tab shows has changed; of the others only the numbers on their headings do. */
  refreshIf(tab: Tab): void {
    if (this.current === tab) this.refresh();
    else this.refreshTabs();
  }
  /** What people keep has changed; the cursor stays in its tab. */
  keepChanged(): void {
    if (this.current !== 'notes') return this.refreshTabs();
    const hadFocus = this.body.contains(document.activeElement);
    this.refresh();
    if (hadFocus && !this.body.contains(document.activeElement)) this.body.focus();
  }
  private fillBody(): void {
    switch (this.current) {
      case 'findings': if (this.findings) replace(this.body, this.findings.content()); break;
      case 'selection': void this.fillSelection(); break;
      case 'range': this.fillRange(); break;
      case 'requests': this.trace.isComplete ? replace(this.body, this.requests.content()) : this.hint('viewer.loading'); break;
      case 'operators': void this.fillOperators(); break;
      case 'rows': this.actions.rowsTable(); break;
      case 'search': this.fillSearch(); break;
      case 'measures': this.fillMeasures(); break;
      case 'notes': replace(this.body, this.keep.content()); break;
    }
  }
  private hint(id: string): void { replace(this.body, h('p', { class: 'hint' }, t(id))); }
  private swatch(name: number): HTMLElement {
    const s = h('span', { class: 'swatch' });
    s.style.background = css(this.timeline.colorOf(name));
    return s;
  }
  itemText(item: Item): string { return this.nameText(this.trace.rows[item.row]!, item.name); }
  nameText(row: Row, name: number): string {
    const text = this.trace.text(name);
    return row.kind === RowKind.state ? word('state', text) : visible(text);
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
    if (ownRequest) right.prepend(this.requests.breakdown(ownRequest));
    replace(this.body, h('div', { class: 'cols' }, left, middle.childElementCount > 0 ? middle : null, right.childElementCount > 0 ? right : null));
  }
  private link(item: Item): HTMLElement {
    return h('button', { type: 'button', class: 'link', onclick: () => this.actions.select(item, true) }, this.swatch(item.name), this.itemText(item), h('span', { class: 'dim' }, ` ${dur(item.dur)}`));
  }
  private requestLink(r: Request): HTMLElement {
    return h('button', { type: 'button', class: 'link', onclick: () => this.actions.showRequest(r) }, `${visible(r.name)} #${r.index}`, h('span', { class: 'dim' }, ` ${dur(r.dur)}`));
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
  private async fillOperators(): Promise<void> {
    const { turn } = this;
    const content = await this.operators.content();
    if (turn === this.turn) replace(this.body, content);
  }
  /** Any content in place of the current tab's, unless another tab was opened since `turn`. */
  show(tab: Tab, ...content: (Node | null)[]): void { if (tab === this.current) replace(this.body, ...content); }
  goTo(row: number, ts: number): void {
    if (row < 0) return;
    const item = this.trace.itemStarting(this.trace.rows[row]!, ts);
    if (item) this.actions.select(item, true);
  }

  private fillRange(): void {
    const r = this.range;
    if (!r) return this.hint('viewer.hint.range');
    const head = h('p', { class: 'lead' }, t('viewer.range.lead', { dur: exactNs(r.t1 - r.t0), items: count(r.items) }), r.done ? '' : ` ${t('viewer.working')}`, ' ',
      r.done && r.items > 0 ? h('button', { type: 'button', class: 'small', onclick: () => this.actions.saveItems() }, t('viewer.save.items')) : null);
    const whole = r.whole;
    const facts: [string, number, string][] = whole ? [['total', whole.total, 'total'], ['union', whole.union, 'union'], ['mean', whole.total / whole.n, 'mean'], ['p50', whole.p50, 'percentile'], ['p90', whole.p90, 'percentile'], ['p99', whole.p99, 'percentile'], ['max', whole.max, 'max']] : [];
    replace(this.body, head, h('p', { class: 'chips' }, facts.map(([id, ns, note]) => h('span', { class: 'chip', title: `${t(`viewer.def.${note}`)} ${exactNs(ns)}` }, h('span', { class: 'dim' }, t(`viewer.stat.${id}`)), ` ${dur(ns)}`))),
      this.statsTable(r.stats ?? []));
  }
  private statsTable(stats: NameStats[]): HTMLElement {
    const number = (title: string, get: (s: NameStats) => number, note: string) => ({ title: t(title), number: true, note: t(note), key: get, raw: get, cell: (s: NameStats) => dur(get(s)) });
    return table<NameStats>([
      { title: t('viewer.item.name'), key: (s) => this.trace.text(s.name), cell: (s) => h('span', { class: 'name' }, this.swatch(s.name), visible(this.trace.text(s.name))) },
      { title: t('viewer.item.type'), key: (s) => this.trace.types[s.name]!, cell: (s) => visible(this.trace.types[s.name]!) },
      { title: 'n', number: true, key: (s) => s.n, raw: (s) => s.n, cell: (s) => count(s.n) },
      number('viewer.stat.total', (s) => s.total, 'viewer.def.total'),
      number('viewer.stat.union', (s) => s.union, 'viewer.def.union'),
      number('viewer.stat.mean', (s) => s.total / s.n, 'viewer.def.mean'),
      number('viewer.stat.min', (s) => s.min, 'viewer.def.min'),
      number('viewer.stat.p50', (s) => s.p50, 'viewer.def.percentile'),
      number('viewer.stat.p90', (s) => s.p90, 'viewer.def.percentile'),
      number('viewer.stat.p99', (s) => s.p99, 'viewer.def.percentile'),
      number('viewer.stat.max', (s) => s.max, 'viewer.def.max'),
    ], stats, { caption: t('viewer.tab.range'), file: 'range.csv', onRow: (s) => this.actions.searchFor(this.trace.text(s.name)), limit: 300, more: (n) => t('viewer.more_rows', { n: count(n) }) });
  }

  private fillSearch(): void {
    const s = this.search;
    const tools = this.filterTools();
    if (s.query === '' && !isFiltering(this.filter)) { replace(this.body, tools, h('p', { class: 'hint' }, t('viewer.hint.search'))); return; }
    if (!s.valid) { replace(this.body, tools, h('p', { class: 'hint' }, t('viewer.search.bad'))); return; }
    const lead = h('p', { class: 'lead' }, t(s.query === '' ? 'viewer.search.filtered' : 'viewer.search.lead', { query: visible(s.query), names: count(s.names.length), items: count(s.items) }), s.done ? '' : ` ${t('viewer.working')}`, ' ',
      h('button', { type: 'button', class: 'small', onclick: () => this.actions.searchStep(-1) }, t('viewer.search.previous')), ' ',
      h('button', { type: 'button', class: 'small', onclick: () => this.actions.searchStep(1) }, t('viewer.search.next')));
    const ref = parseRef(s.query);
    const target = ref && this.trace.isComplete ? findRef(this.trace, ref) : null;
    const byRef = target ? h('p', {}, this.link(target), h('span', { class: 'dim' }, ` ${this.rowText(target.row)}`)) : ref ? h('p', { class: 'notice' }, t('viewer.search.no_such', { table: ref.table, id: String(ref.id) })) : null;
    const byId = this.trace.requests.filter((r) => r.id === s.query.trim()).slice(0, 8);
    replace(this.body, tools, byRef, lead, byId.map((r) => h('p', {}, this.requestLink(r))), table([
      { title: t('viewer.item.name'), key: (r) => this.trace.text(r.name), cell: (r) => h('span', { class: 'name' }, this.swatch(r.name), visible(this.trace.text(r.name))) },
      { title: t('viewer.item.type'), key: (r) => this.trace.types[r.name]!, cell: (r) => visible(this.trace.types[r.name]!) },
      { title: 'n', number: true, key: (r) => r.n, raw: (r) => r.n, cell: (r) => count(r.n) },
      { title: t('viewer.stat.total'), number: true, note: t('viewer.def.total'), key: (r) => r.total, raw: (r) => r.total, cell: (r) => dur(r.total) },
    ], s.names, { caption: t('viewer.tab.search'), file: 'search.csv', limit: 300, more: (n) => t('viewer.more_rows', { n: count(n) }) }));
  }
  private filter: Filter = { ...NO_FILTER };
  private filterText = { min: '', max: '', request: '' };
  private filterTools(): HTMLElement {
    const layer = h('select', { 'aria-label': t('viewer.filter.layer') }, [h('option', { value: -1 }, t('viewer.filter.any_layer')), ...LAYERS.map((id, i) => h('option', { value: i, selected: i === this.filter.layer }, word('layer', id)))]);
    const input = (id: 'min' | 'max' | 'request') => h('input', { class: 'filter short', value: this.filterText[id], placeholder: t(`viewer.filter.${id}`), 'aria-label': t(`viewer.filter.${id}`), spellcheck: 'false' });
    const [min, max, request] = [input('min'), input('max'), input('request')];
    const apply = () => {
      this.filterText = { min: min.value, max: max.value, request: request.value };
      this.filter = { layer: Number(layer.value), min: parseDuration(min.value), max: parseDuration(max.value), request: /^\s*\d{1,9}\s*$/.test(request.value) ? Number(request.value) : -1 };
      this.actions.filterBy(this.filter);
    };
    for (const element of [layer, min, max, request]) element.addEventListener('change', apply);
    const clear = h('button', { type: 'button', class: 'small', onclick: () => { layer.value = '-1'; min.value = max.value = request.value = ''; apply(); } }, t('viewer.filter.clear'));
    return h('div', { class: 'row-of-tools', role: 'group', 'aria-label': t('viewer.filter') }, h('span', { class: 'dim' }, t('viewer.filter')), layer, min, max, request, isFiltering(this.filter) ? clear : null);
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
