// Words of the desk: the steps by which cards are prepared, why the floor is called and a round is void, where a card goes.

import { listed, t, term } from './words.js';

/** @typedef {import('../../browser/types').Schemas} Schemas */

/** Why a dealer calls the floor, and why a round is void; other words may be written. */
export const CALLS = [
  t('floor.reason.dispute'),
  t('floor.reason.irregularity'),
  t('floor.reason.payout'),
  t('floor.reason.fill'),
  t('floor.reason.player'),
];
export const VOIDS = [
  t('void.reason.wrong_card'),
  t('void.reason.misdeal'),
  t('void.reason.equipment'),
  t('void.reason.dropped'),
];

/** Where a card goes, for messages that say so. @param {Schemas['Place'] | null} to */
export const placeOf = (to) =>
  to && typeof to === 'object'
    ? { place: 'box', box: to.box, hand: to.hand > 1 ? to.hand : 0 }
    : { place: to ?? '', box: 0, hand: 0 };

/**
 * Who decides, and between what; which hand only where there are several.
 * @param {import('../../browser/types').Awaiting} awaiting @param {Schemas['BoxView'][]} boxes
 */
export function decides({ box, hand, actions }, boxes) {
  const c = listed(actions.map((one) => term('action.inline', one.action)));
  const several = (boxes.find((one) => one.box === box)?.hands.length ?? 0) > 1;
  return several ? t('console.decide.hand', { box, hand, actions: c }) : t('console.decide.label', { box, actions: c });
}

/** What the dealer's next card is: one that lies there face down is turned. @param {boolean} hole */
export const upWords = (hole) => (hole ? t('console.deal.turn_hole') : t('console.deal.dealer'));
