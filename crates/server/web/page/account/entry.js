// The sign-in page: sign in, join, or replace a one-time password.

import { codeInput, factorForm } from './factor.js';
import { ask, get, me, post, refreshMe } from '../shared/net.js';
import { complain, faulty, field, fill, go, h, toast } from '../shared/ui.js';
import { t } from '../shared/words.js';

/**
 * Returns the start page of a role. For a dealer or the floor it is the console if there is only one table with a
 * dealer.
 * @param {string} role
 */
async function home(role) {
  if (role !== 'dealer' && role !== 'floor') return HOMES[role] ?? '/';
  const tables = (await get('/api/tables')).filter((t) => t.dealing === 'dealer');
  return tables.length === 1 ? `/console/${tables[0].table}` : '/floor';
}

const HOMES = /** @type {Record<string, string>} */ ({ cashier: '/cashier', auditor: '/audit', supervisor: '/staff' });

/** @param {HTMLElement} main @param {string[]} _ @param {URLSearchParams} query */
export async function show(main, _, query) {
  const to = query.get('to') ?? '';
  if (me()?.must_change_password) return fill(main, passwordForm(to));
  const onwards = async () => go(to.startsWith('/') && !to.startsWith('//') ? to : await home(me()?.role ?? 'player'));
  if (me()?.must_set_second_factor) return fill(main, factorForm(onwards));
  const code = codeInput();
  const second = field(t('sign_in.code'), code);
  second.hidden = true;
  code.disabled = true;
  const name = /** @type {HTMLInputElement} */ (
    h('input', { name: 'name', autocomplete: 'username', required: true, minlength: 3, maxlength: 24 })
  );
  const password = /** @type {HTMLInputElement} */ (
    h('input', { name: 'password', type: 'password', autocomplete: 'current-password', required: true })
  );
  const enter = async (/** @type {'/api/people' | '/api/sessions'} */ path) => {
    try {
      const shown = code.disabled ? {} : { code: code.value };
      const entered = await post(path, { name: name.value, password: password.value, ...shown });
      const who = await refreshMe();
      if (entered.must_change_password) fill(main, passwordForm(to, password.value));
      else if (who?.must_set_second_factor) fill(main, factorForm(onwards));
      else {
        toast(t('sign_in.welcome'));
        await onwards();
      }
    } catch (error) {
      const { code: fault, about, message } = /** @type {import('../shared/net.js').Refused} */ (error);
      if (fault === 'name-taken') faulty(name, t('register.name_taken', { name: name.value }));
      else if (fault === 'second-factor') {
        second.hidden = false;
        code.disabled = false;
        code.focus();
      } else if (fault === 'credentials')
        faulty(password, second.hidden ? t('sign_in.wrong') : t('sign_in.wrong_code'));
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
      h('h1', null, t('account.sign_in')),
      h(
        'form',
        {
          class: 'stack-y',
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            enter('/api/sessions');
          },
        },
        field(t('account.name'), name),
        field(t('account.password'), password, t('password.hint')),
        second,
        h(
          'div',
          { class: 'row' },
          h('button', { class: 'act primary' }, t('account.sign_in')),
          h(
            'button',
            {
              class: 'act',
              type: 'button',
              'data-act': 'join',
              onclick: () => {
                if (name.value.length < 3) faulty(name, t('register.name_short'));
                else if (password.value.length < 8) faulty(password, t('password.short'));
                else enter('/api/people');
              },
            },
            t('register.submit'),
          ),
        ),
      ),
      h('p', { class: 'dim small' }, guest ? t('register.guest') : t('register.intro')),
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
    h('h1', null, t('password.choose')),
    h(
      'form',
      {
        class: 'stack-y',
        onsubmit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          try {
            await ask('PUT', '/api/me/password', { old: before.value, new: fresh.value });
            const who = await refreshMe();
            toast(t('password.changed'));
            go(to.startsWith('/') && !to.startsWith('//') ? to : await home(who?.role ?? 'player'));
          } catch (error) {
            complain(error);
          }
        },
      },
      field(t('password.current'), before),
      field(t('password.new'), fresh, t('password.hint')),
      h('button', { class: 'act primary' }, t('action.change')),
    ),
  );
}
