// The lobby: what this is and one press to be dealt in; the tables of the house by game, with limits, seats as they are taken
// and house edge. One click opens a table.

import { cardElement, chip } from './cards.js';
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
      staff() ? h('h1', null, 'Tables') : welcome(tables),
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
  // Seats are shown as they are taken and left.
  const watching = setInterval(async () => {
    if (document.hidden) return;
    try {
      for (const now of await get('/api/tables')) {
        const place = rows.find((/** @type {any} */ r) => r.table.table === now.table)?.element.querySelector('.seats');
        if (place) fill(place, seats(now.taken, now.positions));
      }
    } catch {
      /* the page says so by itself */
    }
  }, 4000);
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
    clearInterval(watching);
  };
}

/** Does whoever is here work in the house? */
const staff = () => Boolean(me()) && me().role !== 'player';

/** Opens a table, as a guest if nobody is known. @param {string} path */
const open = (path) => async (/** @type {Event} */ event) => {
  event.preventDefault();
  try {
    await beSomebody();
    await go(path);
  } catch (error) {
    complain(error);
  }
};

/** What this is, in a sentence and a picture, and the way in. @param {any[]} tables */
function welcome(tables) {
  const free = tables.find((t) => t.dealing === 'automatic' && t.taken < t.positions) ?? tables[0];
  return h(
    'section',
    { class: 'welcome' },
    h(
      'div',
      { class: 'welcome-words' },
      h('h1', null, 'Blackjack, dealt by the letter of the law'),
      h(
        'p',
        null,
        'Play free at once, see the clause behind every card and payment, learn from exact odds, and check every shoe yourself.',
      ),
      free
        ? h(
            'a',
            {
              class: 'act primary',
              href: `/table/${free.table}`,
              'data-act': 'deal-me-in',
              onclick: open(`/table/${free.table}`),
            },
            'Deal me in',
          )
        : null,
    ),
    h(
      'div',
      { class: 'welcome-picture', 'aria-hidden': 'true' },
      ['As', 'Kh'].map((card) => cardElement(card)),
      h(
        'span',
        { class: 'welcome-chips' },
        [100, 500, 2500].map((worth) => chip(worth, '')),
      ),
    ),
  );
}

/** @param {any} table */
function row(table) {
  const path = staff() && table.dealing === 'dealer' ? `/console/${table.table}` : `/table/${table.table}`;
  const side = Object.keys(table.side_wagers).length;
  return h(
    'li',
    { class: 'table-row' },
    h(
      'a',
      { href: path, class: 'table-open', onclick: open(path), 'data-table': table.table },
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
