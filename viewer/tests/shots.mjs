// Screenshots of a page for a person to look at. Usage: node tests/shots.mjs PAGE.html OUT_DIR [WIDTHxHEIGHT ...]
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { launch } from './browser.mjs';

const [page, out, ...sizes] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const browser = await launch();
for (const size of sizes.length > 0 ? sizes : ['1280x800', '1920x1080']) {
  const [width, height] = size.split('x').map(Number);
  for (const [theme, lang] of [['light', 'en'], ['dark', 'zh']]) {
    const tab = await browser.newPage({ viewport: { width, height }, colorScheme: theme });
    tab.on('console', (m) => { if (m.type() === 'error') console.error('console:', m.text()); });
    tab.on('pageerror', (e) => console.error('error:', e.message));
    for (const view of ['timeline', 'flamegraph', 'heatmap']) {
      await tab.goto(`file://${resolve(page)}#view=${view}&lang=${lang}`);
      await tab.reload();
      await tab.waitForSelector('html[data-ready=yes]', { state: 'attached' });
      await tab.waitForTimeout(400);
      await tab.screenshot({ path: `${out}/${view}_${width}_${theme}_${lang}.png` });
    }
    await tab.close();
  }
}
await browser.close();
