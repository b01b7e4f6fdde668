// Flame trees: totals, positions, and the derived trees (functions only, callers). Iterative: depth never becomes recursion.

export const enum FlameKind { root, context, request, stage, op_type, op, function, kernel_function, thread }

export interface FlameHead {
  event: string; names: string[]; nodes: number; hits: number; pcs: number;
  own_thread: number; joined: number; ambiguous: number; no_op: number; outside: number;
  off_cpu: boolean; wall_time: boolean; left_out: number; // off_cpu, wall_time: widths are the weights, in ns
}
/** A tree in parent-before-child order. */
export class FlameTree {
  readonly total: Float64Array;
  readonly totalWeight: Float64Array;
  readonly x: Float64Array; // left edge, in the unit of self (samples, or ns off the CPU)
  readonly depth: Uint16Array;
  readonly byDepth: Uint32Array[] = []; // nodes of a depth by x
  image: Uint32Array | null = null; // of a merged tree: source node -> node
  constructor(readonly parent: Uint32Array, readonly name: Uint32Array, readonly kind: Uint8Array, readonly self: Float64Array, readonly weight: Float64Array) {
    const n = parent.length;
    this.total = Float64Array.from(self);
    this.totalWeight = Float64Array.from(weight);
    this.x = new Float64Array(n);
    this.depth = new Uint16Array(n);
    for (let i = n - 1; i > 0; i--) {
      this.total[parent[i]!]! += this.total[i]!;
      this.totalWeight[parent[i]!]! += this.totalWeight[i]!;
    }
    for (let i = 1; i < n; i++) this.depth[i] = Math.min(65535, this.depth[parent[i]!]! + 1);
    this.place();
  }
  get size(): number { return this.parent.length; }

  /** Children stand side by side, largest first, under their parent. */
  private place(): void {
    const n = this.size;
    const levels: number[][] = [];
    for (let i = 0; i < n; i++) (levels[this.depth[i]!] ??= []).push(i);
    const used = new Float64Array(n);
    levels.forEach((level, d) => {
      if (d > 0) level.sort((a, b) => this.x[this.parent[a]!]! - this.x[this.parent[b]!]! || this.parent[a]! - this.parent[b]! || this.total[b]! - this.total[a]! || a - b);
      for (const i of level) {
        if (i > 0) {
          const p = this.parent[i]!;
          this.x[i] = this.x[p]! + used[p]!;
          used[p]! += this.total[i]!;
        }
      }
      this.byDepth.push(Uint32Array.from(level));
    });
  }
  /** Root first. */
  path(node: number): number[] {
    const out = [node];
    while (node > 0) out.unshift((node = this.parent[node]!));
    return out;
  }
}

class Maker {
  parent: number[] = [0];
  name: number[];
  kind: number[] = [FlameKind.root];
  self: number[] = [0];
  weight: number[] = [0];
  private readonly index = new Map<string, number>();
  constructor(rootName: number) { this.name = [rootName]; }
  child(parent: number, name: number, kind: number): number {
    const key = `${parent},${name},${kind}`;
    let id = this.index.get(key);
    if (id === undefined) {
      id = this.parent.length;
      this.index.set(key, id);
      this.parent.push(parent);
      this.name.push(name);
      this.kind.push(kind);
      this.self.push(0);
      this.weight.push(0);
    }
    return id;
  }
  done(): FlameTree {
    return new FlameTree(Uint32Array.from(this.parent), Uint32Array.from(this.name), Uint8Array.from(this.kind), Float64Array.from(this.self), Float64Array.from(this.weight));
  }
}
const isFunction = (kind: number): boolean => kind === FlameKind.function || kind === FlameKind.kernel_function;

/** The tree without the nodes that `keep` refuses; what then stands side by side under one name is merged. */
function merged(tree: FlameTree, keep: (kind: number) => boolean): FlameTree {
  const maker = new Maker(tree.name[0]!);
  const image = new Uint32Array(tree.size);
  for (let i = 1; i < tree.size; i++) {
    const above = image[tree.parent[i]!]!;
    image[i] = keep(tree.kind[i]!) ? maker.child(above, tree.name[i]!, tree.kind[i]!) : above;
    maker.self[image[i]!]! += tree.self[i]!;
    maker.weight[image[i]!]! += tree.weight[i]!;
  }
  const out = maker.done();
  out.image = image;
  return out;
}
/** The same functions merged over all requests, stages and operators. */
export const functionsOnly = (tree: FlameTree): FlameTree => merged(tree, isFunction);
/** Operators of one type merged. */
export const operatorTypes = (tree: FlameTree): FlameTree => merged(tree, (kind) => kind !== FlameKind.op);
/** Upside down: what was executing first, its callers below it. */
export function inverted(tree: FlameTree, maxDepth = 64): FlameTree {
  const maker = new Maker(tree.name[0]!);
  for (let i = 1; i < tree.size; i++) {
    if (tree.self[i] === 0) continue;
    let at = 0;
    let node = i;
    for (let d = 0; node > 0 && d < maxDepth; d++, node = tree.parent[node]!) at = maker.child(at, tree.name[node]!, tree.kind[node]!);
    maker.self[at]! += tree.self[i]!;
    maker.weight[at]! += tree.weight[i]!;
  }
  return maker.done();
}

/** First node of the level that ends after x. */
export function firstAt(tree: FlameTree, level: Uint32Array, x: number): number {
  let lo = 0;
  let hi = level.length;
  while (lo < hi) {
    const mid = (lo + hi) >>> 1;
    if (tree.x[level[mid]!]! + tree.total[level[mid]!]! <= x) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

/** How many nodes from level[k] on are siblings narrower than `limit` and touch each other. */
export function runOfNarrow(tree: FlameTree, level: Uint32Array, k: number, limit: number): number {
  let n = 0;
  for (; k + n < level.length; n++) {
    const i = level[k + n]!;
    if (tree.total[i]! >= limit || tree.parent[i] !== tree.parent[level[k]!]) break;
  }
  return n;
}
