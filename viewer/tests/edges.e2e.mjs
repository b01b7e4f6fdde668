// Traces at the edges: nothing, one span, no length, a hundred thousand threads, a day with spans of a nanosecond.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { drawer, facts, frame, near, open, plain, view } from './harness.mjs';

const everyView = async (page) => { for (const key of ['2', '3', '1']) { await page.keyboard.press(key); await frame(page); } };
const clickTabs = async (page) => { for (const tab of await page.locator('.tabs button').all()) { await tab.click(); await frame(page); } };
const fine = (seen) => { assert.deepEqual(seen.errors, []); assert.equal(seen.requests.length, 1); };

test('a trace of nothing is a page that says so in every view', async () => {
  const { page, seen, close } = await open(facts.edges.empty);
  await everyView(page);
  for (const [name, says] of [['heatmap', 'no scheduling data'], ['flamegraph', 'no samples of call stacks'], ['timeline', 'nothing on a time axis']]) {
    await page.locator('.tab', { hasText: { heatmap: 'Heat map', flamegraph: 'Flame graph', timeline: 'Timeline' }[name] }).click();
    await page.waitForFunction(([v, text]) => [...document.querySelectorAll('.hint')].some((e) => e.offsetParent && e.innerText.includes(text) && /[Rr]ecord/.test(e.innerText)), [name, says]);
  }
  await clickTabs(page);
  for (const key of ['w', 'a', 's', 'd', 'f', '0', 'm', 'x', 'Escape', '.', 'u', 'Backspace', 'Enter']) await page.keyboard.press(key);
  await page.locator('.tabs button', { hasText: 'Operators' }).click();
  await page.waitForFunction(() => document.querySelector('.drawer-body').innerText.includes('neither operators nor kernels'));
  await page.locator('.tabs button', { hasText: 'Requests' }).click();
  assert.equal(await page.locator('.pick').count(), 0);
  fine(seen);
  await close();
});

test('a single span of 7 ns fills the page and can be measured, ranged and found by its id', async () => {
  const { page, seen, close } = await open(facts.edges.one, { hash: '#slice=0' });
  assert.match(plain(await drawer(page)), /alone.*7 ns/s);
  await page.keyboard.press('m');
  await page.waitForFunction(() => performanceMap.timelineView.panel.range?.done);
  const { n, total, union, p99 } = await page.evaluate(() => performanceMap.timelineView.panel.range.whole);
  assert.deepEqual([n, total, union, p99], [1, 7, 7, 7]);
  await everyView(page);
  await clickTabs(page);
  fine(seen);
  await close();
});

test('spans without length are all there, one that ends before it starts has none, and the ledger says so', async () => {
  const { page, seen, close } = await open(facts.edges.odd);
  const names = await page.evaluate(() => { const out = {}; const { trace } = performanceMap; for (const row of trace.rows) trace.each(row, -1, trace.duration + 1, (s, i) => { const k = trace.text(s.name[i]); out[k] = (out[k] ?? 0) + 1; }); return out; });
  assert.deepEqual(names, facts.edges.odd_names);
  await page.locator('header input').fill('instant 3');
  await page.waitForFunction(() => performanceMap.timelineView.panel.search.done && performanceMap.timelineView.panel.search.query === 'instant 3');
  assert.equal(await page.evaluate(() => performanceMap.timelineView.panel.search.items), facts.edges.odd_names['instant 3']);
  await page.locator('header input').press('Enter');
  assert.equal(await page.evaluate(() => performanceMap.timelineView.state.selected.dur), 0);
  assert.match(await drawer(page), /instant 3/);
  await page.locator('.ledger').click();
  assert.match(await page.locator('dialog').innerText(), /ended before they started/);
  await page.keyboard.press('Escape');
  fine(seen);
  await close();
});

test('a day at once and one nanosecond of it: both are exact', async () => {
  const { page, seen, close } = await open(facts.edges.day);
  const day = 86_400_000_000_000;
  const [t0, t1] = await view(page);
  near(t1 - t0, day, 0.05 * day);
  const tick = facts.edges.ticks[Math.floor(facts.edges.ticks.length / 2)];
  await page.evaluate((id) => { location.hash = `#slice=${id}`; }, tick.id);
  await page.waitForFunction((id) => performanceMap.timelineView.state.selected?.id === id, tick.id);
  const s = await page.evaluate(() => { const { trace, timelineView } = performanceMap; const x = timelineView.state.selected; return [String(trace.zero + BigInt(x.ts)), x.dur]; });
  assert.deepEqual(s, [String(tick.ts), 1]);
  for (let i = 0; i < 60; i++) await page.keyboard.press('Shift+W');
  const [z0, z1] = await view(page);
  assert.equal(z1 - z0 >= 10, true); // 10 ns is the closest
  near(z1 - z0, 10, 0.02); // at 10^13 ns a double steps by 0.002
  await page.keyboard.press('.');
  const next = facts.edges.ticks[Math.floor(facts.edges.ticks.length / 2) + 1];
  assert.equal(await page.evaluate(() => String(performanceMap.trace.zero + BigInt(performanceMap.timelineView.state.selected.ts))), String(next.ts));
  assert.match(await page.evaluate(() => document.querySelector('[aria-live]').textContent), /tick/);
  fine(seen);
  await close();
});

test('a hundred thousand threads: the page opens, scrolls, searches and finds the last one', async () => {
  assert.ok(statSync(facts.edges.tracks).size < 40e6, `${statSync(facts.edges.tracks).size} bytes`);
  const { page, seen, close } = await open(facts.edges.tracks);
  assert.equal(await page.evaluate(() => performanceMap.trace.rows.length), 100_000);
  await page.evaluate(() => { location.hash = '#slice=99999'; });
  await page.waitForFunction(() => performanceMap.timelineView.state.selected?.id === 99_999);
  assert.match(await drawer(page), /worker 100009/);
  await page.keyboard.press('ArrowUp');
  await page.locator('header input').fill('span 42');
  await page.waitForFunction(() => performanceMap.timelineView.panel.search.done && performanceMap.timelineView.panel.search.query === 'span 42', null, { timeout: 60_000 });
  assert.equal(await page.evaluate(() => performanceMap.timelineView.panel.search.items), 1000);
  await everyView(page);
  fine(seen);
  await close();
});

test('the policy of every page allows its own script and style and nothing else', async () => {
  for (const file of [facts.edges.empty, facts.hostile, facts.findings]) {
    const html = readFileSync(file, 'utf8');
    const csp = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)[1];
    assert.match(csp, /^default-src 'none'; script-src 'sha256-[A-Za-z0-9+/=]{44}'; style-src 'sha256-[A-Za-z0-9+/=]{44}'; img-src data: blob:; base-uri 'none'; form-action 'none'$/);
    const { page, close } = await open(file);
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.hacked = 9';
      document.body.append(script);
      const holder = document.createElement('div');
      holder.setAttribute('onclick', 'window.hacked = 10');
      document.body.append(holder);
      holder.click();
      return window.hacked;
    });
    assert.equal(ran, undefined);
    await close();
  }
});

test('no code of the viewer turns text into markup', () => {
  const html = readFileSync(facts.edges.empty, 'utf8');
  const script = html.slice(html.lastIndexOf('<script>'), html.lastIndexOf('</script>'));
  for (const word of ['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'document.write', 'eval(', 'new Function', 'DOMParser', 'createContextualFragment']) assert.equal(script.includes(word), false, word);
});

test('a page without requests does not open on their empty tab, and one without samples says so once', async () => {
  const { page, close } = await open(facts.edges.empty, { hash: '#lang=en' });
  assert.notEqual(await page.locator('.tabs [aria-selected=true]').innerText(), 'Requests');
  await close();
  const flame = await open(facts.edges.empty, { hash: '#view=flamegraph&lang=en' });
  const text = await flame.page.evaluate(() => document.querySelector('.flame.view').innerText);
  assert.equal(text.split('This trace has no samples').length - 1, 1);
  await flame.close();
});

test('a dialog has one scroll bar and breaks no word that fits', async () => {
  const { page, close } = await open(facts.service, { hash: '#lang=en', height: 500 });
  await page.locator('.ledger').click();
  const scrolling = await page.evaluate(() => [...document.querySelectorAll('dialog, dialog *')].filter((e) => e.scrollHeight > e.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(e).overflowY)).map((e) => e.className));
  assert.deepEqual(scrolling, ['dialog-body']);
  await close();
});
