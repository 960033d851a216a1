// Beside the felt: events, signs with their pay tables, fairness or the coach in tabs; the keys.

import { clauseLink, h, title } from './ui.js';

/** The keys of a table page. @type {[string, string][]} */
const KEYS = [
  ['1 – 5', 'a chip on the chosen area'],
  ['← → Tab', 'another area'],
  ['⌫', 'take back'],
  ['R', 'the same bet'],
  ['P', 'place, wait for others'],
  ['D ⏎', 'deal'],
  ['H', 'hit'],
  ['S', 'stand'],
  ['D', 'double'],
  ['L', 'double for less'],
  ['P', 'split'],
  ['U', 'surrender'],
  ['W', 'switch'],
  ['V', 'take the switch back'],
  ['A', 'attack'],
  ['I', 'insurance'],
  ['E', 'even money'],
  ['N', 'no'],
  ['Y', 'why'],
  ['G', 'new play chips, for a guest without'],
];

/**
 * Tabs with their panels. `open` shows one by its name, unless somebody has chosen another.
 * @param {[string, HTMLElement][]} list
 */
export function tabs(list) {
  let chosen = false;
  const panels = list.map(([, body], at) =>
    h('div', { class: 'tab-panel', role: 'tabpanel', id: `panel-${at}`, 'aria-labelledby': `tab-${at}` }, body),
  );
  const buttons = list.map(([name], at) =>
    h(
      'button',
      {
        class: 'tab',
        role: 'tab',
        type: 'button',
        id: `tab-${at}`,
        'aria-controls': `panel-${at}`,
        onclick: () => {
          chosen = true;
          show(at);
        },
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
          if (!step) return;
          event.preventDefault();
          const next = (at + step + list.length) % list.length;
          buttons[next].focus();
          buttons[next].click();
        },
      },
      name,
    ),
  );
  /** @param {number} at */
  function show(at) {
    panels.forEach((panel, n) => {
      panel.hidden = n !== at;
    });
    buttons.forEach((button, n) => {
      button.setAttribute('aria-selected', n === at ? 'true' : 'false');
      button.tabIndex = n === at ? 0 : -1;
    });
  }
  show(0);
  return {
    elements: [h('div', { class: 'tabs', role: 'tablist' }, buttons), ...panels],
    /** @param {string} name */
    open(name) {
      const at = list.findIndex(([known]) => known === name);
      if (!chosen && at >= 0) show(at);
    },
  };
}

/** What the signs at a table say, and the pay tables of its side wagers. @param {any} layout */
export function signs(layout) {
  const line = (/** @type {any} */ l) =>
    h(
      'tr',
      null,
      h('td', null, title(l.hand)),
      h('td', { class: 'num' }, l.pays),
      h('td', { class: 'num' }, clauseLink(l.clause, '§')),
    );
  const table = (/** @type {any} */ p) =>
    h(
      'section',
      null,
      h('h2', { class: 'sign-title' }, p.title),
      h(
        'table',
        { class: 'grid pay' },
        h('caption', { class: 'sr' }, `Pay table of ${p.title}`),
        h('tbody', null, p.lines.map(line)),
      ),
    );
  return h(
    'div',
    { class: 'signs-box', tabindex: '0', role: 'region', 'aria-label': 'Signs' },
    h(
      'ul',
      { class: 'signs' },
      layout.signs.map((/** @type {any} */ sign) => h('li', null, sign.text, ' ', clauseLink(sign.clause))),
    ),
    layout.paytables.filter((/** @type {any} */ p) => p.lines.length).map(table),
  );
}

export const keys = () =>
  h(
    'details',
    { class: 'pad small dim' },
    h('summary', null, 'Keys'),
    h(
      'dl',
      { class: 'keys' },
      KEYS.map(([key, what]) => [
        h(
          'dt',
          null,
          key.split(' ').map((one) => (one === '–' ? '–' : h('kbd', null, one))),
        ),
        h('dd', null, what),
      ]).flat(),
    ),
  );

/** What is known of the shoe before it is over. @param {number} table @param {any} shoe */
export function shoeFacts(table, shoe) {
  const fact = (/** @type {string} */ name, /** @type {any} */ value, kind = '') => [
    h('dt', null, name),
    h('dd', { class: kind }, value ?? '–'),
  ];
  // Both sides of a double shoe are being dealt; every other shoe up to the later of the two is over.
  const { other } = shoe;
  const last = Math.max(shoe.number, other?.number ?? 0) - 1;
  const before = other && last === Math.min(shoe.number, other.number) ? last - 1 : last;
  return h(
    'div',
    null,
    h(
      'dl',
      { class: 'facts' },
      fact('Shoe', other ? `${shoe.number}, the ${shoe.side} side` : shoe.number),
      fact('Cards left', shoe.left),
      fact('Discard rack', shoe.discards),
      fact('Commitment', shoe.commitment, 'hash'),
      fact('Nonces of players', shoe.shares ?? 0),
      other && [
        fact('Shoe', `${other.number}, the ${other.side} side`),
        fact('Cards left', other.left),
        fact('Commitment', other.commitment, 'hash'),
      ],
    ),
    other &&
      h(
        'p',
        { class: 'small dim' },
        'The determinant card is drawn from the side with more cards left, the red one when they have as many; ',
        'hearts and diamonds call for the red side, spades and clubs for the black one (19:47-2.6(d)).',
      ),
    h(
      'p',
      { class: 'small dim' },
      'The order of the shoe was fixed and its hash published before the first card. ',
      'Then the browsers of those who wager add nonces of their own, which shuffle it once more: nobody chose it. ',
      'When the shoe is over its order is published, and this page can check it.',
    ),
    before > 0 ? h('p', null, h('a', { href: `/shoe/${table}/${before}` }, `Check shoe ${before}`)) : null,
  );
}
