// What the people at a table are called.

import { me } from './net.js';
import { t } from './words.js';

/** @typedef {import('../../browser/types').View} View */

/** Is it whoever reads the page? A player may be called "You", so names are never compared. @param {number | null} person */
export const isMe = (person) => person !== null && person === me()?.person;

/** Names as the house's views tell them. A round that is over is still told of, so they are kept. */
export class Names {
  constructor() {
    /** @type {Map<number, string>} */
    this.known = new Map();
  }

  /** @param {View} view */
  learn(view) {
    if (view?.dealt_by) this.known.set(view.dealt_by.person, view.dealt_by.name);
    for (const box of view?.boxes ?? [])
      for (const { person, name } of box.bettors) if (person !== null && name) this.known.set(person, name);
  }

  /** Names by the numbers of the people, as the record of a round has them. @param {Record<string, string>} names */
  take(names) {
    for (const [person, name] of Object.entries(names)) this.known.set(Number(person), name);
  }

  /** A guest has no name of their own. @param {number | null} person */
  of(person) {
    if (person === null) return t('value.nobody');
    if (isMe(person)) return t('person.you');
    const name = this.known.get(person);
    if (name && !name.startsWith('guest-')) return name;
    // Whom the reader of a finished round may not know has a negative number there.
    const number = String(Math.abs(person) % 1000).padStart(3, '0');
    return name ? t('person.guest', { number }) : t('person.numbered', { number });
  }
}
