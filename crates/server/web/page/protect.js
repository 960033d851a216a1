// Playing within limits: what the house offers, in words.

import { me } from './net.js';
import { fill, h } from './ui.js';

/** @param {HTMLElement} main @param {string[]} _ @param {URLSearchParams} query */
export function show(main, _, query) {
  fill(
    main,
    h(
      'section',
      { class: 'panel pad narrow stack-y' },
      h('h1', null, query.has('left') ? 'Signed out' : 'Play within limits'),
      h(
        'p',
        null,
        'The house keeps its edge on every wager; over time play costs money. Play for the pleasure of it, with what you can spare, and stop while it is one.',
      ),
      h(
        'ul',
        { class: 'plain-list' },
        h(
          'li',
          null,
          'Set limits of your own on loss, wagers and time. A tighter one counts at once, a looser one after 24 hours.',
        ),
        h(
          'li',
          null,
          'Exclude yourself for as long as you choose. It cannot be shortened, and your chips can always be cashed out.',
        ),
        h('li', null, 'A reminder tells you every half hour how long you have played and what it has come to.'),
        h(
          'li',
          null,
          'If play has stopped being one, talk to somebody: your doctor, or the problem gambling helpline of your country or state (in New Jersey and Massachusetts 1-800-GAMBLER).',
        ),
      ),
      h(
        'p',
        { class: 'row' },
        me() ? h('a', { class: 'act', href: '/account' }, 'Your limits') : null,
        h('a', { class: 'act', href: '/' }, 'To the tables'),
      ),
    ),
  );
}
