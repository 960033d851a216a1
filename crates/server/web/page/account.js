// My account: balance, statement, limits of my own, self-exclusion.

import { passwordForm } from './entry.js';
import { factorForm } from './factor.js';
import { ask, get, me, playsForNothing, post, purse, refreshMe } from './net.js';
import {
  cents,
  complain,
  csv,
  download,
  field,
  fill,
  freshId,
  grid,
  h,
  money,
  signed,
  title,
  toast,
  typed,
  when,
} from './ui.js';
import { t } from './words.js';

/** @typedef {import('../../browser/types').Me} Me */
/** @typedef {import('../../browser/types').Schemas} Schemas */

/** @param {HTMLElement} main */
export async function show(main) {
  const who = me() ?? (await refreshMe());
  if (!who) throw Object.assign(new Error('sign in first'), { status: 401 });
  const out = h('button', { class: 'act', onclick: () => dispatchEvent(new Event('sign-out')) }, t('sign-out'));
  const head = h(
    'section',
    { class: 'panel pad row account-head' },
    h(
      'div',
      null,
      h('h1', null, who.guest ? t('guest') : who.name),
      h('p', { class: 'dim' }, who.guest ? t('play-chips-worth-nothing') : title(who.role)),
    ),
    who.role === 'player'
      ? h(
          'div',
          { class: 'big-balance' },
          h('b', null, money(purse())),
          h('span', { class: 'dim' }, playsForNothing() ? t('play-chips') : t('chips')),
        )
      : null,
    who.role === 'player' && !who.guest ? whichChips(who) : null,
    playsForNothing() ? h('button', { class: 'act', onclick: refill }, t('fill-up-play-chips')) : null,
    who.guest ? h('a', { class: 'act', href: '/sign-in' }, t('sign-in-or-join')) : out,
  );
  if (who.role !== 'player') {
    const factor = factorForm(() => show(main));
    return fill(main, head, h('div', { class: 'gap' }, passwordForm('/account')), h('div', { class: 'gap' }, factor));
  }
  const limits = h('div', { class: 'pad' });
  const statement = h('div', null);
  fill(
    main,
    head,
    h(
      'div',
      { class: 'split gap' },
      h(
        'section',
        { class: 'panel' },
        h('div', { class: 'panel-head' }, h('h2', null, t('limits-of-your-own'))),
        limits,
      ),
      h('div', { class: 'stack-y' }, exclusion(limits), who.guest ? null : passwordForm('/account')),
    ),
    h(
      'section',
      { class: 'panel gap' },
      h(
        'div',
        { class: 'panel-head' },
        h('h2', null, t('statement')),
        h('p', { class: 'dim' }, t('every-movement-of-your-chips-newest-first')),
      ),
      statement,
    ),
  );
  await Promise.all([drawLimits(limits), drawStatement(statement)]);
  return undefined;
}

/** Which chips are wagered: those from the cashier or play chips. @param {Me} who */
const whichChips = (who) =>
  h(
    'fieldset',
    { class: 'choices' },
    h('legend', null, t('you-wager')),
    [
      ['cash', t('chips-from-the-cashier', { cash: money(who.cash) })],
      ['play', t('play-chips-worth-nothing-2', { play: money(who.play) })],
    ].map(([chips, words]) =>
      h(
        'label',
        null,
        h('input', {
          type: 'radio',
          name: 'chips',
          value: chips,
          checked: who.chips === chips,
          onchange: async () => {
            try {
              await ask('PUT', '/api/me/chips', { chips });
              await refreshMe();
              dispatchEvent(new Event('goto'));
            } catch (error) {
              complain(error);
            }
          },
        }),
        words,
      ),
    ),
  );

async function refill() {
  try {
    await post('/api/me/refill', { id: freshId() });
    await refreshMe();
    dispatchEvent(new Event('goto'));
  } catch (error) {
    complain(error);
  }
}

/** What is limited, and over how long. @type {[string, string][]} */
const MEASURES = [
  ['loss', t('loss')],
  ['wager', t('wagers')],
  ['time', t('time-at-tables')],
];
/** @type {[string, string][]} */
const SPANS = [
  ['day', t('a-day')],
  ['week', t('a-week')],
  ['month', t('a-month')],
];

/** @param {string} measure @param {number | null} most */
const limitText = (measure, most) =>
  most === null ? t('no-limit') : measure === 'time' ? t('minutes', { a: Math.round(most / 60) }) : money(most);

/** @param {HTMLElement} place */
async function drawLimits(place) {
  const told = await get('/api/me/limits');
  const lost = cents(told.lost_today);
  const today = {
    wagered_today: money(told.wagered_today),
    lost_today: money(Math.abs(lost)),
    c: Math.round(told.seconds_today / 60),
  };
  const measure = /** @type {HTMLSelectElement} */ (
    h(
      'select',
      null,
      MEASURES.map(([value, name]) => h('option', { value }, name)),
    )
  );
  const span = /** @type {HTMLSelectElement} */ (
    h(
      'select',
      null,
      SPANS.map(([value, name]) => h('option', { value }, name)),
    )
  );
  const most = /** @type {HTMLInputElement} */ (
    h('input', { inputmode: 'decimal', placeholder: t('empty-lifts-it'), size: 10 })
  );
  fill(
    place,
    told.excluded_until
      ? h('p', { class: 'wrong' }, t('self-excluded-until', { excluded_until: when(told.excluded_until) }))
      : null,
    h(
      'p',
      { class: 'dim small' },
      lost < 0 ? t('today-wagered-won-minutes-at-tables', today) : t('today-wagered-lost-minutes-at-tables', today),
    ),
    told.limits.length
      ? grid(
          [t('limit'), `#${t('at-most')}`, t('later')],
          told.limits.map((l) => [
            [new Map(MEASURES).get(l.measure), new Map(SPANS).get(l.span)].join(', '),
            limitText(l.measure, l.most ?? null),
            l.later_from
              ? t('from', { measure: limitText(l.measure, l.later ?? null), later_from: when(l.later_from) })
              : '',
          ]),
          t('your-limits'),
        )
      : h('p', null, t('you-have-set-none')),
    h(
      'form',
      {
        class: 'row gap',
        onsubmit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          const amount =
            most.value.trim() === ''
              ? null
              : measure.value === 'time'
                ? Math.round(Number(most.value) * 60)
                : typed(most.value);
          try {
            await ask('PUT', '/api/me/limits', {
              id: freshId(),
              measure: /** @type {Schemas['MeasureName']} */ (measure.value),
              span: /** @type {Schemas['SpanName']} */ (span.value),
              most: amount,
            });
            toast(t('a-tighter-limit-counts-at-once-a'));
            await drawLimits(place);
          } catch (error) {
            complain(error);
          }
        },
      },
      field(t('limit'), measure),
      field(t('period'), span),
      field(t('at-most-chips-or-minutes'), most),
      h('button', { class: 'act' }, t('set')),
    ),
  );
}

/** @param {HTMLElement} limits */
function exclusion(limits) {
  const days = /** @type {HTMLInputElement} */ (h('input', { type: 'number', min: 1, max: 36500, value: 30 }));
  const sure = /** @type {HTMLInputElement} */ (h('input', { type: 'checkbox', required: true }));
  return h(
    'section',
    { class: 'panel pad stack-y' },
    h('h2', null, t('self-exclusion')),
    h('p', { class: 'small dim' }, t('from-now-on-you-can-neither-wager')),
    h(
      'form',
      {
        class: 'stack-y',
        onsubmit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          try {
            await post('/api/me/exclusion', { id: freshId(), days: Number(days.value) });
            toast(t('you-are-excluded'));
            await drawLimits(limits);
          } catch (error) {
            complain(error);
          }
        },
      },
      field(t('days'), days),
      h('label', { class: 'tick' }, sure, t('i-understand-that-this-cannot-be-undone')),
      h('button', { class: 'act danger' }, t('exclude-me')),
    ),
  );
}

/** @param {HTMLElement} place */
async function drawStatement(place) {
  /** @type {Schemas['StatementLine'][]} */
  let lines = [];
  const more = async (/** @type {number | null} */ cursor) => {
    const page = await get(`/api/me/statement?limit=50${cursor ? `&cursor=${cursor}` : ''}`);
    lines = [...lines, ...page.items];
    fill(
      place,
      lines.length
        ? grid(
            [t('record'), t('when'), t('what'), t('round'), `#${t('before')}`, `#${t('amount')}`, `#${t('after')}`],
            lines.map((l) => [
              l.seq,
              when(l.at),
              title(l.kind),
              l.round ? h('a', { href: `/round/${l.table}/${l.round}` }, `${l.table}-${l.round}`) : '',
              money(l.before),
              signed(l.amount),
              money(l.after),
            ]),
            t('statement'),
          )
        : h('p', { class: 'pad dim' }, t('nothing-has-moved-yet')),
      h(
        'p',
        { class: 'pad actions' },
        page.next ? h('button', { class: 'act', onclick: () => more(page.next ?? null) }, t('more')) : null,
        h(
          'button',
          {
            class: 'act',
            onclick: () =>
              download(
                'statement.csv',
                csv([
                  ['seq', 'at', 'kind', 'table', 'round', 'before', 'amount', 'after'],
                  ...lines.map((l) => [l.seq, l.at, l.kind, l.table, l.round, l.before, l.amount, l.after]),
                ]),
                'text/csv',
              ),
          },
          'CSV',
        ),
      ),
    );
  };
  await more(null);
}
