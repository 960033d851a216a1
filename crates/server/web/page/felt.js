// The felt: dealer, inscriptions, boxes with their hands and betting areas. It draws a model and nothing else; the live
// table, the replay and the trainer all use it.

import { cardElement } from './cards.js';
import { total } from './model.js';
import { drawStacks, insuranceStacks, laidStacks, stacksOf } from './stacks.js';
import { cardWords, cents, clauseLink, clauseRows, dialog, fill, h, money, moves, signed, title } from './ui.js';

/** @typedef {import('./model.js').Model} Model @typedef {import('./model.js').Hand} Hand @typedef {import('./model.js').Box} Box */

/**
 * @typedef {object} Felt
 * @property {HTMLElement} element
 * @property {(model: Model, focus: Focus) => void} draw
 * @typedef {{ box?: number, hand?: number, mine?: Set<number>, name?: (person: number | null) => string, areas?: (box: number) => HTMLElement | null, boxNote?: (box: number) => string | HTMLElement | null }} Focus
 */

/**
 * The frame of every page with a felt: its head above, what is done there below, what belongs to it beside.
 * @param {any[]} head @param {Felt} board @param {any[]} bar @param {HTMLElement} aside
 */
export const frame = (head, board, bar, aside) =>
  h(
    'div',
    { class: 'table-page' },
    h(
      'div',
      { class: 'table-main' },
      h('div', { class: 'table-head' }, head),
      board.element,
      h('div', { class: 'bar' }, bar),
    ),
    aside,
  );

/**
 * Keeps the children of an element in step with a list, so that what stays is not drawn anew.
 * @template T
 * @param {Element} parent @param {T[]} list @param {(item: T) => string} key
 * @param {(item: T) => HTMLElement} make @param {(element: HTMLElement, item: T) => void} update
 */
function sync(parent, list, key, make, update) {
  const old = new Map(
    Array.from(parent.children, (child) => [
      /** @type {HTMLElement} */ (child).dataset.key,
      /** @type {HTMLElement} */ (child),
    ]),
  );
  let at = parent.firstElementChild;
  for (const item of list) {
    const name = key(item);
    let element = old.get(name);
    if (element) old.delete(name);
    else {
      element = make(item);
      element.dataset.key = name;
    }
    if (element === at) at = at.nextElementSibling;
    else parent.insertBefore(element, at);
    update(element, item);
  }
  old.forEach((element) => element.remove());
}

/** @param {HTMLElement} row @param {(string | null)[]} cards */
function drawCards(row, cards) {
  const fresh = moves();
  row.dataset.count = String(cards.length);
  while (row.children.length > cards.length) row.lastElementChild?.remove();
  cards.forEach((card, at) => {
    const element = row.children[at];
    if (!element) row.append(cardElement(card, fresh ? 'dealt' : ''));
    else if ((element.getAttribute('card') ?? '') !== (card ?? '')) {
      element.setAttribute('card', card ?? '');
      element.classList.remove('dealt');
      if (fresh) {
        element.classList.add('turned');
        setTimeout(() => element.classList.remove('turned'), 220);
      }
    }
  });
}

/**
 * What a hand comes to: a soft total is told as such only while it can still be played.
 * @param {number} points @param {boolean} soft @param {{ blackjack?: boolean, open?: boolean }} about
 */
export const totalText = (points, soft, { blackjack, open }) =>
  points > 21
    ? `${points} bust`
    : blackjack
      ? 'Blackjack'
      : soft && open && points < 21
        ? `soft ${points}`
        : String(points);

const ENDINGS = /** @type {Record<string, string>} */ ({
  win: 'win',
  lose: 'lose',
  push: 'push',
  surrender: 'half',
  void: 'push',
  abandoned: 'push',
});

/** The net of some results, as a pill that explains itself. @param {any[]} results @param {string} what */
function pill(results, what) {
  const net = results.reduce((all, r) => all + Math.round(Number(r.net) * 100), 0);
  const kind = net > 0 ? 'win' : net < 0 ? (results.every((r) => r.result === 'surrender') ? 'half' : 'lose') : 'push';
  const words =
    net !== 0
      ? signed(net)
      : results.every((r) => r.result === 'push')
        ? 'Push'
        : results.every((r) => r.result === 'void')
          ? 'Returned'
          : 'Even';
  return h(
    'button',
    {
      class: `pill ${kind}`,
      type: 'button',
      title: 'Why?',
      'aria-label': `${what}: ${words}. Why?`,
      'data-net': (net / 100).toFixed(2),
      onclick: () => why(results, what),
    },
    words,
  );
}

/** Shows why: each settlement with its clause and what the clause says. @param {any[]} results @param {string} what */
export function why(results, what) {
  const body = h(
    'div',
    null,
    results.map((result) => {
      const words = h(
        'p',
        { class: 'clause-words' },
        result.clause ? '…' : 'The clause is in the replay of the round.',
      );
      if (result.clause)
        clauseRows(result.clause).then(
          (rows) =>
            fill(
              words,
              rows.map((/** @type {any} */ row) => row.summary).join(' ') || 'The catalogue has no words for it.',
            ),
          () => fill(words),
        );
      return h(
        'section',
        { class: 'why' },
        h(
          'p',
          { class: 'why-head' },
          h('b', null, title(result.wager)),
          result.spot > 1 ? ` · spot ${result.spot}` : null,
          ` ${money(result.amount)} `,
          h(
            'span',
            { class: `pill ${ENDINGS[result.result] ?? ''}` },
            `${title(result.result)} ${result.result === 'push' || result.result === 'void' ? '' : signed(result.net)}`,
          ),
        ),
        h(
          'p',
          null,
          result.clause ? clauseLink(result.clause) : null,
          ' ',
          h('span', { class: 'dim small' }, whenWords(result.when)),
        ),
        words,
      );
    }),
  );
  dialog(what, body);
}

/** @param {string} word */
const whenWords = (word) =>
  /** @type {Record<string, string>} */ ({
    deal: 'on the initial cards',
    peek: 'when the hole card was read',
    turn: 'during the decisions',
    dealer: 'on the dealer’s cards',
    end: 'at the end of the round',
    bonus: 'on the bonus button',
  })[word] ?? word;

/**
 * @param {{ positions: number, inscriptions: { text: string, clause: string }[], game: string, small?: boolean }} setup
 * @returns {Felt}
 */
export function felt(setup) {
  const dealerCards = h('div', { class: 'cards', role: 'group', 'aria-label': 'The dealer’s cards' });
  const dealerTotal = h('span', { class: 'total' });
  const before = h('div', { class: 'dealer-before' });
  const dealerName = h('span', { class: 'box-name' }, 'Dealer');
  const boxes = h('div', { class: 'boxes' });
  boxes.style.setProperty('--boxes', String(setup.positions));
  const element = h(
    'section',
    { class: `felt game-${setup.game}`, 'aria-label': 'The table' },
    h('div', { class: 'dealer' }, dealerName, h('div', { class: 'dealer-hand' }, dealerCards, dealerTotal), before),
    h(
      'ul',
      { class: 'inscriptions', 'aria-label': 'Inscriptions' },
      setup.inscriptions.map((line) =>
        h(
          'li',
          null,
          h(
            'button',
            {
              class: 'inscription',
              type: 'button',
              title: line.clause,
              onclick: () => import('./ui.js').then((ui) => ui.showClause(line.clause)),
            },
            line.text,
          ),
        ),
      ),
    ),
    boxes,
  );

  /** @param {Hand[]} hands @param {Box | undefined} box @param {Model} model @param {Focus} focus @param {Element} row */
  function drawHands(hands, box, model, focus, row) {
    sync(
      row,
      hands,
      (hand) => String(hand.hand),
      () =>
        h(
          'div',
          { class: 'hand', role: 'group' },
          h('div', { class: 'cards' }),
          h('div', { class: 'hand-foot' }),
          h('div', { class: 'hand-stacks' }),
        ),
      (el, hand) => {
        const asked = focus.box === box?.box && focus.hand === hand.hand;
        el.className = `hand ${hand.state}${asked ? ' asked' : ''}`;
        const shown = hand.cards.filter((card) => card);
        const { points, soft } = total(hand.cards);
        el.setAttribute(
          'aria-label',
          `Box ${box?.box}${hands.length > 1 ? `, hand ${hand.hand}` : ''}: ${shown.map((card) => cardWords(/** @type {string} */ (card))).join(', ') || 'no cards'}${shown.length ? `, total ${points}` : ''}`,
        );
        const [cards, foot, stacks] = /** @type {HTMLElement[]} */ (Array.from(el.children));
        drawCards(cards, hand.cards);
        const results = model.results.filter(
          (r) => r.box === box?.box && r.hand === hand.hand && !(r.wager in (box?.bettors[0]?.side ?? {})),
        );
        const ours = box?.bettors.length ? results.filter((r) => r.wager !== 'insurance') : [];
        drawStacks(stacks, stacksOf(hand, ours));
        fill(
          foot,
          hand.cards.length
            ? h(
                'span',
                { class: 'total', 'aria-hidden': 'true' },
                totalText(points, soft, { blackjack: hand.blackjack, open: hand.state === 'open' && !model.ended }),
              )
            : null,
          hand.state === 'surrendered' ? h('span', { class: 'tag' }, 'surrendered') : null,
          results.length ? pill(results, `Box ${box?.box}${hands.length > 1 ? `, hand ${hand.hand}` : ''}`) : null,
        );
      },
    );
  }

  /** @type {Felt['draw']} */
  function draw(model, focus) {
    const shown = [...model.dealer.cards, ...(model.dealer.hole ? [null] : [])];
    drawCards(dealerCards, shown);
    const { points, soft } = total(model.dealer.cards);
    fill(
      dealerTotal,
      model.dealer.cards.length
        ? totalText(points, soft, { blackjack: model.dealer.blackjack, open: !model.ended && !model.results.length })
        : '',
    );
    dealerTotal.hidden = model.dealer.cards.length === 0;
    dealerCards.setAttribute(
      'aria-label',
      `The dealer: ${model.dealer.cards.map(cardWords).join(', ') || 'no cards'}${model.dealer.hole ? ' and a card face down' : ''}${model.dealer.cards.length ? `, total ${points}` : ''}`,
    );
    fill(
      dealerName,
      model.dealer.spot > 1 || model.dealerBefore.length ? `Dealer, hand ${model.dealer.spot}` : 'Dealer',
    );
    fill(
      before,
      model.dealerBefore.map((cards, at) =>
        h(
          'span',
          { class: 'earlier' },
          `${at + 1}: `,
          h(
            'span',
            { class: 'cards mini' },
            cards.map((card) => cardElement(card)),
          ),
          ` ${total(cards).points > 21 ? 'bust' : total(cards).points}`,
        ),
      ),
    );
    element.classList.toggle('playing', model.closed && model.boxes.length > 0);
    // The fewer play, the larger their cards.
    const hands = model.boxes.reduce((all, box) => all + Math.max(1, box.hands.length), 0);
    element.dataset.hands = hands > 4 ? 'many' : hands > 2 ? 'some' : 'few';
    element.dataset.boxes = String(model.boxes.length);
    const numbers = Array.from({ length: setup.positions }, (_, at) => at + 1);
    sync(
      boxes,
      numbers,
      String,
      (box) =>
        h(
          'div',
          { class: 'box', role: 'group', 'aria-label': `Box ${box}`, 'data-box': box },
          h('div', { class: 'hands' }),
          h('div', { class: 'box-areas' }),
          h('div', { class: 'box-foot' }),
        ),
      (el, number) => {
        const box = model.boxes.find((b) => b.box === number);
        const mine = focus.mine?.has(number) ?? false;
        el.className = `box${mine ? ' mine' : ''}${box?.bettors.length ? ' taken' : ''}${focus.box === number ? ' asked' : ''}${(box?.hands.length ?? 0) > 1 ? ' many' : ''}`;
        const [hands, areas, foot] = Array.from(el.children);
        drawHands(box?.hands ?? [], box, model, focus, hands);
        const given = focus.areas?.(number);
        if (given) {
          if (areas.firstChild !== given) fill(areas, given);
        } else
          fill(
            areas,
            box?.bettors.map((b) => laidStacks(b, Boolean(box?.hands.some((hand) => hand.cards.length)))),
          );
        const sides = model.results.filter((r) => r.box === number && r.wager in (box?.bettors[0]?.side ?? {}));
        fill(
          foot,
          h(
            'span',
            { class: 'box-name' },
            box?.bettors.length
              ? box.bettors.map((b) => focus.name?.(b.person) ?? 'Player').join(', ')
              : `Box ${number}`,
          ),
          box?.award ? h('span', { class: 'tag live' }, `Bonus button: ${money(box.award)}`) : null,
          box ? insuranceStacks(box, model.results) : null,
          sides.length
            ? h(
                'span',
                { class: 'side-results' },
                sides.map((r) =>
                  h('span', null, h('small', null, title(r.wager)), pill([r], `Box ${number}, ${title(r.wager)}`)),
                ),
              )
            : null,
          focus.boxNote?.(number) ?? null,
        );
      },
    );
  }
  return { element, draw };
}

/** Lets the second cards of two hands change places before eyes. @param {Element} root @param {number} box @param {() => void} change */
export function swap(root, box, change) {
  const cards = () =>
    Array.from(root.querySelectorAll(`[data-box="${box}"] .hand .cards`), (row) => row.children[1]).filter(Boolean);
  const from = cards().map((card) => card.getBoundingClientRect());
  change();
  if (!moves()) return;
  cards().forEach((card, at) => {
    const old = from[1 - at];
    if (!old) return;
    const now = card.getBoundingClientRect();
    card.classList.remove('turned', 'dealt');
    card.animate(
      [{ transform: `translate(${old.left - now.left}px, ${old.top - now.top}px)` }, { transform: 'none' }],
      { duration: 320, easing: 'ease-in-out' },
    );
  });
}

/** The lammer that counts a streak, with what is staked on it. @param {any} streak */
export const lammer = (streak) =>
  h(
    'span',
    { class: 'lammer', title: 'The lammer of the streak wagers' },
    h('b', null, streak.wins),
    ` in a row · ${streak.bets
      .map((/** @type {string} */ bet, /** @type {number} */ at) => (cents(bet) ? `${at + 2}: ${money(bet)}` : ''))
      .filter(Boolean)
      .join(', ')}`,
  );
