// Names of the people at a table.

import { me } from './net.js';
import { t } from './words.js';

/** @typedef {import('../../../browser/types').View} View */

/**
 * Returns whether a person is the user. Names are never compared, since a player may be called "You".
 * @param {number | null} person
 */
export const isMe = (person) => person !== null && person === me()?.person;

/** Names from the server's views. They are kept, since a finished round is still shown. */
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

  /** Adds names by person number, as in the record of a round. @param {Record<string, string>} names */
  take(names) {
    for (const [person, name] of Object.entries(names)) this.known.set(Number(person), name);
  }

  /** Returns how to address a person; a guest has a number instead of a name. @param {number | null} person */
  of(person) {
    if (person === null) return t('value.nobody');
    if (isMe(person)) return t('person.you');
    const name = this.known.get(person);
    if (name && !name.startsWith('guest-')) return name;
    // People whom the reader of a finished round may not identify have negative numbers.
    const number = String(Math.abs(person) % 1000).padStart(3, '0');
    return name ? t('person.guest', { number }) : t('person.numbered', { number });
  }
}
