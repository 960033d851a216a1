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
  when,
} from './ui.js';

/** @param {HTMLElement} main */
export async function show(main) {
  const who = me() ?? (await refreshMe());
  if (!who) throw Object.assign(new Error('sign in first'), { status: 401 });
  const out = h('button', { class: 'act', onclick: () => dispatchEvent(new Event('sign-out')) }, 'Sign out');
  const head = h(
    'section',
    { class: 'panel pad row account-head' },
    h(
      'div',
      null,
      h('h1', null, who.guest ? 'Guest' : who.name),
      h('p', { class: 'dim' }, who.guest ? 'Play chips, worth nothing' : title(who.role)),
    ),
    who.role === 'player'
      ? h(
          'div',
          { class: 'big-balance' },
          h('b', null, money(purse())),
          h('span', { class: 'dim' }, playsForNothing() ? ' play chips' : ' chips'),
        )
      : null,
    who.role === 'player' && !who.guest ? whichChips(who) : null,
    playsForNothing() ? h('button', { class: 'act', onclick: refill }, 'Fill up play chips') : null,
    who.guest ? h('a', { class: 'act', href: '/sign-in' }, 'Sign in or join') : out,
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
      h('section', { class: 'panel' }, h('div', { class: 'panel-head' }, h('h2', null, 'Limits of your own')), limits),
      h('div', { class: 'stack-y' }, exclusion(limits), who.guest ? null : passwordForm('/account')),
    ),
    h(
      'section',
      { class: 'panel gap' },
      h(
        'div',
        { class: 'panel-head' },
        h('h2', null, 'Statement'),
        h('p', { class: 'dim' }, 'Every movement of your chips, newest first.'),
      ),
      statement,
    ),
  );
  await Promise.all([drawLimits(limits), drawStatement(statement)]);
  return undefined;
}

/** Which chips are wagered: those from the cashier or play chips. @param {any} who */
const whichChips = (who) =>
  h(
    'fieldset',
    { class: 'choices' },
    h('legend', null, 'You wager'),
    [
      ['cash', `chips from the cashier (${money(who.cash)})`],
      ['play', `play chips, worth nothing (${money(who.play)})`],
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

/** @param {string} measure @param {number | null} most */
const limitText = (measure, most) =>
  most === null ? 'none' : measure === 'time' ? `${Math.round(most / 60)} minutes` : money(most);

/** @param {HTMLElement} place */
async function drawLimits(place) {
  const told = await get('/api/me/limits');
  const measure = /** @type {HTMLSelectElement} */ (
    h(
      'select',
      null,
      [
        ['loss', 'Loss'],
        ['wager', 'Wagers'],
        ['time', 'Time at tables'],
      ].map(([value, name]) => h('option', { value }, name)),
    )
  );
  const span = /** @type {HTMLSelectElement} */ (
    h(
      'select',
      null,
      [
        ['day', 'a day'],
        ['week', 'a week'],
        ['month', 'a month'],
      ].map(([value, name]) => h('option', { value }, name)),
    )
  );
  const most = /** @type {HTMLInputElement} */ (
    h('input', { inputmode: 'decimal', placeholder: 'empty lifts it', size: 10 })
  );
  fill(
    place,
    told.excluded_until ? h('p', { class: 'wrong' }, `Self-excluded until ${when(told.excluded_until)}.`) : null,
    h(
      'p',
      { class: 'dim small' },
      `Today: wagered ${money(told.wagered_today)}, lost ${money(told.lost_today)}, ${Math.round(told.seconds_today / 60)} minutes at tables.`,
    ),
    told.limits.length
      ? grid(
          ['Limit', '#At most', 'Later'],
          told.limits.map((/** @type {any} */ l) => [
            `${title(l.measure)}, a ${l.span}`,
            limitText(l.measure, l.most),
            l.later_from ? `${limitText(l.measure, l.later)} from ${when(l.later_from)}` : '',
          ]),
          'Your limits',
        )
      : h('p', null, 'You have set none.'),
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
                : cents(most.value);
          try {
            await ask('PUT', '/api/me/limits', {
              id: freshId(),
              measure: measure.value,
              span: span.value,
              most: amount,
            });
            toast('A tighter limit counts at once, a looser one after 24 hours.');
            await drawLimits(place);
          } catch (error) {
            complain(error);
          }
        },
      },
      field('Limit', measure),
      field('In', span),
      field('At most (chips, or minutes)', most),
      h('button', { class: 'act' }, 'Set'),
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
    h('h2', null, 'Self-exclusion'),
    h(
      'p',
      { class: 'small dim' },
      'From now on you can neither wager nor buy chips. It can be lengthened, never shortened. Chips can always be cashed out.',
    ),
    h(
      'form',
      {
        class: 'stack-y',
        onsubmit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          try {
            await post('/api/me/exclusion', { id: freshId(), days: Number(days.value) });
            toast('You are excluded.');
            await drawLimits(limits);
          } catch (error) {
            complain(error);
          }
        },
      },
      field('Days', days),
      h('label', { class: 'row' }, sure, 'I understand that this cannot be undone.'),
      h('button', { class: 'act danger' }, 'Exclude me'),
    ),
  );
}

/** @param {HTMLElement} place */
async function drawStatement(place) {
  /** @type {any[]} */
  let lines = [];
  const more = async (/** @type {number | null} */ cursor) => {
    const page = await get(`/api/me/statement?limit=50${cursor ? `&cursor=${cursor}` : ''}`);
    lines = [...lines, ...page.items];
    fill(
      place,
      lines.length
        ? grid(
            ['Record', 'When', 'What', 'Round', '#Before', '#Amount', '#After'],
            lines.map((l) => [
              l.seq,
              when(l.at),
              title(l.kind),
              l.round ? h('a', { href: `/round/${l.table}/${l.round}` }, `${l.table}-${l.round}`) : '',
              money(l.before),
              signed(l.amount),
              money(l.after),
            ]),
            'Statement',
          )
        : h('p', { class: 'pad dim' }, 'Nothing has moved yet.'),
      h(
        'p',
        { class: 'pad actions' },
        page.next ? h('button', { class: 'act', onclick: () => more(page.next) }, 'More') : null,
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
