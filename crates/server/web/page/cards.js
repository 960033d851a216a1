// Cards and chips, drawn here: large index in the corner that stays visible when cards overlap, one big suit.

import { cardWords, h, money, svg } from './ui.js';

const SHAPES = /** @type {Record<string, string>} */ ({
  h: 'M0 8C-10 0-9-8-4.6-8-2-8 0-6 0-3.6 0-6 2-8 4.6-8 9-8 10 0 0 8Z',
  d: 'M0-9.5 7 0 0 9.5-7 0Z',
  s: 'M0-9C3-4 8.5-1.5 8.5 3 8.5 7 4 8 1.3 5.200L2.8 9H-2.800L-1.3 5.200C-4 8-8.5 7-8.5 3-8.5-1.5-3-4 0-9Z',
  c: 'M0-9a4.2 4.2 0 0 1 3.2 6.900A4.3 4.3 0 1 1 1.2 4.400L2.8 9H-2.800L-1.2 4.400A4.3 4.3 0 1 1-3.2-2.1 4.2 4.2 0 0 1 0-9Z',
});

/** @param {string} card */
function face(card) {
  const rank = card[0] === 'T' ? '10' : card[0];
  const index = svg(
    'text',
    {
      x: rank === '10' ? 2 : 5,
      y: 25,
      class: 'rank',
      'font-size': 25,
      'font-weight': 700,
      ...(rank === '10' ? { textLength: 25, lengthAdjust: 'spacingAndGlyphs' } : {}),
    },
    rank,
  );
  return svg(
    'svg',
    { viewBox: '0 0 60 84', 'aria-hidden': 'true', class: `suit-${card[1]}` },
    svg('rect', { x: 0.75, y: 0.75, width: 58.5, height: 82.5, rx: 6, class: 'paper' }),
    index,
    svg('path', { d: SHAPES[card[1]], transform: 'translate(14 38) scale(.95)' }),
    svg('path', { d: SHAPES[card[1]], transform: 'translate(38 59) scale(1.75)' }),
  );
}

function back() {
  return svg(
    'svg',
    { viewBox: '0 0 60 84', 'aria-hidden': 'true' },
    svg('rect', { x: 0.75, y: 0.75, width: 58.5, height: 82.5, rx: 6, class: 'paper' }),
    svg('rect', { x: 5, y: 5, width: 50, height: 74, rx: 3, class: 'back' }),
    svg('path', {
      d: 'M5 23 23 5M5 41 41 5M5 59 55 9M5 77 55 27M19 79 55 45M37 79 55 63M55 23 37 5M55 41 19 5M55 59 5 9M55 77 5 27M41 79 5 45M23 79 5 63',
      class: 'lattice',
    }),
  );
}

/** A playing card: `<cut-card card="As">`; without a card it lies face down. */
class CutCard extends HTMLElement {
  static observedAttributes = ['card'];

  /** What is drawn. @type {string | null} */
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
    this.setAttribute('aria-label', card ? cardWords(card) : 'a card face down');
    this.replaceChildren(card ? face(card) : back());
  }
}
customElements.define('cut-card', CutCard);

/** @param {string | null} card @param {string} [className] */
export const cardElement = (card, className = '') => h('cut-card', { card: card ?? '', class: className });

/** Chips of the house, in cents, smallest first. */
export const CHIPS = [100, 500, 2500, 10000, 50000];

/** @param {number} amount */
const kind = (amount) =>
  Math.max(
    0,
    CHIPS.findLastIndex((chip) => chip <= amount),
  );

/** One chip with its worth on it. @param {number} amount @param {string} [label] */
export function chip(amount, label) {
  return svg(
    'svg',
    { viewBox: '0 0 40 40', class: `chip chip-${kind(amount)}`, 'aria-hidden': 'true' },
    svg('circle', { cx: 20, cy: 20, r: 19, class: 'rim' }),
    svg('circle', { cx: 20, cy: 20, r: 16.5, class: 'marks', pathLength: 48 }),
    svg('circle', { cx: 20, cy: 20, r: 12.5, class: 'inlay' }),
    svg(
      'text',
      {
        x: 20,
        y: 24.5,
        'text-anchor': 'middle',
        'font-size': (label ?? money(amount)).length > 3 ? 9.5 : 12,
        'font-weight': 700,
      },
      label ?? money(amount),
    ),
  );
}

/** The chips that make an amount, largest first; nobody stacks more than five. @param {number} amount */
function chipsOf(amount) {
  const chips = [];
  let left = amount;
  for (const worth of CHIPS.toReversed()) for (; left >= worth && chips.length < 5; left -= worth) chips.push(worth);
  return chips.length ? chips : [amount];
}

/** A pile on a betting area, seen from above. @param {number} amount */
export const pile = (amount) =>
  h(
    'span',
    { class: 'pile', 'aria-hidden': 'true' },
    chipsOf(amount).map((worth) => chip(worth, '')),
  );

/** A wager lying on the felt: a chip and the amount beside it. @param {number} amount @param {string} [what] */
export function stack(amount, what = 'wager') {
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
