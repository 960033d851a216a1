// The hands of a drill: its kinds of hands, and how a hand is dealt, named and found again.

import { shuffled } from './counting.js';
import { total } from '../shared/model.js';

import { t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */
/** @typedef {import('./memory.js').Spot} Spot */
/**
 * A drill: a kind of hands of a game, dealt from a number of decks, and the memory of past answers.
 * @typedef {{ game: Schemas['LabPreset'], kind: string, decks: number, memory: import('./memory.js').Memory }} Drill
 */

export const KINDS = /** @type {[string, string][]} */ ([
  ['any', t('train.set.any')],
  ['weak', t('train.set.weak')],
  ['hard', t('train.set.hard')],
  ['soft', t('train.set.soft')],
  ['pairs', t('train.set.pairs')],
  ['insurance', t('action.insurance')],
  ['switch', t('train.set.switch')],
  ['attack', t('train.set.attack')],
  ['deviation', t('train.set.index')],
  ['count', t('train.set.counting')],
]);

/** Hands whose best play changes with the count: two cards and the upcard. */
const TURNING = [
  'T6T',
  'T5T',
  'T69',
  'T23',
  'T22',
  'T32',
  'T24',
  'T3A',
  '64T',
  '65A',
  '63A',
  '722',
  '637',
  'TT5',
  'TT6',
  '88T',
];

/** Returns a uniform random number below `most`. @param {number} most */
export const below = (most) => {
  const limit = Math.floor(2 ** 32 / most) * most;
  for (;;) {
    const [n] = crypto.getRandomValues(new Uint32Array(1));
    if (n < limit) return n % most;
  }
};

/** Returns the cards of one deck of a game. @param {Schemas['LabPreset']} game @returns {string[]} */
export const deckOf = (game) => game.deck.split(' ');

/** Returns the attack bets that a game offers, if any. @param {Schemas['LabPreset']} game @returns {string[]} */
export const attacksOf = (game) => game.drills.filter((drill) => drill.includes('attack'));

/** Returns the style of the felt that a game is played on. @param {Schemas['LabPreset']} game */
export const clothOf = (game) =>
  game.drills.includes('switch')
    ? 'game-switch'
    : (['game-blackjack', 'game-double-attack'][attacksOf(game).length] ?? 'game-triple-attack');

/** Returns whether a game has such a drill. @param {Schemas['LabPreset']} game @param {string} kind */
export const offered = (game, kind) =>
  kind === 'attack'
    ? attacksOf(game).length > 0
    : ['switch', 'insurance'].includes(kind)
      ? game.drills.includes(kind)
      : true;

/**
 * Returns random cards of a game, each drawn from a full deck.
 * @param {Schemas['LabPreset']} game @param {number} count
 */
function dealt(game, count) {
  const deck = deckOf(game);
  return Array.from({ length: count }, () => deck[below(deck.length)]);
}

/** Returns the key under which a kind of hand is remembered, independent of the language. @param {Spot} spot */
export function nameOf(spot) {
  const [up] = spot.up;
  const against = up ? ` against ${up[0] === 'T' ? '10' : up[0]}` : '';
  if (spot.removed) return `by the count: ${spot.hand.map((card) => card[0]).join(' ')}${against}`;
  if (spot.asks !== 'play') return `${spot.asks} ${spot.hand.map((card) => card[0]).join(' ')}${against}`.trim();
  const value = total(spot.hand);
  const pair = spot.hand.length === 2 && total([spot.hand[0]]).points === total([spot.hand[1]]).points;
  const other = spot.hand2.length ? ' at Switch' : '';
  return `${pair ? 'pair of ' : value.soft ? 'soft ' : ''}${pair ? spot.hand[0][0].replace('T', '10') : value.points}${against}${other}`;
}

/** Describes a kind of hand in words. @param {Spot} spot */
export function inWords(spot) {
  const ranks = (/** @type {string[]} */ cards) => cards.map((card) => card[0].replace('T', '10')).join(' ');
  const value = total(spot.hand);
  const pair = spot.hand.length === 2 && total([spot.hand[0]]).points === total([spot.hand[1]]).points;
  const kind = spot.removed ? 'count' : spot.asks !== 'play' ? 'asked' : pair ? 'pair' : value.soft ? 'soft' : 'hard';
  return t('train.hand_kind', {
    kind,
    asks: term('action', spot.asks),
    hand: ranks(spot.hand),
    rank: ranks(spot.hand.slice(0, 1)),
    total: value.points,
    upcard: ranks(spot.up.slice(0, 1)) || 'none',
    game: spot.hand2.length ? 'switch' : 'one',
  });
}

/** Returns whether a remembered hand belongs to this drill. @param {string} kind @param {Spot} spot */
export function fits(kind, spot) {
  if (kind === 'deviation') return Boolean(spot.removed);
  if (spot.removed) return false;
  if (['insurance', 'switch', 'attack'].includes(kind)) return spot.asks === kind;
  if (spot.asks !== 'play') return false;
  const name = nameOf(spot);
  if (kind === 'soft') return name.startsWith('soft');
  if (kind === 'pairs') return name.startsWith('pair');
  return kind === 'hard' ? !/^(soft|pair)/.test(name) : true;
}

/**
 * Makes a hand whose best play changes with the count, and a partly dealt shoe.
 * @param {Drill} drill @returns {Spot}
 */
function deviation({ game, decks }) {
  const shoe = shuffled(decks, below, deckOf(game));
  const gone = Math.floor(shoe.length * (0.4 + below(30) / 100));
  const left = shoe.slice(gone);
  const take = (/** @type {string} */ rank) => {
    const wanted = rank === 'T' ? 'TJQK' : rank;
    const at = left.findIndex((card) => wanted.includes(card[0]));
    return left.splice(Math.max(0, at), 1)[0];
  };
  const [a, b, up] = Array.from(TURNING[below(TURNING.length)], take);
  return { up: [up], hand: [a, b], hand2: [], asks: 'play', removed: shoe.slice(0, gone) };
}

/** Returns the next hand of a drill. @param {Drill} drill @returns {Spot} */
export function make(drill) {
  const { game, kind, memory } = drill;
  const deal = (/** @type {number} */ count) => dealt(game, count);
  // Two times in three, repeat a hand that is due.
  const due = below(3) ? memory.due((_, known) => fits(kind, known.spot)) : null;
  if (due) return structuredClone(due.spot);
  if (kind === 'deviation') return deviation(drill);
  if (kind === 'weak') {
    const weak = memory.weak();
    if (weak.length) return structuredClone(weak[below(Math.min(5, weak.length))][1].spot);
  }
  for (;;) {
    const both = game.dealer_shows === 2;
    const up = deal(game.dealer_shows);
    /** @type {Spot} */
    const spot = {
      up,
      hand: deal(2),
      hand2: game.drills.includes('switch') ? deal(2) : [],
      asks: 'play',
    };
    if (kind === 'attack') {
      spot.asks = 'attack';
      // Triple Attack offers two: before the dealer's card and after it.
      const which = attacksOf(game)[below(attacksOf(game).length)];
      spot.hand = which === 'attack' ? [] : deal(1);
      if (which === 'second-attack') spot.up = [];
      return spot;
    }
    if (kind === 'insurance') {
      spot.asks = 'insurance';
      spot.up = [`A${'cdhs'[below(4)]}`];
      return spot;
    }
    if (kind === 'switch') {
      spot.asks = 'switch';
      return spot;
    }
    const value = total(spot.hand);
    const pair = 'TJQK'.includes(spot.hand[0][0])
      ? 'TJQK'.includes(spot.hand[1][0])
      : spot.hand[0][0] === spot.hand[1][0];
    if (value.points === 21 || (both && total(up).points === 21)) continue;
    if (kind === 'hard' && (value.soft || pair || value.points < 5)) continue;
    if (kind === 'soft' && (!value.soft || pair)) continue;
    if (kind === 'pairs' && !pair) continue;
    return spot;
  }
}
