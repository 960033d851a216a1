// Words of the desk: the steps by which cards are prepared, why the floor is called and a round is void, where a card goes.

import { t, term } from './words.js';

/** @typedef {import('../../browser/types').Schemas} Schemas */

export const STEPS = /** @type {Record<string, string>} */ ({
  inspect: t('inspect-the-cards-front-and-back'),
  'remove-tens': t('take-out-the-tens'),
  spread: t('spread-the-cards-face-up-for-the'),
  wash: t('wash-mix-the-cards-face-down'),
  stack: t('stack-the-cards'),
  'empty-shoe': t('empty-the-shoe'),
  shuffle: t('shuffle'),
  plug: t('plug-the-unused-cards-into-the-stack'),
  riffle: t('riffle'),
  turn: t('turn-the-stack'),
  strip: t('strip'),
  'swap-batches': t('swap-the-batches'),
  load: t('put-the-stack-into-the-shoe'),
  burn: t('burn-the-first-card'),
  'insert-three-stacks': t('insert-the-three-stacks'),
  cut: t('cut-the-cards'),
  'place-cutting-card': t('place-the-cutting-card'),
  'verify-tens': t('verify-that-the-tens-are-out'),
  'turn-up': t('turn-the-cards-face-up'),
  'turn-down': t('turn-the-cards-face-down'),
  'cover-bottom': t('cover-the-bottom-card'),
  'take-in-hand': t('take-the-cards-in-hand'),
  'return-to-shuffler': t('return-the-cards-to-the-shuffler'),
  'reshuffle-discards': t('reshuffle-the-discards'),
});

/** Why a dealer calls the floor, and why a round is void; other words may be written. */
export const CALLS = [
  t('a-player-disputes-a-card'),
  t('an-irregularity'),
  t('a-payment-to-verify'),
  t('chips-for-the-rack'),
  t('a-player'),
];
export const VOIDS = [
  t('a-card-was-recorded-wrongly'),
  t('irregularity-in-the-deal'),
  t('the-equipment-failed'),
  t('the-cards-fell'),
];

/** Where a card goes, in words. @param {Schemas['Place'] | null} to */
export const placeWords = (to) =>
  to === 'dealer'
    ? t('the-dealer')
    : to === 'hole'
      ? t('the-dealers-hole-card')
      : to === 'determinant'
        ? t('the-determinant')
        : to
          ? t('box-3', { box: to.box, b: to.hand > 1 ? t('hand', { hand: to.hand }) : '' })
          : t('the-table');

/**
 * Who decides, and between what; which hand only where there are several.
 * @param {import('../../browser/types').Awaiting} awaiting @param {Schemas['BoxView'][]} boxes
 */
export function decides({ box, hand, actions }, boxes) {
  const c = actions.map((one) => term(one.action)).join(', ');
  const several = (boxes.find((one) => one.box === box)?.hands.length ?? 0) > 1;
  return several ? t('box-hand-decides', { box, hand, c }) : t('box-decides', { box, c });
}

/** What the dealer's next card is: one that lies there face down is turned. @param {boolean} hole */
export const upWords = (hole) => (hole ? t('turn-the-hole-card') : t('a-card-to-the-dealer-face-up'));
