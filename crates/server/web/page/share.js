// This browser's nonce share in the shuffle of a shoe, and its log of the shoe. Before the first card it submits the
// hash of a nonce; once the house has closed and signed the list with that hash, it reveals the nonce. All nonces
// together shuffle the cards once more. The log holds everything that the house states and shows of the shoe, and is
// checked against the opening.

import { get, me } from './net.js';
import { hashOf, hex, isCommitmentSigned, isListSigned, MOST_BURNED } from './proof.js';

/** @typedef {import('../../browser/types').Command} Command */
/** @typedef {import('../../browser/types').View} View */
/** @typedef {import('../../browser/types').Event} Event */
/** @typedef {import('./proof.js').Log} Log */
/** The public facts of a table. @typedef {{ decks?: number, deck?: string }} Announced */

/** @param {number} table @param {number} shoe */
const key = (table, shoe) => `shoe/${table}/${shoe}`;
/** Number of shoe logs kept for a table. */
const KEPT = 20;

/** Returns this browser's log of a shoe. @param {number} table @param {number} shoe @returns {Log | null} */
export function noted(table, shoe) {
  try {
    return JSON.parse(localStorage.getItem(key(table, shoe)) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {Log} log */
function keep(log) {
  try {
    localStorage.setItem(key(log.table, log.shoe), JSON.stringify(log));
    localStorage.removeItem(key(log.table, log.shoe - KEPT));
    return true;
  } catch {
    return false;
  }
}

/** Returns the house's first statement about a shoe. @param {Log} log */
const saidOf = ({ table, shoe, commitment }) => ({ table, shoe, commitment: commitment.commitment });

/** Contributes to and records the shoes of one table. */
export class Shares {
  /** @param {number} table @param {(action: Command) => Promise<unknown> | undefined} act */
  constructor(table, act) {
    this.table = table;
    this.act = act;
    /** The messages sent, by shoe and step, so that each is sent once. @type {Set<string>} */
    this.sent = new Set();
    /** Logs of the shoes in play, by number. @type {Map<number, Log>} */
    this.logs = new Map();
    /**
     * Face-down cards by place: their shoe, and how many cards were left in it.
     * @type {Map<string, { shoe: number, left: number | null, round: number }>}
     */
    this.down = new Map();
    /** The shoe that the cards come from. @type {number | null} */
    this.dealing = null;
    /** The house's public key, once it is known. @type {string | null} */
    this.house = null;
    /** The version of the last view: a view that is sent again has the same events. @type {number | null} */
    this.version = null;
    /** Queue of the views to process. @type {Promise<unknown>} */
    this.looking = Promise.resolve();
  }

  /** Processes every view of the table, one after the other. @param {View} view @param {Announced} [card] */
  see(view, card) {
    this.looking = this.looking.then(() => this.look(view, card)).catch(() => undefined);
    return this.looking;
  }

  /** @param {View} view @param {Announced} [card] */
  async look(view, card) {
    this.house ??= (await get('/api/house')).seal_key;
    await this.note(view, card);
    const shoe = view.shoe;
    const mine = view.boxes?.some((box) => box.bettors.some((bettor) => bettor.person === me()?.person));
    if (!mine || !globalThis.crypto?.subtle) return;
    const sides = shoe.other ? [shoe, shoe.other] : [shoe];
    const numbers = sides.map((side) => side.number);
    const logs = numbers.flatMap((number) => this.logs.get(number) ?? []);
    if (logs.length < numbers.length) return;
    // A shoe that was shuffled in mid-round takes no share, since cards of its decks are on the layout.
    const fresh = logs.filter(({ decks, deck }, at) => !sides[at].list && decks * deck - sides[at].left <= MOST_BURNED);
    if (shoe.takes_shares && fresh.length && (await this.committed(fresh)) && this.first(`share ${numbers}`)) {
      const nonce = fresh[0]?.nonce ?? hex(crypto.getRandomValues(new Uint8Array(32)));
      // A nonce that cannot be stored could not be revealed after the page is closed.
      if (fresh.some((log) => !keep(Object.assign(log, { nonce })))) return;
      // Do not wait for the answer: it arrives with the views that are processed meanwhile.
      void this.say({ do: 'share', hash: await hashOf(nonce) });
    }
    const nonce = logs.find((log) => log.nonce && !log.revealed)?.nonce;
    const given = logs.filter((log) => log.nonce === nonce);
    if (view.reveal && nonce && (await this.closed(given)) && this.first(`reveal ${numbers}`)) {
      given.forEach((log) => keep(Object.assign(log, { sent: true })));
      void this.say({ do: 'reveal', nonce });
    }
  }

  /**
   * Returns whether the house has signed its commitments: without a signature nothing can be proven.
   * @param {Log[]} logs
   */
  async committed(logs) {
    for (const log of logs)
      if (!(await isCommitmentSigned(log.house, saidOf(log), log.commitment.signature))) return false;
    return true;
  }

  /**
   * Returns whether the lists are closed: signed by the house, and containing the hash of this browser's nonce. A house
   * that knew the nonce earlier could still choose the other shares.
   * @param {Log[]} logs
   */
  async closed(logs) {
    for (const log of logs) {
      if (!log.list || !log.nonce || !log.list.hashes.includes(await hashOf(log.nonce))) return false;
      if (!(await isListSigned(log.house, saidOf(log), log.list))) return false;
    }
    return true;
  }

  /**
   * Logs the house's statements about its shoes, and every visible card.
   * @param {View} view @param {Announced} [card]
   */
  async note(view, card) {
    const changed = new Set();
    for (const side of [view.shoe, view.shoe?.other]) {
      if (!side?.commitment) continue;
      let log = this.logs.get(side.number) ?? noted(this.table, side.number);
      if (!log) {
        const hands = view.boxes.flatMap((box) => box.hands).filter((hand) => !hand.collected);
        const down = hands.reduce((sum, hand) => sum + hand.face_down, 0);
        log = {
          table: this.table,
          shoe: side.number,
          house: this.house ?? '',
          decks: card?.decks ?? 0,
          deck: card?.deck?.split(' ').length ?? 0,
          commitment: { commitment: side.commitment, signature: side.signature ?? '', left: side.left },
          layout: [...view.dealer.cards, ...hands.flatMap((hand) => hand.cards)],
          face_down: down + (view.dealer.hole ? 1 : 0),
          cut: null,
          list: null,
          share: null,
          nonce: null,
          sent: false,
          revealed: false,
          cards: [],
        };
        changed.add(log);
      }
      this.logs.set(side.number, log);
      const hashes = side.shares.map((share) => share.hash);
      if (side.list && !log.list && side.cut) {
        log.cut = { at: side.cut.at, by: side.cut.by ?? null };
        const cut = { cut: side.cut.at, cut_by: side.cut.by ?? null };
        log.list = { ...cut, after: side.after ?? 0, hashes, signature: side.list };
        changed.add(log);
      }
      if (!side.list && side.cut) log.cut = { at: side.cut.at, by: side.cut.by ?? null };
      if (log.nonce) {
        const at = hashes.indexOf(await hashOf(log.nonce));
        const { hash, signature, revealed } = side.shares[at] ?? {};
        if (hash && signature && !log.share) {
          log.share = { place: at + 1, hash, signature };
          changed.add(log);
        }
        if (revealed && !log.revealed) {
          log.revealed = true;
          changed.add(log);
        }
      }
    }
    const again = this.version === null || this.version === view.version;
    for (const event of view.events ?? []) {
      const log = this.logs.get(this.shoeOf(event, view) ?? -1);
      if (log && this.seen(event, view, log, again)) changed.add(log);
    }
    this.version = view.version;
    this.dealing = view.shoe?.number ?? null;
    changed.forEach(keep);
  }

  /** Returns the shoe that the card of an event comes from. @param {Event} event @param {View} view */
  shoeOf(event, view) {
    const { shoe } = view;
    if (event.event === 'determined' && shoe.other && event.drawn_from === shoe.other.side) return shoe.other.number;
    // If a shoe ran out within this view, its cards cannot be told from those of the next: do not log them.
    if (!shoe.other && this.dealing != null && this.dealing !== shoe.number) return null;
    return shoe.number;
  }

  /**
   * Logs a visible card. Returns whether it was new. A card without a place in the shoe, or at the place of another, is
   * logged too: the house must not show cards that it need not account for.
   * @param {Event} event @param {View} view @param {Log} log @param {boolean} again whether these events may be logged
   */
  seen(event, view, log, again) {
    const place = typeof event.to === 'object' && event.to ? `${event.to.box} ${event.to.hand}` : String(event.to);
    let card = event.card;
    /** @type {{ shoe: number, left: number | null, round: number }} */
    let drawn = { shoe: log.shoe, left: event.left ?? null, round: this.roundOf(view) };
    if (event.event === 'hole-turned') {
      const down = this.down.get('hole');
      this.down.delete('hole');
      if (!down) return false;
      drawn = down;
    } else if (event.event !== 'dealt' && event.event !== 'determined') {
      return false;
    } else if (!card) {
      this.down.set(place, drawn);
      return false;
    }
    const into = this.logs.get(drawn.shoe);
    if (!card || !into) return false;
    const known = into.cards.some(
      (other) => other.left === drawn.left && other.card === card && other.round === drawn.round,
    );
    if (known && again) return false;
    into.cards.push({ round: drawn.round, left: drawn.left, card });
    if (into !== log) keep(into);
    return true;
  }

  /** Returns the round that a view's events belong to: the previous one if it has just ended. @param {View} view */
  roundOf(view) {
    const ended = view.events?.some((event) => event.event === 'picked-up' || event.event === 'voided');
    return ended ? view.round - 1 : view.round;
  }

  /** @param {string} step */
  first(step) {
    const first = !this.sent.has(step);
    this.sent.add(step);
    return first;
  }

  /** Sends a command; play continues whether or not the server accepts it. @param {Command} action */
  async say(action) {
    try {
      await this.act(action);
    } catch {
      /* reported when the shoe is opened */
    }
  }
}
