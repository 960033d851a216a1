// For those who keep the books: a gaming day's report, significant events, rounds by number, the journal and its chain.

import { ask, get, me } from './net.js';
import { complain, download, field, fill, go, grid, h, money, title, toast, when } from './ui.js';

/** @param {HTMLElement} main @param {string[]} _ @param {URLSearchParams} query */
export async function show(main, _, query) {
  if (!me() || !['auditor', 'supervisor'].includes(me().role))
    throw Object.assign(new Error('sign in first'), { status: 401 });
  const auditor = me().role === 'auditor';
  const day = /** @type {HTMLInputElement} */ (h('input', { type: 'date', value: query.get('day') ?? '' }));
  const table = /** @type {HTMLInputElement} */ (h('input', { type: 'number', min: 1, required: true }));
  const round = /** @type {HTMLInputElement} */ (h('input', { type: 'number', min: 1, required: true }));
  const report = h('div', { class: 'pad' });
  const events = h('div', null);
  const journal = h('div', null);
  const chain = h('div', { class: 'pad', role: 'status' });
  const drawDay = async () => {
    const which = day.value || 'today';
    const told = await get(`/api/reports/${which}`);
    fill(
      report,
      h(
        'p',
        null,
        h('b', null, told.day),
        ` · ${told.records} records · `,
        told.no_activity
          ? 'No activity'
          : h(
              'span',
              { class: told.reconciles ? 'ok' : 'wrong' },
              told.reconciles ? '✓ reconciles' : '✗ does not reconcile',
            ),
      ),
      told.tables.length
        ? grid(
            ['Table', '#Rounds', '#Wagered', '#Returned', '#Held'],
            told.tables.map((/** @type {any} */ t) => [
              t.table,
              t.rounds,
              money(t.wagered),
              money(t.returned),
              Number(t.wagered) ? `${((1 - Number(t.returned) / Number(t.wagered)) * 100).toFixed(2)} %` : '–',
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
        h(
          'button',
          {
            class: 'act',
            onclick: async () => download(`${told.day}.csv`, await ask('GET', `/api/reports/${which}/csv`), 'text/csv'),
          },
          'CSV',
        ),
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
  const drawEvents = async () => {
    const page = await get('/api/significant-events?limit=50');
    fill(
      events,
      page.items.length
        ? grid(
            ['Record', 'When', 'What', 'Details'],
            page.items.map((/** @type {any} */ e) => [
              e.seq,
              when(e.at),
              title(e.event?.what ?? e.kind),
              h('span', { class: 'hash' }, JSON.stringify(e.event?.details ?? {})),
            ]),
            'Significant events',
          )
        : h('p', { class: 'pad dim' }, 'None.'),
    );
  };
  const drawJournal = async (/** @type {number} */ after = 0) => {
    const page = await get(`/api/journal?limit=25&cursor=${after}`);
    fill(
      journal,
      grid(
        ['Record', 'When', 'Kind', 'Round', 'Legs', 'Hash'],
        page.items.map((/** @type {any} */ r) => [
          r.seq,
          when(r.at),
          title(r.kind),
          r.round ? h('a', { href: `/round/${r.table}/${r.round}` }, `${r.table}-${r.round}`) : '',
          h('span', { class: 'small' }, r.legs.map((/** @type {any} */ l) => `${l.account} ${l.amount}`).join('; ')),
          h('span', { class: 'hash' }, r.hash.slice(0, 16)),
        ]),
        'The journal',
      ),
      h(
        'p',
        { class: 'pad actions' },
        after ? h('button', { class: 'act', onclick: () => drawJournal(0) }, 'From the beginning') : null,
        page.next ? h('button', { class: 'act', onclick: () => drawJournal(page.next) }, 'Next') : null,
      ),
    );
  };
  const drawChain = async () => {
    const head = await get('/api/journal/head');
    /** @type {any} */
    let noted = null;
    try {
      noted = JSON.parse(localStorage.getItem('head') ?? 'null');
    } catch {
      /* nothing was kept */
    }
    let check = null;
    if (auditor && noted && noted.seq <= head.seq && noted.seq > 0) {
      const page = await get(`/api/journal?limit=1&cursor=${noted.seq - 1}`);
      const good = page.items[0]?.hash === noted.hash;
      check = h(
        'p',
        { class: good ? 'ok' : 'wrong' },
        good
          ? `✓ Record ${noted.seq} still has the hash that this browser noted.`
          : `✗ Record ${noted.seq} no longer has the hash that this browser noted.`,
      );
    }
    fill(
      chain,
      h(
        'dl',
        { class: 'facts' },
        h('dt', null, 'End of the journal'),
        h('dd', null, `record ${head.seq}, ${when(head.at)}`),
        h('dt', null, 'Hash'),
        h('dd', { class: 'hash' }, head.hash),
      ),
      check,
      h(
        'button',
        {
          class: 'act',
          onclick: () => {
            try {
              localStorage.setItem('head', JSON.stringify(head));
              toast('Noted in this browser.');
            } catch {
              toast('This browser keeps nothing.');
            }
          },
        },
        'Note this end',
      ),
    );
  };
  day.addEventListener('change', () => drawDay().catch(complain));
  const section = (
    /** @type {string} */ name,
    /** @type {HTMLElement} */ body,
    /** @type {HTMLElement | null} */ tool = null,
  ) => h('section', { class: 'panel' }, h('div', { class: 'panel-head' }, h('h2', null, name), tool), body);
  fill(
    main,
    h('h1', null, auditor ? 'Audit' : 'Reports'),
    section('Gaming day', report, field('Day', day)),
    section(
      'Any round',
      h(
        'form',
        {
          class: 'row pad',
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            go(`/round/${table.value}/${round.value}`);
          },
        },
        field('Table', table),
        field('Round', round),
        h('button', { class: 'act' }, 'Replay'),
      ),
    ),
    section('Significant events', events),
    section('Chain', chain),
    auditor ? section('Journal', journal) : null,
  );
  await Promise.all([drawDay(), drawEvents(), drawChain(), auditor ? drawJournal() : null]);
}

/** @param {any[]} movements @param {string} key */
const sum = (movements, key) => movements.reduce((all, m) => all + Math.round(Number(m[key]) * 100), 0);
