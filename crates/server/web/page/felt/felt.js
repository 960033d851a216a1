// The felt: dealer, inscriptions, and boxes with their hands and betting areas. It renders a model and nothing else;
// the live table, the replay and the trainer all use it.

import { cardElement } from '../shared/cards.js';
import { circled, forOne } from './circles.js';
import { badge, bandFromDealer, chipRack, curve, holders, printed } from './cloth.js';
import { exposedCard } from './exposed.js';
import { dealt, rise, shake, turned } from '../shared/motion.js';
import { bySpot, total } from '../shared/model.js';
import { attribute, changed, each, inside, words } from '../shared/patch.js';
import { pill, story, versus } from './results.js';
import { drawStacks, insuranceStacks, laidStacks, sideLost, stacksOf } from './stacks.js';
import { soon } from '../shared/turns.js';
import { cardWords, cents, fill, h, money, moves } from '../shared/ui.js';
import { listed, rich, t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */
/** @typedef {import('../shared/ui.js').Child} Child */
/** @typedef {import('../shared/model.js').Result} Result */

/** @typedef {import('../shared/model.js').Model} Model @typedef {import('../shared/model.js').Hand} Hand @typedef {import('../shared/model.js').Box} Box */

/**
 * @typedef {object} Felt
 * @property {HTMLElement} element
 * @property {(model: Model, focus: Focus) => void} draw
 * @property {(shoe: Schemas['ShoeView'] | null, decks: number) => void} drawShoe
 * @typedef {{ dealer?: string, exposed?: string, numbered?: boolean, box?: number, hand?: number, mine?: Set<number>, called?: boolean, name?: (person: number | null) => string, areas?: (box: number) => HTMLElement | null, wagered?: (box: number) => boolean, streak?: (box: number) => Schemas['StreakView'] | undefined }} Focus
 */

/**
 * Builds the frame of every page with a felt: the head above it, the bar below, and the side panel.
 * @param {Child[]} head @param {Felt} board @param {Child[]} bar @param {HTMLElement} aside
 */
export function frame(head, board, bar, aside) {
  // On a small screen the table takes all the space, until another page is opened.
  document.body.classList.add('at-table');
  return h(
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
}

/** @param {HTMLElement} row @param {(string | null)[]} cards @param {boolean} [still] place the cards without motion */
function drawCards(row, cards, still = false) {
  attribute(row, 'data-count', cards.length);
  row.style.setProperty('--n', String(cards.length));
  while (row.children.length > cards.length) row.lastElementChild?.remove();
  cards.forEach((card, at) => {
    const element = /** @type {HTMLElement | undefined} */ (row.children[at]);
    if (!element) {
      const fresh = cardElement(card);
      row.append(fresh);
      if (!still) dealt(fresh);
    } else if ((element.getAttribute('card') ?? '') !== (card ?? '')) {
      element.setAttribute('card', card ?? '');
      if (!still && moves()) element.animate([{ transform: 'scaleX(0.1)' }, { transform: 'none' }], { duration: 160 });
    }
  });
}

/**
 * Formats the total of a hand. A soft total is marked only while the hand can still be played.
 * @param {number} points @param {boolean} soft @param {{ blackjack?: boolean, open?: boolean }} about
 */
export const totalText = (points, soft, { blackjack, open }) =>
  points > 21
    ? t('felt.total.bust', { total: points })
    : blackjack
      ? t('felt.blackjack')
      : soft && open && points < 21
        ? t('felt.total.soft', { total: points })
        : String(points);

/**
 * Returns what the explanation of some results depends on, besides the results.
 * @param {Model} model @param {Result[]} results
 */
const besides = (model, results) => results.length > 0 && [model.dealer, model.dealerBefore];

/** Returns the box of a single player: the middle one. @param {number} positions */
export const centre = (positions) => Math.ceil(positions / 2);

/** @param {Focus} focus */
const called = (focus) => focus.name ?? (() => t('person.player'));

/**
 * @param {{ positions: number, inscriptions: { text: string, clause: string }[], game: string, spots?: number, circles?: boolean, dealerSide?: boolean, solo?: boolean }} setup
 * @returns {Felt}
 */
export function felt(setup) {
  const dealerCards = h('div', { class: 'cards', role: 'group', 'aria-label': t('felt.dealer_cards') });
  const dealerTotal = h('span', { class: 'total' });
  const before = h('div', { class: 'dealer-before' });
  const dealerName = h('span', { class: 'box-name' }, t('felt.dealer.text'));
  const single = forOne(setup);
  /** Whether the dealer plays several hands, each against a bet of its own. */
  const several = (setup.spots ?? 1) > 1 && !setup.dealerSide;
  const boxes = h('div', { class: `boxes${single ? ' single' : ''}` });
  const cards = holders();
  const print = printed(setup.inscriptions, single);
  boxes.style.setProperty('--boxes', String(single ? 1 : setup.positions));
  const dealer = h(
    'div',
    { class: 'dealer' },
    dealerName,
    h('div', { class: 'dealer-hand' }, dealerCards, dealerTotal),
    before,
  );
  const element = h(
    'section',
    {
      class: `felt game-${setup.game}${single ? ' solo' : ''}${setup.dealerSide ? ' from-dealer' : ''}${several ? ' columns' : ''}${setup.circles ? ' circles' : ''}`,
      'aria-label': t('felt.label'),
    },
    cards.rack,
    cards.shoe,
    dealer,
    setup.dealerSide ? [bandFromDealer(), chipRack()] : print.picture,
    boxes,
    single ? Array.from({ length: 6 }, () => h('i', { class: 'ghost' })) : null,
  );
  const exposed = exposedCard(element);
  cards.draw(null, 1);
  const bend = () => {
    curve(boxes, Boolean(setup.dealerSide));
    print.fit();
  };
  new ResizeObserver(bend).observe(boxes);
  let drawn = false;
  /** How each result pill explains itself when pressed. @type {WeakMap<Element, (result: Result) => string>} */
  const stories = new WeakMap();

  /**
   * Draws the hands of a box. Returns whether there are chips on them.
   * @param {Hand[]} hands @param {Box | undefined} box @param {Model} model @param {Focus} focus @param {Element} row
   */
  function drawHands(hands, box, model, focus, row) {
    let stacked = false;
    each(
      row,
      hands,
      (hand) => String(hand.hand),
      () =>
        h(
          'div',
          { class: 'hand', role: 'group' },
          h('div', { class: 'cards' }),
          h('div', { class: 'hand-foot' }, h('span', null), h('span', null)),
          h('div', { class: 'hand-stacks' }),
        ),
      (el, hand) => {
        const asked = focus.box === box?.box && focus.hand === hand.hand;
        const shown = hand.cards.filter((card) => card);
        const { points, soft } = total(hand.cards);
        // Face-down cards count too: unless all cards are visible, the total is unknown.
        const seen = hand.cards.length > 0 && shown.length === hand.cards.length;
        attribute(
          el,
          'aria-label',
          t('felt.hand.label', {
            box: box?.box ?? 0,
            hand: hands.length > 1 ? hand.hand : 0,
            cards: listed(shown.map(cardWords)) || t('felt.no_cards'),
            total: seen ? points : 0,
          }),
        );
        const [row, foot, stacks] = /** @type {HTMLElement[]} */ (Array.from(el.children));
        drawCards(row, hand.cards, !drawn);
        // The card of a double down is placed sideways.
        row.classList.toggle('doubled', hand.cards.length > 2 && hand.stakes.some((stake) => stake.double > 0));
        const results = model.results.filter(
          (r) => r.box === box?.box && r.hand === hand.hand && !(r.wager in (box?.bettors[0]?.side ?? {})),
        );
        const ours = box?.bettors.length ? results.filter((r) => r.wager !== 'insurance') : [];
        const inCircle = Boolean(setup.circles) && circled(box, model.results);
        const lie = stacksOf(hand, ours).filter(
          ({ kind }) => !inCircle || (kind === 'double' && !ours.length) || (kind === 'attack' && !box?.attacks),
        );
        stacked ||= lie.length > 0;
        // Settled chips can wait for a frame of their own; staked chips have already left their old place.
        if (changed(stacks, lie)) {
          if (results.length) soon(stacks, () => drawStacks(stacks, lie));
          else drawStacks(stacks, lie);
        }
        const [sum, ending] = Array.from(foot.children);
        // A soft total helps only the player of the hand; at a full table there is no room for the word.
        const told = focus.mine?.size ? focus.mine.has(box?.box ?? 0) : asked;
        const open = hand.state === 'open' && !model.ended && told;
        turned(row, () => {
          attribute(el, 'class', `hand ${hand.state}${hand.blackjack ? ' blackjack' : ''}${asked ? ' asked' : ''}`);
          inside(sum, [hand.cards, hand.state, hand.blackjack, open], () => [
            hand.blackjack ? badge(t('felt.blackjack')) : null,
            seen
              ? h(
                  'span',
                  { class: 'total', 'aria-hidden': 'true' },
                  totalText(points, soft, { blackjack: hand.blackjack, open }),
                )
              : null,
            hand.state === 'surrendered' ? h('span', { class: 'tag' }, t('felt.surrendered')) : null,
          ]);
        });
        // A result pill keeps its place and its motion, even if its explanation is known only later.
        stories.set(ending, (r) => story(r, model, called(focus)));
        const what = t('felt.box_hand', {
          box: box?.box ?? 0,
          hand: hands.length > 1 ? hand.hand : 0,
        });
        const still = !drawn;
        if (changed(ending, results))
          soon(ending, () => {
            const before = Boolean(ending.firstChild);
            const told = (/** @type {Result} */ r) => stories.get(ending)?.(r) ?? '';
            fill(
              ending,
              bySpot(box, results).map(([spot, some]) =>
                spot
                  ? h(
                      'span',
                      { class: 'bet-result', 'data-spot': spot },
                      h('small', null, spot),
                      pill(some, t('why.spot', { hand: what, bet: t('bet.spot', { number: spot }) }), told),
                      h('span', { class: 'versus' }, versus(some[0], model)),
                    )
                  : pill(some, what, told),
              ),
            );
            if (ending.firstElementChild && !before && !still) rise(ending.firstElementChild);
          });
      },
    );
    return stacked;
  }

  /** @type {Felt['draw']} */
  function draw(model, focus) {
    const shown = [...model.dealer.cards, ...(model.dealer.hole ? [null] : [])];
    const many = dealerCards.children.length;
    drawCards(dealerCards, shown, !drawn);
    const { points, soft } = total(model.dealer.cards);
    const over = drawn && points > 21 && shown.length > many;
    const told = model.dealer.cards.length
      ? totalText(points, soft && model.dealer.cards.length > 1, {
          blackjack: model.dealer.blackjack,
          open: !model.ended && !model.results.length,
        })
      : '';
    turned(dealerCards, () => {
      words(dealerTotal, told);
      dealerTotal.hidden = !told;
      if (over) shake(dealerCards);
    });
    attribute(
      dealerCards,
      'aria-label',
      t('felt.dealer.label', {
        cards: listed(model.dealer.cards.map(cardWords)) || t('felt.no_cards'),
        hole: model.dealer.hole ? 'yes' : 'no',
        total: model.dealer.cards.length ? points : 0,
      }),
    );
    exposed(focus.exposed ?? '');
    words(
      dealerName,
      (setup.spots ?? 1) > 1 && model.dealer.cards.length
        ? t('felt.dealer.hand_short', { hand: model.dealer.spot })
        : focus.dealer
          ? t('felt.dealer_name', { name: focus.dealer })
          : t('felt.dealer.text'),
    );
    inside(before, model.dealerBefore, () =>
      model.dealerBefore.map((cards, at) => {
        const hand = h(
          'span',
          { class: 'earlier' },
          h(
            'span',
            { class: several ? 'cards' : 'cards mini' },
            cards.map((card) => cardElement(card)),
          ),
          h('span', { class: 'box-name' }, t('felt.dealer.hand_short', { hand: at + 1 })),
          h('span', { class: 'total' }, totalText(total(cards).points, false, {})),
        );
        hand.style.setProperty('--spot', String(at + 1));
        hand.style.setProperty('--n', String(cards.length));
        return hand;
      }),
    );
    element.classList.toggle('playing', model.closed && model.boxes.length > 0);
    // The cards of a finished round stay visible while the next bets are made.
    element.classList.toggle('over', model.ended);
    element.classList.toggle('bets', Boolean(focus.areas));
    element.classList.toggle('called', Boolean(focus.called) && !model.closed);
    element.classList.toggle(
      'sits',
      model.boxes.some((box) => box.bettors.length > 0 && focus.mine?.has(box.box)),
    );
    element.classList.toggle(
      'several',
      model.boxes.some((box) => box.hands.length > 1),
    );
    element.classList.toggle('again', model.dealerBefore.length > 0);
    dealer.style.setProperty('--spot', String(model.dealer.spot));
    // The fewer hands, the larger the cards.
    const hands = model.boxes.reduce((all, box) => all + Math.max(1, box.hands.length), 0);
    attribute(element, 'data-hands', hands > 4 ? 'many' : hands > 2 ? 'some' : 'few');
    attribute(element, 'data-boxes', model.boxes.length);
    element.classList.toggle('crowd', hands > 10);
    // Dealing starts at the dealer's left, 19:47-2.6(e): from the players' side box 1 is at the right, beside the shoe.
    const numbers = single
      ? [centre(setup.positions)]
      : Array.from({ length: setup.positions }, (_, at) => (setup.dealerSide ? at + 1 : setup.positions - at));
    each(
      boxes,
      numbers,
      String,
      (box) =>
        h(
          'div',
          { class: 'box', role: 'group', 'aria-label': t('box.name', { box }), 'data-box': box },
          h('div', { class: 'hands' }),
          h('div', { class: 'box-areas' }),
          h('div', { class: 'box-foot' }),
          h('div', { class: 'insurance-band' }),
        ),
      (el, number) => {
        const box = model.boxes.find((b) => b.box === number);
        const [hands, areas, foot, band] = Array.from(el.children);
        const given = focus.areas?.(number);
        if (given && areas.firstChild !== given) {
          fill(areas, given);
          boxes.classList.toggle('dense', given.classList.contains('dense'));
        }
        const results = model.results.filter((r) => r.box === number);
        const name = box?.bettors.length
          ? (focus.numbered ? `${number} · ` : '') +
            listed(box.bettors.map((b) => focus.name?.(b.person) ?? t('person.player')))
          : t('box.name', { box: number });
        const streak = focus.streak?.(number);
        const asked = focus.box === number;
        const mine = focus.mine?.has(number);
        const wagered = Boolean(focus.wagered?.(number));
        const about = [
          box,
          results,
          besides(model, results),
          model.ended,
          name,
          streak,
          asked && [focus.hand],
          mine,
          wagered,
        ];
        if (!changed(el, about)) return;
        const stacked = drawHands(box?.hands ?? [], box, model, focus, hands);
        const dealt = Boolean(box?.hands.some((hand) => hand.cards.length));
        if (!given) {
          const lost = (/** @type {string} */ wager, /** @type {number | null} */ person) =>
            sideLost(results, number, wager, person);
          inside(
            areas,
            [box?.bettors, dealt, results],
            () => box?.bettors.map((b) => laidStacks(b, dealt, (wager) => lost(wager, b.person))) ?? null,
          );
        }
        const kinds = {
          mine,
          taken: box?.bettors.length,
          asked,
          'asked-whole': asked && !box?.hands.some((hand) => hand.hand === focus.hand),
          many: (box?.hands.length ?? 0) > 1,
          dealt: box?.hands.length,
          wagered,
          stacked,
          told: results.length,
          circled: setup.circles && circled(box, model.results),
        };
        attribute(el, 'class', ['box', ...Object.entries(kinds).flatMap(([kind, is]) => (is ? [kind] : []))].join(' '));
        attribute(el, 'data-n', box?.hands.length ?? 0);
        const insured = results.filter((r) => r.wager === 'insurance');
        inside(band, [box?.bettors.map((b) => b.insurance), insured], () =>
          box ? insuranceStacks(box, insured) : null,
        );
        const sides = results.filter((r) => r.wager in (box?.bettors[0]?.side ?? {}));
        const sidePill = (/** @type {Result} */ r) =>
          pill([r], t('box.bet', { box: number, bet: term('bet', r.wager) }), (one) =>
            story(one, model, called(focus)),
          );
        const rims = setup.circles && given ? Array.from(given.querySelectorAll('.at-rim')) : [];
        for (const rim of rims) {
          const on = sides.filter((r) => r.wager === rim.getAttribute('data-rim'));
          if (changed(rim, [on, besides(model, on)])) soon(rim, () => fill(rim, on.map(sidePill)));
        }
        const listedSides = rims.length ? [] : sides;
        if (changed(foot, [name, box?.award, listedSides, besides(model, listedSides), streak]))
          soon(foot, () =>
            fill(
              foot,
              h('span', { class: 'box-name' }, name),
              box?.award ? h('span', { class: 'tag live' }, t('felt.bonus', { amount: money(box.award) })) : null,
              listedSides.length
                ? h(
                    'span',
                    { class: 'side-results' },
                    listedSides.map((r) => h('span', null, h('small', null, term('bet', r.wager)), sidePill(r))),
                  )
                : null,
              streak ? lammer(streak) : null,
            ),
          );
      },
    );
  }
  /** @type {Felt['draw']} */
  function show(model, focus) {
    draw(model, focus);
    bend();
    drawn = true;
  }
  return { element, draw: show, drawShoe: cards.draw };
}

/**
 * Animates the swap of the second cards of two hands.
 * @param {Element} root @param {number} box @param {() => void} change
 */
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
    card.animate(
      [{ transform: `translate(${old.left - now.left}px, ${old.top - now.top}px)` }, { transform: 'none' }],
      { duration: 320, easing: 'ease-in-out' },
    );
  });
}

/** Builds the lammer that counts a streak, with the bets on it. @param {Schemas['StreakView']} streak */
const lammer = (streak) =>
  h(
    'span',
    { class: 'lammer', title: t('felt.streak.lammer') },
    rich('felt.streak.label', {
      wins: h('b', null, streak.wins),
      bets: listed(
        streak.bets
          .map((/** @type {string} */ bet, /** @type {number} */ at) => (cents(bet) ? `${at + 2}: ${money(bet)}` : ''))
          .filter(Boolean),
      ),
    }),
  );
