// For those who answer for the house: what every wager gave back against what it gives back by its exact odds, and the nodes
// on which the house runs.

import { get } from './net.js';
import { complain, fill, grid, h, money, percent, signed } from './ui.js';
import { listed, number, t, term } from './words.js';

/** Actual against theoretical return. @param {HTMLElement} place @param {Map<number, string>} names of tables */
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

/** The nodes of the house, as long as the page is open. @param {HTMLElement} place @returns {() => void} what ends it */
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
    // A house of one process has nothing that changes.
    if (told.nodes.length && !over) next = setTimeout(() => draw().catch(complain), AGAIN);
  };
  draw().catch(complain);
  return () => {
    over = true;
    clearTimeout(next);
  };
}
