// A counting system of the user's own: ten tags, their correlation with the effects of removal, then index plays and
// the best bet ramp for a bankroll, which the server computes.

import { jsonFile, panel, patient, takeAway } from './workbench.js';
import { field, fill, grid, h, percent, svg } from '../shared/ui.js';
import { number, sentence, t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */
/** @typedef {import('../shared/ui.js').Child} Child */
/** @typedef {Schemas['TagsDocument']['wagers'][number]} Tagged */
/** @typedef {import('../../../browser/types').Ramp} Ramp */

const VALUES = 'A23456789T';
const LEVEL = 3;
/** Well-known counting systems with their tags. */
const SYSTEMS = /** @type {[string, string][]} */ ([
  ['hi-lo', '-1,1,1,1,1,1,0,0,0,-1'],
  ['ko', '-1,1,1,1,1,1,1,0,0,-1'],
  ['hi-opt-1', '0,0,1,1,1,1,0,0,0,-1'],
  ['hi-opt-2', '0,1,1,2,2,1,1,0,0,-2'],
  ['omega-2', '0,1,1,2,2,2,1,0,-1,-2'],
  ['zen', '-1,1,1,2,2,2,1,0,0,-2'],
]);

/**
 * Returns the correlation of tags and effects over all cards of the shoe.
 * @param {number[]} cards @param {number[]} tags @param {number[]} effects
 */
export function correlation(cards, tags, effects) {
  const all = cards.reduce((sum, n) => sum + n, 0);
  const mean = (/** @type {number[]} */ of) => of.reduce((sum, x, at) => sum + cards[at] * x, 0) / all;
  const [a, b] = [mean(tags), mean(effects)];
  const product = (/** @type {(at: number) => number} */ f) => cards.reduce((sum, n, at) => sum + n * f(at), 0);
  const spread = product((at) => (tags[at] - a) ** 2) * product((at) => (effects[at] - b) ** 2);
  return spread > 0 ? product((at) => (tags[at] - a) * (effects[at] - b)) / Math.sqrt(spread) : 0;
}

/**
 * Draws the effect of removal and the tag of each card value as bars.
 * @param {number[]} tags @param {number[]} effects
 */
function picture(tags, effects) {
  const [width, high] = [640, 180];
  const bar = (
    /** @type {number[]} */ of,
    /** @type {number} */ at,
    /** @type {number} */ shift,
    /** @type {string} */ kind,
  ) => {
    const most = Math.max(...of.map(Math.abs), 1e-12);
    const tall = (Math.abs(of[at]) / most) * (high / 2 - 18);
    return svg('rect', {
      x: ((at + 0.5) * (width / 10) + shift).toFixed(1),
      y: (of[at] >= 0 ? high / 2 - tall : high / 2).toFixed(1),
      width: 18,
      height: Math.max(0.5, tall).toFixed(1),
      class: kind,
    });
  };
  return svg(
    'svg',
    { viewBox: `0 0 ${width} ${high}`, class: 'tags-picture', role: 'img', 'aria-label': t('count_lab.tags.legend') },
    svg('path', { class: 'axis', d: `M0 ${high / 2}H${width}` }),
    ...VALUES.split('').flatMap((value, at) => [
      bar(effects, at, -20, 'effect'),
      bar(tags, at, 2, 'tag'),
      svg('text', { x: ((at + 0.5) * (width / 10)).toFixed(1), y: high - 3, 'text-anchor': 'middle' }, value),
    ]),
  );
}

/** Draws bets and advantage by count. @param {Ramp['ramp']} ramp */
function stakes(ramp) {
  const rows = ramp.filter((row) => row.frequency > 1e-4);
  const [width, high] = [640, 200];
  const wide = width / Math.max(rows.length, 1);
  const most = Math.max(...rows.map((row) => row.stake), 1);
  const edge = Math.max(...rows.map((row) => Math.abs(row.ev)), 1e-9);
  const y = (/** @type {number} */ ev) => (high - 24) / 2 - (ev / edge) * ((high - 24) / 2 - 6);
  const line = rows.map((row, at) => `${((at + 0.5) * wide).toFixed(1)} ${y(row.ev).toFixed(1)}`).join('L');
  return svg(
    'svg',
    { viewBox: `0 0 ${width} ${high}`, class: 'stakes', role: 'img', 'aria-label': t('count_lab.ramp.chart') },
    ...rows.map((row, at) => {
      const tall = (row.stake / most) * (high - 30);
      return svg(
        'rect',
        {
          x: (at * wide + 2).toFixed(1),
          y: (high - 20 - tall).toFixed(1),
          width: Math.max(1, wide - 4).toFixed(1),
          height: tall.toFixed(1),
          class: 'stake',
        },
        svg('title', {}, `${row.count}: ${number(row.stake)}`),
      );
    }),
    svg('path', { class: 'axis', d: `M0 ${((high - 24) / 2).toFixed(1)}H${width}` }),
    svg('path', { class: 'advantage', d: `M${line}` }),
    ...rows
      .map((row, at) => ({ row, at }))
      .filter(({ row }) => row.count % 2 === 0)
      .map(({ row, at }) =>
        svg('text', { x: ((at + 0.5) * wide).toFixed(1), y: high - 4, 'text-anchor': 'middle' }, number(row.count)),
      ),
  );
}

/** Says why there is no bet ramp. @param {import('../../../browser/types').RampRefused} told */
const refused = ({ refused: { reason } }) => h('p', { class: 'wrong', role: 'alert' }, sentence(reason));

/** Shows the results of a bet ramp. @param {Ramp} told @param {string} name */
function ramped(told, name) {
  const fact = (/** @type {string} */ label, /** @type {Child} */ value) => [
    h('dt', null, label),
    h('dd', null, value),
  ];
  return [
    h(
      'div',
      { class: 'figures' },
      h(
        'div',
        { class: 'headline' },
        h('b', { 'data-score': told.score }, number(told.score, 2)),
        h('span', { class: 'dim' }, 'SCORE'),
      ),
      h(
        'dl',
        { class: 'facts' },
        fact(t('count_lab.win_rate'), number(told.win_per_100, 3)),
        fact(t('figures.std_dev_short'), number(told.std_dev_100 ?? NaN, 2)),
        fact('N0', told.n0 === null ? '–' : number(Math.round(told.n0))),
        fact(t('count_lab.ruin'), percent(told.risk_of_ruin, 3)),
        fact(t('count_lab.average_bet'), number(told.average_stake ?? NaN, 3)),
        fact('c-SCORE', number(told.c_score ?? NaN, 2)),
        fact(t('count_lab.indices'), number(told.index_plays ?? 0)),
      ),
    ),
    stakes(told.ramp),
    h('p', { class: 'small dim' }, t('count_lab.ramp.legend')),
    h('p', null, h('span', { class: 'dim' }, t('count_lab.ramp.label')), ' ', h('code', null, told.ramp_text)),
    takeAway([['JSON', () => jsonFile(`${name}-ramp.json`, told)]]),
  ];
}

/** @param {Schemas['IndicesDocument']} told */
const indices = (told) => [
  grid(
    [
      t('shoe_lab.hand'),
      t('shoe_lab.upcard'),
      `#${t('count_lab.index')}`,
      t('count_lab.play'),
      t('count_lab.otherwise'),
      `#${t('count_lab.gain')}`,
    ],
    told.indices
      .slice(0, 30)
      .map((one) => [
        h('span', { 'data-own': '' }, one.hand),
        one.up,
        number(one.from),
        one.play,
        one.otherwise,
        number(1e6 * one.gain, 2),
      ]),
    t('count_lab.indices'),
  ),
  told.insurance ? h('p', { class: 'small' }, t('count_lab.insurance', { index: told.insurance.from })) : null,
];

/** @param {import('./workbench.js').LabView} lab */
export function view(lab) {
  const values = lab.told.values;
  const deck = lab.told.deck.split(' ');
  const cards = VALUES.split('').map(
    (value) =>
      Number(values.decks) * deck.filter(([rank]) => (value === 'T' ? 'TJQK'.includes(rank) : rank === value)).length,
  );
  const asked = (lab.bench.tags ?? SYSTEMS[0][1]).split(',').map(Number);
  const inputs = VALUES.split('').map(
    (value, at) =>
      /** @type {HTMLInputElement} */ (
        h('input', {
          type: 'number',
          min: -9,
          max: 9,
          step: 0.5,
          value: String(asked[at] || 0),
          name: `tag-${value}`,
          'aria-label': t('count_lab.tag', { card: value }),
          oninput: () => draw(),
        })
      ),
  );
  const tags = () => inputs.map((input) => Number(input.value) || 0);
  /** @param {number[]} list */
  const put = (list) => {
    list.forEach((tag, at) => {
      inputs[at].value = String(tag);
    });
    draw();
  };
  /** Effects of removal for each bet. @type {Schemas['TagsDocument'] | null} */
  let known = null;
  const correlations = h('div', { class: 'stack-y' });
  const pick = /** @type {HTMLSelectElement} */ (
    h(
      'select',
      { name: 'system', onchange: () => pick.value && put(pick.value.split(',').map(Number)) },
      h('option', { value: '' }, t('count_lab.custom')),
      SYSTEMS.map(([name, list]) => h('option', { value: list, selected: list === asked.join(',') }, name)),
    )
  );

  function draw() {
    lab.remember({ tags: tags().join(','), bankroll: bankroll.value, stakes: spread.value });
    if (!known) return;
    const sum = tags().reduce((all, tag, at) => all + (tag * cards[at]) / Number(values.decks), 0);
    pick.value = SYSTEMS.find(([, list]) => list === tags().join(','))?.[1] ?? '';
    const best = (/** @type {Tagged} */ wager) => wager.whole[wager.whole.length - 1];
    fill(
      correlations,
      h('p', { role: 'status' }, sum === 0 ? t('count_lab.balanced') : t('count_lab.unbalanced', { sum: number(sum) })),
      picture(tags(), effectsOf(known.wagers[0])),
      h('p', { class: 'small dim' }, t('count_lab.tags.legend')),
      grid(
        [t('report.bet'), `#${t('count_lab.correlation')}`, `#${t('count_lab.lost')}`, t('count_lab.best_tags'), ''],
        known.wagers.map((wager) => {
          const found = correlation(cards, tags(), effectsOf(wager));
          return [
            wager.wager === 'main' ? t('report.main_game') : term('bet', wager.wager),
            h('b', { 'data-correlation': wager.wager, 'data-figure': found }, number(found, 4)),
            percent(1 - found * found, 1),
            `${best(wager).count} (${number(best(wager).correlation, 4)})`,
            h(
              'button',
              {
                class: 'plain-text',
                type: 'button',
                onclick: () => put((best(wager).count ?? '').split(',').map(Number)),
              },
              t('count_lab.use'),
            ),
          ];
        }),
        t('count_lab.correlations'),
      ),
    );
  }
  /** @param {Tagged} wager */
  const effectsOf = (wager) => VALUES.split('').map((value) => wager.effects[value] ?? 0);
  const bankroll = /** @type {HTMLInputElement} */ (
    h('input', { name: 'bankroll', inputmode: 'numeric', size: 7, value: lab.bench.bankroll ?? '1000' })
  );
  const spread = /** @type {HTMLInputElement} */ (
    h('input', { name: 'stakes', size: 7, value: lab.bench.stakes ?? '1-12', pattern: '\\d+-\\d+' })
  );
  const body = () => ({ ...lab.body(), count: tags().join(',') });
  const ramp = panel(
    t('count_lab.bets'),
    h(
      'form',
      {
        class: 'row no-print',
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          draw();
          const [least, most] = spread.value.split('-').map(Number);
          ramp.answer(
            () =>
              patient('/api/lab/ramp', {
                ...body(),
                bankroll: Math.round(Number(bankroll.value)) || 0,
                least: least || 0,
                most: most || least || 0,
              }),
            (answer) => {
              const told = /** @type {import('../../../browser/types').RampAnswer} */ (answer);
              return 'refused' in told ? refused(told) : ramped(told, lab.preset);
            },
          );
        },
      },
      field(t('count_lab.bankroll'), bankroll),
      field(t('count_lab.spread'), spread),
      h('button', { class: 'act primary' }, t('action.calculate')),
    ),
  );
  const plays = panel(
    t('count_lab.indices'),
    h(
      'p',
      { class: 'no-print' },
      h(
        'button',
        {
          class: 'act',
          type: 'button',
          onclick: () => plays.answer(() => patient('/api/lab/indices', body()), indices),
        },
        t('action.calculate'),
      ),
    ),
  );
  const design = panel(
    t('lab.view.count'),
    h('p', { class: 'dim no-print' }, t('count_lab.intro')),
    h(
      'div',
      { class: 'row tags', role: 'group', 'aria-label': t('count_lab.tags.label') },
      inputs.map((input, at) => h('label', { class: 'field' }, h('span', null, VALUES[at]), input)),
      field(t('count_lab.system'), pick),
    ),
    correlations,
  );
  design.answer(
    () => patient('/api/lab/tags', { ...lab.body(), level: LEVEL, unbalanced: false }),
    (told) => {
      known = told;
      draw();
      return null;
    },
  );
  return h('div', { class: 'stack-y bench' }, design.element, ramp.element, plays.element);
}
