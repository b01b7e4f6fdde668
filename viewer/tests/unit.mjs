// Runs tests/*.test.ts with node's own test runner; esbuild only strips the types. Usage: node tests/unit.mjs
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const tests = readdirSync(here).filter((name) => name.endsWith('.test.ts'));
const out = mkdtempSync(join(tmpdir(), 'viewer-tests-'));
try {
  await build({ entryPoints: tests.map((name) => join(here, name)), bundle: true, format: 'esm', platform: 'node', outdir: out, outExtension: { '.js': '.mjs' }, sourcemap: 'inline', logLevel: 'warning' });
  const files = tests.map((name) => join(out, name.replace(/ts$/, 'mjs')));
  process.exitCode = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...files], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
