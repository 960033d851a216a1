// Communication with the server: requests, and the live view of a table, which reconnects by itself.

import { watchSocket } from './heartbeat.js';
import { BASE, freshId } from './ui.js';
import { refusal, t } from './words.js';

/** The error of a refused request. */
export class Refused extends Error {
  /** @param {number} status @param {Partial<import('../../../browser/types').Schemas['ErrorDetail']>} detail */
  constructor(status, detail) {
    super(refusal(detail, detail.message ?? t('error.no_response')));
    this.status = status;
    this.code = detail.code ?? '';
    /** The form field that the error is about, if the server names one. */
    this.about = detail.field ?? '';
    this.clause = detail.clause ?? null;
  }
}

/**
 * @typedef {import('../../../browser/types').Me} Me
 * @typedef {import('../../../browser/types').View} View
 * @typedef {import('../../../browser/types').Awaiting} Awaiting
 * @typedef {import('../../../browser/types').BoxView} BoxView
 * @typedef {import('../../../browser/types').Command} Command
 * @typedef {import('../../../browser/types').Done} Done
 */

/**
 * Sends a request to the server, JSON in and out. The types per address come from the server's API description.
 * @template {'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} M @template {string} P
 * @param {M} method @param {P} path @param {import('../../../browser/types').Asked<P, Lowercase<M>>} [body]
 * @returns {Promise<import('../../../browser/types').Answer<P, Lowercase<M>>>}
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
    throw new Refused(0, { code: 'offline', message: t('error.no_response') });
  }
  const text = await answer.text();
  const json = (answer.headers.get('content-type') ?? '').includes('json');
  const told = json && text ? JSON.parse(text) : text;
  if (!answer.ok) throw new Refused(answer.status, json ? (told.error ?? {}) : {});
  return told;
}

/** @template {string} P @param {P} path */
export const get = (path) => ask('GET', path);
/** @template {string} P @param {P} path @param {import('../../../browser/types').Asked<P, 'post'>} [body] */
export const post = (path, body) => ask('POST', path, body);

/** The signed-in user, or `null`. @type {Me | null} */
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
    /* keep the last known user */
  }
  tell();
  return who;
}

/** Returns my balance of the chips I bet with. */
export const purse = () => (who ? who[playsForNothing() ? 'play' : 'cash'] : '0.00');

/** Returns whether I bet with play chips. */
export const playsForNothing = () => who?.chips === 'play';

/** @param {string} balance @param {string} [chips] */
export function setPurse(balance, chips) {
  if (!who) return;
  who = { ...who, [chips ?? who.chips]: balance };
  tell();
}

/** Returns until when I have excluded myself, if I have. Guests cannot. @returns {Promise<string | null>} */
export async function excludedUntil() {
  if (!who || who.guest || who.role !== 'player') return null;
  // If this request fails, the server refuses the bet and says why.
  const told = await get('/api/me/limits').catch(() => null);
  return told?.excluded_until ?? null;
}

/** Signs in as a guest, unless somebody is signed in. */
export async function beSomebody() {
  if (who) return who;
  await post('/api/guests');
  return refreshMe();
}

/**
 * Returns a view with the player's own cards, which are face down to all others (2.6A(c)), and what they allow.
 * @template {{ awaiting: Awaiting, boxes: BoxView[] }} V @param {V} view
 * @param {BoxView[]} own the boxes as their player sees them
 * @returns {V}
 */
export const withOwn = (view, own) => ({
  ...view,
  awaiting: own.find((mine) => mine.awaiting)?.awaiting ?? view.awaiting,
  boxes: view.boxes.map((box) => own.find((mine) => mine.box === box.box) ?? box),
});

/** After this long, the page says that it is waiting for an answer. */
const SLOW_MS = 1000;

/**
 * The live view of a table. It reconnects by itself. An action is sent once and its answer awaited; after a lost
 * connection it is sent again with the same idempotency key, which is harmless.
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
    /**
     * Cards that only I may see, received just before the view of the same version.
     * @type {{ version: number, boxes: BoxView[] }}
     */
    this.own = { version: -1, boxes: [] };
    /** The round of the last view. My actions apply to this round only. @type {number | undefined} */
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
    socket.addEventListener('message', (event) => this.socket === socket && this.heard(JSON.parse(event.data)));
    const lost = () => {
      if (this.closed || this.socket !== socket) return;
      // A server that has vanished does not answer the closing either.
      this.socket = null;
      socket.close();
      this.hears.state(false);
      this.tries += 1;
      setTimeout(() => this.open(), Math.min(5000, 150 * 2 ** this.tries));
    };
    socket.addEventListener('close', lost);
    watchSocket(socket, lost);
  }

  /** @param {import('../../../browser/types').Message} message */
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
    // If the server stalls, say so after a moment.
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
