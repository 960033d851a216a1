// The lobby: what this is and one press to be dealt in; the tables of the house by game, with limits, seats as they are taken
// and house edge. One click opens a table.

import { cardElement, chip } from './cards.js';
import { beSomebody, get, me } from './net.js';
import { complain, fill, go, h, money, percent, tableName } from './ui.js';
import { awaited } from './wait.js';
import { t } from './words.js';

/** @typedef {import('../../browser/types').Schemas} Schemas */

const GAMES = /** @type {Record<string, [string, string]>} */ ({
  blackjack: [t('blackjack'), t('beat-the-dealers-hand-without-passing-21')],
  switch: [t('blackjack-switch'), t('two-hands-their-second-cards-may-change')],
  'double-attack': [t('double-attack'), t('double-your-wager-when-you-have-seen')],
  'triple-attack': [t('triple-attack'), t('raise-twice-before-the-hands-are-complete')],
});
const PLACES = /** @type {Record<string, string>} */ ({ nj: t('new-jersey'), ma: t('massachusetts') });

/** @param {HTMLElement} main */
export async function show(main) {
  const tables = await get('/api/tables');
  const rows = tables.map((table) => ({ table, element: row(table) }));
  fill(
    main,
    h(
      'div',
      { class: 'lobby' },
      staff() ? h('h1', null, t('tables')) : welcome(tables),
      Object.entries(GAMES).map(([game, [name, about]]) => {
        const mine = rows.filter((r) => r.table.game === game);
        return mine.length
          ? h(
              'section',
              { class: `panel game-${game}` },
              h('div', { class: 'panel-head' }, h('h2', { class: 'cloth' }, name), h('p', { class: 'dim' }, about)),
              h(
                'ul',
                { class: 'tables' },
                mine.map((r) => r.element),
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
        const place = rows.find((r) => r.table.table === now.table)?.element.querySelector('.seats');
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
        if (place) fill(place, h('b', null, percent(figures.house_edge, 2)), t('edge'));
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
const staff = () => (me()?.role ?? 'player') !== 'player';

/** Opens a table, as a guest if nobody is known. @param {string} path */
const open = (path) => async (/** @type {Event} */ event) => {
  event.preventDefault();
  try {
    // What the table is made of comes meanwhile.
    if (path.startsWith('/table/')) import('./table.js').catch(() => null);
    await awaited(beSomebody());
    await go(path);
  } catch (error) {
    complain(error);
  }
};

/** What this is, in a sentence and a picture, and the way in. @param {Schemas['TableCard'][]} tables */
function welcome(tables) {
  const free = tables.find((t) => t.dealing === 'automatic' && t.taken < t.positions) ?? tables[0];
  return h(
    'section',
    { class: 'welcome' },
    h(
      'div',
      { class: 'welcome-words' },
      h('h1', null, t('blackjack-dealt-by-the-letter-of-the')),
      h('p', null, t('play-free-at-once-see-the-clause')),
      free
        ? h(
            'a',
            {
              class: 'act primary',
              href: `/table/${free.table}`,
              'data-act': 'deal-me-in',
              onclick: open(`/table/${free.table}`),
            },
            t('deal-me-in'),
          )
        : null,
      h('a', { class: 'quiet', href: '/rehearse', 'data-act': 'rehearse' }, t('deal-a-table-yourself')),
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

/** @param {Schemas['TableCard']} table */
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
              table.attended ? t('live-dealer') : t('no-dealer-there-now'),
            )
          : null,
        side ? h('span', { class: 'tag' }, t('side-wagers-counted', { n: side })) : null,
      ),
    ),
    h('span', { class: 'limits' }, `${money(table.minimum)} – ${money(table.maximum)}`),
    h('span', { class: 'decks dim' }, t('decks-counted', { n: table.decks })),
    h('span', { class: 'seats', title: t('boxes-taken') }, seats(table.taken, table.positions)),
    h('span', { class: 'edge dim' }, '…'),
    h(
      'a',
      { class: 'quiet', href: `/rules/${table.table}`, 'aria-label': t('rules-of', { name: tableName(table.name) }) },
      t('rules'),
    ),
  );
}

/** @param {number} taken @param {number} all */
function seats(taken, all) {
  return h(
    'span',
    { class: 'dots', role: 'img', 'aria-label': t('of-boxes-taken', { taken, all }) },
    Array.from({ length: all }, (_, at) => h('i', { class: at < taken ? 'on' : '' })),
  );
}
