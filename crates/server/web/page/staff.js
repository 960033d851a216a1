// The supervisor's page: everyone the house knows, accounts made and changed. What changes is a significant event.

import { ask, get, post } from './net.js';
import { complain, dialog, field, fill, grid, h, title, toast, when } from './ui.js';
import { t } from './words.js';

/** @typedef {import('../../browser/types').Schemas} Schemas */

const ROLES = ['player', 'dealer', 'floor', 'supervisor', 'cashier', 'auditor'];

/** @param {HTMLElement} main */
export async function show(main) {
  const list = h('div', null);
  const name = /** @type {HTMLInputElement} */ (
    h('input', { required: true, minlength: 3, maxlength: 24, name: 'name', autocomplete: 'off' })
  );
  const role = /** @type {HTMLSelectElement} */ (
    h(
      'select',
      { name: 'role' },
      ROLES.map((r) => h('option', { value: r }, title(r))),
    )
  );
  const search = /** @type {HTMLInputElement} */ (
    h('input', { type: 'search', name: 'search', placeholder: t('a-name-or-a-role'), oninput: () => redraw() })
  );
  /** @type {Schemas['PersonView'][]} */
  let people = [];
  /** @type {string | null} */
  let next = null;
  const draw = async (/** @type {string} */ after = '') => {
    const page = await get(`/api/staff/people?limit=100&after=${encodeURIComponent(after)}`);
    people = after ? [...people, ...page.items] : page.items;
    next = page.next ?? null;
    redraw();
  };
  /** Who works here first, then members, then guests. @param {Schemas['PersonView']} p */
  const rank = (p) => (p.guest ? 2 : p.role === 'player' ? 1 : 0);
  const redraw = () => {
    const sought = search.value.trim().toLowerCase();
    const shown = people
      .filter((p) => !sought || `${p.name} ${p.guest ? 'guest' : p.role}`.toLowerCase().includes(sought))
      .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
    fill(
      list,
      grid(
        [t('name'), t('role'), t('state'), t('since'), ''],
        shown.map((p) => [
          p.name,
          p.guest ? t('guest') : title(p.role),
          p.disabled ? t('disabled') : p.locked_until ? t('locked-until', { locked_until: when(p.locked_until) }) : '',
          when(p.created),
          h(
            'button',
            { class: 'act', onclick: () => change(p), 'aria-label': t('change-2', { name: p.name }) },
            t('change'),
          ),
        ]),
        t('people'),
      ),
      next ? h('button', { class: 'act', onclick: () => draw(String(next)) }, t('more')) : null,
    );
  };
  const change = (/** @type {Schemas['PersonView']} */ person) => {
    const newRole = /** @type {HTMLSelectElement} */ (
      h(
        'select',
        { disabled: person.guest },
        ROLES.map((r) => h('option', { value: r, selected: r === person.role }, title(r))),
      )
    );
    const disabled = /** @type {HTMLInputElement} */ (h('input', { type: 'checkbox', checked: person.disabled }));
    const unlock = /** @type {HTMLInputElement} */ (h('input', { type: 'checkbox' }));
    const reset = /** @type {HTMLInputElement} */ (h('input', { type: 'checkbox', disabled: person.guest }));
    const factor = /** @type {HTMLInputElement} */ (h('input', { type: 'checkbox', disabled: person.guest }));
    const reason = /** @type {HTMLInputElement} */ (h('input', { required: true, maxlength: 500 }));
    const box = dialog(
      person.name,
      h(
        'form',
        {
          class: 'stack-y',
          onsubmit: async (/** @type {Event} */ event) => {
            event.preventDefault();
            try {
              const changed = await ask('PATCH', `/api/staff/people/${person.person}`, {
                role: newRole.value === person.role ? null : /** @type {Schemas['Role']} */ (newRole.value),
                disabled: disabled.checked === person.disabled ? null : disabled.checked,
                unlock: unlock.checked,
                reset_password: reset.checked,
                remove_second_factor: factor.checked,
                reason: reason.value,
              });
              box.close();
              if (changed.one_time_password) handOver(person.name, changed.one_time_password);
              else toast(t('changed-and-recorded'));
              await draw();
            } catch (error) {
              complain(error);
            }
          },
        },
        field(t('role'), newRole),
        h('label', { class: 'row' }, disabled, t('disabled')),
        h('label', { class: 'row' }, unlock, t('lift-a-lock-out')),
        h('label', { class: 'row' }, reset, t('new-one-time-password')),
        h('label', { class: 'row' }, factor, t('remove-the-second-factor')),
        field(t('why-5'), reason, t('kept-with-the-record')),
        h('button', { class: 'act primary' }, t('change')),
      ),
    );
  };
  const handOver = (/** @type {string} */ who, /** @type {string} */ password) =>
    dialog(
      t('password-for', { who }),
      h('p', null, t('to-be-handed-over-it-must-be')),
      h('p', { class: 'hash one-time' }, password),
    );
  fill(
    main,
    h('h1', null, t('people')),
    h(
      'section',
      { class: 'panel pad' },
      h(
        'form',
        {
          class: 'row',
          onsubmit: async (/** @type {Event} */ event) => {
            event.preventDefault();
            try {
              const hired = await post('/api/staff/people', {
                name: name.value,
                role: /** @type {Schemas['Role']} */ (role.value),
              });
              name.value = '';
              handOver(hired.name, hired.one_time_password);
              await draw();
            } catch (error) {
              complain(error);
            }
          },
        },
        field(t('name'), name),
        field(t('role'), role),
        h('button', { class: 'act primary' }, t('make-account')),
      ),
    ),
    h('section', { class: 'panel' }, h('div', { class: 'pad' }, field(t('search'), search)), list),
  );
  await draw();
}
