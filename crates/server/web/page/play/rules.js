// The rules of a table in plain words, generated from its configuration, each sentence with its clause.

import { get } from '../shared/net.js';
import { clauseLink, fill, grid, h, law, money, percent, tableName } from '../shared/ui.js';
import { odds, rich, t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */

/** @param {HTMLElement} main @param {string[]} params */
export async function show(main, [number]) {
  const [{ card }, told] = await Promise.all([get(`/api/tables/${number}`), get(`/api/tables/${number}/rules`)]);
  document.title = t('rules.page_title', { table: tableName(card.name) });
  const edge = h('div', { class: 'pad' }, h('p', { class: 'dim' }, t('rules.edge.calculating')));
  fill(
    main,
    h(
      'div',
      { class: 'row' },
      h('h1', null, t('lobby.rules', { table: tableName(card.name) })),
      h('a', { class: 'act', href: `/table/${number}` }, t('floor.call.go')),
    ),
    h('p', { class: 'dim' }, t('rules.intro')),
    h(
      'div',
      { class: 'split rules' },
      rulesPanel(told),
      h(
        'div',
        { class: 'stack-y' },
        signsPanel(told),
        h('section', { class: 'panel' }, h('div', { class: 'panel-head' }, h('h2', null, t('rules.edge.label'))), edge),
        h(
          'section',
          { class: 'panel pad small dim' },
          h('h2', null, t('rules.timeout')),
          h('p', null, law(card.absent_rule)),
        ),
      ),
    ),
  );
  get(`/api/tables/${number}/edge`).then(
    (figures) => fill(edge, edgeWords(figures)),
    () => fill(edge, h('p', { class: 'dim' }, t('rules.edge.pending'))),
  );
}

/** @param {Schemas['EdgeAnswer']} figures */
function edgeWords(figures) {
  return h(
    'div',
    { class: 'stack-y' },
    h('p', null, rich('rules.edge.explained', { edge: h('b', null, percent(figures.main.house_edge)) })),
    figures.side_wagers.length
      ? grid(
          [t('bet.side_bet'), `#${t('figures.house_edge')}`],
          figures.side_wagers.map((s) => [term('bet', s.wager), percent(s.house_edge)]),
          t('rules.side_bets'),
        )
      : null,
    figures.insurance
      ? h('p', null, rich('rules.insurance', { edge: h('b', null, percent(figures.insurance.house_edge)) }))
      : null,
  );
}

/** @param {Schemas['TableRules']} told */
export function rulesPanel(told) {
  /** @type {Map<string, Schemas['RuleSentence'][]>} */
  const topics = new Map();
  for (const sentence of told.words) {
    // The paytables show these.
    if (sentence.code === 'side-bet-pays') continue;
    topics.set(sentence.topic, [...(topics.get(sentence.topic) ?? []), sentence]);
  }
  return h(
    'section',
    { class: 'panel pad words' },
    Array.from(topics, ([topic, list]) =>
      h(
        'div',
        null,
        h('h2', null, term('topic', topic)),
        h(
          'ul',
          null,
          list.map((sentence) => h('li', null, law(sentence), ' ', clauseLink(sentence.clause))),
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
    h('h2', null, t('rules.felt')),
    h(
      'ul',
      null,
      told.inscriptions.map((line) => h('li', null, law(line), ' ', clauseLink(line.clause))),
    ),
    h('h2', null, t('rules.signs')),
    h(
      'ul',
      null,
      told.signs.map((line) => h('li', null, law(line), ' ', clauseLink(line.clause))),
    ),
    told.paytables
      .filter((p) => p.lines.length)
      .map((p) =>
        h(
          'div',
          null,
          h('h3', null, t('rules.limits', { bet: p.title, min: money(p.minimum), max: money(p.maximum) })),
          h(
            'div',
            { 'data-own': true },
            grid(
              [t('hand.label'), t('figures.pays'), t('clauses.clause')],
              p.lines.map((line) => [term('outcome', line.hand), odds(line.pays), clauseLink(line.clause)]),
              t('table.paytable', { bet: p.title }),
            ),
          ),
        ),
      ),
  );
}
