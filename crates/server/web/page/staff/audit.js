// The audit page: a gaming day's report, significant events, rounds by number, and the journal with its search and its
// hash chain.

import { drawReturns, watchNodes } from './books.js';
import { concerned, inWords, sameName } from './happened.js';
import { told, transfers } from './journal.js';
import { ask, get, me } from '../shared/net.js';
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
  tableName,
  toast,
  when,
} from '../shared/ui.js';
import { rich, t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */

/** The record kinds searched for most often; any other can be typed. */
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
    h('h1', null, auditor ? t('nav.audit') : t('nav.reports')),
    auditor ? section(t('audit.journal.label'), journal(query, tables)) : null,
    section(t('audit.gaming_day'), report, day),
    section(t('audit.any_round'), roundForm(tables)),
    section(t('returns.title'), returns),
    section(t('audit.significant_events'), events),
    section(t('audit.chain'), chain),
    section(t('nodes.title'), nodes),
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
    h('input', { type: 'date', value: query.get('day') ?? '', 'aria-label': t('audit.gaming_day') })
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
      ? h('span', { class: 'dim' }, t('audit.no_activity'))
      : h(
          'span',
          { class: told.reconciles ? 'ok' : 'wrong' },
          told.reconciles ? t('audit.balanced') : t('audit.unbalanced'),
        );
    fill(
      report,
      h('p', null, rich('audit.record_count', { day: h('b', null, told.day), count: told.records, state })),
      told.tables.length
        ? grid(
            [
              t('nav.table'),
              `#${t('round.title')}`,
              `#${t('audit.handle')}`,
              `#${t('audit.returned')}`,
              `#${t('audit.hold')}`,
            ],
            told.tables.map((row) => [
              `${row.table} · ${names.get(row.table % 1000) ?? ''}`,
              row.rounds,
              money(row.wagered),
              money(row.returned),
              held(row),
            ]),
            t('audit.tables'),
          )
        : null,
      grid(
        [
          t('audit.chips'),
          t('audit.holder'),
          `#${t('audit.opening')}`,
          `#${t('audit.in')}`,
          `#${t('audit.out')}`,
          `#${t('audit.closing')}`,
        ],
        told.classes.map((c) => [
          term('chips', c.chips),
          term('holder', c.holders),
          money(c.opening),
          money(sum(c.movements, 'into')),
          money(sum(c.movements, 'out')),
          money(c.closing),
        ]),
        t('audit.accounts'),
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
    field(t('nav.table'), table),
    field(t('record.round'), round),
    h('button', { class: 'act' }, t('nav.replay')),
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
        ? grid([t('record.number'), t('record.when'), t('audit.event')], rows, t('audit.significant_events'))
        : h('p', { class: 'pad dim' }, t('audit.none')),
      page.next
        ? h(
            'p',
            { class: 'pad' },
            h('button', { class: 'act', onclick: () => more(page.next ?? null).catch(complain) }, t('action.more')),
          )
        : null,
    );
  };
  await more(null);
}

/**
 * Builds the journal view with its search form. The URL keeps the search.
 * @param {URLSearchParams} query @param {Schemas['TableCard'][]} tables
 */
function journal(query, tables) {
  const found = h('div', { role: 'status' });
  const kind = /** @type {HTMLInputElement} */ (
    h('input', {
      name: 'kind',
      value: query.get('kind') ?? '',
      list: 'kinds',
      placeholder: t('filter.any'),
      autocomplete: 'off',
    })
  );
  const table = /** @type {HTMLSelectElement} */ (
    h(
      'select',
      { name: 'table' },
      h('option', { value: '' }, t('filter.any_label')),
      tablePick(tables, query.get('table') ?? ''),
    )
  );
  const person = /** @type {HTMLInputElement} */ (
    h('input', {
      name: 'person',
      value: query.get('concerns') ?? query.get('name') ?? '',
      placeholder: t('filter.name_hint'),
      autocomplete: 'off',
    })
  );
  const day = /** @type {HTMLInputElement} */ (
    h('input', { name: 'on', type: 'date', value: query.get('on') ?? '', 'aria-label': t('filter.day') })
  );
  /** Loads a page of records, newest first. `before` is where an older page begins. @param {number | null} before */
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
      term('record', r.kind),
      r.round ? h('a', { href: `/round/${r.table}/${r.round}` }, `${r.table}-${r.round}`) : '',
      r.name ?? t('filter.house'),
      h(
        'span',
        { class: 'small' },
        about ? [h('b', { class: 'concerned' }, concerned(r, about)), ' '] : null,
        told(r),
        transfers(r.legs.filter((l) => !about || !l.account.includes(':player:') || !sameName(l.name, about))),
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
              t('record.number'),
              t('record.when'),
              t('filter.kind'),
              t('record.round'),
              t('filter.by'),
              t('audit.transfers'),
              t('audit.hash'),
            ],
            rows,
            t('audit.journal.caption'),
          )
        : h('p', { class: 'pad dim' }, t('audit.no_match')),
      h(
        'p',
        { class: 'pad actions' },
        before ? turn(t('audit.newest'), 0) : null,
        page.next ? turn(t('audit.older'), page.next) : null,
      ),
    );
  };
  const wrong = (/** @type {import('../shared/net.js').Refused} */ error) =>
    error.status === 404 ? faulty(person, t('audit.no_person', { name: person.value.trim() })) : complain(error);
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
      field(t('filter.kind'), kind),
      h(
        'datalist',
        { id: 'kinds' },
        KINDS.map((value) => h('option', { value })),
      ),
      field(t('nav.table'), table),
      field(t('filter.about'), person),
      field(t('filter.day'), day),
      h('button', { class: 'act' }, t('action.search')),
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
    /* no readable journal head is stored */
  }
  let check = h('p', { class: 'dim small' }, t('audit.anchor.intro'));
  if (auditor && noted && noted.seq <= head.seq && noted.seq > 0) {
    const page = await get(`/api/journal?limit=1&cursor=${noted.seq - 1}`);
    const good = page.items[0]?.hash === noted.hash;
    check = h(
      'p',
      { class: good ? 'ok' : 'wrong' },
      good ? t('audit.anchor.same', { seq: noted.seq }) : t('audit.anchor.changed', { seq: noted.seq }),
    );
  }
  const note = () => {
    try {
      localStorage.setItem('head', JSON.stringify(head));
      toast(t('audit.anchor.saved'));
    } catch {
      toast(t('audit.anchor.no_storage'));
    }
  };
  fill(
    place,
    h(
      'dl',
      { class: 'facts' },
      h('dt', null, t('audit.anchor.head')),
      h('dd', null, t('audit.anchor.record', { seq: head.seq, at: when(head.at) })),
      h('dt', null, t('audit.hash')),
      h('dd', { class: 'hash' }, head.hash),
    ),
    check,
    h('button', { class: 'act', onclick: note }, t('audit.anchor.save')),
  );
}
