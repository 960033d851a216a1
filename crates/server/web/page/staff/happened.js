// Describes significant events: who did what, where and why.

import { whatIsAsked } from './requests.js';
import { cardWords, cents, money, percent, signed, when } from '../shared/ui.js';
import { listed, t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */

const seconds = (/** @type {number} */ ms) => `${Math.round((ms ?? 0) / 1000)} s`;

/** Describes what was changed about an account. @param {any} told */
function changes({ before = {}, after = {}, ...told }) {
  const [was, is] = [before.role, after.role];
  return [
    is && is !== was ? t('event.account.role', { before: term('role', was), after: term('role', is) }) : '',
    after.disabled === true && !before.disabled ? t('event.account.disabled') : '',
    after.disabled === false && before.disabled ? t('event.account.enabled') : '',
    told.unlock ? t('event.account.unlocked') : '',
    told.reset_password ? t('event.account.password') : '',
    told.remove_second_factor ? t('event.account.no_two_factor') : '',
    told.reason,
  ]
    .filter(Boolean)
    .join('; ');
}

/** @param {Schemas['RecordView']} record the record of a significant event */
export function inWords(record) {
  /** @type {{ what?: string, details?: Record<string, any> }} */
  const { what = '', details: told = {} } = record.event ?? {};
  const who = record.name ?? t('filter.house');
  const where = told.table ? t('place.table_number', { table: told.table }) : t('place.house');
  const round = told.round ? t('place.round', { round: told.round, place: where }) : where;
  const asked = told.request ?? {};
  const name = record.about ?? '–';
  const staked = String(told.amount ?? '').replace('-', '');
  switch (what) {
    case 'floor-called':
      return t('event.floor.called', {
        who,
        place: where,
        given: told.reason ? 'yes' : 'no',
        reason: told.reason ?? '',
      });
    case 'floor-answered':
      return t('event.floor.answered', { who, place: where, time: seconds(told.after_ms), reason: told.reason });
    case 'floor-arrived':
      return t('event.floor.arrived', { place: where, time: seconds(told.after_ms), reason: told.reason });
    case 'round-voided':
      return t('event.voided', {
        who,
        round,
        reason: asked.reason || (record.name ? t('event.no_reason') : t('event.out_of_cards')),
      });
    case 'card-corrected':
      return asked.card
        ? t('event.card_corrected.known', { who, round, card: cardWords(asked.card) })
        : t('event.card_corrected.hidden', { who, round });
    case 'dealer-changed':
      return t('event.dealer_changed', { who, round, name: told.before ?? '–' });
    case 'irregularity': {
      const name = term('irregularity', asked.irregularity ?? '');
      return t('event.reported.label', {
        who,
        round,
        name,
        card: asked.card ? cardWords(asked.card) : 'none',
        box: asked.box ?? 0,
      });
    }
    case 'reshuffle-ordered':
      return t('event.reshuffle', { who, place: where });
    case 'locked-out':
      return t('event.locked_out', { name: told.name, count: told.failures });
    case 'account-made':
      return t('event.account.created', {
        who,
        details: t('event.account.new', { name: told.name, role: term('role', told.role) }),
      });
    case 'account-changed':
      return record.about
        ? t('event.account.changed_of', { who, name: record.about, details: changes(told) })
        : t('event.account.changed', { who, details: changes(told) });
    case 'request-made':
      return t('event.request.made', { who, details: whatIsAsked(told) });
    case 'request-approved':
      return t('event.request.approved', { who, name: told.by ?? '–', details: whatIsAsked(told) });
    case 'request-declined':
      return t('event.request.declined', {
        who: told.by ?? '–',
        name: who,
        details: whatIsAsked(told),
        given: told.reason ? 'yes' : 'no',
        reason: told.reason ?? '',
      });
    case 'second-factor-set':
      return t('event.two_factor', { who });
    case 'program':
      return t('event.program.label', {
        version: told.version,
        replaced: told.before ? 'yes' : 'no',
        fingerprint: String(told.sha256).slice(0, 8),
      });
    case 'clock-confirmed':
      return t('event.clock.confirmed', {
        who,
        time: when(told.after),
        given: told.reason ? 'yes' : 'no',
        reason: told.reason ?? '',
      });
    case 'clock-unconfirmed':
      return t('event.clock.unconfirmed', { from: when(told.from), to: when(told.to) });
    case 'clock-in-doubt':
      return t('event.clock.wrong', { expected: when(told.expected), found: when(told.found) });
    case 'self-check-failed':
      return t('event.self_check.failed', { what: told.what });
    case 'self-check-passed':
      return t('event.self_check.passed', { before: told.before });
    case 'loss-accepted':
      return t('event.loss_accepted', { who: told.supervisor ?? who, reason: told.reason });
    case 'return-out-of-bounds':
      return t('event.return_out_of_range', {
        place: where,
        bet: told.wager === 'main' ? t('report.main_game') : term('bet', told.wager),
        actual: percent(told.actual, 2),
        expected: percent(told.theoretical, 2),
        count: Number(told.wagers),
      });
    case 'large-wager':
      return t('event.large_bet', { name, place: where, amount: money(staked) });
    case 'large-win':
      return t('event.large_win', { name, place: where, amount: money(told.amount) });
    case 'winnings-owed':
      return t('event.winnings_owed', { name, place: where, amount: money(staked) });
    case 'large-transaction':
      return t('event.transaction', { who, name, kind: term('record', told.kind), amount: money(told.amount) });
    case 'table-parked':
      return t('event.table_stopped', { place: where, reason: String(told.why ?? '') });
    case 'rules-of-table':
      return t('event.rules.loaded', { place: where });
    case 'rules-changed-without-notice':
      return t('event.rules.changed', {
        place: where,
        details: listed((told.notices_lacking ?? []).map((/** @type {any} */ one) => `${one.what} (${one.clause})`)),
      });
    default:
      return t('event.other', { who, event: term('record', what || record.kind) });
  }
}

/** Compares names without regard to case. @param {string | null | undefined} one @param {string} other */
export const sameName = (one, other) => (one ?? '').toLowerCase() === other.toLowerCase();

/**
 * Says what a record has to do with a person: they did it, their chips moved, or it is about them.
 * @param {Schemas['RecordView']} record @param {string} name the name searched for
 */
export function concerned(record, name) {
  const is = (/** @type {string | null | undefined} */ one) => sameName(one, name);
  const own = record.legs.filter((leg) => is(leg.name) && leg.account.includes(':player:'));
  const called = [record.name, record.about, ...record.legs.map((leg) => leg.name)].find(is) ?? name;
  const moved = ['cash', 'play'].map((chips) => own.filter((leg) => leg.account.startsWith(chips)));
  const [cash, play] = moved.map((legs) => legs.reduce((all, leg) => all + cents(leg.amount), 0));
  return [
    is(record.name) ? t('audit.about.by', { name: called }) : '',
    moved[0].length ? t('audit.about.chips', { name: called, change: signed(cash) }) : '',
    moved[1].length ? t('audit.about.play_chips', { name: called, change: signed(play) }) : '',
    is(record.about) && !is(record.name) && !own.length ? t('audit.about.mention', { name: called }) : '',
  ]
    .filter(Boolean)
    .join(' ');
}
