// Requests in the drawer: the percentile picker, latency over time, the table, and where the time of one went.
import { CLASS_COLORS } from './color';
import { h, table } from './dom';
import { count, dur, exactNs, percent, visible } from './format';
import { t, word } from './i18n';
import { cellOf, latencyMap, type LatencyMap } from './latency_map';
import { cellText, LatencyView } from './latency_view';
import type { Request, Stage, Trace } from './model';
import { percentile } from './stats';

const isFinished = (r: Request): boolean => r.status !== 'unfinished';

/** Latencies of the finished requests, ascending. */
export const finishedLatencies = (requests: Request[]): number[] => requests.filter(isFinished).map((r) => r.dur).sort((a, b) => a - b);
/** The finished request whose latency is nearest to the percentile; of equals the first. The percentile itself lies between two. */
export function requestAt(requests: Request[], p: number): Request | null {
  const latencies = finishedLatencies(requests);
  if (latencies.length === 0) return null;
  const value = percentile(latencies, p);
  const sorted = requests.filter(isFinished).sort((a, b) => a.dur - b.dur || a.index - b.index);
  return sorted.reduce((best, r) => (Math.abs(r.dur - value) < Math.abs(best.dur - value) ? r : best));
}
const PICKS: [string, number][] = [['p50', 50], ['p90', 90], ['p95', 95], ['p99', 99], ['slowest', 100]];

export class RequestsTab {
  latency: LatencyView | null = null; // of the content that was made last
  private map: LatencyMap | null | undefined; // made when it is first shown
  private cell = -1; // of the map: only its requests are in the table
  constructor(private readonly trace: Trace, private readonly show: (r: Request) => void, private readonly goTo: (row: number, ts: number) => void, private readonly changed: () => void) {}

  content(): HTMLElement {
    const { requests, meta } = this.trace;
    if (requests.length === 0) return h('p', { class: 'hint' }, t('viewer.hint.no_requests'));
    // Of an unfinished request only the beginning is known: it comes last and in no percentile.
    const sorted = [...requests].sort((a, b) => Number(isFinished(b)) - Number(isFinished(a)) || b.dur - a.dur);
    const p99 = meta.requests.p99 ?? Infinity;
    const p50 = meta.requests.p50 ?? 0;
    const worst = requests.reduce((most, r) => Math.max(most, r.dur), 1);
    const picks = new Map(PICKS.map(([id, p]) => [id, requestAt(requests, p)]));
    const lead = h('p', { class: 'lead' }, picks.get('p50') ? t('viewer.requests.lead', { n: count(meta.requests.n - meta.requests.unfinished), p50: dur(p50), p99: dur(p99), max: dur(meta.requests.max!) }) : '',
      meta.requests.unfinished > 0 ? ` ${t('viewer.requests.unfinished', { n: count(meta.requests.unfinished) })}` : '');
    if (this.map === undefined) this.map = latencyMap(requests, this.trace.duration);
    const { map, cell } = this;
    const chosen = map && cell >= 0 ? sorted.filter((r) => cellOf(map, r) === cell) : sorted;
    const list = table<Request>([
      { title: '#', number: true, note: t('viewer.def.request_number'), key: (r) => r.index, raw: (r) => r.index, cell: (r) => count(r.index) },
      { title: t('viewer.item.name'), key: (r) => r.name, cell: (r) => visible(r.name) },
      { title: t('viewer.requests.latency'), number: true, note: t('viewer.def.latency'), key: (r) => r.dur, raw: (r) => r.dur, cell: (r) => dur(r.dur) },
      { title: '', cell: (r) => this.latencyBar(r.dur, worst, p50, p99) },
      { title: t('viewer.requests.band'), cell: (r) => (isFinished(r) && r.dur >= p99 ? h('span', { class: 'mark-p99' }, '≥ p99') : r === picks.get('p50') ? h('span', { class: 'mark-p50' }, '≈ p50') : '') },
      { title: t('viewer.item.start'), number: true, key: (r) => r.ts, raw: (r) => this.trace.zero + BigInt(r.ts), cell: (r) => dur(r.ts) },
      { title: t('viewer.requests.main_class'), note: t('viewer.def.accounting'), cell: (r) => this.mainClass(r) },
      { title: t('viewer.requests.status'), key: (r) => r.status, cell: (r) => visible(r.status) },
      { title: t('viewer.requests.id'), number: true, key: (r) => Number(r.id), raw: (r) => r.id, cell: (r) => h('span', { class: 'mono dim' }, r.id) },
    ], chosen, { caption: t('viewer.tab.requests'), file: 'requests.csv', onRow: this.show, limit: 500, more: (n) => t('viewer.more_rows', { n: count(n) }) });
    this.latency = map ? new LatencyView(map, cell, (picked) => this.pick(picked)) : null;
    const filter = map && cell >= 0 ? h('p', { class: 'lead' }, cellText(map, cell), ' ', h('button', { type: 'button', class: 'small', onclick: () => this.pick(-1) }, t('viewer.latency.all'))) : null;
    return h('div', { class: 'beside' }, this.latency?.root ?? null, h('div', { class: 'beside-rest' }, lead, this.picker(picks), filter, list));
  }
  /** Leaves the requests of one cell in the table; -1: all. */
  private pick(cell: number): void {
    this.cell = cell;
    this.changed();
    this.latency?.focus();
  }
  private picker(picks: Map<string, Request | null>): HTMLElement | null {
    if (!picks.get('p50')) return null;
    const latencies = finishedLatencies(this.trace.requests);
    return h('div', { class: 'picker', role: 'group', 'aria-label': t('viewer.requests.go') }, h('span', { class: 'dim' }, t('viewer.requests.go')),
      [...picks].map(([id, r]) => h('div', { class: 'pick' },
        h('button', { type: 'button', class: 'small', title: t('viewer.requests.nearest', { n: count(r!.index), dur: exactNs(r!.dur) }), onclick: () => this.show(r!) },
          t('viewer.requests.pick', { which: id === 'slowest' ? t('viewer.requests.max') : id, dur: dur(percentile(latencies, PICKS.find(([x]) => x === id)![1])) })), this.stacked(r!))));
  }
  private classes(r: Request): [string, number][] { return [...(this.trace.accounting.get(r.index) ?? [])].sort((a, b) => b[1] - a[1]); }
  private mainClass(r: Request): string {
    return this.classes(r).slice(0, 2).map(([cls, ns]) => `${word('class', cls)} ${percent(ns / Math.max(1, r.dur), 0)}`).join(', ');
  }
  /** One bar for the whole latency: every instant belongs to one class. */
  private stacked(r: Request): HTMLElement {
    const bar = h('span', { class: 'stacked', role: 'img', 'aria-label': this.classes(r).map(([cls, ns]) => `${word('class', cls)} ${percent(ns / Math.max(1, r.dur))}`).join(', ') });
    for (const [cls, ns] of this.classes(r)) {
      const part = h('span', { title: `${word('class', cls)} · ${dur(ns)} · ${percent(ns / Math.max(1, r.dur))}` });
      part.style.width = `${(100 * ns) / Math.max(1, r.dur)}%`;
      part.style.background = CLASS_COLORS[cls] ?? '#9aa4ae';
      bar.append(part);
    }
    return bar;
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
  /** Where a request's time went: exclusive classes (they sum to its latency), and its stages. */
  breakdown(r: Request): HTMLElement {
    const box = h('div', { class: 'breakdown' });
    const classes = this.classes(r);
    if (classes.length > 0 && r.dur > 0) {
      box.append(h('h3', { title: t('viewer.def.accounting') }, t('viewer.item.accounting')), this.stacked(r));
      for (const [cls, ns] of classes) {
        const bar = h('span', { class: 'bar' });
        bar.style.width = `${Math.max(0.5, (100 * ns) / r.dur)}%`;
        bar.style.background = CLASS_COLORS[cls] ?? '#9aa4ae';
        box.append(h('div', { class: 'share' }, h('span', { class: 'share-name' }, word('class', cls)), h('span', { class: 'share-bar' }, bar), h('span', { class: 'num' }, dur(ns)), h('span', { class: 'num' }, percent(ns / r.dur))));
      }
    }
    const stages = this.trace.stages.filter((s) => s.request === r.index);
    if (stages.length > 0)
      box.append(h('h3', {}, t('viewer.item.stages')), table<Stage>([
        { title: t('viewer.item.name'), cell: (s) => (s.wait === '' ? visible(s.name) : `${visible(s.name)} (${word('class', s.wait)})`) },
        { title: t('viewer.item.after'), number: true, cell: (s) => dur(s.ts - r.ts) },
        { title: t('viewer.item.duration'), number: true, cell: (s) => dur(s.dur) },
        { title: t('viewer.item.thread'), cell: (s) => visible(s.thread) },
      ], stages, { caption: t('viewer.item.stages'), onRow: (s) => this.goTo(s.row, s.ts) }));
    return box;
  }
}
