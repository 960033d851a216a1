// Helpers that every part of the page uses: building elements, formatting money and cards, screen reader announcements,
// preferences. Nothing here knows a rule of any game.

import { language, lawBeside, moment, number, t, term } from './words.js';

/** @typedef {Node | string | number | null | undefined | false} Child */

/** The page's base path on its site: empty at the root, or a prefix such as `/blackjack`. */
export const BASE = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');

/** Returns the current path without the base path. */
export const here = () => location.pathname.slice(BASE.length) || '/';

/** Changes the URL without opening it. @param {string} path */
export const readdress = (path) => history.replaceState(null, '', BASE + path);

/**
 * Builds an element. `on…` keys are listeners, `class` is the class name, other keys are attributes; `true` sets an
 * empty one.
 * @param {string} tag
 * @param {Record<string, any> | null} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h(tag, props, ...children) {
  const el = document.createElement(tag);
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) el.addEventListener(key.slice(2), value);
    else if (key === 'class') el.className = value;
    else if ((key === 'href' || key === 'src') && String(value).startsWith('/')) el.setAttribute(key, BASE + value);
    else if (key === 'value' || key === 'checked' || key === 'selected') /** @type {any} */ (el)[key] = value;
    else el.setAttribute(key, value === true ? '' : String(value));
  }
  add(el, children);
  return el;
}

/** @param {Element} el @param {(Child | Child[])[]} children */
function add(el, children) {
  for (const child of children) {
    if (Array.isArray(child)) add(el, child);
    else if (child instanceof Node) el.append(child);
    else if (child !== null && child !== undefined && child !== false) el.append(String(child));
  }
}

/** Replaces the contents of an element. @param {Element} el @param {...(Child | Child[])} children */
export function fill(el, ...children) {
  el.replaceChildren();
  add(el, children);
  return el;
}

/**
 * Builds an SVG element.
 * @param {string} tag @param {Record<string, any>} props @param {...(Node | string)} children
 */
export function svg(tag, props, ...children) {
  const el = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(props)) el.setAttribute(key, String(value));
  el.append(...children);
  return el;
}

// Money: decimal strings outside, whole cents inside; never sums of floats.

/** @param {string | number | null | undefined} text */
export function cents(text) {
  const found = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(String(text ?? '').trim());
  if (!found) return 0;
  const value = Number(found[2]) * 100 + Number((found[3] ?? '').padEnd(2, '0') || 0);
  return found[1] ? -value : value;
}

/**
 * Parses a typed amount to cents: decimal point or comma, with or without thousands separators.
 * @param {string} text
 */
export function typed(text) {
  const found = /^(\d[\d.,\s\u00a0\u202f]*?)(?:[.,](\d{0,2}))?$/.exec(text.trim());
  return found ? Number(found[1].replace(/\D/g, '')) * 100 + Number((found[2] ?? '').padEnd(2, '0')) : 0;
}

/** @param {number} value amount in cents */
export function decimal(value) {
  const size = Math.abs(Math.round(value));
  return `${value < 0 ? '-' : ''}${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}`;
}

/**
 * Formats an amount: with thousands separators, and whole amounts without decimals.
 * @param {string | number | null | undefined} text
 */
export function money(text) {
  const value = typeof text === 'number' ? Math.round(text) : cents(text);
  return number(value / 100, value % 100 ? 2 : 0);
}

/** Formats an amount with its sign. @param {string | number} text */
export function signed(text) {
  const value = typeof text === 'number' ? text : cents(text);
  return (value > 0 ? '+' : '') + money(value);
}

/** @param {number} share @param {number} [places] */
export function percent(share, places = 3) {
  return `${number(share * 100, places)} %`;
}

/** @param {string} iso */
export function when(iso) {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : moment(date);
}

const RANKS = /** @type {Record<string, string>} */ ({
  A: t('card.rank.ace'),
  J: t('card.rank.jack'),
  Q: t('card.rank.queen'),
  K: t('card.rank.king'),
  T: t('card.rank.ten'),
  2: t('card.rank.two'),
  3: t('card.rank.three'),
  4: t('card.rank.four'),
  5: t('card.rank.five'),
  6: t('card.rank.six'),
  7: t('card.rank.seven'),
  8: t('card.rank.eight'),
  9: t('card.rank.nine'),
});
const SUITS = /** @type {Record<string, string>} */ ({
  c: t('card.suit.clubs'),
  d: t('card.suit.diamonds'),
  h: t('card.suit.hearts'),
  s: t('card.suit.spades'),
});

/** Cache of card names. @type {Map<string | null, string>} */
const said = new Map();

/** Returns a card in words: `As` is the ace of spades. @param {string | null} card */
export function cardWords(card) {
  let words = said.get(card);
  if (words === undefined) {
    words = t('card.name', { rank: RANKS[card?.[0] ?? ''] ?? '?', suit: SUITS[card?.[1] ?? ''] ?? '?' });
    said.set(card, words);
  }
  return words;
}

/** Returns the name of a table option; rulings and side bets are options too. @param {string} key */
export const optionName = (key) => {
  const [, group, name] = /^(?:(rulings|side_wagers)\.)?(.*)$/.exec(key) ?? [];
  return term(group === 'rulings' ? 'ruling' : group ? 'bet' : 'option', name ?? key);
};

const TABLES = /** @type {Record<string, string>} */ ({
  'nj-blackjack': t('felt.blackjack'),
  'nj-blackjack-reader': t('preset.reader'),
  'nj-blackjack-face-up': t('preset.face_up'),
  'nj-six-to-five': t('preset.six_to_five'),
  'nj-multiple-action': t('preset.multiple_action'),
  'nj-switch': t('game.switch.label'),
  'ma-switch': t('preset.switch_ma'),
  'nj-double-attack': t('game.double_attack.label'),
  'nj-triple-attack': t('game.triple_attack.label'),
});

/** Returns the display name of a table; presets have names of their own. @param {string} name */
export const tableName = (name) => TABLES[name] ?? name;

/** Returns a new id. Ids grow with time, so that new ones are adjacent in the server's index. */
export function freshId() {
  const hex = (/** @type {number} */ byte) => byte.toString(16).padStart(2, '0');
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return Date.now().toString(16).padStart(12, '0') + Array.from(bytes, hex).join('');
}

/** Texts waiting to be announced, or functions that return them. @type {(string | (() => string))[]} */
let unsaid = [];

/** Announces a text to screen readers. @param {string | (() => string)} text */
export function say(text) {
  if (!text) return;
  if (!unsaid.length) queueMicrotask(() => atRest(speak));
  unsaid.push(text);
}

function speak() {
  const live = document.getElementById('live');
  live?.append(...unsaid.map((text) => h('p', null, typeof text === 'string' ? text : text())));
  unsaid = [];
  while (live && live.children.length > 30) live.firstChild?.remove();
}

/**
 * Shows a short message that disappears; a refusal shows its clause.
 * @param {string} text @param {{ bad?: boolean, clause?: string | null }} [how]
 */
export function toast(text, how = {}) {
  // Replace an identical message that is still shown.
  for (const said of document.querySelectorAll('#toasts .toast'))
    if (said.firstElementChild?.textContent === text) said.remove();
  const box = h(
    'div',
    { class: `toast${how.bad ? ' bad' : ''}` },
    h('span', null, text),
    how.clause ? clauseLink(how.clause) : null,
    h('button', { class: 'plain', 'aria-label': t('action.close_message'), onclick: () => box.remove() }, '×'),
  );
  document.getElementById('toasts')?.append(box);
  setTimeout(() => box.remove(), how.bad ? 9000 : 4000);
}

/** Returns the value of the form control that fired an event. @param {Event} event */
export const valueOf = (event) => /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value;

/** Shows the error of a failed request. @param {any} error */
export function complain(error) {
  // An outage is reported once, by the banner at the top of the page.
  if (error?.code === 'offline') return;
  toast(error?.message ?? t('error.unknown'), { bad: true, clause: error?.clause });
}

/**
 * Builds a link to the text of a clause.
 * @param {string} clause @param {string} [label] shown instead of the clause's name
 */
export function clauseLink(clause, label = clause) {
  return h(
    'button',
    {
      class: 'clause',
      type: 'button',
      title: t('clauses.read', { clause }),
      'data-clause': clause,
      'aria-label': label === clause ? null : clause,
      onclick: (/** @type {Event} */ event) => {
        event.stopPropagation();
        showClause(clause);
      },
    },
    label,
  );
}

/**
 * Shows regulation text, which stays English, with a translation beside it if there is one.
 * @param {{ text: string, kind?: 'rule' | 'error', code?: string, params?: Record<string, string> }} rule
 */
export function law({ text, ...rule }) {
  if (language === 'en') return text;
  const own = lawBeside(rule);
  return h('span', null, h('span', { lang: 'en' }, text), own ? h('span', { class: 'beside' }, own) : null);
}

/** @typedef {import('../../../browser/types').Schemas['ClauseEntry']} ClauseEntry */

/** @type {Map<string, Promise<ClauseEntry[]>>} */
const clauses = new Map();

/** Returns the catalogue entries of a clause. @param {string} clause @returns {Promise<ClauseEntry[]>} */
export function clauseRows(clause) {
  let asked = clauses.get(clause);
  if (!asked) {
    asked = fetch(`${BASE}/api/clauses?id=${encodeURIComponent(clause)}`)
      .then((answer) => answer.json())
      .then((body) => body.clauses ?? []);
    clauses.set(clause, asked);
    asked.catch(() => clauses.delete(clause));
  }
  return asked;
}

/** @param {string} clause */
export async function showClause(clause) {
  const body = h('div', null, h('p', { class: 'dim' }, t('clauses.loading')));
  dialog(clause, body);
  try {
    const rows = await clauseRows(clause);
    fill(
      body,
      rows.length === 0 ? h('p', null, t('why.no_summary')) : null,
      rows.map((row) =>
        h(
          'section',
          { class: 'clause-row' },
          h('p', { class: 'clause-words' }, law({ text: row.summary })),
          h('p', { class: 'dim small' }, `${term('clause', row.kind)} · ${row.section} · ${term('status', row.state)}`),
        ),
      ),
      h('p', null, h('a', { href: `/clauses?id=${encodeURIComponent(clause)}` }, t('clauses.open'))),
    );
  } catch {
    fill(body, h('p', null, t('error.no_response')));
  }
}

/**
 * Opens a dialog that closes with Escape, a click outside it or its button.
 * @param {string} heading @param {...(Child | Child[])} children
 */
export function dialog(heading, ...children) {
  const box = /** @type {HTMLDialogElement} */ (
    h(
      'dialog',
      { 'aria-label': heading, class: 'dialog' },
      h(
        'div',
        { class: 'dialog-head' },
        h('h2', null, heading),
        h('button', { class: 'plain', 'aria-label': t('action.close'), onclick: () => box.close() }, '×'),
      ),
      h('div', { class: 'dialog-body', tabindex: '0', role: 'region', 'aria-label': heading }, ...children),
    )
  );
  box.addEventListener('close', () => box.remove());
  box.addEventListener('click', (event) => {
    if (event.target === box) box.close();
  });
  document.body.append(box);
  box.showModal();
  return box;
}

/** Builds a form field with its label. @param {string} label @param {HTMLElement} input @param {string} [hint] */
export function field(label, input, hint) {
  if (!input.id) input.id = `f${Math.random().toString(36).slice(2, 9)}`;
  const wrong = h('small', { class: 'field-wrong', id: `${input.id}-wrong`, role: 'alert', hidden: true });
  input.addEventListener('input', () => faulty(input, ''));
  return h(
    'div',
    { class: 'field' },
    h('label', { for: input.id }, label),
    input,
    hint ? h('small', { class: 'dim' }, hint) : null,
    wrong,
  );
}

/**
 * Shows what is wrong with a form field, or clears the message if `words` is empty.
 * @param {HTMLElement} input @param {string} words
 */
export function faulty(input, words) {
  const place = document.getElementById(`${input.id}-wrong`);
  if (!place) return;
  place.hidden = !words;
  place.textContent = words;
  if (words) {
    input.setAttribute('aria-invalid', 'true');
    input.setAttribute('aria-describedby', place.id);
    input.focus();
  } else {
    input.removeAttribute('aria-invalid');
    input.removeAttribute('aria-describedby');
  }
}

/**
 * Builds a table of rows. Cells are texts or elements; columns whose heads begin with `#` are numeric.
 * @param {string[]} heads @param {Child[][]} rows @param {string} label
 */
export function grid(heads, rows, label) {
  const number = heads.map((head) => head.startsWith('#'));
  const names = heads.map((head) => head.replace('#', ''));
  const kind = (/** @type {number} */ at) => (number[at] ? 'num' : '');
  const head = names.map((name, at) => (name ? h('th', { scope: 'col', class: kind(at) }, name) : h('td', null)));
  const cell = (/** @type {Child} */ child, /** @type {number} */ at) =>
    h('td', { class: kind(at), 'data-label': names[at] }, child);
  // On narrow screens, wide tables become lists of named values.
  return h(
    'div',
    { class: `scroll${heads.length > 4 ? ' fold' : ''}`, tabindex: '0', role: 'region', 'aria-label': label },
    h(
      'table',
      { class: 'grid' },
      h('caption', { class: 'sr' }, label),
      h('thead', null, h('tr', null, head)),
      h(
        'tbody',
        null,
        rows.map((row) => h('tr', null, row.map(cell))),
      ),
    ),
  );
}

/** Downloads a text as a file. @param {string} name @param {string} text @param {string} type */
export function download(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = /** @type {HTMLAnchorElement} */ (h('a', { href: url, download: name }));
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** @typedef {string | number | boolean | null | undefined} Cell */

/** @param {Cell[][]} rows */
export function csv(rows) {
  const cell = (/** @type {Cell} */ value) => {
    const text = String(value ?? '');
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(cell).join(',')).join('\n') + '\n';
}

/** Builds a button that downloads rows as a CSV file. @param {string} name @param {() => Cell[][]} rows */
export const csvButton = (name, rows) =>
  h('button', { class: 'act', onclick: () => download(name, csv(rows()), 'text/csv') }, 'CSV');

/** Fields that use letter keys; radio buttons and checkboxes do not. */
const FIELDS = 'input:not([type="radio"], [type="checkbox"]), select, textarea';

/**
 * Returns whether a key is meant for the page: not for the browser, a dialog or a field.
 * @param {KeyboardEvent} event
 */
export const forThePage = (event) =>
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !document.querySelector('dialog[open]') &&
  !(event.target instanceof HTMLElement && event.target.closest(FIELDS));

// Preferences, stored in this browser only.

const DEFAULTS = {
  theme: 'auto',
  colours: 'two',
  motion: 'auto',
  chip: 500,
  sound: 0,
  touch: 'on',
  language: '',
  rules: '',
  rehearsed: false,
};
/** @type {Record<string, any>} */
const prefs = { ...DEFAULTS };
try {
  Object.assign(prefs, JSON.parse(localStorage.getItem('prefs') ?? '{}'));
} catch {
  /* storage is unavailable */
}

/** @param {keyof typeof DEFAULTS} key */
export const pref = (key) => prefs[key];

/** @param {keyof typeof DEFAULTS} key @param {any} value */
export function prefer(key, value) {
  prefs[key] = value;
  try {
    localStorage.setItem('prefs', JSON.stringify(prefs));
  } catch {
    /* storage is unavailable */
  }
  dress();
}

/** Applies the display preferences to the page. */
export function dress() {
  const root = document.documentElement.dataset;
  root.theme = prefs.theme;
  root.colours = prefs.colours;
  root.motion = prefs.motion;
}

/** Returns a cached media query, updated when its result changes. @param {MediaQueryList} asked */
export function media(asked) {
  let answer = asked.matches;
  asked.addEventListener('change', () => (answer = asked.matches));
  return () => answer;
}

const still = media(matchMedia('(prefers-reduced-motion: reduce)'));

/** Returns whether motion is on. */
export const moves = () => prefs.motion !== 'off' && !still();

/**
 * Runs a task of low priority: at once without motion, otherwise once the frame is drawn and the browser is idle.
 * @param {() => void} todo
 */
export function atRest(todo) {
  if (!moves()) todo();
  else if (typeof requestIdleCallback === 'function') requestIdleCallback(todo, { timeout: 400 });
  else setTimeout(todo, 60);
}

/** Opens a path of this page. @param {string} path @param {boolean} [replace] */
export function go(path, replace = false) {
  history[replace ? 'replaceState' : 'pushState'](null, '', BASE + path);
  dispatchEvent(new Event('goto'));
}
