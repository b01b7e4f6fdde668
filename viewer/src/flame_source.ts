// A flame graph as the writer packs it (html_page.cpp), and the shapes that it can be looked at in.
import { FlameTree, functionsOnly, inverted, operatorTypes, type FlameHead } from './flame';

export interface Source {
  head: FlameHead; tree: FlameTree; pc: Float64Array; pcMapping: Uint32Array; pcLine: Uint32Array; pcSelf: Uint32Array; pcFunction: Int32Array;
  hitNode: Uint32Array; hitPc: Uint32Array; hitSelf: Uint32Array; hitTotal: Uint32Array;
}
export const MODES = ['types', 'stack', 'functions', 'callers'] as const;
export type Mode = (typeof MODES)[number];

export function shaped(tree: FlameTree, mode: Mode): FlameTree {
  return mode === 'types' ? operatorTypes(tree) : mode === 'stack' ? tree : mode === 'functions' ? functionsOnly(tree) : inverted(tree);
}

export function readSource(bytes: Uint8Array, head: FlameHead): Source {
  let at = 0;
  const f64 = (n: number) => { const a = new Float64Array(bytes.buffer, at, n); at += 8 * n; return a; };
  const u32 = (n: number) => { const a = new Uint32Array(bytes.buffer, at, n); at += 4 * n; return a; };
  const weight = f64(head.nodes);
  const pc = f64(head.pcs);
  const parent = u32(head.nodes);
  const name = u32(head.nodes);
  const self = u32(head.nodes);
  const kind = u32(head.nodes);
  const pcMapping = u32(head.pcs);
  const pcLine = u32(head.pcs);
  const pcSelf = u32(head.pcs);
  const pcFunction = new Int32Array(bytes.buffer, at, head.pcs);
  at += 4 * head.pcs;
  return { head, tree: new FlameTree(parent, name, Uint8Array.from(kind), head.off_cpu || head.wall_time ? weight : Float64Array.from(self), weight), pc, pcMapping, pcLine, pcSelf, pcFunction, hitNode: u32(head.hits), hitPc: u32(head.hits), hitSelf: u32(head.hits), hitTotal: u32(head.hits) };
}
