// This browser's nonce share in the shuffle of a shoe, and its log of the shoe. Before the first card it submits the
// hash of a nonce; once the house has closed and signed the list with that hash, it reveals the nonce. All nonces
// together shuffle the cards once more. The log holds everything that the house states and shows of the shoe, and is
// checked against the opening.

import { get, me } from './net.js';
import { hashOf, hex, isCommitmentSigned, isListSigned, MOST_BURNED } from './proof.js';

/** @typedef {import('../../../browser/types').Command} Command */
/** @typedef {import('../../../browser/types').View} View */
/** @typedef {import('../../../browser/types').Event} Event */
/** @typedef {import('./proof.js').Log} Log */
/** A card that the page shows. @typedef {{ card: string, origin?: { shoe: number, left: number } | null }} Seen */
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

/** Where the first key of the house is stored. */
const FIRST_KEY = 'house/key';

/**
 * Returns the house's key that this browser saw first, if one of these keys is another; none otherwise. Stores the
 * first.
 * @param {(string | null | undefined)[]} keys
 */
export function keyBefore(...keys) {
  const known = keys.flatMap((key) => key ?? []);
  try {
    const first = localStorage.getItem(FIRST_KEY) ?? known[0];
    if (first !== undefined) localStorage.setItem(FIRST_KEY, first);
    return known.some((key) => key !== first) ? first : null;
  } catch {
    return null;
  }
}

/** Returns the house's first statement about a shoe. @param {Log} log */
const saidOf = ({ table, shoe, commitment }) => ({ table, shoe, commitment: commitment.commitment });

/** Returns every card that events dealt or turned face up. @param {Event[]} events @returns {Seen[]} */
export const dealt = (events) =>
  events.flatMap((event) => {
    const shows = event.event === 'dealt' || event.event === 'determined' || event.event === 'hole-turned';
    return shows && event.card ? [{ card: event.card, origin: event.origin }] : [];
  });

/** Returns every card that lies face up. @param {View} view @returns {Seen[]} */
function lying({ dealer, boxes, exposed }) {
  const groups = [dealer, ...boxes.flatMap((box) => box.hands)];
  const cards = groups.flatMap(({ cards, origins }) => cards.map((card, at) => ({ card, origin: origins?.[at] })));
  return exposed ? [...cards, { card: exposed }] : cards;
}

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
    /** Log of the shoe that deals. @type {Log | null} */
    this.dealing = null;
    /** Numbers of the shoes that the view shows. @type {(number | undefined)[]} */
    this.inPlay = [];
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
    if (this.house === null) {
      this.house = (await get('/api/house')).seal_key;
      keyBefore(this.house);
    }
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
      let log = this.logOf(side.number);
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
    // A shoe without a commitment gets no log: its cards are held against the last shoe that has one.
    this.dealing = this.logs.get(view.shoe?.number) ?? this.dealing;
    this.inPlay = [view.shoe?.number, view.shoe?.other?.number];
    const round = this.roundOf(view);
    for (const seen of dealt(view.events ?? [])) this.saw(seen, round, { again }, changed);
    // The cards that lie there: of a round whose events came before this page, or that were turned over since.
    for (const seen of lying(view)) this.saw(seen, view.round, {}, changed);
    this.version = view.version;
    changed.forEach(keep);
  }

  /** Logs the cards of a finished round whose record the page shows. @param {Event[]} events @param {number} round */
  recall(events, round) {
    this.looking = this.looking.then(() => {
      const changed = new Set();
      for (const seen of dealt(events)) this.saw(seen, round, { finished: true }, changed);
      changed.forEach(keep);
    });
    return this.looking;
  }

  /**
   * Logs a visible card, unless it is known. A card without an origin, or at the place of another, is logged too: the
   * house must not show cards that it need not account for.
   * @param {Seen} seen @param {number} round
   * @param {{ again?: boolean, finished?: boolean }} how whether the card may have been logged before, and whether its
   *   shoe may have ended with an earlier round @param {Set<Log>} changed the logs to store
   */
  saw({ card, origin }, round, { again = true, finished = false }, changed) {
    const log = this.dealing;
    if (!log) return;
    // During a round, a card of an earlier shoe can only be one that lay on the layout when this shoe was shuffled.
    const earlier = origin && origin.shoe < log.shoe && (finished || log.layout?.length || log.face_down);
    const from = origin && (earlier || this.inPlay.includes(origin.shoe)) ? this.logOf(origin.shoe) : null;
    if (earlier && !from) return;
    const left = (from && origin?.left) ?? null;
    const into = from ?? log;
    const known = into.cards.some((other) => other.left === left && other.card === card && other.round === round);
    if (known && again) return;
    into.cards.push({ round, left, card });
    changed.add(into);
  }

  /** Returns the log of a shoe, also of one that ended before this page was opened. @param {number} shoe */
  logOf(shoe) {
    return this.logs.get(shoe) ?? noted(this.table, shoe);
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
