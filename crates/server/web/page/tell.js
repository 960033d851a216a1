// Events in words: for the log beside the felt, the steps of a replay, and screen readers.

import { WORDS } from './irregular.js';
import { money } from './ui.js';
import { t, term } from './words.js';

/** @typedef {import('../../browser/types').Event} Event */

const PLACES = /** @type {Record<string, string>} */ ({
  dealer: t('the-dealer'),
  hole: t('the-dealer-face-down'),
  determinant: t('the-determinant'),
});

/** How a wager ended, in words. @param {Event} event */
function ended(event) {
  const net = Number(event.net);
  if (event.result === 'push') return t('is-a-push');
  if (event.result === 'void') return t('is-returned');
  if (event.result === 'abandoned') return t('is-given-up');
  if (event.result === 'surrender') return t('is-surrendered', { net: money(String(event.net)) });
  return net > 0 ? t('wins-2', { net: money(event.net) }) : net < 0 ? t('is-lost-2') : t('comes-back-2');
}

const capital = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * An event in words, for the log and for screen readers.
 * @param {Event} event @param {(person: number | null) => string} name @param {(card: string | null) => string} words
 */
export function tell(event, name, words) {
  const at = event.box ? t('box-6', { box: event.box }) : '';
  const hand = event.hand > 1 ? t('hand', { hand: event.hand }) : '';
  switch (event.event) {
    case 'wagered':
      return name(event.person) === t('you')
        ? t('you-wager-2', { at, b: event.amounts.join(' / ') })
        : t('wagers-3', { at, person: name(event.person), c: event.amounts.join(' / ') });
    case 'side-wagered':
      return `${at}: ${term(event.wager)} ${money(event.amount)}`;
    case 'withdrawn':
      return t('the-wager-is-withdrawn', { at });
    case 'wagers-closed':
      return t('no-more-bets');
    case 'dealt': {
      const to =
        event.to && typeof event.to === 'object'
          ? t('box-3', { box: event.to.box, b: event.to.hand > 1 ? t('hand', { hand: event.to.hand }) : '' })
          : (PLACES[event.to ?? ''] ?? event.to ?? '');
      if (event.card) return t('to-2', { card: capital(words(event.card)), to });
      return t('a-card-face-down-to', { to: event.to === 'hole' ? t('the-dealer') : to });
    }
    case 'hole-turned':
      return t('the-dealer-turns-the', { card: words(event.card) });
    case 'announced':
      return event.words === 'total' || event.words === 'total, or switch' || event.words === "dealer's total"
        ? `${event.box ? at + hand : t('the-dealer-3')}${event.words === 'total, or switch' ? t('or-switch', { total: event.total }) : `: ${event.total}`}`
        : event.box
          ? `${at}: ${term(event.words)}`
          : capital(term(event.words));
    case 'attacked':
      return `${at}: ${term(event.offer)} ${money(event.amount)}`;
    case 'declined':
      return t('no-3', { at, offer: term(event.offer) });
    case 'insured':
      return t('insurance-5', { at, hand, c: event.amounts.join(' / ') });
    case 'even-money-taken':
      return t('even-money-3', { at });
    case 'seated':
      return name(event.person) === t('you')
        ? t('you-sit-down', { at })
        : t('sits-down', { at, person: name(event.person) });
    case 'reader-used':
      return event.blackjack ? t('the-reader-shows-a-blackjack') : t('the-reader-shows-no-blackjack');
    case 'switched':
      return t('the-second-cards-change-places', { at });
    case 'revoked':
      return t('the-switch-is-taken-back', { at });
    case 'switch-declined':
      return t('no-switch', { at });
    case 'stood':
      return t('stand-3', { at, hand });
    case 'drew':
      return t('hit-3', { at, hand });
    case 'doubled':
      return t('double-3', { at, hand, c: event.amounts.join(' / ') });
    case 'split':
      return t('split-3', { at, hand });
    case 'surrendered':
      return t('surrender-3', { at, hand });
    case 'settled':
      return `${at}${hand}: ${term(event.wager)} ${money(event.amount)} ${ended(event)}`;
    case 'reversed':
      return t('taken-back', { at, hand, wager: term(event.wager) });
    case 'next-dealer-hand':
      return t('the-dealers-hand', { spot: event.spot });
    case 'awarded':
      return t('the-bonus-button-shows', { at, amount: event.amount });
    case 'lammer-moved':
      return t('the-lammer-moves-to', { at, to: Number(event.to) });
    case 'meter-raised':
      return t('the-meter-rises-to', { meter: event.meter });
    case 'meter-reset':
      return t('the-meter-starts-again-at', { meter: event.meter });
    case 'consented':
      return t('others-may-bet-on-it', { at });
    case 'admitted':
      return t('may-bet-before-the-next-shuffle', { person: name(event.person) });
    case 'not-doubled':
      return t('a-co-bettor-does-not-double', { at, hand });
    case 'covered':
      return t('a-co-bettor-covers-both-hands', { at });
    case 'followed':
      return t('a-co-bettor-stays-with-hand', { at, hand: event.hand });
    case 'late-card':
      return event.taken ? t('takes-the-card-that-was-missed', { at }) : t('declines-the-card-that-was-missed', { at });
    case 'card-refused':
      return t('refuses-the-exposed-card-and-gets-no', { at });
    case 'double-turned':
      return t('the-card-of-the-double-is-turned', { at, hand });
    case 'cards-looked-at':
      return t('looks-at-the-two-cards', { at });
    case 'cards-turned':
      return t('the-two-cards-are-turned-over', { at });
    case 'cards-thrown-in':
      return t('the-first-two-cards-are-thrown-in', { at, hand });
    case 'cards-tucked':
      return t('the-cards-are-tucked-under-the-wager', { at });
    case 'cards-removed':
      return t('the-cards-of-the-blackjack-are-removed', { at });
    case 'cards-verified':
      return t('the-cards-are-verified', { at });
    case 'light-on':
      return t('the-light-is-on', { at });
    case 'lights-counted':
      return t('lights-counted', { n: event.count });
    case 'light-verified':
      return t('the-light-is-verified', { at });
    case 'button-placed':
      return t('the-bonus-button-is-placed', { at });
    case 'amount-verified':
      return t('the-amount-is-verified', { at, amount: event.amount });
    case 'cut-offered':
      return t('the-cut-is-offered', { at });
    case 'cut-declined':
      return t('declines-to-cut', { at });
    case 'batch-asked-for':
      return t('asks-that-the-stored-cards-be-spread', { at });
    case 'determined':
      return t('from-the-side', {
        card: capital(words(event.card)),
        drawn_from: term(event.drawn_from),
        c: event.burned
          ? t('it-is-burned-and-the-side-is', { deals: term(event.deals) })
          : t('the-first-card-of-the-round'),
      });
    case 'burn-disclosed':
      return t('the-burned-card-was-the', { card: words(event.card) });
    case 'set-aside':
      return t('the-goes-unused-to-the-discard-rack', { card: words(event.card) });
    case 'destroyed':
      return t('the-is-destroyed', { card: words(event.card) });
    case 'dealer-relieved':
      if (event.person === null) return t('another-dealer-takes-over');
      return name(event.person) === t('you')
        ? t('you-take-over-as-dealer')
        : t('takes-over-as-dealer', { name: name(event.person) });
    case 'reshuffle-ordered':
      return t('the-cards-will-be-shuffled-after-this');
    case 'recut-ordered':
      return t('the-supervisor-orders-a-new-cut');
    case 'fell-idle':
      return t('nobody-plays-the-cards-are-spread');
    case 'supervisor-notified':
      return t('the-supervisor-is-told');
    case 'up-card-found':
      return t('the-supervisor-finds-the-up-card', { card: words(event.card) });
    case 'up-card-put-back':
      return t('the-is-the-up-card-again', { card: words(event.card) });
    case 'performed':
      return t('cards', { step: term(event.step), b: event.at ? t('at', { at: event.at }) : '' });
    case 'burned':
      return t('a-card-is-burned');
    case 'cutting-card-out':
      return t('the-cutting-card-is-out-the-last');
    case 'picked-up':
      return t('the-cards-are-picked-up');
    case 'irregularity':
      return t('irregularity-2', { name: WORDS[event.name] ?? term(event.name) });
    case 'approved':
      return t('approved-by-the', { role: term(event.role) });
    case 'card-corrected':
      return event.card
        ? t('the-record-is-corrected-it-was-the', { card: words(event.card), was: words(event.was) })
        : t('the-record-of-a-card-face-down');
    case 'voided':
      return event.name
        ? t('the-round-is-void-declared-by-wagers', { name: event.name, reason: event.reason })
        : t('the-round-is-void-wagers-are-returned');
    case 'sevens-card':
      return event.taken ? t('takes-the-sevens-card', { at }) : t('declines-the-sevens-card', { at });
    default:
      return `${at ? `${at}: ` : ''}${term(event.event)}`;
  }
}

/** Why a round is void, as short as who plays needs it; by whom is in the log. @param {Event} event */
export const voidWords = (event) =>
  event.reason ? t('void-because', { reason: event.reason }) : t('the-round-is-void-wagers-are-returned');

/** Events that people want to hear of; the rest is in the log only. */
export const spoken = (/** @type {Event} */ event) =>
  [
    'dealt',
    'hole-turned',
    'attacked',
    'insured',
    'switched',
    'revoked',
    'doubled',
    'split',
    'surrendered',
    'settled',
    'next-dealer-hand',
    'cutting-card-out',
    'voided',
    'card-corrected',
    'irregularity',
    'awarded',
    'wagers-closed',
  ].includes(event.event);
