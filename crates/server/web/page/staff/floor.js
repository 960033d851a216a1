// The pit view: all tables at a glance, those that need attention first, and the chip racks, which are counted when a
// table opens, changes shift and closes. Keys: 1 to 9 open a table, C counts the rack of the focused one.

import { CHIPS } from '../shared/cards.js';
import { get, me, post } from '../shared/net.js';
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
} from '../shared/ui.js';
import { t } from '../shared/words.js';

/** What a table is waiting for. */
const AWAITS = /** @type {Record<string, string>} */ ({
  wagers: t('pit.waiting.bets'),
  card: t('pit.waiting.card'),
  decision: t('pit.waiting.decision'),
  offer: t('pit.waiting.offer'),
  procedure: t('pit.waiting.shuffle'),
  reader: t('pit.waiting.reader'),
  approval: t('pit.waiting.approval'),
});
const COUNTED = /** @type {Record<string, string>} */ ({
  opening: t('rack.reason.opening'),
  shift: t('rack.reason.shift'),
  closing: t('rack.reason.closing'),
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
  const list = h('ol', { class: 'desk', 'aria-label': t('nav.tables') });
  fill(main, h('h1', null, t('pit.title')), h('p', { class: 'dim' }, t('pit.intro')), list);
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
    // Tables with a dealer need attention sooner than automatic ones.
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
        card.table <= 10 ? h('kbd', { 'aria-hidden': 'true' }, card.table % 10) : null,
      ),
      h(
        'p',
        { class: 'desk-state' },
        AWAITS[view.awaiting?.what ?? ''] ?? (view.awaiting ? t('pit.waiting.players') : t('pit.waiting.nothing')),
      ),
      h(
        'p',
        { class: 'small dim' },
        card.dealing !== 'dealer'
          ? t('table.automatic')
          : card.attended
            ? view.dealt_by?.here
              ? t('lobby.dealer_name', { name: view.dealt_by.name })
              : t('lobby.live_dealer')
            : t('lobby.no_dealer'),
        ' · ',
        t('pit.boxes', { taken: card.taken, total: card.positions }),
        ' · ',
        t('pit.round', { round: view.round, left: view.shoe?.left ?? 0 }),
      ),
      call
        ? h(
            'p',
            { class: 'desk-call', role: 'status' },
            t('pit.call', { name: call.by }),
            call.coming ? [' · ', t('pit.on_the_way', { name: call.coming })] : null,
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
              t('rack.count'),
              h('kbd', { 'aria-hidden': 'true' }, 'C'),
            ),
          )
        : null,
    );
  };

  const key = (/** @type {KeyboardEvent} */ event) => {
    if (!forThePage(event) || event.repeat) return;
    // Table 10 has the key after 9.
    const tile = /^\d$/.test(event.key) ? list.querySelector(`[data-table="${Number(event.key) || 10}"]`) : null;
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
  if (!count) return t('rack.never');
  const told = t('rack.last', {
    amount: money(count.total),
    reason: COUNTED[count.why] ?? count.why,
    name: count.name,
    time: when(count.at),
  });
  const change = count.before === undefined ? 0 : cents(count.total) - cents(count.before);
  return change ? `${told}; ${t('rack.change', { change: signed(change) })}` : told;
}

/**
 * Opens the dialog for counting a rack, chip by chip.
 * @param {Card} card @param {Count | null} last @param {() => Promise<void>} then
 */
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
  const tell = () => fill(sum, t('rack.total', { amount: money(total()) }));
  // One idempotency key until the count is known to be stored, so that pressing twice counts once.
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
      toast(t('rack.saved'));
      await then();
    } catch (error) {
      complain(error);
    }
  };
  const opened = dialog(
    `${t('rack.count')}: ${card.table} · ${tableName(card.name)}`,
    h(
      'form',
      { class: 'stack-y', onsubmit: submit },
      h(
        'div',
        { class: 'rack-counts' },
        inputs.map(({ worth, input }) => field(t('rack.chips', { value: money(worth) }), input)),
      ),
      field(t('rack.reason.label'), why),
      h('p', null, sum),
      h('button', { class: 'act primary', 'data-act': 'enter-count' }, t('rack.submit')),
    ),
  );
  tell();
}
