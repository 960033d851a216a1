// A table of the house, live: what everyone sees, exactly the lawful actions with what each costs, and why things end as they do.

import { Bets } from './bets.js';
import { felt, swap, why } from './felt.js';
import { apply, empty, fromView, spoken, tell } from './model.js';
import { Live, beSomebody, get, me, post } from './net.js';
import {
  cardWords,
  cents,
  clauseLink,
  complain,
  decimal,
  dialog,
  field,
  fill,
  freshId,
  h,
  money,
  moves,
  say,
  signed,
  tableName,
  title,
  toast,
} from './ui.js';

const KEYS = /** @type {Record<string, string>} */ ({
  hit: 'h',
  stand: 's',
  double: 'd',
  split: 'p',
  surrender: 'u',
  switch: 'w',
  revoke: 'v',
});
const WORDS = /** @type {Record<string, string>} */ ({
  attack: 'double attack',
  'second-attack': 'second attack',
  'third-attack': 'third attack',
  insurance: 'insurance',
});
const PAUSES = /** @type {Record<string, number>} */ ({
  dealt: 130,
  'hole-turned': 260,
  settled: 40,
  'next-dealer-hand': 500,
  switched: 320,
  revoked: 320,
  awarded: 500,
});

/** @param {HTMLElement} main @param {string[]} params */
export async function show(main, [number]) {
  await beSomebody();
  const [{ card, view }, layout] = await Promise.all([
    get(`/api/tables/${number}`),
    get(`/api/tables/${number}/rules`),
  ]);
  const page = new TablePage(Number(number), card, layout, view);
  document.title = `${tableName(card.name)} · Cutcard`;
  main.className = 'wide';
  fill(main, page.element);
  page.start();
  return () => page.stop();
}

/** @typedef {{ label: string, run: () => any, key?: string, cost?: string | null, kind?: string, name?: string }} Act */

/**
 * How a table page reaches its table: the live view of the house, or a training table.
 * @typedef {{ act: (action: Record<string, any>) => Promise<any>, close: () => void }} Line
 * @typedef {{ view: (view: any) => void, state: (connected: boolean) => void }} Hears
 */

export class TablePage {
  /** @param {number} number @param {any} card @param {any} layout @param {any} view @param {((hears: Hears) => Line) | null} [connect] */
  constructor(number, card, layout, view, connect = null) {
    this.connect = connect ?? ((/** @type {Hears} */ hears) => new Live(number, hears));
    /** @type {Line | null} */
    this.live = null;
    this.training = Boolean(connect);
    this.number = number;
    this.card = card;
    this.layout = layout;
    this.view = view;
    this.model = empty();
    this.connected = false;
    /** @type {any[]} */
    this.queue = [];
    this.running = false;
    this.version = -1;
    this.lastRound = 0;
    this.arrived = performance.now();
    this.busy = false;
    this.shape = '';
    this.shoeText = '';
    /** @type {{ net: number, results: any[] } | null} */
    this.summary = null;
    /** @type {Set<number>} */
    this.lastBoxes = new Set();
    this.begun = Date.now();
    this.net = 0;
    this.player = me()?.role === 'player';
    this.options = Object.fromEntries(
      Array.from(String(card.rules).matchAll(/^(\w+) = (.*)$/gm), (found) => [found[1], found[2].replaceAll('"', '')]),
    );
    this.bets = new Bets(card, {
      placed: (box) => this.placed(box),
      open: (box) => this.mayBet(box),
      changed: () => {
        this.clearFinished();
        this.draw();
      },
    });
    /** @type {Act[]} */
    this.acts = [];
    this.felt = felt({ positions: card.positions, inscriptions: layout.inscriptions, game: card.game });
    this.status = h('p', { class: 'status', 'aria-live': 'polite' });
    this.timer = h('div', { class: 'timer', 'aria-hidden': 'true' }, h('i', null));
    this.buttons = h('div', { class: 'actions', role: 'group', 'aria-label': 'What you can do' });
    this.log = h('ol', { class: 'log' });
    this.shoe = h('div', { class: 'shoe-facts' });
    this.meter = h('span', { class: 'meter' });
    this.lost = h(
      'div',
      { class: 'lost', role: 'alert', hidden: true },
      'Connection lost. Play waits; the table comes back by itself.',
    );
    this.element = h(
      'div',
      { class: 'table-page' },
      h(
        'div',
        { class: 'table-main' },
        h(
          'div',
          { class: 'table-head' },
          h('h1', null, tableName(card.name)),
          h(
            'span',
            { class: 'dim' },
            `${money(card.minimum)} – ${money(card.maximum)}`,
            h('span', { class: 'decks' }, ` · ${card.decks} deck${card.decks === 1 ? '' : 's'}`),
          ),
          this.meter,
          this.training
            ? h('span', { class: 'tag free' }, 'Training: no chips')
            : h('a', { class: 'quiet', href: `/rules/${number}` }, 'Rules'),
        ),
        this.felt.element,
        h(
          'div',
          { class: 'bar' },
          this.lost,
          h('div', { class: 'status-row' }, this.status, this.timer),
          this.buttons,
          this.player ? this.bets.rack : null,
        ),
      ),
      this.side(),
    );
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
  }

  side() {
    const signs = h(
      'div',
      null,
      h(
        'ul',
        { class: 'signs' },
        this.layout.signs.map((/** @type {any} */ sign) => h('li', null, sign.text, ' ', clauseLink(sign.clause))),
      ),
      this.layout.paytables
        .filter((/** @type {any} */ p) => p.lines.length)
        .map((/** @type {any} */ p) =>
          h(
            'section',
            null,
            h('h3', null, p.title),
            h(
              'table',
              { class: 'grid pay' },
              h(
                'tbody',
                null,
                p.lines.map((/** @type {any} */ line) =>
                  h('tr', null, h('td', null, title(line.hand)), h('td', { class: 'num' }, line.pays)),
                ),
              ),
            ),
          ),
        ),
    );
    this.coach = h('div', { class: 'coach' });
    const tabs = [
      ...(this.training ? [['Coach', this.coach]] : []),
      ['Events', h('div', { class: 'log-box', tabindex: '0', role: 'region', 'aria-label': 'Events' }, this.log)],
      ['Signs', signs],
      ...(this.training ? [] : [['Fairness', this.shoe]]),
    ];
    const panels = tabs.map(([, body], at) =>
      h(
        'div',
        { class: 'tab-panel', role: 'tabpanel', id: `panel-${at}`, 'aria-labelledby': `tab-${at}`, hidden: at > 0 },
        body,
      ),
    );
    const buttons = tabs.map(([name], at) =>
      h(
        'button',
        {
          class: 'tab',
          role: 'tab',
          type: 'button',
          id: `tab-${at}`,
          'aria-controls': `panel-${at}`,
          'aria-selected': at === 0 ? 'true' : 'false',
          onclick: () => {
            panels.forEach((panel, n) => {
              panel.hidden = n !== at;
            });
            buttons.forEach((b, n) => b.setAttribute('aria-selected', n === at ? 'true' : 'false'));
          },
        },
        name,
      ),
    );
    return h(
      'aside',
      { class: 'panel table-side', 'aria-label': 'About this table' },
      h('div', { class: 'tabs', role: 'tablist' }, buttons),
      panels,
      this.training
        ? null
        : h(
            'details',
            { class: 'pad small dim' },
            h('summary', null, 'If you do not answer in time'),
            h('p', null, this.card.absent_rule),
          ),
      h(
        'details',
        { class: 'pad small dim' },
        h('summary', null, 'Keys'),
        h(
          'p',
          null,
          '1–5 put a chip on the chosen area · arrows or Tab move between areas · Backspace takes back · R bets as before · P places and waits for others · D or Enter deals · H hit · S stand · D double · P split · U surrender · W switch · V take the switch back · A attack · I insurance · E even money · N no',
        ),
      ),
    );
  }

  start() {
    this.live = this.connect({
      view: (view) => this.heard(view),
      state: (connected) => {
        this.connected = connected;
        this.lost.hidden = connected;
        this.draw();
      },
    });
    document.addEventListener('keydown', this.onKey);
    this.ticking = setInterval(() => this.tick(), 200);
    this.reality = setInterval(() => this.realityCheck(), 30 * 60_000);
    this.draw();
  }

  stop() {
    this.live?.close();
    document.removeEventListener('keydown', this.onKey);
    clearInterval(this.ticking);
    clearInterval(this.reality);
  }

  realityCheck() {
    const minutes = Math.round((Date.now() - this.begun) / 60_000);
    dialog(
      'A moment',
      h('p', null, `You have been at this table for ${minutes} minutes. Your result here: ${signed(this.net)}.`),
      h('p', null, h('a', { href: '/account' }, 'Your limits'), ' · ', h('a', { href: '/' }, 'Leave the table')),
    );
  }

  // What the house says.

  /** @param {any} view */
  heard(view) {
    const first = this.version < 0;
    const gap = !first && view.version > this.version + 1;
    if (!first && view.version < this.version) return;
    if (!first && view.version === this.version) {
      this.view = view;
      return this.settle();
    }
    this.version = view.version;
    const roundBefore = this.view?.round ?? view.round;
    this.view = view;
    this.arrived = performance.now();
    this.noteShoe();
    if (first || gap || this.queue.length > 60) {
      this.queue = [];
      const known = empty();
      for (const event of view.events) {
        if (event.event === 'settled') known.results.push(event);
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

  /** A version was skipped and the round ended meanwhile: its record tells how. @param {number} round */
  async recall(round) {
    try {
      const told = await get(`/api/tables/${this.number}/rounds/${round}`);
      if (this.view.boxes.length) return;
      this.log.querySelectorAll(`[data-round="${round}"]`).forEach((line) => line.remove());
      this.model = empty();
      for (const step of told.steps) for (const event of step.events) this.take(event, round);
      this.settle();
    } catch {
      /* the record can be read in the history */
    }
  }

  async run() {
    if (this.running) return;
    this.running = true;
    while (this.queue.length) {
      const { event, round } = this.queue.shift();
      this.take(event, round);
      const pause = (PAUSES[event.event] ?? 0) * (this.queue.length > 24 ? 0.5 : 1);
      if (pause && moves() && this.queue.length) {
        this.draw();
        await new Promise((go) => setTimeout(go, pause));
      }
    }
    this.running = false;
    this.settle();
  }

  /** @param {any} event @param {number} round */
  take(event, round) {
    if (event.event === 'switched' || event.event === 'revoked')
      swap(this.felt.element, event.box, () => {
        apply(this.model, event);
        this.draw();
      });
    else apply(this.model, event);
    if (event.event === 'picked-up') {
      this.lastRound = round;
      this.roundOver();
    }
    this.record(event, round);
  }

  /** @param {any} event @param {number} round */
  record(event, round) {
    const text = tell(event, (person) => this.name(person), cardWords);
    if (spoken(event)) say(text);
    if (event.event === 'announced' && event.words !== 'blackjack') return;
    this.log.prepend(
      h(
        'li',
        { class: `log-${event.event}`, 'data-round': round },
        h('span', null, text, event.by === 'platform-for-absent' ? h('em', null, ' (for an absent player)') : null),
        clauseLink(event.clause),
      ),
    );
    while (this.log.children.length > 150) this.log.lastElementChild?.remove();
  }

  /** What I won or lost in the round that has just ended. */
  roundOver() {
    const mine = this.model.results.filter((r) => r.person === me()?.person);
    if (!mine.length) return;
    const net = mine.reduce((all, r) => all + cents(r.net), 0);
    this.net += net;
    this.summary = { net, results: mine };
    say(net > 0 ? `You win ${money(net)}` : net < 0 ? `You lose ${money(-net)}` : 'Nothing won, nothing lost');
  }

  settle() {
    if (this.running || this.queue.length) return;
    const over = this.model.ended && !this.view.boxes.length;
    if (!over) {
      this.model = fromView(this.view, this.model);
      if (this.view.awaiting.what !== 'wagers') this.summary = null;
    }
    this.draw();
  }

  /** Cards of a finished round go when somebody bets again. */
  clearFinished() {
    if (this.model.ended && !this.view.boxes.length) {
      this.model = empty();
      this.summary = null;
    }
  }

  noteShoe() {
    const shoe = this.view.shoe;
    if (!shoe?.commitment) return;
    const key = `shoe/${this.number}/${shoe.number}`;
    try {
      if (!localStorage.getItem(key)) localStorage.setItem(key, shoe.commitment);
    } catch {
      /* nothing is kept */
    }
  }

  // Who I am here.

  /** @param {number | null} person */
  name(person) {
    return person === null
      ? 'Nobody'
      : person === me()?.person
        ? 'You'
        : `Player ${String(person % 1000).padStart(3, '0')}`;
  }

  mine() {
    const boxes = new Set();
    for (const box of this.model.boxes) if (box.bettors.some((b) => b.person === me()?.person)) boxes.add(box.box);
    for (const box of this.bets.made.keys()) boxes.add(box);
    return boxes;
  }

  /** My place on a box of the house's view. @param {number} box */
  place(box) {
    const found = this.view.boxes.find((/** @type {any} */ b) => b.box === box);
    const at = found?.bettors.findIndex((/** @type {any} */ b) => b.person === me()?.person) ?? -1;
    return at < 0 ? null : { at, box: found, bettor: found.bettors[at] };
  }

  /** @param {number} box @returns {import('./bets.js').Bet | null} */
  placed(box) {
    const found = this.model.boxes.find((b) => b.box === box);
    const bettor = found?.bettors.find((b) => b.person === me()?.person) ?? found?.bettors[0];
    return bettor ? { main: bettor.main, side: bettor.side } : null;
  }

  /** @param {number} box */
  mayBet(box) {
    if (!this.player || this.view.awaiting.what !== 'wagers') return false;
    const taken = this.view.boxes.find((/** @type {any} */ b) => b.box === box);
    if (!taken) return true;
    return (
      !taken.bettors.some((/** @type {any} */ b) => b.person === me()?.person) &&
      taken.bettors.length < this.card.bettors_per_box &&
      taken.consent
    );
  }

  free() {
    for (let box = 1; box <= this.card.positions; box += 1) if (this.mayBet(box)) return box;
    return 0;
  }

  // What I can do.

  /** @param {Record<string, any>} action */
  async act(action) {
    if (this.busy) return null;
    this.busy = true;
    this.flush();
    try {
      return await this.live?.act(action);
    } catch (error) {
      complain(error);
      return null;
    } finally {
      this.busy = false;
      this.draw();
    }
  }

  flush() {
    while (this.queue.length) {
      const { event, round } = this.queue.shift();
      this.take(event, round);
    }
  }

  /** Places what is laid out; then the cards may come, or others may join in until the time is up. @param {boolean} [at_once] */
  async deal(at_once = true) {
    if (this.bets.made.size) {
      const made = new Map(this.bets.made);
      for (const [box, bet] of made) {
        const behind = Boolean(this.view.boxes.find((/** @type {any} */ b) => b.box === box));
        if (!(await this.act({ ...Bets.request(box, bet), ...(behind ? { behind: true } : {}) }))) return;
        this.bets.made.delete(box);
      }
      try {
        sessionStorage.setItem(`bets/${this.number}`, JSON.stringify(Array.from(made)));
      } catch {
        /* nothing is kept */
      }
      this.bets.steps = [];
    }
    if (at_once && this.card.dealing !== 'dealer') await this.act({ do: 'deal' });
  }

  rebet() {
    /** @type {[number, import('./bets.js').Bet][]} */
    let old = [];
    try {
      old = JSON.parse(sessionStorage.getItem(`bets/${this.number}`) ?? '[]');
    } catch {
      /* nothing was kept */
    }
    this.clearFinished();
    for (const [box, bet] of old) {
      const to = this.mayBet(box) ? box : this.free();
      if (to) this.bets.made.set(to, bet);
    }
    this.draw();
    return old.length > 0;
  }

  hasOld() {
    try {
      return Boolean(sessionStorage.getItem(`bets/${this.number}`));
    } catch {
      return false;
    }
  }

  /** Exactly what the house allows me now. @returns {{ status: string, acts: Act[], box?: number, hand?: number, amount?: HTMLElement | null }} */
  offer() {
    const awaiting = this.view.awaiting ?? {};
    const who = (/** @type {number} */ box) => {
      const b = this.view.boxes.find((/** @type {any} */ x) => x.box === box);
      const caller = b?.bettors.find((/** @type {any} */ x) => x.caller) ?? b?.bettors[0];
      return caller ? this.name(caller.person) : `Box ${box}`;
    };
    const asked = (awaiting.asked ?? []).filter((/** @type {any} */ a) => this.place(a.box)?.at === a.bettor);
    switch (awaiting.what) {
      case 'wagers':
        return this.wagerOffer();
      case 'decision': {
        const mine = this.place(awaiting.box)?.bettor.caller;
        const hand = this.view.boxes
          .find((/** @type {any} */ b) => b.box === awaiting.box)
          ?.hands.find((/** @type {any} */ x) => x.hand === awaiting.hand);
        const several = this.view.boxes.find((/** @type {any} */ b) => b.box === awaiting.box)?.hands.length > 1;
        const base = { box: awaiting.box, hand: awaiting.hand };
        if (!mine) return { ...base, status: `${who(awaiting.box)} decides`, acts: [] };
        return {
          ...base,
          status: `Your turn${several ? `, hand ${awaiting.hand}` : ''}: ${hand ? `${hand.soft ? 'soft ' : ''}${hand.total}` : ''}`,
          acts: awaiting.actions
            .flatMap((/** @type {any} */ a) => this.decision(a, awaiting.box))
            .toSorted(
              (/** @type {Act} */ a, /** @type {Act} */ b) => Number(a.kind === 'minor') - Number(b.kind === 'minor'),
            ),
        };
      }
      case 'offer': {
        if (!asked.length)
          return { status: `Others decide about ${WORDS[awaiting.offer] ?? awaiting.offer}`, acts: [] };
        return awaiting.offer === 'insurance'
          ? this.insurance(asked[0].box)
          : this.attack(asked[0].box, awaiting.offer);
      }
      case 'switch': {
        if (!this.place(awaiting.box)?.bettor.caller)
          return { box: awaiting.box, status: `${who(awaiting.box)} may switch`, acts: [] };
        return {
          box: awaiting.box,
          status: 'Switch the second cards?',
          acts: [
            this.simple('Switch', { do: 'switch', box: awaiting.box }, 'w', 'primary', 'switch'),
            this.simple('Keep', { do: 'decline-switch', box: awaiting.box }, 'n', '', 'decline-switch'),
          ],
        };
      }
      case 'revocation': {
        if (!this.place(awaiting.box)?.bettor.caller)
          return { box: awaiting.box, status: `${who(awaiting.box)} may take the switch back`, acts: [] };
        return {
          box: awaiting.box,
          status: 'The cards are switched. Keep it so?',
          acts: [
            this.simple('Keep it', { do: 'decline-switch', box: awaiting.box }, 'n', 'primary', 'decline-switch'),
            this.simple('Take the switch back', { do: 'revoke', box: awaiting.box }, 'v', '', 'revoke'),
          ],
        };
      }
      case 'cut':
        return this.cut(awaiting.box);
      case 'co-bettors': {
        if (!asked.length) return { status: 'A co-bettor decides', acts: [] };
        const box = asked[0].box;
        const hands = this.place(box)?.box.hands ?? [];
        return awaiting.on === 'double'
          ? {
              box,
              status: 'The caller doubles. Double your wager too?',
              acts: [
                this.simple('Double too', { do: 'double', box }, 'd', 'primary', 'double'),
                this.simple('No', { do: 'not-double', box }, 'n', '', 'not-double'),
              ],
            }
          : {
              box,
              status: 'The caller splits. Cover both hands, or follow one?',
              acts: [
                this.simple('Cover both', { do: 'cover', box }, 'c', 'primary', 'cover'),
                ...hands.map((/** @type {any} */ x) =>
                  this.simple(`Follow hand ${x.hand}`, { do: 'follow', box, hand: x.hand }, '', '', `follow-${x.hand}`),
                ),
              ],
            };
      }
      case 'sevens-card':
      case 'late-card': {
        const box = awaiting.box;
        if (!this.place(box)) return { box, status: `${who(box)} decides about a card`, acts: [] };
        return {
          box,
          status:
            awaiting.what === 'sevens-card' ? 'Take a card for the sevens wager?' : 'A card was left over. Take it?',
          acts: [
            this.simple('Take it', { do: awaiting.what, box, take: true }, 'h', 'primary', 'take'),
            this.simple('No', { do: awaiting.what, box, take: false }, 'n', '', 'refuse'),
          ],
        };
      }
      case 'award':
        return { status: `Box ${awaiting.box}: the bonus button`, acts: [] };
      case 'approval':
        return { status: 'A supervisor approves a large payment', acts: [] };
      case 'card':
        return { status: 'The dealer deals', acts: [] };
      case 'reader':
        return { status: 'The dealer reads the hole card', acts: [] };
      case 'procedure':
        return { status: `The cards are prepared: ${title(awaiting.step ?? '')}`, acts: [] };
      default:
        return { status: 'The table is closed', acts: [] };
    }
  }

  /** @param {string} label @param {Record<string, any>} action @param {string} key @param {string} kind @param {string} name @param {string | null} [cost] @returns {Act} */
  simple(label, action, key, kind, name, cost) {
    return { label, key, kind, name, cost, run: () => this.act(action) };
  }

  wagerOffer() {
    const laid = this.bets.sum();
    const placed = this.view.boxes.some((/** @type {any} */ b) => this.place(b.box));
    const others = this.view.boxes.length > 0;
    /** @type {Act[]} */
    const acts = [];
    if (!this.player) return { status: 'Wagers are open', acts };
    if (laid) {
      acts.push({
        label: this.card.dealing === 'dealer' ? 'Place' : 'Deal',
        key: 'd',
        kind: 'primary',
        name: 'deal',
        cost: money(laid),
        run: () => this.deal(),
      });
      if (this.card.dealing !== 'dealer' && !this.training)
        acts.push({ label: 'Place', key: 'p', name: 'place', run: () => this.deal(false) });
      acts.push({ label: 'Undo', key: 'Backspace', name: 'undo', run: () => this.bets.undo() });
    } else if (placed) {
      if (this.card.dealing !== 'dealer')
        acts.push({ label: 'Deal now', key: 'd', kind: 'primary', name: 'deal', run: () => this.deal() });
      const box = this.view.boxes.find((/** @type {any} */ b) => this.place(b.box));
      acts.push(this.simple('Take back', { do: 'withdraw', box: box.box }, 'Backspace', '', 'withdraw'));
      if (this.card.bettors_per_box > 1 && !box.consent)
        acts.push(this.simple('Let others bet here', { do: 'consent', box: box.box }, 'c', '', 'consent'));
    } else {
      if (this.hasOld()) {
        acts.push({
          label: 'Deal again',
          key: 'd',
          kind: 'primary',
          name: 'again',
          run: () => {
            if (this.rebet()) this.deal();
          },
        });
        acts.push({ label: 'Same bet', key: 'r', name: 'rebet', run: () => this.rebet() });
      }
    }
    const status = this.summary
      ? this.summary.net > 0
        ? `You win ${money(this.summary.net)}`
        : this.summary.net < 0
          ? `You lose ${money(-this.summary.net)}`
          : 'Nothing won, nothing lost'
      : placed
        ? 'Wagers are open'
        : others && !laid
          ? 'Wagers are open: join in'
          : laid
            ? 'Ready?'
            : 'Put a chip on a box';
    if (this.summary) {
      acts.push({
        label: 'Why?',
        key: 'y',
        name: 'why',
        run: () => why(this.summary?.results ?? [], `Round ${this.lastRound}`),
      });
    }
    return { status, acts };
  }

  /** @param {any} action @param {number} box @returns {Act[]} */
  decision(action, box) {
    const word = action.action;
    const label = word === 'revoke' ? 'Take the switch back' : title(word);
    const list = [
      this.simple(label, { do: word, box }, KEYS[word] ?? '', '', word, action.cost ? money(action.cost) : null),
    ];
    if (word === 'double') {
      if (this.options.double_card === 'on-request')
        list.push(
          this.simple(
            'Double, face down',
            { do: 'double', box, face_down: true },
            'f',
            '',
            'double-down',
            money(action.cost),
          ),
        );
      if (cents(action.cost) > cents(this.card.chip) && this.card.variation !== 'multiple-action')
        list.push({
          label: 'Double for less…',
          name: 'double-less',
          kind: 'minor',
          run: () => this.less(box, cents(action.cost)),
        });
    }
    return list;
  }

  /** @param {number} box @param {number} most */
  less(box, most) {
    const input = /** @type {HTMLInputElement} */ (
      h('input', {
        type: 'number',
        min: decimal(cents(this.card.chip)),
        max: decimal(most),
        step: decimal(cents(this.card.chip)),
        value: decimal(most),
      })
    );
    const box_ = dialog(
      'Double for less',
      h(
        'form',
        {
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            box_.close();
            this.act({ do: 'double', box, amounts: [decimal(cents(input.value))] });
          },
        },
        field(`Amount, up to ${money(most)}`, input),
        h('button', { class: 'act primary' }, 'Double'),
      ),
    );
  }

  /** @param {number} box @param {string} offer */
  attack(box, offer) {
    const bettor = this.place(box)?.bettor;
    const most = cents(bettor?.main[0]);
    const unit = cents(this.card.chip);
    const name = WORDS[offer] ?? offer;
    const input = /** @type {HTMLInputElement} */ (
      h('input', {
        type: 'number',
        min: decimal(unit),
        max: decimal(most),
        step: decimal(unit),
        value: decimal(most),
        'aria-label': `Amount of the ${name}`,
      })
    );
    const equal = this.options.attack_amount === 'equal';
    return {
      box,
      status: `Your ${name}?`,
      amount: equal ? null : h('label', { class: 'amount' }, h('span', null, 'Amount'), input),
      acts: [
        {
          label: title(name),
          key: 'a',
          kind: 'primary',
          name: 'attack',
          cost: equal ? money(most) : null,
          run: () => this.act({ do: 'attack', box, amount: decimal(cents(input.value) || most) }),
        },
        this.simple('No', { do: 'decline', box, offer }, 'n', '', 'decline'),
      ],
    };
  }

  /** @param {number} box */
  insurance(box) {
    const place = this.place(box);
    const unit = cents(this.card.chip);
    const half = (/** @type {number} */ amount) => Math.ceil(amount / 2 / unit) * unit;
    const bettor = place?.bettor;
    const decline = this.simple('No insurance', { do: 'decline', box, offer: 'insurance' }, 'n', '', 'decline');
    const hands = place?.box.hands ?? [];
    /** @type {Act[]} */
    const acts = [];
    if (this.card.game === 'switch') {
      const each = half(cents(bettor?.main[0]));
      const insure = async (/** @type {number[]} */ which) => {
        for (const hand of which) if (!(await this.act({ do: 'insure', box, hand, amounts: [decimal(each)] }))) return;
        const still = (this.view.awaiting.asked ?? []).some((/** @type {any} */ a) => a.box === box);
        if (which.length < 2 && this.view.awaiting.offer === 'insurance' && still)
          await this.act({ do: 'decline', box, offer: 'insurance' });
      };
      acts.push(
        { label: 'Insure both', key: 'i', name: 'insure', cost: money(each * 2), run: () => insure([1, 2]) },
        { label: 'First hand', name: 'insure-1', cost: money(each), run: () => insure([1]) },
        { label: 'Second hand', name: 'insure-2', cost: money(each), run: () => insure([2]) },
      );
    } else {
      const staked = hands[0]?.stakes?.[place?.at ?? 0];
      const all =
        this.card.game === 'triple-attack'
          ? [cents(bettor?.main[0]) + cents(staked?.attack)]
          : (bettor?.main ?? []).map(cents);
      const amounts = all.map(half);
      acts.push(
        this.simple(
          'Insurance',
          { do: 'insure', box, amounts: amounts.map(decimal) },
          'i',
          '',
          'insure',
          money(amounts.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0)),
        ),
      );
      if (this.options.even_money === 'true' && hands[0]?.total === 21)
        acts.push(this.simple('Even money', { do: 'even-money', box }, 'e', '', 'even-money'));
    }
    return { box, status: 'Insurance?', acts: [...acts, decline] };
  }

  /** @param {number} box */
  cut(box) {
    const stack = this.view.shoe.left;
    const input = /** @type {HTMLInputElement} */ (
      h('input', {
        type: 'range',
        min: 10,
        max: Math.max(11, stack - 10),
        value: Math.floor(stack / 2),
        'aria-label': 'Where to cut',
      })
    );
    const mine = this.lastBoxes?.has(box);
    if (!mine) return { box, status: 'Another player cuts the cards', acts: [] };
    return {
      box,
      status: 'Cut the cards?',
      amount: h('label', { class: 'amount' }, h('span', null, 'Where'), input),
      acts: [
        {
          label: 'Cut',
          key: 'c',
          kind: 'primary',
          name: 'cut',
          run: () => this.act({ do: 'cut', box, at: Number(input.value) }),
        },
        this.simple('No cut', { do: 'decline-cut', box }, 'n', '', 'decline-cut'),
      ],
    };
  }

  // What is shown.

  draw() {
    const idle = !this.running && !this.queue.length;
    const { status, acts, box, hand, amount } = idle
      ? this.offer()
      : { status: 'The cards are dealt', acts: [], box: undefined, hand: undefined, amount: null };
    this.acts = this.connected ? acts : [];
    const mine = this.mine();
    if (this.view.boxes.length) this.lastBoxes = mine;
    this.felt.draw(this.model, {
      box,
      hand,
      mine,
      name: (person) => this.name(person),
      areas: (number) => this.bets.element(number),
      boxNote: (number) => {
        const streak = (this.view.streaks ?? []).find((/** @type {any} */ s) => s.box === number);
        return streak ? h('span', { class: 'tag', title: 'The streak’s lammer' }, `Lammer: ${streak.wins}`) : null;
      },
    });
    const shape = JSON.stringify([this.acts.map((a) => [a.name, a.label, a.cost]), status, Boolean(amount), this.busy]);
    if (shape !== this.shape) {
      this.shape = shape;
      if (this.status.textContent !== status) this.status.textContent = status;
      const held = document.activeElement instanceof HTMLElement && this.buttons.contains(document.activeElement);
      fill(
        this.buttons,
        amount ?? null,
        this.acts.map((act) =>
          h(
            'button',
            {
              class: `act ${act.kind ?? ''}`,
              type: 'button',
              'data-act': act.name,
              disabled: this.busy,
              onclick: () => act.run(),
            },
            h('span', null, act.label),
            act.cost ? h('b', { class: 'cost' }, act.cost) : null,
            act.key
              ? h(
                  'kbd',
                  { 'aria-hidden': 'true' },
                  act.key === 'Enter' ? '⏎' : act.key === 'Backspace' ? '⌫' : act.key.toUpperCase(),
                )
              : null,
          ),
        ),
        this.summary && this.lastRound && !this.training && this.view.awaiting.what === 'wagers'
          ? h('a', { class: 'quiet', href: `/round/${this.number}/${this.lastRound}` }, 'Replay')
          : null,
      );
      if (held) /** @type {HTMLElement | null} */ (this.buttons.querySelector('button'))?.focus();
    }
    this.bets.rack.hidden = this.view.awaiting.what !== 'wagers' || !this.player;
    this.element.dataset.awaiting = idle ? this.view.awaiting.what : 'dealing';
    this.element.dataset.version = String(this.version);
    this.element.dataset.round = String(this.view.round);
    fill(this.meter, this.view.meter ? h('span', null, 'Progressive ', h('b', null, money(this.view.meter))) : null);
    this.drawShoe();
    this.brokenChips();
    this.tick();
  }

  /** A guest without chips gets new ones on request. */
  brokenChips() {
    const who = me();
    if (
      this.training ||
      !who?.guest ||
      this.view.awaiting.what !== 'wagers' ||
      cents(who.play) >= cents(this.card.minimum) ||
      this.buttons.querySelector('.refill')
    )
      return;
    this.buttons.append(
      h(
        'button',
        {
          class: 'act refill',
          type: 'button',
          onclick: async () => {
            try {
              await post('/api/me/refill', { id: freshId() });
              toast('Here are new play chips.');
              location.reload();
            } catch (error) {
              complain(error);
            }
          },
        },
        'New play chips',
      ),
    );
  }

  drawShoe() {
    const shoe = this.view.shoe ?? {};
    const text = JSON.stringify([shoe.number, shoe.left, shoe.discards]);
    if (this.shoeText === text) return;
    this.shoeText = text;
    fill(
      this.shoe,
      h(
        'dl',
        { class: 'facts' },
        h('dt', null, 'Shoe'),
        h('dd', null, shoe.number ?? '–'),
        h('dt', null, 'Cards left'),
        h('dd', null, shoe.left ?? '–'),
        h('dt', null, 'Discard rack'),
        h('dd', null, shoe.discards ?? '–'),
        h('dt', null, 'Commitment'),
        h('dd', { class: 'hash' }, shoe.commitment ?? '–'),
      ),
      h(
        'p',
        { class: 'small dim' },
        'The order of the shoe was fixed and its hash published before the first card. When the shoe is over its order is published, and this page can check it.',
      ),
      shoe.number > 1
        ? h('p', null, h('a', { href: `/shoe/${this.number}/${shoe.number - 1}` }, `Check shoe ${shoe.number - 1}`))
        : null,
    );
  }

  tick() {
    const window_ = this.view.deadline_ms;
    const bar = /** @type {HTMLElement} */ (this.timer.firstElementChild);
    this.timer.hidden = window_ === null || window_ === undefined;
    if (this.timer.hidden) return;
    const left = Math.max(0, window_ - (performance.now() - this.arrived));
    const full = Math.max(window_, this.view.awaiting.what === 'wagers' ? 12_000 : 20_000);
    bar.style.transform = `scaleX(${(left / full).toFixed(4)})`;
    this.timer.dataset.left = String(Math.ceil(left / 1000));
    this.timer.classList.toggle('late', left < 5000);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (target?.closest('input, select, textarea')) {
      if (event.key !== 'Enter') return;
    }
    const betting = this.view.awaiting.what === 'wagers' && this.player;
    if (betting && /^[1-9]$/.test(event.key)) {
      event.preventDefault();
      return this.bets.key(Number(event.key) - 1, this.free());
    }
    if (betting && (event.key === 'ArrowRight' || event.key === 'ArrowLeft') && !target?.closest('.tabs, .rack')) {
      const areas = /** @type {HTMLElement[]} */ (
        Array.from(this.felt.element.querySelectorAll('.area:not(:disabled)'))
      );
      const now = areas.indexOf(/** @type {HTMLElement} */ (document.activeElement));
      const step = event.key === 'ArrowRight' ? 1 : -1;
      event.preventDefault();
      areas[now < 0 ? (step > 0 ? 0 : areas.length - 1) : (now + step + areas.length) % areas.length]?.focus();
      return undefined;
    }
    // Enter and the space bar belong to whatever has the focus, but for chips already laid.
    if (event.key === 'Enter' && target?.closest('button, a, summary')) return undefined;
    const found =
      this.acts.find((act) => act.key === (event.key.length === 1 ? event.key.toLowerCase() : event.key)) ??
      (event.key === 'Enter' ? this.acts.find((act) => act.kind === 'primary') : undefined);
    if (!found || this.busy) return undefined;
    event.preventDefault();
    found.run();
    return undefined;
  }
}
