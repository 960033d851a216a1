// The lab's exact figures: the house edge and its parts, side bets with their odds, and what each option would change.

import { change } from './workbench.js';
import { csvButton, grid, h, law, money, optionName, percent } from '../shared/ui.js';
import { number, odds, t, term } from '../shared/words.js';

/** Text of an on/off option. */
const YES = /** @type {Record<string, string>} */ ({ true: t('action.yes'), false: t('action.no') });

/** @typedef {import('../../../browser/types').Schemas} Schemas */

/** Edges that differ by less are equal: the last bits of a sum depend on its order. */
const SAME = 1e-12;

/** Shows what the last change of an option did to the house edge. @param {number} by */
const changed = (by) =>
  h(
    'span',
    { class: by > SAME ? 'wrong' : by < -SAME ? 'ok' : 'dim', 'data-change': by },
    Math.abs(by) > SAME ? t('figures.changed', { change: change(by) }) : t('figures.unchanged'),
  );

/** @param {number} edge @param {Schemas['EdgeAnswer'] | null} before the figures before an option was changed */
export const headline = (edge, before) =>
  h(
    'div',
    { class: 'headline' },
    h('b', { 'data-edge': edge }, percent(edge, 4)),
    h('span', { class: 'dim' }, t('figures.edge')),
    before ? changed(edge - before.main.house_edge) : null,
  );

/**
 * @param {Schemas['EdgeAnswer']} told
 * @param {Schemas['EdgeAnswer'] | null} before the figures before an option was changed
 */
export function edgeFigures(told, before) {
  const { main } = told;
  const fact = (/** @type {string} */ name, /** @type {string} */ value) => [h('dt', null, name), h('dd', null, value)];
  return h(
    'div',
    { class: 'figures' },
    headline(main.house_edge, before),
    h(
      'dl',
      { class: 'facts' },
      fact(t('figures.std_dev', { unit: main.std_dev_of === 'a round' ? 'round' : 'bet' }), number(main.std_dev, 4)),
      fact(t('figures.element_of_risk'), percent(main.element_of_risk, 4)),
      fact(t('figures.average_bet'), number(main.staked, 4)),
      told.insurance ? fact(t('action.insurance'), percent(told.insurance.house_edge, 4)) : null,
      fact(t('figures.strategy'), term('strategy', main.strategy)),
      fact(t('figures.time'), `${number(main.seconds, 2)} s`),
    ),
    h(
      'dl',
      { class: 'facts' },
      Object.entries(main.shares).flatMap(([name, value]) =>
        fact(t('figures.share', { event: term('share', name) }), percent(/** @type {number} */ (value), 2)),
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
      h('h2', null, term('bet', side.wager)),
      h('span', { class: 'dim' }, t('figures.paytable', { name: side.paytable })),
      h('b', { 'data-side-edge': side.wager }, percent(side.house_edge, 4)),
      side.exact_edge && side.exact_edge.length < 48
        ? h('span', { class: 'dim small' }, t('figures.exact', { value: side.exact_edge }))
        : null,
    ),
    h(
      'div',
      { class: 'pad' },
      grid(
        [t('figures.outcome'), t('figures.pays'), `#${t('figures.probability')}`, `#${t('figures.one_in')}`, ''],
        side.outcomes.map((o) => [
          term('outcome', o.outcome),
          odds(o.pays),
          percent(o.probability, 5),
          o.probability > 0 ? money(Math.round(1 / o.probability) * 100) : '–',
          bar(o.probability),
        ]),
        t('figures.outcomes', { bet: term('bet', side.wager) }),
      ),
      side.notes.map((/** @type {string} */ note) => h('p', { class: 'small dim' }, law({ text: note }))),
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

/**
 * Builds the table of what each option would do to the house edge.
 * @param {Schemas['OptionEffect'][]} list @param {(key: string, value: string) => void} set
 */
export function effectTable(list, set) {
  if (!list.length) return h('p', { class: 'dim' }, t('figures.options.none'));
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
      [t('action.change'), `#${t('figures.house_edge')}`, `#${t('figures.options.change')}`, t('figures.player')],
      list
        .toSorted((a, b) => a.change - b.change)
        .map((e) => [
          h(
            'button',
            {
              class: 'plain-text',
              onclick: () => set(e.key, e.key === 'bonus_payouts' ? JSON.stringify([e.value]) : e.value),
            },
            `${optionName(e.key)} → ${YES[e.value] ?? term('value', e.value)}`,
          ),
          percent(e.house_edge),
          h('span', { class: e.change > 0 ? 'wrong' : 'ok' }, `${e.change > 0 ? '+' : ''}${percent(e.change, 4)}`),
          bar(e.change),
        ]),
      t('figures.options.label'),
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
