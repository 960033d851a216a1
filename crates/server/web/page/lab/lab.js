// The lab: any table with any option or ruling. Says at once whether the table is legal, then shows the exact house
// edge, effects, strategy and side bets, or a view of the workbench. The URL holds the whole view.

import { KEPT as BENCH, dressed, known as isView, opened, patient, plain, views } from './workbench.js';
import { atlasOf, edgeInAtlas } from './atlas.js';
import { charts } from '../shared/charts.js';
import { edgeFigures, effectTable, headline, sideWager } from './figures.js';
import { hourly } from './hourly.js';
import { get, post } from '../shared/net.js';
import { rulesPanel } from '../play/rules.js';
import { KEPT, simulation } from './simulate.js';
import {
  clauseLink,
  complain,
  download,
  field,
  fill,
  h,
  law,
  optionName,
  readdress,
  tableName,
  toast,
  valueOf,
} from '../shared/ui.js';
import { meaning, t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */

/** @param {HTMLElement} main @param {string[]} _ @param {URLSearchParams} query */
export async function show(main, _, query) {
  atlasOf(query.get('table') ?? FIRST);
  const [known] = await Promise.all([get('/api/lab'), dressed()]);
  const lab = new Lab(known, query);
  main.className = 'wide';
  fill(main, lab.element);
  await lab.check();
}

/** The preset that is shown if none is asked for. */
const FIRST = 'nj-blackjack';

const MONEY = ['minimum', 'maximum', 'chip'];
const MAIN = [
  'decks',
  'hole_card',
  'soft_17',
  'surrender',
  'even_money',
  'late_insurance',
  'split_hands',
  'resplit_aces',
  'double_after_split',
  'double_card',
  'attack_amount',
  'minimum',
  'maximum',
];

class Lab {
  /** @param {Schemas['LabKnown']} known @param {URLSearchParams} query */
  constructor(known, query) {
    this.known = known;
    this.preset = known.presets.some((p) => p.name === query.get('table')) ? String(query.get('table')) : FIRST;
    /** @type {Map<string, string>} */
    this.sets = new Map(
      query.getAll('set').map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
    );
    /** Settings of the simulation that the URL keeps. @type {Record<string, string>} */
    this.run = Object.fromEntries(KEPT.filter((key) => query.has(key)).map((key) => [key, query.get(key) ?? '']));
    /** The workbench view; empty for the exact figures. */
    this.view = isView(query.get('view')) ? String(query.get('view')) : '';
    /** Settings of that view. @type {Record<string, string>} */
    this.bench = Object.fromEntries(BENCH.filter((key) => query.has(key)).map((key) => [key, query.get(key) ?? '']));
    this.views = h('div', null);
    /** Names the table on a printed page. */
    this.paper = h('p', { class: 'on-paper' });
    /** Returns the address of a table with these options. @param {Record<string, unknown>} set */
    this.open = (set) => {
      const sets = new Map(this.sets);
      for (const [key, value] of Object.entries(set)) sets.set(key, plain(value));
      const asked = new URLSearchParams({ table: this.preset });
      for (const [key, value] of sets) asked.append('set', `${key}=${value}`);
      return `/lab?${asked}`;
    };
    this.turn = 0;
    /** @type {Schemas['EdgeAnswer'] | null} */
    this.edge = null;
    /** The preset that the figures belong to. */
    this.edgeOf = '';
    /** @type {Schemas['StrategyCharts'] | null} */
    this.charts = null;
    /** @type {Schemas['OptionEffect'][] | null} */
    this.effects = null;
    this.verdict = h('div', { class: 'pad', role: 'status' });
    this.options = h('div', { class: 'pad options' });
    this.figures = h('div', { class: 'stack-y' });
    this.title = h('span', null);
    const pick = h(
      'select',
      {
        onchange: (/** @type {Event} */ event) => {
          this.preset = valueOf(event);
          this.sets.clear();
          this.run = {};
          this.check();
        },
      },
      known.presets.map((p) => h('option', { value: p.name, selected: p.name === this.preset }, tableName(p.name))),
    );
    this.element = h(
      'div',
      null,
      h('h1', null, t('nav.lab')),
      this.views,
      this.paper,
      h(
        'div',
        { class: 'lab' },
        h(
          'div',
          { class: 'stack-y' },
          h('section', { class: 'panel pad' }, field(t('lab.preset'), pick)),
          h(
            'section',
            { class: 'panel' },
            h(
              'div',
              { class: 'panel-head' },
              h('h2', null, t('lab.options')),
              h(
                'button',
                {
                  class: 'quiet plain-text',
                  onclick: () => {
                    this.sets.clear();
                    this.check();
                  },
                },
                t('action.reset'),
              ),
            ),
            this.options,
          ),
        ),
        h('div', { class: 'stack-y' }, h('section', { class: 'panel' }, this.verdict), this.figures),
      ),
    );
  }

  body() {
    return { table: this.preset, set: Array.from(this.sets, ([key, value]) => `${key}=${value}`) };
  }

  /**
   * Returns the address of this table with its options, in the lab or on another page.
   * @param {string} path @param {[string, string][]} more
   */
  link(path, more) {
    const query = new URLSearchParams([...more, ['table', this.preset]]);
    for (const [key, value] of this.sets) query.append('set', `${key}=${value}`);
    return `${path}?${query}`;
  }

  /** Writes the current view into the URL. */
  address() {
    const kept = this.view ? [['view', this.view], ...Object.entries(this.bench)] : Object.entries(this.run);
    readdress(this.link('/lab', /** @type {[string, string][]} */ (kept.filter(([, value]) => value))));
    fill(
      this.paper,
      [tableName(this.preset), ...Array.from(this.sets, ([key, value]) => `${key} = ${value}`)].join(', '),
    );
    fill(
      this.views,
      views(this.view, (id) => this.link('/lab', id ? [['view', id]] : [])),
    );
  }

  /** Keeps a view's settings in the URL, so that the URL reproduces it. @param {Record<string, string>} kept */
  remember(kept) {
    Object.assign(this.bench, kept);
    this.address();
  }

  /** Keeps a simulation's settings in the URL, so that the URL reproduces it. @param {Record<string, string>} run */
  keep(run) {
    this.run = run;
    this.address();
  }

  /** @param {string} key @param {string} value */
  set(key, value) {
    this.sets.delete(key);
    this.sets.set(key, value);
    this.run = {};
    this.check();
  }

  async check() {
    const mine = ++this.turn;
    this.address();
    try {
      const told = await post('/api/lab/check', this.body());
      if (mine !== this.turn) return;
      this.told = told;
      this.drawOptions(told.values);
      this.drawVerdict(told);
      if (told.lawful) await this.drawFigures(mine);
      else fill(this.figures, h('p', { class: 'panel pad dim' }, t('lab.no_figures')));
    } catch (error) {
      const last = Array.from(this.sets.keys()).at(-1);
      if (last && /** @type {any} */ (error).status === 400) {
        this.sets.delete(last);
        complain(error);
        this.check();
      } else complain(error);
    }
  }

  /** @param {Schemas['Lawfulness']} told */
  drawVerdict(told) {
    const finding = (/** @type {Schemas['LabFinding']} */ f) =>
      h('li', null, law({ text: f.message, kind: 'error', code: f.code, params: f.params }), ' ', clauseLink(f.clause));
    fill(
      this.verdict,
      h(
        'p',
        { class: `verdict ${told.lawful ? 'ok' : 'wrong'}`, 'data-lawful': String(told.lawful) },
        told.lawful ? t('lab.table.lawful') : t('lab.table.not_lawful', { count: told.violations.length }),
      ),
      told.violations.length ? h('ul', { class: 'findings' }, told.violations.map(finding)) : null,
      told.warnings.length
        ? h(
            'details',
            { class: 'small' },
            h('summary', null, t('lab.table.also_required', { count: told.warnings.length })),
            h('ul', { class: 'findings' }, told.warnings.map(finding)),
          )
        : null,
      h(
        'p',
        { class: 'actions gap' },
        h(
          'button',
          {
            class: 'act',
            onclick: async () => {
              try {
                await navigator.clipboard.writeText(location.href);
                toast(t('action.link_copied'));
              } catch {
                toast(location.href);
              }
            },
          },
          t('action.copy_link'),
        ),
        told.lawful
          ? h('a', { class: 'act', href: this.link('/train', [['play', '1']]) }, t('lab.play_with_coach'))
          : null,
        h(
          'button',
          { class: 'act', onclick: () => download(`${this.preset}.toml`, told.file, 'text/plain') },
          t('lab.table_file'),
        ),
        h(
          'button',
          {
            class: 'act',
            onclick: () =>
              download(
                `${this.preset}.json`,
                JSON.stringify(
                  { ...this.body(), check: told, edge: this.edge, effects: this.effects, strategy: this.charts },
                  null,
                  1,
                ),
                'application/json',
              ),
          },
          'JSON',
        ),
      ),
    );
  }

  /** @param {Record<string, any>} values */
  drawOptions(values) {
    const held = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : null;
    const input = (/** @type {Schemas['LabKey']} */ key) => {
      const value = values[key.key];
      const common = { 'data-key': key.key, title: meaning('option', key) };
      if (key.words)
        return h(
          'select',
          { ...common, onchange: (/** @type {Event} */ e) => this.set(key.key, valueOf(e)) },
          key.words.map((/** @type {string} */ word) =>
            h('option', { value: word, selected: word === value }, term('value', word)),
          ),
        );
      if (typeof value === 'boolean')
        return h(
          'select',
          { ...common, onchange: (/** @type {Event} */ e) => this.set(key.key, valueOf(e)) },
          ['true', 'false'].map((word) =>
            h(
              'option',
              { value: word, selected: word === String(value) },
              word === 'true' ? t('action.yes') : t('action.no'),
            ),
          ),
        );
      if (Array.isArray(value))
        return h('input', {
          ...common,
          value: value.join(', '),
          placeholder: term('value', 'none'),
          onchange: (/** @type {Event} */ e) =>
            this.set(
              key.key,
              `[${valueOf(e)
                .split(',')
                .map((/** @type {string} */ s) => s.trim())
                .filter(Boolean)
                .map((/** @type {string} */ s) => JSON.stringify(s))
                .join(', ')}]`,
            ),
        });
      return h('input', {
        ...common,
        value: String(value ?? ''),
        inputmode: 'decimal',
        onchange: (/** @type {Event} */ e) =>
          this.set(key.key, MONEY.includes(key.key) ? `"${valueOf(e)}"` : valueOf(e)),
      });
    };
    const row = (/** @type {Schemas['LabKey']} */ key) =>
      field(optionName(key.key) + (this.sets.has(key.key) ? ' ●' : ''), input(key));
    const keys = this.known.keys.filter(
      (k) => k.key !== 'name' && (k.key !== 'attack_amount' || Boolean(this.told?.attacks)),
    );
    const first = keys.filter((k) => MAIN.includes(k.key));
    const rest = keys.filter((k) => !MAIN.includes(k.key));
    const offered = values.side_wagers ?? {};
    const open = Array.from(this.options.querySelectorAll('details'), (d) => d.open);
    const groups = [
      h(
        'details',
        { open: open[0] },
        h('summary', null, t('bet.side_bets')),
        h(
          'div',
          { class: 'checks' },
          this.known.side_wagers.map((s) =>
            h(
              'label',
              { class: 'row' },
              h('input', {
                type: 'checkbox',
                'data-key': `side_wagers.${s.wager}`,
                checked: s.wager in offered,
                onchange: (/** @type {Event} */ e) =>
                  this.set(`side_wagers.${s.wager}`, String(/** @type {HTMLInputElement} */ (e.target).checked)),
              }),
              term('bet', s.wager),
            ),
          ),
        ),
      ),
      h(
        'details',
        { open: open[1] },
        h('summary', null, t('lab.rulings')),
        h(
          'div',
          { class: 'fields' },
          this.known.rulings.map((r) =>
            h(
              'div',
              { class: 'ruling' },
              field(
                term('ruling', r.key),
                h(
                  'select',
                  {
                    'data-key': `rulings.${r.key}`,
                    onchange: (/** @type {Event} */ e) => this.set(`rulings.${r.key}`, valueOf(e)),
                  },
                  r.readings.map((/** @type {string} */ word) =>
                    h(
                      'option',
                      { value: word, selected: (values.rulings?.[r.key] ?? r.readings[0]) === word },
                      term('value', word),
                    ),
                  ),
                ),
                meaning('ruling', r),
              ),
              clauseLink(r.clause),
            ),
          ),
        ),
      ),
      h(
        'details',
        { open: open[2] },
        h('summary', null, t('lab.procedure')),
        h('div', { class: 'fields' }, rest.map(row)),
      ),
    ];
    fill(this.options, h('div', { class: 'fields' }, first.map(row)), groups);
    if (held)
      /** @type {HTMLElement | null} */ (this.options.querySelector(`[data-key="${CSS.escape(held)}"]`))?.focus();
  }

  /** @param {number} mine */
  async drawFigures(mine) {
    if (this.view && this.told) {
      const { known, told, preset, bench, open } = this;
      const shown = await opened(this.view, {
        known,
        told,
        preset,
        bench,
        open,
        body: () => this.body(),
        remember: (kept) => this.remember(kept),
      });
      if (mine === this.turn) fill(this.figures, shown);
      return;
    }
    // The old figures stay visible, marked as stale, until the new ones arrive.
    const before = new Map(
      Array.from(this.figures.querySelectorAll('[data-figures]'), (body) => [body.getAttribute('data-figures'), body]),
    );
    const panel = (/** @type {string} */ name) => {
      const old = Array.from(before.get(name)?.children ?? []).filter((child) => !child.matches('.working'));
      const body = h(
        'div',
        { class: 'pad', 'data-figures': name, 'aria-busy': 'true' },
        h('p', { class: 'dim working', role: 'status' }, old.length ? t('lab.stale') : t('lab.calculating')),
        old,
      );
      return {
        body,
        element: h('section', { class: 'panel' }, h('div', { class: 'panel-head' }, h('h2', null, name)), body),
      };
    };
    const [edge, chart, effects] = [panel(t('lab.exact')), panel(t('lab.strategy')), panel(t('lab.sensitivity'))];
    const sides = h('div', { class: 'stack-y' });
    const show = (/** @type {HTMLElement} */ body, /** @type {Element} */ figures) => {
      body.removeAttribute('aria-busy');
      fill(body, figures);
    };
    fill(
      this.figures,
      edge.element,
      chart.element,
      sides,
      effects.element,
      simulation(this, this.run),
      h(
        'details',
        { class: 'panel pad' },
        h('summary', null, t('lab.rules')),
        this.told ? rulesPanel(this.told.layout) : null,
      ),
    );
    const body = this.body();
    const stale = () => mine !== this.turn;
    const failed = (/** @type {HTMLElement} */ place) => (/** @type {import('../shared/net.js').Refused} */ error) => {
      if (!stale()) show(place, h('p', { class: 'dim' }, error.message));
    };
    const last = this.edgeOf === this.preset ? this.edge : null;
    edgeInAtlas(this.preset, this.sets, this.told?.values ?? {}).then((first) => {
      if (first === null || stale() || !edge.body.hasAttribute('aria-busy')) return;
      fill(/** @type {Element} */ (edge.body.querySelector('.working')), t('lab.first'));
      const shown = headline(first, last);
      shown.classList.add('fresh');
      edge.body.querySelector('.headline')?.remove();
      edge.body.querySelector('.working')?.after(shown);
    });
    await patient('/api/lab/edge', body).then((told) => {
      if (stale()) return;
      this.edge = told;
      this.edgeOf = this.preset;
      const minimum = Number(this.told?.values.minimum) || 10;
      show(edge.body, h('div', { class: 'stack-y' }, edgeFigures(told, last), hourly(told.main, minimum)));
      fill(sides, told.side_wagers.map(sideWager));
    }, failed(edge.body));
    if (stale()) return;
    await patient('/api/lab/strategy', body).then((told) => {
      if (stale()) return;
      this.charts = told;
      show(chart.body, charts(told, body, this.preset));
    }, failed(chart.body));
    if (stale()) return;
    await patient('/api/lab/effects', body).then((told) => {
      if (stale()) return;
      this.effects = told;
      show(
        effects.body,
        effectTable(told, (key, value) => this.set(key, value)),
      );
    }, failed(effects.body));
  }
}
