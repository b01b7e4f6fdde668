// How fast a page opens and pans, in headless Chromium. Usage: node tests/speed.mjs PAGE.html; prints one JSON object.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { launch } from './browser.mjs';

const path = resolve(process.argv[2]);
const browser = await launch();
const runs = [];
for (let run = 0; run < 5; run++) {
  const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
  await page.goto(`file://${path}`);
  await page.waitForSelector('html[data-ready=yes]', { state: 'attached' });
  runs.push(await page.evaluate(async () => {
    const app = performanceMap;
    const { view, trace, timelineView } = app;
    const frames = async (zoom) => {
      const span = trace.duration / zoom;
      view.set(trace.duration / 3, trace.duration / 3 + span);
      await new Promise(requestAnimationFrame);
      const deltas = [];
      const draws = [];
      let last = performance.now();
      for (let i = 0; i < 60; i++) {
        view.pan(span / 120);
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        deltas.push(now - last);
        draws.push(timelineView.timeline.lastDrawMs);
        last = now;
      }
      const sorted = (a) => a.sort((x, y) => x - y);
      return { frame_p50: sorted(deltas)[30], frame_p99: deltas[59], draw_p50: sorted(draws)[30], draw_p99: draws[59] };
    };
    const search = performance.now();
    await timelineView.search('77');
    const searched = performance.now() - search;
    return { firstDraw: app.timing.firstDraw, ready: app.timing.ready, whole: await frames(1), tenth: await frames(10), thousandth: await frames(1000), search: searched };
  }));
  await page.close();
}
await browser.close();
const median = (get) => Number(runs.map(get).sort((a, b) => a - b)[2].toFixed(1));
const pan = (zoom) => ({ frame_p50: median((r) => r[zoom].frame_p50), frame_p99: median((r) => r[zoom].frame_p99), draw_p50: median((r) => r[zoom].draw_p50), draw_p99: median((r) => r[zoom].draw_p99) });
console.log(JSON.stringify({ bytes: statSync(path).size, runs: runs.length, unit: 'ms', first_draw: median((r) => r.firstDraw), ready: median((r) => r.ready), search: median((r) => r.search),
  pan_whole: pan('whole'), pan_tenth: pan('tenth'), pan_thousandth: pan('thousandth') }));
