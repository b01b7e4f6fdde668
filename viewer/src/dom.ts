// Elements without a framework. Text only ever becomes text: nothing here takes HTML.
import { t } from './i18n';
import { saveCsv } from './save';

type Child = Node | string | number | null | undefined | false;
type Props = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: (Child | Child[])[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(key.slice(2), value as EventListener);
    else if (key === 'class') element.className = String(value);
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  append(element, children);
  return element;
}
export function append(to: Element, children: (Child | Child[])[]): void {
  for (const child of children.flat()) if (child !== null && child !== undefined && child !== false) to.append(typeof child === 'number' ? String(child) : child);
}
export function replace(element: Element, ...children: (Child | Child[])[]): void {
  element.replaceChildren();
  append(element, children);
}

export interface Column<T> {
  title: string;
  note?: string; // definition, shown on the heading
  number?: boolean;
  cell: (row: T) => Child;
  key?: (row: T) => number | string; // sortable by it
  raw?: (row: T) => string | number | bigint | null; // in the CSV, where the cell's own text is not it
}
/** A sortable table; `onRow` makes rows pressable by mouse and keyboard. At most `limit` rows become elements. */
export function table<T>(columns: Column<T>[], rows: T[], options: { onRow?: (row: T) => void; limit?: number; caption: string; file?: string; more?: (hidden: number) => string }): HTMLElement {
  const limit = options.limit ?? 500;
  const body = h('tbody');
  let sorted = rows;
  const fill = () => {
    body.replaceChildren();
    for (const row of sorted.slice(0, limit)) {
      const line = h('tr', {}, columns.map((c) => h('td', { class: c.number ? 'num' : '' }, c.cell(row))));
      if (options.onRow) {
        line.tabIndex = 0;
        line.className = 'press';
        const go = () => options.onRow!(row);
        line.addEventListener('click', (e) => { if (!(e.target instanceof HTMLButtonElement || e.target instanceof HTMLSelectElement)) go(); });
        line.addEventListener('keydown', (e) => { if (e.key === 'Enter' && e.target === line) go(); });
      }
      body.append(line);
    }
    if (sorted.length > limit) body.append(h('tr', {}, h('td', { colspan: columns.length, class: 'dim' }, options.more?.(sorted.length - limit) ?? '…')));
  };
  let by = -1;
  let direction = 1;
  const heads = columns.map((c, i) => {
    const head = h('th', { class: c.number ? 'num' : '', title: c.note, scope: 'col' });
    if (!c.key) { head.textContent = c.title; return head; }
    const button = h('button', { class: 'sort', type: 'button' }, c.title);
    button.addEventListener('click', () => {
      direction = by === i ? -direction : c.number ? -1 : 1;
      by = i;
      sorted = [...rows].sort((a, b) => {
        const x = c.key!(a);
        const y = c.key!(b);
        return (x < y ? -1 : x > y ? 1 : 0) * direction;
      });
      heads.forEach((other, k) => other.setAttribute('aria-sort', k === i ? (direction > 0 ? 'ascending' : 'descending') : 'none'));
      fill();
    });
    head.append(button);
    return head;
  });
  fill();
  const element = h('table', {}, h('caption', { class: 'hidden' }, options.caption), h('thead', {}, h('tr', {}, heads)), body);
  if (!options.file) return element;
  const shown = columns.filter((c) => c.title !== '');
  const cell = (c: Column<T>, row: T) => { if (c.raw) return c.raw(row); const child = c.cell(row); return child instanceof Node ? child.textContent ?? '' : String(child ?? ''); };
  const save = h('button', { type: 'button', class: 'small save', title: t('viewer.save.csv'), onclick: () => saveCsv(options.file!, shown.map((c) => c.title), sorted.map((row) => shown.map((c) => cell(c, row)))) }, 'CSV');
  return h('div', { class: 'with-save' }, save, element);
}
