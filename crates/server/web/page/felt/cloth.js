// The layout of the felt: the inscriptions that the regulations require, on arcs between dealer and players; the shoe
// with the cut card, the discard rack; and the curve of boxes that face the dealer.

import { words } from '../shared/patch.js';
import { h, media, showClause, svg } from '../shared/ui.js';
import { lawBeside, t } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */

/** Whether the window has room for a curve. */
const room = media(matchMedia('(min-width: 721px) and (min-height: 501px)'));

/** Whether the device is a phone in landscape. */
const low = media(matchMedia('(max-height: 500px)'));

/** Whether the window is as low as a small phone in portrait. */
const short = media(matchMedia('(max-height: 780px)'));

/**
 * Builds an inscription that opens its clause when pressed.
 * @param {import('../../../browser/types').Schemas['WrittenLine']} line @param {number} at
 */
function inscription(line, at) {
  const open = () => showClause(line.clause);
  const path = svg('textPath', { href: `#arc-${at}`, startOffset: '50%' }, line.text);
  const text = svg(
    'text',
    { class: `inscription${at ? '' : ' first'}`, role: 'button', tabindex: 0, 'text-anchor': 'middle' },
    path,
  );
  const own = lawBeside(line);
  if (own) text.append(svg('title', {}, own));
  text.setAttribute('lang', 'en');
  text.addEventListener('click', open);
  text.addEventListener('keydown', (event) => {
    const { key } = /** @type {KeyboardEvent} */ (event);
    if (key !== 'Enter' && key !== ' ') return;
    event.preventDefault();
    open();
  });
  return text;
}

/**
 * Builds the printed lines of a table, on arcs as wide as the space allows; insurance last, on a band of its own in
 * front of the players.
 * @param {{ text: string, clause: string }[]} all
 * @param {boolean} solo whether the table is for one player, whose cards have rows of their own below the print
 */
export function printed(all, solo) {
  const insures = (/** @type {{ text: string }} */ line) => /^insurance\b/i.test(line.text);
  const lines = [...all.filter((line) => !insures(line)), ...all.filter(insures)];
  const band = svg('path', { class: 'band' });
  const banded = lines.some(insures);
  const paths = lines.map((_, at) => svg('path', { id: `arc-${at}`, class: 'arc' }));
  const texts = lines.map(inscription);
  const picture = svg(
    'svg',
    { class: 'print inscriptions', role: 'group', 'aria-label': t('felt.printed') },
    band,
    ...paths,
    ...texts,
  );
  let drawn = '';
  /** Returns the middle of the band at a distance from the middle of the table. @type {(x: number) => number} */
  let bandAt = () => 0;
  /** Puts the chips of an insurance bet on the band, after its words. */
  function insure() {
    const box = /** @type {HTMLElement | null | undefined} */ (
      solo && banded ? picture.parentElement?.querySelector('.box:has(.insurance)') : null
    );
    if (!box) return;
    const words = /** @type {SVGTextElement} */ (texts[lines.length - 1]);
    const after = Math.round(words.getComputedTextLength() / 2 + 14);
    const [top, from] = [picture, box].map((part) => part.getBoundingClientRect().top);
    box.style.setProperty('--band-x', `${after}px`);
    box.style.setProperty('--band-y', `${Math.round(top + bandAt(after + 28) - from)}px`);
  }
  /** Prints the lines as large as the space between the dealer's cards and the hands allows. */
  function fit() {
    const width = Math.round(picture.clientWidth);
    if (!width) return;
    const wide = room();
    const hands = wide && !solo ? handsBelow(picture) : [];
    const shape = JSON.stringify([width, wide, low(), short(), hands]);
    if (shape === drawn) return;
    drawn = shape;
    const inset = wide ? width * 0.14 : 4;
    // A larger table has larger letters.
    const large = wide ? Math.max(1, Math.min(1.4, width / 1060)) : 1;
    const [size, apart, depth] = wide
      ? [15 * large, (lines.length > 3 ? 21 : 25) * large, 40 * large]
      : low()
        ? [9, 12, 8]
        : short()
          ? [10, 12.5, 8]
          : [10, 14, 12];
    const last = lines.length - 1;
    /** Returns the y position at which the baseline of a line begins. @param {number} at @param {number} scale */
    const base = (at, scale) =>
      scale * (size + at * apart + (at && wide ? 7 * large : 0) + (banded && at === last ? size * 0.55 : 0));
    const deepest = (/** @type {number} */ scale) =>
      hands.every(({ left, right, top }) => {
        // Check the point of the hand nearest the middle, where the arc is lowest.
        const x = Math.max(left, Math.min(right, width / 2));
        const along = (x - inset) / (width - 2 * inset);
        return (
          along <= 0 ||
          along >= 1 ||
          base(last, scale) + 4 * depth * scale * along * (1 - along) + (banded ? size * scale * 0.5 : 0) + 4 < top
        );
      });
    const scale = SCALES.find(deepest) ?? SCALES[SCALES.length - 1];
    const height = Math.round(base(last, scale) + scale * (depth + (wide ? 15 : 6)));
    picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
    picture.setAttribute('height', String(height));
    const arc = (/** @type {number} */ y) =>
      `M${inset} ${y.toFixed(1)}Q${width / 2} ${(y + depth * scale * 2).toFixed(1)} ${width - inset} ${y.toFixed(1)}`;
    const [over, under] = [1.12, 0.46].map((by) => by * size * scale);
    bandAt = (x) => {
      const along = 0.5 + x / (width - 2 * inset);
      return base(last, scale) + 4 * depth * scale * along * (1 - along) + (under - over) / 2;
    };
    band.setAttribute('d', banded ? arc(base(last, scale) - over) + arc(base(last, scale) + under) : '');
    lines.forEach((line, at) => {
      // The first line is larger; `base` leaves the room for it.
      paths[at].setAttribute('d', arc(base(at, scale)));
      const first = at === 0 && wide ? 1.35 : 1;
      const most = ((width - 2 * inset) * 0.98) / (line.text.length * 0.8);
      texts[at].setAttribute('font-size', Math.min(size * scale * first, most).toFixed(1));
    });
  }
  const update = () => {
    fit();
    insure();
  };
  new ResizeObserver(update).observe(picture);
  // Without a curve only the picture's own size matters, and the observer watches that.
  return { picture, fit: () => room() && update() };
}

/** Scale factors for the print, tried in turn until the hands do not cover it. */
const SCALES = [1, 0.92, 0.85, 0.78, 0.72, 0.66, 0.6];

/** Returns the hands in front of the print, relative to the print's corner. @param {SVGElement} picture */
function handsBelow(picture) {
  const from = picture.getBoundingClientRect();
  return Array.from(
    picture.parentElement?.querySelectorAll('.boxes .hand:has(cut-card), .boxes .insurance') ?? [],
    (hand) => {
      const { left, right, top } = hand.getBoundingClientRect();
      return {
        left: Math.round(left - from.left),
        right: Math.round(right - from.left),
        top: Math.round(top - from.top),
      };
    },
  );
}

/** Draws the shoe at the dealer's left hand and the discard rack at the right. */
export function holders() {
  const mouth = svg('circle', { class: 'shoe-mouth', cx: 22, cy: 62, r: 1 });
  const cards = svg('path', { class: 'stock' });
  const cutting = svg('path', { class: 'cutting-card' });
  const left = svg('text', { x: 70, y: 92, 'text-anchor': 'middle' }, '');
  const shoe = svg(
    'svg',
    { class: 'shoe', viewBox: '0 0 124 96', role: 'img', 'aria-label': t('felt.shoe.text') },
    svg('path', { class: 'shoe-back', d: 'M34 8H112a8 8 0 0 1 8 8V66a8 8 0 0 1-8 8H34Z' }),
    cards,
    cutting,
    svg('path', { class: 'shoe-side', d: 'M34 8 6 58V74H112a8 8 0 0 0 8-8V58H44Z' }),
    svg('path', { class: 'shoe-lip', d: 'M10 60H40V70H10Z' }),
    mouth,
    left,
  );
  const pile = svg('path', { class: 'stock' });
  const count = svg('text', { x: 36, y: 92, 'text-anchor': 'middle' }, '');
  const rack = svg(
    'svg',
    { class: 'discards', viewBox: '0 0 72 96', role: 'img', 'aria-label': t('felt.discard_rack.text') },
    pile,
    svg('path', { class: 'rack-glass', d: 'M8 8V68a6 6 0 0 0 6 6H58a6 6 0 0 0 6-6V8' }),
    count,
  );
  return {
    shoe,
    rack,
    /** @param {Schemas['ShoeView'] | null} state the shoe in the table's view @param {number} decks */
    draw(state, decks) {
      shoe.classList.toggle('absent', !state);
      rack.classList.toggle('absent', !state);
      if (!state) return;
      const all = Math.max(decks * 52, state.left + state.discards);
      const x = (/** @type {number} */ many) => Math.round(116 - (74 * Math.min(many, all)) / all);
      cards.setAttribute('d', `M116 14V56H${x(state.left)}l-3-3V17l3-3Z`);
      const behind = state.behind_cutting_card ?? 0;
      cutting.setAttribute('d', behind ? `M${x(behind)} 11V58` : '');
      cutting.classList.toggle('out', Boolean(state.cutting_card_out));
      words(left, String(state.left));
      shoe.setAttribute(
        'aria-label',
        t('felt.shoe.label', {
          left: state.left,
          behind,
          cut: !behind ? 'none' : state.cutting_card_out ? 'out' : 'behind',
        }),
      );
      const y = Math.round(70 - (58 * Math.min(state.discards, all)) / all);
      pile.setAttribute('d', state.discards ? `M13 ${y}H59V70H13Z` : '');
      words(count, String(state.discards));
      rack.setAttribute('aria-label', t('felt.discard_rack.label', { count: state.discards }));
    },
  };
}

/** The chips in the tubes of the dealer's rack. */
const TUBES = [0, 1, 1, 2, 2, 3, 4, 5];

/** Draws the chip rack in front of the dealer. */
export const chipRack = () =>
  svg(
    'svg',
    { class: 'chip-rack', viewBox: '0 0 324 54', 'aria-hidden': 'true' },
    svg('rect', { class: 'rack-wood', width: 324, height: 54, rx: 8 }),
    ...TUBES.map((chip, at) => {
      const [x, top] = [8 + at * 39, 10 + ((at * 5) % 3) * 4];
      return svg(
        'g',
        { class: `chip-${chip}` },
        svg('rect', { class: 'rack-tube', x, y: 6, width: 35, height: 42, rx: 3 }),
        svg('rect', { class: 'rack-chips', x: x + 2, y: top, width: 31, height: 47 - top }),
        svg('path', { class: 'rack-edges', d: `M${x + 17.5} ${top}V47` }),
      );
    }),
  );

/** Draws the insurance band as the dealer sees it. The printed words face the players. */
export const bandFromDealer = () =>
  svg(
    'svg',
    { class: 'far-band', viewBox: '0 0 480 70', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg('path', {
      class: 'band',
      d: 'M0 44Q240 -36 480 44M0 66Q240 -14 480 66',
      'vector-effect': 'non-scaling-stroke',
    }),
  );

/** The last position set for each box. @type {WeakMap<HTMLElement, string>} */
const laid = new WeakMap();

/**
 * Arranges the boxes on a curve, turned towards the dealer, if there is room for one. The players' side is the far one
 * if the dealer looks at it.
 * @param {HTMLElement} boxes @param {boolean} dealerSide
 */
export function curve(boxes, dealerSide) {
  const side = dealerSide ? -1 : 1;
  const all = /** @type {HTMLElement[]} */ (Array.from(boxes.children));
  // Reading positions forces a layout, which is expensive while cards are dealt: do it only if there is a curve.
  const width = room() && all.length > 1 ? boxes.clientWidth : 0;
  const places = all.map((box) =>
    width ? ((box.offsetLeft - boxes.offsetLeft + box.offsetWidth / 2) / width) * 2 - 1 : 0,
  );
  all.forEach((box, at) => {
    const x = Math.max(-1, Math.min(1, places[at]));
    const turn = `${Math.round(-x * 160 * side) / 10}deg`;
    // A wider table is deeper.
    const rise = `${Math.round((Math.sqrt(1 - x * x * 0.9) - 1) * (dealerSide ? -170 : 220) * Math.max(1, width / 1000))}px`;
    if (laid.get(box) === turn + rise) return;
    laid.set(box, turn + rise);
    box.style.setProperty('--turn', turn);
    box.style.setProperty('--rise', rise);
  });
}

/** Builds a badge for a special result: a blackjack. @param {string} words */
export const badge = (words) => h('span', { class: 'badge', 'aria-hidden': 'true' }, words);
