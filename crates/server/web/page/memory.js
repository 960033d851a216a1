// What a drill remembers, in this browser: every kind of hand with how well it sits, so that weak ones come again sooner and
// known ones later, and how each day went.

/** After so many hands a kind of hand comes again, by how often in a row it was right. */
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

const today = () => new Date().toISOString().slice(0, 10);

export class Memory {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    /** @type {{ turn: number, known: Record<string, Known>, days: Record<string, Day> }} */
    this.all = kept(`drill/${table}`, { turn: 0, known: {}, days: {} });
  }

  keep() {
    try {
      localStorage.setItem(`drill/${this.table}`, JSON.stringify(this.all));
    } catch {
      /* a browser that keeps nothing */
    }
  }

  /** A hand was answered. @param {string} name what kind of hand it is @param {Spot} spot @param {number} cost */
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
  }

  /** The hand that has waited longest to come again, of those that fit. @param {(name: string, known: Known) => boolean} fits */
  due(fits) {
    const waiting = Object.entries(this.all.known).filter(
      ([name, known]) => known.due <= this.all.turn && fits(name, known),
    );
    return waiting.sort(([, a], [, b]) => a.due - b.due)[0]?.[1] ?? null;
  }

  /** Hands that were wrong and do not sit yet, the costliest first. @returns {[string, Known][]} */
  weak() {
    return Object.entries(this.all.known)
      .filter(([, known]) => known.wrong > 0 && known.level < 3)
      .sort(([, a], [, b]) => b.cost / b.seen - a.cost / a.seen);
  }

  /** How the last days went, oldest first. @returns {[string, Day][]} */
  days() {
    return Object.entries(this.all.days)
      .sort(([a], [b]) => a.localeCompare(b))
      .slice(-14);
  }
}
