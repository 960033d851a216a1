// Explores many tables at once: filters, a histogram of their house edges, the best and the worst for the player, and a
// list that sorts by any column. Used for sweeps and atlases.

import { paper, plain, worded } from './workbench.js';
import { csv, download, fill, h, optionName, percent, svg } from '../shared/ui.js';
import { listed, number, rich, t } from '../shared/words.js';

/** @typedef {{ set: Record<string, unknown>, house_edge: number, std_dev?: number, side_wagers?: Record<string, number> }} Row */

const BARS = 40;
const SHOWN = 200;

/** Returns the tick distance of a scale: 1, 2 or 5 times a power of ten. @param {number} range */
function step(range) {
  const rough = Math.max(range / 6, 1e-7);
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((n) => n * power).find((size) => size >= rough) ?? power;
}

/**
 * Draws house edges as a histogram; clicking a bar filters by its range.
 * @param {Row[]} rows @param {(from: number, to: number) => void} keep
 */
function histogram(rows, keep) {
  const [width, height, foot] = [640, 170, 24];
  const edges = rows.map((row) => 100 * row.house_edge);
  const [least, most] = [Math.min(...edges), Math.max(...edges)];
  const wide = Math.max(most - least, 1e-6) / BARS;
  const counts = new Array(BARS).fill(0);
  for (const edge of edges) counts[Math.min(BARS - 1, Math.floor((edge - least) / wide))] += 1;
  const tall = Math.max(...counts);
  const x = (/** @type {number} */ edge) => ((edge - least) / (wide * BARS)) * width;
  const size = step(most - least);
  const ticks = [];
  for (let tick = Math.ceil(least / size) * size; tick <= most + 1e-12; tick += size) ticks.push(tick);
  const range = (/** @type {number} */ at) => [least + at * wide, least + (at + 1) * wide];
  const label = (/** @type {number} */ at) => {
    const [from, to] = range(at);
    return t('sweep.bar', { count: counts[at], from: number(from, 3), to: number(to, 3) });
  };
  return h(
    'figure',
    { class: 'histogram' },
    svg(
      'svg',
      { viewBox: `0 0 ${width} ${height + foot}`, role: 'group', 'aria-label': t('sweep.histogram.label') },
      ...counts.map((n, at) => {
        const tallness = n ? Math.max(2, (n / tall) * (height - 8)) : 0;
        const [from, to] = range(at);
        const bar = svg(
          'rect',
          {
            x: ((at * width) / BARS + 1).toFixed(1),
            y: (height - tallness).toFixed(1),
            width: (width / BARS - 2).toFixed(1),
            height: tallness.toFixed(1),
            class: from >= 0 ? 'house' : to <= 0 ? 'player' : 'even',
            ...(n ? { tabindex: 0, role: 'button', 'aria-label': label(at) } : { 'aria-hidden': 'true' }),
          },
          svg('title', {}, label(at)),
        );
        const pressed = () => keep(from / 100 - 1e-12, to / 100 + 1e-12);
        if (n) bar.addEventListener('click', pressed);
        bar.addEventListener('keydown', (event) => {
          const { key } = /** @type {KeyboardEvent} */ (event);
          if (key !== 'Enter' && key !== ' ') return;
          event.preventDefault();
          pressed();
        });
        return bar;
      }),
      svg('path', { class: 'axis', d: `M0 ${height}H${width}` }),
      ...ticks.map((tick) =>
        svg(
          'text',
          { x: Math.min(width - 20, Math.max(20, x(tick))).toFixed(1), y: height + 17, 'text-anchor': 'middle' },
          number(tick, size < 0.01 ? 3 : 2),
        ),
      ),
    ),
    h('figcaption', { class: 'small dim' }, t('sweep.histogram.hint')),
  );
}

/**
 * @param {Row[]} all @param {string} name name of exported files
 * @param {(set: Record<string, unknown>) => string} open returns the address of a table with these options
 */
export function explore(all, name, open) {
  const options = Object.keys(all[0]?.set ?? {}).filter(
    (key) => new Set(all.map((row) => plain(row.set[key]))).size > 1,
  );
  const sides = Array.from(new Set(all.flatMap((row) => Object.keys(row.side_wagers ?? {}))));
  const spread = all.some((row) => row.std_dev !== undefined);
  /** @type {Record<string, string>} */
  const chosen = {};
  let [from, to] = [-Infinity, Infinity];
  let sort = { by: 'house_edge', falling: false };
  const out = h('div', { class: 'stack-y' });
  const value = (/** @type {Row} */ row, /** @type {string} */ key) =>
    key === 'house_edge'
      ? row.house_edge
      : key === 'std_dev'
        ? (row.std_dev ?? NaN)
        : sides.includes(key)
          ? (row.side_wagers?.[key] ?? NaN)
          : row.set[key];
  const fits = (/** @type {Row} */ row) =>
    row.house_edge >= from &&
    row.house_edge <= to &&
    Object.entries(chosen).every(([key, word]) => !word || plain(row.set[key]) === word);

  const draw = () => {
    const rows = all.filter(fits);
    const sign = sort.falling ? -1 : 1;
    rows.sort((a, b) => {
      const [x, y] = [value(a, sort.by), value(b, sort.by)];
      return sign * (typeof x === 'number' && typeof y === 'number' ? x - y : plain(x).localeCompare(plain(y)));
    });
    const columns = [...options, 'house_edge', ...(spread ? ['std_dev'] : []), ...sides];
    const heading = (/** @type {string} */ key) =>
      h(
        'th',
        {
          scope: 'col',
          class: options.includes(key) ? '' : 'num',
          'aria-sort': sort.by === key ? (sort.falling ? 'descending' : 'ascending') : null,
        },
        h(
          'button',
          {
            class: 'plain-text',
            type: 'button',
            onclick: () => {
              sort = { by: key, falling: sort.by === key && !sort.falling };
              draw();
              /** @type {HTMLElement | null} */ (out.querySelector('th[aria-sort] button'))?.focus();
            },
          },
          key === 'house_edge'
            ? t('figures.house_edge')
            : key === 'std_dev'
              ? t('figures.std_dev_short')
              : optionName(key),
          sort.by === key ? (sort.falling ? ' ↓' : ' ↑') : '',
        ),
      );
    const cell = (/** @type {Row} */ row, /** @type {string} */ key) => {
      const found = value(row, key);
      if (options.includes(key)) return h('td', { 'data-own': '', 'data-label': optionName(key) }, worded(found));
      const shown = key === 'std_dev' ? number(Number(found), 4) : percent(Number(found), 4);
      const figure = Number.isNaN(found) ? '–' : shown;
      return h(
        'td',
        { class: 'num', 'data-label': optionName(key) },
        key === 'house_edge' ? h('a', { href: open(row.set), 'data-edge': row.house_edge }, figure) : figure,
      );
    };
    const best = (/** @type {{ table: Node, options: Node }} */ parts) => rich('sweep.best', parts);
    const worst = (/** @type {{ table: Node, options: Node }} */ parts) => rich('sweep.worst', parts);
    const end = (/** @type {typeof best} */ words, /** @type {Row | undefined} */ row) =>
      row
        ? h(
            'p',
            null,
            words({
              table: h('a', { href: open(row.set) }, percent(row.house_edge, 4)),
              options: h(
                'span',
                { class: 'small', 'data-own': '' },
                listed(options.map((key) => `${optionName(key)} ${worded(row.set[key])}`)),
              ),
            }),
          )
        : null;
    const edges = rows.toSorted((a, b) => a.house_edge - b.house_edge);
    fill(
      out,
      h(
        'p',
        { role: 'status', 'data-shown': rows.length },
        t('sweep.shown', { count: rows.length, total: all.length }),
        ' ',
        Number.isFinite(from) || Number.isFinite(to)
          ? h(
              'button',
              {
                class: 'plain-text',
                type: 'button',
                onclick: () => {
                  [from, to] = [-Infinity, Infinity];
                  [low.value, high.value] = ['', ''];
                  draw();
                },
              },
              t('sweep.show_all'),
            )
          : null,
      ),
      rows.length
        ? [
            histogram(rows, (a, b) => {
              [from, to] = [a, b];
              [low.value, high.value] = [(100 * a).toFixed(4), (100 * b).toFixed(4)];
              draw();
            }),
            end(best, edges[0]),
            end(worst, edges.at(-1)),
            h(
              'div',
              { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': t('sweep.tables') },
              h(
                'table',
                { class: 'grid' },
                h('caption', { class: 'sr' }, t('sweep.tables')),
                h('thead', null, h('tr', null, columns.map(heading))),
                h(
                  'tbody',
                  null,
                  rows.slice(0, SHOWN).map((row) =>
                    h(
                      'tr',
                      null,
                      columns.map((key) => cell(row, key)),
                    ),
                  ),
                ),
              ),
            ),
            rows.length > SHOWN ? h('p', { class: 'small dim' }, t('sweep.truncated', { count: SHOWN })) : null,
            h(
              'p',
              { class: 'actions gap no-print' },
              h(
                'button',
                {
                  class: 'act',
                  type: 'button',
                  onclick: () =>
                    download(
                      `${name}.csv`,
                      csv([columns, ...rows.map((row) => columns.map((key) => plain(value(row, key))))]),
                      'text/csv',
                    ),
                },
                'CSV',
              ),
              h('button', { class: 'act', type: 'button', onclick: paper }, t('report.print')),
            ),
          ]
        : null,
    );
  };
  const bound = (
    /** @type {string} */ label,
    /** @type {(share: number) => void} */ put,
    /** @type {number} */ open_,
  ) => {
    const input = /** @type {HTMLInputElement} */ (
      h('input', {
        inputmode: 'decimal',
        size: 7,
        'aria-label': label,
        placeholder: '%',
        onchange: () => {
          const read = parseFloat(input.value.replace(',', '.'));
          put(Number.isNaN(read) ? open_ : read / 100);
          draw();
        },
      })
    );
    return input;
  };
  const low = bound(t('sweep.edge_min'), (share) => (from = share), -Infinity);
  const high = bound(t('sweep.edge_max'), (share) => (to = share), Infinity);
  const picks = options.map((key) => {
    const words = Array.from(new Set(all.map((row) => plain(row.set[key])))).sort((a, b) =>
      a.localeCompare(b, undefined, { numeric: true }),
    );
    const pick = /** @type {HTMLSelectElement} */ (
      h(
        'select',
        {
          'data-filter': key,
          onchange: () => {
            chosen[key] = pick.value;
            draw();
          },
        },
        h('option', { value: '' }, t('sweep.any')),
        words.map((word) => h('option', { value: word }, worded(word))),
      )
    );
    return h('label', { class: 'field' }, h('span', { class: 'small dim' }, optionName(key)), pick);
  });
  const range = [
    [t('sweep.edge_min'), low],
    [t('sweep.edge_max'), high],
  ].map(([words, input]) => h('label', { class: 'field' }, h('span', { class: 'small dim' }, words), input));
  draw();
  return h('div', { class: 'stack-y' }, h('div', { class: 'row filters no-print' }, picks, range), out);
}
