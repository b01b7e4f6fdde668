// What the pointer is on: an item with its arguments, a reading of a counter, the whole title of a line.
import { upperBound } from './codec';
import { h, replace } from './dom';
import { dur, exactNs, visible, value as fmtValue } from './format';
import { t } from './i18n';
import type { Line } from './layout';
import type { Mark } from './measure';
import { isMemory, RowKind, shownUnit, type Item, type Trace } from './model';
import type { Panel } from './panel';
import { PIN_W, pinOf } from './pins';
import { LABEL_W, type Timeline } from './timeline';

export class Tip {
  readonly root = h('div', { class: 'tip hidden', role: 'tooltip' });
  private item: Item | null = null; // that it shows
  constructor(private readonly trace: Trace, private readonly timeline: Timeline, private readonly panel: Panel) {}

  hide(): void { this.root.classList.add('hidden'); }
  /** `candidate`: the edge that a press would measure from. */
  fill(x: number, y: number, item: Item | null, line: Line | null, candidate: Mark | null, measuring: boolean): void {
    this.item = item;
    const content = item ? this.ofItem(item, candidate) : line && x >= LABEL_W ? this.ofCounter(x, line) : line ? this.ofLabel(x, line) : null;
    if (!content) return this.hide();
    replace(this.root, content);
    if (item && !measuring && item.arg > 0 && this.trace.rows[item.row]!.kind === RowKind.slices) void this.addArgs(item);
    this.root.classList.remove('hidden');
    this.root.style.left = `${Math.max(4, Math.min(x + 14, this.timeline.width - this.root.offsetWidth - 8))}px`;
    this.root.style.top = `${y + 20 + this.root.offsetHeight > this.timeline.height ? Math.max(4, y - this.root.offsetHeight - 10) : y + 20}px`;
  }
  private ofItem(item: Item, candidate: Mark | null): (HTMLElement | null)[] {
    const type = this.trace.types[item.name]!;
    const extra = this.trace.rows[item.row]!.kind === RowKind.state && item.arg > 0 ? this.panel.stateText(item, 'tip') : '';
    return [h('strong', {}, this.panel.itemText(item).slice(0, 300)), type === '' ? null : h('div', { class: 'dim' }, visible(type)), h('div', {}, `${dur(item.dur)} · ${exactNs(item.dur)}`),
      h('div', { class: 'dim' }, t('viewer.tip.start', { ts: dur(item.ts), exact: exactNs(item.ts) })), extra === '' ? null : h('div', { class: 'dim' }, extra), h('div', { class: 'dim' }, this.panel.rowText(item.row).slice(0, 200)),
      candidate ? h('div', { class: 'accent' }, t(`viewer.measure.at_${candidate.edge}`)) : null];
  }
  private ofCounter(x: number, line: Line): (HTMLElement | null)[] | null {
    const data = line.type === 'counter' ? this.trace.counter(line.counter) : null;
    const i = data ? upperBound(data.ts, this.timeline.time(x), 0, data.ts.length) - 1 : -1;
    if (line.type !== 'counter' || !data || i < 0) return null;
    const meta = this.trace.meta.counters[line.counter]!;
    return [h('strong', {}, this.timeline.counterTitle(line.counter)), h('div', {}, fmtValue(data.value[i]!, shownUnit(meta))), h('div', { class: 'dim' }, t('viewer.tip.read', { ts: dur(data.ts[i]!) })),
      isMemory(meta) ? h('div', { class: 'dim' }, t('viewer.tip.peak', { value: fmtValue(data.max, shownUnit(meta)), ts: dur(data.ts[data.peak]!) })) : null];
  }
  private ofLabel(x: number, line: Line): (HTMLElement | null)[] {
    const title = line.type === 'group' ? this.timeline.groupTitle(line.group) : line.type === 'counter' ? this.timeline.counterTitle(line.counter) : line.type === 'more' ? this.timeline.moreText(line) : this.panel.rowText(line.row.index);
    return [h('div', {}, title), x < PIN_W && pinOf(this.trace, line) ? h('div', { class: 'accent' }, t('viewer.pin.about')) : null];
  }
  private async addArgs(item: Item): Promise<void> {
    const args = await this.trace.args(item.arg);
    if (this.item !== item || args.length === 0) return;
    this.root.append(...args.slice(0, 6).map(([k, v]) => h('div', { class: 'dim mono' }, `${visible(k)} = ${visible(String(v)).slice(0, 120)}`)));
    if (args.length > 6) this.root.append(h('div', { class: 'dim' }, t('viewer.more_rows', { n: args.length - 6 })));
  }
}
