// Chips on the felt: a stack for every bet in its place, swept away if it loses, with the winnings pushed out beside
// it.

import { stack } from '../shared/cards.js';
import { cents, h, money, moves } from '../shared/ui.js';
import { listed, t, term } from '../shared/words.js';

/** @typedef {import('../shared/model.js').Result} Result */

/** @typedef {import('../shared/model.js').Hand} Hand @typedef {import('../shared/model.js').Box} Box @typedef {import('../shared/model.js').Bettor} Bettor */
/**
 * @typedef {{ key: string, amount: number, what: string, kind: string }} Lies chips on a hand, and what they are for
 */

/** The bet names under which each kind of stack is settled. */
const NAMES = /** @type {Record<string, string[]>} */ ({
  base: ['main', 'split'],
  double: ['double'],
  attack: ['attack', 'second-attack', 'third-attack'],
});

/**
 * Returns the stacks of a hand: main bets, doubles beside them, attacks in front; after settlement, what remains and
 * what was won.
 * @param {Hand} hand @param {Result[]} results
 * @returns {Lies[]}
 */
export function stacksOf(hand, results) {
  /** @type {Lies[]} */
  const lies = [];
  hand.stakes.forEach((stake, bettor) => {
    stake.base.forEach((amount, spot) =>
      lies.push({
        key: `base-${bettor}-${spot}`,
        amount,
        what: stake.base.length > 1 ? t('bet.numbered', { number: spot + 1 }) : t('bet.one'),
        kind: 'base',
      }),
    );
    lies.push({ key: `double-${bettor}`, amount: stake.double, what: t('keys.double'), kind: 'double' });
    lies.push({ key: `attack-${bettor}`, amount: stake.attack, what: t('keys.attack'), kind: 'attack' });
  });
  if (!results.length) return lies.filter((one) => one.amount > 0);
  // Settled stacks come from the results, since the server's view drops stakes that are gone.
  const kept = lies.filter((one) => one.amount > 0 && !results.some((r) => settles(r, one)));
  const after = results.map((r, at) => {
    const kind = Object.keys(NAMES).find((name) => NAMES[name].includes(r.wager)) ?? 'base';
    const [staked, net] = [cents(r.amount), cents(r.net)];
    const left = net < 0 ? staked + net : staked;
    return {
      key: `${kind}-settled-${at}`,
      amount: left,
      what: t('stack.returned', { bet: term('bet', r.wager) }),
      kind,
    };
  });
  // The dealer pays everything a hand has won as one stack.
  const paid = results.filter((r) => cents(r.net) > 0);
  const won = {
    key: 'won',
    amount: paid.reduce((all, r) => all + cents(r.net), 0),
    what: t('stack.won', { bet: listed(paid.map((r) => term('bet', r.wager))) }),
    kind: 'won',
  };
  return [...kept, ...after, won].filter((one) => one.amount > 0);
}

/** @param {Result} result @param {Lies} one */
const settles = (result, one) =>
  NAMES[one.kind]?.includes(result.wager) && (one.kind !== 'base' || Number(one.key.split('-')[2]) === result.spot - 1);

/** Places where stacks were drawn before. @type {WeakSet<Element>} */
const known = new WeakSet();

/**
 * Updates the stacks of a hand: new chips slide in from their owner or the dealer, lost ones are swept away.
 * @param {HTMLElement} place @param {Lies[]} lies
 */
export function drawStacks(place, lies) {
  const first = !known.has(place);
  known.add(place);
  const old = new Map(
    Array.from(/** @type {HTMLCollectionOf<HTMLElement>} */ (place.children), (child) => [child.dataset.lies, child]),
  );
  for (const one of lies) {
    const there = old.get(one.key);
    old.delete(one.key);
    if (there?.dataset.amount === (one.amount / 100).toFixed(2)) continue;
    const element = stack(one.amount, one.what);
    element.dataset.lies = one.key;
    element.classList.add(`lies-${one.kind}`);
    if (there) there.replaceWith(element);
    else place.append(element);
    if (moves() && !first)
      element.animate([{ transform: `translateY(${one.kind === 'won' ? -60 : 40}px)`, opacity: 0 }, {}], {
        duration: 260,
        easing: 'ease-out',
      });
  }
  // Settled chips replace those that were there; only chips that nobody gets back are swept to the dealer.
  const swept = !lies.length;
  for (const gone of old.values()) {
    if (!swept || !moves() || !gone.dataset.lies) gone.remove();
    else {
      delete gone.dataset.lies;
      delete gone.dataset.amount;
      gone.animate([{}, { transform: 'translateY(-120px)', opacity: 0 }], {
        duration: 260,
        easing: 'ease-in',
      }).onfinish = () => gone.remove();
    }
  }
}

/**
 * Returns whether this side bet lost, so that its chips are the dealer's.
 * @param {Result[]} results @param {number} box @param {string} wager @param {number | null} person
 */
export const sideLost = (results, box, wager, person) =>
  results.some((r) => r.box === box && r.wager === wager && r.person === person && cents(r.net) < 0);

/**
 * Builds a bettor's stacks in front of their box: the main bets until the cards come, then only the side bets.
 * @param {Bettor} bettor @param {boolean} dealt @param {(wager: string) => boolean} lost
 */
export const laidStacks = (bettor, dealt, lost) =>
  h(
    'span',
    { class: 'laid' },
    dealt ? null : bettor.main.map((amount) => stack(amount)),
    Object.entries(bettor.side).map(([name, amount]) =>
      h(
        'span',
        { class: 'laid-side' },
        h('small', null, term('bet', name)),
        lost(name) ? null : stack(amount, term('bet', name)),
      ),
    ),
  );

/** Builds the winnings of an insurance bet. @param {number} net */
function wonStack(net) {
  const won = stack(net, t('stack.insurance_won'));
  won.classList.add('lies-won');
  return won;
}

/**
 * Builds the insurance stack on its own band: removed if it loses, with its payoff beside it if it wins.
 * @param {Box} box @param {Result[]} results
 */
export function insuranceStacks(box, results) {
  const staked = box.bettors.reduce((all, bettor) => all + bettor.insurance, 0);
  const settled = results.filter((r) => r.box === box.box && r.wager === 'insurance');
  const amount = staked || settled.reduce((all, r) => all + cents(r.amount), 0);
  if (!amount) return null;
  const net = settled.reduce((all, r) => all + cents(r.net), 0);
  return h(
    'span',
    { class: 'insurance' },
    settled.length && net < 0
      ? t('stack.insurance_lost', { amount: money(amount) })
      : [stack(amount, t('action.insurance')), net > 0 ? wonStack(net) : null],
  );
}
