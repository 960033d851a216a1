// Finds text for people in the page's modules that belongs in the message catalogue, and message ids that the catalogue
// lacks.

import { readFileSync, readdirSync } from 'node:fs';
import ts from 'typescript';

const PAGE = new URL('../web/page/', import.meta.url);
/** Attributes that people read or hear. */
const READ = new Set(['aria-label', 'title', 'placeholder', 'alt']);
/** Calls whose string arguments are not for people. */
const MACHINE =
  /^(query\w+|closest|matches|\w+EventListener|\w+Property\w*|\w+Item|replace\w*|match\w*|test|has\w*|dispatchEvent|create\w+|split|join|\w+With|includes|\w*Attribute|toggle|add|contains|get|post|ask|go|readdress|animate|indexOf|localeCompare|fetch|pref|prefer|sound|define|Event|t|rich|term|translation|tone|download|csvButton|toLocaleString|getElementById)$/;
/**
 * Strings that look like text but are not: file names, keys, classes, cards, and keys under which hands are remembered.
 */
const KNOWN = new Set(
  `Backspace|spacingAndGlyphs|hand {}{}| asked| mine| taken| many|note {}|side_wagers.{}|rulings.{}|As|Kh|As Ah Kd|← → Tab|sign in first|Cutcard|share {}|reveal {}|term.{}.{}|N.J.A.C. | against {}|by the count: {}{}| at Switch|pair of |soft |input:not([type="radio"], [type="checkbox"]), select, textarea`.split(
    '|',
  ),
);

/** Its sentences are those of `cutcard verify-shoe`, word for word: a player shows them to a third party as proof. */
const PROOF = 'shared/proof.js';

/** Returns the modules of the page with their source. */
export const modules = () =>
  readdirSync(PAGE, { recursive: true })
    .filter((name) => name.endsWith('.js') && name !== PROOF)
    .map((name) => ({ name, text: readFileSync(new URL(name, PAGE), 'utf8') }));

/** Returns a catalogue: messages by id. */
export const catalogue = (language) => JSON.parse(readFileSync(new URL(`words/${language}.json`, PAGE), 'utf8'));

/** Returns the available languages. */
export const languages = () => readdirSync(new URL('words/', PAGE)).map((name) => name.replace('.json', ''));

const CRATES = new URL('../../', import.meta.url);

/** Returns the source of a file of a crate, without its tests. */
const rust = (path) => readFileSync(new URL(path, CRATES), 'utf8').split('#[cfg(test)]')[0];

/** Returns the id of a term's message, as the page makes it. */
const termId = (kind, value) => `term.${kind}.${value.replace(/\d+/g, 'n').replace(/[^a-z]+/g, '_')}`;

/**
 * Returns the sentences that the server can send, read from the source of its crates: the English text by the id of its
 * message. Errors and refusals are written `message!("code", "text")`, posted rules `rule!("code", "text")`.
 */
export function sentences() {
  const found = new Map();
  for (const crate of ['rules', 'table', 'ledger', 'exact', 'documents', 'server'])
    for (const path of readdirSync(new URL(`${crate}/src/`, CRATES), { recursive: true })) {
      if (!path.endsWith('.rs') || path === 'message.rs') continue;
      const text = rust(`${crate}/src/${path}`);
      for (const { 0: call, 1: kind, index } of text.matchAll(/\b(message|rule)!\(\s*/g)) {
        const written = text.slice(index + call.length, index + 900);
        const [, code, words] = /^"([a-z]+(?:-[a-z]+)*)",\s*"((?:[^"\\]|\\[^])*)"/.exec(written) ?? [];
        if (!code) throw new Error(`${crate}/src/${path}: no code and text in ${kind}!(${written.slice(0, 60)}`);
        const id = `${kind === 'rule' ? 'rule' : 'error'}.${code}`;
        const english = words.replace(/\\\n\s*/g, '').replace(/\\(.)/g, '$1');
        if ((found.get(id) ?? english) !== english) throw new Error(`two sentences have the code ${id}`);
        found.set(id, english);
      }
    }
  return found;
}

/** Returns the ids for the meanings of options and rulings, and for the legends of charts. */
export function meanings() {
  const [keys, rulings, charts] = ['rules/src/file/keys.rs', 'rules/src/ruling.rs', 'exact/src/strategy.rs'].map(rust);
  const of = (text, pattern) => Array.from(text.matchAll(pattern), ([, name, about]) => ({ name, about }));
  const options = [
    ...of(keys, /_key!\(\s*"(\w+)",\s*\w+(?:: \w+)?,\s*"((?:[^"\\]|\\[^])*)"/g),
    ...of(keys, /name: "(\w+)",\s*about: "((?:[^"\\]|\\[^])*)"/g),
  ];
  return [
    // the text of some is clauses only
    ...options.filter(({ about }) => !/^\d+\.\d/.test(about)).map(({ name }) => termId('option_meaning', name)),
    ...of(rulings, /^ {4}(\w+): \w+ \{[^}]*\}/gm).map(({ name }) => termId('ruling_meaning', name)),
    ...of(charts, /title: "([\w ]+)"\.to_string\(\),\s*legend: "/g).map(({ name }) => termId('legend', name)),
    'term.legend.decisions',
  ];
}

/** Returns the names of a message's arguments, in all of its cases. */
export function argumentsOf(message) {
  const found = new Set();
  let at = 0;
  const plain = () => {
    const [text] = /^[^{}]*/.exec(message.slice(at));
    at += text.length;
    return text;
  };
  const text = () => {
    for (plain(); message[at] === '{'; plain()) {
      at += 1;
      found.add(plain().split(',')[0].trim());
      for (; message[at] === '{'; plain()) {
        at += 1;
        text();
        at += 1;
      }
      at += 1;
    }
  };
  text();
  return [...found].sort();
}

/** Returns the arguments of a message whose cases cannot be read: a case without its text, or no `other`. */
export function malformed(message) {
  const found = [];
  let at = 0;
  const plain = () => {
    const [text] = /^[^{}]*/.exec(message.slice(at));
    at += text.length;
    return text;
  };
  const text = () => {
    for (plain(); message[at] === '{'; plain()) {
      at += 1;
      const [name, kind, first = ''] = plain()
        .split(',')
        .map((part) => part.trim());
      const keys = [];
      let key = first;
      while (message[at] === '{') {
        keys.push(key);
        at += 1;
        text();
        at += 1;
        key = plain().trim();
      }
      const whole = keys.includes('other') && keys.every((one) => /^(=\d+|\w+)$/.test(one)) && !key;
      if (kind ? !whole : keys.length) found.push(name);
      at += 1;
    }
  };
  text();
  return at === message.length ? found : [...found, message.slice(at)];
}

/** Placeholders that count whole things, wherever they stand. */
const COUNTS =
  /^(count|done|most|least|decks|boxes|wins|hands|rounds|seen|wrong|proven|recorded|cited|explained|open)$/;
/** Placeholders that a noun or verb may follow unchanged: a fraction of a bet, and a person. */
const NO_COUNTS = /^(cost|name)$/;
/** The two forms of a counted noun: `one {# card} other {# cards}`. */
const FORMS = /one \{[^{}#]*# (\p{L}+)[^{}]*\} other \{[^{}#]*# (\p{L}+)/gu;

/**
 * Returns the counts in a catalogue that are not written in plural forms: a bare placeholder before a noun that some
 * message of the language has in two forms, or before any plural.
 */
export function uncounted(words) {
  const all = Object.entries(words);
  const pairs = all.flatMap(([, message]) => Array.from(message.matchAll(FORMS), ([, one, many]) => [one, many]));
  const nouns = new Set(pairs.filter(([one, many]) => one !== many).map(([, many]) => many));
  return all.flatMap(([id, message]) =>
    Array.from(message.matchAll(/\{(\w+)\} (\p{L}+)/gu))
      .filter(([, name]) => !NO_COUNTS.test(name))
      .filter(([, name, noun]) => nouns.has(noun) || (COUNTS.test(name) && noun.endsWith('s')))
      .map(([bare]) => `${id}: ${bare}`),
  );
}

/** Returns the message ids that the modules use. */
export const idsUsed = () =>
  new Set(modules().flatMap(({ text }) => Array.from(text.matchAll(/\b(?:t|rich)\(\s*'([\w.-]+)'/g), ([, id]) => id)));

const isText = (node) =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node);

/** Returns the text of a literal; `{}` stands for each expression. */
const wordsOf = (node) =>
  ts.isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map((span) => `{}${span.literal.text}`).join('')
    : node.text;

/** Returns whether a literal looks like text for people. */
const speaks = (words) =>
  /[A-Z][a-z]|[a-z]{2,}[ ’,.:;?!…]|[ ][a-z]{1,}/.test(words) &&
  !/^[2-9AJQKT][cdhs]$|^[\w-]+\/|^\/|^#|^\.|^[a-z]+-[\w-]*\{\}|^\{\}\/|px|^M\{|deg|cubic|https?:|\.(csv|json|svg)$/.test(
    words,
  );

/** Returns whether a literal's position shows that it is not for people. */
function machine(node) {
  let [child, parent] = [node, node.parent];
  for (;;) {
    if (ts.isImportDeclaration(parent) || ts.isCaseClause(parent) || ts.isElementAccessExpression(parent)) return true;
    if (ts.isPropertyAssignment(parent)) {
      if (parent.name === child) return true;
      const call = parent.parent.parent;
      const made = ts.isCallExpression(call) && ['h', 'svg'].includes(call.expression.getText());
      return made && !READ.has(parent.name.getText().replace(/'/g, ''));
    }
    if (ts.isBinaryExpression(parent) && /[!=]==?/.test(parent.operatorToken.getText())) return true;
    if (ts.isConditionalExpression(parent) && parent.condition === child) return true;
    if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) {
      const called = parent.expression;
      const name = ts.isPropertyAccessExpression(called) ? called.name.text : called.getText();
      if (name === 'h' || name === 'svg') return parent.arguments[0] === child;
      if (name === 'setAttribute') return !(parent.arguments[1] === child && READ.has(parent.arguments[0].text));
      if (name === 'attribute') return !(parent.arguments[2] === child && READ.has(parent.arguments[1].text));
      // The page's `ask` sends a request, but a console's `ask` method speaks to people.
      if (name === 'ask' && ts.isPropertyAccessExpression(called)) return false;
      return MACHINE.test(name);
    }
    const through = [
      ts.isParenthesizedExpression,
      ts.isConditionalExpression,
      ts.isBinaryExpression,
      ts.isArrayLiteralExpression,
      ts.isTemplateSpan,
      ts.isTemplateExpression,
      ts.isSpreadElement,
    ];
    if (!through.some((is) => is(parent))) return false;
    [child, parent] = [parent, parent.parent];
  }
}

/** Returns the text for people in a module, with its lines. */
export function loose({ name, text }) {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const found = [];
  const visit = (node) => {
    if (isText(node)) {
      const words = wordsOf(node);
      if (/[A-Za-z]{2}/.test(words) && speaks(words) && !KNOWN.has(words) && !machine(node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push(`${name}:${line + 1} ${JSON.stringify(words)}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/**
 * What may change its case: keys, cards, hashes, names, typed text, the server's vocabulary and its English messages.
 * None of them is a translation.
 */
const UNTRANSLATED = new Set([
  'key',
  'event.key',
  'KEYS[choice.action]',
  "(KEYS[button.dataset.word ?? ''] ?? '')",
  'letter',
  'printed',
  'text.charAt(0)',
  'text.charAt(1)',
  'c.action.charAt(0)',
  'cell.action.charAt(0)',
  'entry.jurisdiction',
  'value',
  "(one ?? '')",
  'other',
  'search.value.trim()',
  "`${p.name} ${p.guest ? 'guest' : p.role}`",
]);

/** Returns the calls in a module that change the case of what may be a translation, with their lines. */
export function cased({ name, text }) {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const found = [];
  const visit = (node) => {
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      /^to(Locale)?(Upper|Lower)Case$/.test(node.expression.name.text)
    ) {
      const of = node.expression.expression.getText();
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      if (!UNTRANSLATED.has(of)) found.push(`${name}:${line + 1} ${of}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the rules of the stylesheets that change the case of text, except the print on the cloth, which is law. */
export const casedStyles = () =>
  readdirSync(PAGE, { recursive: true })
    .filter((name) => name.endsWith('.css'))
    .flatMap((name) =>
      Array.from(
        readFileSync(new URL(name, PAGE), 'utf8').matchAll(/([^{}]+)\{[^{}]*(?:text-transform|font-variant-caps)/g),
        ([, selector]) => `${name} ${selector.trim()}`,
      ),
    )
    .filter((rule) => !rule.endsWith(' .inscription'));
