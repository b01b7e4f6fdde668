// What a person keeps of a trace and hands on with the link: pinned tracks, and notes on items and ranges.
import { h, replace, table } from './dom';
import { dur, visible } from './format';
import { t } from './i18n';
import { refOf } from './ids';
import type { Layout } from './layout';
import type { Item, Trace } from './model';
import { MOST_PINS, readPins, samePin, writePins, type Pin } from './pins';
import { cleanText, fits, MOST_CHARACTERS, readRemarks, writeRemark, type Remark } from './remarks';

export interface KeepActions {
  selected(): Item | null;
  range(): [number, number] | null;
  itemText(item: Item): string;
  pinText(pin: Pin): string;
  goTo(remark: Remark): void;
  changed(): void; // pins or remarks: the picture, the drawer and the address follow
  say(text: string): void;
}

export class KeepTab {
  remarks: Remark[] = [];
  private lost = 0; // notes of the link whose item is not on this page
  private problem = '';
  private draft = '';
  private readonly input = h('input', { class: 'filter remark', maxlength: MOST_CHARACTERS, spellcheck: 'false', autocomplete: 'off' });

  constructor(private readonly trace: Trace, private readonly layout: Layout, private readonly actions: KeepActions) {
    this.input.addEventListener('input', () => { this.draft = this.input.value; });
    this.input.addEventListener('keydown', (e) => {
      if (e.isComposing) return;
      if (e.key === 'Enter') this.add();
      if (e.key === 'Escape') this.input.blur();
    });
  }
  get size(): number { return this.layout.pins.length + this.remarks.length; }

  // --- the address ---------------------------------------------------------------------------------------------------
  write(state: URLSearchParams): void {
    if (this.layout.pins.length > 0) state.set('pins', writePins(this.layout.pins));
    for (const remark of this.remarks) state.append('note', writeRemark(remark));
  }
  /** Takes over what a link names; one that names nothing changes nothing. */
  read(state: URLSearchParams): void {
    if (!state.has('pins') && !state.has('note')) return;
    this.layout.pins = readPins(this.trace, state.get('pins') ?? '');
    ({ remarks: this.remarks, lost: this.lost } = readRemarks(this.trace, state.getAll('note')));
    this.layout.build();
    this.actions.changed();
  }

  // --- pins ----------------------------------------------------------------------------------------------------------
  isPinned(pin: Pin): boolean { return this.layout.pins.some((p) => samePin(p, pin)); }
  togglePin(pin: Pin): void {
    const { layout } = this;
    this.problem = '';
    if (this.isPinned(pin)) layout.pins = layout.pins.filter((p) => !samePin(p, pin));
    else if (layout.pins.length < MOST_PINS) layout.pins = [...layout.pins, pin];
    else this.problem = t('viewer.pin.full', { n: MOST_PINS });
    layout.build();
    this.actions.say(this.problem || t(this.isPinned(pin) ? 'viewer.pin.added' : 'viewer.pin.removed', { what: this.actions.pinText(pin) }));
    this.actions.changed();
  }
  pinButton(pin: Pin): HTMLElement {
    const button = h('button', { type: 'button', class: 'small', onclick: () => { this.togglePin(pin); fill(); } });
    const fill = () => { button.textContent = t(this.isPinned(pin) ? 'viewer.pin.remove' : 'viewer.pin.add'); };
    fill();
    return button;
  }

  // --- remarks -------------------------------------------------------------------------------------------------------
  /** The field for a note, with the cursor in it. */
  focus(): void { if (this.target()) this.input.focus(); }
  private target(): Omit<Remark, 'text'> | null {
    const range = this.actions.range();
    if (range) {
      const [t0, t1] = [Math.max(0, Math.round(range[0])), Math.min(this.trace.duration, Math.round(range[1]))];
      return t0 < t1 ? { ref: null, item: null, t0, t1 } : null;
    }
    const item = this.actions.selected();
    return item ? { ref: refOf(this.trace, item), item, t0: item.ts, t1: item.ts + item.dur } : null;
  }
  private where(r: Omit<Remark, 'text'>): string {
    return r.item ? `${this.actions.itemText(r.item)} · ${r.ref!.table} ${r.ref!.id}` : t('viewer.remark.range', { from: dur(r.t0), dur: dur(r.t1 - r.t0) });
  }
  private add(): void {
    const target = this.target();
    const text = cleanText(this.draft);
    if (!target || text === '') return;
    const all = [...this.remarks, { ...target, text }];
    this.problem = fits(all) ? '' : t('viewer.remark.full');
    if (this.problem === '') { this.remarks = all; this.draft = ''; this.input.blur(); }
    this.actions.say(this.problem || t('viewer.remark.added', { what: this.where(target) }));
    this.actions.changed();
  }
  private edit(r: Remark, field: HTMLInputElement): void {
    const text = cleanText(field.value);
    const all = this.remarks.map((other) => (other === r ? { ...r, text } : other)).filter((other) => other.text !== '');
    this.problem = fits(all) ? '' : t('viewer.remark.full');
    if (this.problem === '') this.remarks = all;
    this.actions.changed();
  }

  // --- the drawer ----------------------------------------------------------------------------------------------------
  content(): HTMLElement {
    const target = this.target();
    this.input.value = this.draft;
    this.input.placeholder = t('viewer.remark.placeholder');
    this.input.setAttribute('aria-label', t('viewer.remark.placeholder'));
    const form = target
      ? h('div', { class: 'row-of-tools' }, h('span', {}, t('viewer.remark.on', { what: this.where(target).slice(0, 200) })), this.input, h('button', { type: 'button', class: 'small', onclick: () => this.add() }, t('viewer.remark.add')))
      : h('p', { class: 'hint' }, t('viewer.hint.notes'));
    return h('div', {}, this.problem === '' ? null : h('p', { class: 'notice', role: 'alert' }, this.problem),
      this.lost > 0 ? h('p', { class: 'notice' }, t('viewer.remark.lost', { n: this.lost })) : null, form, this.remarkTable(), this.pinTools());
  }
  private remarkTable(): HTMLElement | null {
    if (this.remarks.length === 0) return null;
    const field = (r: Remark) => {
      const input = h('input', { class: 'filter remark', value: r.text, maxlength: MOST_CHARACTERS, 'aria-label': t('viewer.remark.text'), spellcheck: 'false' });
      input.addEventListener('change', () => this.edit(r, input));
      return input;
    };
    return table<Remark>([
      { title: '#', number: true, raw: (r) => this.remarks.indexOf(r) + 1, cell: (r) => this.remarks.indexOf(r) + 1 },
      { title: t('viewer.remark.text'), raw: (r) => r.text, cell: field },
      { title: t('viewer.remark.where'), cell: (r) => this.where(r) },
      { title: t('viewer.item.start'), number: true, raw: (r) => this.trace.zero + BigInt(r.t0), cell: (r) => dur(r.t0) },
      { title: t('viewer.item.duration'), number: true, raw: (r) => r.t1 - r.t0, cell: (r) => dur(r.t1 - r.t0) },
      { title: '', cell: (r) => h('button', { type: 'button', class: 'small', onclick: () => this.actions.goTo(r) }, t('viewer.measure.show')) },
      { title: '', cell: (r) => h('button', { type: 'button', class: 'small', onclick: () => { this.remarks = this.remarks.filter((other) => other !== r); this.problem = ''; this.actions.changed(); } }, t('viewer.measure.remove')) },
    ], this.remarks, { caption: t('viewer.tab.notes'), file: 'notes.csv' });
  }
  private pinTools(): HTMLElement {
    const counters = this.trace.meta.counters.map((meta, index) => ({ meta, pin: { kind: 'counter', index } as Pin })).filter(({ meta, pin }) => meta.n > 0 && !this.isPinned(pin)).slice(0, 1000);
    const select = h('select', { 'aria-label': t('viewer.pin.counter') }, h('option', { value: '' }, t('viewer.pin.counter')), counters.map(({ pin }) => h('option', { value: pin.index }, this.actions.pinText(pin))));
    select.addEventListener('change', () => { if (select.value !== '') this.togglePin({ kind: 'counter', index: Number(select.value) }); });
    const box = h('div', { class: 'row-of-tools pins', role: 'group', 'aria-label': t('viewer.pin.title') });
    replace(box, h('span', { class: 'dim' }, this.layout.pins.length === 0 ? t('viewer.pin.none') : t('viewer.pin.title')),
      this.layout.pins.map((pin) => h('span', { class: 'pinned' }, visible(this.actions.pinText(pin)), ' ', this.pinButton(pin))), counters.length > 0 ? select : null);
    return box;
  }
}
