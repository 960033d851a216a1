// Rules of thumb: a short sentence behind a best choice, shown only if the rule and the best choice agree.

import { t } from '../shared/words.js';

/** @param {string} card */
const rankOf = (card) =>
  card.startsWith('10') || 'TJQK'.includes(card[0]) ? 10 : card[0] === 'A' ? 11 : Number(card[0]);

/**
 * The rules in the order they are tried: when one applies, what it says is best, and its sentence.
 * @type {{ when: (own: { points: number, soft: boolean, pair: number }, up: number) => boolean, best: string, words: () => string }[]}
 */
const RULES = [
  { when: ({ pair }) => pair === 11 || pair === 8, best: 'split', words: () => t('thumb.aces_eights') },
  { when: ({ pair }) => pair === 10, best: 'stand', words: () => t('thumb.tens') },
  { when: ({ pair }, up) => pair > 0 && up <= 6, best: 'split', words: () => t('thumb.pairs_weak') },
  { when: ({ points, soft }) => soft && points >= 19, best: 'stand', words: () => t('thumb.soft_high') },
  {
    when: ({ points, soft }, up) => soft && points < 19 && up <= 6,
    best: 'double',
    words: () => t('thumb.soft_double'),
  },
  { when: ({ points, soft }) => soft && points <= 17, best: 'hit', words: () => t('thumb.soft_hit') },
  { when: ({ points, soft }) => !soft && points >= 17, best: 'stand', words: () => t('thumb.hard_high') },
  {
    when: ({ points, soft }, up) => !soft && points >= 12 && up >= 7,
    best: 'hit',
    words: () => t('thumb.stiff_strong'),
  },
  {
    when: ({ points, soft }, up) => !soft && points >= 12 && up <= 6,
    best: 'stand',
    words: () => t('thumb.stiff_weak'),
  },
  {
    when: ({ points, soft }, up) => !soft && points === 11 && up <= 10,
    best: 'double',
    words: () => t('thumb.eleven'),
  },
  { when: ({ points, soft }, up) => !soft && points === 10 && up <= 9, best: 'double', words: () => t('thumb.ten') },
  { when: ({ points, soft }) => !soft && points <= 11, best: 'hit', words: () => t('thumb.low') },
];

/**
 * Returns the rule of thumb for a choice, if one agrees with it.
 * @param {{ hand: string, up: string, best: string }} choice
 */
export function thumb({ hand, up, best }) {
  const ranks = hand.split(' ').filter(Boolean).map(rankOf);
  if (ranks.length < 2 || !up) return '';
  let points = ranks.reduce((all, rank) => all + rank, 0);
  let aces = ranks.filter((rank) => rank === 11).length;
  for (; points > 21 && aces; aces -= 1) points -= 10;
  const pair = ranks.length === 2 && ranks[0] === ranks[1] ? ranks[0] : 0;
  const own = { points, soft: aces > 0, pair };
  return RULES.find((rule) => rule.when(own, rankOf(up)) && rule.best === best)?.words() ?? '';
}
