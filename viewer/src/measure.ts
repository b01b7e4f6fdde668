// The interval between two edges of two items.

export type Edge = 'start' | 'end' | 'free';

export interface Mark {
  ts: number; // of the item; of the instant itself when free
  dur: number;
  row: number; // -1 when free
  name: string;
  where: string; // row label
  edge: Edge;
}
export interface Measure {
  a: Mark;
  b: Mark;
}

export const SNAP_PX = 8;

export function markTs(mark: Mark): number {
  return mark.edge === 'end' ? mark.ts + mark.dur : mark.ts;
}
/** Signed: negative when b lies before a. */
export function interval(m: Measure): number {
  return markTs(m.b) - markTs(m.a);
}
/** The edge within SNAP_PX of the pointer, the nearer one; otherwise `usual`. */
export function chooseEdge(item: { ts: number; dur: number }, t: number, nsPerPixel: number, usual: Edge): Edge {
  const toStart = Math.abs(t - item.ts);
  const toEnd = Math.abs(t - (item.ts + item.dur));
  if (Math.min(toStart, toEnd) > SNAP_PX * nsPerPixel) return usual;
  if (toStart === toEnd) return usual;
  return toStart < toEnd ? 'start' : 'end';
}
export function otherEdge(edge: Edge): Edge {
  return edge === 'start' ? 'end' : edge === 'end' ? 'start' : 'free';
}
