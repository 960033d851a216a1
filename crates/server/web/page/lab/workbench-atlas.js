// Explores the atlas of a preset, or an atlas file that `cutcard atlas` wrote, as JSON or CSV. The file never leaves the
// browser.

import { atlasOf, tables } from './atlas.js';
import { panel } from './workbench.js';
import { explore } from './workbench-explore.js';
import { fill, h, tableName } from '../shared/ui.js';
import { t } from '../shared/words.js';

/** @param {import('./workbench.js').LabView} lab */
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
  const intro = h('p', { class: 'dim' });
  const { element, body } = panel(
    t('lab.view.atlas'),
    intro,
    h(
      'details',
      { class: 'no-print' },
      h('summary', null, t('atlas.own')),
      h('p', { class: 'small' }, h('code', null, `cutcard atlas ${lab.preset} --format csv --out atlas.csv`)),
      h('p', null, input),
    ),
  );
  atlasOf(lab.preset).then((rows) => {
    fill(intro, t('atlas.intro', { count: rows.length, table: tableName(lab.preset) }));
    if (rows.length && !input.files?.length) fill(body, explore(rows, `${lab.preset}-atlas`, lab.open));
  });
  return h('div', { class: 'bench' }, element);
}
