// Whole rounds at a training table with a coach: exact values on request, the best play and the cost of the choice, and
// the session's accuracy. The chips have no value and nothing is recorded.

import { TablePage } from '../play/table.js';
import { ask, beSomebody, get, post } from '../shared/net.js';
import { valueTable } from '../shared/values.js';
import {
  complain,
  field,
  fill,
  go,
  h,
  percent,
  readdress,
  say,
  signed,
  tableName,
  toast,
  valueOf,
} from '../shared/ui.js';
import { number, t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */
/** @typedef {import('../../../browser/types').View} View */
/** @typedef {import('../../../browser/types').Asked<'/api/training/actions', 'post'>} Asked */

/** Labels of verdicts, for when there are several at a time. */
const ABOUT = /** @type {Record<string, string>} */ ({
  hand: t('coach.hand'),
  switch: t('coach.switch'),
  attack: t('coach.attack'),
  insurance: t('action.insurance'),
});

/** The order in which the first cards of a round are dealt. */
const ORDERS = /** @type {Record<string, string>} */ ({
  blackjack: t('arrange.order.blackjack'),
  switch: t('arrange.order.switch'),
  'double-attack': t('arrange.order.attack'),
  'triple-attack': t('arrange.order.blackjack'),
});

/** @param {HTMLElement} main @param {Schemas['LabKnown']} known @param {URLSearchParams} query */
export async function show(main, known, query) {
  await beSomebody();
  const preset = known.presets.some((p) => p.name === query.get('table')) ? String(query.get('table')) : 'nj-blackjack';
  const set = query.getAll('set');
  const [view, check] = await Promise.all([
    post('/api/training', { rules: preset, set }),
    post('/api/lab/check', { table: preset, set }),
  ]);
  // The table's own facts, for a single player.
  if (!view.card) throw new Error(t('error.unknown'));
  const card = {
    ...view.card,
    name: preset,
    positions: 1,
    bettors_per_box: 1,
    boxes_per_player: 1,
  };
  let version = 1;
  const score = { decisions: 0, right: 0, cost: 0 };
  const words = h('div', { class: 'coach-words', role: 'status' }, h('p', { class: 'dim' }, t('coach.intro')));
  const facts = h('dl', { class: 'facts score' });
  const result = h('p', { class: 'small dim' });
  const drawScore = () =>
    fill(
      facts,
      h('dt', null, t('analysis.decisions.label')),
      h('dd', { 'data-choices': score.decisions }, score.decisions),
      h('dt', null, t('analysis.accuracy')),
      h('dd', null, score.decisions ? percent(score.right / score.decisions, 1) : '–'),
      h('dt', null, t('coach.cost')),
      h('dd', null, percent(score.cost, 2)),
    );

  /** @param {{ action: string, ev: number }[]} list @param {string} heading */
  const table = (list, heading) => (list.length ? [h('h3', null, heading), valueTable(list, heading)] : []);

  const askCoach = async () => {
    fill(words, h('p', { class: 'dim' }, t('lab.calculating')));
    try {
      const told = await get('/api/training/coach');
      const parts = [
        ...table(told.attack ?? [], t('coach.attack_offer')),
        ...table(told.switch ?? [], t('action.switch')),
        ...table(told.actions ?? [], t('coach.this_hand')),
        ...table(told.other_actions ?? [], t('coach.other_hand')),
      ];
      fill(
        words,
        parts,
        typeof told.insurance === 'number'
          ? h(
              'p',
              null,
              t('coach.insurance', {
                sign: told.insurance >= 0 ? '+' : '−',
                ev: number(Math.abs(told.insurance), 5),
              }),
            )
          : null,
        typeof told.even_money === 'number'
          ? h('p', null, t('coach.even_money', { ev: number(told.even_money, 5) }))
          : null,
      );
      const [best] = told.actions ?? [];
      say(best ? t('coach.best', { action: term('action.inline', best.action) }) : '');
    } catch (error) {
      fill(words, h('p', { class: 'dim' }, /** @type {Error} */ (error).message));
    }
  };

  /** @param {import('../play/table.js').Hears} hears @returns {import('../play/table.js').Line} */
  const connect = (hears) => {
    const tell = (/** @type {Omit<View, 'version'>} */ told) => {
      version += 1;
      hears.view({ ...told, version, deadline_ms: null });
    };
    queueMicrotask(() => {
      hears.state(true);
      tell({ ...view, events: view.events ?? [] });
    });
    return {
      async act(action) {
        const { coach, ...told } = await post(
          '/api/training/actions',
          /** @type {Asked} */ ({ ...action, coach: true }),
        );
        if (!coach) fill(words, h('p', { class: 'dim' }, t('coach.late')));
        else if (coach.length) {
          const lines = coach.map((verdict) => {
            const right = verdict.cost < 1e-9;
            score.decisions += 1;
            score.cost += verdict.cost;
            if (right) score.right += 1;
            const text = right
              ? t('train.correct', { action: term('action', verdict.chosen) })
              : t('coach.mistake', {
                  best: term('action', verdict.best),
                  chosen: term('action', verdict.chosen),
                  cost: percent(verdict.cost, 2),
                });
            return h(
              'p',
              {
                class: `status ${right ? 'ok' : 'wrong'}`,
                'data-about': verdict.about,
                'data-verdict': right ? 'right' : 'wrong',
              },
              coach.length > 1 ? h('small', { class: 'dim' }, `${ABOUT[verdict.about]} `) : null,
              text,
            );
          });
          fill(words, lines);
          fill(page.bar.note, lines.map((/** @type {HTMLElement} */ line) => line.textContent).join(' '));
          page.bar.note.className = `note ${coach.every((v) => v.cost < 1e-9) ? 'ok' : 'wrong'}`;
          say(lines.map((/** @type {HTMLElement} */ line) => line.textContent).join(' '));
          drawScore();
        }
        if (told.awaiting.what === 'wagers') fill(result, t('coach.net', { amount: signed(told.won) }));
        tell(told);
        return {};
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
  const page = new TablePage(0, card, check.layout, { ...view, version, deadline_ms: null }, connect);
  document.title = t('train.page_title');
  main.className = 'wide';
  const pick = h(
    'select',
    { onchange: (/** @type {Event} */ event) => go(`/train?play=1&table=${valueOf(event)}`) },
    known.presets.map((p) => h('option', { value: p.name, selected: p.name === preset }, tableName(p.name))),
  );
  fill(main, page.element);
  fill(
    /** @type {HTMLElement} */ (page.coach),
    h(
      'div',
      { class: 'stack-y' },
      field(t('nav.table'), pick),
      facts,
      result,
      h('button', { class: 'act', type: 'button', 'data-act': 'coach', onclick: askCoach }, t('coach.ask')),
      words,
      h(
        'form',
        {
          class: 'stack-y',
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            arrange().then(() => toast(t('arrange.done')), complain);
          },
        },
        field(t('arrange.label'), next, t('arrange.hint', { order: ORDERS[card.game] ?? '' })),
        h('button', { class: 'act', 'data-act': 'arrange' }, t('arrange.submit')),
      ),
      h('p', null, h('a', { href: `/train?table=${preset}` }, t('train.to_drills'))),
    ),
  );
  drawScore();
  page.start();
  return () => page.stop();
}
