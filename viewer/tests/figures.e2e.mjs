// Figures of the page against SQL on the same trace: ranges, percentiles, operators, files that are saved.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { drawer, facts, frame, near, open, plain, truth } from './harness.mjs';

const tab = (page, name) => page.locator('.tabs button', { hasText: name }).click();
/** Fields of a CSV, by its own rules (RFC 4180): not the code that wrote it. */
function readCsv(text) {
  const rows = [];
  let field = '';
  let row = [];
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted && c === '"' && text[i + 1] === '"') { field += '"'; i++; } else if (c === '"') quoted = !quoted;
    else if (!quoted && (c === ',' || c === '\n')) { row.push(field); field = ''; if (c === '\n') { rows.push(row); row = []; } } else field += c;
  }
  assert.equal(quoted, false);
  return rows;
}
async function saved(page, press) {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}
async function savedTable(page, press) {
  const { name, bytes } = await saved(page, press);
  const text = bytes.toString('utf8');
  assert.equal(text.charCodeAt(0), 0xfeff);
  const [head, ...rows] = readCsv(text.slice(1));
  return { name, rows: rows.map((row) => Object.fromEntries(head.map((h, i) => [h, row[i]]))) };
}
const saveButton = (page) => page.locator('.drawer-body .save').click();

test('the figures of a range are those of SQL: number, sum, union and percentiles, in all and by name', async () => {
  const { page, close } = await open(facts.service, { hash: `#slice=${truth.range.slice}` });
  await page.keyboard.press('m');
  await page.waitForFunction(() => performanceMap.timelineView.panel.range?.done);
  const whole = await page.evaluate(() => performanceMap.timelineView.panel.range.whole);
  const { n, total, union, p50, p90, p99, max } = truth.range;
  assert.deepEqual([whole.n, whole.total, whole.union, whole.max], [n, total, union, max]);
  for (const [have, want] of [[whole.p50, p50], [whole.p90, p90], [whole.p99, p99]]) near(have, want, 0.01);
  const chips = plain(await page.locator('.chips').innerText());
  assert.match(chips, /Total.*Union.*Mean.*p50.*p90.*p99.*Max/s);
  const { name, rows } = await savedTable(page, () => saveButton(page));
  assert.equal(name, 'range.csv');
  const byName = new Map();
  for (const r of rows) byName.set(r.Name, [Number(r.n) + (byName.get(r.Name)?.[0] ?? 0), Number(r.Total) + (byName.get(r.Name)?.[1] ?? 0)]);
  assert.deepEqual(Object.fromEntries(byName), truth.range.names);
  await close();
});

test('all items of a range as CSV are the rows of SQL, each once', async () => {
  const { page, close } = await open(facts.service, { hash: `#slice=${truth.range.slice}` });
  await page.keyboard.press('m');
  await page.waitForFunction(() => performanceMap.timelineView.panel.range?.done);
  const { rows } = await savedTable(page, () => page.locator('button', { hasText: 'All items as CSV' }).click());
  const key = (r) => `${r.table} ${r.id} ${r.ts} ${r.dur} ${r.name}`;
  assert.deepEqual(rows.map(key).sort(), truth.range.items.map(key).sort());
  await close();
});

test('the picker goes to the request at each percentile and its bar is the exclusive accounting', async () => {
  const { page, close } = await open(facts.service);
  assert.equal(await page.locator('.pick').count(), truth.picks.length);
  for (const [i, pick] of truth.picks.entries()) {
    await tab(page, 'Requests');
    await page.locator('.pick button').nth(i).click();
    await page.waitForFunction((id) => performanceMap.timelineView.state.selected?.id === id, pick.slice_id);
    await page.waitForSelector('.breakdown .stacked');
    const text = plain(await drawer(page));
    assert.ok(text.includes(`${pick.dur} ns`), text);
    // Widths are shares of the latency: they add up to the whole.
    const widths = await page.$$eval('.breakdown .stacked > span', (all) => all.map((e) => parseFloat(e.style.width)));
    assert.equal(widths.length, Object.keys(pick.classes).length);
    near(widths.reduce((a, b) => a + b, 0), 100, 0.01);
    const want = Object.values(pick.classes).sort((a, b) => b - a).map((ns) => (100 * ns) / pick.dur);
    widths.forEach((w, k) => near(w, want[k], 0.001));
  }
  await close();
});

test('the table of operators has the figures of SQL in every grouping, filters and sorts', async () => {
  const { page, close } = await open(facts.service);
  await tab(page, 'Operators');
  await page.waitForSelector('.row-of-tools');
  for (const [button, truths] of [['by type', truth.ops.type], ['by name', truth.ops.name], ['by input shapes', truth.ops.shape]]) {
    await page.locator('.segs button', { hasText: button }).click();
    await page.waitForFunction((b) => [...document.querySelectorAll('.row-of-tools [aria-pressed=true]')].some((e) => e.textContent === b), button);
    const { rows } = await savedTable(page, () => saveButton(page));
    const have = rows.map((r) => ({ type: r.Type, value: r.Name ?? r['Input shapes'] ?? '', n: Number(r.n), total: Number(r.Total), self: Number(r['Without children']), min: Number(r.Min), max: Number(r.Max) }));
    const order = (a, b) => (a.type + a.value < b.type + b.value ? -1 : 1);
    assert.deepEqual(have.sort(order), truths.map(({ p50, p99, ...r }) => r).sort(order), button);
    for (const r of rows) {
      const want = truths.find((x) => x.type === r.Type && x.value === (r.Name ?? r['Input shapes'] ?? ''));
      near(Number(r.p50), want.p50, 0.01);
      near(Number(r.p99), want.p99, 0.01);
    }
    near(rows.reduce((sum, r) => sum + Number(r.Share), 0), 1, 1e-9);
  }
  await page.locator('.segs button', { hasText: 'by type' }).click();
  await page.locator('.filter').fill('trans');
  const names = () => page.$$eval('.drawer-body tbody tr', (all) => all.map((tr) => tr.children[0].textContent));
  assert.deepEqual(await names(), ['Transpose']);
  await page.locator('.filter').fill('');
  await page.locator('th button', { hasText: 'mean' }).click();
  const means = [...truth.ops.type].sort((a, b) => b.total / b.n - a.total / a.n).map((r) => r.type);
  assert.deepEqual(await names(), means);
  await page.locator('th button', { hasText: 'mean' }).click();
  assert.deepEqual(await names(), means.reverse());
  await page.locator('.segs button', { hasText: 'Kernels' }).click();
  await page.waitForFunction(() => document.querySelector('.drawer-body').innerText.includes('From launch'));
  const { rows } = await savedTable(page, () => saveButton(page));
  assert.deepEqual(Object.fromEntries(rows.map((r) => [r.Type, [Number(r.n), Number(r.Total)]])), truth.ops.kernel);
  for (const r of rows) if (truth.ops.launch[r.Type] !== undefined) near(Number(r['From launch']), truth.ops.launch[r.Type], 0.01);
  await close();
});

test('the timeline as a table says of each row what SQL says', async () => {
  const { page, close } = await open(facts.service);
  await tab(page, 'As a table');
  await page.waitForSelector('.drawer-body .save');
  const save = page.locator('.drawer-body .save');
  const { rows } = await savedTable(page, () => save.first().click());
  const all = rows.reduce((sum, r) => sum + Number(r.n), 0);
  assert.equal(all, await page.evaluate(() => performanceMap.trace.meta.counts.items));
  const copies = rows.find((r) => r.Row.endsWith('copy stream'));
  assert.deepEqual([Number(copies.n), Number(copies.Busy), copies['Longest item']], [truth.copies.n, truth.copies.busy, 'memcpy H2D']);
  const counters = await savedTable(page, () => save.nth(1).click());
  const rss = counters.rows.find((r) => r.Name === 'rss');
  assert.deepEqual([rss.Unit, Number(rss.Peak), Number(rss['Peak at'])], ['bytes', truth.rss_peak.value, await page.evaluate((ts) => Number(BigInt(ts) - performanceMap.trace.zero), truth.rss_peak.ts)]);
  await page.locator('.drawer-body tbody tr', { hasText: 'copy stream' }).click();
  assert.equal(await page.evaluate(() => performanceMap.trace.text(performanceMap.timelineView.state.selected.name)), 'memcpy H2D');
  await close();
});

test('the picture of each view is saved as it is on the screen', async () => {
  const { page, close } = await open(facts.service);
  for (const [key, file] of [['1', 'timeline.png'], ['2', 'flamegraph.png'], ['3', 'heatmap.png']]) {
    await page.keyboard.press(key);
    await frame(page);
    const { name, bytes } = await saved(page, () => page.locator('header button[title="Save the picture as PNG"]').click());
    assert.equal(name, file);
    assert.deepEqual([...bytes.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const size = await page.evaluate((v) => { const c = document.querySelector(v); return [c.width, c.height]; }, { 1: '.stage canvas', 2: '.flame-stage canvas', 3: '.heat-stage canvas' }[key]);
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], size);
  }
  await close();
});

test('on paper the whole table is there and nothing to press', async () => {
  const { page, close } = await open(facts.service);
  await page.emulateMedia({ media: 'print' });
  const boxes = await page.evaluate(() => { const d = document.querySelector('.drawer-body'); return [d.scrollHeight - d.clientHeight, getComputedStyle(d).overflowY, getComputedStyle(document.querySelector('header input')).display]; });
  assert.deepEqual(boxes, [0, 'visible', 'none']);
  assert.equal(await page.locator('.drawer-body tbody tr:visible').count(), truth.requests);
  await close();
});

test('a saved table cannot start a formula in a spreadsheet', async () => {
  const { page, close } = await open(facts.hostile);
  const { rows } = await savedTable(page, () => saveButton(page));
  assert.ok(rows.length > 0);
  for (const r of rows) assert.equal(r.Name, "'=cmd()|'/C calc'!A0<b>");
  await close();
});

test('filters by layer, duration and request leave what SQL leaves, and next and previous stay among it', async () => {
  const { page, close } = await open(facts.service);
  await tab(page, 'Search');
  const shown = async () => { await page.waitForFunction(() => performanceMap.timelineView.panel.search.done); return page.evaluate(() => performanceMap.timelineView.panel.search.items); };
  const set = async (label, value) => { const e = page.locator(`.row-of-tools [aria-label="${label}"]`); if (label === 'Layer') await e.selectOption({ label: value }); else { await e.fill(value); await e.press('Enter'); await e.blur().catch(() => {}); } };
  const clear = async () => { await page.locator('.row-of-tools button').click(); };
  for (const { fields, query, n } of truth.filters) {
    await page.locator('header input').fill(query);
    await page.waitForFunction((q) => performanceMap.timelineView.panel.search.query === q, query);
    await tab(page, 'Search');
    for (const [label, value] of Object.entries(fields)) await set(label, value);
    assert.equal(await shown(), n, JSON.stringify({ fields, query }));
    await clear();
  }
  await page.locator('header input').fill('');
  await page.waitForFunction(() => performanceMap.timelineView.panel.search.query === '');
  await tab(page, 'Search');
  await set('request number', '7');
  const n = await shown();
  const starts = [];
  for (let i = 0; i < 5; i++) { await page.locator('button', { hasText: 'Next' }).click(); starts.push(await page.evaluate(() => performanceMap.timelineView.state.selected.ts)); }
  assert.deepEqual([...starts].sort((a, b) => a - b), starts);
  const [from, to] = await page.evaluate(() => { const r = performanceMap.trace.requests[7]; return [r.ts, r.ts + r.dur]; });
  for (const ts of starts) assert.ok(ts >= from && ts <= to);
  await page.locator('button', { hasText: 'Previous' }).click();
  assert.equal(await page.evaluate(() => performanceMap.timelineView.state.selected.ts), starts[3]);
  assert.ok(n > 5);
  await close();
});

test('a comparison of two flame graphs has the figures of SQL on both traces', async () => {
  const { page, close } = await open(facts.compared, { hash: '#view=flamegraph' });
  await page.waitForSelector('.side .save');
  const { rows } = await savedTable(page, () => page.locator('.side .save').first().click());
  const { now, before } = truth.flame;
  const names = new Set([...Object.keys(now.functions), ...Object.keys(before.functions)]);
  assert.deepEqual(new Set(rows.map((r) => r.Name)), names);
  for (const r of rows) {
    near(Number(r['This trace']), (now.functions[r.Name] ?? 0) / now.requests, 0.001);
    near(Number(r.Baseline), (before.functions[r.Name] ?? 0) / before.requests, 0.001);
    near(Number(r['Δ']), Number(r['This trace']) - Number(r.Baseline), 0.001);
  }
  const all = (side) => Object.values(side.functions).reduce((a, b) => a + b, 0) / side.requests;
  assert.deepEqual(await page.evaluate(() => { const d = performanceMap.flameView.diff; return [d.perRequest, d.weightNow(0), d.weightBefore(0)]; }), [true, all(now), all(before)]);
  await page.locator('.toolbar button', { hasText: 'against' }).click();
  await page.waitForFunction(() => performanceMap.flameView.diff === null);
  assert.match(await page.locator('.legend').innerText(), /function/);
  await close();
});
