// The timeline as a table, for people who do not see it and for copying: per row and per counter what is in view.
import { upperBound } from './codec';
import { h, table } from './dom';
import { count, dur, exactNs, percent, value } from './format';
import { t } from './i18n';
import { shownUnit, type CounterMeta, type Row, type Trace } from './model';
import type { Panel } from './panel';
import type { Pin } from './pins';

export interface RowLine { row: Row; n: number; busy: number; longest: number; name: number }

export function rowsTable(rows: RowLine[], t0: number, t1: number, panel: Panel, pinButton: (row: number) => HTMLElement, onRow: (line: RowLine) => void): HTMLElement {
  const span = Math.max(1, t1 - t0);
  return h('div', {}, h('p', { class: 'lead' }, t('viewer.rows.lead', { rows: count(rows.length), from: exactNs(t0), to: exactNs(t1) })), table<RowLine>([
    { title: t('viewer.item.row'), key: (r) => panel.rowText(r.row.index), cell: (r) => panel.rowText(r.row.index) },
    { title: 'n', number: true, key: (r) => r.n, raw: (r) => r.n, cell: (r) => count(r.n) },
    { title: t('viewer.rows.busy'), number: true, note: t('viewer.def.rows_busy'), key: (r) => r.busy, raw: (r) => r.busy, cell: (r) => `${dur(r.busy)} · ${percent(r.busy / span)}` },
    { title: t('viewer.rows.longest'), cell: (r) => panel.nameText(r.row, r.name) },
    { title: t('viewer.stat.max'), number: true, note: t('viewer.def.max'), key: (r) => r.longest, raw: (r) => r.longest, cell: (r) => dur(r.longest) },
    { title: '', cell: (r) => pinButton(r.row.index) },
  ], rows, { caption: t('viewer.tab.rows'), file: 'rows.csv', limit: 500, onRow, more: (n) => t('viewer.more_rows', { n: count(n) }) }));
}

export interface CounterLine { pin: Pin; meta: CounterMeta; n: number; min: number; max: number; peak: number; last: number } // peak: when max was first read
const MOST_COUNTERS = 500;

/** What counters say from t0 to t1; the reading before t0 still holds there. */
export async function readCounters(trace: Trace, t0: number, t1: number): Promise<CounterLine[]> {
  const out: CounterLine[] = [];
  if (!trace.isComplete) return out;
  for (const [index, meta] of trace.meta.counters.entries()) {
    if (meta.n === 0 || out.length >= MOST_COUNTERS) continue;
    const { ts, value: values } = await trace.loadCounter(index);
    const first = Math.max(0, upperBound(ts, t0, 0, ts.length) - 1);
    const end = upperBound(ts, t1, first, ts.length);
    if (end <= first) continue;
    const line: CounterLine = { pin: { kind: 'counter', index }, meta, n: end - first, min: Infinity, max: -Infinity, peak: 0, last: values[end - 1]! };
    for (let i = first; i < end; i++) {
      if (values[i]! > line.max) { line.max = values[i]!; line.peak = ts[i]!; }
      line.min = Math.min(line.min, values[i]!);
    }
    out.push(line);
  }
  return out;
}
export function countersTable(lines: CounterLine[], name: (pin: Pin) => string, pinButton: (pin: Pin) => HTMLElement): HTMLElement | null {
  if (lines.length === 0) return null;
  const figure = (title: string, get: (c: CounterLine) => number) => ({ title: t(title), number: true, raw: get, cell: (c: CounterLine) => value(get(c), shownUnit(c.meta)) });
  return h('div', {}, h('h3', {}, t('viewer.group.counters')), table<CounterLine>([
    { title: t('viewer.item.name'), key: (c) => name(c.pin), cell: (c) => name(c.pin) },
    { title: t('viewer.counter.unit'), raw: (c) => shownUnit(c.meta), cell: (c) => shownUnit(c.meta) },
    { title: t('viewer.counter.readings'), number: true, key: (c) => c.n, raw: (c) => c.n, cell: (c) => count(c.n) },
    figure('viewer.stat.min', (c) => c.min),
    figure('viewer.counter.peak', (c) => c.max),
    { title: t('viewer.counter.peak_at'), number: true, key: (c) => c.peak, raw: (c) => c.peak, cell: (c) => dur(c.peak) },
    figure('viewer.counter.last', (c) => c.last),
    { title: '', cell: (c) => pinButton(c.pin) },
  ], lines, { caption: t('viewer.group.counters'), file: 'counters.csv' }));
}
