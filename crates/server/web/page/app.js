// The page's entry point: routes, the top bar and preferences. Each view is loaded when it is first opened.

import { ask, get, me, playsForNothing, purse, refreshMe, watchMe } from './shared/net.js';
import { BASE, cents, complain, dialog, dress, fill, go, h, here, money, pref, prefer, valueOf } from './shared/ui.js';
import { awaited } from './shared/wait.js';
import { language, languageName, LANGUAGES, t } from './shared/words.js';

/**
 * @typedef {{ show: (main: HTMLElement, params: string[], query: URLSearchParams) => any }} Part
 * @type {[RegExp, () => Promise<Part>, string][]}
 */
const PARTS = [
  [/^\/$/, () => import('./play/lobby.js'), t('nav.tables')],
  [/^\/table\/(\d+)$/, () => tablePart(), t('nav.table')],
  [/^\/rules\/(\d+)$/, () => import('./play/rules.js'), t('nav.rules')],
  [/^\/clauses$/, () => import('./play/clauses.js'), t('nav.clauses')],
  [/^\/lab$/, () => import('./lab/lab.js'), t('nav.lab')],
  [/^\/train$/, () => import('./train/train.js'), t('nav.training')],
  [/^\/history$/, () => import('./review/history.js'), t('nav.history')],
  [/^\/round\/(\d+)\/(\d+)$/, () => import('./review/replay.js'), t('nav.replay')],
  [/^\/shoe\/(\d+)\/(\d+)$/, () => import('./review/fair.js'), t('nav.fairness')],
  [/^\/account$/, () => import('./account/account.js'), t('nav.account')],
  [/^\/sign-in$/, () => import('./account/entry.js'), t('account.sign_in')],
  [/^\/cashier$/, () => import('./staff/cashier.js'), t('nav.cage')],
  [/^\/staff$/, () => import('./staff/staff.js'), t('nav.accounts')],
  [/^\/audit$/, () => import('./staff/audit.js'), t('nav.audit')],
  [/^\/console\/(\d+)$/, () => import('./staff/console.js'), t('nav.dealer_console')],
  [/^\/rehearse$/, () => import('./staff/rehearse.js'), t('rehearsal.open')],
  [/^\/floor$/, () => import('./staff/floor.js'), t('pit.title')],
  [/^\/protect$/, () => import('./account/protect.js'), t('nav.responsible_gaming')],
];

/** Loads the table's modules beside each other; their own imports would be found one level after the other. */
async function tablePart() {
  const [table] = await Promise.all([
    import('./play/table.js'),
    import('./felt/felt.js'),
    import('./play/offers.js'),
    import('./play/lesson.js'),
    import('./shared/share.js'),
  ]);
  return table;
}

/** The links in the top bar, by role. */
const PLACES = /** @type {Record<string, [string, string][]>} */ ({
  '': [
    ['/', t('nav.play')],
    ['/train', t('nav.train')],
    ['/lab', t('nav.lab')],
    ['/clauses', t('nav.clauses')],
  ],
  player: [
    ['/', t('nav.play')],
    ['/train', t('nav.train')],
    ['/lab', t('nav.lab')],
    ['/clauses', t('nav.clauses')],
    ['/history', t('nav.history')],
  ],
  dealer: [
    ['/', t('nav.tables')],
    ['/floor', t('pit.title')],
    ['/clauses', t('nav.clauses')],
  ],
  floor: [
    ['/floor', t('pit.title')],
    ['/', t('nav.tables')],
    ['/clauses', t('nav.clauses')],
  ],
  supervisor: [
    ['/floor', t('pit.title')],
    ['/', t('nav.tables')],
    ['/staff', t('nav.accounts')],
    ['/audit', t('nav.reports')],
    ['/clauses', t('nav.clauses')],
  ],
  cashier: [
    ['/cashier', t('nav.cage')],
    ['/', t('nav.tables')],
  ],
  auditor: [
    ['/audit', t('nav.audit')],
    ['/', t('nav.tables')],
    ['/clauses', t('nav.clauses')],
  ],
});

/** @type {null | (() => void)} */
let leave = null;
let visit = 0;
/** The balance shown in the top bar, in cents. */
let balance = 0;

/**
 * Loads the stylesheets that the lobby does not need when the first page that needs them opens. Each keeps its place in
 * the cascade. Their address is not in `href` before: browsers load disabled stylesheets too.
 */
const styled = () => (dressing ??= dressAll());
/** @type {Promise<unknown> | undefined} */
let dressing;
const dressAll = () =>
  Promise.all(
    Array.from(
      /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll('link[data-href]')),
      (link) =>
        new Promise((done) => {
          link.onload = done;
          link.onerror = done;
          link.href = link.dataset.href ?? '';
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
  const heading = found?.[2] ?? t('error.not_found');
  document.title = t('page.title', { heading });
  bar();
  if (!found) {
    fill(
      main,
      h(
        'section',
        { class: 'panel pad narrow' },
        h('h1', null, t('error.no_page')),
        h('a', { href: '/' }, t('nav.to_tables')),
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
        h('section', { class: 'panel pad narrow' }, h('h1', null, t('offline.title')), h('p', null, t('offline.text'))),
      );
      // a browser does not ask again for a module that it could not load
      return down(() => (refused.code === 'offline' ? open(moved) : location.reload()));
    }
    if (refused.code === 'change-password' || refused.code === 'set-second-factor' || refused.status === 401)
      return go(`/sign-in?to=${encodeURIComponent(here() + location.search)}`, true);
    fill(
      main,
      h(
        'section',
        { class: 'panel pad narrow' },
        h('h1', null, t('error.cannot_show')),
        h('p', null, refused.message ?? String(error)),
        h('a', { href: '/' }, t('nav.to_tables')),
      ),
    );
    if (!refused.status) throw error;
  }
}

/** @type {(() => void) | null} */
let again = null;
let waiting = false;

/**
 * Says that the server does not answer, and polls until it does.
 * @param {(() => void) | null} then what to retry once the server is back
 */
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
      /* still unreachable */
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
  const nav = h('nav', { class: 'top-nav', 'aria-label': t('nav.label') }, places.map(link));
  fill(
    /** @type {Element} */ (document.getElementById('top')),
    h(
      'a',
      { href: '/', class: 'brand', 'aria-label': t('nav.home') },
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
              title: playsForNothing() ? t('account.play_chips.title') : t('account.chips.yours'),
            },
            playsForNothing() ? h('span', { class: 'tag free' }, t('account.play_chips.label')) : null,
            h('b', { id: 'balance' }, money((balance = cents(purse())))),
          )
        : null,
      who
        ? who.guest
          ? h('a', { href: '/sign-in', class: 'quiet' }, t('account.sign_in'))
          : h('a', { href: '/account', class: 'quiet who' }, who.name)
        : h('a', { href: '/sign-in', class: 'quiet' }, t('account.sign_in')),
      h(
        'button',
        { class: 'plain', 'aria-label': t('settings.title'), title: t('settings.title'), onclick: preferences },
        '⚙',
      ),
    ),
  );
  // On a phone the links may not all fit: scroll so that the current one is visible.
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
    t('settings.title'),
    choice('theme', t('settings.theme.label'), [
      ['auto', t('settings.theme.system')],
      ['dark', t('settings.theme.dark')],
      ['light', t('settings.theme.light')],
    ]),
    LANGUAGES.length > 1
      ? choice(
          'language',
          t('settings.language'),
          LANGUAGES.map((one) => [one, languageName(one)]),
          () => location.reload(),
        )
      : null,
    choice('colours', t('settings.suits.label'), [
      ['two', t('settings.suits.two')],
      ['four', t('settings.suits.four')],
    ]),
    choice('motion', t('settings.motion'), [
      ['auto', t('settings.theme.system')],
      ['off', t('settings.off')],
    ]),
    h(
      'fieldset',
      { class: 'choices' },
      h('legend', null, t('settings.sound')),
      h(
        'label',
        { class: 'loud' },
        h('span', null, t('settings.off')),
        h('input', {
          type: 'range',
          name: 'sound',
          min: 0,
          max: 100,
          step: 5,
          value: pref('sound'),
          'aria-label': t('settings.volume.hint'),
          onchange: (/** @type {Event} */ event) => {
            prefer('sound', Number(valueOf(event)));
            import('./shared/sound.js').then(({ sound }) => sound('chips'));
          },
        }),
        h('span', null, t('settings.volume.max')),
      ),
    ),
    choice('touch', t('settings.haptics'), [
      ['on', t('settings.on')],
      ['off', t('settings.off')],
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
        [house.name, house.operator, house.licence, t('about.version', { version: house.version })]
          .filter(Boolean)
          .join(' · '),
      ),
      h('a', { href: '/protect' }, t('nav.play_responsibly')),
      h('a', { href: '/api' }, t('nav.api')),
    );
  } catch {
    fill(where, h('span', null, t('error.no_response')));
  }
}

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
/** The floor calls, from when somebody who answers them signs in. @type {Promise<import('./staff/alerts.js').Alerts> | undefined} */
let alerts;
watchMe(() => {
  const role = me()?.role;
  if (role === 'floor' || role === 'supervisor')
    alerts ??= import('./staff/alerts.js').then(({ Alerts }) => new Alerts());
  alerts?.then((calls) => calls.follow());
  const shown = document.getElementById('balance');
  if (shown && me()?.role === 'player' && shown.closest('.top')) {
    const [from, to] = [balance, cents(purse())];
    balance = to;
    // The lobby does not need the motion module, so load it on first use.
    if (from !== to)
      import('./shared/motion.js').then(({ count }) => count(shown, document.hidden ? to : from, to, money));
  } else bar();
});

/** Translates the text that is in the HTML before any script runs. */
for (const [where, words] of [
  ['.skip', t('nav.skip')],
  ['#down', t('offline.banner')],
])
  fill(/** @type {Element} */ (document.querySelector(where)), words);

dress();
bar();
const known = refreshMe();
if (here() !== '/') {
  // The page's module and stylesheets come while the user is looked up.
  PARTS.find(([pattern]) => pattern.test(here()))?.[1]().catch(() => null);
  styled();
  await known;
}
open(false);
known.then((who) => {
  bar();
  // The lobby opens before the user is known; staff see other links in it, so open it again for them.
  if (who && who.role !== 'player' && here() === '/') open(false);
});
foot();
// Registers the service worker, which serves the offline page, once the page has loaded and the browser is idle.
const keepOffline = () => {
  const register = () => navigator.serviceWorker?.register(`${BASE}/sw.js`).catch(() => null);
  // Not every browser has `requestIdleCallback`.
  const idle = window.requestIdleCallback ?? ((/** @type {() => void} */ run) => setTimeout(run, 500));
  idle(register, { timeout: 1000 });
};
if (document.readyState === 'complete') keepOffline();
else addEventListener('load', keepOffline);
