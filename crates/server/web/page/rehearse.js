// Deal a table yourself: the dealer's console at a table of one's own, with made-up players. No account, no chips, no record.

import { Console } from './console.js';
import { beSomebody, get, me, post } from './net.js';
import { fill, go, h, tableName } from './ui.js';
import { t } from './words.js';

/** @typedef {import('../../browser/types').View} View */
/** @typedef {import('../../browser/types').Asked<'/api/rehearsal/actions', 'post'>} Asked */

/** @param {HTMLElement} main @param {string[]} _ @param {URLSearchParams} query */
export async function show(main, _, query) {
  await beSomebody();
  const known = await get('/api/lab');
  const preset = known.presets.some(({ name }) => name === query.get('table'))
    ? String(query.get('table'))
    : 'nj-blackjack';
  const [{ card, view }, { layout }] = await Promise.all([
    post('/api/rehearsal', { rules: preset }),
    post('/api/lab/check', { table: preset, set: [] }),
  ]);

  /** @param {import('./table.js').Hears} hears @returns {import('./console.js').Rehearsed} */
  const connect = (hears) => {
    const told = (/** @type {View} */ seen) => {
      hears.view(seen);
      return seen;
    };
    queueMicrotask(() => {
      hears.state(true);
      told(view);
    });
    return {
      act: async (action) => told(await post('/api/rehearsal/actions', /** @type {Asked} */ (action))),
      wager: async () => told(await post('/api/rehearsal/wagers')),
      close: () => undefined,
    };
  };
  const desk = new Console(0, card, layout, view, me()?.role ?? 'player', connect);
  const pick = h(
    'select',
    {
      class: 'which-game',
      'aria-label': t('table'),
      onchange: (/** @type {Event} */ event) =>
        go(`/rehearse?table=${/** @type {HTMLSelectElement} */ (event.target).value}`),
    },
    known.presets.map(({ name }) => h('option', { value: name, selected: name === preset }, tableName(name))),
  );
  main.className = 'wide';
  main.classList.add('rehearses');
  fill(
    main,
    h('section', { class: 'panel pad row rehearsal' }, h('span', null, t('you-are-the-dealer-and-the-floor'))),
    desk.element,
  );
  desk.element.querySelector('.table-head h1')?.after(pick);
  desk.start();
  return () => desk.stop();
}
