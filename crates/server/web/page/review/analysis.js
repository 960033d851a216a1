// Reviews my play after the fact, as chess players do: the exact cost of every choice against the best one, skill
// separated from luck, and the hand to practice again. The server computes it, and only for finished rounds.

import { get } from '../shared/net.js';
import { valueTable } from '../shared/values.js';
import { cents, decimal, fill, h, money, percent, signed, svg, when } from '../shared/ui.js';
import { number, rich, t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */

/** A choice that costs less than this counts as the best one. */
const RIGHT = 1e-9;

/** Formats a multiple of the bet with its sign. @param {number} units */
const wagers = (units) => `${units >= 0 ? '+' : '−'}${number(Math.abs(units), 3)}`;

/** Splits card codes into readable cards: "A♠", "7♦". @param {string} text */
const cards = (text) =>
  text
    .split(' ')
    .map((card) =>
      card.replace('T', '10').replace(/[shdc]$/, (suit) => ({ s: '♠', h: '♥', d: '♦', c: '♣' })[suit] ?? ''),
    );

/**
 * Returns the address that deals the same hand at a training table.
 * @param {{ preset: string }} card the table @param {Schemas['JudgedChoice']} choice
 */
export const practise = (card, choice) =>
  `/train?${new URLSearchParams({ play: '1', table: card.preset, cards: choice.dealt })}`;

/** @param {Schemas['JudgedChoice']} choice */
const right = (choice) => choice.cost < RIGHT;

/** Describes a choice and what it cost. @param {Schemas['JudgedChoice']} choice */
function sentence(choice) {
  const hand = cards(choice.hand).join(' ');
  const upcard = cards(choice.up ?? '').join(' ') || 'none';
  return right(choice)
    ? t('analysis.correct', {
        hand: hand || t('analysis.before_deal'),
        upcard,
        action: term('action.inline', choice.chosen),
      })
    : t('analysis.mistake', {
        hand: hand || t('analysis.before_deal'),
        upcard,
        best: term('action.inline', choice.best),
        action: term('action.inline', choice.chosen),
      });
}

/**
 * Shows my choices in one round.
 * @param {Schemas['TableCard']} card the table @param {number} round
 * @param {(step: number) => void} at jumps to a step of the round
 */
export async function ofRound(card, round, at) {
  const told = await get(`/api/tables/${card.table}/rounds/${round}/analysis`);
  const staked = cents(told.wager);
  if (!staked) return null;
  const chips = (/** @type {number} */ units) => money(decimal(Math.round(units * staked)));
  const fact = (/** @type {string} */ name, /** @type {import('../shared/ui.js').Child} */ value) => [
    h('dt', null, name),
    h('dd', null, value),
  ];
  const good = told.decisions.filter(right).length;
  return h(
    'section',
    { class: 'panel analysis', 'aria-label': t('analysis.title') },
    h('div', { class: 'panel-head' }, h('h2', null, t('analysis.title'))),
    h(
      'dl',
      { class: 'facts pad' },
      fact(t('result.label'), signed(told.net)),
      fact(
        t('analysis.decisions.label'),
        told.decisions.length
          ? t('analysis.correct_of', { correct: good, total: told.decisions.length })
          : t('analysis.decisions.none'),
      ),
      fact(t('analysis.cost.label'), h('b', { 'data-cost': told.cost.toFixed(6) }, chips(told.cost))),
      told.luck === null
        ? null
        : fact(t('analysis.luck'), `${told.luck >= 0 ? '+' : '−'}${chips(Math.abs(told.luck))}`),
    ),
    h(
      'ol',
      { class: 'choices-made' },
      told.decisions.map((choice) =>
        h(
          'li',
          { class: right(choice) ? 'ok' : 'wrong', 'data-about': choice.about, 'data-best': choice.best },
          h(
            'details',
            null,
            h(
              'summary',
              null,
              h('span', null, sentence(choice)),
              h('b', null, right(choice) ? '✓' : `−${money(Math.round(choice.cost * cents(choice.wager)))}`),
            ),
            choice.values.length ? valueTable(choice.values, t('analysis.values'), choice.chosen) : null,
            h(
              'p',
              { class: 'row small' },
              h('button', { class: 'act', type: 'button', onclick: () => at(choice.at) }, t('analysis.show')),
              choice.hand ? h('a', { class: 'act', href: practise(card, choice) }, t('analysis.practice')) : null,
            ),
          ),
        ),
      ),
      told.side_wagers.map((wager) =>
        h(
          'li',
          { class: 'dim' },
          wager.cost === null
            ? t('analysis.side_bet.label', { bet: term('bet', wager.wager), amount: money(wager.amount) })
            : t('analysis.side_bet.cost', {
                bet: term('bet', wager.wager),
                amount: money(wager.amount),
                cost: chips(wager.cost),
              }),
        ),
      ),
    ),
  );
}

/** Returns the tick values of a symmetric scale up to an amount: few, at round numbers. @param {number} most */
export function scale(most) {
  const power = 10 ** Math.floor(Math.log10(most / 2));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => most / n <= 2) ?? most;
  const many = Math.ceil(most / step);
  return Array.from({ length: 2 * many + 1 }, (_, at) => (at - many) * step);
}

/**
 * Draws two lines over some rounds: the actual result, and the expected result of the same bets and play.
 * @param {{ net: number, expected: number }[]} rounds oldest first
 */
function graph(rounds) {
  const [width, height, left, foot] = [640, 220, 76, 26];
  let [won, due] = [0, 0];
  const sums = [[0, 0], ...rounds.map((r) => [(won += r.net), (due += r.expected)])];
  const marks = scale(Math.max(...sums.flat().map(Math.abs), 100));
  const most = marks.at(-1) ?? 1;
  const x = (/** @type {number} */ at) => left + (at / Math.max(1, rounds.length)) * (width - left - 8);
  const y = (/** @type {number} */ sum) => (height - foot) / 2 - (sum / most) * ((height - foot) / 2 - 12);
  const line = (/** @type {number} */ which) =>
    sums.map((sum, at) => `${x(at).toFixed(1)} ${y(sum[which]).toFixed(1)}`).join('L');
  const text = (/** @type {string} */ words, /** @type {Record<string, unknown>} */ where) =>
    svg('text', { class: 'mark', ...where }, words);
  return h(
    'figure',
    { class: 'luck' },
    svg(
      'svg',
      {
        viewBox: `0 0 ${width} ${height}`,
        role: 'img',
        'aria-label': t('analysis.result', {
          result: signed(Math.round(won)),
          rounds: rounds.length,
          expected: signed(Math.round(due)),
        }),
      },
      ...marks.flatMap((sum) => [
        svg('path', { class: sum ? 'line' : 'zero', d: `M${left} ${y(sum).toFixed(1)}H${width}` }),
        text(sum ? signed(sum) : '0', { x: left - 8, y: y(sum) + 6, 'text-anchor': 'end' }),
      ]),
      text('0', { x: x(0), y: height - 4, 'text-anchor': 'start' }),
      text(t('round.count', { count: rounds.length }), { x: width, y: height - 4, 'text-anchor': 'end' }),
      svg('path', { class: 'due', d: `M${line(1)}` }),
      svg('path', { class: 'won', d: `M${line(0)}` }),
    ),
    h('figcaption', { class: 'small dim' }, t('analysis.chart.legend')),
  );
}

/**
 * Reviews my last rounds together.
 * @param {Schemas['PlayedRound'][]} items my rounds, newest first @param {HTMLElement} place
 */
export async function ofRounds(items, place) {
  /** @type {{ net: number, expected: number, edge: number, cost: number }[]} */
  const rounds = [];
  const choices = [];
  for (const [done, item] of items.entries()) {
    if (!place.isConnected) return;
    fill(
      place,
      h('p', { class: 'pad dim', role: 'status' }, t('analysis.progress', { round: done + 1, total: items.length })),
    );
    const told = await get(`/api/tables/${item.table}/rounds/${item.round}/analysis`).catch(() => null);
    const staked = cents(told?.wager);
    if (!told || !staked) continue;
    rounds.unshift({
      net: cents(told.net),
      expected: ((told.expected ?? 0) - told.cost) * staked,
      edge: (told.expected ?? 0) * staked,
      cost: told.cost * staked,
    });
    for (const choice of told.decisions) choices.push({ ...choice, item });
  }
  const sum = (/** @type {'net' | 'edge' | 'cost'} */ what) =>
    Math.round(rounds.reduce((all, round) => all + round[what], 0));
  // Luck is what neither the choices nor the house edge explain; the three add up to the result.
  const luck = sum('net') + sum('cost') - sum('edge');
  const costly = choices.filter((choice) => !right(choice)).sort((a, b) => b.cost - a.cost);
  const figure = (/** @type {string} */ name, /** @type {string} */ value) =>
    h('div', null, h('dt', null, name), h('dd', null, value));
  fill(
    place,
    h(
      'dl',
      { class: 'figures pad' },
      figure(t('round.title'), String(rounds.length)),
      figure(t('analysis.accuracy'), choices.length ? percent(1 - costly.length / choices.length, 1) : '–'),
      figure(t('result.label'), signed(sum('net'))),
      figure(t('analysis.luck'), signed(luck)),
      figure(t('analysis.decisions.label'), signed(-sum('cost'))),
      figure(t('figures.house_edge'), signed(sum('edge'))),
    ),
    rounds.length ? graph(rounds) : null,
    costly.length
      ? [
          h('h2', { class: 'pad-x' }, t('analysis.worst.label')),
          h(
            'ol',
            { class: 'choices-made' },
            costly.slice(0, 5).map((choice) =>
              h(
                'li',
                { class: 'wrong' },
                rich('analysis.worst.item', {
                  mistake: h(
                    'a',
                    { href: `/round/${choice.item.table}/${choice.item.round}?step=${choice.at}` },
                    sentence(choice),
                  ),
                  cost: wagers(-choice.cost),
                  time: when(choice.item.at),
                }),
              ),
            ),
          ),
        ]
      : h('p', { class: 'pad ok' }, choices.length ? t('analysis.perfect') : t('analysis.no_decisions')),
  );
}
