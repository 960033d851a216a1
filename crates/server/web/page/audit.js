// For those who keep the books: a gaming day's report, significant events, rounds by number, the journal with its search,
// and its chain.

import { holder, inWords } from './happened.js';
import { ask, get, me } from './net.js';
import {
  complain,
  download,
  faulty,
  field,
  fill,
  go,
  grid,
  h,
  money,
  readdress,
  signed,
  tableName,
  title,
  toast,
  when,
} from './ui.js';

/** Kinds of records that are sought most; any other can be typed. */
const KINDS = ['joined', 'table-open', 'table', 'significant', 'buy-in', 'cash-out', 'capital'];

/** @param {HTMLElement} main @param {string[]} _ @param {URLSearchParams} query */
export async function show(main, _, query) {
  if (!me() || !['auditor', 'supervisor'].includes(me().role))
    throw Object.assign(new Error('sign in first'), { status: 401 });
  const auditor = me().role === 'auditor';
  const tables = await get('/api/tables');
  const names = /** @type {Map<number, string>} */ (
    new Map(tables.map((/** @type {any} */ t) => [t.table, tableName(t.name)]))
  );
  const [day, report] = dayReport(query, names);
  const events = h('div', null);
  const chain = h('div', { class: 'pad stack-y', role: 'status' });
  fill(
    main,
    h('h1', null, auditor ? 'Audit' : 'Reports'),
    section('Gaming day', report, day),
    section('Any round', roundForm(tables)),
    section('Significant events', events),
    section('Chain', chain),
    auditor ? section('Journal', journal(query, tables)) : null,
  );
  await Promise.all([drawEvents(events), drawChain(chain, auditor)]);
}

/** @param {string} name @param {HTMLElement} body @param {HTMLElement | null} [tool] */
const section = (name, body, tool = null) =>
  h('section', { class: 'panel' }, h('div', { class: 'panel-head' }, h('h2', null, name), tool), body);

/** @param {any[]} movements @param {string} key */
const sum = (movements, key) => movements.reduce((all, m) => all + Math.round(Number(m[key]) * 100), 0);

/** @param {URLSearchParams} query @param {Map<number, string>} names @returns {[HTMLElement, HTMLElement]} */
function dayReport(query, names) {
  const day = /** @type {HTMLInputElement} */ (
    h('input', { type: 'date', value: query.get('day') ?? '', 'aria-label': 'Gaming day' })
  );
  const report = h('div', { class: 'pad stack-y' });
  const held = (/** @type {any} */ t) =>
    Number(t.wagered) ? `${((1 - Number(t.returned) / Number(t.wagered)) * 100).toFixed(2).replace('-', '−')} %` : '–';
  const draw = async () => {
    const which = day.value || 'today';
    const told = await get(`/api/reports/${which}`);
    day.value = told.day;
    const save = async () => download(`${told.day}.csv`, await ask('GET', `/api/reports/${which}/csv`), 'text/csv');
    const state = told.no_activity
      ? h('span', { class: 'dim' }, 'No activity')
      : h(
          'span',
          { class: told.reconciles ? 'ok' : 'wrong' },
          told.reconciles ? '✓ reconciles' : '✗ does not reconcile',
        );
    fill(
      report,
      h('p', null, h('b', null, told.day), ` · ${told.records} records · `, state),
      told.tables.length
        ? grid(
            ['Table', '#Rounds', '#Wagered', '#Returned', '#Held'],
            told.tables.map((/** @type {any} */ t) => [
              `${t.table} · ${names.get(t.table) ?? ''}`,
              t.rounds,
              money(t.wagered),
              money(t.returned),
              held(t),
            ]),
            'Tables of the day',
          )
        : null,
      grid(
        ['Chips', 'Held by', '#Opening', '#In', '#Out', '#Closing'],
        told.classes.map((/** @type {any} */ c) => [
          title(c.chips),
          title(c.holders),
          money(c.opening),
          money(sum(c.movements, 'into')),
          money(sum(c.movements, 'out')),
          money(c.closing),
        ]),
        'Accounts of the day',
      ),
      h(
        'p',
        { class: 'actions' },
        h('button', { class: 'act', onclick: save }, 'CSV'),
        h(
          'button',
          {
            class: 'act',
            onclick: () => download(`${told.day}.json`, JSON.stringify(told, null, 1), 'application/json'),
          },
          'JSON',
        ),
      ),
    );
  };
  day.addEventListener('change', () => draw().catch(complain));
  draw().catch(complain);
  return [day, report];
}

/** @param {any[]} tables @param {string} [chosen] */
const tablePick = (tables, chosen = '') =>
  tables.map((t) =>
    h('option', { value: t.table, selected: String(t.table) === chosen }, `${t.table} · ${tableName(t.name)}`),
  );

/** @param {any[]} tables */
function roundForm(tables) {
  const table = /** @type {HTMLSelectElement} */ (h('select', { name: 'round-table' }, tablePick(tables)));
  const round = /** @type {HTMLInputElement} */ (
    h('input', { name: 'round', type: 'number', min: 1, required: true, value: 1 })
  );
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    go(`/round/${table.value}/${round.value}`);
  };
  return h(
    'form',
    { class: 'row pad', onsubmit: submit },
    field('Table', table),
    field('Round', round),
    h('button', { class: 'act' }, 'Replay'),
  );
}

/** @param {HTMLElement} place */
async function drawEvents(place) {
  /** @type {any[]} */
  let items = [];
  const more = async (/** @type {number | null} */ cursor) => {
    const page = await get(`/api/significant-events?limit=50${cursor ? `&cursor=${cursor}` : ''}`);
    items = [...items, ...page.items];
    const rows = items.map((e) => [e.seq, when(e.at), inWords(e)]);
    fill(
      place,
      rows.length
        ? grid(['Record', 'When', 'What happened'], rows, 'Significant events')
        : h('p', { class: 'pad dim' }, 'None.'),
      page.next
        ? h(
            'p',
            { class: 'pad' },
            h('button', { class: 'act', onclick: () => more(page.next).catch(complain) }, 'More'),
          )
        : null,
    );
  };
  await more(null);
}

/** The journal, whole or what of it is sought; the address keeps the search. @param {URLSearchParams} query @param {any[]} tables */
function journal(query, tables) {
  const found = h('div', { role: 'status' });
  const kind = /** @type {HTMLInputElement} */ (
    h('input', { name: 'kind', value: query.get('kind') ?? '', list: 'kinds', placeholder: 'any', autocomplete: 'off' })
  );
  const table = /** @type {HTMLSelectElement} */ (
    h('select', { name: 'table' }, h('option', { value: '' }, 'Any'), tablePick(tables, query.get('table') ?? ''))
  );
  const person = /** @type {HTMLInputElement} */ (
    h('input', { name: 'person', value: query.get('name') ?? '', placeholder: 'a name, or any', autocomplete: 'off' })
  );
  const day = /** @type {HTMLInputElement} */ (
    h('input', { name: 'on', type: 'date', value: query.get('on') ?? '', 'aria-label': 'Day' })
  );
  /** The newest first; `before` is where an older page begins. @param {number | null} before */
  const look = async (before) => {
    const sought = [
      ['kind', kind.value.trim()],
      ['table', table.value],
      ['name', person.value.trim()],
    ];
    const asked = new URLSearchParams(sought.filter(([, value]) => value));
    const shown = new URLSearchParams([...asked, ...(day.value ? [['on', day.value]] : [])]);
    readdress(`/audit${shown.size ? `?${shown}` : ''}`);
    if (day.value) asked.set('day', day.value);
    asked.set('newest', 'true');
    if (before) asked.set('cursor', String(before));
    const page = await get(`/api/journal?limit=25&${asked}`);
    const rows = page.items.map((/** @type {any} */ r) => [
      r.seq,
      when(r.at),
      title(r.kind),
      r.round ? h('a', { href: `/round/${r.table}/${r.round}` }, `${r.table}-${r.round}`) : '',
      r.name ?? 'The house',
      h(
        'span',
        { class: 'small' },
        r.kind === 'significant'
          ? inWords(r)
          : r.legs.map((/** @type {any} */ l) => `${holder(l)} ${signed(l.amount)}`).join('; '),
      ),
      h('span', { class: 'hash' }, r.hash.slice(0, 16)),
    ]);
    const turn = (/** @type {string} */ label, /** @type {number} */ to) =>
      h('button', { class: 'act', onclick: () => look(to).catch(complain) }, label);
    fill(
      found,
      rows.length
        ? grid(['Record', 'When', 'Kind', 'Round', 'Who', 'What moved', 'Hash'], rows, 'The journal')
        : h('p', { class: 'pad dim' }, 'Nothing fits.'),
      h(
        'p',
        { class: 'pad actions' },
        before ? turn('The newest', 0) : null,
        page.next ? turn('Older', page.next) : null,
      ),
    );
  };
  const wrong = (/** @type {any} */ error) =>
    error.status === 404 ? faulty(person, `Nobody is called “${person.value.trim()}”`) : complain(error);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    look(null).catch(wrong);
  };
  look(null).catch(wrong);
  return h(
    'div',
    null,
    h(
      'form',
      { class: 'row pad', role: 'search', onsubmit: submit },
      field('Kind', kind),
      h(
        'datalist',
        { id: 'kinds' },
        KINDS.map((value) => h('option', { value })),
      ),
      field('Table', table),
      field('Who', person),
      field('Day', day),
      h('button', { class: 'act' }, 'Search'),
    ),
    found,
  );
}

/** @param {HTMLElement} place @param {boolean} auditor */
async function drawChain(place, auditor) {
  const head = await get('/api/journal/head');
  /** @type {any} */
  let noted = null;
  try {
    noted = JSON.parse(localStorage.getItem('head') ?? 'null');
  } catch {
    /* nothing was kept */
  }
  let check = h(
    'p',
    { class: 'dim small' },
    'Note the end of the journal now, and see later that nothing before it has changed.',
  );
  if (auditor && noted && noted.seq <= head.seq && noted.seq > 0) {
    const page = await get(`/api/journal?limit=1&cursor=${noted.seq - 1}`);
    const good = page.items[0]?.hash === noted.hash;
    const words = good ? 'still has the hash' : 'no longer has the hash';
    check = h(
      'p',
      { class: good ? 'ok' : 'wrong' },
      `${good ? '✓' : '✗'} Record ${noted.seq} ${words} that this browser noted.`,
    );
  }
  const note = () => {
    try {
      localStorage.setItem('head', JSON.stringify(head));
      toast('Noted in this browser.');
    } catch {
      toast('This browser keeps nothing.');
    }
  };
  fill(
    place,
    h(
      'dl',
      { class: 'facts' },
      h('dt', null, 'End of the journal'),
      h('dd', null, `record ${head.seq}, ${when(head.at)}`),
      h('dt', null, 'Hash'),
      h('dd', { class: 'hash' }, head.hash),
    ),
    check,
    h('button', { class: 'act', onclick: note }, 'Note this end'),
  );
}
