// Recomputes any shoe: each card clicked away changes every figure at once, for the main game, the side bets and a
// hand.

import { change, panel, patient } from './workbench.js';
import { cardElement } from '../shared/cards.js';
import { charts } from '../shared/charts.js';
import { cardWords, field, fill, grid, h, percent } from '../shared/ui.js';
import { number, refusal, t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */
/**
 * The value of a hand, or why it has none.
 * @typedef {{ best: string, refused?: string, code?: string, params?: Record<string, string> }} Outcome
 * @typedef {Partial<Schemas['ActionValues']> & Outcome} OfHand
 */

const RANKS = 'A23456789TJQK';
const SUITS = 'shdc';
const VALUES = 'A23456789T';

/** @param {import('./workbench.js').LabView} lab */
export function view(lab) {
  const values = lab.told.values;
  const decks = Number(values.decks);
  // Games without tens have none in their deck.
  const deck = lab.told.deck.split(' ');
  const cards = SUITS.split('').flatMap((suit) =>
    RANKS.split('')
      .map((rank) => rank + suit)
      .filter((card) => deck.includes(card)),
  );
  /** The removed cards, in the order of removal. @type {string[]} */
  const gone = (lab.bench.removed ?? '').split(' ').filter((card) => cards.includes(card));
  const left = (/** @type {string} */ card) => decks - gone.filter((one) => one === card).length;
  const input = (/** @type {string} */ name, /** @type {string} */ example) =>
    /** @type {HTMLInputElement} */ (
      h('input', { name, value: lab.bench[name] ?? '', placeholder: example, size: 9, oninput: () => soon() })
    );
  const two = lab.told.hands > 1;
  const [hand, hand2, up] = [input('hand', 'T 6'), input('hand2', '9 5'), input('up', 'T')];
  /** Figures of the full shoe. @type {Schemas['NextRoundDocument'] | null} */
  let full = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const back = /** @type {HTMLInputElement} */ (h('input', { type: 'checkbox', name: 'back' }));
  const buttons = new Map(
    cards.map((card) => {
      const badge = h('span', { class: 'left', 'aria-hidden': 'true' });
      const words = h('span', { class: 'sr' });
      const face = cardElement(card);
      face.setAttribute('aria-hidden', 'true');
      const button = /** @type {HTMLButtonElement} */ (
        h(
          'button',
          {
            class: 'taken-card',
            type: 'button',
            'data-card': card,
            onclick: (/** @type {MouseEvent} */ event) => press(card, back.checked || event.shiftKey),
            oncontextmenu: (/** @type {Event} */ event) => {
              event.preventDefault();
              press(card, true);
            },
          },
          face,
          badge,
          words,
        )
      );
      return [card, { button, badge, words }];
    }),
  );

  /** @param {string} card @param {boolean} puts put the card back instead of removing it */
  function press(card, puts) {
    if (puts) {
      const at = gone.lastIndexOf(card);
      if (at < 0) return;
      gone.splice(at, 1);
    } else {
      if (left(card) === 0) return;
      gone.push(card);
    }
    soon();
  }

  function draw() {
    for (const [card, { button, badge, words }] of buttons) {
      const n = left(card);
      badge.textContent = String(n);
      button.classList.toggle('out', n === 0);
      words.textContent = t('shoe_lab.card', { card: cardWords(card), count: n });
    }
    const sums = VALUES.split('').map((value) => {
      const same = cards.filter((card) => (value === 'T' ? 'TJQK'.includes(card[0]) : card[0] === value));
      return [value, same.reduce((all, card) => all + left(card), 0)];
    });
    fill(
      tally,
      h('b', null, t('shoe_lab.left', { count: sums.reduce((all, [, n]) => all + Number(n), 0) })),
      sums.map(([value, n]) => h('span', { 'data-value': value }, `${value} ${n}`)),
    );
  }

  /** Shows the figures of this shoe beside those of the full one. @param {Schemas['NextRoundDocument']} told */
  function figures(told) {
    /** @type {[string, string, number, number | undefined][]} */
    const rows = [[t('report.main_game'), 'main', told.main.house_edge, full?.main.house_edge]];
    for (const side of told.side_wagers) {
      const before = full?.side_wagers.find((one) => one.wager === side.wager);
      rows.push([term('bet', side.wager ?? ''), side.wager ?? '', side.house_edge, before?.house_edge]);
    }
    if (told.insurance)
      rows.push([t('action.insurance'), 'insurance', told.insurance.house_edge, full?.insurance?.house_edge]);
    return [
      h(
        'div',
        { class: 'now' },
        grid(
          [t('report.bet'), `#${t('shoe_lab.edge')}`, `#${t('shoe_lab.full')}`, `#${t('shoe_lab.player')}`],
          rows.map(([name, id, now, before]) => [
            name,
            h('b', { 'data-now': id, 'data-figure': now }, percent(now, 4)),
            before === undefined ? '' : percent(before, 4),
            before === undefined
              ? ''
              : h('span', { class: now > before ? 'wrong' : now < before ? 'ok' : 'dim' }, change(before - now)),
          ]),
          t('shoe_lab.next_round'),
        ),
      ),
      told.hand ? ofHand(/** @type {OfHand} */ (/** @type {unknown} */ (told.hand))) : null,
    ];
  }

  /** @param {OfHand} told */
  function ofHand(told) {
    if (told.refused) return h('p', { class: 'wrong', role: 'status' }, refusal(told, told.refused));
    const lists = [told.attack ?? [], told.switch ?? [], told.actions ?? [], told.other_actions ?? []].filter(
      (list) => list.length,
    );
    return h(
      'div',
      { class: 'stack-y', 'data-best': told.best },
      lists.map((list, nth) =>
        grid(
          [t('shoe_lab.action'), `#${t('shoe_lab.ev')}`],
          list.map((one) => [
            term('action', one.action),
            h('span', { 'data-ev': one.ev }, `${one.ev >= 0 ? '+' : ''}${number(one.ev, 5)}`),
          ]),
          `${t('shoe_lab.hand_ev')}${nth ? ` ${nth + 1}` : ''}`,
        ),
      ),
    );
  }

  const body = () => ({
    ...lab.body(),
    removed: gone.join(' '),
    hand: hand.value,
    hand2: two ? hand2.value : '',
    up: up.value,
  });

  function ask() {
    lab.remember({ removed: gone.join(' '), hand: hand.value, hand2: hand2.value, up: up.value });
    answer(async () => {
      full ??= await patient('/api/lab/shoe', lab.body());
      return patient('/api/lab/shoe', body());
    }, figures);
    if (chart.open) chartOf();
  }

  /** Renders every press at once, and asks the server when the clicks pause. */
  function soon() {
    draw();
    clearTimeout(timer);
    timer = setTimeout(ask, 120);
  }

  const chartBody = h('div', null);
  let turn = 0;
  async function chartOf() {
    const mine = ++turn;
    chartBody.setAttribute('aria-busy', 'true');
    if (!chartBody.children.length) fill(chartBody, h('p', { class: 'dim' }, t('lab.calculating')));
    try {
      const [now, before] = await Promise.all([
        patient('/api/lab/shoe/strategy', { ...lab.body(), removed: gone.join(' ') }),
        patient('/api/lab/strategy', lab.body()),
      ]);
      if (mine !== turn) return;
      fill(chartBody, charts(now, lab.body(), lab.preset));
      const was = before.charts.flatMap((c) => c.rows.flatMap((r) => r.cells));
      const is = now.charts.flatMap((c) => c.rows.flatMap((r) => r.cells));
      const boxes = Array.from(chartBody.querySelectorAll('.strategy tbody td'));
      let changed = 0;
      if (was.length === is.length)
        boxes.forEach((td, at) => {
          if (was[at].action === is[at].action) return;
          changed += 1;
          td.classList.add('changed');
        });
      chartBody.prepend(h('p', { 'data-changed': changed }, t('shoe_lab.changes', { count: changed })));
    } catch (error) {
      if (mine === turn) fill(chartBody, h('p', { class: 'wrong' }, /** @type {Error} */ (error).message));
    } finally {
      if (mine === turn) chartBody.removeAttribute('aria-busy');
    }
  }
  const chart = /** @type {HTMLDetailsElement} */ (
    h(
      'details',
      {
        class: 'panel pad',
        ontoggle: () => {
          if (chart.open) chartOf();
        },
      },
      h('summary', null, t('shoe_lab.strategy')),
      chartBody,
    )
  );

  const effects = panel(t('shoe_lab.removal.label'), h('p', { class: 'dim' }, t('shoe_lab.removal.hint')));
  effects.answer(
    () => patient('/api/lab/removal', lab.body()),
    (told) => {
      /** @type {[string, Record<string, number>][]} */
      const rows = [
        [t('report.main_game'), told.main],
        ...Object.entries(told.side_wagers).map(
          ([name, of]) => /** @type {[string, Record<string, number>]} */ ([term('bet', name), of]),
        ),
      ];
      if (told.insurance) rows.push([t('action.insurance'), told.insurance]);
      return grid(
        [t('report.bet'), ...VALUES.split('').map((value) => `#${value}`)],
        rows.map(([name, of]) => [
          name,
          ...VALUES.split('').map((value) =>
            of[value] === undefined ? '–' : `${of[value] > 0 ? '+' : ''}${number(100 * of[value], 4)}`,
          ),
        ]),
        t('shoe_lab.removal.label'),
      );
    },
  );

  const tally = h('p', { class: 'tally', role: 'status' });
  const stack = h(
    'div',
    { class: 'stack', role: 'group', 'aria-label': t('shoe_lab.cards') },
    Array.from(buttons.values(), ({ button }) => button),
  );
  stack.style.setProperty('--ranks', String(cards.length / SUITS.length));
  const { element, answer } = panel(
    t('lab.view.shoe'),
    h('p', { class: 'dim no-print' }, t('shoe_lab.intro')),
    stack,
    tally,
    h(
      'div',
      { class: 'row no-print' },
      h('label', { class: 'row' }, back, t('shoe_lab.put_back')),
      h(
        'button',
        {
          class: 'act',
          type: 'button',
          onclick: () => {
            gone.pop();
            soon();
          },
        },
        t('bet.undo'),
      ),
      h(
        'button',
        {
          class: 'act',
          type: 'button',
          onclick: () => {
            gone.length = 0;
            soon();
          },
        },
        t('shoe_lab.reset'),
      ),
      field(two ? t('shoe_lab.first_hand') : t('shoe_lab.hand'), hand),
      two ? field(t('shoe_lab.second_hand'), hand2) : null,
      field(t('shoe_lab.upcard'), up),
    ),
  );
  draw();
  ask();
  return h('div', { class: 'stack-y bench' }, element, chart, effects.element);
}
