// Pay and take: what the dealer does with the chips after the hands, box by box from the dealer's right, with amounts,
// the chips to use, and clauses. Earlier settlements are ticked; the rest is confirmed once.

import { story } from '../felt/results.js';
import { chipCounts } from '../shared/cards.js';
import { cents, clauseLink, h, money } from '../shared/ui.js';
import { rich, t } from '../shared/words.js';

/** @typedef {import('../shared/model.js').Model} Model @typedef {import('../shared/model.js').Result} Result */
/**
 * A finished round whose chips the dealer has not confirmed yet, and the round of the table by then.
 * @typedef {{ round: number, model: Model, names: Record<string, string> }} Unpaid
 */

/**
 * Returns the round that waits for its confirmation, as noted before a reload.
 * @param {number} table @param {number} round the round of the table @returns {Unpaid | null}
 */
export function kept(table, round) {
  try {
    /** @type {Unpaid | null} */
    const unpaid = JSON.parse(localStorage.getItem(`unpaid/${table}`) ?? 'null');
    return unpaid?.round === round ? unpaid : null;
  } catch {
    return null;
  }
}

/**
 * Notes the round that waits for its confirmation, or that none does.
 * @param {number} table @param {Unpaid | null} unpaid
 */
export function keep(table, unpaid) {
  try {
    if (unpaid) localStorage.setItem(`unpaid/${table}`, JSON.stringify(unpaid));
    else localStorage.removeItem(`unpaid/${table}`);
  } catch {
    /* storage is unavailable */
  }
}

/**
 * Says what to do with one bet, or what was done: its kind and the text.
 * @param {Result} result @param {boolean} done
 */
function deed(result, done) {
  const net = cents(result.net);
  const amount = money(net ? Math.abs(net) : result.amount);
  if (net > 0) return { kind: 'pay', words: done ? t('paytake.paid', { amount }) : t('paytake.pay', { amount }) };
  if (net < 0) return { kind: 'take', words: done ? t('paytake.taken', { amount }) : t('paytake.take', { amount }) };
  return { kind: 'push', words: done ? t('paytake.pushed', { amount }) : t('paytake.push', { amount }) };
}

/** Returns the chips to use for an amount: "2 × 25 + 1 × 5". @param {number} amount */
const chips = (amount) =>
  chipCounts(amount)
    .map(([count, worth]) => `${count} × ${money(worth)}`)
    .join(' + ');

/** The moments at which bets are settled, in order. */
const MOMENTS = ['deal', 'peek', 'turn', 'dealer', 'end', 'bonus'];

/**
 * Returns a test for results that were settled, and their chips moved, before the last settlement.
 * @param {Result[]} results
 */
function earlier(results) {
  const moment = (/** @type {Result} */ result) => MOMENTS.indexOf(result.when);
  const last = Math.max(...results.map(moment));
  return (/** @type {Result} */ result) => moment(result) < last;
}

/**
 * Builds the list, or returns `null` if no bet is settled.
 * @param {Model} model @param {(person: number | null) => string} name
 * @param {() => void} close called when the dealer confirms the list
 */
export function payTake(model, name, close) {
  if (!model.results.length) return null;
  const order = [...model.results].sort((a, b) => b.box - a.box || b.hand - a.hand);
  const isDone = earlier(order);
  const rack = 0 - order.reduce((all, result) => all + cents(result.net), 0);
  /** Returns the sum of what is still to pay, or to take. @param {1 | -1} sign */
  const due = (sign) =>
    order.reduce((all, result) => all + (isDone(result) ? 0 : Math.max(0, sign * cents(result.net))), 0);
  return h(
    'section',
    { class: 'panel pay-take', 'aria-label': t('paytake.title') },
    h(
      'div',
      { class: 'panel-head' },
      h('h2', null, t('paytake.title')),
      h('p', { class: 'small dim' }, t('paytake.order')),
    ),
    h(
      'ol',
      null,
      order.map((result) => {
        const done = isDone(result);
        const { kind, words } = deed(result, done);
        const several = order.some((other) => other.box === result.box && other.hand !== result.hand);
        return h(
          'li',
          { 'data-box': result.box, 'data-net': result.net, 'data-done': done ? '' : null },
          h('b', { class: 'box-number' }, `${result.box}${several ? String.fromCharCode(96 + result.hand) : ''}`),
          h(
            'span',
            null,
            h('b', null, story(result, model, name)),
            h('small', null, name(result.person), ' ', result.clause ? clauseLink(result.clause) : null),
          ),
          h(
            'span',
            { class: 'deed' },
            h('b', { class: kind }, words),
            done || kind === 'push' ? null : h('small', null, chips(Math.abs(cents(result.net)))),
          ),
        );
      }),
    ),
    h(
      'div',
      { class: 'pay-take-foot' },
      h(
        'div',
        null,
        h(
          'p',
          { class: 'due' },
          rich('paytake.due', {
            take: h('b', { class: 'take' }, money(due(-1))),
            pay: h('b', { class: 'pay' }, money(due(1))),
          }),
        ),
        h('p', null, t('paytake.rack', { change: `${rack > 0 ? '+' : rack < 0 ? '−' : ''}${money(Math.abs(rack))}` })),
      ),
      model.ended
        ? h(
            'button',
            { class: 'act primary', type: 'button', 'data-act': 'close-round', onclick: close },
            t('paytake.close'),
            h('kbd', { 'aria-hidden': 'true' }, '⏎'),
          )
        : null,
    ),
  );
}
