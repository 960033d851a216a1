// The supervisor's page: everyone the house knows, and creating and changing accounts. Every change is a significant
// event.

import { ask, get, post } from '../shared/net.js';
import { handOver, mustWait, requests } from './requests.js';
import { complain, dialog, field, fill, grid, h, toast, when } from '../shared/ui.js';
import { t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */

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
      ROLES.map((r) => h('option', { value: r }, term('role', r))),
    )
  );
  const search = /** @type {HTMLInputElement} */ (
    h('input', { type: 'search', name: 'search', placeholder: t('staff.search.hint'), oninput: () => redraw() })
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
    await waiting.look();
  };
  const waiting = requests(() => draw());
  /** Sorts staff first, then members, then guests. @param {Schemas['PersonView']} p */
  const rank = (p) => (p.guest ? 2 : p.role === 'player' ? 1 : 0);
  const redraw = () => {
    const sought = search.value.trim().toLowerCase();
    const shown = people
      .filter((p) => !sought || `${p.name} ${p.guest ? 'guest' : p.role}`.toLowerCase().includes(sought))
      .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
    fill(
      list,
      grid(
        [t('account.name'), t('staff.role'), t('filter.state'), t('staff.since'), ''],
        shown.map((p) => [
          p.name,
          p.guest ? t('account.guest') : term('role', p.role),
          p.disabled ? t('staff.disabled') : p.locked_until ? t('staff.locked', { date: when(p.locked_until) }) : '',
          when(p.created),
          h(
            'button',
            { class: 'act', onclick: () => change(p), 'aria-label': t('staff.edit', { name: p.name }) },
            t('staff.edit.short'),
          ),
        ]),
        t('nav.accounts'),
      ),
      next ? h('button', { class: 'act', onclick: () => draw(String(next)) }, t('action.more')) : null,
    );
  };
  const change = (/** @type {Schemas['PersonView']} */ person) => {
    const newRole = /** @type {HTMLSelectElement} */ (
      h(
        'select',
        { disabled: person.guest },
        ROLES.map((r) => h('option', { value: r, selected: r === person.role }, term('role', r))),
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
              if ('request' in changed) mustWait();
              else if (changed.one_time_password) handOver(person.name, changed.one_time_password);
              else toast(t('staff.saved'));
              await draw();
            } catch (error) {
              complain(error);
            }
          },
        },
        field(t('staff.role'), newRole),
        h('label', { class: 'row' }, disabled, t('staff.disabled')),
        h('label', { class: 'row' }, unlock, t('staff.unlock')),
        h('label', { class: 'row' }, reset, t('staff.new_password')),
        h('label', { class: 'row' }, factor, t('staff.remove_two_factor')),
        field(t('reason.why'), reason, t('reason.hint')),
        h('button', { class: 'act primary' }, t('action.change')),
      ),
    );
  };
  fill(
    main,
    h('h1', null, t('nav.accounts')),
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
              if ('request' in hired) mustWait();
              else handOver(hired.name, hired.one_time_password);
              await draw();
            } catch (error) {
              complain(error);
            }
          },
        },
        field(t('account.name'), name),
        field(t('staff.role'), role),
        h('button', { class: 'act primary' }, t('staff.create')),
      ),
    ),
    waiting.list,
    h('section', { class: 'panel' }, h('div', { class: 'pad' }, field(t('action.search'), search)), list),
  );
  await draw();
}
