// The page itself: addresses, the bar on top, preferences. Each part is fetched when it is first opened.

import { Alerts } from './alerts.js';
import { ask, get, me, playsForNothing, purse, refreshMe, watchMe } from './net.js';
import {
  BASE,
  cents,
  complain,
  dialog,
  dress,
  fill,
  go,
  h,
  here,
  money,
  pref,
  prefer,
  sentence,
  valueOf,
} from './ui.js';
import { awaited } from './wait.js';
import { LANGUAGES, language, languageName, t, translated } from './words.js';

/**
 * @typedef {{ show: (main: HTMLElement, params: string[], query: URLSearchParams) => any }} Part
 * @type {[RegExp, () => Promise<Part>, string][]}
 */
const PARTS = [
  [/^\/$/, () => import('./lobby.js'), t('tables')],
  [/^\/table\/(\d+)$/, () => import('./table.js'), t('table')],
  [/^\/rules\/(\d+)$/, () => import('./rules.js'), t('rules')],
  [/^\/clauses$/, () => import('./clauses.js'), t('clauses')],
  [/^\/lab$/, () => import('./lab.js'), t('lab')],
  [/^\/train$/, () => import('./train.js'), t('training')],
  [/^\/history$/, () => import('./history.js'), t('history')],
  [/^\/round\/(\d+)\/(\d+)$/, () => import('./replay.js'), t('replay')],
  [/^\/shoe\/(\d+)\/(\d+)$/, () => import('./fair.js'), t('fairness')],
  [/^\/account$/, () => import('./account.js'), t('account')],
  [/^\/sign-in$/, () => import('./entry.js'), t('sign-in')],
  [/^\/cashier$/, () => import('./cashier.js'), t('cashier')],
  [/^\/staff$/, () => import('./staff.js'), t('people')],
  [/^\/audit$/, () => import('./audit.js'), t('audit')],
  [/^\/console\/(\d+)$/, () => import('./console.js'), t('console')],
  [/^\/rehearse$/, () => import('./rehearse.js'), t('deal-a-table-yourself')],
  [/^\/floor$/, () => import('./floor.js'), t('the-floor')],
  [/^\/protect$/, () => import('./protect.js'), t('player-protection')],
];

/** What each role finds in the bar. */
const PLACES = /** @type {Record<string, [string, string][]>} */ ({
  '': [
    ['/', t('play')],
    ['/train', t('train')],
    ['/lab', t('lab')],
    ['/clauses', t('clauses')],
  ],
  player: [
    ['/', t('play')],
    ['/train', t('train')],
    ['/lab', t('lab')],
    ['/clauses', t('clauses')],
    ['/history', t('history')],
  ],
  dealer: [
    ['/', t('tables')],
    ['/floor', t('the-floor')],
    ['/clauses', t('clauses')],
  ],
  floor: [
    ['/floor', t('the-floor')],
    ['/', t('tables')],
    ['/clauses', t('clauses')],
  ],
  supervisor: [
    ['/floor', t('the-floor')],
    ['/', t('tables')],
    ['/staff', t('people')],
    ['/audit', t('reports')],
    ['/clauses', t('clauses')],
  ],
  cashier: [
    ['/cashier', t('cashier')],
    ['/', t('tables')],
  ],
  auditor: [
    ['/audit', t('audit')],
    ['/', t('tables')],
    ['/clauses', t('clauses')],
  ],
});

/** @type {null | (() => void)} */
let leave = null;
let visit = 0;
/** What the bar on top shows, in cents. */
let balance = 0;

/** The styles that the lobby has no use for come with the first page that has, each in its place among the others. */
const styled = () =>
  Promise.all(
    Array.from(
      /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll('link[rel="stylesheet"][disabled]')),
      (link) =>
        new Promise((done) => {
          link.onload = done;
          link.onerror = done;
          link.disabled = false;
          // Some browsers fetch what is disabled too.
          if (link.sheet) done(null);
        }),
    ),
  );

/** @param {boolean} moved */
async function open(moved) {
  const mine = ++visit;
  const main = /** @type {HTMLElement} */ (document.getElementById('main'));
  leave?.();
  leave = null;
  const path = here().replace(/(.)\/$/, '$1');
  const found = PARTS.find(([pattern]) => pattern.test(path));
  const heading = found?.[2] ?? t('not-found');
  document.title = t('cutcard', { heading });
  bar();
  if (!found) {
    fill(
      main,
      h(
        'section',
        { class: 'panel pad narrow' },
        h('h1', null, t('there-is-no-such-page')),
        h('a', { href: '/' }, t('to-the-tables')),
      ),
    );
    return;
  }
  try {
    const plain = path === '/' && (me()?.role ?? 'player') === 'player';
    const [part] = await awaited(Promise.all([found[1](), plain ? null : styled()]));
    if (mine !== visit) return;
    fill(main);
    main.className = '';
    document.body.classList.remove('at-table');
    const params = (found[0].exec(path) ?? []).slice(1);
    const left = await awaited(Promise.resolve(part.show(main, params, new URLSearchParams(location.search))));
    if (mine === visit) leave = typeof left === 'function' ? left : null;
    else if (typeof left === 'function') left();
    if (moved) {
      main.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
  } catch (error) {
    const refused = /** @type {any} */ (error);
    if (mine !== visit) return;
    if (refused.code === 'offline' || (!refused.status && error instanceof TypeError)) {
      main.className = '';
      document.body.classList.remove('at-table');
      fill(
        main,
        h(
          'section',
          { class: 'panel pad narrow' },
          h('h1', null, t('the-house-cannot-be-reached')),
          h('p', null, t('offline-words')),
        ),
      );
      return down(() => open(moved));
    }
    if (refused.code === 'change-password' || refused.code === 'set-second-factor' || refused.status === 401)
      return go(`/sign-in?to=${encodeURIComponent(here() + location.search)}`, true);
    fill(
      main,
      h(
        'section',
        { class: 'panel pad narrow' },
        h('h1', null, t('this-cannot-be-shown')),
        h('p', null, sentence(translated(refused.message ?? String(error)))),
        h('a', { href: '/' }, t('to-the-tables')),
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
  const nav = h('nav', { class: 'top-nav', 'aria-label': t('pages') }, places.map(link));
  fill(
    /** @type {Element} */ (document.getElementById('top')),
    h(
      'a',
      { href: '/', class: 'brand', 'aria-label': t('cutcard-to-the-tables') },
      h('img', { src: '/page/icon.svg', alt: '', width: 24, height: 24 }),
      h('span', null, 'Cutcard'),
    ),
    nav,
    h(
      'div',
      { class: 'top-end' },
      who?.role === 'player'
        ? h(
            'a',
            {
              href: '/account',
              class: 'purse',
              title: playsForNothing() ? t('play-chips-worth-nothing') : t('your-chips'),
            },
            playsForNothing() ? h('span', { class: 'tag free' }, t('play-chips-2')) : null,
            h('b', { id: 'balance' }, money((balance = cents(purse())))),
          )
        : null,
      who
        ? who.guest
          ? h('a', { href: '/sign-in', class: 'quiet' }, t('sign-in'))
          : h('a', { href: '/account', class: 'quiet who' }, who.name)
        : h('a', { href: '/sign-in', class: 'quiet' }, t('sign-in')),
      h(
        'button',
        { class: 'plain', 'aria-label': t('preferences'), title: t('preferences'), onclick: preferences },
        '⚙',
      ),
    ),
  );
  // On a phone the places may be more than fit: where one is stays in sight.
  const now = nav.querySelector('[aria-current]');
  if (!now) return;
  const [all, one] = [nav, now].map((element) => element.getBoundingClientRect());
  nav.scrollLeft += Math.min(0, one.left - all.left) + Math.max(0, one.right - all.right);
}

function preferences() {
  const choice = (
    /** @type {any} */ key,
    /** @type {string} */ label,
    /** @type {[string, string][]} */ options,
    then = () => {},
  ) =>
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
            checked: (key === 'language' ? language : pref(key)) === value,
            onchange: () => {
              prefer(key, value);
              then();
            },
          }),
          name,
        ),
      ),
    );
  dialog(
    t('preferences'),
    choice('theme', t('colours-of-the-page'), [
      ['auto', t('as-the-device')],
      ['dark', t('dark')],
      ['light', t('light')],
    ]),
    LANGUAGES.length > 1
      ? choice(
          'language',
          t('language'),
          LANGUAGES.map((one) => [one, languageName(one)]),
          () => location.reload(),
        )
      : null,
    choice('colours', t('suits'), [
      ['two', t('two-colours')],
      ['four', t('four-colours')],
    ]),
    choice('motion', t('moving-cards'), [
      ['auto', t('as-the-device')],
      ['off', t('off')],
    ]),
    h(
      'fieldset',
      { class: 'choices' },
      h('legend', null, t('sound')),
      h(
        'label',
        { class: 'loud' },
        h('span', null, t('off')),
        h('input', {
          type: 'range',
          name: 'sound',
          min: 0,
          max: 100,
          step: 5,
          value: pref('sound'),
          'aria-label': t('how-loud-cards-and-chips-are-off'),
          onchange: (/** @type {Event} */ event) => {
            prefer('sound', Number(valueOf(event)));
            import('./sound.js').then(({ sound }) => sound('chips'));
          },
        }),
        h('span', null, t('loud')),
      ),
    ),
    choice('touch', t('touches-in-the-hand-on-phones'), [
      ['on', t('on')],
      ['off', t('off')],
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
        [house.name, house.operator, house.licence, t('version', { version: house.version })]
          .filter(Boolean)
          .join(' · '),
      ),
      h('a', { href: '/protect' }, t('play-within-limits')),
      h('a', { href: '/api' }, t('interface')),
    );
  } catch {
    fill(where, h('span', null, t('the-house-does-not-answer')));
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
    // Who only looks at the lobby has no use for what moves.
    if (from !== to) import('./motion.js').then(({ count }) => count(shown, document.hidden ? to : from, to, money));
  } else bar();
});

/** What stands in the page before anything is fetched is said in the reader's language too. */
for (const [where, id] of [
  ['.skip', 'skip-to-the-page'],
  ['#down', 'down'],
])
  fill(/** @type {Element} */ (document.querySelector(where)), t(id));

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
// When everything is there and nothing else is done: a page for the time when the house cannot be reached.
const keepOffline = () => {
  const register = () => navigator.serviceWorker?.register(`${BASE}/sw.js`).catch(() => null);
  // Not every browser says when it is idle.
  const idle = window.requestIdleCallback ?? ((/** @type {() => void} */ run) => setTimeout(run, 500));
  idle(register, { timeout: 1000 });
};
if (document.readyState === 'complete') keepOffline();
else addEventListener('load', keepOffline);
