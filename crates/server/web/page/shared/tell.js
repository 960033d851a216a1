// Events in words: for the log beside the felt, the steps of a replay, and screen readers.

import { money } from './ui.js';
import { isMe } from './names.js';
import { t, term } from './words.js';

/** @typedef {import('../../../browser/types').Event} Event */
/** @template {Event['event']} W @typedef {import('../../../browser/types').EventOf<W>} EventOf */

/** Describes how a bet ended. @param {EventOf<'settled'>} event @param {string} box */
function ended(event, box) {
  const net = Number(event.net);
  const of = { box, bet: term('bet', event.wager), amount: money(event.amount) };
  if (event.result === 'push') return t('log.result.push', of);
  if (event.result === 'void') return t('log.result.void', of);
  if (event.result === 'abandoned') return t('log.result.abandoned', of);
  if (event.result === 'surrender') return t('log.result.surrender', { ...of, net: money(String(event.net)) });
  if (net > 0) return t('log.result.win', { ...of, net: money(event.net) });
  return net < 0 ? t('log.result.lose', of) : t('log.result.push', of);
}

/** Names the hand that a card goes to. @param {Event['to']} to */
function place(to) {
  if (to && typeof to === 'object') return t('felt.box_hand', { box: to.box, hand: to.hand > 1 ? to.hand : 0 });
  return to === 'determinant' ? t('log.determinant') : t('felt.dealer.text');
}

/** Returns the dealer's announcement. @param {EventOf<'announced'>} event @param {string} box */
function announced(event, box) {
  const of = event.box ? box : t('felt.dealer.text');
  const total = event.total ?? 0;
  if (event.words === 'total' || event.words === "dealer's total") return t('log.total', { place: of, total });
  if (event.words === 'total, or switch') return t('log.total_or_switch', { place: of, total });
  const words = term('announce', event.words);
  return event.box ? t('log.announced', { box, words }) : words;
}

/** Names an event that this page does not know. That every known one has its words, the type `never` shows. @param {never} event */
function unknown(event) {
  return term('event', /** @type {Event} */ (event).event);
}

/**
 * Describes an event, for the log and for screen readers.
 * @param {Event} event @param {(person: number | null) => string} name @param {(card: string | null) => string} words
 */
export function tell(event, name, words) {
  const hand = event.hand ?? 0;
  const box = event.box ? t('felt.box_hand', { box: event.box, hand: hand > 1 ? hand : 0 }) : '';
  switch (event.event) {
    case 'wagered':
      return isMe(event.person)
        ? t('log.bet.you', { box, amounts: event.amounts.map(money).join(' / ') })
        : t('log.bet.label', { box, name: name(event.person), amounts: event.amounts.map(money).join(' / ') });
    case 'side-wagered':
      return t('log.side_bet', { box, bet: term('bet', event.wager), amount: money(event.amount) });
    case 'withdrawn':
      return t('log.bet_withdrawn', { box });
    case 'wagers-closed':
      return t('log.no_more_bets');
    case 'dealt':
      return event.card
        ? t('log.dealt', { place: place(event.to), card: words(event.card) })
        : t('log.dealt_down', { place: place(event.to) });
    case 'hole-turned':
      return t('log.hole_turned', { card: words(event.card) });
    case 'announced':
      return announced(event, box);
    case 'attacked':
      return t('log.attacked', { box, offer: term('offer', event.offer), amount: money(event.amount) });
    case 'declined':
      return t('log.declined', { box, offer: term('offer', event.offer) });
    case 'insured':
      return t('log.insured', { box, amounts: event.amounts.map(money).join(' / ') });
    case 'even-money-taken':
      return t('log.even_money', { box });
    case 'seated':
      return isMe(event.person)
        ? t('log.seated.you', { box })
        : t('log.seated.label', { box, name: name(event.person) });
    case 'reader-used':
      return event.blackjack ? t('log.reader.blackjack') : t('log.reader.no_blackjack');
    case 'switched':
      return t('log.switched', { box });
    case 'revoked':
      return t('log.switch_undone', { box });
    case 'switch-declined':
      return t('log.switch_declined', { box });
    case 'stood':
      return t('log.stand', { box });
    case 'drew':
      return t('log.hit', { box });
    case 'doubled':
      return t('log.double', { box, amounts: event.amounts.map(money).join(' / ') });
    case 'split':
      return t('log.split', { box });
    case 'surrendered':
      return t('log.surrender', { box });
    case 'settled':
      return ended(event, box);
    case 'reversed':
      return t('log.reversed', { box, bet: term('bet', event.wager) });
    case 'next-dealer-hand':
      return t('log.dealer_hand', { hand: event.spot });
    case 'awarded':
      return t('log.bonus', { box, amount: money(event.amount) });
    case 'lammer-moved':
      return t('log.lammer', { box, streak: Number(event.to) });
    case 'meter-raised':
      return t('log.meter', { amount: money(event.meter) });
    case 'meter-reset':
      return t('log.meter_reset', { amount: money(event.meter) });
    case 'consented':
      return t('log.shared', { box });
    case 'admitted':
      return t('log.admitted', { name: name(event.person) });
    case 'not-doubled':
      return t('log.co_bettor.no_double', { box });
    case 'covered':
      return t('log.co_bettor.covers', { box });
    case 'followed':
      return t('log.co_bettor.follows', { box: t('box.name', { box: event.box ?? 0 }), hand: event.hand ?? 0 });
    case 'late-card':
      return event.taken ? t('log.late_card.taken', { box }) : t('log.late_card.declined', { box });
    case 'card-refused':
      return t('log.card_refused', { box });
    case 'double-turned':
      return t('log.double_turned', { box });
    case 'cards-looked-at':
      return t('log.cards_looked_at', { box });
    case 'cards-turned':
      return t('log.cards_turned', { box });
    case 'cards-thrown-in':
      return t('log.cards_thrown_in', { box });
    case 'cards-tucked':
      return t('log.cards_tucked', { box });
    case 'cards-removed':
      return t('log.cards_removed', { box });
    case 'cards-verified':
      return t('log.cards_verified', { box });
    case 'light-on':
      return t('log.light_on', { box });
    case 'lights-counted':
      return t('log.lights_counted', { count: event.count });
    case 'light-verified':
      return t('log.light_verified', { box });
    case 'button-placed':
      return t('log.button_placed', { box });
    case 'amount-verified':
      return t('log.amount_verified', { box, amount: money(event.amount) });
    case 'cut-offered':
      return t('log.cut_offered', { box });
    case 'cut-declined':
      return t('log.cut_declined', { box });
    case 'batch-asked-for':
      return t('log.reshuffle_asked', { box });
    case 'determined':
      return event.burned
        ? t('log.determined.burned', { card: words(event.card), from: event.drawn_from, side: event.deals })
        : t('log.determined.first', { card: words(event.card), from: event.drawn_from });
    case 'burn-disclosed':
      return t('log.burn_shown', { card: words(event.card) });
    case 'set-aside':
      return t('log.set_aside', { card: words(event.card) });
    case 'destroyed':
      return t('log.destroyed', { card: words(event.card) });
    case 'dealer-relieved':
      if (event.person === null) return t('log.relieved.other');
      return isMe(event.person) ? t('log.relieved.you') : t('log.relieved.label', { name: name(event.person) });
    case 'reshuffle-ordered':
      return t('log.reshuffle');
    case 'recut-ordered':
      return t('log.recut');
    case 'fell-idle':
      return t('log.dead_game');
    case 'supervisor-notified':
      return t('log.supervisor_told');
    case 'up-card-found':
      return t('log.upcard_found', { card: words(event.card) });
    case 'up-card-put-back':
      return t('log.upcard_back', { card: words(event.card) });
    case 'performed':
      return event.at
        ? t('log.procedure_at', { step: term('step', event.step), position: event.at })
        : term('step', event.step);
    case 'burned':
      return t('log.burned');
    case 'cutting-card-out':
      return t('log.cut_card_out');
    case 'picked-up':
      return t('log.picked_up');
    case 'irregularity':
      return t('log.irregularity', { name: term('irregularity', event.name) });
    case 'approved':
      return t('log.approved', { role: term('role', event.role) });
    case 'card-corrected':
      return event.card
        ? t('log.card_corrected', { card: words(event.card), was: words(event.was) })
        : t('log.card_corrected_down');
    case 'voided':
      return event.name ? t('log.voided_by', { name: event.name, reason: event.reason ?? '' }) : t('log.voided');
    case 'sevens-card':
      return event.taken ? t('log.sevens.taken', { box }) : t('log.sevens.declined', { box });
    default:
      return unknown(event);
  }
}

/** Says why a round is void, as briefly as a player needs; the log says who declared it. @param {Event} event */
export const voidWords = (event) =>
  event.reason ? t('log.voided_because', { reason: event.reason }) : t('log.voided');

/** Events that are announced to screen readers; the others are only in the log. */
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
