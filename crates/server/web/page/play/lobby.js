// The lobby, on one screen: one press to be dealt in, links to training and the lab, and the games as cards with felt,
// tagline, house edge, limits and seats. Variants are folded into their game; the jurisdiction is a filter.

import { cardElement, chip } from '../shared/cards.js';
import { beSomebody, get, me } from '../shared/net.js';
import { solo } from './solo.js';
import { complain, fill, go, h, money, percent, pref, prefer, tableName } from '../shared/ui.js';
import { awaited } from '../shared/wait.js';
import { t } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */
/** @typedef {Schemas['TableCard']} Table */

/**
 * The games in order: name, tagline, felt, the cards in the picture, and which tables belong to the game.
 * @type {{ name: string, hook: string, cloth: string, hands: string[][], chips: number, is: (table: Table) => boolean }[]}
 */
const GAMES = [
  {
    name: t('felt.blackjack'),
    hook: t('lobby.hook.blackjack'),
    cloth: 'blackjack',
    hands: [['As', 'Jd']],
    chips: 0,
    is: (table) => table.game === 'blackjack' && table.spots === 1 && table.dealing === 'automatic',
  },
  {
    name: t('preset.multiple_action'),
    hook: t('lobby.hook.multiple_action'),
    cloth: 'blackjack',
    hands: [
      ['9h', '9c'],
      ['6s', 'Qd'],
      ['6s', '3c'],
      ['6s', 'Kc'],
    ],
    chips: 0,
    is: (table) => table.game === 'blackjack' && table.spots > 1 && table.dealing === 'automatic',
  },
  {
    name: t('game.switch.label'),
    hook: t('lobby.hook.switch'),
    cloth: 'switch',
    hands: [
      ['Td', '6c'],
      ['5h', 'Ks'],
    ],
    chips: 0,
    is: (table) => table.game === 'switch' && table.dealing === 'automatic',
  },
  {
    name: t('game.double_attack.label'),
    hook: t('lobby.hook.double_attack'),
    cloth: 'double-attack',
    hands: [['6h']],
    chips: 2,
    is: (table) => table.game === 'double-attack' && table.dealing === 'automatic',
  },
  {
    name: t('game.triple_attack.label'),
    hook: t('lobby.hook.triple_attack'),
    cloth: 'triple-attack',
    hands: [['Ks'], ['6h']],
    chips: 3,
    is: (table) => table.game === 'triple-attack' && table.dealing === 'automatic',
  },
  {
    name: t('lobby.live_dealer'),
    hook: t('lobby.hook.live_dealer'),
    cloth: 'blackjack',
    hands: [['', '']],
    chips: 0,
    is: (table) => table.dealing === 'dealer',
  },
];
const PLACES = /** @type {[string, string][]} */ ([
  ['', t('lobby.states.all')],
  ['nj', t('jurisdiction.nj')],
  ['ma', t('jurisdiction.ma')],
]);

/** Queue of house edge requests, so that the lab computes one at a time. @type {Promise<unknown>} */
let asking = Promise.resolve();

/** The current seats of all tables, by table number. @type {Map<number, Table>} */
let now = new Map();

/** @param {HTMLElement} main */
export async function show(main) {
  const tables = await get('/api/tables');
  now = new Map(tables.map((table) => [table.table, table]));
  /** @type {Map<number, string>} */
  const edges = new Map();
  const games = h('ul', { class: 'games' });
  /** @type {{ draw: () => void }[]} */
  let cards = [];
  const list = () => {
    const place = pref('rules');
    const those = tables.filter((table) => !place || table.jurisdiction === place);
    const made = GAMES.map((game) => ({ game, of: those.filter(game.is) }))
      .filter(({ of }) => of.length)
      .map(({ game, of }) => gameCard(game, of, edges));
    cards = made;
    fill(
      games,
      made.map(({ element }) => element),
    );
  };
  list();
  const playing = h('span', null);
  const seated = () => [...now.values()].reduce((all, table) => all + table.taken, 0);
  const tell = () => fill(playing, seated() ? ` · ${t('lobby.playing', { count: seated() })}` : '');
  tell();
  fill(
    main,
    h(
      'div',
      { class: 'lobby' },
      staff() ? h('h1', null, t('nav.tables')) : h('div', { class: 'lead' }, welcome(tables, playing), ways()),
      h(
        'div',
        { class: 'lobby-head' },
        h('h2', null, t('lobby.games')),
        h(
          'div',
          { class: 'segments', role: 'group', 'aria-label': t('lobby.states.label') },
          PLACES.map(([place, name]) =>
            h(
              'button',
              {
                type: 'button',
                'aria-pressed': pref('rules') === place ? 'true' : 'false',
                'data-place': place,
                onclick: (/** @type {Event} */ event) => {
                  prefer('rules', place);
                  const pressed = /** @type {Element} */ (event.currentTarget);
                  for (const one of pressed.parentElement?.children ?? [])
                    one.setAttribute('aria-pressed', one === pressed ? 'true' : 'false');
                  list();
                },
              },
              name,
            ),
          ),
        ),
      ),
      games,
    ),
  );
  // Polls the seats, which players take and leave.
  const watching = setInterval(async () => {
    if (document.hidden) return;
    try {
      now = new Map((await get('/api/tables')).map((table) => [table.table, table]));
      cards.forEach((card) => card.draw());
      tell();
    } catch {
      /* the page shows the outage by itself */
    }
  }, 4000);
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== ' ' || event.repeat || (event.target instanceof Element && event.target !== document.body))
      return;
    const start = /** @type {HTMLElement | null} */ (main.querySelector('[data-act="deal-me-in"]'));
    if (!start) return;
    event.preventDefault();
    start.click();
  };
  document.addEventListener('keydown', key);
  return () => {
    clearInterval(watching);
    document.removeEventListener('keydown', key);
  };
}

/** Returns whether the user works for the house. */
const staff = () => (me()?.role ?? 'player') !== 'player';

/** Opens a table, as a guest if nobody is signed in. @param {() => string | Promise<string>} where */
const open = (where) => async (/** @type {Event} */ event) => {
  event.preventDefault();
  try {
    // Load the table's module meanwhile.
    import('./table.js').catch(() => null);
    await awaited(beSomebody());
    await go(await awaited(Promise.resolve(where())));
  } catch (error) {
    complain(error);
  }
};

/** Returns the table with the most players and a free seat. @param {Table[]} tables */
const busiest = (tables) =>
  tables
    .filter((table) => table.dealing === 'automatic' && table.taken < table.positions)
    .sort((a, b) => b.taken - a.taken || a.table - b.table)[0] ?? tables[0];

/**
 * Builds the introduction: a sentence, a picture, and the button to play.
 * @param {Table[]} tables @param {HTMLElement} playing
 */
function welcome(tables, playing) {
  const first = tables.find((table) => table.dealing === 'automatic') ?? tables[0];
  return h(
    'section',
    { class: 'welcome' },
    h(
      'div',
      { class: 'welcome-words' },
      h('h1', null, t('lobby.title')),
      h('p', null, t('lobby.intro')),
      h(
        'div',
        { class: 'welcome-go' },
        h(
          'a',
          {
            class: 'act primary',
            href: `/table/${first?.table}`,
            'data-act': 'deal-me-in',
            onclick: open(() => solo(first.table)),
          },
          t('lobby.play_now'),
          h('kbd', { 'aria-hidden': 'true' }, t('keys.space')),
        ),
        h(
          'a',
          {
            class: 'quiet',
            href: `/table/${busiest(tables)?.table}`,
            'data-act': 'sit-with-others',
            onclick: open(() => `/table/${busiest([...now.values()]).table}`),
          },
          t('lobby.sit_with_others'),
          playing,
        ),
      ),
    ),
    h(
      'div',
      { class: 'welcome-picture', 'aria-hidden': 'true' },
      ['As', 'Kh'].map((card) => cardElement(card)),
      h(
        'span',
        { class: 'welcome-chips' },
        [10_000, 2500].map((worth) => chip(worth)),
      ),
    ),
  );
}

/** Builds the links to training and the lab. */
function ways() {
  const mini = 'DDDHH SSSHH PPPPH'.split(' ').flatMap((row) => [...row]);
  return h(
    'div',
    { class: 'ways' },
    h(
      'a',
      { class: 'way panel', href: '/train' },
      h('h2', null, t('lobby.learn.title')),
      h('p', null, t('lobby.learn.hook')),
      h('b', null, t('lobby.learn.start')),
      h(
        'span',
        { class: 'way-picture cards', 'aria-hidden': 'true' },
        ['Ts', '6d', 'Kh'].map((card) => cardElement(card)),
      ),
    ),
    h(
      'a',
      { class: 'way panel', href: '/lab' },
      h('h2', null, t('nav.lab')),
      h('p', null, t('lobby.lab.hook')),
      h('b', null, t('lobby.lab.open')),
      h(
        'span',
        { class: 'way-picture mini-chart', 'aria-hidden': 'true' },
        mini.map((act) => h('i', { class: `mini-${act}` }, act)),
      ),
    ),
  );
}

/**
 * Builds the card of a game with its tables.
 * @param {(typeof GAMES)[number]} game @param {Table[]} tables @param {Map<number, string>} edges
 */
function gameCard(game, tables, edges) {
  let [table] = tables;
  const edge = h('span', { class: 'edge' });
  const meta = h('p', { class: 'meta' });
  const attended = () => now.get(table.table)?.attended ?? table.attended;
  const path = () => (staff() && table.dealing === 'dealer' ? `/console/${table.table}` : `/table/${table.table}`);
  const named = () => (tables.length > 1 ? tableName(table.name) : game.name);
  const play = h('span', { class: 'play-at' });
  /** Requests the house edge, once for each table shown. */
  const ask = async () => {
    const { table: number } = table;
    if (edges.has(number)) return;
    edges.set(number, '');
    const before = asking;
    let done = () => {};
    asking = new Promise((go) => (done = () => go(undefined)));
    try {
      await before;
      const { main: figures } = await get(`/api/tables/${number}/edge`);
      edges.set(number, percent(figures.house_edge, 2));
      draw();
    } catch {
      edges.delete(number);
    } finally {
      done();
    }
  };
  const draw = () => {
    ask();
    const seen = now.get(table.table) ?? table;
    const known = edges.get(table.table);
    fill(edge, known ? [t('figures.house_edge'), ' ', h('b', null, known)] : null);
    const taken =
      table.dealing === 'dealer' && !attended()
        ? t('lobby.no_dealer')
        : t('lobby.seats', {
            total: seen.positions,
            taken: seen.taken,
          });
    const shape = JSON.stringify([path(), taken, known]);
    if (meta.dataset.shape === shape) return;
    meta.dataset.shape = shape;
    fill(
      meta,
      h('b', null, `${money(table.minimum)}–${money(table.maximum)}`),
      known ? h('span', { class: 'edge-short' }, ` · ${t('lobby.edge', { edge: known })}`) : null,
      h(
        'a',
        {
          class: 'quiet seats',
          href: path(),
          'data-table': table.table,
          'aria-label': `${t('lobby.sit_with_others')}: ${named()}. ${taken}`,
          onclick: open(path),
        },
        taken,
      ),
    );
    fill(
      play,
      staff() || (table.dealing === 'dealer' && attended())
        ? h('a', { class: 'act', href: path(), onclick: open(path) }, t('replay.play'))
        : table.dealing === 'dealer'
          ? h('a', { class: 'act', href: '/rehearse', 'data-act': 'rehearse' }, t('rehearsal.open'))
          : h(
              'a',
              {
                class: 'act',
                href: path(),
                'data-solo': table.table,
                'aria-label': `${t('replay.play')}: ${named()}`,
                onclick: open(() => solo(table.table)),
              },
              t('replay.play'),
            ),
    );
  };
  const variations =
    tables.length > 1
      ? /** @type {HTMLSelectElement} */ (
          h(
            'select',
            {
              'aria-label': t('lobby.variations', { game: game.name }),
              onchange: () => {
                table = tables.find((one) => String(one.table) === variations?.value) ?? table;
                draw();
              },
            },
            tables.map((one) => h('option', { value: one.table }, tableName(one.name))),
          )
        )
      : null;
  draw();
  const element = h(
    'li',
    { class: `game panel game-${game.cloth}${tables.every((one) => one.dealing === 'dealer') ? ' by-hand' : ''}` },
    h(
      'div',
      { class: 'game-cloth', 'aria-hidden': 'true' },
      game.hands.slice(0, 1).map(hand),
      game.chips ? chipsOf(game.chips) : null,
      game.hands.slice(1).map(hand),
    ),
    h(
      'div',
      { class: 'game-body' },
      h('h3', null, game.name),
      edge,
      h('p', { class: 'hook' }, game.hook),
      h('div', { class: 'game-foot' }, meta, variations, play),
    ),
  );
  return { element, draw };
}

/** @param {string[]} cards */
const hand = (cards) =>
  h(
    'span',
    { class: 'cards' },
    cards.map((card) => cardElement(card || null)),
  );

/** @param {number} many */
const chipsOf = (many) =>
  h(
    'span',
    { class: 'game-chips' },
    Array.from({ length: many }, () => chip(500)),
  );
