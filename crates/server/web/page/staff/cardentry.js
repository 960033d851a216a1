// Entry of a card by hand: a rank, a suit, then the card shown large for confirmation. A second rank replaces the
// first, and a card that the server rejects is cleared.

import { cardElement } from '../shared/cards.js';
import { cardWords, fill, h } from '../shared/ui.js';
import { t } from '../shared/words.js';

const RANKS = 'A23456789TJQK';
const SUITS = /** @type {[string, string, string][]} */ ([
  ['s', '♠', t('card.suit.spades')],
  ['h', '♥', t('card.suit.hearts')],
  ['d', '♦', t('card.suit.diamonds')],
  ['c', '♣', t('card.suit.clubs')],
]);

export class CardEntry {
  /** @param {(card: string) => Promise<unknown>} record records a confirmed card */
  constructor(record) {
    this.record = record;
    this.rank = '';
    this.suit = '';
    this.wanted = false;
    this.question = '';
    this.element = h('div', { class: 'card-entry', hidden: true });
  }

  /**
   * Asks for a card, or hides the entry if `question` is `null`. A new question discards a half-entered card and shows
   * the card that is known to come, if any.
   * @param {string | null} question @param {string} [known]
   */
  ask(question, known = '') {
    const wanted = question !== null;
    if (wanted !== this.wanted || (question ?? '') !== this.question) [this.rank = '', this.suit = ''] = known;

    this.wanted = wanted;
    this.question = question ?? '';
    this.draw();
  }

  clear() {
    this.rank = '';
    this.suit = '';
    this.draw();
  }

  /** @param {string} rank */
  chooseRank(rank) {
    this.rank = rank;
    this.suit = '';
    this.draw();
  }

  /** @param {string} suit */
  chooseSuit(suit) {
    if (!this.rank) return;
    this.suit = suit;
    this.draw();
  }

  async confirm() {
    if (!this.rank || !this.suit) return;
    const card = this.rank + this.suit;
    this.clear();
    await this.record(card);
  }

  /** Handles a key if it belongs to a card. Returns whether it did. @param {KeyboardEvent} event */
  key(event) {
    if (!this.wanted) return false;
    const key = event.key === '0' ? 'T' : event.key.toUpperCase();
    const one = key.length === 1;
    const begun = Boolean(this.rank);
    if (one && RANKS.includes(key)) this.chooseRank(key);
    else if (one && begun && 'SHDC'.includes(key)) this.chooseSuit(key.toLowerCase());
    else if (begun && (event.key === 'Escape' || event.key === 'Backspace')) this.clear();
    else if (this.suit && event.key === 'Enter') this.confirm();
    else return false;
    event.preventDefault();
    return true;
  }

  draw() {
    this.element.hidden = !this.wanted;
    if (!this.wanted) return;
    const card = this.rank && this.suit ? this.rank + this.suit : '';
    const held = document.activeElement instanceof HTMLElement && this.element.contains(document.activeElement);
    const place = held ? /** @type {HTMLElement} */ (document.activeElement).dataset : {};
    const rank = (/** @type {string} */ r) =>
      h(
        'button',
        {
          class: `rank-button${r === this.rank ? ' on' : ''}`,
          type: 'button',
          'data-rank': r,
          'aria-pressed': r === this.rank ? 'true' : 'false',
          onclick: () => this.chooseRank(r),
        },
        r === 'T' ? '10' : r,
      );
    const suit = ([letter, sign, name] = ['', '', '']) =>
      h(
        'button',
        {
          class: `rank-button suit-button suit-${letter}${letter === this.suit ? ' on' : ''}`,
          type: 'button',
          'data-suit': letter,
          disabled: !this.rank,
          'aria-pressed': letter === this.suit ? 'true' : 'false',
          'aria-label': this.rank ? cardWords(this.rank + letter) : name,
          onclick: () => this.chooseSuit(letter),
        },
        sign,
      );
    const hint = card
      ? t('card_entry.confirm', { card: cardWords(card) })
      : this.rank
        ? t('card_entry.suit', { rank: this.rank === 'T' ? '10' : this.rank })
        : t('card_entry.start');
    fill(
      this.element,
      h(
        'div',
        { class: 'entry-row' },
        h(
          'div',
          { class: 'entry-keys' },
          h('div', { class: 'ranks', role: 'group', 'aria-label': t('card.rank.label') }, Array.from(RANKS, rank)),
          h('div', { class: 'ranks', role: 'group', 'aria-label': t('bet.area.same_suit') }, SUITS.map(suit)),
        ),
        h(
          'div',
          { class: `entry-card${card ? ' whole' : ''}`, 'data-pending': card || this.rank },
          card
            ? cardElement(card)
            : h('span', { class: 'entry-blank', 'aria-hidden': 'true' }, this.rank === 'T' ? '10' : this.rank || '?'),
        ),
        h(
          'button',
          {
            class: 'act primary entry-record',
            type: 'button',
            'data-act': 'record',
            disabled: !card,
            onclick: () => this.confirm(),
          },
          t('console.record_card'),
          h('kbd', { 'aria-hidden': 'true' }, '⏎'),
        ),
      ),
      h('p', { class: 'small dim', 'aria-live': 'polite' }, hint),
    );
    if (held) {
      const again = place.rank
        ? `[data-rank="${place.rank}"]`
        : place.suit
          ? `[data-suit="${place.suit}"]`
          : '.entry-record';
      /** @type {HTMLElement | null} */ (this.element.querySelector(again))?.focus();
    }
  }
}
