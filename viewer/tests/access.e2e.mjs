// For everybody: names of controls, contrast, tables beside pictures, work by keyboard alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawer, facts, frame, near, open, truth, view } from './harness.mjs';

const TABS = ['Findings', 'Selection', 'Range', 'Requests', 'Operators', 'Search', 'Measurements', 'Pins and notes', 'As a table'];
const tab = async (page, name) => { await page.locator('.tabs button', { hasText: name }).click(); await frame(page); };

test('every control has a name, every picture a label, every table a caption', async () => {
  const { page, close } = await open(facts.findings, { hash: `#slice=${truth.range.slice}` });
  const nameless = () => page.evaluate(() => {
    const shown = (e) => e.getClientRects().length > 0;
    const named = (e) => (e.getAttribute('aria-label') ?? e.textContent.trim()) !== '';
    return [
      ...[...document.querySelectorAll('button, input, select, [role=application], [role=img], [role=group], nav, section')].filter((e) => shown(e) && !named(e)),
      ...[...document.querySelectorAll('table')].filter((e) => shown(e) && !e.closest('.asm') && !e.caption?.textContent),
    ].map((e) => e.outerHTML.slice(0, 200));
  });
  for (const name of TABS) { await tab(page, name); assert.deepEqual(await nameless(), [], name); }
  for (const key of ['2', '3']) { await page.keyboard.press(key); await frame(page); assert.deepEqual(await nameless(), [], key); }
  await close();
});

test('text stands out from its background by 4.5 to 1 in both themes', async () => {
  for (const scheme of ['light', 'dark']) {
    const { page, close } = await open(facts.findings, { scheme, hash: `#slice=${truth.range.slice}` });
    const pale = () => page.evaluate(() => {
      const rgb = (text) => { const m = /rgba?\(([^)]+)\)/.exec(text); const v = m ? m[1].split(',').map(Number) : [0, 0, 0, 0]; return v.length === 3 ? [...v, 1] : v; };
      const light = ([r, g, b]) => [r, g, b].reduce((sum, v, i) => { const c = v / 255; return sum + [0.2126, 0.7152, 0.0722][i] * (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4); }, 0);
      const out = [];
      for (const e of document.querySelectorAll('body *')) {
        if (!e.getClientRects().length || ![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim() !== '') || e.closest('.hidden, option')) continue;
        let at = e;
        while (at && rgb(getComputedStyle(at).backgroundColor)[3] === 0) at = at.parentElement;
        const [a, b] = [light(rgb(getComputedStyle(e).color)), light(rgb(getComputedStyle(at ?? document.body).backgroundColor))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < 4.5) out.push(`${ratio.toFixed(2)} ${e.tagName}.${e.className} ${e.textContent.slice(0, 40)}`);
      }
      return out;
    });
    for (const name of TABS) { await tab(page, name); assert.deepEqual(await pale(), [], `${scheme} ${name}`); }
    for (const key of ['2', '3', '?']) { await page.keyboard.press(key); await frame(page); assert.deepEqual(await pale(), [], `${scheme} ${key}`); }
    await close();
  }
});

test('from a search to a measured range without a mouse', async () => {
  const { page, close } = await open(facts.service);
  await page.keyboard.press('/');
  await page.keyboard.type(`slice ${truth.range.slice}`);
  await page.keyboard.press('Enter');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('f');
  const { ts, dur } = await page.evaluate(() => performanceMap.timelineView.state.selected);
  const [t0, t1] = await view(page);
  near(t0, ts - 0.1 * dur - 50, 1);
  near(t1, ts + 1.1 * dur + 50, 1);
  await page.keyboard.press('m');
  await page.waitForFunction(() => performanceMap.timelineView.panel.range?.done);
  assert.equal(await page.evaluate(() => performanceMap.timelineView.panel.range.items), truth.range.n);
  await page.keyboard.press('u'); // what is around it
  const parent = await page.evaluate(() => performanceMap.timelineView.state.selected);
  assert.ok(parent === null || parent.ts <= ts);
  await page.keyboard.press('r');
  assert.match(await drawer(page), /finished requests/);
  await page.locator('.press').first().focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => performanceMap.timelineView.state.selected.dur), truth.request.dur);
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => performanceMap.timelineView.state.selected), null);
  await close();
});
