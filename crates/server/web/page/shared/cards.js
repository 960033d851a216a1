// Draws cards and chips: a large corner index that stays visible when cards overlap, pips in their places, and courts
// made of a few flat shapes.

import { atRest, cardWords, h, money, moves, svg } from './ui.js';
import { t } from './words.js';

const SHAPES = /** @type {Record<string, string>} */ ({
  h: 'M0 8C-10 0-9-8-4.6-8-2-8 0-6 0-3.6 0-6 2-8 4.6-8 9-8 10 0 0 8Z',
  d: 'M0-9.5 7 0 0 9.5-7 0Z',
  s: 'M0-9C3-4 8.5-1.5 8.5 3 8.5 7 4 8 1.3 5.200L2.8 9H-2.800L-1.3 5.200C-4 8-8.5 7-8.5 3-8.5-1.5-3-4 0-9Z',
  c: 'M0-9a4.2 4.2 0 0 1 3.2 6.900A4.3 4.3 0 1 1 1.2 4.400L2.8 9H-2.800L-1.2 4.400A4.3 4.3 0 1 1-3.2-2.1 4.2 4.2 0 0 1 0-9Z',
});

/** Positions of the pips by rank, as columns and rows; those in the lower half are upside down. */
const PIPS = /** @type {Record<string, [number, number][]>} */ (
  Object.fromEntries(
    Object.entries({
      2: 'c0 c6',
      3: 'c0 c3 c6',
      4: 'l0 r0 l6 r6',
      5: 'l0 r0 c3 l6 r6',
      6: 'l0 r0 l3 r3 l6 r6',
      7: 'l0 r0 c1.5 l3 r3 l6 r6',
      8: 'l0 r0 c1.5 l3 r3 c4.5 l6 r6',
      9: 'l0 r0 l2 r2 c3 l4 r4 l6 r6',
      T: 'l0 r0 c1 l2 r2 l4 r4 c5 l6 r6',
    }).map(([rank, places]) => [
      rank,
      places.split(' ').map((place) => ['lcr'.indexOf(place[0]) * 11.3 + 29.7, Number(place.slice(1)) * 10 + 14]),
    ]),
  )
);

const ACE = /** @type {[number, number, number][]} */ ([[40, 50, 1.9]]);

/** @param {[number, number]} place @returns {[number, number, number, boolean]} */
const pipOf = ([x, y]) => [x, y, 0.56, y > 44];

/** Headwear of the courts: a crown, a coronet of plumes, a helm. Flat shapes around 0 0 that differ even from afar. */
const COURTS = /** @type {Record<string, () => Node[]>} */ ({
  K: () => [
    svg('path', { class: 'gold', d: 'M-13 9-15-9-7-1 0-13 7-1 15-9 13 9Z' }),
    svg('rect', { class: 'suit', x: -13, y: 10.5, width: 26, height: 4.5, rx: 1.5 }),
    ...[-15, 0, 15].map((x) => svg('circle', { class: 'suit', cx: x, cy: x ? -10.5 : -14.5, r: 2.4 })),
    svg('path', { class: 'paper', d: 'M0-3 3 2 0 7-3 2Z' }),
  ],
  Q: () => [
    ...[-36, 36, 0].map((turn) =>
      svg(
        'g',
        { transform: `rotate(${turn} 0 9)` },
        svg('path', { class: 'suit', d: 'M0 9C-7 1-6.500-11 0-17 6.500-11 7 1 0 9Z' }),
        svg('path', { class: 'paper', d: 'M-.9 6 0-12 .9 6Z' }),
      ),
    ),
    svg('path', { class: 'gold', d: 'M-15 6C-8 11 8 11 15 6L13 14C7 17.500-7 17.500-13 14Z' }),
    ...[-7, 0, 7].map((x) => svg('circle', { class: 'paper', cx: x, cy: x ? 12 : 13, r: 1.7 })),
  ],
  J: () => [
    svg('path', { class: 'suit', d: 'M2-12C8-19 17-16 16-7 14-11 9-11 5-8Z' }),
    svg('path', { class: 'gold', d: 'M-11 15V-1C-11-9-5-12 0-12 6-12 11-8 11-1V5L6 15Z' }),
    svg('path', { class: 'suit', d: 'M-1-1H11V4H2Z' }),
    svg('path', { class: 'paper', d: 'M-8-2H-5V12H-8Z' }),
  ],
});

/** The path commands of the shapes: letter and numbers. @type {Record<string, [string, number[]][]>} */
const STROKES = Object.fromEntries(
  Object.entries(SHAPES).map(([suit, path]) => [
    suit,
    Array.from(path.matchAll(/([A-Za-z])([^A-Za-z]*)/g), ([, letter, numbers]) => [
      letter,
      (numbers.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number),
    ]),
  ]),
);

/**
 * Returns a pip as part of a path, so that the browser draws a card of ten pips as one shape.
 * @param {string} suit @param {number} x @param {number} y @param {number} size
 */
function pipPath(suit, x, y, size, turned = false) {
  const by = turned ? -size : size;
  const to = (/** @type {number} */ n) => Math.round(n * 100) / 100;
  return STROKES[suit]
    .map(([letter, numbers]) => {
      const own = letter === letter.toLowerCase();
      const [left, top] = own ? [0, 0] : [x, y];
      const at = numbers.map((n, i) => {
        if (letter === 'H') return to(n * by + left);
        if (letter === 'A' || letter === 'a') {
          const place = i % 7;
          if (place < 2) return to(n * size);
          if (place < 5) return n;
          return to(n * by + (place === 5 ? left : top));
        }
        return to(n * by + (i % 2 ? top : left));
      });
      return letter + at.join(' ');
    })
    .join('');
}

/** @param {string} card */
function face(card) {
  const [rank, suit] = card;
  const index = svg(
    'text',
    {
      x: rank === 'T' ? 2 : rank === 'Q' ? 2.5 : 4,
      y: 24,
      class: 'rank',
      'font-size': 25,
      'font-weight': 700,
      ...(rank === 'T' ? { textLength: 20.5, lengthAdjust: 'spacingAndGlyphs' } : {}),
    },
    rank === 'T' ? '10' : rank,
  );
  /** @param {[number, number, number, boolean?][]} all */
  const pips = (...all) => svg('path', { d: all.map((one) => pipPath(suit, ...one)).join('') });
  const small = /** @type {[number, number, number]} */ ([13, 37, 0.9]);
  const middle = COURTS[rank]
    ? [
        svg('rect', { x: 27, y: 6.5, width: 31, height: 75, rx: 3, class: 'frame' }),
        svg('g', { transform: 'translate(42.5 33) scale(.82)' }, ...COURTS[rank]()),
        pips(small, [42.5, 65, 1]),
      ]
    : [pips(small, ...(rank === 'A' ? ACE : PIPS[rank].map(pipOf)))];
  return svg(
    'svg',
    { viewBox: '0 0 63 88', 'aria-hidden': 'true', class: `suit-${suit}` },
    svg('rect', { x: 0.5, y: 0.5, width: 62, height: 87, rx: 5.5, class: 'paper' }),
    index,
    ...middle,
  );
}

function back() {
  return svg(
    'svg',
    { viewBox: '0 0 63 88', 'aria-hidden': 'true' },
    svg('rect', { x: 0.5, y: 0.5, width: 62, height: 87, rx: 5.5, class: 'paper' }),
    svg('rect', { x: 4, y: 4, width: 55, height: 80, rx: 3, class: 'back' }),
    svg('path', {
      d: 'M4 22 22 4M4 40 40 4M4 58 58 4M4 76 59 21M14 84 59 39M32 84 59 57M50 84 59 75M59 22 41 4M59 40 23 4M59 58 5 4M59 76 4 21M49 84 4 39M31 84 4 57M13 84 4 75',
      class: 'lattice',
    }),
    svg('circle', { cx: 31.5, cy: 44, r: 11, class: 'back' }),
    svg('path', { d: SHAPES.s, transform: 'translate(31.5 44) scale(.95)', class: 'emblem' }),
  );
}

/** Cache of drawn pictures: cloning one is cheaper than drawing it. @type {Map<string, Node>} */
const pictures = new Map();

/** @param {string} card */
function picture(card) {
  let known = pictures.get(card);
  if (!known) {
    known = card ? face(card) : back();
    pictures.set(card, known);
  }
  return known.cloneNode(true);
}

const DECK = [...'shdc'].flatMap((suit) => [...'A23456789TJQK'].map((rank) => rank + suit));

/** Draws all cards into the cache while the browser is idle, so that none is drawn while it is dealt. */
export function prepare() {
  const left = ['', ...DECK].filter((card) => !pictures.has(card));
  const some = () => {
    picture(left.pop() ?? '');
    if (left.length) atRest(some);
  };
  if (left.length && moves()) atRest(some);
}

/** A playing card: `<cut-card card="As">`. Without a card it is face down. */
class CutCard extends HTMLElement {
  static observedAttributes = ['card'];

  /** The card that is currently drawn. @type {string | null} */
  drawn = null;

  connectedCallback() {
    this.draw();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.draw();
  }

  draw() {
    const card = this.getAttribute('card') ?? '';
    if (this.drawn === card) return;
    this.drawn = card;
    this.setAttribute('role', 'img');
    this.setAttribute('aria-label', card ? cardWords(card) : t('card.face_down'));
    this.replaceChildren(picture(card));
  }
}
customElements.define('cut-card', CutCard);

/** @param {string | null} card @param {string} [className] */
export const cardElement = (card, className = '') => h('cut-card', { card: card ?? '', class: className });

/** Chips of the house, in cents, smallest first. */
export const CHIPS = [100, 500, 2500, 10000, 50000, 100000];

/** @param {number} amount */
const kind = (amount) =>
  Math.max(
    0,
    CHIPS.findLastIndex((chip) => chip <= amount),
  );

/** Returns one chip with its value on it. @param {number} amount @param {string} [label] */
export function chip(amount, label) {
  const words = label ?? money(amount);
  const key = `${kind(amount)} ${words}`;
  const known = pictures.get(key) ?? drawChip(amount, words);
  pictures.set(key, known);
  return /** @type {SVGElement} */ (known.cloneNode(true));
}

/** @param {number} amount @param {string} words */
const drawChip = (amount, words) =>
  svg(
    'svg',
    { viewBox: '0 0 40 40', class: `chip chip-${kind(amount)}`, 'aria-hidden': 'true' },
    svg('circle', { cx: 20, cy: 20, r: 19, class: 'rim' }),
    svg('circle', { cx: 20, cy: 20, r: 16.6, class: 'marks', pathLength: 48 }),
    svg('circle', { cx: 20, cy: 20, r: 11, class: 'ring' }),
    ...(words ? [worth(words)] : []),
  );

/** Draws the text on a chip. @param {string} words */
const worth = (words) =>
  svg(
    'text',
    {
      x: 20,
      y: 24.2,
      'text-anchor': 'middle',
      'font-size': words.length > 4 ? 8 : words.length > 3 ? 9.5 : 12,
      'font-weight': 700,
    },
    words,
  );

/**
 * Returns how many chips of each value make up an amount, largest first. What is left below the smallest chip comes
 * last, as one.
 * @param {number} amount @returns {[number, number][]}
 */
export function chipCounts(amount) {
  /** @type {[number, number][]} */
  const counts = [];
  let left = amount;
  for (const worth of CHIPS.toReversed()) {
    if (left >= worth) counts.push([Math.floor(left / worth), worth]);
    left %= worth;
  }
  return left ? [...counts, [1, left]] : counts;
}

/** Returns the chips that make up an amount, largest first; at most five. @param {number} amount */
const chipsOf = (amount) =>
  chipCounts(amount)
    .flatMap(([count, worth]) => Array(Math.min(count, 5)).fill(worth))
    .slice(0, 5);

/** Draws a pile of chips on a betting area, seen from above. @param {number} amount */
export const pile = (amount) =>
  h(
    'span',
    { class: 'pile', 'aria-hidden': 'true' },
    chipsOf(amount).map((worth) => chip(worth, '')),
  );

/** Draws a bet on the felt: chips with the amount beside them. @param {number} amount @param {string} [what] */
export function stack(amount, what = t('bet.one')) {
  return h(
    'span',
    { class: 'stack', role: 'img', 'aria-label': `${what} ${money(amount)}`, 'data-amount': (amount / 100).toFixed(2) },
    h(
      'span',
      { class: 'stack-chips', 'aria-hidden': 'true' },
      chipsOf(amount).map((worth) => chip(worth, '')),
    ),
    h('span', { class: 'stack-amount' }, money(amount)),
  );
}
