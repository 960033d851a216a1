// The console of the dealer and the floor: the next step of the procedure, card entry by key or click with corrections,
// announcements to make, irregularities with their remedies, approvals, and calls for the floor.

import { askReason } from './alerts.js';
import { asked } from './asked.js';
import { CardEntry } from './cardentry.js';
import { CALLS, VOIDS, placeOf } from './deskwords.js';
import { felt, frame } from '../felt/felt.js';
import { Guard } from '../shared/guard.js';
import { besides } from '../play/headline.js';
import { irregularities, typedCard } from './irregular.js';
import { apply, empty, fromView, spotOf } from '../shared/model.js';
import { Names } from '../shared/names.js';
import { inside } from '../shared/patch.js';
import { keep, kept, payTake } from './paytake.js';
import { Live, get, me } from '../shared/net.js';
import { spoken, tell } from '../shared/tell.js';
import { cardWords, clauseLink, complain, fill, forThePage, h, money, say, tableName } from '../shared/ui.js';
import { clock, t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Command} Command */
/** @typedef {import('../../../browser/types').Schemas} Schemas */
/** @typedef {import('../../../browser/types').View} View */

/** @typedef {import('../play/table.js').Line & { wager?: () => Promise<unknown> }} Rehearsed */

/** Whether the window is a phone's, in portrait or in landscape. */
const [NARROW, LOW] = [matchMedia('(max-width: 599px)'), matchMedia('(max-height: 500px)')];

/** @param {HTMLElement} main @param {string[]} params */
export async function show(main, [number]) {
  const role = me()?.role;
  if (!role || role === 'player') throw Object.assign(new Error('sign in first'), { status: 401 });
  const [{ card, view, recent_events = [] }, layout] = await Promise.all([
    get(`/api/tables/${number}`),
    get(`/api/tables/${number}/rules`),
  ]);
  const desk = new Console(Number(number), card, layout, view, role);
  // A console opened in mid-round shows the recent events. The first view has the same version and repeats the last of
  // them.
  desk.write(recent_events);
  desk.written = recent_events.length ? view.version : -1;
  document.title = t('console.page_title', { name: tableName(card.name) });
  main.className = 'wide';
  fill(main, desk.element);
  desk.start();
  return () => desk.stop();
}

export class Console {
  /**
   * `connect` opens a rehearsal table instead, where the user is dealer and floor at once and makes the players bet.
   * @param {number} number @param {Schemas['TableFacts']} card @param {Schemas['TableRules']} layout @param {View} view @param {string} role
   * @param {((hears: import('../play/table.js').Hears) => Rehearsed) | null} [connect]
   */
  constructor(number, card, layout, view, role, connect = null) {
    this.connect = connect ?? ((/** @type {import('../play/table.js').Hears} */ hears) => new Live(number, hears));
    this.rehearsed = Boolean(connect);
    this.number = number;
    this.card = card;
    this.view = view;
    this.names = new Names();
    this.names.learn(view);
    this.role = role;
    this.version = -1;
    this.written = -1;
    this.busy = false;
    this.correcting = false;
    /** Whether this user has dealt here, as far as this page has seen. */
    this.dealt = false;
    this.guard = new Guard();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.opening = undefined;
    this.shoeSide = 'red';
    this.model = empty();
    /**
     * The last round until the dealer confirms that its chips are paid and taken; new bets do not clear it.
     * @type {import('../shared/model.js').Model | null}
     */
    this.unpaid = null;
    const waiting = this.rehearsed ? null : kept(number, view.round);
    if (waiting) {
      this.names.take(waiting.names);
      this.unpaid = waiting.model;
    }
    this.board = felt({ ...card, inscriptions: layout.inscriptions, dealerSide: true });
    this.next = h('div', { class: 'console-next' });
    this.say = h('ul', { class: 'announcements', 'aria-live': 'polite' }, h('li', { class: 'dim' }, t('log.empty')));
    this.log = h('ol', { class: 'log' });
    this.shoe = h('span', { class: 'dim' });
    this.paying = h('div', { class: 'paying' });
    this.entry = new CardEntry((card) => this.enter(card));
    this.last = h('div', { class: 'last-card', hidden: true });
    this.call = h('p', { class: 'called', role: 'status', hidden: true });
    this.lost = h('div', { class: 'lost', role: 'alert', hidden: true }, t('console.offline'));
    const dealing = (role === 'dealer' || this.rehearsed) && card.dealing === 'dealer';
    /** Elements that only the dealer of this table needs. */
    this.forTheDealer = dealing ? [this.seldom(), irregularities(card, (report) => this.act(report))] : [];
    const [seldom = null, irregular = null] = this.forTheDealer;
    this.element = frame(
      [
        h('h1', null, tableName(card.name)),
        h(
          'span',
          { class: `tag ${this.rehearsed ? 'free' : 'live'}` },
          this.rehearsed ? t('rehearsal.title') : term('role', role),
        ),
        h('span', { class: 'dim' }, `${money(card.minimum)} – ${money(card.maximum)}`),
        this.shoe,
      ],
      this.board,
      [this.lost, this.call, this.next, this.entry.element, this.last, seldom],
      h(
        'aside',
        { class: 'stack-y' },
        this.paying,
        h(
          'section',
          { class: 'panel' },
          h('div', { class: 'panel-head' }, h('h2', null, t('console.announce'))),
          h('div', { class: 'pad' }, this.say),
        ),
        h(
          'section',
          { class: 'panel' },
          h('div', { class: 'panel-head' }, h('h2', null, t('log.title'))),
          h(
            'div',
            { class: 'tab-panel' },
            h('div', { class: 'log-box short', tabindex: '0', role: 'region', 'aria-label': t('log.title') }, this.log),
          ),
        ),
        irregular,
      ),
    );
    this.element.classList.add('desk-page');
    this.panels = /** @type {HTMLElement} */ (this.element.lastElementChild);
    this.onPhone = () => this.placeList();
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
  }

  start() {
    /** @type {Rehearsed} */
    this.live = this.connect({
      view: (view) => this.heard(view),
      state: (connected) => {
        this.lost.hidden = connected;
      },
    });
    document.addEventListener('keydown', this.onKey);
    for (const phone of [NARROW, LOW]) phone.addEventListener('change', this.onPhone);
    this.placeList();
    this.draw();
  }

  /** On a phone the list of what to pay and take is in place of the boxes, or in the bar beside the felt. */
  placeList() {
    if (LOW.matches) this.next.before(this.paying);
    else if (NARROW.matches) this.board.element.after(this.paying);
    else this.panels.prepend(this.paying);
  }

  stop() {
    this.live?.close();
    document.removeEventListener('keydown', this.onKey);
    for (const phone of [NARROW, LOW]) phone.removeEventListener('change', this.onPhone);
  }

  /** @param {View} view */
  heard(view) {
    if (view.version <= this.version) return;
    const first = this.version < 0;
    this.version = view.version;
    if (JSON.stringify(view.awaiting) !== JSON.stringify(this.view.awaiting)) this.guard.offered();
    if (!view.last_card) this.correcting = false;
    const corrected = view.events.some((event) => event.event === 'card-corrected');
    if (corrected) this.settle(null);
    this.view = view;
    this.names.learn(view);
    /** @type {[string, string][]} */
    const announcements = [];
    for (const event of view.events) {
      if (!first && !corrected) this.take(event);
      const text = this.told(event);
      if (event.event === 'announced') announcements.push([text, event.clause]);
      else if (!first && spoken(event)) say(text);
      // A void replaces the announcements about the cards.
      if (event.event === 'voided') fill(this.say, h('li', null, text, ' ', clauseLink(event.clause)));
      if (event.event === 'wagered') fill(this.say, h('li', { class: 'dim' }, t('log.empty')));
    }
    if (view.version !== this.written) this.write(view.events);
    if (announcements.length)
      fill(
        this.say,
        announcements.map(([text, clause]) => h('li', null, h('b', null, `“${text}”`), ' ', clauseLink(clause))),
      );
    if (corrected || !(this.model.ended && !view.boxes.length)) this.model = fromView(view, this.model);
    this.draw();
  }

  /** @param {import('../../../browser/types').Event} event */
  take(event) {
    apply(this.model, event);
    const over = event.event === 'picked-up' || event.event === 'voided';
    if (over && this.model.results.length) this.settle({ ...this.model });
  }

  /**
   * Notes the round whose chips are to be paid and taken, or `null` once they are. It survives a reload.
   * @param {import('../shared/model.js').Model | null} unpaid
   */
  settle(unpaid) {
    this.unpaid = unpaid;
    if (this.rehearsed) return;
    const names = Object.fromEntries(this.names.known);
    keep(this.number, unpaid && { round: this.view.round, model: unpaid, names });
  }

  /** @param {import('../../../browser/types').Event} event */
  told(event) {
    return tell(event, (person) => this.names.of(person), cardWords);
  }

  /** Writes events into the log, newest on top. @param {import('../../../browser/types').Event[]} events */
  write(events) {
    for (const event of events)
      this.log.prepend(
        h('li', { class: `log-${event.event}` }, h('span', null, this.told(event)), clauseLink(event.clause)),
      );
    while (this.log.children.length > 100) this.log.lastElementChild?.remove();
  }

  /** @param {Command} action */
  async act(action) {
    if (this.busy) return;
    this.busy = true;
    try {
      await this.live?.act(action);
    } catch (error) {
      complain(error);
    } finally {
      this.busy = false;
      this.draw();
    }
  }

  /**
   * Builds a button that sends a command, or the command that a function makes from a form.
   * @param {string} label @param {Command | (() => Command | Promise<Command | null>)} action @param {string} [kind] @param {string} [name] @returns {HTMLElement}
   */
  button = (label, action, kind = '', name = '') =>
    h(
      'button',
      {
        class: `act guarded ${kind}`,
        type: 'button',
        'data-act': name || (typeof action === 'function' ? '' : action.do),
        onclick: async (/** @type {MouseEvent} */ event) => {
          if (!this.guard.takes(event)) return;
          const asked = await (typeof action === 'function' ? action() : action);
          if (asked) this.act(asked);
        },
      },
      label,
    );

  /** Confirms that the chips are paid and taken, and clears the layout for the next round. */
  close() {
    this.settle(null);
    this.model = fromView(this.view, empty());
    this.draw();
  }

  /** Enables the buttons once the current question has been visible for long enough. */
  lift() {
    const wait = this.guard.wait();
    for (const act of this.element.querySelectorAll('.guarded'))
      if (wait) act.setAttribute('aria-disabled', 'true');
      else act.removeAttribute('aria-disabled');
    clearTimeout(this.opening);
    if (wait) this.opening = setTimeout(() => this.lift(), wait);
  }

  draw() {
    const awaiting = this.view.awaiting ?? {};
    const by = this.view.dealt_by;
    const at = this.correcting && this.view.last_card?.to;
    this.board.draw(this.model, {
      ...(at ? typeof at === 'object' && at : spotOf(awaiting)),
      ...besides(this.view),
      numbered: true,
      name: (person) => (person === null ? '' : this.names.of(person)),
    });
    const chips = this.unpaid ?? this.model;
    inside(this.paying, [chips.round, chips.results, chips.ended], () =>
      payTake(
        chips,
        (one) => this.names.of(one),
        () => this.close(),
      ),
    );
    const mayDeal = (this.role === 'dealer' || this.rehearsed) && this.card.dealing === 'dealer';
    this.dealt ||= by?.person === me()?.person && Boolean(by);
    const dealt = this.view.boxes.some((box) => box.hands.some((hand) => hand.cards.length || hand.face_down));
    const between = awaiting.what === 'wagers' || (awaiting.what === 'procedure' && !dealt);
    const other = mayDeal ? this.otherDealer() : null;
    const dealer = mayDeal && !other;
    const supervisor = this.role === 'supervisor' || this.rehearsed;
    const floor = this.role === 'floor' || supervisor;
    const button = this.button;
    const { acts, text: told, wantsCard } = asked(this, { dealer, floor, supervisor });
    let text = told;
    const call = this.view.call;
    if (other) text = this.watches(other, between, acts);
    // The chips of the finished round come first: Enter confirms them, and nothing else looks like the next step.
    const pays = dealer && Boolean(this.unpaid) && ['wagers', 'procedure'].includes(awaiting.what ?? '');
    if (pays) {
      text = t('paytake.first');
      for (const act of acts) act.classList.remove('primary');
    }
    this.element.classList.toggle('unpaid', pays);
    if (dealer && !this.rehearsed && !call)
      acts.push(
        button(
          t('floor.call.open'),
          async () => {
            const reason = await askReason(t('floor.call.title'), t('action.why'), CALLS, t('floor.call.submit'));
            return reason === null ? null : { do: 'call-floor', reason };
          },
          'minor',
          'call-floor',
        ),
      );
    if (floor)
      acts.push(
        button(t('floor.reshuffle'), { do: 'reshuffle' }, 'minor'),
        supervisor && this.card.dealing === 'dealer'
          ? button(t('floor.recut'), { do: 'recut' }, 'minor')
          : h('span', null),
        this.view.boxes.length && awaiting.what !== 'wagers'
          ? button(
              t('floor.void.open'),
              async () => {
                const reason = await askReason(
                  t('floor.void.title'),
                  t('floor.void.terms', { name: me()?.name ?? '' }),
                  VOIDS,
                  t('floor.void.title'),
                );
                return reason === null ? null : { do: 'void', reason };
              },
              'danger',
              'void',
            )
          : h('span', null),
      );
    const last = this.view.last_card;
    const truth = dealer && this.correcting && last ? t('console.correct.ask', placeOf(last.to)) : null;
    fill(
      this.next,
      h('p', { class: 'status', 'aria-live': 'polite' }, truth ?? text),
      h('div', { class: 'actions' }, truth ? [] : acts),
    );
    for (const part of this.forTheDealer) part.hidden = Boolean(other);
    const { shoe } = this.view;
    this.board.drawShoe(shoe, this.card.decks);
    fill(
      this.shoe,
      t('console.counts', {
        left: shoe.left,
        discards: shoe.discards,
        cut: shoe.cutting_card_out ? 'out' : 'in',
      }),
    );
    Object.assign(this.element.dataset, { awaiting: awaiting.what ?? '', version: String(this.version) });
    fill(
      this.call,
      call
        ? [
            call.coming
              ? t('floor.call.on_the_way_note', { name: call.coming })
              : t('floor.call.waiting', { time: clock(new Date(call.at)) }),
            dealer || floor ? [' ', button(t('floor.call.here'), { do: 'end-call' }, 'minor')] : null,
          ].flat()
        : null,
    );
    this.call.hidden = !call;
    this.drawLast(dealer);
    // An exposed card is the next one dealt: prefill it for recording.
    const lies = awaiting.to !== 'hole' && !truth ? this.view.exposed : '';
    this.entry.ask(truth ?? (wantsCard ? text : null), lies);
    this.lift();
  }

  /** Returns the dealer of this table if it is somebody else. The server then accepts only a relief from this user. */
  otherDealer() {
    const by = this.view.dealt_by;
    return by && !this.rehearsed && by.person !== me()?.person ? by : null;
  }

  /**
   * Says who deals here instead, and offers the next step: relieve that dealer or go to the tables.
   * @param {Schemas['DealtBy']} other @param {boolean} between @param {HTMLElement[]} acts
   */
  watches(other, between, acts) {
    const { name } = other;
    const away = h('a', { class: 'act primary', href: '/floor', 'data-act': 'to-the-tables' }, t('nav.to_tables'));
    // By 2.6(c) a relieving dealer burns a card, so the relief comes before the next bets are closed.
    const next = between && !this.dealt;
    if (!next) acts.push(away);
    if (between) acts.push(this.button(t('console.take_over'), { do: 'relieve' }, next ? 'primary' : 'minor'));
    else acts.push(this.button(t('console.relieve', { name }), { do: 'take-over' }, 'minor', 'deal-on'));
    const told = this.dealt
      ? t('console.dealer.relieved', { name })
      : other.here
        ? t('console.dealer.now', { name, time: clock(new Date(other.since)) })
        : t('console.dealer.before', { name });
    return between ? told : `${told} ${t('console.dealer.between')}`;
  }

  /** Shows the last card, which can be corrected until the next event. @param {boolean} dealer */
  drawLast(dealer) {
    const last = this.view.last_card;
    this.last.hidden = !dealer || !last;
    if (!dealer || !last) return;
    const toggle = () => {
      this.correcting = !this.correcting;
      this.draw();
    };
    fill(
      this.last,
      h(
        'span',
        null,
        t('console.last_card.label', {
          card: last.card ? cardWords(last.card) : t('card.down'),
          ...placeOf(last.to),
        }),
        ' ',
      ),
      h(
        'button',
        {
          class: 'act minor',
          type: 'button',
          'data-act': 'correct',
          'aria-pressed': String(this.correcting),
          onclick: toggle,
        },
        this.correcting ? t('console.last_card.ok') : t('console.last_card.wrong'),
        h('kbd', { 'aria-hidden': 'true' }, '⌫'),
      ),
    );
  }

  /**
   * Builds a rehearsal button for something that no real dealer does.
   * @param {string} label @param {string} name @param {() => unknown} run
   */
  aside(label, name, run) {
    const onclick = (/** @type {MouseEvent} */ event) => (this.guard.takes(event) ? run() : undefined);
    return h('button', { class: 'act guarded', type: 'button', 'data-act': name, onclick }, label);
  }

  /** Builds the button that makes the simulated players bet. */
  players() {
    const wager = async () => this.live?.wager?.().catch(complain);
    const asked = this.aside(t('rehearsal.bet'), 'players-bet', wager);
    asked.classList.add('primary');
    return asked;
  }

  /** Builds the button that draws a random card, for users without a deck at hand. */
  draws() {
    return this.aside(t('rehearsal.draw'), 'draw', () => {
      const deck = this.card.deck.split(' ');
      const [chance] = crypto.getRandomValues(new Uint32Array(1));
      return this.enter(deck[chance % deck.length]);
    });
  }

  /** Records a card from the shoe, or a correction of the last one. @param {string} card */
  enter(card) {
    if (this.correcting) {
      this.correcting = false;
      return this.act({ do: 'correct', card });
    }
    const determinant = this.view.awaiting.to === 'determinant';
    return this.act(determinant ? { do: 'determinant', card, side: this.shoeSide } : { do: 'card', card });
  }

  /** Builds the menu of rare actions. */
  seldom() {
    const { button } = this;
    const card = /** @type {HTMLInputElement} */ (
      h('input', { placeholder: '7d', maxlength: 2, size: 4, 'aria-label': t('console.burn.title') })
    );
    return h(
      'details',
      { class: 'small seldom' },
      h('summary', null, t('console.more')),
      h(
        'div',
        { class: 'actions' },
        // At a real table, the arriving dealer is asked instead.
        this.rehearsed ? button(t('console.take_over'), { do: 'relieve' }) : null,
        button(t('console.dead_game'), { do: 'idle' }),
        h('label', { class: 'amount' }, h('span', null, t('console.burn.label')), card),
        button(t('action.show'), () => ({ do: 'disclose-burn', card: typedCard(card.value) }), '', 'disclose-burn'),
      ),
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!forThePage(event) || event.repeat) return;
    const button = event.target instanceof HTMLElement && event.target.closest('button, a, summary');
    if (event.key === 'Enter' && button && !(this.entry.suit && button.closest('.card-entry'))) return;
    if (this.entry.key(event)) return;
    const fold = event.key === 'i' ? this.element.querySelector('.irregular') : null;
    if (fold) fold.toggleAttribute('open');
    if (event.key === 'Backspace' && !this.last.hidden) {
      event.preventDefault();
      this.correcting = !this.correcting;
      this.draw();
      return;
    }
    if (event.key !== 'Enter' || !this.guard.takes(event)) return;
    const main = /** @type {HTMLElement | null} */ (
      (this.unpaid && this.paying.querySelector('[data-act="close-round"]')) || this.next.querySelector('.primary')
    );
    if (main) {
      event.preventDefault();
      main.click();
    }
  }
}
