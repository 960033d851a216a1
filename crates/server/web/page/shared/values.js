// A table of the value of every action, with bars: for drills, the coach and the review of the player's own rounds.

import { h } from './ui.js';
import { number, t, term } from './words.js';

/**
 * Lists every action with its exact value, best first.
 * @param {{ action: string, ev: number }[]} list @param {string} caption @param {string} [chosen]
 */
export function valueTable(list, caption, chosen) {
  const [best] = list;
  const most = Math.max(...list.map((choice) => Math.abs(choice.ev)), 0.01);
  const row = (/** @type {{ action: string, ev: number }} */ { action, ev }) => {
    const bar = h('i', { class: ev >= 0 ? 'better' : 'worse' });
    bar.style.width = `${(Math.abs(ev) / most) * 100}%`;
    return h(
      'tr',
      { class: action === chosen ? 'chosen' : '' },
      h('td', null, term('action', action)),
      h('td', { class: 'num' }, `${ev >= 0 ? '+' : '−'}${number(Math.abs(ev), 5)}`),
      h('td', { class: 'num' }, ev < best.ev ? number(best.ev - ev, 5) : t('values.best')),
      h('td', null, h('span', { class: 'share-bar', 'aria-hidden': 'true' }, bar)),
    );
  };
  const heads = h(
    'tr',
    null,
    h('th', { scope: 'col' }, t('values.action')),
    h('th', { scope: 'col', class: 'num' }, t('values.ev')),
    h('th', { scope: 'col', class: 'num' }, t('values.cost')),
    h('th', { scope: 'col' }, h('span', { class: 'sr' }, t('values.chart'))),
  );
  return h(
    'table',
    { class: 'grid values' },
    h('caption', { class: 'sr' }, caption),
    h('thead', null, heads),
    h('tbody', null, list.map(row)),
  );
}
