// Latency over time, and memory: the picture against SQL.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawer, facts, frame, open, plain, truth } from './harness.mjs';

const cells = (page) => page.evaluate(() => {
  const { latency } = performanceMap.timelineView.panel.requests;
  const box = latency.root.querySelector('canvas').getBoundingClientRect();
  const { counts, perOctave, low, columns } = latency.map;
  return { perOctave, low, columns, full: [...counts].flatMap((n, cell) => (n > 0 ? [{ cell, n, x: box.left + latency.place(cell)[0], y: box.top + latency.place(cell)[1] }] : [])) };
});
const idsInTable = (page) => page.$$eval('.drawer-body tbody tr td:first-child', (all) => all.map((e) => Number(e.textContent)).sort((a, b) => a - b));
const openRequests = async () => {
  const opened = await open(facts.service, { height: 1080 });
  await opened.page.keyboard.press('r');
  return opened;
};

test('each cell of latency over time holds the requests of SQL that arrived and took as it says', async () => {
  const { page, seen, close } = await openRequests();
  const { zero, duration } = await page.evaluate(() => ({ zero: String(performanceMap.trace.zero), duration: performanceMap.trace.duration }));
  const finished = truth.all_requests.filter((r) => r.status !== 'unfinished').map((r) => ({ ...r, at: Number(BigInt(r.ts) - BigInt(zero)) }));
  const { full, perOctave, low, columns } = await cells(page);
  assert.equal(full.reduce((sum, c) => sum + c.n, 0), finished.length);
  for (const { cell, n } of full) {
    const [row, column] = [Math.floor(cell / columns), cell % columns];
    const mine = finished.filter((r) => Math.min(columns - 1, Math.floor((r.at * columns) / duration)) === column && r.dur >= 2 ** ((low + row) / perOctave) && r.dur < 2 ** ((low + row + 1) / perOctave));
    assert.equal(mine.length, n, `cell ${cell}`);
    const at = (await cells(page)).full.find((c) => c.cell === cell);
    await page.mouse.click(at.x, at.y);
    assert.deepEqual(await idsInTable(page), mine.map((r) => r.id), `cell ${cell}`);
    assert.match(plain(await drawer(page)), new RegExp(`${n} request${n === 1 ? '' : 's'} that arrived from`));
  }
  await page.locator('button', { hasText: 'All requests' }).click();
  assert.equal((await idsInTable(page)).length, truth.all_requests.length);
  assert.deepEqual(seen.errors, []);
  await close();
});

test('arrow keys, Enter and Escape do the same without a mouse, in Chinese too', async () => {
  const { page, close } = await openRequests();
  const { full } = await cells(page);
  await page.locator('.latency-map canvas').focus();
  await page.keyboard.press('ArrowRight'); // the first cell with requests
  await page.keyboard.press('Enter');
  assert.equal((await idsInTable(page)).length, full[0].n);
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'CANVAS'); // the cursor stays in the picture
  await page.keyboard.press('Escape');
  assert.equal((await idsInTable(page)).length, truth.all_requests.length);
  await page.keyboard.press('l');
  const first = (await cells(page)).full[0];
  await page.mouse.move(first.x, first.y);
  assert.match(plain(await page.locator('.latency-says').innerText()), new RegExp(`的 ${full[0].n} 个请求`));
  await close();
});

test('memory is an area with its value under the pointer and its peak marked', async () => {
  const { page, close } = await open(facts.service);
  const at = await page.evaluate((peak) => {
    const tv = performanceMap.timelineView;
    const counter = performanceMap.trace.meta.counters.findIndex((c) => c.name === 'rss');
    tv.keep.togglePin({ kind: 'counter', index: counter });
    const box = tv.timeline.canvas.getBoundingClientRect();
    const ts = Number(BigInt(peak.ts) - performanceMap.trace.zero);
    return { x: box.left + tv.timeline.x(ts), y: box.top + tv.timeline.yOf(tv.layout.pinned[0]) + 4 };
  }, truth.rss_peak);
  await page.waitForFunction(() => performanceMap.trace.counter(performanceMap.trace.meta.counters.findIndex((c) => c.name === 'rss')) !== null);
  await frame(page);
  const color = await page.evaluate(({ x, y }) => { const c = performanceMap.timelineView.timeline.canvas; const b = c.getBoundingClientRect(); return [...c.getContext('2d').getImageData(Math.round(x - b.left), Math.round(y - b.top), 1, 1).data]; }, at);
  assert.deepEqual(color, [180, 71, 10, 255]);
  await page.mouse.move(at.x + 1, at.y);
  await frame(page);
  const mib = `${(truth.rss_peak.value / 2 ** 20).toPrecision(3)} MiB`;
  const tip = await page.locator('.timeline .tip').innerText();
  assert.ok(tip.includes(`rss\n${mib}`), tip); // what was read there
  assert.ok(tip.includes(`peak ${mib} at`), tip);
  await close();
});
