// Wording of the console: the steps of preparing the cards, reasons for floor calls and voids, and where a card goes.

import { listed, t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */

/** Common reasons for calling the floor and for voiding a round; others may be typed. */
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

/** Returns the message arguments for where a card goes. @param {Schemas['Place'] | null} to */
export const placeOf = (to) =>
  to && typeof to === 'object'
    ? { place: 'box', box: to.box, hand: to.hand > 1 ? to.hand : 0 }
    : { place: to ?? '', box: 0, hand: 0 };

/**
 * Says who decides and between which actions; names the hand only if the box has several.
 * @param {import('../../../browser/types').Awaiting} awaiting @param {Schemas['BoxView'][]} boxes
 */
export function decides({ box, hand, actions }, boxes) {
  const c = listed(actions.map((one) => term('action.inline', one.action)));
  const several = (boxes.find((one) => one.box === box)?.hands.length ?? 0) > 1;
  return several ? t('console.decide.hand', { box, hand, actions: c }) : t('console.decide.label', { box, actions: c });
}

/** Names the dealer's next card: a hole card is turned, any other is dealt. @param {boolean} hole */
export const upWords = (hole) => (hole ? t('console.deal.turn_hole') : t('console.deal.dealer'));
