// Small things that every part of the page uses: making elements, showing money and cards in words, speaking to screen
// readers, preferences. Nothing here knows a rule of any game.

import { beside, language, moment, number, t, term } from './words.js';

/** @typedef {Node | string | number | null | undefined | false} Child */

/** Where the page lives on its site: nothing at its root, `/blackjack` behind such a path. */
export const BASE = new URL('..', import.meta.url).pathname.replace(/\/$/, '');

/** The address of this page, as its parts know it. */
export const here = () => location.pathname.slice(BASE.length) || '/';

/** Changes the address without opening it. @param {string} path */
export const readdress = (path) => history.replaceState(null, '', BASE + path);

/**
 * Makes an element. `on…` keys are listeners, `class` is the class name, other keys are attributes; `true` sets an empty one.
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

/**
 * Puts these children in the place of what an element held.
 * @param {Element} el @param {...(Child | Child[])} children
 */
export function fill(el, ...children) {
  el.replaceChildren();
  add(el, children);
  return el;
}

/**
 * Makes an SVG element.
 * @param {string} tag @param {Record<string, any>} props @param {...(Node | string)} children
 */
export function svg(tag, props, ...children) {
  const el = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(props)) el.setAttribute(key, String(value));
  el.append(...children);
  return el;
}

// Money: decimal strings outside, whole cents inside, never floats that add up.

/** @param {string | number | null | undefined} text */
export function cents(text) {
  const found = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(String(text ?? '').trim());
  if (!found) return 0;
  const value = Number(found[2]) * 100 + Number((found[3] ?? '').padEnd(2, '0') || 0);
  return found[1] ? -value : value;
}

/** An amount as somebody typed it, in cents: with a point or a comma, thousands apart or not. @param {string} text */
export function typed(text) {
  const found = /^(\d[\d.,\s\u00a0\u202f]*?)(?:[.,](\d{0,2}))?$/.exec(text.trim());
  return found ? Number(found[1].replace(/\D/g, '')) * 100 + Number((found[2] ?? '').padEnd(2, '0')) : 0;
}

/** @param {number} value in cents */
export function decimal(value) {
  const size = Math.abs(Math.round(value));
  return `${value < 0 ? '-' : ''}${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}`;
}

/** For people: thousands apart, whole amounts without zeros. @param {string | number | null | undefined} text */
export function money(text) {
  const value = typeof text === 'number' ? Math.round(text) : cents(text);
  return number(value / 100, value % 100 ? 2 : 0);
}

/** With its sign. @param {string | number} text */
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

/** Cards as they were said before. @type {Map<string | null, string>} */
const said = new Map();

/** A card in words: `As` is the ace of spades. @param {string | null} card */
export function cardWords(card) {
  let words = said.get(card);
  if (words === undefined) {
    words = t('card.name', { rank: RANKS[card?.[0] ?? ''] ?? '?', suit: SUITS[card?.[1] ?? ''] ?? '?' });
    said.set(card, words);
  }
  return words;
}

/** What an option of a table is called; rulings and side bets are options too. @param {string} key */
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

/** What a table is called; presets that nobody named have names for people. @param {string} name */
export const tableName = (name) => TABLES[name] ?? name;

/** An id that nobody has used. Ids grow with time, so that the house finds new ones side by side. */
export function freshId() {
  const hex = (/** @type {number} */ byte) => byte.toString(16).padStart(2, '0');
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return Date.now().toString(16).padStart(12, '0') + Array.from(bytes, hex).join('');
}

/** What is to be said, or who will say it then. @type {(string | (() => string))[]} */
let unsaid = [];

/** Says something to screen readers. @param {string | (() => string)} text */
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
 * A short message that goes away; a refusal shows its clause.
 * @param {string} text @param {{ bad?: boolean, clause?: string | null }} [how]
 */
export function toast(text, how = {}) {
  const words = text.charAt(0).toUpperCase() + text.slice(1);
  // Said once is enough.
  for (const said of document.querySelectorAll('#toasts .toast'))
    if (said.firstElementChild?.textContent === words) said.remove();
  const box = h(
    'div',
    { class: `toast${how.bad ? ' bad' : ''}` },
    h('span', null, words),
    how.clause ? clauseLink(how.clause) : null,
    h('button', { class: 'plain', 'aria-label': t('action.close_message'), onclick: () => box.remove() }, '×'),
  );
  document.getElementById('toasts')?.append(box);
  setTimeout(() => box.remove(), how.bad ? 9000 : 4000);
}

/** What was chosen or typed into what an event is of. @param {Event} event */
export const valueOf = (event) => /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value;

/** Shows an error that a request ended with. @param {any} error */
export function complain(error) {
  // A house that is down is told of once, at the top of the page.
  if (error?.code === 'offline') return;
  const words = error?.message ?? t('error.unknown');
  toast(beside(words) || words, { bad: true, clause: error?.clause });
}

/** A clause, one click from its words. @param {string} clause @param {string} [label] where there is no room for its name */
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

/** The law's own words stay English; a translation stands beside them where the reader's language has one. @param {string} text */
export function law(text) {
  if (language === 'en') return text;
  const own = beside(text);
  return h('span', null, h('span', { lang: 'en' }, text), own ? h('span', { class: 'beside' }, own) : null);
}

/** @typedef {import('../../browser/types').Schemas['ClauseEntry']} ClauseEntry */

/** @type {Map<string, Promise<ClauseEntry[]>>} */
const clauses = new Map();

/** What a clause says. @param {string} clause @returns {Promise<ClauseEntry[]>} */
export function clauseRows(clause) {
  let asked = clauses.get(clause);
  if (!asked) {
    asked = fetch(`${BASE}/api/clauses?id=${encodeURIComponent(clause)}`)
      .then((answer) => answer.json())
      .then((body) => body.clauses ?? []);
    clauses.set(clause, asked);
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
          h('p', { class: 'clause-words' }, law(row.summary)),
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
 * A dialog that closes with Escape, a click beside it or its button.
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

/**
 * A form field with its label.
 * @param {string} label @param {HTMLElement} input @param {string} [hint]
 */
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

/** Says at a field of a form what is wrong with it; nothing any more when there are no words. @param {HTMLElement} input @param {string} words */
export function faulty(input, words) {
  const place = document.getElementById(`${input.id}-wrong`);
  if (!place) return;
  place.hidden = !words;
  place.textContent = words ? sentence(words) : '';
  if (words) {
    input.setAttribute('aria-invalid', 'true');
    input.setAttribute('aria-describedby', place.id);
    input.focus();
  } else {
    input.removeAttribute('aria-invalid');
    input.removeAttribute('aria-describedby');
  }
}

/** What the house says, as a sentence. @param {string} words */
export const sentence = (words) =>
  `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`;

/**
 * A table of rows. Cells are texts or elements; columns that begin with `#` are numbers.
 * @param {string[]} heads @param {Child[][]} rows @param {string} label
 */
export function grid(heads, rows, label) {
  const number = heads.map((head) => head.startsWith('#'));
  const names = heads.map((head) => head.replace('#', ''));
  const kind = (/** @type {number} */ at) => (number[at] ? 'num' : '');
  const head = names.map((name, at) => (name ? h('th', { scope: 'col', class: kind(at) }, name) : h('td', null)));
  const cell = (/** @type {Child} */ child, /** @type {number} */ at) =>
    h('td', { class: kind(at), 'data-label': names[at] }, child);
  // Wide tables become lists of named values where there is no room.
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

/** Hands a text to the person as a file. @param {string} name @param {string} text @param {string} type */
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

/** A button that hands over rows as a file. @param {string} name @param {() => Cell[][]} rows */
export const csvButton = (name, rows) =>
  h('button', { class: 'act', onclick: () => download(name, csv(rows()), 'text/csv') }, 'CSV');

/** Where keys write or choose; a radio button or a check box has no use for letters. */
const FIELDS = 'input:not([type="radio"], [type="checkbox"]), select, textarea';

/** Is a key meant for the page: not for the browser, a dialog or a field? @param {KeyboardEvent} event */
export const forThePage = (event) =>
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !document.querySelector('dialog[open]') &&
  !(event.target instanceof HTMLElement && event.target.closest(FIELDS));

// Preferences, kept in this browser only.

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
  /* a browser that keeps nothing */
}

/** @param {keyof typeof DEFAULTS} key */
export const pref = (key) => prefs[key];

/** @param {keyof typeof DEFAULTS} key @param {any} value */
export function prefer(key, value) {
  prefs[key] = value;
  try {
    localStorage.setItem('prefs', JSON.stringify(prefs));
  } catch {
    /* a browser that keeps nothing */
  }
  dress();
}

/** Dresses the page as preferred. */
export function dress() {
  const root = document.documentElement.dataset;
  root.theme = prefs.theme;
  root.colours = prefs.colours;
  root.motion = prefs.motion;
}

/** The answer to a question about the window, which is asked again only when it changes. @param {MediaQueryList} asked */
export function media(asked) {
  let answer = asked.matches;
  asked.addEventListener('change', () => (answer = asked.matches));
  return () => answer;
}

const still = media(matchMedia('(prefers-reduced-motion: reduce)'));

/** Do things move? */
export const moves = () => prefs.motion !== 'off' && !still();

/** Does something that nobody waits for: at once, or where things move, when the frame is drawn and nothing else is to do. @param {() => void} todo */
export function atRest(todo) {
  if (!moves()) todo();
  else if (typeof requestIdleCallback === 'function') requestIdleCallback(todo, { timeout: 400 });
  else setTimeout(todo, 60);
}

/** Opens an address of this page. @param {string} path @param {boolean} [replace] */
export function go(path, replace = false) {
  history[replace ? 'replaceState' : 'pushState'](null, '', BASE + path);
  dispatchEvent(new Event('goto'));
}
