// Explores an atlas file that `cutcard atlas` wrote, as JSON or CSV. The file never leaves the browser.

import { panel } from './bench.js';
import { explore } from './bench-explore.js';
import { fill, h } from './ui.js';
import { t } from './words.js';

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

/** Returns the tables in an atlas file. @param {string} text @returns {import('./bench-explore.js').Row[]} */
export function tables(text) {
  if (text.trimStart().startsWith('{'))
    return JSON.parse(text).tables.filter(
      (/** @type {import('./bench-explore.js').Row} */ one) => typeof one.house_edge === 'number',
    );
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

/** @param {import('./bench.js').LabView} lab */
export function view(lab) {
  const input = /** @type {HTMLInputElement} */ (
    h('input', {
      type: 'file',
      accept: '.json,.csv',
      'aria-label': t('atlas.file'),
      onchange: async () => {
        const file = input.files?.[0];
        if (!file) return;
        try {
          const rows = tables(await file.text());
          fill(
            body,
            rows.length ? explore(rows, file.name.replace(/\.\w+$/, ''), lab.open) : h('p', null, t('sweep.none')),
          );
        } catch {
          fill(body, h('p', { class: 'wrong', role: 'alert' }, t('atlas.invalid')));
        }
      },
    })
  );
  const { element, body } = panel(
    t('lab.view.atlas'),
    h('p', { class: 'dim' }, t('atlas.intro')),
    h('p', { class: 'small' }, h('code', null, `cutcard atlas ${lab.preset} --format csv --out atlas.csv`)),
    h('p', { class: 'no-print' }, input),
  );
  return h('div', { class: 'bench' }, element);
}
