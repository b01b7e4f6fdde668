// Colours. Categories keep their hue for colour-blind readers; text on them is always dark, contrast 4.5:1 or more.

export type Rgb = readonly [number, number, number];

export interface Theme {
  dark: boolean;
  bg: Rgb; row: Rgb; text: string; dim: string; line: string; panel: string; accent: string; grid: string; label: string;
}
export const LIGHT: Theme = {
  dark: false, bg: [255, 255, 255], row: [247, 248, 250], text: '#1c2127', dim: '#5b6672', line: '#dfe3e8', panel: '#f6f7f9', accent: '#0b62c4',
  grid: '#eceff2', label: '#ffffff',
};
export const DARK: Theme = {
  dark: true, bg: [18, 20, 23], row: [24, 27, 31], text: '#e4e7eb', dim: '#98a3af', line: '#2c3138', panel: '#1a1d21', accent: '#6cb2ff',
  grid: '#22262b', label: '#15181b',
};

export const css = (c: Rgb): string => `rgb(${c[0]},${c[1]},${c[2]})`;
export const pack = (c: Rgb): number => ((255 << 24) | (c[2] << 16) | (c[1] << 8) | c[0]) >>> 0;
export const mix = (a: Rgb, b: Rgb, share: number): Rgb => [
  Math.round(a[0] + (b[0] - a[0]) * share), Math.round(a[1] + (b[1] - a[1]) * share), Math.round(a[2] + (b[2] - a[2]) * share),
];

// Okabe-Ito hues, lightened so that dark text reads on every one of them.
const HUES: Rgb[] = [
  [118, 178, 224], [240, 190, 92], [96, 190, 158], [222, 163, 194], [143, 203, 238], [233, 150, 98], [216, 208, 100], [170, 178, 190], [164, 196, 120], [186, 164, 222],
];
export function hash(text: string): number {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  h ^= h >>> 15;
  return Math.imul(h, 0x85ebca6b) >>> 0;
}
const STATES: Record<string, Rgb> = {
  running: [46, 164, 110], runnable: [236, 170, 48], preempted: [222, 112, 52], blocked: [190, 90, 150], unknown: [140, 148, 158],
};
export function stateColor(state: string, theme: Theme): Rgb {
  if (state === 'sleeping') return theme.dark ? [44, 50, 57] : [226, 230, 235];
  return STATES[state] ?? STATES.unknown!;
}
/** By type when there is one ("MatMul"), else by the name without its digits, so that a family keeps its colour. */
export function nameColor(text: string, type: string, category: string): Rgb {
  if (category === 'stage' && type !== '') return [201, 206, 214]; // waiting: nobody works
  if (category === 'request' && type !== '') return type === 'unfinished' ? [206, 218, 212] : [236, 138, 120]; // cut by the end, or failed
  const key = type !== '' ? type : text.replace(/[0-9]+/g, '');
  const h = hash(key);
  const base = HUES[h % HUES.length]!;
  const tone = ((h >>> 8) % 5) / 4;
  return tone < 0.5 ? mix(base, [255, 255, 255], 0.24 * (1 - 2 * tone)) : mix(base, [80, 90, 105], 0.16 * (2 * tone - 1));
}
const FLAME: Record<number, Rgb> = {
  0: [188, 194, 203], 1: [203, 208, 215], 2: [118, 178, 224], 3: [143, 203, 238], 4: [96, 190, 158], 5: [140, 210, 184], 6: [240, 190, 92], 7: [222, 163, 194], 8: [203, 208, 215],
};
/** Flame colours by kind, with a tone by name so that neighbours differ. */
export function flameColor(kind: number, text: string): Rgb {
  const base = FLAME[kind] ?? FLAME[0]!;
  const tone = (hash(text) % 7) / 6;
  return kind === 6 ? mix([244, 200, 108], [236, 150, 92], tone) : mix(base, [255, 255, 255], tone * 0.22);
}
/** cividis, 0..1; readable in grey and with every kind of colour vision. */
const CIVIDIS: Rgb[] = [[0, 34, 78], [18, 53, 112], [59, 73, 108], [87, 93, 109], [112, 113, 115], [138, 134, 121], [166, 157, 117], [197, 181, 104], [228, 207, 80], [254, 232, 56]];
export function cividis(v: number): Rgb {
  const at = Math.max(0, Math.min(1, v)) * (CIVIDIS.length - 1);
  const i = Math.min(CIVIDIS.length - 2, Math.floor(at));
  return mix(CIVIDIS[i]!, CIVIDIS[i + 1]!, at - i);
}

/** Time classes of a request: work in greens and blues, waiting in warm colours, what nobody can explain in grey. */
export const CLASS_COLORS: Record<string, string> = {
  cpu_op: '#009e73', cpu_other: '#7bc8a4', host_code: '#4a9fc4', network: '#8f6bb3',
  queue_wait: '#e69f00', batch_wait: '#f0c75e', device_wait: '#b8860b', sync_idle: '#c9a66b', runnable: '#f0e442', preempted: '#d55e00', throttled: '#a8380a',
  lock_wait: '#cc79a7', io: '#7a5195', page_fault: '#b4007a', sleeping: '#b8c0c8', unexplained: '#6b747d',
};
