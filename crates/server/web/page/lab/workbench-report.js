// The math report of a table in a test lab's form: every bet with every outcome, the rules with their clauses, and the
// rulings' assumptions.

import { change, jsonFile, panel, patient, takeAway, worded } from './workbench.js';
import { post } from '../shared/net.js';
import { clauseLink, complain, csv, download, grid, h, law, optionName, percent } from '../shared/ui.js';
import { meaning, number, odds, t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */

/** @param {{ wager: string }} wager */
const named = (wager) => (wager.wager === 'main' ? t('report.main_game') : term('bet', wager.wager));

/** Formats a probability with all its significant digits. @param {number} p */
const chance = (p) => (p !== 0 && Math.abs(p) < 1e-4 ? p.toExponential(5).replace('-', '−') : number(p, 9));

/** @param {Schemas['ReportDocument']['wagers'][number]} wager */
function ofWager(wager) {
  const sum = (/** @type {'probability' | 'contribution'} */ key) => wager.outcomes.reduce((all, o) => all + o[key], 0);
  return h(
    'section',
    { class: 'panel', 'data-wager': wager.wager },
    h(
      'div',
      { class: 'panel-head' },
      h('h2', null, named(wager)),
      wager.paytable ? h('span', { class: 'dim' }, t('figures.paytable', { name: wager.paytable })) : null,
      h('b', null, percent(wager.house_edge, 6)),
    ),
    h(
      'div',
      { class: 'pad stack-y' },
      grid(
        [
          t('figures.outcome'),
          t('report.ways'),
          `#${t('figures.probability')}`,
          t('figures.pays'),
          `#${t('report.contribution')}`,
        ],
        [
          ...wager.outcomes.map((o) => [
            term('outcome', o.outcome),
            o.ways ? h('span', { class: 'ways' }, o.ways) : '',
            chance(o.probability),
            odds(o.pays),
            number(o.contribution, 6),
          ]),
          [h('b', null, t('report.total')), '', number(sum('probability'), 9), '', number(sum('contribution'), 6)],
        ],
        t('figures.outcomes', { bet: named(wager) }),
      ),
      /** @type {{ notes?: string[] }} */ (wager).notes?.map((/** @type {string} */ note) =>
        h('p', { class: 'small dim' }, law({ text: note })),
      ),
      h('h3', null, t('report.confidence')),
      grid(
        [`#${t('round.title')}`, `#${t('range.from')}`, `#${t('range.to')}`],
        wager.intervals.map((i) => [number(i.rounds), percent(i.low, 4), percent(i.high, 4)]),
        t('report.actual', { bet: named(wager) }),
      ),
    ),
  );
}

/** @param {Schemas['ReportDocument']} told */
const summary = (told) =>
  grid(
    [
      t('report.bet'),
      `#${t('figures.house_edge')}`,
      `#${t('figures.std_dev_short')}`,
      `#${t('report.variance')}`,
      `#${t('report.volatility')}`,
      `#${t('report.hit_frequency')}`,
    ],
    told.wagers.map((w) => [
      named(w),
      h('b', { 'data-report-edge': w.house_edge }, percent(w.house_edge, 6)),
      number(w.std_dev ?? Math.sqrt(w.variance), 6),
      number(w.variance, 6),
      number(w.volatility_index, 6),
      percent(w.hit_frequency, 4),
    ]),
    t('report.all_bets'),
  );

/** @param {Schemas['ReportDocument']} told */
const rules = (told) =>
  h(
    'details',
    { class: 'panel pad' },
    h('summary', null, t('report.rules')),
    grid(
      [t('report.option'), t('report.value'), t('report.meaning'), t('nav.clauses')],
      told.rules.map((r) => [
        optionName(r.key),
        h('span', { 'data-own': '' }, worded(/** @type {{ value?: unknown }} */ (r).value ?? '')),
        h('span', { class: 'small' }, meaning('option', r)),
        h(
          'span',
          null,
          r.clauses.map((clause) => clauseLink(clause)),
        ),
      ]),
      t('report.rules'),
    ),
  );

/** @param {Schemas['ReportDocument']} told */
const rulings = (told) =>
  h(
    'section',
    { class: 'panel' },
    h('div', { class: 'panel-head' }, h('h2', null, t('report.rulings'))),
    h(
      'div',
      { class: 'pad' },
      grid(
        [t('report.ruling'), t('clauses.clause'), t('report.assumed'), t('report.alternative'), t('report.effect')],
        told.rulings.flatMap((r) =>
          r.others.map((other) => [
            term('ruling', r.ruling),
            clauseLink(r.clause),
            term('value', r.assumed),
            term('value', other.reading),
            other.changes.length
              ? other.changes.map((c) => `${named(c)} ${change(c.change, 6)}`).join(', ')
              : t('report.no_effect'),
          ]),
        ),
        t('report.rulings'),
      ),
    ),
  );

/** @param {import('./workbench.js').LabView} lab */
export function view(lab) {
  const body = lab.body();
  const { element, answer } = panel(t('lab.view.report'), h('p', { class: 'dim' }, t('report.intro')));
  const page = async () => {
    try {
      download(`${lab.preset}-report.html`, await post('/api/lab/report.html', body), 'text/html');
    } catch (error) {
      complain(error);
    }
  };
  const lines = (/** @type {Schemas['ReportDocument']} */ told) => [
    ['wager', 'paytable', 'outcome', 'ways', 'probability', 'pays', 'contribution'],
    ...told.wagers.flatMap((w) =>
      w.outcomes.map((o) => [w.wager, w.paytable, o.outcome, o.ways, o.probability, o.pays, o.contribution]),
    ),
  ];
  const rest = h('div', { class: 'stack-y' });
  answer(
    () => patient('/api/lab/report', body),
    (told) => {
      rest.replaceChildren(...told.wagers.map(ofWager), rules(told), rulings(told));
      return [
        summary(told),
        h(
          'p',
          { class: 'small dim' },
          t('report.made_by', {
            version: told.made_by.version,
            commit: String(told.made_by.commit ?? '').slice(0, 12),
          }),
        ),
        takeAway([
          ['HTML', page],
          ['JSON', () => jsonFile(`${lab.preset}-report.json`, told)],
          ['CSV', () => download(`${lab.preset}-report.csv`, csv(lines(told)), 'text/csv')],
        ]),
      ];
    },
  );
  return h('div', { class: 'stack-y bench' }, element, rest);
}
