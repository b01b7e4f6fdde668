// What the browser tests share: a page opened offline, and ways to look at it. tests/e2e/page_test.py makes the pages and the truth
// (PAGE_FACTS).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before } from 'node:test';
import { launch } from './browser.mjs';

export const facts = JSON.parse(readFileSync(process.env.PAGE_FACTS, 'utf8'));
export const { truth } = facts;
let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });

/** Input and what is read after it come to the page on two ways, and on a busy machine the second can be there first: each act is over
 * when the page has had its last event. */
async function awaited(page) {
  await page.addInitScript(() => {
    window.hadEvents = { mousemove: 0, mouseup: 0, wheel: 0, keyup: 0 };
    for (const kind of Object.keys(window.hadEvents)) window.addEventListener(kind, (e) => setTimeout(() => { window.hadEvents[kind]++; if (kind === 'mousemove') window.pointerAt = [e.clientX, e.clientY]; }), true);
  });
  const follow = (device, act, kind, pageOf = () => page) => {
    const plainly = device[act];
    device[act] = async function (...words) {
      const its = pageOf(this);
      const before = await its.evaluate((k) => window.hadEvents[k], kind);
      await plainly.apply(this, words);
      await its.waitForFunction(([k, n]) => window.hadEvents[k] > n, [kind, before]);
    };
  };
  const locators = Object.getPrototypeOf(page.locator('html')); // one for all pages
  if (!locators.isFollowed) {
    locators.isFollowed = true;
    follow(locators, 'click', 'mouseup', (locator) => locator.page());
    follow(locators, 'press', 'keyup', (locator) => locator.page());
  }
  follow(page.mouse, 'click', 'mouseup');
  follow(page.mouse, 'up', 'mouseup');
  follow(page.mouse, 'wheel', 'wheel');
  follow(page.keyboard, 'press', 'keyup');
  const move = page.mouse.move.bind(page.mouse); // several may come as one: where it ended counts
  page.mouse.move = async (x, y, how) => {
    await move(x, y, how);
    await page.waitForFunction(([px, py]) => window.pointerAt && Math.abs(window.pointerAt[0] - px) < 1 && Math.abs(window.pointerAt[1] - py) < 1, [x, y]);
  };
}

/** Opens a page with the network off; what it asks for, says and shows in dialogs is kept. */
export async function open(file, { hash = '', width = 1280, height = 800, scheme = 'light' } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, offline: true });
  const page = await context.newPage();
  const seen = { requests: [], errors: [], dialogs: 0 };
  page.on('request', (r) => seen.requests.push(r.url()));
  page.on('console', (m) => { if (m.type() === 'error' || m.type() === 'warning') seen.errors.push(m.text()); });
  page.on('pageerror', (e) => seen.errors.push(e.message));
  page.on('dialog', (d) => { seen.dialogs++; void d.dismiss(); });
  await awaited(page);
  await page.addInitScript(() => { window.alert = () => { window.hacked = 'alert'; }; });
  await page.goto(`file://${file}${hash}`);
  await page.waitForSelector('html[data-ready=yes]', { state: 'attached' });
  return { page, seen, close: () => context.close() };
}
export const view = (page) => page.evaluate(() => [performanceMap.view.t0, performanceMap.view.t1]);
export const near = (a, b, slack) => assert.ok(Math.abs(a - b) <= slack, `${a} is not ${b} ± ${slack}`);
export const frame = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Brings an item of SQL's truth into view, `padding` of its length on both sides; gives its box on the screen. */
export async function find(page, item, padding = 1) {
  const box = await page.evaluate(({ item, padding }) => {
    const app = performanceMap;
    const ts = Number(BigInt(item.ts) - app.trace.zero);
    const row = app.trace.rows.find((r) => { const i = app.trace.itemStarting(r, ts); return i && i.dur === item.dur && app.trace.text(i.name) === item.name; });
    const tl = app.timelineView.timeline;
    app.timelineView.layout.reveal(row.index);
    const line = app.timelineView.layout.lineOfRow(row.index);
    tl.scroll = Math.max(0, line.y - 60);
    app.view.set(ts - padding * item.dur, ts + (1 + padding) * item.dur);
    app.timelineView.drawNow();
    const stage = tl.canvas.getBoundingClientRect();
    return { left: stage.left + tl.x(ts), right: stage.left + tl.x(ts + item.dur), y: stage.top + 62 + line.y - tl.scroll + line.h / 2, npp: tl.nsPerPixel };
  }, { item, padding });
  await frame(page);
  return { ...box, x: (box.left + box.right) / 2 };
}
export const drawer = (page) => page.locator('.drawer-body').innerText();
export const plain = (text) => text.replaceAll('\u2009', '').replaceAll('\u00a0', ' ');
