// Texts of the page come from the product's catalogue, both languages in the page.
import type { Meta } from './model';

export type Lang = 'en' | 'zh';
let texts: Meta['texts'] = { en: {}, zh: {} };
let lang: Lang = 'en';

export function setTexts(all: Meta['texts']): void { texts = all; }
export function setLang(next: Lang): void {
  lang = next;
  document.documentElement.lang = next === 'zh' ? 'zh-CN' : 'en';
}
export function currentLang(): Lang { return lang; }
/** The text `id`, {places} filled, {n#sample|samples} by whether n is one; an unknown id comes back as itself. */
export function t(id: string, places: Record<string, string | number> = {}): string {
  return (texts[lang][id] ?? id).replace(/\{([a-z_0-9]+)(?:#([^|{}]*)\|([^{}]*))?\}/g, (whole, key: string, one?: string, many?: string) => {
    if (!Object.hasOwn(places, key)) return whole;
    const value = String(places[key]);
    return one === undefined ? value : value === '1' ? one : many!;
  });
}
export function has(id: string): boolean { return id in texts[lang]; }
/** A word of the trace that the catalogue may know (thread states, time classes), else the word itself. */
export function word(prefix: string, value: string): string {
  const id = `viewer.${prefix}.${value}`;
  return has(id) ? t(id) : value;
}
