// The result of a hand: a pill with its net on the felt, a panel that explains it with the clause, and a one-line
// summary.

import { isMe } from '../shared/names.js';
import { total } from '../shared/model.js';
import { cents, clauseLink, clauseRows, fill, h, law, money, signed } from '../shared/ui.js';
import { t, term } from '../shared/words.js';

/** @typedef {import('../shared/model.js').Model} Model @typedef {import('../shared/model.js').Result} Result */

const ENDINGS = /** @type {Record<string, string>} */ ({
  win: 'win',
  lose: 'lose',
  push: 'push',
  surrender: 'half',
  void: 'push',
  abandoned: 'lose',
});

/** Bets on the cards of a hand. The others are insurance and side bets. */
const BETS = ['main', 'split', 'double', 'attack', 'second-attack', 'third-attack'];

/**
 * Builds a pill with the net of some results, which opens the explanation.
 * @param {Result[]} results @param {string} what @param {(result: Result) => string} told
 */
export function pill(results, what, told) {
  const net = results.reduce((all, r) => all + Math.round(Number(r.net) * 100), 0);
  const kind = net > 0 ? 'win' : net < 0 ? (results.every((r) => r.result === 'surrender') ? 'half' : 'lose') : 'push';
  const words =
    net !== 0
      ? signed(net)
      : results.every((r) => r.result === 'push')
        ? t('result.push')
        : results.every((r) => r.result === 'void')
          ? t('result.returned')
          : t('result.even');
  return h(
    'button',
    {
      class: `pill ${kind}`,
      type: 'button',
      title: t('action.why'),
      'aria-label': t('why.button', { subject: what, result: words }),
      'data-net': (net / 100).toFixed(2),
      onclick: (/** @type {Event} */ event) =>
        why(results, what, { words: told, beside: /** @type {Element} */ (event.currentTarget) }),
    },
    words,
  );
}

/** How long the explanation waits for the text of its clauses. */
const TEXT_MS = 1000;

/**
 * Shows the explanation in a small panel beside the pressed element: one line about the hand, then the clause and its
 * text. It appears with the text, so that it does not grow under a finger that is about to close it.
 * @param {Result[]} results @param {string} what @param {{ words?: (result: Result) => string, beside?: Element | null, lesson?: HTMLElement | null }} [about]
 */
export async function why(results, what, { words: told, beside, lesson } = {}) {
  /** @type {Set<string>} */
  const cited = new Set();
  /** @type {Promise<Element>[]} */
  const texts = [];
  const panel = h(
    'div',
    {
      class: 'why-panel panel',
      popover: 'auto',
      role: 'region',
      'aria-label': t('why.title', { subject: what }),
      tabindex: '-1',
    },
    h(
      'div',
      { class: 'why-top' },
      h('h2', null, what),
      h(
        'button',
        { class: 'plain', type: 'button', 'aria-label': t('action.close'), onclick: () => panel.remove() },
        '×',
      ),
    ),
    results.map((result) => {
      // Quote each clause once, however many results it settled.
      const fresh = result.clause && !cited.has(result.clause);
      cited.add(result.clause ?? '');
      const words = h('p', { class: 'clause-words small' }, result.clause ? '' : t('why.in_replay'));
      if (fresh)
        texts.push(
          clauseRows(result.clause ?? '').then(
            (rows) =>
              fill(words, rows.length ? law({ text: rows.map((row) => row.summary).join(' ') }) : t('why.no_summary')),
            () => fill(words),
          ),
        );
      return h(
        'section',
        { class: 'why' },
        h(
          'p',
          { class: 'why-head' },
          h('b', null, told?.(result) ?? `${term('bet', result.wager)} ${money(result.amount)}`),
          h(
            'span',
            { class: `pill ${ENDINGS[result.result] ?? ''}` },
            result.result === 'push' || result.result === 'void' ? term('result', result.result) : signed(result.net),
          ),
        ),
        h(
          'p',
          { class: 'small' },
          result.clause ? clauseLink(result.clause) : null,
          ' ',
          h('span', { class: 'dim' }, whenWords(result.when)),
        ),
        fresh || !result.clause ? words : null,
      );
    }),
    lesson ?? null,
  );
  await Promise.race([Promise.all(texts), new Promise((after) => setTimeout(after, TEXT_MS))]);
  document.querySelector('.why-panel')?.remove();
  document.body.append(panel);
  panel.addEventListener('toggle', (event) => {
    if (/** @type {ToggleEvent} */ (event).newState === 'closed') panel.remove();
  });
  panel.showPopover();
  const settle = () => (panel.isConnected ? place(panel, beside ?? null) : removeEventListener('resize', settle));
  addEventListener('resize', settle);
  settle();
  panel.focus({ preventScroll: true });
}

/**
 * Places a panel beside the element it is about, inside the window.
 * @param {HTMLElement} panel @param {Element | null} beside
 */
function place(panel, beside) {
  const about = beside?.getBoundingClientRect();
  panel.style.inset = '';
  if (!about || innerWidth < 560) return;
  const { width, height } = panel.getBoundingClientRect();
  const x = Math.min(innerWidth - width - 12, Math.max(12, about.left + about.width / 2 - width / 2));
  const above = about.top - height - 10;
  panel.style.inset = `${Math.max(12, above > 12 ? above : Math.min(about.bottom + 10, innerHeight - height - 12))}px auto auto ${x}px`;
}

/**
 * Describes what happened to a hand, in one line: "Your 19 beats 18".
 * @param {Result} result @param {Model} model @param {(person: number | null) => string} name
 */
export function story(result, model, name) {
  const who = isMe(result.person) ? 'you' : 'other';
  const hand = model.boxes.find((b) => b.box === result.box)?.hands.find((x) => x.hand === result.hand);
  const dealer =
    result.spot > 1 || model.dealerBefore.length
      ? (model.dealerBefore[result.spot - 1] ?? model.dealer.cards)
      : model.dealer.cards;
  const [own, other] = [total(hand?.cards ?? []).points, total(dealer).points];
  const net = cents(result.net);
  const whose = { who, name: name(result.person) };
  if (result.wager === 'insurance') return net > 0 ? t('result.insurance.win') : t('result.insurance.lose');
  if (!BETS.includes(result.wager)) {
    const side = { ...whose, bet: term('bet', result.wager) };
    return net > 0 ? t('result.side.win', side) : net < 0 ? t('result.side.lose', side) : t('result.side.push', side);
  }
  const bet = result.wager === 'main' || result.wager === 'split' ? 'none' : term('bet', result.wager);
  const which = { bet, dealer_hand: model.dealerBefore.length && result.spot ? result.spot : 0 };
  if (result.result === 'surrender') return t('result.surrender', { ...whose, bet });
  if (result.result === 'void') return t('result.void', { bet });
  if (own > 21) return t('result.bust', { ...whose, total: own, bet });
  if (hand?.blackjack && net > 0) return t('result.blackjack', { ...whose, ...which });
  if (other > 21)
    return net > 0
      ? t('result.dealer_bust.win', { total: other, ...which })
      : t('result.dealer_bust.push', { total: other, ...which });
  if (model.dealer.blackjack && net < 0) return t('result.dealer_blackjack', { bet });
  const totals = { ...whose, total: own, dealer_total: other, ...which };
  if (net > 0) return t('result.win', totals);
  return net < 0 ? t('result.lose', totals) : t('result.tie', totals);
}

/**
 * Says how several bets on a hand ended: "One lost, one won, one push". Empty if there are not several.
 * @param {Result[]} results
 */
export function tally(results) {
  const bets = results.filter((r) => BETS.includes(r.wager));
  const nets = [...new Set(bets.map((r) => r.spot))].map((spot) =>
    bets.filter((r) => r.spot === spot).reduce((all, r) => all + cents(r.net), 0),
  );
  if (nets.length < 2) return '';
  const [lost, won] = [nets.filter((net) => net < 0).length, nets.filter((net) => net > 0).length];
  const pushed = nets.length - lost - won;
  return t('result.tally', { lost, won, pushed, also_pushed: lost || won ? pushed : 0 });
}

/**
 * Says which totals a bet was settled between: "18 v 19". Empty if it was settled before the dealer played.
 * @param {Result} result @param {Model} model
 */
export function versus({ box, hand, spot, when }, model) {
  if (!['dealer', 'end'].includes(when)) return '';
  const own = model.boxes.find((b) => b.box === box)?.hands.find((x) => x.hand === hand);
  const other = total(model.dealerBefore[spot - 1] ?? model.dealer.cards).points;
  return t('result.versus', {
    total: total(own?.cards ?? []).points,
    dealer_total: other > 21 ? t('felt.total.bust', { total: other }) : other,
  });
}

/** @param {string} word */
const whenWords = (word) =>
  /** @type {Record<string, string>} */ ({
    deal: t('when.deal'),
    peek: t('when.peek'),
    turn: t('when.turn'),
    dealer: t('when.dealer'),
    end: t('when.end'),
    bonus: t('when.bonus'),
  })[word] ?? word;
