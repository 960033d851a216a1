// Training: hands of chosen kinds against exact values, remembered in this browser so that weak ones come again. Nothing here
// is a table of the house, no chips move, and the coach speaks when asked, or after the choice.

import { cardElement } from './cards.js';
import { Counting, running, shuffled, trueCount } from './counting.js';
import { Memory } from './memory.js';
import { total } from './model.js';
import { get, post } from './net.js';
import { KEYS } from './offers.js';
import {
  BASE,
  complain,
  field,
  fill,
  forThePage,
  h,
  percent,
  readdress,
  say,
  tableName,
  title,
  valueOf,
} from './ui.js';
import { number, t } from './words.js';

/** @typedef {import('../../browser/types').Schemas} Schemas */

const KINDS = /** @type {[string, string][]} */ ([
  ['any', t('any-hand')],
  ['weak', t('hands-that-do-not-sit-yet')],
  ['hard', t('hard-totals')],
  ['soft', t('soft-totals')],
  ['pairs', t('pairs')],
  ['insurance', t('insurance-2')],
  ['switch', t('switch-decisions')],
  ['attack', t('attack-decisions')],
  ['deviation', t('decisions-by-the-count')],
  ['count', t('counting')],
]);

/** Hands whose best play turns with the count: two cards and the dealer's. */
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

/** The places of actions at a table, from left to right. */
const PLACES = [
  'stand',
  'keep',
  'pass',
  'decline',
  'hit',
  'double',
  'attack',
  'insure',
  'split',
  'surrender',
  'switch',
];

/**
 * Every action with its exact value, the best first.
 * @param {{ action: string, ev: number }[]} list @param {string} caption @param {string} [chosen]
 */
export function valueTable(list, caption, chosen) {
  const [best] = list;
  const most = Math.max(...list.map((choice) => Math.abs(choice.ev)), 0.01);
  const row = (/** @type {{ action: string, ev: number }} */ { action, ev }) => {
    const bar = h('i', { class: ev >= 0 ? 'better' : 'worse' });
    bar.style.width = `${(Math.abs(ev) / most) * 100}%`;
    return h(
      'tr',
      { class: action === chosen ? 'chosen' : '' },
      h('td', null, title(action)),
      h('td', { class: 'num' }, `${ev >= 0 ? '+' : '−'}${number(Math.abs(ev), 5)}`),
      h('td', { class: 'num' }, ev < best.ev ? number(best.ev - ev, 5) : t('best')),
      h('td', null, h('span', { class: 'share-bar', 'aria-hidden': 'true' }, bar)),
    );
  };
  const heads = h(
    'tr',
    null,
    h('th', { scope: 'col' }, t('action')),
    h('th', { scope: 'col', class: 'num' }, t('value')),
    h('th', { scope: 'col', class: 'num' }, t('costs')),
    h('th', { scope: 'col' }, h('span', { class: 'sr' }, t('picture-2'))),
  );
  return h(
    'table',
    { class: 'grid values' },
    h('caption', { class: 'sr' }, caption),
    h('thead', null, heads),
    h('tbody', null, list.map(row)),
  );
}

/** @param {HTMLElement} main @param {string[]} _ @param {URLSearchParams} query */
export async function show(main, _, query) {
  const known = await get('/api/lab');
  if (query.has('play')) return (await import('./trainer.js')).show(main, known, query);
  const coach = new Coach(known, query);
  fill(main, coach.element);
  const key = (/** @type {KeyboardEvent} */ event) => coach.key(event);
  document.addEventListener('keydown', key);
  await coach.memory.open();
  await coach.next();
  return () => {
    coach.memory.close();
    coach.counting?.stop();
    document.removeEventListener('keydown', key);
  };
}

/** A number below `most`, evenly. @param {number} most */
const below = (most) => {
  const limit = Math.floor(2 ** 32 / most) * most;
  for (;;) {
    const [n] = crypto.getRandomValues(new Uint32Array(1));
    if (n < limit) return n % most;
  }
};

class Coach {
  /** @param {Schemas['LabKnown']} known @param {URLSearchParams} query */
  constructor(known, query) {
    /** @type {Schemas['LabPreset'][]} */
    this.presets = known.presets;
    this.preset = known.presets.some((p) => p.name === query.get('table'))
      ? String(query.get('table'))
      : 'nj-blackjack';
    this.kind = KINDS.some(([kind]) => kind === query.get('kind')) ? String(query.get('kind')) : 'any';
    this.done = { hands: 0, right: 0, cost: 0 };
    /** @type {import('./memory.js').Spot} */
    this.spot = { up: [], hand: [], hand2: [], asks: 'play' };
    /** @type {Schemas['CoachAnswer']} */
    this.answer = {};
    /** @type {{ action: string, ev: number }[]} */
    this.list = [];
    this.chosen = '';
    this.turn = 0;
    this.memory = new Memory(this.preset);
    this.decks = 8;
    /** @type {Counting | null} */
    this.counting = null;
    this.progress = h('section', { class: 'panel pad progress', 'aria-label': t('your-progress') });
    this.scene = h('div', { class: 'felt train-felt' });
    this.buttons = h('div', { class: 'actions', role: 'group', 'aria-label': t('your-choice') });
    this.words = h('div', { class: 'coach-words', role: 'status' });
    this.score = h('dl', { class: 'facts score' });
    this.drill = [this.scene, h('div', { class: 'bar still' }, this.words, this.buttons)];
    this.stage = h('div', { class: 'stage' }, this.drill);
    this.kinds = /** @type {HTMLSelectElement} */ (
      h('select', {
        onchange: () => {
          this.kind = this.kinds.value;
          this.link();
          this.next();
        },
      })
    );
    this.play = h('a', { class: 'act', href: '/train?play=1' }, t('whole-rounds-with-the-coach'));
    this.element = h(
      'div',
      { class: 'train' },
      h(
        'div',
        { class: 'row' },
        h('h1', null, t('training')),
        h('span', { class: 'tag free' }, t('no-chips')),
        this.play,
      ),
      h(
        'section',
        { class: 'panel pad row' },
        field(
          t('table'),
          h(
            'select',
            {
              onchange: async (/** @type {Event} */ e) => {
                this.preset = valueOf(e);
                this.memory.close();
                this.memory = new Memory(this.preset);
                this.link();
                this.offerKinds();
                await this.memory.open();
                this.next();
              },
            },
            known.presets.map((p) =>
              h('option', { value: p.name, selected: p.name === this.preset }, tableName(p.name)),
            ),
          ),
        ),
        field(t('drill'), this.kinds),
        this.score,
      ),
      this.stage,
      this.progress,
    );
    this.offerKinds();
    this.drawScore();
  }

  link() {
    this.play.setAttribute('href', `${BASE}/train?play=1&table=${this.preset}`);
    readdress(`/train?table=${this.preset}&kind=${this.kind}`);
  }

  offerKinds() {
    const may = (/** @type {string} */ kind) =>
      kind === 'attack'
        ? this.attacks.length > 0
        : ['switch', 'insurance'].includes(kind)
          ? this.game.drills.includes(kind)
          : true;
    if (!may(this.kind)) this.kind = 'any';
    fill(
      this.kinds,
      KINDS.filter(([kind]) => may(kind)).map(([kind, name]) =>
        h('option', { value: kind, selected: kind === this.kind }, name),
      ),
    );
  }

  /** What is played: its deck, what the dealer shows, what is asked. */
  get game() {
    return this.presets.find(({ name }) => name === this.preset) ?? this.presets[0];
  }

  /** @returns {string[]} the cards of one deck */
  get deck() {
    return this.game.deck.split(' ');
  }

  /** The attack wagers that are asked for, if any. @returns {string[]} */
  get attacks() {
    return this.game.drills.filter((drill) => drill.includes('attack'));
  }

  /** Cards from a full shoe of this game. @param {number} count */
  deal(count) {
    const { deck } = this;
    return Array.from({ length: count }, () => deck[below(deck.length)]);
  }

  /** The key under which a kind of hand is remembered, whatever language is spoken. @param {import('./memory.js').Spot} spot */
  name(spot) {
    const [up] = spot.up;
    const against = up ? ` against ${up[0] === 'T' ? '10' : up[0]}` : '';
    if (spot.removed) return `by the count: ${spot.hand.map((card) => card[0]).join(' ')}${against}`;
    if (spot.asks !== 'play') return `${spot.asks} ${spot.hand.map((card) => card[0]).join(' ')}${against}`.trim();
    const value = total(spot.hand);
    const pair = spot.hand.length === 2 && total([spot.hand[0]]).points === total([spot.hand[1]]).points;
    const other = spot.hand2.length ? ' at Switch' : '';
    return `${pair ? 'pair of ' : value.soft ? 'soft ' : ''}${pair ? spot.hand[0][0].replace('T', '10') : value.points}${against}${other}`;
  }

  /** A kind of hand in words. @param {import('./memory.js').Spot} spot */
  inWords(spot) {
    const ranks = (/** @type {string[]} */ cards) => cards.map((card) => card[0].replace('T', '10')).join(' ');
    const value = total(spot.hand);
    const pair = spot.hand.length === 2 && total([spot.hand[0]]).points === total([spot.hand[1]]).points;
    const kind = spot.removed ? 'count' : spot.asks !== 'play' ? 'asked' : pair ? 'pair' : value.soft ? 'soft' : 'hard';
    return t('kind-of-hand', {
      kind,
      asks: title(spot.asks),
      hand: ranks(spot.hand),
      rank: ranks(spot.hand.slice(0, 1)),
      points: value.points,
      against: ranks(spot.up.slice(0, 1)) || 'none',
      game: spot.hand2.length ? 'switch' : 'one',
    });
  }

  /** Is a remembered hand one of this drill? @param {import('./memory.js').Spot} spot */
  fits(spot) {
    if (this.kind === 'deviation') return Boolean(spot.removed);
    if (spot.removed) return false;
    if (['insurance', 'switch', 'attack'].includes(this.kind)) return spot.asks === this.kind;
    if (spot.asks !== 'play') return false;
    const name = this.name(spot);
    if (this.kind === 'soft') return name.startsWith('soft');
    if (this.kind === 'pairs') return name.startsWith('pair');
    return this.kind === 'hard' ? !/^(soft|pair)/.test(name) : true;
  }

  /** A hand whose best play turns with the count, and a shoe that has been dealt from. */
  deviation() {
    const shoe = shuffled(this.decks, below, this.deck);
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

  make() {
    // Two times of three a hand that is due comes again.
    const due = below(3) ? this.memory.due((_, known) => this.fits(known.spot)) : null;
    if (due) return structuredClone(due.spot);
    if (this.kind === 'deviation') return this.deviation();
    if (this.kind === 'weak') {
      const weak = this.memory.weak();
      if (weak.length) return structuredClone(weak[below(Math.min(5, weak.length))][1].spot);
    }
    for (;;) {
      const both = this.game.dealer_shows === 2;
      const up = this.deal(this.game.dealer_shows);
      /** @type {import('./memory.js').Spot} */
      const spot = {
        up,
        hand: this.deal(2),
        hand2: this.game.drills.includes('switch') ? this.deal(2) : [],
        asks: 'play',
      };
      if (this.kind === 'attack') {
        spot.asks = 'attack';
        // Triple Attack asks twice: before the dealer's card and after it.
        const which = this.attacks[below(this.attacks.length)];
        spot.hand = which === 'attack' ? [] : this.deal(1);
        if (which === 'second-attack') spot.up = [];
        return spot;
      }
      if (this.kind === 'insurance') {
        spot.asks = 'insurance';
        spot.up = [`A${'cdhs'[below(4)]}`];
        return spot;
      }
      if (this.kind === 'switch') {
        spot.asks = 'switch';
        return spot;
      }
      const value = total(spot.hand);
      const pair = 'TJQK'.includes(spot.hand[0][0])
        ? 'TJQK'.includes(spot.hand[1][0])
        : spot.hand[0][0] === spot.hand[1][0];
      if (value.points === 21 || (both && total(up).points === 21)) continue;
      if (this.kind === 'hard' && (value.soft || pair || value.points < 5)) continue;
      if (this.kind === 'soft' && (!value.soft || pair)) continue;
      if (this.kind === 'pairs' && !pair) continue;
      return spot;
    }
  }

  async next() {
    const mine = ++this.turn;
    this.counting?.stop();
    this.counting = null;
    this.drawProgress();
    if (this.kind === 'deviation' || this.kind === 'count') {
      const told = await post('/api/lab/check', { table: this.preset, set: [] }).catch(() => null);
      if (mine !== this.turn) return;
      this.decks = Number(told?.values.decks ?? 8);
    }
    if (this.kind === 'count') {
      this.counting = new Counting(this.decks, below, this.deck, (right) => {
        this.done.hands += 1;
        this.done.right += right ? 1 : 0;
        this.drawScore();
      });
      fill(this.stage, this.counting.element);
      return;
    }
    fill(this.stage, this.drill);
    this.chosen = '';
    this.answer = {};
    this.list = [];
    this.spot = this.make();
    this.drawScene();
    fill(this.words, h('p', { class: 'dim' }, t('dealing')));
    fill(this.buttons);
    try {
      const answer = await post('/api/coach', {
        table: this.preset,
        hand: this.spot.hand.join(' '),
        hand2: this.spot.hand2.join(' '),
        up: this.spot.up.join(' '),
        removed: (this.spot.removed ?? []).join(' '),
      });
      if (mine !== this.turn) return;
      if (answer.refused) {
        await this.next();
        return;
      }
      this.answer = answer;
      this.list = this.choices();
      if (this.list.length < 2) {
        await this.next();
        return;
      }
      this.drawChoices();
    } catch (error) {
      if (mine === this.turn) {
        complain(error);
        fill(this.buttons, h('button', { class: 'act', onclick: () => this.next() }, t('again')));
      }
    }
  }

  /** @returns {{ action: string, ev: number }[]} */
  choices() {
    const { asks } = this.spot;
    if (asks === 'insurance')
      return typeof this.answer.insurance === 'number'
        ? [
            { action: 'insure', ev: this.answer.insurance },
            { action: 'decline', ev: 0 },
          ].toSorted((a, b) => b.ev - a.ev)
        : [];
    return (
      (asks === 'switch' ? this.answer.switch : asks === 'attack' ? this.answer.attack : this.answer.actions) ?? []
    );
  }

  question() {
    const { asks, hand } = this.spot;
    if (asks === 'insurance') return t('insurance-3');
    if (asks === 'switch') return t('switch-the-second-cards-2');
    if (asks === 'attack')
      return hand.length ? (this.spot.up.length ? t('a-third-attack') : t('a-second-attack')) : t('attack-2');
    const value = total(hand);
    const text = t('what-do-you-do', { a: value.soft ? t('soft-3') : '', points: value.points });
    const { removed } = this.spot;
    if (!removed) return text;
    const seen = [...removed, ...hand, ...this.spot.up];
    const left = this.decks - seen.length / this.deck.length;
    const count = running(seen);
    const [sum, each] = [count, trueCount(count, left)].map((n) => String(n).replace('-', '−'));
    return t('running-count-decks-left-true-count', { sum, number: number(left, 1), each, text });
  }

  drawScene() {
    const row = (/** @type {string} */ name, /** @type {string[]} */ cards) =>
      h(
        'div',
        { class: 'train-row' },
        h('span', { class: 'box-name' }, name),
        h('div', { class: 'cards' }, cards.length ? cards.map((card) => cardElement(card)) : cardElement(null)),
        cards.length ? h('span', { class: 'total' }, total(cards).points) : null,
      );
    fill(
      this.scene,
      row(t('dealer'), this.spot.up),
      h(
        'div',
        { class: 'train-hands' },
        row(this.spot.hand2.length ? t('first-hand') : t('you'), this.spot.hand),
        this.spot.hand2.length ? row(t('second-hand'), this.spot.hand2) : null,
      ),
    );
  }

  drawChoices() {
    const text = this.question();
    fill(this.words, h('p', { class: 'status' }, text));
    say(text);
    const place = (/** @type {{ action: string }} */ { action }) => (PLACES.indexOf(action) + 99) % 99;
    const list = this.list.toSorted((a, b) => place(a) - place(b) || a.action.localeCompare(b.action));
    fill(
      this.buttons,
      list.map((choice) =>
        h(
          'button',
          { class: 'act', type: 'button', 'data-act': choice.action, onclick: () => this.choose(choice.action) },
          h('span', null, title(choice.action)),
          KEYS[choice.action] ? h('kbd', { 'aria-hidden': 'true' }, KEYS[choice.action].toUpperCase()) : null,
        ),
      ),
      h(
        'button',
        { class: 'act minor', type: 'button', 'data-act': 'ask', onclick: () => this.tell(false) },
        t('ask-the-coach'),
      ),
    );
  }

  /** @param {string} action */
  choose(action) {
    const list = this.list;
    if (this.chosen || !list.length) return;
    this.chosen = action;
    const best = list[0];
    const mine = list.find((choice) => choice.action === action) ?? best;
    const cost = best.ev - mine.ev;
    this.done.hands += 1;
    this.done.cost += cost;
    if (cost < 1e-9) this.done.right += 1;
    this.memory.answered(this.name(this.spot), this.spot, cost);
    this.drawScore();
    this.drawProgress();
    this.tell(true);
  }

  /** Every action with its exact value. @param {boolean} after */
  tell(after) {
    const list = this.list;
    const best = list[0];
    const mine = list.find((choice) => choice.action === this.chosen);
    const cost = mine ? best.ev - mine.ev : 0;
    const head = !after
      ? h('p', { class: 'status' }, t('exact-values'))
      : cost < 1e-9
        ? h('p', { class: 'status ok' }, t('right', { chosen: title(this.chosen) }))
        : h(
            'p',
            { class: 'status wrong' },
            t('was-best-costs-of-the-wager', {
              action: title(best.action),
              chosen: title(this.chosen),
              cost: percent(cost, 2),
            }),
          );
    fill(this.words, head, valueTable(list, t('value-of-every-action'), this.chosen));
    if (after) {
      say(head.textContent ?? '');
      fill(
        this.buttons,
        h(
          'button',
          { class: 'act primary', type: 'button', 'data-act': 'next', onclick: () => this.next() },
          h('span', null, t('next-hand')),
          h('kbd', { 'aria-hidden': 'true' }, '⏎'),
        ),
      );
    }
  }

  /** What is remembered: how the days went, and the hands that come again. */
  drawProgress() {
    const days = this.memory.days();
    const weak = this.memory.weak();
    fill(
      this.progress,
      h('h2', null, t('your-progress')),
      days.length
        ? h(
            'p',
            {
              class: 'days',
              role: 'img',
              'aria-label': days
                .map(([day, d]) => t('hands-right', { day, hands: d.hands, percent: percent(d.right / d.hands, 0) }))
                .join('; '),
            },
            days.map(([day, d]) => {
              const bar = h('i', {
                title: t('hands-right', { day, hands: d.hands, percent: percent(d.right / d.hands, 0) }),
              });
              bar.style.height = `${Math.round((d.right / d.hands) * 40) + 2}px`;
              return bar;
            }),
          )
        : h('p', { class: 'dim' }, t('answer-some-hands-what-does-not-sit')),
      weak.length
        ? [
            h('p', null, t('kinds-that-do-not-sit', { n: weak.length })),
            h(
              'ul',
              { class: 'weak' },
              weak.slice(0, 6).map(([name, known]) =>
                h(
                  'li',
                  { 'data-weak': name },
                  t('wrong-of-times', {
                    hand: this.inWords(known.spot),
                    wrong: known.wrong,
                    seen: known.seen,
                  }),
                ),
              ),
            ),
          ]
        : null,
    );
  }

  drawScore() {
    const { hands, right, cost } = this.done;
    fill(
      this.score,
      h('dt', null, t('hands')),
      h('dd', { 'data-hands': hands }, hands),
      h('dt', null, t('accuracy')),
      h('dd', null, hands ? percent(right / hands, 1) : '–'),
      h('dt', null, t('cost-a-hand')),
      h('dd', null, hands ? percent(cost / hands, 2) : '–'),
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!forThePage(event) || event.repeat || this.counting) return;
    if (this.chosen && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      this.next();
      return;
    }
    if (this.chosen || !this.list) return;
    const found = this.list.find((choice) => KEYS[choice.action] === event.key.toLowerCase());
    if (found) {
      event.preventDefault();
      this.choose(found.action);
    }
  }
}
