// Deal a table yourself: the dealer console at a rehearsal table with simulated players. No account, no chips, no
// record.

import { Console } from './console.js';
import { beSomebody, get, me, post } from '../shared/net.js';
import { fill, go, h, pref, prefer, tableName } from '../shared/ui.js';
import { t } from '../shared/words.js';

/** @typedef {import('../../../browser/types').View} View */
/** @typedef {import('../../../browser/types').Asked<'/api/rehearsal/actions', 'post'>} Asked */

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

  /** @param {import('../play/table.js').Hears} hears @returns {import('./console.js').Rehearsed} */
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
  const example = dealt(desk);
  const pick = h(
    'select',
    {
      class: 'which-game',
      'aria-label': t('nav.table'),
      onchange: (/** @type {Event} */ event) =>
        go(`/rehearse?table=${/** @type {HTMLSelectElement} */ (event.target).value}`),
    },
    known.presets.map(({ name }) => h('option', { value: name, selected: name === preset }, tableName(name))),
  );
  main.className = 'wide';
  main.classList.add('rehearses');
  fill(
    main,
    h(
      'section',
      { class: 'panel pad row rehearsal' },
      h('span', null, t('rehearsal.intro'), ' ', t('rehearsal.guide')),
      example.button,
    ),
    desk.element,
  );
  desk.element.querySelector('.table-head h1')?.after(pick);
  desk.start();
  // A first-time visitor sees a round dealt before dealing one.
  if (!pref('rehearsed')) example.start();
  return () => {
    example.stop();
    desk.stop();
  };
}

/** How long each step of the example is shown. */
const STEP_MS = 900;

/**
 * Deals a round as an example: takes the console's own next steps until the round ends or the user presses anything.
 * @param {Console} desk
 */
function dealt(desk) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let running;
  const pressed = (/** @type {Event} */ event) => {
    // The stop button has its own listener.
    if (!(event.target instanceof Node && button.contains(event.target))) stop();
  };
  const stop = () => {
    clearInterval(running);
    running = undefined;
    button.removeAttribute('data-running');
    for (const press of ['pointerdown', 'keydown']) document.removeEventListener(press, pressed, true);
    fill(button, t('rehearsal.example'));
  };
  const step = () => {
    if (desk.unpaid || desk.model.ended) return stop();
    const next = ['[data-act="draw"]', '.primary']
      .map((which) => desk.next.querySelector(`${which}:not([aria-disabled])`))
      .find((found) => found instanceof HTMLElement);
    if (next instanceof HTMLElement) next.click();
    return undefined;
  };
  const start = () => {
    prefer('rehearsed', true);
    fill(button, t('rehearsal.stop'));
    button.setAttribute('data-running', '');
    desk.close();
    for (const press of ['pointerdown', 'keydown']) document.addEventListener(press, pressed, true);
    running = setInterval(step, STEP_MS);
  };
  const button = h(
    'button',
    { class: 'act', type: 'button', 'data-act': 'show-me', onclick: () => (running ? stop() : start()) },
    t('rehearsal.example'),
  );
  return { button, start, stop };
}
