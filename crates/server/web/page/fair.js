// Checks a finished shoe here in the page: the published order against the hash that was published before the first card.

import { cardElement } from './cards.js';
import { get } from './net.js';
import { fill, h } from './ui.js';

const RANKS = 'A23456789TJQK';
const SUITS = 'cdhs';

/** The number of a card, ace of clubs first. @param {string} card */
const index = (card) => RANKS.indexOf(card[0]) * 4 + SUITS.indexOf(card[1]);

/** @param {string} text */
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** A whole number as eight bytes, the largest first. @param {number} value */
function int(value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt(value));
  return bytes;
}

/**
 * The commitment to an order: SHA-256 over a label, table, shoe, nonce and cards, each in its canonical form.
 * @param {{ table: number, shoe: number, nonce: string, order: string }} opening
 */
export async function commitment(opening) {
  const label = new TextEncoder().encode('cutcard shoe 1');
  const cards = Uint8Array.from(opening.order.split(' '), index);
  const parts = [
    int(label.length),
    label,
    int(opening.table),
    int(opening.shoe),
    unhex(opening.nonce),
    int(cards.length),
    cards,
  ];
  const bytes = new Uint8Array(parts.reduce((all, part) => all + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {HTMLElement} main @param {string[]} params */
export async function show(main, [table, shoe]) {
  const opening = await get(`/api/tables/${table}/shoes/${shoe}`);
  /** @type {string | null} */
  let noted = null;
  try {
    noted = localStorage.getItem(`shoe/${table}/${shoe}`);
  } catch {
    /* nothing was kept */
  }
  const found = await commitment(opening);
  const order = opening.order.split(' ');
  const drawn = opening.drawn ? opening.drawn.split(' ') : [];
  const wrong = drawn.findIndex(
    (/** @type {string} */ card, /** @type {number} */ at) =>
      card !== order[(at + (opening.cut % order.length)) % order.length],
  );
  const fits = found === opening.commitment;
  const line = (/** @type {boolean} */ good, /** @type {string} */ text) =>
    h(
      'li',
      null,
      h('span', { class: good ? 'ok' : 'wrong', 'aria-hidden': 'true' }, good ? '✓ ' : '✗ '),
      h('span', { class: 'sr' }, good ? 'Passed: ' : 'Failed: '),
      text,
    );
  const passed = fits && wrong < 0 && (!noted || noted === found);
  fill(
    main,
    h('h1', null, `Shoe ${shoe} of table ${table}`),
    h(
      'section',
      { class: 'panel pad stack-y' },
      h(
        'p',
        { class: passed ? 'ok verdict' : 'wrong verdict', 'data-verdict': passed ? 'passed' : 'failed' },
        passed ? 'The cards dealt are those fixed before the first card.' : 'This shoe does not pass.',
      ),
      h(
        'ul',
        null,
        line(fits, 'The published order has the hash that the house published.'),
        noted
          ? line(noted === found, 'It is the hash that this browser noted while the shoe was dealt.')
          : h(
              'li',
              { class: 'dim' },
              '– This browser was not there when the shoe began, so it relies on the hash that the house kept.',
            ),
        line(
          wrong < 0,
          wrong < 0
            ? `All ${drawn.length} cards drawn came in that order, from the cut at ${opening.cut}.`
            : `Card ${wrong + 1} drawn was not the next of that order.`,
        ),
      ),
      h(
        'dl',
        { class: 'facts' },
        h('dt', null, 'Worked out here'),
        h('dd', { class: 'hash' }, found),
        h('dt', null, 'Published'),
        h('dd', { class: 'hash' }, opening.commitment),
        h('dt', null, 'Nonce'),
        h('dd', { class: 'hash' }, opening.nonce),
      ),
    ),
    h(
      'section',
      { class: 'panel pad' },
      h('h2', null, `Cards drawn (${drawn.length})`),
      h(
        'div',
        { class: 'cards mini wrap' },
        drawn.map((/** @type {string} */ card) => cardElement(card)),
      ),
    ),
  );
}
