// The pace of a table: how long each event is shown before the next.

import { WAY_MS } from '../shared/motion.js';

/** @typedef {import('../../../browser/types').Event} Event */

const PAUSES = /** @type {Record<string, number>} */ ({
  // One frame in which the table makes room for the cards.
  'wagers-closed': 34,
  dealt: 120,
  'hole-turned': 300,
  settled: 40,
  'next-dealer-hand': 500,
  switched: 320,
  revoked: 320,
  awarded: 500,
});

/** Events that must not be shown before the card they result from is visible. */
const TELLING = ['settled', 'hole-turned', 'next-dealer-hand', 'picked-up'];

/** Returns how long an event is shown before the next one. @param {Event} event @param {Event} [next] */
export const pauseAfter = (event, next) =>
  event.event === 'dealt' && TELLING.includes(next?.event ?? '') ? WAY_MS : (PAUSES[event.event] ?? 0);
