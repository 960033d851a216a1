// Reports for the house's management: actual against theoretical return of every bet, and the nodes the house runs on.

import { get } from '../shared/net.js';
import { complain, fill, grid, h, money, percent, signed } from '../shared/ui.js';
import { listed, number, t, term } from '../shared/words.js';

/**
 * Shows the actual against the theoretical return.
 * @param {HTMLElement} place @param {Map<number, string>} names names of tables by number
 */
export async function drawReturns(place, names) {
  fill(place, h('p', { class: 'pad dim' }, t('returns.calculating')));
  const list = await get('/api/returns');
  const rate = (/** @type {number | null} */ share = null) => (share === null ? '–' : percent(share, 2));
  const off = (/** @type {number | null} */ deviations = null) =>
    deviations === null ? '–' : `${deviations > 0 ? '+' : ''}${number(deviations, 1)}`;
  const state = (/** @type {boolean} */ alarm) =>
    h('span', { class: alarm ? 'wrong' : 'ok' }, alarm ? t('returns.out_of_range') : t('returns.in_range'));
  const row = (/** @type {typeof list[number]} */ one) => [
    `${one.table} · ${names.get(one.table % 1000) ?? ''}`,
    one.wager === 'main' ? t('report.main_game') : term('bet', one.wager),
    one.wagers,
    money(one.staked),
    signed(one.net),
    rate(one.actual),
    rate(one.theoretical),
    off(one.deviations),
    state(one.alarm),
  ];
  const heads = [
    t('nav.table'),
    t('returns.bet'),
    `#${t('limit.measure.bets')}`,
    `#${t('record.bet')}`,
    `#${t('returns.players_won')}`,
    `#${t('returns.actual')}`,
    `#${t('returns.theoretical')}`,
    `#${t('returns.deviations')}`,
    t('filter.state'),
  ];
  fill(
    place,
    list.length ? grid(heads, list.map(row), t('returns.title')) : h('p', { class: 'pad dim' }, t('returns.empty')),
    h('p', { class: 'pad small dim' }, t('returns.intro')),
  );
}

const AGAIN = 3000;

/**
 * Shows the nodes of the house, and keeps the list up to date while the page is open.
 * @param {HTMLElement} place @returns {() => void} stops the updates
 */
export function watchNodes(place) {
  let over = false;
  /** @type {ReturnType<typeof setTimeout>} */
  let next;
  const draw = async () => {
    const told = await get('/api/nodes');
    const row = (/** @type {typeof told.nodes[number]} */ node) => [
      h('b', null, node.name, node.name === told.me ? ` ${t('nodes.this')}` : ''),
      h('span', { class: node.alive ? 'ok' : 'wrong' }, node.alive ? t('nodes.alive') : t('nodes.silent')),
      node.alive ? `${number(node.lease_left_ms / 1000, 1)} s` : '–',
      node.tables.map(({ table }) => table).join(', ') || '–',
      node.address,
      node.program,
      node.incarnation,
    ];
    const heads = [
      t('nodes.node'),
      t('filter.state'),
      `#${t('nodes.lease')}`,
      t('nodes.tables'),
      t('nodes.address'),
      t('nodes.version'),
      `#${t('nodes.starts')}`,
    ];
    fill(
      place,
      told.nodes.length
        ? grid(heads, told.nodes.map(row), t('nodes.title'))
        : h('p', { class: 'pad dim' }, t('nodes.single')),
      told.free.length
        ? h('p', { class: 'pad wrong' }, t('nodes.orphans', { tables: listed(told.free.map(String)) }))
        : null,
    );
    // In a house of one process, nothing changes.
    if (told.nodes.length && !over) next = setTimeout(() => draw().catch(complain), AGAIN);
  };
  draw().catch(complain);
  return () => {
    over = true;
    clearTimeout(next);
  };
}
