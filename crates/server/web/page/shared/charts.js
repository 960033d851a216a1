// Strategy charts in color. Pointing at a cell, tapping it or moving to it with the arrow keys shows its value.

import { total } from './model.js';
import { post } from './net.js';
import { complain, csvButton, download, h } from './ui.js';
import { legendOf, listed, number, t, term } from './words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */
/** @typedef {Schemas['StrategyChart']['rows'][0] & { names: string[] }} Row one row, or several that are played alike */

const ACTIONS = /** @type {Record<string, string>} */ ({
  s: t('action.stand'),
  h: t('action.hit'),
  d: t('action.double'),
  p: t('action.split'),
  r: t('action.surrender'),
  y: t('action.yes'),
  n: t('action.no'),
});

/**
 * Where the pointer last entered a cell. When the page scrolls under a resting pointer, cells are entered too; those do
 * not count.
 */
let pointer = { x: NaN, y: NaN };

/** Formats a value with its sign. @param {number} ev */
const signed = (ev) => `${ev >= 0 ? '+' : '−'}${number(Math.abs(ev), 5)}`;

/**
 * Returns the charts with the columns in the players' order: 2 to 10, then the ace.
 * @param {Schemas['StrategyCharts']} told @returns {Schemas['StrategyCharts']}
 */
export function aceLast(told) {
  const ace = told.columns.indexOf('A');
  if (ace < 0) return told;
  /** @template T @param {T[]} list */
  const turned = (list) =>
    list.length === told.columns.length ? [...list.filter((_, at) => at !== ace), list[ace]] : list;
  return {
    ...told,
    columns: turned(told.columns),
    charts: told.charts.map((chart) => ({
      ...chart,
      rows: chart.rows.map((row) => ({ ...row, cells: turned(row.cells) })),
    })),
  };
}

/**
 * Merges adjacent rows in which one action is best against every upcard.
 * @param {Schemas['StrategyChart']['rows']} rows @returns {Row[]}
 */
function merged(rows) {
  /** @type {Row[]} */
  const all = [];
  for (const row of rows) {
    const [{ action }] = row.cells;
    const last = all.at(-1);
    const alike = [...row.cells, ...(last?.cells ?? [])].every((cell) => cell.action === action);
    if (alike && last) last.names.push(row.row);
    else all.push({ ...row, names: [row.row] });
  }
  return all.map((row) => ({ ...row, row: [...new Set([row.names[0], row.names.at(-1)])].join('–') }));
}

/** Builds the charts to look at beside a hand. @param {Schemas['StrategyCharts']} told */
export function peek(told) {
  const ordered = aceLast(told);
  const charts = ordered.charts.filter(({ chart }) => chart !== 'switch');
  const detail = h('p', { class: 'chart-detail', role: 'status' }, t('chart.hint'));
  return h(
    'div',
    { class: 'peek' },
    legend(charts),
    charts.map((chart) => section({ ...chart, rows: merged(chart.rows) }, ordered.columns, detail, false)),
    detail,
  );
}

/** Marks the cell of a hand in the charts beside it. @param {Element} charts @param {{ hand: string[], up: string[] }} spot */
export function mark(charts, { hand, up }) {
  const ranks = hand.map(([rank]) => ('TJQK'.includes(rank) ? 'T' : rank));
  const { points, soft } = total(hand);
  const [chart, row] =
    ranks.length === 2 && ranks[0] === ranks[1]
      ? ['pairs', ranks.join('')]
      : soft
        ? ['soft', `A${points - 11}`]
        : ['hard', String(points)];
  const column = total(up).points === 11 ? 'A' : String(total(up).points);
  charts.querySelector('.here')?.classList.remove('here');
  const cell = charts.querySelector(`[data-chart="${chart}"] [data-rows~="${row}"] [data-up="${column}"]`);
  cell?.classList.add('here');
}

/** Names the actions that some charts use, in their colors. @param {Schemas['StrategyChart'][]} charts */
function legend(charts) {
  const all = charts.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells));
  const used = Object.entries(ACTIONS).filter(([key]) =>
    all.some((cell) => cell.action.charAt(0).toLowerCase() === key),
  );
  return h(
    'p',
    { class: 'legend' },
    used.map(([key, word]) => h('span', { class: `c-${key}` }, word)),
  );
}

/** @param {Schemas['StrategyCharts']} given @param {Schemas['TableQuery']} body @param {string} name */
export function charts(given, body, name) {
  const told = aceLast(given);
  const detail = h('p', { class: 'chart-detail', role: 'status' }, t('chart.hint'));
  const legends = new Set(told.charts.map((c) => c.legend));
  const picture = async () => {
    try {
      download(`${name}-strategy.svg`, await post('/api/lab/strategy.svg', body), 'image/svg+xml');
    } catch (error) {
      complain(error);
    }
  };
  /** Downloads a strategy card to print. @param {boolean} letter */
  const card = async (letter) => {
    try {
      const drawn = await post('/api/lab/card.svg', { ...body, letter });
      download(`${name}-card-${letter ? 'letter' : 'pocket'}.svg`, drawn, 'image/svg+xml');
    } catch (error) {
      complain(error);
    }
  };
  return h(
    'div',
    null,
    legend(told.charts),
    legends.size === 1 ? h('p', { class: 'small dim' }, legendOf(told.charts[0])) : null,
    detail,
    h(
      'div',
      { class: 'charts' },
      told.charts.map((chart) => section(chart, told.columns, detail, legends.size > 1)),
    ),
    h(
      'p',
      { class: 'actions gap' },
      csvButton(`${name}-strategy.csv`, () => rows(told)),
      h('button', { class: 'act', onclick: picture }, 'SVG'),
      h('button', { class: 'act', onclick: () => card(true) }, t('chart.card.letter')),
      h('button', { class: 'act', onclick: () => card(false) }, t('chart.card.wallet')),
      h('button', { class: 'act', onclick: () => print() }, t('report.print')),
    ),
  );
}

/** @param {Schemas['StrategyCharts']} told */
function rows(told) {
  const head = ['chart', 'row', 'dealer', 'action', 'ev', 'second', 'loss'];
  /** @type {import('./ui.js').Cell[][]} */
  const list = [head];
  for (const { chart, rows: lines } of told.charts)
    for (const { row, cells } of lines)
      cells.forEach((b, at) => list.push([chart, row, told.columns[at], b.action, b.ev, b.second, b.loss]));
  return list;
}

/**
 * @param {Omit<Schemas['StrategyChart'], 'rows'> & { rows: (Schemas['StrategyChart']['rows'][0] | Row)[] }} chart
 * @param {string[]} given the dealer's upcards @param {HTMLElement} detail
 * @param {boolean} legend
 */
function section(chart, given, detail, legend) {
  const values = chart.chart === 'switch';
  const columns = given.map((card) => (card === 'T' ? '10' : card));
  const cell = (/** @type {Schemas['StrategyCell']} */ c, /** @type {string} */ row, /** @type {number} */ at) => {
    const kind = values ? ((c.ev ?? 0) >= 0 ? 'y' : 'n') : c.action.charAt(0).toLowerCase();
    const text = t('chart.cell', {
      row,
      upcard: columns[at],
      action: values ? 'none' : c.action,
      ev: signed(c.ev ?? 0),
      second: c.second ?? 'none',
      loss: number(c.loss ?? 0, 5),
      exceptions: listed(c.exceptions) || 'none',
    });
    const tell = () => {
      detail.textContent = text;
    };
    const point = (/** @type {MouseEvent} */ { screenX, screenY }) => {
      if (pointer.x === screenX && pointer.y === screenY) return;
      pointer = { x: screenX, y: screenY };
      tell();
    };
    return h(
      'td',
      {
        class: `c-${kind}`,
        'data-up': columns[at],
        title: text,
        tabindex: '-1',
        onmouseenter: point,
        onfocus: tell,
        onclick: tell,
      },
      values ? number(c.ev ?? 0, 2) : c.action + (c.exceptions.length ? '*' : ''),
    );
  };
  const body = h(
    'tbody',
    null,
    chart.rows.map((row) =>
      h(
        'tr',
        { 'data-rows': ('names' in row ? row.names : [row.row]).join(' ') },
        h('th', { scope: 'row' }, row.row),
        row.cells.map((c, at) => cell(c, row.row, at)),
      ),
    ),
  );
  const heads = columns.map((c) => h('th', { scope: 'col' }, c));
  const table = h('table', { class: 'strategy' }, h('thead', null, h('tr', null, h('td', null), heads)), body);
  const label = t('chart.label', { chart: term('chart', chart.chart) });
  return h(
    values ? 'details' : 'div',
    { class: `chart chart-${chart.chart}`, 'data-chart': chart.chart },
    h(values ? 'summary' : 'h3', null, values ? t('chart.switch') : term('chart', chart.chart)),
    legend ? h('p', { class: 'small dim' }, legendOf(chart)) : null,
    h(
      'div',
      {
        class: 'scroll',
        tabindex: '0',
        role: 'region',
        'aria-label': label,
        onkeydown: (/** @type {KeyboardEvent} */ event) => walk(event, body),
      },
      table,
    ),
  );
}

const STEPS = /** @type {Record<string, [number, number]>} */ ({
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
});

/** Moves the focus from cell to cell. @param {KeyboardEvent} event @param {HTMLElement} body */
function walk(event, body) {
  const step = STEPS[event.key];
  if (!step) return;
  event.preventDefault();
  const lines = Array.from(
    body.children,
    (row) => /** @type {HTMLElement[]} */ (Array.from(row.querySelectorAll('td'))),
  );
  const y = lines.findIndex((line) => line.some((td) => td === document.activeElement));
  const x = y < 0 ? -1 : lines[y].findIndex((td) => td === document.activeElement);
  const to = y < 0 ? [0, 0] : [y + step[0], x + step[1]];
  lines[to[0]]?.[to[1]]?.focus();
}
