// Significant events in words: who did what, where and why. What has no words of its own is told by its name and details.

import { WORDS } from './irregular.js';
import { cardWords, money, title } from './ui.js';

const seconds = (/** @type {number} */ ms) => `${Math.round((ms ?? 0) / 1000)} s`;

/** Details that no sentence was made for. @param {any} told @returns {string} */
export const details = (told) =>
  Object.entries(told ?? {})
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([key, value]) => {
      const words = Array.isArray(value)
        ? value.map((one) => (typeof one === 'object' ? details(one) : one)).join(', ') || 'none'
        : typeof value === 'object'
          ? details(value)
          : value;
      return `${key.replaceAll('_', ' ')}: ${words}`;
    })
    .join(' · ');

/** @param {any} record a record of a significant event */
export function inWords(record) {
  const { what, details: told = {} } = record.event ?? {};
  const who = record.name ?? 'The house';
  const where = told.table ? `table ${told.table}` : 'the house';
  const round = told.round ? `round ${told.round} at ${where}` : where;
  const asked = told.request ?? {};
  switch (what) {
    case 'floor-called':
      return `${who} called the floor to ${where}${told.reason ? `: ${told.reason}` : ''}`;
    case 'floor-answered':
      return `${who} answered the call of ${where} after ${seconds(told.after_ms)}: ${told.reason}`;
    case 'floor-arrived':
      return `The floor was at ${where} ${seconds(told.after_ms)} after the call: ${told.reason}`;
    case 'round-voided':
      return `${who} declared ${round} void: ${asked.reason || (record.name ? 'no reason was given' : 'no card was left to finish it')}`;
    case 'card-corrected':
      return `${who} corrected the last card of ${round}: it was the ${asked.card ? cardWords(asked.card) : 'other one'}`;
    case 'irregularity': {
      const name = WORDS[asked.irregularity] ?? title(asked.irregularity ?? '');
      return `${who} reported in ${round}: ${name.charAt(0).toLowerCase()}${name.slice(1)}${asked.card ? `, the ${cardWords(asked.card)}` : ''}${asked.box ? `, box ${asked.box}` : ''}`;
    }
    case 'reshuffle-ordered':
      return `${who} ordered a reshuffle at ${where}`;
    case 'locked-out':
      return `${told.name} was locked out after ${told.failures} wrong passwords`;
    case 'account-made':
      return `${who} made an account: ${details(told)}`;
    case 'account-changed':
      return `${who} changed an account: ${details(told)}`;
    case 'large-transaction':
      return `${who}: ${told.kind} of ${money(told.amount)}`;
    case 'rules-of-table':
      return `The rules of ${where} were taken from the house file`;
    case 'rules-changed-without-notice':
      return `The rules of ${where} changed without notice: ${details({ lacking: told.notices_lacking })}`;
    default:
      return [`${title(what ?? record.kind)}${record.name ? `, ${record.name}` : ''}`, details(told)]
        .filter(Boolean)
        .join(': ');
  }
}

/** Whose chips an account of the journal holds. @param {any} leg */
export const holder = (leg) => leg.name ?? title(String(leg.account).replaceAll('/', ' '));
