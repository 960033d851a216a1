// What this browser adds to the order of a shoe: before the first card it hands in the hash of a nonce, and reveals the nonce
// when the wagers are closed. All nonces together shuffle the cards once more, so that nobody chose their order.

import { me } from './net.js';

/** @typedef {import('../../browser/types').Command} Command */
/** @typedef {import('../../browser/types').View} View */

/** A whole number as eight bytes, the largest first. @param {number} value */
export function int(value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt(value));
  return bytes;
}

/** @param {string} text */
export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** SHA-256 over a label and what follows it, each in its canonical form. @param {string} name @param {Uint8Array[]} parts */
export async function digest(name, ...parts) {
  const label = new TextEncoder().encode(name);
  const all = [int(label.length), label, ...parts];
  const bytes = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of all) {
    bytes.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/** The hash of a nonce. @param {Uint8Array} nonce */
export const hashOf = (nonce) => digest('cutcard share 1', nonce);

/**
 * Shuffles the cards after those that had left the shoe, as the house must have.
 * @param {string[]} cards
 * @param {{ table: number, shoe: number, commitment: string }} opening
 * @param {{ after: number, shares: { hash: string, nonce?: string | null }[] }} mixed
 */
export async function mix(cards, opening, mixed) {
  const shares = mixed.shares.flatMap(({ hash, nonce }) => [
    unhex(hash),
    Uint8Array.of(nonce ? 1 : 0),
    ...(nonce ? [unhex(nonce)] : []),
  ]);
  const seed = await digest(
    'cutcard mix 1',
    int(opening.table),
    int(opening.shoe),
    unhex(opening.commitment),
    int(mixed.after),
    int(mixed.shares.length),
    ...shares,
  );
  let block = 0;
  /** @type {number[]} */
  let words = [];
  const word = async () => {
    if (!words.length) {
      const bytes = new DataView((await digest('cutcard mix stream 1', seed, int(block++))).buffer);
      words = Array.from({ length: 8 }, (_, at) => bytes.getUint32(at * 4));
    }
    return /** @type {number} */ (words.shift());
  };
  const rest = cards.slice(mixed.after);
  for (let last = rest.length - 1; last > 0; last -= 1) {
    const bound = last + 1;
    const cycles = Math.floor(2 ** 32 / bound) * bound;
    let drawn = await word();
    while (drawn >= cycles) drawn = await word();
    const at = drawn % bound;
    [rest[last], rest[at]] = [rest[at], rest[last]];
  }
  return [...cards.slice(0, mixed.after), ...rest];
}

/** The nonce that this browser gave for a shoe. @param {number} table @param {number} shoe */
export function noted(table, shoe) {
  try {
    return localStorage.getItem(`nonce/${table}/${shoe}`);
  } catch {
    return null;
  }
}

/** What one table needs of this browser. */
export class Shares {
  /** @param {number} table @param {(action: Command) => Promise<unknown> | undefined} act */
  constructor(table, act) {
    this.table = table;
    this.act = act;
    /** What was sent, by shoe and step, so that it is sent once. @type {Set<string>} */
    this.sent = new Set();
  }

  /** Looks at every view of the table. @param {View} view */
  async see(view) {
    const shoe = view.shoe;
    const mine = view.boxes?.some((box) => box.bettors.some((bettor) => bettor.person === me()?.person));
    if (!shoe?.takes_shares || !mine || !globalThis.crypto?.subtle) return;
    const numbers = [shoe.number, ...(shoe.other ? [shoe.other.number] : [])];
    if (this.first(`share ${numbers}`)) {
      const nonce = noted(this.table, shoe.number) ?? hex(crypto.getRandomValues(new Uint8Array(32)));
      try {
        for (const number of numbers) localStorage.setItem(`nonce/${this.table}/${number}`, nonce);
      } catch {
        return;
      }
      await this.say({ do: 'share', hash: hex(await hashOf(unhex(nonce))) });
    }
    const nonce = noted(this.table, shoe.number);
    if (view.reveal && nonce && this.first(`reveal ${numbers}`)) await this.say({ do: 'reveal', nonce });
  }

  /** @param {string} step */
  first(step) {
    const first = !this.sent.has(step);
    this.sent.add(step);
    return first;
  }

  /** Play goes on whether or not the house takes it. @param {Command} action */
  async say(action) {
    try {
      await this.act(action);
    } catch {
      /* told when the shoe is opened */
    }
  }
}
