// Notes that a person attaches to an item or to a range ("remark" here: a note is an entry of the loss ledger). They live in the
// address and nowhere else, so they are few and short.
import { findRef, TABLES, type Ref } from './ids';
import type { Item, Trace } from './model';

export interface Remark {
  ref: Ref | null; // null: a range
  item: Item | null;
  t0: number;
  t1: number;
  text: string;
}
export const MOST_REMARKS = 20;
export const MOST_CHARACTERS = 200;
/** Of all remarks in the address, escaped: longer addresses break in mail and chat. */
export const MOST_ADDRESS = 6000;

/** One line without control characters, no longer than a remark may be. */
export function cleanText(text: string): string {
  // eslint-disable-next-line no-control-regex
  return [...text.slice(0, 4 * MOST_CHARACTERS).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()].slice(0, MOST_CHARACTERS).join('').trim();
}
/** "slice.123.why so long?" or "range.1000-2000.the pause". */
export function writeRemark(r: Remark): string {
  return `${r.ref ? `${r.ref.table}.${r.ref.id}` : `range.${r.t0}-${r.t1}`}.${r.text}`;
}
/** null: no remark, one without words, or one of something that this page has not. */
export function readRemark(trace: Trace, raw: string): Remark | null {
  const match = /^([a-z_]{1,20})\.(\d{1,16})(?:-(\d{1,16}))?\.([^]*)$/.exec(raw);
  const text = match ? cleanText(match[4]!) : '';
  if (!match || text === '') return null;
  const [from, to] = [Number(match[2]), Number(match[3])];
  if (match[1] === 'range') return match[3] !== undefined && from < to && to <= trace.duration ? { ref: null, item: null, t0: from, t1: to, text } : null;
  const table = TABLES.find((name) => name === match[1]);
  const item = table && match[3] === undefined && from <= 0xffffffff ? findRef(trace, { table, id: from }) : null;
  return item && table ? { ref: { table, id: from }, item, t0: item.ts, t1: item.ts + item.dur, text } : null;
}
/** The remarks of a link, as many as there may be, and how many of it are not here. */
export function readRemarks(trace: Trace, all: string[]): { remarks: Remark[]; lost: number } {
  const remarks: Remark[] = [];
  for (const raw of all.slice(0, MOST_REMARKS)) {
    const remark = readRemark(trace, raw);
    if (remark && fits([...remarks, remark])) remarks.push(remark);
  }
  return { remarks, lost: all.length - remarks.length };
}
export function fits(remarks: Remark[]): boolean {
  return remarks.length <= MOST_REMARKS && new URLSearchParams(remarks.map((r) => ['note', writeRemark(r)])).toString().length <= MOST_ADDRESS;
}
