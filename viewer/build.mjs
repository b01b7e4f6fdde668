// Builds src/ into one HTML template. Usage: node build.mjs OUT.html
// The Content-Security-Policy names the hashes of our own script and style, so nothing else in a page can run.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { build } from 'esbuild';

const out = process.argv[2] ?? 'dist/page.html';
const bundle = await build({
  entryPoints: ['src/main.ts'], bundle: true, minify: true, write: false, format: 'iife', target: ['es2022', 'chrome103', 'firefox113', 'safari16.4'],
  charset: 'ascii', legalComments: 'none',
});
const style = await build({ entryPoints: ['src/style.css'], bundle: true, minify: true, write: false, charset: 'utf8', target: ['chrome103'] });
const js = bundle.outputFiles[0].text.trim().replaceAll('</script', '<\\/script');
const css = style.outputFiles[0].text.trim();
const hash = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
const csp = `default-src 'none'; script-src ${hash(js)}; style-src ${hash(css)}; img-src data: blob:; base-uri 'none'; form-action 'none'`;
let page = readFileSync('src/page.html', 'utf8');
for (const [key, value] of [['@CSP@', csp], ['@STYLE@', css], ['@SCRIPT@', js]]) page = page.split(key).join(value);
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, page);
