// The atlas: the house edges of every preset with its common options, solved before the program was built
// (`browser/atlas`). The lab shows such an edge at once while the solver computes the other figures.

import { t } from '../shared/words.js';

/** @typedef {import('./workbench-explore.js').Row} Row */

/** Splits a line of CSV into cells; a quoted cell may contain commas. @param {string} line */
const cells = (line) =>
  Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, bare]) =>
    quoted === undefined ? bare : quoted.replaceAll('""', '"'),
  );

/** Parses a cell: a number or boolean if it reads as one, otherwise text. @param {string} text */
function typed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the tables in an atlas file. @param {string} text @returns {Row[]} */
export function tables(text) {
  if (text.trimStart().startsWith('{'))
    return JSON.parse(text).tables.filter((/** @type {Row} */ one) => typeof one.house_edge === 'number');
  const [head, ...lines] = text.split(/\r?\n/).filter(Boolean);
  const names = cells(head);
  const at = names.indexOf('house_edge');
  if (at < 0) throw new Error(t('atlas.invalid'));
  return lines.map((line) => {
    const row = cells(line);
    const sides = names.slice(at + 2).filter((name) => name !== 'breaks');
    return {
      set: Object.fromEntries(names.slice(0, at).map((name, nth) => [name, typed(row[nth])])),
      house_edge: Number(row[at]),
      ...(row[at + 1] ? { std_dev: Number(row[at + 1]) } : {}),
      side_wagers: Object.fromEntries(sides.map((name, nth) => [name, Number(row[at + 2 + nth])])),
    };
  });
}

/** The files fetched so far. @type {Map<string, Promise<Row[]>>} */
const fetched = new Map();

/** Returns the tables of a preset's atlas; none if it cannot be fetched. @param {string} preset */
export function atlasOf(preset) {
  const known = fetched.get(preset);
  if (known) return known;
  const rows = fetch(new URL(`../atlas/${preset}.csv`, import.meta.url))
    .then(async (answer) => (answer.ok ? tables(await answer.text()) : []))
    .catch(() => []);
  fetched.set(preset, rows);
  return rows;
}

/**
 * Returns the house edge that the atlas has for a table, or `null`: it knows a preset with changes of the options that
 * it varies. Side bets do not change the main game.
 * @param {string} preset @param {Map<string, string>} sets the changes @param {Record<string, unknown>} values all options
 * @returns {Promise<number | null>}
 */
export async function edgeInAtlas(preset, sets, values) {
  const rows = await atlasOf(preset);
  const varied = Object.keys(rows[0]?.set ?? {});
  const changes = [...sets.keys()].filter((key) => !key.startsWith('side_wagers.'));
  if (!changes.every((key) => varied.includes(key))) return null;
  return rows.find(({ set }) => varied.every((key) => set[key] === values[key]))?.house_edge ?? null;
}
