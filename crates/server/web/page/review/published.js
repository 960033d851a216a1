// Asks for the rounds in which a finished shoe was dealt, as the house publishes them, and for those after the last.

import { dealt } from '../shared/share.js';

/** @typedef {import('../../../browser/types').Event} Event */
/** @typedef {import('../shared/proof.js').Opening} Opening */

/** Most rounds asked for after the last that an opening names. The sides of a double shoe take turns by chance. */
const MOST_AFTER = 30;

/** Returns the cards that a round showed, each with its side of a double shoe. @param {Event[]} events */
function shown(events) {
  /** @type {string | null} */
  let deals = null;
  return events.flatMap((event) => {
    if (event.event === 'determined') deals = event.deals ?? null;
    const side = event.event === 'determined' ? (event.drawn_from ?? null) : deals;
    return dealt([event]).map(({ card, origin }) => ({ card, origin, side }));
  });
}

/**
 * Returns the published cards of a shoe, by round: of the rounds that its opening names, and of those after the last,
 * in which it must have none. Goes on until a round is not published, or has a card of a later shoe of the same side.
 * @param {Opening} opening
 * @param {(round: number) => Promise<Event[] | null>} ask returns the events of a round; none if it is not published
 */
export async function publishedRounds(opening, ask) {
  const rounds = [];
  /** @type {string | null} */
  let side = null;
  for (const { round } of opening.rounds) {
    const events = await ask(round);
    const cards = events && shown(events).filter(({ origin }) => !origin || origin.shoe === opening.shoe);
    side = cards?.find(({ origin }) => origin)?.side ?? side;
    rounds.push({ round, cards: cards?.map(({ card, origin }) => ({ card, left: origin?.left ?? null })) ?? null });
  }
  const last = opening.rounds.at(-1)?.round ?? -Infinity;
  for (let round = last + 1; round <= last + MOST_AFTER; round += 1) {
    const events = Number.isFinite(round) ? await ask(round) : null;
    if (!events) break;
    const all = shown(events);
    const cards = all.filter(({ origin }) => origin?.shoe === opening.shoe);
    rounds.push({ round, cards: cards.map(({ card, origin }) => ({ card, left: origin?.left ?? null })) });
    if (all.some((seen) => seen.side === side && seen.origin && seen.origin.shoe > opening.shoe)) break;
  }
  return rounds;
}
