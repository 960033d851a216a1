// Playing within limits: what the house offers, in words.

import { me } from './net.js';
import { fill, h } from './ui.js';
import { t } from './words.js';

/** @param {HTMLElement} main @param {string[]} _ @param {URLSearchParams} query */
export function show(main, _, query) {
  fill(
    main,
    h(
      'section',
      { class: 'panel pad narrow stack-y' },
      h('h1', null, query.has('left') ? t('signed-out') : t('play-within-limits')),
      h('p', null, t('the-house-keeps-its-edge-on-every')),
      h(
        'ul',
        { class: 'plain-list' },
        h('li', null, t('set-limits-of-your-own-on-loss')),
        h('li', null, t('exclude-yourself-for-as-long-as-you')),
        h('li', null, t('a-reminder-tells-you-every-half-hour')),
        h('li', null, t('if-play-has-stopped-being-one-talk')),
      ),
      h(
        'p',
        { class: 'row' },
        me() ? h('a', { class: 'act', href: '/account' }, t('your-limits')) : null,
        h('a', { class: 'act', href: '/' }, t('to-the-tables')),
      ),
    ),
  );
}
