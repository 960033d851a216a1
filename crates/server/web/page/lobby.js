// The lobby: the tables of the house by game, with limits, seats and house edge. One click opens a table.

import { beSomebody, get, me } from './net.js';
import { complain, fill, go, h, money, percent, tableName } from './ui.js';

const GAMES = /** @type {Record<string, [string, string]>} */ ({
  blackjack: ['Blackjack', 'Beat the dealer’s hand without passing 21.'],
  switch: ['Blackjack Switch', 'Two hands; their second cards may change places.'],
  'double-attack': ['Double Attack', 'Double your wager when you have seen the dealer’s card.'],
  'triple-attack': ['Triple Attack', 'Raise twice before the hands are complete.'],
});
const PLACES = /** @type {Record<string, string>} */ ({ nj: 'New Jersey', ma: 'Massachusetts' });

/** @param {HTMLElement} main */
export async function show(main) {
  const tables = await get('/api/tables');
  const rows = tables.map((/** @type {any} */ table) => ({ table, element: row(table) }));
  fill(
    main,
    h(
      'div',
      { class: 'lobby' },
      h(
        'div',
        { class: 'lobby-head' },
        h('h1', null, 'Tables'),
        me() ? null : h('p', { class: 'dim' }, 'Click a table to play with play chips at once. No account needed.'),
      ),
      Object.entries(GAMES).map(([game, [name, about]]) => {
        const mine = rows.filter((/** @type {any} */ r) => r.table.game === game);
        return mine.length
          ? h(
              'section',
              { class: 'panel' },
              h('div', { class: 'panel-head' }, h('h2', null, name), h('p', { class: 'dim' }, about)),
              h(
                'ul',
                { class: 'tables' },
                mine.map((/** @type {any} */ r) => r.element),
              ),
            )
          : null;
      }),
    ),
  );
  let here = true;
  (async () => {
    for (const { table, element } of rows) {
      if (!here) return;
      try {
        const { main: figures } = await get(`/api/tables/${table.table}/edge`);
        const place = element.querySelector('.edge');
        if (place) fill(place, h('b', null, percent(figures.house_edge, 2)), ' edge');
      } catch {
        /* it is there the next time */
      }
    }
  })();
  return () => {
    here = false;
  };
}

/** @param {any} table */
function row(table) {
  const staff = me() && me().role !== 'player';
  const path = staff && table.dealing === 'dealer' ? `/console/${table.table}` : `/table/${table.table}`;
  const sit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      await beSomebody();
      await go(path);
    } catch (error) {
      complain(error);
    }
  };
  const side = Object.keys(table.side_wagers).length;
  return h(
    'li',
    { class: 'table-row' },
    h(
      'a',
      { href: path, class: 'table-open', onclick: sit, 'data-table': table.table },
      h('span', { class: 'table-name' }, tableName(table.name)),
      h(
        'span',
        { class: 'tags' },
        h('span', { class: 'tag' }, PLACES[table.jurisdiction] ?? table.jurisdiction),
        table.dealing === 'dealer'
          ? h(
              'span',
              { class: table.attended ? 'tag live' : 'tag' },
              table.attended ? 'Live dealer' : 'No dealer there now',
            )
          : null,
        table.dealing === 'training' ? h('span', { class: 'tag free' }, 'Training') : null,
        side ? h('span', { class: 'tag' }, side === 1 ? '1 side wager' : `${side} side wagers`) : null,
      ),
    ),
    h('span', { class: 'limits' }, `${money(table.minimum)} – ${money(table.maximum)}`),
    h('span', { class: 'decks dim' }, `${table.decks} deck${table.decks === 1 ? '' : 's'}`),
    h('span', { class: 'seats', title: 'Boxes taken' }, seats(table.taken, table.positions)),
    h('span', { class: 'edge dim' }, '…'),
    h(
      'a',
      { class: 'quiet', href: `/rules/${table.table}`, 'aria-label': `Rules of ${tableName(table.name)}` },
      'Rules',
    ),
  );
}

/** @param {number} taken @param {number} all */
function seats(taken, all) {
  return h(
    'span',
    { class: 'dots', role: 'img', 'aria-label': `${taken} of ${all} boxes taken` },
    Array.from({ length: all }, (_, at) => h('i', { class: at < taken ? 'on' : '' })),
  );
}
