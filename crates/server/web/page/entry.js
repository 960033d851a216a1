// Coming in: sign in, join, or change a one-time password.

import { codeInput, factorForm } from './factor.js';
import { ask, get, me, post, refreshMe } from './net.js';
import { complain, faulty, field, fill, go, h, toast } from './ui.js';

/** Where somebody begins; a dealer at the table, if there is but one. @param {string} role */
async function home(role) {
  if (role !== 'dealer' && role !== 'floor') return HOMES[role] ?? '/';
  const tables = (await get('/api/tables')).filter((/** @type {any} */ t) => t.dealing === 'dealer');
  return tables.length === 1 ? `/console/${tables[0].table}` : '/';
}

const HOMES = /** @type {Record<string, string>} */ ({ cashier: '/cashier', auditor: '/audit', supervisor: '/staff' });

/** @param {HTMLElement} main @param {string[]} _ @param {URLSearchParams} query */
export async function show(main, _, query) {
  const to = query.get('to') ?? '';
  if (me()?.must_change_password) return fill(main, passwordForm(to));
  const onwards = async () => go(to.startsWith('/') && !to.startsWith('//') ? to : await home(me()?.role));
  if (me()?.must_set_second_factor) return fill(main, factorForm(onwards));
  const code = codeInput();
  const second = field('Code of your authenticator', code);
  second.hidden = true;
  code.disabled = true;
  const name = /** @type {HTMLInputElement} */ (
    h('input', { name: 'name', autocomplete: 'username', required: true, minlength: 3, maxlength: 24 })
  );
  const password = /** @type {HTMLInputElement} */ (
    h('input', { name: 'password', type: 'password', autocomplete: 'current-password', required: true })
  );
  const enter = async (/** @type {string} */ path) => {
    try {
      const shown = code.disabled ? {} : { code: code.value };
      const entered = await post(path, { name: name.value, password: password.value, ...shown });
      const who = await refreshMe();
      if (entered.must_change_password) fill(main, passwordForm(to, password.value));
      else if (who?.must_set_second_factor) fill(main, factorForm(onwards));
      else {
        toast('Welcome. Play within limits; they are yours to set.');
        await onwards();
      }
    } catch (error) {
      const { code: fault, about, message } = /** @type {import('./net.js').Refused} */ (error);
      if (fault === 'name-taken') faulty(name, `“${name.value}” is taken; choose another name`);
      else if (fault === 'second-factor') {
        second.hidden = false;
        code.disabled = false;
        code.focus();
      } else if (fault === 'credentials')
        faulty(
          password,
          second.hidden ? 'Name and password do not fit together' : 'Name, password and code do not fit together',
        );
      else if (about === 'name') faulty(name, message);
      else if (about === 'password') faulty(password, message);
      else complain(error);
    }
  };
  const guest = me()?.guest;
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
        second,
        h(
          'div',
          { class: 'row' },
          h('button', { class: 'act primary' }, 'Sign in'),
          h(
            'button',
            {
              class: 'act',
              type: 'button',
              'data-act': 'join',
              onclick: () => {
                if (name.value.length < 3) faulty(name, 'A name has at least 3 letters or digits');
                else if (password.value.length < 8) faulty(password, 'A password has at least 8 characters');
                else enter('/api/people');
              },
            },
            'Join as a player',
          ),
        ),
      ),
      h(
        'p',
        { class: 'dim small' },
        guest
          ? 'You play as a guest. Who joins keeps the play chips and the rounds played as a guest.'
          : 'Everyone has play chips; others are bought at the cashier. Guests need no account: just open a table.',
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
            go(to.startsWith('/') && !to.startsWith('//') ? to : await home(who?.role));
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
