// The head of a table besides its name: the progressive meter, and whether the floor was called.

import { h, money } from '../shared/ui.js';
import { rich, t } from '../shared/words.js';

/** @param {import('../../../browser/types').View} view */
export const headline = ({ meter, call }) => [
  meter ? h('span', null, rich('headline.progressive', { amount: h('b', null, money(meter)) })) : null,
  call
    ? h(
        'span',
        { class: 'tag live floor-called' },
        call.coming ? t('pit.on_the_way', { name: call.coming }) : t('floor.call.sent'),
      )
    : null,
];

/**
 * Returns what the felt shows of a view besides the cards and bets: the dealer's name, and an exposed card.
 * @param {import('../../../browser/types').View} view
 */
export const besides = ({ dealt_by: by, exposed }) => ({ dealer: by?.here ? by.name : '', exposed: exposed ?? '' });
