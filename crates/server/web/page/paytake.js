// Pay and take: what the dealer does with the chips when the hands are over, box by box from the dealer's right, with amounts
// and clauses; confirmed once.

import { story } from './felt.js';
import { cents, clauseLink, h, money } from './ui.js';
import { t } from './words.js';

/** @typedef {import('./model.js').Model} Model @typedef {import('./model.js').Result} Result */

/** What is done with one wager: the words, the kind and the amount. @param {Result} result */
function deed(result) {
  const net = cents(result.net);
  return net > 0
    ? { kind: 'pay', words: t('paytake.pay', { amount: money(net) }) }
    : net < 0
      ? { kind: 'take', words: t('paytake.take', { amount: money(-net) }) }
      : { kind: 'push', words: t('paytake.push', { amount: money(result.amount) }) };
}

/**
 * The list, or nothing where no wager is settled.
 * @param {Model} model @param {(person: number | null) => string} name @param {() => void} close when the round is put away
 */
export function payTake(model, name, close) {
  if (!model.results.length) return null;
  const order = [...model.results].sort((a, b) => b.box - a.box || b.hand - a.hand);
  const sum = (/** @type {(net: number) => boolean} */ which) =>
    order
      .map((result) => cents(result.net))
      .filter(which)
      .reduce((all, net) => all + Math.abs(net), 0);
  const [paid, taken] = [sum((net) => net > 0), sum((net) => net < 0)];
  const rack = taken - paid;
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
        const { kind, words } = deed(result);
        const several = order.some((other) => other.box === result.box && other.hand !== result.hand);
        return h(
          'li',
          { 'data-box': result.box, 'data-net': result.net },
          h('b', { class: 'box-number' }, `${result.box}${several ? String.fromCharCode(96 + result.hand) : ''}`),
          h(
            'span',
            null,
            h('b', null, story(result, model, name)),
            h('small', null, name(result.person), ' ', result.clause ? clauseLink(result.clause) : null),
          ),
          h('b', { class: kind }, words),
        );
      }),
    ),
    h(
      'div',
      { class: 'pay-take-foot' },
      h('p', null, t('paytake.rack', { change: `${rack > 0 ? '+' : rack < 0 ? '−' : ''}${money(Math.abs(rack))}` })),
      model.ended
        ? h(
            'button',
            { class: 'act primary', type: 'button', 'data-act': 'close-round', onclick: close },
            t('paytake.close'),
          )
        : null,
    ),
  );
}
