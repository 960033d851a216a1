// The pace of a table: how long each thing that happened is looked at.

import { WAY_MS } from './motion.js';

/** @typedef {import('../../browser/types').Event} Event */

const PAUSES = /** @type {Record<string, number>} */ ({
  // A frame in which the table makes room for the cards.
  'wagers-closed': 34,
  dealt: 120,
  'hole-turned': 300,
  settled: 40,
  'next-dealer-hand': 500,
  switched: 320,
  revoked: 320,
  awarded: 500,
});

/** What nobody should learn before the card that it comes from can be seen. */
const TELLING = ['settled', 'hole-turned', 'next-dealer-hand', 'picked-up'];

/** How long what happened is looked at before the next thing happens. @param {Event} event @param {Event} [next] */
export const pauseAfter = (event, next) =>
  event.event === 'dealt' && TELLING.includes(next?.event ?? '') ? WAY_MS : (PAUSES[event.event] ?? 0);
