// Which lines the timeline has: folding, lanes behind "more", what the first screen holds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HEIGHT, Layout, type Line } from '../src/layout';
import { Row, RowKind, type Trace } from '../src/model';

/** A trace of `lanes` request lanes and `threads` threads with spans, two cores and a counter. */
function made(lanes: number, threads: number): Trace {
  const groups = [{ kind: 'requests', name: '', parent: -1 }, { kind: 'process', name: 'svc [1]', parent: -1 }];
  const rows: Row[] = [];
  const row = (kind: RowKind, group: number, depth = 0) => rows.push(new Row(rows.length, kind, group, group, depth, 1, ''));
  for (let i = 0; i < lanes; i++) row(RowKind.slices, 0);
  for (let i = 0; i < threads; i++) {
    groups.push({ kind: 'thread', name: `worker-${i}`, parent: 1 });
    row(RowKind.state, groups.length - 1);
    row(RowKind.slices, groups.length - 1);
    row(RowKind.slices, groups.length - 1, 1);
  }
  groups.push({ kind: 'cpus', name: '', parent: -1 });
  row(RowKind.cpu, groups.length - 1);
  row(RowKind.cpu, groups.length - 1);
  groups.push({ kind: 'counters', name: '', parent: -1 });
  return { rows, meta: { groups, counters: [{ name: 'rss', unit: 'bytes', cpu: -1, group: groups.length - 1, n: 5 }] } } as unknown as Trace;
}
const rowsIn = (layout: Layout, group: number): number => layout.lines.filter((l) => l.type === 'row' && l.row.group === group).length;
const more = (layout: Layout): Extract<Line, { type: 'more' }>[] => layout.lines.filter((l) => l.type === 'more');

test('a small trace is shown whole and nothing says "more"', () => {
  const layout = new Layout(made(2, 2));
  assert.equal(more(layout).length, 0);
  assert.equal(rowsIn(layout, 0), 2);
  assert.equal(layout.height, 26 + 2 * 19 + 26 + 2 * (22 + 2 * 19) + 26 + 2 * 19 + 26 + 38);
});

test('sixty request lanes are eight and a line with the number of the others', () => {
  const layout = new Layout(made(60, 1));
  assert.equal(rowsIn(layout, 0), 8);
  assert.deepEqual(more(layout).map((l) => [l.kind, l.hidden, l.summary.length]), [['lanes', 52, 52]]);
});

test('one lane more than shown is shown: the line that hides it would take its place', () => {
  const layout = new Layout(made(9, 1));
  assert.equal(rowsIn(layout, 0), 9);
  assert.equal(more(layout).length, 0);
});

test('unrolling shows all lanes and offers the way back', () => {
  const layout = new Layout(made(60, 1));
  layout.unroll(0);
  assert.equal(rowsIn(layout, 0), 60);
  assert.deepEqual(more(layout).map((l) => l.hidden), [0]);
  layout.unroll(0);
  assert.equal(rowsIn(layout, 0), 8);
});

test('a small room folds threads and lanes until the cores are on the screen', () => {
  const layout = new Layout(made(60, 16));
  const end = (): number => layout.lines.find((l) => l.type === 'group' && made(60, 16).meta.groups[l.group]!.kind === 'counters')!.y;
  assert.ok(end() > 400);
  layout.fit(400);
  assert.ok(end() <= 400, `${end()}`);
  assert.deepEqual(more(layout).map((l) => l.kind), ['lanes', 'threads']);
});

test('revealing a row opens its group and unrolls what hides it', () => {
  const layout = new Layout(made(60, 16));
  assert.equal(layout.lineOfRow(59), null);
  layout.reveal(59);
  assert.ok(layout.lineOfRow(59));
  const lastThread = 60 + 15 * 3 + 2;
  assert.equal(layout.lineOfRow(lastThread), null);
  layout.reveal(lastThread);
  assert.ok(layout.lineOfRow(lastThread));
});

test('folding a group hides its rows and keeps its heading', () => {
  const layout = new Layout(made(3, 1));
  layout.toggle(0);
  assert.equal(rowsIn(layout, 0), 0);
  const heading = layout.lines[0]!;
  assert.ok(heading.type === 'group' && !heading.open && heading.summary.length === 3);
  layout.toggle(0);
  assert.equal(rowsIn(layout, 0), 3);
});

test('a position finds its line and nothing beyond the end', () => {
  const layout = new Layout(made(2, 1));
  assert.equal(layout.lineAt(0), layout.lines[0]);
  assert.equal(layout.lineAt(HEIGHT.group), layout.lines[1]);
  assert.equal(layout.lineAt(HEIGHT.group - 0.5), layout.lines[0]);
  assert.equal(layout.lineAt(layout.height), null);
  assert.equal(layout.firstVisible(HEIGHT.group + HEIGHT.row), 2);
});

test('pinned tracks have lines of their own and leave the others where they are', () => {
  const layout = new Layout(made(3, 2));
  const before = layout.lines.map((l) => l.y);
  const threads = layout.lines.flatMap((l) => (l.type === 'group' && l.states ? [l.group] : []));
  layout.pins = [{ kind: 'row', index: 1 }, { kind: 'thread', index: threads[0]! }];
  layout.build();
  assert.deepEqual(layout.lines.map((l) => l.y), before);
  assert.deepEqual(layout.pinned.map((l) => l.type), ['row', 'group', ...layout.pinned.slice(2).map(() => 'row')]);
  assert.equal(layout.pinned[1]!.y, HEIGHT.row);
  assert.equal(layout.pinnedHeight, layout.pinned.reduce((sum, l) => sum + l.h, 0));
  assert.equal(layout.lineAt(HEIGHT.row, layout.pinned), layout.pinned[1]);
  assert.ok(layout.pinned.every((l) => l.isPinned) && layout.lines.every((l) => !l.isPinned));
  layout.toggle(threads[0]!); // folded, a thread is its heading alone
  assert.equal(layout.pinned.length, 2);
});
