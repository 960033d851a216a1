// Checks a finished shoe here in the page: the published order against the hash that was published before the first card.

import { cardElement } from './cards.js';
import { get } from './net.js';
import { digest, hashOf, hex, int, mix, noted as ownNonce, unhex } from './share.js';
import { fill, h } from './ui.js';

const RANKS = 'A23456789TJQK';
const SUITS = 'cdhs';

/** The number of a card, ace of clubs first. @param {string} card */
const index = (card) => RANKS.indexOf(card[0]) * 4 + SUITS.indexOf(card[1]);

/**
 * The commitment to an order: SHA-256 over a label, table, shoe, nonce and cards, each in its canonical form.
 * @param {{ table: number, shoe: number, nonce: string, order: string }} opening
 */
export async function commitment(opening) {
  const cards = Uint8Array.from(opening.order.split(' '), index);
  const parts = [int(opening.table), int(opening.shoe), unhex(opening.nonce), int(cards.length), cards];
  return hex(await digest('cutcard shoe 1', ...parts));
}

/** Do the nonces that were revealed fit the hashes that were given before? @param {any} mixed */
async function noncesFit(mixed) {
  for (const { hash, nonce } of mixed.shares) if (nonce && hex(await hashOf(unhex(nonce))) !== hash) return false;
  return mixed.after <= 1;
}

/** @param {number} shares @param {number} withheld */
const added = (shares, withheld) =>
  `Players' nonces mixed into it before the first card: ${shares}${withheld ? `, of which ${withheld} withheld` : ''}.`;

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
  const cut = opening.cut % order.length;
  const { mixed } = opening;
  const laid = [...order.slice(cut), ...order.slice(0, cut)];
  const sequence = mixed ? await mix(laid, opening, mixed) : laid;
  const nonce = ownNonce(Number(table), Number(shoe));
  const kept = mixed ? await noncesFit(mixed) : true;
  const withheld = mixed ? mixed.shares.filter((/** @type {any} */ share) => !share.nonce).length : 0;
  const ours = !nonce || !mixed || mixed.shares.some((/** @type {any} */ share) => share.nonce === nonce);
  const drawn = opening.drawn ? opening.drawn.split(' ') : [];
  const wrong = drawn.findIndex((/** @type {string} */ card, /** @type {number} */ at) => card !== sequence[at]);
  const fits = found === opening.commitment;
  const line = (/** @type {boolean} */ good, /** @type {string} */ text) =>
    h(
      'li',
      null,
      h('span', { class: good ? 'ok' : 'wrong', 'aria-hidden': 'true' }, good ? '✓ ' : '✗ '),
      h('span', { class: 'sr' }, good ? 'Passed: ' : 'Failed: '),
      text,
    );
  const passed = fits && kept && ours && wrong < 0 && (!noted || noted === found);
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
        mixed
          ? line(kept, kept ? added(mixed.shares.length, withheld) : 'A nonce does not fit the hash given for it.')
          : h('li', { class: 'dim' }, '– No player added a nonce to this shoe.'),
        mixed && nonce
          ? line(
              ours,
              ours ? 'The nonce of this browser is among them.' : 'The nonce of this browser is not among them.',
            )
          : null,
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
