// Explains why two tables differ: attributes the difference in house edge to single options, independently of their
// order. The parts add up.

import { change, jsonFile, panel, patient, takeAway, worded } from './workbench.js';
import { OPTIONS, valuesOf } from './workbench-sweep.js';
import { field, grid, h, optionName, percent, svg, tableName } from '../shared/ui.js';
import { listed, t } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */

/** Draws the steps from one house edge to the other, one for each option. @param {Schemas['CompareDocument']} told */
function waterfall(told) {
  const [width, line] = [640, 26];
  const steps = told.by_option;
  let at = told.a.house_edge;
  const levels = [at, ...steps.map((one) => (at += one.value))];
  const [least, most] = [Math.min(...levels), Math.max(...levels)];
  const room = Math.max(most - least, 1e-9);
  const x = (/** @type {number} */ edge) => 20 + ((edge - least) / room) * (width - 40);
  const high = (steps.length + 2) * line;
  const mark = (/** @type {number} */ edge, /** @type {number} */ nth, /** @type {string} */ kind) =>
    svg('circle', { cx: x(edge).toFixed(1), cy: (nth + 0.5) * line, r: 5, class: kind });
  return svg(
    'svg',
    { viewBox: `0 0 ${width} ${high}`, class: 'waterfall', role: 'img', 'aria-label': t('compare.waterfall') },
    mark(told.a.house_edge, 0, 'from'),
    ...steps.map((one, nth) => {
      const [a, b] = [x(levels[nth]), x(levels[nth + 1])];
      return svg('rect', {
        x: Math.min(a, b).toFixed(1),
        y: (nth + 1) * line + 5,
        width: Math.max(1.5, Math.abs(b - a)).toFixed(1),
        height: line - 10,
        class: one.value > 0 ? 'worse' : 'better',
      });
    }),
    mark(told.b.house_edge, steps.length + 1, 'to'),
  );
}

/** @param {Schemas['CompareDocument']} told @param {string} name */
function shown(told, name) {
  return [
    h(
      'div',
      { class: 'figures' },
      h(
        'div',
        { class: 'headline' },
        h('b', null, percent(told.a.house_edge, 4)),
        h('span', { class: 'dim' }, t('compare.this')),
      ),
      h(
        'div',
        { class: 'headline' },
        h('b', null, percent(told.b.house_edge, 4)),
        h('span', { class: 'dim' }, t('compare.other')),
      ),
      h(
        'div',
        { class: 'headline' },
        h('b', { 'data-difference': told.difference }, change(told.difference)),
        h('span', { class: 'dim' }, t('compare.difference')),
      ),
    ),
    told.by_option.length
      ? [
          waterfall(told),
          grid(
            [t('report.option'), t('compare.this'), t('compare.other'), `#${t('figures.options.change')}`],
            [
              ...told.by_option.map((one) => [
                optionName(one.option),
                worded(one.a),
                worded(one.b),
                h('span', { class: one.value > 0 ? 'wrong' : 'ok', 'data-part': one.value }, change(one.value, 6)),
              ]),
              [h('b', null, t('report.total')), '', '', h('b', null, change(told.difference, 6))],
            ],
            t('compare.parts'),
          ),
        ]
      : h('p', { class: 'dim' }, t('compare.none')),
    told.without_effect?.length
      ? h('p', { class: 'small dim' }, t('compare.no_effect', { options: listed(told.without_effect.map(optionName)) }))
      : null,
    takeAway([['JSON', () => jsonFile(`${name}-compared.json`, told)]]),
  ];
}

/** Options that would make it another game; the presets are for that. */
const OTHER_GAME = ['name', 'game', 'jurisdiction'];

/** @param {import('./workbench.js').LabView} lab */
export function view(lab) {
  const pick = /** @type {HTMLSelectElement} */ (
    h(
      'select',
      { name: 'b' },
      lab.known.presets.map((p) =>
        h('option', { value: p.name, selected: p.name === (lab.bench.b ?? lab.preset) }, tableName(p.name)),
      ),
    )
  );
  const asked = new Map(
    (lab.bench.bset ?? '').split(';').map((one) => /** @type {[string, string]} */ (one.split('='))),
  );
  const option = (/** @type {string} */ key, /** @type {string[]} */ values) =>
    /** @type {HTMLSelectElement} */ (
      h(
        'select',
        { name: `b.${key}`, 'data-option': key },
        h('option', { value: '' }, t('compare.as_preset')),
        values.map((word) => h('option', { value: word, selected: asked.get(key) === word }, worded(word))),
      )
    );
  const options = lab.known.keys.flatMap(({ key }) => {
    const values = OTHER_GAME.includes(key) ? [] : valuesOf(lab, key);
    return values.length ? [option(key, values)] : [];
  });
  const rulings = lab.known.rulings.map((ruling) => option(`rulings.${ruling.key}`, ruling.readings));
  const row = (/** @type {HTMLSelectElement} */ select) => field(optionName(select.dataset.option ?? ''), select);
  const moving = (/** @type {HTMLSelectElement} */ select) => OPTIONS.some(([key]) => key === select.dataset.option);
  const further = [...options.filter((one) => !moving(one)), ...rulings];
  const go = () => {
    const set = [...options, ...rulings]
      .filter((select) => select.value)
      .map((select) => `${select.dataset.option}=${select.value}`);
    lab.remember({ b: pick.value, bset: set.join(';') });
    answer(
      () => patient('/api/lab/compare', { a: lab.body(), b: { table: pick.value, set } }),
      (told) => shown(told, lab.preset),
    );
  };
  const { element, answer } = panel(
    t('lab.view.compare'),
    h('p', { class: 'dim no-print' }, t('compare.intro')),
    h(
      'form',
      {
        class: 'stack-y no-print',
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          go();
        },
      },
      field(t('compare.other'), pick),
      h(
        'fieldset',
        { class: 'picks' },
        h('legend', null, t('compare.options')),
        h('div', { class: 'fields' }, options.filter(moving).map(row)),
        h(
          'details',
          { open: further.some((select) => select.value) },
          h('summary', null, t('compare.further')),
          h('div', { class: 'fields' }, further.map(row)),
        ),
      ),
      h('p', { class: 'actions' }, h('button', { class: 'act primary' }, t('lab.view.compare'))),
    ),
  );
  if (lab.bench.b) go();
  return h('div', { class: 'bench' }, element);
}
