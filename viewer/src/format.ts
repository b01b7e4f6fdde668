// Quantities as text for a person. Times are ns.

const groups = (text: string): string => text.replace(/\B(?=(\d{3})+(?!\d))/g, '\u2009');

/** Three or four significant digits in the unit that fits: "1.234 ms". */
export function dur(ns: number): string {
  if (!Number.isFinite(ns)) return '–';
  const a = Math.abs(ns);
  const [scale, unit] = a >= 1e9 ? [1e9, 's'] : a >= 1e6 ? [1e6, 'ms'] : a >= 1e3 ? [1e3, 'µs'] : [1, 'ns'];
  const v = ns / scale;
  const digits = unit === 'ns' ? (Number.isInteger(ns) ? 0 : 1) : Math.abs(v) >= 100 ? 1 : Math.abs(v) >= 10 ? 2 : 3;
  return `${v.toFixed(digits)} ${unit}`;
}
/** Every digit: "1 234 567 ns". */
export function exactNs(ns: number): string {
  return `${ns < 0 ? '−' : ''}${groups(Math.abs(Math.round(ns)).toFixed(0))} ns`;
}
export function count(n: number): string {
  return groups(Math.round(n).toFixed(0));
}
/** What is there but rounds to nothing is told as that: "0.0 %" would say that it is not there. */
export function percent(share: number, digits = 1): string {
  const least = 10 ** -digits;
  if (share > 0 && share * 100 < least / 2) return `< ${least.toFixed(digits)} %`;
  return `${(share * 100).toFixed(digits)} %`;
}
export function bytes(n: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let i = 0;
  let v = n;
  while (Math.abs(v) >= 1024 && i < units.length - 1) {
    v /= 1024;
    i++;
  }
  return `${i === 0 ? v.toFixed(0) : v.toPrecision(3)} ${units[i]}`;
}
export function number(v: number): string {
  if (Number.isInteger(v) && Math.abs(v) < 1e15) return v < 0 ? `−${count(-v)}` : count(v);
  const a = Math.abs(v);
  return a >= 1e-3 && a < 1e6 ? String(Number(v.toPrecision(4))) : v.toExponential(2);
}
export function value(v: number, unit: string): string {
  switch (unit) {
    case 'ns':
      return dur(v);
    case 'bytes':
      return bytes(v);
    case 'bytes/s':
      return `${bytes(v)}/s`;
    case 'percent':
      return `${number(Number(v.toFixed(2)))} %`;
    case 'count':
    case '':
      return number(v);
    default:
      return `${number(v)} ${unit}`;
  }
}
/** A time axis: the step (1, 2, 5 x 10^n ns) that gives at most `most` marks over `span`. */
export function axisStep(span: number, most: number): number {
  const raw = span / Math.max(1, most);
  const base = 10 ** Math.floor(Math.log10(raw));
  for (const m of [1, 2, 5, 10]) if (base * m >= raw) return Math.max(1, base * m);
  return base * 10;
}
/** A mark of a time axis with as many digits as its step needs. */
export function axisLabel(t: number, step: number, span: number): string {
  const [scale, unit] = span >= 2e9 ? [1e9, 's'] : span >= 2e6 ? [1e6, 'ms'] : span >= 2e3 ? [1e3, 'µs'] : [1, 'ns'];
  const digits = Math.max(0, Math.min(9, -Math.floor(Math.log10(step / scale) + 1e-9)));
  return `${groupInteger((t / scale).toFixed(digits))} ${unit}`;
}
function groupInteger(text: string): string {
  const [whole, rest] = text.split('.');
  return rest === undefined ? groups(whole!) : `${groups(whole!)}.${rest}`;
}
/** Middle ellipsis keeps the distinguishing tail of long C++ names. */
export function middle(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < 4) return '';
  const head = Math.ceil((max - 1) * 0.6);
  return `${text.slice(0, head)}…${text.slice(text.length - (max - 1 - head))}`;
}
/** Control characters made visible, so that a name cannot forge lines or hide. */
export function visible(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (c) =>
    c === '\n' ? '⏎' : c === '\t' ? '⇥' : `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
