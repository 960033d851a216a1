// How the page speaks with the house: requests, and the live view of a table that comes back by itself.

import { BASE, freshId } from './ui.js';
import { t } from './words.js';

/** What a refused request throws. */
export class Refused extends Error {
  /** @param {number} status @param {{ code?: string, message?: string, clause?: string }} detail */
  constructor(status, detail) {
    super(detail.message ?? t('error.no_response_short'));
    this.status = status;
    this.code = detail.code ?? '';
    /** The field of a form that it is about, if the house names one. */
    this.about = ['name', 'password', 'reason', 'amount', 'card', 'day'].includes(this.code) ? this.code : '';
    this.clause = detail.clause ?? null;
  }
}

/**
 * @typedef {import('../../browser/types').Me} Me
 * @typedef {import('../../browser/types').View} View
 * @typedef {import('../../browser/types').BoxView} BoxView
 * @typedef {import('../../browser/types').Command} Command
 * @typedef {import('../../browser/types').Done} Done
 */

/**
 * Asks the house. JSON in, JSON out; what it takes and answers at which address is the house's own description.
 * @template {'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} M @template {string} P
 * @param {M} method @param {P} path @param {import('../../browser/types').Asked<P, Lowercase<M>>} [body]
 * @returns {Promise<import('../../browser/types').Answer<P, Lowercase<M>>>}
 */
export async function ask(method, path, body) {
  let answer;
  try {
    answer = await fetch(BASE + path, {
      method,
      credentials: 'same-origin',
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    dispatchEvent(new Event('house-down'));
    throw new Refused(0, { code: 'offline', message: t('error.no_response_short') });
  }
  const text = await answer.text();
  const json = (answer.headers.get('content-type') ?? '').includes('json');
  const told = json && text ? JSON.parse(text) : text;
  if (!answer.ok) throw new Refused(answer.status, json ? (told.error ?? {}) : {});
  return told;
}

/** @template {string} P @param {P} path */
export const get = (path) => ask('GET', path);
/** @template {string} P @param {P} path @param {import('../../browser/types').Asked<P, 'post'>} [body] */
export const post = (path, body) => ask('POST', path, body);

/** Who is here, or nobody. @type {Me | null} */
let who = null;
/** @type {Set<(who: Me | null) => void>} */
const watchers = new Set();

export const me = () => who;

/** @param {(who: Me | null) => void} watcher */
export function watchMe(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

const tell = () => watchers.forEach((watcher) => watcher(who));

export async function refreshMe() {
  try {
    who = (await get('/api/sessions/current')) ?? null;
  } catch {
    /* whoever was here is still here, as far as is known */
  }
  tell();
  return who;
}

/** What I hold of the chips I wager. */
export const purse = () => (who ? who[playsForNothing() ? 'play' : 'cash'] : '0.00');

/** Do I wager chips that are worth nothing? */
export const playsForNothing = () => who?.chips === 'play';

/** @param {string} balance @param {string} [chips] */
export function setPurse(balance, chips) {
  if (!who) return;
  who = { ...who, [chips ?? who.chips]: balance };
  tell();
}

/** Until when I have excluded myself, if I have; guests have nothing to be kept from. @returns {Promise<string | null>} */
export async function excludedUntil() {
  if (!who || who.guest || who.role !== 'player') return null;
  // Whoever cannot be told now is told by the house when they wager.
  const told = await get('/api/me/limits').catch(() => null);
  return told?.excluded_until ?? null;
}

/** Comes in as a guest, unless somebody is here already. */
export async function beSomebody() {
  if (who) return who;
  await post('/api/guests');
  return refreshMe();
}

/**
 * A view in which a person sees the own cards that lie face down to all others (2.6A(c)).
 * @template {{ boxes: BoxView[] }} V @param {V} view @param {BoxView[]} own boxes as their player sees them @returns {V}
 */
export const withOwn = (view, own) => ({
  ...view,
  boxes: view.boxes.map((box) => own.find((mine) => mine.box === box.box) ?? box),
});

/** An answer that takes longer is waited for in words. */
const SLOW_MS = 1000;

/**
 * The live view of a table. Reconnects by itself; an action is sent once and its answer awaited, and after a lost
 * connection it is sent again with the same id, which is harmless.
 */
export class Live {
  /**
   * @param {number} table
   * @param {{ view: (view: View) => void, state: (connected: boolean) => void, slow?: (waits: boolean) => void }} hears
   */
  constructor(table, hears) {
    this.table = table;
    this.hears = hears;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.closed = false;
    /** What only I may see, told just before the view of the same version. @type {{ version: number, boxes: BoxView[] }} */
    this.own = { version: -1, boxes: [] };
    /** The round of the last view: what I do is meant for it and for no other. @type {number | undefined} */
    this.round = undefined;
    this.tries = 0;
    /** @type {Map<string, { text: string, done: (value: Done) => void, failed: (error: Refused) => void }>} */
    this.pending = new Map();
    this.open();
  }

  open() {
    if (this.closed) return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}${BASE}/api/tables/${this.table}/live`);
    this.socket = socket;
    socket.addEventListener('open', () => {
      this.tries = 0;
      this.hears.state(true);
      for (const { text } of this.pending.values()) socket.send(text);
    });
    socket.addEventListener('message', (event) => this.heard(JSON.parse(event.data)));
    socket.addEventListener('close', () => {
      if (this.closed || this.socket !== socket) return;
      this.hears.state(false);
      this.tries += 1;
      setTimeout(() => this.open(), Math.min(5000, 150 * 2 ** this.tries));
    });
  }

  /** @param {import('../../browser/types').Message} message */
  heard(message) {
    if (message.type === 'view') {
      this.round = message.round;
      const { version, boxes } = this.own;
      this.hears.view(version === message.version ? withOwn(message, boxes) : message);
    } else if (message.type === 'private') this.own = message;
    else if (message.type === 'balance') setPurse(message.balance, message.chips);
    else if (message.type === 'ack' || message.type === 'refused') {
      const waiting = this.pending.get(message.id);
      if (!waiting) return;
      this.pending.delete(message.id);
      if (message.type === 'ack') {
        if (message.done.balance) setPurse(message.done.balance);
        waiting.done(message.done);
      } else waiting.failed(new Refused(409, message.error ?? {}));
    }
  }

  /** @param {Command} action @returns {Promise<Done>} */
  act(action) {
    const id = freshId();
    const text = JSON.stringify({ id, round: this.round, ...action });
    // A house that stalls is not silent: after a moment the page says that it waits.
    const slow = setTimeout(() => this.hears.slow?.(true), SLOW_MS);
    return new Promise((done, failed) => {
      const ended = () => {
        clearTimeout(slow);
        this.hears.slow?.(false);
      };
      this.pending.set(id, {
        text,
        done: (value) => {
          ended();
          done(value);
        },
        failed: (error) => {
          ended();
          failed(error);
        },
      });
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    });
  }

  close() {
    this.closed = true;
    this.socket?.close();
  }
}
