// After each round, one line that teaches: the costliest choice and the best one, or that everything was played well;
// on request, the values of that choice and a rule of thumb.

import { get } from '../shared/net.js';
import { cents, h, money } from '../shared/ui.js';
import { thumb } from './thumb.js';
import { valueTable } from '../shared/values.js';
import { number, t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */
/** @typedef {{ words: string, choice: Schemas['JudgedChoice'] | null, net: number, luck: number, cost: number, edge: number }} Lesson */

/** A choice that costs less than this counts as the best one. */
const RIGHT = 1e-9;
/** A choice that costs less than this, in initial bets, is a close call. */
const CLOSE = 0.02;

/**
 * Names a hand as players do: "16 v 10", "A-7 v 6", "8-8 v 10".
 * @param {Pick<Schemas['JudgedChoice'], 'hand' | 'up'>} choice
 */
export function called({ hand, up }) {
  const ranks = hand
    .split(' ')
    .filter(Boolean)
    .map((card) => (card.startsWith('10') || 'TJQK'.includes(card[0]) ? '10' : card[0]));
  const points = ranks.reduce((all, rank) => all + (rank === 'A' ? 1 : Number(rank)), 0);
  const own =
    ranks.length === 2 && (ranks[0] === ranks[1] || ranks.includes('A'))
      ? [...ranks].sort((a) => (a === 'A' ? -1 : 1)).join('-')
      : String(points);
  const against = up ? (up.startsWith('10') || 'TJQK'.includes(up[0]) ? '10' : up[0]) : '';
  return against ? t('hand.name_versus', { hand: own, upcard: against }) : own;
}

/** Returns the lesson of a round. @param {number} table @param {number} round @returns {Promise<Lesson | null>} */
async function learn(table, round) {
  const told = await get(`/api/tables/${table}/rounds/${round}/analysis`).catch(() => null);
  const staked = cents(told?.wager);
  if (!told || !staked) return null;
  const [net, cost] = [cents(told.net), Math.round(told.cost * staked)];
  const edge = Math.round((told.expected ?? 0) * staked);
  // Luck is what neither the house edge nor the choices explain; the three add up to the result.
  const luck = net + cost - edge;
  const worst = [...told.decisions].sort((a, b) => b.cost - a.cost)[0] ?? null;
  if (!worst) return { words: t('lesson.no_decision'), choice: null, net, luck, cost, edge };
  const words =
    worst.cost < RIGHT
      ? t('lesson.well_played')
      : t('lesson.best', {
          action: term('action.inline', worst.best),
          gain: number((worst.cost * cents(worst.wager)) / 100, 2),
          close: worst.cost < CLOSE ? 'yes' : 'no',
        });
  return { words, choice: worst, net, luck, cost, edge };
}

/** Gives a table page the lesson of its last round, once it is known. @param {import('./table.js').TablePage} page */
export async function teach(page) {
  const round = page.lastRound;
  const lesson = await learn(page.number, round);
  if (page.lastRound !== round) return;
  page.lesson = lesson;
  page.draw();
}

/** Shows the values of the choice, and the rule of thumb behind it. @param {Lesson} lesson */
export function worth({ choice, net, luck, cost, edge }) {
  if (!choice) return null;
  const rule = thumb(choice);
  const fact = (/** @type {string} */ name, /** @type {number} */ value) => [
    h('dt', null, name),
    h('dd', { class: 'num' }, `${value > 0 ? '+' : value < 0 ? '−' : ''}${money(Math.abs(value))}`),
  ];
  return h(
    'section',
    { class: 'why worth' },
    h('h3', null, t('lesson.why', { hand: called(choice), action: term('action.inline', choice.best) })),
    choice.values.length ? valueTable(choice.values, t('analysis.values'), choice.chosen) : null,
    rule ? h('p', null, t('thumb.text', { rule })) : null,
    h(
      'dl',
      { class: 'facts adds-up' },
      fact(t('result.label'), net),
      fact(t('analysis.luck'), luck),
      fact(t('analysis.decisions.label'), -cost),
      fact(t('figures.house_edge'), edge),
    ),
  );
}
