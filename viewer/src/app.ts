// The frame of the page: header, views, keys, language, theme, the state in the address.
import { DARK, LIGHT } from './color';
import { h, replace, table } from './dom';
import { count, dur, exactNs, visible } from './format';
import { FlameView } from './flame_view';
import { HeatView } from './heat_view';
import { currentLang, has, setLang, setTexts, t } from './i18n';
import { parseRef, refOf, TABLES } from './ids';
import { Trace, type Note, type Signal } from './model';
import { TimelineView } from './timeline_view';
import { View } from './view';

type Name = 'timeline' | 'flamegraph' | 'heatmap';

export class App {
  readonly trace = new Trace();
  readonly view = new View(this.trace.duration);
  readonly timelineView: TimelineView;
  readonly flameView = new FlameView();
  readonly heatView: HeatView;
  private readonly root = document.getElementById('app')!;
  private readonly header = h('header', {});
  private readonly main = h('main', {});
  private readonly dialog = h('dialog', {});
  private readonly search = h('input', { type: 'search', spellcheck: 'false', autocomplete: 'off' });
  private current: Name = 'timeline';
  private dark = false;
  private measuring = false;
  private hashTimer = 0;
  readonly timing: Record<string, number> = {};

  constructor() {
    setTexts(this.trace.meta.texts, this.trace.meta.requests.unit);
    this.timelineView = new TimelineView(this.trace, this.view);
    this.heatView = new HeatView(this.view, this.trace.duration, () => void this.open('timeline'));
    this.view.onChange = () => { this.timelineView.redraw(); if (this.current === 'heatmap') this.heatView.draw(); this.saveSoon(); };
    this.timelineView.onSearchFor = (query) => { this.search.value = query; void this.timelineView.search(query); };
    this.timelineView.onSelect = () => this.saveSoon();
    this.timelineView.onMeasureMode = (on) => { this.measuring = on; this.fillHeader(); };
  }

  async start(): Promise<void> {
    // A page saved by the browser carries what we drew: start from nothing.
    this.root.replaceChildren(this.header, this.main, this.dialog);
    const state = new URLSearchParams(location.hash.slice(1));
    const lang = state.get('lang') ?? this.trace.meta.lang;
    setLang(lang === 'zh' ? 'zh' : 'en');
    const theme = state.get('theme');
    const prefers = matchMedia('(prefers-color-scheme: dark)');
    this.dark = theme ? theme === 'dark' : prefers.matches;
    prefers.addEventListener('change', (e) => { if (!new URLSearchParams(location.hash.slice(1)).get('theme')) this.setDark(e.matches); });
    const [t0, t1] = [Number(state.get('t0')), Number(state.get('t1'))];
    if (state.has('t0') && t1 > t0) this.view.set(t0, t1);
    for (const view of this.views) this.main.append(this.element(view));
    const wanted = state.get('view') as Name | null;
    this.current = wanted && this.views.includes(wanted) ? wanted : this.views[0]!;
    this.bind();
    await this.trace.loadOverview();
    this.setDark(this.dark);
    this.refresh();
    await this.open(this.current);
    this.timing.firstDraw = performance.now();
    if (document.readyState === 'loading') await new Promise((done) => document.addEventListener('DOMContentLoaded', done, { once: true }));
    this.timing.parsed = performance.now();
    await this.trace.loadRest();
    this.timing.ready = performance.now();
    this.timelineView.refresh();
    this.fillHeader();
    this.applyLink(state);
    this.saveSoon();
    window.addEventListener('hashchange', () => this.onHash());
    document.documentElement.dataset.ready = 'yes';
  }
  /** What a link names beside the view: a row of SQL, a search, a finding. */
  private applyLink(state: URLSearchParams): void {
    const query = state.get('q');
    if (query) { this.search.value = query; this.runSearch(); }
    const finding = this.trace.meta.findings?.causes.findIndex((c) => c.id === state.get('finding')) ?? -1;
    if (finding >= 0 && this.timelineView.panel.findings?.open !== finding) this.timelineView.panel.findings?.press(finding);
    this.timelineView.keep.read(state);
    for (const table of TABLES) {
      const id = state.get(table);
      if (id === null || !/^\d{1,10}$/.test(id)) continue;
      if (this.timelineView.goTo({ table, id: Number(id) }, !state.has('t0'))) return;
      this.search.value = `${table} ${id}`; // the drawer then says that there is none
      this.runSearch();
    }
  }
  /** The address was changed by hand or by a link: go there. */
  private onHash(): void {
    const state = new URLSearchParams(location.hash.slice(1));
    const lang = state.get('lang');
    if (lang && lang !== currentLang()) { setLang(lang === 'zh' ? 'zh' : 'en'); this.refresh(); }
    const theme = state.get('theme');
    if (theme) { this.themeChosen = true; this.setDark(theme === 'dark'); this.fillHeader(); }
    const [t0, t1] = [Number(state.get('t0')), Number(state.get('t1'))];
    if (state.has('t0') && t1 > t0) this.view.go(t0, t1);
    // Rows and findings are shown in the timeline.
    const view = (state.get('view') as Name | null) ?? ([...TABLES, 'finding'].some((what) => state.has(what)) ? 'timeline' : null);
    if (view && this.views.includes(view)) void this.open(view);
    this.applyLink(state);
  }

  private get views(): Name[] { return this.trace.meta.views as Name[]; }
  private element(view: Name): HTMLElement { return view === 'timeline' ? this.timelineView.root : view === 'flamegraph' ? this.flameView.root : this.heatView.root; }

  async open(view: Name): Promise<void> {
    if (!this.views.includes(view)) return;
    this.current = view;
    for (const other of this.views) this.element(other).hidden = other !== view;
    this.fillHeader();
    if (view === 'timeline') { this.timelineView.resize(); return this.saveSoon(); }
    // The bulk data stands at the end of the document.
    if (document.readyState === 'loading') await new Promise((done) => document.addEventListener('DOMContentLoaded', done, { once: true }));
    if (view === 'flamegraph') await this.flameView.show();
    else await this.heatView.show();
    this.saveSoon();
  }
  private setDark(dark: boolean): void {
    this.dark = dark;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    const theme = dark ? DARK : LIGHT;
    this.timelineView.setTheme(theme);
    this.flameView.setTheme(theme);
    this.heatView.setTheme(theme);
  }
  private refresh(): void {
    document.title = t('viewer.title', { target: visible(this.target) });
    this.search.placeholder = t('viewer.search.placeholder');
    this.search.setAttribute('aria-label', t('viewer.search.placeholder'));
    this.fillHeader();
    this.timelineView.refresh();
    this.flameView.refresh();
    this.heatView.refresh();
  }
  private fact(key: string): string { return this.trace.meta.metadata.find(([k]) => k === key)?.[1] ?? ''; }
  private get target(): string { return this.fact('service') || this.fact('target') || this.trace.meta.trace; }

  // --- header ------------------------------------------------------------------------------------------------------
  private fillHeader(): void {
    const { meta } = this.trace;
    const r = meta.requests;
    const figure = (id: string, value: string, exact = '') =>
      h('button', { type: 'button', class: 'figure', title: exact, onclick: () => this.explain(id, exact) }, h('span', { class: 'figure-name' }, t(`viewer.figure.${id}`)), h('span', { class: 'figure-value' }, value));
    const figures = [figure('duration', dur(meta.duration), exactNs(meta.duration))];
    if (r.n > 0) figures.push(figure('requests', count(r.n) + (r.unfinished > 0 ? t('viewer.unfinished', { n: r.unfinished }) : '')));
    if (r.p50 !== undefined) figures.push(figure('p50', dur(r.p50), exactNs(r.p50)), figure('p99', dur(r.p99!), exactNs(r.p99!)));
    const bad = meta.notes.filter((n) => n.severity === 'data_loss' || n.severity === 'error').length;
    const missing = meta.signals.filter((s) => !s.ok).length;
    const parts = [missing > 0 ? t('viewer.missing', { n: missing }) : '', bad > 0 ? t('viewer.losses', { n: bad }) : meta.notes.length > 0 ? t('viewer.notes', { n: meta.notes.length }) : ''].filter((x) => x !== '');
    const ledger = h('button', { type: 'button', class: bad > 0 ? 'figure ledger bad' : 'figure ledger', onclick: () => this.showLedger() },
      h('span', { class: 'figure-name' }, t('viewer.quality')), h('span', { class: 'figure-value' }, bad > 0 || missing > 0 ? `⚠ ${parts.join(' · ')}` : parts.join(' · ') || `✓ ${t('viewer.complete')}`));
    const tabs = this.views.map((view, i) =>
      h('button', { type: 'button', role: 'tab', class: 'tab', 'aria-selected': String(view === this.current), title: `${i + 1}`, onclick: () => void this.open(view) }, t(`viewer.view.${view}`)));
    const measure = h('button', { type: 'button', class: 'seg', 'aria-pressed': String(this.measuring), title: t('viewer.measure.about'), onclick: () => this.timelineView.toggleMeasuring() }, `⟷ ${t('viewer.measure')}`);
    replace(this.header, h('div', { class: 'brand' }, h('span', { class: 'logo', 'aria-hidden': 'true' }), h('span', { class: 'target', title: visible(this.target) }, visible(this.target).slice(0, 80))),
      h('nav', { role: 'tablist' }, tabs), h('div', { class: 'figures' }, figures, ledger), h('span', { class: 'spring' }),
      this.current === 'timeline' ? measure : null, this.search,
      h('button', { type: 'button', class: 'icon', title: t('viewer.save.png'), 'aria-label': t('viewer.save.png'), onclick: () => this.savePicture() }, '⤓'),
      h('button', { type: 'button', class: 'icon', title: t('viewer.lang'), 'aria-label': t('viewer.lang'), onclick: () => this.toggleLang() }, currentLang() === 'en' ? '中文' : 'EN'),
      h('button', { type: 'button', class: 'icon', title: t('viewer.theme'), 'aria-label': t('viewer.theme'), onclick: () => this.toggleTheme() }, this.dark ? '☀' : '☾'),
      h('button', { type: 'button', class: 'icon', title: t('viewer.help'), 'aria-label': t('viewer.help'), onclick: () => this.showHelp() }, '?'));
  }
  private savePicture(): void {
    if (this.current === 'timeline') this.timelineView.savePicture();
    else if (this.current === 'flamegraph') this.flameView.savePicture();
    else this.heatView.savePicture();
  }
  private toggleLang(): void { setLang(currentLang() === 'en' ? 'zh' : 'en'); this.refresh(); this.saveSoon(); }
  private toggleTheme(): void { this.setDark(!this.dark); this.fillHeader(); this.themeChosen = true; this.saveSoon(); }
  private themeChosen = location.hash.includes('theme=');
  private saveSoon(): void {
    if (!this.trace.isComplete) return; // what the address names is not on the page yet
    clearTimeout(this.hashTimer);
    this.hashTimer = window.setTimeout(() => {
      const state = new URLSearchParams({ view: this.current, lang: currentLang(), t0: this.view.t0.toFixed(0), t1: this.view.t1.toFixed(0) });
      const { selected } = this.timelineView.state;
      if (selected) { const ref = refOf(this.trace, selected); state.set(ref.table, String(ref.id)); }
      if (this.search.value !== '') state.set('q', this.search.value);
      const finding = this.trace.meta.findings?.causes[this.timelineView.panel.findings?.open ?? -1];
      if (finding) state.set('finding', finding.id);
      if (this.themeChosen) state.set('theme', this.dark ? 'dark' : 'light');
      this.timelineView.keep.write(state);
      try { history.replaceState(null, '', `#${state}`); } catch { /* some browsers refuse it on file:// */ }
    }, 300);
  }

  // --- dialogs -----------------------------------------------------------------------------------------------------
  private show(title: string, ...content: (Node | string)[]): void {
    const close = h('button', { type: 'button', class: 'icon', 'aria-label': t('viewer.close'), onclick: () => this.dialog.close() }, '✕');
    replace(this.dialog, h('div', { class: 'dialog-head' }, h('h2', {}, title), close), h('div', { class: 'dialog-body' }, content));
    if (!this.dialog.open) this.dialog.showModal();
  }
  private explain(id: string, exact: string): void {
    this.show(t(`viewer.figure.${id}`), h('p', {}, t(`viewer.def.${id}`)), exact === '' ? '' : h('p', { class: 'mono' }, exact), h('pre', { class: 'sql' }, t(`viewer.sql.${id}`)),
      id === 'duration' ? h('dl', { class: 'facts' }, this.trace.meta.metadata.flatMap(([k, v]) => [h('dt', { class: 'mono' }, visible(k)), h('dd', { class: 'mono' }, visible(v))])) : '');
  }
  private showLedger(): void {
    const text = (id: string) => (id === '' ? '' : has(id) ? t(id) : visible(id));
    const { notes, signals, gaps } = this.trace.meta;
    const sorted = [...signals].sort((a, b) => Number(a.ok) - Number(b.ok));
    this.show(t('viewer.quality'), h('p', {}, t('viewer.quality.about')), h('h3', {}, t('viewer.signals')),
      table<Signal>([
        { title: t('viewer.signal'), cell: (s) => h('span', { class: 'mono' }, visible(s.name)) },
        { title: t('viewer.available'), cell: (s) => (s.ok ? `✓ ${t('viewer.yes')}` : `✗ ${t('viewer.no')}`) },
        { title: t('viewer.reason'), cell: (s) => `${text(s.reason)}${s.detail === '' ? '' : ` (${visible(s.detail)})`}` },
        { title: t('viewer.mend'), cell: (s) => text(s.mend) },
        { title: t('viewer.source'), cell: (s) => visible(s.source) },
      ], sorted, { caption: t('viewer.signals') }),
      h('h3', {}, t('viewer.ledger')), notes.length === 0 ? h('p', {}, t('viewer.ledger.empty')) : table<Note>([
        { title: t('viewer.severity'), cell: (n) => t(`viewer.severity.${n.severity}`) },
        { title: t('viewer.note'), cell: (n) => text(n.code) },
        { title: 'n', number: true, cell: (n) => String(n.count) },
        { title: t('viewer.where'), cell: (n) => visible(n.where) },
        { title: t('viewer.mend'), cell: (n) => (has(`${n.code}.advice`) ? t(`${n.code}.advice`) : '') },
      ], notes, { caption: t('viewer.ledger') }),
      gaps.length === 0 ? '' : h('p', {}, t('viewer.gaps', { n: gaps.length })));
  }
  showHelp(): void {
    const keys: [string, string][] = [['W / S', 'zoom'], ['A / D, ← →', 'pan'], ['Shift', 'faster'], ['wheel', 'wheel'], ['drag', 'drag'], ['Shift + drag', 'dragpan'], ['0', 'all'], ['F', 'fit'], ['Backspace', 'undo'], ['X', 'measure'], ['E', 'edge'], ['Alt', 'free'],
      ['M', 'mark'], [', / .', 'step'], ['U', 'up'], ['P', 'pin'], ['N', 'note'], ['/', 'search'], ['Enter / Shift+Enter', 'next'], ['R', 'requests'], ['Q', 'drawer'], ['1 2 3', 'views'], ['T', 'theme'], ['L', 'lang'], ['?', 'help'], ['Esc', 'escape']];
    this.show(t('viewer.help'), h('dl', { class: 'keys' }, keys.flatMap(([key, id]) => [h('dt', {}, h('kbd', {}, key === 'wheel' || key === 'drag' || key === 'Shift + drag' ? t(`viewer.key.name.${id}`) : key)), h('dd', {}, t(`viewer.key.${id}`))])));
  }

  // --- keys --------------------------------------------------------------------------------------------------------
  private bind(): void {
    window.addEventListener('resize', () => { this.timelineView.resize(); this.flameView.resize(); this.heatView.resize(); });
    let timer = 0;
    this.search.addEventListener('input', () => { clearTimeout(timer); timer = window.setTimeout(() => this.runSearch(), 180); });
    this.search.addEventListener('keydown', (e) => {
      if (e.isComposing) return;
      if (e.key === 'Enter') { this.runSearch(); if (parseRef(this.search.value)) void this.open('timeline'); if (this.current === 'timeline') this.timelineView.searchStep(e.shiftKey ? -1 : 1); }
      if (e.key === 'Escape') { this.search.value = ''; this.runSearch(); this.search.blur(); }
    });
    window.addEventListener('keydown', (e) => this.onKey(e));
  }
  private lastQuery = '';
  private runSearch(): void {
    if (this.search.value === this.lastQuery) return;
    this.lastQuery = this.search.value;
    this.saveSoon();
    this.flameView.setQuery(this.search.value);
    void this.timelineView.search(this.search.value);
  }
  private onKey(e: KeyboardEvent): void {
    const target = e.target as HTMLElement;
    if (e.isComposing || this.dialog.open || target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return;
    if ((e.ctrlKey || e.metaKey) && e.code === 'KeyF') { e.preventDefault(); this.search.focus(); return; }
    if (e.ctrlKey || e.metaKey) return;
    const global: Record<string, () => void> = {
      Digit1: () => void this.open(this.views[0]!), Digit2: () => { if (this.views[1]) void this.open(this.views[1]); }, Digit3: () => { if (this.views[2]) void this.open(this.views[2]); },
      KeyT: () => this.toggleTheme(), KeyL: () => this.toggleLang(), Slash: () => (e.shiftKey ? this.showHelp() : this.search.focus()),
    };
    const tv = this.timelineView;
    const fast = e.shiftKey ? 4 : 1;
    const at = () => tv.timeline.time(Math.max(tv.state.pointerX, 264) || tv.timeline.width / 2);
    const timed: Record<string, () => void> = {
      KeyW: () => this.view.zoom(at(), 0.8 ** fast), KeyS: () => this.view.zoom(at(), 1.25 ** fast), KeyA: () => this.view.pan(-0.12 * fast * this.view.span), KeyD: () => this.view.pan(0.12 * fast * this.view.span),
      ArrowLeft: () => this.view.pan(-0.12 * fast * this.view.span), ArrowRight: () => this.view.pan(0.12 * fast * this.view.span), Digit0: () => this.view.go(0, this.trace.duration), Backspace: () => this.view.back(),
    };
    const timeline: Record<string, () => void> = {
      ArrowUp: () => { tv.timeline.scroll -= 60; tv.redraw(); }, ArrowDown: () => { tv.timeline.scroll += 60; tv.redraw(); }, KeyF: () => tv.fit(), KeyM: () => tv.markSelection(), KeyX: () => tv.toggleMeasuring(), KeyE: () => tv.flipEdge(),
      Comma: () => tv.step(-1), Period: () => tv.step(1), KeyU: () => tv.parent(), KeyP: () => tv.togglePin(), KeyN: () => tv.writeNote(), KeyR: () => tv.panel.open('requests'), KeyQ: () => { tv.panel.root.classList.toggle('folded'); tv.resize(); }, Escape: () => void tv.escape(), Enter: () => tv.searchStep(e.shiftKey ? -1 : 1),
    };
    const fv = this.flameView;
    const flame: Record<string, () => void> = { KeyW: () => fv.zoom(0.8 ** fast), KeyS: () => fv.zoom(1.25 ** fast), KeyA: () => fv.pan(-0.12 * fast), KeyD: () => fv.pan(0.12 * fast), ArrowLeft: () => fv.pan(-0.12 * fast), ArrowRight: () => fv.pan(0.12 * fast) };
    const run = global[e.code] ?? (this.current === 'flamegraph' ? flame : timed)[e.code] ?? (this.current === 'timeline' ? timeline[e.code] : undefined);
    if (!run || (e.code === 'Enter' && target instanceof HTMLButtonElement) || (e.code === 'Enter' && target.tagName === 'TR')) return;
    e.preventDefault();
    run();
  }
}
