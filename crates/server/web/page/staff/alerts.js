// Shows floor calls as they arrive, on every page of the floor and the supervisors, with table, reason, waiting time
// and a sound. Also holds the dialog for a reason, which calls and voids share.

import { watchSocket } from '../shared/heartbeat.js';
import { me, post } from '../shared/net.js';
import { BASE, complain, dialog, field, fill, freshId, h, tableName } from '../shared/ui.js';
import { t } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */

/**
 * Asks for a reason: a common one or free text. Returns `null` if the dialog is dismissed.
 * @param {string} heading @param {string} text @param {string[]} usual @param {string} label
 * @returns {Promise<string | null>}
 */
export function askReason(heading, text, usual, label) {
  return new Promise((done) => {
    const input = /** @type {HTMLInputElement} */ (
      h('input', { name: 'reason', maxlength: 200, required: true, autocomplete: 'off', list: 'usual-reasons' })
    );
    let answer = /** @type {string | null} */ (null);
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const words = input.value.trim();
      if (!words) return;
      answer = words;
      opened.close();
    };
    const opened = dialog(
      heading,
      h(
        'form',
        { class: 'stack-y', onsubmit: submit },
        h('p', null, text),
        h(
          'div',
          { class: 'reasons', role: 'group', 'aria-label': t('reason.common') },
          usual.map((words) =>
            h(
              'button',
              {
                class: 'act',
                type: 'button',
                onclick: () => {
                  input.value = words;
                  input.focus();
                },
              },
              words,
            ),
          ),
        ),
        field(t('reason.label'), input),
        h('button', { class: 'act primary', 'data-act': 'give-reason' }, label),
      ),
    );
    input.focus();
    opened.addEventListener('close', () => done(answer));
  });
}

/** Plays two short synthesized notes. Browsers that require a user gesture first stay silent until there is one. */
function chime() {
  try {
    const audio = new AudioContext();
    [880, 660].forEach((pitch, at) => {
      const tone = audio.createOscillator();
      const loud = audio.createGain();
      const from = audio.currentTime + at * 0.18;
      tone.frequency.value = pitch;
      loud.gain.setValueAtTime(0.0001, from);
      loud.gain.exponentialRampToValueAtTime(0.25, from + 0.02);
      loud.gain.exponentialRampToValueAtTime(0.0001, from + 0.4);
      tone.connect(loud).connect(audio.destination);
      tone.start(from);
      tone.stop(from + 0.45);
    });
    setTimeout(() => audio.close(), 1500);
  } catch {
    /* the browser has no audio */
  }
}

const TOLD_FOR_MS = 20_000;

/** Returns whether I answered this call. @param {Schemas['FloorCall']} call */
const mine = (call) => call.answered?.name === me()?.name;

/** Says who answered a call, and how quickly. @param {Schemas['FloorCall']} call */
const answered = (call) => {
  const seconds = Math.round((call.answered?.after_ms ?? 0) / 1000);
  return mine(call)
    ? t('floor.call.answered.you', { seconds })
    : t('floor.call.answered.other', { name: call.answered?.name ?? '', seconds });
};

/** Shows the open floor calls while somebody who answers them is signed in. */
export class Alerts {
  constructor() {
    this.element = h('div', { id: 'calls', class: 'calls', role: 'alert' });
    document.body.append(this.element);
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Schemas['FloorCall'][]} */
    this.calls = [];
    /** How far this clock is behind the server's, in milliseconds. */
    this.behind = 0;
    /** @type {Set<string>} */
    this.rung = new Set();
    this.tries = 0;
    this.at = '';
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.ticking = undefined;
  }

  /** Opens or closes the socket to match the role of the signed-in user. */
  follow() {
    const role = me()?.role;
    const wanted = (role === 'floor' || role === 'supervisor') && !me()?.must_change_password;
    if (wanted && !this.socket) this.open();
    if (!wanted && this.socket) {
      const { socket } = this;
      this.socket = null;
      socket.close();
      this.calls = [];
      this.draw();
    }
  }

  open() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}${BASE}/api/calls/live`);
    this.socket = socket;
    socket.addEventListener('open', () => {
      this.tries = 0;
    });
    socket.addEventListener('message', (event) => {
      const told = JSON.parse(event.data);
      if (this.socket === socket && told.type === 'calls') this.heard(told);
    });
    let gone = false;
    const lost = () => {
      if (gone || this.socket !== socket) return;
      gone = true;
      socket.close();
      this.tries += 1;
      setTimeout(() => this.socket === socket && this.open(), Math.min(5000, 150 * 2 ** this.tries));
    };
    socket.addEventListener('close', lost);
    watchSocket(socket, lost);
    this.ticking ??= setInterval(() => this.tick(), 1000);
  }

  /** @param {{ now: string, calls: Schemas['FloorCall'][] }} told */
  heard({ now, calls }) {
    this.behind = Date.parse(now) - Date.now();
    this.calls = calls;
    for (const call of calls) {
      const key = `${call.table}/${call.at_ms}`;
      if (call.answered || this.rung.has(key)) continue;
      this.rung.add(key);
      chime();
    }
    this.draw();
  }

  /** Returns how long a call has waited, in milliseconds. @param {Schemas['FloorCall']} call */
  waited(call) {
    return Date.now() + this.behind - call.at_ms;
  }

  /** @param {Schemas['FloorCall']} call */
  seconds(call) {
    return `${Math.max(0, Math.floor(this.waited(call) / 1000))} s`;
  }

  tick() {
    const news = this.element.querySelectorAll('[data-since]');
    for (const shown of news) {
      const call = this.calls.find((c) => String(c.table) === /** @type {HTMLElement} */ (shown).dataset.since);
      if (call) shown.textContent = this.seconds(call);
    }
    // The current page decides which buttons a call offers.
    if (this.calls.some((call) => call.answered) || this.at !== location.pathname) this.draw();
  }

  /** @param {Schemas['FloorCall']} call @param {string} what */
  async answer(call, what) {
    try {
      await post(`/api/tables/${call.table}/actions`, { id: freshId(), do: /** @type {'answer-call'} */ (what) });
    } catch (error) {
      complain(error);
    }
  }

  draw() {
    this.at = location.pathname;
    // The person on the way sees the call until arrival; the others see who answered it for a moment.
    const shown = this.calls.filter(
      (call) => !call.answered || mine(call) || this.waited(call) - call.answered.after_ms < TOLD_FOR_MS,
    );
    const open = shown.filter((call) => !call.answered).length;
    document.title = document.title.replace(/^\(\d+\) /, '');
    if (open) document.title = `(${open}) ${document.title}`;
    const button = (
      /** @type {Schemas['FloorCall']} */ call,
      /** @type {string} */ what,
      /** @type {string} */ label,
    ) =>
      h(
        'button',
        { class: 'act primary', type: 'button', 'data-act': what, onclick: () => this.answer(call, what) },
        label,
      );
    fill(
      this.element,
      shown.map((call) =>
        h(
          'div',
          { class: `call${call.answered ? ' answered' : ''}`, 'data-call': call.table },
          h(
            'p',
            null,
            h('b', null, t('floor.call.at', { table_name: tableName(call.table_name), table: call.table })),
            `: ${call.reason}. `,
            h(
              'span',
              { class: 'dim' },
              `${call.caller}, `,
              h('span', { 'data-since': call.table }, this.seconds(call)),
            ),
            call.answered ? h('span', null, ' · ', answered(call)) : null,
          ),
          h(
            'p',
            { class: 'actions' },
            call.answered ? null : button(call, 'answer-call', t('floor.call.accept')),
            mine(call) ? button(call, 'end-call', t('floor.call.arrived')) : null,
            // No link for somebody who has this table's console open already.
            this.at === `${BASE}/console/${call.table}`
              ? null
              : h('a', { class: 'act', href: `/console/${call.table}` }, t('floor.call.go')),
          ),
        ),
      ),
    );
  }
}
