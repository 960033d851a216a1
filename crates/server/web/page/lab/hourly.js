// What a table costs per hour, how far an hour may stray from that, and the risk of ruin of a bankroll, from the house
// edge and the standard deviation of a round.

import { field, fill, h, money, percent } from '../shared/ui.js';
import { t } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */

/**
 * Returns the logarithm of the normal distribution function, by a series that stays accurate far out in the tail.
 * @param {number} x
 */
function logNormal(x) {
  const z = Math.abs(x) / Math.SQRT2;
  const s = 1 / (1 + z / 2);
  const terms = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
    0.17087277,
  ];
  const tail = Math.log(s) - z * z + terms.reduceRight((all, term) => all * s + term, 0) - Math.LN2;
  return x < 0 ? tail : Math.log1p(-Math.exp(tail));
}

/**
 * Returns the share of players who lose their bankroll within some rounds, by a random walk with drift. All amounts are
 * in bets.
 * @param {number} bankroll @param {number} edge @param {number} deviation @param {number} rounds
 */
export function ruin(bankroll, edge, deviation, rounds) {
  if (bankroll <= 0) return 1;
  const [drift, spread] = [-edge * rounds, deviation * Math.sqrt(rounds)];
  if (!(spread > 0)) return drift <= -bankroll ? 1 : 0;
  const below = Math.exp(logNormal((-bankroll - drift) / spread));
  const back = Math.exp((2 * edge * bankroll) / deviation ** 2 + logNormal((drift - bankroll) / spread));
  return Math.min(1, below + back);
}

/** The last values entered, while the page is open. @type {Record<string, number>} */
const entered = {};

/** @param {Schemas['MainFigures']} main @param {number} minimum the table minimum */
export function hourly(main, minimum) {
  const initial = /** @type {Record<string, number>} */ ({
    bet: minimum,
    rounds: 70,
    hours: 4,
    bankroll: 50 * minimum,
    ...entered,
  });
  const answer = h('dl', { class: 'facts' });
  const value = (/** @type {string} */ name) => entered[name] ?? initial[name];
  const draw = () => {
    const [bet, rounds, hours, bankroll] = ['bet', 'rounds', 'hours', 'bankroll'].map(value);
    const fact = (/** @type {string} */ id, /** @type {string} */ name, /** @type {string} */ text) => [
      h('dt', null, name),
      h('dd', { 'data-hourly': id }, text),
    ];
    const chips = (/** @type {number} */ amount) => money(Math.round(amount * 100));
    fill(
      answer,
      fact('loss', t('hourly.loss'), chips(main.house_edge * bet * rounds)),
      fact('std-dev', t('hourly.std_dev'), chips(main.std_dev * bet * Math.sqrt(rounds))),
      fact(
        'ruin',
        t('hourly.ruin', { hours }),
        percent(ruin(bankroll / bet, main.house_edge, main.std_dev, rounds * hours), 1),
      ),
    );
  };
  const input = (/** @type {string} */ name) => {
    const made = /** @type {HTMLInputElement} */ (
      h('input', {
        type: 'number',
        name: `hourly-${name}`,
        min: 1,
        max: 1_000_000,
        step: 'any',
        value: initial[name],
        oninput: () => {
          const typed = made.valueAsNumber;
          // Ignore input that is not a valid number yet.
          if (!(typed > 0 && typed <= 1_000_000)) return;
          entered[name] = typed;
          draw();
        },
      })
    );
    return made;
  };
  draw();
  return h(
    'section',
    { class: 'hourly', 'aria-label': t('hourly.title') },
    h('h3', null, t('hourly.title')),
    h(
      'div',
      { class: 'fields' },
      field(t('hourly.bet'), input('bet')),
      field(t('hourly.rounds'), input('rounds')),
      field(t('hourly.bankroll'), input('bankroll')),
      field(t('hourly.hours'), input('hours')),
    ),
    h('div', { role: 'status' }, answer),
    main.std_dev_of === 'a round' ? null : h('p', { class: 'small dim' }, t('hourly.one_bet')),
  );
}
