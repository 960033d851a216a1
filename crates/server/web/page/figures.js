// The lab's exact figures: the edge and what it is made of, side wagers with their odds, what each option would change.

import { csvButton, grid, h, money, percent, title } from './ui.js';
import { number, t, term, translated } from './words.js';

/** How an option that is on or off is said. */
const YES = /** @type {Record<string, string>} */ ({ true: t('yes'), false: t('no-2') });

/** @typedef {import('../../browser/types').Schemas} Schemas */

/** @param {Schemas['EdgeAnswer']} told */
export function edgeFigures(told) {
  const { main } = told;
  const fact = (/** @type {string} */ name, /** @type {string} */ value) => [h('dt', null, name), h('dd', null, value)];
  return h(
    'div',
    { class: 'figures' },
    h(
      'div',
      { class: 'headline' },
      h('b', { 'data-edge': main.house_edge }, percent(main.house_edge, 4)),
      h('span', { class: 'dim' }, t('house-edge-of-the-initial-wager')),
    ),
    h(
      'dl',
      { class: 'facts' },
      fact(t('standard-deviation-of', { std_dev_of: term(main.std_dev_of) }), number(main.std_dev, 4)),
      fact(t('element-of-risk'), percent(main.element_of_risk, 4)),
      fact(t('staked-on-average'), number(main.staked, 4)),
      told.insurance ? fact(t('insurance-2'), percent(told.insurance.house_edge, 4)) : null,
      fact(t('way-of-play'), title(main.strategy)),
      fact(t('worked-out-in'), `${number(main.seconds, 2)} s`),
    ),
    h(
      'dl',
      { class: 'facts' },
      Object.entries(main.shares).flatMap(([name, value]) =>
        fact(t('rounds-2', { name: term(name) }), percent(/** @type {number} */ (value), 2)),
      ),
    ),
  );
}

/** @param {Schemas['SideFigures']} side */
export function sideWager(side) {
  const most = Math.max(...side.outcomes.map((o) => o.probability), 0.0001);
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
      h('span', { class: 'dim' }, t('pay-table', { paytable: side.paytable })),
      h('b', { 'data-side-edge': side.wager }, percent(side.house_edge, 4)),
      side.exact_edge && side.exact_edge.length < 48
        ? h('span', { class: 'dim small' }, t('exactly', { exact_edge: side.exact_edge }))
        : null,
    ),
    h(
      'div',
      { class: 'pad' },
      grid(
        [t('outcome'), t('pays'), `#${t('chance')}`, `#${t('one-in')}`, ''],
        side.outcomes.map((o) => [
          title(o.outcome),
          translated(o.pays),
          percent(o.probability, 5),
          o.probability > 0 ? money(Math.round(1 / o.probability) * 100) : '–',
          bar(o.probability),
        ]),
        t('outcomes-of', { wager: title(side.wager) }),
      ),
      side.notes.map((/** @type {string} */ note) => h('p', { class: 'small dim' }, translated(note))),
      h(
        'p',
        { class: 'actions gap' },
        csvButton(`${side.wager}.csv`, () => [
          ['outcome', 'pays', 'probability', 'exact'],
          ...side.outcomes.map((o) => [o.outcome, o.pays, o.probability, o.exact]),
        ]),
      ),
    ),
  );
}

/** What each option would do to the edge. @param {Schemas['OptionEffect'][]} list @param {(key: string, value: string) => void} set */
export function effectTable(list, set) {
  if (!list.length) return h('p', { class: 'dim' }, t('no-lawful-change-of-one-option-moves'));
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
      [t('change'), `#${t('house-edge')}`, `#${t('moves-it-by')}`, t('for-the-player')],
      list
        .toSorted((a, b) => a.change - b.change)
        .map((e) => [
          h(
            'button',
            {
              class: 'plain-text',
              onclick: () => set(e.key, e.key === 'bonus_payouts' ? JSON.stringify([e.value]) : e.value),
            },
            `${title(e.key.replace('rulings.', ''))} → ${YES[e.value] ?? title(e.value)}`,
          ),
          percent(e.house_edge),
          h('span', { class: e.change > 0 ? 'wrong' : 'ok' }, `${e.change > 0 ? '+' : ''}${percent(e.change, 4)}`),
          bar(e.change),
        ]),
      t('effects-of-options'),
    ),
    h(
      'p',
      { class: 'actions gap' },
      csvButton('effects.csv', () => [
        ['key', 'value', 'house_edge', 'change'],
        ...list.map((e) => [e.key, e.value, e.house_edge, e.change]),
      ]),
    ),
  );
}
