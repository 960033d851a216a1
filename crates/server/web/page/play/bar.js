// The bar under the felt, at the same place and height in every phase: the question in words, and only the controls of
// this phase. An action that is not legal now keeps its place and says why. A new offer takes no answer before the
// player can have seen it.

import { KEYS } from '../shared/choicekeys.js';
import { Guard } from '../shared/guard.js';
import { attribute, each, words } from '../shared/patch.js';
import { buzz } from '../shared/sound.js';
import { forget, soon, waits } from '../shared/turns.js';
import { clauseLink, fill, h } from '../shared/ui.js';
import { refusal, t, term } from '../shared/words.js';

/** @typedef {import('./offers.js').Act} Act */

/**
 * Slots of decisions and answers, from left to right. Declining sits where Stand does; whatever costs money sits where
 * Double does.
 */
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

/** Slots of the betting controls, from left to right; the one that advances the game is at the right end. */
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

/** Actions that can take back the last chip. */
const TAKES_BACK = ['undo', 'clear'];

/**
 * Sort key of an answer among the others; the primary one goes to the right end.
 * @param {Act[]} acts @param {string} name
 */
const rank = (acts, name) => (acts.find((a) => a.name === name)?.kind === 'primary' ? 99 : PLAY[name]);

const EXTRA = ['refill'];
/** Rare actions, and those about the last round's lesson, which sit with the text on the left. */
const LESSON = ['why', 'practise', 'double-less', 'double-down', 'insure-less', 'consent', 'reshuffle', 'account'];

/** Decisions that cost another bet. */
const BETS_AGAIN = ['double', 'split'];

/** Decisions whose key caps have the colors of the strategy charts. */
const CAPS = ['stand', 'hit', 'double', 'split', 'surrender'];

/** Formats a key as it is printed on keyboards. @param {string} key */
const printed = (key) =>
  key === 'Enter' ? '⏎' : key === 'Backspace' ? '⌫' : key === ' ' ? t('keys.space') : key.toUpperCase();

/** An action that is not legal now, and why. @typedef {import('../../../browser/types').Schemas['RefusedAction']} NotNow */

export class Bar {
  /**
   * @param {string[]} places @param {HTMLElement | null} rack
   * @param {{ seen: (told: () => void) => void }} felt runs a callback once the cards that the question is about are
   * visible
   */
  constructor(places, rack, felt) {
    this.places = places;
    this.felt = felt;
    this.guard = new Guard();
    this.shape = '';
    this.offer = '';
    this.busy = false;
    /** Callback for when the bar's contents are rendered. */
    this.shown = () => {};
    /** Whether the focus had nowhere to go, and must be moved to the next question. */
    this.owed = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.opening = undefined;
    /** @type {Act[]} */
    this.acts = [];
    /** @type {NotNow[]} */
    this.notNow = [];
    /** The actions in the answer row. @type {string[]} */
    this.named = [...places];
    /** Element that holds the focus while there is no question. @type {Element | null} */
    this.home = null;
    this.status = h('p', { class: 'status', 'aria-live': 'polite' });
    /** The net result of the last round. */
    this.net = h('span', { class: 'net' });
    /** One quiet line: a hint, or why an action is not legal. */
    this.quiet = h('p', { class: 'quiet-line', 'aria-live': 'polite' });
    /** The coach's remark on the last choice, on screens where the side panel is not visible. */
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
   * Shows a question and its answers, and calls `then` once they are rendered.
   * @param {string} status @param {Act[]} acts
   * @param {{ offer: string, betting: boolean, amount?: HTMLElement | null, more?: HTMLElement | null, quiet?: string, net?: HTMLElement | null, notNow?: NotNow[] | null }} about `offer` identifies the question; `notNow` is set while a decision is pending
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
    // Which actions are live is settled already; during an animation, rendering waits for its end.
    soon(this.play, () => {
      this.money.classList.toggle('off', !betting);
      this.play.classList.toggle('off', betting);
      this.notNow = notNow ?? [];
      this.showPlay(status, acts, Boolean(notNow));
      words(this.quiet, quiet ?? '');
      fill(this.net, net ?? null);
    });
    // Queue this behind the answers even if it is queued already, so that `shown` runs only once the answers are
    // rendered.
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
    // A decision keeps a slot for every action the table ever offers; an offer has only its own answers.
    const asked = acts.filter((a) => (a.name ?? '') in PLAY);
    const others = asked.map((a) => a.name ?? '').sort((a, b) => PLAY[a] - PLAY[b]);
    // While there is no question, the last buttons stay in place, so that nothing jumps and the focus keeps its
    // element.
    // Undoing a switch takes the place of the switch.
    if (decides)
      this.named = [...this.places, ...others.filter((name) => !this.places.includes(name))].filter(
        (name) => name !== 'switch' || !others.includes('revoke'),
      );
    else if (asked.length) this.named = others.sort((a, b) => rank(asked, a) - rank(asked, b));
    const { named } = this;
    this.slots(this.play, 'play', named, acts);
    this.follow(activeElement);
  }

  /** @param {Act[]} acts @param {boolean} betting @param {HTMLElement | null} [amount] @param {HTMLElement | null} [more] */
  showMoney(acts, betting, amount, more) {
    const { activeElement } = document;
    const named = acts.map((a) => a.name ?? '').filter((name) => name in BETTING);
    // The focus stays on a button that takes back chips, so that the next press cannot deal, and on the pressed button
    // while the server's answer is pending.
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
  }

  /**
   * Moves the focus from an element that is gone or can no longer be pressed to the current question, as soon as there
   * is one.
   * @param {Element | null} had
   */
  follow(had) {
    const idle = had?.matches('.slot :not([data-act], .not-now)') && this.elements.some((part) => part?.contains(had));
    const away = Boolean(had?.closest('.off')) && this.controls.contains(had);
    const waited = this.owed && (had === document.body || had === this.home);
    const gone = idle || away || waited || had?.isConnected === false;
    this.owed = false;
    if (!gone) {
      // Moving an element in the DOM drops its focus: restore it.
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
   * Renders a row of slots. An action that has a slot keeps its button element, whatever else comes and goes.
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
          // The server's own sentence.
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
          why ? [refusal(why, why.why), h('small', null, why.clause)] : null,
        );
      },
    );
  }

  /**
   * Says why an action is not legal, with its clause: touch screens cannot hover over the tooltip.
   * @param {string} word
   */
  tellWhy(word) {
    const why = this.notNow.find((one) => one.action === word);
    if (why) fill(this.quiet, refusal(why, why.why), ' ', clauseLink(why.clause));
  }

  /**
   * Sets the text of a button: its action, or the action whose slot it keeps.
   * @param {HTMLElement} button @param {Act | undefined} act @param {string} word
   */
  label(button, act, word) {
    attribute(button, 'class', act ? ['act', act.kind].filter(Boolean).join(' ') : 'act not-now');
    attribute(button, 'data-act', act?.name ?? null);
    attribute(button, 'data-harmless', act?.harmless ? 'true' : null);
    // An action that is not legal now stays focusable, so that it can say why.
    attribute(button, 'aria-disabled', act && !this.held(button) ? null : 'true');
    if (!button.firstChild)
      button.append(h('span', null), h('b', { class: 'cost' }), h('kbd', { 'aria-hidden': 'true' }));
    const [label, cost, key] = button.children;
    words(label, act?.label ?? (label.textContent || word));
    attribute(key, 'class', CAPS.includes(act?.name ?? '') ? `cap-${act?.name}` : null);
    for (const [part, text] of /** @type {[Element, string][]} */ ([
      // A button that is disabled now has its width too.
      [cost, act ? (act.cost ?? '') : this.price(button.dataset.word) || (cost.textContent ?? '')],
      [key, act?.key ? printed(act.key) : act ? '' : (KEYS[button.dataset.word ?? ''] ?? '').toUpperCase()],
    ])) {
      words(part, text);
      attribute(part, 'hidden', text ? null : '');
    }
  }

  /** Returns what doubling and splitting cost now: the same, so that one tells the other's. @param {string} [name] */
  price(name = '') {
    return BETS_AGAIN.includes(name) ? this.acts.find((act) => BETS_AGAIN.includes(act.name ?? ''))?.cost : '';
  }

  /**
   * Runs an action, unless the bar is busy or the press came too early to be meant.
   * @param {Act} act @param {MouseEvent | KeyboardEvent} event
   */
  run(act, event) {
    if (this.busy || !(act.harmless || this.guard.takes(event))) return;
    buzz(8);
    act.run();
  }

  /** Blocks all actions while the server's answer is pending; the focus stays where it is. @param {boolean} busy */
  setBusy(busy) {
    this.busy = busy;
    this.lift();
  }

  /**
   * Enables the live actions: none while an answer is pending, and none before the player can have seen the question.
   */
  lift() {
    const wait = this.guard.wait();
    for (const part of this.elements)
      for (const button of part?.querySelectorAll('[data-act]') ?? [])
        attribute(button, 'aria-disabled', this.held(button, wait) ? 'true' : null);
    clearTimeout(this.opening);
    if (wait) this.opening = setTimeout(() => this.lift(), wait);
  }

  /** Returns whether an action cannot be taken yet. @param {Element} button */
  held(button, wait = this.guard.wait()) {
    return this.busy || (wait > 0 && !button.hasAttribute('data-harmless'));
  }

  /** Handles a key press; auto-repeat never decides anything. @param {KeyboardEvent} event */
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
