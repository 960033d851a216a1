// What stands in the head of a table besides its name: the progressive meter, and that the floor was called.

import { h, money } from './ui.js';
import { t } from './words.js';

/** @param {import('../../browser/types').View} view */
export const headline = ({ meter, call }) => [
  meter ? h('span', null, t('progressive'), h('b', null, money(meter))) : null,
  call
    ? h(
        'span',
        { class: 'tag live floor-called' },
        call.coming ? t('coming', { name: call.coming }) : t('the-floor-is-called'),
      )
    : null,
];

/** What the felt shows of a view besides the cards: who deals, and a card that everyone has seen. @param {import('../../browser/types').View} view */
export const besides = ({ dealt_by: by, exposed }) => ({ dealer: by?.here ? by.name : '', exposed: exposed ?? '' });
