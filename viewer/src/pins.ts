// Tracks that a person pinned: they stay at the top while the rest scrolls. A link names them by their place on the page.
import type { Line } from './layout';
import { RowKind, type Trace } from './model';

export type Pin = { kind: 'row' | 'counter' | 'thread'; index: number };
export const MOST_PINS = 8;

const LETTERS = { row: 'r', counter: 'c', thread: 't' } as const;
const KINDS: Record<string, Pin['kind']> = { r: 'row', c: 'counter', t: 'thread' };

export const samePin = (a: Pin, b: Pin): boolean => a.kind === b.kind && a.index === b.index;

/** What pinning a line pins; null: headings of layers stay where they are. */
export function pinOf(trace: Trace, line: Line): Pin | null {
  if (line.type === 'row') return { kind: 'row', index: line.row.index };
  if (line.type === 'counter') return { kind: 'counter', index: line.counter };
  return line.type === 'group' && trace.meta.groups[line.group]!.kind === 'thread' ? { kind: 'thread', index: line.group } : null;
}
/** The pin of an item's row: thread states are drawn on the heading of their thread. */
export function pinOfRow(trace: Trace, row: number): Pin {
  const { kind, group } = trace.rows[row]!;
  return kind === RowKind.state ? { kind: 'thread', index: group } : { kind: 'row', index: row };
}
/** "r12.c3.t5". */
export function writePins(pins: Pin[]): string { return pins.map((p) => `${LETTERS[p.kind]}${p.index}`).join('.'); }
/** The pins of a link that this page has, each once. */
export function readPins(trace: Trace, text: string): Pin[] {
  const pins: Pin[] = [];
  for (const word of text.slice(0, 200).split('.')) {
    const match = /^([rct])(\d{1,9})$/.exec(word);
    if (!match || pins.length >= MOST_PINS) continue;
    const pin: Pin = { kind: KINDS[match[1]!]!, index: Number(match[2]) };
    if (isHere(trace, pin) && !pins.some((p) => samePin(p, pin))) pins.push(pin);
  }
  return pins;
}
function isHere(trace: Trace, { kind, index }: Pin): boolean {
  if (kind === 'row') return index < trace.rows.length && trace.rows[index]!.kind !== RowKind.state;
  if (kind === 'counter') return (trace.meta.counters[index]?.n ?? 0) > 0;
  return trace.meta.groups[index]?.kind === 'thread';
}

export const PIN_W = 18; // a press left of it pins
/** A pin at the left edge of a line's label. */
export function drawPin(ctx: CanvasRenderingContext2D, y: number, color: string): void {
  ctx.fillStyle = ctx.strokeStyle = color;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.arc(9, y - 2.5, 3.2, 0, 7);
  ctx.fill();
  ctx.beginPath();
  ctx.moveTo(9, y);
  ctx.lineTo(9, y + 6);
  ctx.stroke();
}
