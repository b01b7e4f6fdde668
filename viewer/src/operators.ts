// Operators and kernels in groups: by type, name, shape, element type, format. The figures are made by the writer (page_operators.hpp).
import { readJsonSection } from './data';
import { h, replace, table } from './dom';
import { count, dur, percent, visible } from './format';
import { t } from './i18n';
import { compile } from './search';

type Group = [type: string, value: string, n: number, total: number, self: number | null, min: number, p50: number, p99: number, max: number, launch: number | null];
type Source = Record<string, { rows: Group[]; cut: number }>;
type Sources = Record<'op' | 'kernel', Source | null>;
const SOURCES = ['op', 'kernel'] as const;
const GROUPINGS = ['type', 'name', 'shape', 'dtype', 'format'];

export class OperatorsTab {
  private data: Sources | null = null;
  private source: 'op' | 'kernel' = 'op';
  private grouping = 'type';
  private query = '';
  constructor(private readonly changed: () => void, private readonly searchFor: (query: string) => void) {}

  async content(): Promise<HTMLElement> {
    this.data ??= await readJsonSection<Sources>('operators');
    const known = SOURCES.filter((s) => this.data?.[s]);
    if (known.length === 0) return h('p', { class: 'hint' }, t('viewer.ops.none'));
    if (!known.includes(this.source)) this.source = known[0]!;
    const source = this.data![this.source]!;
    const groupings = GROUPINGS.filter((g) => source[g]);
    if (!groupings.includes(this.grouping)) this.grouping = groupings[0]!;
    const choose = (pressed: boolean, text: string, go: () => void) => h('button', { type: 'button', class: 'seg', 'aria-pressed': String(pressed), onclick: () => { go(); this.changed(); } }, text);
    const filter = h('input', { type: 'search', class: 'filter', value: this.query, placeholder: t('viewer.ops.filter'), 'aria-label': t('viewer.ops.filter'), spellcheck: 'false' });
    const place = h('div', {});
    const fill = () => { this.query = filter.value; replace(place, this.table(source[this.grouping]!)); };
    filter.addEventListener('input', fill);
    fill();
    return h('div', {}, h('div', { class: 'row-of-tools' },
      known.length > 1 ? h('span', { class: 'segs', role: 'group' }, known.map((s) => choose(s === this.source, t(`viewer.ops.${s}`), () => { this.source = s; }))) : null,
      h('span', { class: 'segs', role: 'group', 'aria-label': t('viewer.ops.group') }, groupings.map((g) => choose(g === this.grouping, t(`viewer.ops.by.${g}`), () => { this.grouping = g; }))), filter), place);
  }
  private table({ rows, cut }: { rows: Group[]; cut: number }): HTMLElement {
    const test = compile(this.query);
    const shown = test ? rows.filter((r) => test(r[0]) || test(r[1])) : rows;
    // A share is of all there is, whatever the filter leaves.
    const all = rows.reduce((sum, r) => sum + (r[4] ?? r[3]), 0);
    const time = (title: string, at: 3 | 4 | 5 | 6 | 7 | 8 | 9, note: string) => ({ title: t(title), number: true, note: t(note), key: (r: Group) => r[at] ?? -1, raw: (r: Group) => r[at], cell: (r: Group) => (r[at] === null ? '–' : dur(r[at]!)) });
    const hasSelf = rows.some((r) => r[4] !== null);
    const hasLaunch = rows.some((r) => r[9] !== null);
    const share = (r: Group) => (r[4] ?? r[3]) / Math.max(1, all);
    return h('div', {}, table<Group>([
      { title: t('viewer.item.type'), key: (r) => r[0], raw: (r) => r[0], cell: (r) => visible(r[0]) || '–' },
      ...(this.grouping === 'type' ? [] : [{ title: t(`viewer.ops.value.${this.grouping}`), key: (r: Group) => r[1], raw: (r: Group) => r[1], cell: (r: Group) => h('span', { class: 'name' }, visible(r[1]) || '–') }]),
      { title: 'n', number: true, key: (r) => r[2], raw: (r) => r[2], cell: (r) => count(r[2]) },
      { title: t('viewer.ops.share'), number: true, note: t(hasSelf ? 'viewer.def.ops_share' : 'viewer.def.kernels_share'), key: share, raw: share, cell: (r) => percent(share(r)) },
      ...(hasSelf ? [time('viewer.item.self', 4, 'viewer.def.op_self')] : []),
      time('viewer.stat.total', 3, 'viewer.def.total'),
      { title: t('viewer.stat.mean'), number: true, note: t('viewer.def.mean'), key: (r) => r[3] / r[2], raw: (r) => r[3] / r[2], cell: (r) => dur(r[3] / r[2]) },
      time('viewer.stat.min', 5, 'viewer.def.min'), time('viewer.stat.p50', 6, 'viewer.def.percentile'), time('viewer.stat.p99', 7, 'viewer.def.percentile'), time('viewer.stat.max', 8, 'viewer.def.max'),
      ...(hasLaunch ? [time('viewer.ops.launch', 9, 'viewer.def.launch')] : []),
    ], shown, { caption: t('viewer.tab.operators'), file: `${this.source === 'op' ? 'operators' : 'kernels'}_by_${this.grouping}.csv`, limit: 500, onRow: (r) => this.searchFor(r[this.grouping === 'name' ? 1 : 0]), more: (n) => t('viewer.more_rows', { n: count(n) }) }),
      cut > 0 ? h('p', { class: 'dim' }, t('viewer.more_rows', { n: count(cut) })) : null);
  }
}
