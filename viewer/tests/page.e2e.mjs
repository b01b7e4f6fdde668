// The page in a browser, by mouse and keyboard.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { drawer, facts, find, frame, near, open, plain, truth, view } from './harness.mjs';

test('the page opens from a file, offline, asks for nothing and says nothing', async () => {
  const { page, seen, close } = await open(facts.service);
  for (const key of ['2', '3', '1']) { await page.keyboard.press(key); await frame(page); }
  assert.deepEqual(seen.requests, [`file://${facts.service}`]);
  assert.deepEqual(seen.errors, []);
  assert.equal(await page.evaluate(() => performance.getEntriesByType('resource').length), 0);
  const html = readFileSync(facts.service, 'utf8');
  assert.match(html, /http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/);
  assert.equal(/(src|href)="https?:/.test(html), false);
  await close();
});

test('keys zoom and pan by the documented steps and Backspace undoes a jump', async () => {
  const { page, close } = await open(facts.service);
  const [a0, a1] = await view(page);
  await page.keyboard.press('w');
  let [t0, t1] = await view(page);
  near(t1 - t0, 0.8 * (a1 - a0), 2);
  await page.keyboard.press('s');
  [t0, t1] = await view(page);
  near(t1 - t0, a1 - a0, 2);
  for (let i = 0; i < 5; i++) await page.keyboard.press('w');
  const [b0, b1] = await view(page);
  for (const [key, share] of [['d', 0.12], ['a', -0.12], ['ArrowRight', 0.12], ['ArrowLeft', -0.12], ['Shift+D', 0.48], ['Shift+A', -0.48]]) {
    const [from] = await view(page);
    await page.keyboard.press(key);
    near((await view(page))[0] - from, share * (b1 - b0), 2);
  }
  await page.keyboard.press('0');
  near((await view(page))[0], 0, 1);
  await page.keyboard.press('Backspace');
  near((await view(page))[0], b0, 2);
  await close();
});

test('the mouse pans with Shift, zooms at the pointer with Ctrl and scrolls with the wheel alone', async () => {
  const { page, close } = await open(facts.service);
  const op = await find(page, truth.op, 2);
  const [t0] = await view(page);
  await page.mouse.move(700, op.y);
  await page.keyboard.down('Shift');
  await page.mouse.down();
  await page.mouse.move(600, op.y, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  near((await view(page))[0] - t0, 100 * op.npp, op.npp);
  const at = (x) => page.evaluate((px) => { const tl = performanceMap.timelineView.timeline; return tl.time(px - tl.canvas.getBoundingClientRect().left); }, x);
  const pointed = await at(600);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -200);
  await page.keyboard.up('Control');
  await frame(page);
  near(await at(600), pointed, op.npp);
  near(((await view(page))[1] - (await view(page))[0]) / (5 * truth.op.dur), Math.exp(-0.4), 0.01);
  await close();
});

test('a press on an item shows its exact times, its parents and the query that finds it', async () => {
  const { page, close } = await open(facts.service);
  const op = await find(page, truth.op);
  await page.mouse.click(op.x, op.y);
  const text = plain(await drawer(page));
  assert.ok(text.includes(truth.op.name), text);
  assert.ok(text.includes(`${truth.op.dur} ns`), text);
  assert.ok(text.includes(String(truth.op.ts)), text);
  assert.match(text, /run sd3_tiny/);
  assert.match(text, /text_encode/);
  assert.match(text, /input_shapes\s+\[1,64,64,320\]/);
  assert.match(text, /select \* from slice where id = 2"/);
  await close();
});

test('the interval from the end of a copy to the start of a kernel is measured to the nanosecond', async () => {
  const { page, close } = await open(facts.service);
  const expected = truth.kernel.ts - (truth.copy.ts + truth.copy.dur);
  await page.keyboard.press('x');
  assert.match(await page.locator('.mode').innerText(), /press the first event/);
  const copy = await find(page, truth.copy);
  await page.mouse.click(copy.x, copy.y);
  const kernel = await find(page, truth.kernel);
  await page.mouse.click(kernel.x, kernel.y);
  const text = plain(await drawer(page));
  assert.ok(text.includes(`${expected} ns`), text);
  assert.match(text, /end of memcpy H2D/);
  assert.match(text, /start of te_MatMul_fp16_kernel/);
  await page.locator('.drawer-body button', { hasText: 'end of' }).click(); // the other edge of the copy
  assert.ok(plain(await drawer(page)).includes(`${expected + truth.copy.dur} ns`));
  await close();
});

test('a drag gives figures of the range, M those of the selected item', async () => {
  const { page, close } = await open(facts.service);
  const op = await find(page, truth.op, 0.2);
  await page.mouse.click(op.x, op.y);
  await page.keyboard.press('m');
  await page.waitForFunction(() => performanceMap.timelineView.panel.range?.done);
  assert.ok(plain(await drawer(page)).includes(`interval of ${truth.op.dur} ns`));
  await page.mouse.move(500, op.y);
  await page.mouse.down();
  await page.mouse.move(800, op.y, { steps: 3 });
  await page.mouse.up();
  await page.waitForFunction(() => performanceMap.timelineView.panel.range?.done);
  const { t0, t1 } = await page.evaluate(() => performanceMap.timelineView.panel.range);
  near(t1 - t0, 300 * op.npp, 1);
  await close();
});

test('cause and effect are listed and drawn for the selected kernel', async () => {
  const { page, close } = await open(facts.service);
  const kernel = await find(page, truth.kernel);
  const pixels = () => page.evaluate(() => { const c = performanceMap.timelineView.overlay.canvas; return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.reduce((n, v) => n + (v > 0 ? 1 : 0), 0); });
  await page.mouse.move(2, 2);
  await frame(page);
  const empty = await pixels();
  await page.mouse.click(kernel.x, kernel.y);
  await frame(page);
  assert.ok((await pixels()) > empty + 1000);
  const text = plain(await drawer(page));
  assert.match(text, /Cause and effect/);
  assert.match(text, /← \/text_encode\/block\.0\/MatMul/);
  await close();
});

test('a search counts what SQL counts and Enter goes from hit to hit', async () => {
  const { page, close } = await open(facts.service);
  await page.keyboard.press('/');
  await page.keyboard.type('transpose');
  await page.waitForFunction(() => { const s = performanceMap.timelineView.panel.search; return s.query === 'transpose' && s.done; });
  assert.equal(await page.evaluate(() => performanceMap.timelineView.panel.search.items), truth.transposes);
  await page.keyboard.press('Enter');
  const first = await page.evaluate(() => performanceMap.timelineView.state.selected.ts);
  await page.keyboard.press('Enter');
  const second = await page.evaluate(() => performanceMap.timelineView.state.selected);
  assert.ok(second.ts > first);
  assert.match(await page.evaluate(() => { const s = performanceMap.timelineView.state.selected; return performanceMap.trace.text(s.name); }), /Transpose/);
  await close();
});

test('the slowest request is the slowest of the table, with its accounting', async () => {
  const { page, close } = await open(facts.service);
  assert.match(await drawer(page), new RegExp(`^${truth.requests} finished requests`, 'm'));
  await page.locator('.pick button', { hasText: 'slowest' }).click();
  const text = plain(await drawer(page));
  assert.ok(text.includes(`${truth.request.dur} ns`), text);
  assert.match(text, /Where its time went/);
  await close();
});

test('the flame graph zooms from all samples to the instructions of a function', async () => {
  const { page, close } = await open(facts.service, { hash: '#view=flamegraph' });
  assert.ok(plain(await page.locator('.side .lead').innerText()).startsWith(`${truth.cpu_samples} samples`));
  // The largest function box, by its place on the screen.
  const target = await page.evaluate(() => {
    const fv = performanceMap.flameView;
    const { tree } = fv;
    let best = -1;
    for (let i = 0; i < tree.size; i++) if (tree.kind[i] === 6 && fv.nodeName(tree, i).includes('multiply_matrices') && (best < 0 || tree.self[i] > tree.self[best])) best = i;
    const parent = tree.parent[best];
    fv.press(parent);
    const box = fv.canvas.getBoundingClientRect();
    return { node: best, self: tree.self[best], total: tree.total[best], x: box.left + ((tree.x[best] + tree.total[best] / 2 - fv.x0) / fv.span) * box.width, y: box.top + tree.depth[best] * 20 - fv.scroll + 10 };
  });
  await page.mouse.click(target.x, target.y);
  await page.waitForSelector('.asm tbody tr.hot');
  assert.equal(await page.evaluate(() => performanceMap.flameView.pressed), target.node);
  const side = await page.locator('.side').innerText();
  assert.match(side, /synthetic_service\.cpp:\d+/);
  assert.match(side, /Instructions of prof::testing::multiply_matrices/);
  const sums = await page.$$eval('.asm tbody tr.hot', (rows) => rows.reduce((n, r) => n + Number((r.children[0]?.textContent ?? '').replace(/\D/g, '') || 0), 0));
  assert.equal(sums, target.self);
  assert.match(await page.locator('.asm tr.hot .code').first().innerText(), /^[a-z]/);
  await page.locator('button', { hasText: 'Whole graph' }).click();
  const [x0, span] = await page.evaluate(() => [performanceMap.flameView.x0, performanceMap.flameView.span]);
  assert.deepEqual([x0, span], [0, truth.cpu_samples]);
  await page.keyboard.press('w');
  near(await page.evaluate(() => performanceMap.flameView.span), 0.8 * truth.cpu_samples, 1e-6);
  await close();
});

test('the heat map says under the pointer what its data says and marks the pause of 1.6 s', async () => {
  const { page, close } = await open(facts.service, { hash: '#view=heatmap' });
  const cores = await page.evaluate(() => {
    const hv = performanceMap.heatView;
    const line = hv.lines.find((l) => l.type === 'row');
    const box = hv.canvas.getBoundingClientRect();
    return { period: line.row.period, x: box.left + 264 + 300, y: box.top + 26 + line.y + 8, k: hv.k, mean: line.row.mean };
  });
  near(cores.period.ns, 1.6e9, 0.02e9);
  await page.mouse.move(cores.x, cores.y);
  const tip = await page.locator('.heatmap .tip').innerText();
  const expected = await page.evaluate((x) => {
    const hv = performanceMap.heatView;
    const row = hv.lines.find((l) => l.type === 'row').row;
    const px = x - hv.canvas.getBoundingClientRect().left - 264;
    const { view } = performanceMap;
    const track = hv.width - 264 - 190;
    const ts = view.t0 + (px / track) * view.span;
    const from = Math.floor((ts - view.span / track / 2) / 2 ** hv.k);
    const to = Math.max(from + 1, Math.floor((ts + view.span / track / 2) / 2 ** hv.k));
    const part = [...row.busy.subarray(from, to)];
    return ((part.reduce((a, b) => a + b, 0) / part.length / 255) * 100).toFixed(1);
  }, cores.x);
  assert.ok(tip.includes(`${expected} % busy`), `${tip} / ${expected}`);
  assert.match(await page.locator('.heat-below').innerText(), /rows repeat with a period/);
  await close();
});

test('hostile names are text: nothing runs, nothing is asked for, nothing breaks out', async () => {
  for (const scheme of ['light', 'dark']) {
    const { page, seen, close } = await open(facts.hostile, { scheme });
    assert.ok((await page.locator('.target').innerText()).startsWith('"><script>window.hacked=4</script>'));
    const fits = () => page.evaluate(() => [document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollHeight <= innerHeight]);
    assert.deepEqual(await fits(), [true, true]);
    const long = await page.evaluate(async () => {
      const app = performanceMap;
      const name = app.trace.meta.names.text.findIndex((text) => text.startsWith('xxxxxxxx'));
      app.timelineView.select(app.trace.findNext({ mayHold: () => true, accepts: (row, items, i) => row.kind !== 3 && items.name[i] === name }, -1, 1), true);
      return app.trace.text(name).length;
    });
    assert.ok(long >= 1000);
    await frame(page);
    assert.deepEqual(await fits(), [true, true]);
    assert.ok((await drawer(page)).includes('xxxxxxxxxx'));
    for (const key of ['2', '3', '?']) { await page.keyboard.press(key); await frame(page); assert.deepEqual(await fits(), [true, true]); }
    await page.keyboard.press('Escape');
    await page.locator('.ledger').click();
    assert.match(await page.locator('dialog').innerText(), /<svg onload=window\.hacked=5>/);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(seen.dialogs, 0);
    assert.deepEqual(seen.errors, []);
    assert.equal(seen.requests.length, 1);
    assert.equal(await page.evaluate(() => document.querySelectorAll('img, svg, iframe').length), 0);
    await close();
  }
});

test('light and dark follow the system and T switches', async () => {
  const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await open(facts.service, { scheme: 'dark' });
  assert.equal(await background(dark.page), 'rgb(18, 20, 23)');
  await dark.page.keyboard.press('t');
  assert.equal(await background(dark.page), 'rgb(255, 255, 255)');
  await dark.close();
  const light = await open(facts.service);
  assert.equal(await background(light.page), 'rgb(255, 255, 255)');
  await light.close();
});

test('a page made with --lang zh is Chinese and L switches', async () => {
  const { page, close } = await open(facts.chinese);
  const tabs = () => page.locator('nav').innerText();
  assert.equal((await tabs()).replace(/\s+/g, ' '), '时间线 火焰图 热力图');
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-CN');
  assert.match(await drawer(page), /个已完成请求/);
  await page.keyboard.press('l');
  assert.match(await tabs(), /Timeline/);
  await close();
});

test('no header text is cut at 1280 pixels', async () => {
  for (const width of [1280, 1920]) {
    const { page, close } = await open(facts.service, { width });
    const cut = await page.$$eval('header button, header .figure-value, header .target', (all) => all.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent));
    assert.deepEqual(cut, []);
    const hint = await page.evaluate(() => {
      const input = document.querySelector('header input');
      const ctx = document.createElement('canvas').getContext('2d');
      ctx.font = getComputedStyle(input).font;
      return [ctx.measureText(input.placeholder).width, input.clientWidth - 18];
    });
    assert.ok(hint[0] <= hint[1], hint.join(' > '));
    await close();
  }
});

test('a thread that was woken says by whom', async () => {
  const { page, close } = await open(facts.service);
  const state = await find(page, { ...truth.woken, name: 'runnable' });
  await page.mouse.move(state.x, state.y);
  await frame(page);
  assert.match(await page.locator('.timeline .tip').innerText(), /woken by http \[4242\]/);
  await page.mouse.click(state.x, state.y);
  assert.match(await drawer(page), /Woken by\s+http \[4242\]/);
  await close();
});

test('a request id typed into the search leads to its request', async () => {
  const { page, close } = await open(facts.service);
  await page.keyboard.press('/');
  await page.keyboard.type('8');
  await page.keyboard.press('Enter');
  await page.locator('.drawer-body .link', { hasText: 'poster #' }).first().click();
  assert.match(plain(await drawer(page)), /request_id\s+8\b/);
  await close();
});

test('a heading folds its group and a narrow window still shows every layer', async () => {
  const { page, close } = await open(facts.service);
  const lines = () => page.evaluate(() => performanceMap.timelineView.layout.lines.length);
  const before = await lines();
  const stage = await page.locator('.stage').boundingBox();
  await page.mouse.click(stage.x + 60, stage.y + 62 + 13);
  assert.equal(await lines(), before - 2); // two request lanes
  await page.mouse.click(stage.x + 60, stage.y + 62 + 13);
  assert.equal(await lines(), before);
  const kinds = await page.evaluate(() => {
    const { layout, timeline } = performanceMap.timelineView;
    return layout.lines.filter((l) => l.type === 'group' && l.depth === 0 && l.y < timeline.height - 62).map((l) => performanceMap.trace.meta.groups[l.group].kind);
  });
  assert.deepEqual(kinds.filter((k) => k !== 'counters'), ['requests', 'waiting', 'device', 'process', 'cpus']);
  await close();
});

test('Alt measures free points and Escape ends measuring', async () => {
  const { page, close } = await open(facts.service);
  const op = await find(page, truth.op, 2);
  await page.keyboard.press('x');
  await page.keyboard.down('Alt');
  await page.mouse.click(500, op.y);
  await page.mouse.click(600, op.y);
  await page.keyboard.up('Alt');
  const measured = await page.evaluate(() => { const m = performanceMap.timelineView.panel.measures[0]; return m.b.ts - m.a.ts; });
  near(measured, 100 * op.npp, 1);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.mode').isVisible(), false);
  await close();
});

test('every figure of the header opens its definition and its query, ? lists the keys', async () => {
  const { page, close } = await open(facts.service);
  for (const figure of await page.locator('.figure:not(.ledger)').all()) {
    await figure.click();
    assert.match(await page.locator('dialog').innerText(), /select /);
    await page.keyboard.press('Escape');
  }
  const cut = truth.all_requests.filter((r) => r.status === 'unfinished').length;
  const requests = await page.locator('.figure', { hasText: 'Requests' }).locator('.figure-value').innerText();
  assert.equal(plain(requests), `${truth.all_requests.length}${cut > 0 ? ` (${cut} unfinished)` : ''}`);
  await page.keyboard.press('Shift+Slash');
  assert.match(await page.locator('dialog').innerText(), /measure between two events/);
  await close();
});

test('merged functions and callers hold the same samples', async () => {
  const { page, close } = await open(facts.service, { hash: '#view=flamegraph' });
  for (const mode of ['Each operator', 'Functions merged', 'Callers', 'Request to function']) {
    await page.locator('.segs button', { hasText: mode }).click();
    await page.waitForFunction((m) => document.querySelector('.segs [aria-pressed=true]').textContent === m, mode);
    assert.equal(await page.evaluate(() => performanceMap.flameView.tree.total[0]), truth.cpu_samples);
  }
  await close();
});
