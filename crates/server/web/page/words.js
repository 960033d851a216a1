// Every word of the page, in the language of whoever reads it. A language is one file of `words/`: messages by their ids, in
// the syntax of ICU MessageFormat ({name}, plural, select). What a language lacks is said in English.

/** @typedef {Record<string, string | number>} Values */
/** @typedef {(values: Values) => string} Message */

/** The languages of this house, as its files tell it. */
export const LANGUAGES = (document.querySelector('meta[name="languages"]')?.getAttribute('content') ?? 'en').split(' ');

/** What was chosen here before; otherwise what the browser asked the house for. */
function chosen() {
  let kept = '';
  try {
    kept = JSON.parse(localStorage.getItem('prefs') ?? '{}').language ?? '';
  } catch {
    /* a browser that keeps nothing */
  }
  return LANGUAGES.includes(kept) ? kept : document.documentElement.lang || 'en';
}

export const language = chosen();

/** @param {string} which @returns {Promise<Record<string, string>>} */
const load = (which) =>
  fetch(new URL(`words/${which}.json`, import.meta.url)).then(
    (answer) => (answer.ok ? answer.json() : {}),
    () => ({}),
  );

const own = await load(language);
/** A language that is whole says so, and needs no other. */
const english = language === 'en' || own.whole ? /** @type {Record<string, string>} */ ({}) : await load('en');
const RIGHT_TO_LEFT = ['ar', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi'];
document.documentElement.lang = language;
document.documentElement.dir = RIGHT_TO_LEFT.includes(language.split('-')[0]) ? 'rtl' : 'ltr';

const plurals = new Intl.PluralRules(language);

/** Reads a message: text, and arguments in braces that may choose among further messages. @param {string} text @returns {Message} */
function read(text) {
  let at = 0;
  /** @returns {Message} */
  const message = (inner = false) => {
    /** @type {(string | Message)[]} */
    const parts = [''];
    while (at < text.length && !(inner && text[at] === '}')) {
      const letter = text[at++];
      if (letter === '{') parts.push(argument(), '');
      else if (letter === '#' && inner) parts.push((values) => number(Number(values['#'])), '');
      else parts[parts.length - 1] += letter;
    }
    return (values) => parts.map((part) => (typeof part === 'string' ? part : part(values))).join('');
  };
  /** @returns {Message} */
  const argument = () => {
    const [head] = /^[^{}]*/.exec(text.slice(at)) ?? [''];
    at += head.length;
    const [name, kind] = head.split(',').map((part) => part.trim());
    if (!kind) {
      at += 1;
      return (values) => String(values[name] ?? '');
    }
    const [first] = head.split(',').slice(2).join(',').trim().split(/\s+/);
    /** @type {Record<string, Message>} */
    const cases = {};
    for (let key = first; text[at] === '{';) {
      at += 1;
      cases[key] = message(true);
      at += 1;
      const [next] = /^[^{}]*/.exec(text.slice(at)) ?? [''];
      at += next.length;
      key = next.trim();
    }
    at += 1;
    return (values) => {
      const value = values[name];
      const which =
        kind === 'plural' ? (cases[`=${value}`] ? `=${value}` : plurals.select(Number(value))) : String(value);
      return (cases[which] ?? cases.other)?.({ ...values, '#': Number(value) }) ?? '';
    };
  };
  return message();
}

/** Messages that were said before. @type {Map<string, Message>} */
const known = new Map();

/** Is there a message with this id? @param {string} id */
const has = (id) => id in own || id in english;

/** A message in the reader's language. @param {string} id @param {Values} [values] */
export function t(id, values = {}) {
  let message = known.get(id);
  if (!message) {
    message = read(own[id] ?? english[id] ?? id.replace(/[._]/g, ' '));
    known.set(id, message);
  }
  return message(values);
}

/**
 * A message with elements in it, such as a link or a bold number: the parts of its sentence in the order of the language.
 * @param {string} id @param {Record<string, string | number | Node>} values @returns {(string | Node)[]}
 */
export function rich(id, values) {
  /** @type {Node[]} */
  const nodes = [];
  const mark = (/** @type {string | number | Node} */ value) =>
    value instanceof Node ? `\u0001${nodes.push(value) - 1}\u0001` : value;
  const text = t(id, Object.fromEntries(Object.entries(values).map(([name, value]) => [name, mark(value)])));
  return text.split('\u0001').map((part, at) => (at % 2 ? nodes[Number(part)] : part));
}

const [every, some] = /** @type {const} */ (['conjunction', 'unit']).map(
  (type) => new Intl.ListFormat(language, { type, style: type === 'unit' ? 'short' : 'long' }),
);

/** Things that are named one after the other: "a, b". @param {string[]} items */
export const listed = (items) => some.format(items);

/** Things that belong together: "a and b". @param {string[]} items */
export const joined = (items) => every.format(items);

/** A number as it stands in what the house says. */
const NUMBER = /\d[\d.,]*\d|\d/;

/** The id of a term: its kind and its value, a number in it left out. @param {string} kind @param {string} value */
const termId = (kind, value) =>
  `term.${kind}.${value
    .toLowerCase()
    .split(NUMBER)
    .join('n')
    .split(/[^a-z]+/)
    .filter(Boolean)
    .join('_')}`;

/**
 * A value of the house's own vocabulary in words: `term('bet', 'dealer-bust')`. Its kind tells a bet from an action of the same
 * name; a number in it is an argument of the message. What has no message is the house's own word.
 * @param {string} kind @param {string} value
 */
export function term(kind, value) {
  const id = termId(kind, value);
  if (has(id)) return t(id, { number: NUMBER.exec(value)?.[0] ?? '' });
  const plain = value.replace(/[-_]/g, ' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** What the house says in English, the law's words above all: its translation, where there is one. @param {string} text */
export function beside(text) {
  if (language === 'en') return '';
  const numbers = /** @type {string[]} */ ([]);
  const shape = text.replace(/\d[\d,.]*\d|\d/g, (one) => `{${numbers.push(one) - 1}}`);
  return own[`said.${shape}`] ? read(own[`said.${shape}`])(Object.fromEntries(numbers.map((n, at) => [at, n]))) : '';
}

/** What the house says about itself, in the reader's language where there is a translation; clauses at its end stay. @param {string} text */
export function translated(text) {
  const [, words, clauses] = /^(.*)(: (?:MA )?\d.*)$/s.exec(text) ?? ['', text, ''];
  return (beside(words) || words) + clauses;
}

/** @type {Map<number | undefined, Intl.NumberFormat>} */
const formats = new Map();

/** A number for people, with so many places. @param {number} value @param {number} [places] */
export function number(value, places) {
  let format = formats.get(places);
  if (!format) {
    format = new Intl.NumberFormat(
      language,
      places === undefined ? {} : { minimumFractionDigits: places, maximumFractionDigits: places },
    );
    formats.set(places, format);
  }
  return format.format(value).replace('-', '−');
}

/** What stands before the parts of a whole. */
export const decimalMark = (1.5).toLocaleString(language).charAt(1);

/** The time of day. @param {Date} date */
export const clock = (date) => date.toLocaleTimeString(language, { timeStyle: 'short' });

/** A moment, with its day. @param {Date} date */
export const moment = (date) => date.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'medium' });

/** What a language calls itself. @param {string} which */
export const languageName = (which) => {
  try {
    return new Intl.DisplayNames(which, { type: 'language' }).of(which) ?? which;
  } catch {
    return which;
  }
};
