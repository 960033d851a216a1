// The choice of the side of a double shoe.

import { h } from '../shared/ui.js';
import { t } from '../shared/words.js';

/**
 * Builds the choice of the side that the determinant card was drawn from, which is up to the dealer by 2.6(d)1.
 * @param {{ shoeSide: string }} desk
 */
export function sides(desk) {
  const side = (/** @type {string} */ value) =>
    h(
      'label',
      null,
      h('input', {
        type: 'radio',
        name: 'side',
        value,
        checked: desk.shoeSide === value,
        onchange: () => {
          desk.shoeSide = value;
        },
      }),
      value === 'red' ? t('shoe.side_name.red') : t('shoe.side_name.black'),
    );
  return h('fieldset', { class: 'choices' }, h('legend', null, t('console.drawn_from')), side('red'), side('black'));
}
