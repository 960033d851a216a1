// The lab: any table, any option or ruling; lawful or not at once, then exact edge, effects, strategy and side wagers.
// The address holds the whole view.

import { ask, beSomebody, get, post } from './net.js';
import { rulesPanel } from './rules.js';
import {
  clauseLink,
  complain,
  csv,
  download,
  field,
  fill,
  grid,
  h,
  money,
  percent,
  tableName,
  title,
  toast,
} from './ui.js';

/** @param {HTMLElement} main @param {string[]} _ @param {URLSearchParams} query */
export async function show(main, _, query) {
  const known = await get('/api/lab');
  const lab = new Lab(known, query);
  main.className = 'wide';
  fill(main, lab.element);
  await lab.check();
}

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

/** Asks again while the house is still working it out. @param {string} path @param {any} body */
async function patient(path, body) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await post(path, body);
    } catch (error) {
      const { status } = /** @type {any} */ (error);
      if (tries > 8 || (status !== 408 && status !== 429)) throw error;
      await new Promise((go) => setTimeout(go, 1000));
    }
  }
}

class Lab {
  /** @param {any} known @param {URLSearchParams} query */
  constructor(known, query) {
    this.known = known;
    this.preset = known.presets.some((/** @type {any} */ p) => p.name === query.get('table'))
      ? String(query.get('table'))
      : 'nj-blackjack';
    /** @type {Map<string, string>} */
    this.sets = new Map(
      query.getAll('set').map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
    );
    this.turn = 0;
    this.verdict = h('div', { class: 'pad', role: 'status' });
    this.options = h('div', { class: 'pad options' });
    this.figures = h('div', { class: 'stack-y' });
    this.title = h('span', null);
    const pick = h(
      'select',
      {
        onchange: (/** @type {any} */ event) => {
          this.preset = event.target.value;
          this.sets.clear();
          this.check();
        },
      },
      known.presets.map((/** @type {any} */ p) =>
        h('option', { value: p.name, selected: p.name === this.preset }, tableName(p.name)),
      ),
    );
    this.element = h(
      'div',
      null,
      h('h1', null, 'Lab'),
      h(
        'div',
        { class: 'lab' },
        h(
          'div',
          { class: 'stack-y' },
          h('section', { class: 'panel pad' }, field('Begin with', pick)),
          h(
            'section',
            { class: 'panel' },
            h(
              'div',
              { class: 'panel-head' },
              h('h2', null, 'Options'),
              h(
                'button',
                {
                  class: 'quiet plain-text',
                  onclick: () => {
                    this.sets.clear();
                    this.check();
                  },
                },
                'Reset',
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

  link() {
    const query = new URLSearchParams({ table: this.preset });
    for (const [key, value] of this.sets) query.append('set', `${key}=${value}`);
    return `/lab?${query}`;
  }

  /** @param {string} key @param {string} value */
  set(key, value) {
    this.sets.delete(key);
    this.sets.set(key, value);
    this.check();
  }

  async check() {
    const mine = ++this.turn;
    history.replaceState(null, '', this.link());
    try {
      const told = await post('/api/lab/check', this.body());
      if (mine !== this.turn) return;
      this.told = told;
      this.drawOptions(told.values);
      this.drawVerdict(told);
      if (told.lawful) await this.drawFigures(mine);
      else fill(this.figures, h('p', { class: 'panel pad dim' }, 'No figures for a table that may not be dealt.'));
    } catch (error) {
      const last = Array.from(this.sets.keys()).at(-1);
      if (last && /** @type {any} */ (error).status === 400) {
        this.sets.delete(last);
        complain(error);
        this.check();
      } else complain(error);
    }
  }

  /** @param {any} told */
  drawVerdict(told) {
    const finding = (/** @type {any} */ f) => h('li', null, f.message, ' ', clauseLink(f.clause));
    fill(
      this.verdict,
      h(
        'p',
        { class: `verdict ${told.lawful ? 'ok' : 'wrong'}`, 'data-lawful': String(told.lawful) },
        told.lawful
          ? '✓ This table is lawful.'
          : `✗ This table is not lawful: ${told.violations.length} violation${told.violations.length === 1 ? '' : 's'}.`,
      ),
      told.violations.length ? h('ul', { class: 'findings' }, told.violations.map(finding)) : null,
      told.warnings.length
        ? h(
            'details',
            { class: 'small' },
            h('summary', null, `Beyond what a table file can show (${told.warnings.length})`),
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
                toast('The link is copied.');
              } catch {
                toast(location.href);
              }
            },
          },
          'Copy link',
        ),
        h(
          'button',
          { class: 'act', onclick: () => download(`${this.preset}.toml`, told.file, 'text/plain') },
          'Table file',
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

  /** @param {any} values */
  drawOptions(values) {
    const held = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : null;
    const input = (/** @type {any} */ key) => {
      const value = values[key.key];
      const common = { 'data-key': key.key, title: key.about };
      if (key.words)
        return h(
          'select',
          { ...common, onchange: (/** @type {any} */ e) => this.set(key.key, e.target.value) },
          key.words.map((/** @type {string} */ word) =>
            h('option', { value: word, selected: word === value }, title(word)),
          ),
        );
      if (typeof value === 'boolean')
        return h(
          'select',
          { ...common, onchange: (/** @type {any} */ e) => this.set(key.key, e.target.value) },
          ['true', 'false'].map((word) =>
            h('option', { value: word, selected: word === String(value) }, word === 'true' ? 'Yes' : 'No'),
          ),
        );
      if (Array.isArray(value))
        return h('input', {
          ...common,
          value: value.join(', '),
          placeholder: 'none',
          onchange: (/** @type {any} */ e) =>
            this.set(
              key.key,
              `[${e.target.value
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
        onchange: (/** @type {any} */ e) =>
          this.set(key.key, MONEY.includes(key.key) ? `"${e.target.value}"` : e.target.value),
      });
    };
    const row = (/** @type {any} */ key) => field(title(key.key) + (this.sets.has(key.key) ? ' ●' : ''), input(key));
    const keys = this.known.keys.filter((/** @type {any} */ k) => k.key !== 'name');
    const first = keys.filter((/** @type {any} */ k) => MAIN.includes(k.key));
    const rest = keys.filter((/** @type {any} */ k) => !MAIN.includes(k.key));
    const offered = values.side_wagers ?? {};
    const open = Array.from(this.options.querySelectorAll('details'), (d) => d.open);
    const groups = [
      h(
        'details',
        { open: open[0] },
        h('summary', null, 'Side wagers'),
        h(
          'div',
          { class: 'checks' },
          this.known.side_wagers.map((/** @type {any} */ s) =>
            h(
              'label',
              { class: 'row' },
              h('input', {
                type: 'checkbox',
                'data-key': `side_wagers.${s.wager}`,
                checked: s.wager in offered,
                onchange: (/** @type {any} */ e) => this.set(`side_wagers.${s.wager}`, String(e.target.checked)),
              }),
              s.title,
            ),
          ),
        ),
      ),
      h(
        'details',
        { open: open[1] },
        h('summary', null, 'Rulings: how ambiguous clauses are read'),
        h(
          'div',
          { class: 'fields' },
          this.known.rulings.map((/** @type {any} */ r) =>
            h(
              'div',
              { class: 'ruling' },
              field(
                title(r.key),
                h(
                  'select',
                  {
                    'data-key': `rulings.${r.key}`,
                    onchange: (/** @type {any} */ e) => this.set(`rulings.${r.key}`, e.target.value),
                  },
                  r.readings.map((/** @type {string} */ word) =>
                    h(
                      'option',
                      { value: word, selected: (values.rulings?.[r.key] ?? r.readings[0]) === word },
                      title(word),
                    ),
                  ),
                ),
                r.about,
              ),
              clauseLink(r.clause),
            ),
          ),
        ),
      ),
      h(
        'details',
        { open: open[2] },
        h('summary', null, 'Cards, people and procedure'),
        h('div', { class: 'fields' }, rest.map(row)),
      ),
    ];
    fill(this.options, h('div', { class: 'fields' }, first.map(row)), groups);
    if (held)
      /** @type {HTMLElement | null} */ (this.options.querySelector(`[data-key="${CSS.escape(held)}"]`))?.focus();
  }

  /** @param {number} mine */
  async drawFigures(mine) {
    const panel = (/** @type {string} */ name) => {
      const body = h('div', { class: 'pad' }, h('p', { class: 'dim' }, 'Working it out…'));
      return {
        body,
        element: h('section', { class: 'panel' }, h('div', { class: 'panel-head' }, h('h2', null, name)), body),
      };
    };
    const [edge, chart, effects] = [panel('Exact figures'), panel('Strategy'), panel('How each option moves the edge')];
    const sides = h('div', { class: 'stack-y' });
    fill(
      this.figures,
      edge.element,
      chart.element,
      sides,
      effects.element,
      this.simulation(),
      h('details', { class: 'panel pad' }, h('summary', null, 'Rules in plain words'), rulesPanel(this.told.layout)),
    );
    const body = this.body();
    const stale = () => mine !== this.turn;
    const failed = (/** @type {any} */ place) => (/** @type {any} */ error) => {
      if (!stale()) fill(place, h('p', { class: 'dim' }, error.message));
    };
    await patient('/api/lab/edge', body).then((told) => {
      if (stale()) return;
      this.edge = told;
      fill(edge.body, edgeFigures(told));
      fill(sides, told.side_wagers.map(sideWager));
    }, failed(edge.body));
    if (stale()) return;
    await patient('/api/lab/strategy', body).then((told) => {
      if (stale()) return;
      this.charts = told;
      fill(chart.body, charts(told, body, this.preset));
    }, failed(chart.body));
    if (stale()) return;
    await patient('/api/lab/effects', body).then((told) => {
      if (stale()) return;
      this.effects = told;
      fill(effects.body, this.effectTable(told));
    }, failed(effects.body));
  }

  /** A run on the house's processor, with its progress while it goes on. */
  simulation() {
    const rounds = /** @type {HTMLSelectElement} */ (
      h(
        'select',
        { name: 'rounds' },
        [
          ['100000', '100,000'],
          ['1000000', '1 million'],
          ['10000000', '10 million'],
          ['50000000', '50 million'],
        ].map(([value, name]) => h('option', { value, selected: value === '1000000' }, name)),
      )
    );
    const seed = /** @type {HTMLInputElement} */ (
      h('input', { inputmode: 'numeric', value: '1', size: 6, name: 'seed' })
    );
    const count = /** @type {HTMLSelectElement} */ (
      h(
        'select',
        { name: 'count' },
        ['', 'hi-lo', 'ko', 'hi-opt-1', 'hi-opt-2', 'omega-2', 'zen'].map((name) =>
          h('option', { value: name }, name || 'No count'),
        ),
      )
    );
    const ramp = /** @type {HTMLInputElement} */ (h('input', { placeholder: '1:1,2:4,3:8', size: 12, name: 'ramp' }));
    const bar = /** @type {HTMLProgressElement} */ (
      h('progress', { max: 1, value: 0, 'aria-label': 'Progress of the simulation', hidden: true })
    );
    const line = h('p', { role: 'status', class: 'sim-line' });
    const out = h('div', { class: 'stack-y' });
    const stop = h('button', { class: 'act', type: 'button', hidden: true }, 'Stop');
    const start = async (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        await beSomebody();
        const { id } = await post('/api/lab/simulations', {
          ...this.body(),
          rounds: Number(rounds.value),
          seed: Number(seed.value) || 1,
          count: count.value || null,
          ramp: count.value && ramp.value ? ramp.value : null,
        });
        stop.hidden = false;
        bar.hidden = false;
        stop.onclick = () => ask('DELETE', `/api/lab/simulations/${id}`).catch(complain);
        for (;;) {
          const state = await get(`/api/lab/simulations/${id}`);
          if (state.done) {
            bar.value = 1;
            fill(out, state.failed ? h('p', { class: 'wrong' }, state.failed) : simulated(state, this.edge));
            fill(line);
            break;
          }
          bar.value = state.of ? state.rounds / state.of : 0;
          fill(
            line,
            state.rounds
              ? `${money(state.rounds * 100)} of ${money((state.of ?? 0) * 100)} rounds · edge ${percent(-state.ev, 3)} ± ${percent(state.std_error, 3)}`
              : 'Working out the strategy…',
          );
          await new Promise((go) => setTimeout(go, 200));
        }
      } catch (error) {
        complain(error);
      } finally {
        stop.hidden = true;
        bar.hidden = true;
      }
    };
    return h(
      'section',
      { class: 'panel' },
      h(
        'div',
        { class: 'panel-head' },
        h('h2', null, 'Simulation'),
        h('span', { class: 'dim' }, 'whole shoes, total-dependent play'),
      ),
      h(
        'div',
        { class: 'pad stack-y' },
        h(
          'form',
          { class: 'row', onsubmit: start },
          field('Rounds', rounds),
          field('Seed', seed),
          field('Count', count),
          field('Stakes by count', ramp),
          h('button', { class: 'act primary' }, 'Run'),
          stop,
        ),
        bar,
        line,
        out,
      ),
    );
  }

  /** @param {any[]} list */
  effectTable(list) {
    if (!list.length) return h('p', { class: 'dim' }, 'No lawful change of one option moves it.');
    const most = Math.max(...list.map((e) => Math.abs(e.change)));
    const bar = (/** @type {number} */ change) => {
      const i = h('i', { class: change > 0 ? 'worse' : 'better' });
      i.style.width = `${Math.max(1, (Math.abs(change) / most) * 50)}%`;
      i.style[change > 0 ? 'left' : 'right'] = '50%';
      return h('span', { class: 'effect-bar', 'aria-hidden': 'true' }, i);
    };
    return h(
      'div',
      null,
      grid(
        ['Change', '#House edge', '#Moves it by', 'For the player'],
        list
          .toSorted((a, b) => a.change - b.change)
          .map((e) => [
            h(
              'button',
              {
                class: 'plain-text',
                onclick: () => this.set(e.key, e.key === 'bonus_payouts' ? JSON.stringify([e.value]) : e.value),
              },
              `${title(e.key.replace('rulings.', 'ruling '))} → ${title(e.value)}`,
            ),
            percent(e.house_edge),
            h('span', { class: e.change > 0 ? 'wrong' : 'ok' }, `${e.change > 0 ? '+' : ''}${percent(e.change, 4)}`),
            bar(e.change),
          ]),
        'Effects of options',
      ),
      h(
        'p',
        { class: 'actions gap' },
        h(
          'button',
          {
            class: 'act',
            onclick: () =>
              download(
                'effects.csv',
                csv([
                  ['key', 'value', 'house_edge', 'change'],
                  ...list.map((e) => [e.key, e.value, e.house_edge, e.change]),
                ]),
                'text/csv',
              ),
          },
          'CSV',
        ),
      ),
    );
  }
}

/** @param {any} told */
function edgeFigures(told) {
  const { main } = told;
  const fact = (/** @type {string} */ name, /** @type {string} */ value) => [h('dt', null, name), h('dd', null, value)];
  return h(
    'div',
    { class: 'figures' },
    h(
      'div',
      { class: 'headline' },
      h('b', { 'data-edge': main.house_edge }, percent(main.house_edge, 4)),
      h('span', { class: 'dim' }, 'house edge of the initial wager'),
    ),
    h(
      'dl',
      { class: 'facts' },
      fact('Standard deviation', main.std_dev.toFixed(4)),
      fact('Element of risk', percent(main.element_of_risk, 4)),
      fact('Staked on average', main.staked.toFixed(4)),
      told.insurance ? fact('Insurance', percent(told.insurance.house_edge, 4)) : null,
      fact('Play', main.strategy),
      fact('Worked out in', `${main.seconds.toFixed(2)} s`),
    ),
    h(
      'dl',
      { class: 'facts' },
      Object.entries(main.shares).flatMap(([name, value]) =>
        fact(`Rounds ${name}`, percent(/** @type {number} */ (value), 2)),
      ),
    ),
  );
}

/** What a simulation came to. @param {any} state @param {any} exact */
function simulated(state, exact) {
  const r = state.result;
  const off = exact ? (r.house_edge - exact.main.house_edge) / r.std_error : null;
  const fact = (/** @type {string} */ name, /** @type {string} */ value) => [h('dt', null, name), h('dd', null, value)];
  const picture = (/** @type {[string, any]} */ [name, svg]) =>
    h(
      'figure',
      null,
      h('img', {
        src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`,
        alt: `Picture: ${title(name)}`,
        width: 470,
      }),
      h(
        'figcaption',
        { class: 'small' },
        title(name),
        ' ',
        h('button', { class: 'plain-text', onclick: () => download(`${name}.svg`, svg, 'image/svg+xml') }, 'SVG'),
      ),
    );
  return h(
    'div',
    { class: 'stack-y' },
    h(
      'div',
      { class: 'figures' },
      h(
        'div',
        { class: 'headline' },
        h('b', { 'data-simulated': r.house_edge }, percent(r.house_edge, 3)),
        h(
          'span',
          { class: 'dim' },
          `± ${percent(r.std_error, 4)}, ${money(r.rounds * 100)} rounds${state.stopped ? ', stopped' : ''}`,
        ),
      ),
      h(
        'dl',
        { class: 'facts' },
        fact('Rounds a second', money(Math.round(r.rounds_per_second) * 100)),
        fact('Standard deviation', r.std_dev.toFixed(4)),
        fact('Hands a round', r.hands_per_round.toFixed(3)),
        fact('Cards a round', r.cards_per_round.toFixed(3)),
        off !== null ? fact('Off the exact edge of a fresh shoe', `${off.toFixed(2)} standard errors`) : null,
      ),
    ),
    r.side_wagers.length
      ? grid(
          ['Side wager', '#House edge', '#Standard error'],
          r.side_wagers.map((/** @type {any} */ s) => [
            title(s.wager),
            percent(s.house_edge, 3),
            percent(s.std_error, 3),
          ]),
          'Simulated side wagers',
        )
      : null,
    h('div', { class: 'pictures' }, Object.entries(state.pictures).map(picture)),
    h(
      'p',
      { class: 'actions' },
      h(
        'button',
        { class: 'act', onclick: () => download('simulation.json', JSON.stringify(r, null, 1), 'application/json') },
        'JSON',
      ),
      h(
        'button',
        {
          class: 'act',
          onclick: () => download('distribution.csv', csv([['result', 'share'], ...r.distribution]), 'text/csv'),
        },
        'CSV',
      ),
    ),
  );
}

/** @param {any} side */
function sideWager(side) {
  const most = Math.max(...side.outcomes.map((/** @type {any} */ o) => o.probability), 0.0001);
  const bar = (/** @type {number} */ p) => {
    const i = h('i', null);
    i.style.width = `${Math.max(1, (p / most) * 100)}%`;
    return h('span', { class: 'share-bar', 'aria-hidden': 'true' }, i);
  };
  return h(
    'section',
    { class: 'panel' },
    h(
      'div',
      { class: 'panel-head' },
      h('h2', null, title(side.wager)),
      h('span', { class: 'dim' }, `pay table ${side.paytable}`),
      h('b', { 'data-side-edge': side.wager }, percent(side.house_edge, 4)),
      side.exact_edge && side.exact_edge.length < 48
        ? h('span', { class: 'dim small' }, `exactly ${side.exact_edge}`)
        : null,
    ),
    h(
      'div',
      { class: 'pad' },
      grid(
        ['Outcome', 'Pays', '#Chance', '#One in', ''],
        side.outcomes.map((/** @type {any} */ o) => [
          title(o.outcome),
          o.pays,
          percent(o.probability, 5),
          o.probability > 0 ? money(Math.round(1 / o.probability) * 100) : '–',
          bar(o.probability),
        ]),
        `Outcomes of ${title(side.wager)}`,
      ),
      side.notes.map((/** @type {string} */ note) => h('p', { class: 'small dim' }, note)),
      h(
        'p',
        { class: 'actions gap' },
        h(
          'button',
          {
            class: 'act',
            onclick: () =>
              download(
                `${side.wager}.csv`,
                csv([
                  ['outcome', 'pays', 'probability', 'exact'],
                  ...side.outcomes.map((/** @type {any} */ o) => [o.outcome, o.pays, o.probability, o.exact]),
                ]),
                'text/csv',
              ),
          },
          'CSV',
        ),
      ),
    ),
  );
}

const ACTIONS = /** @type {Record<string, string>} */ ({
  s: 'Stand',
  h: 'Hit',
  d: 'Double',
  p: 'Split',
  r: 'Surrender',
  y: 'Yes',
  n: 'No',
});

/** @param {any} told @param {any} body @param {string} name */
function charts(told, body, name) {
  const detail = h('p', { class: 'chart-detail', role: 'status' }, 'Point at a box for its value.');
  const section = (/** @type {any} */ chart) => {
    const values = chart.chart === 'switch';
    const cell = (/** @type {any} */ c, /** @type {string} */ row, /** @type {string} */ column) => {
      const kind = values ? (c.ev >= 0 ? 'y' : 'n') : c.action.charAt(0).toLowerCase();
      const text = `${row} against ${column}: ${c.action} ${c.ev.toFixed(5)}${c.second ? `; ${c.second} loses ${c.loss.toFixed(5)}` : ''}${c.exceptions.length ? `; but ${c.exceptions.join(', ')}` : ''}`;
      return h(
        'td',
        {
          class: `c-${kind}`,
          title: text,
          onmouseenter: () => {
            detail.textContent = text;
          },
        },
        values ? c.ev.toFixed(2) : c.action + (c.exceptions.length ? '*' : ''),
      );
    };
    return h(
      values ? 'details' : 'div',
      { class: 'chart' },
      h(values ? 'summary' : 'h3', null, values ? 'Switch: the value of every two cards' : title(chart.chart)),
      h('p', { class: 'small dim' }, chart.legend),
      h(
        'div',
        { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Chart: ${chart.chart}` },
        h(
          'table',
          { class: 'strategy' },
          h(
            'thead',
            null,
            h(
              'tr',
              null,
              h('td', null),
              told.columns.map((/** @type {string} */ c) => h('th', { scope: 'col' }, c)),
            ),
          ),
          h(
            'tbody',
            null,
            chart.rows.map((/** @type {any} */ row) =>
              h(
                'tr',
                null,
                h('th', { scope: 'row' }, row.row),
                row.cells.map((/** @type {any} */ c, /** @type {number} */ at) => cell(c, row.row, told.columns[at])),
              ),
            ),
          ),
        ),
      ),
    );
  };
  const rows = () => [
    ['chart', 'row', 'dealer', 'action', 'ev', 'second', 'loss'],
    ...told.charts.flatMap((/** @type {any} */ c) =>
      c.rows.flatMap((/** @type {any} */ r) =>
        r.cells.map((/** @type {any} */ b, /** @type {number} */ at) => [
          c.chart,
          r.row,
          told.columns[at],
          b.action,
          b.ev,
          b.second,
          b.loss,
        ]),
      ),
    ),
  ];
  return h(
    'div',
    null,
    h(
      'p',
      { class: 'legend' },
      Object.entries(ACTIONS)
        .filter(([key]) =>
          told.charts.some((/** @type {any} */ c) =>
            c.rows.some((/** @type {any} */ r) =>
              r.cells.some((/** @type {any} */ b) => b.action.charAt(0).toLowerCase() === key),
            ),
          ),
        )
        .map(([key, word]) => h('span', { class: `c-${key}` }, word)),
    ),
    detail,
    h('div', { class: 'charts' }, told.charts.map(section)),
    h(
      'p',
      { class: 'actions gap' },
      h('button', { class: 'act', onclick: () => download(`${name}-strategy.csv`, csv(rows()), 'text/csv') }, 'CSV'),
      h(
        'button',
        {
          class: 'act',
          onclick: async () => {
            try {
              download(`${name}-strategy.svg`, await post('/api/lab/strategy.svg', body), 'image/svg+xml');
            } catch (error) {
              complain(error);
            }
          },
        },
        'SVG',
      ),
    ),
  );
}
