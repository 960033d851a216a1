// Sweeps over every legal combination of chosen options: checkboxes, then all tables with their house edges to explore.

import { panel, patient, worded } from './workbench.js';
import { explore } from './workbench-explore.js';
import { field, h, optionName } from '../shared/ui.js';
import { t } from '../shared/words.js';

const EITHER = ['false', 'true'];
/**
 * Options that change the house edge, with their values where the table file defines none.
 * @type {[string, string[]][]}
 */
export const OPTIONS = [
  ['decks', ['1', '2', '3', '4', '5', '6', '7', '8']],
  ['hole_card', []],
  ['soft_17', []],
  ['surrender', EITHER],
  ['even_money', EITHER],
  ['split_hands', ['2', '3', '4']],
  ['resplit_aces', EITHER],
  ['double_after_split', EITHER],
];

/**
 * Keeps a table only if it has figures.
 * @param {import('../../../browser/types').Schemas['SweepDocument']['tables'][number]} table
 * @returns {import('./workbench-explore.js').Row[]}
 */
const solved = ({ house_edge, ...rest }) => (house_edge === undefined ? [] : [{ ...rest, house_edge }]);

/**
 * Returns the values that an option can be picked from, or none if it is a number or a list to type.
 * @param {import('./workbench.js').LabView} lab @param {string} key
 */
export function valuesOf(lab, key) {
  const given = OPTIONS.find(([option]) => option === key)?.[1] ?? [];
  if (given.length) return given;
  return (
    lab.known.keys.find((known) => known.key === key)?.words ??
    (typeof lab.told.values[key] === 'boolean' ? EITHER : [])
  );
}

/** Parses the options to vary from the address: `decks=6,8;soft_17=stand,hit`. @param {string} text */
function asked(text) {
  /** @type {Map<string, Set<string>>} */
  const all = new Map();
  for (const one of text.split(';').filter(Boolean)) {
    const [key, values] = one.split('=');
    all.set(key, new Set((values ?? '').split(',').filter(Boolean)));
  }
  return all;
}

/** @param {import('./workbench.js').LabView} lab */
export function view(lab) {
  const vary = asked(lab.bench.vary ?? 'decks=6,8');
  const within = /** @type {HTMLInputElement} */ (
    h('input', { name: 'within', value: lab.bench.within ?? '', placeholder: '0.35%..0.45%', size: 14 })
  );
  const spread = /** @type {HTMLInputElement} */ (h('input', { type: 'checkbox', name: 'spread' }));
  const many = h('span', { class: 'dim', role: 'status' });
  const count = () => {
    const sizes = Array.from(vary.values(), (values) => values.size).filter((size) => size > 0);
    many.textContent = t('sweep.combinations', { count: sizes.reduce((all, size) => all * size, 1) });
  };
  const boxes = OPTIONS.map(([key]) =>
    h(
      'fieldset',
      { class: 'vary' },
      h('legend', null, optionName(key)),
      valuesOf(lab, key).map((/** @type {string} */ word) =>
        h(
          'label',
          { class: 'row' },
          h('input', {
            type: 'checkbox',
            name: `${key}=${word}`,
            checked: vary.get(key)?.has(word) ?? false,
            onchange: (/** @type {Event} */ event) => {
              const values = vary.get(key) ?? new Set();
              if (/** @type {HTMLInputElement} */ (event.target).checked) values.add(word);
              else values.delete(word);
              vary.set(key, values);
              count();
            },
          }),
          worded(word),
        ),
      ),
    ),
  );
  const go = () => {
    const list = Array.from(vary, ([key, values]) => [key, Array.from(values).join(',')]).filter(([, text]) => text);
    const text = list.map(([key, values]) => `${key}=${values}`);
    lab.remember({ vary: text.join(';'), within: within.value });
    answer(
      () =>
        patient('/api/lab/sweep', {
          ...lab.body(),
          vary: text,
          within: within.value.trim() || null,
          spread: spread.checked,
        }),
      (told) =>
        told.tables.length
          ? explore(told.tables.flatMap(solved), `${lab.preset}-sweep`, lab.open)
          : h('p', { class: 'dim' }, t('sweep.none')),
    );
  };
  const form = h(
    'form',
    {
      class: 'stack-y no-print',
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        go();
      },
    },
    h('p', { class: 'dim' }, t('sweep.intro')),
    h('div', { class: 'varied' }, boxes),
    h(
      'div',
      { class: 'row' },
      field(t('sweep.filter'), within),
      h('label', { class: 'row' }, spread, t('sweep.std_dev')),
      h('button', { class: 'act primary' }, t('action.calculate')),
      many,
    ),
  );
  const { element, answer } = panel(t('lab.view.sweep'), form);
  count();
  if (lab.bench.vary) go();
  return h('div', { class: 'bench' }, element);
}
