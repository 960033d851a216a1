// A solo table: the rules of another table, for one player and without a clock.

import { beSomebody, post } from '../shared/net.js';
import { complain, go } from '../shared/ui.js';
import { awaited } from '../shared/wait.js';

/**
 * Returns the address of a solo table with the rules of this one. A house of several nodes has no solo tables, so the
 * player joins this table.
 * @param {number} table
 */
export async function solo(table) {
  const own = await post(`/api/tables/${table}/solo`).catch(() => null);
  return `/table/${own?.table ?? table}`;
}

/** Opens a solo table. @param {number} table */
export const playSolo = (table) => async (/** @type {Event} */ event) => {
  event.preventDefault();
  try {
    await awaited(beSomebody());
    await go(await awaited(solo(table)));
  } catch (error) {
    complain(error);
  }
};
