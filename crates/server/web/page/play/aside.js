// The panel beside the felt: tabs for the log, the limits signs with paytables, and fairness or the coach; and the list
// of keys.

import { clauseLink, h, law } from '../shared/ui.js';
import { t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */
/** @typedef {import('../shared/ui.js').Child} Child */

/** The keys of a table page and what they do. @type {[string, string][]} */
const KEYS = [
  ['1 – 5', t('keys.place_chip')],
  ['← → Tab', t('keys.next_area')],
  ['⌫', t('keys.take_back')],
  ['X', t('keys.double_bet')],
  ['R', t('keys.rebet')],
  ['P', t('keys.bet_and_wait')],
  ['␣', t('keys.deal')],
  ['H', t('keys.hit')],
  ['S', t('keys.stand')],
  ['D', t('keys.double')],
  ['L', t('keys.double_less')],
  ['P', t('keys.split')],
  ['U', t('keys.surrender')],
  ['W', t('keys.switch')],
  ['V', t('keys.switch_undo')],
  ['A', t('keys.attack')],
  ['I', t('keys.insurance')],
  ['E', t('keys.even_money')],
  ['N', t('keys.no')],
  ['Y', t('keys.why')],
  ['G', t('keys.refill')],
];

/**
 * Builds tabs with their panels. `open` shows a tab by name, unless the user has chosen another.
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

/** Builds the limits signs of a table and the paytables of its side bets. @param {Schemas['TableRules']} layout */
function signs(layout) {
  const line = (/** @type {Schemas['PayLine']} */ l) =>
    h(
      'tr',
      null,
      h('td', null, term('outcome', l.hand)),
      h('td', { class: 'num' }, l.pays),
      h('td', { class: 'num' }, clauseLink(l.clause, '§')),
    );
  const table = (/** @type {Schemas['PayTable']} */ p) =>
    h(
      'section',
      null,
      h('h2', { class: 'sign-title' }, law({ text: p.title })),
      h(
        'table',
        { class: 'grid pay', 'data-own': true },
        h('caption', { class: 'sr' }, t('table.paytable', { bet: p.title })),
        h('tbody', null, p.lines.map(line)),
      ),
    );
  return h(
    'div',
    { class: 'signs-box', tabindex: '0', role: 'region', 'aria-label': t('table.limits') },
    h(
      'ul',
      { class: 'signs' },
      layout.signs.map((sign) => h('li', null, law(sign), ' ', clauseLink(sign.clause))),
    ),
    layout.paytables.filter((p) => p.lines.length).map(table),
  );
}

const keys = () =>
  h(
    'details',
    { class: 'pad small dim' },
    h('summary', null, t('keys.title')),
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

/** Builds everything beside the felt of a table page. @param {import('./table.js').TablePage} page */
export function tableSide(page) {
  const { training } = page;
  const list = tabs([
    ...(training
      ? [/** @type {[string, HTMLElement]} */ ([t('coach.title'), /** @type {HTMLElement} */ (page.coach)])]
      : []),
    [t('log.title'), page.log.box],
    [t('table.limits'), signs(page.layout)],
    ...(training ? [] : [/** @type {[string, HTMLElement]} */ ([t('nav.fairness'), page.shoe])]),
  ]);
  if (!training) list.open(t('table.limits'));
  const absent = h(
    'details',
    { class: 'pad small dim' },
    h('summary', null, t('rules.timeout')),
    h('p', null, law(page.card.absent_rule)),
  );
  const element = h(
    'aside',
    { class: 'panel table-side', 'aria-label': t('table.about') },
    list.elements,
    training || page.card.solo ? null : absent,
    keys(),
  );
  return { tabs: list, element };
}

/**
 * Builds the facts that are public about a shoe before it is finished.
 * @param {number} table @param {Schemas['ShoeView']} shoe
 */
export function shoeFacts(table, shoe) {
  const fact = (/** @type {string} */ name, /** @type {Child} */ value, kind = '') => [
    h('dt', null, name),
    h('dd', { class: kind }, value ?? '–'),
  ];
  // Both sides of a double shoe are in play; every other shoe up to the later of the two is finished.
  const { other } = shoe;
  const last = Math.max(shoe.number, other?.number ?? 0) - 1;
  const before = other && last === Math.min(shoe.number, other.number) ? last - 1 : last;
  return h(
    'div',
    null,
    h(
      'dl',
      { class: 'facts' },
      fact(t('shoe.title'), other ? t('shoe.side.label', { number: shoe.number, side: shoe.side ?? '' }) : shoe.number),
      fact(t('shoe.cards_left'), shoe.left),
      fact(t('shoe.discard_rack'), shoe.discards),
      fact(t('shoe.commitment'), shoe.commitment, 'hash'),
      fact(t('fair.nonces'), shoe.shares?.length ?? 0),
      fact(t('fair.nonces_withheld'), shoe.withheld ?? 0),
      other ? fact(t('shoe.title'), t('shoe.side.label', { number: other.number, side: other.side })) : null,
      other ? fact(t('shoe.cards_left'), other.left) : null,
      other ? fact(t('shoe.commitment'), other.commitment, 'hash') : null,
    ),
    other ? h('p', { class: 'small dim' }, t('shoe.two_sides')) : null,
    h('p', { class: 'small dim' }, t('shoe.proof')),
    before > 0 ? h('p', null, h('a', { href: `/shoe/${table}/${before}` }, t('shoe.check', { number: before }))) : null,
  );
}
