// Journal records in words: what every kind of record did, and whose chips it moved.

import { inWords } from './happened.js';
import { cents, h, money, signed } from '../shared/ui.js';
import { t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */

/** Describes what a record did, whether or not it moved chips. @param {Schemas['RecordView']} record */
export function told(record) {
  /** @type {Record<string, any>} */
  const event = record.event ?? {};
  const who = record.name ?? t('filter.house');
  const name = record.about ?? '–';
  const at = { table: record.table ?? event.table ?? 0 };
  switch (record.kind) {
    case 'significant':
      return inWords(record);
    case 'table':
      return record.legs.length ? t('journal.table.chips', at) : t('journal.table.play', at);
    case 'table-open':
      return t('journal.table.open', at);
    case 'joined':
      return event.was
        ? t('journal.joined.named', { before: event.was, name: event.name })
        : t('journal.joined.new', { name: event.name ?? name, role: term('role', event.role ?? 'player') });
    case 'guest-removed':
      return t('journal.guest_removed');
    case 'capital':
      return t('journal.capital');
    case 'buy-in':
      return t('journal.buy_in', { who, name, amount: money(event.amount) });
    case 'cash-out':
      return t('journal.cash_out', { who, name, amount: money(event.amount) });
    case 'cash-wager-called':
      return t('journal.cash_bet.called', { ...at, who, name, amount: money(event.amount) });
    case 'cash-wager-confirmed':
      return t('journal.cash_bet.confirmed', { ...at, name, amount: money(event.amount) });
    case 'refill':
      return t('journal.refill', { who });
    case 'limit':
      return t('journal.limit', { who });
    case 'exclusion':
      return t('journal.exclusion', { who });
    case 'register':
      return t('journal.register', {
        ...at,
        who,
        kind: term('record', event.kind ?? 'register'),
        clause: event.clause ?? '',
        text: event.text ?? '',
      });
    case 'rack-count':
      return t('journal.rack_count', { ...at, who, amount: money(event.total) });
    case 'people':
      return t('journal.people');
    case 'seal':
      return t('journal.seal');
    case 'taken-over':
      return t('journal.taken_over');
    case 'given-back':
      return t('journal.given_back');
    default:
      return t('journal.other', { kind: term('record', record.kind) });
  }
}

/** Names the holder of a journal account. @param {Schemas['LegView']} leg */
function holder(leg) {
  const [chips, who = '', id = ''] = leg.account.split(':');
  const name = leg.name ?? id;
  const held =
    /** @type {Record<string, string>} */ ({
      bank: t('ledger.bank'),
      outside: t('ledger.outside'),
      layout: t('ledger.layout', { table: id }),
      meter: t('ledger.meter', { id }),
      owed: t('ledger.owed', { name }),
      cashier: t('ledger.drawer', { name }),
    })[who] ??
    (name || term('holder', who));
  return chips === 'play' ? t('ledger.play_chips', { name: held }) : held;
}

/**
 * Lists what a record moved: one line per holder, players first, with the sum of all that each got or gave.
 * @param {Schemas['LegView'][]} legs
 */
export function transfers(legs) {
  /** @type {Map<string, { leg: Schemas['LegView'], sum: number }>} */
  const sums = new Map();
  for (const leg of legs) {
    const known = sums.get(leg.account);
    sums.set(leg.account, { leg, sum: (known?.sum ?? 0) + cents(leg.amount) });
  }
  const player = (/** @type {Schemas['LegView']} */ leg) => (leg.account.includes(':player:') ? 0 : 1);
  const lines = [...sums.values()].sort((a, b) => player(a.leg) - player(b.leg));
  return h(
    'ul',
    { class: 'legs' },
    lines.map(({ leg, sum }) =>
      h('li', null, h('span', null, holder(leg)), ' ', h('b', { class: 'num' }, signed(sum))),
    ),
  );
}
