// The clock of a table page: how much time there is to answer, and what happens while the connection is lost.

import { attribute, words as write } from '../shared/patch.js';
import { t } from '../shared/words.js';

/** @typedef {import('./table.js').TablePage} TablePage */

/**
 * Says what happens while the connection is lost: the clock runs on, and the server may grant some time.
 * @param {TablePage} page
 */
function lostWords(page) {
  const { awaiting, deadline_ms: window_, grace_ms: grace = 0 } = page.view;
  const mine = [...page.mine()].some((box) => page.place(box));
  const asked =
    (awaiting.box !== undefined && page.place(awaiting.box)?.bettor.caller) ||
    (awaiting.asked ?? []).some((a) => page.place(a.box)?.at === a.bettor);
  if (!mine) return t('offline.no_bet');
  if (!asked || window_ === null || window_ === undefined) return t('offline.bet_stands');
  const left = Math.max(0, Math.ceil((window_ + grace - (performance.now() - page.arrived)) / 1000));
  if (!left) return t('offline.time_up');
  return t('offline.clock', { seconds: left, grace: Math.round(grace / 1000) });
}

/** Shows how much time is left, in the bar and around the hand to act. @param {TablePage} page */
export function tick(page) {
  if (!page.connected && page.lostAt) {
    const words = lostWords(page);
    const told = page.lost.lastElementChild;
    if (told) write(told, words);
  }
  const window_ = page.view.deadline_ms;
  const line = /** @type {HTMLElement} */ (page.bar.timer.firstElementChild);
  // While the connection is lost, its own message says how much time is left; two clocks would differ.
  const timeless = window_ === null || window_ === undefined || !page.connected;
  for (const part of [page.bar.timer, page.bar.seconds]) attribute(part, 'hidden', timeless ? '' : null);
  if (timeless) {
    for (const ring of page.felt.element.querySelectorAll('[data-left]')) ring.removeAttribute('data-left');
    return;
  }
  const left = Math.max(0, window_ - (performance.now() - page.arrived));
  const full = Math.max(window_, page.view.awaiting.what === 'wagers' ? 12_000 : 20_000);
  line.style.transform = `scaleX(${(left / full).toFixed(4)})`;
  // In the last five seconds the ring shows the number.
  for (const ring of /** @type {NodeListOf<HTMLElement>} */ (
    page.felt.element.querySelectorAll('.hand.asked, .box.asked .hands')
  )) {
    ring.style.setProperty('--left', (left / full).toFixed(3));
    if (left < 5000) ring.setAttribute('data-left', String(Math.ceil(left / 1000)));
    else ring.removeAttribute('data-left');
  }
  write(page.bar.seconds, `${Math.ceil(left / 1000)} s`);
  page.bar.timer.classList.toggle('late', left < 5000);
}
