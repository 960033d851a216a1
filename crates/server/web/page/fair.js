// Checks a finished shoe here in the page: the published order against the hash that was published before the first card.

import { cardElement } from './cards.js';
import { beSomebody, get } from './net.js';
import { digest, hashOf, hex, int, mix, noted as ownNonce, unhex } from './share.js';
import { fill, h } from './ui.js';
import { t } from './words.js';

/** @typedef {import('../../browser/types').Schemas} Schemas */

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

/** Do the nonces that were revealed fit the hashes that were given before? @param {NonNullable<Schemas['Opening']['mixed']>} mixed */
async function noncesFit(mixed) {
  for (const { hash, nonce } of mixed.shares) if (nonce && hex(await hashOf(unhex(nonce))) !== hash) return false;
  return mixed.after <= 1;
}

/** @param {number} shares @param {number} withheld */
const added = (shares, withheld) => t('players-nonces-mixed', { shares, withheld });

/** @param {HTMLElement} main @param {string[]} params */
export async function show(main, [table, shoe]) {
  await beSomebody();
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
  const withheld = mixed ? mixed.shares.filter((share) => !share.nonce).length : 0;
  const ours = !nonce || !mixed || mixed.shares.some((share) => share.nonce === nonce);
  const drawn = opening.drawn ? opening.drawn.split(' ') : [];
  const wrong = drawn.findIndex((/** @type {string} */ card, /** @type {number} */ at) => card !== sequence[at]);
  const fits = found === opening.commitment;
  const line = (/** @type {boolean} */ good, /** @type {string} */ text) =>
    h(
      'li',
      null,
      h('span', { class: good ? 'ok' : 'wrong', 'aria-hidden': 'true' }, good ? '✓ ' : '✗ '),
      h('span', { class: 'sr' }, good ? t('passed') : t('failed')),
      text,
    );
  const passed = fits && kept && ours && wrong < 0 && (!noted || noted === found);
  fill(
    main,
    h('h1', null, t('shoe-of-table', { shoe, table })),
    h(
      'section',
      { class: 'panel pad stack-y' },
      h(
        'p',
        { class: passed ? 'ok verdict' : 'wrong verdict', 'data-verdict': passed ? 'passed' : 'failed' },
        passed ? t('the-cards-dealt-are-those-fixed-before') : t('this-shoe-does-not-pass'),
      ),
      h(
        'ul',
        null,
        line(fits, t('the-published-order-has-the-hash-that')),
        noted
          ? line(noted === found, t('it-is-the-hash-that-this-browser'))
          : h('li', { class: 'dim' }, t('this-browser-was-not-there-when-the')),
        mixed
          ? line(kept, kept ? added(mixed.shares.length, withheld) : t('a-nonce-does-not-fit'))
          : h('li', { class: 'dim' }, t('no-player-added-a-nonce')),
        mixed && nonce ? line(ours, ours ? t('own-nonce-among-them') : t('own-nonce-not-among-them')) : null,
        line(
          wrong < 0,
          wrong < 0
            ? t('all-cards-drawn-came-in-that-order', { n: drawn.length, cut: opening.cut })
            : t('card-drawn-was-not-the-next-of', { a: wrong + 1 }),
        ),
      ),
      h(
        'dl',
        { class: 'facts' },
        h('dt', null, t('worked-out-here')),
        h('dd', { class: 'hash' }, found),
        h('dt', null, t('published')),
        h('dd', { class: 'hash' }, opening.commitment),
        h('dt', null, t('nonce')),
        h('dd', { class: 'hash' }, opening.nonce),
      ),
    ),
    h(
      'section',
      { class: 'panel pad' },
      h('h2', null, t('cards-drawn', { n: drawn.length })),
      h(
        'div',
        { class: 'cards mini wrap' },
        drawn.map((/** @type {string} */ card) => cardElement(card)),
      ),
    ),
  );
}
