// The rules of a table in plain words, generated from how it is set up, each sentence with its clause.

import { get } from './net.js';
import { clauseLink, fill, grid, h, law, money, percent, tableName, title } from './ui.js';
import { t, translated } from './words.js';

/** @typedef {import('../../browser/types').Schemas} Schemas */

/** @param {HTMLElement} main @param {string[]} params */
export async function show(main, [number]) {
  const [{ card }, told] = await Promise.all([get(`/api/tables/${number}`), get(`/api/tables/${number}/rules`)]);
  document.title = t('rules-of-cutcard', { name: tableName(card.name) });
  const edge = h('div', { class: 'pad' }, h('p', { class: 'dim' }, t('working-out-the-exact-edge')));
  fill(
    main,
    h(
      'div',
      { class: 'row' },
      h('h1', null, t('rules-of', { name: tableName(card.name) })),
      h('a', { class: 'act', href: `/table/${number}` }, t('to-the-table')),
    ),
    h('p', { class: 'dim' }, t('every-sentence-follows-from-how-this-table')),
    h(
      'div',
      { class: 'split rules' },
      rulesPanel(told),
      h(
        'div',
        { class: 'stack-y' },
        signsPanel(told),
        h(
          'section',
          { class: 'panel' },
          h('div', { class: 'panel-head' }, h('h2', null, t('what-the-house-keeps'))),
          edge,
        ),
        h(
          'section',
          { class: 'panel pad small dim' },
          h('h2', null, t('if-you-do-not-answer-in-time')),
          h('p', null, law(card.absent_rule)),
        ),
      ),
    ),
  );
  get(`/api/tables/${number}/edge`).then(
    (figures) => fill(edge, edgeWords(figures)),
    () => fill(edge, h('p', { class: 'dim' }, t('still-being-worked-out-look-again-in'))),
  );
}

/** @param {Schemas['EdgeAnswer']} figures */
function edgeWords(figures) {
  return h(
    'div',
    { class: 'stack-y' },
    h('p', null, h('b', null, percent(figures.main.house_edge)), t('of-the-initial-wager-on-average-against')),
    figures.side_wagers.length
      ? grid(
          [t('side-wager'), `#${t('house-edge')}`],
          figures.side_wagers.map((s) => [title(s.wager), percent(s.house_edge)]),
          t('house-edge-of-the-side-wagers'),
        )
      : null,
    figures.insurance ? h('p', null, t('insurance-4'), h('b', null, percent(figures.insurance.house_edge))) : null,
  );
}

/** @param {Schemas['TableRules']} told */
export function rulesPanel(told) {
  /** @type {Map<string, Schemas['RuleSentence'][]>} */
  const topics = new Map();
  for (const sentence of told.words) {
    if (/^.*: .* pays .*\.$/.test(sentence.text) && sentence.topic === 'side wagers') continue;
    topics.set(sentence.topic, [...(topics.get(sentence.topic) ?? []), sentence]);
  }
  return h(
    'section',
    { class: 'panel pad words' },
    Array.from(topics, ([topic, list]) =>
      h(
        'div',
        null,
        h('h2', null, title(topic)),
        h(
          'ul',
          null,
          list.map((sentence) => h('li', null, law(sentence.text), ' ', clauseLink(sentence.clause))),
        ),
      ),
    ),
  );
}

/** @param {Schemas['TableRules']} told */
export function signsPanel(told) {
  return h(
    'section',
    { class: 'panel pad words' },
    h('h2', null, t('on-the-felt')),
    h(
      'ul',
      null,
      told.inscriptions.map((line) => h('li', null, law(line.text), ' ', clauseLink(line.clause))),
    ),
    h('h2', null, t('on-signs')),
    h(
      'ul',
      null,
      told.signs.map((line) => h('li', null, law(line.text), ' ', clauseLink(line.clause))),
    ),
    told.paytables
      .filter((p) => p.lines.length)
      .map((p) =>
        h(
          'div',
          null,
          h('h3', null, t('to', { title: p.title, minimum: money(p.minimum), maximum: money(p.maximum) })),
          h(
            'div',
            { 'data-own': true },
            grid(
              [t('hand-2'), t('pays'), t('clause')],
              p.lines.map((line) => [title(line.hand), translated(line.pays), clauseLink(line.clause)]),
              t('pay-table-of', { title: p.title }),
            ),
          ),
        ),
      ),
  );
}
