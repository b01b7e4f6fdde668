import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisLabel, axisStep, bytes, count, dur, exactNs, middle, number, percent, value, visible } from '../src/format';
import { setLang, setTexts, t } from '../src/i18n';

const plain = (text: string): string => text.replaceAll('\u2009', ' ');

test('durations take the unit that fits', () => {
  assert.deepEqual([0, 999, 1000, 12_345, 1_234_567, 999_999_999, 1e9, 61.5e9].map(dur), ['0 ns', '999 ns', '1.000 µs', '12.35 µs', '1.235 ms', '1000.0 ms', '1.000 s', '61.50 s']);
  assert.equal(dur(-1500), '-1.500 µs');
  assert.equal(dur(0.5), '0.5 ns');
  assert.equal(dur(NaN), '–');
});

test('exact times keep every digit', () => {
  assert.equal(plain(exactNs(1_234_567)), '1 234 567 ns');
  assert.equal(plain(exactNs(-1_000)), '−1 000 ns');
  assert.equal(plain(exactNs(9_007_199_254_740_991)), '9 007 199 254 740 991 ns');
});

test('counts, shares and bytes', () => {
  assert.equal(plain(count(1_048_576)), '1 048 576');
  assert.equal(percent(0.12345), '12.3 %');
  assert.equal(percent(1, 0), '100 %');
  assert.equal(percent(0), '0.0 %');
  assert.equal(percent(0.0005), '0.1 %');
  assert.equal(percent(0.0004), '< 0.1 %');
  assert.equal(percent(0.004, 0), '< 1 %');
  assert.deepEqual([0, 1023, 1024, 1536, 5 * 2 ** 30].map(bytes), ['0 B', '1023 B', '1.00 KiB', '1.50 KiB', '5.00 GiB']);
});

test('numbers of a counter with their unit', () => {
  assert.equal(plain(number(-12_345)), '−12 345');
  assert.equal(number(0.12345), '0.1235');
  assert.equal(number(1.5e-5), '1.50e-5');
  assert.equal(value(1e6, 'ns'), '1.000 ms');
  assert.equal(value(2048, 'bytes'), '2.00 KiB');
  assert.equal(value(33.333, 'percent'), '33.33 %');
  assert.equal(value(1024, 'bytes/s'), '1.00 KiB/s');
  assert.equal(value(7, 'count'), '7');
  assert.equal(value(3, 'celsius'), '3 celsius');
});

test('an axis steps by 1, 2 or 5 and never shows more marks than asked', () => {
  assert.equal(axisStep(1000, 10), 100);
  assert.equal(axisStep(1001, 10), 200);
  assert.equal(axisStep(12e9, 8), 2e9);
  assert.equal(axisStep(5, 10), 1);
  for (const span of [7, 93, 1234, 5e6, 8.8e12]) assert.ok(span / axisStep(span, 9) <= 9);
});

test('a mark has the digits its step needs', () => {
  assert.equal(axisLabel(2e9, 2e9, 12e9), '2 s');
  assert.equal(axisLabel(1_250_000, 50_000, 2_000_000), '1.25 ms');
  assert.equal(plain(axisLabel(12_345_678, 1, 100)), '12 345 678 ns');
});

test('the middle of a long name is left out, its ends stay', () => {
  assert.equal(middle('abcdefghij', 10), 'abcdefghij');
  assert.equal(middle('abcdefghijk', 10), 'abcdef…ijk');
  assert.equal(middle('abcdef', 3), '');
});

test('control and direction characters cannot hide', () => {
  assert.equal(visible('a\nb\tc\x1b[31m\u202eX\u2066'), 'a⏎b⇥c\\x1b[31m\\x202eX\\x2066');
  assert.equal(visible('床前明月光 <b>'), '床前明月光 <b>');
});

test('a count picks its word, in each language its own, wherever it stands', () => {
  const texts = { en: { found: '{items} {items#item|items} under {names} {names#name|names}', plain: '{n} rows' }, zh: { found: '{names} 个名称，共 {items} 个条目', plain: '{n} 行' } };
  setTexts(texts as never);
  Object.assign(globalThis, { document: { documentElement: {} } }); // that carries the language of the page
  const cases: [number | string, number | string, string, string][] = [
    [0, 0, '0 items under 0 names', '0 个名称，共 0 个条目'], [1, 1, '1 item under 1 name', '1 个名称，共 1 个条目'], [2, 1, '2 items under 1 name', '1 个名称，共 2 个条目'],
    ['1', '2', '1 item under 2 names', '2 个名称，共 1 个条目'], ['1\u2009000', 11, '1\u2009000 items under 11 names', '11 个名称，共 1\u2009000 个条目'],
  ];
  for (const [items, names, en, zh] of cases) {
    setLang('en');
    assert.equal(t('found', { items, names }), en);
    setLang('zh');
    assert.equal(t('found', { items, names }), zh);
  }
  setLang('en');
  assert.equal(t('plain', { n: 1 }), '1 rows');
  assert.equal(t('found', { items: 1 }), '1 item under {names} {names#name|names}');
  assert.equal(t('no.such', { n: 1 }), 'no.such');
});

test('the word for the requests of a trace is that of the trace', () => {
  const texts = { en: { lead: '{n} finished {n#{unit}|{units}}', head: '{Units}', 'viewer.unit.iteration': 'step', 'viewer.units.iteration': 'steps' }, zh: { lead: '{n} 个已完成{units}', 'viewer.units.iteration': '步' } };
  setTexts(texts as never, 'iteration');
  setLang('en');
  assert.equal(t('lead', { n: 1 }), '1 finished step');
  assert.equal(t('lead', { n: 3 }), '3 finished steps');
  assert.equal(t('head'), 'Steps');
  setLang('zh');
  assert.equal(t('lead', { n: 3 }), '3 个已完成步');
  setTexts(texts as never);
  assert.equal(t('lead', { n: 3 }), '3 个已完成{units}'); // a word that the catalogue lacks shows itself
});
