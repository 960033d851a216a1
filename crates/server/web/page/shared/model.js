// A round as shown, built from events one by one. The live table and the replay use the same steps; the server's view
// always overrides the result.

/**
 * A bettor's stakes on a hand: one for each spot, and the attack and double bets.
 * @typedef {{ base: number[], attack: number, double: number }} Stake
 * @typedef {{ hand: number, cards: (string | null)[], total: number | null, soft: boolean, blackjack: boolean, state: string, stakes: Stake[] }} Hand
 * @typedef {{ person: number | null, main: number[], side: Record<string, number>, insurance: number, caller: boolean, evenMoney: boolean }} Bettor
 * @typedef {{ box: number, bettors: Bettor[], hands: Hand[], award?: number, attacks?: Record<string, number> }} Box
 * @typedef {{ box: number, hand: number, person: number | null, wager: string, spot: number, amount: string, net: string, result: string, when: string, clause?: string }} Result
 * @typedef {{ dealer: { cards: (string | null)[], hole: boolean, spot: number, blackjack?: boolean }, dealerBefore: (string | null)[][], boxes: Box[], results: Result[], closed: boolean, ended: boolean, round: number }} Model
 */

import { cents } from './ui.js';

/** @typedef {import('../../../browser/types').Event} Event */
/** @typedef {import('../../../browser/types').View} View */

/** @returns {Model} */
export const empty = () => ({
  dealer: { cards: [], hole: false, spot: 1 },
  dealerBefore: [],
  boxes: [],
  results: [],
  closed: false,
  ended: false,
  round: 0,
});

/** Returns the total of the visible cards. @param {(string | null)[]} cards */
export function total(cards) {
  let points = 0;
  let aces = 0;
  for (const card of cards) {
    if (!card) continue;
    const rank = card[0];
    if (rank === 'A') aces += 1;
    points += rank === 'A' ? 1 : 'TJQK'.includes(rank) ? 10 : Number(rank);
  }
  const soft = aces > 0 && points + 10 <= 21;
  return { points: soft ? points + 10 : points, soft };
}

/** Returns the hand that an event or a question is about. @param {Pick<Event, 'to' | 'box' | 'hand'>} [event] */
export const spotOf = (event) =>
  typeof event?.to === 'object' && event.to ? event.to : { box: event?.box ?? undefined, hand: event?.hand };

/** @param {Model} model @param {number} box @returns {Box} */
function boxOf(model, box) {
  let found = model.boxes.find((b) => b.box === box);
  if (!found) {
    found = { box, bettors: [], hands: [] };
    model.boxes.push(found);
    model.boxes.sort((a, b) => a.box - b.box);
  }
  return found;
}

/** @param {Box} box @param {number} number @returns {Hand} */
function handOf(box, number) {
  let found = box.hands.find((hand) => hand.hand === number);
  if (!found) {
    found = {
      hand: number,
      cards: [],
      total: null,
      soft: false,
      blackjack: false,
      state: 'open',
      stakes: box.bettors.map((bettor) => ({ base: bettor.main.slice(), attack: 0, double: 0 })),
    };
    box.hands.push(found);
  }
  return found;
}

/** @param {Hand} hand */
function count(hand) {
  const { points, soft } = total(hand.cards);
  hand.total = hand.cards.length ? points : null;
  hand.soft = soft;
  if (points > 21) hand.state = 'bust';
}

/** Shows cards that lay face down in these hands, in order. @param {Hand[]} hands @param {string[]} cards */
function turnUp(hands, cards) {
  for (const card of cards) {
    const hand = hands.find((h) => h.cards.includes(null));
    if (!hand) return;
    hand.cards[hand.cards.indexOf(null)] = card;
    count(hand);
  }
}

const sum = (/** @type {string[]} */ amounts) => (amounts ?? []).reduce((all, amount) => all + cents(amount), 0);

/** Applies one event to the model. @param {Model} model @param {Event} event @returns {Model} */
export function apply(model, event) {
  if (model.ended && (event.event === 'wagered' || event.event === 'wagers-closed')) Object.assign(model, empty());
  const box = typeof event.box === 'number' ? boxOf(model, event.box) : null;
  const hand =
    box &&
    typeof event.hand === 'number' &&
    event.event !== 'settled' &&
    event.event !== 'insured' &&
    event.event !== 'reversed'
      ? handOf(box, event.hand)
      : null;
  const bettor = box && typeof event.bettor === 'number' ? box.bettors[event.bettor] : null;
  switch (event.event) {
    case 'wagered': {
      const old = box?.bettors.find((b) => b.person === event.person);
      const main = event.amounts.map(cents);
      if (old) old.main = main;
      else
        box?.bettors.push({
          person: event.person,
          main,
          side: {},
          insurance: 0,
          caller: box.bettors.length === 0,
          evenMoney: false,
        });
      break;
    }
    case 'side-wagered':
      if (bettor) bettor.side[event.wager] = cents(event.amount);
      break;
    case 'withdrawn':
      if (box) {
        box.bettors.splice(event.bettor, 1);
        if (!box.bettors.length) model.boxes = model.boxes.filter((b) => b !== box);
      }
      break;
    case 'wagers-closed':
      model.closed = true;
      break;
    case 'dealt':
      if (event.to === 'dealer') model.dealer.cards.push(event.card);
      else if (event.to === 'hole') model.dealer.hole = true;
      else if (event.to && typeof event.to === 'object') {
        const to = handOf(boxOf(model, event.to.box), event.to.hand);
        to.cards.push(event.card);
        count(to);
      }
      break;
    case 'determined': {
      // A determinant card that names its own side is the first player's card.
      const [first] = model.boxes;
      if (!event.burned && first) {
        const to = handOf(first, 1);
        to.cards.push(event.card);
        count(to);
      }
      break;
    }
    case 'hole-turned':
      model.dealer.hole = false;
      model.dealer.cards.push(event.card);
      break;
    case 'double-turned':
      if (hand) turnUp([hand], [event.card]);
      break;
    case 'cards-turned':
      if (box) turnUp(box.hands, [event.first, event.second]);
      break;
    case 'next-dealer-hand':
      model.dealerBefore.push(model.dealer.cards);
      model.dealer = { cards: model.dealer.cards.slice(0, 1), hole: false, spot: event.spot };
      break;
    case 'attacked':
      if (box) box.attacks = { ...box.attacks, [event.offer]: cents(event.amount) };
      if (box)
        for (const h of box.hands.length ? box.hands : [handOf(box, 1)])
          if (h.stakes[event.bettor]) h.stakes[event.bettor].attack += cents(event.amount);
      break;
    case 'insured':
      if (bettor) bettor.insurance += sum(event.amounts);
      break;
    case 'awarded':
      if (box) box.award = cents(event.amount);
      break;
    case 'even-money-taken':
      if (bettor) bettor.evenMoney = true;
      break;
    case 'switched':
    case 'revoked': {
      const [a, b] = box?.hands ?? [];
      if (a && b) {
        [a.cards[1], b.cards[1]] = [b.cards[1], a.cards[1]];
        count(a);
        count(b);
      }
      break;
    }
    case 'doubled':
      if (hand?.stakes[event.bettor]) hand.stakes[event.bettor].double += sum(event.amounts);
      break;
    case 'split':
      if (box && hand) {
        const fresh = handOf(box, event.new);
        // Co-bettors decide for themselves; the server's view has their stakes.
        fresh.stakes = hand.stakes.map((stake) => ({ ...stake, base: stake.base.slice(), double: 0 }));
        fresh.cards = hand.cards.splice(1, 1);
        // The new hand goes beside the one it was split from.
        box.hands.splice(box.hands.indexOf(fresh), 1);
        box.hands.splice(box.hands.indexOf(hand) + 1, 0, fresh);
        count(hand);
        count(fresh);
      }
      break;
    case 'surrendered':
      if (hand) hand.state = 'surrendered';
      break;
    case 'stood':
      if (hand) hand.state = 'complete';
      break;
    case 'settled':
      model.results.push(/** @type {Result} */ (event));
      // Keep the blackjack from the settlement, since the server's view drops it with the round.
      if (event.blackjack && box) handOf(box, event.hand).blackjack = true;
      break;
    case 'reversed':
      model.results = model.results.filter(
        (r) => !(r.box === event.box && r.hand === event.hand && r.wager === event.wager && r.spot === event.spot),
      );
      break;
    case 'picked-up':
      model.ended = true;
      break;
    case 'voided':
      model.ended = true;
      break;
    default:
      break;
  }
  return model;
}

/**
 * Builds the model that a server view describes. Results keep the clauses from their events.
 * @param {View} view @param {Model} before @returns {Model}
 */
export function fromView(view, before) {
  const model = empty();
  model.round = view.round;
  model.closed = view.awaiting?.what !== 'wagers';
  model.dealer = {
    cards: view.dealer.cards.slice(),
    hole: view.dealer.hole,
    spot: view.dealer.spot,
    blackjack: view.dealer.blackjack,
  };
  model.dealerBefore = before.dealerBefore;
  model.boxes = view.boxes.map((box) => ({
    box: box.box,
    award: before.boxes.find((b) => b.box === box.box)?.award,
    attacks: before.boxes.find((b) => b.box === box.box)?.attacks,
    bettors: box.bettors.map((b) => ({
      person: b.person,
      main: b.main.map(cents),
      insurance: cents(b.insurance),
      caller: b.caller,
      evenMoney: b.even_money,
      side: Object.fromEntries(
        Object.entries(b.side).map(([name, amount]) => [name, cents(/** @type {string} */ (amount))]),
      ),
    })),
    hands: box.hands
      .filter((hand) => hand.cards.length + hand.face_down > 0 || hand.stakes.some((s) => cents(s.attack) > 0))
      .map((hand) => ({
        hand: hand.hand,
        cards: [...hand.cards, ...Array(hand.face_down).fill(null)],
        total: hand.cards.length ? hand.total : null,
        soft: hand.soft,
        blackjack: Boolean(hand.blackjack),
        state: hand.state,
        stakes: hand.stakes.map((stake) => ({
          base: stake.base.map(cents),
          attack: cents(stake.attack),
          double: cents(stake.double),
        })),
      })),
  }));
  model.results = view.settled.map((s) => {
    const known = before.results.find(
      (r) => r.box === s.box && r.hand === s.hand && r.wager === s.wager && r.spot === s.spot && r.person === s.person,
    );
    return { ...s, clause: known?.clause };
  });
  return model;
}

/**
 * Groups the results of a hand by bet if there are several; otherwise all together.
 * @param {Box | undefined} box @param {Result[]} results @returns {[number, Result[]][]}
 */
export function bySpot(box, results) {
  if (!results.length) return [];
  const several = (box?.bettors[0]?.main.filter(Boolean).length ?? 0) > 1 || results.some((r) => r.spot > 1);
  if (!several) return [[0, results]];
  const spots = [...new Set(results.map((r) => r.spot))].sort((a, b) => a - b);
  return spots.map((spot) => [spot, results.filter((r) => r.spot === spot)]);
}
