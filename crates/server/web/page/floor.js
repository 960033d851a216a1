// The floor: every table at a glance, the ones that need somebody first; the racks, counted when a table opens, changes hands
// and closes. By keys: 1 to 9 open a table, C counts the rack of the one that has the focus.

import { CHIPS } from './cards.js';
import { get, me, post } from './net.js';
import {
  cents,
  complain,
  decimal,
  dialog,
  field,
  fill,
  forThePage,
  freshId,
  h,
  money,
  signed,
  tableName,
  toast,
  when,
} from './ui.js';
import { t } from './words.js';

/** What a table waits for, in words. */
const AWAITS = /** @type {Record<string, string>} */ ({
  wagers: t('awaits-wagers'),
  card: t('awaits-card'),
  decision: t('awaits-decision'),
  offer: t('awaits-offer'),
  procedure: t('awaits-procedure'),
  reader: t('awaits-reader'),
  approval: t('awaits-approval'),
});
const COUNTED = /** @type {Record<string, string>} */ ({
  opening: t('count-opening'),
  shift: t('count-shift'),
  closing: t('count-closing'),
});

/**
 * @typedef {{ table: number, name: string, dealing: string, attended: boolean, taken: number, positions: number }} Card
 * @typedef {{ by: string, coming?: string | null }} Call
 * @typedef {{ awaiting?: { what: string }, call?: Call | null, dealt_by?: { name: string, here: boolean }, round: number, shoe?: { left: number } }} View
 * @typedef {{ why: string, total: string, name: string, at: string, before?: string, chips: Record<string, number> }} Count
 */

/** @param {HTMLElement} main */
export async function show(main) {
  const role = me()?.role;
  if (!['dealer', 'floor', 'supervisor'].includes(role ?? ''))
    throw Object.assign(new Error('sign in first'), { status: 401 });
  const list = h('ol', { class: 'desk', 'aria-label': t('tables') });
  fill(main, h('h1', null, t('the-floor')), h('p', { class: 'dim' }, t('every-table-at-a-glance')), list);
  main.className = 'wide';
  /** @type {Map<number, HTMLElement>} */
  const tiles = new Map();
  let left = false;

  const look = async () => {
    const cards = /** @type {Card[]} */ (await get('/api/tables'));
    const seen = await Promise.all(
      cards.map(async (card) => {
        const [{ view }, count] = await Promise.all([
          get(`/api/tables/${card.table}`),
          get(`/api/tables/${card.table}/counts`).catch(() => null),
        ]);
        return { card, view: /** @type {View} */ (view), count: /** @type {Count | null} */ (count) };
      }),
    );
    const urgent = (/** @type {View} */ view) =>
      view.call && !view.call.coming ? 2 : view.awaiting?.what === 'approval' ? 1 : 0;
    // The tables that people deal need somebody sooner than those of the platform.
    const byHand = (/** @type {Card} */ card) => Number(card.dealing === 'dealer');
    seen.sort(
      (a, b) => urgent(b.view) - urgent(a.view) || byHand(b.card) - byHand(a.card) || a.card.table - b.card.table,
    );
    seen.forEach(({ card, view, count }, at) => {
      const known = tiles.get(card.table);
      const shape = JSON.stringify([
        card.taken,
        card.attended,
        view.awaiting?.what,
        view.call,
        view.dealt_by,
        view.round,
        view.shoe?.left,
        count,
        at,
      ]);
      if (known?.dataset.shape === shape) return;
      const tile = known ?? h('li', { class: 'panel pad desk-tile', 'data-table': card.table });
      tiles.set(card.table, tile);
      const held = tile.contains(document.activeElement) ? document.activeElement?.getAttribute('data-part') : null;
      tile.dataset.shape = shape;
      tile.dataset.urgent = String(urgent(view));
      draw(tile, card, view, count, at);
      if (held) /** @type {HTMLElement | null} */ (tile.querySelector(`[data-part="${held}"]`))?.focus();
    });
    const order = seen.map(({ card }) => /** @type {HTMLElement} */ (tiles.get(card.table)));
    if (order.some((tile, at) => list.children[at] !== tile)) list.append(...order);
  };

  /** @param {HTMLElement} tile @param {Card} card @param {View} view @param {Count | null} count @param {number} at */
  const draw = (tile, card, view, count, at) => {
    const path = card.dealing === 'dealer' ? `/console/${card.table}` : `/table/${card.table}`;
    const { call } = view;
    fill(
      tile,
      h(
        'p',
        { class: 'row' },
        h('a', { href: path, class: 'desk-name', 'data-part': 'open' }, `${card.table} · ${tableName(card.name)}`),
        card.table <= 9 ? h('kbd', { 'aria-hidden': 'true' }, card.table) : null,
      ),
      h(
        'p',
        { class: 'desk-state' },
        AWAITS[view.awaiting?.what ?? ''] ?? (view.awaiting ? t('awaits-other') : t('awaits-nothing')),
      ),
      h(
        'p',
        { class: 'small dim' },
        card.dealing !== 'dealer'
          ? t('dealt-by-the-platform')
          : card.attended
            ? view.dealt_by?.here
              ? t('deals-named', { name: view.dealt_by.name })
              : t('live-dealer')
            : t('no-dealer-there-now'),
        ' · ',
        t('n-boxes-of', { taken: card.taken, all: card.positions }),
        ' · ',
        t('round-n-of-shoe', { round: view.round, left: view.shoe?.left ?? 0 }),
      ),
      call
        ? h(
            'p',
            { class: 'desk-call', role: 'status' },
            t('called-for', { name: call.by }),
            call.coming ? [' · ', t('coming', { name: call.coming })] : null,
          )
        : null,
      card.dealing === 'dealer'
        ? h(
            'p',
            { class: 'row small' },
            h('span', { class: 'dim', 'data-count': count ? cents(count.total) / 100 : '' }, countWords(count)),
            h(
              'button',
              { class: 'act minor', type: 'button', 'data-part': 'count', onclick: () => countRack(card, count, look) },
              t('rack-count'),
              h('kbd', { 'aria-hidden': 'true' }, 'C'),
            ),
          )
        : null,
    );
  };

  const key = (/** @type {KeyboardEvent} */ event) => {
    if (!forThePage(event) || event.repeat) return;
    const tile = /^[1-9]$/.test(event.key) ? list.querySelector(`[data-table="${event.key}"]`) : null;
    if (tile) tile.querySelector('a')?.click();
    if (event.key.toLowerCase() === 'c')
      /** @type {HTMLElement | null | undefined} */ (
        document.activeElement?.closest('.desk-tile')?.querySelector('[data-part="count"]')
      )?.click();
  };
  const again = async () => {
    await look().catch(complain);
    if (!left) setTimeout(again, 2000);
  };
  document.addEventListener('keydown', key);
  await again();
  return () => {
    left = true;
    document.removeEventListener('keydown', key);
  };
}

/** @param {Count | null} count */
function countWords(count) {
  if (!count) return t('never-counted');
  const told = t('last-count', {
    sum: money(count.total),
    why: COUNTED[count.why] ?? count.why,
    name: count.name,
    at: when(count.at),
  });
  const change = count.before === undefined ? 0 : cents(count.total) - cents(count.before);
  return change ? `${told}; ${t('since-the-last-count', { change: signed(change) })}` : told;
}

/** A count of a rack, chip by chip. @param {Card} card @param {Count | null} last @param {() => Promise<void>} then */
function countRack(card, last, then) {
  const sum = h('b', { role: 'status' });
  const inputs = CHIPS.map((worth) => ({
    worth,
    input: /** @type {HTMLInputElement} */ (
      h('input', {
        type: 'number',
        name: `chips-${worth / 100}`,
        min: 0,
        max: 100_000,
        step: 1,
        value: last?.chips[decimal(worth)] ?? 0,
        oninput: () => tell(),
      })
    ),
  }));
  const why = /** @type {HTMLSelectElement} */ (
    h(
      'select',
      { name: 'why' },
      Object.entries(COUNTED).map(([value, words]) =>
        h('option', { value, selected: value === (last ? 'shift' : 'opening') }, words),
      ),
    )
  );
  const total = () => inputs.reduce((all, { worth, input }) => all + worth * Number(input.value || 0), 0);
  const tell = () => fill(sum, t('counted-total', { sum: money(total()) }));
  // One id, until it is known to be done: pressing twice counts once.
  const id = freshId();
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const chips = Object.fromEntries(inputs.map(({ worth, input }) => [decimal(worth), Number(input.value || 0)]));
    try {
      await post(`/api/tables/${card.table}/counts`, {
        id,
        why: /** @type {'opening' | 'shift' | 'closing'} */ (why.value),
        chips,
      });
      opened.close();
      toast(t('counted-and-recorded'));
      await then();
    } catch (error) {
      complain(error);
    }
  };
  const opened = dialog(
    `${t('rack-count')}: ${card.table} · ${tableName(card.name)}`,
    h(
      'form',
      { class: 'stack-y', onsubmit: submit },
      h(
        'div',
        { class: 'rack-counts' },
        inputs.map(({ worth, input }) => field(t('chips-of', { worth: money(worth) }), input)),
      ),
      field(t('why-counted'), why),
      h('p', null, sum),
      h('button', { class: 'act primary', 'data-act': 'enter-count' }, t('enter-the-count')),
    ),
  );
  tell();
}
