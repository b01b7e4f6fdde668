// The timeline as a table, for people who do not see it and for copying: per row what is in view.
import { h, table } from './dom';
import { count, dur, exactNs, percent } from './format';
import { t } from './i18n';
import type { Row } from './model';
import type { Panel } from './panel';

export interface RowLine { row: Row; n: number; busy: number; longest: number; name: number }

export function rowsTable(rows: RowLine[], t0: number, t1: number, panel: Panel, onRow: (line: RowLine) => void): HTMLElement {
  const span = Math.max(1, t1 - t0);
  return h('div', {}, h('p', { class: 'lead' }, t('viewer.rows.lead', { rows: count(rows.length), from: exactNs(t0), to: exactNs(t1) })), table<RowLine>([
    { title: t('viewer.item.row'), key: (r) => panel.rowText(r.row.index), cell: (r) => panel.rowText(r.row.index) },
    { title: 'n', number: true, key: (r) => r.n, raw: (r) => r.n, cell: (r) => count(r.n) },
    { title: t('viewer.rows.busy'), number: true, note: t('viewer.def.rows_busy'), key: (r) => r.busy, raw: (r) => r.busy, cell: (r) => `${dur(r.busy)} · ${percent(r.busy / span)}` },
    { title: t('viewer.rows.longest'), cell: (r) => panel.nameText(r.row, r.name) },
    { title: t('viewer.stat.max'), number: true, note: t('viewer.def.max'), key: (r) => r.longest, raw: (r) => r.longest, cell: (r) => dur(r.longest) },
  ], rows, { caption: t('viewer.tab.rows'), file: 'rows.csv', limit: 500, onRow, more: (n) => t('viewer.more_rows', { n: count(n) }) }));
}
