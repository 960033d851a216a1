// Training: chosen kinds of hands, judged by exact values and remembered, so that weak ones repeat. No table of the
// house is involved and no chips move; the coach speaks on request, or after the choice.

import { cardElement } from '../shared/cards.js';
import { mark, peek } from '../shared/charts.js';
import { Counting, running, trueCount } from './counting.js';
import { KINDS, below, clothOf, deckOf, make, nameOf, offered } from './drills.js';
import { called } from '../play/lesson.js';
import { Memory } from './memory.js';
import { total } from '../shared/model.js';
import { get, post } from '../shared/net.js';
import { KEYS } from '../shared/choicekeys.js';
import { progress } from './progress.js';
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
  valueOf,
} from '../shared/ui.js';
import { thumb } from '../play/thumb.js';
import { valueTable } from '../shared/values.js';
import { number, t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */

/** The order of actions at a table, from left to right. */
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

/** @param {HTMLElement} main @param {string[]} _ @param {URLSearchParams} query */
export async function show(main, _, query) {
  const known = await get('/api/lab');
  if (query.has('play')) return (await import('./trainer.js')).show(main, known, query);
  const coach = new Coach(known, query);
  main.className = 'trains';
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

/**
 * Ignores the second of two quick clicks: it was meant for the button that was there before.
 * @param {() => void} run
 */
const once = (run) => (/** @type {MouseEvent} */ event) => {
  if (event.detail < 2) run();
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
    /** Results of the counting drill; `off` is the sum of all errors. */
    this.counted = { runs: 0, right: 0, off: 0 };
    /** @type {import('./memory.js').Spot} */
    this.spot = { up: [], hand: [], hand2: [], asks: 'play' };
    /** @type {Partial<Schemas['ActionValues']> & { refused?: string }} */
    this.answer = {};
    /** @type {{ action: string, ev: number }[]} */
    this.list = [];
    this.chosen = '';
    /** Whether the coach was asked about this hand before it was played. */
    this.helped = false;
    this.turn = 0;
    this.memory = new Memory(this.preset);
    this.decks = 8;
    /** @type {Counting | null} */
    this.counting = null;
    this.progress = h('section', { class: 'panel pad progress', 'aria-label': t('train.progress.label') });
    this.scene = h('div', { class: 'felt train-felt' });
    this.buttons = h('div', { class: 'actions', role: 'group', 'aria-label': t('train.your_choice') });
    this.words = h('div', { class: 'coach-words', role: 'status' });
    this.values = h('div', { class: 'coach-values' });
    this.score = h('dl', { class: 'facts score' });
    this.chart = h('section', { class: 'train-chart panel pad', 'aria-label': t('train.chart') });
    /** The table that the loaded chart is of, and the chart. */
    this.chartOf = '';
    /** @type {HTMLElement | null} */
    this.loaded = null;
    // The next button takes the place of the choices, above the values, so that it is visible however many values there
    // are.
    this.drill = [this.scene, h('div', { class: 'bar still' }, this.words, this.buttons, this.values), this.chart];
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
    this.play = h('a', { class: 'act', href: '/train?play=1' }, t('train.with_coach'));
    this.element = h(
      'div',
      { class: 'train' },
      h(
        'div',
        { class: 'row' },
        h('h1', null, t('nav.training')),
        h('span', { class: 'tag free' }, t('train.no_chips')),
        this.play,
      ),
      h(
        'section',
        { class: 'panel pad row' },
        field(
          t('nav.table'),
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
        field(t('train.drill'), this.kinds),
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
    this.scene.className = ['felt', 'train-felt', clothOf(this.game)].join(' ');
    if (!offered(this.game, this.kind)) this.kind = 'any';
    fill(
      this.kinds,
      KINDS.filter(([kind]) => offered(this.game, kind)).map(([kind, name]) =>
        h('option', { value: kind, selected: kind === this.kind }, name),
      ),
    );
  }

  /** The game being played: its deck, what the dealer shows, and its drills. */
  get game() {
    return this.presets.find(({ name }) => name === this.preset) ?? this.presets[0];
  }

  /** @returns {string[]} the cards of one deck */
  get deck() {
    return deckOf(this.game);
  }

  async next() {
    const mine = ++this.turn;
    this.counting?.stop();
    this.counting = null;
    this.drawScore();
    fill(this.progress, h('h2', null, t('train.progress.label')), progress(this.memory));
    if (this.kind === 'deviation' || this.kind === 'count') {
      const told = await post('/api/lab/check', { table: this.preset, set: [] }).catch(() => null);
      if (mine !== this.turn) return;
      this.decks = Number(told?.values.decks ?? 8);
    }
    if (this.kind === 'count') {
      this.counting = new Counting(this.decks, below, this.deck, (right, off) => {
        this.counted.runs += 1;
        this.counted.right += right ? 1 : 0;
        this.counted.off += off;
        this.drawScore();
      });
      fill(this.stage, this.counting.element);
      return;
    }
    const here = this.stage.contains(document.activeElement);
    fill(this.stage, this.drill);
    this.chosen = '';
    this.helped = false;
    this.coverChart();
    this.answer = {};
    this.list = [];
    this.spot = make(this);
    this.drawScene();
    this.ask(t('status.dealing_cards'), here);
    fill(this.buttons);
    fill(this.values);
    try {
      const answer = await post('/api/coach', {
        table: this.preset,
        hand: this.spot.hand.join(' '),
        hand2: this.spot.hand2.join(' '),
        up: this.spot.up.join(' '),
        removed: (this.spot.removed ?? []).join(' '),
      });
      if (mine !== this.turn) return;
      if ('refused' in answer) {
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
        fill(this.buttons, h('button', { class: 'act', onclick: () => this.next() }, t('bet.rebet_deal')));
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
    if (asks === 'insurance') return t('offer.insurance.ask');
    if (asks === 'switch') return t('train.ask.switch');
    if (asks === 'attack')
      return hand.length
        ? this.spot.up.length
          ? t('train.ask.third_attack')
          : t('train.ask.second_attack')
        : t('train.ask.attack');
    const value = total(hand);
    const text = t('train.ask.play', { soft: value.soft ? 'yes' : 'no', total: value.points });
    const { removed } = this.spot;
    if (!removed) return text;
    const seen = [...removed, ...hand, ...this.spot.up];
    const left = this.decks - seen.length / this.deck.length;
    const count = running(seen);
    const [sum, each] = [count, trueCount(count, left)].map((n) => number(n));
    return `${text} ${t('train.ask.count', { running: sum, decks: Math.round(left * 10) / 10, true: each })}`;
  }

  /** Shows a question; `here` keeps the focus in this part of the page. @param {string} text @param {boolean} here */
  ask(text, here) {
    const none = this.kind === 'weak' && !this.memory.weak().length ? t('train.nothing_due') : null;
    const question = h('p', { class: 'status', tabindex: '-1' }, text);
    fill(this.words, question, none ? h('p', { class: 'small dim' }, none) : null);
    if (here) question.focus();
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
      row(t('felt.dealer.text'), this.spot.up),
      h(
        'div',
        { class: 'train-hands' },
        row(this.spot.hand2.length ? t('hand.first') : t('person.you'), this.spot.hand),
        this.spot.hand2.length ? row(t('hand.second'), this.spot.hand2) : null,
      ),
    );
  }

  drawChoices() {
    const text = this.question();
    this.ask(text, this.stage.contains(document.activeElement));
    say(text);
    const place = (/** @type {{ action: string }} */ { action }) => (PLACES.indexOf(action) + 99) % 99;
    const list = this.list.toSorted((a, b) => place(a) - place(b) || a.action.localeCompare(b.action));
    fill(
      this.buttons,
      list.map((choice) =>
        h(
          'button',
          {
            class: 'act',
            type: 'button',
            'data-act': choice.action,
            onclick: once(() => this.choose(choice.action)),
          },
          h('span', null, term('action', choice.action)),
          KEYS[choice.action] ? h('kbd', { 'aria-hidden': 'true' }, KEYS[choice.action].toUpperCase()) : null,
        ),
      ),
      h(
        'button',
        { class: 'act minor', type: 'button', 'data-act': 'ask', onclick: () => this.help() },
        t('coach.ask'),
      ),
    );
  }

  /** Covers the chart until somebody asks for it. */
  coverChart() {
    this.chart.classList.add('covered');
    fill(
      this.chart,
      h('button', { class: 'act', type: 'button', 'data-act': 'chart', onclick: () => this.peek() }, t('train.peek')),
      h('p', { class: 'dim small' }, t('train.peek_cost')),
    );
  }

  /** Shows the loaded chart with the cell of this hand. */
  uncover() {
    if (!this.loaded || this.chartOf !== this.preset) return;
    this.chart.classList.remove('covered');
    fill(this.chart, h('h2', null, t('train.best_play')), this.loaded);
    if (this.spot.asks === 'play') mark(this.loaded, this.spot);
  }

  /** Shows the chart of this table beside the hand. A player who looks it up first does not know the hand yet. */
  async peek() {
    if (!this.chosen) this.helped = true;
    if (this.chartOf !== this.preset) {
      this.chartOf = this.preset;
      this.loaded = null;
      fill(this.chart, h('p', { class: 'dim' }, t('status.dealing_cards')));
      try {
        const told = await post('/api/lab/strategy', { table: this.preset });
        if (this.chartOf === this.preset) this.loaded = peek(told);
      } catch (error) {
        this.chartOf = '';
        this.coverChart();
        complain(error);
      }
    }
    this.uncover();
  }

  /** Lets the coach speak before the choice; the hand then does not count as known. */
  help() {
    this.helped = true;
    this.tell(false);
  }

  /**
   * Explains the best choice: what it wins or loses per hundred against the next best, and the rule of thumb behind it.
   */
  reason() {
    const [best, next] = this.list;
    if (!next || !this.spot.hand.length) return null;
    const hundred = (/** @type {number} */ ev) => number(Math.abs(ev) * 100, 1);
    const values = { action: term('action', best.action), best: hundred(best.ev), next: hundred(next.ev) };
    const told =
      best.ev < 0
        ? t('train.reason.loses_less', values)
        : next.ev < 0
          ? t('train.reason.wins', values)
          : t('train.reason.wins_more', values);
    const asked = { hand: this.spot.hand.join(' '), up: this.spot.up[0] ?? '', best: best.action };
    const rule = this.spot.asks === 'play' ? thumb(asked) : '';
    return h(
      'p',
      { class: 'reason' },
      this.spot.asks === 'play' ? t('train.reason.of_hand', { hand: called(asked), reason: told }) : told,
      rule ? [' ', t('thumb.text', { rule })] : null,
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
    // A hand that the coach was asked about first is not known yet, whatever was chosen then.
    const known = cost < 1e-9 && !this.helped;
    if (known) this.done.right += 1;
    this.memory.answered(nameOf(this.spot), this.spot, known ? cost : Math.max(cost, 1e-6));
    this.drawScore();
    fill(this.progress, h('h2', null, t('train.progress.label')), progress(this.memory));
    this.tell(true);
  }

  /** Lists every action with its exact value. @param {boolean} after */
  tell(after) {
    const list = this.list;
    const best = list[0];
    const mine = list.find((choice) => choice.action === this.chosen);
    const cost = mine ? best.ev - mine.ev : 0;
    const head = !after
      ? h('p', { class: 'status' }, t('values.title'))
      : cost < 1e-9
        ? h('p', { class: 'status ok' }, t('train.correct', { action: term('action', this.chosen) }))
        : h(
            'p',
            { class: 'status wrong' },
            t('train.mistake', {
              best: term('action', best.action),
              chosen: term('action', this.chosen),
              cost: percent(cost, 2),
            }),
          );
    const here = this.stage.contains(document.activeElement);
    fill(this.words, head, this.reason());
    fill(this.values, valueTable(list, t('analysis.values'), this.chosen));
    if (!after) return;
    say(head.textContent ?? '');
    const next = h(
      'button',
      { class: 'act primary', type: 'button', 'data-act': 'next', onclick: once(() => this.next()) },
      h('span', null, t('train.next')),
      h('kbd', { 'aria-hidden': 'true' }, '⏎'),
    );
    fill(this.buttons, next);
    this.uncover();
    if (here) next.focus();
  }

  drawScore() {
    const { hands, right, cost } = this.done;
    const { runs, right: met, off } = this.counted;
    const facts =
      this.kind === 'count'
        ? [
            [t('count_drill.runs'), runs],
            [t('analysis.accuracy'), runs ? percent(met / runs, 1) : '–'],
            [t('count_drill.error'), runs ? number(off / runs, 1) : '–'],
          ]
        : [
            [t('train.hands'), hands],
            [t('analysis.accuracy'), hands ? percent(right / hands, 1) : '–'],
            [t('train.cost'), hands ? percent(cost / hands, 2) : '–'],
          ];
    fill(
      this.score,
      facts.flatMap(([name, value], at) => [h('dt', null, name), h('dd', at ? null : { 'data-hands': value }, value)]),
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const press = event.key === 'Enter' || event.key === ' ';
    const target = event.target instanceof HTMLElement ? event.target : null;
    // A held key does nothing, not even press the focused element.
    if (event.repeat && press && target && this.stage.contains(target)) event.preventDefault();
    if (!forThePage(event) || event.repeat || this.counting) return;
    // Enter and the space bar belong to the focused element.
    if (press && target?.closest('a, button, summary')) return;
    if (this.chosen && press) {
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
