// Two flame graphs of one shape: what grew and what shrank, per finished request where both traces have requests, else as a share.
import { mix, type Rgb, type Theme } from './color';
import { FlameKind, type FlameTree } from './flame';

export interface Side { tree: FlameTree; names: readonly string[]; requests: number }
/** By function, over the whole graph: its own weight before and now, per unit. */
export interface Changed { name: string; kind: number; before: number; now: number }

const GREW: Rgb = [213, 94, 0];
const SHRANK: Rgb = [0, 114, 178];

export class FlameDiff {
  readonly perRequest: boolean;
  private readonly partner: Int32Array; // node -> node of the baseline, -1: it has none
  private readonly unitNow: number;
  private readonly unitBefore: number;
  private most = 0;

  constructor(private readonly now: Side, private readonly before: Side) {
    this.perRequest = now.requests > 0 && before.requests > 0;
    this.unitNow = Math.max(1, this.perRequest ? now.requests : now.tree.totalWeight[0]!);
    this.unitBefore = Math.max(1, this.perRequest ? before.requests : before.tree.totalWeight[0]!);
    this.partner = partners(now, before);
    for (let i = 1; i < now.tree.size; i++) this.most = Math.max(this.most, Math.abs(this.delta(i)));
  }
  weightNow(node: number): number { return this.now.tree.totalWeight[node]! / this.unitNow; }
  weightBefore(node: number): number { const p = this.partner[node]!; return p < 0 ? 0 : this.before.tree.totalWeight[p]! / this.unitBefore; }
  delta(node: number): number { return this.weightNow(node) - this.weightBefore(node); }

  /** Grey: unchanged; orange: grew; blue: shrank; the stronger, the nearer to the largest change of the graph. */
  color(node: number, theme: Theme): Rgb {
    const neutral: Rgb = theme.dark ? [168, 174, 182] : [222, 226, 231];
    if (node === 0 || this.most === 0) return neutral;
    const strength = Math.sqrt(Math.min(1, Math.abs(this.delta(node)) / this.most)); // small changes stay visible
    return mix(neutral, mix(this.delta(node) > 0 ? GREW : SHRANK, [255, 255, 255], 0.35), strength);
  }
  /** Functions by how much their own weight changed, the largest change first; those that came and went too. */
  changed(): Changed[] {
    const all = new Map<string, Changed>();
    const add = (side: Side, unit: number, key: 'before' | 'now') => {
      for (let i = 1; i < side.tree.size; i++) {
        const weight = side.tree.weight[i]!;
        if (weight === 0) continue;
        const name = side.names[side.tree.name[i]!]!;
        const kind = side.tree.kind[i]!;
        let row = all.get(`${kind} ${name}`);
        if (!row) all.set(`${kind} ${name}`, (row = { name, kind, before: 0, now: 0 }));
        row[key] += weight / unit;
      }
    };
    add(this.before, this.unitBefore, 'before');
    add(this.now, this.unitNow, 'now');
    return [...all.values()].sort((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before) || (a.name < b.name ? -1 : 1));
  }
}

/** Nodes with the same names from the root on are partners. */
function partners(now: Side, before: Side): Int32Array {
  const children = new Map<string, number>();
  const key = (parent: number, side: Side, node: number) => `${parent} ${side.tree.kind[node]} ${side.names[side.tree.name[node]!]}`;
  for (let i = 1; i < before.tree.size; i++) children.set(key(before.tree.parent[i]!, before, i), i);
  const out = new Int32Array(now.tree.size).fill(-1);
  out[0] = 0;
  for (let i = 1; i < now.tree.size; i++) {
    const above = out[now.tree.parent[i]!]!;
    if (above >= 0) out[i] = children.get(key(above, now, i)) ?? -1;
  }
  return out;
}
export const isContext = (kind: number): boolean => kind === FlameKind.context || kind === FlameKind.root;
