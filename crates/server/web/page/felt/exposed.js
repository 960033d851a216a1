// A card drawn in error and seen by everyone, 2.15(c): it stays beside the shoe until it is dealt.

import { cardElement } from '../shared/cards.js';
import { cardWords, h } from '../shared/ui.js';
import { t } from '../shared/words.js';

/**
 * Returns a function that shows the exposed card on a felt, or removes it.
 * @param {HTMLElement} felt @returns {(card: string) => void}
 */
export function exposedCard(felt) {
  let lies = '';
  /** @type {HTMLElement | null} */
  let shown = null;
  return (card) => {
    if (card === lies) return;
    lies = card;
    shown?.remove();
    shown = card
      ? h(
          'div',
          {
            class: 'exposed-card',
            role: 'status',
            'aria-label': t('felt.exposed.text', { card: cardWords(card) }),
          },
          cardElement(card),
          h('span', null, t('felt.exposed.label')),
        )
      : null;
    if (shown) felt.append(shown);
  };
}
