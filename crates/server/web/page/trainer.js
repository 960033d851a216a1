// Whole rounds at a training table of one's own, with the coach: exact values on request, what the best play was and what
// the choice cost, and the session's accuracy. Chips here are worth nothing and nothing is recorded.

import { TablePage } from './table.js';
import { ask, beSomebody, get, post } from './net.js';
import { valueTable } from './train.js';
import { complain, field, fill, go, h, percent, readdress, say, signed, tableName, title, toast } from './ui.js';

/** What a verdict is about, for more than one at a time. */
const ABOUT = /** @type {Record<string, string>} */ ({
  hand: 'The hand',
  switch: 'The switch',
  attack: 'The attack',
  insurance: 'Insurance',
});

/** The order in which the first cards of a round come. */
const ORDERS = /** @type {Record<string, string>} */ ({
  blackjack: 'your first, the dealer’s, your second',
  switch: 'first of either hand, the dealer’s, second of either hand',
  'double-attack': 'the dealer’s, your first, your second',
  'triple-attack': 'your first, the dealer’s, your second',
});

/** @param {HTMLElement} main @param {any} known @param {URLSearchParams} query */
export async function show(main, known, query) {
  await beSomebody();
  const preset = known.presets.some((/** @type {any} */ p) => p.name === query.get('table'))
    ? String(query.get('table'))
    : 'nj-blackjack';
  const set = query.getAll('set');
  const [view, check] = await Promise.all([
    post('/api/training', { rules: preset, set }),
    post('/api/lab/check', { table: preset, set }),
  ]);
  const { values } = check;
  const card = {
    name: preset,
    game: values.game,
    variation: values.variation ?? 'standard',
    decks: values.decks,
    positions: 1,
    minimum: values.minimum,
    maximum: values.maximum,
    chip: values.chip,
    bettors_per_box: 1,
    boxes_per_player: 1,
    dealing: 'training',
    rules: check.file,
    absent_rule: '',
    side_wagers: Object.fromEntries(
      check.layout.paytables.map((/** @type {any} */ p) => [p.wager, { minimum: p.minimum, maximum: p.maximum }]),
    ),
  };
  let version = 1;
  const score = { decisions: 0, right: 0, cost: 0 };
  const words = h(
    'div',
    { class: 'coach-words', role: 'status' },
    h('p', { class: 'dim' }, 'The coach speaks when asked, and after each choice.'),
  );
  const facts = h('dl', { class: 'facts score' });
  const result = h('p', { class: 'small dim' });
  const drawScore = () =>
    fill(
      facts,
      h('dt', null, 'Choices'),
      h('dd', { 'data-choices': score.decisions }, score.decisions),
      h('dt', null, 'Accuracy'),
      h('dd', null, score.decisions ? percent(score.right / score.decisions, 1) : '–'),
      h('dt', null, 'Cost'),
      h('dd', null, percent(score.cost, 2)),
    );

  /** @param {{ action: string, ev: number }[]} list @param {string} heading */
  const table = (list, heading) => (list.length ? [h('h3', null, heading), valueTable(list, heading)] : []);

  const askCoach = async () => {
    fill(words, h('p', { class: 'dim' }, 'Working it out…'));
    try {
      const told = await get('/api/training/coach');
      const parts = [
        ...table(told.attack, 'Attack'),
        ...table(told.switch, 'Switch'),
        ...table(told.actions, 'This hand'),
        ...table(told.other_actions, 'The other hand'),
      ];
      fill(
        words,
        parts,
        told.insurance !== null
          ? h(
              'p',
              null,
              `Insurance: ${told.insurance >= 0 ? '+' : '−'}${Math.abs(told.insurance).toFixed(5)} for each unit`,
            )
          : null,
        told.even_money !== null ? h('p', null, `Even money: ${told.even_money.toFixed(5)}`) : null,
      );
      say(told.actions[0] ? `Best: ${told.actions[0].action}` : '');
    } catch (error) {
      fill(words, h('p', { class: 'dim' }, /** @type {any} */ (error).message));
    }
  };

  /** @param {import('./table.js').Hears} hears @returns {import('./table.js').Line} */
  const connect = (hears) => {
    const tell = (/** @type {any} */ told) => {
      version += 1;
      hears.view({ ...told, version, deadline_ms: null });
    };
    queueMicrotask(() => {
      hears.state(true);
      tell({ ...view, events: view.events ?? [] });
    });
    return {
      async act(action) {
        const told = await post('/api/training/actions', { ...action, coach: true });
        if (told.coach.length) {
          const lines = told.coach.map((/** @type {any} */ verdict) => {
            const right = verdict.cost < 1e-9;
            score.decisions += 1;
            score.cost += verdict.cost;
            if (right) score.right += 1;
            const text = right
              ? `Right: ${title(verdict.chosen)}.`
              : `${title(verdict.best)} was best. ${title(verdict.chosen)} costs ${percent(verdict.cost, 2)} of the wager.`;
            return h(
              'p',
              {
                class: `status ${right ? 'ok' : 'wrong'}`,
                'data-about': verdict.about,
                'data-verdict': right ? 'right' : 'wrong',
              },
              told.coach.length > 1 ? h('small', { class: 'dim' }, `${ABOUT[verdict.about]} `) : null,
              text,
            );
          });
          fill(words, lines);
          fill(page.bar.note, lines.map((/** @type {HTMLElement} */ line) => line.textContent).join(' '));
          page.bar.note.className = `note ${told.coach.every((/** @type {any} */ v) => v.cost < 1e-9) ? 'ok' : 'wrong'}`;
          say(lines.map((/** @type {HTMLElement} */ line) => line.textContent).join(' '));
          drawScore();
        }
        if (told.awaiting.what === 'wagers') fill(result, `Won so far: ${signed(told.won)} training chips`);
        tell(told);
        return told;
      },
      close() {},
    };
  };
  const next = /** @type {HTMLInputElement} */ (
    h('input', {
      name: 'cards',
      value: query.get('cards') ?? '',
      placeholder: 'As Ah Kd',
      maxlength: 400,
      autocomplete: 'off',
      spellcheck: 'false',
    })
  );
  const arrange = async () => {
    await ask('PUT', '/api/training/cards', { cards: next.value });
    const again = new URLSearchParams([['play', '1'], ['table', preset], ...set.map((text) => ['set', text])]);
    if (next.value) again.set('cards', next.value);
    readdress(`/train?${again}`);
  };
  if (next.value) await arrange().catch(complain);
  const page = new TablePage(0, card, check.layout, view, connect);
  document.title = 'Training · Cutcard';
  main.className = 'wide';
  const pick = h(
    'select',
    { onchange: (/** @type {any} */ event) => go(`/train?play=1&table=${event.target.value}`) },
    known.presets.map((/** @type {any} */ p) =>
      h('option', { value: p.name, selected: p.name === preset }, tableName(p.name)),
    ),
  );
  fill(main, page.element);
  fill(
    /** @type {HTMLElement} */ (page.coach),
    h(
      'div',
      { class: 'stack-y' },
      field('Table', pick),
      facts,
      result,
      h('button', { class: 'act', type: 'button', 'data-act': 'coach', onclick: askCoach }, 'Ask the coach'),
      words,
      h(
        'form',
        {
          class: 'stack-y',
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            arrange().then(() => toast('These cards come next.'), complain);
          },
        },
        field('Cards that come next', next, `In this order: ${ORDERS[card.game]}, and so on. The address keeps them.`),
        h('button', { class: 'act', 'data-act': 'arrange' }, 'Arrange'),
      ),
      h('p', null, h('a', { href: `/train?table=${preset}` }, 'Drills on chosen hands')),
    ),
  );
  drawScore();
  page.start();
  return () => page.stop();
}
