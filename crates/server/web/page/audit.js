// For those who keep the books: a gaming day's report, significant events, rounds by number, the journal with its search,
// and its chain.

import { drawReturns, watchNodes } from './books.js';
import { concerned, holder, inWords, sameName } from './happened.js';
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
  percent,
  readdress,
  signed,
  tableName,
  title,
  toast,
  when,
} from './ui.js';
import { t } from './words.js';

/** @typedef {import('../../browser/types').Schemas} Schemas */

/** Kinds of records that are sought most; any other can be typed. */
const KINDS = ['joined', 'table-open', 'table', 'significant', 'buy-in', 'cash-out', 'capital'];

/** @param {HTMLElement} main @param {string[]} _ @param {URLSearchParams} query */
export async function show(main, _, query) {
  const who = me();
  if (!who || !['auditor', 'supervisor'].includes(who.role))
    throw Object.assign(new Error('sign in first'), { status: 401 });
  const auditor = who.role === 'auditor';
  const tables = await get('/api/tables');
  const names = /** @type {Map<number, string>} */ (new Map(tables.map((one) => [one.table, tableName(one.name)])));
  const [day, report] = dayReport(query, names);
  const events = h('div', null);
  const chain = h('div', { class: 'pad stack-y', role: 'status' });
  const returns = h('div', { class: 'returns', role: 'status' });
  const nodes = h('div', { class: 'nodes' });
  fill(
    main,
    h('h1', null, auditor ? t('audit') : t('reports')),
    auditor ? section(t('journal'), journal(query, tables)) : null,
    section(t('gaming-day'), report, day),
    section(t('any-round'), roundForm(tables)),
    section(t('returns'), returns),
    section(t('significant-events'), events),
    section(t('chain'), chain),
    section(t('nodes'), nodes),
  );
  const end = watchNodes(nodes);
  drawReturns(returns, names).catch(complain);
  await Promise.all([drawEvents(events), drawChain(chain, auditor)]);
  return end;
}

/** @param {string} name @param {HTMLElement} body @param {HTMLElement | null} [tool] */
const section = (name, body, tool = null) =>
  h('section', { class: 'panel' }, h('div', { class: 'panel-head' }, h('h2', null, name), tool), body);

/** @param {Schemas['MovementView'][]} movements @param {'into' | 'out'} key */
const sum = (movements, key) => movements.reduce((all, m) => all + Math.round(Number(m[key]) * 100), 0);

/** @param {URLSearchParams} query @param {Map<number, string>} names @returns {[HTMLElement, HTMLElement]} */
function dayReport(query, names) {
  const day = /** @type {HTMLInputElement} */ (
    h('input', { type: 'date', value: query.get('day') ?? '', 'aria-label': t('gaming-day') })
  );
  const report = h('div', { class: 'pad stack-y' });
  const held = (/** @type {Schemas['TableDayView']} */ row) =>
    Number(row.wagered) ? percent(1 - Number(row.returned) / Number(row.wagered), 2) : '–';
  const draw = async () => {
    const which = day.value || 'today';
    const told = await get(`/api/reports/${which}`);
    day.value = told.day;
    const save = async () => download(`${told.day}.csv`, await ask('GET', `/api/reports/${which}/csv`), 'text/csv');
    const state = told.no_activity
      ? h('span', { class: 'dim' }, t('no-activity'))
      : h(
          'span',
          { class: told.reconciles ? 'ok' : 'wrong' },
          told.reconciles ? t('reconciles') : t('does-not-reconcile'),
        );
    fill(
      report,
      h('p', null, h('b', null, told.day), t('records', { records: told.records }), state),
      told.tables.length
        ? grid(
            [t('table'), `#${t('rounds')}`, `#${t('wagered')}`, `#${t('returned')}`, `#${t('held')}`],
            told.tables.map((row) => [
              `${row.table} · ${names.get(row.table % 1000) ?? ''}`,
              row.rounds,
              money(row.wagered),
              money(row.returned),
              held(row),
            ]),
            t('tables-of-the-day'),
          )
        : null,
      grid(
        [t('chips-2'), t('held-by'), `#${t('opening')}`, `#${t('in')}`, `#${t('out')}`, `#${t('closing')}`],
        told.classes.map((c) => [
          title(c.chips),
          title(c.holders),
          money(c.opening),
          money(sum(c.movements, 'into')),
          money(sum(c.movements, 'out')),
          money(c.closing),
        ]),
        t('accounts-of-the-day'),
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

/** @param {Schemas['TableCard'][]} tables @param {string} [chosen] */
const tablePick = (tables, chosen = '') =>
  tables.map((one) =>
    h('option', { value: one.table, selected: String(one.table) === chosen }, `${one.table} · ${tableName(one.name)}`),
  );

/** @param {Schemas['TableCard'][]} tables */
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
    field(t('table'), table),
    field(t('round'), round),
    h('button', { class: 'act' }, t('replay')),
  );
}

/** @param {HTMLElement} place */
async function drawEvents(place) {
  /** @type {Schemas['RecordView'][]} */
  let items = [];
  const more = async (/** @type {number | null} */ cursor) => {
    const page = await get(`/api/significant-events?limit=50${cursor ? `&cursor=${cursor}` : ''}`);
    items = [...items, ...page.items];
    const rows = items.map((e) => [e.seq, when(e.at), h('span', { class: 'told' }, inWords(e))]);
    fill(
      place,
      rows.length
        ? grid([t('record'), t('when'), t('what-happened')], rows, t('significant-events'))
        : h('p', { class: 'pad dim' }, t('none')),
      page.next
        ? h(
            'p',
            { class: 'pad' },
            h('button', { class: 'act', onclick: () => more(page.next ?? null).catch(complain) }, t('more')),
          )
        : null,
    );
  };
  await more(null);
}

/** What moved, an account a line. @param {Schemas['LegView'][]} legs @param {string} nothing */
const moved = (legs, nothing) =>
  legs.length
    ? h(
        'ul',
        { class: 'legs' },
        legs.map((l) => h('li', null, h('span', null, holder(l)), ' ', h('b', { class: 'num' }, signed(l.amount)))),
      )
    : h('span', { class: 'dim' }, nothing);

/** The journal, whole or what of it is sought; the address keeps the search. @param {URLSearchParams} query @param {Schemas['TableCard'][]} tables */
function journal(query, tables) {
  const found = h('div', { role: 'status' });
  const kind = /** @type {HTMLInputElement} */ (
    h('input', {
      name: 'kind',
      value: query.get('kind') ?? '',
      list: 'kinds',
      placeholder: t('any'),
      autocomplete: 'off',
    })
  );
  const table = /** @type {HTMLSelectElement} */ (
    h('select', { name: 'table' }, h('option', { value: '' }, t('any-2')), tablePick(tables, query.get('table') ?? ''))
  );
  const person = /** @type {HTMLInputElement} */ (
    h('input', {
      name: 'person',
      value: query.get('concerns') ?? query.get('name') ?? '',
      placeholder: t('a-name-or-any'),
      autocomplete: 'off',
    })
  );
  const day = /** @type {HTMLInputElement} */ (
    h('input', { name: 'on', type: 'date', value: query.get('on') ?? '', 'aria-label': t('day') })
  );
  /** The newest first; `before` is where an older page begins. @param {number | null} before */
  const look = async (before) => {
    const sought = [
      ['kind', kind.value.trim()],
      ['table', table.value],
      ['concerns', person.value.trim()],
    ];
    const asked = new URLSearchParams(sought.filter(([, value]) => value));
    const about = person.value.trim();
    const shown = new URLSearchParams([...asked, ...(day.value ? [['on', day.value]] : [])]);
    readdress(`/audit${shown.size ? `?${shown}` : ''}`);
    if (day.value) asked.set('day', day.value);
    asked.set('newest', 'true');
    if (before) asked.set('cursor', String(before));
    const page = await get(`/api/journal?limit=25&${asked}`);
    const rows = page.items.map((r) => [
      r.seq,
      when(r.at),
      title(r.kind),
      r.round ? h('a', { href: `/round/${r.table}/${r.round}` }, `${r.table}-${r.round}`) : '',
      r.name ?? t('the-house'),
      h(
        'span',
        { class: 'small' },
        about ? [h('b', { class: 'concerned' }, concerned(r, about)), ' '] : null,
        r.kind === 'significant'
          ? inWords(r)
          : moved(
              r.legs.filter((l) => !about || !l.account.includes(':player:') || !sameName(l.name, about)),
              r.legs.length ? '' : t('no-chips-moved'),
            ),
      ),
      h('span', { class: 'hash' }, r.hash.slice(0, 16)),
    ]);
    const turn = (/** @type {string} */ label, /** @type {number} */ to) =>
      h('button', { class: 'act', onclick: () => look(to).catch(complain) }, label);
    fill(
      found,
      rows.length
        ? grid(
            [
              t('record'),
              t('when'),
              t('kind'),
              t('round'),
              t('who'),
              about ? t('what-concerned-them') : t('what-moved'),
              t('hash'),
            ],
            rows,
            t('the-journal'),
          )
        : h('p', { class: 'pad dim' }, t('nothing-fits')),
      h(
        'p',
        { class: 'pad actions' },
        before ? turn(t('the-newest'), 0) : null,
        page.next ? turn(t('older'), page.next) : null,
      ),
    );
  };
  const wrong = (/** @type {import('./net.js').Refused} */ error) =>
    error.status === 404 ? faulty(person, t('nobody-is-called', { value: person.value.trim() })) : complain(error);
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
      field(t('kind'), kind),
      h(
        'datalist',
        { id: 'kinds' },
        KINDS.map((value) => h('option', { value })),
      ),
      field(t('table'), table),
      field(t('whom-it-concerns'), person),
      field(t('day'), day),
      h('button', { class: 'act' }, t('search')),
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
  let check = h('p', { class: 'dim small' }, t('note-the-end-of-the-journal-now'));
  if (auditor && noted && noted.seq <= head.seq && noted.seq > 0) {
    const page = await get(`/api/journal?limit=1&cursor=${noted.seq - 1}`);
    const good = page.items[0]?.hash === noted.hash;
    const words = good ? t('still-has-the-hash') : t('no-longer-has-the-hash');
    check = h(
      'p',
      { class: good ? 'ok' : 'wrong' },
      t('record-that-this-browser-noted', { a: good ? '✓' : '✗', seq: noted.seq, words }),
    );
  }
  const note = () => {
    try {
      localStorage.setItem('head', JSON.stringify(head));
      toast(t('noted-in-this-browser'));
    } catch {
      toast(t('this-browser-keeps-nothing'));
    }
  };
  fill(
    place,
    h(
      'dl',
      { class: 'facts' },
      h('dt', null, t('end-of-the-journal')),
      h('dd', null, t('record-2', { seq: head.seq, at: when(head.at) })),
      h('dt', null, t('hash')),
      h('dd', { class: 'hash' }, head.hash),
    ),
    check,
    h('button', { class: 'act', onclick: note }, t('note-this-end')),
  );
}
