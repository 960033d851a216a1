// The bar under a felt, in one place and of one height in all phases: what is asked in words, and the controls of this phase
// only. What the table offers but not now keeps its place and says why. A new offer takes no answer before anybody can have
// seen it.

import { KEYS } from './choicekeys.js';
import { Guard } from './guard.js';
import { attribute, each, words } from './patch.js';
import { buzz } from './sound.js';
import { forget, soon, waits } from './turns.js';
import { clauseLink, fill, h, sentence } from './ui.js';
import { t, term, translated } from './words.js';

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

/** What is done with chips, from left to right; what moves the game on is at the right end. */
const BETTING = /** @type {Record<string, number>} */ ({
  undo: 0,
  withdraw: 0,
  rebet: 1,
  twice: 2,
  clear: 3,
  place: 4,
  deal: 5,
  again: 5,
});

/** What may take back the last chip. */
const TAKES_BACK = ['undo', 'clear'];

/** Where an answer stands among others: what moves the game on at the right end. @param {Act[]} acts @param {string} name */
const rank = (acts, name) => (acts.find((a) => a.name === name)?.kind === 'primary' ? 99 : PLAY[name]);

const EXTRA = ['refill'];
/** What is done seldom stands with the words on the left, and what was to learn from the last round. */
const LESSON = ['why', 'practise', 'double-less', 'double-down', 'insure-less', 'consent', 'reshuffle', 'account'];

/** The keys of the five decisions wear the colours that the charts have. */
const CAPS = ['stand', 'hit', 'double', 'split', 'surrender'];

/** A key as it is printed on keyboards. @param {string} key */
const printed = (key) =>
  key === 'Enter' ? '⏎' : key === 'Backspace' ? '⌫' : key === ' ' ? t('keys.space') : key.toUpperCase();

/** What cannot be done now, and why. @typedef {{ action: string, why: string, clause: string }} NotNow */

export class Bar {
  /**
   * @param {string[]} places @param {HTMLElement | null} rack
   * @param {{ seen: (told: () => void) => void }} felt does something when the cards that it is about can be seen
   */
  constructor(places, rack, felt) {
    this.places = places;
    this.felt = felt;
    this.guard = new Guard();
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
    /** @type {NotNow[]} */
    this.notNow = [];
    /** What stands in the row of answers. @type {string[]} */
    this.named = [...places];
    /** Where the focus waits while nothing is asked. @type {Element | null} */
    this.home = null;
    this.status = h('p', { class: 'status', 'aria-live': 'polite' });
    /** The net of the round that is over. */
    this.net = h('span', { class: 'net' });
    /** One quiet line: what there is to know now, or why something cannot be done. */
    this.quiet = h('p', { class: 'quiet-line', 'aria-live': 'polite' });
    /** What somebody beside the felt says about the last choice, where beside is out of sight. */
    this.note = h('p', { class: 'note' });
    this.seconds = h('span', { class: 'seconds dim', 'aria-hidden': 'true' });
    this.timer = h('div', { class: 'timer', 'aria-hidden': 'true' }, h('i', null));
    this.lesson = h('span', { class: 'actions lesson' });
    this.extras = h('div', { class: 'actions extras' });
    this.betting = h('div', { class: 'actions betting', role: 'group', 'aria-label': t('bet.yours') });
    this.play = h('div', { class: 'actions play', role: 'group', 'aria-label': t('action.label') });
    this.money = h('div', { class: 'money' }, rack, this.betting);
    this.controls = h('div', { class: 'controls' }, this.extras, rack ? this.money : null, rack ? this.play : null);
    this.elements = [
      h(
        'div',
        { class: 'say' },
        h('div', { class: 'said' }, this.status, this.net, this.seconds),
        h('div', { class: 'said quietly' }, this.quiet, this.lesson, this.note),
        this.timer,
      ),
      this.controls,
    ];
  }

  /**
   * @param {string} status @param {Act[]} acts
   * Shows what is asked; `then` is done when it is shown.
   * @param {{ offer: string, betting: boolean, amount?: HTMLElement | null, more?: HTMLElement | null, quiet?: string, net?: HTMLElement | null, notNow?: NotNow[] | null }} about `offer` names what is asked; `notNow` is there while a decision is
   */
  draw(status, acts, { offer, betting, amount, more, quiet, net, notNow }, then = () => {}) {
    const shape = JSON.stringify([
      acts.map((a) => [a.name, a.label, a.cost]),
      status,
      quiet,
      net?.textContent,
      Boolean(amount),
      offer,
      betting,
      Boolean(more),
      notNow,
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
      this.play.classList.toggle('off', betting);
      this.notNow = notNow ?? [];
      this.showPlay(status, acts, Boolean(notNow));
      words(this.quiet, quiet ?? '');
      fill(this.net, net ?? null);
    });
    // Behind the answers, even if it waited already: what is shown is said to be shown when the answers are.
    forget(this.betting);
    soon(this.betting, () => {
      this.showMoney(acts, betting, amount, more);
      this.shown();
    });
  }

  /** @param {string} status @param {Act[]} acts @param {boolean} decides */
  showPlay(status, acts, decides) {
    this.felt.seen(() => words(this.status, status));
    const { activeElement } = document;
    // A decision keeps the places of all that the table ever offers; an offer has its own answers only.
    const asked = acts.filter((a) => (a.name ?? '') in PLAY);
    const others = asked.map((a) => a.name ?? '').sort((a, b) => PLAY[a] - PLAY[b]);
    // While nothing is asked, what was there stays in its place, so that nothing jumps and the focus has a home.
    if (decides) this.named = [...this.places, ...others.filter((name) => !this.places.includes(name))];
    else if (asked.length) this.named = others.sort((a, b) => rank(asked, a) - rank(asked, b));
    const { named } = this;
    this.slots(this.play, 'play', named, acts);
    this.follow(activeElement);
  }

  /** @param {Act[]} acts @param {boolean} betting @param {HTMLElement | null} [amount] @param {HTMLElement | null} [more] */
  showMoney(acts, betting, amount, more) {
    const { activeElement } = document;
    const named = acts.map((a) => a.name ?? '').filter((name) => name in BETTING);
    // Who takes back the last chip keeps the focus there: the next press must not deal. So does who waits for an answer.
    const pressed = this.betting.contains(activeElement) ? (activeElement?.getAttribute('data-word') ?? '') : '';
    const stays = TAKES_BACK.includes(pressed) || !named.length;
    if (betting && pressed && stays && !named.includes(pressed)) named.push(pressed);
    this.slots(
      this.betting,
      'bet',
      named.sort((a, b) => BETTING[a] - BETTING[b]),
      acts,
    );
    const made = (/** @type {string[]} */ names) =>
      acts
        .filter((a) => names.includes(a.name ?? ''))
        .map((a) => {
          const button = h('button', {
            type: 'button',
            onclick: (/** @type {MouseEvent} */ event) => this.run(a, event),
          });
          this.label(button, a, '');
          return button;
        });
    fill(this.lesson, made(LESSON), more ?? null);
    fill(this.extras, amount ?? null, made(EXTRA));
    this.follow(activeElement);
    this.lift();
  }

  /**
   * What had the focus may be gone, or can no longer be pressed: the focus goes to what is asked now, as soon as anything is.
   * @param {Element | null} had
   */
  follow(had) {
    const idle = had?.matches('.slot :not([data-act], .not-now)') && this.elements.some((part) => part?.contains(had));
    const away = Boolean(had?.closest('.off')) && this.controls.contains(had);
    const waited = this.owed && (had === document.body || had === this.home);
    const gone = idle || away || waited || had?.isConnected === false;
    this.owed = false;
    if (!gone) {
      // What was moved has lost the focus on its way.
      if (had instanceof HTMLElement && had !== document.activeElement && this.controls.contains(had)) had.focus();
      return;
    }
    const same = had?.getAttribute('data-act');
    const queryFirst = (/** @type {string} */ which) =>
      this.elements
        .flatMap((part) => Array.from(part.querySelectorAll(which)))
        .find((one) => one instanceof HTMLElement && !one.closest('.off'));
    const next = queryFirst(`[data-act="${same}"]`) ?? queryFirst('button.primary, .play [data-act]');
    this.owed = !next;
    this.home = next ? null : (queryFirst('.slot button') ?? null);
    /** @type {HTMLElement | null | undefined} */ (next ?? this.home)?.focus();
  }

  /**
   * Keeps a row of places in step: what has a place keeps its button, whatever else comes and goes.
   * @param {HTMLElement} row @param {string} name @param {string[]} named @param {Act[]} acts
   */
  slots(row, name, named, acts) {
    each(
      row,
      named,
      (word) => `${name}-${word}`,
      (word) => {
        const press = (/** @type {MouseEvent} */ event) => {
          const act = this.acts.find((one) => one.name === word);
          if (act) this.run(act, event);
          else this.tellWhy(word);
        };
        return h(
          'div',
          { class: 'slot', 'data-place': `${name}-${word}` },
          h('button', { type: 'button', onclick: press }),
          // The house's own sentence.
          h('span', { class: 'tip', role: 'tooltip', id: `why-${name}-${word}`, 'data-own': '' }),
        );
      },
      (slot, word) => {
        const act = acts.find((one) => one.name === word);
        const button = /** @type {HTMLButtonElement} */ (slot.firstChild);
        attribute(button, 'data-word', word);
        this.label(button, act, term('action', word));
        const why = act ? null : this.notNow.find((one) => one.action === word);
        attribute(button, 'aria-describedby', why ? `why-${name}-${word}` : null);
        fill(
          /** @type {Element} */ (slot.lastChild),
          why ? [sentence(translated(why.why)), h('small', null, why.clause)] : null,
        );
      },
    );
  }

  /** Says why something cannot be done, with its clause: what touches cannot hover over. @param {string} word */
  tellWhy(word) {
    const why = this.notNow.find((one) => one.action === word);
    if (why) fill(this.quiet, sentence(translated(why.why)), ' ', clauseLink(why.clause));
  }

  /** What a button says: what it does, or what would stand in its place. @param {HTMLElement} button @param {Act | undefined} act @param {string} word */
  label(button, act, word) {
    attribute(button, 'class', act ? ['act', act.kind].filter(Boolean).join(' ') : 'act not-now');
    attribute(button, 'data-act', act?.name ?? null);
    attribute(button, 'data-harmless', act?.harmless ? 'true' : null);
    // What cannot be done now can be reached all the same, so that it can say why.
    attribute(button, 'aria-disabled', act ? null : 'true');
    if (!button.firstChild)
      button.append(h('span', null), h('b', { class: 'cost' }), h('kbd', { 'aria-hidden': 'true' }));
    const [label, cost, key] = button.children;
    words(label, act?.label ?? (label.textContent || word));
    attribute(key, 'class', CAPS.includes(act?.name ?? '') ? `cap-${act?.name}` : null);
    for (const [part, text] of /** @type {[Element, string][]} */ ([
      // What cannot be done now keeps its width too.
      [cost, act ? (act.cost ?? '') : (cost.textContent ?? '')],
      [key, act?.key ? printed(act.key) : act ? '' : (KEYS[button.dataset.word ?? ''] ?? '').toUpperCase()],
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
      (key === 'd' ? this.acts.find((act) => act.name === 'deal' || act.name === 'again') : undefined) ??
      (event.key === 'Enter' || event.key === ' ' ? this.acts.find((act) => act.kind === 'primary') : undefined);
    if (!found) {
      const word = this.places.find((one) => KEYS[one] === key);
      if (word) this.tellWhy(word);
      return;
    }
    event.preventDefault();
    this.run(found, event);
  }
}
