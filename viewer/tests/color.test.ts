// Contrast as WCAG 2.1 defines it; the page promises 4.5:1 for text on every colour it can give an item.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cividis, css, DARK, flameColor, hash, LIGHT, mix, nameColor, pack, stateColor, type Rgb } from '../src/color';

const luminance = (c: Rgb): number => {
  const [r, g, b] = c.map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a: Rgb, b: Rgb): number => (Math.max(luminance(a), luminance(b)) + 0.05) / (Math.min(luminance(a), luminance(b)) + 0.05);
const hex = (text: string): Rgb => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16)) as unknown as Rgb;
const INK = hex('#15191e');

test('text reads on every colour of an item', () => {
  for (let i = 0; i < 2000; i++) {
    const colour = nameColor(`name ${String.fromCharCode(97 + (i % 26))}${i}x`, i % 2 ? `Type${i}` : '', 'op');
    assert.ok(contrast(INK, colour) >= 4.5, css(colour));
  }
  for (const type of ['queue_wait', 'batch_wait']) assert.ok(contrast(INK, nameColor('queue', type, 'stage')) >= 4.5);
  for (const type of ['error', 'timeout', 'unfinished']) assert.ok(contrast(INK, nameColor('poster', type, 'request')) >= 4.5);
});

test('text reads on every kind of flame box', () => {
  for (let kind = 0; kind < 9; kind++) for (let i = 0; i < 200; i++) assert.ok(contrast(INK, flameColor(kind, `f${i}`)) >= 4.5, `${kind}`);
});

test('text, dim text and accents read on both themes', () => {
  for (const theme of [LIGHT, DARK]) for (const ground of [theme.bg, theme.row, hex(theme.panel)]) for (const ink of [theme.text, theme.dim, theme.accent]) assert.ok(contrast(hex(ink), ground) >= 4.5, `${ink} on ${css(ground)}`);
});

test('a family keeps its colour and a type beats a name', () => {
  assert.deepEqual(nameColor('/block.1/MatMul', '', 'op'), nameColor('/block.27/MatMul', '', 'op'));
  assert.deepEqual(nameColor('a', 'Conv', 'op'), nameColor('b', 'Conv', 'op'));
  assert.notDeepEqual(nameColor('poster', '', 'request'), nameColor('poster', 'error', 'request'));
});

test('states are told apart and sleeping steps back', () => {
  const all = ['running', 'runnable', 'preempted', 'sleeping', 'blocked', 'unknown'].map((s) => css(stateColor(s, LIGHT)));
  assert.equal(new Set(all).size, 6);
  assert.ok(contrast(stateColor('sleeping', DARK), DARK.bg) < 1.6);
});

test('the heat scale grows lighter all the way', () => {
  for (let i = 1; i <= 100; i++) assert.ok(luminance(cividis(i / 100)) >= luminance(cividis((i - 1) / 100)));
  assert.deepEqual([cividis(0), cividis(1), cividis(7)], [[0, 34, 78], [254, 232, 56], [254, 232, 56]]);
});

test('pixels are packed as the canvas reads them', () => {
  assert.equal(pack([1, 2, 3]), 0xff030201);
  assert.deepEqual(mix([0, 0, 0], [100, 200, 50], 0.5), [50, 100, 25]);
  assert.equal(css([1, 2, 3]), 'rgb(1,2,3)');
  assert.equal(hash('MatMul'), hash('MatMul'));
});
