// The dealer's and the floor's console: the next step of the procedure, cards by key or click and their correction,
// announcements to make, irregularities by name with the remedy that follows, approvals, calls for the floor.

import { askReason } from './alerts.js';
import { CardEntry } from './cardentry.js';
import { felt, frame } from './felt.js';
import { Guard } from './guard.js';
import { irregularities, typedCard } from './irregular.js';
import { apply, empty, fromView } from './model.js';
import { Names } from './names.js';
import { Live, get, me } from './net.js';
import { spoken, tell } from './tell.js';
import { cardWords, clauseLink, complain, fill, forThePage, h, money, say, tableName, title } from './ui.js';

const STEPS = /** @type {Record<string, string>} */ ({
  inspect: 'Inspect the cards, front and back',
  'remove-tens': 'Take out the tens',
  spread: 'Spread the cards face up for the players',
  wash: 'Wash: mix the cards face down',
  stack: 'Stack the cards',
  'empty-shoe': 'Empty the shoe',
  shuffle: 'Shuffle',
  plug: 'Plug the unused cards into the stack',
  riffle: 'Riffle',
  turn: 'Turn the stack',
  strip: 'Strip',
  'swap-batches': 'Swap the batches',
  load: 'Put the stack into the shoe',
  burn: 'Burn the first card',
  'insert-three-stacks': 'Insert the three stacks',
  cut: 'Cut the cards',
  'place-cutting-card': 'Place the cutting card',
  'verify-tens': 'Verify that the tens are out',
  'turn-up': 'Turn the cards face up',
  'turn-down': 'Turn the cards face down',
  'cover-bottom': 'Cover the bottom card',
  'take-in-hand': 'Take the cards in hand',
  'return-to-shuffler': 'Return the cards to the shuffler',
  'reshuffle-discards': 'Reshuffle the discards',
});
/** Why a dealer calls the floor, and why a round is void; other words may be written. */
const CALLS = ['A player disputes a card', 'An irregularity', 'A payment to verify', 'Chips for the rack', 'A player'];
const VOIDS = ['A card was recorded wrongly', 'Irregularity in the deal', 'The equipment failed', 'The cards fell'];

/** Where a card goes, in words. @param {any} to */
const placeWords = (to) =>
  to === 'dealer'
    ? 'the dealer'
    : to === 'hole'
      ? 'the dealer’s hole card'
      : to === 'determinant'
        ? 'the determinant'
        : to
          ? `box ${to.box}${to.hand > 1 ? `, hand ${to.hand}` : ''}`
          : 'the table';

/** @param {HTMLElement} main @param {string[]} params */
export async function show(main, [number]) {
  const role = me()?.role;
  if (!role || role === 'player') throw Object.assign(new Error('sign in first'), { status: 401 });
  const [{ card, view }, layout] = await Promise.all([
    get(`/api/tables/${number}`),
    get(`/api/tables/${number}/rules`),
  ]);
  const desk = new Console(Number(number), card, layout, view, role);
  document.title = `Console: ${tableName(card.name)} · Cutcard`;
  main.className = 'wide';
  fill(main, desk.element);
  desk.start();
  return () => desk.stop();
}

class Console {
  /** @param {number} number @param {any} card @param {any} layout @param {any} view @param {string} role */
  constructor(number, card, layout, view, role) {
    this.number = number;
    this.card = card;
    this.view = view;
    this.names = new Names();
    this.names.learn(view);
    this.role = role;
    this.version = -1;
    this.busy = false;
    this.correcting = false;
    this.guard = new Guard();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.opening = undefined;
    this.shoeSide = 'red';
    this.model = empty();
    this.board = felt({ positions: card.positions, inscriptions: layout.inscriptions, game: card.game });
    this.next = h('div', { class: 'console-next' });
    this.say = h('ul', { class: 'announcements', 'aria-live': 'polite' }, h('li', { class: 'dim' }, 'Nothing yet.'));
    this.log = h('ol', { class: 'log' });
    this.shoe = h('span', { class: 'dim' });
    this.entry = new CardEntry((card) => this.enter(card));
    this.last = h('div', { class: 'last-card', hidden: true });
    this.call = h('p', { class: 'called', role: 'status', hidden: true });
    this.lost = h(
      'div',
      { class: 'lost', role: 'alert', hidden: true },
      'Connection lost. Deal nothing until it is back.',
    );
    const dealing = role === 'dealer' && card.dealing === 'dealer';
    this.element = frame(
      [
        h('h1', null, tableName(card.name)),
        h('span', { class: 'tag live' }, title(role)),
        h('span', { class: 'dim' }, `${money(card.minimum)} – ${money(card.maximum)}`),
        this.shoe,
      ],
      this.board,
      [this.lost, this.call, this.next, this.entry.element, this.last, dealing ? this.seldom() : null],
      h(
        'aside',
        { class: 'stack-y' },
        h(
          'section',
          { class: 'panel' },
          h('div', { class: 'panel-head' }, h('h2', null, 'Announce')),
          h('div', { class: 'pad' }, this.say),
        ),
        dealing ? irregularities(card, (report) => this.act(report)) : null,
        h(
          'section',
          { class: 'panel' },
          h('div', { class: 'panel-head' }, h('h2', null, 'Events')),
          h(
            'div',
            { class: 'tab-panel' },
            h('div', { class: 'log-box short', tabindex: '0', role: 'region', 'aria-label': 'Events' }, this.log),
          ),
        ),
      ),
    );
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
  }

  start() {
    this.live = new Live(this.number, {
      view: (view) => this.heard(view),
      state: (connected) => {
        this.lost.hidden = connected;
      },
    });
    document.addEventListener('keydown', this.onKey);
    this.draw();
  }

  stop() {
    this.live?.close();
    document.removeEventListener('keydown', this.onKey);
  }

  /** @param {any} view */
  heard(view) {
    if (view.version <= this.version) return;
    const first = this.version < 0;
    this.version = view.version;
    if (JSON.stringify(view.awaiting) !== JSON.stringify(this.view.awaiting)) this.guard.offered();
    if (!view.last_card) this.correcting = false;
    const corrected = view.events.some((/** @type {any} */ event) => event.event === 'card-corrected');
    this.view = view;
    this.names.learn(view);
    /** @type {any[]} */
    const announcements = [];
    for (const event of view.events) {
      if (!first && !corrected) apply(this.model, event);
      const text = tell(event, (person) => this.names.of(person), cardWords);
      if (event.event === 'announced') announcements.push([text, event.clause]);
      else if (spoken(event)) say(text);
      this.log.prepend(h('li', { class: `log-${event.event}` }, h('span', null, text), clauseLink(event.clause)));
    }
    while (this.log.children.length > 100) this.log.lastElementChild?.remove();
    if (announcements.length)
      fill(
        this.say,
        announcements.map(([text, clause]) => h('li', null, h('b', null, `“${text}”`), ' ', clauseLink(clause))),
      );
    if (corrected || !(this.model.ended && !view.boxes.length)) this.model = fromView(view, this.model);
    this.draw();
  }

  /** @param {Record<string, any>} action */
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
   * A button that sends a request, or what a function makes of the form beside it.
   * @param {string} label @param {any} action @param {string} [kind] @param {string} [name] @returns {HTMLElement}
   */
  button = (label, action, kind = '', name = '') =>
    h(
      'button',
      {
        class: `act guarded ${kind}`,
        type: 'button',
        'data-act': name || action.do,
        onclick: async (/** @type {MouseEvent} */ event) => {
          if (!this.guard.takes(event)) return;
          const asked = await (typeof action === 'function' ? action() : action);
          if (asked) this.act(asked);
        },
      },
      label,
    );

  /** Shows whether what is asked has been in sight for long enough to take an answer. */
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
    this.board.draw(this.model, {
      box: awaiting.box ?? awaiting.to?.box,
      hand: awaiting.hand ?? awaiting.to?.hand,
      name: (person) => (person === null ? '' : this.names.of(person)),
    });
    const dealer = this.role === 'dealer' && this.card.dealing === 'dealer';
    const supervisor = this.role === 'supervisor';
    const floor = this.role === 'floor' || supervisor;
    const button = this.button;
    /** @type {HTMLElement[]} */
    const acts = [];
    let text = 'Nothing to do';
    let wantsCard = false;
    switch (awaiting.what) {
      case 'procedure': {
        const step = awaiting.step;
        text = STEPS[step] ?? title(step);
        if (dealer) {
          const count = step === 'cut' || step === 'place-cutting-card';
          const most = this.view.shoe.left;
          const input = /** @type {HTMLInputElement} */ (
            h('input', {
              type: 'number',
              min: 0,
              max: most,
              value: step === 'cut' ? Math.floor(most / 2) : Math.ceil(most / 4),
              'aria-label': step === 'cut' ? 'Cards before the cut' : 'Cards behind the cutting card',
            })
          );
          if (count)
            acts.push(
              h(
                'label',
                { class: 'amount' },
                h('span', null, step === 'cut' ? 'Cards before the cut' : 'Cards behind it'),
                input,
              ),
            );
          acts.push(
            button(
              'Done',
              () => ({ do: 'perform', step, ...(count ? { number: Number(input.value) } : {}) }),
              'primary',
              'perform',
            ),
          );
        }
        break;
      }
      case 'wagers':
        text = this.view.boxes.length
          ? `Wagers on ${this.view.boxes.length} box${this.view.boxes.length === 1 ? '' : 'es'}. Close when all have bet.`
          : 'Wait for wagers';
        if (dealer && this.view.boxes.length) acts.push(button('No more bets', { do: 'close-wagers' }, 'primary'));
        break;
      case 'card': {
        const to = awaiting.to;
        text =
          to === 'dealer'
            ? 'A card to the dealer, face up'
            : to === 'hole'
              ? 'The dealer’s hole card, face down'
              : to === 'determinant'
                ? 'The card that decides which side is dealt'
                : `A card to ${placeWords(to)}`;
        if (dealer && to === 'hole') acts.push(button('Dealt face down', { do: 'face-down' }, 'primary'));
        if (this.view.exposed && to !== 'hole')
          text = `The ${cardWords(this.view.exposed)} lies exposed and is the next card: ${text.charAt(0).toLowerCase()}${text.slice(1)}. Record it there; who refuses it gets no more cards`;
        wantsCard = dealer;
        if (dealer && to === 'determinant') acts.push(this.sides());
        break;
      }
      case 'reader':
        text = 'Read the hole card with the reader';
        if (dealer)
          acts.push(
            button('No blackjack', { do: 'reader', blackjack: false }, 'primary', 'reader-no'),
            button('Blackjack', { do: 'reader', blackjack: true }, '', 'reader-yes'),
          );
        break;
      case 'offer':
        text = `Offer ${title(awaiting.offer)} and wait for ${awaiting.asked.length} answer${awaiting.asked.length === 1 ? '' : 's'}`;
        break;
      case 'decision':
        text = `Box ${awaiting.box}, hand ${awaiting.hand} decides: ${awaiting.actions.map((/** @type {any} */ a) => a.action).join(', ')}`;
        break;
      case 'revocation':
        text = `Box ${awaiting.box}: keep the switch or take it back?`;
        break;
      case 'switch':
        text = `Box ${awaiting.box}: switch?`;
        break;
      case 'cut':
        text = `Offer the cut to box ${awaiting.box}`;
        break;
      case 'co-bettors':
        text = `Co-bettors answer the ${awaiting.on}`;
        break;
      case 'award': {
        text = `Box ${awaiting.box}: press the bonus button and enter what it shows`;
        const input = /** @type {HTMLInputElement} */ (h('input', { inputmode: 'decimal', 'aria-label': 'Award' }));
        if (dealer)
          acts.push(
            h('label', { class: 'amount' }, h('span', null, 'Award'), input),
            button(
              'Enter',
              () => ({ do: 'award', box: awaiting.box, bettor: awaiting.bettor, amount: input.value }),
              'primary',
              'award',
            ),
          );
        break;
      }
      case 'approval':
        text = `${title(awaiting.of)} on box ${awaiting.box} needs the ${awaiting.by}`;
        if (supervisor || (floor && awaiting.by === 'floorperson'))
          acts.push(
            button(
              'Approve',
              { do: 'approve', what: awaiting.of, box: awaiting.box, bettor: awaiting.bettor },
              'primary',
            ),
          );
        break;
      default:
        break;
    }
    const call = this.view.call;
    if (dealer)
      acts.push(
        button(
          'Call the floor…',
          async () => {
            const reason = await askReason('Call the floor', 'Why?', CALLS, 'Call');
            return reason === null ? null : { do: 'call-floor', reason };
          },
          'minor',
          'call-floor',
        ),
      );
    if (floor)
      acts.push(
        button('Order a reshuffle', { do: 'reshuffle' }, 'minor'),
        supervisor && this.card.dealing === 'dealer'
          ? button('Order a new cut', { do: 'recut' }, 'minor')
          : h('span', null),
        this.view.boxes.length && awaiting.what !== 'wagers'
          ? button(
              'Void the round…',
              async () => {
                const reason = await askReason(
                  'Void the round',
                  `Every wager goes back. The reason is recorded and shown with your name, ${me()?.name}.`,
                  VOIDS,
                  'Void the round',
                );
                return reason === null ? null : { do: 'void', reason };
              },
              'danger',
              'void',
            )
          : h('span', null),
      );
    fill(this.next, h('p', { class: 'status', 'aria-live': 'polite' }, text), h('div', { class: 'actions' }, acts));
    const { shoe } = this.view;
    fill(
      this.shoe,
      `${shoe.left} cards in the shoe, ${shoe.discards} in the rack${shoe.cutting_card_out ? ' · the cutting card is out' : ''}`,
    );
    this.element.dataset.awaiting = awaiting.what ?? '';
    this.element.dataset.version = String(this.version);
    fill(
      this.call,
      call
        ? [
            call.coming ? `${call.coming} comes.` : 'The floor has been called. Nobody has answered yet.',
            dealer || floor ? [' ', button('The floor is here', { do: 'end-call' }, 'minor')] : null,
          ].flat()
        : null,
    );
    this.call.hidden = !call;
    this.drawLast(dealer);
    const last = this.view.last_card;
    this.entry.ask(
      this.correcting && last ? `What was the card to ${placeWords(last.to)} in truth?` : wantsCard ? text : null,
    );
    this.lift();
  }

  /** The last card, which can be put right until the next thing happens. @param {boolean} dealer */
  drawLast(dealer) {
    const last = this.view.last_card;
    this.last.hidden = !dealer || !last;
    if (this.last.hidden) return;
    const toggle = () => {
      this.correcting = !this.correcting;
      this.draw();
    };
    fill(
      this.last,
      h('span', null, `Last card: ${last.card ? cardWords(last.card) : 'face down'} to ${placeWords(last.to)}. `),
      h(
        'button',
        {
          class: 'act minor',
          type: 'button',
          'data-act': 'correct',
          'aria-pressed': String(this.correcting),
          onclick: toggle,
        },
        this.correcting ? 'It is right' : 'It was another card',
        h('kbd', { 'aria-hidden': 'true' }, '⌫'),
      ),
    );
  }

  /** Which side of a double shoe the determinant card was drawn from: the dealer's choice, by 2.6(d)1. */
  sides() {
    const side = (/** @type {string} */ value) =>
      h(
        'label',
        null,
        h('input', {
          type: 'radio',
          name: 'side',
          value,
          checked: this.shoeSide === value,
          onchange: () => {
            this.shoeSide = value;
          },
        }),
        `${title(value)} side`,
      );
    return h('fieldset', { class: 'choices' }, h('legend', null, 'Drawn from'), side('red'), side('black'));
  }

  /** A card has come out of the shoe. @param {string} card */
  enter(card) {
    if (this.correcting) {
      this.correcting = false;
      return this.act({ do: 'correct', card });
    }
    const determinant = this.view.awaiting.to === 'determinant';
    return this.act(determinant ? { do: 'determinant', card, side: this.shoeSide } : { do: 'card', card });
  }

  /** What is seldom done. */
  seldom() {
    const { button } = this;
    const card = /** @type {HTMLInputElement} */ (
      h('input', { placeholder: '7d', maxlength: 2, size: 4, 'aria-label': 'The burned card' })
    );
    return h(
      'details',
      { class: 'small' },
      h('summary', null, 'Seldom'),
      h(
        'div',
        { class: 'actions' },
        button('Take over as dealer', { do: 'relieve' }),
        button('Nobody plays: spread the cards', { do: 'idle' }),
        h('label', { class: 'amount' }, h('span', null, 'Burned card'), card),
        button('Show it', () => ({ do: 'disclose-burn', card: typedCard(card.value) }), '', 'disclose-burn'),
      ),
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!forThePage(event) || event.repeat) return;
    const button = event.target instanceof HTMLElement && event.target.closest('button, a, summary');
    if (event.key === 'Enter' && button && !(this.entry.suit && button.closest('.card-entry'))) return;
    if (this.entry.key(event)) return;
    if (event.key === 'Backspace' && !this.last.hidden) {
      event.preventDefault();
      this.correcting = !this.correcting;
      this.draw();
      return;
    }
    if (event.key !== 'Enter' || !this.guard.takes(event)) return;
    const main = /** @type {HTMLElement | null} */ (this.next.querySelector('.primary'));
    if (main) {
      event.preventDefault();
      main.click();
    }
  }
}
