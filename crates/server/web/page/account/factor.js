// The second factor of staff: sets up a secret for an authenticator app, confirmed with a code.

import { ask, me, post, refreshMe } from '../shared/net.js';
import { complain, faulty, field, fill, h, toast } from '../shared/ui.js';
import { t } from '../shared/words.js';

/** Builds the input for the six digits that an authenticator shows. */
export function codeInput() {
  return /** @type {HTMLInputElement} */ (
    h('input', { name: 'code', inputmode: 'numeric', autocomplete: 'one-time-code', maxlength: 7, required: true })
  );
}

/** Builds the form that sets up a second factor, or says that there is one. @param {() => void} done */
export function factorForm(done) {
  const panel = h('section', { class: 'panel pad narrow stack-y', 'data-part': 'second-factor' });
  const heading = h('h2', null, t('two_factor.title'));
  if (me()?.second_factor) {
    const lost = t('two_factor.on');
    return fill(panel, heading, h('p', { class: 'dim' }, lost));
  }
  const password = /** @type {HTMLInputElement} */ (
    h('input', { type: 'password', autocomplete: 'current-password', required: true })
  );
  const make = async () => {
    try {
      const made = await post('/api/me/second-factor', { password: password.value });
      fill(panel, heading, confirmForm(made, done));
    } catch (error) {
      const { code } = /** @type {import('../shared/net.js').Refused} */ (error);
      if (code === 'credentials') faulty(password, t('password.wrong'));
      else complain(error);
    }
  };
  return fill(
    panel,
    heading,
    h('p', null, t('two_factor.intro')),
    form(
      make,
      field(t('password.yours'), password),
      h('button', { class: 'act', 'data-act': 'factor' }, t('two_factor.set_up')),
    ),
  );
}

/** @param {{ secret: string, url: string }} made @param {() => void} done */
function confirmForm(made, done) {
  const code = codeInput();
  const confirm = async () => {
    try {
      await ask('PUT', '/api/me/second-factor', { code: code.value });
      await refreshMe();
      toast(t('two_factor.done'));
      done();
    } catch (error) {
      const { code: fault, message } = /** @type {import('../shared/net.js').Refused} */ (error);
      if (fault === 'wrong-code') faulty(code, message);
      else complain(error);
    }
  };
  const parts = made.secret.match(/.{1,4}/g) ?? [];
  return form(
    confirm,
    h('p', null, t('two_factor.secret')),
    h('p', { class: 'hash', 'data-secret': made.secret }, parts.join(' ')),
    h('a', { href: made.url }, t('two_factor.link')),
    field(t('two_factor.code'), code),
    h('button', { class: 'act primary', 'data-act': 'confirm-factor' }, t('action.confirm')),
  );
}

/** @param {() => void} submit @param {...Node} children */
function form(submit, ...children) {
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    submit();
  };
  return h('form', { class: 'stack-y', onsubmit }, ...children);
}
