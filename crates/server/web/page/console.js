// The dealer's and the floor's console: the next step of the procedure, cards by key or click, announcements to make,
// irregularities by name with the remedy that follows, approvals.

import { felt, frame } from './felt.js';
import { irregularities, typedCard } from './irregular.js';
import { apply, empty, fromView } from './model.js';
import { Names } from './names.js';
import { Live, get, me } from './net.js';
import { spoken, tell } from './tell.js';
import { cardWords, clauseLink, complain, fill, forThePage, h, money, say, tableName, title } from './ui.js';
import { cardElement } from './cards.js';

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
const RANKS = 'A23456789TJQK';

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
    this.rank = '';
    this.shoeSide = 'red';
    this.model = empty();
    this.board = felt({ positions: card.positions, inscriptions: layout.inscriptions, game: card.game });
    this.next = h('div', { class: 'console-next' });
    this.say = h('ul', { class: 'announcements', 'aria-live': 'polite' }, h('li', { class: 'dim' }, 'Nothing yet.'));
    this.log = h('ol', { class: 'log' });
    this.shoe = h('span', { class: 'dim' });
    this.entry = h('div', { class: 'card-entry' });
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
      [this.lost, this.next, this.entry, dealing ? this.seldom() : null],
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
    this.view = view;
    this.names.learn(view);
    /** @type {any[]} */
    const announcements = [];
    for (const event of view.events) {
      if (!first) apply(this.model, event);
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
    if (!(this.model.ended && !view.boxes.length)) this.model = fromView(view, this.model);
    this.draw();
  }

  /** @param {Record<string, any>} action */
  async act(action) {
    if (this.busy) return;
    this.busy = true;
    try {
      await this.live?.act(action);
      this.rank = '';
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
        class: `act ${kind}`,
        type: 'button',
        'data-act': name || action.do,
        onclick: () => this.act(typeof action === 'function' ? action() : action),
      },
      label,
    );

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
    this.wantsCard = false;
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
                : `A card to box ${to.box}${to.hand > 1 ? `, hand ${to.hand}` : ''}`;
        if (dealer && to === 'hole') acts.push(button('Dealt face down', { do: 'face-down' }, 'primary'));
        this.wantsCard = dealer;
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
    if (dealer) acts.push(button('Call the floor', { do: 'call-floor' }, 'minor'));
    if (floor)
      acts.push(
        button('Order a reshuffle', { do: 'reshuffle' }, 'minor'),
        supervisor && this.card.dealing === 'dealer'
          ? button('Order a new cut', { do: 'recut' }, 'minor')
          : h('span', null),
        this.view.boxes.length ? button('Void the round', { do: 'void' }, 'danger') : h('span', null),
      );
    fill(this.next, h('p', { class: 'status', 'aria-live': 'polite' }, text), h('div', { class: 'actions' }, acts));
    const { shoe } = this.view;
    fill(
      this.shoe,
      `${shoe.left} cards in the shoe, ${shoe.discards} in the rack${shoe.cutting_card_out ? ' · the cutting card is out' : ''}`,
    );
    this.element.dataset.awaiting = awaiting.what ?? '';
    this.element.dataset.version = String(this.version);
    this.drawEntry();
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

  /** Cards by click: a rank, then a suit. */
  drawEntry() {
    this.entry.hidden = !this.wantsCard;
    if (!this.wantsCard) return;
    const suits = ['s', 'h', 'd', 'c'];
    fill(
      this.entry,
      h(
        'p',
        { class: 'small dim' },
        this.rank ? `${title(this.rank)}: now the suit (S H D C)` : 'Type or click the rank, then the suit. T is ten.',
      ),
      h(
        'div',
        { class: 'ranks', role: 'group', 'aria-label': 'Rank' },
        Array.from(RANKS, (rank) =>
          h(
            'button',
            {
              class: `rank-button${rank === this.rank ? ' on' : ''}`,
              type: 'button',
              'data-rank': rank,
              'aria-pressed': rank === this.rank ? 'true' : 'false',
              onclick: () => {
                this.rank = rank;
                this.drawEntry();
              },
            },
            rank === 'T' ? '10' : rank,
          ),
        ),
      ),
      this.rank
        ? h(
            'div',
            { class: 'suits', role: 'group', 'aria-label': 'Suit' },
            suits.map((suit) =>
              h(
                'button',
                {
                  class: 'suit-button',
                  type: 'button',
                  'data-suit': suit,
                  'aria-label': cardWords(this.rank + suit),
                  onclick: () => this.enter(this.rank + suit),
                },
                cardElement(this.rank + suit),
              ),
            ),
          )
        : null,
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!forThePage(event)) return;
    const key = event.key.toUpperCase();
    if (this.wantsCard && !this.rank && RANKS.includes(key) && key.length === 1) {
      this.rank = key;
      this.drawEntry();
      event.preventDefault();
      return;
    }
    if (this.wantsCard && this.rank && 'SHDC'.includes(key) && key.length === 1) {
      event.preventDefault();
      this.enter(this.rank + key.toLowerCase());
      return;
    }
    if (event.key === 'Escape' && this.rank) {
      this.rank = '';
      this.drawEntry();
      return;
    }
    if (event.key === 'Enter' && !(event.target instanceof HTMLElement && event.target.closest('button, a'))) {
      const main = /** @type {HTMLElement | null} */ (this.next.querySelector('.primary'));
      if (main) {
        event.preventDefault();
        main.click();
      }
    }
  }
}
