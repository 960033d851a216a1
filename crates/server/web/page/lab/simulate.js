// Runs a simulation on the server: its form, progress and result. The lab's URL keeps its settings.

import { ask, beSomebody, get, post } from '../shared/net.js';
import { complain, csv, download, field, fill, grid, h, money, percent } from '../shared/ui.js';
import { number, refusal, t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */

/** @param {number} millions */
const long = (millions) => [String(millions * 1e6), t('unit.millions', { count: millions })];
const ROUNDS = [['100000', number(100_000)], ...[1, 10, 50].map(long)];
/** Lengths for houses with an accelerator device. */
const LONG = [1_000, 10_000, 100_000].map(long);
const COUNTS = ['', 'hi-lo', 'ko', 'hi-opt-1', 'hi-opt-2', 'omega-2', 'zen'];
/** Settings of a simulation that the URL keeps. */
export const KEPT = ['rounds', 'seed', 'count', 'ramp'];

/**
 * @param {{ body: () => Schemas['TableQuery'], known: Schemas['LabKnown'], edge?: Schemas['EdgeAnswer'] | null, keep: (run: Record<string, string>) => void }} lab
 * @param {Record<string, string>} run settings from the URL
 */
export function simulation(lab, run) {
  const pick = (/** @type {string} */ name, /** @type {string[][]} */ list, /** @type {string} */ chosen) =>
    /** @type {HTMLSelectElement} */ (
      h(
        'select',
        { name },
        list.map(([value, text]) => h('option', { value, selected: value === chosen }, text)),
      )
    );
  const lengths = [...ROUNDS, ...LONG].filter(([value]) => Number(value) <= lab.known.most_rounds);
  const rounds = pick('rounds', lengths, run.rounds ?? '1000000');
  const counts = COUNTS.map((name) => [name, name || t('simulate.no_count')]);
  const count = pick('count', counts, run.count ?? '');
  const seed = /** @type {HTMLInputElement} */ (
    h('input', { inputmode: 'numeric', value: run.seed ?? '1', size: 6, name: 'seed' })
  );
  const ramp = /** @type {HTMLInputElement} */ (
    h('input', { placeholder: '1:1,2:4,3:8', size: 12, name: 'ramp', value: run.ramp ?? '' })
  );
  const bar = /** @type {HTMLProgressElement} */ (
    h('progress', { max: 1, value: 0, 'aria-label': t('simulate.progress'), hidden: true })
  );
  const line = h('p', { role: 'status', class: 'sim-line' });
  const out = h('div', { class: 'stack-y' });
  const stop = h('button', { class: 'act', type: 'button', hidden: true }, t('action.stop'));

  /** @param {Schemas['SimulationState']} state */
  const progress = (state) => {
    const { rounds: played = 0, of: all = 0, ev = 0, std_error: error = 0 } = state;
    bar.value = all ? played / all : 0;
    const done = t('simulate.done', { done: number(played), total: all });
    const edge = t('simulate.edge', { edge: percent(-ev, 3), error: percent(error, 3) });
    fill(line, state.rounds ? `${done} · ${edge}` : t('simulate.strategy'));
  };

  const start = async () => {
    try {
      await beSomebody();
      const { id } = await post('/api/lab/simulations', {
        ...lab.body(),
        rounds: Number(rounds.value),
        seed: Number(seed.value) || 1,
        count: count.value || null,
        ramp: count.value && ramp.value ? ramp.value : null,
      });
      lab.keep({ rounds: rounds.value, seed: seed.value, count: count.value, ramp: count.value ? ramp.value : '' });
      stop.hidden = false;
      bar.hidden = false;
      stop.onclick = () => ask('DELETE', `/api/lab/simulations/${id}`).catch(complain);
      for (;;) {
        const state = await get(`/api/lab/simulations/${id}`);
        if (state.done) {
          const failed = state.failed && refusal(state.failure ?? {}, state.failed);
          fill(out, failed ? h('p', { class: 'wrong' }, failed) : simulated(state, lab.edge));
          fill(line);
          break;
        }
        progress(state);
        await new Promise((go) => setTimeout(go, 200));
      }
    } catch (error) {
      complain(error);
    } finally {
      stop.hidden = true;
      bar.hidden = true;
    }
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    start();
  };
  if (run.rounds) start();
  return h(
    'section',
    { class: 'panel' },
    h(
      'div',
      { class: 'panel-head' },
      h('h2', null, t('simulate.title')),
      h('span', { class: 'dim' }, t('simulate.subtitle')),
    ),
    h(
      'div',
      { class: 'pad stack-y' },
      h(
        'form',
        { class: 'row', onsubmit: submit },
        field(t('round.title'), rounds),
        field(t('simulate.seed'), seed),
        field(t('simulate.count'), count),
        field(t('simulate.ramp'), ramp),
        h('button', { class: 'act primary' }, t('action.run')),
        stop,
      ),
      bar,
      line,
      out,
    ),
  );
}

/**
 * Shows the result of a simulation.
 * @param {Schemas['SimulationState']} state @param {Schemas['EdgeAnswer'] | null | undefined} exact
 */
function simulated(state, exact) {
  const r = state.result;
  if (!r) return null;
  const off = exact ? (r.house_edge - exact.main.house_edge) / r.std_error : null;
  const fact = (/** @type {string} */ name, /** @type {string} */ value) => [h('dt', null, name), h('dd', null, value)];
  const picture = (/** @type {[string, string]} */ [name, svg]) =>
    h(
      'figure',
      null,
      h('img', {
        src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`,
        alt: t('simulate.chart', { name: term('picture', name) }),
        width: 470,
      }),
      h(
        'figcaption',
        { class: 'small' },
        term('picture', name),
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
          t('simulate.result', {
            error: percent(r.std_error, 4),
            rounds: r.rounds,
            stopped: state.stopped ? 'yes' : 'no',
          }),
        ),
      ),
      h(
        'dl',
        { class: 'facts' },
        fact(t('simulate.speed'), money(Math.round(r.rounds_per_second) * 100)),
        fact(t('figures.std_dev_short'), number(r.std_dev, 4)),
        fact(t('simulate.hands'), number(r.hands_per_round, 3)),
        fact(t('simulate.cards'), number(r.cards_per_round, 3)),
        off !== null ? fact(t('simulate.difference'), t('simulate.z', { count: Number(off.toFixed(2)) })) : null,
      ),
    ),
    r.side_wagers.length
      ? grid(
          [t('bet.side_bet'), `#${t('figures.house_edge')}`, `#${t('simulate.std_error')}`],
          r.side_wagers.map((s) => [term('bet', s.wager), percent(s.house_edge, 3), percent(s.std_error, 3)]),
          t('simulate.side_bets'),
        )
      : null,
    h('div', { class: 'pictures' }, Object.entries(state.pictures ?? {}).map(picture)),
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
