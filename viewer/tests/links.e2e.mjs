// Rows of SQL, findings and links: what a person who holds an id in the hand can do on the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawer, facts, frame, near, open, plain, truth, view } from './harness.mjs';

/** What is selected, in the words of SQL's tables. */
const selected = (page) => page.evaluate(() => {
  const { trace, timelineView } = performanceMap;
  const s = timelineView.state.selected;
  return s && { id: s.id, ts: String(trace.zero + BigInt(s.ts)), dur: s.dur, name: trace.text(s.name), kind: trace.rows[s.row].kind };
});
const KIND = { slice: 0, kernel: 1, sched: 2, thread_state: 3 };
async function type(page, text) {
  await page.keyboard.press('/');
  await page.locator('header input').fill(text);
  await page.waitForFunction((q) => performanceMap.timelineView.panel.search.query === q, text);
}
const leaves = async (page) => { await page.keyboard.press('Escape'); await page.evaluate(() => document.activeElement.blur()); };

test('a row of any table typed into the search leads to the very row of SQL, and it is on the screen', async () => {
  const { page, seen, close } = await open(facts.service);
  for (const row of truth.rows) {
    await type(page, `${row.table} ${row.id}`);
    await page.keyboard.press('Enter');
    await frame(page);
    const at = await selected(page);
    const table = row.table === 'request' || row.table === 'stage' ? 'slice' : row.table;
    assert.deepEqual(at, { id: row.item, ts: String(row.ts), dur: row.dur, name: row.name, kind: KIND[table] }, `${row.table} ${row.id}`);
    const [t0, t1] = await view(page);
    const from = await page.evaluate(() => performanceMap.timelineView.state.selected.ts);
    assert.ok(t0 <= from && from + row.dur <= t1, `${row.table} ${row.id} is out of view`);
    const line = await page.evaluate(() => { const tv = performanceMap.timelineView; const l = tv.layout.lineOfRow(tv.state.selected.row); return [l.y - tv.timeline.scroll, tv.timeline.height - 62 - l.h]; });
    assert.ok(line[0] >= 0 && line[0] <= line[1], `row at ${line[0]} of ${line[1]}`);
    await leaves(page);
  }
  assert.deepEqual(seen.errors, []);
  await close();
});

test('other spellings mean the same row, and what is not there is said', async () => {
  const { page, close } = await open(facts.service);
  const row = truth.rows.find((r) => r.table === 'slice');
  for (const spelling of [`slice #${row.id}`, `SLICE=${row.id}`, `slice_id: ${row.id}`, `span ${row.id}`, `区间 ${row.id}`]) {
    await type(page, spelling);
    await page.keyboard.press('Enter');
    assert.equal((await selected(page))?.id, row.id, spelling);
    await leaves(page);
    await page.keyboard.press('Escape');
  }
  for (const nothing of [`slice ${truth.slices}`, 'request 999999', 'kernel 4294967295']) {
    await type(page, nothing);
    await page.keyboard.press('Enter');
    assert.match(await drawer(page), new RegExp(`This trace shows no ${nothing}\\.`));
    await leaves(page);
  }
  await close();
});

test('an id typed while the flame graph is open leads back to the timeline', async () => {
  const { page, close } = await open(facts.service, { hash: '#view=flamegraph' });
  await type(page, 'request 5');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => performanceMap.timelineView.state.selected !== null);
  assert.equal(await page.locator('.timeline').isVisible(), true);
  assert.equal((await selected(page)).dur, truth.rows.find((r) => r.table === 'request' && r.id === 5).dur);
  await close();
});

test('a link to a row opens there, and a changed address goes there without a new opening', async () => {
  const [first, second] = truth.rows.filter((r) => r.table === 'slice');
  const { page, close } = await open(facts.service, { hash: `#slice=${first.id}` });
  assert.equal((await selected(page)).id, first.id);
  assert.ok(plain(await drawer(page)).includes(`${first.dur} ns`));
  await page.evaluate((id) => { location.hash = `#slice=${id}`; }, second.id);
  await page.waitForFunction((id) => performanceMap.timelineView.state.selected?.id === id, second.id);
  await page.evaluate(() => { location.hash = '#request=5'; });
  const dur = truth.rows.find((r) => r.table === 'request' && r.id === 5).dur;
  await page.waitForFunction((d) => performanceMap.timelineView.state.selected?.dur === d, dur);
  await page.evaluate(() => { location.hash = '#slice=4000000000'; });
  await page.waitForFunction(() => document.querySelector('.drawer-body').innerText.includes('no slice 4000000000'));
  await close();
});

test('the address holds what is on the screen: opened elsewhere it shows the same', async () => {
  const row = truth.rows.find((r) => r.table === 'slice');
  const one = await open(facts.findings);
  await one.page.keyboard.press('l');
  await one.page.keyboard.press('t');
  await type(one.page, 'Transpose');
  await one.page.evaluate((id) => performanceMap.timelineView.goTo({ table: 'slice', id }), row.id);
  await one.page.waitForFunction(() => location.hash.includes('slice='));
  await one.page.waitForTimeout(400); // the address follows a while after the last change
  const hash = await one.page.evaluate(() => location.hash);
  const shown = await view(one.page);
  await one.close();
  const two = await open(facts.findings, { hash });
  assert.equal((await selected(two.page)).id, row.id);
  const again = await view(two.page);
  near(again[0], shown[0], 1);
  near(again[1], shown[1], 1);
  assert.equal(await two.page.evaluate(() => document.documentElement.lang), 'zh-CN');
  assert.equal(await two.page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  assert.equal(await two.page.locator('header input').inputValue(), 'Transpose');
  await two.close();
});

test('hostile addresses change nothing and break nothing', async () => {
  for (const hash of ['#slice=-1', '#slice=1e9', '#slice=%3Cscript%3E', '#t0=NaN&t1=Infinity', '#view=__proto__', '#finding=constructor&request=x', '#lang=<b>&theme=blue', '#q=%00%F0%9F']) {
    const { page, seen, close } = await open(facts.findings, { hash });
    assert.deepEqual(seen.errors, [], hash);
    assert.equal(await page.locator('.timeline').isVisible(), true, hash);
    assert.equal((await selected(page)), null, hash);
    await close();
  }
});

test('the findings of the report are listed in its order with its figures', async () => {
  const { page, seen, close } = await open(facts.findings);
  const heads = page.locator('.finding-head');
  assert.equal(await heads.count(), facts.report.length);
  for (const [i, cause] of facts.report.entries()) {
    const text = await heads.nth(i).innerText();
    for (const part of [String(i + 1), cause.title, cause.id, `${(cause.mean * 100).toFixed(1)} %`, `confidence ${cause.confidence.toFixed(2)}`]) assert.ok(text.includes(part), `${part} in ${text}`);
  }
  assert.deepEqual(seen.errors, []);
  await close();
});

test('a finding is said in the language of the page, whichever the report has', async () => {
  const { page, seen, close } = await open(facts.findings, { hash: '#lang=zh' });
  for (let i = 0; i < facts.report.length; i++) {
    await page.locator('.finding-head').nth(i).click();
    const said = await page.locator('.finding.open .finding-body > p, .finding.open .evidence > p').allInnerTexts();
    assert.ok(said.length > 1);
    for (const text of said) assert.match(text, /[\u4e00-\u9fff]/, `${facts.report[i].id}: ${text}`);
  }
  const chinese = await drawer(page);
  assert.equal(chinese.includes('profiler diagnose --lang zh'), false); // nothing was left in English
  assert.equal(chinese.includes('high_p99_latency'), false);
  await page.keyboard.press('l');
  assert.ok((await drawer(page)).includes(facts.report.at(-1).summary));
  assert.deepEqual(seen.errors, []);
  await close();
});

test('a press on a finding marks all its example spans where SQL has them, brings them into view and shows its queries', async () => {
  const { page, close } = await open(facts.findings);
  const shown = facts.report.findIndex((c) => c.examples.length > 0);
  const cause = facts.report[shown];
  const pink = () => page.evaluate(() => { const c = performanceMap.timelineView.overlay.canvas; const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0; for (let i = 0; i < d.length; i += 4) if (d[i] === 180 && d[i + 1] === 0 && d[i + 2] === 122 && d[i + 3] === 255) n++; return n; });
  assert.equal(await pink(), 0);
  await page.locator('.finding-head').nth(shown).click();
  await frame(page);
  const marks = await page.evaluate(() => performanceMap.timelineView.state.marks.map((m) => ({ ts: String(performanceMap.trace.zero + BigInt(m.ts)), dur: m.dur })));
  assert.deepEqual(marks, cause.examples.map((e) => ({ ts: String(e.ts), dur: e.dur })));
  const [t0, t1] = await view(page);
  const zero = await page.evaluate(() => String(performanceMap.trace.zero));
  for (const e of cause.examples) assert.ok(e.ts - Number(zero) >= t0 && e.ts + e.dur - Number(zero) <= t1);
  assert.ok((await pink()) > 40 * cause.examples.length);
  const text = await drawer(page);
  for (const sql of cause.sql) assert.ok(text.replace(/\s+/g, ' ').includes(sql.replace(/\s+/g, ' ')), sql);
  await page.locator('.finding.open .link').first().click();
  assert.deepEqual([(await selected(page)).id, (await selected(page)).dur], [cause.examples[0].id, cause.examples[0].dur]);
  await page.locator('.tabs button', { hasText: 'Findings' }).click();
  await page.locator('.finding-head').nth(shown).click(); // closed again
  await frame(page);
  assert.equal(await pink(), 0);
  await close();
});

test('a finding has a link of its own', async () => {
  const { page, close } = await open(facts.findings, { hash: `#finding=${facts.report[1].id}` });
  assert.equal(await page.locator('.finding.open .finding-head strong').innerText(), facts.report[1].title);
  await close();
});

test('a finding in the address is shown in the timeline, also when another view is open', async () => {
  const { page, close } = await open(facts.findings, { hash: '#view=flamegraph' });
  await page.evaluate((id) => { location.hash = `#finding=${id}`; }, facts.report[1].id);
  await page.waitForSelector('.finding.open', { state: 'visible' });
  assert.equal(await page.locator('.finding.open .finding-head strong').innerText(), facts.report[1].title);
  assert.equal(await page.evaluate(() => performanceMap.flameView.root.hidden), true);
  await close();
});

test('a report of another recording says so and marks nothing that is not here', async () => {
  const shown = facts.report.findIndex((c) => c.examples.length > 0);
  const { page, close } = await open(facts.other_findings);
  assert.match(await page.locator('.notice').first().innerText(), /another recording \(service\.pb\)/);
  await page.locator('.finding-head').nth(shown).click();
  assert.deepEqual(await page.evaluate(() => performanceMap.timelineView.state.marks), []);
  assert.match(await drawer(page), new RegExp(`${facts.report[shown].examples.length} of them are not in this trace`));
  await close();
});

test('hostile text in a report stays text', async () => {
  const { page, seen, close } = await open(facts.hostile_findings);
  await page.locator('.finding-head').first().click();
  assert.match(await drawer(page), /<img src=x onerror=alert\(1\)>/);
  assert.equal(await page.evaluate(() => document.querySelectorAll('img, svg, iframe').length), 0);
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.deepEqual(seen.errors, []);
  await close();
});
