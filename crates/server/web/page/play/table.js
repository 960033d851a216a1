// A live table: what everyone sees, exactly the legal actions with their costs, and the explanation of each result.

import { shoeFacts, tableSide } from './aside.js';
import { end, leave } from './away.js';
import { Bar } from './bar.js';
import { Bets } from './bets.js';
import { forOne, inCircles, laterBets } from '../felt/circles.js';
import { prepare } from '../shared/cards.js';
import { centre, felt, frame, swap } from '../felt/felt.js';
import { story, tally } from '../felt/results.js';
import { besides, headline } from './headline.js';
import { key } from './keys.js';
import { teach } from './lesson.js';
import { Log } from '../shared/log.js';
import { apply, empty, fromView } from '../shared/model.js';
import { Names } from '../shared/names.js';
import { finish, turned } from '../shared/motion.js';
import { Live, beSomebody, excludedUntil, get, me, withOwn } from '../shared/net.js';
import { offer, outcome } from './offers.js';
import { pauseAfter } from './pace.js';
import { realityCheck } from './reality.js';
import { attribute, inside } from '../shared/patch.js';
import { Recent } from './recent.js';
import { Shares } from '../shared/share.js';
import { inSight } from '../shared/sight.js';
import { sound } from '../shared/sound.js';
import { spoken, tell, voidWords } from '../shared/tell.js';
import { tick } from './time.js';
import { forget, next, soon } from '../shared/turns.js';
import { atRest, cardWords, cents, complain, fill, go, h, money, moves, say, signed, tableName } from '../shared/ui.js';
import { playSolo } from './solo.js';
import { awaited } from '../shared/wait.js';
import { t } from '../shared/words.js';

/** @typedef {import('../shared/model.js').Result} Result */
/** @typedef {import('../../../browser/types').Command} Command */
/** @typedef {import('../../../browser/types').Event} Event */
/** @typedef {import('../../../browser/types').Schemas} Schemas */
/** @typedef {import('../../../browser/types').View} View */

/** Delay before the page says that the cards are requested. */
const SAID_MS = 120;

/** @param {HTMLElement} main @param {string[]} params */
export async function show(main, [number]) {
  // A new guest has no cards at the table yet, so nothing here waits for the guest.
  const [{ card, view, private: own = [] }, layout, excluded] = await Promise.all([
    get(`/api/tables/${number}`),
    get(`/api/tables/${number}/rules`),
    beSomebody().then(excludedUntil),
  ]);
  const staff = me()?.role !== 'player';
  if (staff && card.dealing === 'dealer') {
    go(`/console/${number}`, true);
    return undefined;
  }
  const page = new TablePage(Number(number), card, layout, withOwn(view, own));
  page.attended = card.attended;
  page.excluded = excluded;
  document.title = t('page.title', { heading: tableName(card.name) });
  main.className = 'wide';
  fill(main, page.element);
  page.start();
  return () => page.stop();
}

/**
 * How a table page reaches its table: the server's live view, or a training table.
 * @typedef {{ act: (action: Command) => Promise<{ version?: number }>, close: () => void }} Line
 * @typedef {{ view: (view: View) => void, state: (connected: boolean) => void, slow?: (waits: boolean) => void }} Hears
 */

export class TablePage {
  /** @param {number} number @param {Schemas['TableFacts']} card @param {Schemas['TableRules']} layout @param {View} view @param {((hears: Hears) => Line) | null} [connect] */
  constructor(number, card, layout, view, connect = null) {
    this.connect = connect ?? ((/** @type {Hears} */ hears) => new Live(number, hears));
    /** @type {Line | null} */
    this.live = null;
    this.shares = new Shares(number, (action) => this.live?.act(action));
    this.training = Boolean(connect);
    this.number = number;
    /** Until when the player has excluded themselves. @type {string | null} */
    this.excluded = null;
    this.card = card;
    this.layout = layout;
    this.view = view;
    this.names = new Names();
    this.names.learn(view);
    this.model = empty();
    this.connected = false;
    this.lostAt = 0;
    /** Whether the server's answer is late. */
    this.waits = false;
    /** @type {{ event: Event, round: number }[]} */
    this.queue = [];
    this.running = false;
    /** Ends the pause between two events. @type {((value: unknown) => void) | null} */
    this.wake = null;
    this.version = -1;
    this.lastRound = 0;
    this.arrived = performance.now();
    /** The round whose cards I have requested; they come after the pause that follows the previous round. */
    this.called = -1;
    /** Whether a dealer is present, or none is needed. */
    this.attended = true;
    this.calling = false;
    /** The view whose clock is shown. @type {View | null} */
    this.timed = null;
    /** The box and hand that the current question is about. @type {{ box?: number, hand?: number }} */
    this.asks = {};
    this.shoeText = '';
    /**
     * The result of the last round for me, with a sentence.
     * @type {{ net: number, results: Result[], words: string } | null}
     */
    this.summary = null;
    /** The lesson of that round. @type {import('./lesson.js').Lesson | null} */
    this.lesson = null;
    /** Why the current round is void, if it is. @type {string | null} */
    this.voided = null;
    /** @type {Set<number>} */
    this.lastBoxes = new Set();
    this.begun = Date.now();
    this.net = 0;
    this.player = me()?.role === 'player';
    const later = laterBets(card, layout);
    this.circles = forOne(card) && (card.spots > 1 || later.length > 0);
    this.bets = new Bets(
      card,
      `bets/${this.training ? card.name : number}`,
      {
        placed: (box) => this.placed(box),
        open: (box) => this.mayBet(box),
        why: (box) => (this.player && this.view.awaiting.what === 'wagers' ? this.whyNot(box) : ''),
        offered: () => (this.view.awaiting.what === 'offer' ? String(this.view.awaiting.offer) : ''),
        changed: () => {
          this.clearFinished();
          this.draw();
        },
      },
      later,
    );
    this.bar = new Bar(card.decisions, this.player ? this.bets.rack : null, {
      seen: (told) => turned(this.felt.element, told),
    });
    this.felt = felt({ ...card, inscriptions: layout.inscriptions, circles: this.circles });
    this.log = new Log();
    this.shoe = h('div', { class: 'shoe-facts' });
    this.meter = h('span', { class: 'meter' });
    this.recent = new Recent(this.training ? null : (round) => `/round/${number}/${round}`);
    this.slow = h('div', { class: 'lost slow', hidden: true, role: 'status' }, t('status.slow'));
    this.lost = h(
      'div',
      { class: 'lost', hidden: true },
      h('b', { role: 'alert' }, t('table.offline')),
      ' ',
      h('span', null),
    );
    this.element = frame(
      [
        h('h1', null, tableName(card.name)),
        h(
          'span',
          { class: 'dim' },
          `${money(card.minimum)} – ${money(card.maximum)}`,
          h('span', { class: 'decks' }, ` · ${t('table.decks', { count: card.decks })}`),
        ),
        this.meter,
        this.recent.element,
        ...(card.solo
          ? [
              h('span', { class: 'dim solo-note' }, t('lobby.solo')),
              h('a', { class: 'quiet sit', href: `/table/${number % 1000}` }, t('lobby.sit_with_others')),
            ]
          : []),
        this.training
          ? h('span', { class: 'tag free' }, t('table.training'))
          : h('a', { class: 'quiet', href: `/rules/${number}` }, t('nav.rules')),
      ],
      this.felt,
      [this.slow, this.lost, ...this.bar.elements],
      this.side(),
    );
    this.element.classList.toggle('player', this.player);
    this.element.classList.toggle('training', this.training);
    this.onKey = (/** @type {KeyboardEvent} */ event) => key(this, event);
    this.onPress = () => this.hurry();
  }

  side() {
    this.coach = h('div', { class: 'coach' });
    const { tabs, element } = tableSide(this);
    this.tabs = tabs;
    return element;
  }

  start() {
    if (!this.training) end();
    this.noteShoe();
    this.live = this.connect({
      view: (view) => this.heard(view),
      state: (connected) => {
        if (this.connected && !connected) this.lostAt = performance.now();
        this.connected = connected;
        this.lost.hidden = connected;
        // One message at a time: a lost connection says more than a slow one.
        this.slow.hidden = !this.waits || !connected;
        this.draw();
      },
      slow: (waits) => {
        this.waits = waits;
        this.slow.hidden = !waits || !this.connected;
      },
    });
    document.addEventListener('keydown', this.onPress, true);
    document.addEventListener('pointerdown', this.onPress, true);
    document.addEventListener('keydown', this.onKey);
    this.ticking = setInterval(() => tick(this), 200);
    prepare();
    this.reality = setInterval(() => realityCheck(this.begun, this.net), 30 * 60_000);
    this.draw();
  }

  stop() {
    this.live?.close();
    if (!this.training) leave(this.number, this.card.name, this.view);
    document.removeEventListener('keydown', this.onPress, true);
    document.removeEventListener('pointerdown', this.onPress, true);
    document.removeEventListener('keydown', this.onKey);
    forget(this.felt.element);
    clearInterval(this.ticking);
    clearInterval(this.reality);
  }

  // Incoming views.

  /** @param {View} view */
  heard(view) {
    this.names.learn(view);
    const first = this.version < 0;
    const gap = !first && view.version > this.version + 1;
    if (!first && view.version < this.version) return;
    if (!first && view.version === this.version) {
      this.view = view;
      this.noteShoe();
      return this.settle();
    }
    if (!first) this.attended = true;
    this.version = view.version;
    const roundBefore = this.view?.round ?? view.round;
    this.view = view;
    this.arrived = performance.now();
    this.noteShoe();
    if (first || gap || this.queue.length > 60) {
      this.queue = [];
      const known = empty();
      for (const event of view.events) {
        if (event.event === 'settled') known.results.push(/** @type {Result} */ (event));
        this.record(event, view.round);
      }
      const missed = gap && view.round > roundBefore && !this.model.ended && this.model.closed;
      if (!this.model.ended || view.boxes.length) this.model = fromView(view, known);
      if (missed) this.recall(roundBefore);
      return this.settle();
    }
    for (const event of view.events) this.queue.push({ event, round: roundBefore });
    this.run();
  }

  /** Loads the record of a round that ended while versions were missed. @param {number} round */
  async recall(round) {
    try {
      const told = await get(`/api/tables/${this.number}/rounds/${round}`);
      if (this.view.boxes.length) return;
      this.log.forget(round);
      this.model = empty();
      for (const step of told.steps) {
        this.shares.recall(step.events, round);
        for (const event of step.events) this.take(event, round);
      }
      this.settle();
    } catch {
      /* the record is in the history */
    }
  }

  async run() {
    if (this.running) return;
    this.running = true;
    while (this.queue.length) {
      const [{ event, round }] = this.queue.splice(0, 1);
      this.take(event, round);
      const pause = pauseAfter(event, this.queue[0]?.event) * (this.queue.length > 24 ? 0.5 : 1);
      if (pause && moves() && this.queue.length) {
        this.draw();
        await new Promise((go) => {
          this.wake = go;
          setTimeout(go, pause);
        });
      }
    }
    this.running = false;
    this.settle();
  }

  /** @param {Event} event @param {number} round */
  take(event, round) {
    if (event.event === 'switched' || event.event === 'revoked')
      swap(this.felt.element, Number(event.box), () => {
        apply(this.model, event);
        this.draw();
        this.lay();
      });
    else apply(this.model, event);
    if (event.event === 'dealt' || event.event === 'hole-turned') sound('card');
    if (event.event === 'wagered') sound('chips');
    if (event.event === 'wagers-closed') this.voided = null;
    if (event.event === 'voided') this.voided = voidWords(event);
    if (event.event === 'picked-up') {
      this.lastRound = round;
      this.roundOver();
    }
    this.record(event, round);
  }

  /** @param {Event} event @param {number} round */
  record(event, round) {
    const text = () => tell(event, (person) => this.name(person), cardWords);
    if (spoken(event)) say(text);
    if (event.event === 'wagers-closed' && !this.training) atRest(() => this.tabs?.open(t('log.title')));
    if (event.event === 'announced' && event.words !== 'blackjack') return;
    const absent = event.by === 'platform-for-absent' ? ` (${t('log.absent')})` : null;
    this.log.note(event, round, text, absent);
  }

  /** Adds up what I won or lost in the round that has just ended. */
  roundOver() {
    const mine = this.model.results.filter((r) => r.person === me()?.person);
    if (!mine.length) return;
    const net = mine.reduce((all, r) => all + cents(r.net), 0);
    this.net += net;
    const words = this.voided ?? ((this.card.spots > 1 && tally(mine)) || outcome(net));
    // One bet gets its explanation, several get the sum.
    const single = mine.length === 1 && !this.voided ? story(mine[0], this.model, (person) => this.name(person)) : '';
    this.summary = { net, results: mine, words: single || words };
    this.lesson = null;
    if (!this.training && !this.voided) teach(this);
    say(words);
    if (net > 0) sound('win');
    this.recent.add(this.lastRound, net, this.voided ? t('result.returned') : undefined);
  }

  settle() {
    if (this.running || this.queue.length) return;
    inSight(this.log.box, () => this.log.write());
    const over = this.model.ended && !this.view.boxes.length;
    if (!over) {
      this.model = fromView(this.view, this.model);
      if (this.view.awaiting.what !== 'wagers') this.summary = null;
    }
    this.draw();
  }

  /** Clears the cards of a finished round when somebody bets again. */
  clearFinished() {
    if (this.model.ended && !this.view.boxes.length) {
      this.model = empty();
      this.summary = null;
    }
  }

  noteShoe() {
    const { card, view } = this;
    if (!this.training) this.shares.see(view, card);
  }

  // The player's place at the table.

  /** @param {number | null} person */
  name(person) {
    return this.names.of(person);
  }

  mine() {
    const boxes = new Set();
    for (const box of this.model.boxes) if (box.bettors.some((b) => b.person === me()?.person)) boxes.add(box.box);
    for (const box of this.bets.made.keys()) boxes.add(box);
    return boxes;
  }

  /** Returns my place among the bettors of a box in the server's view. @param {number} box */
  place(box) {
    const found = this.view.boxes.find((b) => b.box === box);
    const at = found?.bettors.findIndex((b) => b.person === me()?.person) ?? -1;
    return !found || at < 0 ? null : { at, box: found, bettor: found.bettors[at] };
  }

  /** @param {number} box @returns {import('./bets.js').Bet | null} */
  placed(box) {
    const found = this.model.boxes.find((b) => b.box === box);
    return inCircles(found, this.model.results, me()?.person, this.circles);
  }

  /** @param {number} box */
  mayBet(box) {
    return this.player && this.view.awaiting.what === 'wagers' && !this.whyNot(box);
  }

  /** Says why I may not bet on a box, by the table's rules; empty if I may. @param {number} box */
  whyNot(box) {
    const { boxes_per_player: most, bettors_per_box: many } = this.card;
    const mine = new Set(this.bets.made.keys());
    for (const taken of this.view.boxes) if (this.place(taken.box)) mine.add(taken.box);
    const taken = this.view.boxes.find((b) => b.box === box);
    if (this.place(box)) return t('bet.area.yours');
    if (this.excluded) return t('exclusion.done');
    if (taken && taken.bettors.length >= many) return t('bet.area.taken');
    if (taken && !taken.consent) return t('bet.area.not_shared');
    if (!this.bets.made.has(box) && mine.size >= most) return t('table.boxes_per_player', { count: most });
    return '';
  }

  free() {
    if (this.card.solo) return this.mayBet(centre(this.card.positions)) ? centre(this.card.positions) : 0;
    for (let box = 1; box <= this.card.positions; box += 1)
      if (this.mayBet(box) && !this.bets.made.has(box)) return box;
    return this.bets.made.keys().next().value ?? 0;
  }

  // The player's actions.

  /** @param {Command} action */
  async act(action) {
    if (this.bar.busy) return null;
    this.bar.setBusy(true);
    this.flush();
    try {
      const done = await awaited(Promise.resolve(this.live?.act(action)));
      await this.seen(done?.version ?? 0);
      return done;
    } catch (error) {
      complain(error);
      return null;
    } finally {
      this.bar.setBusy(false);
      this.draw();
    }
  }

  /**
   * Waits until the page has received this version, so that an answered question does not show again.
   * @param {number} version
   */
  async seen(version) {
    for (let tries = 0; tries < 100 && !this.training && this.connected && this.version < version; tries += 1)
      await new Promise((go) => setTimeout(go, 10));
  }

  /** Finishes all motion at once on any press; the press itself decides nothing. */
  hurry() {
    finish(this.felt.element);
    this.flush();
    this.wake?.(null);
    // Lay out what was still queued, and finish its motion too.
    setTimeout(() => {
      this.lay();
      finish(this.felt.element);
    });
  }

  flush() {
    while (this.queue.length) {
      const [{ event, round }] = this.queue.splice(0, 1);
      this.take(event, round);
    }
  }

  /** Places the bets; then asks for the cards, or lets others join until the time is up. @param {boolean} [at_once] */
  async deal(at_once = true) {
    let asking = at_once && this.card.dealing !== 'dealer';
    // If the server answers at once, the notice is not needed and nothing is drawn.
    setTimeout(() => {
      if (!asking) return;
      this.calling = true;
      this.draw();
    }, SAID_MS);
    const taken = (/** @type {number} */ box) => this.view.boxes.some((b) => b.box === box);
    if ((await this.bets.place((action) => this.act(action), taken)) && asking) {
      const { round } = this.view;
      if (await this.act({ do: 'deal' })) this.called = round;
    }
    asking = false;
    this.calling = false;
    this.draw();
  }

  rebet() {
    this.clearFinished();
    for (const [box, bet] of this.bets.old()) {
      const to = this.mayBet(box) ? box : this.free();
      if (to) this.bets.lay(to, bet);
    }
    this.draw();
    return this.bets.made.size > 0;
  }

  // Rendering.

  /**
   * Renders the current state. The live actions are settled at once; the felt is laid out once, with the next frame.
   */
  draw() {
    const idle = !this.running && !this.queue.length;
    const dealing = { status: t('status.deal_requested'), acts: [] };
    const { status, acts, box, hand, amount, quiet, notNow } = /** @type {import('./offers.js').Offer} */ (
      idle ? offer(this) : dealing
    );
    const betting = this.view.awaiting.what === 'wagers';
    const over = betting && idle ? this.summary : null;
    this.asks = { box, hand };
    next(this.felt.element, () => this.lay());
    const about = {
      // While events still play, the next question is not asked yet and has no id.
      offer: idle ? JSON.stringify([this.view.round, this.view.awaiting.what, box, hand, this.asked(box, hand)]) : '',
      betting: betting && idle,
      amount,
      quiet,
      notNow: this.connected ? notNow : null,
      net: over
        ? h('span', { class: `pill ${over.net > 0 ? 'win' : over.net < 0 ? 'lose' : 'push'}` }, signed(over.net))
        : null,
      more: !this.attended
        ? h('a', { class: 'quiet', href: '/' }, t('nav.to_tables'))
        : betting && this.player && !this.free() && ![...this.mine()].length
          ? h(
              'a',
              { class: 'quiet', href: '/', 'data-act': 'play-solo', onclick: playSolo(this.number) },
              t('lobby.full'),
            )
          : this.summary && this.lastRound && !this.training && this.view.awaiting.what === 'wagers'
            ? h('a', { class: 'quiet', href: `/round/${this.number}/${this.lastRound}` }, t('nav.replay'))
            : null,
    };
    const { version, view } = this;
    this.bar.draw(status, this.connected ? acts : [], about, () => {
      attribute(this.element, 'data-awaiting', idle ? view.awaiting.what : 'dealing');
      attribute(this.element, 'data-version', version);
      attribute(this.element, 'data-round', view.round);
    });
  }

  /** Lays out the cards and chips as they are now. */
  lay() {
    forget(this.felt.element);
    soon(this.bets, () => this.bets.draw());
    const mine = this.mine();
    if (this.view.boxes.length) this.lastBoxes = mine;
    this.felt.draw(this.model, {
      ...this.asks,
      ...besides(this.view),
      mine,
      called: this.calling || this.called === this.view.round,
      name: (person) => this.name(person),
      areas: (number) => this.bets.element(number),
      wagered: (number) => this.bets.lies(number),
      streak: (number) => (this.view.streaks ?? []).find((s) => s.box === number),
    });
    const { meter, call } = this.view;
    inside(this.meter, [meter, call], () => headline(this.view));
    this.drawShoe();
    if (this.timed === this.view) return;
    this.timed = this.view;
    tick(this);
  }

  /**
   * Returns how many cards a hand has: another card means another question.
   * @param {number | undefined} box @param {number | undefined} hand
   */
  asked(box, hand) {
    if (this.view.awaiting.what === 'wagers') return 0;
    const play = this.model.boxes.find((b) => b.box === box);
    return play?.hands.find((x) => x.hand === hand)?.cards.length ?? this.model.dealer.cards.length;
  }

  drawShoe() {
    const shoe = this.view.shoe ?? {};
    const text = JSON.stringify([shoe.number, shoe.left, shoe.discards, shoe.other]);
    if (this.shoeText === text) return;
    this.shoeText = text;
    // The exact count of the shoe can wait while cards are dealt.
    soon(this.felt, () => this.felt.drawShoe(this.view.shoe ?? null, this.card.decks));
    inSight(this.shoe, () => fill(this.shoe, shoeFacts(this.number, this.view.shoe ?? {})));
  }
}
