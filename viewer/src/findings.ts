// The findings of a diagnosis in the drawer: a press marks a finding's example spans in the timeline and shows the queries behind it.
import { h } from './dom';
import { dur, percent, visible } from './format';
import { currentLang, has, t } from './i18n';
import type { BothTexts, Cause, Evidence, Example, Findings } from './model';

export interface FindingActions {
  mark(examples: Example[]): void; // marks them and brings them into view
  goTo(example: Example): void;
}

/** What the report says, in the language of the page where its rule has the words. */
function said(own: string, both: BothTexts | undefined): string { return visible(both?.[currentLang()] ?? own); }

const CHINESE = /[\u4e00-\u9fff]/;

/** All example spans of a finding, each once. */
export function examplesOf(cause: Cause): Example[] {
  const known = new Map<number, Example>();
  for (const list of [cause.examples, ...cause.evidence.map((e) => e.examples)]) for (const example of list) if (!known.has(example[0])) known.set(example[0], example);
  return [...known.values()];
}

export class FindingsTab {
  open = -1; // the finding whose spans are marked
  constructor(private readonly findings: Findings, private readonly actions: FindingActions, private readonly changed: () => void) {}

  press(index: number): void {
    this.open = this.open === index ? -1 : index;
    const cause = this.findings.causes[this.open];
    this.actions.mark(cause ? examplesOf(cause) : []);
    this.changed();
  }
  content(): HTMLElement {
    const { causes, same, trace } = this.findings;
    const id = `diagnose.problem.${this.findings.problem}`;
    const problem = has(id) ? t(id) : this.findings.problem;
    return h('div', { class: 'findings' },
      h('p', { class: 'lead' }, causes.length === 0 ? t('viewer.findings.none', { problem: visible(problem) }) : t('viewer.findings.lead', { n: causes.length, problem: visible(problem) })),
      currentLang() === 'zh' && causes.some((c) => !c.summaries && c.summary !== '' && !CHINESE.test(c.summary)) ? h('p', { class: 'dim' }, t('viewer.findings.in_english')) : null,
      same ? null : h('p', { class: 'notice' }, t('viewer.findings.other', { trace: visible(trace) })),
      causes.map((cause, i) => this.card(cause, i)));
  }
  private card(cause: Cause, i: number): HTMLElement {
    const isOpen = i === this.open;
    const head = h('button', { type: 'button', class: 'finding-head', 'aria-expanded': String(isOpen), onclick: () => this.press(i) },
      h('span', { class: 'finding-rank' }, `${i + 1}`), h('strong', {}, said(cause.title, cause.titles)), h('span', { class: 'mono dim' }, visible(cause.id)), h('span', { class: 'spring' }),
      h('span', {}, t(cause.is_whole ? 'viewer.findings.share_of_whole' : 'viewer.findings.share', { mean: percent(cause.mean), slow: percent(cause.slow), of: cause.of[currentLang()] ?? '' })), h('span', {}, t('viewer.findings.confidence', { value: cause.confidence.toFixed(2) })));
    if (!isOpen) return h('article', { class: 'finding' }, head);
    return h('article', { class: 'finding open' }, head, h('div', { class: 'finding-body' },
      h('p', {}, said(cause.summary, cause.summaries)), this.examples(examplesOf(cause)), cause.evidence.map((e) => this.evidence(e)),
      cause.against.length > 0 ? h('h3', {}, t('viewer.findings.against')) : null, cause.against.map((e) => this.evidence(e))));
  }
  private evidence(e: Evidence): HTMLElement {
    return h('section', { class: 'evidence' }, h('p', {}, said(e.text, e.texts)),
      e.sql === '' ? null : h('pre', { class: 'sql' }, visibleLines(e.sql)));
  }
  private examples(examples: Example[]): HTMLElement | null {
    if (examples.length === 0) return null;
    const missing = examples.filter((e) => e[1] < 0).length;
    return h('div', {}, h('h3', {}, t('viewer.findings.examples')),
      h('ul', { class: 'chain' }, examples.map((e) => h('li', {}, e[1] < 0 ? h('span', { class: 'dim' }, this.exampleText(e))
        : h('button', { type: 'button', class: 'link', onclick: () => this.actions.goTo(e) }, this.exampleText(e))))),
      missing > 0 ? h('p', { class: 'dim' }, t('viewer.findings.not_here', { n: missing })) : null);
  }
  private exampleText(e: Example): string { return `slice ${e[0]} · ${visible(e[4])} · ${dur(e[3])}`; }
}

/** A query keeps its lines; nothing else in it may hide. */
function visibleLines(text: string): string { return text.split('\n').map(visible).join('\n'); }
