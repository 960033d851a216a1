// Requests that wait for a second person: shows them to whoever may approve or decline them, and to whoever made them.

import { get, post } from '../shared/net.js';
import { complain, dialog, field, fill, grid, h, money, toast, when } from '../shared/ui.js';
import { listed, t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */

/** How often the list is read again. */
const LOOK_MS = 5000;

/** Says what is asked for. @param {Record<string, any>} asked */
export function whatIsAsked(asked) {
  const { action, name } = asked;
  if (action === 'buy-in') return t('request.buy_in', { name, amount: money(asked.amount) });
  if (action === 'cash-out') return t('request.cash_out', { name, amount: money(asked.amount) });
  if (action === 'hire') return t('request.hire', { name, role: term('role', asked.role) });
  const change = asked.change ?? asked;
  const changes = [
    change.role ? t('request.role', { role: term('role', change.role) }) : '',
    change.disabled === true ? t('event.account.disabled') : '',
    change.disabled === false ? t('event.account.enabled') : '',
    change.unlock ? t('event.account.unlocked') : '',
    change.reset_password ? t('event.account.password') : '',
    change.remove_second_factor ? t('event.account.no_two_factor') : '',
  ];
  return t('request.account', { name, details: listed(changes.filter(Boolean)) });
}

/** Shows a one-time password, to be handed over. @param {string} who @param {string} password */
export const handOver = (who, password) =>
  dialog(
    t('staff.password.label', { name: who }),
    h('p', null, t('staff.password.hint')),
    h('p', { class: 'hash one-time' }, password),
  );

/** Tells whoever asked that somebody else must approve it. */
export const mustWait = () => toast(t('request.sent'));

/**
 * Returns the list of open requests, which stays empty where nothing waits, and what reads it again.
 * @param {() => void} [decided] called when a request was approved
 */
export function requests(decided) {
  const list = h('section', { class: 'panel', hidden: true });
  let shape = '';
  const look = async () => {
    const open = await get('/api/staff/requests');
    if (shape === JSON.stringify(open)) return;
    shape = JSON.stringify(open);
    list.hidden = open.length === 0;
    fill(
      list,
      h('h2', { class: 'pad' }, t('request.title')),
      grid(
        [t('request.what'), t('request.by'), t('reason.why'), t('request.expires'), ''],
        open.map((one) => [whatIsAsked(one), one.by, one.reason, when(one.expires), buttons(one)]),
        t('request.title'),
      ),
    );
  };
  /** @param {Schemas['PendingView']} one @param {'approve' | 'decline'} decision @param {string} [reason] */
  const decide = async (one, decision, reason = '') => {
    try {
      const done = await post(`/api/staff/requests/${one.request}/decision`, { decision, reason });
      if (done.one_time_password) handOver(done.name, done.one_time_password);
      else toast(decision === 'approve' ? t('request.approved') : t('request.declined'));
      decided?.();
    } catch (error) {
      complain(error);
    }
    await look();
  };
  /** @param {Schemas['PendingView']} one */
  const decline = (one) => {
    const reason = /** @type {HTMLInputElement} */ (h('input', { name: 'reason', required: true, maxlength: 500 }));
    const box = dialog(
      whatIsAsked(one),
      h(
        'form',
        {
          class: 'stack-y',
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            box.close();
            decide(one, 'decline', reason.value);
          },
        },
        field(t('reason.why'), reason, t('reason.hint')),
        h('button', { class: 'act primary' }, t('request.decline')),
      ),
    );
  };
  /** @param {Schemas['PendingView']} one */
  const buttons = (one) =>
    one.mine
      ? h('button', { class: 'act', onclick: () => decide(one, 'decline') }, t('request.withdraw'))
      : h(
          'div',
          { class: 'row' },
          h('button', { class: 'act primary', onclick: () => decide(one, 'approve') }, t('request.approve')),
          h('button', { class: 'act', onclick: () => decline(one) }, t('request.decline')),
        );
  const again = async () => {
    // The page has been left.
    if (!list.isConnected) return;
    await look().catch(() => {});
    setTimeout(again, LOOK_MS);
  };
  setTimeout(again, LOOK_MS);
  return { list, look };
}
