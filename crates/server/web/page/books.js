// For those who answer for the house: what every wager gave back against what it gives back by its exact odds, and the nodes
// on which the house runs.

import { get } from './net.js';
import { complain, fill, grid, h, money, percent, signed, title } from './ui.js';
import { number, t } from './words.js';

/** Actual against theoretical return. @param {HTMLElement} place @param {Map<number, string>} names of tables */
export async function drawReturns(place, names) {
  fill(place, h('p', { class: 'pad dim' }, t('working-out-returns')));
  const list = await get('/api/returns');
  const rate = (/** @type {number | null} */ share = null) => (share === null ? '–' : percent(share, 2));
  const off = (/** @type {number | null} */ deviations = null) =>
    deviations === null ? '–' : `${deviations > 0 ? '+' : ''}${number(deviations, 1)}`;
  const state = (/** @type {boolean} */ alarm) =>
    h('span', { class: alarm ? 'wrong' : 'ok' }, alarm ? t('more-than-chance-explains') : t('within-chance'));
  const row = (/** @type {typeof list[number]} */ one) => [
    `${one.table} · ${names.get(one.table % 1000) ?? ''}`,
    title(one.wager),
    one.wagers,
    money(one.staked),
    signed(one.net),
    rate(one.actual),
    rate(one.theoretical),
    off(one.deviations),
    state(one.alarm),
  ];
  const heads = [
    t('table'),
    t('wager-3'),
    `#${t('wagers')}`,
    `#${t('staked')}`,
    `#${t('players-won')}`,
    `#${t('actual-return')}`,
    `#${t('theoretical-return')}`,
    `#${t('deviations')}`,
    t('state'),
  ];
  fill(
    place,
    list.length
      ? grid(heads, list.map(row), t('returns'))
      : h('p', { class: 'pad dim' }, t('no-wager-was-settled-yet')),
    h('p', { class: 'pad small dim' }, t('returns-explained')),
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
      h('b', null, node.name, node.name === told.me ? ` ${t('this-one')}` : ''),
      h('span', { class: node.alive ? 'ok' : 'wrong' }, node.alive ? t('alive') : t('silent')),
      node.alive ? `${number(node.lease_left_ms / 1000, 1)} s` : '–',
      node.tables.map(({ table }) => table).join(', ') || '–',
      node.address,
      node.program,
      node.incarnation,
    ];
    const heads = [
      t('node'),
      t('state'),
      `#${t('lease-left')}`,
      t('its-tables'),
      t('address'),
      t('program'),
      `#${t('starts')}`,
    ];
    fill(
      place,
      told.nodes.length
        ? grid(heads, told.nodes.map(row), t('nodes'))
        : h('p', { class: 'pad dim' }, t('one-process-no-nodes')),
      told.free.length
        ? h('p', { class: 'pad wrong' }, t('tables-without-node', { tables: told.free.join(', ') }))
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
