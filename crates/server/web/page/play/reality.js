// The reality check: every half hour at a table, shows the time played and the net result.

import { dialog, h, signed } from '../shared/ui.js';
import { t } from '../shared/words.js';

/** @param {number} begun time when the page was opened @param {number} net */
export function realityCheck(begun, net) {
  const minutes = Math.round((Date.now() - begun) / 60_000);
  dialog(
    t('reality_check.title'),
    h('p', null, t('reality_check.text', { minutes, amount: signed(net) })),
    h(
      'p',
      null,
      h('a', { href: '/account' }, t('limit.yours.label')),
      ' · ',
      h('a', { href: '/' }, t('reality_check.leave')),
    ),
  );
}
