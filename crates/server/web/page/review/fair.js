// Verifies a finished shoe in the page: its opening by itself, and against what this browser recorded.

import { cardElement } from '../shared/cards.js';
import { beSomebody, get } from '../shared/net.js';
import { published, verify } from '../shared/proof.js';
import { keyBefore, noted } from '../shared/share.js';
import { fill, h } from '../shared/ui.js';
import { t } from '../shared/words.js';
import { publishedRounds } from './published.js';

/** @typedef {import('../shared/proof.js').Opening} Opening */

/** @param {string} name @param {unknown} content */
function save(name, content) {
  const file = new Blob([JSON.stringify(content, null, 1)], { type: 'application/json' });
  const address = URL.createObjectURL(file);
  const link = h('a', { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/**
 * Compares an opening with the rounds that the house publishes: those that it names, and those after the last.
 * @param {string} table @param {Opening} opening
 */
async function compared(table, opening) {
  const rounds = await publishedRounds(opening, async (round) => {
    try {
      const told = await get(`/api/tables/${table}/rounds/${round}`);
      return told.steps.flatMap((step) => step.events);
    } catch (error) {
      if (/** @type {{ status?: number }} */ (error).status !== 404) throw error;
      return null;
    }
  });
  return published(opening, rounds);
}

/** @param {HTMLElement} main @param {string[]} params */
export async function show(main, [table, shoe]) {
  await beSomebody();
  const opening = await get(`/api/tables/${table}/shoes/${shoe}`);
  const log = noted(Number(table), Number(shoe));
  const whole = /** @type {Opening} */ (opening);
  const { checks, unchecked } = await verify(whole, { log });
  checks.push(await compared(table, whole));
  const before = keyBefore((await get('/api/house')).seal_key, whole.signatures?.house);
  const holds = checks.every((check) => check.holds);
  const drawn = opening.drawn.split(' ');
  const withheld = opening.mixed.shares.filter((/** @type {{ nonce?: string | null }} */ share) => !share.nonce).length;
  const line = (/** @type {import('../shared/proof.js').Check} */ { check, holds: good, message }) =>
    h(
      'li',
      { 'data-check': check, 'data-holds': String(good), lang: 'en' },
      h('span', { class: good ? 'ok' : 'wrong', 'aria-hidden': 'true' }, good ? '✓ ' : '✗ '),
      h('span', { class: 'sr' }, good ? t('check.passed') : t('check.failed'), ' '),
      h('b', null, `${check}: `),
      message,
    );
  const unmade = (/** @type {import('../shared/proof.js').Unchecked} */ { check, message }) =>
    h(
      'li',
      { 'data-check': check, 'data-unchecked': '', lang: 'en' },
      h('span', { 'aria-hidden': 'true' }, '– '),
      h('span', { class: 'sr' }, t('check.not_made'), ' '),
      h('b', null, `${check}: `),
      message,
    );
  fill(
    main,
    h('h1', null, t('fair.shoe', { shoe, table })),
    h(
      'section',
      { class: 'panel pad stack-y' },
      h(
        'p',
        { class: holds ? 'ok verdict' : 'wrong verdict', 'data-verdict': holds ? 'passed' : 'failed' },
        holds ? t('fair.verified') : t('fair.not_verified'),
      ),
      holds && unchecked.length ? h('p', { 'data-unproven': '' }, t('fair.not_proven')) : null,
      before ? h('p', { class: 'wrong', 'data-key-changed': '' }, t('fair.key_changed')) : null,
      log ? null : h('p', { class: 'dim' }, t('fair.hash_not_seen')),
      h('p', { class: 'dim' }, t('fair.nonces_mixed', { count: opening.mixed.shares.length, withheld })),
      h('ul', null, checks.map(line), unchecked.map(unmade)),
      h(
        'dl',
        { class: 'facts' },
        h('dt', null, t('shoe.commitment')),
        h('dd', { class: 'hash' }, opening.commitment),
        h('dt', null, t('fair.nonce')),
        h('dd', { class: 'hash' }, opening.nonce),
        before ? [h('dt', null, t('fair.first_key')), h('dd', { class: 'hash' }, before)] : null,
      ),
      h(
        'p',
        { class: 'row' },
        h('button', { onclick: () => save(`shoe-${table}-${shoe}.json`, opening) }, t('fair.save_opening')),
        log ? h('button', { onclick: () => save(`shoe-${table}-${shoe}-log.json`, log) }, t('fair.save_log')) : null,
      ),
    ),
    h(
      'section',
      { class: 'panel pad' },
      h('h2', null, t('fair.cards_drawn', { count: drawn.length })),
      h(
        'div',
        { class: 'cards mini wrap' },
        drawn.map((/** @type {string} */ card) => cardElement(card)),
      ),
    ),
  );
}
