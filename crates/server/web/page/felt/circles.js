// Bets in their circles: at a table for one, the bets of a hand lie in the circles they were made in, each with its own
// result, and a bet that is offered later has its circle from the beginning.

import { sideLost } from './stacks.js';
import { cents } from '../shared/ui.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */
/** @typedef {import('../shared/model.js').Result} Result @typedef {import('../shared/model.js').Box} Box */

/** Returns whether a table is for one player. @param {{ solo?: boolean, positions: number }} card */
export const forOne = (card) => Boolean(card.solo) || card.positions === 1;

/**
 * Returns the bets that are offered during the round, such as a third attack, by the printed areas that are neither for
 * the first bets nor for side bets. Only a table for one has room for them.
 * @param {Schemas['TableFacts']} card @param {Schemas['TableRules']} layout @returns {string[]}
 */
export function laterBets(card, layout) {
  if (!forOne(card)) return [];
  const sides = Object.keys(card.side_wagers).length;
  const areas = layout.areas.slice(card.spots * card.hands, layout.areas.length - sides);
  // A game's only attack is called so in its offer.
  return areas.length === 1 ? ['attack'] : areas.map(({ name: printed }) => printed.toLowerCase().replace(' ', '-'));
}

/** Returns the results of the hands of a box, without insurance and side bets. @param {Box} box @param {Result[]} all */
const ofHands = (box, all) =>
  all.filter((r) => r.box === box.box && r.wager !== 'insurance' && !(r.wager in (box.bettors[0]?.side ?? {})));

/**
 * Returns whether the bets of a box lie in their circles. Split hands have their chips below them instead, and so have
 * settled hands, unless every bet has a result of its own.
 * @param {Box | undefined} box @param {Result[]} all
 */
export function circled(box, all) {
  if (box?.hands.length !== 1) return false;
  const results = ofHands(box, all);
  return !results.length || Object.keys(box.attacks ?? {}).every((offer) => results.some((r) => r.wager === offer));
}

/** Returns what the player of a bet has there after its result: the stake, or what is left of it, and the winnings. */
const left = (/** @type {Result[]} */ settled) => settled.reduce((all, r) => all + cents(r.amount) + cents(r.net), 0);

/**
 * Returns the chips in the circles of a box: bets as they were made until the cards come; then side bets, and if
 * `circles`, the bets of the hand too.
 * @param {Box | undefined} box @param {Result[]} all @param {number | undefined} person @param {boolean} circles
 * @returns {import('../play/bets.js').Bet | null}
 */
export function inCircles(box, all, person, circles) {
  const bettor = box?.bettors.find((b) => b.person === person) ?? box?.bettors[0];
  if (!box || !bettor) return null;
  // The dealer takes lost bets at once.
  const lost = Object.keys(bettor.side).filter((wager) => sideLost(all, box.box, wager, bettor.person));
  const side = Object.fromEntries(Object.entries(bettor.side).filter(([wager]) => !lost.includes(wager)));
  if (!box.hands.some((hand) => hand.cards.length)) return { main: bettor.main, side, lost, later: box.attacks };
  if (!circles || !circled(box, all)) return { main: [], side, lost };
  const [results, attacks] = [ofHands(box, all), box.attacks ?? {}];
  const main = bettor.main.map((amount, spot) => {
    const settled = results.filter((r) => r.spot === spot + 1 && !(r.wager in attacks));
    return settled.length ? left(settled) : amount;
  });
  const later = Object.fromEntries(
    Object.entries(attacks).map(([offer, amount]) => {
      const settled = results.filter((r) => r.wager === offer);
      return [offer, settled.length ? left(settled) : amount];
    }),
  );
  const gone = bettor.main.flatMap((amount, spot) => (amount && !main[spot] ? [`main-${spot}`] : []));
  return { main, side, lost: [...lost, ...gone], later };
}
