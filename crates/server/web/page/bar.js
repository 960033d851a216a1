// The bar under a felt: what is asked, the chips, and every act in a place of its own that never moves. What cannot be done
// now is dimmed where it will be. A new offer takes no answer before anybody can have seen it.

import { Guard } from './guard.js';
import { attribute, each, words } from './patch.js';
import { buzz } from './sound.js';
import { soon, waits } from './turns.js';
import { fill, h, title } from './ui.js';
import { t } from './words.js';

/** @typedef {import('./offers.js').Act} Act */

/** The places of decisions and answers, from left to right. What declines stands where Stand does, what costs where Double does. */
const PLAY = /** @type {Record<string, number>} */ ({
  stand: 0,
  decline: 0,
  'decline-switch': 0,
  'decline-cut': 0,
  refuse: 0,
  'not-double': 0,
  hit: 1,
  take: 1,
  cut: 1,
  'even-money': 1,
  'follow-1': 1,
  double: 2,
  attack: 2,
  insure: 2,
  'follow-2': 2,
  split: 3,
  cover: 3,
  'insure-1': 3,
  surrender: 4,
  switch: 4,
  revoke: 4,
  'insure-2': 4,
  'follow-3': 4,
  'follow-4': 4,
});

/** The places of what is done with chips, beside the rack. */
const BETTING = /** @type {Record<string, number>} */ ({
  deal: 0,
  again: 0,
  place: 1,
  undo: 2,
  withdraw: 2,
  rebet: 2,
  twice: 3,
  clear: 4,
});

const EXTRA = ['double-less', 'double-down', 'consent', 'reshuffle', 'refill', 'why', 'account'];
const BETTING_WORDS = [t('deal-2'), t('place'), t('undo'), '2×', t('clear')];

/** A key as it is printed on keyboards. @param {string} key */
const printed = (key) => (key === 'Enter' ? '⏎' : key === 'Backspace' ? '⌫' : key.toUpperCase());

export class Bar {
  /**
   * @param {string[]} places @param {HTMLElement | null} rack
   * @param {{ seen: (told: () => void) => void }} felt does something when the cards that it is about can be seen
   */
  constructor(places, rack, felt) {
    this.places = places.map(title);
    this.felt = felt;
    this.guard = new Guard();
    /** How many places there are: as many as the game has decisions; once there were more, they stay. */
    this.wide = Math.max(4, places.length);
    this.shape = '';
    this.offer = '';
    this.busy = false;
    /** What is done when it is shown. */
    this.shown = () => {};
    /** Did the focus have nowhere to go? */
    this.owed = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.opening = undefined;
    /** @type {Act[]} */
    this.acts = [];
    this.status = h('p', { class: 'status', 'aria-live': 'polite' });
    /** What somebody beside the felt says about the last choice, where beside is out of sight. */
    this.note = h('p', { class: 'note' });
    this.seconds = h('span', { class: 'seconds dim', 'aria-hidden': 'true' });
    this.timer = h('div', { class: 'timer', 'aria-hidden': 'true' }, h('i', null));
    this.extras = h('div', { class: 'actions extras' });
    this.betting = h('div', { class: 'actions betting', role: 'group', 'aria-label': t('your-wagers') });
    this.play = h('div', { class: 'actions play', role: 'group', 'aria-label': t('what-you-can-do') });
    this.money = h('div', { class: 'money' }, rack, this.betting);
    this.elements = [
      h(
        'div',
        { class: 'status-row' },
        h('div', { class: 'status-lines' }, this.status, this.note),
        this.seconds,
        this.timer,
        this.extras,
      ),
      rack ? this.money : null,
      rack ? this.play : null,
    ];
  }

  /**
   * @param {string} status @param {Act[]} acts
   * Shows what is asked; `then` is done when it is shown.
   * @param {{ offer: string, betting: boolean, amount?: HTMLElement | null, more?: HTMLElement | null }} about `offer` names what is asked
   */
  draw(status, acts, { offer, betting, amount, more }, then = () => {}) {
    const shape = JSON.stringify([
      acts.map((a) => [a.name, a.label, a.cost]),
      status,
      Boolean(amount),
      offer,
      betting,
      Boolean(more),
    ]);
    this.shown = then;
    if (shape === this.shape) {
      if (!waits(this.betting)) then();
      return;
    }
    this.shape = shape;
    this.acts = acts;
    if (offer !== this.offer) {
      this.offer = offer;
      this.guard.offered();
    }
    this.lift();
    // What takes an answer is decided already; while things move it is drawn after them.
    soon(this.play, () => {
      this.money.classList.toggle('off', !betting);
      this.showPlay(status, acts);
    });
    soon(this.betting, () => {
      this.showMoney(acts, amount, more);
      this.shown();
    });
  }

  /** @param {string} status @param {Act[]} acts */
  showPlay(status, acts) {
    this.felt.seen(() => words(this.status, status));
    const { activeElement } = document;
    this.wide = Math.max(this.wide, ...acts.map((a) => (PLAY[a.name ?? ''] ?? 0) + 1));
    const named = Array.from({ length: this.wide }, (_, place) => this.places[place]);
    this.slots(this.play, 'play', PLAY, named, acts);
    this.follow(activeElement);
  }

  /** @param {Act[]} acts @param {HTMLElement | null} [amount] @param {HTMLElement | null} [more] */
  showMoney(acts, amount, more) {
    const { activeElement } = document;
    this.slots(this.betting, 'bet', BETTING, BETTING_WORDS, acts);
    const extras = acts.filter((a) => EXTRA.includes(a.name ?? ''));
    if (amount || extras.length || more || this.extras.firstChild)
      fill(
        this.extras,
        amount ?? null,
        extras.map((a) => {
          const button = h('button', {
            type: 'button',
            onclick: (/** @type {MouseEvent} */ event) => this.run(a, event),
          });
          this.label(button, a, '');
          return button;
        }),
        more ?? null,
      );
    this.follow(activeElement);
    this.lift();
  }

  /**
   * What had the focus may be gone, or can no longer be pressed: the focus goes to what is asked now, as soon as anything is.
   * @param {Element | null} had
   */
  follow(had) {
    const idle = had?.matches('.slot :not([data-act])') && this.elements.some((part) => part?.contains(had));
    const gone = idle || had?.isConnected === false || (this.owed && had === document.body);
    this.owed = false;
    if (!gone) return;
    const same = had?.getAttribute('data-act');
    const [again, main] = [
      this.elements.map((part) => part?.querySelector(`[data-act="${same}"]`)),
      this.elements.map((part) => part?.querySelector('button.primary, .play [data-act]')),
    ].map((found) => found.find((one) => one instanceof HTMLElement));
    const next = again ?? main;
    this.owed = !next;
    next?.focus();
  }

  /**
   * Keeps a row of places in step: every place has one button for good, whatever it does at the moment.
   * @param {HTMLElement} row @param {string} name @param {Record<string, number>} where @param {string[]} named @param {Act[]} acts
   */
  slots(row, name, where, named, acts) {
    const here = (/** @type {number} */ place) => acts.find((act) => where[act.name ?? ''] === place);
    each(
      row,
      named.map((word, place) => ({ word, place })),
      ({ place }) => `${name}-${place}`,
      ({ place }) => {
        const press = (/** @type {MouseEvent} */ event) => {
          const act = this.acts.find((one) => where[one.name ?? ''] === place);
          if (act) this.run(act, event);
        };
        return h(
          'div',
          { class: 'slot', 'data-place': `${name}-${place}` },
          h('button', { type: 'button', onclick: press }),
        );
      },
      (slot, { word, place }) => this.label(/** @type {HTMLButtonElement} */ (slot.firstChild), here(place), word),
    );
  }

  /** What a button says: what it does, or what would stand in its place. @param {HTMLElement} button @param {Act | undefined} act @param {string} word */
  label(button, act, word) {
    attribute(button, 'class', act?.kind ? `act ${act.kind}` : 'act');
    attribute(button, 'data-act', act?.name ?? null);
    attribute(button, 'data-harmless', act?.harmless ? 'true' : null);
    // What has the focus keeps it while nothing is asked: a button that is disabled would send it to the top of the page.
    const waits = !act && button === document.activeElement;
    attribute(button, 'disabled', act || waits ? null : '');
    attribute(button, 'hidden', act || word ? null : '');
    if (!act) attribute(button, 'aria-disabled', waits ? 'true' : null);
    if (!button.firstChild)
      button.append(h('span', null), h('b', { class: 'cost' }), h('kbd', { 'aria-hidden': 'true' }));
    const [label, cost, key] = button.children;
    words(label, act?.label ?? word);
    for (const [part, text] of /** @type {[Element, string][]} */ ([
      [cost, act?.cost ?? ''],
      [key, act?.key ? printed(act.key) : ''],
    ])) {
      words(part, text);
      attribute(part, 'hidden', text ? null : '');
    }
  }

  /** Does it, if that was meant. @param {Act} act @param {MouseEvent | KeyboardEvent} event */
  run(act, event) {
    if (this.busy || !(act.harmless || this.guard.takes(event))) return;
    buzz(8);
    act.run();
  }

  /** While an answer is awaited nothing else can be asked; the focus stays where it is. @param {boolean} busy */
  setBusy(busy) {
    this.busy = busy;
    this.lift();
  }

  /** Shows what takes an answer: nothing while one is awaited, and nothing before it can have been seen. */
  lift() {
    const wait = this.guard.wait();
    for (const part of this.elements)
      for (const button of part?.querySelectorAll('[data-act]') ?? [])
        attribute(
          button,
          'aria-disabled',
          this.busy || (wait && !button.hasAttribute('data-harmless')) ? 'true' : null,
        );
    clearTimeout(this.opening);
    if (wait) this.opening = setTimeout(() => this.lift(), wait);
  }

  /** Takes a key; what is held down decides nothing. @param {KeyboardEvent} event */
  key(event) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const found =
      this.acts.find((act) => act.key === key) ??
      (event.key === 'Enter' ? this.acts.find((act) => act.kind === 'primary') : undefined);
    if (!found) return;
    event.preventDefault();
    this.run(found, event);
  }
}
