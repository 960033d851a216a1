// The workbench of the lab: its views, each loaded when it is first opened, and the parts they share.

import { post } from '../shared/net.js';
import { download, fill, h, percent } from '../shared/ui.js';
import { t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */
/** @typedef {import('../shared/ui.js').Child} Child */
/** @typedef {Child | Child[]} Shown */

/** Settings of the views that the URL keeps. */
export const KEPT = ['vary', 'within', 'b', 'bset', 'removed', 'hand', 'hand2', 'up', 'tags', 'bankroll', 'stakes'];

/**
 * The lab as its views see it.
 * @typedef {{ known: Schemas['LabKnown'], told: Schemas['Lawfulness'], preset: string, bench: Record<string, string>, body: () => { table: string, set: string[] }, remember: (kept: Record<string, string>) => void, open: (set: Record<string, unknown>) => string }} LabView
 */

/** @type {[string, string, () => Promise<{ view: (lab: LabView) => HTMLElement }>][]} */
const VIEWS = [
  ['', t('lab.exact'), () => Promise.reject(new Error('figures'))],
  ['report', t('lab.view.report'), () => import('./workbench-report.js')],
  ['sweep', t('lab.view.sweep'), () => import('./workbench-sweep.js')],
  ['compare', t('lab.view.compare'), () => import('./workbench-compare.js')],
  ['shoe', t('lab.view.shoe'), () => import('./workbench-shoe.js')],
  ['count', t('lab.view.count'), () => import('./workbench-count.js')],
  ['atlas', t('lab.view.atlas'), () => import('./workbench-atlas.js')],
];

/** Returns whether there is such a view. @param {string | null} name */
export const known = (name) => VIEWS.some(([id]) => id === name);

/** Builds the links between the views. @param {string} chosen @param {(id: string) => string} link */
export const views = (chosen, link) =>
  h(
    'nav',
    { class: 'views', 'aria-label': t('lab.views') },
    VIEWS.map(([id, name]) => h('a', { href: link(id), 'aria-current': id === chosen ? 'page' : null }, name)),
  );

/** @type {Promise<unknown> | undefined} */
let dressing;

/** Loads the workbench's stylesheet, which a first visit to the house does not need. */
export const dressed = () =>
  (dressing ??= new Promise((done) => {
    document.head.append(
      h('link', { rel: 'stylesheet', href: '/page/lab/workbench.css', onload: done, onerror: done }),
    );
  }));

/** Opens a view for a table. @param {string} name @param {LabView} lab */
export async function opened(name, lab) {
  const found = VIEWS.find(([id]) => id === name);
  const { view } = await (found ?? VIEWS[1])[2]();
  return view(lab);
}

/**
 * Posts a request, and retries while the server is still computing the answer or is busy with others.
 * @template {'/api/lab/edge' | '/api/lab/strategy' | '/api/lab/effects' | '/api/lab/report' | '/api/lab/sweep' | '/api/lab/compare' | '/api/lab/shoe' | '/api/lab/shoe/strategy' | '/api/lab/removal' | '/api/lab/tags' | '/api/lab/indices' | '/api/lab/ramp'} P
 * @param {P} path @param {import('../../../browser/types').Asked<P, 'post'>} body
 */
export async function patient(path, body) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await post(path, body);
    } catch (error) {
      const { status } = /** @type {import('../shared/net.js').Refused} */ (error);
      if (tries > 30 || (status !== 408 && status !== 429)) throw error;
      await new Promise((go) => setTimeout(go, 1000));
    }
  }
}

/**
 * Builds a panel that queries the server and shows the answer; a newer query replaces a pending one.
 * @param {string} heading @param {...Child} more elements above the answer
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

/** Prints the page with all folded parts open. */
export function paper() {
  for (const part of document.querySelectorAll('.bench details')) part.setAttribute('open', '');
  print();
}

/** Builds the buttons under a table: its files, and printing. @param {[string, () => unknown][]} files */
export const takeAway = (files) =>
  h(
    'p',
    { class: 'actions gap no-print' },
    files.map(([name, make]) => h('button', { class: 'act', type: 'button', onclick: make }, name)),
    h('button', { class: 'act', type: 'button', onclick: paper }, t('report.print')),
  );

/** Downloads a document as a JSON file. @param {string} name @param {unknown} told */
export const jsonFile = (name, told) => download(name, JSON.stringify(told, null, 1), 'application/json');

/** Formats a change in percent with its sign. @param {number} share @param {number} [places] */
export const change = (share, places = 4) => `${share > 0 ? '+' : ''}${percent(share, places)}`;

/** Formats an option's value as it is typed. @param {unknown} value */
export const plain = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Describes an option's value in words. @param {unknown} value */
export const worded = (value) => {
  const text = plain(value);
  return text === 'true' ? t('action.yes') : text === 'false' ? t('action.no') : term('value', text);
};
