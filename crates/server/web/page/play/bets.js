// Bets that are not yet placed: chips put on the areas of boxes by click, drag or key. The server hears of them when
// they are placed.

import { CHIPS, chip, pile } from '../shared/cards.js';
import { attribute, changed } from '../shared/patch.js';
import { cents, decimal, fill, h, money, pref, prefer, say, toast } from '../shared/ui.js';
import { t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Command} Command */
/** @typedef {import('../../../browser/types').Schemas} Schemas */

/**
 * A bet on one box. `lost` are the bets that the dealer has taken, `later` those that were made during the round.
 * @typedef {{ main: number[], side: Record<string, number>, lost?: string[], later?: Record<string, number> }} Bet
 */

const NAMES = /** @type {Record<string, string>} */ ({
  'over-13': t('bet.area.over'),
  'under-13': t('bet.area.under'),
  'dealer-bust': t('bet.area.dealer_bust'),
  'match-the-dealer': t('bet.area.match'),
  'twenty-point': t('bet.area.twenty_point'),
  'blackjack-bonus': t('bet.area.blackjack_bonus'),
  'suited-royals': t('bet.area.suited_royals'),
  'triple-match': t('bet.area.triple_match'),
  'same-suit': t('bet.area.same_suit'),
  progressive: t('bet.area.progressive'),
});

/** Fills a circle with its chips and text. @param {HTMLElement} circle @param {number} amount @param {string} text */
function fillCircle(circle, amount, text) {
  const words = h('span', { class: 'area-text', 'data-short': circle.dataset.short ?? null }, text);
  // A long word is smaller, so that it fits its circle.
  words.classList.toggle('long', !amount && /\S{7}/.test(text));
  fill(circle, amount ? pile(amount) : null, words);
}

export class Bets {
  /**
   * @param {Schemas['TableFacts']} card the table @param {string} key storage key of the last bets
   * @param {{ placed: (box: number) => Bet | null, open: (box: number) => boolean, why: (box: number) => string, offered: () => string, changed: () => void }} table
   * @param {string[]} [later] the bets that are offered during the round
   */
  constructor(card, key, table, later = []) {
    this.card = card;
    this.kept = key;
    this.table = table;
    this.later = later;
    this.spots = card.spots;
    this.chips = CHIPS.filter((worth) => worth >= cents(card.chip) && worth <= cents(card.maximum));
    if (!this.chips.length) this.chips = [cents(card.chip)];
    this.chip = this.chips.includes(pref('chip')) ? pref('chip') : this.chips[Math.min(1, this.chips.length - 1)];
    /** @type {Map<number, Bet>} */
    this.made = new Map();
    /** Undo steps: each box changed, with its bet before the change. @type {{ box: number, before: Bet | null }[]} */
    this.steps = [];
    /** @type {{ box: number, area: string } | null} */
    this.at = null;
    this.pressed = false;
    /** @type {Map<number, HTMLElement>} */
    this.areas = new Map();
    this.names = [
      ...Array.from({ length: this.spots }, (_, at) => `main-${at}`),
      ...Object.values(card.side_wagers).flatMap(({ bets }) => bets),
    ];
    this.rack = h('div', { class: 'rack', role: 'radiogroup', 'aria-label': t('audit.chips') });
    this.drawRack();
  }

  drawRack() {
    fill(
      this.rack,
      this.chips.map((worth, at) =>
        h(
          'button',
          {
            class: `chip-button${worth === this.chip ? ' on' : ''}`,
            type: 'button',
            role: 'radio',
            'aria-checked': worth === this.chip ? 'true' : 'false',
            'aria-label': t('bet.chip', { amount: money(worth), key: at + 1 }),
            // One tab stop, and arrow keys from chip to chip, as in a radio group.
            tabindex: worth === this.chip ? 0 : -1,
            onkeydown: (/** @type {KeyboardEvent} */ event) => this.step(event, at),
            draggable: 'true',
            'data-chip': worth,
            ondragstart: (/** @type {DragEvent} */ event) => {
              event.dataTransfer?.setData('text/chip', String(worth));
              this.choose(worth);
            },
            onclick: () => this.choose(worth),
          },
          chip(worth),
        ),
      ),
    );
  }

  /** Selects the previous or next chip by arrow key. @param {KeyboardEvent} event @param {number} at */
  step(event, at) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = (at + by + this.chips.length) % this.chips.length;
    this.choose(this.chips[next]);
    /** @type {HTMLElement} */ (this.rack.children[next]).focus();
  }

  /** @param {number} worth */
  choose(worth) {
    this.chip = worth;
    prefer('chip', worth);
    for (const button of this.rack.children) {
      const on = Number(/** @type {HTMLElement} */ (button).dataset.chip) === worth;
      button.classList.toggle('on', on);
      button.setAttribute('aria-checked', on ? 'true' : 'false');
      button.setAttribute('tabindex', on ? '0' : '-1');
    }
  }

  /** @param {string} area */
  label(area) {
    if (area.startsWith('main-'))
      return this.spots > 1
        ? t('bet.spot', { number: Number(area.slice(5)) + 1 })
        : this.later.length > 1
          ? term('bet', 'first-attack')
          : t('bet.label');
    return NAMES[area] ?? term('bet', area);
  }

  /** @param {number} box @param {string} area */
  amount(box, area) {
    const bet = this.made.get(box) ?? this.table.placed(box);
    if (!bet) return 0;
    return area.startsWith('main-') ? (bet.main[Number(area.slice(5))] ?? 0) : (bet.side[area] ?? 0);
  }

  /**
   * Takes a chip back on a long touch; the click that ends the touch adds none.
   * @param {PointerEvent} event @param {number} box @param {string} area
   */
  press(event, box, area) {
    this.pressed = false;
    if (event.pointerType !== 'touch') return;
    const long = setTimeout(() => {
      this.pressed = true;
      this.remove(box, area);
    }, 500);
    for (const end of ['pointerup', 'pointercancel', 'pointerleave'])
      event.target?.addEventListener(end, () => clearTimeout(long), { once: true });
  }

  /** Returns the betting areas of a box, building them once. @param {number} box */
  element(box) {
    let element = this.areas.get(box);
    if (!element) {
      const many = this.names.length + this.later.length;
      element = h(
        'div',
        { class: `areas${many > 3 ? ' dense' : many > 2 ? ' three' : ''}${this.spots > 1 ? ' columns' : ''}` },
        this.names.map((area, at) => {
          const circle = h('button', {
            class: `area ${area.startsWith('main-') ? 'main' : at === this.spots ? 'side first' : 'side'}`,
            type: 'button',
            'data-area': area,
            'data-short': at === 0 && this.later.length > 1 ? t('bet.nth', { number: 1 }) : null,
            onclick: () => {
              if (this.pressed) this.pressed = false;
              else this.add(box, area);
            },
            onpointerdown: (/** @type {PointerEvent} */ event) => this.press(event, box, area),
            oncontextmenu: (/** @type {PointerEvent} */ event) => {
              event.preventDefault();
              if (event.pointerType !== 'touch') this.remove(box, area);
            },
            onfocus: () => {
              this.at = { box, area };
            },
            ondragover: (/** @type {Event} */ event) => event.preventDefault(),
            ondrop: (/** @type {DragEvent} */ event) => {
              event.preventDefault();
              const worth = Number(event.dataTransfer?.getData('text/chip'));
              if (worth) this.add(box, area, worth);
            },
          });
          // The result of a side bet is shown on the rim of its circle.
          return at < this.spots
            ? circle
            : h(
                'span',
                { class: at === this.spots ? 'side-place first' : 'side-place' },
                circle,
                h('span', { class: 'at-rim', 'data-rim': area }),
              );
        }),
        this.later.map((offer, at) =>
          h('span', {
            class: 'area later',
            role: 'img',
            'data-later': offer,
            'data-short': this.later.length > 1 ? t('bet.nth', { number: at + 2 }) : null,
          }),
        ),
      );
      this.areas.set(box, element);
      this.drawAreas(box, element);
    }
    return element;
  }

  /** Returns whether a box has chips, placed or not. @param {number} box */
  lies(box) {
    return this.names.some((area) => this.amount(box, area) > 0);
  }

  /** Updates the areas of all boxes. */
  draw() {
    for (const [box, element] of this.areas) this.drawAreas(box, element);
  }

  /** @param {number} box @param {HTMLElement} element */
  drawAreas(box, element) {
    const placed = !this.made.has(box) && Boolean(this.table.placed(box));
    const why = this.table.why(box);
    const open = this.table.open(box);
    const bet = this.made.get(box) ?? this.table.placed(box);
    const offered = this.table.offered();
    if (!changed(element, [bet, placed, open, why, offered])) return;
    for (const circle of /** @type {NodeListOf<HTMLElement>} */ (element.querySelectorAll('.later')))
      this.drawLater(circle, bet?.later ?? {}, offered);
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (element.querySelectorAll('button.area'))) {
      const area = button.dataset.area ?? '';
      const amount = this.amount(box, area);
      button.disabled = !open;
      button.classList.toggle('filled', amount > 0);
      button.classList.toggle('placed', placed && amount > 0);
      button.classList.toggle('taken-away', Boolean(bet?.lost?.includes(area)));
      const text = amount
        ? money(amount) + (area === 'main-0' && this.card.hands > 1 ? ` ×${this.card.hands}` : '')
        : 'empty';
      button.setAttribute(
        'aria-label',
        t('bet.area.label', { box, area: this.full(area), state: text, reason: why && !placed ? why : 'none' }),
      );
      button.title = placed ? '' : why;
      // Redraw the chips only when the amount changes, not whenever betting opens or closes.
      if (button.dataset.worth === String(amount)) continue;
      button.dataset.worth = String(amount);
      fillCircle(button, amount, amount ? text : this.label(area));
    }
  }

  /**
   * Draws the circle of a bet that is offered later: named, marked while the bet is offered, then with its chips.
   * @param {HTMLElement} circle @param {Record<string, number>} made by offer @param {string} offered
   */
  drawLater(circle, made, offered) {
    const offer = circle.dataset.later ?? '';
    const amount = made[offer] ?? 0;
    const label = term('bet', offer);
    circle.classList.toggle('filled', amount > 0);
    circle.classList.toggle('offered', offered === offer);
    attribute(circle, 'aria-label', amount ? t('bet.later', { bet: label, amount: money(amount) }) : label);
    if (circle.dataset.worth === String(amount)) return;
    circle.dataset.worth = String(amount);
    fillCircle(circle, amount, amount ? money(amount) : label);
  }

  /** @param {string} area */
  full(area) {
    return area.startsWith('main-') ? this.label(area) : term('bet', area);
  }

  /** @param {number} box @param {string} area @param {number} [worth] */
  add(box, area, worth = this.chip) {
    if (!this.table.open(box)) return;
    this.at = { box, area };
    /** @type {Bet} */
    const bet = this.copy(box) ?? { main: Array(this.spots).fill(0), side: {} };
    const now = area.startsWith('main-') ? bet.main[Number(area.slice(5))] : (bet.side[area] ?? 0);
    const most = this.most(area);
    if (now + worth > most) this.tellMost(most);
    if (now >= most) return;
    const next = Math.min(Math.max(now + worth, this.least(area)), most);
    if (area.startsWith('main-')) bet.main[Number(area.slice(5))] = next;
    else bet.side[area] = next;
    this.note(box);
    this.made.set(box, bet);
    say(t('bet.area.changed', { box, area: this.full(area), amount: money(next) }));
    this.table.changed();
  }

  /** @param {string} area */
  limits(area) {
    if (area.startsWith('main-')) return this.card;
    return Object.values(this.card.side_wagers).find(({ bets }) => bets.includes(area)) ?? this.card;
  }

  /** @param {string} area */
  least(area) {
    return cents(this.limits(area).minimum);
  }

  /** @param {string} area */
  most(area) {
    return cents(this.limits(area).maximum);
  }

  /** Says that the area is at its maximum. @param {number} most */
  tellMost(most) {
    toast(t('bet.max', { max: money(most) }));
  }

  /** Returns a copy of a bet that is not yet placed, to be changed. @param {number} box @returns {Bet | null} */
  copy(box) {
    const bet = this.made.get(box);
    return bet ? { main: bet.main.slice(), side: { ...bet.side } } : null;
  }

  /** Records the bet on a box, so that the next change can be undone. @param {number} box */
  note(box) {
    this.steps.push({ box, before: this.copy(box) });
  }

  /**
   * Takes one chip off an area, or all of them if less than the minimum would remain.
   * @param {number} box @param {string} area
   */
  remove(box, area) {
    const bet = this.copy(box);
    if (!bet || !this.amount(box, area)) return;
    this.note(box);
    const left = this.amount(box, area) - this.chip;
    const rest = left < this.least(area) ? 0 : left;
    if (area.startsWith('main-')) bet.main[Number(area.slice(5))] = rest;
    else if (rest) bet.side[area] = rest;
    else delete bet.side[area];
    if (bet.main.some(Boolean)) this.made.set(box, bet);
    else this.made.delete(box);
    this.table.changed();
  }

  /** Undoes the last change, one chip or a whole bet. */
  undo() {
    const last = this.steps.pop();
    if (!last) return;
    if (last.before) this.made.set(last.box, last.before);
    else this.made.delete(last.box);
    this.table.changed();
  }

  /** Doubles all bets, up to the table's limits. */
  twice() {
    /** The limits that doubling would exceed. @type {Set<number>} */
    const passed = new Set();
    const doubled = (/** @type {number} */ amount, /** @type {string} */ area) => {
      const most = this.most(area);
      if (amount * 2 > most) passed.add(most);
      return Math.min(amount * 2, most);
    };
    for (const box of this.made.keys()) {
      const bet = /** @type {Bet} */ (this.copy(box));
      this.note(box);
      bet.main = bet.main.map((amount, at) => doubled(amount, `main-${at}`));
      for (const [area, amount] of Object.entries(bet.side)) bet.side[area] = doubled(amount, area);
      this.made.set(box, bet);
    }
    for (const most of passed) this.tellMost(most);
    this.table.changed();
  }

  clear() {
    this.made.clear();
    this.steps = [];
    this.table.changed();
  }

  /** Adds a chip by key: on the focused area, or on the first free box. @param {number} at @param {number} free */
  key(at, free) {
    const worth = this.chips[at];
    if (!worth) return;
    this.choose(worth);
    const where = this.at && this.table.open(this.at.box) ? this.at : { box: free, area: 'main-0' };
    if (where.box) this.add(where.box, where.area, worth);
  }

  /** Returns the smallest possible bet: the minimum on every main bet of one box. */
  leastBet() {
    return { main: Array(this.spots).fill(cents(this.card.minimum)), side: {} };
  }

  leastSum() {
    return this.sum([this.leastBet()]);
  }

  /** @param {number} box */
  layLeast(box) {
    if (box) this.lay(box, this.leastBet());
  }

  /** Lays out a whole bet, such as that of an earlier round. @param {number} box @param {Bet} bet */
  lay(box, bet) {
    this.note(box);
    this.made.set(box, { main: bet.main.slice(), side: { ...bet.side } });
  }

  /**
   * Returns the main bet that is missing before the house accepts the bets on its box, or `null`.
   * @returns {{ box: number, area: string } | null}
   */
  lacks() {
    for (const [box, { main }] of this.made) {
      const empty = main.findIndex((amount) => !amount);
      const last = main.findLastIndex((amount) => amount > 0);
      if (empty >= 0 && (empty === 0 || empty < last)) return { box, area: this.label(`main-${empty}`) };
    }
    return null;
  }

  /** Returns the total of some bets; by default, of those laid out. @param {Iterable<Bet>} [bets] */
  sum(bets = this.made.values()) {
    let all = 0;
    for (const bet of bets) {
      all += bet.main.reduce((a, b) => a + b, 0) * this.card.hands;
      all += Object.values(bet.side).reduce((a, b) => a + b, 0);
    }
    return all;
  }

  /** Stores the bets of a round for as long as the browser tab is open. @param {Map<number, Bet>} made */
  remember(made) {
    try {
      sessionStorage.setItem(this.kept, JSON.stringify(Array.from(made)));
    } catch {
      /* storage is unavailable */
    }
  }

  /** Returns the bets of the previous round. @returns {[number, Bet][]} */
  old() {
    try {
      return JSON.parse(sessionStorage.getItem(this.kept) ?? '[]');
    } catch {
      return [];
    }
  }

  hasOld() {
    return this.old().length > 0;
  }

  oldSum() {
    return this.sum(this.old().map(([, bet]) => bet));
  }

  /**
   * Places all bets that are laid out. Returns whether the house accepted them.
   * @param {(action: Command) => Promise<unknown>} ask
   * @param {(box: number) => boolean} taken whether another player has this box
   */
  async place(ask, taken) {
    const made = new Map(this.made);
    for (const [box, bet] of made) {
      const done = await ask({ ...Bets.request(box, bet), ...(taken(box) ? { behind: true } : {}) });
      // A rejected bet stays on the felt, so that the player can correct it; it is removed if the box no longer takes
      // bets.
      if (done || !this.table.open(box)) this.made.delete(box);
      if (!done) {
        this.steps = this.steps.filter((step) => this.made.has(step.box));
        return false;
      }
    }
    if (made.size) this.remember(made);
    this.steps = [];
    return true;
  }

  /** Builds the command that bets on one box. @param {number} box @param {Bet} bet */
  static request(box, bet) {
    const spots = bet.main.findLastIndex((amount) => amount > 0) + 1;
    return {
      do: 'wager',
      box,
      amounts: bet.main.slice(0, Math.max(1, spots)).map(decimal),
      side: Object.fromEntries(
        Object.entries(bet.side)
          .filter(([, amount]) => amount > 0)
          .map(([name, amount]) => [name, decimal(amount)]),
      ),
    };
  }
}
