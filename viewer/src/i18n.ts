// Texts of the page come from the product's catalogue, both languages in the page.
import type { Meta } from './model';

export type Lang = 'en' | 'zh';
let texts: Meta['texts'] = { en: {}, zh: {} };
let lang: Lang = 'en';
let unit = 'request'; // what the trace's requests are to people: a reader hands over steps and model runs as requests

export function setTexts(all: Meta['texts'], units = 'request'): void {
  texts = all;
  unit = units;
}
export function setLang(next: Lang): void {
  lang = next;
  document.documentElement.lang = next === 'zh' ? 'zh-CN' : 'en';
}
export function currentLang(): Lang { return lang; }
/** {unit}, {units}, and {Unit}, {Units} at the beginning of a sentence. */
function withUnit(text: string): string {
  return text.replace(/\{(u|U)(nits?)\}/g, (whole, first: string, rest: string) => {
    const said = texts[lang][`viewer.u${rest}.${unit}`];
    return said === undefined ? whole : first === 'u' ? said : said.charAt(0).toUpperCase() + said.slice(1);
  });
}
/** The text `id`, {places} filled, {n#sample|samples} by whether n is one; an unknown id comes back as itself. */
export function t(id: string, places: Record<string, string | number> = {}): string {
  return withUnit(texts[lang][id] ?? id).replace(/\{([a-z_0-9]+)(?:#([^|{}]*)\|([^{}]*))?\}/g, (whole, key: string, one?: string, many?: string) => {
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
