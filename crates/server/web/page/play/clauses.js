// The clause catalogue: every requirement in our own words, how it is met and what proves it. Searchable; every search
// has its own address.

import { get, me } from '../shared/net.js';
import { field, fill, h, law, readdress } from '../shared/ui.js';
import { t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */

/** @param {HTMLElement} main @param {string[]} _ @param {URLSearchParams} query */
export async function show(main, _, query) {
  const first = await get('/api/clauses?limit=1');
  const search = /** @type {HTMLInputElement} */ (
    h('input', {
      type: 'search',
      value: query.get('q') ?? query.get('id') ?? '',
      placeholder: t('clauses.search.hint'),
      name: 'q',
    })
  );
  const pick = (
    /** @type {string} */ name,
    /** @type {string[]} */ words,
    /** @type {(word: string) => string} */ said,
  ) =>
    /** @type {HTMLSelectElement} */ (
      h(
        'select',
        { name },
        h('option', { value: '' }, t('filter.all')),
        words.map((word) => h('option', { value: word, selected: query.get(name) === word }, said(word))),
      )
    );
  const kind = pick('kind', first.kinds, (word) => term('clause', word));
  const game = pick('game', first.games, inWords);
  const state = pick('state', first.states, (word) => term('status', word));
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
    fill(count, t('clauses.count', { .../** @type {Record<string, number>} */ (counts.all), count: found.total }));
    const more = found.next
      ? h(
          'button',
          {
            class: 'act',
            onclick: () => {
              more?.remove();
              look(found.next ?? 0);
            },
          },
          t('action.more'),
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
    h('h1', null, t('nav.clauses')),
    h('p', { class: 'dim' }, t('clauses.intro')),
    h(
      'form',
      { class: 'panel pad filters', role: 'search', onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
      field(t('action.search'), search),
      field(t('filter.kind'), kind),
      field(t('clauses.game'), game),
      field(t('filter.state'), state),
    ),
    count,
    list,
  );
  await look();
}

/** Expands a regulation's id: `nj-blackjack` becomes "Blackjack, New Jersey". @param {string} word */
const inWords = (word) => {
  const found = /^(nj|ma)-(.+)$/.exec(word);
  return found
    ? `${term('game', found[2])}, ${found[1] === 'nj' ? t('jurisdiction.nj') : t('jurisdiction.ma')}`
    : term('game', word);
};

/**
 * Says where a clause is in the official text; a ruling of the house has no such place.
 * @param {Schemas['ClauseEntry']} entry
 */
const official = ({ id, jurisdiction, section }) => {
  const values = { clause: id.replace(/#\d+$/, ''), section };
  if (!jurisdiction) return t('clauses.official.house');
  return jurisdiction === 'nj' ? t('clauses.official.nj', values) : t('clauses.official.ma', values);
};

/** @param {Schemas['ClauseEntry']} entry */
function row(entry) {
  const staff = ['auditor', 'supervisor'].includes(me()?.role ?? '');
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
      h('span', { class: `tag state-${entry.state}` }, term('status', entry.state)),
      h('span', { class: 'tag' }, term('clause', entry.kind)),
      h('span', { class: 'tag' }, `${entry.jurisdiction.toUpperCase()} ${term('game', entry.game || 'house')}`.trim()),
    ),
    h('p', { class: 'clause-words' }, law({ text: entry.summary })),
    h('p', { class: 'small dim' }, official(entry)),
    // References into the program are for the staff who check it.
    staff
      ? [
          h('p', { class: 'small dim' }, t('clauses.met', { how: entry.honoured })),
          proofs(t('clauses.cited_in'), entry.cited_in),
          proofs(t('clauses.proven_by'), entry.proven_by),
          proofs(t('clauses.recorded_by'), entry.recorded_by),
        ]
      : h(
          'p',
          { class: 'small dim' },
          entry.proven_by?.length ? t('clauses.tests', { count: entry.proven_by.length }) : '',
        ),
  );
}
