// Significant events in words: who did what, where and why. What has no words of its own is told by its name and details.

import { WORDS } from './irregular.js';
import { cardWords, money, title } from './ui.js';
import { t } from './words.js';

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

/** @param {Schemas['RecordView']} record a record of a significant event */
export function inWords(record) {
  /** @type {{ what?: string, details?: Record<string, any> }} */
  const { what = '', details: told = {} } = record.event ?? {};
  const who = record.name ?? t('the-house');
  const where = told.table ? t('table-2', { table: told.table }) : t('the-house-2');
  const round = told.round ? t('round-at', { round: told.round, where }) : where;
  const asked = told.request ?? {};
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
      return t('made-an-account', { who, told: details({ ...told, person: null }) });
    case 'account-changed':
      return t('changed-an-account', { who, told: details({ ...told, person: null }) });
    case 'large-transaction':
      return t('of', { who, kind: told.kind, amount: money(told.amount) });
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
export const holder = (leg) => leg.name ?? title(String(leg.account).replaceAll('/', ' '));
