// The page itself: addresses, the bar on top, preferences. Each part is fetched when it is first opened.

import { Alerts } from './alerts.js';
import { count } from './motion.js';
import { ask, get, me, playsForNothing, purse, refreshMe, watchMe } from './net.js';
import { BASE, cents, complain, dialog, dress, fill, go, h, here, money, pref, prefer } from './ui.js';

/**
 * @typedef {{ show: (main: HTMLElement, params: string[], query: URLSearchParams) => any }} Part
 * @type {[RegExp, () => Promise<Part>, string][]}
 */
const PARTS = [
  [/^\/$/, () => import('./lobby.js'), 'Tables'],
  [/^\/table\/(\d+)$/, () => import('./table.js'), 'Table'],
  [/^\/rules\/(\d+)$/, () => import('./rules.js'), 'Rules'],
  [/^\/clauses$/, () => import('./clauses.js'), 'Clauses'],
  [/^\/lab$/, () => import('./lab.js'), 'Lab'],
  [/^\/train$/, () => import('./train.js'), 'Training'],
  [/^\/history$/, () => import('./history.js'), 'History'],
  [/^\/round\/(\d+)\/(\d+)$/, () => import('./replay.js'), 'Replay'],
  [/^\/shoe\/(\d+)\/(\d+)$/, () => import('./fair.js'), 'Fairness'],
  [/^\/account$/, () => import('./account.js'), 'Account'],
  [/^\/sign-in$/, () => import('./entry.js'), 'Sign in'],
  [/^\/cashier$/, () => import('./cashier.js'), 'Cashier'],
  [/^\/staff$/, () => import('./staff.js'), 'People'],
  [/^\/audit$/, () => import('./audit.js'), 'Audit'],
  [/^\/console\/(\d+)$/, () => import('./console.js'), 'Console'],
  [/^\/protect$/, () => import('./protect.js'), 'Player protection'],
];

/** What each role finds in the bar. */
const PLACES = /** @type {Record<string, [string, string][]>} */ ({
  '': [
    ['/', 'Play'],
    ['/train', 'Train'],
    ['/lab', 'Lab'],
    ['/clauses', 'Clauses'],
  ],
  player: [
    ['/', 'Play'],
    ['/train', 'Train'],
    ['/lab', 'Lab'],
    ['/clauses', 'Clauses'],
    ['/history', 'History'],
  ],
  dealer: [
    ['/', 'Tables'],
    ['/clauses', 'Clauses'],
  ],
  floor: [
    ['/', 'Tables'],
    ['/clauses', 'Clauses'],
  ],
  supervisor: [
    ['/', 'Tables'],
    ['/staff', 'People'],
    ['/audit', 'Reports'],
    ['/clauses', 'Clauses'],
  ],
  cashier: [
    ['/cashier', 'Cashier'],
    ['/', 'Tables'],
  ],
  auditor: [
    ['/audit', 'Audit'],
    ['/', 'Tables'],
    ['/clauses', 'Clauses'],
  ],
});

/** @type {null | (() => void)} */
let leave = null;
let visit = 0;
/** What the bar on top shows, in cents. */
let balance = 0;

/** @param {boolean} moved */
async function open(moved) {
  const mine = ++visit;
  const main = /** @type {HTMLElement} */ (document.getElementById('main'));
  leave?.();
  leave = null;
  const path = here().replace(/(.)\/$/, '$1');
  const found = PARTS.find(([pattern]) => pattern.test(path));
  const heading = found?.[2] ?? 'Not found';
  document.title = `${heading} · Cutcard`;
  bar();
  if (!found) {
    fill(
      main,
      h(
        'section',
        { class: 'panel pad narrow' },
        h('h1', null, 'There is no such page'),
        h('a', { href: '/' }, 'To the tables'),
      ),
    );
    return;
  }
  try {
    const part = await found[1]();
    if (mine !== visit) return;
    fill(main);
    main.className = '';
    const params = (found[0].exec(path) ?? []).slice(1);
    const left = await part.show(main, params, new URLSearchParams(location.search));
    if (mine === visit) leave = typeof left === 'function' ? left : null;
    else if (typeof left === 'function') left();
    if (moved) {
      main.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
  } catch (error) {
    const refused = /** @type {any} */ (error);
    if (mine !== visit) return;
    if (refused.code === 'offline' || (!refused.status && error instanceof TypeError)) return down(() => open(moved));
    if (refused.code === 'change-password' || refused.code === 'set-second-factor' || refused.status === 401)
      return go(`/sign-in?to=${encodeURIComponent(here() + location.search)}`, true);
    fill(
      main,
      h(
        'section',
        { class: 'panel pad narrow' },
        h('h1', null, 'This cannot be shown'),
        h('p', null, refused.message ?? String(error)),
        h('a', { href: '/' }, 'To the tables'),
      ),
    );
    if (!refused.status) throw error;
  }
}

/** @type {(() => void) | null} */
let again = null;
let waiting = false;

/** The house does not answer: says so, and comes back by itself. @param {(() => void) | null} then what could not be shown */
function down(then) {
  again = then ?? again;
  const notice = /** @type {HTMLElement} */ (document.getElementById('down'));
  notice.hidden = false;
  if (waiting) return;
  waiting = true;
  const look = async () => {
    try {
      if ((await fetch(`${BASE}/health`, { cache: 'no-store' })).ok) {
        waiting = false;
        notice.hidden = true;
        const next = again;
        again = null;
        await refreshMe();
        foot();
        next?.();
        return;
      }
    } catch {
      /* not yet */
    }
    setTimeout(look, 1000);
  };
  setTimeout(look, 700);
}

function bar() {
  const who = me();
  const places = PLACES[who?.role ?? ''] ?? PLACES[''];
  const link = ([path, name] = ['', '']) =>
    h('a', { href: path, 'aria-current': here() === path ? 'page' : null }, name);
  fill(
    /** @type {Element} */ (document.getElementById('top')),
    h(
      'a',
      { href: '/', class: 'brand', 'aria-label': 'Cutcard, to the tables' },
      h('img', { src: '/page/icon.svg', alt: '', width: 24, height: 24 }),
      h('span', null, 'Cutcard'),
    ),
    h('nav', { 'aria-label': 'Pages' }, places.map(link)),
    h(
      'div',
      { class: 'top-end' },
      who?.role === 'player'
        ? h(
            'a',
            { href: '/account', class: 'purse', title: playsForNothing() ? 'Play chips, worth nothing' : 'Your chips' },
            playsForNothing() ? h('span', { class: 'tag free' }, 'Play chips') : null,
            h('b', { id: 'balance' }, money((balance = cents(purse())))),
          )
        : null,
      who
        ? who.guest
          ? h('a', { href: '/sign-in', class: 'quiet' }, 'Sign in')
          : h('a', { href: '/account', class: 'quiet who' }, who.name)
        : h('a', { href: '/sign-in', class: 'quiet' }, 'Sign in'),
      h('button', { class: 'plain', 'aria-label': 'Preferences', title: 'Preferences', onclick: preferences }, '⚙'),
    ),
  );
}

function preferences() {
  const choice = (/** @type {any} */ key, /** @type {string} */ label, /** @type {[string, string][]} */ options) =>
    h(
      'fieldset',
      { class: 'choices' },
      h('legend', null, label),
      options.map(([value, name]) =>
        h(
          'label',
          null,
          h('input', {
            type: 'radio',
            name: key,
            value,
            checked: pref(key) === value,
            onchange: () => prefer(key, value),
          }),
          name,
        ),
      ),
    );
  dialog(
    'Preferences',
    choice('theme', 'Colours of the page', [
      ['auto', 'As the device'],
      ['dark', 'Dark'],
      ['light', 'Light'],
    ]),
    choice('colours', 'Suits', [
      ['two', 'Two colours'],
      ['four', 'Four colours'],
    ]),
    choice('motion', 'Moving cards', [
      ['auto', 'As the device'],
      ['off', 'Off'],
    ]),
    h(
      'fieldset',
      { class: 'choices' },
      h('legend', null, 'Sound'),
      h(
        'label',
        { class: 'loud' },
        h('span', null, 'Off'),
        h('input', {
          type: 'range',
          name: 'sound',
          min: 0,
          max: 100,
          step: 5,
          value: pref('sound'),
          'aria-label': 'How loud cards and chips are; off at the left',
          onchange: (/** @type {any} */ event) => {
            prefer('sound', Number(event.target.value));
            import('./sound.js').then(({ sound }) => sound('chips'));
          },
        }),
        h('span', null, 'Loud'),
      ),
    ),
    choice('touch', 'Touches in the hand, on phones', [
      ['on', 'On'],
      ['off', 'Off'],
    ]),
  );
}

async function foot() {
  const where = /** @type {Element} */ (document.getElementById('foot'));
  try {
    const house = await get('/api/house');
    fill(
      where,
      h(
        'span',
        null,
        [house.name, house.operator, house.licence, `version ${house.version}`].filter(Boolean).join(' · '),
      ),
      h('a', { href: '/protect' }, 'Play within limits'),
      h('a', { href: '/api' }, 'Interface'),
    );
  } catch {
    fill(where, h('span', null, 'The house does not answer.'));
  }
}

/** Ends the session. */
async function signOut() {
  try {
    await ask('DELETE', '/api/sessions/current');
  } catch (error) {
    complain(error);
  }
  await refreshMe();
  go('/protect?left=1');
}

document.addEventListener('click', (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (
    event.target instanceof Element ? event.target.closest('a[href]') : null
  );
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (
    link.origin !== location.origin ||
    link.hasAttribute('download') ||
    link.pathname.startsWith(`${BASE}/api`) ||
    !link.pathname.startsWith(`${BASE}/`) ||
    link.getAttribute('href')?.startsWith('#')
  )
    return;
  event.preventDefault();
  link.closest('dialog')?.close();
  go(link.pathname.slice(BASE.length) + link.search);
});
addEventListener('popstate', () => open(true));
addEventListener('goto', () => open(true));
addEventListener('sign-out', () => signOut());
addEventListener('house-down', () => down(null));
const alerts = new Alerts();
watchMe(() => {
  alerts.follow();
  const shown = document.getElementById('balance');
  if (shown && me()?.role === 'player' && shown.closest('.top')) {
    const [from, to] = [balance, cents(purse())];
    balance = to;
    if (from !== to) count(shown, document.hidden ? to : from, to, money);
  } else bar();
});

dress();
bar();
const known = refreshMe();
if (here() !== '/') await known;
open(false);
known.then((who) => {
  bar();
  // The lobby does not wait for anybody to be known; staff find other doors in it.
  if (who && who.role !== 'player' && here() === '/') open(false);
});
foot();
// When everything is there: a page for the time when the house cannot be reached.
addEventListener('load', () =>
  setTimeout(() => navigator.serviceWorker?.register(`${BASE}/sw.js`).catch(() => null), 2000),
);
