// The counting drill: deals cards from a shuffled shoe at speed, then asks for the running count and the true count,
// showing how many cards are left.

import { cardElement } from '../shared/cards.js';
import { field, fill, h, say } from '../shared/ui.js';
import { number, t } from '../shared/words.js';

/** Returns the Hi-Lo tag of a card. @param {string} card */
export const hiLo = (card) => ('23456'.includes(card[0]) ? 1 : 'TJQKA'.includes(card[0]) ? -1 : 0);

/** @param {string[]} cards */
export const running = (cards) => cards.reduce((all, card) => all + hiLo(card), 0);

/** Formats a count with its sign. @param {number} count */
const signedCount = (count) => (count > 0 ? '+' : '') + number(count);

/**
 * Returns the running count per remaining deck, rounded to half a point.
 * @param {number} count @param {number} decks
 */
export const trueCount = (count, decks) => Math.round((count / Math.max(0.5, decks)) * 2) / 2;

/** Returns a shuffled shoe. @param {number} decks @param {(most: number) => number} below @param {string[]} deck */
export function shuffled(decks, below, deck) {
  const shoe = Array.from({ length: decks }, () => deck).flat();
  for (let at = shoe.length - 1; at > 0; at -= 1) {
    const other = below(at + 1);
    [shoe[at], shoe[other]] = [shoe[other], shoe[at]];
  }
  return shoe;
}

export class Counting {
  /**
   * @param {number} decks @param {(most: number) => number} below @param {string[]} deck
   * @param {(right: boolean, off: number) => void} answered receives how far the running count was off
   */
  constructor(decks, below, deck, answered) {
    this.each = deck.length;
    this.answered = answered;
    this.make = () => shuffled(decks, below, deck);
    this.shoe = this.make();
    this.gone = 0;
    /** The cards shown in this run. @type {string[]} */
    this.seen = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.scene = h('div', { class: 'counting-cards cards', 'aria-live': 'off' });
    this.words = h('div', { class: 'coach-words', role: 'status' });
    this.speed = /** @type {HTMLInputElement} */ (
      h('input', { type: 'range', min: 200, max: 1600, step: 100, value: 1600 - 700 + 200 })
    );
    this.many = /** @type {HTMLInputElement} */ (h('input', { type: 'number', min: 4, max: 52, value: 16 }));
    this.element = h(
      'div',
      { class: 'counting' },
      h('div', { class: 'felt train-felt' }, this.scene),
      h(
        'div',
        { class: 'bar still' },
        this.words,
        h('div', { class: 'row' }, field(t('count_drill.speed'), this.speed), field(t('count_drill.cards'), this.many)),
      ),
    );
    this.ready();
  }

  ready() {
    fill(
      this.words,
      h('p', { class: 'status' }, t('count_drill.intro')),
      h(
        'button',
        { class: 'act primary', type: 'button', 'data-act': 'count', onclick: () => this.run() },
        t('bet.deal'),
      ),
    );
  }

  stop() {
    clearTimeout(this.timer);
  }

  run() {
    const many = Math.max(4, Math.min(52, Number(this.many.value) || 16));
    // Shuffle when a quarter of the shoe is left, as at a table.
    if (this.gone + many > this.shoe.length * 0.75) {
      this.shoe = this.make();
      this.gone = 0;
    }
    const end = this.gone + many;
    this.seen = this.shoe.slice(this.gone, end);
    const watch = h('p', { class: 'status', tabindex: '-1' }, t('count_drill.watch'));
    fill(this.words, watch);
    watch.focus({ preventScroll: true });
    const step = () => {
      const card = this.shoe[this.gone];
      this.gone += 1;
      fill(this.scene, cardElement(card));
      this.timer = setTimeout(this.gone < end ? step : () => this.ask(), 1800 - Number(this.speed.value));
    };
    step();
  }

  ask() {
    const left = this.shoe.length - this.gone;
    const entry = (/** @type {string} */ name, step = 1) =>
      /** @type {HTMLInputElement} */ (h('input', { type: 'number', name, step, required: true, autocomplete: 'off' }));
    const [count, exact] = [entry('running'), entry('true', 0.5)];
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.told(Number(count.value), Number(exact.value), left);
    };
    fill(this.scene, cardElement(null));
    fill(
      this.words,
      h(
        'form',
        { class: 'row', onsubmit: submit },
        h(
          'p',
          { class: 'status' },
          t('count_drill.left', { cards: this.gone, decks: Math.round((10 * left) / this.each) / 10 }),
        ),
        field(t('count.running'), count),
        field(t('count.true'), exact),
        h('button', { class: 'act primary', 'data-act': 'tell' }, t('action.check')),
      ),
    );
    count.focus();
  }

  /** @param {number} count @param {number} exact @param {number} left */
  told(count, exact, left) {
    const sum = running(this.shoe.slice(0, this.gone));
    const due = trueCount(sum, left / this.each);
    const right = count === sum && Math.abs(exact - due) <= 0.5;
    const said = {
      running: number(sum),
      true: number(due),
      your_running: number(count),
      your_true: number(exact),
    };
    const text = right ? t('count_drill.right', said) : t('count_drill.wrong', said);
    this.answered(right, Math.abs(count - sum));
    say(text);
    // Lay out the cards that went by, so that the player can find the mistake.
    fill(
      this.scene,
      h(
        'ol',
        { class: `counted${this.seen.length > 24 ? ' many' : ''}`, 'aria-label': t('count_drill.seen') },
        this.seen.map((card) => h('li', null, cardElement(card), h('span', null, signedCount(hiLo(card))))),
      ),
    );
    const on = h(
      'button',
      {
        class: 'act primary',
        type: 'button',
        'data-act': 'count',
        // The second of two quick clicks was meant for the button that was here before.
        onclick: (/** @type {MouseEvent} */ event) => event.detail < 2 && this.run(),
      },
      t('action.continue'),
    );
    fill(
      this.words,
      h('p', { class: `status ${right ? 'ok' : 'wrong'}`, 'data-verdict': right ? 'right' : 'wrong' }, text),
      on,
    );
    on.focus();
  }
}
