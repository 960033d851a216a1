// One's own table: with the rules of another, alone and without a clock.

import { beSomebody, post } from './net.js';
import { complain, go } from './ui.js';
import { awaited } from './wait.js';

/** The address of one's own table with the rules of this one; a house of several nodes has none, and sits one with others. @param {number} table */
export async function solo(table) {
  const own = await post(`/api/tables/${table}/solo`).catch(() => null);
  return `/table/${own?.table ?? table}`;
}

/** Opens one's own table. @param {number} table */
export const playSolo = (table) => async (/** @type {Event} */ event) => {
  event.preventDefault();
  try {
    await awaited(beSomebody());
    await go(await awaited(solo(table)));
  } catch (error) {
    complain(error);
  }
};
