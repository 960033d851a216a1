// Significant events in words: who did what, where and why. What has no words of its own is told by its name and details.

import { WORDS } from './irregular.js';
import { cardWords, cents, money, percent, signed, title, when } from './ui.js';
import { number, t, term } from './words.js';

/** @typedef {import('../../browser/types').Schemas} Schemas */

const seconds = (/** @type {number} */ ms) => `${Math.round((ms ?? 0) / 1000)} s`;

/** Details that no sentence was made for. @param {any} told @returns {string} */
export const details = (told) =>
  Object.entries(told ?? {})
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([key, value]) => {
      const words = Array.isArray(value)
        ? value.map((one) => (typeof one === 'object' ? details(one) : one)).join(', ') || t('none-2')
        : typeof value === 'object'
          ? details(value)
          : value;
      return `${key.replaceAll('_', ' ')}: ${words}`;
    })
    .join(' · ');

/** What was changed about an account. @param {any} told */
function changes({ before = {}, after = {}, ...told }) {
  const [was, is] = [before.role, after.role];
  return [
    is && is !== was ? t('account-role-now', { before: term(was), after: term(is) }) : '',
    after.disabled === true && !before.disabled ? t('account-now-disabled') : '',
    after.disabled === false && before.disabled ? t('account-now-enabled') : '',
    told.unlock ? t('account-unlocked') : '',
    told.reset_password ? t('account-new-password') : '',
    told.remove_second_factor ? t('account-no-factor') : '',
    told.reason,
  ]
    .filter(Boolean)
    .join('; ');
}

/** @param {Schemas['RecordView']} record a record of a significant event */
export function inWords(record) {
  /** @type {{ what?: string, details?: Record<string, any> }} */
  const { what = '', details: told = {} } = record.event ?? {};
  const who = record.name ?? t('the-house');
  const where = told.table ? t('table-2', { table: told.table }) : t('the-house-2');
  const round = told.round ? t('round-at', { round: told.round, where }) : where;
  const asked = told.request ?? {};
  const name = record.about ?? '–';
  const staked = String(told.amount ?? '').replace('-', '');
  switch (what) {
    case 'floor-called':
      return t('called-the-floor-to', { who, where, c: told.reason ? `: ${told.reason}` : '' });
    case 'floor-answered':
      return t('answered-the-call-of-after', { who, where, after_ms: seconds(told.after_ms), reason: told.reason });
    case 'floor-arrived':
      return t('the-floor-was-at-after-the-call', { where, after_ms: seconds(told.after_ms), reason: told.reason });
    case 'round-voided':
      return t('declared-void', {
        who,
        round,
        c: asked.reason || (record.name ? t('no-reason-was-given') : t('no-card-was-left-to-finish-it')),
      });
    case 'card-corrected':
      return t('corrected-the-last-card-of-it-was', {
        who,
        round,
        c: asked.card ? cardWords(asked.card) : t('other-one'),
      });
    case 'irregularity': {
      const name = WORDS[asked.irregularity] ?? title(asked.irregularity ?? '');
      return t('reported-in', {
        who,
        round,
        c: name.charAt(0).toLowerCase(),
        d: name.slice(1),
        e: asked.card ? t('the', { card: cardWords(asked.card) }) : '',
        f: asked.box ? t('box-9', { box: asked.box }) : '',
      });
    }
    case 'reshuffle-ordered':
      return t('ordered-a-reshuffle-at', { who, where });
    case 'locked-out':
      return t('was-locked-out-after-wrong-passwords', { name: told.name, failures: told.failures });
    case 'account-made':
      return t('made-an-account', { who, told: t('account-of-role', { name: told.name, role: term(told.role) }) });
    case 'account-changed':
      return record.about
        ? t('changed-the-account-of', { who, name: record.about, told: changes(told) })
        : t('changed-an-account', { who, told: changes(told) });
    case 'second-factor-set':
      return t('second-factor-was-set', { who });
    case 'program':
      return t('program-recorded', {
        version: told.version,
        fresh: told.before ? t('program-was-another') : '',
        print: String(told.sha256).slice(0, 8),
      });
    case 'clock-confirmed':
      return t('clock-was-confirmed', { who, now: when(told.after), why: told.reason ? `: ${told.reason}` : '' });
    case 'clock-unconfirmed':
      return t('clock-was-closed', { from: when(told.from), to: when(told.to) });
    case 'clock-in-doubt':
      return t('clock-is-in-doubt', { expected: when(told.expected), found: when(told.found) });
    case 'loss-accepted':
      return t('loss-was-accepted', { who: told.supervisor ?? who, why: told.reason });
    case 'return-out-of-bounds':
      return t('return-is-out-of-bounds', {
        where,
        wager: term(told.wager),
        actual: percent(told.actual, 2),
        theoretical: percent(told.theoretical, 2),
        wagers: number(told.wagers),
      });
    case 'large-wager':
      return t('large-wager-at', { name, where, amount: money(staked) });
    case 'large-win':
      return t('large-win-at', { name, where, amount: money(told.amount) });
    case 'winnings-owed':
      return t('winnings-owed-at', { name, where, amount: money(staked) });
    case 'large-transaction':
      return t('of', { who, name, kind: term(told.kind), amount: money(told.amount) });
    case 'rules-of-table':
      return t('the-rules-of-were-taken-from-the', { where });
    case 'rules-changed-without-notice':
      return t('the-rules-of-changed-without-notice', { where, details: details({ lacking: told.notices_lacking }) });
    default:
      return [`${title(what ?? record.kind)}${record.name ? `, ${record.name}` : ''}`, details(told)]
        .filter(Boolean)
        .join(': ');
  }
}

/** Whose chips an account of the journal holds. @param {any} leg */
export function holder(leg) {
  const [chips, who = '', id = ''] = String(leg.account).split(':');
  const name = leg.name ?? id;
  const held =
    /** @type {Record<string, string>} */ ({
      bank: t('account-bank'),
      outside: t('account-outside'),
      layout: t('table-2', { table: id }),
      meter: t('account-meter', { id }),
      owed: t('account-owed', { name }),
      cashier: t('account-drawer', { name }),
    })[who] ??
    (name || title(who));
  return chips === 'play' ? t('account-play', { name: held }) : held;
}

/** Names that differ only in case are one. @param {string | null | undefined} one @param {string} other */
export const sameName = (one, other) => (one ?? '').toLowerCase() === other.toLowerCase();

/**
 * What a record has to do with somebody: they did it, their chips moved, it tells about them.
 * @param {Schemas['RecordView']} record @param {string} name as it was sought
 */
export function concerned(record, name) {
  const is = (/** @type {string | null | undefined} */ one) => sameName(one, name);
  const own = record.legs.filter((leg) => is(leg.name) && leg.account.includes(':player:'));
  const called = [record.name, record.about, ...record.legs.map((leg) => leg.name)].find(is) ?? name;
  const moved = ['cash', 'play'].map((chips) => own.filter((leg) => leg.account.startsWith(chips)));
  const [cash, play] = moved.map((legs) => legs.reduce((all, leg) => all + cents(leg.amount), 0));
  return [
    is(record.name) ? t('concerned-command', { name: called }) : '',
    moved[0].length ? t('concerned-chips', { name: called, change: signed(cash) }) : '',
    moved[1].length ? t('concerned-play-chips', { name: called, change: signed(play) }) : '',
    is(record.about) && !is(record.name) && !own.length ? t('concerned-mention', { name: called }) : '',
  ]
    .filter(Boolean)
    .join(' ');
}
