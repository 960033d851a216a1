// The memory of a drill: how well the player knows each kind of hand, so that weak ones repeat sooner and known ones
// later, and the results of each day. A guest's memory is in this browser, a member's in the account, so that practice
// continues on any device.

import { ask, get, me } from '../shared/net.js';
import { BASE, freshId } from '../shared/ui.js';

/** Hands until a kind of hand repeats, by its number of right answers in a row. */
const AGAIN = [2, 5, 12, 30, 80, 200];

/**
 * @typedef {{ hand: string[], hand2: string[], up: string[], asks: string, removed?: string[] }} Spot
 * @typedef {{ spot: Spot, level: number, due: number, seen: number, wrong: number, cost: number }} Known
 * @typedef {{ hands: number, right: number, cost: number }} Day
 */

/** @template T @param {string} key @param {T} otherwise @returns {T} */
function kept(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Delay before an answer is sent to the account, unless the page is left earlier. */
const SOON = 1500;
/** Maximum number of hand kinds and days sent in one request. */
const AT_ONCE = 80;

/** Converts a kind of hand to the server's format. @param {Known} known */
const told = ({ spot, ...rest }) => ({
  hand: spot.hand.join(' '),
  hand2: spot.hand2.join(' '),
  up: spot.up.join(' '),
  removed: (spot.removed ?? []).join(' '),
  asks: spot.asks,
  ...rest,
});

/**
 * Converts a kind of hand from the server's format.
 * @param {import('../../../browser/types').Schemas['DrilledKind']} kept @returns {Known}
 */
const read = ({ hand, hand2 = '', up = '', removed = '', asks, ...rest }) => {
  const cards = (/** @type {string} */ text) => text.split(' ').filter(Boolean);
  const spot = { hand: cards(hand), hand2: cards(hand2), up: cards(up), asks };
  return { spot: removed ? { ...spot, removed: cards(removed) } : spot, ...rest };
};

const today = () => new Date().toISOString().slice(0, 10);

export class Memory {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    /** @type {{ turn: number, known: Record<string, Known>, days: Record<string, Day> }} */
    this.all = kept(`drill/${table}`, { turn: 0, known: {}, days: {} });
    /** Changes not yet sent to the account. @type {Set<string>} */
    this.news = new Set();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.soon = undefined;
    this.leave = () => this.tell(true);
  }

  /** Whether there is an account to store the memory in. */
  get member() {
    return me()?.role === 'player' && !me()?.guest;
  }

  /** Loads the account's memory. For each kind of hand, the copy with more practice wins. */
  async open() {
    addEventListener('pagehide', this.leave);
    if (!this.member) return;
    const account = await get(`/api/training/memory/${this.table}`).catch(() => null);
    if (!account) return;
    for (const [name, one] of Object.entries(account.known)) {
      const known = read(one);
      if ((this.all.known[name]?.seen ?? 0) <= known.seen) this.all.known[name] = known;
    }
    for (const [day, one] of Object.entries(account.days))
      if ((this.all.days[day]?.hands ?? 0) <= one.hands) this.all.days[day] = one;
    this.all.turn = Math.max(this.all.turn, account.turn);
    for (const [name, { seen }] of Object.entries(this.all.known))
      if (seen > (account.known[name]?.seen ?? 0)) this.news.add(`kind/${name}`);
    for (const [day, { hands }] of Object.entries(this.all.days))
      if (hands > (account.days[day]?.hands ?? 0)) this.news.add(`day/${day}`);
    this.keep();
    await this.tell();
  }

  /** Sends the changes to the account, at the latest when the page is left. @param {boolean} [leaving] */
  async tell(leaving = false) {
    clearTimeout(this.soon);
    if (!this.member || !this.news.size) return;
    const now = [...this.news].slice(0, AT_ONCE);
    const [known, days] = ['kind/', 'day/'].map((kind) =>
      now.filter((one) => one.startsWith(kind)).map((one) => one.slice(kind.length)),
    );
    const body = {
      id: freshId(),
      turn: this.all.turn,
      known: Object.fromEntries(known.map((name) => [name, told(this.all.known[name])])),
      days: Object.fromEntries(days.map((day) => [day, this.all.days[day]])),
    };
    for (const one of now) this.news.delete(one);
    const path = /** @type {const} */ (`/api/training/memory/${this.table}`);
    if (leaving) {
      const headers = { 'content-type': 'application/json' };
      fetch(BASE + path, { method: 'PUT', headers, body: JSON.stringify(body), keepalive: true }).catch(() => {});
      return;
    }
    try {
      await ask('PUT', path, body);
    } catch {
      // Send them with the next answer.
      for (const one of now) this.news.add(one);
      return;
    }
    if (this.news.size) await this.tell();
  }

  /** Ends the drill and sends its changes. */
  close() {
    removeEventListener('pagehide', this.leave);
    return this.tell();
  }

  keep() {
    try {
      // What was practiced as a guest is in the member's account now.
      if (this.member) localStorage.removeItem(`drill/${this.table}`);
      else localStorage.setItem(`drill/${this.table}`, JSON.stringify(this.all));
    } catch {
      /* storage is unavailable */
    }
  }

  /** Records the answer to a hand. @param {string} name the kind of hand @param {Spot} spot @param {number} cost */
  answered(name, spot, cost) {
    const right = cost < 1e-9;
    this.all.turn += 1;
    const old = this.all.known[name];
    const level = right ? Math.min((old?.level ?? 0) + 1, AGAIN.length - 1) : 0;
    this.all.known[name] = {
      spot,
      level,
      due: this.all.turn + AGAIN[level],
      seen: (old?.seen ?? 0) + 1,
      wrong: (old?.wrong ?? 0) + (right ? 0 : 1),
      cost: (old?.cost ?? 0) + cost,
    };
    const day = (this.all.days[today()] ??= { hands: 0, right: 0, cost: 0 });
    day.hands += 1;
    day.right += right ? 1 : 0;
    day.cost += cost;
    this.keep();
    this.news.add(`kind/${name}`).add(`day/${today()}`);
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.tell(), SOON);
  }

  /** Returns the matching hand that has been due longest. @param {(name: string, known: Known) => boolean} fits */
  due(fits) {
    const waiting = Object.entries(this.all.known).filter(
      ([name, known]) => known.due <= this.all.turn && fits(name, known),
    );
    return waiting.sort(([, a], [, b]) => a.due - b.due)[0]?.[1] ?? null;
  }

  /**
   * Returns the hands that were answered wrong and are not learned yet, costliest first.
   * @returns {[string, Known][]}
   */
  weak() {
    return Object.entries(this.all.known)
      .filter(([, known]) => known.wrong > 0 && known.level < 3)
      .sort(([, a], [, b]) => b.cost / b.seen - a.cost / a.seen);
  }

  /** Returns the results of the last days, oldest first. @returns {[string, Day][]} */
  days() {
    return Object.entries(this.all.days)
      .sort(([a], [b]) => a.localeCompare(b))
      .slice(-14);
  }
}
