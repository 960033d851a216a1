// Which side of a double shoe a card comes from.

import { h, title } from './ui.js';
import { t } from './words.js';

/** Which side of a double shoe the determinant card was drawn from: the dealer's choice, by 2.6(d)1. @param {{ shoeSide: string }} desk */
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
      t('side', { value: title(value) }),
    );
  return h('fieldset', { class: 'choices' }, h('legend', null, t('drawn-from')), side('red'), side('black'));
}
