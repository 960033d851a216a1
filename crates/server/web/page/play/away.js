// Follows a hand that was left behind: a player who leaves a table in mid-round sees a banner about it, with a link
// back.

import { Live, me } from '../shared/net.js';
import { fill, h, signed, tableName, toast } from '../shared/ui.js';
import { t } from '../shared/words.js';

/** @typedef {import('../../../browser/types').View} View */
/** @typedef {{ number: number, name: string, live: Live, view: View, since: number, ticking: ReturnType<typeof setInterval> }} Left */

/** @type {Left | null} */
let left = null;

/** Returns whether I have a bet on this table. @param {View} view */
const mine = (view) => view.boxes.some((box) => box.bettors.some((b) => b.person === me()?.person));

/** Returns whether the table waits for my decision. @param {View} view */
function asked(view) {
  const at = (/** @type {number | undefined} */ box) =>
    view.boxes.find((one) => one.box === box)?.bettors.findIndex((b) => b.person === me()?.person) ?? -1;
  const { awaiting } = view;
  if ((awaiting.asked ?? []).some((one) => at(one.box) === one.bettor)) return true;
  const play = view.boxes.find((one) => one.box === awaiting.box);
  return Boolean(play?.bettors[at(awaiting.box)]?.caller);
}

/**
 * Leaves a table. While a round with my bet is in play, the banner reports on it.
 * @param {number} number @param {string} name @param {View} view
 */
export function leave(number, name, view) {
  end();
  if (view.awaiting.what === 'wagers' || !mine(view)) return;
  const hears = {
    view: (/** @type {View} */ seen) => {
      if (!left) return;
      left.view = seen;
      left.since = performance.now();
      if (mine(seen) && seen.awaiting.what !== 'wagers') return draw();
      const net = seen.events
        .filter((event) => event.event === 'settled' && event.person === me()?.person)
        .reduce((all, event) => all + Math.round(Number(event.net) * 100), 0);
      toast(t('away.over', { table: tableName(left.name), net: signed(net) }));
      end();
    },
    state: () => {},
  };
  left = {
    number,
    name,
    view,
    since: performance.now(),
    live: new Live(number, hears),
    ticking: setInterval(draw, 500),
  };
  draw();
}

/** Stops following the table and removes the banner. */
export function end() {
  left?.live.close();
  clearInterval(left?.ticking);
  left = null;
  document.querySelector('.away')?.remove();
}

function draw() {
  if (!left) return;
  const { number, name, view, since } = left;
  let banner = document.querySelector('.away');
  if (!banner) {
    banner = h(
      'p',
      { class: 'away', role: 'status' },
      h('span', null),
      h('a', { class: 'act primary', href: `/table/${number}`, 'data-act': 'back-to-the-table' }, t('away.back')),
    );
    document.getElementById('top')?.after(banner);
  }
  const table = tableName(name);
  const window_ = view.deadline_ms;
  const seconds = Math.max(0, Math.ceil(((window_ ?? 0) - (performance.now() - since)) / 1000));
  const words = !asked(view)
    ? t('away.in_hand', { table })
    : window_ === null || window_ === undefined
      ? t('away.your_turn_no_clock', { table })
      : t('away.your_turn', { table, seconds });
  const said = /** @type {Element} */ (banner.firstElementChild);
  if (said.textContent !== words) fill(said, words);
}
