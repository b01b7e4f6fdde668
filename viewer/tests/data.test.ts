// Data elements of the page: base64 parts, deflated sections, rows across part borders; texts in two languages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { fromBase64, inflate, readJsonSection, readSection, RowBytes } from '../src/data';
import { currentLang, has, setLang, setTexts, t, word } from '../src/i18n';

let reads: string[] = [];
function page(elements: Record<string, string>): void {
  reads = [];
  (globalThis as { document?: unknown }).document = {
    documentElement: {}, getElementById: (id: string) => { reads.push(id); return id in elements ? { textContent: elements[id] } : null; },
  };
}
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const ramp = (n: number): Uint8Array => Uint8Array.from({ length: n }, (_, i) => (i * 7 + (i >> 8)) & 255);

test('base64 of every length comes back', () => {
  for (let n = 0; n < 10; n++) assert.deepEqual([...fromBase64(base64(ramp(n)))], [...ramp(n)]);
});

test('a section in several parts inflates as one', async () => {
  const packed = deflateRawSync(ramp(5000));
  page({ 'x.0': base64(packed.subarray(0, 300)), 'x.1': base64(packed.subarray(300)) });
  assert.deepEqual(await readSection('x'), ramp(5000));
  assert.deepEqual(await inflate([packed]), ramp(5000));
});

test('a section that the page does not have is empty, a JSON one null', async () => {
  page({});
  assert.equal((await readSection('x')).length, 0);
  assert.equal(await readJsonSection('x'), null);
});

test('names of any script survive a JSON section', async () => {
  page({ 'x.0': base64(deflateRawSync(Buffer.from(JSON.stringify(['床前明月光', '</script>', '\u2028'])))) });
  assert.deepEqual(await readJsonSection('x'), ['床前明月光', '</script>', '\u2028']);
});

test('a row that lies across two parts is whole, and only the parts it touches are decoded', () => {
  const all = ramp(RowBytes.PART + 1000);
  page({ 'rows.0': base64(all.subarray(0, RowBytes.PART)), 'rows.1': base64(all.subarray(RowBytes.PART)) });
  const rows = new RowBytes();
  assert.deepEqual(rows.read(RowBytes.PART - 5, 10), all.slice(RowBytes.PART - 5, RowBytes.PART + 5));
  assert.deepEqual(rows.read(RowBytes.PART + 100, 8), all.slice(RowBytes.PART + 100, RowBytes.PART + 108));
  assert.deepEqual(reads, ['rows.0', 'rows.1']);
});

test('bytes beyond the end of the page read as zero', () => {
  page({ 'rows.0': base64(Uint8Array.of(1, 2)) });
  assert.deepEqual([...new RowBytes().read(1, 3)], [2, 0, 0]);
});

test('texts fill their places and an unknown id shows itself', () => {
  page({});
  setTexts({ en: { 'a.b': '{n} of {m}, {n}', 'viewer.state.running': 'running' }, zh: { 'a.b': '{m} 中的 {n}' } });
  setLang('en');
  assert.equal(t('a.b', { n: 3, m: 'x' }), '3 of x, 3');
  assert.equal(t('a.b', { n: 3 }), '3 of {m}, 3');
  assert.equal(t('no.such'), 'no.such');
  assert.equal(word('state', 'running'), 'running');
  assert.equal(word('state', 'odd'), 'odd');
  setLang('zh');
  assert.equal(t('a.b', { n: 3, m: 5 }), '5 中的 3');
  assert.equal(has('viewer.state.running'), false);
  assert.equal(currentLang(), 'zh');
  assert.equal((document.documentElement as { lang?: string }).lang, 'zh-CN');
});

test('a value put into a place is not searched for places again', () => {
  setTexts({ en: { x: '{a}{b}' }, zh: {} });
  setLang('en');
  assert.equal(t('x', { a: '{b}', b: '1' }), '{b}1');
});
