// Pins and notes: made by mouse and keyboard, kept in the address alone, shown again from the link.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawer, facts, find, frame, open, truth } from './harness.mjs';

const blur = (page) => page.evaluate(() => document.activeElement.blur());
const saved = async (page) => { await page.waitForTimeout(450); return page.evaluate(() => location.hash); }; // the address follows a while after the last change
const kept = (page) => page.evaluate(() => {
  const { keep, layout } = performanceMap.timelineView;
  return { pins: layout.pins.map((p) => `${p.kind} ${p.index}`), notes: keep.remarks.map((r) => [r.ref?.table ?? 'range', r.ref?.id ?? null, r.t0, r.t1, r.text]) };
});
const green = (page) => page.evaluate(() => { const c = performanceMap.timelineView.overlay.canvas; const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0; for (let i = 0; i < d.length; i += 4) if (d[i] === 29 && d[i + 1] === 107 && d[i + 2] === 26 && d[i + 3] === 255) n++; return n; });

test('pins and notes made by keyboard are in the link and nowhere else, and the link shows them again in the other language', async () => {
  const { page, seen, close } = await open(facts.service);
  assert.equal(await green(page), 0);
  await page.evaluate((id) => performanceMap.timelineView.goTo({ table: 'slice', id }), truth.range.slice);
  await page.keyboard.press('p');
  await page.keyboard.press('n');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Your note');
  await page.keyboard.type('what is 100 % & "slow"? 床前');
  await page.keyboard.press('Enter');
  await page.keyboard.press('0'); // out of the field: keys are keys again
  await page.evaluate(() => performanceMap.timelineView.setRange(2e9, 3e9));
  await page.keyboard.press('n');
  await page.keyboard.type('the pause');
  await page.keyboard.press('Enter');
  const slice = await page.evaluate(() => { const s = performanceMap.timelineView.state.selected; return { row: s.row, ts: s.ts, end: s.ts + s.dur }; });
  const expected = { pins: [`row ${slice.row}`], notes: [['slice', truth.range.slice, slice.ts, slice.end, 'what is 100 % & "slow"? 床前'], ['range', null, 2e9, 3e9, 'the pause']] };
  assert.deepEqual(await kept(page), expected);
  const hash = await saved(page);
  assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length + document.cookie.length), 0);
  assert.equal(seen.requests.length, 1);
  await close();

  const again = await open(facts.service, { hash: hash.replace('lang=en', 'lang=zh') });
  assert.deepEqual(await kept(again.page), expected);
  assert.ok((await green(again.page)) > 300);
  await again.page.locator('.tabs button', { hasText: '固定与备注' }).click();
  assert.deepEqual(await again.page.$$eval('td input.remark', (all) => all.map((e) => e.value)), ['what is 100 % & "slow"? 床前', 'the pause']);
  assert.deepEqual(again.seen.errors, []);
  await again.close();
});

test('a pinned row stays at the top while the rest scrolls, and its items can be pressed there', async () => {
  const { page, close } = await open(facts.service);
  const op = await find(page, truth.op, 2);
  await page.mouse.click(op.x, op.y);
  await page.keyboard.press('p');
  await page.keyboard.press('Escape');
  await page.evaluate(() => { performanceMap.timelineView.timeline.scroll = 1e9; });
  await page.keyboard.press('ArrowDown');
  await frame(page);
  const stage = await page.locator('.stage').boundingBox();
  await page.mouse.move(op.x, stage.y + 62 + 9);
  await frame(page);
  assert.ok((await page.locator('.timeline .tip').innerText()).includes(truth.op.name));
  await page.mouse.click(op.x, stage.y + 62 + 9);
  assert.equal(await page.evaluate(() => performanceMap.timelineView.state.selected.dur), truth.op.dur);
  // Below it the rows begin: nothing of the scrolled ones shows through.
  assert.equal(await page.evaluate(() => performanceMap.timelineView.timeline.top), 62 + 19);
  await close();
});

test('the left edge of a label pins by mouse and lets go again', async () => {
  const { page, close } = await open(facts.service);
  const place = () => page.evaluate(() => { const tv = performanceMap.timelineView; const line = tv.layout.lines.find((l) => l.type === 'row'); const box = tv.timeline.canvas.getBoundingClientRect(); return { x: box.left + 8, y: box.top + tv.timeline.yOf(line) + 9, row: line.row.index }; });
  const at = await place();
  await page.mouse.move(at.x, at.y);
  await frame(page);
  assert.match(await page.locator('.timeline .tip').innerText(), /pin it to the top/);
  await page.mouse.click(at.x, at.y);
  assert.deepEqual((await kept(page)).pins, [`row ${at.row}`]);
  const moved = await place();
  assert.equal(moved.y, at.y + 19);
  await page.mouse.click(at.x, (await page.locator('.stage').boundingBox()).y + 62 + 9); // the pinned line itself
  assert.deepEqual((await kept(page)).pins, []);
  await close();
});

test('rows and counters can be pinned, notes changed and removed from the drawer; a ninth pin is refused in words', async () => {
  const { page, close } = await open(facts.service);
  await page.locator('.tabs button', { hasText: 'Pins and notes' }).click();
  assert.match(await drawer(page), /Nothing is pinned/);
  await page.locator('.pins select').selectOption({ label: 'rss' });
  assert.equal((await kept(page)).pins.length, 1);
  await page.locator('.tabs button', { hasText: 'As a table' }).click();
  await page.waitForSelector('.drawer-body td button');
  for (let i = 0; i < 8; i++) await page.locator('.drawer-body td button').nth(i).click();
  assert.equal((await kept(page)).pins.length, 8);
  assert.equal(await page.locator('.drawer-body td button').first().innerText(), 'Unpin');
  await page.locator('.tabs button', { hasText: 'Pins and notes' }).click();
  assert.match(await drawer(page), /No more than 8 tracks can be pinned/);
  await page.locator('.pinned button').first().click();
  assert.equal((await kept(page)).pins.length, 7);

  await page.evaluate((id) => performanceMap.timelineView.goTo({ table: 'slice', id }), truth.range.slice);
  await page.keyboard.press('n');
  await page.keyboard.type('first');
  await page.keyboard.press('Enter');
  await page.locator('td input.remark').fill('second');
  await page.locator('td input.remark').press('Tab');
  assert.deepEqual((await kept(page)).notes.map((n) => n[4]), ['second']);
  await page.locator('button', { hasText: 'Remove' }).click();
  assert.deepEqual((await kept(page)).notes, []);
  await blur(page);
  assert.equal((await saved(page)).includes('note='), false);
  await close();
});

test('hostile and foreign pins and notes of an address break nothing and are counted', async () => {
  const text = '<img src=x onerror=alert(1)>\u202e</script>';
  const notes = [`slice.0.${text}`, 'slice.4294967295.gone', 'range.5-1.x', `slice.0.${'x'.repeat(9000)}`, '', 'constructor.1.x'];
  const hash = `#pins=r0.r0.c9999.t0.x.__proto__&${notes.map((n) => `note=${encodeURIComponent(n)}`).join('&')}`;
  const { page, seen, close } = await open(facts.service, { hash });
  assert.deepEqual((await kept(page)).pins, ['row 0']);
  assert.deepEqual((await kept(page)).notes.map((n) => n[4].length), [text.length, 200]);
  await page.locator('.tabs button', { hasText: 'Pins and notes' }).click();
  assert.match(await drawer(page), /4 notes of the link are not shown/);
  await frame(page);
  assert.equal(await page.evaluate(() => document.querySelectorAll('img').length), 0);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.deepEqual(seen.errors, []);
  await close();
});
