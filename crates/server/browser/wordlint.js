// Finds text for people in the page's modules that belongs in the message catalogue, and message ids that the catalogue
// lacks.

import { readFileSync, readdirSync } from 'node:fs';
import ts from 'typescript';

const PAGE = new URL('../web/page/', import.meta.url);
/** Attributes that people read or hear. */
const READ = new Set(['aria-label', 'title', 'placeholder', 'alt']);
/** Calls whose string arguments are not for people. */
const MACHINE =
  /^(query\w+|closest|matches|\w+EventListener|\w+Property\w*|\w+Item|replace\w*|match\w*|test|has\w*|dispatchEvent|create\w+|split|join|\w+With|includes|\w*Attribute|toggle|add|contains|get|post|ask|go|readdress|animate|indexOf|localeCompare|fetch|pref|prefer|sound|define|Event|t|rich|term|tone|download|csvButton|toLocaleString|getElementById)$/;
/**
 * Strings that look like text but are not: file names, keys, classes, cards, and keys under which hands are remembered.
 */
const KNOWN = new Set(
  `Backspace|spacingAndGlyphs|hand {}{}| asked| mine| taken| many|note {}|side_wagers.{}|rulings.{}|As|Kh|As Ah Kd|← → Tab|sign in first|Cutcard|share {}|reveal {}|term.{}.{}|N.J.A.C. | against {}|by the count: {}{}| at Switch|pair of |soft |input:not([type="radio"], [type="checkbox"]), select, textarea`.split(
    '|',
  ),
);

/** Its sentences are those of `cutcard verify-shoe`, word for word: a player shows them to a third party as proof. */
const PROOF = 'proof.js';

/** Returns the modules of the page with their source. */
export const modules = () =>
  readdirSync(PAGE)
    .filter((name) => name.endsWith('.js') && name !== PROOF)
    .map((name) => ({ name, text: readFileSync(new URL(name, PAGE), 'utf8') }));

/** Returns a catalogue: messages by id. */
export const catalogue = (language) => JSON.parse(readFileSync(new URL(`words/${language}.json`, PAGE), 'utf8'));

/** Returns the available languages. */
export const languages = () => readdirSync(new URL('words/', PAGE)).map((name) => name.replace('.json', ''));

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
