// The account page: balance, statement, personal limits and self-exclusion.

import { passwordForm } from './entry.js';
import { factorForm } from './factor.js';
import { ask, get, me, playsForNothing, post, purse, refreshMe } from '../shared/net.js';
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
  toast,
  typed,
  when,
} from '../shared/ui.js';
import { rich, t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Me} Me */
/** @typedef {import('../../../browser/types').Schemas} Schemas */

/** @param {HTMLElement} main */
export async function show(main) {
  const who = me() ?? (await refreshMe());
  if (!who) throw Object.assign(new Error('sign in first'), { status: 401 });
  const out = h('button', { class: 'act', onclick: () => dispatchEvent(new Event('sign-out')) }, t('account.sign_out'));
  const head = h(
    'section',
    { class: 'panel pad row account-head' },
    h(
      'div',
      null,
      h('h1', null, who.guest ? t('account.guest') : who.name),
      h('p', { class: 'dim' }, who.guest ? t('account.play_chips.title') : term('role', who.role)),
    ),
    who.role === 'player'
      ? h(
          'div',
          { class: 'big-balance' },
          playsForNothing()
            ? rich('account.play_chips.amount', { amount: h('b', null, money(purse())) })
            : rich('account.chips.amount', { amount: h('b', null, money(purse())) }),
        )
      : null,
    who.role === 'player' && !who.guest ? whichChips(who) : null,
    playsForNothing() ? h('button', { class: 'act', onclick: refill }, t('account.play_chips.refill')) : null,
    who.guest ? h('a', { class: 'act', href: '/sign-in' }, t('account.sign_in_or_register')) : out,
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
        h('div', { class: 'panel-head' }, h('h2', null, t('account.limits.title'))),
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
        h('h2', null, t('account.statement.label')),
        h('p', { class: 'dim' }, t('account.statement.intro')),
      ),
      statement,
    ),
  );
  await Promise.all([drawLimits(limits), drawStatement(statement)]);
  return undefined;
}

/** Builds the choice between cage chips and play chips. @param {Me} who */
const whichChips = (who) =>
  h(
    'fieldset',
    { class: 'choices' },
    h('legend', null, t('account.balance.choice')),
    /** @type {['cash' | 'play', string][]} */ ([
      ['cash', t('account.balance.chips', { amount: money(who.cash) })],
      ['play', t('account.balance.play_chips', { amount: money(who.play) })],
    ]).map(([chips, words]) =>
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

/** What a limit applies to, and over which period. @type {[string, string][]} */
const MEASURES = [
  ['loss', t('limit.measure.loss')],
  ['wager', t('limit.measure.bets')],
  ['time', t('limit.measure.time')],
];
/** @type {[string, string][]} */
const SPANS = [
  ['day', t('limit.period.day')],
  ['week', t('limit.period.week')],
  ['month', t('limit.period.month')],
];

/** @param {string} measure @param {number | null} most */
const limitText = (measure, most) =>
  most === null
    ? t('limit.none')
    : measure === 'time'
      ? t('unit.minutes', { count: Math.round(most / 60) })
      : money(most);

/** @param {HTMLElement} place */
async function drawLimits(place) {
  const told = await get('/api/me/limits');
  const lost = cents(told.lost_today);
  const today = {
    bet: money(told.wagered_today),
    [lost < 0 ? 'won' : 'lost']: money(Math.abs(lost)),
    minutes: Math.round(told.seconds_today / 60),
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
    h('input', { inputmode: 'decimal', placeholder: t('limit.amount.hint'), size: 10 })
  );
  fill(
    place,
    told.excluded_until ? h('p', { class: 'wrong' }, t('exclusion.until', { date: when(told.excluded_until) })) : null,
    h('p', { class: 'dim small' }, lost < 0 ? t('limit.today.won', today) : t('limit.today.lost', today)),
    told.limits.length
      ? grid(
          [t('limit.name'), `#${t('limit.max.text')}`, t('limit.pending.label')],
          told.limits.map((l) => [
            t('limit.row', {
              measure: new Map(MEASURES).get(l.measure) ?? l.measure,
              period: new Map(SPANS).get(l.span) ?? l.span,
            }),
            limitText(l.measure, l.most ?? null),
            l.later_from
              ? t('limit.pending.value', { limit: limitText(l.measure, l.later ?? null), date: when(l.later_from) })
              : '',
          ]),
          t('limit.yours.label'),
        )
      : h('p', null, t('limit.yours.none')),
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
            toast(t('limit.timing'));
            await drawLimits(place);
          } catch (error) {
            complain(error);
          }
        },
      },
      field(t('limit.name'), measure),
      field(t('limit.period.label'), span),
      field(t('limit.max.label'), most),
      h('button', { class: 'act' }, t('limit.set')),
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
    h('h2', null, t('exclusion.title')),
    h('p', { class: 'small dim' }, t('exclusion.terms')),
    h(
      'form',
      {
        class: 'stack-y',
        onsubmit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          try {
            await post('/api/me/exclusion', { id: freshId(), days: Number(days.value) });
            toast(t('exclusion.done'));
            await drawLimits(limits);
          } catch (error) {
            complain(error);
          }
        },
      },
      field(t('exclusion.days'), days),
      h('label', { class: 'tick' }, sure, t('exclusion.confirm')),
      h('button', { class: 'act danger' }, t('exclusion.submit')),
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
            [
              t('record.number'),
              t('record.when'),
              t('record.what'),
              t('record.round'),
              `#${t('record.before')}`,
              `#${t('record.amount')}`,
              `#${t('record.after')}`,
            ],
            lines.map((l) => [
              l.seq,
              when(l.at),
              term('record', l.kind),
              l.round ? h('a', { href: `/round/${l.table}/${l.round}` }, `${l.table}-${l.round}`) : '',
              money(l.before),
              signed(l.amount),
              money(l.after),
            ]),
            t('account.statement.label'),
          )
        : h('p', { class: 'pad dim' }, t('account.statement.empty')),
      h(
        'p',
        { class: 'pad actions' },
        page.next ? h('button', { class: 'act', onclick: () => more(page.next ?? null) }, t('action.more')) : null,
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
