// Rows of SQL's tables on the page: what "slice 123" or "request 5" means, and the way to it.
import { RowKind, type Item, type Trace } from './model';

/** Tables whose rows are items of the timeline; op.id is not one of them: an op has a slice_id. */
export const TABLES = ['slice', 'kernel', 'sched', 'thread_state', 'request', 'stage'] as const;
export type Table = (typeof TABLES)[number];
export interface Ref { table: Table; id: number }

const WORDS: Record<string, Table> = { slice: 'slice', span: 'slice', slice_id: 'slice', kernel: 'kernel', kernel_id: 'kernel', sched: 'sched', thread_state: 'thread_state', request: 'request', stage: 'stage', 区间: 'slice', 内核: 'kernel', 请求: 'request', 阶段: 'stage' };
const KINDS: Partial<Record<Table, RowKind>> = { slice: RowKind.slices, kernel: RowKind.kernels, sched: RowKind.cpu, thread_state: RowKind.state };

/** "slice 123", "request #5", "kernel=7"; null: an ordinary search. */
export function parseRef(query: string): Ref | null {
  const match = /^\s*([\p{L}_]+)\s*[ #:=]\s*#?(\d{1,10})\s*$/u.exec(query);
  const table = match && Object.hasOwn(WORDS, match[1]!.toLowerCase()) ? WORDS[match[1]!.toLowerCase()] : undefined;
  return table && match ? { table, id: Number(match[2]) } : null;
}
export function refOf(trace: Trace, item: Item): Ref {
  return { table: (['slice', 'kernel', 'sched', 'thread_state'] as const)[trace.rows[item.row]!.kind], id: item.id };
}
/** The item behind it; null when the trace has none of that id, or not on the page. */
export function findRef(trace: Trace, ref: Ref): Item | null {
  const kind = KINDS[ref.table];
  if (kind !== undefined) return trace.itemOfId(kind, ref.id);
  const at = ref.table === 'request' ? trace.requests[ref.id] : trace.stages[ref.id];
  if (!at || at.row < 0) return null;
  return 'slice' in at ? trace.itemOfId(RowKind.slices, at.slice, at.row) : trace.itemStarting(trace.rows[at.row]!, at.ts);
}
