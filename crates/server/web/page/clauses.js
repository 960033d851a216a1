// The clause catalogue: every requirement in our own words, how it is honoured and what shows it. Searchable, and every
// search has its address.

import { get, me } from './net.js';
import { field, fill, h, readdress, title } from './ui.js';

/** @param {HTMLElement} main @param {string[]} _ @param {URLSearchParams} query */
export async function show(main, _, query) {
  const first = await get('/api/clauses?limit=1');
  const search = /** @type {HTMLInputElement} */ (
    h('input', {
      type: 'search',
      value: query.get('q') ?? query.get('id') ?? '',
      placeholder: 'insurance, 2.9, split aces …',
      name: 'q',
    })
  );
  const pick = (/** @type {string} */ name, /** @type {string[]} */ words) =>
    /** @type {HTMLSelectElement} */ (
      h(
        'select',
        { name },
        h('option', { value: '' }, 'All'),
        words.map((word) => h('option', { value: word, selected: query.get(name) === word }, inWords(word))),
      )
    );
  const kind = pick('kind', first.kinds);
  const game = pick('game', first.games);
  const state = pick('state', first.states);
  const count = h('p', { class: 'dim', role: 'status' });
  const list = h('div', { class: 'clauses' });
  let id = query.get('id') ?? '';
  let turn = 0;

  const look = async (/** @type {number} */ from = 0) => {
    const mine = ++turn;
    const asked = new URLSearchParams();
    if (id) asked.set('id', id);
    else if (search.value.trim()) asked.set('q', search.value.trim());
    for (const select of [kind, game, state]) if (select.value) asked.set(select.name, select.value);
    if (!from) readdress(`/clauses${asked.size ? `?${asked}` : ''}`);
    asked.set('from', String(from));
    const found = await get(`/api/clauses?${asked}`);
    if (mine !== turn) return;
    const { counts } = found;
    fill(
      count,
      `${found.total} requirement${found.total === 1 ? '' : 's'}: ${counts.all.proven} proven, ${counts.all.recorded} recorded, ${counts.all.cited} cited, ${counts.all.explained} explained, ${counts.all.open} open`,
    );
    const more = found.next
      ? h(
          'button',
          {
            class: 'act',
            onclick: () => {
              more?.remove();
              look(found.next);
            },
          },
          'More',
        )
      : null;
    if (!from) fill(list);
    list.append(...found.clauses.map(row), ...(more ? [more] : []));
  };
  let waiting = 0;
  search.addEventListener('input', () => {
    id = '';
    clearTimeout(waiting);
    waiting = window.setTimeout(look, 150);
  });
  for (const select of [kind, game, state])
    select.addEventListener('change', () => {
      look();
    });
  fill(
    main,
    h('h1', null, 'Clauses'),
    h('p', { class: 'dim' }, 'What the regulations require, in our own words, and how each requirement is honoured.'),
    h(
      'form',
      { class: 'panel pad filters', role: 'search', onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      field('Search', search),
      field('Kind', kind),
      field('Game', game),
      field('State', state),
    ),
    count,
    list,
  );
  await look();
}

/** `nj-blackjack` is Blackjack, New Jersey. @param {string} word */
const inWords = (word) => {
  const found = /^(nj|ma)-(.+)$/.exec(word);
  return found ? `${title(found[2])}, ${found[1] === 'nj' ? 'New Jersey' : 'Massachusetts'}` : title(word);
};

const TEXTS = /** @type {Record<string, string>} */ ({ nj: 'N.J.A.C. ', ma: 'Massachusetts rules, ' });

/** @param {any} entry */
function row(entry) {
  const staff = ['auditor', 'supervisor'].includes(me()?.role);
  const proofs = (/** @type {string} */ name, /** @type {string[]} */ parts) =>
    parts?.length
      ? h(
          'details',
          null,
          h('summary', null, `${name} (${parts.length})`),
          h(
            'ul',
            { class: 'hash' },
            parts.map((part) => h('li', null, part)),
          ),
        )
      : null;
  return h(
    'article',
    { class: 'panel pad clause-entry' },
    h(
      'p',
      { class: 'row' },
      h('b', null, entry.id),
      h('span', { class: `tag state-${entry.state}` }, title(entry.state)),
      h('span', { class: 'tag' }, title(entry.kind)),
      h('span', { class: 'tag' }, `${entry.jurisdiction.toUpperCase()} ${title(entry.game)}`),
    ),
    h('p', { class: 'clause-words' }, entry.summary),
    h(
      'p',
      { class: 'small dim' },
      `Look it up in the official text: ${TEXTS[entry.jurisdiction] ?? ''}${entry.id.replace(/#\d+$/, '')}, “${entry.section}”.`,
    ),
    // Where a program says so is for those who check the program.
    staff
      ? [
          h('p', { class: 'small dim' }, `Honoured: ${entry.honoured}`),
          proofs('Cited in', entry.cited_in),
          proofs('Proven by', entry.proven_by),
          proofs('Kept by', entry.recorded_by),
        ]
      : h(
          'p',
          { class: 'small dim' },
          entry.proven_by?.length
            ? `Checked by ${entry.proven_by.length} named test${entry.proven_by.length === 1 ? '' : 's'}.`
            : '',
        ),
  );
}
