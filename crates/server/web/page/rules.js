// The rules of a table in plain words, generated from how it is set up, each sentence with its clause.

import { get } from './net.js';
import { clauseLink, fill, grid, h, money, percent, tableName, title } from './ui.js';

/** @param {HTMLElement} main @param {string[]} params */
export async function show(main, [number]) {
  const [{ card }, told] = await Promise.all([get(`/api/tables/${number}`), get(`/api/tables/${number}/rules`)]);
  document.title = `Rules of ${tableName(card.name)} · Cutcard`;
  const edge = h('div', { class: 'pad' }, h('p', { class: 'dim' }, 'Working out the exact edge…'));
  fill(
    main,
    h(
      'div',
      { class: 'row' },
      h('h1', null, `Rules of ${tableName(card.name)}`),
      h('a', { class: 'act', href: `/table/${number}` }, 'To the table'),
    ),
    h(
      'p',
      { class: 'dim' },
      'Every sentence follows from how this table is set up. Click a clause to read what it says.',
    ),
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
          h('div', { class: 'panel-head' }, h('h2', null, 'What the house keeps')),
          edge,
        ),
        h(
          'section',
          { class: 'panel pad small dim' },
          h('h2', null, 'If you do not answer in time'),
          h('p', null, card.absent_rule),
        ),
      ),
    ),
  );
  get(`/api/tables/${number}/edge`).then(
    (figures) => fill(edge, edgeWords(figures)),
    () => fill(edge, h('p', { class: 'dim' }, 'Still being worked out. Look again in a minute.')),
  );
}

/** @param {any} figures */
function edgeWords(figures) {
  return h(
    'div',
    { class: 'stack-y' },
    h(
      'p',
      null,
      h('b', null, percent(figures.main.house_edge)),
      ' of the initial wager, on average, against the best play for the exact cards from a fresh shoe.',
    ),
    figures.side_wagers.length
      ? grid(
          ['Side wager', '#House edge'],
          figures.side_wagers.map((/** @type {any} */ s) => [title(s.wager), percent(s.house_edge)]),
          'House edge of the side wagers',
        )
      : null,
    figures.insurance ? h('p', null, 'Insurance: ', h('b', null, percent(figures.insurance.house_edge))) : null,
  );
}

/** @param {any} told */
export function rulesPanel(told) {
  /** @type {Map<string, any[]>} */
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
          list.map((sentence) => h('li', null, sentence.text, ' ', clauseLink(sentence.clause))),
        ),
      ),
    ),
  );
}

/** @param {any} told */
export function signsPanel(told) {
  return h(
    'section',
    { class: 'panel pad words' },
    h('h2', null, 'On the felt'),
    h(
      'ul',
      null,
      told.inscriptions.map((/** @type {any} */ line) => h('li', null, line.text, ' ', clauseLink(line.clause))),
    ),
    h('h2', null, 'On signs'),
    h(
      'ul',
      null,
      told.signs.map((/** @type {any} */ line) => h('li', null, line.text, ' ', clauseLink(line.clause))),
    ),
    told.paytables
      .filter((/** @type {any} */ p) => p.lines.length)
      .map((/** @type {any} */ p) =>
        h(
          'div',
          null,
          h('h3', null, `${p.title}, ${money(p.minimum)} to ${money(p.maximum)}`),
          grid(
            ['Hand', 'Pays', 'Clause'],
            p.lines.map((/** @type {any} */ line) => [title(line.hand), line.pays, clauseLink(line.clause)]),
            `Pay table of ${p.title}`,
          ),
        ),
      ),
  );
}
