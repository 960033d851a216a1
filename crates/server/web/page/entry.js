// Coming in: sign in, join, or change a one-time password.

import { ask, me, post, refreshMe } from './net.js';
import { complain, field, fill, go, h, toast } from './ui.js';

const HOMES = /** @type {Record<string, string>} */ ({ cashier: '/cashier', auditor: '/audit', supervisor: '/staff' });

/** @param {HTMLElement} main @param {string[]} _ @param {URLSearchParams} query */
export async function show(main, _, query) {
  const to = query.get('to') ?? '';
  if (me()?.must_change_password) return fill(main, passwordForm(to));
  const name = /** @type {HTMLInputElement} */ (
    h('input', { name: 'name', autocomplete: 'username', required: true, minlength: 3, maxlength: 24 })
  );
  const password = /** @type {HTMLInputElement} */ (
    h('input', { name: 'password', type: 'password', autocomplete: 'current-password', required: true })
  );
  const enter = async (/** @type {string} */ path) => {
    try {
      const entered = await post(path, { name: name.value, password: password.value });
      await refreshMe();
      if (entered.must_change_password) fill(main, passwordForm(to, password.value));
      else {
        toast('Welcome. Play within limits; they are yours to set.');
        go(to.startsWith('/') && !to.startsWith('//') ? to : (HOMES[entered.role] ?? '/'));
      }
    } catch (error) {
      complain(error);
    }
  };
  return fill(
    main,
    h(
      'section',
      { class: 'panel pad narrow stack-y' },
      h('h1', null, 'Sign in'),
      h(
        'form',
        {
          class: 'stack-y',
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            enter('/api/sessions');
          },
        },
        field('Name', name),
        field('Password', password, '8 to 128 characters'),
        h(
          'div',
          { class: 'row' },
          h('button', { class: 'act primary' }, 'Sign in'),
          h('button', { class: 'act', type: 'button', onclick: () => enter('/api/people') }, 'Join as a player'),
        ),
      ),
      h(
        'p',
        { class: 'dim small' },
        'Players buy chips at the cashier. Guests play with play chips, without an account: just open a table.',
      ),
    ),
  );
}

/** @param {string} to @param {string} [old] */
export function passwordForm(to, old = '') {
  const before = /** @type {HTMLInputElement} */ (
    h('input', { type: 'password', autocomplete: 'current-password', value: old, required: true })
  );
  const fresh = /** @type {HTMLInputElement} */ (
    h('input', {
      type: 'password',
      autocomplete: 'new-password',
      minlength: 8,
      maxlength: 128,
      required: true,
      name: 'new-password',
    })
  );
  return h(
    'section',
    { class: 'panel pad narrow stack-y' },
    h('h1', null, 'A password of your own'),
    h(
      'form',
      {
        class: 'stack-y',
        onsubmit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          try {
            await ask('PUT', '/api/me/password', { old: before.value, new: fresh.value });
            const who = await refreshMe();
            toast('The password is changed.');
            go(to.startsWith('/') && !to.startsWith('//') ? to : (HOMES[who?.role] ?? '/'));
          } catch (error) {
            complain(error);
          }
        },
      },
      field('Password until now', before),
      field('New password', fresh, '8 to 128 characters'),
      h('button', { class: 'act primary' }, 'Change'),
    ),
  );
}
