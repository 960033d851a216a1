// Beside the felt: events, signs with their pay tables, fairness or the coach in tabs; the keys.

import { clauseLink, h, law, title } from './ui.js';
import { t, term } from './words.js';

/** @typedef {import('../../browser/types').Schemas} Schemas */
/** @typedef {import('./ui.js').Child} Child */

/** The keys of a table page. @type {[string, string][]} */
const KEYS = [
  ['1 – 5', t('a-chip-on-the-chosen-area')],
  ['← → Tab', t('another-area')],
  ['⌫', t('take-back')],
  ['X', t('twice-as-much')],
  ['R', t('the-same-bet')],
  ['P', t('place-wait-for-others')],
  ['␣', t('deal')],
  ['H', t('hit')],
  ['S', t('stand')],
  ['D', t('double')],
  ['L', t('double-for-less')],
  ['P', t('split')],
  ['U', t('surrender')],
  ['W', t('switch')],
  ['V', t('take-the-switch-back')],
  ['A', t('attack')],
  ['I', t('insurance')],
  ['E', t('even-money')],
  ['N', t('no')],
  ['Y', t('why')],
  ['G', t('new-play-chips-for-a-guest-without')],
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

/** What the signs at a table say, and the pay tables of its side wagers. @param {Schemas['TableRules']} layout */
function signs(layout) {
  const line = (/** @type {Schemas['PayLine']} */ l) =>
    h(
      'tr',
      null,
      h('td', null, title(l.hand)),
      h('td', { class: 'num' }, l.pays),
      h('td', { class: 'num' }, clauseLink(l.clause, '§')),
    );
  const table = (/** @type {Schemas['PayTable']} */ p) =>
    h(
      'section',
      null,
      h('h2', { class: 'sign-title' }, law(p.title)),
      h(
        'table',
        { class: 'grid pay', 'data-own': true },
        h('caption', { class: 'sr' }, t('pay-table-of', { title: p.title })),
        h('tbody', null, p.lines.map(line)),
      ),
    );
  return h(
    'div',
    { class: 'signs-box', tabindex: '0', role: 'region', 'aria-label': t('signs') },
    h(
      'ul',
      { class: 'signs' },
      layout.signs.map((sign) => h('li', null, law(sign.text), ' ', clauseLink(sign.clause))),
    ),
    layout.paytables.filter((p) => p.lines.length).map(table),
  );
}

const keys = () =>
  h(
    'details',
    { class: 'pad small dim' },
    h('summary', null, t('keys')),
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

/** Everything beside the felt of a table's page. @param {import('./table.js').TablePage} page */
export function tableSide(page) {
  const { training } = page;
  const list = tabs([
    ...(training ? [/** @type {[string, HTMLElement]} */ ([t('coach'), /** @type {HTMLElement} */ (page.coach)])] : []),
    [t('events'), page.log.box],
    [t('signs'), signs(page.layout)],
    ...(training ? [] : [/** @type {[string, HTMLElement]} */ ([t('fairness'), page.shoe])]),
  ]);
  if (!training) list.open(t('signs'));
  const absent = h(
    'details',
    { class: 'pad small dim' },
    h('summary', null, t('if-you-do-not-answer-in-time')),
    h('p', null, law(page.card.absent_rule)),
  );
  const element = h(
    'aside',
    { class: 'panel table-side', 'aria-label': t('about-this-table') },
    list.elements,
    training || page.card.solo ? null : absent,
    keys(),
  );
  return { tabs: list, element };
}

/** What is known of the shoe before it is over. @param {number} table @param {Schemas['ShoeView']} shoe */
export function shoeFacts(table, shoe) {
  const fact = (/** @type {string} */ name, /** @type {Child} */ value, kind = '') => [
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
      fact(t('shoe'), other ? t('the-side', { number: shoe.number, side: term(shoe.side ?? '') }) : shoe.number),
      fact(t('cards-left'), shoe.left),
      fact(t('discard-rack'), shoe.discards),
      fact(t('commitment'), shoe.commitment, 'hash'),
      fact(t('nonces-of-players'), shoe.shares?.length ?? 0),
      fact(t('nonces-withheld'), shoe.withheld ?? 0),
      other ? fact(t('shoe'), t('the-side', { number: other.number, side: term(other.side) })) : null,
      other ? fact(t('cards-left'), other.left) : null,
      other ? fact(t('commitment'), other.commitment, 'hash') : null,
    ),
    other
      ? h(
          'p',
          { class: 'small dim' },
          t('the-determinant-card-is-drawn-from-the'),
          t('hearts-and-diamonds-call-for-the-red'),
        )
      : null,
    h(
      'p',
      { class: 'small dim' },
      t('the-order-of-the-shoe-was-fixed'),
      t('then-the-browsers-add-nonces'),
      t('when-the-shoe-is-over-its-order'),
    ),
    before > 0 ? h('p', null, h('a', { href: `/shoe/${table}/${before}` }, t('check-shoe', { before }))) : null,
  );
}
