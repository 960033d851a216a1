// The analyst's bench of the lab: its views, each fetched when it is first opened, and what they have in common.

import { post } from './net.js';
import { download, fill, h, percent } from './ui.js';
import { t, term } from './words.js';

/** @typedef {import('../../browser/types').Schemas} Schemas */
/** @typedef {import('./ui.js').Child} Child */
/** @typedef {Child | Child[]} Shown */

/** What of the views is kept in the address. */
export const KEPT = ['vary', 'within', 'b', 'bset', 'removed', 'hand', 'hand2', 'up', 'tags', 'bankroll', 'stakes'];

/** The lab as its views see it. @typedef {{ known: Schemas['LabKnown'], told: Schemas['Lawfulness'], preset: string, bench: Record<string, string>, body: () => { table: string, set: string[] }, remember: (kept: Record<string, string>) => void, open: (set: Record<string, unknown>) => string }} LabView */

/** @type {[string, string, () => Promise<{ view: (lab: LabView) => HTMLElement }>][]} */
const VIEWS = [
  ['', t('lab.exact'), () => Promise.reject(new Error('figures'))],
  ['report', t('lab.view.report'), () => import('./bench-report.js')],
  ['sweep', t('lab.view.sweep'), () => import('./bench-sweep.js')],
  ['compare', t('lab.view.compare'), () => import('./bench-compare.js')],
  ['shoe', t('lab.view.shoe'), () => import('./bench-shoe.js')],
  ['count', t('lab.view.count'), () => import('./bench-count.js')],
  ['atlas', t('lab.view.atlas'), () => import('./bench-atlas.js')],
];

/** Is there such a view? @param {string | null} name */
export const known = (name) => VIEWS.some(([id]) => id === name);

/** The way from view to view. @param {string} chosen @param {(id: string) => string} link */
export const views = (chosen, link) =>
  h(
    'nav',
    { class: 'views', 'aria-label': t('lab.views') },
    VIEWS.map(([id, name]) => h('a', { href: link(id), 'aria-current': id === chosen ? 'page' : null }, name)),
  );

/** The first visit to the house is not for analysts: how their pages look is fetched here. */
export function dressed() {
  if (!document.querySelector('link[href$="/page/bench.css"]'))
    document.head.append(h('link', { rel: 'stylesheet', href: '/page/bench.css' }));
}

/** A view of a table. @param {string} name @param {LabView} lab */
export async function opened(name, lab) {
  const found = VIEWS.find(([id]) => id === name);
  const { view } = await (found ?? VIEWS[1])[2]();
  return view(lab);
}

/**
 * Asks again while the house is still working it out, and while others wait before.
 * @template {'/api/lab/edge' | '/api/lab/strategy' | '/api/lab/effects' | '/api/lab/report' | '/api/lab/sweep' | '/api/lab/compare' | '/api/lab/shoe' | '/api/lab/shoe/strategy' | '/api/lab/removal' | '/api/lab/tags' | '/api/lab/indices' | '/api/lab/ramp'} P
 * @param {P} path @param {import('../../browser/types').Asked<P, 'post'>} body
 */
export async function patient(path, body) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await post(path, body);
    } catch (error) {
      const { status } = /** @type {import('./net.js').Refused} */ (error);
      if (tries > 30 || (status !== 408 && status !== 429)) throw error;
      await new Promise((go) => setTimeout(go, 1000));
    }
  }
}

/**
 * A panel that asks the house and shows the answer; another question before that takes its place.
 * @param {string} heading @param {...Child} more what stands above the answer
 */
export function panel(heading, ...more) {
  const body = h('div', { 'data-answer': '' });
  const element = h(
    'section',
    { class: 'panel' },
    h('div', { class: 'panel-head' }, h('h2', null, heading)),
    h('div', { class: 'pad stack-y' }, more, body),
  );
  let turn = 0;
  /** @template T @param {() => Promise<T>} ask @param {(told: T) => Child | Shown[]} show */
  const answer = async (ask, show) => {
    const mine = ++turn;
    body.setAttribute('aria-busy', 'true');
    if (!body.children.length || body.querySelector('.working, .wrong'))
      fill(body, h('p', { class: 'dim working', role: 'status' }, t('lab.calculating')));
    try {
      const told = await ask();
      if (mine !== turn) return;
      fill(body, ...[show(told)].flat(2));
    } catch (error) {
      if (mine === turn) fill(body, h('p', { class: 'wrong', role: 'alert' }, /** @type {Error} */ (error).message));
    } finally {
      if (mine === turn) body.removeAttribute('aria-busy');
    }
  };
  return { element, body, answer };
}

/** Prints what is shown, with what is folded away. */
export function paper() {
  for (const part of document.querySelectorAll('.bench details')) part.setAttribute('open', '');
  print();
}

/** Buttons under a table: files, and paper. @param {[string, () => unknown][]} files */
export const takeAway = (files) =>
  h(
    'p',
    { class: 'actions gap no-print' },
    files.map(([name, make]) => h('button', { class: 'act', type: 'button', onclick: make }, name)),
    h('button', { class: 'act', type: 'button', onclick: paper }, t('report.print')),
  );

/** A document as a file. @param {string} name @param {unknown} told */
export const jsonFile = (name, told) => download(name, JSON.stringify(told, null, 1), 'application/json');

/** A change of a share, with its sign. @param {number} share @param {number} [places] */
export const change = (share, places = 4) => `${share > 0 ? '+' : ''}${percent(share, places)}`;

/** A value of an option as people write it. @param {unknown} value */
export const plain = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** A value of an option in words. @param {unknown} value */
export const worded = (value) => {
  const text = plain(value);
  return text === 'true' ? t('action.yes') : text === 'false' ? t('action.no') : term('value', text);
};
