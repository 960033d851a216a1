// Events in words: for the log beside the felt, the steps of a replay, and screen readers.

import { money } from './ui.js';

const PLACES = /** @type {Record<string, string>} */ ({
  dealer: 'the dealer',
  hole: 'the dealer, face down',
  determinant: 'the determinant',
});

const named = (/** @type {string} */ word) => String(word).replaceAll('-', ' ');

/** How a wager ended, in words. @param {any} event */
function ended(event) {
  const net = Number(event.net);
  if (event.result === 'push') return 'is a push';
  if (event.result === 'void') return 'is returned';
  if (event.result === 'abandoned') return 'is given up';
  if (event.result === 'surrender') return `is surrendered: ${money(String(event.net))}`;
  return net > 0 ? `wins ${money(event.net)}` : net < 0 ? `is lost` : 'comes back';
}

const capital = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * An event in words, for the log and for screen readers.
 * @param {any} event @param {(person: number | null) => string} name @param {(card: string) => string} words
 */
export function tell(event, name, words) {
  const at = event.box ? `Box ${event.box}` : '';
  const hand = event.hand > 1 ? `, hand ${event.hand}` : '';
  switch (event.event) {
    case 'wagered':
      return `${at}: ${name(event.person)} ${name(event.person) === 'You' ? 'wager' : 'wagers'} ${event.amounts.join(' / ')}`;
    case 'side-wagered':
      return `${at}: ${named(event.wager)} ${money(event.amount)}`;
    case 'withdrawn':
      return `${at}: the wager is withdrawn`;
    case 'wagers-closed':
      return 'No more bets';
    case 'dealt': {
      const to =
        typeof event.to === 'object'
          ? `box ${event.to.box}${event.to.hand > 1 ? `, hand ${event.to.hand}` : ''}`
          : (PLACES[event.to] ?? event.to);
      return event.card ? `${capital(words(event.card))} to ${to}` : `A card face down to ${to}`;
    }
    case 'hole-turned':
      return `The dealer turns the ${words(event.card)}`;
    case 'announced':
      return event.words === 'total' || event.words === 'total, or switch' || event.words === "dealer's total"
        ? `${event.box ? at + hand : 'The dealer'}${event.words === 'total, or switch' ? `: ${event.total}, or switch` : `: ${event.total}`}`
        : event.box
          ? `${at}: ${event.words}`
          : capital(event.words);
    case 'attacked':
      return `${at}: ${named(event.offer)} ${money(event.amount)}`;
    case 'declined':
      return `${at}: no ${named(event.offer)}`;
    case 'insured':
      return `${at}${hand}: insurance ${event.amounts.join(' / ')}`;
    case 'even-money-taken':
      return `${at}: even money`;
    case 'seated':
      return `${at}: ${name(event.person)} ${name(event.person) === 'You' ? 'sit' : 'sits'} down`;
    case 'reader-used':
      return event.blackjack ? 'The reader shows a blackjack' : 'The reader shows no blackjack';
    case 'switched':
      return `${at}: the second cards change places`;
    case 'revoked':
      return `${at}: the switch is taken back`;
    case 'switch-declined':
      return `${at}: no switch`;
    case 'stood':
      return `${at}${hand}: stand`;
    case 'drew':
      return `${at}${hand}: hit`;
    case 'doubled':
      return `${at}${hand}: double ${event.amounts.join(' / ')}`;
    case 'split':
      return `${at}${hand}: split`;
    case 'surrendered':
      return `${at}${hand}: surrender`;
    case 'settled':
      return `${at}${hand}: ${named(event.wager)} ${money(event.amount)} ${ended(event)}`;
    case 'reversed':
      return `${at}${hand}: ${named(event.wager)} taken back`;
    case 'next-dealer-hand':
      return `The dealer's hand ${event.spot}`;
    case 'awarded':
      return `${at}: the bonus button shows ${event.amount}`;
    case 'lammer-moved':
      return `${at}: the lammer moves to ${event.to}`;
    case 'meter-raised':
      return `The meter rises to ${event.meter}`;
    case 'meter-reset':
      return `The meter starts again at ${event.meter}`;
    case 'consented':
      return `${at}: others may bet on it`;
    case 'admitted':
      return `${name(event.person)} may bet before the next shuffle`;
    case 'not-doubled':
      return `${at}${hand}: a co-bettor does not double`;
    case 'covered':
      return `${at}: a co-bettor covers both hands`;
    case 'followed':
      return `${at}: a co-bettor stays with hand ${event.hand}`;
    case 'late-card':
      return `${at}: ${event.taken ? 'takes' : 'declines'} the card that was missed`;
    case 'card-refused':
      return `${at}: refuses the exposed card and gets no more`;
    case 'double-turned':
      return `${at}${hand}: the card of the double is turned`;
    case 'cards-looked-at':
      return `${at}: looks at the two cards`;
    case 'cards-turned':
      return `${at}: the two cards are turned over`;
    case 'cards-thrown-in':
      return `${at}${hand}: the first two cards are thrown in`;
    case 'cards-tucked':
      return `${at}: the cards are tucked under the wager`;
    case 'cards-removed':
      return `${at}: the cards of the blackjack are removed`;
    case 'cards-verified':
      return `${at}: the cards are verified`;
    case 'light-on':
      return `${at}: the light is on`;
    case 'lights-counted':
      return `${event.count} light${event.count === 1 ? '' : 's'} counted`;
    case 'light-verified':
      return `${at}: the light is verified`;
    case 'button-placed':
      return `${at}: the bonus button is placed`;
    case 'amount-verified':
      return `${at}: the amount is verified, ${event.amount}`;
    case 'cut-offered':
      return `${at}: the cut is offered`;
    case 'cut-declined':
      return `${at}: declines to cut`;
    case 'batch-asked-for':
      return `${at}: asks that the stored cards be spread and shuffled again`;
    case 'determined':
      return `${capital(words(event.card))} from the ${event.drawn_from} side: ${
        event.burned ? `it is burned, and the ${event.deals} side is dealt` : 'the first card of the round'
      }`;
    case 'burn-disclosed':
      return `The burned card was the ${words(event.card)}`;
    case 'set-aside':
      return `The ${words(event.card)} goes unused to the discard rack`;
    case 'destroyed':
      return `The ${words(event.card)} is destroyed`;
    case 'dealer-relieved':
      return 'Another dealer takes over';
    case 'reshuffle-ordered':
      return 'The cards will be shuffled after this round';
    case 'recut-ordered':
      return 'The supervisor orders a new cut';
    case 'fell-idle':
      return 'Nobody plays: the cards are spread';
    case 'supervisor-notified':
      return 'The supervisor is told';
    case 'up-card-found':
      return `The supervisor finds the up card: ${words(event.card)}`;
    case 'up-card-put-back':
      return `The ${words(event.card)} is the up card again`;
    case 'performed':
      return `Cards: ${String(event.step).replaceAll('-', ' ')}${event.at ? ` at ${event.at}` : ''}`;
    case 'burned':
      return 'A card is burned';
    case 'cutting-card-out':
      return 'The cutting card is out: the last round of this shoe';
    case 'picked-up':
      return 'The cards are picked up';
    case 'irregularity':
      return `Irregularity: ${String(event.name).replaceAll('-', ' ')}`;
    case 'approved':
      return `Approved by the ${event.role}`;
    case 'card-corrected':
      return event.card
        ? `The record is corrected: it was the ${words(event.card)}, not the ${words(event.was)}`
        : 'The record of a card face down is corrected';
    case 'voided':
      return event.name
        ? `The round is void, declared by ${event.name}: ${event.reason}. Wagers are returned`
        : 'The round is void; wagers are returned';
    case 'sevens-card':
      return `${at}: ${event.taken ? 'takes' : 'declines'} the sevens card`;
    default:
      return `${at ? `${at}: ` : ''}${String(event.event).replaceAll('-', ' ')}`;
  }
}

/** Events that people want to hear of; the rest is in the log only. */
export const spoken = (/** @type {any} */ event) =>
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
