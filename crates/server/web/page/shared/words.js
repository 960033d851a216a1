// All text of the page, in the reader's language. A language is one file in `words/`: messages by id, in ICU
// MessageFormat syntax ({name}, plural, select). A message that a language lacks is shown in English.

/** @typedef {Record<string, string | number>} Values */
/** @typedef {(values: Values) => string} Message */

/** The languages of this house, from its files. */
export const LANGUAGES = (document.querySelector('meta[name="languages"]')?.getAttribute('content') ?? 'en').split(' ');

/** Returns the language chosen here before, or else the one that the browser requested. */
function chosen() {
  let kept = '';
  try {
    kept = JSON.parse(localStorage.getItem('prefs') ?? '{}').language ?? '';
  } catch {
    /* storage is unavailable */
  }
  return LANGUAGES.includes(kept) ? kept : document.documentElement.lang || 'en';
}

export const language = chosen();

/** @param {string} which @returns {Promise<Record<string, string>>} */
const load = (which) =>
  fetch(new URL(`../words/${which}.json`, import.meta.url)).then(
    (answer) => (answer.ok ? answer.json() : {}),
    () => ({}),
  );

const own = await load(language);
/** A complete language says so, and needs no fallback. */
const english = language === 'en' || own.whole ? /** @type {Record<string, string>} */ ({}) : await load('en');
const RIGHT_TO_LEFT = ['ar', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi'];
document.documentElement.lang = language;
document.documentElement.dir = RIGHT_TO_LEFT.includes(language.split('-')[0]) ? 'rtl' : 'ltr';

const plurals = new Intl.PluralRules(language);

/**
 * Parses a message: text, and arguments in braces that may select among nested messages.
 * @param {string} text @returns {Message}
 */
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

/** Cache of parsed messages. @type {Map<string, Message>} */
const known = new Map();

/** Returns whether there is a message with this id. @param {string} id */
const has = (id) => id in own || id in english;

/** Returns a message in the reader's language. @param {string} id @param {Values} [values] */
export function t(id, values = {}) {
  let message = known.get(id);
  if (!message) {
    message = read(own[id] ?? english[id] ?? id.replace(/[._]/g, ' '));
    known.set(id, message);
  }
  return message(values);
}

/**
 * Returns a message that contains elements, such as a link or a bold number: its parts in the order of the language.
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

/** Lists items: "a, b". @param {string[]} items */
export const listed = (items) => some.format(items);

/** Lists items that belong together: "a and b". @param {string[]} items */
export const joined = (items) => every.format(items);

/** Matches a number in a server text. */
const NUMBER = /\d[\d.,]*\d|\d/;

/**
 * Returns the message id of a term: its kind and value, without any number in it.
 * @param {string} kind @param {string} value
 */
const termId = (kind, value) =>
  `term.${kind}.${value
    .toLowerCase()
    .split(NUMBER)
    .join('n')
    .split(/[^a-z]+/)
    .filter(Boolean)
    .join('_')}`;

/**
 * Returns a term of the server's vocabulary in words: `term('bet', 'dealer-bust')`. The kind tells a bet from an action
 * of the same name; a number in the value becomes an argument of the message. Without a message, the term itself is
 * shown.
 * @param {string} kind @param {string} value
 */
export function term(kind, value) {
  const id = termId(kind, value);
  return has(id) ? t(id, { number: NUMBER.exec(value)?.[0] ?? '' }) : value.replace(/[-_]/g, ' ');
}

/**
 * Returns what a bet pays in words: odds such as "3 to 2", a loss or a push; other words of a paytable stay.
 * @param {string} pays
 */
export function odds(pays) {
  const [, win, stake] = /^(\d+) to (\d+)$/.exec(pays) ?? [];
  if (win) return t('odds', { win, stake });
  const [, amount] = /^loses ([\d/]+)$/.exec(pays) ?? [];
  if (amount) return t('pays.loses', { amount });
  if (pays === 'returned') return t('pays.returned');
  return pays === 'hand by hand' ? t('pays.hand_by_hand') : pays;
}

/**
 * Translates ids of the server's vocabulary among the values of a message.
 * @type {Record<string, (value: string) => string>}
 */
const VALUES = {
  side_bet: (value) => term('bet', value),
  other_bet: (value) => term('bet', value),
  game: (value) => term('game', value),
  found: (value) => term('found', value),
  kind: (value) => term('writes', value),
  step: (value) => term('step', value),
  outcome: (value) => term('outcome', value),
  reading: (value) => term('value', value),
  ruling: (value) => term('ruling', value),
  odds,
  least_odds: odds,
};

/** Shows a value of a message: a term, an amount, or text. @param {[string, string]} named */
const valueOf = ([name, value]) => [
  name,
  VALUES[name]?.(value) ?? (/^\d+\.\d\d$/.test(value) ? number(Number(value), 2) : value),
];

/**
 * Returns the translation of a server sentence by the id of its message, or '' if the language has none. English shows
 * the server's own sentence.
 * @param {string} id @param {Record<string, string>} [params]
 */
const translation = (id, params = {}) =>
  language !== 'en' && id in own ? t(id, Object.fromEntries(Object.entries(params).map(valueOf))) : '';

/**
 * Returns an error or refusal of the server in the reader's language, by its code.
 * @param {{ code?: string, params?: Record<string, string> }} detail @param {string} english the server's sentence
 */
export const refusal = ({ code = '', params }, english) =>
  placed(translation(`error.${code}`, params), params) || sentence(english);

/**
 * Adds the line and the key of a table file to the problem there.
 * @param {string} problem @param {Record<string, string>} [params]
 */
function placed(problem, { file_line: line = '', file_key: key = '' } = {}) {
  if (!problem) return '';
  if (line && key) return t('error.at_line_and_key', { line, key, problem });
  if (line) return t('error.at_line', { line, problem });
  return key ? t('error.at_key', { key, problem }) : problem;
}

/** Returns the server's English, which begins with a small letter and has no period, as a sentence. @param {string} text */
export const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

/**
 * Returns the translation of a posted rule, or of what a table violates, by its code, or '' if there is none.
 * @param {{ kind?: 'rule' | 'error', code?: string, params?: Record<string, string> }} rule
 */
export const lawBeside = ({ kind = 'rule', code = '', params }) => translation(`${kind}.${code}`, params);

/**
 * Returns what an option or a ruling of a table means; clauses at the end of the server's text stay as they are.
 * @param {'option' | 'ruling'} kind @param {{ key: string, about: string }} what
 */
export function meaning(kind, { key, about }) {
  const own = translation(termId(`${kind}_meaning`, key));
  return own ? own + (/: (?:MA )?\d.*$/s.exec(about)?.[0] ?? '') : about;
}

/** Returns the legend of a strategy chart. @param {{ chart: string, legend: string }} chart */
export const legendOf = ({ chart, legend }) =>
  translation(termId('legend', chart)) || translation('term.legend.decisions') || legend;

/** @type {Map<number | undefined, Intl.NumberFormat>} */
const formats = new Map();

/** Formats a number with a fixed number of decimals. @param {number} value @param {number} [places] */
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

/** The decimal separator of the language. */
export const decimalMark = (1.5).toLocaleString(language).charAt(1);

/** Formats the time of day. @param {Date} date */
export const clock = (date) => date.toLocaleTimeString(language, { timeStyle: 'short' });

/** Formats a date with its time. @param {Date} date */
export const moment = (date) => date.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'medium' });

/** Returns a language's name in that language. @param {string} which */
export const languageName = (which) => {
  try {
    return new Intl.DisplayNames(which, { type: 'language' }).of(which) ?? which;
  } catch {
    return which;
  }
};
