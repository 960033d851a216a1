// Responsible play: the protection that the house offers.

import { me } from '../shared/net.js';
import { fill, h } from '../shared/ui.js';
import { t } from '../shared/words.js';

/** @param {HTMLElement} main @param {string[]} _ @param {URLSearchParams} query */
export function show(main, _, query) {
  fill(
    main,
    h(
      'section',
      { class: 'panel pad narrow stack-y' },
      h('h1', null, query.has('left') ? t('account.signed_out') : t('nav.play_responsibly')),
      h('p', null, t('responsible.edge')),
      h(
        'ul',
        { class: 'plain-list' },
        h('li', null, t('responsible.limits')),
        h('li', null, t('responsible.exclusion')),
        h('li', null, t('responsible.reminder')),
        h('li', null, t('responsible.help')),
      ),
      h(
        'p',
        { class: 'row' },
        me() ? h('a', { class: 'act', href: '/account' }, t('limit.yours.label')) : null,
        h('a', { class: 'act', href: '/' }, t('nav.to_tables')),
      ),
    ),
  );
}
